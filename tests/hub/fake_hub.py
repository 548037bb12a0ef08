"""A hub whose answers are written beforehand, and a caller's door that opens for three keys."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bazi_hub.money.refused import RefusedCalls
from bazi_hub.ports import StoreError
from bazi_hub.testing.fakes import FakeClock, FakeIds
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.call import Caller, Outcome
from bazi_hub.words.errors import HubError, unauthorized
from bazi_hub.words.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazi_hub.words.call import Call, Kind

CALL_ID = "0b1f3c52-8f0e-4c0e-9a43-5a3f1f0f2f11"


class Quiet:
    """Telemetry that remembers."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def count(self, name: str, amount: float = 1, **labels: str) -> None: ...

    def observe(self, name: str, value: float, **labels: str) -> None: ...

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        self.lines.append((event, members))


class FakeStorage:
    def __init__(self) -> None:
        self.broken = self.old = False
        self.probes = 0

    async def probe(self) -> None:
        self.probes += 1
        if self.broken:
            raise OSError("disk full")

    async def migrated(self) -> None:
        if self.old:
            raise StoreError("the database has to be migrated")


class FakeHub:
    """Every call gets `outcome`; before that `phases` are told and `gate` is awaited."""

    def __init__(self, settings: Settings | None = None, outcome: Outcome | None = None) -> None:
        self.settings = settings or Settings()
        self.catalog, self.ids, self.clock, self.telemetry = CATALOG, FakeIds(), FakeClock(), Quiet()
        self.storage = FakeStorage()
        self.refused = RefusedCalls(self.clock)
        self.outcome = outcome or Outcome('{"版本":"1"}')
        self.fault: Exception | None = None
        self.start_fault: Exception | None = None
        self.phases: tuple[str, ...] = ()
        self.gate: asyncio.Event | None = None
        self.calls: list[Call] = []
        self.seen: list[str] = []
        self.draining = self.remote = self.closed = False
        self.starts = 0

    async def start(self) -> None:
        self.starts += 1
        if self.start_fault:
            raise self.start_fault

    async def close(self, drain_s: float | None = None) -> None:
        self.closed = True

    async def listed(self) -> list[ListedTool]:
        return [ListedTool(tool, int(tool.metered), True) for tool in CATALOG.values()]

    async def call(self, call: Call) -> Outcome:
        self.calls.append(call)
        if self.fault:
            raise self.fault
        for phase in self.phases:
            if call.progress:
                call.progress(phase)
        if self.gate:
            await self.gate.wait()
        return self.outcome

    async def delivered(self, call_id: str) -> None:
        self.seen.append(call_id)


class FakeIdentity:
    """`x-api-key: personal | agent`, or the cookie `session`."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.asked: list[tuple[str | None, bool]] = []

    async def identify(
        self, headers: Mapping[str, str], *, site: str | None = None, writes: bool = False
    ) -> Caller:
        self.asked.append((site, writes))
        if self.fault:
            raise self.fault
        kinds: dict[str, Kind] = {"personal": "personal", "agent": "agent"}
        kind = kinds.get(headers.get("x-api-key", ""))
        if kind is None and "x-api-key" not in headers and headers.get("cookie") == "bazi_session=s":
            kind = "session"
        if kind is None:
            raise unauthorized()
        return Caller("account", kind, f"key-{kind}")


def fault(name: str, detail: str = "Unexpected fault", **members: Any) -> Outcome:
    """The outcome that is this error."""
    return Outcome(error=HubError(name, detail, **members))
