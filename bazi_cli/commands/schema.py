"""`bazi schema`: the JSON Schemas that the objects follow."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.options import TEXT, options
from bazi_core.errors import UnknownOption
from bazi_core.render.schemas import names, schema


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
    output.emit(output.as_json(schema(name)), given["output"])
