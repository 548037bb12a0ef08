"""Text laid out by display width: measuring, padding, folding, and framed tables.

A terminal gives a hanzi two columns and a Latin letter one (Unicode Standard Annex 11: W and F are wide). Marks
that combine take none, and neither do colour sequences. "Ambiguous" characters are counted as narrow, as
terminals outside legacy East Asian encodings do; cells of tables avoid them.
"""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A line may break after a space or after a wide character, but none begins with these.
_NEVER_FIRST = "，。、；：！？）》」』】…—,.;:!?)]}"
_NEVER_LAST = "（《「『【([{"


def width(text: str) -> int:
    """Columns that a text takes in a terminal.

    >>> width("庚午 year"), width("\\x1b[31m午\\x1b[0m")
    (9, 2)
    """
    if text.isascii() and "\x1b" not in text:
        return len(text)
    return sum(map(_columns, text if "\x1b" not in text else _uncoloured(text)))


def _uncoloured(text: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@cache
def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """The text with spaces after it up to a width.

    >>> pad("庚午", 6) + "|"
    '庚午  |'
    """
    return text + " " * (columns - width(text))


def fold(text: str, columns: int, indent: str = "") -> list[str]:
    """The lines of a paragraph, each at most `columns` wide; from the second on they begin with `indent`.

    >>> fold("时辰未知，只排三柱。", 11)
    ['时辰未知，', '只排三柱。']
    """
    if width(text) <= columns:
        return [text.rstrip()]
    lines = [""]
    for piece in _pieces(text):
        if width(lines[-1] + piece.rstrip()) > columns and lines[-1].strip():
            lines.append(indent + piece.lstrip())
        else:
            lines[-1] += piece
    return [line.rstrip() for line in lines]


def _pieces(text: str) -> Iterator[str]:
    """The shortest runs that stay on one line."""
    piece = ""
    for here, after in zip_longest(text, text[1:], fillvalue=" "):
        piece += here
        breaks = here == " " or _columns(here) == 2 or _columns(after) == 2
        if (
            breaks
            and after not in _NEVER_FIRST
            and here not in _NEVER_LAST
            and after != " "
            and not _is_pillar(here, after)
        ):
            yield piece
            piece = ""
    if piece:
        yield piece


def _is_pillar(here: str, after: str) -> bool:
    return here in "甲乙丙丁戊己庚辛壬癸" and after in "子丑寅卯辰巳午未申酉戌亥"


def pack(items: Sequence[str], columns: int, gap: str, indent: str = "") -> list[str]:
    """Items side by side, cut only where one alone is too long; from the second line on `indent` stands first.

    >>> pack(["胎元 壬申", "胎息 乙酉"], 14, "   ")
    ['胎元 壬申', '胎息 乙酉']
    """
    lines: list[str] = []
    for item in items:
        if lines and width(longer := lines[-1] + gap + item) <= columns:
            lines[-1] = longer
            continue
        if lines:
            lines[-1] += gap.rstrip()
        lines += fold((indent if lines else "") + item, columns, "  ")
    return lines


def table(rows: Sequence[Sequence[str]], columns: int = 80, least: int = 0) -> list[str]:
    """The lines of a framed table: the first row is the head, the first column holds the labels.

    Cells may have several lines; the columns after the first are at least `least` wide, as far as all of them
    still fit. Columns that do not fit are continued in a further table below.

    >>> print("\\n".join(table([["", "年柱"], ["天干", "庚金"]])))
    ┌──────┬──────┐
    │      │ 年柱 │
    ├──────┼──────┤
    │ 天干 │ 庚金 │
    └──────┴──────┘
    """
    widths = [max(_cell_width(row[at]) for row in rows) for at in range(len(rows[0]))]
    if sum(wider := [widths[0], *(max(size, least) for size in widths[1:])]) + 3 * len(widths) < columns:
        widths = wider
    lines: list[str] = []
    for chosen in _groups(widths, columns):
        lines += _framed([[row[at] for at in chosen] for row in rows], [widths[at] for at in chosen])
    return lines


def _cell_width(cell: str) -> int:
    return max(map(width, cell.split("\n")))


def _groups(widths: list[int], columns: int) -> Iterator[list[int]]:
    """The columns of each table that fits: always the labels, and at least one more."""
    left = columns - widths[0] - 4
    group: list[int] = []
    used = 0
    for at in range(1, len(widths)):
        if group and used + widths[at] + 3 > left:
            yield [0, *group]
            group, used = [], 0
        group.append(at)
        used += widths[at] + 3
    yield [0, *group]


def _framed(rows: list[list[str]], widths: list[int]) -> list[str]:
    head, *body = (_row(row, widths) for row in rows)
    lines = [_rule("┌┬┐", widths), *head, _rule("├┼┤", widths)]
    for row in body:
        lines += row
    return [*lines, _rule("└┴┘", widths)]


def _row(cells: list[str], widths: list[int]) -> list[str]:
    layers = zip_longest(*(cell.split("\n") for cell in cells), fillvalue="")
    return [
        "│ " + " │ ".join(pad(part, size) for part, size in zip(layer, widths, strict=True)) + " │"
        for layer in layers
    ]


def _rule(corners: str, widths: list[int]) -> str:
    left, middle, right = tuple(corners)
    return left + middle.join("─" * (size + 2) for size in widths) + right
