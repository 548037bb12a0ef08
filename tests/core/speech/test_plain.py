"""The plain layer: a term is explained where it is named first, and nowhere without being asked for."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput
from bazi_core.speech.plain import CAST, PLACE, explained_terms, mark, needs_none
from bazi_core.speech.plan import IN_PLACE
from bazi_core.speech.reading import Sentence
from bazi_core.speech.speaker import Part, Speaker
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.summary import chart_summary
from bazi_core.speech.statements.year import year_plan
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.drawn import births
from tests.core.speech.drawn import plans as some_plans
from tests.core.speech.glosses import circular, ill_glossed, terms_said, unexplained
from tests.core.speech.laws import repeated

if TYPE_CHECKING:
    from bazi_core.speech.catalogue import Term
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Reading

BIRTHS = ("1990-05-15 13:30", "1976-09-09 09:09", "2018-07-20 04:10", "1938-01-30 22:00", "1968-02-14 00:20")
CASTS = ("789876", "777777", "688789", "669877", "999666", "798678")
# That another element could come first, which a plain reading tells in place of the methods.
DOUBTED = {"useful.doubt", "useful.doubt.adverse"}
_BRACKETS = re.compile(r" ?[（(][^（）()]*[）)]")


@pytest.fixture(scope="module")
def plans() -> tuple[Plan, ...]:
    charts = [bz.chart(each, city="北京", gender="female") for each in BIRTHS]
    casts = [ly.derive(each, "2026-04-03T20:30:00+08:00").analyze("事业") for each in CASTS]
    return (
        *(pattern_plan(each.pattern(), running=each.running("2026-11-22")) for each in charts),
        *(year_plan(each.year(2027)) for each in charts),
        *map(cast_plan, casts),
    )


def test_every_kind_of_term_is_explained_or_listed_as_needing_none() -> None:
    kinds = {row["kind"] for row in rows("terms")}
    spoken = kinds - {"stem", "branch", "zodiac", "polarity", "qi", "pattern_class", "power"}
    silent = {
        (row["kind"], row["zh-Hans"])
        for row in rows("terms")
        if row["kind"] in spoken and (row["kind"], row["zh-Hans"]) not in explained_terms()
        and not needs_none(row["kind"], row["zh-Hans"])
    }  # fmt: skip
    assert silent == set()


def test_every_term_that_a_plan_names_is_explained_or_listed_as_needing_none(plans: tuple[Plan, ...]) -> None:
    named = {
        each
        for plan in plans
        for statement in plan.statements
        for each in terms_said(statement.key, statement.values)
    }
    assert len(named) > 60
    assert {each for each in named if not mark(*each) and not _is_listed(each)} == set()


def test_explanations_are_short_and_of_their_script() -> None:
    for each in explained_terms().values():
        assert max(len(each.meanings["zh-Hans"]), len(each.meanings["zh-Hant"])) <= 14, each
        assert len(each.meanings["en"].split()) <= 9, each
        assert not re.search("[（）()；。]", "".join(each.meanings.values())), each


def test_an_explanation_uses_no_term_that_is_explained_itself() -> None:
    charts = [each for each in explained_terms().values() if each.kind not in (CAST, PLACE)]
    for lang in ("zh-Hans", "zh-Hant"):
        words = [word for each in charts for word in each.words(lang)]
        said = [(each.hanzi, word) for each in charts for word in words if word in each.meanings[lang]]
        assert said == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_term_is_explained_by_its_own_words(lang: str) -> None:
    assert circular(lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plain_texts_differ_from_others_by_their_explanations_alone(
    plans: tuple[Plan, ...], lang: str
) -> None:
    for plan in plans:
        short, plain = _both(plan, lang)
        assert (plain.title, plain.keywords) == (short.title, short.keywords)
        for one, other in zip(plain.sentences, short.sentences, strict=True):
            assert _BRACKETS.sub("", one.text) == _BRACKETS.sub("", other.text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_term_is_explained_where_it_is_named_first_and_nowhere_else(lang: str) -> None:
    for plan in some_plans(12, 33):
        for length in ("standard", "long"):
            told = Speaker(lang, plan.digest, plain=True).reading(plan.shortened(length))
            assert ill_glossed(told.sentences, lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_term_is_explained_where_it_is_named_first_in_whatever_order_sections_are_told(lang: str) -> None:
    draw = Random(15)
    for plan in some_plans(4, 34):
        order = draw.sample(plan.topics, len(plan.topics))
        parts = [Part(topic, each) for topic in order for each in plan.statements if each.topic == topic]
        told = Speaker(lang, plan.digest, plain=True).assembled(plan, parts)
        assert ill_glossed(told.sentences, lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_of_a_reading_says_another_one_again(lang: str) -> None:
    assert [each for plan in some_plans(25, 15) for each in repeated(plan, lang)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_term_is_read_before_its_explanation_be_it_in_the_answer_or_of_one_character(lang: str) -> None:
    for plan in some_plans(25, 33):
        for length in ("short", "standard", "long"):
            assert unexplained(plan.shortened(length), lang) == []


def test_a_reading_that_explains_late_or_twice_is_noticed() -> None:
    late = ["这一年七杀当令。", "七杀（外来的压力与挑战）主事。"]
    twice = ["七杀（外来的压力与挑战）主事。", "又见七杀（外来的压力与挑战）。"]
    for texts, fault in ((late, "is not explained"), (twice, "is explained again")):
        assert fault in " ".join(ill_glossed(map(Sentence, texts), "zh-Hans"))
    assert ill_glossed([Sentence("Seven Killings leads.")], "en")
    assert not ill_glossed([Sentence("Seven Killings (七杀, pressure from outside) leads.")], "en")


def test_the_parts_of_a_divination_explain_their_terms_anew() -> None:
    found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
    told = ly.read(found).reading
    for part in (told.conclusion, told.focus_points, told.answer):
        assert "用神（代表所问之事的一爻）" in "".join(each.text for each in part)


@pytest.mark.parametrize(
    ("asked", "term", "sense", "others"),
    [
        ("失物", "妻财", "钱与贵重的东西", ("伴侣",)),
        ("感情", "妻财", "男子的伴侣", ("钱财",)),
        ("求职", "官鬼", "职位与压力", ("伴侣", "病症")),
        ("疾病", "官鬼", "身上的不适", ("职位", "伴侣")),
    ],
)
def test_a_term_of_a_cast_is_explained_by_the_sense_of_its_question(
    asked: str, term: str, sense: str, others: tuple[str, ...]
) -> None:
    met = 0
    for lines in CASTS:
        found = ly.derive(lines, "2026-04-03T20:30:00+08:00").analyze(asked, "male")
        plan = cast_plan(found)
        told = "".join(
            each.text for each in Speaker("zh-Hans", plan.digest, plain=True).reading(plan).sentences
        )
        met += f"{sense}" in told
        assert not re.findall(f"{term}[^（）。，]{{0,4}}（[^（）]*(?:{'|'.join(others)})", told)
    assert met


def test_whoever_knows_the_terms_can_leave_explanations_out() -> None:
    chart = bz.chart(BIRTHS[0], city="北京", gender="male")
    assert "外来的压力与挑战" in str(bz.read(chart))
    assert "外来的压力与挑战" in str(bz.read(chart.year(2026)))
    assert "外来的压力与挑战" not in str(bz.read(chart, plain=False))
    assert "pressure from outside" in str(bz.read(chart, language="en"))
    assert "日主庚金，" in chart_summary(chart)


def test_a_plain_reading_leaves_methods_to_the_long_one_and_keeps_the_doubt() -> None:
    doubted = 0
    for birth in births(25, 7):
        plan = pattern_plan(birth.pattern())
        short, long, other = (
            {each.key for each in plan.shortened(*given).statements}
            for given in (("standard", None, True), ("long", None, True), ("standard", None, False))
        )
        assert not [each for each in short if each.startswith(("methods.", "useful.opposed"))]
        assert not DOUBTED & (long | other)
        if {"methods.split", "methods.sum"} & long:
            doubted += 1
            assert DOUBTED & {each.key for each in plan.statements if each.relation == IN_PLACE}
    assert doubted > 5


def test_plain_is_true_or_false() -> None:
    with pytest.raises(InvalidInput):
        bz.read(bz.chart(BIRTHS[0], city="北京", gender="male"), plain="no")  # type: ignore[call-overload]


def _both(plan: Plan, lang: str) -> tuple[Reading, Reading]:
    return Speaker(lang, plan.digest).reading(plan), Speaker(lang, plan.digest, plain=True).reading(plan)


def _is_listed(each: Term) -> bool:
    return any(
        needs_none(row["kind"], each.hanzi) for row in rows("plain_terms") if each.kind in (None, row["kind"])
    )
