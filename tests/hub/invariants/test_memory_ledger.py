"""The ledger in memory beside its model; and bugs, each of which the machine and the contract have to find."""

from contextlib import asynccontextmanager
from unittest.mock import patch

import pytest

from bazi_hub.money import rules
from bazi_hub.store.memory.ledger import MemoryLedger
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds, StorageContract, World
from tests.hub.invariants.bugs import BUGS, RULE_BUGS
from tests.hub.invariants.machine import play
from tests.hub.promises.store import LedgerContract
from tests.sizes import sizes


class Memory(StorageContract):
    def __init__(self, ledger=MemoryLedger):
        self.ledger = ledger

    @asynccontextmanager
    async def opened(self):
        clock, ids = FakeClock(), FakeIds()
        with patch.dict(vars(rules), dict(getattr(self.ledger, "RULES", ()))):
            yield World(MemoryStorage(clock, ids, ledger=self.ledger), clock, ids)


class Published(Memory):
    def broken(self):
        """The names of the promises that do not hold."""
        return [name for name in dir(self) if name.startswith("test_") and self._breaks(name)]

    def _breaks(self, name):
        try:
            getattr(self, name)()
        except Exception:
            return True
        return False


class Promises(Published, LedgerContract):
    pass


@sizes(15, 100)
def test_the_ledger_does_what_its_model_does(count):
    play(Memory(), examples=count)


@pytest.mark.parametrize("bug", BUGS)
def test_the_machine_finds_a_planted_bug(bug):
    with pytest.raises(AssertionError):
        play(Memory(bug), examples=400, shrink=False)


@pytest.mark.parametrize("bug", BUGS)
def test_the_published_contract_finds_a_planted_bug(bug):
    assert Published().broken() == []
    assert Published(bug).broken()


@pytest.mark.exhaustive
@pytest.mark.parametrize("bug", RULE_BUGS, ids=lambda bug: bug.__name__)
def test_the_promises_of_a_ledger_find_a_broken_rule(bug):
    assert Promises(bug).broken()
