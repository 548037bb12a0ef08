"""`verify` recounts everything from the rows: a defect planted in any of them is found."""

import asyncio

from bazi_hub.ports import Price
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.store.memory.tables import Quota
from bazi_hub.testing import FakeClock, FakeIds, World
from tests.tables import holds_for_all

READING, CHART = "bazi_pattern_analysis", "bazi_basic_analysis"


class Planted:
    """A storage with one call of every kind, and rows that can be tampered with."""

    def __init__(self):
        clock, ids = FakeClock(), FakeIds()
        self.storage = MemoryStorage(clock, ids)
        self.tables = self.storage.tables
        asyncio.run(self._filled(World(self.storage, clock, ids)))

    async def _filled(self, world):
        ledger = self.storage.ledger
        self.account = await world.account(50)
        self.paid = (await world.captured(self.account)).id
        self.running = (await world.admitted(self.account)).id
        self.by_quota = (await world.captured(self.account, CHART)).id
        self.released = (await world.admitted(self.account)).id
        await ledger.release(self.released, "UPSTREAM_ERROR")
        self.free = (await world.admitted(self.account)).id
        await ledger.capture(self.free, "help", free=True)
        self.refunded = (await world.captured(self.account)).id
        await ledger.post("refund", self.account, 2, "case-1", "os:operator", call_id=self.refunded)
        await ledger.post("adjust", self.account, -3, "case-2", "os:operator")
        other = await world.account(0)
        self.reserved = (await world.admitted(other, CHART)).id
        self.other = other

    @property
    def user_entries(self):
        return self.tables.entries[f"user:{self.account}"]

    def entry(self, number, **members):
        """Changes one entry of the user."""
        self.user_entries[number] = self.user_entries[number]._replace(**members)

    def call(self, call_id, **members):
        """Changes the row of a call."""
        for name, value in members.items():
            setattr(self.tables.calls[call_id], name, value)

    def balance(self, **members):
        """Changes the row of the account."""
        accounts = self.tables.accounts
        accounts[self.account] = accounts[self.account]._replace(**members)

    def journal_of(self, kind):
        """The journal row of a kind of posting."""
        return next(row for row in self.tables.journal.values() if row.kind == kind)

    def again(self, kind):
        """Posts what was posted once more, in good order."""
        row = self.journal_of(kind)
        self.tables.post(row._replace(id="again"), self.account, -4 if kind == "capture" else 2)

    def found(self):
        return {finding.invariant for finding in asyncio.run(self.storage.ledger.verify())}


def drop_last_entry(planted):
    planted.user_entries.pop()


def drop_middle_entry(planted):
    del planted.user_entries[1]


def drop_whole_group(planted):
    row = planted.journal_of("capture")
    del planted.tables.journal[row.id]
    for entries in planted.tables.entries.values():
        entries[:] = [entry for entry in entries if entry.journal_id != row.id]


def change_system_entry(planted):
    revenue = planted.tables.entries["system:revenue"]
    revenue[0] = revenue[0]._replace(amount=9)


def move_to_another_system_account(planted):
    planted.tables.entries["system:grants"].append(
        planted.tables.entries["system:revenue"].pop()._replace(account="system:grants")
    )


def drop_journal_row(planted):
    del planted.tables.journal[planted.journal_of("adjust").id]


def drop_account(planted):
    del planted.tables.accounts[planted.account]


def drop_call(planted):
    del planted.tables.calls[planted.paid]


def drop_quota(planted):
    planted.tables.quotas[planted.account].clear()


def more_reserved(planted):
    planted.tables.quotas[planted.other][CHART].reserved = 0


def refund_of_released(planted):
    row = planted.journal_of("refund")
    planted.tables.journal[row.id] = row._replace(call_id=planted.released)


def refund_of_more(planted):
    refund = planted.journal_of("refund").id
    for account in (f"user:{planted.account}", "system:revenue"):
        entries = planted.tables.entries[account]
        entries[:] = [
            entry._replace(amount=entry.amount * 5) if entry.journal_id == refund else entry
            for entry in entries
        ]


def change_price(planted):
    planted.tables.prices[READING][0] = Price(READING, 5, 5, 0, True)


DEFECTS = {
    "a balance too high": (lambda p: p.balance(posted=60), {"I1"}),
    "a balance below nothing": (lambda p: p.balance(posted=-1), {"I1", "I3"}),
    "a hold too many": (lambda p: p.balance(held=8), {"I2"}),
    "a hold forgotten": (lambda p: p.balance(held=0), {"I2"}),
    "more held than there is": (lambda p: p.balance(held=99), {"I2", "I3"}),
    "a hold below nothing": (lambda p: p.balance(held=-4), {"I2", "I3"}),
    "the last entry gone": (drop_last_entry, {"I1", "I4"}),
    "an entry gone": (drop_middle_entry, {"I1", "I4", "I10", "I11"}),
    "a whole group gone": (drop_whole_group, {"I1", "I10", "I11"}),
    "an amount changed": (lambda p: p.entry(0, amount=40), {"I1", "I4", "I10"}),
    "a running balance changed": (lambda p: p.entry(0, posted_after=49), {"I10"}),
    "a number changed": (lambda p: p.entry(1, seq=7), {"I10"}),
    "the other side changed": (change_system_entry, {"I4"}),
    "the other side elsewhere": (move_to_another_system_account, {"I4"}),
    "a journal row gone": (drop_journal_row, {"I4"}),
    "an account gone": (drop_account, {"I1"}),
    "a call gone": (drop_call, {"I6"}),
    "a call captured twice": (lambda p: p.again("capture"), {"I5", "I11"}),
    "a call refunded twice": (lambda p: p.again("refund"), {"I5"}),
    "a released call with entries": (lambda p: p.call(p.paid, state="released", result=None), {"I6", "I11"}),
    "a refund of a released call": (refund_of_released, {"I6"}),
    "a refund of more than the price": (refund_of_more, {"I1", "I6", "I10"}),
    "a captured call without a result": (lambda p: p.call(p.paid, result=None), {"I6"}),
    "a released call with a result": (lambda p: p.call(p.released, result="{}"), {"I6"}),
    "a running call with a result": (lambda p: p.call(p.running, result="{}"), {"I6"}),
    "a purged call with a result": (lambda p: p.call(p.paid, purged=True), {"I6"}),
    "a capture nobody posted": (
        lambda p: p.call(p.running, state="captured", result="{}", charged=4),
        {"I2", "I11"},
    ),
    "quota used and not counted": (lambda p: p.tables.quotas[p.account].update({CHART: Quota(1)}), {"I8"}),
    "quota beyond what was granted": (
        lambda p: p.tables.quotas[p.account].update({CHART: Quota(0, 1)}),
        {"I8"},
    ),
    "quota forgotten": (drop_quota, {"I8"}),
    "a reserve forgotten": (more_reserved, {"I8"}),
    "a call that quota paid shown as paid": (lambda p: p.call(p.by_quota, charged=1), {"I11"}),
    "a free call shown as paid": (lambda p: p.call(p.free, charged=4), {"I11"}),
    "a deduction misreported": (lambda p: p.call(p.paid, charged=3), {"I11"}),
    "a price changed afterwards": (change_price, {"I11"}),
    "another price held": (lambda p: p.call(p.running, cost=3), {"I2", "I11"}),
    "a price version that never was": (lambda p: p.call(p.released, price_version=9), {"I11"}),
}


def test_nothing_is_found_where_nothing_is_wrong():
    assert Planted().found() == set()


@holds_for_all("name", DEFECTS)
def test_a_planted_defect_is_found(name):
    plant, invariants = DEFECTS[name]
    planted = Planted()
    plant(planted)
    assert invariants <= planted.found()


def test_a_finding_names_the_row():
    planted = Planted()
    planted.call(planted.paid, result=None)
    (finding,) = asyncio.run(planted.storage.ledger.verify())
    assert finding.subject == planted.paid


def test_verify_reads_only():
    planted = Planted()
    planted.balance(posted=60)
    before = repr(planted.tables)
    assert planted.found() == planted.found() == {"I1"}
    assert repr(planted.tables) == before
