"""What sentences rest on, for a reader: the facts that one cites, in the reader's language, with rule, source and basis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_core.facts import Fact, collect
from bazi_core.pattern.walk import meets, tie_facts, walk, walk_facts
from bazi_core.year.dates import reading_facts
from bazi_core.year.result import analyse
from bazi_core.year.span import side_by_side
from bazi_core.year.span_evidence import span_facts

HANS = "zh-Hans"
# Facts that hold the birth itself: nobody sees them who was only shown a reading.
_BIRTH = "p.time."
# The basis of a fact stands beside it in drawers of no more facts.
_FEW = 3
# Years of which facts speak, by their ids; of so many, at most, the words are made again.
_YEAR = re.compile(r"(?:yr|ln|lm)\.([0-9]{4})\.")
_SPAN = re.compile(r"yrs\.([0-9]{4})-([0-9]{4})\.")
MOST_YEARS = 20


class Proof(NamedTuple):
    """A fact as it is read; `language` where its text is in another than the page."""

    id: str
    text: str
    marks: str
    basis: list[str]
    language: str | None


class Proofs:
    """The drawers of a page: each holds the facts of one or more sentences, and has a number.

    `stored` are the facts as an object holds them, with their Chinese text; `known` are the same computed again, which say
    it in every language. A text that another release of the library would word otherwise stays as it is stored.
    """

    def __init__(
        self, language: str, stored: Mapping[str, Any], known: Mapping[str, Fact], *, open: bool = False
    ) -> None:
        self._language, self._stored, self._known, self._open = language, stored, known, open
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, cited: Iterable[str]) -> int | None:
        """The number of the drawer with these facts; None where there is nothing to show."""
        shown = tuple(name for name in dict.fromkeys(cited) if self._is_shown(name))
        return self._numbers.setdefault(shown, len(self._numbers) + 1) if shown else None

    def drawers(self) -> list[tuple[int, list[Proof]]]:
        """Every drawer with its number."""
        return [
            (number, [self._proof(name, len(names) <= _FEW) for name in names])
            for names, number in self._numbers.items()
        ]

    def _is_shown(self, name: str) -> bool:
        return (name in self._stored or name in self._known) and not (self._open and name.startswith(_BIRTH))

    def _proof(self, name: str, in_full: bool) -> Proof:
        stored, known = self._stored.get(name), self._known.get(name)
        rule, source, basis = (
            (stored["rule"], stored["source"], stored["derives_from"])
            if stored
            else (known.rule, known.source, known.derives_from)  # type: ignore[union-attr]
        )
        text, language = self._text(name)
        marks = " · ".join(filter(None, (rule, source)))
        told = [self._text(each)[0] for each in basis if self._is_shown(each)] if in_full else []
        return Proof(name, text, marks, told, language)

    def _text(self, name: str) -> tuple[str, str | None]:
        stored, known = self._stored.get(name), self._known.get(name)
        if known is not None and (stored is None or known.text_zh == stored["text_zh"]):
            return known.text(self._language), None
        assert stored is not None
        return stored["text_zh"], None if self._language == HANS else HANS


def facts_again(chart: Chart, named: Iterable[str], as_of: str | None = None) -> dict[str, Fact]:
    """The facts that these names speak of, as far as they are found, made from the chart once more."""
    names = [*named]
    pattern = chart.pattern()
    found = dict(pattern.all_facts)
    running = None if as_of is None else chart.running(as_of)
    decades = walk(pattern)
    ties = (fact for decade in decades for fact in tie_facts(decade, meets(pattern, decade).every))
    found |= {fact.id: fact for fact in (*walk_facts(decades, running), *ties)}
    years = sorted({int(each) for name in names for each in _YEAR.findall(f"{name}.")})[:MOST_YEARS]
    spans = sorted({tuple(map(int, each)) for name in names for each in _SPAN.findall(name)})[:2]
    for year in years:
        try:
            result = analyse(pattern, year)
        except BaziError:
            continue
        found |= result.all_facts
        found |= collect(reading_facts(result))
    for first, last in spans:
        if last - first < MOST_YEARS:
            found |= collect(span_facts(side_by_side(pattern, first, last)))
    return found


__all__ = ["Proof", "Proofs", "facts_again"]
