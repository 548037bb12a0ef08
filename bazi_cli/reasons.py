"""The derivation of the four pillars: every step from the clock to the characters, with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import PILLARS
from bazi_core.astro import scales, terms
from bazi_core.pillars import POSITIONS, day_index, year_index
from bazi_core.place.display import place_shown
from bazi_core.render import sheet
from bazi_core.render.clocks import term_on_clock
from bazi_core.render.notes import clock_span
from bazi_core.render.phrases import duration, printable, reading, titled
from bazi_core.render.text import aligned
from bazi_core.render.width import fold
from bazi_core.tables.words import glossed, label
from bazi_core.wording import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Branch, Pillar, Stem
    from bazi_core.face import Chart
    from bazi_core.moment import SolarMoment
    from bazi_core.views.columns import Column

_DAY_OFFSET = 14
"""Sexagenary index of a date = (its proleptic Gregorian ordinal + 14) mod 60; 2000-01-01 is 戊午."""


def reasons(chart: Chart, lang: str, columns: int) -> Iterator[str]:
    """The derivation, one paragraph a step."""
    yield sheet.title(chart, lang)
    yield ""
    if chart.moment is not None:
        yield from _time(chart, chart.moment, lang, columns)
        yield ""
        yield from _pillars(chart, chart.moment, lang, columns)
    elif chart.day is not None:
        yield from _day(chart, lang, columns)
    else:
        yield label("given_pillars", lang)
    yield ""
    for column in chart.columns:
        yield from fold(_column(column, lang), columns, "    ")
    if chart.luck is not None:
        yield ""
        yield from fold(_luck(chart, lang), columns, "    ")
    yield ""
    yield from fold(label("why.more", lang), columns)


def _time(chart: Chart, moment: SolarMoment, lang: str, columns: int) -> Iterator[str]:
    if moment.birth.place is not None:
        place = printable(place_shown(moment.birth.place, lang))
        yield from fold(titled(label("place", lang), place, lang), columns, "    ")
    yield from aligned(sheet.time_rows(chart, lang), columns)
    difference, ut1 = (moment.tt_ms - moment.utc_ms) / 1000, scales.ut1_minus_utc_ms(moment.utc_ms) / 1000
    yield label("why.scales", lang, tt=f"{difference:+.3f}", ut1=f"{ut1:+.3f}")


def _pillars(chart: Chart, moment: SolarMoment, lang: str, columns: int) -> Iterator[str]:
    sentences = (_year(chart, moment, lang), _month(chart, moment, lang), _date(chart, moment, lang))
    known = dict(chart.pillars.items())
    for name, sentence in zip(POSITIONS, (*sentences, _hour(chart, moment, lang)), strict=True):
        yield from fold(
            titled(f"{label(name, lang)} {_sign(known[name], lang)}", sentence, lang), columns, "    "
        )


def _year(chart: Chart, moment: SolarMoment, lang: str) -> str:
    index, pillar = chart.pillars.year.index, chart.pillars.year
    if chart.school.year_boundary == "lunar_new_year":
        from bazi_core.astro.lunar import lunar_year_of

        day = scales.datetime_of(moment.local_ms).date()
        of = chart.school.lunar_months
        year = lunar_year_of(day, future_utc=moment.future_utc, calendar=of)
        return label("why.year_lunar", lang, year=year, index=index, pillar=_sign(pillar, lang))
    lichun = moment.term - (moment.term - 2) % 24
    year = terms.year_at(lichun)
    return label(
        "why.year", lang, at=_local(moment, lichun), year=year, index=index, pillar=_sign(pillar, lang)
    )


def _month(chart: Chart, moment: SolarMoment, lang: str) -> str:
    return label(
        "why.month",
        lang,
        first=glossed(terms.term_at(moment.prev_jie).value, lang),
        since=_local(moment, moment.prev_jie),
        next=glossed(terms.term_at(moment.next_jie).value, lang),
        until=_local(moment, moment.next_jie),
        branch=_sign(chart.pillars.month.branch, lang),
        stem=_sign(PILLARS[year_index(moment.term)].stem, lang),
        pillar=_sign(chart.pillars.month, lang),
    )


def _date(chart: Chart, moment: SolarMoment, lang: str) -> str:
    clock, boundary = scales.datetime_of(moment.local_ms), chart.school.day_boundary
    ordinal = clock.date().toordinal() + (boundary == "23:00" and clock.hour == 23)
    index = (ordinal + _DAY_OFFSET) % 60
    return label(
        "why.day",
        lang,
        clock=label(moment.used, lang),
        at=reading(moment.local),
        boundary=boundary,
        date=type(clock.date()).fromordinal(ordinal),
        ordinal=ordinal,
        index=index,
        pillar=_sign(chart.pillars.day, lang),
    )


def _hour(chart: Chart, moment: SolarMoment, lang: str) -> str:
    clock, hour = scales.datetime_of(moment.local_ms), chart.pillars.hour
    assert hour is not None
    start = (clock.hour + 1) // 2 * 2 - 1
    by_next_day = chart.school.day_boundary == "23:00" or chart.school.late_zi_hour_stem == "next_day"
    day = PILLARS[day_index(moment.local_ms, by_next_day)]
    return label(
        "why.hour",
        lang,
        at=reading(moment.local)[11:],
        start=f"{start % 24:02}:00",
        end=f"{(start + 2) % 24:02}:00",
        branch=_sign(hour.branch, lang),
        stem=_sign(day.stem, lang),
        pillar=_sign(hour, lang),
    )


def _local(moment: SolarMoment, position: int) -> str:
    return " ".join(filter(None, term_on_clock(moment, position)))


def _day(chart: Chart, lang: str, columns: int) -> Iterator[str]:
    assert chart.day is not None
    yield from fold(label("why.unknown", lang, count=len(chart.day.candidates)), columns)
    for candidate in chart.day.candidates:
        found = candidate.to_dict()
        shown = (
            ", ".join(_sign(pillar, lang) for pillar in candidate.pillars if pillar)
            if lang == "en"
            else candidate.pillars
        )
        yield from fold(f"  {clock_span(found['from'], found['to'])}  {shown}", columns, "    ")


def _sign(sign: Stem | Branch | Pillar, lang: str) -> str:
    return written(type(sign).__name__.lower(), sign.value, lang)


def _column(column: Column, lang: str) -> str:
    """The ten gods of the stem and the hidden stems of a pillar, with the ids of the facts."""
    at = column.position
    gods = [] if column.ten_god is None else [(column.pillar.stem, column.ten_god.value, f"tg.{at}.stem")]
    for hidden, god in zip(column.hidden, column.hidden_gods, strict=True):
        gods.append((hidden.stem, god.value, f"tg.{at}.{hidden.stem}"))
    between = ": " if lang == "en" else " "
    shown = "  ".join(
        f"{_sign(stem, lang)}{between}{glossed(god, lang)} [{fact}]" for stem, god, fact in gods
    )
    return titled(f"{label(at, lang)} {_sign(column.pillar, lang)}", shown, lang)


def _luck(chart: Chart, lang: str) -> str:
    luck, moment = chart.luck, chart.moment
    assert luck is not None
    who = label(chart.gender or "", lang)
    polarity = glossed(chart.pillars.year.stem.polarity.value, lang)
    first = label(
        "why.luck",
        lang,
        stem=_sign(chart.pillars.year.stem, lang),
        polarity=polarity,
        gender=who,
        direction=label(luck.direction, lang),
    )
    if moment is None or luck.start is None:
        return first
    position = moment.next_jie if luck.direction == "forward" else moment.prev_jie
    seconds = abs(terms.instant(position) - moment.tt_ms) // 1000
    name = glossed(terms.term_at(position).value, lang)
    rest = label("why.start", lang, jie=name, span=duration(seconds, lang), seconds=seconds)
    return f"{first}{rest}{sheet.luck_line(chart, lang)}"
