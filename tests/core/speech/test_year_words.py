"""What a reading of a year says of its events: one sign for one fact, few grounds, no sign named twice."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.happenings import GROUNDS, heaviest
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.topic_filter import spares_partners
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.drawn import drawn_results
from tests.core.readings.written import is_year
from tests.sizes import both

# Events by which the branch of the year meets one branch of the chart: that of the birth year, of the day.
AT_BRANCH = ("E-04", "E-05", "E-06", "E-07", "E-08", "E-09", "E-10", "E-11")


@pytest.fixture(scope="module", params=both(40, 200))
def years(request: pytest.FixtureRequest) -> list[Any]:
    return [each for each in drawn_results(random.Random(41), 2 * request.param) if is_year(each)]


def test_events_at_one_sign_of_the_chart_are_told_in_one_sentence_with_one_side(years):
    for year in years:
        events = {event.id: event for event in year.events if event.rule in AT_BRANCH}
        told: dict[tuple[str, ...], str] = {}
        for each in year_plan(year).statements:
            if each.key.startswith("event."):
                assert each.values["effect"].key.removesuffix(".of") in ("side.吉", "side.凶", "side.平")
                for event in (events[name] for name in each.evidence if name in events):
                    places = tuple(where for where, _ in event.members[:-1])
                    assert told.setdefault(places, each.id) == each.id, (year.pillar, told)


def test_a_dynamic_is_told_with_at_most_three_grounds_of_its_own(years):
    told = [each for year in years for each in year_plan(year).statements if each.key.startswith("dyn.year.")]
    assert told
    for each in told:
        assert 0 < len(each.values["said"]) <= GROUNDS
    said = [event.said for year in years for event in year.events if event.is_dynamic]
    assert any(len(each) > GROUNDS for each in said)
    for each in said:
        assert set(heaviest(each)) <= set(each)


def test_a_triple_punishment_names_each_sign_once(years):
    for year in years:
        for each in year_plan(year).statements:
            if each.key == "completed.三刑":
                signs = [member.sign.hanzi for member in each.values["members"]]
                assert 2 <= len(signs) == len(set(signs)) <= 3


# Ties by which a sign of the year moves a sign of the chart or of the luck.
MOVING = ("干合", "干冲", "六合", "六冲", "刑", "六害", "六破")
QUIET = "events.quiet"


def test_a_year_is_called_quiet_only_where_no_sign_of_it_meets_the_chart_or_the_luck(years):
    for year in years:
        moved = [
            each for each in year.relations
            if each.type in MOVING and "liunian" in dict(each.members) and len(each.members) == 2
        ]  # fmt: skip
        keys = {each.key for each in year_plan(year).statements}
        assert not (QUIET in keys and moved), (year, moved)
        assert not (
            QUIET in keys and [each for each in keys if each.startswith(("year.ties.only", "event."))]
        )


def test_ties_that_no_event_tells_are_named_with_the_pillar_that_they_meet():
    year = bz.chart("1963-10-08 12:00", city="San Francisco", gender="female").year(2027)
    told = next(each for each in year_plan(year).statements if each.key == "year.ties.only")
    text = Speaker("zh-Hans").say(told.key, told.values)
    assert "流年天干丁" in text
    assert "年干癸干冲" in text
    assert "动到的正是用神水" in text
    assert "流年地支未与时支午六合" in text
    undone = bz.chart("2001-06-27 03:25", city="Mumbai", gender="female").year(2028)
    told = next(each for each in year_plan(undone).statements if each.key == "year.ties.only")
    assert "其间的刑、六破由此化解" in Speaker("zh-Hans").say(told.key, told.values)


SHAKING = ("冲夫妻宫", "冲提纲", "反吟", "用神受冲", "用神合绊")


def test_a_month_that_shakes_the_chart_is_not_recommended(years):
    for year in years:
        spares = spares_partners(year, frozenset())
        harmed = {
            month.pillar.value for month in year.months
            for each in month.events
            if each.polarity == "凶" and each.name in SHAKING and not (spares and "夫妻宫" in each.name)
        }  # fmt: skip
        for plan in (year_plan(year), year_plan(year, asked=Asked("career", "when", horizon="months"))):
            for each in plan.statements:
                if each.key in ("month.best", "answer.when", "answer.when.both"):
                    assert harmed.isdisjoint(month.values["pillar"].hanzi for month in each.values["months"])


def test_a_month_that_makes_a_punishment_complete_again_is_not_recommended():
    year = bz.chart("1985-12-02 10:00", city="高雄", gender="male").year(2027)
    for plan in (year_plan(year), year_plan(year, asked=Asked("career", "when", horizon="months"))):
        for each in plan.statements:
            if each.key in ("month.best", "answer.when", "answer.when.both"):
                assert "丁未" not in [month.values["pillar"].hanzi for month in each.values["months"]]


@pytest.mark.parametrize(
    ("birth", "city", "year", "age"),
    [
        ("1957-01-25 02:15", "Dublin", 2028, 72),
        ("1990-01-15 10:00", "北京", 2027, 38),
        ("1973-01-20 10:00", "北京", 2027, 55),
    ],
)
def test_an_age_counted_from_january_is_told_beside_that_of_the_year_pillar(birth, city, year, age):
    text = str(
        bz.read(bz.chart(birth, city=city, gender="male").year(year), language="zh-Hans").reading.sentences
    )
    assert f"虚岁{age}（生在立春之前，按干支年数是{age + 1}）" in text
    later = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2027)
    assert "虚岁38" in str(bz.read(later, language="zh-Hans").reading.sentences)
    assert "按年柱数" not in str(bz.read(later, language="zh-Hans").reading.sentences)


def test_a_birth_near_an_edge_is_told_in_a_year_too_where_the_useful_god_stays(years):
    told = [{each.key for each in year_plan(year).statements} for year in years]
    assert any("year.edge.same" in keys or "year.edge.zi.same" in keys for keys in told)
    assert not any(
        len(keys & {"year.edge", "year.edge.same", "year.edge.zi", "year.edge.zi.same"}) > 1 for keys in told
    )


def test_two_readings_of_an_open_strength_are_told_apart(years):
    for year in years:
        keys = {each.key for each in year_plan(year).statements}
        other = [
            each
            for each in year.alternatives
            if each.pattern.useful.order[0] is not year.pattern.useful.order[0]
        ]
        assert ("answer.decides" in keys) is bool(other)


def test_nobody_is_told_of_love_who_asks_about_a_court_or_an_illness():
    year = bz.chart("1979-10-02 09:30", city="兰州", gender="male").year(2027)
    for question in ("会不会被起诉？", "2027年身体怎么样？", "官司能赢吗？"):
        keys = {
            each.statement for each in bz.read(year, question=question, language="zh-Hans").reading.sentences
        }
        assert not any((key or "").startswith("area.relationship") for key in keys), question


def test_a_year_that_is_over_is_looked_back_on_and_not_advised():
    """Months to act in and counsel are for a year that is still to come, or runs."""
    year = bz.chart("1975-06-18 05:20", city="合肥", gender="female").year(2024)
    past = {each.statement for each in bz.read(year, as_of="2026-11-28").reading.sentences}
    running = {each.statement for each in bz.read(year, as_of="2024-06-01").reading.sentences}
    assert {"year.past", "month.best.past", "month.care.past"} <= past
    assert {"month.best", "month.care"} <= running
    advised = {each for each in running if (each or "").startswith("advice.")}
    assert advised
    assert not advised & past


ADVICE = re.compile("⟨([^⟩]*)⟩")


def test_what_a_row_advises_is_marked_in_every_language():
    marked = 0
    for key, variants in catalogue().items():
        for row in variants:
            found = [len(ADVICE.findall(row[language])) for language in LANGUAGES]
            assert len({*found}) == 1, key
            assert all(
                row[language].count("⟨") == row[language].count("⟩") == found[0] for language in LANGUAGES
            )
            marked += found[0]
    assert marked > 50


def test_a_year_that_is_over_is_told_without_advice(years):
    advice = {
        part
        for variants in catalogue().values()
        for row in variants
        for part in ADVICE.findall(row["zh-Hans"])
    }
    for year in years[:40]:
        plan = year_plan(year, after=year.months[-1].end)
        told = "".join(each.text for each in Speaker("zh-Hans", plan.digest).reading(plan).sentences)
        assert plan.is_over
        assert not [part for part in advice if part in told]


def test_what_luck_alone_gathers_stands_behind_the_events_of_the_year(years):
    seen = 0
    for year in years:
        keys = [each.key for each in year_plan(year).statements if each.key.startswith("event.")]
        at = [number for number, key in enumerate(keys) if key == "event.luck"]
        assert at == [*range(len(keys) - len(at), len(keys))]
        seen += len(at)
    assert seen


def test_a_stem_that_is_bound_brings_but_a_part_in_every_side_of_life():
    year = bz.chart("1990-02-17 10:10", city="福州", gender="male").year(2027)
    told = {
        each.statement: each.text for each in bz.read(year, language="zh-Hans", plain=False).reading.sentences
    }
    assert "不过它被大运的字合住" in told["made.year"]
    assert "不过它被流年的字合住" in told["made.luck"]
    assert "被合住只应得一部分" in told["area.career.high"]
    assert "同样只应得一部分" in told["area.wealth.high"]
    assert "冲夫妻宫" in told["area.relationship.fair.stirred"]
    assert "同时有三会把它牵住" in told["event.same"]
    assert "again.luck" not in told
