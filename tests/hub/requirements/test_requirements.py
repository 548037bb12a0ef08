"""Every promise has a test, and every test that is named exists."""

from __future__ import annotations

import ast
import csv
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent
LINES = (HERE / "requirements.csv").read_text("utf-8").splitlines()
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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_promise_is_proven(row: dict[str, str]) -> None:
    assert row["tests"], f"{row['id']} has no test: {row['promise']}"
    for named in row["tests"].split():
        path, _, name = named.partition(":")
        target = ROOT / path
        assert target.exists(), f"{row['id']}: there is no {path}"
        if name:
            assert name in proofs_in(target), f"{row['id']}: {path} has no {name}"


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"][0] == "D"], ids=lambda row: row["id"])
def test_a_promise_of_divination_runs_is_named_by_its_test(row: dict[str, str]) -> None:
    path, _, name = row["tests"].partition(":")
    assert row["id"] in named_in(proofs_in(ROOT / path)[name])


def test_the_promises_of_divination_runs_are_numbered_without_a_gap() -> None:
    numbered = [row["id"] for row in ROWS if row["id"][0] == "D"]
    assert numbered == [f"D{number:02}" for number in range(1, 32)]


def test_an_id_stands_once() -> None:
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids))
