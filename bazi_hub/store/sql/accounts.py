"""Accounts, API keys and sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exc, func, not_, or_, select, update

from bazi_hub.ports import PURGED_AT_ONCE, SESSION_IDLE_MS, Account, Conflict, Key, Session
from bazi_hub.ports.people import MOST_ENDED_KEYS
from bazi_hub.store import schema
from bazi_hub.store.sql.database import Database, add_new, alone, note
from bazi_hub.store.sql.postings import post
from bazi_hub.store.sql.prices import newest
from bazi_hub.store.sql.runs import forget_runs

_accounts, _keys, _sessions = schema.accounts, schema.api_keys, schema.sessions
# What may be told of a change in the admin journal; of the rest only that it changed.
_PUBLIC = ("status", "language", "email_verified")
_CHANGEABLE = {"display_name", "language", "password_hash", "status", "email_verified"}
_account = select(*(_accounts.c[name] for name in Account._fields))
_WIDTH = len(Account._fields)


def folded(email: str | None) -> str | None:
    """An e-mail as it is compared.

    >>> folded("Li.Bai@Example.ORG")
    'li.bai@example.org'
    """
    return None if email is None else email.lower()


def account_by(db: Connection, condition: Any) -> Account | None:
    row = db.execute(_account.where(condition)).first()
    return None if row is None else Account(*row)


def _journal_members(members: dict[str, Any]) -> str:
    """Members of an account for the admin journal: the names of all, the values of those that are not personal."""
    return json.dumps({name: value if name in _PUBLIC else "…" for name, value in members.items()})


class SqlAccounts:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def create(self, account: Account, starter: int, actor: str, invite: str | None = None) -> None:
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> None:
            if invite is not None:
                _use_up(db, invite, now_ms)
            row = account._asdict() | {"posted": 0, "held": 0, "email_folded": folded(account.email)}
            if not add_new(db, schema.accounts, **row):
                raise Conflict("this account or e-mail is known already")
            for price in newest(db).values():
                if price.free_quota:
                    row = {"account_id": account.id, "tool": price.tool, "granted": price.free_quota}
                    db.execute(schema.quota.insert().values(row))
            if starter:
                post(db, now_ms, "starter", account.id, starter, f"starter:{account.id}", actor)
            note(db, now_ms, actor, "account.create", account.id, after=account.status)

        await self._db.write(work)

    async def get(self, account_id: str) -> Account | None:
        return await self._one(_accounts.c.id == account_id)

    async def by_email(self, email: str) -> Account | None:
        return await self._one(_accounts.c.email_folded == folded(email))

    async def _one(self, condition: Any) -> Account | None:
        return await self._db.read(lambda db: account_by(db, condition))

    async def listed(self) -> list[Account]:
        by_age = _account.order_by(_accounts.c.created_ms, _accounts.c.id)
        return [Account(*row) for row in await self._db.scan(lambda db: db.execute(by_age).all())]

    async def change(self, account_id: str, actor: str, **members: Any) -> None:
        if unknown := members.keys() - _CHANGEABLE:
            raise TypeError(f"cannot be changed: {', '.join(sorted(unknown))}")
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> None:
            before = db.execute(select(_accounts).where(_accounts.c.id == account_id)).first()
            if before is None or before.status == "erased":
                raise LookupError(account_id)
            db.execute(update(_accounts).where(_accounts.c.id == account_id).values(members))
            was = {name: before._mapping[name] for name in members}
            note(
                db,
                now_ms,
                actor,
                "account.change",
                account_id,
                _journal_members(was),
                _journal_members(members),
            )

        await self._db.write(work)

    async def erase(self, account_id: str, actor: str) -> None:
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> None:
            there = and_(_accounts.c.id == account_id, _accounts.c.status != "erased")
            if db.execute(select(_accounts.c.id).where(there)).first() is None:
                raise LookupError(account_id)
            running = and_(schema.calls.c.account_id == account_id, schema.calls.c.state == "running")
            if db.execute(select(schema.calls.c.id).where(running).limit(1)).first():
                raise Conflict("a call of this account is running")
            for forget in _FORGET:
                forget(db, account_id, now_ms)
            note(db, now_ms, actor, "account.erase", account_id, after="erased")

        await self._db.write(work)

    async def invite(self, token_hash: str, expires_ms: int, actor: str) -> None:
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> None:
            if not add_new(db, schema.invites, token_hash=token_hash, expires_ms=expires_ms):
                raise Conflict("this invitation is known already")
            note(db, now_ms, actor, "account.invite", token_hash[:8], after=str(expires_ms))

        await self._db.write(work)

    async def purge_invites(self, now_ms: int) -> int:
        lapsed = schema.invites.c.expires_ms <= now_ms
        return await self._db.write(lambda db: _drop_some(db, schema.invites, lapsed))


def _drop_some(db: Connection, table: Table, which: ColumnElement[bool]) -> int:
    """Drops such rows, some at a time; how many."""
    (key,) = table.primary_key.columns
    some = select(key).where(which).limit(PURGED_AT_ONCE)
    return db.execute(delete(table).where(key.in_(some))).rowcount


def _use_up(db: Connection, token_hash: str, now_ms: int) -> None:
    table = schema.invites
    valid = and_(table.c.token_hash == token_hash, table.c.used_ms.is_(None), table.c.expires_ms > now_ms)
    used = update(table).where(valid).values(used_ms=now_ms).returning(table.c.token_hash)
    if db.execute(used).first() is None:
        raise LookupError("this invitation is not good")


# --- erasure: each step takes the connection, the account and the time --------------------------------------------------


def _forget_person(db: Connection, account_id: str, now_ms: int) -> None:
    nothing = dict.fromkeys(("email", "email_folded", "display_name", "password_hash", "language"))
    db.execute(
        update(_accounts)
        .where(_accounts.c.id == account_id)
        .values(status="erased", email_verified=False, **nothing)
    )


def _forget_credentials(db: Connection, account_id: str, now_ms: int) -> None:
    db.execute(delete(_sessions).where(_sessions.c.account_id == account_id))
    ended = {"digest": b"", "agent_name": None, "revoked_ms": func.coalesce(_keys.c.revoked_ms, now_ms)}
    db.execute(update(_keys).where(_keys.c.account_id == account_id).values(ended))


def _forget_charts(db: Connection, account_id: str, now_ms: int) -> None:
    own = select(schema.charts.c.id).where(schema.charts.c.account_id == account_id)
    db.execute(delete(schema.shares).where(schema.shares.c.chart_id.in_(own)))
    db.execute(delete(schema.charts).where(schema.charts.c.account_id == account_id))


def _forget_results(db: Connection, account_id: str, now_ms: int) -> None:
    calls, results = schema.calls, schema.results
    ended = and_(calls.c.account_id == account_id, calls.c.state != "running")
    db.execute(delete(results).where(results.c.call_id.in_(select(calls.c.id).where(ended))))
    db.execute(update(calls).where(ended).values(fingerprint=None, key=None))


def _forget_words(db: Connection, account_id: str, now_ms: int) -> None:
    posts, comments, likes, tags = schema.posts, schema.comments, schema.likes, schema.post_tags
    said = and_(comments.c.account_id == account_id, comments.c.hidden.is_(False))
    counted = select(comments.c.post_id, func.count().label("n")).where(said).group_by(comments.c.post_id)
    for post_id, lost in db.execute(counted).all():
        less = {"comments_count": posts.c.comments_count - lost}
        db.execute(update(posts).where(posts.c.id == post_id).values(less))
    liked = select(likes.c.post_id).where(likes.c.account_id == account_id)
    db.execute(update(posts).where(posts.c.id.in_(liked)).values(likes_count=posts.c.likes_count - 1))
    db.execute(delete(likes).where(likes.c.account_id == account_id))
    own = select(posts.c.id).where(posts.c.account_id == account_id)
    db.execute(delete(tags).where(tags.c.post_id.in_(own)))
    empty = {"content": "", "author_display_name": "", "agent_metadata": None, "hidden": True}
    db.execute(update(comments).where(comments.c.account_id == account_id).values(empty))
    emptied = {**empty, "title": "", "bazi_year": None}
    db.execute(update(posts).where(posts.c.account_id == account_id).values(emptied))


def _forget_runs(db: Connection, account_id: str, now_ms: int) -> None:
    forget_runs(db, account_id)


_FORGET: tuple[Callable[[Connection, str, int], None], ...] = (
    _forget_person,
    _forget_credentials,
    _forget_charts,
    _forget_results,
    _forget_words,
    _forget_runs,
)


# --- keys and sessions --------------------------------------------------------------------------------------------------

_key = select(*(_keys.c[name] for name in Key._fields))
_session = select(*(_sessions.c[name] for name in Session._fields))
_session_and_account = _session.add_columns(*_account.selected_columns).join(
    _accounts, _accounts.c.id == _sessions.c.account_id
)


# The key of an erased account has no digest any more.
FIND_KEY = f"""SELECT {", ".join(f"k.{name}" for name in Key._fields)}, {", ".join(f"a.{name}" for name in Account._fields)}
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = :key_id AND a.status <> 'erased'"""


class SqlKeys:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, key_id: str) -> tuple[Key, Account] | None:
        row = await self._db.row(FIND_KEY, {"key_id": key_id})
        return None if row is None else (Key(*row[:-_WIDTH]), Account(*row[-_WIDTH:]))

    async def add(self, key: Key, most: int, actor: str) -> None:
        now_ms = self._db.clock.now_ms()
        lasting = or_(_keys.c.expires_ms.is_(None), _keys.c.expires_ms > now_ms)
        active = and_(_keys.c.account_id == key.account_id, _keys.c.revoked_ms.is_(None), lasting)

        def work(db: Connection) -> None:
            alone(db, key.account_id)
            if db.execute(select(func.count()).select_from(_keys).where(active)).scalar_one() >= most:
                raise Conflict(f"the account has {most} active keys already")
            try:
                known = not add_new(db, _keys, **key._asdict())
            except exc.IntegrityError:
                raise LookupError(key.account_id) from None
            if known:
                raise Conflict("this key is known already")
            _forget_ended(db, key.account_id, active)
            note(db, now_ms, actor, "key.issue", key.id, after=f"{key.flavor} key of {key.account_id}")

        await self._db.write(work)

    async def revoke(self, key_id: str, now_ms: int, actor: str, account_id: str | None = None) -> bool:
        wanted = _keys.c.id == key_id
        if account_id is not None:
            wanted = and_(wanted, _keys.c.account_id == account_id)

        def work(db: Connection) -> bool:
            row = db.execute(select(_keys.c.revoked_ms).where(wanted)).first()
            if row is not None and row.revoked_ms is None:
                db.execute(update(_keys).where(wanted).values(revoked_ms=now_ms))
                note(db, now_ms, actor, "key.revoke", key_id, "active", "revoked")
            return row is not None

        return await self._db.write(work)

    async def of(self, account_id: str) -> list[Key]:
        own = _key.where(_keys.c.account_id == account_id)
        newest_first = own.order_by(_keys.c.created_ms.desc(), _keys.c.id.desc())
        return [Key(*row) for row in await self._db.read(lambda db: db.execute(newest_first).all())]

    async def used(self, key_ids: Collection[str], now_ms: int) -> None:
        seen = update(_keys).where(_keys.c.id.in_(sorted(key_ids))).values(last_used_ms=now_ms)
        await self._db.write(lambda db: db.execute(seen) and None)


def _forget_ended(db: Connection, account_id: str, active: Any) -> None:
    """Drops the keys of an account that ended, but for the newest."""
    own = and_(_keys.c.account_id == account_id, not_(active))
    newest_first = select(_keys.c.id).where(own).order_by(_keys.c.created_ms.desc(), _keys.c.id.desc())
    over = db.execute(newest_first.offset(MOST_ENDED_KEYS).limit(MOST_ENDED_KEYS)).scalars().all()
    if over:
        db.execute(delete(_keys).where(_keys.c.id.in_(over)))


class SqlSessions:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def _do(self, statement: Any) -> None:
        await self._db.write(lambda db: db.execute(statement) and None)

    async def add(self, session: Session) -> None:
        own = _sessions.c.account_id == session.account_id
        lapsed = delete(_sessions).where(own, _lapsed(self._db.clock.now_ms()))

        def work(db: Connection) -> None:
            db.execute(lapsed)
            if not add_new(db, _sessions, **session._asdict()):
                raise Conflict("this session is known already")

        await self._db.write(work)

    async def find(self, session_id: str) -> tuple[Session, Account] | None:
        wanted = _session_and_account.where(_sessions.c.id == session_id)
        row = await self._db.read(lambda db: db.execute(wanted).first())
        if row is None:
            return None
        return Session(*row[: len(Session._fields)]), Account(*row[-_WIDTH:])

    async def seen(self, session_id: str, now_ms: int) -> None:
        await self._do(update(_sessions).where(_sessions.c.id == session_id).values(seen_ms=now_ms))

    async def end(self, session_id: str) -> None:
        await self._do(delete(_sessions).where(_sessions.c.id == session_id))

    async def end_all(self, account_id: str) -> None:
        await self._do(delete(_sessions).where(_sessions.c.account_id == account_id))

    async def purge(self, now_ms: int) -> int:
        return await self._db.write(lambda db: _drop_some(db, _sessions, _lapsed(now_ms)))


def _lapsed(now_ms: int) -> ColumnElement[bool]:
    """Which sessions are over, as `Session.lapses_ms` says."""
    unused = _sessions.c.seen_ms <= now_ms - SESSION_IDLE_MS
    return or_(_sessions.c.expires_ms <= now_ms, unused)
