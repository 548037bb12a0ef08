"""`bazi keys`: API keys of a hub."""

from __future__ import annotations

import click

from bazi_cli.manners import Group
from bazi_cli.operator import DATABASE, FORMAT, YES, give, perform, show


@click.group("keys", cls=Group)
def command() -> None:
    """API keys of a hub. A key is shown once, when it is issued."""


@command.command("issue")
@click.argument("account")
@click.option(
    "--flavor",
    type=click.Choice(["personal", "agent"]),
    default="personal",
    show_default=True,
)
@click.option("--agent-name")
@click.option("--days", type=click.IntRange(1))
@YES
@DATABASE
@FORMAT
def issue(
    account: str, flavor: str, agent_name: str | None, days: int | None, yes: bool, db: str | None, form: str
) -> None:
    """Issue a key to ACCOUNT, an id or e-mail."""
    result = give(db, "keys_issue", yes, account=account, flavor=flavor, agent_name=agent_name, days=days)
    show(result, form)


@command.command("list")
@click.argument("account")
@DATABASE
@FORMAT
def listed(account: str, db: str | None, form: str) -> None:
    """The keys of ACCOUNT, newest first."""
    show(perform(db, "keys_list", account=account), form)


@command.command("revoke")
@click.argument("key")
@DATABASE
@FORMAT
def revoke(key: str, db: str | None, form: str) -> None:
    """Revoke KEY, named by its id or as a whole; every worker refuses it within five seconds."""
    show(perform(db, "keys_revoke", key=key), form)
