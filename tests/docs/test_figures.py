"""Figures that the documentation states are those that are measured."""

from __future__ import annotations

import re

import pytest

from benchmarks.doctrine import table
from tests.core.readings.free_text import scores
from tests.docs.examples import DOCS, tables

RESULTS = (DOCS.parent / "benchmarks/RESULTS.md").read_text("utf-8")
SECTION = re.findall(r"<!-- doctrine -->\n(.*?)<!-- /doctrine -->", RESULTS, re.DOTALL)[0].splitlines()


def counts(row: list[str] | str) -> list[str]:
    return re.findall(r"\d+/\d+", str(row))


def test_the_agreement_with_the_books_is_as_it_was_written_down():
    assert [line for line in SECTION if not line.startswith("| bazi-chart")] == table()


@pytest.mark.parametrize("page", ["strength-and-useful-gods.md", "zh/strength-and-useful-gods.md"])
def test_the_page_on_strength_states_the_agreement_with_the_books(page):
    stated = [counts(row) for row in tables(page) if len(counts(row)) >= 3]
    assert stated == [counts(line) for line in SECTION[2:-1]]


def test_the_readme_states_the_agreement_with_the_books():
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    ours = next(line for line in SECTION if line.startswith("| bazi_core"))
    for useful_god_or_pattern in (counts(ours)[3], counts(ours)[5]):
        assert useful_god_or_pattern.replace("/", " of ") in readme


@pytest.mark.parametrize("page", ["grounding.md", "zh/grounding.md"])
def test_the_page_on_grounding_states_how_many_sentences_pass(page):
    stated = [row for row in tables(page) if row[0] in ("shown", "unseen")]
    asked = [row[2:] for row in stated if len(row) == 4]
    assert asked == [
        [pair(page, one.accepted, one.true), pair(page, one.caught, one.false)] for one in scores().values()
    ]
    tried = [row[3:] for row in stated if len(row) == 5]
    assert tried == [
        [pair(page, one.caught, one.false), pair(page, one.accepted, one.true)]
        for one in scores("evasions").values()
    ]


def pair(page: str, hits: int, of: int) -> str:
    return f"{of} 中 {hits}" if page.startswith("zh") else f"{hits} of {of}"
