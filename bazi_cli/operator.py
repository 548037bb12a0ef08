"""Acts of an operator from the command line: on the database, or through the server that holds it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_core.errors import BaziError
from bazi_core.render.phrases import printable
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_hub.operate.config import Config
    from bazi_hub.people.identity import Secrets

DATABASE = click.option("--db", metavar="PATH")
FORMAT = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
)

# Arguments that name existing rows: an act on them does not create a database.
KEPT = frozenset(("account", "key", "call", "row"))
# A row is one line, however wide, for programs that read lines.
UNFOLDED = 1_000_000


class Refused(BaziError):
    """The error for an act that the hub refuses."""

    code = "REFUSED"


class Newer(Refused):
    """The error for tables, or an export of them, of a newer release."""

    code = "NEWER_SCHEMA"


def extra(name: str, of: str = "hub") -> Any:
    """A module of an extra, or a usage error that names the missing extra."""
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in ("bazi_hub", "bazi_core"):
            raise
        raise click.UsageError(Said("needs_extra", name=error.name, of=of)) from None


def configuration(db: str | None) -> Config:
    """The configuration of the environment, with the database that a flag names."""
    app = extra("bazi_hub.operate.app")
    try:
        config: Config = app.with_database(app.configured(), db)
    except app.ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    return config


@contextmanager
def refusals() -> Iterator[None]:
    """Convert refusals of the hub into errors of the command line (a context manager)."""
    from bazi_hub.operate.admin import ActRefused
    from bazi_hub.ports import Conflict, NewerSchema, StoreError
    from bazi_hub.words.errors import ConfigurationError

    try:
        yield
    except NewerSchema as error:
        raise Newer(str(error), hint=Said("newer_release"), schema=error.schema, known=error.known) from None
    except ActRefused as error:
        raise Refused(error.reason) from None
    except (StoreError, Conflict, ValueError) as error:
        raise Refused(str(error)) from None
    except ConfigurationError as error:
        raise click.UsageError(*error.args) from None


def perform(db: str | None, act: str, **arguments: Any) -> Any:
    """The result of an act of `bazi_hub.operate.admin`."""
    app, admin_socket = extra("bazi_hub.operate.app"), extra("bazi_hub.operate.admin_socket")
    config = configuration(db)
    database = app.database_of(config)
    if isinstance(database, Path) and KEPT & arguments.keys() and not database.exists():
        raise click.UsageError(Said("no_database", database=database))
    with refusals():
        if isinstance(database, Path) and os.path.exists(admin_socket.socket_path(database)):
            # The server that made the socket may be gone.
            with suppress(ConnectionRefusedError):
                return admin_socket.ask(admin_socket.socket_path(database), act, arguments)
        return asyncio.run(_alone(config, act, arguments))


YES = click.option("--yes", is_flag=True)


def give(db: str | None, act: str, yes: bool, **arguments: Any) -> Any:
    """The result of an act in favour of an account; if it is named by an unverified e-mail, a person at a terminal is asked
    first, and a program needs `--yes`."""
    named = arguments["account"]
    if "@" in named and not yes and _at_a_terminal():
        credits = perform(db, "credits_show", account=named)
        yes = credits["email_verified"] is False
        if yes:
            click.confirm(
                f"{printable(credits['email'])} was typed by whoever signed up; nobody has checked whose it is. Go on?",
                abort=True,
                err=True,
            )
    return perform(db, act, sure=yes, **arguments)


def _at_a_terminal() -> bool:
    """Whether standard input is a terminal."""
    return sys.stdin.isatty()


async def _alone(config: Config, act: str, arguments: dict[str, Any]) -> Any:
    """The result of an act without a server: the database is opened, used and closed."""
    from bazi_hub.operate import admin, admin_socket, app

    composed = app.compose(config, secrets=_secrets(config, act))
    try:
        await composed.hub.storage.open()
        return await admin.act(composed.admin_context(admin_socket.operator_name()), act, arguments)
    finally:
        await composed.hub.storage.close()
        composed.passwords.close()


def _secrets(config: Config, act: str) -> Secrets:
    """The secrets of the hub where keys need them, else zeros."""
    from bazi_hub.operate import app
    from bazi_hub.people.identity import Secrets

    if config.key_pepper or act == "keys_issue":
        return app.kept_secrets(config) or app.secrets_of(config)
    return Secrets(bytes(32), bytes(32))


def show(result: Any, form: str) -> None:
    """A result as JSON, or as lines of names and values."""
    if form == "json":
        output.emit(output.as_json(result))
    elif isinstance(result, list):
        output.emit(_table(result))
    else:
        output.emit("".join(f"{name:<16} {_cell(value)}\n" for name, value in result.items()))


def _table(rows: list[dict[str, Any]]) -> str:
    """Rows under the names of their members, columns aligned."""
    if not rows:
        return "none\n"
    from bazi_core.render.text import aligned

    columns = list(rows[0])
    cells = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
    return "".join(f"{line}\n" for line in aligned(cells, UNFOLDED))


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return printable(", ".join(f"{name} {each}" for name, each in value.items())) or "-"
    return printable(str(value))
