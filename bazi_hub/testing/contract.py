"""What the conformance classes stand on: a world to test in, and promises that are told in it.

An adapter subclasses a contract and says how its world is opened; a database gives an empty one every time:

    class Database:
        @asynccontextmanager
        async def opened(self) -> AsyncIterator[World]:
            clock, ids = FakeClock(), FakeIds()
            storage = MyStorage(new_empty_database(), clock, ids)
            await storage.open()
            try:
                yield World(storage, clock, ids)
            finally:
                await storage.close()

    class TestMyLedger(Database, LedgerContract): ...
    class TestMyForum(Database, ForumStoreContract): ...

A store that reads leases from a clock of its own overrides `passes`. Nothing here needs a test runner: every `test_` method
is a plain function without arguments that raises where a promise is broken.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from bazi_hub.ports import Account, Admitted, NewCall, RateLimiter, Storage
from bazi_hub.testing.fakes import FakeClock, FakeIds

READING = "bazi_pattern_analysis"  # costs 4, no free quota
CHART = "bazi_basic_analysis"  # costs 1, one free call for a new account
YEAR = "bigluck_year_analysis"  # costs 1, no free quota
ACTOR = "os:operator"


@dataclass(frozen=True, slots=True)
class World:
    """An opened storage with the default prices and nobody in it, and the clock and ids that it uses."""

    storage: Storage
    clock: FakeClock = field(default_factory=FakeClock)
    ids: FakeIds = field(default_factory=FakeIds)

    async def account(self, credits: int = 0, invite: str | None = None, **members: Any) -> str:
        """A new account with so many credits."""
        account = Account(
            **{
                "id": self.ids.uuid(),
                "email": None,
                "display_name": None,
                "status": "active",
                "language": None,
                "created_ms": self.clock.now_ms(),
            }
            | members
        )
        await self.storage.accounts.create(account, credits, ACTOR, invite)
        return account.id

    def call(self, account_id: str, tool: str = READING, **members: Any) -> NewCall:
        """A call unlike every other, where `members` do not say otherwise."""
        call_id = self.ids.uuid()
        call = NewCall(
            call_id, account_id, tool, call_id.replace("-", "") * 2, started_ms=self.clock.now_ms()
        )
        return call._replace(**members)

    async def admitted(self, account_id: str, tool: str = READING, **members: Any) -> NewCall:
        """A call that runs."""
        call = self.call(account_id, tool, **members)
        assert isinstance(await self.storage.ledger.hold(call), Admitted)
        return call

    async def captured(
        self, account_id: str, tool: str = READING, result: str = "{}", **members: Any
    ) -> NewCall:
        """A call that was paid in two steps."""
        call = await self.admitted(account_id, tool, **members)
        assert await self.storage.ledger.capture(call.id, result) is not None
        return call

    async def balance(self, account_id: str) -> tuple[int, int]:
        """The posted and the held credits."""
        account = await self.storage.ledger.account(account_id)
        assert account is not None
        return account.posted, account.held

    async def free(self, account_id: str) -> dict[str, int]:
        """Free calls that remain."""
        standing = await self.storage.ledger.standing(account_id)
        assert standing is not None
        free: dict[str, int] = standing.free
        return free


@dataclass(frozen=True, slots=True)
class LimiterWorld:
    """The world of a limiter. Its clock has to stand still while a test does not let time pass."""

    limits: RateLimiter
    clock: FakeClock = field(default_factory=FakeClock)
    # The names that asked for a place so far.
    asked: list[str] = field(default_factory=list)


class Contract(ABC):
    """The base of the contracts whose world is opened anew for every promise."""

    @abstractmethod
    def opened(self) -> AbstractAsyncContextManager[Any]:
        """The world of one test, empty; closed behind it."""

    async def passes(self, world: Any, seconds: float) -> None:
        """Lets time pass for the adapter; one that asks its database for the time finds another way."""
        world.clock.advance(seconds)

    async def settled(self, world: Any) -> None:  # noqa: B027  # most look at nothing
        """Looks at the world after every promise: nothing may be out of balance."""

    def run(self, story: Callable[[Any, Any], Awaitable[None]]) -> None:
        """Plays a story in a new world."""

        async def play() -> None:
            async with self.opened() as world:
                await story(self, world)
                await self.settled(world)

        asyncio.run(play())


def promise(story: Callable[[Any, Any], Awaitable[None]]) -> Callable[[Any], None]:
    """A test of a contract, written as what happens in the world."""

    def test(self: Contract) -> None:
        self.run(story)

    test.__name__, test.__qualname__, test.__doc__ = story.__name__, story.__qualname__, story.__doc__
    test.__module__ = story.__module__
    return test


@contextmanager
def raises(*faults: type[BaseException]) -> Iterator[None]:
    """Passes when one of the faults is raised."""
    try:
        yield
    except faults:
        return
    raise AssertionError(f"none of {', '.join(fault.__name__ for fault in faults)} was raised")
