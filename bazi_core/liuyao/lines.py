"""The six lines that were cast: 少阳 7, 少阴 8, 老阳 9, 老阴 6, from line 1 (bottom) to line 6.

A line is kept as its number. Odd is yang; 9 and 6 are old and move, that is, turn into their opposite.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.errors import YaoLinesLength, YaoLineValue, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    Values = tuple[int, ...]

COUNT = 6


@cache
def names() -> dict[int, str]:
    """Number → name."""
    return {int(row["value"]): row["name"] for row in rows("liuyao/lines")}


@cache
def _readings() -> dict[Any, int]:
    by_text: dict[Any, int] = {}
    for row in rows("liuyao/lines"):
        value = int(row["value"])
        by_text |= dict.fromkeys((row["name"], row["name_hant"], row["sign"], row["value"], value), value)
    return by_text


def values_of(lines: Any) -> Values:
    """The six numbers of lines given as names, numbers, text such as `789876`, or a record of a cast.

    Raises `YAO_LINES_LENGTH` for another count and `YAO_LINE_VALUE` for a line that is none of the four.

    >>> values_of("776867"), values_of(["少阳", "少阳", "老阴", "少阴", "老阴", "少阳"])
    ((7, 7, 6, 8, 6, 7), (7, 7, 6, 8, 6, 7))
    """
    given = getattr(lines, "values", lines)
    parts = _parts(lines if callable(given) else given)
    if len(parts) != COUNT:
        raise YaoLinesLength(Said("lines_count", count=len(parts)), expected=COUNT, actual=len(parts))
    readings = _readings()
    # Types are looked at since True, 7.0 and 7 are one key.
    values = tuple([readings.get(part) if type(part) in (str, int) else None for part in parts])
    if None in values:
        raise _refused(values.index(None), parts)
    return values  # type: ignore[return-value]


def _parts(given: Any) -> list[Any]:
    if isinstance(given, str):
        split = [
            part for part in given.replace("，", ",").replace("、", ",").replace(" ", ",").split(",") if part
        ]
        return [*split[0]] if len(split) == 1 and split[0].isdigit() else split
    if isinstance(given, (list, tuple)):
        return list(given)
    raise YaoLinesLength(Said("lines_kind", given=shown(given)), expected=COUNT, actual=0)


def _refused(index: int, parts: list[Any]) -> YaoLineValue:
    value, allowed = shown(parts[index])[:20], list(names().values())
    return YaoLineValue(
        Said("line_value", line=index + 1, value=value),
        hint=Said("line_value_hint", allowed=" ".join(allowed)),
        index=index,
        value=value,
        allowed=allowed,
    )


@cache
def code(values: Values) -> int:
    """The yang bits of six lines."""
    return sum((value & 1) << k for k, value in enumerate(values))


@cache
def moving(values: Values) -> tuple[int, ...]:
    """Positions of the lines that move, ascending."""
    return tuple(n for n, value in enumerate(values, 1) if value in (6, 9))


@cache
def changed_code(values: Values) -> int:
    """The yang bits after the old lines have turned."""
    return code(values) ^ sum(1 << n - 1 for n in moving(values))
