"""Every promise has a test, and every test that is named exists."""

from __future__ import annotations

import ast
import csv
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent


def rows() -> list[dict[str, str]]:
    lines = (HERE / "requirements.csv").read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@cache
def names_in(file: Path) -> frozenset[str]:
    """The names of the tests of a file, and of the classes that inherit theirs."""
    tree = ast.parse(file.read_text("utf-8"))
    functions = {
        node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    return frozenset(name for name in functions if name.startswith("test_"))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_a_promise_is_proven(row: dict[str, str]) -> None:
    assert row["tests"], f"{row['id']} has no test: {row['promise']}"
    for named in row["tests"].split():
        path, _, name = named.partition(":")
        target = ROOT / path
        assert target.exists(), f"{row['id']}: there is no {path}"
        if name:
            assert name in names_in(target), f"{row['id']}: {path} has no {name}"


def test_an_id_stands_once() -> None:
    ids = [row["id"] for row in rows()]
    assert len(ids) == len(set(ids))
