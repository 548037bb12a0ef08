"""A fact with its rule, its source, and all that it rests on, as an indented list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import basis_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.chart import Chart
    from bazi_core.facts import Fact


def explain(chart: Chart, fact_id: str) -> str:
    """The fact and its basis in words.

    >>> import bazi_core as bz
    >>> print(bz.chart(pillars="庚午 辛巳 庚辰 壬午").explain("tg.hour.stem"))
    时干壬为食神  [tg.hour.stem; R-TG; YHZP.论十神]
      日干庚  [p.day.stem; R-PILLAR]
      时干壬  [p.hour.stem; R-PILLAR]
    """
    return told(fact_id, chart.facts)


def told(fact_id: str, facts: dict[str, Fact]) -> str:
    """A fact among others with all that it rests on, each on a line; what stands above already is only named again."""
    fact, *_ = basis_of(fact_id, facts)
    return "\n".join(_lines(fact, facts, 0, set()))


def _lines(fact: Fact, facts: dict[str, Fact], depth: int, above: set[str]) -> Iterator[str]:
    marks = "; ".join(part for part in (fact.id, fact.rule, fact.source) if part)
    again = " ↑" if fact.id in above and fact.derives_from else ""
    yield f"{'  ' * depth}{fact.text_zh}  [{marks}]{again}"
    if fact.id not in above:
        above.add(fact.id)
        for each in fact.derives_from:
            yield from _lines(facts[each], facts, depth + 1, above)
