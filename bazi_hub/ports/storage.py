"""The stores of one database."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from bazi_hub.ports.charts import ChartStore
from bazi_hub.ports.forum import ForumStore
from bazi_hub.ports.ledger import Ledger
from bazi_hub.ports.people import Accounts, KeyStore, SessionStore
from bazi_hub.ports.pricing import Pricing
from bazi_hub.ports.runs import RunLog


class AdminAct(NamedTuple):
    """An act of an operator, as the journal keeps it."""

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
        """Writes as much as a reading takes, and takes it back; `StoreError` where that fails."""

    async def migrated(self) -> None:
        """Raises `StoreError` where the tables are not those of this version."""

    async def journal(self) -> list[AdminAct]:
        """Every administrative act, oldest first."""
