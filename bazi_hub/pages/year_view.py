"""A year, and years beside each other, as their pages lay them out: both readings where the strength is open, what the
points come from, and months with their instants.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from bazi_core.luck.running import instant_of
from bazi_core.pictures import year as year_picture
from bazi_core.pictures import years as years_picture
from bazi_core.pictures.kit import PAGE
from bazi_core.render.clocks import clock_and_offset
from bazi_core.render.notes import notes
from bazi_core.render.phrases import pillar_name, pillars_text
from bazi_core.render.year_sheet import (
    capital,
    conclusion,
    domain,
    dynamic_name,
    timing_rows,
)
from bazi_core.render.years_sheet import band_name, reason_name, runs
from bazi_core.render.years_sheet import conclusion as years_conclusion
from bazi_core.tables.words import label, term
from bazi_core.year.events import YearEvent
from bazi_core.year.months import Month
from bazi_core.year.reasons import Reason, reasons
from bazi_core.year.result import YearResult
from bazi_core.year.rules import DOMAINS, OVERALL
from bazi_core.year.span import YearsResult
from bazi_core.year.span_object import dynamics, strongest_events
from bazi_core.year.span_value import SCORES, Cause
from bazi_hub.pages.evidence import Proof, Proofs
from bazi_hub.pages.texts import text

NEUTRAL = 50
# So far apart, and on both sides of the middle, two readings say the opposite of a year.
APART = 10

Pairs = list[tuple[str, str]]


class Whose(NamedTuple):
    """The chart of a page: pillars, gender, the birth as it was stated, and the address of the chart."""

    pillars: str
    gender: str
    born: str
    query: str | None


class Points(NamedTuple):
    """Something that adds to a score, under each reading, with the drawer of its facts."""

    name: str
    points: list[int | None]
    proof: int | None


class MonthRow(NamedTuple):
    """A month: `start` is its first instant, `local` that on the clock of the birth's place, with its offset."""

    pillar: str
    jie: str
    start: str
    local: str
    gods: str
    scores: list[int]
    events: list[tuple[str, str]]
    here: bool


class YearView(NamedTuple):
    """A year before a chart. `verdicts` name the readings of an open strength; one without a name where it is settled."""

    number: int
    pillar: str
    pillar_name: str
    whose: Whose
    answer: list[str]
    facts: Pairs
    doubts: list[str]
    verdicts: list[str]
    picture: str
    points: list[Points]
    scores: list[int]
    domains: list[tuple[str, list[int]]]
    months: list[MonthRow]
    timing: list[tuple[str, str]]
    notes: list[list[str]]
    drawers: list[tuple[int, list[Proof]]]


class YearRow(NamedTuple):
    """A year among others. Each domain has its score and whether it is among the highest or lowest of these years."""

    number: int
    pillar: str
    name: str
    here: bool
    scores: list[int]
    gods: str
    state: str
    domains: list[tuple[int, str]]
    events: list[tuple[str, str]]


class CauseRow(NamedTuple):
    """A reason that adds to a score in some of the years."""

    name: str
    points: int
    years: list[tuple[int, int]]


class YearsView(NamedTuple):
    first: int
    last: int
    whose: Whose
    answer: list[str]
    verdicts: list[str]
    taken: list[str]
    picture: str
    by: str
    domains: list[tuple[str, str]]
    rows: list[YearRow]
    raises: list[CauseRow]
    lowers: list[CauseRow]
    besides: list[tuple[int, int]]
    facts: Pairs
    notes: list[list[str]]


def whose(chart: Any, lang: str, born: str, query: str | None) -> Whose:
    gender = label(chart.gender, lang) if chart.gender else ""
    return Whose(pillars_text(chart.pillars, lang), gender, born, query)


def year_view(year: YearResult, lang: str, now_ms: int, query: str | None, born: str = "") -> YearView:
    """All that is shown of a year; the month that runs is marked."""
    readings = (year, *year.alternatives)
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    _, *facts = [row for row in conclusion(year, lang) if row[0] != capital(label("four_pillars", lang))]
    proofs = Proofs(lang, {}, year.all_facts, open=not born)
    points = _points(year, lang, proofs)
    return YearView(
        year.target_year,
        year.pillar.value,
        pillar_name(year.pillar, lang) if lang == "en" else "",
        whose(year.chart, lang, born, query),
        _answer(readings, lang),
        [(name, value.replace("  ", " · ")) for name, value in facts],
        _doubts(year, lang),
        _verdicts(readings, lang),
        year_picture.drawing(year, lang, PAGE, now, lines_too=False),
        points,
        [each.scores.overall for each in readings],
        [(capital(domain(name, lang)), [each.scores.of(name) for each in readings]) for name in DOMAINS],
        _months(year, lang, instant_of(now, None)),
        timing_rows(year, lang),
        notes(year.chart, lang),
        proofs.drawers(),
    )


def _answer(readings: tuple[YearResult, ...], lang: str) -> list[str]:
    """The score under each reading, and what stands out most."""
    year = readings[0]
    said = []
    for reading in readings:
        strength = reading.pattern.strength
        values = {"score": reading.scores.overall, "level": term(reading.level, lang, "level")}
        if len(readings) == 1 or strength is None:
            said.append(text("year.answer", lang, **values))
        else:
            said.append(
                text("year.answer.if", lang, verdict=capital(label(f"if.{strength.verdict}", lang)), **values)
            )
    names = [term(each.name, lang, "event") for each in year.strongest(3) if not each.is_dynamic]
    if names:
        said.append(text("year.answer.events", lang, events=(", " if lang == "en" else "、").join(names)))
    return said


def _doubts(year: YearResult, lang: str) -> list[str]:
    """How far two readings are apart, and the warnings."""
    told = year_picture.doubts(year, lang)
    if not year.alternatives:
        return told
    other = year.alternatives[0].scores.overall
    return [text("year.apart", lang, one=year.scores.overall, other=other), *told[1:]]


def taken(readings: tuple[Any, ...], lang: str) -> list[str]:
    """The verdicts of an open strength; none where it is not open."""
    return [term(each.pattern.strength.verdict, lang) for each in readings] if len(readings) > 1 else []


def _verdicts(readings: tuple[Any, ...], lang: str) -> list[str]:
    if len(readings) == 1:
        return [""]
    return [label(f"if.{each.pattern.strength.verdict}", lang) for each in readings]


def _points(year: YearResult, lang: str, proofs: Proofs) -> list[Points]:
    """What makes up the overall score, the weightiest first, under every reading."""
    found: dict[str, tuple[Reason, list[int | None], tuple[str, ...]]] = {}
    count = 1 + len(year.alternatives)
    for at, reading in enumerate((year, *year.alternatives)):
        for reason in reasons(reading):
            if reason.of(OVERALL):
                evidence = () if at else reason.evidence
                _, points, _ = found.setdefault(reason.key, (reason, [None] * count, evidence))
                points[at] = reason.of(OVERALL)
    rows = [
        Points(capital(reason_name(reason, lang)), points, proofs.number(evidence))
        for reason, points, evidence in found.values()
    ]
    return sorted(rows, key=lambda row: -max(abs(each or 0) for each in row.points))


def _months(year: YearResult, lang: str, now: datetime) -> list[MonthRow]:
    others = [each.months for each in year.alternatives]
    rows = []
    for at, month in enumerate(year.months):
        clock, offset = clock_and_offset(year.chart, month.start)
        gods = (month.marks.ten_god_stem.value, month.marks.ten_god_branch.value)
        rows.append(
            MonthRow(
                pillar_name(month.pillar, lang) if lang == "en" else month.pillar.value,
                term(month.jie.value, lang),
                f"{month.start:%Y-%m-%dT%H:%M:%SZ}",
                f"{clock[:16]} {offset}",
                (", " if lang == "en" else " ").join(term(god, lang) for god in gods),
                [month.score, *(months[at].score for months in others)],
                _events(month, lang),
                month.start <= now < month.end,
            )
        )
    return rows


def _events(month: Month, lang: str) -> list[tuple[str, str]]:
    return [(each.polarity, term(each.name, lang, "event")) for each in month.shown]


def years_view(span: YearsResult, lang: str, now_ms: int, by: str, query: str | None, born: str) -> YearsView:
    """All that is shown of years beside each other, ranked by the score `by`."""
    now = span.chart.running(datetime.fromtimestamp(now_ms / 1000, UTC)).year
    readings = (span, *span.alternatives)
    ranking = span.ranking(by)
    marks = {name: _marks(span, name) for name in DOMAINS}
    rows = [_row(span, at, lang, now, marks) for at in range(len(span.years))]
    _, *facts = [
        row for row in years_conclusion(span, lang) if row[0] != capital(label("four_pillars", lang))
    ]
    return YearsView(
        span.first,
        span.last,
        whose(span.chart, lang, born, query),
        [*_ends(readings, lang), *_turns(span, lang)],
        _verdicts(readings, lang),
        taken(readings, lang),
        years_picture.drawing(span, lang, PAGE, by, now, lines_too=False),
        by,
        [(name, capital(domain(name, lang))) for name in SCORES],
        rows,
        [_cause(each, lang) for each in ranking.raises],
        [_cause(each, lang) for each in ranking.lowers],
        [tuple(ranking.raises_besides), tuple(ranking.lowers_besides)],  # type: ignore[list-item]
        [(name, value.replace("  ", " · ")) for name, value in facts],
        notes(span.chart, lang),
    )


def _ends(readings: tuple[Any, ...], lang: str) -> list[str]:
    """The highest and the lowest years, and where two readings say the opposite or much the same."""
    span = readings[0]
    if len(readings) == 1:
        return [_best(span, lang)]
    other = readings[1]
    apart, near = [], []
    for one, two in zip(span.years, other.years, strict=True):
        a, b = one.scores.overall, two.scores.overall
        if (a - NEUTRAL) * (b - NEUTRAL) < 0 and abs(a - b) >= APART:
            apart.append(one.target_year)
        elif abs(a - b) < APART:
            near.append(one.target_year)
    said = []
    if apart:
        said.append(text("years.apart", lang, years=_years(apart, lang)))
    if near:
        said.append(text("years.near", lang, years=_years(near, lang)))
    return said or [_best(span, lang)]


def _best(span: YearsResult, lang: str) -> str:
    ranking = span.ranking()
    if ranking.is_level:
        return text("years.level", lang, score=ranking.highest.score)
    high, low = ranking.highest, ranking.lowest
    return text(
        "years.ends", lang, high=_years(high.years, lang), best=high.score, low=_years(low.years, lang),
        worst=low.score,
    )  # fmt: skip


def _years(years: Any, lang: str) -> str:
    listed = runs([*years])
    return listed if lang == "en" else listed.replace(", ", "、")


def _turns(span: YearsResult, lang: str) -> list[str]:
    """Where the luck changes within these years."""
    found = []
    for band in span.bands[1:]:
        if band.cycle is not None:
            day = clock_and_offset(span.chart, band.start)[0][:10]
            found.append(text("years.turn", lang, day=day, luck=band_name(band, lang)))
    return found


def _row(span: YearsResult, at: int, lang: str, now: int, marks: dict[str, dict[int, str]]) -> YearRow:
    year = span.years[at]
    gods = (year.flow.marks.ten_god_stem.value, year.flow.marks.ten_god_branch.value)
    state = label(f"state.{year.useful_state.state}", lang) if span.pattern.useful.order else ""
    return YearRow(
        year.target_year,
        year.pillar.value,
        pillar_name(year.pillar, lang) if lang == "en" else "",
        year.target_year == now,
        [each.years[at].scores.overall for each in (span, *span.alternatives)],
        (", " if lang == "en" else " ").join(term(god, lang) for god in gods),
        state,
        [(year.scores.of(name), marks[name].get(year.target_year, "")) for name in DOMAINS],
        [_named(each, lang) for each in (*strongest_events(year), *dynamics(year))],
    )


def _marks(span: YearsResult, name: str) -> dict[int, str]:
    """The marks of the three years that are highest or lowest by a score; none where all are equal."""
    places = span.places(name)
    ordered = [year for place in places for year in place.years] if len(places) > 1 else []
    high, low = {*ordered[:3]}, {*ordered[-3:]}
    return dict.fromkeys(high - low, "high") | dict.fromkeys(low - high, "low")


def _named(event: YearEvent, lang: str) -> tuple[str, str]:
    if event.is_dynamic:
        return event.polarity, dynamic_name(term(event.name, lang, "dynamic"), event.ties[0], lang)
    return event.polarity, term(event.name, lang, "event")


def _cause(cause: Cause, lang: str) -> CauseRow:
    return CauseRow(capital(reason_name(cause.reason, lang)), cause.points, [*cause.years])
