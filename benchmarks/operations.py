"""The operations that have a budget, one function each: what is called, and the arguments to call it with.

A budget is stated in microseconds and, where the machine should not matter, as a multiple of the yardstick:
one `bisect_right` on an array of 26,400 instants.
"""

from __future__ import annotations

import random
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from inspect import getattr_static
from typing import TYPE_CHECKING, Any

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import clock_of_wall
from bazi_core.astro.eot import equation_of_time_s
from bazi_core.astro.lunar import lunar_date as lunar_date_of
from bazi_core.astro.terms import solar_terms as terms_of_year
from bazi_core.birth import Birth, birth
from bazi_core.civil_clock import clock_at
from bazi_core.face import Chart, cast
from bazi_core.luck.decades import luck as luck_of
from bazi_core.moment import solar_moment
from bazi_core.pattern.result import pattern as pattern_of
from bazi_core.pillars import FourPillars, four_pillars, pillars_of_instant
from bazi_core.place import gazetteer
from bazi_core.school import School
from bazi_core.warnings import warnings_of
from bazi_core.when import parse_when
from bazi_core.year.result import analyse
from benchmarks.births import CITIES, SEED, births, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.pattern.result import PatternResult

COUNT = 1000
# Of calls that take milliseconds: more than the texts that are kept, so that these do not all come from there.
FEWER = 400
SCHOOL = School()


@dataclass(frozen=True, slots=True)
class Operation:
    """`call(*each)` for each of `inputs`; budgets are per call."""

    name: str
    call: Callable[..., object]
    inputs: Sequence[tuple[Any, ...]]
    budget_us: float | None = None
    budget_bisects: float | None = None


@cache
def _births() -> list[Birth]:
    return births(COUNT)


@cache
def _charts() -> list[Chart]:
    return [cast(born, SCHOOL) for born in _births()]


def bisect() -> Operation:
    """The yardstick."""
    instants: array[int] = terms.table()
    draw = random.Random(SEED)
    return Operation(
        "one bisect on the terms (yardstick)",
        bisect_right,
        [(instants, draw.randrange(instants[0], instants[-1])) for _ in range(COUNT)],
    )


def equation_of_time() -> Operation:
    draw = random.Random(SEED)
    first, last = scales.ms_of(datetime(1600, 1, 1)), scales.ms_of(datetime(2600, 1, 1))
    inputs = [(draw.randrange(first, last),) for _ in range(COUNT)]
    return Operation("equation of time", equation_of_time_s, inputs, budget_bisects=5)


def civil_clock() -> Operation:
    """The offset of a zone at a clock reading, with the check for skipped and repeated readings."""
    inputs = [
        (born.civil, clock_at(born, SCHOOL, born.civil).timezone_id)
        for born in _births()
        if clock_at(born, SCHOOL, born.civil).timezone_id
    ]
    return Operation("civil clock with gap and fold check", clock_of_wall, inputs)


def place_asked_before() -> Operation:
    return Operation("place asked for before", gazetteer.look_up, [(city,) for city in CITIES], 100)


def place_not_asked_before() -> Operation:
    """The table is open, but the answer is not kept."""
    answer = gazetteer._look_up.__wrapped__
    return Operation("place not asked for before, table open", answer, [(city,) for city in CITIES], 100)


def four_pillars_of_instant() -> Operation:
    """From an aware datetime."""
    zones = [timezone(timedelta(hours=hours)) for hours in range(-8, 12)]
    readings = (born.civil.replace(tzinfo=zones[i % 20]) for i, born in enumerate(_births()))
    inputs = [(reading, SCHOOL) for reading in readings]
    return Operation("four pillars of an aware instant", pillars_of_instant, inputs, 5)


def moment_and_pillars() -> Operation:
    """Zone, gap and fold check, UTC, TT, UT1, mean and true solar time, terms, pillars."""
    inputs = [(born,) for born in _births()]
    return Operation("moment and four pillars", _moment_and_pillars, inputs, 15, 42)


def _moment_and_pillars(born: Birth) -> FourPillars:
    return four_pillars(solar_moment(born, SCHOOL), SCHOOL)


def full_chart() -> Operation:
    """Everything a chart holds short of facts and JSON, from a birth that has been read."""
    return Operation("whole chart, every view", _full_chart, [(born,) for born in _births()], 150)


def _full_chart(born: Birth) -> object:
    return all_views(cast(born, SCHOOL))


def all_views(chart: Chart) -> object:
    """Touch all that a chart computes lazily."""
    luck = chart.luck
    return (
        chart.columns, chart.siling, chart.tai_yuan, chart.tai_xi, chart.ming_gong, chart.shen_gong, chart.lunar,
        chart.zodiac, chart.relations, chart.stars, chart.elements, chart.transparency, chart.roots, chart.strength,
        luck and (luck.cycles, luck.xiaoyun), chart.warnings,
    )  # fmt: skip


def full_chart_of_text() -> Operation:
    """The same from what a caller writes: `chart("1990-05-15 13:30", city=…, gender=…)`."""
    return Operation("text and city to whole chart", _full_chart_of_text, texts(COUNT))


def _full_chart_of_text(when: str, city: str, gender: str) -> object:
    return all_views(cast(birth(when, city=city, gender=gender), SCHOOL))


def warnings() -> Operation:
    """The warnings of a chart."""
    inputs = [(chart.moment, SCHOOL, chart.pillars) for chart in _charts()]
    return Operation("warnings", warnings_of, inputs)


def luck() -> Operation:
    """Onset, ten 大运, 小运."""
    inputs = [(chart.pillars, chart.gender, SCHOOL, chart.moment) for chart in _charts()]
    return Operation("luck", luck_of, inputs)


def facts() -> Operation:
    """All facts of a chart whose views are there."""
    return Operation("facts", _facts, [(chart,) for chart in _charts()])


def _facts(chart: Chart) -> object:
    # The property keeps its answer; its function computes it again.
    return getattr_static(Chart, "facts").func(chart)


def to_dict() -> Operation:
    """`base_context` of a chart whose facts are there, digest included."""
    return Operation("to_dict with facts", Chart.to_dict, [(chart,) for chart in _charts()[:FEWER]])


def to_json() -> Operation:
    """From a birth to the JSON text of `base_context` with all facts, digest and summary."""
    return Operation("birth to JSON text with facts", _to_json, [(born,) for born in _births()[:FEWER]], 1500)


def _to_json(born: Birth) -> str:
    return cast(born, SCHOOL).to_json()


def pattern() -> Operation:
    """Pattern, structures and useful god of a chart whose views are there."""
    return Operation("pattern and useful god", pattern_of, [(chart,) for chart in _viewed()], None)


@cache
def _viewed() -> list[Chart]:
    for chart in _charts():
        all_views(chart)
    return _charts()


def year() -> Operation:
    """A year of a pattern that is there: events, scores, months; no facts, no JSON."""
    inputs = [(chart.pattern(), chart.birth.civil.year + 30) for chart in _viewed()[:100] if chart.birth]
    return Operation("year analysis", _year, inputs, 1500)


def _year(result: PatternResult, target: int) -> object:
    found = analyse(result, target)
    return found.events, found.scores, found.themes, found.months, found.timing


def year_to_json() -> Operation:
    """From a birth to the compact JSON of a year, parents recomputed, with all facts and digests."""
    return Operation(
        "birth to JSON of a year with facts", _year_to_json, [(born,) for born in _births()[:50]], 10_000
    )


def _year_to_json(born: Birth) -> str:
    return cast(born, SCHOOL).year(born.civil.year + 30).to_json()


def picture() -> Operation:
    """The four pillars of a chart whose views are there, as SVG."""
    return Operation("picture of a chart", Chart.svg, [(chart,) for chart in _viewed()[:100]])


def page() -> Operation:
    """The HTML page of a chart with its pattern and every fact."""
    return Operation("page of a chart", Chart.html, [(chart,) for chart in _viewed()[:20]])


def lunar_date() -> Operation:
    return Operation("lunar date", lunar_date_of, [(born.civil.date(),) for born in _births()])


def solar_terms() -> Operation:
    return Operation("the 24 terms of a year", terms_of_year, [(year,) for year in range(1901, 2101)])


def parse_text() -> Operation:
    return Operation("text of a time", parse_when, [(when,) for when, _, _ in texts(COUNT)])


def parse_birth() -> Operation:
    """Text, city and gender to a `Birth`; the cities have been asked for before."""
    return Operation("text and city to a birth", _birth, texts(COUNT))


def _birth(when: str, city: str, gender: str) -> Birth:
    return birth(when, city=city, gender=gender)


ALL: tuple[Callable[[], Operation], ...] = (
    bisect,
    equation_of_time,
    civil_clock,
    place_asked_before,
    place_not_asked_before,
    four_pillars_of_instant,
    moment_and_pillars,
    full_chart,
    full_chart_of_text,
    warnings,
    luck,
    facts,
    to_dict,
    to_json,
    pattern,
    year,
    year_to_json,
    picture,
    page,
    lunar_date,
    solar_terms,
    parse_text,
    parse_birth,
)
