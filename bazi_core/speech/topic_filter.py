"""What a reading keeps silent about beyond whole sections: the facts and events of a topic that is left out.

Whoever asks for a child or for somebody else is told nothing of partners and nothing of the body; so the facts that speak
of them are not shown to a model, and the events of the 夫妻宫 are no part of what has to be named.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.tables import rows
from bazi_core.wording import slots
from bazi_core.year.rules import DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazi_core.facts import Fact
    from bazi_core.luck.running import Running
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult

OF_PARTNER, PARTNERS = "夫妻宫", "relationship"
# The nominal age by which everybody has come of age, and the full one at which one does (二十曰弱冠：《礼记·曲礼上》).
OF_AGE, FULL_AGE = 20, 18
EARLY, TURNING, LATE = "early", "turning", "late"


class LifeAge(NamedTuple):
    """The nominal ages at which a side of life is told of unasked, from which it means something else though it is told
    still, and from which it has a word of its own (0: never)."""

    first: int
    last: int
    aside: int
    turning: int = 0

    def outside(self, age: int) -> str:
        """`early` before these ages, `late` after them, else nothing."""
        return EARLY if age < self.first else LATE if age > self.last else ""

    def stage(self, age: int) -> str:
        """`early` before these ages, `late` after them, `turning` where it begins to mean something else, else nothing."""
        return self.outside(age) or (TURNING if 0 < self.turning <= age else "")


@cache
def life_ages() -> dict[str, LifeAge]:
    """The rows of life_ages.csv by side of life (人生十年曰幼，学；六十曰耆，指使；七十曰老，而传：《礼记·曲礼上》).

    >>> life_ages()["study"].outside(5), life_ages()["career"].outside(70), life_ages()["wealth"].aside
    ('early', 'late', 70)
    """
    return {
        row["domain"]: LifeAge(
            int(row["first"]), int(row["last"] or 999), int(row["aside"] or 0), int(row["turning"] or 0)
        )
        for row in rows("life_ages")
    }


def sides_told(age: int) -> tuple[str, ...]:
    """The sides of life that are told of unasked at a nominal age: of a child neither money nor partners, of the old
    neither posts nor exams.

    >>> sides_told(9), sides_told(80)
    (('family', 'health_balance', 'study'), ('wealth', 'relationship', 'family', 'health_balance'))
    """
    ages = life_ages()
    return tuple(domain for domain in DOMAINS if not ages[domain].outside(age))


def is_child(running: Running | None) -> bool:
    """Whether the owner of a chart has not come of age on the day of the reading, where that is known."""
    return running is not None and running.ages is not None and running.ages.full < FULL_AGE


def spares_partners(year: YearResult, left_out: frozenset[str]) -> bool:
    """Whether nothing is told of partners: it is left out, or the year is before coming of age."""
    return PARTNERS in left_out or year.age.nominal < OF_AGE


def events_told(year: YearResult, count: int, spares: bool) -> tuple[YearEvent, ...]:
    """The strongest events but for dynamics, without those of the 夫妻宫 where partners are spared.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2011)
    >>> [each.name for each in events_told(year, 3, False)], [each.name for each in events_told(year, 3, True)]
    (['三会成局', '刑害夫妻宫', '破太岁'], ['三会成局', '破太岁'])
    """
    found = (each for each in year.strongest(len(year.events)) if not each.is_dynamic)
    return tuple(each for each in found if not spares or OF_PARTNER not in each.name)[:count]


def spared(facts: Mapping[str, Fact], left_out: frozenset[str]) -> Mapping[str, Fact]:
    """The facts that say nothing of the sections left out; where one adds to such a score among others, that part is cut."""
    sections = left_out & {OVERALL, *DOMAINS}
    if not sections:
        return facts
    cut = {name: _cut(fact, sections) for name, fact in facts.items() if not _is_of(fact, sections)}
    return {name: fact for name, fact in cut.items() if fact is not None}


def _is_of(fact: Fact, sections: frozenset[str]) -> bool:
    """Whether a fact speaks of a section alone: its score, its theme, of partners their star and their palace."""
    if fact.id.rpartition(".")[2] in sections:
        return True
    return PARTNERS in sections and (fact.subject == "spouse" or OF_PARTNER in fact.predicate)


def _cut(fact: Fact, sections: frozenset[str]) -> Fact | None:
    """The fact without what it adds to these scores; nothing where it says nothing else."""
    if "added" not in slots(fact.key):
        return fact
    *others, added = fact.values
    left = tuple((domain, points) for domain, points in added if domain not in sections)
    if fact.kind == "contribution" and added and not left:
        return None
    return fact._replace(values=(*others, left))
