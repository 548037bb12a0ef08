"""`bazi hub`: the books, the accounts and the forum of a hub."""

from __future__ import annotations

import sys

import click

from bazi_cli import output
from bazi_cli.manners import Group
from bazi_cli.operator import DATABASE, FORMAT, configuration, extra, perform, refusals, show

BROKEN = 1


@click.group("hub", cls=Group)
def command() -> None:
    """The operator's commands beside `serve`."""


@command.command("verify")
@click.option("--json", "as_json", is_flag=True)
@DATABASE
def verify(as_json: bool, db: str | None) -> int:
    """Check every balance, hold and quota against the ledger; reads only. Ends with 1 when something is wrong."""
    with refusals():
        findings = extra("bazi_hub.operate.app").verify(configuration(db))
    if as_json:
        output.emit(output.as_json(findings))
    elif findings:
        show(findings, "text")
    else:
        output.emit("the books are right\n")
    return BROKEN if findings else 0


@command.command("journal")
@DATABASE
@FORMAT
def journal(db: str | None, form: str) -> None:
    """Every administrative act, oldest first."""
    show(perform(db, "journal"), form)


@command.command("migrate")
@DATABASE
def migrate(db: str | None) -> None:
    """Migrate the database to the newest schema."""
    config = configuration(db)
    with refusals():
        extra("bazi_hub.operate.app").migrate(config)
    output.note("the database is up to date")


@command.command("export")
@click.argument("directory", type=click.Path(file_okay=False))
@click.option("--with-keys", is_flag=True)
@DATABASE
def exported(directory: str, with_keys: bool, db: str | None) -> None:
    """Write every table as JSON Lines into DIRECTORY, with counts and checksums."""
    with refusals():
        counts = extra("bazi_hub.operate.app").export(configuration(db), directory, with_keys)
    output.note(f"{sum(counts.values())} rows of {len(counts)} tables written")
    held = "e-mails, password hashes, births and readings" + (", and HMACs of API keys" if with_keys else "")
    output.note(
        f"{directory} holds {held}: its files are readable by you alone; keep them so wherever they go"
    )


@command.command("import")
@click.argument("directory", type=click.Path(file_okay=False, exists=True))
@DATABASE
def imported(directory: str, db: str | None) -> int:
    """Restore the files of `export` into an empty database, then verify it."""
    with refusals():
        findings = extra("bazi_hub.operate.app").restore(configuration(db), directory)
    for finding in findings:
        output.note(f"{finding['invariant']} {finding['subject']}: {finding['detail']}")
    output.note("restored" if not findings else "restored, but the books are wrong")
    return BROKEN if findings else 0


WHAT = click.argument("what", type=click.Choice(["post", "comment"]))
ROW = click.argument("row", metavar="ID")
REASON = click.option("--reason", required=True)


@command.command("hide")
@WHAT
@ROW
@REASON
@DATABASE
@FORMAT
def hide(what: str, row: str, reason: str, db: str | None, form: str) -> None:
    """Take a post or comment out of every list."""
    show(perform(db, "forum_hide", what=what, row=row, reason=reason, hidden=True), form)


@command.command("unhide")
@WHAT
@ROW
@REASON
@DATABASE
@FORMAT
def unhide(what: str, row: str, reason: str, db: str | None, form: str) -> None:
    """Put a hidden post or comment back."""
    show(perform(db, "forum_hide", what=what, row=row, reason=reason, hidden=False), form)


@command.group("account")
def account() -> None:
    """Accounts. ACCOUNT is an id or e-mail."""


PASSWORD = click.option("--password", is_flag=True)


@account.command("create")
@click.option("--email")
@click.option("--name")
@click.option("--credits", "amount", type=click.IntRange(0, 10**12))
@PASSWORD
@DATABASE
@FORMAT
def create(
    email: str | None, name: str | None, amount: int | None, password: bool, db: str | None, form: str
) -> None:
    """Create an account."""
    text = _password() if password else None
    show(perform(db, "account_create", email=email, name=name, credits=amount, password=text), form)


@account.command("list")
@DATABASE
@FORMAT
def listed(db: str | None, form: str) -> None:
    """Every account."""
    show(perform(db, "account_list"), form)


@account.command("suspend")
@click.argument("named", metavar="ACCOUNT")
@DATABASE
@FORMAT
def suspend(named: str, db: str | None, form: str) -> None:
    """Refuse every credential of an account."""
    show(perform(db, "account_status", account=named, status="suspended"), form)


@account.command("resume")
@click.argument("named", metavar="ACCOUNT")
@DATABASE
@FORMAT
def resume(named: str, db: str | None, form: str) -> None:
    """Let a suspended account act again."""
    show(perform(db, "account_status", account=named, status="active"), form)


@account.command("erase")
@click.argument("named", metavar="ACCOUNT")
@click.option("--yes", is_flag=True)
@DATABASE
@FORMAT
def erase(named: str, yes: bool, db: str | None, form: str) -> None:
    """Delete all personal data of an account for good; its bare id stays in the books."""
    if not yes:
        click.confirm(f"Erase {named} for good?", abort=True, err=True)
    show(perform(db, "account_erase", account=named), form)


@account.command("password")
@click.argument("named", metavar="ACCOUNT")
@DATABASE
@FORMAT
def password(named: str, db: str | None, form: str) -> None:
    """Set a new password, asked for or read from a pipe; every session ends."""
    show(perform(db, "account_password", account=named, password=_password()), form)


@account.command("confirm")
@click.argument("named", metavar="ACCOUNT")
@DATABASE
@FORMAT
def confirm(named: str, db: str | None, form: str) -> None:
    """Mark the e-mail of an account as verified by the operator."""
    show(perform(db, "account_confirm", account=named), form)


@account.command("invite")
@DATABASE
@FORMAT
def invite(db: str | None, form: str) -> None:
    """A link with which one person can sign up within a week."""
    show(perform(db, "account_invite"), form)


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    entered: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return entered
