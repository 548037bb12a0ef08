"""Everything that can be done to a ledger, in any order, on any storage, beside a model of it.

`machine(contract)` makes the state machine for the storage that a `bazi_hub.testing.StorageContract` opens. After every step
the accounts are compared with the model, and the invariants I1 to I11 recounted from what the ports tell.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bazi_hub.ports import Admitted, Captured, Conflict, NewCall, Price, Running
from bazi_hub.ports import days as day_of
from tests.hub.invariants.model import Call, Model

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

    from bazi_hub.testing import StorageContract, World

TOOLS = ("bazi_basic_analysis", "bazi_pattern_analysis")
ACTOR = "os:operator"
MOST_ACCOUNTS = 3

accounts = st.integers(0, MOST_ACCOUNTS - 1)
keys = st.sampled_from((None, "k1", "k2"))
prints = st.sampled_from("ab")
tools = st.sampled_from(TOOLS)
# Half a second beside every sum of the steps of time, so that nothing happens at the very moment of an end.
leases = st.sampled_from((40.5, 330.5))
workers = st.sampled_from(("", "w1", "w2"))
moments = st.sampled_from((7, 7, 21, 35, 100, 86_387))
days = st.sampled_from((None, 1, 2))
refs = st.sampled_from(("r1", "r2", "r3", "r4"))
picks = st.integers(0, 1_000)


def machine(contract: StorageContract) -> type[RuleBasedStateMachine]:
    """The state machine over the storage that the contract opens."""

    class OfThisStorage(LedgerMachine):
        where = contract

    return OfThisStorage


def play(contract: StorageContract, examples: int = 30, steps: int = 40, shrink: bool = True) -> None:
    """Runs the machine; BAZI_LEDGER_EXAMPLES asks for more examples, such as 400."""
    phases = [Phase.explicit, Phase.generate] + [Phase.shrink] * shrink
    asked = max(examples, int(os.environ.get("BAZI_LEDGER_EXAMPLES", "0")))
    run_state_machine_as_test(
        machine(contract),
        settings=settings(max_examples=asked, stateful_step_count=steps, phases=phases, deadline=None),
    )


async def together(works: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    """All of it at the same time."""
    return await asyncio.gather(*works)


class LedgerMachine(RuleBasedStateMachine):
    where: StorageContract

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.world: World = self.do(self.stack.enter_async_context(self.where.opened()))
        self.ledger = self.world.storage.ledger
        self.model = Model(self.do(self.world.storage.pricing.all()))
        self.accounts: list[str] = []
        self.results = 0

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    def teardown(self) -> None:
        try:
            self.do(self.stack.aclose())
        finally:
            self.runner.close()

    def result(self) -> str:
        """A result unlike every other."""
        self.results += 1
        return f'{{"结果":{self.results}}}'

    # --- accounts, prices, time ---

    @initialize(starter=st.sampled_from((5, 7, 25)))
    def first_account(self, starter: int) -> None:
        self.open_account(starter)

    @precondition(lambda self: len(self.accounts) < MOST_ACCOUNTS)
    @rule(starter=st.sampled_from((0, 3, 7, 25)))
    def open_account(self, starter: int) -> None:
        account = self.do(self.world.account(starter))
        self.accounts.append(account)
        self.model.granted[account] = {tool: price.free_quota for tool, price in self.model.prices.items()}
        if starter:
            self.model.postings.append(("starter", account, starter, None))

    @rule(tool=tools, cost=st.integers(0, 6), least=st.integers(0, 8), quota=st.integers(0, 2))
    def set_price(self, tool: str, cost: int, least: int, quota: int) -> None:
        stored = self.do(self.world.storage.pricing.set(Price(tool, cost, least, quota, True), ACTOR))
        assert stored == Price(tool, cost, least, quota, True, self.model.prices[tool].version + 1)
        self.model.prices[tool] = stored

    @rule(seconds=moments)
    def time_passes(self, seconds: int) -> None:
        self.do(self.where.passes(self.world, seconds))
        self.model.now += seconds

    @rule(worker=st.sampled_from(("w1", "w2")))
    def heartbeat(self, worker: str) -> None:
        self.do(self.ledger.heartbeat(worker))
        self.model.beats[worker] = self.model.now

    # --- calls ---

    def asked(self, account: int, tool: str, letter: str, **members: Any) -> NewCall:
        fingerprint = sha256(f"{tool}{letter}".encode()).hexdigest()
        owner = self.accounts[account % len(self.accounts)]
        return self.world.call(owner, tool, fingerprint=fingerprint, **members)

    @rule(account=accounts, tool=tools, letter=prints, key=keys, replay=st.booleans())
    def look(self, account: int, tool: str, letter: str, key: str | None, replay: bool) -> None:
        asked = self.asked(account, tool, letter, key=key, replay=replay)
        found = self.do(self.ledger.peek(asked))
        assert found in (self.model.met(asked) or [self.model.fresh(asked)])

    @rule(
        account=accounts,
        tool=tools,
        letter=prints,
        key=keys,
        replay=st.sampled_from((True, True, True, False)),
        lease_s=leases,
        worker=workers,
    )
    def admit(self, account: int, tool: str, letter: str, **members: Any) -> None:
        self.admitted(self.asked(account, tool, letter, **members))

    def admitted(self, asked: NewCall) -> None:
        found = self.do(self.ledger.hold(asked))
        if self.meets(asked, found):
            return
        call = self.model.let_in(asked)
        assert found == Admitted(asked.id, call.held, call.by_quota)

    @rule(
        account=accounts,
        tool=tools,
        letter=prints,
        key=keys,
        replay=st.booleans(),
        free=st.sampled_from((False, False, True)),
    )
    def charge(self, account: int, tool: str, letter: str, free: bool, **members: Any) -> None:
        self.charged(self.asked(account, tool, letter, **members), free)

    def charged(self, asked: NewCall, free: bool = False) -> None:
        result = self.result()
        found = self.do(self.ledger.charge(asked, result, free))
        if self.meets(asked, found, free):
            return
        call = self.model.let_in(asked)
        self.model.captured(call, result, free)
        assert found == Admitted(asked.id, call.cost, call.by_quota)

    def meets(self, asked: NewCall, found: object, free: bool = False) -> bool:
        """Whether a call was answered or refused at once, and rightly so."""
        met = self.model.met(asked)
        if met:
            assert found in met
        elif not free and (refused := self.model.refused(asked)) is not None:
            assert found == refused
        else:
            return False
        assert self.do(self.ledger.state(asked.id)) is None
        return True

    @rule(account=accounts, tool=tools, count=st.integers(2, 6))
    def admit_many_at_once(self, account: int, tool: str, count: int) -> None:
        """Calls unlike every other: nobody can say who comes first, but how many are let in."""
        owner = self.accounts[account % len(self.accounts)]
        asked = [self.world.call(owner, tool) for _ in range(count)]
        answers = self.do(together(self.ledger.hold(call) for call in asked))
        admitted = [answer for answer in answers if isinstance(answer, Admitted)]
        by_id = {call.id: call for call in asked}
        for answer in sorted(admitted, key=lambda answer: not answer.from_free_quota):
            assert self.model.refused(by_id[answer.call_id]) is None
            call = self.model.let_in(by_id.pop(answer.call_id))
            assert (answer.cost, answer.from_free_quota) == (call.held, call.by_quota)
        refused = [self.model.refused(call) for call in by_id.values()]
        assert [answer for answer in answers if answer not in admitted] == refused
        assert None not in refused

    @rule(account=accounts, tool=tools, letter=prints, key=keys, count=st.integers(2, 4))
    def admit_the_same_at_once(
        self, account: int, tool: str, letter: str, key: str | None, count: int
    ) -> None:
        first = self.asked(account, tool, letter, key=key)
        asked = [first] + [first._replace(id=self.world.ids.uuid()) for _ in range(count - 1)]
        met = self.model.met(first)
        refused = self.model.refused(first)
        answers = self.do(together(self.ledger.hold(call) for call in asked))
        if met or refused:
            assert all(answer in (met or [refused]) for answer in answers)
            return
        (admitted,) = [answer for answer in answers if isinstance(answer, Admitted)]
        self.model.let_in(next(call for call in asked if call.id == admitted.call_id))
        assert answers.count(Running(admitted.call_id)) == count - 1

    @precondition(lambda self: self.model.calls)
    @rule(pick=picks, in_one_step=st.booleans())
    def replay(self, pick: int, in_one_step: bool) -> None:
        """The very same call comes again."""
        again = self.picked(pick).asked._replace(id=self.world.ids.uuid())
        self.charged(again) if in_one_step else self.admitted(again)

    @precondition(lambda self: any(call.asked.key for call in self.model.calls.values()))
    @rule(pick=picks, in_one_step=st.booleans())
    def reuse_key(self, pick: int, in_one_step: bool) -> None:
        """Another call comes under a key that was used."""
        keyed = [call.asked for call in self.model.calls.values() if call.asked.key]
        asked = keyed[pick % len(keyed)]
        other = sha256(asked.fingerprint.encode()).hexdigest()
        again = asked._replace(id=self.world.ids.uuid(), fingerprint=other)
        self.charged(again) if in_one_step else self.admitted(again)

    def picked(self, pick: int, prefer: str | None = None) -> Call:
        calls = list(self.model.calls.values())
        preferred = [call for call in calls if call.state == prefer]
        # Every other time one that can still go on, else any.
        among = preferred if preferred and pick % 2 else calls
        return among[pick // 2 % len(among)]

    @precondition(lambda self: self.model.calls)
    @rule(pick=picks, free=st.sampled_from((False, False, False, True)), day=days)
    def capture(self, pick: int, free: bool, day: int | None) -> None:
        call, result = self.picked(pick, "running"), self.result()
        paid = self.do(self.ledger.capture(call.asked.id, result, free, day))
        if call.state != "running":
            assert paid is None
            return
        self.model.captured(call, result, free)
        self.model.count(call.asked.account_id, day)
        assert paid == Admitted(call.asked.id, call.cost, call.by_quota)

    @precondition(lambda self: self.model.calls)
    @rule(pick=picks, day=days)
    def release(self, pick: int, day: int | None) -> None:
        call = self.picked(pick, "running")
        assert self.do(self.ledger.release(call.asked.id, "UPSTREAM_ERROR", day)) == (call.state == "running")
        if call.state == "running":
            self.model.unpaid(call, "released", "UPSTREAM_ERROR")
            self.model.count(call.asked.account_id, day)

    @precondition(lambda self: self.model.calls)
    @rule(chosen=st.lists(picks, min_size=1, max_size=3))
    def deliver(self, chosen: list[int]) -> None:
        calls = [self.picked(pick, "captured") for pick in chosen]
        captured = [call for call in calls if call.state == "captured"]
        self.do(self.ledger.delivered([call.asked.id for call in captured]))
        for call in captured:
            call.delivered = True

    @rule()
    def reap(self) -> None:
        lapsed = self.model.lapsed()
        assert self.do(self.ledger.reap()) == len(lapsed)
        for call in lapsed:
            self.model.unpaid(call, "expired")

    @rule()
    def restart(self) -> None:
        running = [call for call in self.model.calls.values() if call.state == "running"]
        assert self.do(self.ledger.reap(everything=True)) == len(running)
        for call in running:
            self.model.unpaid(call, "expired")

    @rule(age_s=st.sampled_from((3.5, 50.5)))
    def purge(self, age_s: float) -> None:
        older_than_ms = self.world.clock.now_ms() - round(age_s * 1000)
        self.do(self.ledger.purge(older_than_ms))
        uncharged = self.model.uncharged.items()
        self.model.uncharged = {of: count for of, count in uncharged if of[1] >= day_of(older_than_ms)}
        for call in self.model.calls.values():
            if call.ended is not None and call.ended < self.model.now - age_s:
                call.purged = True

    # --- postings of an operator ---

    @rule(account=accounts, amount=st.integers(1, 12), ref=refs)
    def grant(self, account: int, amount: int, ref: str) -> None:
        self.post("grant", self.accounts[account % len(self.accounts)], amount, ref, None, True)

    @rule(account=accounts, amount=st.integers(-12, 12).filter(bool), ref=refs)
    def adjust(self, account: int, amount: int, ref: str) -> None:
        owner = self.accounts[account % len(self.accounts)]
        enough = self.model.posted(owner) - self.model.held(owner) + amount >= 0
        self.post("adjust", owner, amount, ref, None, enough)

    @precondition(lambda self: self.model.calls)
    @rule(pick=picks, amount=st.integers(1, 7))
    def refund(self, pick: int, amount: int) -> None:
        call = self.picked(pick, "captured")
        right = call.state == "captured" and amount <= call.cost
        self.post("refund", call.asked.account_id, amount, "case", call.asked.id, right)

    def post(self, kind: str, owner: str, amount: int, ref: str, call_id: str | None, right: bool) -> None:
        once = (kind, call_id or ref)
        try:
            posted = self.do(self.ledger.post(kind, owner, amount, ref, ACTOR, "memo", call_id))
        except Conflict:
            # What was posted before is no conflict, unless it is another refund that would not have done either.
            assert once not in self.model.refs or kind == "refund"
            assert not right
            return
        assert posted == (once not in self.model.refs)
        if posted:
            assert right
            self.model.refs.add(once)
            self.model.postings.append((kind, owner, amount, call_id))

    # --- what holds after every step ---

    @invariant()
    def accounts_are_as_the_model_says(self) -> None:
        for owner in self.accounts:
            self.do(self.same_account(owner))

    @invariant()
    def calls_are_as_the_model_says(self) -> None:
        self.do(self.same_calls())

    @invariant()
    def the_store_finds_nothing_wrong(self) -> None:
        assert self.do(self.ledger.verify()) == []

    async def same_account(self, owner: str) -> None:
        """I1, I2, I3, I8, I10."""
        account = await self.ledger.account(owner)
        assert account is not None
        assert (account.posted, account.held) == (self.model.posted(owner), self.model.held(owner))
        assert account.held >= 0
        assert account.available >= 0
        entries = await self.ledger.entries(owner)
        expected = [posting for posting in self.model.postings if posting[1] == owner]
        assert [(entry.kind, owner, entry.amount, entry.call_id) for entry in entries] == expected
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        balances = [sum(entry.amount for entry in entries[: n + 1]) for n in range(len(entries))]
        assert [entry.posted_after for entry in entries] == balances
        standing = await self.ledger.standing(owner)
        assert standing is not None
        assert (standing.posted, standing.held) == (account.posted, account.held)
        for tool, granted in self.model.granted[owner].items():
            left = self.model.quota(owner, tool)
            assert standing.free.get(tool, 0) == left
            assert 0 <= left <= granted
        for day in (1, 2):
            assert await self.ledger.uncharged(owner, day) == self.model.uncharged.get((owner, day), 0)

    async def same_calls(self) -> None:
        """I5, I6, I7, I9, I11."""
        for owner in self.accounts:
            records = {record.id: record for record in await self.ledger.history(owner, 1_000)}
            calls = self.model.of(owner)
            assert records.keys() == {call.asked.id for call in calls}
            for call in calls:
                record = records[call.asked.id]
                assert (record.state, record.credits_deducted) == (call.state, call.cost)
                assert (record.tool, record.completed_ms is None) == (call.asked.tool, call.ended is None)
                if call.state != "expired":
                    assert record.error == call.error
                await self.same_result(call)

    async def same_result(self, call: Call) -> None:
        kept = await self.ledger.result(call.asked.id)
        if call.state != "captured":
            assert kept is None
        elif not call.purged:
            assert kept == Captured(call.asked.id, call.result, call.by_quota)
