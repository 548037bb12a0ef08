"""A fact with its rule, its source and its basis, as an indented list."""

from __future__ import annotations

from collections.abc import Iterator

from bazi_core.errors import known
from bazi_core.facts import Fact, basis_of
from bazi_core.tables.words import LANGUAGES


def fact_text(fact_id: str, facts: dict[str, Fact], lang: str = "zh-Hans") -> str:
    """A fact and its basis, one fact a line, indented by depth; a fact that was already printed is only named again."""
    known("lang", lang, LANGUAGES)
    fact, *_ = basis_of(fact_id, facts)
    return "\n".join(_lines(fact, facts, lang, 0, set()))


def _lines(fact: Fact, facts: dict[str, Fact], lang: str, depth: int, above: set[str]) -> Iterator[str]:
    marks = "; ".join(part for part in (fact.id, fact.rule, fact.source) if part)
    again = " ↑" if fact.id in above and fact.derives_from else ""
    yield f"{'  ' * depth}{fact.text(lang)}  [{marks}]{again}"
    if fact.id not in above:
        above.add(fact.id)
        for each in fact.derives_from:
            yield from _lines(facts[each], facts, lang, depth + 1, above)
