"""The reader, through the whole pipeline: what its failures cost, who may ask it, and whose answer comes too late."""

import asyncio
import json
from functools import partial

import pytest

from bazi_core.errors import CostLimit, PortInvalidOutput, PortRefused, PortTimeout, PortUnavailable
from bazi_hub.calls.gate import OVERLOADED_RETRY_S
from bazi_hub.calls.slots import MOST_WAITING_OF_AN_ACCOUNT
from bazi_hub.ports import Account, Price
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.call import Caller
from tests.hub.worlds import BIRTH, ME, T1, T2, T3, T4, Reader, in_world, on_day, plays
from tests.waiting import eventually

FAILURES = [
    (PortTimeout("late", timeout_s=60), "UPSTREAM_TIMEOUT", {"timeout_s": 60}),
    (PortUnavailable("down", reason="connect"), "UPSTREAM_ERROR", {"reason": "UNAVAILABLE"}),
    (PortUnavailable("429", reason="http", status=429), "REST_ERROR", {"upstream_status": 429}),
    (PortRefused("no", reason="refusal"), "UPSTREAM_ERROR", {"reason": "REFUSED"}),
    (PortInvalidOutput("bad", problems=[]), "UPSTREAM_ERROR", {"reason": "INVALID_OUTPUT"}),
    (CostLimit("dear", limit=1, estimate=2), "CONFIG_ERROR", {}),
    (RuntimeError("secret words"), "UPSTREAM_ERROR", {"reason": "UNAVAILABLE"}),
]


@pytest.mark.parametrize(("error", "code", "members"), FAILURES)
def test_a_reader_that_fails_costs_nothing_and_the_hold_goes_back(error, code, members):
    reader = Reader()
    reader.error = error

    async def story(world):
        told = await world.refused(T2, BIRTH)
        assert told.name == code
        assert told.data.items() >= {**members, "request_id": "req-1"}.items()
        assert await world.money() == (25, 0)
        [record] = await world.told("get_usage_history")
        assert (record["status"], record["error"], record["credits_deducted"]) == ("failed", code, 0)
        assert "secret" not in json.dumps(told.data)

    plays(story, reader=reader)


@in_world(reader=Reader)
async def test_a_reader_that_talks_nonsense_is_asked_once_and_refused(world):
    reader = world.reader
    told = await world.refused(T2, BIRTH)
    assert (told.name, told.data["reason"], reader.asked) == ("UPSTREAM_ERROR", "INVALID_OUTPUT", 1)


def test_with_the_narrator_as_fallback_a_failed_reading_is_free_and_says_so():
    reader = Reader()
    reader.error = PortTimeout("late", timeout_s=60)

    async def story(world):
        outcome = await world.ask(T2, BIRTH)
        assert (outcome.error, outcome.credits_deducted) == (None, 0)
        assert json.loads(outcome.result)["pattern_result"]["provenance"]["fallback_used"] is True
        assert await world.money() == (25, 0)
        day = world.clock.now_ms() // 86_400_000
        assert await world.storage.ledger.uncharged(ME.account_id, day) == 1

    plays(story, reader=reader, llm_fallback="narrator")


def test_failed_readings_are_counted_and_the_budget_ends_them_until_the_next_day():
    reader = Reader(15)
    reader.error = PortRefused("no", reason="refusal")

    async def story(world):
        names = [(await world.refused(T2, on_day(day))).name for day in (1, 2, 3)]
        assert names == ["UPSTREAM_ERROR", "UPSTREAM_ERROR", "RATE_LIMITED"]
        error = await world.refused(T2, on_day(4))
        assert error.data["retry_after"] == 86_400 - world.clock.now_ms() // 1000 % 86_400
        assert reader.asked == 2
        world.clock.advance(error.data["retry_after"])
        reader.error = None
        assert (await world.ask(T2, BIRTH)).credits_deducted == 4

    plays(story, reader=reader, uncharged_readings=2)


@in_world(reader=partial(Reader, 15))
async def test_a_question_in_distress_is_answered_without_a_model_and_without_a_charge(world):
    reader = world.reader
    base, pattern = await world.told(T1, BIRTH), await world.told(T2, BIRTH)
    year = await world.told(T3, {"base_context": base, "pattern_result": pattern, "target_year": 2026})
    before, asked = await world.money(), reader.asked
    wanted = {"year_analysis_result": year, "pattern_result": pattern, "question": "我不想活了"}
    final = (await world.told(T4, wanted))["final_result"]
    assert final["safety"]["action"] == "crisis_message"
    assert (await world.money(), reader.asked) == (before, asked)


@in_world(reader=partial(Reader, 15), free_answers=2)
async def test_beyond_the_budget_of_a_day_a_question_in_distress_is_answered_and_not_stored(world):
    base, pattern = await world.told(T1, BIRTH), await world.told(T2, BIRTH)
    year = await world.told(T3, {"base_context": base, "pattern_result": pattern, "target_year": 2026})
    wanted = {"year_analysis_result": year, "pattern_result": pattern}
    before = await world.money()
    outcomes = [await world.ask(T4, {**wanted, "question": f"我不想活了{end}"}) for end in "。！？"]
    safety = [json.loads(each.result)["final_result"]["safety"]["action"] for each in outcomes]
    assert safety == ["crisis_message"] * 3
    assert [each.call_id is not None for each in outcomes] == [True, True, False]
    listed = await world.storage.ledger.history(ME.account_id, 100)
    assert sum(record.tool == T4 for record in listed) == 2
    assert await world.money() == before


@in_world(reader=partial(Reader, *range(1, 28)), credits=200, llm_max_concurrency=1)
async def test_a_call_that_finds_no_room_to_wait_is_refused_before_anything_is_held(world):
    reader = world.reader
    reader.gate.clear()
    running = [
        asyncio.create_task(world.ask(T2, on_day(day))) for day in range(1, MOST_WAITING_OF_AN_ACCOUNT + 2)
    ]
    await eventually(lambda: not world.hub.slots.room(ME.account_id))
    error = await world.refused(T2, on_day(28))
    assert (error.name, error.data["reason"]) == ("UPSTREAM_ERROR", "OVERLOADED")
    assert error.data["retry_after"] == OVERLOADED_RETRY_S
    reader.gate.set()
    errors = [outcome.error for outcome in await asyncio.gather(*running)]
    assert errors == [None] * len(running)


@pytest.mark.parametrize("database", ["memory", "sqlite"])
def test_while_a_model_hangs_ninety_calls_of_one_account_leave_room_for_another(database, tmp_path):
    """The other one is asked for at once: no second passes, and nobody's call has ended."""
    reader, you = Reader(), Caller("account-2", "personal", "key-9")
    clock, ids = FakeClock(), FakeIds()
    storage = SqliteStorage(tmp_path / "hub.db", clock, ids) if database == "sqlite" else None

    async def story(world):
        account = Account(you.account_id, None, None, "active", None, world.clock.now_ms())
        await world.storage.accounts.create(account, 25, "test")
        reader.gate.clear()
        births = [{**BIRTH, "birth_day": 1 + number % 28, "birth_hour": number // 28} for number in range(90)]
        many = [asyncio.create_task(world.ask(T2, birth)) for birth in births]
        share = 64 // 4
        await eventually(lambda: sum(task.done() for task in many) == 90 - share - MOST_WAITING_OF_AN_ACCOUNT)
        await eventually(lambda: reader.asked == share)
        refused = [task.result() for task in many if task.done()]
        assert {each.error.data["reason"] for each in refused} == {"OVERLOADED"}
        held = (share + MOST_WAITING_OF_AN_ACCOUNT) * 4
        assert await world.money() == (500, held)
        start = world.clock.monotonic()
        yours = asyncio.create_task(world.ask(T2, BIRTH, you))
        await eventually(lambda: reader.asked == share + 1)
        assert world.clock.monotonic() == start
        assert not yours.done()
        await world.hub.drain(0)
        await asyncio.gather(yours, *many)
        assert await world.money() == (500, 0)

    plays(story, reader=reader, credits=500, storage=storage, clock=clock, ids=ids)


@in_world(reader=partial(Reader, 15))
async def test_a_caller_that_goes_away_does_not_end_the_work(world):
    reader = world.reader
    gone = await world.held_up(reader)
    gone.cancel()
    reader.gate.set()
    again = await world.ask(T2, BIRTH)
    assert (again.error, again.credits_deducted, again.replayed) == (None, 0, True)
    assert (reader.asked, await world.money()) == (1, (21, 0))


@in_world(reader=partial(Reader, 15))
async def test_a_reading_that_comes_after_its_lease_is_dropped_and_free(world):
    reader = world.reader
    late = await world.held_up(reader)
    world.clock.advance(91)
    assert await world.storage.ledger.reap() == 1
    reader.gate.set()
    assert (await late).error.name == "UPSTREAM_TIMEOUT"
    assert await world.money() == (25, 0)


@in_world(reader=partial(Reader, 15))
async def test_draining_releases_what_does_not_end_in_time(world):
    reader = world.reader
    running = await world.held_up(reader)
    await world.hub.drain(0)
    assert (await running).error.data["reason"] == "DRAINING"
    assert await world.money() == (25, 0)


@in_world(reader=partial(Reader, 15))
async def test_a_price_that_changes_during_a_call_does_not_change_what_it_costs(world):
    reader = world.reader
    running = await world.held_up(reader)
    await world.storage.pricing.set(Price(T2, 9, 9, 0, True), "test")
    reader.gate.set()
    assert (await running).credits_deducted == 4
