"""The windows found for pillars, as text and Markdown, and the reasons for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import SolarTerm
from bazi_core.astro.civil import format_offset
from bazi_core.place.display import place_shown
from bazi_core.render.phrases import joined, pillar_name, printable, reading, titled
from bazi_core.render.text import aligned
from bazi_core.render.width import fold, table
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.reverse.asked import AskedPillar
    from bazi_core.reverse.search import FoundWindows, Window

# Spans that are named one by one.
_NAMED = 6


def windows_text(windows: FoundWindows, lang: str, columns: int, *, most: int | None = None) -> str:
    """The query, and its windows as a framed table, at most `most` of them."""
    head = aligned(_head(windows, lang), columns)
    if not windows.windows:
        return "\n".join([*head, label("find_none", lang)]) + "\n"
    left = len(windows) - most if most is not None else 0
    more = [label("find_more", lang, count=left)] if left > 0 else []
    return "\n".join([*head, *table(_rows(windows, lang, most), columns), *more]) + "\n"


def windows_markdown(windows: FoundWindows, lang: str) -> str:
    """The query and its windows as a list and a table of Markdown."""
    from bazi_core.render.markdown import pipe_table

    head = [f"- {titled(name, value, lang)}" for name, value in _head(windows, lang)]
    body = pipe_table(_rows(windows, lang, None)) if windows.windows else [label("find_none", lang)]
    return "\n".join([*head, "", *body]) + "\n"


def why_text(windows: FoundWindows, lang: str, columns: int) -> str:
    """Sentences on the search: the spans of year and month, the day, the hour, and the clock in use."""
    asked, school = windows.asked, windows.school
    lines = []
    if not (asked.year.free and asked.month.free):
        lunar = school.year_boundary == "lunar_new_year"
        lines.append(
            label("find_why_lunar" if lunar else "find_why_month", lang, spans=_spans(windows, lang))
        )
    by_clock = []
    if not (asked.day.free and asked.hour.free):
        by_clock.append(label("find_why_day", lang, turn=school.day_boundary))
    if not asked.hour.free:
        by_clock.append(label("find_why_hour", lang))
        if school.day_boundary == "00:00":
            by_clock.append(label(f"find_why_late_zi.{school.late_zi_hour_stem}", lang))
    if by_clock:
        by_clock.append(label(f"used_{windows.used}", lang))
        lines.append(joined(by_clock, lang))
    return "\n".join(part for line in lines for part in fold(line, columns, "  ")) + "\n"


def _head(windows: FoundWindows, lang: str) -> list[list[str]]:
    place, zone = windows.birth.place, windows.birth.timezone_id
    rows = [
        [label("find_asked", lang), _query(windows, lang)],
        [label("find_range", lang), label("find_days", lang, first=windows.first, last=windows.last)],
    ]
    if place:
        rows.append([label("place", lang), printable(place_shown(place, lang))])
    if zone or windows.birth.utc_offset_s is not None:
        rows.append([label("find_clock", lang), zone or format_offset(windows.birth.utc_offset_s or 0)])
    if not (windows.asked.day.free and windows.asked.hour.free):
        rows.append([label("find_why", lang), label(f"used_{windows.used}", lang)])
    return rows


def _query(windows: FoundWindows, lang: str) -> str:
    """The pillars of the query, each with its position where some are unknown."""
    return (", " if lang == "en" else " ").join(
        f"{label(name, lang)} {_part(part, lang)}" for name, part in windows.asked.items() if not part.free
    )


def _part(part: AskedPillar, lang: str) -> str:
    return pillar_name(part.whole, lang) if part.whole else str(part)


def _rows(found: FoundWindows, lang: str, most: int | None) -> list[list[str]]:
    """The windows, the head first; with pillars if some were unknown, with terms if some cut a window."""
    windows = found.windows[:most]
    whole = all(part.whole for part in found.asked)
    cuts = [_cut(found, window, lang) for window in windows]
    names = [
        "find_start",
        "find_end",
        *(() if whole else ("four_pillars",)),
        *(("find_cut",) if any(cuts) else ()),
    ]
    rows = [[label(name, lang) for name in names]]
    for window, cut in zip(windows, cuts, strict=True):
        pillars = [] if whole else [" ".join(value or "?" for value in found.pillars(window).values())]
        rows.append([_shown(window.start), _end(window), *pillars, *([cut] if any(cuts) else [])])
    return rows


def _cut(windows: FoundWindows, window: Window, lang: str) -> str:
    sides = zip(("find_opens", "find_closes"), windows.edges(window), strict=True)
    return joined(
        [
            label(side, lang, term=name if lang == "en" else term(name, lang))
            for side, name in sides
            if name in SolarTerm.__members__
        ],
        lang,
    )


def _end(window: Window) -> str:
    """The end, without the date and the offset that it shares with the start."""
    start, end = _shown(window.start), _shown(window.end)
    if start[19:] != end[19:]:
        return end
    return end[11:19] if start[:10] == end[:10] else end[:19]


def _shown(at: datetime) -> str:
    offset = at.utcoffset()
    assert offset is not None
    return f"{reading(at.isoformat())} {format_offset(int(offset.total_seconds()))}"


def _spans(windows: FoundWindows, lang: str) -> str:
    spans = windows.months
    named = [
        label("find_days", lang, first=span.start.date(), last=span.end.date()) for span in spans[:_NAMED]
    ]
    more = [label("find_and_more", lang, count=len(spans))] if len(spans) > _NAMED else []
    return joined([*named, *more], lang) or label("none_such", lang)
