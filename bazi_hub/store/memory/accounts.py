"""Accounts, their keys and sessions, and the price table. Whatever an operator does is told to the journal, by ids alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bazi_hub.ports import Account, Conflict, Key, Price, Session
from bazi_hub.ports.people import MOST_ENDED_KEYS
from bazi_hub.store.memory.tables import JournalRow, Quota, Tables

CHANGEABLE = frozenset({"display_name", "language", "password_hash", "status", "email_verified"})


class MemoryAccounts:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def create(self, account: Account, starter: int, actor: str, invite: str | None = None) -> None:
        tables = self._tables
        if invite is not None and tables.invites.get(invite, 0) <= tables.clock.now_ms():
            raise LookupError("this invitation is not good")
        if account.id in tables.accounts:
            raise Conflict(f"account {account.id} is there already")
        if account.email is not None and await self.by_email(account.email) is not None:
            raise Conflict("the e-mail has an account already")
        if invite is not None:
            del tables.invites[invite]
        tables.accounts[account.id] = account._replace(posted=0, held=0)
        tables.quotas[account.id] = {
            tool: Quota(prices[-1].free_quota) for tool, prices in tables.prices.items()
        }
        if starter:
            ref, now = f"starter:{account.id}", tables.clock.now_ms()
            row = JournalRow(tables.ids.uuid(), "starter", None, ref, actor, None, now)
            tables.post(row, account.id, starter)
        tables.told(actor, "account.create", account.id, None, {"status": account.status, "starter": starter})

    async def get(self, account_id: str) -> Account | None:
        return self._tables.accounts.get(account_id)

    async def by_email(self, email: str) -> Account | None:
        folded = email.lower()
        for account in self._tables.accounts.values():
            if account.email is not None and account.email.lower() == folded:
                return account
        return None

    async def listed(self) -> list[Account]:
        return list(self._tables.accounts.values())

    async def change(self, account_id: str, actor: str, **members: Any) -> None:
        if not members.keys() <= CHANGEABLE:
            raise ValueError(f"{sorted(members.keys() - CHANGEABLE)} cannot be changed")
        before = self._present(account_id)
        self._tables.accounts[account_id] = before._replace(**members)
        # Names, languages and passwords are personal: the journal tells that they changed, not what they are.
        after = {name: value if name == "status" else "changed" for name, value in members.items()}
        shown = {"status": before.status} if "status" in members else None
        self._tables.told(actor, "account.change", account_id, shown, after)

    async def erase(self, account_id: str, actor: str) -> None:
        tables, account = self._tables, self._present(account_id)
        calls = tables.calls_of.get(account_id, [])
        if any(row.state == "running" for row in calls):
            raise Conflict(f"calls of {account_id} are running")
        for row in calls:
            tables.forget(row)
        for kept in (tables.keys, tables.sessions, tables.charts):
            _drop(kept, account_id)
        tables.runs.forget(account_id)
        tables.links = {token: link for token, link in tables.links.items() if link.chart_id in tables.charts}
        _silence(tables, account_id)
        tables.accounts[account_id] = account._replace(
            email=None,
            display_name=None,
            language=None,
            password_hash=None,
            status="erased",
            email_verified=False,
        )
        tables.told(actor, "account.erase", account_id, {"status": account.status}, {"status": "erased"})

    async def invite(self, token_hash: str, expires_ms: int, actor: str) -> None:
        tables = self._tables
        if token_hash in tables.invites:
            raise Conflict("the invitation is there already")
        tables.invites[token_hash] = expires_ms
        tables.told(actor, "account.invite", token_hash, None, {"expires_ms": expires_ms})

    async def purge_invites(self, now_ms: int) -> int:
        tables, before = self._tables, len(self._tables.invites)
        tables.invites = {token: until for token, until in tables.invites.items() if until > now_ms}
        return before - len(tables.invites)

    def _present(self, account_id: str) -> Account:
        account = self._tables.accounts.get(account_id)
        if account is None or account.status == "erased":
            raise LookupError(f"no account {account_id}")
        return account


def _drop(kept: dict[str, Any], account_id: str) -> None:
    """Deletes the rows of one account."""
    for row_id in [row_id for row_id, row in kept.items() if row.account_id == account_id]:
        del kept[row_id]


def _silence(tables: Tables, account_id: str) -> None:
    """Empties and hides what an account wrote in the forum, and takes its likes back."""
    for post in list(tables.posts.values()):
        if post.account_id == account_id:
            tables.posts[post.id] = post._replace(
                title="", content="", author_display_name="", tags=(), bazi_year=None, agent_metadata=None, hidden=True
            )  # fmt: skip
    for comments in tables.comments.values():
        for comment in list(comments.values()):
            if comment.account_id == account_id:
                comments[comment.id] = comment._replace(
                    content="", author_display_name="", agent_metadata=None, hidden=True
                )
    for likes in tables.likes.values():
        likes.discard(account_id)


class MemoryKeys:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def find(self, key_id: str) -> tuple[Key, Account] | None:
        key = self._tables.keys.get(key_id)
        return None if key is None else (key, self._tables.accounts[key.account_id])

    async def add(self, key: Key, most: int, actor: str) -> None:
        tables, now = self._tables, self._tables.clock.now_ms()
        if key.account_id not in tables.accounts:
            raise LookupError(f"no account {key.account_id}")
        if key.id in tables.keys:
            raise Conflict(f"key {key.id} is there already")
        if sum(_active(kept, now) for kept in await self.of(key.account_id)) >= most:
            raise Conflict(f"{key.account_id} has {most} active keys already")
        tables.keys[key.id] = key
        ended = [kept for kept in await self.of(key.account_id) if not _active(kept, now)]
        for over in ended[MOST_ENDED_KEYS:]:
            del tables.keys[over.id]
        after = {"account_id": key.account_id, "flavor": key.flavor, "expires_ms": key.expires_ms}
        tables.told(actor, "key.issue", key.id, None, after)

    async def revoke(self, key_id: str, now_ms: int, actor: str, account_id: str | None = None) -> bool:
        key = self._tables.keys.get(key_id)
        if key is None or account_id not in (None, key.account_id):
            return False
        if key.revoked_ms is None:
            self._tables.keys[key_id] = key._replace(revoked_ms=now_ms)
            self._tables.told(actor, "key.revoke", key_id, None, {"account_id": key.account_id})
        return True

    async def of(self, account_id: str) -> list[Key]:
        keys = [key for key in self._tables.keys.values() if key.account_id == account_id]
        return sorted(keys, key=lambda key: key.created_ms, reverse=True)

    async def used(self, key_ids: Collection[str], now_ms: int) -> None:
        for key_id in self._tables.keys.keys() & key_ids:
            self._tables.keys[key_id] = self._tables.keys[key_id]._replace(last_used_ms=now_ms)


def _active(key: Key, now_ms: int) -> bool:
    return key.revoked_ms is None and (key.expires_ms is None or now_ms < key.expires_ms)


class MemorySessions:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def add(self, session: Session) -> None:
        tables, now = self._tables, self._tables.clock.now_ms()
        if session.account_id not in tables.accounts:
            raise LookupError(f"no account {session.account_id}")
        if session.id in tables.sessions:
            raise Conflict("the session is there already")
        tables.sessions = {kept.id: kept for kept in tables.sessions.values() if now < kept.lapses_ms}
        tables.sessions[session.id] = session

    async def find(self, session_id: str) -> tuple[Session, Account] | None:
        session = self._tables.sessions.get(session_id)
        return None if session is None else (session, self._tables.accounts[session.account_id])

    async def seen(self, session_id: str, now_ms: int) -> None:
        session = self._tables.sessions.get(session_id)
        if session is not None:
            self._tables.sessions[session_id] = session._replace(seen_ms=now_ms)

    async def end(self, session_id: str) -> None:
        self._tables.sessions.pop(session_id, None)

    async def end_all(self, account_id: str) -> None:
        _drop(self._tables.sessions, account_id)

    async def purge(self, now_ms: int) -> int:
        sessions, before = self._tables.sessions, len(self._tables.sessions)
        self._tables.sessions = {kept.id: kept for kept in sessions.values() if now_ms < kept.lapses_ms}
        return before - len(self._tables.sessions)


class MemoryPricing:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def all(self) -> dict[str, Price]:
        return {tool: versions[-1] for tool, versions in self._tables.prices.items()}

    async def set(self, price: Price, actor: str) -> Price:
        if min(price.credit_cost, price.min_balance, price.free_quota) < 0:
            raise ValueError(f"{price} has a negative member")
        versions = self._tables.prices.setdefault(price.tool, [])
        before = versions[-1]._asdict() if versions else None
        versions.append(price._replace(version=len(versions) + 1))
        self._tables.told(actor, "price.set", price.tool, before, versions[-1]._asdict())
        return versions[-1]
