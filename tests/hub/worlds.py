"""A whole hub in memory for tests: fake clock and ids, an account with keys, and readers that do as they are told."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bazi_core.facts import canonical_json
from bazi_core.model.port import ReadingReply
from bazi_hub.calls.hub import Hub
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.ports import Account
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.tools.births import chart_of
from bazi_hub.words.call import Call, Caller
from bazi_hub.words.settings import Settings
from tests.core.readings.written import request_of, written
from tests.hub.stories import story_in
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

BIRTH = {
    "birth_year": 1990,
    "birth_month": 5,
    "birth_day": 15,
    "birth_hour": 13,
    "birth_minute": 30,
    "gender": "male",
    "location": {"city_name": "Beijing"},
}
T1, T2, T3, T4 = (
    "bazi_basic_analysis", "bazi_pattern_analysis", "bigluck_year_analysis", "bigluck_year_fortune_eval",
)  # fmt: skip
ME = Caller("account-1", "personal", "key-1")
AGENT = Caller("account-1", "agent", "key-2", "Oracle")
BROWSER = Caller("account-1", "session")


def on_day(day: int) -> dict[str, Any]:
    """A birth unlike the others."""
    return {**BIRTH, "birth_day": day}


class Voices:
    """What the hub tells of itself."""

    def __init__(self) -> None:
        self.counted: dict[str, float] = {}
        self.logged: list[dict[str, Any]] = []

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.counted[name] = self.counted.get(name, 0) + amount

    def observe(self, name: str, value: float, **labels: str) -> None: ...

    def log(self, event: str, level: str = "info", **members: Any) -> None:
        self.logged.append({"event": event, "level": level, **members})


class World:
    """A hub and what a test looks at."""

    def __init__(
        self, credits: int = 25, reader: Any = None, storage: Any = None, clock: Any = None, ids: Any = None,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.clock, self.ids, self.voices = clock or FakeClock(), ids or FakeIds(), Voices()
        self.storage = storage or MemoryStorage(self.clock, self.ids)
        self.limits = MemoryLimits(self.clock)
        self.credits, self.reader = credits, reader
        self.hub = Hub(
            Settings(**settings), storage=self.storage, limits=self.limits, reader=reader,
            clock=self.clock, ids=self.ids, telemetry=self.voices,
        )  # fmt: skip

    async def ask(
        self, tool: str, arguments: Any = None, caller: Caller = ME, key: str | None = None, **more: Any
    ) -> Any:
        return await self.hub.call(Call(tool, arguments or {}, caller, "req-1", key, **more))

    async def told(
        self, tool: str, arguments: Any = None, caller: Caller = ME, key: str | None = None
    ) -> Any:
        """The result of a call that has to succeed, handed over."""
        outcome = await self.ask(tool, arguments, caller, key)
        assert outcome.error is None, outcome.error
        if outcome.undelivered:
            await self.hub.delivered(outcome.undelivered)
        return json.loads(outcome.result)

    async def refused(
        self, tool: str, arguments: Any = None, caller: Caller = ME, key: str | None = None
    ) -> Any:
        """The error of a call that has to fail."""
        outcome = await self.ask(tool, arguments, caller, key)
        assert outcome.error is not None, outcome.result
        assert outcome.credits_deducted == 0
        return outcome.error

    async def money(self) -> tuple[int, int]:
        account = await self.storage.ledger.account(ME.account_id)
        assert account is not None
        return account.posted, account.held

    async def held_up(self, reader: Reader) -> asyncio.Task[Any]:
        """A call that the reader was asked for; it answers when its gate is opened."""
        reader.gate.clear()
        running = asyncio.create_task(self.ask(T2, BIRTH))
        await eventually(lambda: reader.asked)
        return running


@asynccontextmanager
async def world(credits: int = 25, **more: Any) -> AsyncIterator[World]:
    """A hub with one account, closed behind the test; its books have to be right then."""
    made = World(credits, **more)
    await made.hub.start()
    account = Account(ME.account_id, None, None, "active", None, made.clock.now_ms())
    await made.storage.accounts.create(account, credits, "test")
    try:
        yield made
        assert await made.storage.ledger.verify() == []
    finally:
        await made.hub.close(0)


# A test in a new world.
in_world = story_in(world)


def plays(story: Callable[[World], Awaitable[None]], **parts: Any) -> None:
    """Runs a story in a new world."""
    in_world(story, **parts)()


class Broken:
    """A part that fails whatever is asked of it."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        async def fail(*arguments: Any, **more: Any) -> None:
            raise self.fault

        return fail


class Reader:
    """A reader from afar. It says what it was taught of a chart, when its gate opens, or fails with its error."""

    name, model = "afar", "model-1"

    def __init__(self, *days: int) -> None:
        self.said: dict[str, str] = {}
        self.asked = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None
        for day in days:
            self.learn(chart_of(on_day(day)).pattern())

    def learn(self, result: Any) -> None:
        """What to say of a pattern or a year."""
        self.said[_subject(request_of(result))] = canonical_json(written())

    async def generate(self, request: Any) -> ReadingReply:
        self.asked += 1
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return ReadingReply(self.said.get(_subject(request), "{}"), model=self.model)


def taught(*, is_slow: bool = False) -> Reader:
    """A reader from afar that knows what to say of the chart, at once or when its gate opens."""
    reader = Reader()
    reader.learn(chart_of(BIRTH).pattern())
    if is_slow:
        reader.gate.clear()
    return reader


def _subject(request: Any) -> str:
    """What a request is about: how statements begin that are on its menu whatever the day, the length and the question."""
    lines = (line.split(" | ") for line in request.menu.splitlines())
    return "\n".join(
        sorted(line[1][:16] for line in lines if line[2] in ("wealth", "health_balance", "relationship"))
    )
