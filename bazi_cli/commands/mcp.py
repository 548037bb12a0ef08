"""`bazi mcp`: the tools over MCP on standard input and output."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.manners import Group
from bazi_cli.operator import extra, refusals
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from bazi_hub.tools.toolsets import Toolset


@click.group(
    "mcp",
    cls=Group,
    invoke_without_command=True,
)
@click.option("--db", metavar="PATH")
@click.option("--url")
@click.option("--toolset", type=click.Choice(["core", "all"]))
@click.pass_context
def command(ctx: click.Context, /, db: str | None, url: str | None, toolset: Toolset | None) -> None:
    """Serve the tools over MCP on standard input and output: free, local, with the rule narrator."""
    if ctx.invoked_subcommand is not None:
        return
    if url and toolset:
        raise click.UsageError(Said("url_toolset"))
    key = os.environ.get("BAZI_API_KEY", "")
    if url and not key:
        raise click.UsageError(Said("url_key"))
    import gc

    from bazi_hub.stdio import claim_stdout

    with claim_stdout() as channel:
        gc.enable()
        import asyncio

        asyncio.run(_bridge(url, key, channel) if url else _local(db, toolset or "core", channel))


async def _local(db: str | None, toolset: Toolset, channel: Any) -> None:
    from bazi_hub.calls.local import LOCAL, local_hub
    from bazi_hub.stdio import serve_stdio

    hub = await local_hub(toolset=toolset) if db is None else await _kept_hub(db, toolset)
    try:
        await serve_stdio(hub, LOCAL, channel)
    finally:
        await hub.close()


async def _kept_hub(db: str, toolset: Toolset) -> Any:
    """The local hub on a file; errors for a file in use or one that is not a database."""
    from bazi_hub.calls.local import FREE_PRICES, local_hub
    from bazi_hub.words.system import SystemClock, SystemIds

    sqlite = extra("bazi_hub.store.sqlite.storage")
    with refusals():
        storage = sqlite.SqliteStorage(db, SystemClock(), SystemIds(), prices=FREE_PRICES)
        return await local_hub(storage, toolset)


async def _bridge(url: str, key: str, channel: Any) -> None:
    from bazi_hub.stdio import bridge

    extra("httpx", "llm")
    try:
        await bridge(url, key, channel)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@command.command("bundle")
@click.argument("path", type=click.Path(dir_okay=False))
def bundle(path: str) -> None:
    """Write an MCP bundle (.mcpb), which desktop clients install with one click."""
    from bazi_hub.stdio.bundle import bundled

    output.emit_bytes(bundled(), path)


@command.command("config")
@click.argument("client", type=click.Choice(["claude", "cursor", "cline", "vscode", "langchain", "coze"]))
@click.option("--url")
def config(client: str, url: str | None) -> None:
    """Print the configuration for CLIENT, and on standard error the file that it belongs into."""
    from bazi_hub.http.client_configs import FILES, snippet

    if client in FILES:
        output.note(FILES[client])
    # By its interpreter: clients start with a PATH of their own.
    output.emit(snippet(client, url, (sys.executable, "-m", "bazi_cli", "mcp")))
