"""What stands in the objects of t1–t4, how large they are, and when two calls are one."""

import json
import random
from calendar import monthrange

import pytest

from bazi_hub.tools.births import chart_of
from bazi_hub.words.settings import Settings
from tests.hub.worlds import BIRTH, T1, T2, T3, T4, in_world, plays
from tests.sizes import sizes

KIB = 1024
YEAR = 2026
HEAD = {"schema_version", "engine_version", "input", "school", "digest", "warnings"}


def results(**arguments):
    """The object of each tool of the chain, by its name."""
    found = {}

    async def story(world):
        birth = {**BIRTH, **arguments}
        for tool, wanted in (
            (T1, lambda: birth),
            (T2, lambda: birth),
            (T3, lambda: {"base_context": found[T1], "pattern_result": found[T2], "target_year": YEAR}),
            (T4, lambda: {"year_analysis_result": found[T3], "pattern_result": found[T2]}),
        ):
            whole = await world.told(tool, wanted())
            [(name, found[tool])] = whole.items()
            found[name] = found[tool]

    plays(story, credits=100)
    return found


def test_a_result_is_one_object_under_its_published_name():
    found = results()
    assert {name for name in found if "_" in name} == {
        T1, T2, T3, T4, "base_context", "pattern_result", "year_analysis_result", "final_result",
    }  # fmt: skip


def test_every_object_says_where_it_comes_from():
    found = results()
    for tool in (T1, T2, T3, T4):
        assert set(found[tool]) >= HEAD, tool
    base, pattern, year, final = (found[tool] for tool in (T1, T2, T3, T4))
    assert pattern["base_digest"] == year["base_digest"] == base["digest"]
    assert year["pattern_digest"] == final["pattern_digest"] == pattern["digest"]
    assert final["year_digest"] == year["digest"]


def test_the_published_members_have_their_types():
    found = results()
    base, pattern, final = (found[tool] for tool in (T1, T2, T4))
    assert all(isinstance(base["four_pillars"][name], str) for name in ("year", "month", "day", "hour"))
    assert isinstance(pattern["pattern_type"], str)
    assert all(isinstance(god, str) for god in pattern["useful_gods"])
    assert type(final["score"]) is int
    assert 0 <= final["score"] <= 100
    assert isinstance(final["level"], str)
    assert isinstance(final["narrative"], str)


def test_an_unknown_hour_is_null_in_the_chart_and_goes_through_the_whole_chain():
    found = results(birth_hour=None, birth_minute=None)
    assert found[T1]["four_pillars"]["hour"] is None
    assert "HOUR_UNKNOWN" in {warning["code"] for warning in found[T1]["warnings"]}
    assert found[T4]["narrative"]


@sizes(8, 60)
def test_charts_and_years_stay_within_64_kilobytes_and_a_year_with_its_pattern_within_what_a_request_may_hold(
    count,
):
    chance = random.Random(8)
    for _ in range(count):
        year, month = chance.randint(1900, 2090), chance.randint(1, 12)
        birth = {
            **BIRTH, "birth_year": year, "birth_month": month, "birth_day": chance.randint(1, monthrange(year, month)[1]),
            "birth_hour": chance.randint(0, 23), "gender": chance.choice(["male", "female"]),
            "location": {"city_name": "a farm", "longitude": chance.uniform(-180, 180), "timezone_offset": 8},
        }  # fmt: skip
        chart = chart_of(birth)
        later = chart.year(min(year + chance.randint(1, 90), 2100))
        assert len(chart.to_json().encode()) <= 64 * KIB
        assert len(later.to_json().encode()) <= 64 * KIB
        request = {"year_analysis_result": later.to_dict(), "pattern_result": later.pattern.to_dict()}
        assert len(json.dumps(request, ensure_ascii=False).encode()) <= Settings().body_limit


@pytest.mark.parametrize(("language", "words"), [("zh-Hans", "用神"), ("zh-Hant", "強"), ("en", " the ")])
def test_a_pattern_is_told_in_no_other_language_than_the_one_asked_for(language, words):
    told = {}

    async def story(world):
        for each in ("zh-Hans", "zh-Hant", "en"):
            told[each] = (await world.told(T2, {**BIRTH, "language": each}))["pattern_result"]["narrative"]

    plays(story, credits=100)
    assert len(set(told.values())) == 3
    assert words in told[language]
    assert (sum(letter.isascii() for letter in told[language]) > len(told[language]) / 2) == (
        language == "en"
    )


@in_world(credits=100)
async def test_a_call_with_a_wrapped_or_altered_parent_is_the_same_call(world):
    """Found by what the parents are made again from, after they were taken out of what they came in."""
    base, pattern = await world.told(T1, BIRTH), await world.told(T2, BIRTH)
    bare = {
        "base_context": base["base_context"],
        "pattern_result": pattern["pattern_result"],
        "target_year": YEAR,
    }
    first = await world.ask(T3, bare)
    forms = (
        {**bare, "base_context": {"partial": base}},
        {**bare, "pattern_result": {"final_result": pattern}},
        {**bare, "target_year": float(YEAR)},
        {
            **bare,
            "pattern_result": {**pattern["pattern_result"], "warnings": [{"code": "X"}], "narrative": "Y"},
        },
    )
    for arguments in forms:
        again = await world.ask(T3, arguments)
        assert (again.call_id, again.credits_deducted, again.replayed) == (first.call_id, 0, True)
    other = await world.ask(T3, {**bare, "target_year": YEAR + 1})
    assert (other.credits_deducted, other.replayed) == (1, False)


@in_world(credits=100)
async def test_json_of_a_result_has_no_blanks_and_no_escapes(world):
    for tool, arguments in ((T1, BIRTH), (T2, BIRTH), ("get_skill_info", {}), ("get_user_credits", {})):
        text = (await world.ask(tool, arguments)).result
        assert "\\u" not in text
        assert json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")) == text
