"""`bazi serve`: the hub over HTTP."""

from __future__ import annotations

import click

from bazi_cli.manners import Command
from bazi_cli.operator import DATABASE, extra, refusals


@click.command("serve", cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True)
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--dev", is_flag=True)
@DATABASE
def command(host: str, port: int, workers: int, dev: bool, db: str | None) -> None:
    """Serve the hub. It is configured by BAZI_HUB_… variables; `--dev` needs none."""
    import gc

    serving = extra("bazi_hub.operate.serving")
    # Switched off for commands that live a tenth of a second.
    gc.enable()
    with refusals():
        serving.run(host, port, workers=workers, db=db, dev=dev)
