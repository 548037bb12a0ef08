"""Laws of all statements: what a slot holds stands in a cited fact, sides are introduced, the running decade is named."""

from __future__ import annotations

import re
from random import Random

import pytest

import bazi_core as bz
from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.diagnosis import diagnosis_rows
from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.pattern.walk import TOLD
from bazi_core.readings.cast import read as read_cast
from bazi_core.readings.sight import beside, in_sight
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.plan import COUNTER, DEPTHS
from bazi_core.speech.reading import LONG
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.asked import BEYOND, Asked
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.statements.years import years_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.drawn import (
    AS_OF,
    SHARE,
    births,
    cast_plans,
    drawn_births,
    drawn_casts,
    drawn_question,
    plans,
)
from tests.core.speech.laws import ill_worded


def test_ids_of_a_plan_are_its_own():
    for plan in (*plans(SHARE), *cast_plans(SHARE)):
        assert len({each.id for each in plan.statements}) == len(plan.statements)


def test_the_running_decade_is_named_whenever_it_is_known():
    known = 0
    for chart in births(SHARE):
        running = chart.running(AS_OF)
        for length in DEPTHS:
            keys = [
                each.key
                for each in pattern_plan(chart.pattern(), running=running).shortened(length).statements
            ]
            assert any(key.startswith("walk.now") for key in keys) is (running.state == "decade"), (
                chart,
                length,
            )
        known += running.state == "decade"
    assert known > SHARE // 2


def test_what_is_asked_is_answered_first_in_five_sentences_one_for_each_further_side_and_one_for_the_date():
    draw = Random(19)
    for chart in births(SHARE):
        asked, result, running = drawn_question(draw, 2026), chart.pattern(), chart.running(AS_OF)
        for plan in (
            pattern_plan(result, frozenset(), running, asked, in_sight(result, asked, running)),
            year_plan(chart.year(2026), frozenset(), asked, beside(chart.year(2026), asked)),
            *([years_plan(chart.years(2026, 2028), frozenset(), asked)] if draw.random() < 0.2 else ()),
        ):
            reading = Speaker("en", plan.digest).reading(plan.shortened("short"))
            assert reading.summary[0].statement.startswith("answer.")
            # That the hour may turn the useful god, or lies at an edge, stands with the answer.
            of_hour = ("hour_unknown.", "year.edge.")
            summary = [each for each in reading.summary if not each.statement.startswith(of_hour)]
            # A home and debts have a word on whose decision they are, and what no single chart holds has one that says so.
            beside_it = bool(asked.ahead) + (asked.matter in ("home", "debt")) + len(asked.marks)
            assert len(summary) <= 5 + len(asked.also) + beside_it
            assert all(each.statement.startswith("answer.") for each in summary)


def test_a_domain_that_scores_do_not_know_is_out_of_reach_or_told_by_what_tradition_looks_at():
    chart = next(drawn_births(1, 20))
    told = {
        domain: [plan.statements[0].key for plan in (
            year_plan(chart.year(2026), frozenset(), Asked(domain)), pattern_plan(chart.pattern(), asked=Asked(domain)),
        )]
        for domain in BEYOND
    }  # fmt: skip
    assert told["lawsuit"] == ["answer.scope", "answer.chart.scope"]
    assert told["direction"] == ["answer.direction.open", "answer.direction.open"]
    assert [each.rpartition(".")[0] for each in told["travel_move"]] == ["answer.move", "answer.move"]


@pytest.mark.parametrize("matter", ["", "colour", "naming"])
def test_what_goes_with_an_element_is_told_by_both_readings_where_they_want_different_ones(matter):
    met = 0
    for chart in drawn_births(60, 20):
        result = chart.pattern()
        wanted = {each.useful.order[0] for each in (result, *result.alternatives) if each.useful.order}
        plan = pattern_plan(result, asked=Asked("direction", matter=matter))
        key = f"answer.{matter or 'direction'}"
        assert plan.statements[0].key == (f"{key}.open" if len(wanted) > 1 else key)
        met += len(wanted) > 1
    assert 0 < met < 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_counter_ground_is_introduced_as_one(language):
    ties = [key for key in catalogue() if key.partition(".")[0] == "counter"]
    marks = {row[language].partition("{")[0] for key in ties for row in catalogue()[key]}
    met = 0
    for plan in cast_plans(SHARE):
        sentences = Speaker(language, plan.digest).reading(plan).sentences
        for each, sentence in zip(plan.statements, sentences, strict=True):
            assert each.relation != COUNTER or sentence.text.startswith(tuple(marks))
            met += each.relation == COUNTER
    assert met > SHARE // 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [SHARE, pytest.param(5 * SHARE, marks=pytest.mark.exhaustive)])
def test_no_sentence_has_an_open_slot_or_a_doubled_sign(language, count):
    for plan in (*plans(count), *cast_plans(count)):
        assert ill_worded(plan, language) == []


def test_the_same_object_always_reads_the_same_and_two_objects_seldom_do():
    texts = [str(bz.read(chart)) for chart in drawn_births(30, 23)]
    assert texts == [str(bz.read(chart)) for chart in drawn_births(30, 23)]
    assert len({*texts}) == len(texts)


def test_a_cast_of_life_and_death_has_no_plan_at_all():
    analysis = next(drawn_casts(1, 24))
    assert read_cast(analysis, question="我爸还能活多久").status == "declined"


def test_every_diagnosis_and_every_dynamic_has_its_words():
    keys = {row.key for row in diagnosis_rows()}
    words = {each.split(".")[1] for each in catalogue() if each.startswith("diagnosis.")}
    assert keys <= words
    assert {f"dyn.sense.{rule.name}" for rule in dynamic_rules()} <= catalogue().keys()
    assert {f"sense.{name}" for name in TOLD} <= catalogue().keys()


def test_ties_of_one_type_that_a_decade_makes_are_told_in_one_sentence() -> None:
    chart = bz.chart("1968-02-14 00:20", city="南京", gender="male")
    plan = pattern_plan(chart.pattern(), running=chart.running("2026-11-22"))
    text = str(Speaker("zh-Hans", plan.digest).reading(plan).narrative("zh-Hans"))
    assert "月支寅与大运地支申六冲，日支寅与大运地支申六冲，主题是变动与更新。" in text


def test_what_is_left_to_others_is_said_to_be_so_at_once() -> None:
    chart = bz.chart("1976-09-09 09:09", city="武汉", gender="female")
    for told in (
        bz.read(chart, question="官司会赢吗").reading,
        bz.read(chart.year(2027), question="官司会赢吗").reading,
    ):
        assert told.sentences[0].text == "官司与法律上的事要听律师的，这里不作判断；下面只看其余的部分。"


def test_why_is_answered_by_the_diagnosis() -> None:
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    told = bz.read(chart, question="为什么我总是不顺？", as_of="2026-11-22").reading.summary
    assert any(each.text.startswith("整张盘的关键在于") for each in told)


@pytest.mark.parametrize("length", ["short", "standard", "long"])
def test_the_share_of_an_element_is_told_once(length) -> None:
    for birth in births(25, 16):
        plan = pattern_plan(birth.pattern(), running=birth.running("2026-11-28")).shortened(length)
        for lang in LANGUAGES:
            told = " ".join(each.text for each in Speaker(lang, plan.digest).reading(plan).sentences)
            assert len(re.findall("[0-9]%", told)) <= len(ELEMENTS), told


def test_the_strongest_tie_of_a_chart_is_no_combination_from_afar_beside_a_clash_of_neighbours() -> None:
    met = 0
    for birth in births(25, 17):
        result = birth.pattern()
        told = next((each for each in pattern_plan(result).statements if each.key == "ties.first"), None)
        if told is not None:
            by_id = {each.id: each for each in result.chart.relations}
            first = next(by_id[name] for name in told.evidence if name in by_id)
            clashes = [
                each for each in result.chart.relations
                if each.type in ("六冲", "天克地冲") and each.status == "成立"
            ]  # fmt: skip
            if first.type not in ("三合", "三会") and clashes:
                met += 1
                assert first.strength >= max(each.strength for each in clashes)
                assert first.type not in ("六合", "干合") or first.strength > max(e.strength for e in clashes)
    assert met


def test_whoever_is_past_sixty_is_told_no_field_of_work_and_a_child_none_either() -> None:
    for born, is_told in (
        ("1958-05-06 10:00", False),
        ("1988-05-06 10:00", True),
        ("2012-05-06 10:00", False),
    ):
        chart = bz.chart(born, city="北京", gender="female")
        for question in (None, "怎么才能有钱"):
            read = bz.read(chart, question=question, as_of="2026-11-28", length="long").reading
            keys = {each.statement for each in read.sentences}
            assert is_told or not keys & {"work.unwanted", "answer.how.goes_with.trade"}
            assert not (question and is_told) or "answer.how.goes_with.trade" in keys
            assert question or ("work.turning" in keys) == (born < "1966")


@pytest.mark.parametrize(("lang", "question"), [("zh-Hans", "什么时候结婚"), ("en", "When will I marry?")])
def test_a_long_paragraph_is_parted_where_another_thought_begins(lang, question) -> None:
    for birth in births(10, 5):
        read = bz.read(birth, question=question, language=lang, length="long", as_of="2026-11-28").reading
        parts = read.narrative(lang).split("\n\n")
        assert "".join(parts).replace(" ", "") == "".join(each.text for each in read.sentences).replace(
            " ", ""
        )
        assert max(len(each) + sum(sign > "\u2e80" for sign in each) for each in parts) < 1.5 * LONG
