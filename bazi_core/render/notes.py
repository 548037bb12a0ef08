"""The warnings of a chart in words, each with the alternatives that it carries."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Pillar
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.phrases import bracketed, joined, pillar_name, pillars_text, printable, titled
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.chart import ChartValue
    from bazi_core.warnings import BaziWarning
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

_MOST = 5


def notes(chart: ChartValue, lang: str, left_out: tuple[str, ...] = ()) -> list[list[str]]:
    """The warnings but for those of the codes `left_out`: the sentence first, then its alternatives, a line each.

    >>> import bazi_core as bz
    >>> notes(bz.chart(pillars="庚申 乙酉 庚戌 庚辰"), "en")
    [['No gender given, so luck pillars are left out.']]
    """
    return [noted(_on_clock(doubt, chart), lang) for doubt in chart.warnings if doubt.code not in left_out]


def all_notes(of: YearResult | YearsResult, lang: str) -> list[list[str]]:
    """The warnings of the chart, of its pattern and of a year or years, in words."""
    later = (*of.pattern.warnings, *of.warnings)
    return [*notes(of.chart, lang), *([sentence(doubt, lang)] for doubt in later)]


def _on_clock(doubt: BaziWarning, chart: ChartValue) -> BaziWarning:
    """The warning with its instant of UTC, if any, converted to the clock of the birth."""
    at = doubt.data.get("at", "")
    if not at.endswith("Z"):
        return doubt
    return doubt._replace(data={**doubt.data, "at": on_local_clock(chart, datetime.fromisoformat(at[:-1]))})


def noted(doubt: BaziWarning, lang: str) -> list[str]:
    """A warning: the sentence first, then its alternatives, a line each."""
    return [sentence(doubt, lang), *_alternatives(doubt.data, lang)]


def sentence(doubt: BaziWarning, lang: str) -> str:
    """The sentence of a warning, safe to print."""
    return printable(doubt.text(lang))


def _alternatives(data: dict[str, Any], lang: str) -> Iterator[str]:
    for name, write in _ALTERNATIVES.items():
        if data.get(name):
            yield from write(data[name], lang)


def _other_pillars(name: str) -> Callable[[Any, str], Iterator[str]]:
    def written(pillars: dict[str, str | None], lang: str) -> Iterator[str]:
        shown = pillars_text((Pillar(pillar) for pillar in pillars.values() if pillar), lang)
        yield titled(label(name, lang), shown, lang)

    return written


def _offsets(rows: list[dict[str, str]], lang: str) -> Iterator[str]:
    known = [(row["utc_offset"], pillar_name(Pillar(row["hour_pillar"]), lang)) for row in rows]
    yield joined([f"{offset} {pillar}" for offset, pillar in known], lang)


def _passed_over(places: list[dict[str, Any]], lang: str) -> Iterator[str]:
    names = [
        printable(bracketed(f"{place['name']} {place['admin'] or ''}".rstrip(), place["ref"], lang))
        for place in places[:_MOST]
    ]
    more = ["…"] if len(places) > _MOST else []
    yield titled(label("passed_over", lang), joined([*names, *more], lang), lang)


def _varies(pillars: dict[str, list[dict[str, str]]], lang: str) -> Iterator[str]:
    for name, spans in pillars.items():
        values = [
            f"{pillar_name(Pillar(span['value']), lang)} {clock_span(span['from'], span['to'])}"
            for span in spans
        ]
        yield titled(label(name, lang), joined(values, lang), lang)


def clock_span(start: str, end: str) -> str:
    """The clock times of a piece of a day, the midnight at its end as 24:00."""
    at_midnight = end[11:16] == "00:00" and end[:10] != start[:10]
    return f"{start[11:16]}-{'24:00' if at_midnight else end[11:16]}"


def _lunar_rows(rows: list[dict[str, Any]], lang: str) -> Iterator[str]:
    for row in rows:
        leap = label("leap", lang) if row["leap"] else ""
        gap = " " if leap and lang == "en" else ""
        name = label("lunar_month_row", lang, year=row["lunar_year"], leap=leap + gap, month=row["month"])
        both = [
            f"{label(word_of, lang)} {row[key] or label('none_such', lang)}"
            for word_of, key in (("as_issued", "official_start"), ("as_computed", "computed_start"))
        ]
        yield titled(name, joined(both, lang), lang)


_ALTERNATIVES: dict[str, Callable[[Any, str], Iterator[str]]] = {
    "alternative_pillars": _other_pillars("alternative"),
    "pillars_by_standard_clock": _other_pillars("by_standard_clock"),
    "pillars_by_zone": _other_pillars("by_zone"),
    "pillars_by_offset": _other_pillars("by_offset"),
    "pillars_by_coordinates": _other_pillars("by_coordinates"),
    "alternatives": _offsets,
    "passed_over": _passed_over,
    "varies": _varies,
    "rows": _lunar_rows,
}
