"""`bazi serve`: the hub over HTTP."""

from __future__ import annotations

import click

from bazi_cli.operator import DATABASE, extra, refusals


@click.command("serve", short_help="Serve the hub over HTTP: MCP, REST, pages.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes; PostgreSQL only."
)
@click.option(
    "--dev", is_flag=True, help="Try it: makes secrets, an account with 10,000 credits, and prints its key."
)
@DATABASE
def command(host: str, port: int, workers: int, dev: bool, db: str | None) -> None:
    """Serve the hub. It is configured by BAZI_HUB_… variables; `--dev` needs none."""
    import gc

    serving = extra("bazi_hub.serving")
    # Switched off for commands that live a tenth of a second.
    gc.enable()
    with refusals():
        if workers == 1:
            serving.run(host, port, db=db, dev=dev)
        else:
            serving.run_workers(host, port, workers, db=db, dev=dev)
