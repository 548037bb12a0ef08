"""The memory store keeps every promise of the ports."""

from contextlib import asynccontextmanager

from bazi_hub.money.limits import MemoryLimits
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import (
    FakeClock,
    FakeIds,
    LimiterWorld,
    ModerationContract,
    World,
)
from bazi_hub.words.system import AllowAll, NoTelemetry, SystemClock, SystemIds
from tests.hub.promises.limits import LimiterContract
from tests.hub.promises.small import ClockContract, IdsContract, TelemetryContract
from tests.hub.promises.store import StoreContract


class TestStore(StoreContract):
    @asynccontextmanager
    async def opened(self):
        clock, ids = FakeClock(), FakeIds()
        storage = MemoryStorage(clock, ids)
        await storage.open()
        yield World(storage, clock, ids)
        await storage.close()


class TestLimits(LimiterContract):
    @asynccontextmanager
    async def opened(self):
        clock = FakeClock()
        yield LimiterWorld(MemoryLimits(clock), clock)


class TestModeration(ModerationContract):
    def make(self):
        return AllowAll()


class TestNoTelemetry(TelemetryContract):
    def make(self):
        return NoTelemetry()


class TestSystemClock(ClockContract):
    def make(self):
        return SystemClock()


class TestFakeClock(ClockContract):
    def make(self):
        return FakeClock()


class TestSystemIds(IdsContract):
    def make(self):
        return SystemIds()


class TestFakeIds(IdsContract):
    def make(self):
        return FakeIds()
