"""The running text of a cast: the verdict first, in paragraphs, each time and each 三合 once, what is broken explained."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.force import able, acting, is_nothing
from bazi_core.liuyao.hexagrams import HANZI
from bazi_core.liuyao.matters import asks_when, matter_of
from bazi_core.speech.plan import Plan
from bazi_core.speech.statements.cast import cast_plan, leaning
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, analysis, time_of, values
from tests.core.speech.drawn import planned_casts
from tests.sizes import sizes

# How 应期 is told: from what ails the line or by the usual rules, from what holds nothing back, or apart from a condition
# that has no day; after a verdict against what is asked as that of a turn.
RULES = tuple(
    f"cast.times.{each}{tail}" for each in ("first", "only", "by", "apart") for tail in ("", ".stir")
)
PRESSED = "cast.times.pressed"
PARAGRAPHS = ("answer", "answer.use", "answer.lines", "answer.opposed", "answer.times")


def keys_of(plan: Plan, topic: str) -> list[str]:
    return [each.key for each in plan.statements if each.topic == topic]


def test_the_verdict_stands_first_and_the_times_last_paragraph_by_paragraph():
    for found, plan in planned_casts(40):
        topics = [each for each in plan.topics if each.partition(".")[0] == "answer"]
        assert topics == [each for each in PARAGRAPHS if each in topics]
        assert {*PARAGRAPHS} - {*topics} <= {"answer.lines", "answer.opposed"}
        first = next(each for each in keys_of(plan, "answer") if each != "cast.at_risk")
        assert first.startswith(("cast.verdict.", "cast.should."))
        assert ("cast.at_risk" in keys_of(plan, "answer")) is (found.question_type in ("投资", "投資"))
        *times, last = keys_of(plan, "answer.times")
        assert last in ("cast.points", "cast.points.apart")
        assert all(key.startswith(("cast.times.", "cast.units")) for key in times)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_line_parts_the_paragraphs_and_the_disclaimer_stands_by_itself(language):
    for found, plan in planned_casts(8):
        result = ly.read(found, language=language)
        parts = result.text.split("\n\n")
        assert parts == [*result.reading.paragraphs]
        assert len(parts) == 1 + len([each for each in plan.topics if each.startswith("answer")])
        assert result.reading.answer[-1].text in parts[-1]
        assert sum(item.opens for item in result.reading.answer) == len(parts)


@sizes(40, 1500)
def test_at_most_two_dates_are_told_each_of_its_own_branch_and_with_what_that_does(count):
    told = 0
    for found, plan in planned_casts(count):
        statements = {each.key: each for each in plan.statements if each.topic == "answer.times"}
        if is_untimed(found) or PRESSED in statements:
            assert not {*RULES} & {*statements}
            continue
        (rule,) = (statements[each] for each in RULES if each in statements)
        how = rule.values["how"].values
        named = [branch.hanzi for each in how.values() for branch in each.values["branch"]]
        assert 1 <= len(named) == len({*named}) <= 2
        dated = [
            each
            for key, each in statements.items()
            if key.startswith(("cast.times.days", "cast.times.months"))
        ]
        assert len(dated) <= 1
        for each in dated:
            spans = [each.values[name] for name in ("dates", "second") if name in each.values]
            begins = [_begins(span) for span in spans]
            assert len({*spans}) == len(spans) == 1 + (".two" in each.key)
            assert begins == sorted(begins, reverse=each.key.endswith(".later"))
            told += 1
    assert told > count // 5


@sizes(60, 4000)
def test_no_day_is_named_that_is_one_of_a_line_that_presses(count):
    named = 0
    for found, plan in planned_casts(count):
        statements = plan.statements
        pressing = {
            line.state.branch.value
            for line in able(acting(found.lines, found.subject, "harmer"), found.standings)
        }
        for each in statements:
            if each.key in RULES:
                told = [
                    sign.hanzi for how in each.values["how"].values.values() for sign in how.values["branch"]
                ]
                assert not pressing & {*told}
                named += bool(pressing)
    assert named


def test_where_every_day_is_one_of_a_line_that_presses_that_is_said_in_place_of_a_day():
    found = analysis("需", 3, 5, 6, month="寅", day="庚辰", ask="生意")
    assert PRESSED in keys_of(cast_plan(found), "answer.times")
    assert not any(each.startswith("cast.times.days") for each in keys_of(cast_plan(found), "answer.times"))


def is_untimed(found: ly.Analysis) -> bool:
    """Whether no time is told: of what to do, of what is over in these days, of what is void to the end."""
    matter = matter_of(found.question, found.question_type)
    is_soon = matter.soon and not asks_when(found.question)
    return matter.is_advised or is_soon or is_nothing(found.subject.state, found.subject.moving)


def _begins(span: Any) -> str:
    """The date on which a day or month that is told begins."""
    value = span.values[0][0]
    return value[0] if isinstance(value, tuple) else value.values[1]


def test_a_grade_is_told_last_and_as_counting_one_line_alone_where_the_verdict_is_not_its_own():
    seen: Counter[bool] = Counter()
    for found, plan in planned_casts(120):
        keys = [each.key for each in plan.statements if each.topic.startswith("answer")]
        lean = leaning(found)
        is_apart = lean.name == "open" or lean.side != found.sign.side
        assert keys[-1] == ("cast.points.apart" if is_apart else "cast.points")
        level = found.sign.level
        parts = ly.read(found).reading.paragraphs
        assert not any(level in part for part in parts[:-2])
        seen[lean.name == "open", lean.side == found.sign.side] += 1
    assert {*seen} == {(True, True), (False, True), (False, False)}


@sizes(40, 1500)
def test_the_time_is_read_from_what_ails_the_line_or_else_from_the_usual_rules(count):
    seen: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        keys = keys_of(plan, "answer.times")
        assert sum(map(keys.count, RULES)) == (not is_untimed(found) and PRESSED not in keys)
        assert len({*keys}) == len(keys)
        seen.update(keys)
    wanted = {"cast.times.first", "cast.times.first.stir", "cast.times.only"}
    assert {*wanted, "cast.times.days.two", "cast.times.months.two"} <= {*seen}


@sizes(150, 4000)
def test_a_trine_is_told_once_with_what_it_does_to_the_line_that_is_judged(count):
    seen: Counter[str] = Counter()
    does = ("alike", "drain", "rival", "harmer", "helper")
    for found, plan in planned_casts(count):
        told = [
            each
            for each in plan.statements
            if each.key.startswith("cast.trine.")
            and each.key != "cast.trine.same"
            and each.topic in PARAGRAPHS
        ]
        assert len(told) == len({each.element for each in found.trines})
        for each in told:
            element = each.values["element"].hanzi
            apart = ("木火土金水".index(element) - found.subject.state.element.index) % 5
            key = each.key.removeprefix("cast.trine.")
            in_it = HANZI[found.subject.state.branch] in each.values["forms"].values["three"].hanzi
            same = [one for one in found.trines if one.element == element]
            complete = [one for one in same if not one.missing or one.filled_by]
            whole = any(not one.waits for one in complete)
            state = each.values["forms"].key.rpartition(".")[2]
            assert (state == "waits") is not complete
            assert (key == "pending") is (state == "held") is (bool(complete) and not whole)
            assert key == does[apart] or (key == "own" and in_it) or key == "pending"
            assert each.side == "neither" or whole
            seen[key] += 1
    assert {*seen} == {*does, "own", "pending"}


def test_a_line_of_the_element_of_the_month_that_the_month_breaks_is_told_with_its_reason():
    # 戌 of line 6, which holds 世, is earth in a month of earth that clashes with it.
    found = analysis("乾", month="辰", day="甲子", ask="其他")
    expected = ("壬戌", "旺", True)
    assert (found.subject.text, found.subject.state.month_state, found.subject.state.month_broken) == expected
    assert keys_of(cast_plan(found), "answer.use").count("cast.season.broken") == 1
    assert not {"cast.season.good", "cast.broken"} & {*keys_of(cast_plan(found), "answer.use")}
    assert "两支正好相冲，是月破" in ly.read(found, plain=False).text


def test_what_the_month_breaks_and_the_day_holds_does_not_count_as_broken():
    found = analysis("乾", month="辰", day="甲戌", ask="其他")
    assert found.subject.text == "壬戌"
    assert "cast.held" in keys_of(cast_plan(found), "answer.use")
    assert not any(each.rule == "月破" for each in found.sign.contributions)


@sizes(25, 400)
def test_a_low_sign_keeps_its_name_and_frightens_nobody(count):
    heavy = re.compile("凶|灾|大难|必败|没救|绝望|doom|disaster|hopeless|terrible|ruin")
    for found, _ in planned_casts(count):
        if found.sign.level in ("中下签", "下下签"):
            texts = {language: ly.read(found, language=language).text for language in LANGUAGES}
            assert found.sign.level in texts["zh-Hans"]
            assert not any(map(heavy.search, texts.values()))


def test_of_many_moving_lines_three_are_told_with_what_they_do():
    found = ly.derive("999666", AT).analyze("事业")
    moves = [
        key
        for key in keys_of(cast_plan(found), "answer.lines") + keys_of(cast_plan(found), "answer.opposed")
        if ".move." in key
    ]
    assert "cast.many" in keys_of(cast_plan(found), "answer.lines")
    assert len(moves) == 3


def test_the_text_of_a_cast_is_the_same_in_two_runs_and_its_sentences_are_in_order():
    for found, _ in planned_casts(10):
        first, second = ly.read(found), ly.read(found)
        assert first.text == second.text
        places = [first.text.index(item.text) for item in first.reading.answer]
        assert all(one <= other for one, other in pairwise(places))


@sizes(60, 1000)
def test_of_an_illness_or_a_pregnancy_no_day_is_named(count):
    seen: Counter[str] = Counter()
    for n in range(count):
        asked, number = ("疾病", "怀孕", "健康")[n % 3], n * 67 % 4096
        month, day = time_of(n)
        timed = {"at": AT} if n % 2 else {"month_branch": month, "day": day}
        found = ly.derive(values(number), **timed).analyze(asked)
        for each in cast_plan(found).statements:
            if each.key.startswith(("cast.when.", "cast.times.")):
                assert not each.key.startswith("cast.times.days"), found
                spans = [each.values[name] for name in ("dates", "second") if name in each.values]
                assert all(span.key == "cast.comes" for span in spans)
                seen[each.key] += 1
    assert {"cast.when.short.slow", "cast.when.stir.slow", "cast.times.months"} <= {*seen}


@sizes(80, 1500)
def test_a_line_that_was_told_as_moving_is_not_told_again_among_those_of_its_role(count):
    more = 0
    for found, plan in planned_casts(count):
        told = plan.statements
        moved = {
            each.values["place"].position for each in told
            if each.key.startswith("cast.move.") and each.topic in PARAGRAPHS
        }  # fmt: skip
        for each in told:
            if each.key.startswith(("cast.role.原神", "cast.role.忌神", "cast.role.more.")):
                those = {
                    place.position
                    for part in each.values["groups"].members
                    for place in part.values["places"]
                }
                assert not those & moved, found
                more += ".more." in each.key
    assert more


@sizes(50, 2000)
def test_a_mark_is_one_more_only_after_a_reason(count):
    met = 0
    for found, plan in planned_casts(count):
        for topic in ("conclusion", "answer"):
            keys = keys_of(plan, topic)
            if "cast.omens.besides" in keys:
                before = keys[: keys.index("cast.omens.besides")]
                assert any(key.startswith(("cast.why.", "cast.omens.alone")) for key in before), found
                met += 1
    assert met


@sizes(60, 2000)
def test_what_presses_is_waited_for_only_where_it_does_press(count):
    met = 0
    for found, plan in planned_casts(count):
        for told in plan.statements:
            if told.key in RULES and any(each.hanzi == "受克待制" for each in told.values["triggers"]):
                waits = {each.values["what"].key for each in plan.statements if "what" in each.values}
                if waits & {"cast.if.turned.by", "cast.if.helper.by", "cast.if.helper"}:
                    continue  # what it or its helper turns into presses
                harming = acting(found.lines, found.subject, "harmer")
                stands = [found.standings[line.position - 1] for line in harming]
                assert any(each.is_able for each in stands), found
                met += 1
    assert met
