"""Figures that the documentation states are those that are measured."""

from __future__ import annotations

import re

import pytest

from bazi_core.readings.free_line import fault
from bazi_core.tables.words import LANGUAGES
from benchmarks.doctrine import tables as doctrine
from tests.core.readings.test_free_line import FALSE
from tests.docs.examples import DOCS, tables

RESULTS = (DOCS.parent / "benchmarks/RESULTS.md").read_text("utf-8")
SECTION = re.findall(r"<!-- doctrine -->\n(.*?)<!-- /doctrine -->", RESULTS, re.DOTALL)[0].strip()
# One table for 任铁樵, one for the later authors, one for each of them.
BOOKS = [part.splitlines() for part in SECTION.split("\n\n")]


def counts(row: list[str] | str) -> list[str]:
    return re.findall(r"\d+/\d+", str(row))


@pytest.mark.exhaustive
def test_the_agreement_with_the_books_is_as_it_was_written_down():
    shown = [line for line in SECTION.splitlines() if not line.startswith("| bazi-chart")]
    assert shown == doctrine().splitlines()


@pytest.mark.parametrize("page", ["strength-and-useful-gods.md", "zh/strength-and-useful-gods.md"])
def test_the_page_on_strength_states_the_agreement_with_the_books(page):
    stated = [counts(row) for row in tables(page) if len(counts(row)) >= 3]
    alone = [line for part in BOOKS[2:] for line in part if line.startswith("| bazi_core")]
    assert stated == [counts(line) for line in (*BOOKS[0][2:-1], *BOOKS[1][2:-1], *alone)]


def test_the_readme_states_the_agreement_with_the_books():
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    ours = next(line for line in BOOKS[0] if line.startswith("| bazi_core"))
    for useful_god_or_pattern in (counts(ours)[3], counts(ours)[5]):
        assert useful_god_or_pattern.replace("/", " of ") in readme


@pytest.mark.parametrize("page", ["grounding.md", "zh/grounding.md"])
def test_the_page_on_grounding_states_how_many_false_lines_were_tried_and_printed(page):
    stated = [(row[0], int(row[1]), int(row[2])) for row in tables(page) if row[0] in LANGUAGES]
    assert stated == [
        (
            name,
            sum(each == name for each, _ in FALSE),
            sum(each == name for each, line in FALSE if not fault(line, name)),
        )
        for name in LANGUAGES
    ]
