"""The command line: the list of commands, and the mapping of errors to exit codes.

A command is a module of `bazi_cli.commands`, imported on use. Exit codes: 0 ok, 1 bug or damaged
file, 2 usage, 3 place, 4 invalid input, 5 out of range, 9 warnings with `--strict`, 130 interrupted, 141 when the
reader of a pipe has gone.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bazi_cli.manners import Group, birth_without_command
from bazi_core.errors import BaziError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "chart",
    "luck",
    "year",
    "years",
    "read",
    "terms",
    "calendar",
    "day",
    "days",
    "convert",
    "place",
    "hour",
    "find",
    "batch",
    "liuyao",
    "liuren",
    "serve",
    "mcp",
    "keys",
    "credits",
    "price",
    "hub",
    "doctor",
    "schema",
    "completion",
)
INTERRUPTED = 130
PIPE_CLOSED = 141


class Commands(Group):
    """A group that imports a command on use, takes defaults from the configuration, and turns
    every error into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"bazi_cli.commands.{cmd_name}").command
        return command

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        from bazi_cli import config

        self.line = args[:]
        values = config.values_by_parameter()
        extra.setdefault("default_map", dict.fromkeys(COMMANDS, values) if values else None)
        return super().make_context(info_name, args, parent, **extra)

    def no_command(self, ctx: click.Context, args: list[str]) -> NoReturn:
        birth_without_command(ctx, args)
        super().no_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            from bazi_cli.output import discard

            discard(1)
            return PIPE_CLOSED
        return status

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and leave with its exit code; the arguments are those of click."""
        given = [readable(each) for each in sys.argv[1:]] if args is None else list(args)
        sys.exit(self._run(given, prog_name or "bazi", {**extra, "complete_var": complete_var}))

    def _run(self, args: list[str], prog_name: str, extra: dict[str, Any]) -> int:
        try:
            status = super().main(args, prog_name, standalone_mode=False, **extra)
            return status if isinstance(status, int) else 0
        except click.Abort:
            return INTERRUPTED
        except (BaziError, click.ClickException) as error:
            from bazi_cli.problems import report

            return report(error, args)
        except Exception as error:
            if os.environ.get("BAZI_DEBUG"):
                raise
            from bazi_cli.problems import report_bug

            return report_bug(error, args)


@click.group(
    "bazi",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
)
@click.option("--verbose", is_flag=True)
@click.pass_context
def cli(ctx: click.Context, /, version: bool, verbose: bool) -> None:
    """BaZi (八字) computed exactly: true solar time, real time zones, every doubt shown."""
    if version:
        from bazi_cli.version import version_text

        click.echo(version_text(verbose), nl=False)
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def readable(argument: str) -> str:
    """An argument decoded as UTF-8, whatever the locale; invalid bytes become U+FFFD.

    >>> readable("北京"), readable("\\udce5\\udc8c\\udc97"), readable("\\udcff")
    ('北京', '北', '\\ufffd')
    """
    try:
        return os.fsencode(argument).decode("utf-8", "replace")
    except UnicodeEncodeError:
        return argument.encode("utf-8", "replace").decode("utf-8")
