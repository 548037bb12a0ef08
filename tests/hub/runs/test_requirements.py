"""Every promise of the protocol's document has a test, and the test says which."""

from __future__ import annotations

import ast
import csv
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROWS = list(csv.DictReader((HERE / "requirements.csv").read_text(encoding="utf-8").splitlines()))


def test_every_promise_has_a_row() -> None:
    assert [row["id"] for row in ROWS] == [f"D{number:02}" for number in range(1, 32)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_promise_has_a_test_that_names_it(row: dict[str, str]) -> None:
    file, _, name = row["test"].partition("::")
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    told = ast.get_docstring(functions[name]) or ""
    named = set(re.findall(r"D\d\d", told))
    for first, last in re.findall(r"D(\d\d)–D(\d\d)", told):
        named |= {f"D{number:02}" for number in range(int(first), int(last) + 1)}
    assert row["id"] in named
