"""The census of patterns: the file adds up, and parts of it counted anew are the same."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.census.patterns import FILE, SMALL, count, recounted


@pytest.fixture(scope="module")
def census() -> dict:
    return json.loads(FILE.read_text("utf-8"))


@pytest.mark.exhaustive
def test_a_part_counted_anew_is_that_of_the_file(census):
    assert count(*SMALL) == census["small"]


@pytest.mark.exhaustive
def test_every_part_counted_anew_is_that_of_the_file(census):
    assert recounted() == census["by_day"]


def test_only_structures_that_are_not_genuine_are_called_so(census):
    """假 is said of 假从 and 假化; a pattern that neither holds nor breaks is not yet formed."""
    kinds = {name for name in census["total"] if name.startswith("apparent.")}
    assert kinds == {"apparent.无", "apparent.从格", "apparent.化格"}


def test_the_parts_add_up(census):
    total = Counter()
    for part in census["by_day"].values():
        total.update(part)
    assert dict(total) == census["total"]
    for what in ("pattern", "status", "strength", "level", "yong", "climate", "apparent"):
        assert (
            sum(n for name, n in total.items() if name.startswith(f"{what}.")) == census["charts"] == 518_400
        )


def test_every_pattern_and_status_occurs(census):
    names = {name.partition(".")[2] for name in census["total"] if name.startswith(("pattern.", "status."))}
    regular = {"正官格", "七杀格", "财格", "印格", "食神格", "伤官格", "阳刃格", "建禄格", "月劫格"}
    special = {"从财格", "从官格", "从杀格", "从儿格", "从势格", "从旺格", "从强格"}
    dominant = {"曲直格", "炎上格", "稼穑格", "从革格", "润下格"}
    transformed = {f"化{element}格" for element in "木火土金水"}
    assert regular | special | dominant | transformed <= names
    assert {"成格", "败格", "败中有救", "成中有忌", "未成", "变格"} <= names
