"""What the hub needs of the world, one small protocol each, and the values that pass through them.

An adapter keeps the promises written here; `bazi_hub.testing` holds them as test classes. Times are integer milliseconds
since 1970 UTC, amounts integer credits, ids UUID strings. A method that changes something is one transaction: when it
returns, the change is durable; when it raises, nothing happened. Faults of a store are `StoreError`, whatever the driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_hub.ports_runs import RunLog

# The state of a call: it runs, or it ended in one of three ways.
State = Literal["running", "captured", "released", "expired"]

# What is posted to the ledger, and the system account that stands opposite the user's.
COUNTER_ACCOUNT = {
    "starter": "system:grants",
    "grant": "system:grants",
    "capture": "system:revenue",
    "refund": "system:revenue",
    "adjust": "system:adjust",
}


class StoreError(Exception):
    """A store that cannot do its work. `read_only`: it can answer but not write, which is a matter of configuration."""

    def __init__(self, message: str, read_only: bool = False) -> None:
        super().__init__(message)
        self.read_only = read_only


class Conflict(Exception):
    """What was to be added stands there already, or what was to be changed is not in the state for it."""


# --- accounts, keys, sessions -----------------------------------------------------------------------------------------


class Account(NamedTuple):
    """`posted` is the balance, `held` what running calls may still take of it; `status` is active, suspended or erased."""

    id: str
    email: str | None
    display_name: str | None
    status: str
    language: str | None
    created_ms: int
    posted: int = 0
    held: int = 0
    password_hash: str | None = None

    @property
    def available(self) -> int:
        return self.posted - self.held


class Accounts(Protocol):
    async def create(self, account: Account, starter: int, actor: str) -> None:
        """Adds an account with its starter allowance and the free quota of every price; `Conflict` for a known e-mail."""

    async def get(self, account_id: str) -> Account | None: ...

    async def by_email(self, email: str) -> Account | None:
        """E-mails are compared folded to lower case."""

    async def listed(self) -> list[Account]: ...

    async def change(self, account_id: str, actor: str, **members: Any) -> None:
        """Sets display_name, language, password_hash or status; `LookupError` for an unknown account."""

    async def erase(self, account_id: str, actor: str) -> None:
        """Deletes everything personal in one transaction; ledger and call records stay under the bare id.

        `Conflict` while a call of it runs. Nobody is left then: `change` and `erase` raise `LookupError`."""

    async def invite(self, token_hash: str, expires_ms: int, actor: str) -> None: ...

    async def accept_invite(self, token_hash: str, now_ms: int) -> bool:
        """Uses an invitation up; False for one that is unknown, used or late."""


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


class KeyStore(Protocol):
    async def find(self, key_id: str) -> tuple[Key, Account] | None:
        """A key and whom it belongs to."""

    async def add(self, key: Key, most: int, actor: str) -> None:
        """`Conflict` when the account has `most` active keys already."""

    async def revoke(self, key_id: str, now_ms: int, actor: str, account_id: str | None = None) -> bool:
        """False for an unknown key, or one of another account than `account_id` where that is given."""

    async def of(self, account_id: str) -> list[Key]:
        """Newest first, revoked ones too."""

    async def used(self, key_id: str, now_ms: int) -> None: ...


class Session(NamedTuple):
    id: str
    account_id: str
    csrf: str
    created_ms: int
    seen_ms: int
    expires_ms: int


class SessionStore(Protocol):
    async def add(self, session: Session) -> None: ...

    async def find(self, session_id: str) -> tuple[Session, Account] | None: ...

    async def seen(self, session_id: str, now_ms: int) -> None: ...

    async def end(self, session_id: str) -> None: ...

    async def end_all(self, account_id: str) -> None: ...


# --- prices and money -------------------------------------------------------------------------------------------------


class Price(NamedTuple):
    """The price of a tool, one version of it. `free_quota` calls of every new account cost nothing."""

    tool: str
    credit_cost: int
    min_balance: int
    free_quota: int
    enabled: bool
    version: int = 1

    @property
    def least(self) -> int:
        """What has to be available before a call."""
        return max(self.credit_cost, self.min_balance)


class Pricing(Protocol):
    async def all(self) -> dict[str, Price]:
        """The newest version of every price."""

    async def set(self, price: Price, actor: str) -> Price:
        """Adds a version, whatever `price.version` says; a higher `free_quota` does not reach accounts that exist."""


class NewCall(NamedTuple):
    """A call as the ledger is asked for it. `key` is the caller's idempotency key, `account_key` the id of the API key,
    `worker` the process whose `heartbeat` keeps it alive."""

    id: str
    account_id: str
    tool: str
    fingerprint: str
    key: str | None = None
    account_key: str | None = None
    replay: bool = True
    lease_s: float = 330.0
    started_ms: int = 0
    worker: str = ""


class Fresh(NamedTuple):
    """Nothing stands in the way: the price, and whether free quota or the available balance covers it."""

    price: Price
    free: bool
    posted: int
    held: int

    @property
    def affordable(self) -> bool:
        return self.free or self.posted - self.held >= self.price.least


class Admitted(NamedTuple):
    """A call that is running with its price held, or, from `charge` and `capture`, one that has been paid."""

    call_id: str
    cost: int
    from_free_quota: bool


class Captured(NamedTuple):
    """The same call was answered already: its result, to be given again for nothing."""

    call_id: str
    result: str
    from_free_quota: bool


class Running(NamedTuple):
    """The same call is being executed."""

    call_id: str


class Reused(NamedTuple):
    """The idempotency key belongs to another call."""

    call_id: str


class Refused(NamedTuple):
    """Neither quota nor balance covers the price."""

    price: Price
    posted: int
    held: int


class CallRecord(NamedTuple):
    """A line of the usage history."""

    id: str
    tool: str
    credits_deducted: int
    state: State
    error: str | None
    started_ms: int
    completed_ms: int | None


class Entry(NamedTuple):
    """One side of a posting, with the running balance after it (None for system accounts)."""

    journal_id: str
    kind: str
    account: str
    amount: int
    seq: int | None
    posted_after: int | None
    call_id: str | None
    ref: str | None
    actor: str
    memo: str | None
    ts_ms: int


class Finding(NamedTuple):
    """A row that breaks an invariant."""

    invariant: str
    subject: str
    detail: str


class Ledger(Protocol):
    """Double entry, append only. A call is held and captured or released, or charged in one step.

    The same call is found by its idempotency key (any tool, while running or captured) or, without a key and with
    `replay`, by tool and fingerprint while it runs or is captured and not yet delivered, whether that one had a key or
    not. A tool without a price and an unknown account are a `LookupError`.
    """

    async def look(self, call: NewCall) -> Fresh | Captured | Running | Reused:
        """What a call would meet; changes nothing."""

    async def admit(self, call: NewCall) -> Admitted | Captured | Running | Reused | Refused:
        """Holds the price, or reserves a unit of free quota, and records the call as running."""

    async def charge(
        self, call: NewCall, result: str, free: bool = False
    ) -> Admitted | Captured | Running | Reused | Refused:
        """Records, pays and stores the result of a call in one step; `free` charges nothing and uses no quota."""

    async def capture(
        self, call_id: str, result: str, free: bool = False, day: int | None = None
    ) -> Admitted | None:
        """Pays a running call and stores its result; `free` charges nothing and gives the quota back, a `day` counts an
        uncharged reading. None: it runs no longer, nothing changed."""

    async def release(self, call_id: str, error: str, day: int | None = None) -> bool:
        """Ends a running call unpaid; a `day` (days since 1970) counts an uncharged reading. False: too late."""

    async def state(self, call_id: str) -> tuple[State, str | None] | None:
        """The state of a call with its error code."""

    async def result(self, call_id: str) -> Captured | None: ...

    async def charged(self, call_id: str) -> tuple[str, int] | None:
        """The account that paid for a captured call, and what it paid."""

    async def delivered(self, call_ids: Sequence[str]) -> None: ...

    async def uncharged(self, account_id: str, day: int) -> int:
        """Readings of that day that a model was asked for and nobody paid."""

    async def count_uncharged(self, account_id: str, day: int) -> None: ...

    async def account(self, account_id: str) -> Account | None:
        """Balance and holds as they stand now."""

    async def held(self) -> int:
        """Credits that running calls hold, over all accounts."""

    async def quota(self, account_id: str) -> dict[str, int]:
        """Free calls that remain, for every tool with a quota, also at 0."""

    async def history(self, account_id: str, limit: int) -> list[CallRecord]:
        """Newest first; metered calls only."""

    async def entries(self, account_id: str) -> list[Entry]:
        """Of `user:<id>`, oldest first."""

    async def post(
        self, kind: str, account_id: str, amount: int, ref: str, actor: str, memo: str | None = None,
        call_id: str | None = None,
    ) -> bool:  # fmt: skip
        """A grant, refund or adjustment, signed as the user sees it. False: this `ref` (a refund: this call) was posted
        before. `Conflict` when the balance would not do, or for a refund of a call not captured or of more than it cost;
        `ValueError` for another kind, nothing, or a grant or refund below nothing."""

    async def heartbeat(self, worker: str) -> None: ...

    async def reap(self, everything: bool = False) -> int:
        """Ends running calls whose lease passed or whose worker is silent (`everything`: all of them); how many.

        Silent: 30 s without a heartbeat, counted from the admission where that is later."""

    async def purge(self, older_than_ms: int) -> int:
        """Drops results, fingerprints and idempotency keys of ended calls; the records stay."""

    async def verify(self) -> list[Finding]:
        """Every breach of I1–I6, I8, I10 and I11; reads only."""


# --- limits -----------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """Whether a hit found room in its window, what is left, and the seconds until the window ends."""

    allowed: bool
    remaining: int
    reset_s: int
    window: int


class RateLimiter(Protocol):
    """Counters in fixed windows of UTC time, from minutes of a tool to the sign-ups of a day."""

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        """One hit, atomically; a refused hit is not counted."""

    async def look(self, bucket: str, limit: int, window_s: int = 60) -> Taken:
        """What a hit would find."""

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None:
        """Undoes a hit of that window, if it is still the current one."""

    async def sweep(self) -> int:
        """Forgets windows that are over; how many."""


# --- forum ------------------------------------------------------------------------------------------------------------


class Post(NamedTuple):
    id: str
    account_id: str
    title: str
    content: str
    author_display_name: str
    author_type: str
    tags: tuple[str, ...]
    bazi_year: int | None
    agent_metadata: dict[str, str] | None
    created_ms: int
    likes_count: int = 0
    comments_count: int = 0
    hidden: bool = False


class Comment(NamedTuple):
    id: str
    post_id: str
    account_id: str
    content: str
    author_display_name: str
    author_type: str
    agent_metadata: dict[str, str] | None
    created_ms: int
    hidden: bool = False


class Stored(NamedTuple):
    """A row that was added now."""

    id: str


class ForumStore(Protocol):
    """Posts, comments and likes. Hidden rows are in no list, read or count. Counts change with the row they count."""

    async def posts(self, offset: int, limit: int, tag: str | None, bazi_year: int | None) -> list[Post]:
        """Newest first, ties by id descending."""

    async def post(self, post_id: str) -> Post | None: ...

    async def comments(self, post_id: str, limit: int) -> list[Comment]:
        """Oldest first, ties by id."""

    async def add_post(self, post: Post, receipt: NewCall | None, result: str) -> Stored | Captured | Reused:
        """With a receipt the result is kept under its idempotency key and given again."""

    async def add_comment(
        self, comment: Comment, receipt: NewCall | None, result: str
    ) -> Stored | Captured | Reused | None:
        """None: no such post."""

    async def like(self, post_id: str, account_id: str, liked: bool, now_ms: int) -> bool:
        """One like for an account and a post; False: no such post."""

    async def hide(self, what: str, row_id: str, hidden: bool, reason: str, actor: str) -> bool:
        """`what` is post or comment. False: no such row."""


class Moderation(Protocol):
    """What may be said in the forum."""

    async def review(
        self, kind: str, text: str, author: str
    ) -> tuple[Literal["allow", "hold", "reject"], str]:
        """The verdict and its reason; `hold` stores the text hidden."""


# --- charts and links -------------------------------------------------------------------------------------------------


class Saved(NamedTuple):
    """A chart or reading that its owner keeps: kind is chart or reading, `body` the object as JSON text."""

    id: str
    account_id: str
    kind: str
    title: str
    body: str
    created_ms: int


class ChartStore(Protocol):
    async def add(self, saved: Saved) -> None: ...

    async def get(self, saved_id: str, account_id: str) -> Saved | None:
        """None too for a chart of somebody else."""

    async def of(self, account_id: str) -> list[Saved]: ...

    async def delete(self, saved_id: str, account_id: str) -> bool: ...

    async def share(self, saved_id: str, account_id: str, token_hash: str, now_ms: int) -> bool:
        """Opens it to whoever has the link; False for somebody else's."""

    async def unshare(self, saved_id: str, account_id: str) -> bool: ...

    async def shared(self, token_hash: str) -> Saved | None: ...


# --- the rest ---------------------------------------------------------------------------------------------------------


class AdminAct(NamedTuple):
    """What an operator did."""

    ts_ms: int
    actor: str
    action: str
    target: str
    before: str | None
    after: str | None


class Storage(Protocol):
    """The stores of one database, and its life."""

    @property
    def accounts(self) -> Accounts: ...

    @property
    def keys(self) -> KeyStore: ...

    @property
    def sessions(self) -> SessionStore: ...

    @property
    def pricing(self) -> Pricing: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def forum(self) -> ForumStore: ...

    @property
    def charts(self) -> ChartStore: ...

    @property
    def runs(self) -> RunLog: ...

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same database at the same time."""

    async def open(self) -> None:
        """Connects, migrates where that is wanted, and ends the calls of a process that died. Idempotent."""

    async def close(self) -> None: ...

    async def probe(self) -> None:
        """Writes and takes back; raises `StoreError` with what is wrong."""

    async def journal(self) -> list[AdminAct]:
        """Every administrative act, oldest first."""


class Telemetry(Protocol):
    """Where the hub tells what happens. Names are those of the metrics; nothing secret and no birth is ever told."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None: ...

    def observe(self, name: str, value: float, **labels: str) -> None: ...

    def log(self, event: str, level: str = "info", **members: Any) -> None: ...


class Clock(Protocol):
    def now_ms(self) -> int:
        """Wall clock."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""


class Ids(Protocol):
    def uuid(self) -> str: ...

    def secret(self, size: int) -> bytes: ...


def days(now_ms: int) -> int:
    """The UTC day of an instant, counted from 1970-01-01."""
    return now_ms // 86_400_000
