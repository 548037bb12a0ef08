"""The plain layer: a term is explained where it is named first, and nowhere without being asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput
from bazi_core.speech.catalogue import Clauses, Phrase, Term
from bazi_core.speech.plain import Explainer, explained_terms, mark, needs_none
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.summary import chart_summary
from bazi_core.speech.statements.year import year_plan
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Reading

BIRTHS = ("1990-05-15 13:30", "1976-09-09 09:09", "2018-07-20 04:10", "1938-01-30 22:00", "1968-02-14 00:20")
CASTS = ("789876", "777777", "688789", "669877", "999666", "798678")
MEANINGS = {lang: {row[lang] for row in explained_terms().values() if row[lang]} for lang in LANGUAGES}


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
    named = {each for plan in plans for statement in plan.statements for each in _terms(statement.values)}
    assert len(named) > 60
    assert {each for each in named if not mark(*each) and not _is_listed(each)} == set()


def test_explanations_are_short_and_of_their_script() -> None:
    for row in explained_terms().values():
        assert max(len(row["zh-Hans"]), len(row["zh-Hant"])) <= 14, row
        assert len(row["en"].split()) <= 8, row
        assert not re.search("[（）()；。]", "".join(row[lang] for lang in LANGUAGES)), row


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plain_texts_differ_from_others_by_their_explanations_alone(
    plans: tuple[Plan, ...], lang: str
) -> None:
    for plan in plans:
        short, plain = _both(plan, lang)
        assert (plain.title, plain.keywords) == (short.title, short.keywords)
        for one, other in zip(plain.sentences, short.sentences, strict=True):
            assert _without(one.text, lang) == other.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reading_explains_a_term_once_and_two_in_a_sentence_at_most(
    plans: tuple[Plan, ...], lang: str
) -> None:
    for plan in plans:
        told = [
            _explained(each.text, lang) for each in _both(plan._replace(separate=False), lang)[1].sentences
        ]
        assert max(map(len, told)) == 2
        words = [each for found in told for each in found]
        assert len(words) == len(set(words)) or lang == "en"


def test_the_parts_of_a_divination_explain_their_terms_anew() -> None:
    found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
    told = ly.read(found).reading
    for part in (told.conclusion, told.focus_points, told.answer):
        assert "用神（代表所问之事的一爻）" in "".join(each.text for each in part)


def test_whoever_knows_the_terms_can_leave_explanations_out() -> None:
    chart = bz.chart(BIRTHS[0], city="北京", gender="male")
    assert "外来的压力与挑战" in str(bz.read(chart))
    assert "外来的压力与挑战" in str(bz.read(chart.year(2026)))
    assert "外来的压力与挑战" not in str(bz.read(chart, plain=False))
    assert "pressure from outside" in str(bz.read(chart, language="en"))
    assert "日主庚金，" in chart_summary(chart)


def test_plain_is_true_or_false() -> None:
    with pytest.raises(InvalidInput):
        bz.read(bz.chart(BIRTHS[0], city="北京", gender="male"), plain="no")  # type: ignore[call-overload]


def test_a_term_that_finds_no_room_is_explained_where_it_comes_next() -> None:
    seven, wealth, output = (f"{each}{mark(each)}" for each in ("七杀", "正财", "食神"))
    explainer = Explainer("zh-Hans")
    assert explainer.explained(f"{seven}、{wealth}、{output}").endswith("、食神")
    assert explainer.explained(f"再看{output}。") == "再看食神（从容的表达与才艺）。"


def _both(plan: Plan, lang: str) -> tuple[Reading, Reading]:
    return Speaker(lang, plan.digest).reading(plan), Speaker(lang, plan.digest, plain=True).reading(plan)


def _explained(text: str, lang: str) -> list[str]:
    forms = ("（{}）", "（{}，") if lang != "en" else ("({})", ", {})", "({}, ")
    return [each for each in MEANINGS[lang] for form in forms for _ in range(text.count(form.format(each)))]


def _without(text: str, lang: str) -> str:
    forms = {"（{}）": "", "（{}，": "（"} if lang != "en" else {" ({})": "", ", {})": ")", "({}, ": "("}
    for each in sorted(MEANINGS[lang], key=len, reverse=True):
        for form, left in forms.items():
            text = text.replace(form.format(each), left)
    return text


def _is_listed(each: Term) -> bool:
    return any(
        needs_none(row["kind"], each.hanzi) for row in rows("plain_terms") if each.kind in (None, row["kind"])
    )


def _terms(value: object) -> Iterator[Term]:
    if isinstance(value, Term):
        yield value
    elif isinstance(value, Phrase):
        yield from _terms(value.values)
    elif isinstance(value, Clauses):
        yield from _terms(value.members)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _terms(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _terms(each)
