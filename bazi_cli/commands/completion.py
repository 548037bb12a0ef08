"""`bazi completion`: the completion script of a shell."""

from __future__ import annotations

import click

from bazi_cli.manners import Command


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, /, shell: str) -> None:
    """Print the completion script of SHELL, to be sourced by it: `source <(bazi completion bash)`."""
    from click.shell_completion import get_completion_class

    from bazi_cli.output import emit

    kind = get_completion_class(shell)
    assert kind is not None
    complete = kind(ctx.find_root().command, {}, "bazi", "_BAZI_COMPLETE")
    # `source()` would first run the shell to ask its version; the script itself does not depend on it.
    emit(complete.source_template % complete.source_vars() + "\n")
