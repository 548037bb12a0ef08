"""`bazi credits`: balances of a hub's accounts."""

from __future__ import annotations

import click

from bazi_cli.manners import Group
from bazi_cli.operator import DATABASE, FORMAT, YES, give, perform, show

REF = click.option("--ref")


@click.group("credits", cls=Group)
def command() -> None:
    """Credits of a hub's accounts. ACCOUNT is an id or e-mail; postings are never changed."""


@command.command("show")
@click.argument("account")
@DATABASE
@FORMAT
def shown(account: str, db: str | None, form: str) -> None:
    """Balance, holds of running calls, and free calls."""
    show(perform(db, "credits_show", account=account), form)


@command.command("grant")
@click.argument("account")
@click.argument("amount", type=click.IntRange(1, 10**12))
@REF
@YES
@DATABASE
@FORMAT
def grant(account: str, amount: int, ref: str | None, yes: bool, db: str | None, form: str) -> None:
    """Give AMOUNT credits."""
    show(give(db, "credits_grant", yes, account=account, amount=amount, ref=ref), form)


@command.command("adjust", context_settings={"ignore_unknown_options": True})
@click.argument("account")
@click.argument("amount", type=click.IntRange(-(10**12), 10**12))
@click.option("--memo", required=True)
@REF
@YES
@DATABASE
@FORMAT
def adjust(
    account: str, amount: int, memo: str, ref: str | None, yes: bool, db: str | None, form: str
) -> None:
    """Correct a balance by AMOUNT, which may be negative."""
    show(give(db, "credits_adjust", yes, account=account, amount=amount, memo=memo, ref=ref), form)


@command.command("refund")
@click.argument("call")
@click.option("--memo")
@DATABASE
@FORMAT
def refund(call: str, memo: str | None, db: str | None, form: str) -> None:
    """Refund the cost of the call with the id CALL, once."""
    show(perform(db, "credits_refund", call=call, memo=memo), form)


@command.command("history")
@click.argument("account")
@DATABASE
@FORMAT
def history(account: str, db: str | None, form: str) -> None:
    """Every posting of an account with the balance after it."""
    show(perform(db, "credits_history", account=account), form)
