"""The ledger: double entry, and the calls that are paid from it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from bazi_hub.ports.calls import Admitted, CallRecord, Captured, Decision, Found, NewCall, State
from bazi_hub.ports.people import Account, AccountStanding

# What is posted to the ledger, and the system account that stands opposite the user's.
COUNTER_ACCOUNT = {
    "starter": "system:grants",
    "grant": "system:grants",
    "capture": "system:revenue",
    "refund": "system:revenue",
    "adjust": "system:adjust",
}


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

    async def peek(self, call: NewCall) -> Found:
        """The answer that `hold` or `charge` would give now; nothing changes."""

    async def hold(self, call: NewCall) -> Decision:
        """Holds the price, or reserves a unit of free quota, and records the call as running."""

    async def charge(self, call: NewCall, result: str, free: bool = False) -> Decision:
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
        """The number of readings of that day that asked a model and were not paid."""

    async def count_uncharged(self, account_id: str, day: int) -> None: ...

    async def account(self, account_id: str) -> Account | None:
        """Balance and holds as they stand now."""

    async def held(self) -> int:
        """Credits that running calls hold, over all accounts."""

    async def standing(self, account_id: str) -> AccountStanding | None:
        """Balance and free quota of the account, as of one moment."""

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

    async def reap(self, everything: bool = False, dead: Collection[str] = ()) -> int:
        """Ends running calls whose lease passed or whose worker is silent or `dead` (`everything`: all of them); how many.

        Silent: 30 s without a heartbeat, counted from the admission where that is later. Dead: known to be, at once."""

    async def purge(self, older_than_ms: int) -> int:
        """Drops results, fingerprints and idempotency keys of ended calls; the records stay. How many. Counts of uncharged
        readings of earlier days go, too."""

    async def verify(self) -> list[Finding]:
        """Every breach of I1–I6, I8, I10 and I11; reads only."""
