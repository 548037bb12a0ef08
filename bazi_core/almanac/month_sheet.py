"""The sheet of a month as rows of a table, as a picture in the hand of the charts' pictures, and as a page.

A yellow path has a full dot and a black one an empty dot, beside their words; what is favoured and what is forbidden stand
behind their signs, so that no colour says anything alone.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from bazi_core.almanac.month import (
    grade_shown,
    heading,
    items_shown,
    lunar_shown,
    officer_shown,
    term_shown,
    waits_for_no_day,
)
from bazi_core.errors import known
from bazi_core.pictures.kit import LEAST, PAGE, THEMES, Picture, leading, lines
from bazi_core.pictures.page import whole_page
from bazi_core.render.phrases import pillar_name
from bazi_core.tables.almanac_words import said
from bazi_core.tables.words import LANGUAGES, glossed, label

if TYPE_CHECKING:
    from bazi_core.almanac.day import AlmanacDay
    from bazi_core.almanac.month import AlmanacMonth

WEEKDAYS = {"en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}
_HANZI_DAYS = tuple("一二三四五六日")
# Units of a cell, and of the room within its edges.
_WIDE, _PAD = 150, 8
_YELLOW = "黄道"
_GLOSS = re.compile(r" \([\u3400-\u9fff]+\)")


def weekdays(lang: str) -> tuple[str, ...]:
    return WEEKDAYS.get(lang, _HANZI_DAYS)


def month_rows(month: AlmanacMonth, lang: str, items: str = "minyong37") -> list[list[str]]:
    """A row for each day, the head first: date, pillar, lunar day, term, officer and path, grade, 宜, 忌."""
    known("lang", lang, LANGUAGES)
    names = ("date", "day", "lunar", "term", "officer", "grade", "yi", "ji")
    head = [label(f"almanac_{name}" if name not in ("date", "day") else name, lang) for name in names]
    return [head, *(_row(day, lang, items) for day in month.days)]


def _row(day: AlmanacDay, lang: str, items: str) -> list[str]:
    joiner = ", " if lang == "en" else " "
    return [
        f"{day.date.day} {weekdays(lang)[day.date.weekday()]}",
        pillar_name(day.calendar.day_pillar, lang),
        lunar_shown(day, lang),
        term_shown(day, lang),
        f"{officer_shown(day, lang)}{joiner}{said(day.day.huangdao, lang)}",
        grade_shown(day, lang),
        items_shown(day, "yi", lang, items) or "—",
        items_shown(day, "ji", lang, items) or "—",
    ]


def month_svg(
    month: AlmanacMonth, lang: str = "zh-Hans", theme: str = "light", items: str = "minyong37"
) -> str:
    """The sheet as SVG: a row for each week, a cell for each day."""
    picture = Picture(lang, theme, 7 * _WIDE)
    # A page has its own heading.
    top = 0 if theme == PAGE else 32
    if top:
        picture.text(0, 24, heading(month, lang), size=20, serif=True, bold=True)
    for number, name in enumerate(weekdays(lang)):
        picture.text((number + 0.5) * _WIDE, top + 16, name, "soft", anchor="middle")
    picture.height = top + 24
    for week in month.weeks:
        high = max(_cell(Picture(lang, theme), day, 0, 0, lang, items) for day in week if day) + _PAD
        for number, day in enumerate(week):
            x = number * _WIDE
            picture.rect(x, picture.height, _WIDE, high, "card" if day else "wash", edge="line")
            if day:
                _cell(picture, day, x, picture.height, lang, items)
        picture.height += high
    paths = (f"{dot} {said(name, lang)}" for dot, name in (("●", _YELLOW), ("○", "黑道")))
    picture.legend("   ".join((*paths, label("almanac_sheet_key", lang))))
    if theme != PAGE:
        picture.legend(" ".join(closing(month, lang)))
    return picture.svg(heading(month, lang), _told(month, lang))


def _cell(picture: Picture, day: AlmanacDay, x: float, top: float, lang: str, items: str) -> float:
    """Draws a day; how far it reaches below the top."""
    room, y = _WIDE - 2 * _PAD, top + 22
    left, right = x + _PAD, x + _WIDE - _PAD
    picture.text(left, y, str(day.date.day), size=18, bold=True)
    picture.text(right, y, day.calendar.day_pillar.value, size=16, anchor="end", serif=True)
    y += 18
    picture.text(left, y, lunar_shown(day, lang), "soft", size=LEAST)
    y += leading(LEAST)
    term = _short(term_shown(day, lang))
    for line in lines(term, room, LEAST) if term else ():
        picture.text(left, y, line, "seal", size=LEAST)
        y += leading(LEAST)
    yellow = day.day.huangdao == _YELLOW
    picture.circle(left + 4, y - 4, 3.2, "earth" if yellow else "", "earth" if yellow else "soft")
    for line in lines(_short(officer_shown(day, lang)), room - 14, LEAST):
        picture.text(left + 14, y, line, size=LEAST)
        y += leading(LEAST)
    if day.verdict:
        y = picture.block(left, y, lines(_short(grade_shown(day, lang)), room, LEAST), "soft", size=LEAST)
    for name, sign, color in (("yi", "宜", "wood"), ("ji", "忌", "fire")):
        told = _short(items_shown(day, name, lang, items)) or "—"
        picture.text(left, y, sign, color, size=LEAST, bold=True)
        y = picture.block(left + 16, y, lines(told, room - 16, LEAST), size=LEAST)
    return y - leading(LEAST) + 4 - top


def _short(told: str) -> str:
    """English words without the hanzi that gloss them, for a narrow cell; the table of the page has both.

    >>> _short("sacrifice (祭祀), bathing (沐浴) +7")
    'sacrifice, bathing +7'
    """
    return _GLOSS.sub("", told)


def closing(month: AlmanacMonth, lang: str) -> tuple[str, ...]:
    """The lines below a sheet: that a doctor waits for no day, where one is spoken of, and what all of it is for."""
    doctor = (note.text(lang) for note in waits_for_no_day(month.days))
    return (*doctor, label("almanac_study", lang))


def _told(month: AlmanacMonth, lang: str) -> str:
    """The month in words, for readers of screens: the days on which terms begin, and each day with its path and grade."""
    days = (f"{row[0]}: {row[1]}, {row[4]}, {row[5]}" for row in month_rows(month, lang)[1:])
    terms = [f"{glossed(each.name.value, lang)} {each.local[:16].replace('T', ' ')}" for each in month.terms]
    return ". ".join((*terms, *days))


def month_html(
    month: AlmanacMonth, lang: str = "zh-Hans", theme: str = "auto", items: str = "minyong37"
) -> str:
    """The sheet as one page without a script: the picture, and all of it as a table."""
    known("theme", theme, THEMES)
    title = escape(heading(month, lang))
    head, *body = month_rows(month, lang, items)
    # Both lists keep their room on a narrow display, where the table scrolls as the picture does.
    wide = dict.fromkeys(head[-2:], ' style="min-width:15rem"')
    cells = "".join(f'<th scope="col"{wide.get(each, "")}>{escape(each)}</th>' for each in head)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(each)}</td>" for each in rest)}</tr>'
        for first, *rest in body
    )
    name = escape(label("almanac_table", lang))
    table = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">'
        f"<table><thead><tr>{cells}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
    drawn = month_svg(month, lang, PAGE, items)
    figure = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
        f'<div style="min-width:46rem">{drawn}</div></div>'
    )
    parts = [f"<header><h1>{title}</h1></header>", figure, f"<section><h2>{name}</h2>{table}</section>"]
    foot = "".join(f"<p>{escape(each)}</p>" for each in closing(month, lang))
    return whole_page(heading(month, lang), lang, theme, parts, foot)
