"""How the library is broken on purpose: a function, a constant or a table cell is exchanged in an interpreter of its own.

A program of mutations says which there are and what must notice each. It is started once for every mutation with the
name of it and of its checks; there the mutation is applied before any table is read, the checks run, and their
findings are counted on the last line of its output.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NONE = "nothing"

Apply = Callable[[], None]
# Name → what is broken, and the checks that must notice it.
Mutations = dict[str, tuple[Apply, list[str]]]
# Mutation → check → how much it finds.
Found = dict[str, dict[str, int]]


def module(name: str) -> Any:
    return importlib.import_module(f"bazi_core.{name}")


def wrap(home: str, name: str, change: Callable[[Any], Callable[..., Any]]) -> None:
    """Put `change(function)` in the place of a function, also where others have imported it already."""
    old = getattr(module(home), name)
    put(old, change(old))


def put(old: object, new: object) -> None:
    """Put one object in the place of another wherever a module of the library holds it."""
    for each in [found for key, found in sys.modules.items() if key.startswith("bazi_core")]:
        for alias, value in list(vars(each).items()):
            if value is old:
                # A public function is found again under its name, so the module must be told, not its face.
                vars(each)[alias] = new


def function(home: str, name: str, change: Callable[[Any], Callable[..., Any]]) -> Apply:
    """Another function in the place of one."""
    return lambda: wrap(home, name, change)


def constant(home: str, name: str, change: Callable[[Any], Any]) -> Apply:
    """Another value in the place of a constant."""

    def apply() -> None:
        old = getattr(module(home), name)
        put(old, change(old))

    return apply


def method(home: str, owner: str, name: str, change: Callable[[Any], Any]) -> Apply:
    """Another method or property in the place of one."""

    def apply() -> None:
        kind = getattr(module(home), owner)
        setattr(kind, name, change(vars(kind)[name]))

    return apply


def edit_rows(table: str, change: Callable[[list[dict[str, str]]], object]) -> Apply:
    """Change the rows of a doctrine table in place."""

    def apply() -> None:
        def edited(rows: Any) -> Any:
            def read(name: str) -> Any:
                found = [dict(row) for row in rows(name)]
                if name == table:
                    change(found)
                return tuple(found)

            return read

        wrap("tables", "rows", edited)

    return apply


def swap_cells(table: str, row: int, one: str, other: str) -> Apply:
    """Exchange two cells of a row of a doctrine table."""

    def change(found: list[dict[str, str]]) -> None:
        cells = found[row]
        cells[one], cells[other] = cells[other], cells[one]

    return edit_rows(table, change)


def swap_rows(table: str, column: str, one: int, other: int) -> Apply:
    """Exchange a cell between two rows of a doctrine table."""

    def change(found: list[dict[str, str]]) -> None:
        found[one][column], found[other][column] = found[other][column], found[one][column]

    return edit_rows(table, change)


def failing_tests(name: str, only: str = "") -> int:
    """How many tests of a module failed until this was sure, or of one of them; pytest runs in this very interpreter.

    Without plugins, whose import takes four times as long as most of the tests: `@given` needs none.
    """
    path = str(ROOT / (name.replace(".", "/") + ".py")) + (f"::{only}" if only else "")
    counted = Counter()
    # Nor with the settings of the project, which belong to those plugins.
    plain = ["-c", os.devnull, "--rootdir", str(ROOT), "--import-mode=importlib", "-p", "no:cacheprovider"]
    ended = pytest.main([*plain, "-q", "--no-header", "--tb=no", "--maxfail=1", path], plugins=[counted])
    # Where pytest could not even begin, nothing was found out.
    assert ended in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED), ended
    return counted.failed


class Counter:
    """Counts failed tests; a module that cannot be read at all has failed too."""

    def __init__(self) -> None:
        self.failed = 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.failed += report.failed

    def pytest_collectreport(self, report: Any) -> None:
        self.failed += report.failed


def run_all(program: str, mutations: Mutations, environment: dict[str, str] | None = None) -> Found:
    """What every check finds under every mutation that it must notice, and without any."""
    named = {name: checks for name, (_, checks) in mutations.items()}
    # The one that takes longest begins first.
    asked = {NONE: sorted({check for checks in named.values() for check in checks}), **named}

    def ran(name: str) -> dict[str, int]:
        return _run(program, name, asked[name], environment or {})

    with ThreadPoolExecutor(max(4, os.cpu_count() or 4)) as pool:
        return dict(zip(asked, pool.map(ran, asked), strict=True))


def _run(program: str, mutation: str, checks: list[str], environment: dict[str, str]) -> dict[str, int]:
    line = [sys.executable, "-m", program, mutation, *checks]
    own = {**os.environ, "PYTHONUTF8": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    done = subprocess.run(line, capture_output=True, text=True, cwd=ROOT, env=own, check=False)
    assert done.returncode == 0, done.stderr
    counts = map(int, done.stdout.strip().splitlines()[-1].split())
    return dict(zip(checks, counts, strict=True))


def count(name: str, checks: Iterable[str], mutations: Mutations, failures: Callable[[str], int]) -> None:
    """The body of a program of mutations: apply one, run the checks, and print their counts."""
    sys.path.insert(0, str(ROOT))
    if name != NONE:
        mutations[name][0]()
    print(*(failures(check) for check in checks))


def survivors(found: Found) -> list[str]:
    """`mutation: check` of every check that should have noticed and did not."""
    return [
        f"{name}: {check}"
        for name, counts in found.items()
        for check, number in counts.items()
        if name != NONE and number == 0
    ]
