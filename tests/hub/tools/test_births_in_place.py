"""A year from a birth in place of its parents: they are called for first, at their own prices, and have handles."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bazi_hub.money.prices import DEFAULT_PRICES
from tests.hub.worlds import AGENT, BIRTH, ME, T1, T2, T3, T4, Reader, in_world, plays

if TYPE_CHECKING:
    from tests.hub.worlds import World

YEAR = 2026
NOWHERE = {"city_name": "Nowhereville"}
BORN = {"birth": BIRTH, "target_year": YEAR}
COST = {price.tool: price.credit_cost for price in DEFAULT_PRICES}
# The first chart of an account is free.
WHOLE = COST[T2] + COST[T3]


@in_world
async def test_a_year_from_a_birth_is_that_of_its_parents(world: World) -> None:
    found = await world.told(T3, {**BORN, "detail": "full"})
    base = await world.told(T1, BIRTH)
    pattern = await world.told(T2, base)
    assert (
        found["year_analysis_result"]
        == (await world.told(T3, {**base, **pattern, "target_year": YEAR}))["year_analysis_result"]
    )


@in_world
async def test_it_costs_what_the_calls_cost_that_it_replaces_and_each_is_in_the_history(world: World) -> None:
    outcome = await world.ask(T3, BORN)
    assert (outcome.credits_deducted, await world.money()) == (WHOLE, (25 - WHOLE, 0))
    records = await world.storage.ledger.history(ME.account_id, 10)
    assert {record.tool: record.credits_deducted for record in records} == {T1: 0, T2: COST[T2], T3: COST[T3]}


@in_world
async def test_its_handles_lead_on_to_a_reading(world: World) -> None:
    found = await world.told(T3, BORN)
    assert "facts" not in found["year_analysis_result"]
    read = await world.told(
        T4,
        {
            "year_analysis_result": found["year_analysis_result"]["handle"],
            "pattern_result": found["handles"]["pattern_result"],
        },
    )
    assert read["final_result"]["narrative"]
    again = {**found["handles"], "target_year": YEAR + 1}
    assert (await world.told(T3, again))["year_analysis_result"]["target_year"] == YEAR + 1


def test_nothing_begins_that_the_balance_does_not_cover_to_the_end() -> None:
    async def story(world: World) -> None:
        error = await world.refused(T3, BORN)
        assert (error.name, error.members["credit_cost"]) == ("INSUFFICIENT_CREDITS", WHOLE)
        assert await world.storage.ledger.history(ME.account_id, 10) == []

    plays(story, credits=WHOLE - 1)


@in_world(credits=WHOLE)
async def test_a_call_that_is_repeated_under_its_key_is_paid_once_also_with_nothing_left(
    world: World,
) -> None:
    first = await world.ask(T3, BORN, key="order-7")
    again = await world.ask(T3, BORN, key="order-7")
    assert again.error is None
    assert (again.result, again.credits_deducted, again.replayed) == (first.result, 0, True)
    other = await world.refused(T3, {**BORN, "target_year": YEAR + 1}, key="order-7")
    assert other.members["reason"] == "IDEMPOTENCY_KEY_REUSED"
    assert await world.money() == (0, 0)


@in_world(credits=WHOLE)
async def test_an_answer_that_was_lost_comes_again_for_nothing(world: World) -> None:
    first = await world.ask(T3, BORN)
    again = await world.ask(T3, BORN)
    assert (again.error, again.result, again.credits_deducted) == (None, first.result, 0)


@in_world
async def test_two_that_ask_at_once_under_one_key_pay_once(world: World) -> None:
    one, two = await asyncio.gather(*(world.ask(T3, BORN, key="order-8") for _ in range(2)))
    assert one.result == two.result
    assert await world.money() == (25 - WHOLE, 0)


@in_world
async def test_what_is_wrong_in_the_birth_or_beside_it_is_told_at_its_path_before_anything_is_paid(
    world: World,
) -> None:
    for arguments, path, words in (
        ({"birth": {**BIRTH, "birth_hour": "13:30"}, "target_year": YEAR}, "birth.birth_hour", "write 13"),
        ({"birth": {**BIRTH, "birth_day": 31, "birth_month": 2}, "target_year": YEAR}, "birth.birth_day", "no day 31"),
        ({"birth": {**BIRTH, "city": "Beijing"}, "target_year": YEAR}, "birth.city", "use birth.location.city_name"),
        ({"birth": {**BIRTH, "location": NOWHERE}, "target_year": YEAR}, "birth.location.city_name", "longitude"),
        ({"birth": BIRTH, "target_year": 1980}, "target_year", ""),
        ({**BORN, "base_context": {}}, "birth", "not both"),
        ({"target_year": YEAR}, "base_context", "Required"),
        ({"birth": "1990-05-15", "target_year": YEAR}, "birth", "Expected object"),
    ):  # fmt: skip
        error = await world.refused(T3, arguments)
        told = {each["path"]: each["message"] for each in error.members["issues"]}
        assert words in told[path], (arguments, told)
    assert await world.storage.ledger.history(ME.account_id, 10) == []


@in_world
async def test_a_gender_in_words_is_taken_and_the_language_is_that_of_the_year(world: World) -> None:
    found = await world.told(T3, {"birth": {**BIRTH, "gender": "男"}, "target_year": YEAR, "language": "en"})
    assert found["year_analysis_result"]["target_year"] == YEAR


@in_world(credits=100)
async def test_it_counts_as_the_calls_that_it_replaces_against_the_limit_of_an_agent(world: World) -> None:
    for _ in range(3):
        assert (await world.ask(T3, BORN, AGENT)).error is None
    assert (await world.ask(T3, {"birth": BIRTH, "target_year": 2030}, AGENT)).error.name == "RATE_LIMITED"


def test_a_parent_that_fails_is_the_error_of_the_call_and_the_year_is_not_charged() -> None:
    reader = Reader()
    reader.error = RuntimeError("away")

    async def story(world: World) -> None:
        error = (await world.ask(T3, BORN)).error
        assert error is not None
        assert error.name in ("UPSTREAM_ERROR", "REST_ERROR", "INTERNAL_ERROR")
        assert await world.money() == (25, 0)

    plays(story, reader=reader)
