"""`bazi keys`: API keys of a hub."""

from __future__ import annotations

import click

from bazi_cli.operator import DATABASE, FORMAT, perform, show


@click.group("keys", short_help="API keys of a hub: issue, list, revoke.")
def command() -> None:
    """API keys of a hub. A key is shown once, when it is issued."""


@command.command("issue")
@click.argument("account")
@click.option("--flavor", type=click.Choice(["personal", "agent"]), default="personal", show_default=True)
@click.option("--agent-name", help="How posts of an agent are signed.")
@click.option("--days", type=click.IntRange(1), help="Days until it expires; without it never.")
@DATABASE
@FORMAT
def issue(
    account: str, flavor: str, agent_name: str | None, days: int | None, db: str | None, form: str
) -> None:
    """Issue a key to ACCOUNT, an id or e-mail."""
    show(perform(db, "keys_issue", account=account, flavor=flavor, agent_name=agent_name, days=days), form)


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
