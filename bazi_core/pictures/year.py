"""A year before a chart: the six columns with the arcs that it adds, where its points come from, its twelve months."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.luck.running import instant_of
from bazi_core.pictures import arcs
from bazi_core.pictures.chart import SignColumn, frame, natal_seats, shortened, signs
from bazi_core.pictures.kit import LEAST, WIDTH, Picture, length, sentences
from bazi_core.pillars import POSITIONS
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.meaning import relation_text
from bazi_core.render.notes import sentence
from bazi_core.render.phrases import joined, pillar_name
from bazi_core.render.year_sheet import conclusion, score_if, title
from bazi_core.render.years_sheet import reason_name
from bazi_core.tables.words import label, term
from bazi_core.views.resolution import RESOLVED
from bazi_core.views.strength import EITHER
from bazi_core.views.ten_gods import ten_god
from bazi_core.year.reasons import reasons
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import AsOf
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult

NEUTRAL = 50
_BAR, _REACH = 15.0, 44.0


def drawing(
    year: YearResult,
    lang: str = "zh-Hans",
    theme: str = "light",
    as_of: AsOf | None = None,
    *,
    lines_too: bool = True,
) -> str:
    """The picture of a year; `as_of` marks the month that runs at that time.

    Without `lines_too` title and doubts are only in the description, for a page that tells them before.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> drawing(year).count(">冲<"), "丙午" in drawing(year)
    (2, True)
    """
    picture = Picture(lang, theme)
    name = title(year, lang)
    if lines_too:
        picture.heading(name)
    picture.height += 6
    if lines_too:
        picture.note(label("picture.doubts", lang), doubts(year, lang))
    _columns(picture, year)
    _points(picture, year)
    months(picture, year, as_of)
    picture.legend(label("score_note", lang))
    return picture.svg(name, sentences(_told(year, lang), lang))


def doubts(year: YearResult, lang: str) -> list[str]:
    """The doubts of a year: its score under the other reading of an open strength, and its warnings."""
    found = []
    if year.alternatives:
        either = [score_if(each, lang) for each in (year, *year.alternatives)]
        found.append(joined([term(EITHER, lang), *either], lang))
    warnings = [warning for warning in year.chart.warnings if warning.code == "HOUR_UNKNOWN"]
    return found + [sentence(each, lang) for each in (*warnings, *year.warnings)]


def _columns(picture: Picture, year: YearResult) -> None:
    """The pillars of birth, of the luck and of the year, with the arcs of what the year adds."""
    lang, day, main = picture.lang, year.chart.day_master, year.main
    luck = SignColumn(main.place, main.pillar, ten_god(day, main.pillar.stem).value if main.pillar else None)
    seats = [
        *natal_seats(year.chart),
        luck,
        SignColumn("liunian", year.pillar, ten_god(day, year.pillar.stem).value),
    ]
    at = frame(len(seats), lang)
    # What is resolved adds nothing; the description tells it.
    added = [relation for relation in year.relations if relation.status != RESOLVED]
    above, below = arcs.arcs(added, (*POSITIONS, "luck", "liunian"), lang)
    top, shade = picture.height, len(picture.parts)
    # What a pillar is in itself the year does not add, and between six columns is no room for it.
    picture.height = signs(picture, seats, at, above, below, arrows=False)
    left, right = at.span(POSITIONS.index("day"))
    picture.rect(left, top, right - left, picture.height - top - 4, "wash", radius=3)
    picture.parts.insert(shade, picture.parts.pop())
    picture.legend(label("year.added", lang))


def _points(picture: Picture, year: YearResult) -> None:
    """From the neutral 50 to the score, a bar for each reason."""
    lang = picture.lang
    found = [reason for reason in reasons(year) if reason.of(OVERALL)]
    picture.height = _heading(picture, label("year.points", lang, score=year.scores.overall))
    left, room = (222.0, 110.0) if lang == "en" else (150.0, 160.0)
    sums = [NEUTRAL]
    for each in found:
        sums.append(sums[-1] + each.of(OVERALL))
    low, high = min(*sums, NEUTRAL - 10), max(*sums, NEUTRAL + 10)

    def x(score: int) -> float:
        return left + (score - low) / (high - low) * room

    y = picture.height
    foot = y + 17 * len(found)
    picture.path(f"M{x(NEUTRAL):g} {y:g}V{foot + 3:g}", "edge", dashed=True, thick=1)
    for each, before, after in zip(found, sums, sums[1:], strict=False):
        picture.text(
            left - 14, y + 12, shortened(reason_name(each, lang), left - 16, LEAST), size=LEAST, anchor="end"
        )
        start, end = sorted((x(before), x(after)))
        points = each.of(OVERALL)
        picture.rect(start, y + 3, end - start, 11, "ink" if points > 0 else "edge")
        number = f"{points:+d}"
        if end < x(NEUTRAL) < end + 7 + length(number, LEAST):
            picture.rect(x(NEUTRAL) - 1, y + 1, 2, 15, "paper")
        picture.text(end + 5, y + 12, number, size=LEAST, bold=True)
        y += 17
    picture.text(x(NEUTRAL), foot + 15, label("year.neutral", lang), "soft", size=LEAST, anchor="middle")
    picture.height = foot + 22


def _heading(picture: Picture, told: str) -> float:
    picture.text(0, picture.height + 26, told, size=13, serif=True, bold=True)
    return picture.height + 36


def months(picture: Picture, year: YearResult, as_of: AsOf | None) -> None:
    """The twelve months as bars from 50, the one that runs marked."""
    lang, found = picture.lang, year.months
    picture.height = _heading(picture, label("year.months", lang))
    wide = WIDTH / len(found)
    scores = [each.score for each in found]
    scale = _REACH / max(15, *(abs(score - NEUTRAL) for score in scores))
    up = max(0.0, *((score - NEUTRAL) * scale for score in scores))
    down = max(0.0, *((NEUTRAL - score) * scale for score in scores))
    runs = None if as_of is None else running_month(year, as_of)
    base = picture.height + (16 if runs is None else 30) + up
    foot = base + down + 32
    tall = 34 if lang == "en" else 20
    for at, each in enumerate(found):
        middle, now = wide * (at + 0.5), at == runs
        if now:
            picture.rect(middle - wide / 2, picture.height, wide, foot - picture.height + tall, radius=2)
        size = (each.score - NEUTRAL) * scale
        color = "seal" if now else "ink" if size > 0 else "edge"
        picture.rect(middle - _BAR / 2, base - max(size, 0), _BAR, abs(size) or 1, color)
        above = base - size - 5 if size >= 0 else base - size + 13
        picture.text(middle, above, str(each.score), size=LEAST, anchor="middle", bold=True)
        picture.text(middle, foot, each.pillar.value, size=13, anchor="middle", serif=True, bold=True)
        for line, told in enumerate(_begins(year, each, lang)):
            picture.text(middle, foot + 14 * (line + 1), told, "soft", size=LEAST, anchor="middle")
        if now:
            told = label("picture.now", lang)
            picture.text(middle, picture.height + 11, told, "seal", size=LEAST, anchor="middle", bold=True)
    picture.path(f"M0 {base:g}H{WIDTH}", "edge", thick=1)
    picture.height = foot + tall


def _begins(year: YearResult, month: Month, lang: str) -> Sequence[str]:
    """The 节 that opens a month; in English its date, in two lines."""
    if lang != "en":
        return [term(month.jie.value, lang)]
    date = on_local_clock(year.chart, month.start)[:10]
    return [label(f"month.{int(date[5:7])}", lang)[:3], str(int(date[8:]))]


def running_month(year: YearResult, as_of: AsOf) -> int | None:
    """The place of the month that runs at a moment; None outside the year."""
    at = instant_of(as_of, year.chart.clock)
    return next((number for number, each in enumerate(year.months) if each.start <= at < each.end), None)


def _told(year: YearResult, lang: str) -> list[str]:
    found = [f"{name} {value}" for name, value in conclusion(year, lang)]
    found += [relation_text(relation, lang) for relation in year.relations]
    found += [
        f"{reason_name(reason, lang)} {reason.of(OVERALL):+d}"
        for reason in reasons(year)
        if reason.of(OVERALL)
    ]
    return found + [
        f"{pillar_name(month.pillar, lang)} {term(month.jie.value, lang)} {month.score}"
        for month in year.months
    ]
