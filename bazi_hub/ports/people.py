"""Accounts, API keys and sessions of the web pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, NamedTuple, Protocol

# So many rows go in one transaction, so that nobody waits long behind it.
PURGED_AT_ONCE = 1000
# A session is over so long after it began, and earlier when nobody uses it for so long.
SESSION_MS, SESSION_IDLE_MS = 14 * 86_400_000, 7 * 86_400_000


class Account(NamedTuple):
    """`posted` is the balance, `held` what running calls may still take of it; `status` is active, suspended or erased.
    `email_verified` says that an operator vouches for the e-mail; whoever signs up may type anybody's."""

    id: str
    email: str | None
    display_name: str | None
    status: str
    language: str | None
    created_ms: int
    posted: int = 0
    held: int = 0
    password_hash: str | None = None
    email_verified: bool = False

    @property
    def available(self) -> int:
        return self.posted - self.held


class AccountStanding(NamedTuple):
    """What an account can pay with: balance, what running calls may still take of it, and the free calls that remain of
    every tool with a quota, also at 0."""

    posted: int
    held: int
    free: dict[str, int]


class Accounts(Protocol):
    async def create(self, account: Account, starter: int, actor: str, invite: str | None = None) -> None:
        """Adds an account with its starter allowance and the free quota of every price; `Conflict` for a known e-mail.

        An invitation, named by its hash, is used up with it; `LookupError` for one that is unknown, used or late.
        """

    async def get(self, account_id: str) -> Account | None: ...

    async def by_email(self, email: str) -> Account | None:
        """E-mails are compared folded to lower case."""

    async def listed(self) -> list[Account]: ...

    async def change(self, account_id: str, actor: str, **members: Any) -> None:
        """Sets display_name, language, password_hash, email_verified or status; `LookupError` for an unknown account."""

    async def erase(self, account_id: str, actor: str) -> None:
        """Deletes everything personal in one transaction; ledger and call records stay under the bare id.

        `Conflict` while a call of it runs. Nobody is left then: `change` and `erase` raise `LookupError`."""

    async def invite(self, token_hash: str, expires_ms: int, actor: str) -> None: ...

    async def purge_invites(self, now_ms: int) -> int:
        """Drops invitations that lapsed, used or not, at most `PURGED_AT_ONCE`; how many."""


class Key(NamedTuple):
    """An API key without its secret. `digest` is the HMAC of the whole key under the pepper `pepper_id`."""

    id: str
    account_id: str
    flavor: Literal["personal", "agent"]
    digest: bytes
    pepper_id: str
    agent_name: str | None
    created_ms: int
    expires_ms: int | None = None
    revoked_ms: int | None = None
    last_used_ms: int | None = None


MOST_ENDED_KEYS = 100


class KeyStore(Protocol):
    async def find(self, key_id: str) -> tuple[Key, Account] | None:
        """A key and its account."""

    async def add(self, key: Key, most: int, actor: str) -> None:
        """`Conflict` when the account has `most` active keys already. Of the keys that ended, the newest `MOST_ENDED_KEYS`
        stay: a row for every key that ever was would let one person fill the table."""

    async def revoke(self, key_id: str, now_ms: int, actor: str, account_id: str | None = None) -> bool:
        """False for an unknown key, or one of another account than `account_id` where that is given."""

    async def of(self, account_id: str) -> list[Key]:
        """Newest first, revoked ones too."""

    async def used(self, key_ids: Collection[str], now_ms: int) -> None:
        """Notes their last use; of keys that are not there nothing."""


class Session(NamedTuple):
    id: str
    account_id: str
    csrf: str
    created_ms: int
    seen_ms: int
    expires_ms: int

    @property
    def lapses_ms(self) -> int:
        """The end of the session: `SESSION_MS` after it began, or `SESSION_IDLE_MS` after its last use."""
        return min(self.expires_ms, self.seen_ms + SESSION_IDLE_MS)


class SessionStore(Protocol):
    async def add(self, session: Session) -> None: ...

    async def find(self, session_id: str) -> tuple[Session, Account] | None: ...

    async def seen(self, session_id: str, now_ms: int) -> None: ...

    async def end(self, session_id: str) -> None: ...

    async def end_all(self, account_id: str) -> None: ...

    async def purge(self, now_ms: int) -> int:
        """Drops sessions that lapsed by `now_ms`, at most `PURGED_AT_ONCE`; how many."""
