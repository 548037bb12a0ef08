"""The warnings of a chart in words, each with the alternatives that it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.render.phrases import joined, printable, reading, titled, word
from bazi_core.tables.words import label, message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.chart import Chart
    from bazi_core.doubts import Doubt

_MOST = 5
_SECONDS = ("distance_s", "shift_s", "seconds")


def notes(chart: Chart, lang: str) -> list[list[str]]:
    """The warnings: the sentence first, then its alternatives, a line each.

    >>> import bazi_core as bz
    >>> notes(bz.chart(pillars="庚申 乙酉 庚戌 庚辰"), "en")
    [['No gender given, so luck pillars are left out.']]
    """
    return [noted(doubt, lang) for doubt in chart.warnings]


def noted(doubt: Doubt, lang: str) -> list[str]:
    """A warning: the sentence first, then its alternatives, a line each."""
    return [sentence(doubt, lang), *_alternatives(doubt.data, lang)]


def sentence(doubt: Doubt, lang: str) -> str:
    """The sentence of a warning with its codes put into words and its times cut to seconds, safe to print."""
    data = {name: _in_words(name, value, lang) for name, value in doubt.data.items()}
    return printable(message(doubt.code, data, lang))


def _in_words(name: str, value: Any, lang: str) -> Any:
    if name in _SECONDS:
        return int(abs(value))
    if isinstance(value, str):
        return _to_seconds(value) if value[10:11] == "T" and value[4:5] == "-" else word(value, lang)
    return value


def _to_seconds(iso: str) -> str:
    """A clock reading to whole seconds, with the offset if there is one."""
    return reading(iso) + iso[19:].lstrip(".0123456789")


def _alternatives(data: dict[str, Any], lang: str) -> Iterator[str]:
    for name, write in _ALTERNATIVES.items():
        if data.get(name):
            yield from write(data[name], lang)


def _other_pillars(name: str) -> Callable[[Any, str], Iterator[str]]:
    def written(pillars: dict[str, str | None], lang: str) -> Iterator[str]:
        yield titled(label(name, lang), " ".join(filter(None, pillars.values())), lang)

    return written


def _offsets(rows: list[dict[str, str]], lang: str) -> Iterator[str]:
    yield joined([f"{row['utc_offset']} {row['hour_pillar']}" for row in rows], lang)


def _passed_over(places: list[dict[str, Any]], lang: str) -> Iterator[str]:
    names = [
        printable(f"{place['name']} {place['admin'] or ''} ({place['ref']})") for place in places[:_MOST]
    ]
    more = ["…"] if len(places) > _MOST else []
    yield titled(label("passed_over", lang), joined([*names, *more], lang), lang)


def _varies(pillars: dict[str, list[dict[str, str]]], lang: str) -> Iterator[str]:
    for name, spans in pillars.items():
        values = [f"{span['value']} {clock_span(span['from'], span['to'])}" for span in spans]
        yield titled(label(name, lang), joined(values, lang), lang)


def clock_span(start: str, end: str) -> str:
    """The clock times of a piece of a day, the midnight at its end as 24:00.

    >>> clock_span("1990-05-15T02:52:00.000", "1990-05-16T00:00:00.000")
    '02:52-24:00'
    """
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
    "alternatives": _offsets,
    "passed_over": _passed_over,
    "varies": _varies,
    "rows": _lunar_rows,
}
