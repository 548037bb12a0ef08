"""A purchase in progress. It goes on without listeners; a later listener is told the earlier phases too. One that failed is
remembered for a while, for whoever looks later.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

from bazi_core.facts import canonical_json
from bazi_hub.calls.hub import Hub
from bazi_hub.calls.in_progress import CallInProgress
from bazi_hub.ports import Fresh, NewCall
from bazi_hub.words.call import Outcome
from bazi_hub.words.errors import HubError, shutting_down

Tell = Callable[[str], None]
Make = Callable[[Tell], Coroutine[None, None, Outcome]]
MOST_FAILED = 1024


class Purchase(CallInProgress):
    """One of them in this process. A hub that closes waits for it as for a call."""

    def __init__(self, number: str, make: Make) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._phases: list[str] = []
        self._listeners: list[Tell] = []
        super().__init__(number, asyncio.create_task(self._outcome(make)))

    @property
    def phases(self) -> list[str]:
        """Those that were told so far."""
        return [*self._phases]

    @property
    def seconds(self) -> int:
        """Since it began."""
        return int(self._loop.time() - self._began)

    async def _outcome(self, make: Make) -> Outcome:
        try:
            return await make(self._tell)
        except asyncio.CancelledError:
            # The hub closes and has waited for as long as it may. What was paid by now is there for whoever asks again.
            return Outcome(error=shutting_down())

    def _tell(self, phase: str) -> None:
        """Takes phases from any thread."""
        self._loop.call_soon_threadsafe(self._tell_all, phase)

    def _tell_all(self, phase: str) -> None:
        self._phases.append(phase)
        for tell in self._listeners:
            tell(phase)

    async def followed(self, tell: Tell) -> Outcome:
        """The outcome, after every phase was told."""
        for phase in self._phases:
            tell(phase)
        self._listeners.append(tell)
        try:
            return await asyncio.shield(self.task)
        finally:
            self._listeners.remove(tell)


class Failed:
    """The errors of the latest purchases that failed in this process, by the numbers of these."""

    def __init__(self) -> None:
        self._errors: OrderedDict[str, HubError] = OrderedDict()

    def keep(self, number: str, error: HubError) -> None:
        self._errors[number] = error
        self._errors.move_to_end(number)
        if len(self._errors) > MOST_FAILED:
            self._errors.popitem(last=False)

    def of(self, number: str) -> HubError | None:
        return self._errors.get(number)


def number_of(account_id: str, nonce: str, tool: str, arguments: dict[str, Any]) -> str:
    """A UUID of account, form and wishes: the same for the same purchase."""
    told = canonical_json([account_id, nonce, tool, arguments])
    return str(UUID(bytes=hashlib.sha256(told.encode()).digest()[:16], version=4))


def key_of(number: str) -> str:
    """The idempotency key of its call."""
    return f"web-{number}"


async def call_of(hub: Hub, account_id: str, number: str, tool: str) -> str | None:
    """The call of a purchase that is running or was paid, in whichever process; the key alone tells."""
    found = await hub.storage.ledger.peek(NewCall(number, account_id, tool, "", key=key_of(number)))
    return None if isinstance(found, Fresh) else found.call_id


def under_way(hub: Hub, account_id: str, number: str) -> Purchase | None:
    found = hub.in_progress.get(_key(account_id, number))
    return found if isinstance(found, Purchase) else None


def begun(hub: Hub, account_id: str, number: str, make: Make) -> Purchase:
    """A purchase, made as a task of this process."""
    key, purchase = _key(account_id, number), Purchase(number, make)
    hub.in_progress.begin(key, purchase)
    return purchase


def _key(account_id: str, number: str) -> tuple[str, ...]:
    return ("purchase", account_id, number)
