"""Text laid out by display width: measuring, padding, folding, and framed tables.

A terminal gives a hanzi two columns and a Latin letter one (Unicode Standard Annex 11: W and F are wide). Marks
that combine take none, and neither do colour sequences. "Ambiguous" characters are counted as narrow, as
terminals outside legacy East Asian encodings do; cells of tables avoid them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from unicodedata import category, east_asian_width

# A line may break after a space or after a wide character, but none begins with these.
_NEVER_FIRST = "，。、；：！？）》」』】…—,.;:!?)]}"
_ASCII = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
# In cells narrower than this nothing is folded: it would be a word a line.
_LEAST = 8
_NEVER_LAST = "（《「『【([{"
# Runs that stay whole in English: a word with its hanzi in brackets, `god (身弱)`, `Fire (丙午 Bing Wu)`; hanzi with the
# word that glosses them, `官鬼 Officials`, and a pillar with its name; a number with its unit, `10 d`; a sum, `共-5`.
# A class of letters compiles in no time, one of twenty thousand code points takes half a millisecond.
_LETTER = r"[^\W\x00-\xff]"
_HANZI = rf"{_LETTER}{{1,6}}"


@cache
def _whole() -> re.Pattern[str]:
    return re.compile(
        rf"[A-Za-z'-]{{1,20}},? \({_HANZI}(?: [A-Z][a-z]{{1,5}}){{0,2}}\)|\({_HANZI}(?: \w{{1,6}}){{0,2}}\)"
        rf"|(?<!{_LETTER})(?<![\u3000-\u303f\uff00-\uffef]){_HANZI} [A-Z][a-z]{{1,12}}"
        rf"(?: [A-Z][a-z]{{1,7}}(?![A-Za-z]))?(?: \({_HANZI}\))?"
        r"|(?<!\w)[0-9]{1,4} (?:y|m|d|h|min|s)(?!\w)|共[+-][0-9]{1,4}"
    )


@lru_cache(maxsize=1 << 12)
def width(text: str) -> int:
    """Columns that a text takes in a terminal (cached: a page measures the same words and signs again and again)."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    return sum(map(_columns, text if "\x1b" not in text else _uncoloured(text)))


def _uncoloured(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@cache
def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """The text with spaces after it up to a width."""
    return text + " " * (columns - width(text))


def fold(text: str, columns: int, indent: str = "") -> list[str]:
    """The lines of a paragraph, each at most `columns` wide; from the second on they begin with `indent`."""
    if width(text) <= columns:
        return [text.rstrip()]
    lines: list[list[str]] = [[]]
    used, blank = 0, True
    for piece, wide in _pieces(text):
        if used + wide > columns and not blank and used + width(piece.rstrip()) > columns:
            piece = piece.lstrip()
            lines.append([indent])
            used, blank, wide = width(indent), True, width(piece)
        lines[-1].append(piece)
        used += wide
        blank = blank and not piece.strip()
    return ["".join(line).rstrip() for line in lines]


@lru_cache(maxsize=1 << 8)
def _pieces(text: str) -> tuple[tuple[str, int], ...]:
    """The shortest runs that stay on one line, with their widths (cached: a picture tries one text at many widths)."""
    return tuple((piece, width(piece)) for piece in _runs(text))


def _runs(text: str) -> Iterator[str]:
    piece, whole = "", set[int]()
    # Each such run has a bracket, or a space and a letter or digit; few Chinese lines do, and compiling takes milliseconds.
    if "(" in text or (" " in text and any(map(_ASCII.__contains__, text))):
        whole = {at for match in _whole().finditer(text) for at in range(match.start(), match.end() - 1)}
    for at, (here, after) in enumerate(zip_longest(text, text[1:], fillvalue=" ")):
        piece += here
        breaks = here == " " or _columns(here) == 2 or _columns(after) == 2
        if (
            breaks
            and at not in whole
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
    """Items side by side, cut only where one alone is too long; from the second line on `indent` stands first."""
    lines: list[str] = []
    for at, item in enumerate(items, 1):
        # A line that more follows ends with the visible part of the gap.
        room = columns - (width(gap.rstrip()) if at < len(items) else 0)
        if lines and width(longer := lines[-1] + gap + item) <= room:
            lines[-1] = longer
            continue
        if lines:
            lines[-1] += gap.rstrip()
        lines += fold((indent if lines else "") + item, columns, "  ")
    return lines


def taken(rows: Sequence[Sequence[str]], count: int) -> int:
    """Columns that the first cells of the rows of a table take, with what stands between them."""
    return sum(max(width(line) for row in rows for line in row[at].split("\n")) + 3 for at in range(count))


def table(
    rows: Sequence[Sequence[str]], columns: int = 80, least: int = 0, ruled: Collection[str] = ()
) -> list[str]:
    """The lines of a framed table: the first row is the head, the first column holds the labels.

    Cells may have several lines; the columns after the first are at least `least` wide unless more tables would
    be needed for that. Columns that do not fit are continued in a further table below; a cell that does not even
    fit beside its label is folded. A rule is drawn above the
    rows whose labels are in `ruled`.

    >>> print("\\n".join(table([["", "年柱"], ["天干", "庚金"]])))
    ┌──────┬──────┐
    │      │ 年柱 │
    ├──────┼──────┤
    │ 天干 │ 庚金 │
    └──────┴──────┘
    """
    rows = _fitted(rows, columns)
    widths = [max(_cell_width(row[at]) for row in rows) for at in range(len(rows[0]))]
    wider = [widths[0], *(max(size, least) for size in widths[1:])]
    groups = list(_groups(wider, columns))
    if len(groups) > len(narrow := list(_groups(widths, columns))):
        wider, groups = widths, narrow
    widths, lines = wider, []
    for chosen in groups:
        lines += _framed([[row[at] for at in chosen] for row in rows], [widths[at] for at in chosen], ruled)
    return lines


def _fitted(rows: Sequence[Sequence[str]], columns: int) -> list[list[str]]:
    """The rows with every cell after the first folded so that it fits beside it."""
    room = columns - max(_cell_width(row[0]) for row in rows) - 7
    if room < _LEAST:
        return [list(row) for row in rows]
    return [
        [head, *("\n".join(part for line in cell.split("\n") for part in fold(line, room)) for cell in cells)]
        for head, *cells in rows
    ]


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


def _framed(rows: list[list[str]], widths: list[int], ruled: Collection[str]) -> list[str]:
    head, *body = rows
    lines = [_rule("┌┬┐", widths), *_row(head, widths), _rule("├┼┤", widths)]
    for row in body:
        lines += [_rule("├┼┤", widths)] if row[0] in ruled and row is not body[0] else []
        lines += _row(row, widths)
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
