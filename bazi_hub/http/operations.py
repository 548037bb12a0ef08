"""Endpoints of operators: `/healthz`, `/readyz`, `/metrics`."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from bazi_hub.calls.hub import Hub
from bazi_hub.http.exchange import Exchange, plain
from bazi_hub.http.guards import LOCAL
from bazi_hub.http.telemetry import EXPOSITION_TYPE, Figure
from bazi_hub.http.wire.answer import Answer
from bazi_hub.http.wire.json import dumps
from bazi_hub.words.waiting import within

PROBE_S = 5.0
# So long a store that could be written to is believed: whoever asks all the time costs no more than who asks now and then.
BELIEVED_S = 5.0


class Monitor(NamedTuple):
    """What the operator is shown. `checks` raise where something is missing; the store and its tables are always asked."""

    exposition: Callable[[], bytes] | None = None
    token: str | None = None
    checks: Mapping[str, Callable[[], Awaitable[None]]] = {}
    figures: Callable[[], Sequence[Figure]] | None = None


class Operations:
    """The endpoints."""

    def __init__(self, hub: Hub, monitor: Monitor) -> None:
        self.hub, self.monitor = hub, monitor
        self._probing = asyncio.Lock()
        self._written_s: float | None = None

    async def health(self, exchange: Exchange) -> None:
        """The process answers."""
        await exchange.answer(Answer(200, b'{"status":"ok"}', _FRESH))

    async def ready(self, exchange: Exchange) -> None:
        """200 `ready` where a call has all it needs; else 503 with the names of the checks that fail."""
        failing = ["draining"] if self.hub.draining else await self.failing()
        told = {"status": "unready", "failing": failing} if failing else {"status": "ready"}
        await exchange.answer(Answer(503 if failing else 200, dumps(told).encode(), _FRESH))

    async def failing(self) -> list[str]:
        """The names of the checks that fail."""
        checks = {"storage": self._storage, "migrations": self._migrations, **self.monitor.checks}
        passed = await asyncio.gather(*map(_passes, checks.values()))
        return [name for name, passes in zip(checks, passed, strict=True) if not passes]

    async def _storage(self) -> None:
        await self.hub.start()
        async with self._probing:
            now_s = self.hub.clock.monotonic()
            if self._written_s is None or now_s - self._written_s >= BELIEVED_S:
                self._written_s = None
                await self.hub.storage.probe()
                self._written_s = now_s

    async def _migrations(self) -> None:
        await self.hub.start()
        await self.hub.storage.migrated()

    async def metrics(self, exchange: Exchange) -> None:
        """The counters, for callers of this machine and those with the token."""
        if self.monitor.exposition is None:
            await exchange.answer(plain(404, "There are no metrics here.\n"))
        elif not self.is_operator(exchange):
            await exchange.answer(plain(403, "Metrics are for the operator.\n"))
        else:
            await exchange.answer(Answer(200, self.monitor.exposition(), _FRESH, EXPOSITION_TYPE))

    def is_operator(self, exchange: Exchange) -> bool:
        """Whether the client is on this machine and not behind a proxy, or has the token."""
        scheme, _, token = exchange.headers.get("authorization", "").partition(" ")
        if self.monitor.token and scheme.lower() == "bearer":
            return hmac.compare_digest(token.encode(), self.monitor.token.encode())
        # A proxy on this machine is not the operator.
        forwarded = any(name in _BY_PROXY or name.startswith("x-forwarded-") for name in exchange.headers)
        client = exchange.scope.get("client")
        return client is not None and client[0] in LOCAL and not forwarded


_BY_PROXY = frozenset({"forwarded", "via", "x-real-ip"})
_FRESH = (("Cache-Control", "no-store"),)


async def _passes(check: Callable[[], Awaitable[None]]) -> bool:
    try:
        await within(check(), PROBE_S)
    except Exception:
        return False
    return True
