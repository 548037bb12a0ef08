"""Every promise has a test, and every test that is named exists."""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.tables import holds_for_all
from tests.test_default_set import MARKERS

HERE = Path(__file__).parent
ROOT = HERE.parent
LINES = (HERE / "requirements.csv").read_text("utf-8").splitlines()
PROJECT = ROOT.parents[1]
ROWS = list(csv.DictReader(line for line in LINES if not line.startswith("#")))


@cache
def proofs_in(file: Path) -> dict[str, str]:
    """The tests of a file with what each says of itself."""
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {node.name: ast.get_docstring(node) or "" for node in functions if node.name.startswith("test_")}


def named_in(told: str) -> set[str]:
    """The promises of divination runs that a docstring names: `D04`, or `D05–D08` for all of them."""
    named = set(re.findall(r"D\d\d", told))
    for first, last in re.findall(r"D(\d\d)–D(\d\d)", told):
        named |= {f"D{number:02}" for number in range(int(first), int(last) + 1)}
    return named


def present(items: list[pytest.Item]) -> set[tuple[Path, str]]:
    """The same of the tests that this run has collected."""
    named = {path for row in ROWS for path, _ in map(proof, row["tests"].split())}
    return {
        (item.path, item.originalname)
        for item in items
        if item.path in named
        and isinstance(item, pytest.Function)
        and not any(map(item.get_closest_marker, MARKERS))
    }


def collected(files: set[Path]) -> set[tuple[Path, str]]:
    """(file, function) of the tests in these files that pytest runs unless it is told otherwise."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-n0",
        "-p",
        "no:cacheprovider",
        "--assert=plain",
        *sorted(files),
    ]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    nodes = [line.partition("[")[0].split("::") for line in done.stdout.splitlines() if "::" in line]
    return {(PROJECT / file, steps[-1]) for file, *steps in nodes}


def proof(named: str) -> tuple[Path, str]:
    """(file, function) of a cell; no function stands for all of them."""
    file, _, name = named.partition(":")
    return (ROOT / file).resolve(), name


def without_proof(run: set[tuple[Path, str]]) -> dict[str, set[tuple[Path, str]]]:
    """The promises that none of these tests proves, with those that would."""
    run = run | {(file, "") for file, _ in run}
    proofs = {row["id"]: {proof(each) for each in row["tests"].split()} for row in ROWS}
    return {key: named for key, named in proofs.items() if not named & run}


def test_every_promise_has_a_test_that_runs_by_default(request: pytest.FixtureRequest) -> None:
    """What is left out unless it is asked for proves more of a promise, never all of it.

    A run of a part of the tests asks another pytest for what it has not collected itself.
    """
    missing = without_proof(present(request.session.items))
    if missing:
        files = {file for named in missing.values() for file, _ in named}
        missing = {key: missing[key] for key in missing.keys() & without_proof(collected(files)).keys()}
    assert missing == {}


@holds_for_all("row", ROWS, lambda row: row["id"])
def test_a_promise_is_proven(row: dict[str, str]) -> None:
    assert row["tests"], f"{row['id']} has no test: {row['promise']}"
    for named in row["tests"].split():
        path, _, name = named.partition(":")
        target = ROOT / path
        assert target.exists(), f"{row['id']}: there is no {path}"
        if name:
            assert name in proofs_in(target), f"{row['id']}: {path} has no {name}"


@holds_for_all("row", [row for row in ROWS if row["id"][0] == "D"], lambda row: row["id"])
def test_a_promise_of_divination_runs_is_named_by_its_test(row: dict[str, str]) -> None:
    path, _, name = row["tests"].partition(":")
    assert row["id"] in named_in(proofs_in(ROOT / path)[name])


def test_the_promises_of_divination_runs_are_numbered_without_a_gap() -> None:
    numbered = [row["id"] for row in ROWS if row["id"][0] == "D"]
    assert numbered == [f"D{number:02}" for number in range(1, 32)]


def test_an_id_stands_once() -> None:
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids))
