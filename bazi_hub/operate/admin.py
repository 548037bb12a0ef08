"""The acts of an operator as functions over the stores: one table, used by the command line and by the running server.

Every act is written into the admin journal by the store that does it, with the operator as its actor. Amounts and ids come
as text from a command line; what is wrong with them is a `ActRefused` in one sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, get_args

from bazi_core.tables.sentences import Listed, Said
from bazi_hub.calls.gate import LEASE_GRACE_S
from bazi_hub.people.emails import is_email, same_email
from bazi_hub.people.erasure import erase, suspend
from bazi_hub.people.identity import Identity
from bazi_hub.people.keys import Flavor, id_of, token_hash
from bazi_hub.people.passwords import Passwords
from bazi_hub.ports import Account, Clock, Conflict, Ids, Key, Price, Storage
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.words.settings import Settings
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

DAY_MS = 86_400_000
INVITE_DAYS = 7
# So many credits at a time, and so many days: sums of them fit the integers of every database and calendar.
MOST_CREDITS = 10**12
MOST_DAYS = 36_525
STATUSES = ("active", "suspended")
FLAVORS = get_args(Flavor)


class ActRefused(Exception):
    """An act that cannot be done, with the reason: a sentence of the table."""

    @property
    def reason(self) -> Said:
        reason: Said = self.args[0]
        return reason


class AdminContext(NamedTuple):
    """The stores and services that acts use, and the operator who acts."""

    storage: Storage
    identity: Identity
    passwords: Passwords
    settings: Settings
    clock: Clock
    ids: Ids
    actor: str
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def account_create(
    context: AdminContext,
    email: str | None = None,
    name: str | None = None,
    credits: int | None = None,
    password: str | None = None,
) -> dict[str, Any]:
    """A new account with the starter allowance, or with so many credits."""
    starter = context.settings.starter_credits if credits is None else _whole(credits, 0)
    email = None if email is None else same_email(email)
    name = cleaned(name or "") or None
    if email is not None and not is_email(email):
        raise ActRefused(Said("hub.not_email", email=email))
    words = [email or "", name or ""]
    hashed = await context.passwords.hash(password, words) if password is not None else None
    account = Account(
        context.ids.uuid(),
        email,
        name,
        "active",
        None,
        context.clock.now_ms(),
        password_hash=hashed,
        email_verified=email is not None,
    )
    try:
        await context.storage.accounts.create(account, starter, context.actor)
    except Conflict:
        raise ActRefused(Said("hub.email_taken", email=email)) from None
    return account_object(await _account(context, account.id))


async def account_list(context: AdminContext) -> list[dict[str, Any]]:
    return [account_object(account) for account in await context.storage.accounts.listed()]


async def account_status(context: AdminContext, account: str, status: str) -> dict[str, Any]:
    """Suspends an account or lets it act again."""
    if status not in STATUSES:
        raise ActRefused(Said("hub.one_of", one_of=Listed(STATUSES, " or "), given=status))
    found = await _account(context, account)
    await _set_status(context, found, status)
    return account_object(await _account(context, found.id))


async def account_erase(context: AdminContext, account: str) -> dict[str, Any]:
    """Deletes all that is personal of an account, once nothing of it runs; its bare id keeps the books in order."""
    found = await _account(context, account)
    if found.status == "erased":
        raise ActRefused(Said("hub.erased"))
    # No call takes longer.
    longest_s = max(context.settings.deadlines_s.values()) + LEASE_GRACE_S
    if not await erase(
        context.storage, context.identity, context.clock, found.id, context.actor, longest_s, context.sleep
    ):
        raise ActRefused(Said("hub.still_runs", seconds=f"{longest_s:g}"))
    return {"id": found.id, "status": "erased"}


async def _set_status(context: AdminContext, found: Account, status: str) -> None:
    if found.status == "erased":
        raise ActRefused(Said("hub.erased"))
    await suspend(context.storage, context.identity, found.id, status, context.actor)


async def account_password(context: AdminContext, account: str, password: str) -> dict[str, Any]:
    """A new password; every session of the account ends."""
    found = await _account(context, account)
    hashed = await context.passwords.hash(password, [found.email or "", found.display_name or ""])
    await context.storage.accounts.change(found.id, context.actor, password_hash=hashed)
    await context.storage.sessions.end_all(found.id)
    return account_object(found)


async def account_confirm(context: AdminContext, account: str) -> dict[str, Any]:
    """Vouches for the e-mail of an account: its owner showed that it is his."""
    found = await _account(context, account)
    if found.email is None:
        raise ActRefused(Said("hub.no_email", id=found.id))
    await context.storage.accounts.change(found.id, context.actor, email_verified=True)
    return account_object(await _account(context, found.id))


async def account_invite(context: AdminContext) -> dict[str, Any]:
    """A link by which one person may sign up; shown this once."""
    token = context.ids.secret(16).hex()
    expires_ms = context.clock.now_ms() + INVITE_DAYS * DAY_MS
    await context.storage.accounts.invite(token_hash(token), expires_ms, context.actor)
    base = (context.settings.public_url or "http://localhost:8000").rstrip("/")
    return {"link": f"{base}/signup?invite={token}", "expires_at": iso(expires_ms)}


async def keys_issue(
    context: AdminContext,
    account: str,
    flavor: str = "personal",
    agent_name: str | None = None,
    days: int | None = None,
    sure: bool = False,
) -> dict[str, Any]:
    """A new key, shown this once."""
    if flavor not in FLAVORS:
        raise ActRefused(Said("hub.one_of", one_of=Listed(FLAVORS, " or "), given=flavor))
    found = await _meant(context, account, sure)
    expires_ms = None if days is None else context.clock.now_ms() + _whole(days, 1, MOST_DAYS) * DAY_MS
    agent_name = cleaned(agent_name or "") or None
    try:
        text, key = await context.identity.issue(found.id, flavor, context.actor, agent_name, expires_ms)  # type: ignore[arg-type]
    except Conflict:
        raise ActRefused(Said("hub.most_keys")) from None
    return {"key": text, **key_object(key)}


async def keys_list(context: AdminContext, account: str) -> list[dict[str, Any]]:
    return [key_object(key) for key in await context.storage.keys.of((await _account(context, account)).id)]


async def keys_revoke(context: AdminContext, key: str) -> dict[str, Any]:
    """Ends a key; a key's id or the whole key names it."""
    key_id = id_of(key)
    if not await context.identity.revoke(key_id, context.actor):
        raise ActRefused(Said("hub.no_key", key=key_id))
    return {"id": key_id, "revoked": True}


async def credits_show(context: AdminContext, account: str) -> dict[str, Any]:
    found = await _account(context, account)
    standing = await context.storage.ledger.standing(found.id)
    assert standing is not None
    return {**account_object(found), "free_remaining": standing.free}


async def credits_grant(
    context: AdminContext, account: str, amount: int, ref: str | None = None, sure: bool = False
) -> dict[str, Any]:
    """Gives credits. The same `ref` is posted once, however often it is sent."""
    await _meant(context, account, sure)
    return await _post(context, "grant", account, _whole(amount, 1), ref)


async def credits_adjust(
    context: AdminContext, account: str, amount: int, memo: str, ref: str | None = None, sure: bool = False
) -> dict[str, Any]:
    """Corrects a balance in either direction, with a memo that says why."""
    if not _whole(amount, -MOST_CREDITS) or not memo.strip():
        raise ActRefused(Said("hub.adjustment"))
    await _meant(context, account, sure or amount < 0)
    return await _post(context, "adjust", account, amount, ref, memo)


async def credits_refund(context: AdminContext, call: str, memo: str | None = None) -> dict[str, Any]:
    """Gives back what a call cost, once."""
    found = await context.storage.ledger.charged(call)
    if found is None:
        raise ActRefused(Said("hub.no_call", call=call))
    account_id, cost = found
    try:
        posted = await context.storage.ledger.post(
            "refund", account_id, cost, call, context.actor, memo, call
        )
    except Conflict:
        raise ActRefused(Said("hub.no_refund")) from None
    if not posted:
        raise ActRefused(Said("hub.refunded"))
    return {"call": call, "refunded": cost, **account_object(await _account(context, account_id))}


async def credits_history(context: AdminContext, account: str) -> list[dict[str, Any]]:
    entries = await context.storage.ledger.entries((await _account(context, account)).id)
    return [
        {
            "seq": entry.seq,
            "at": iso(entry.ts_ms),
            "kind": entry.kind,
            "amount": entry.amount,
            "balance": entry.posted_after,
            "ref": entry.ref,
            "call_id": entry.call_id,
            "actor": entry.actor,
            "memo": entry.memo,
        }
        for entry in entries
    ]


async def price_list(context: AdminContext) -> list[dict[str, Any]]:
    return [price._asdict() for price in (await context.storage.pricing.all()).values()]


async def price_set(
    context: AdminContext,
    tool: str,
    credit_cost: int | None = None,
    min_balance: int | None = None,
    free_quota: int | None = None,
    enabled: bool | None = None,
) -> dict[str, Any]:
    """Adds a version of a price; members that are not given stay. The least balance follows the cost unless it is given."""
    known = (await context.storage.pricing.all()).get(tool)
    if tool in CATALOG and not CATALOG[tool].metered and not (credit_cost or min_balance or free_quota):
        # What costs nothing has a price only where it was switched off.
        known = known or Price(tool, 0, 0, 0, True)
    if known is None:
        raise ActRefused(Said("hub.no_price", tool=tool))
    cost = known.credit_cost if credit_cost is None else credit_cost
    follows = cost if credit_cost is not None else known.min_balance
    price = Price(
        tool,
        cost,
        follows if min_balance is None else min_balance,
        known.free_quota if free_quota is None else free_quota,
        known.enabled if enabled is None else enabled,
    )
    for number in (price.credit_cost, price.min_balance, price.free_quota):
        _whole(number, 0)
    return (await context.storage.pricing.set(price, context.actor))._asdict()


async def forum_hide(
    context: AdminContext, what: str, row: str, reason: str, hidden: bool = True
) -> dict[str, Any]:
    """Takes a post or comment out of every list, or puts it back."""
    if not await context.storage.forum.hide(what, row, hidden, reason, context.actor):
        missing = {"post": "hub.no_post", "comment": "hub.no_comment"}[what]
        raise ActRefused(Said(missing, row=row))
    return {"what": what, "id": row, "hidden": hidden}


async def verify(context: AdminContext) -> list[dict[str, Any]]:
    """Every breach of the books; empty when they are right."""
    return [finding._asdict() for finding in await context.storage.ledger.verify()]


async def journal(context: AdminContext) -> list[dict[str, Any]]:
    return [
        {
            "at": iso(act.ts_ms),
            "actor": act.actor,
            "action": act.action,
            "target": act.target,
            "before": act.before,
            "after": act.after,
        }
        for act in await context.storage.journal()
    ]


ACTS: dict[str, Callable[..., Awaitable[Any]]] = {
    act.__name__: act
    for act in (
        account_create, account_list, account_status, account_erase, account_password, account_confirm, account_invite,
        keys_issue, keys_list, keys_revoke,
        credits_show, credits_grant, credits_adjust, credits_refund, credits_history,
        price_list, price_set, forum_hide, verify, journal,
    )
}  # fmt: skip


async def act(context: AdminContext, name: str, arguments: dict[str, Any]) -> Any:
    """The result of an act by name, JSON-ready; `ActRefused` for what cannot be."""
    from bazi_hub.people.guessable import Weak

    known = ACTS.get(name)
    if known is None:
        raise ActRefused(Said("hub.no_act", name=name))
    try:
        return await known(context, **arguments)
    except Weak as error:
        raise ActRefused(error.said) from None


async def _account(context: AdminContext, named: str) -> Account:
    """The account of an id or e-mail."""
    accounts = context.storage.accounts
    found = await (accounts.by_email(same_email(named)) if "@" in named else accounts.get(named))
    if found is None:
        raise ActRefused(Said("hub.no_account", named=named))
    return found


async def _meant(context: AdminContext, named: str, sure: bool) -> Account:
    """The account of an id or e-mail that is to be given something. Whoever signs up may type the e-mail of somebody else,
    and wait for what is meant for him: an e-mail that nobody vouches for is not enough to name him by."""
    found = await _account(context, named)
    if "@" in named and not (found.email_verified or sure):
        raise ActRefused(Said("hub.unverified", email=found.email, id=found.id))
    return found


def _whole(number: int, least: int, most: int = MOST_CREDITS) -> int:
    """A whole number in bounds: SQLite turns one that grows too large into a fraction without a word."""
    if type(number) is not int or not least <= number <= most:
        raise ActRefused(Said("hub.not_whole", number=number, least=least, most=most))
    return number


async def _post(
    context: AdminContext, kind: str, account: str, amount: int, ref: str | None, memo: str | None = None
) -> dict[str, Any]:
    found = await _account(context, account)
    try:
        new = await context.storage.ledger.post(
            kind, found.id, amount, ref or context.ids.uuid(), context.actor, memo
        )
    except Conflict:
        raise ActRefused(Said("hub.balance")) from None
    return {"posted": new, **account_object(await _account(context, found.id))}


def account_object(account: Account) -> dict[str, Any]:
    """An account as an operator sees it, without anything secret."""
    return {
        "id": account.id,
        "email": account.email,
        "email_verified": None if account.email is None else account.email_verified,
        "display_name": account.display_name,
        "status": account.status,
        "language": account.language,
        "balance": account.posted,
        "held": account.held,
        "available": account.available,
        "created_at": iso(account.created_ms),
    }


def key_object(key: Key) -> dict[str, Any]:
    """A key as its owner sees it."""
    return {
        "id": key.id,
        "flavor": key.flavor,
        "agent_name": key.agent_name,
        "created_at": iso(key.created_ms),
        "expires_at": None if key.expires_ms is None else iso(key.expires_ms),
        "revoked_at": None if key.revoked_ms is None else iso(key.revoked_ms),
        "last_used_at": None if key.last_used_ms is None else iso(key.last_used_ms),
    }
