"""`bazi price`: the prices of a hub's tools."""

from __future__ import annotations

import click

from bazi_cli.manners import Group
from bazi_cli.operator import DATABASE, FORMAT, perform, show
from bazi_core.tables.sentences import Said


@click.group("price", cls=Group)
def command() -> None:
    """Prices of a hub. A change is a new version and binds the next call; calls that run keep theirs."""


@command.command("list")
@DATABASE
@FORMAT
def listed(db: str | None, form: str) -> None:
    """The newest version of every price."""
    show(perform(db, "price_list"), form)


@command.command("set")
@click.argument("tool")
@click.option("--cost", type=click.IntRange(0, 10**9))
@click.option("--min-balance", type=click.IntRange(0, 10**9))
@click.option("--free-quota", type=click.IntRange(0, 10**9))
@DATABASE
@FORMAT
def changed(
    tool: str, cost: int | None, min_balance: int | None, free_quota: int | None, db: str | None, form: str
) -> None:
    """Change the price of TOOL; omitted values stay."""
    new = {"credit_cost": cost, "min_balance": min_balance, "free_quota": free_quota}
    if all(value is None for value in new.values()):
        raise click.UsageError(Said("nothing_to_change"))
    show(perform(db, "price_set", tool=tool, **new), form)


@command.command("enable")
@click.argument("tool")
@DATABASE
@FORMAT
def enable(tool: str, db: str | None, form: str) -> None:
    """Switch TOOL on."""
    show(perform(db, "price_set", tool=tool, enabled=True), form)


@command.command("disable")
@click.argument("tool")
@DATABASE
@FORMAT
def disable(tool: str, db: str | None, form: str) -> None:
    """Switch TOOL off: it answers TOOL_DISABLED."""
    show(perform(db, "price_set", tool=tool, enabled=False), form)
