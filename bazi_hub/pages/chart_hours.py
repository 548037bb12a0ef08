"""What a chart could be instead: by another clock, in the next double hour, in each piece of a day without an hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from markupsafe import Markup

from bazi_core.astro import scales
from bazi_core.birth import Birth
from bazi_core.errors import BaziError
from bazi_core.face import Chart, cast
from bazi_core.moment import HOUR_MS, solar_moment
from bazi_core.pattern.result import judgement
from bazi_core.pictures import chart as pictures
from bazi_core.pictures.kit import PAGE, sentences
from bazi_core.pillars import four_pillars
from bazi_core.render.meaning import conclusions
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import joined, pillar_name
from bazi_core.school import School
from bazi_core.tables.words import glossed, label, term
from bazi_core.unknown_hour import Candidate
from bazi_hub.pages.address import Fields, address, query_text
from bazi_hub.pages.chart_strength import ElementMark, element_mark
from bazi_hub.pages.texts import text

# A birth that is so near to the edge of its double hour has the chart of the next one beside it.
NEAR_EDGE_MS = 15 * 60_000


class Other(NamedTuple):
    """The chart that it would be by the clock, or in the next double hour: picture, what is else, its address."""

    kind: str
    picture: Markup
    told: str
    query: str


class Piece(NamedTuple):
    """A piece of a day whose hour is unknown; what differs from most of the others is marked."""

    span: str
    day: str
    hour: str
    strength: str
    strength_differs: bool
    pattern: str
    pattern_differs: bool
    useful: ElementMark | None
    query: str


def other_chart(chart: Chart, query: Fields | None, lang: str) -> Other | None:
    """By the clock, or of one by the clock by the Sun, where that gives other pillars; else in the double hour whose edge
    is near."""
    moment, born = chart.moment, chart.birth
    if moment is None or born is None or query is None or born.hour_branch is not None:
        return None
    kind, basis = ("sun", "true_solar") if moment.used == "civil" else ("clock", "civil")
    other = (
        cast(born, chart.school.with_options(time_basis=basis), warned=False)
        if moment.true_solar_ms is not None
        else chart
    )
    if other.pillars == chart.pillars:
        since = (moment.local_ms + HOUR_MS) % (2 * HOUR_MS)
        # The clock has whole minutes: the next double hour begins with the one that is not over.
        minutes = -(since // 60_000 + 1) if since < HOUR_MS else (2 * HOUR_MS - since) // 60_000 + 1
        if abs(minutes) * 60_000 > NEAR_EDGE_MS:
            return None
        kind = "edge"
        try:
            there = born._replace(civil=born.civil + timedelta(minutes=minutes), fold=None)
            other = cast(there, chart.school, warned=False)
        except BaziError:
            return None
        if other.pillars == chart.pillars:
            return None
    query_there = address(other)
    if query_there is None:
        return None
    changed = [
        text("chart.other.pillar", lang, where=label(name, lang), pillar=pillar_name(now, lang))
        for name, before, now in zip(
            ("year", "month", "day", "hour"), chart.pillars, other.pillars, strict=True
        )
        if before != now and now is not None
    ]
    told = sentences([joined([*changed, *conclusions(other.pattern(), lang)], lang)], lang)
    return Other(kind, Markup(pictures.signs_alone(other, lang, PAGE)), told, query_text(query_there))


def pieces_of_day(chart: Chart, lang: str) -> list[Piece]:
    """The pieces of a day whose hour is unknown, each with what its chart would be; none where the hour is known."""
    if chart.day is None or chart.birth is None:
        return []
    found = [(each, judgement(each.pillars, chart.school)) for each in chart.day.candidates]
    strength, pattern = (
        Counter(part).most_common(1)[0][0]
        for part in ([each.strength for _, each in found], [each.pattern for _, each in found])
    )
    return [
        Piece(
            clock_span(scales.iso_local(each.start.civil_ms), scales.iso_local(each.end.civil_ms)).replace(
                "-", "–"
            ),
            each.pillars.day.value,
            each.pillars.hour.value if each.pillars.hour else "",
            term(judged.strength, lang),
            judged.strength != strength,
            glossed(judged.pattern, lang),
            judged.pattern != pattern,
            element_mark(judged.useful[0], lang) if judged.useful else None,
            query_text(_query(chart.birth, chart.school, each) or {}),
        )
        for each, judged in found
    ]


def _query(born: Birth, school: School, piece: Candidate) -> Fields | None:
    """The query of a minute in the middle of a piece of the day; None where no whole minute has its pillars."""
    middle = piece.start.then((piece.start.utc_ms + piece.end.utc_ms) // 2)
    minute = middle.replace(second=0, microsecond=0, tzinfo=None)
    known = born._replace(hour_unknown=False, precision_s=60)
    for civil in (minute, minute + timedelta(minutes=1)):
        # Which of two equal readings lies in the piece is seen by its pillars.
        for fold in (None, 0, 1):
            with suppress(BaziError):
                there = known._replace(civil=civil, fold=fold)
                moment = solar_moment(there, school)
                if four_pillars(moment, school) == piece.pillars:
                    return address(Chart(piece.pillars, school, born.gender, there, moment))
    return None


def most_agreed(pieces: list[Piece], lang: str) -> list[str]:
    """On what most pieces of the day agree."""
    told = []
    parts: tuple[tuple[str, Callable[[Piece], str]], ...] = (
        ("strength", lambda each: each.strength),
        ("pattern", lambda each: each.pattern),
        ("useful", lambda each: each.useful.word if each.useful else ""),
    )
    for name, part in parts:
        counted = Counter(part(each) for each in pieces if part(each)).most_common(1)
        told += [text(f"day.{name}", lang, count=count, of=len(pieces), most=most) for most, count in counted]
    return told


__all__ = ["Other", "Piece", "most_agreed", "other_chart", "pieces_of_day"]
