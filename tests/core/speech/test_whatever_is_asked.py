"""Every domain that a question can have is answered in every kind, of a chart, a year, several years and a cast."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.questions.paths import PAIRS
from bazi_core.readings.sight import beside, in_sight
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.asked import (
    BEYOND,
    DECADE,
    LATELY,
    MONTHS,
    SCORES,
    UNANSWERED,
    Asked,
    domain_of,
)
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.statements.years import years_plan
from bazi_core.tables import rows
from tests.core.speech.drawn import AS_OF, QUESTIONS, TERMS
from tests.sizes import sizes

DOMAINS = (*SCORES, *BEYOND, *UNANSWERED)
KINDS = ("why", "when", "how", "how_much", "which", "whether", "compare", "describe")
HORIZONS = ("life", MONTHS, LATELY, DECADE)
SPAN = (2026, 2029)
# One with an open strength, one that follows, one of neither.
BIRTHS = (("1990-04-06 19:31", "female"), ("1982-06-25 16:05", "male"), ("1966-08-31 11:25", "male"))
TOLD = {
    "chart": lambda of, asked: pattern_plan(
        of.pattern, frozenset(), of.running, asked, in_sight(of.pattern, asked, of.running)
    ),
    "year": lambda of, asked: year_plan(of.year, frozenset(), asked, beside(of.year, asked)),
    "years": lambda of, asked: years_plan(of.years, frozenset(), asked),
}
"""How an object is told that was asked."""


class Objects(NamedTuple):
    """What is told of one birth."""

    pattern: Any
    running: Any
    year: Any
    years: Any


@cache
def objects(birth: str, gender: str) -> Objects:
    chart = bz.chart(birth, city="北京", gender=gender)
    return Objects(chart.pattern(), chart.running(AS_OF), chart.year(2026), chart.years(*SPAN))


def test_the_words_of_questions_yield_no_other_domain_and_no_other_kind():
    heard = {
        slot: {row["value"] for row in rows("intents") if row["slot"] == slot} for slot in ("domain", "kind")
    }
    assert heard["domain"] <= {*DOMAINS}
    assert heard["kind"] <= {*KINDS}


def test_every_domain_has_words():
    assert all(Speaker(language).word(domain_of(each)) for each in DOMAINS for language in ("zh-Hans", "en"))


@sizes(15, 10**6)
@pytest.mark.parametrize("told", TOLD)
def test_whatever_is_asked_in_whatever_way_is_answered(told, count):
    cases = [*product(DOMAINS, KINDS, ("self", *KIN), HORIZONS, ((), (2026,), (2027, 2028)))]
    draw, whole = Random(told), 3000
    # Every domain and kind comes once at the least, of oneself and of nobody else.
    plain = [(domain, kind, "self", "life", ()) for domain, kind in product(DOMAINS, KINDS)]
    chosen = draw.sample(plain, min(count, len(plain))) + draw.sample(cases, min(count // 3, whole))
    for number, (domain, kind, subject, horizon, years) in enumerate(chosen):
        asked = Asked(
            domain,
            kind,
            years,
            (),
            horizon,
            subject,
            paths=PAIRS[number % len(PAIRS)],
            terms=TERMS[number % len(TERMS)],
        )
        plan = TOLD[told](objects(*BIRTHS[number % len(BIRTHS)]), asked)
        assert Speaker("en", plan.digest).reading(plan).summary, asked


def values_of(slot: str) -> list[str]:
    """Every value of a slot that the words of a question can have."""
    return sorted({row["value"] for row in rows("intents") if row["slot"] == slot})


@pytest.mark.parametrize("told", TOLD)
def test_every_matter_that_is_heard_is_told_in_every_form_and_language(told):
    for number, (matter, form) in enumerate(product(values_of("matter"), ("", *values_of("form")))):
        asked = Asked("general", "whether", (2026,), matter=matter, form=form, asks_whether=True)
        plan = TOLD[told](objects(*BIRTHS[number % len(BIRTHS)]), asked)
        for language in ("zh-Hans", "zh-Hant", "en"):
            assert Speaker(language, plan.digest).reading(plan).summary, (matter, form, language)


@sizes(10, 10**6)
def test_whatever_is_asked_of_a_cast_is_answered(count):
    cases = [*product((None, *ly.QUESTION_TYPES), [each for each in QUESTIONS if each])]
    for kind, question in Random(7).sample(cases, min(count, len(cases))):
        plan = cast_plan(
            ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(kind, question=question), question
        )
        assert Speaker("en").reading(plan).sentences, question
