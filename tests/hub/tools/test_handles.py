"""Handles, stubs and compact results: a chain that a model can repeat."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.tools.test_fortune import ANALYSIS, BASE, PATTERN, YEAR, parents
from tests.hub.worlds import BIRTH, T1, T2, T3, T4, in_world, plays
from tests.sizes import sizes
from tests.tables import holds_for_all

if TYPE_CHECKING:
    from tests.hub.worlds import World

MOST = 6 * 1024
PLACES = ["Beijing", "Shanghai", "台北", "Tokyo", "Singapore", "乌鲁木齐", "Paris"]


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


async def chain(world: World, birth: dict[str, Any], year: int) -> tuple[list[Any], list[Any]]:
    """The arguments and results of t1 to t4 over handles."""
    asked: list[Any] = []
    read: list[Any] = []

    async def step(tool: str, **arguments: Any) -> Any:
        asked.append(arguments)
        read.append(await world.told(tool, arguments))
        return next(iter(read[-1].values())).get("handle")

    base = await step(T1, **birth, detail="compact")
    pattern = await step(T2, base_context=base)
    analysis = await step(T3, base_context=base, pattern_result=pattern, target_year=year)
    await step(T4, year_analysis_result=analysis, pattern_result=pattern, question="今年适合换工作吗？")
    return asked, read


def births(count: int) -> list[dict[str, Any]]:
    draw = random.Random(18)
    return [
        {
            "birth_year": draw.randint(1920, 2015), "birth_month": draw.randint(1, 12), "birth_day": draw.randint(1, 28),
            "birth_hour": draw.randint(4, 23), "birth_minute": draw.randint(0, 59),
            "gender": draw.choice(["male", "female"]), "location": {"city_name": draw.choice(PLACES)},
        }
        for _ in range(count)
    ]  # fmt: skip


@sizes(3, 60)
@in_world(credits=100_000)
async def test_a_chain_over_handles_takes_six_kilobytes_and_gives_six_at_each_step(
    world: World, count: int
) -> None:
    for birth in births(count):
        asked, read = await chain(world, birth, 2026)
        assert sum(map(size, asked)) <= MOST
        for result in read:
            assert size(result) <= MOST, (birth, next(iter(result)), size(result))
        assert read[-1]["final_result"]["narrative"]


@in_world(credits=100)
async def test_objects_by_handle_are_those_that_whole_parents_give(world: World) -> None:
    _, read = await chain(world, BIRTH, YEAR)
    whole = parents()
    for result, name, at in zip(
        read, ("base_context", "pattern_result", "year_analysis_result"), (BASE, PATTERN, ANALYSIS), strict=False
    ):  # fmt: skip
        found = result[name]
        assert found["digest"] == whole[at]["digest"]
        assert "facts" not in found
        assert {member: found[member] for member in ("input", "school")} == {
            member: whole[at][member] for member in ("input", "school")
        }
    again = await world.told(T3, {
        "base_context": read[0], "pattern_result": read[1]["pattern_result"], "target_year": YEAR,
    })  # fmt: skip
    assert again["year_analysis_result"] == whole[ANALYSIS]


def test_every_form_of_a_parent_gives_the_same_year() -> None:
    base, pattern, year = parents()
    stub = {name: base[name] for name in ("input", "school", "schema_version", "engine_version", "digest")}

    async def story(world: World) -> None:
        handle = (await world.ask(T1, BIRTH)).call_id
        for form in (
            base,
            stub,
            json.dumps(base, ensure_ascii=False),
            json.dumps({"base_context": stub}),
            handle,
        ):
            arguments = {
                "base_context": form,
                "pattern_result": pattern,
                "target_year": YEAR,
                "detail": "full",
            }
            assert (await world.told(T3, arguments))["year_analysis_result"] == year

    plays(story, credits=100)


def test_a_handle_is_of_its_account_and_of_the_result_that_is_asked_for() -> None:
    from tests.hub.worlds import ME

    async def story(world: World) -> None:
        handle = (await world.ask(T1, BIRTH)).call_id
        for given, caller in (("no-such-handle", ME), (handle, ME._replace(account_id="account-2"))):
            error = await world.refused(T2, {"base_context": given}, caller)
            assert error.members["issues"][0]["path"] == "base_context"
            assert "Unknown handle" in error.members["issues"][0]["message"]
        arguments = {"base_context": handle, "pattern_result": handle, "target_year": YEAR}
        wrong = await world.refused(T3, arguments)
        assert wrong.members["issues"][0]["path"].startswith("pattern_result")

    plays(story, credits=100)


OBJECTS = [
    (T2, "base_context", BASE),
    (T3, "base_context", BASE),
    (T3, "pattern_result", PATTERN),
    (T4, "pattern_result", PATTERN),
    (T4, "year_analysis_result", ANALYSIS),
]


@holds_for_all("tool, name, at", OBJECTS)
def test_an_object_without_its_school_or_engine_is_refused_and_not_paid(
    tool: str, name: str, at: int
) -> None:
    base, pattern, year = parents()
    right = {
        T2: {"base_context": base},
        T3: {"base_context": base, "pattern_result": pattern, "target_year": YEAR},
        T4: {"year_analysis_result": year, "pattern_result": pattern},
    }[tool]

    async def story(world: World) -> None:
        before = await world.money()
        for missing in ("school", "engine_version"):
            bare = {member: value for member, value in parents()[at].items() if member != missing}
            error = await world.refused(tool, {**right, name: bare})
            assert {"path": f"{name}.{missing}", "message": "Required"} in error.members["issues"]
        assert await world.money() == before

    plays(story)


@pytest.mark.parametrize("tool", [T1, T2])
@in_world
async def test_a_full_result_is_what_it_was_and_carries_no_handle(world: World, tool: str) -> None:
    found = next(iter((await world.told(tool, BIRTH)).values()))
    assert found == parents()[BASE if tool == T1 else PATTERN]
    assert "handle" not in found
