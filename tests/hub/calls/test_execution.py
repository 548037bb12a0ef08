"""The order of checks, money, replay and faults, through the whole pipeline on the stores in memory."""

import asyncio
import json
from functools import partial

import pytest

from bazi_hub.calls.hub import Hub
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.ports import Price, StoreError
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.words.call import Call, Caller
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import SystemClock, SystemIds
from tests.hub.worlds import AGENT, BIRTH, BROWSER, ME, T1, T2, Broken, Reader, in_world, on_day, plays
from tests.sizes import sizes

# --- the order of checks: each of these would fail every later check too


@in_world
async def test_an_unknown_tool_is_said_before_anything_else(world):
    error = await world.refused("bazi_basic_analisys", {"x": 1}, BROWSER)
    assert error.name == "UNKNOWN_TOOL"
    assert error.data == {
        "detail": "Unknown tool: bazi_basic_analisys",
        "tool_name": "bazi_basic_analisys",
        "suggestion": T1,
    }


@in_world
async def test_a_call_that_is_refused_for_what_it_asks_is_counted_and_no_other_is(world):
    def counted():
        return sum(world.hub.refused._counts.values())

    assert (await world.refused("bazi_basic_analisys", {})).name == "UNKNOWN_TOOL"
    assert (await world.refused(T1, {"birth_year": "x"})).name == "INVALID_INPUT"
    assert counted() == 2
    await world.told(T1, BIRTH)
    assert (await world.refused(T1, BIRTH, BROWSER)).name == "UNAUTHORIZED"
    assert counted() == 2


@in_world
async def test_a_tool_under_another_category_is_unknown_there(world):
    outcome = await world.ask("get_skill_info", {}, category="fortune")
    assert outcome.error.data["category"] == "fortune"
    assert "/api/universal/meta/get_skill_info" in outcome.error.detail
    assert outcome.error.data["suggestion"] == "get_skill_info"


@in_world
async def test_a_cookie_is_refused_for_fortune_tools_before_the_switch_and_the_limit(world):
    await world.storage.pricing.set(Price(T1, 1, 1, 0, False), "test")
    error = await world.refused(T1, {}, BROWSER)
    assert (error.name, error.detail) == ("UNAUTHORIZED", "API key required")


@in_world
async def test_the_pages_of_the_site_may_buy_what_a_personal_key_may(world):
    assert "base_context" in await world.told(T1, BIRTH, Caller(ME.account_id, "web"))


@in_world
async def test_a_disabled_tool_is_said_before_its_limit(world):
    await world.storage.pricing.set(Price(T1, 1, 1, 0, False), "test")
    for _ in range(12):
        assert (await world.refused(T1, {}, AGENT)).name == "TOOL_DISABLED"


@in_world
async def test_a_full_window_is_said_before_bad_arguments(world):
    names = [(await world.refused(T1, {}, AGENT)).name for _ in range(11)]
    assert names == ["INVALID_INPUT"] * 10 + ["RATE_LIMITED"]


@in_world(credits=0)
async def test_bad_arguments_are_said_before_an_empty_account(world):
    assert (await world.refused(T2, {})).name == "INVALID_INPUT"
    assert (await world.refused(T2, BIRTH)).name == "INSUFFICIENT_CREDITS"


@in_world(reader=partial(Reader, 15), uncharged_readings=1)
async def test_a_replay_is_given_before_the_daily_budget_is_looked_at(world):
    first = await world.ask(T2, BIRTH, key="k")
    await world.storage.ledger.count_uncharged(ME.account_id, world.clock.now_ms() // 86_400_000)
    again = await world.ask(T2, BIRTH, key="k")
    assert (again.result, again.replayed, again.credits_deducted) == (first.result, True, 0)
    assert (await world.refused(T2, on_day(14))).data["limit_type"] == "uncharged_readings"


@in_world
async def test_a_hub_that_drains_begins_nothing(world):
    world.hub.draining = True
    assert (await world.refused(T1, BIRTH)).data["reason"] == "DRAINING"
    world.hub.draining = False


# --- limits


@in_world
async def test_a_personal_key_has_no_window_on_meta_and_fortune_tools(world):
    for _ in range(70):
        assert (await world.ask("get_user_credits")).window is None


@in_world
async def test_an_agent_key_has_sixty_meta_calls_a_minute_over_both_tools(world):
    for number in range(60):
        tool = "get_user_credits" if number % 2 else "get_usage_history"
        outcome = await world.ask(tool, {}, AGENT)
        assert outcome.window.remaining == 59 - number
    error = await world.refused("get_user_credits", {}, AGENT)
    assert error.data == {
        "detail": "meta_call limit of 60 per minute reached",
        "limit_type": "meta_call",
        "limit": 60,
        "retry_after": 50,
    }
    world.clock.advance(50)
    assert (await world.ask("get_user_credits", {}, AGENT)).error is None


@in_world
async def test_a_post_that_was_refused_has_not_used_up_the_minute(world):
    assert (await world.refused("forum_create_post", {"title": "t"})).name == "INVALID_INPUT"
    assert (await world.told("forum_create_post", {"title": "t", "content": "c"}))["success"] is True
    assert (await world.refused("forum_create_post", {"title": "t"}, AGENT)).name == "RATE_LIMITED"


@in_world
async def test_what_is_left_of_a_limit_is_told_after_the_hit_was_given_back(world):
    for tool, most in (("forum_create_post", 1), ("forum_create_comment", 5)):
        outcome = await world.ask(tool, {})
        assert outcome.error.name == "INVALID_INPUT"
        assert (outcome.window.remaining, outcome.window.limit) == (most, most)
    outcome = await world.ask("forum_create_post", {"title": "t", "content": "c"})
    assert outcome.window.remaining == 0
    assert (await world.ask("forum_create_post", {})).window.remaining == 0


@in_world
async def test_a_hit_that_is_given_back_in_the_next_minute_tells_of_that_one(world):
    async def review(kind, text, author):
        world.clock.advance(60)
        return "reject", "no"

    world.hub.moderation.review = review
    outcome = await world.ask("forum_create_post", {"title": "t", "content": "c"})
    assert (outcome.error.data["reason"], outcome.window.remaining) == ("CONTENT_REJECTED", 1)


# --- arguments


@in_world
async def test_every_wrong_argument_is_named_at_once(world):
    error = await world.refused(T1, {**BIRTH, "birth_day": "15", "zodiac": "马", "location": "Beijing"})
    assert {issue["path"] for issue in error.data["issues"]} == {"birth_day", "zodiac", "location"}


@in_world
async def test_arguments_that_are_no_object_and_a_bad_key_are_told_together(world):
    outcome = await world.hub.call(Call(T1, "x", ME, "r", "two words"))
    assert [issue["path"] for issue in outcome.error.data["issues"]] == ["arguments", "idempotency_key"]


@pytest.mark.parametrize("arguments", [[], "x", 3, True])
@in_world
async def test_arguments_that_are_no_object_are_refused(world, arguments):
    outcome = await world.hub.call(Call("get_skill_info", arguments, ME, "r"))
    assert outcome.error.data["issues"] == [{"path": "arguments", "message": "Expected object"}]


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 129, "a\n"])
@in_world
async def test_an_idempotency_key_is_visible_ascii(world, key):
    error = await world.refused(T1, BIRTH, key=key)
    assert error.data["issues"][0]["path"] == "idempotency_key"


# --- money


@in_world
async def test_the_free_call_comes_before_credits(world):
    first = await world.ask(T1, BIRTH)
    second = await world.ask(T1, on_day(16))
    assert (first.credits_deducted, first.from_free_quota) == (0, True)
    assert (second.credits_deducted, second.from_free_quota) == (1, False)
    assert await world.money() == (24, 0)


@in_world
async def test_what_a_call_cost_is_in_its_answer_in_the_history_and_in_the_ledger(world):
    for tool in (T1, T2):
        await world.told(tool, BIRTH)
    outcome = await world.ask(T2, on_day(16))
    history = await world.told("get_usage_history")
    [record] = [each for each in history if each["id"] == outcome.call_id]
    spent = [entry.amount for entry in await world.storage.ledger.entries(ME.account_id)]
    assert (outcome.credits_deducted, record["credits_deducted"], spent) == (4, 4, [25, -4, -4])
    assert (record["status"], record["error"], record["tool_name"]) == ("success", None, T2)


@in_world(credits=3, topup_url="https://pay.example")
async def test_an_account_that_cannot_pay_is_told_all_figures(world):
    error = await world.refused(T2, BIRTH)
    assert error.data == {
        "detail": f"Balance is below the cost of {T2}",
        "reason": "BALANCE",
        "tool_name": T2,
        "balance": 3,
        "held": 0,
        "available": 3,
        "credit_cost": 4,
        "min_balance": 4,
        "topup_url": "https://pay.example",
    }


@in_world(credits=5, reader=partial(Reader, 15))
async def test_credits_that_running_calls_hold_are_said_to_be_reserved(world):
    reader = world.reader
    running = await world.held_up(reader)
    assert await world.money() == (5, 4)
    error = await world.refused(T2, on_day(16))
    assert (error.data["reason"], error.data["held"], error.data["available"]) == ("RESERVED", 4, 1)
    reader.gate.set()
    assert (await running).credits_deducted == 4
    assert await world.money() == (1, 0)


@in_world(reader=partial(Reader, 15))
async def test_fifty_equal_calls_under_one_key_are_executed_once_and_charged_once(world):
    reader = world.reader
    outcomes = await asyncio.gather(*(world.ask(T2, BIRTH, key="k") for _ in range(50)))
    assert reader.asked == 1
    assert len({outcome.result for outcome in outcomes}) == 1
    assert sorted(outcome.credits_deducted for outcome in outcomes) == [0] * 49 + [4]
    assert sum(outcome.replayed for outcome in outcomes) == 49


@sizes(40, 200)
@in_world(replay="off")
async def test_two_hundred_calls_spend_what_is_there_and_no_more(world, count):
    outcomes = await asyncio.gather(*(world.ask(T2, BIRTH, key=f"k{number}") for number in range(count)))
    paid = [outcome for outcome in outcomes if outcome.error is None]
    assert len(paid) == 6
    assert {outcome.error.name for outcome in outcomes if outcome.error} == {"INSUFFICIENT_CREDITS"}
    assert await world.money() == (1, 0)


# --- replay


@in_world
async def test_an_answer_that_nobody_saw_is_given_again_for_nothing(world):
    first = await world.ask(T2, BIRTH)
    again = await world.ask(T2, BIRTH)
    assert (again.result, again.credits_deducted, again.replayed) == (first.result, 0, True)
    assert again.call_id == first.call_id


@in_world
async def test_an_answer_that_was_seen_is_a_new_call_when_asked_again(world):
    await world.told(T2, BIRTH)
    again = await world.ask(T2, BIRTH)
    assert (again.credits_deducted, again.replayed) == (4, False)


@in_world
async def test_a_receipt_that_cannot_be_written_down_only_gives_the_answer_again(world):
    first = await world.ask(T2, BIRTH)
    kept, world.storage.ledger.delivered = world.storage.ledger.delivered, Broken(StoreError("full")).any
    await world.hub.delivered(first.undelivered)
    again = await world.ask(T2, BIRTH)
    assert (again.result, again.credits_deducted) == (first.result, 0)
    assert "delivered_failed" in {line["event"] for line in world.voices.logged}
    world.storage.ledger.delivered = kept


def test_receipts_are_written_down_together_and_before_the_hub_closes(monkeypatch):
    monkeypatch.setattr("bazi_hub.calls.state.SEEN_AFTER_S", 3600)

    async def story(world):
        written = []
        kept = world.storage.ledger.delivered

        async def note(call_ids):
            written.append(len(call_ids))
            await kept(call_ids)

        world.storage.ledger.delivered = note
        for day in range(1, 6):
            await world.told(T1, on_day(day))
        assert written == []
        await world.hub.close()
        assert written == [5]

    plays(story)


@in_world(replay="off")
async def test_without_replay_only_explicit_keys_give_an_answer_again(world):
    for key, paid in ((None, [4, 4]), ("k", [4, 0])):
        outcomes = [await world.ask(T2, BIRTH, key=key) for _ in range(2)]
        assert [outcome.credits_deducted for outcome in outcomes] == paid


@in_world
async def test_a_replayed_free_call_is_still_said_to_be_free(world):
    await world.ask(T1, BIRTH)
    again = await world.ask(T1, BIRTH)
    assert (again.replayed, again.from_free_quota) == (True, True)


@in_world
async def test_a_key_of_another_call_is_refused_without_effect(world):
    await world.ask(T2, BIRTH, key="k")
    for tool, arguments in (
        (T2, on_day(16)),
        (T1, BIRTH),
        ("forum_create_post", {"title": "t", "content": "c"}),
    ):
        error = await world.refused(tool, arguments, key="k")
        assert error.data["reason"] == "IDEMPOTENCY_KEY_REUSED"
    assert await world.money() == (21, 0)


@in_world
async def test_a_post_under_a_key_is_stored_once(world):
    wanted = {"title": "t", "content": "c"}
    first = await world.ask("forum_create_post", wanted, key="k")
    world.clock.advance(60)
    again = await world.ask("forum_create_post", wanted, key="k")
    assert (again.result, first.replayed, again.replayed) == (first.result, False, True)
    assert len((await world.told("forum_list_posts"))["posts"]) == 1


@in_world
async def test_the_same_numbers_written_otherwise_are_the_same_call(world):
    first = await world.ask(T2, BIRTH)
    again = await world.ask(T2, {**BIRTH, "birth_year": 1990.0})
    assert again.call_id == first.call_id


# --- faults


@pytest.mark.parametrize(
    ("tool", "part", "code"),
    [
        ("get_user_credits", "ledger", "META_ERROR"),
        ("forum_list_posts", "forum", "FORUM_ERROR"),
        (T1, "ledger", "INTERNAL_ERROR"),
    ],
)
@in_world
async def test_a_store_that_fails_is_the_fault_of_the_category(world, tool, part, code):
    kept = getattr(world.storage, part)
    setattr(world.storage, part, Broken(StoreError("disk full")))
    error = await world.refused(tool, BIRTH if tool == T1 else {})
    assert (error.name, error.data["request_id"]) == (code, "req-1")
    assert "disk" not in json.dumps(error.data)
    setattr(world.storage, part, Broken(StoreError("read only", read_only=True)))
    assert (await world.refused(tool, BIRTH if tool == T1 else {})).name == "CONFIG_ERROR"
    setattr(world.storage, part, kept)


@in_world
async def test_limits_that_cannot_be_counted_are_a_fault_too(world):
    world.hub.limits = Broken(StoreError("gone"))
    assert (await world.refused(T1, BIRTH, AGENT)).name == "INTERNAL_ERROR"


@in_world
async def test_a_tool_without_a_price_is_a_matter_of_configuration(world):
    world.storage.tables.prices.pop(T1)
    assert (await world.refused(T1, BIRTH)).name == "CONFIG_ERROR"


@in_world
async def test_a_call_is_logged_without_birth_or_words(world):
    await world.told(T1, BIRTH)
    [line] = [each for each in world.voices.logged if each["event"] == "call"]
    assert (line["tool"], line["code"], line["account_id"], line["key_id"]) == (
        T1, "OK", ME.account_id, "key-1",
    )  # fmt: skip
    assert "1990" not in json.dumps(line)
    assert "Beijing" not in json.dumps(line)


def test_a_hub_can_be_asked_without_an_event_loop():
    clock = SystemClock()
    hub = Hub(Settings(), storage=MemoryStorage(clock, SystemIds()), limits=MemoryLimits(clock))
    outcome = hub.dispatch_sync("get_skill_info", {}, ME)
    assert len(json.loads(outcome.result)["tools"]) == 12
    hub.close_sync()
