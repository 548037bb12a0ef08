"""A table as one test: every row is tried, and all that fail are told by their names.

What `pytest.mark.parametrize` makes of a table is a test for every row, each with its own setup, reports and way from a
worker. Where rows are many and each takes no time, that is all the time there is.
"""

from __future__ import annotations

import csv
import inspect
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# What a row that fails raises: an error of any kind, or an exception that did not come.
FAILED = (Exception, pytest.fail.Exception)


def rows_of(path: str) -> list[tuple[str, ...]]:
    """The rows of a CSV file of this folder, without its header and the lines that begin with #."""
    with (Path(__file__).parent / path).open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return [tuple(row) for row in rows]


def holds_for_all(
    names: str, rows: Iterable[Any], named: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a test of these arguments one of all rows; fixtures stay, and are those of the whole table.

    A row is the value of the one argument, or a tuple with one value for each; `named` gives its name.
    """
    keys = [name.strip() for name in names.split(",")]
    table = [*rows]

    def made(test: Callable[..., None]) -> Callable[..., None]:
        def whole(**fixtures: Any) -> None:
            assert table, "a table without rows proves nothing"
            failed = {}
            for row in table:
                try:
                    test(**dict(zip(keys, row if len(keys) > 1 else (row,), strict=True)), **fixtures)
                except FAILED as error:
                    failed[named(row)] = "".join(traceback.format_exception(error, limit=-1))
            if failed:
                told = "\n".join(f"{name[:200]}: {why}" for name, why in failed.items())
                pytest.fail(f"{len(failed)} of {len(table)} rows fail\n{told}", pytrace=False)

        asked = inspect.signature(test)
        rest = [each for name, each in asked.parameters.items() if name not in keys]
        whole.__name__, whole.__qualname__, whole.__doc__ = test.__name__, test.__qualname__, test.__doc__
        whole.__module__ = test.__module__
        whole.__signature__ = asked.replace(parameters=rest)  # type: ignore[attr-defined]
        return whole

    return made
