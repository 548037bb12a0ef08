"""`bazi schema`: the JSON Schemas that the objects follow."""

from __future__ import annotations

from typing import Any

import click

from bazi_cli import output
from bazi_cli.manners import Command
from bazi_cli.options import TEXT, options
from bazi_core.errors import UnknownOption
from bazi_core.render.schemas import names, schema
from bazi_core.tables.sentences import Listed, Said


@click.command("schema", cls=Command)
@click.argument("name", required=False, type=TEXT)
@options("output")
def command(name: str | None, **given: Any) -> None:
    """Print the schema NAME, or the list of names."""
    known = names()
    if name is None:
        output.emit("".join(f"{each}\n" for each in known), given["output"])
        return
    if name not in known:
        shown = name[:60]
        raise UnknownOption(
            Said("schema_unknown", name=shown),
            hint=Said("schema_unknown_hint", allowed=Listed(known)),
            name="schema",
            value=shown,
            allowed=known,
        )
    output.emit(output.as_json(schema(name)), given["output"])
