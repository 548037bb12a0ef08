"""`bazi schema`: the JSON Schemas that the objects follow."""

from __future__ import annotations

import os
from typing import Any

import click

import bazi_core
from bazi_cli import output
from bazi_cli.options import TEXT, options
from bazi_core.errors import UnknownOption

_FOLDER = os.path.join(bazi_core.__path__[0], "schemas")
_ENDING = ".schema.json"


@click.command("schema", short_help="The JSON Schema of an object; without a name, the names.")
@click.argument("name", required=False, type=TEXT)
@options("output")
def command(name: str | None, **given: Any) -> None:
    """Print the schema NAME, or the names there are."""
    known = names()
    if name is None:
        output.emit("".join(f"{each}\n" for each in known), given["output"])
        return
    if name not in known:
        shown = name[:60]
        raise UnknownOption(
            f"there is no schema {shown!r}",
            hint=f"schemas: {', '.join(known)}",
            name="schema",
            value=shown,
            allowed=known,
        )
    with open(os.path.join(_FOLDER, name + _ENDING), encoding="utf-8") as file:
        output.emit(file.read(), given["output"])


def names() -> list[str]:
    """The shipped schemas."""
    found = os.listdir(_FOLDER) if os.path.isdir(_FOLDER) else []
    return sorted(each.removesuffix(_ENDING) for each in found if each.endswith(_ENDING))
