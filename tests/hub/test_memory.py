"""The memory store keeps every promise of the ports."""

from contextlib import asynccontextmanager

from bazi_hub.memory import AllowAll, MemoryLimits, MemoryStorage, SystemClock, SystemIds
from bazi_hub.testing import (
    AccountsContract,
    ChartStoreContract,
    ClockContract,
    EraseContract,
    FakeClock,
    FakeIds,
    ForumStoreContract,
    IdsContract,
    JournalContract,
    KeyStoreContract,
    LedgerContract,
    Limited,
    ModerationContract,
    PricingContract,
    RateLimiterContract,
    SessionStoreContract,
    StorageLifeContract,
    World,
)


class Memory:
    @asynccontextmanager
    async def opened(self):
        clock, ids = FakeClock(), FakeIds()
        storage = MemoryStorage(clock, ids)
        await storage.open()
        yield World(storage, clock, ids)
        await storage.close()


class TestStorage(Memory, StorageLifeContract):
    pass


class TestAccounts(Memory, AccountsContract):
    pass


class TestErase(Memory, EraseContract):
    pass


class TestJournal(Memory, JournalContract):
    pass


class TestKeys(Memory, KeyStoreContract):
    pass


class TestSessions(Memory, SessionStoreContract):
    pass


class TestPricing(Memory, PricingContract):
    pass


class TestLedger(Memory, LedgerContract):
    pass


class TestForum(Memory, ForumStoreContract):
    pass


class TestCharts(Memory, ChartStoreContract):
    pass


class TestLimits(RateLimiterContract):
    @asynccontextmanager
    async def opened(self):
        clock = FakeClock()
        yield Limited(MemoryLimits(clock), clock)


class TestModeration(ModerationContract):
    def make(self):
        return AllowAll()


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
