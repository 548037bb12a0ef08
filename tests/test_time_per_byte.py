"""Twice the text takes about twice the time, whatever reads it and whatever it holds."""

from __future__ import annotations

import ast
import csv
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import SIZES, repeated, steep
from tests.outside import EVERY, KNOWN, SEEDS, WORKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
# The default set looks at some texts up to four kilobytes, the whole suite at all of them up to 128.
SOME, SHORT = (*KNOWN, *SEEDS[::32]), SIZES[:5]


@pytest.mark.parametrize("name", WORKS)
def test_some_texts_take_time_in_proportion_to_their_length(name: str) -> None:
    for seed in SOME:
        assert steep(WORKS[name], repeated(*seed), SHORT) is None, seed


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY)
def test_every_text_takes_time_in_proportion_to_its_length(name: str) -> None:
    for seed in SEEDS:
        assert steep(EVERY[name], repeated(*seed)) is None, seed


SIGNS = "x0 \n\t\"'\\[]{}(),.:;-_*`<>&%=|/+年月日命必一十。；、\u0301\u0323\u200b\ufdfa\ud800\U000e0041"
UNITS = st.text(SIGNS, min_size=1, max_size=6)
ENDS = st.text(SIGNS, max_size=6)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY)
@given(before=ENDS, unit=UNITS, after=ENDS)
@settings(max_examples=25, deadline=None)
def test_a_text_that_nobody_thought_of_takes_no_longer(name: str, before: str, unit: str, after: str) -> None:
    assert steep(EVERY[name], repeated(before, unit, after), SIZES[3:8]) is None


# --- what this finds ----------------------------------------------------------------------------------------------------

_SCAN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)
_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
_THOUGHT = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)

ONCE: dict[str, Callable[[str], object]] = {
    "a scan that begins anew at every string without an end": lambda text: sum(
        1 for _ in _SCAN.finditer(text)
    ),
    "a fence with blanks on both sides of a line end": _FENCE.fullmatch,
    "a thought that is looked for behind every beginning": lambda text: _THOUGHT.sub("", text, count=1),
    "marks that are sorted one by one": lambda text: unicodedata.normalize("NFC", text),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ONCE)
def test_what_was_slow_once_is_found(name: str) -> None:
    assert any(steep(ONCE[name], repeated(*seed), SHORT) for seed in KNOWN)


# --- every pattern has a work that feeds it -----------------------------------------------------------------------------

VERBS = frozenset(("compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"))

USED = re.compile(rf"\bre\.(?:{'|'.join(VERBS)})\b")


def patterns() -> Iterator[tuple[str, str]]:
    """The file and the name or function of every use of `re`."""
    for package in ("bazi_core", "bazi_hub", "bazi_cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            for where in _uses(ast.parse(text), "") if USED.search(text) else ():
                yield path.relative_to(ROOT).as_posix(), where


def _uses(node: ast.AST, where: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        here = where
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            here = f"{where}.{child.name}".strip(".")
        elif isinstance(child, ast.Assign | ast.AnnAssign) and not where:
            here = ast.unparse(child.targets[0] if isinstance(child, ast.Assign) else child.target)
        if isinstance(child, ast.Call) and _of_re(child.func):
            yield here
        yield from _uses(child, here)


def _of_re(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and called.attr in VERBS
        and isinstance(called.value, ast.Name)
        and called.value.id == "re"
    )


def rows() -> dict[tuple[str, str], str]:
    with (Path(__file__).parent / "outside_patterns.csv").open(encoding="utf-8", newline="") as table:
        return {(row["file"], row["where"]): row["read_by"] for row in csv.DictReader(table)}


def test_every_pattern_stands_in_the_table_with_the_work_that_feeds_it() -> None:
    assert sorted(rows()) == sorted(set(patterns()))
    assert {work for work in rows().values() if not work.startswith("own: ")} <= WORKS.keys()


def test_re_is_used_under_its_own_name() -> None:
    for package in ("bazi_core", "bazi_hub", "bazi_cli"):
        for path in (ROOT / package).rglob("*.py"):
            assert not re.search(
                r"^\s*(?:from re import|import re as)", path.read_text("utf-8"), re.MULTILINE
            ), path
