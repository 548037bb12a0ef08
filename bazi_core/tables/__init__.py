"""Doctrine as CSV matrices, printed as the books print them, each row with its source and school.

A rule that differs between schools is one more row. Cells are read once, on first use.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from bazi_core.tables.compiled import compiled

_FOLDER = os.path.dirname(__file__)


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table by column name; lines that begin with # tell where the table comes from.

    >>> rows("nayin")[0]["pillars"], rows("nayin")[0]["nayin"]
    ('甲子 乙丑', '海中金')
    """
    parsed: tuple[dict[str, str], ...] = compiled(_path(name), _rows)
    return parsed


def made_of(name: str, make: Callable[[tuple[dict[str, str], ...]], Any]) -> Any:
    """What a function makes of the rows of a table: plain values, kept as `compiled` keeps rows."""
    return compiled(_path(name), lambda text: make(_rows(text)), make)


def _path(name: str) -> str:
    return os.path.join(_FOLDER, name + ".csv")


def _rows(text: bytes) -> tuple[dict[str, str], ...]:
    import csv

    lines = text.decode("utf-8").splitlines(keepends=True)
    names, *cells = csv.reader(line for line in lines if not line.startswith("#"))
    return tuple(dict(zip(names, row, strict=True)) for row in cells)


def row_of(name: str, value: str, column: str = "school") -> dict[str, str]:
    """The row of a table with this value in a column, by default its school."""
    return next(row for row in rows(name) if row[column] == value)
