"""The strict `divination` object: exactly these keys in this order.

It is assembled from rows that depend on the hexagram alone (64 primaries; 64 targets × five palaces), so that a cast
costs little more than writing its forty-odd strings.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, Branch, Element, Pillar
from bazi_core.astro import scales
from bazi_core.errors import InvalidDatetime, InvalidInput, PillarsIncomplete, known, shown
from bazi_core.liuyao.hexagrams import HANZI, POSITIONS, hexagram_of, relations_in
from bazi_core.liuyao.marks import season
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from bazi_core.liuyao.chart import LiuyaoValue

METHODS = ("手动起卦", "自动起卦")


def divination(
    chart: LiuyaoValue, question: str, question_type: str, method: str, divination_time: str | None
) -> dict[str, Any]:
    """The object of a chart; raises `PILLARS_INCOMPLETE` when only month and day are known."""
    year, month, day, hour = chart.year, chart.month, chart.day, chart.hour
    if year is None or month is None or hour is None:
        raise PillarsIncomplete(Said("cast_four"), missing=["yearGanZhi", "monthGanZhi", "timeGanZhi"])
    text_of("question", question)
    if not text_of("question_type", question_type).strip():
        raise InvalidInput(Said("question_blank"), field="question_type")
    known("method", method, METHODS)
    primary, target, spirits = chart.primary, chart.target, spirits_of(day)
    moves, hidden = chart.moving, _hidden(primary.code)
    return {
        "question": question,
        "questionType": question_type,
        "divinationMethod": method,
        "divinationTime": _time(chart, divination_time),
        "binaryCode": primary.binary,
        "changedBinaryCode": target.binary,
        "guaName": primary.full_name,
        "upperName": primary.upper.name,
        "lowerName": primary.lower.name,
        "targetGuaName": target.full_name,
        "worldPosition": primary.shi,
        "responsePosition": primary.ying,
        "hasChangingYao": bool(moves),
        "ganzhi": _ganzhi(year, month, day, hour),
        "wuXingStatuses": dict(_statuses(month.branch)),
        "yaoInfoList": _lines(_rows(primary.code, primary.element), spirits, moves),
        "targetYaoInfoList": _lines(_rows(target.code, primary.element), spirits, moves) if moves else [],
        "fushenPositions": [each["position"] for each in hidden],
        "fushenInfoList": [each.copy() for each in hidden],
    }


def text_of(name: str, value: Any) -> str:
    """A text that UTF-8 can encode, unchanged; `INVALID_INPUT` for any other value."""
    if not isinstance(value, str):
        raise InvalidInput(Said("must_be_text", name=name, given=shown(value)[:40]), field=name)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(Said("half_character", name=name), field=name) from None
    return value


def _time(chart: LiuyaoValue, given: str | None) -> str:
    if chart.moment is None:
        if given is None:
            raise PillarsIncomplete(
                Said("cast_no_clock"), hint=Said("cast_no_clock_hint"), missing=["divinationTime"]
            )
        return _clock(given)
    if given is not None:
        raise InvalidInput(Said("cast_own_time"), given=shown(given)[:40])
    wall = scales.datetime_of(chart.moment.local_ms)
    return f"{wall.year:04}年{wall.month:02}月{wall.day:02}日 {wall.hour:02}:{wall.minute:02}"


# The form of a clock time; empty where none is known.
_CLOCK = re.compile(r"(\d{4}年(0[1-9]|1[0-2])月(0[1-9]|[12]\d|3[01])日 ([01]\d|2[0-3]):[0-5]\d)?", re.ASCII)


def _clock(given: Any) -> str:
    text = text_of("divination_time", given)
    if _CLOCK.fullmatch(text) is None or (text and not _is_day(text)):
        raise InvalidDatetime(
            Said("cast_clock", text=shown(text)[:40]), field="divination_time",
            value=shown(text)[:40], reason="format",
        )  # fmt: skip
    return text


def _is_day(text: str) -> bool:
    """Whether the day of a clock exists; the first twenty-eight of every month do."""
    if text[8:10] < "29" and text[:4] != "0000":
        return True
    try:
        return bool(date(int(text[:4]), int(text[5:7]), int(text[8:10])))
    except ValueError:
        return False


def _ganzhi(year: Pillar, month: Pillar, day: Pillar, hour: Pillar) -> dict[str, str]:
    voids = _voids()
    return {
        "yearGanZhi": HANZI[year],
        "monthGanZhi": HANZI[month],
        "dayGanZhi": HANZI[day],
        "timeGanZhi": HANZI[hour],
        "yearKongWang": voids[year.index],
        "monthKongWang": voids[month.index],
        "dayKongWang": voids[day.index],
        "timeKongWang": voids[hour.index],
        "yueJian": _with_element(month.branch, 0),
        "riChen": _with_element(day.branch, 0),
        "yuePo": _with_element(month.branch, 6),
        "riChong": _with_element(day.branch, 6),
    }


@cache
def _voids() -> tuple[str, ...]:
    return tuple("".join(branch.value for branch in void_branches(pillar)) for pillar in PILLARS)


@cache
def _with_element(branch: Branch, ahead: int) -> str:
    """`卯木`; with `ahead` 6 the branch that it clashes."""
    other = BRANCHES[(branch.index + ahead) % 12]
    return f"{other}{other.element}"


@cache
def _statuses(month: Branch) -> tuple[tuple[str, str], ...]:
    return tuple((element.value, season(month, element)) for element in ELEMENTS)


@cache
def _spirits() -> tuple[tuple[tuple[str, str], ...], ...]:
    """By stem of the day: (one character, full name) of lines 1 to 6."""
    table = rows("liuyao/spirits")
    names = [(row["short"], row["name"]) for row in table]
    first = {stem: at for at, row in enumerate(table) for stem in row["first_by"]}
    return tuple(tuple(names[(first[stem.value] + k) % 6] for k in range(6)) for stem in STEMS)


def spirits_of(day: Pillar) -> tuple[tuple[str, str], ...]:
    """六神 of lines 1 to 6, each by one character and in full."""
    return _spirits()[day.stem.index]


@cache
def _rows(code: int, palace: Element) -> tuple[dict[str, Any], ...]:
    """The lines of a hexagram, its relatives judged in a palace; spirit and motion are filled in by `_lines`."""
    hexagram = hexagram_of(code)
    return tuple(
        {
            "position": n,
            "spiritName": "",
            "relationName": relation,
            "tiganName": branch.value,
            "elementName": branch.element.value,
            "isYang": bool(code >> (n - 1) & 1),
            "isChanging": False,
            "specialMark": mark,
        }
        for n, relation, branch, mark in zip(
            POSITIONS, relations_in(code, palace), hexagram.branches, hexagram.marks, strict=True
        )
    )


def _lines(
    line_rows: tuple[dict[str, Any], ...], spirits: tuple[tuple[str, str], ...], moves: tuple[int, ...]
) -> list[dict[str, Any]]:
    lines = [row.copy() for row in line_rows]
    for row, (short, _) in zip(lines, spirits, strict=True):
        row["spiritName"] = short
    for n in moves:
        lines[n - 1]["isChanging"] = True
    return lines


@cache
def _hidden(code: int) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "position": each.position,
            "relationName": each.relation,
            "tiganName": each.pillar.branch.value,
            "elementName": each.pillar.branch.element.value,
        }
        for each in hexagram_of(code).hidden
    )
