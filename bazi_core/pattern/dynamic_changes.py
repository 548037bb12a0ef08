"""The changes that luck and year bring to the dynamics of a chart: those completed and those broken.

Harm is resolved where what does it is bound or held in check (救应, 《子平真诠·论用神成败救应》). Where what suffers it
is combined away instead (食神 of 枭神夺食), it is lost, not rescued: that is no change for the better and is told as none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pattern.dynamic_rules import BAD, GOOD
from bazi_core.pattern.dynamics import STANDS, UNDONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.pattern.dynamic_rules import DynamicRule, Terms
    from bazi_core.pattern.dynamics import Company, Flows, Seat
    from bazi_core.wording import FactPhrase


class Change(NamedTuple):
    """A change of a dynamic by flow pillars: `made` tells completed from broken; `seats` those by which it comes."""

    rule: DynamicRule
    made: bool
    seats: tuple[Seat, ...]
    said: tuple[FactPhrase, ...]

    @property
    def is_good(self) -> bool:
        return self.made == (self.rule.direction == GOOD)


def changes(before: Company, after: Company) -> Iterator[Change]:
    """The dynamics that the flow pillars of `after` beyond those of `before` complete and break."""
    coming = after.flows[len(before.flows) :]
    for (rule, old), (_, new) in zip(before.judged, after.judged, strict=True):
        if new.state == STANDS and old.state != STANDS:
            yield _change(rule, True, after, coming, new.held, after.lost(old.undoing))
        elif old.state == STANDS and new.state == UNDONE:
            yield _change(rule, False, after, coming, new.undoing, ())
        elif old.state == STANDS and new.state is None and not _is_loss(rule, after, old.held):
            yield _change(rule, False, after, coming, (), after.lost(old.held))


def _is_loss(rule: DynamicRule, after: Company, held: Terms) -> bool:
    """Whether a harmful dynamic ends by what suffers it alone: all conditions that fail ask for the class it bears on."""
    if rule.direction != BAD or rule.bears_on is None:
        return False
    own = 3 << 2 * rule.bears_on
    return all(not bits & ~own for term in held if not after.holds(term) for bits in term.bits)


def _change(
    rule: DynamicRule, made: bool, after: Company, coming: Flows, held: Terms, others: tuple[Seat, ...]
) -> Change:
    """A change by the seats of what holds now, others that had a part in it, and what binds or roots them."""
    own = after.seats(held)
    beside = (*others, *after.binders((*(() if made else own), *others)))
    if not any(each.position in dict(coming) for each in (*own, *beside)):
        beside = (*beside, *after.rooting(own, coming))
    beside = tuple(each for each in dict.fromkeys(beside) if each not in own)
    said = (*after.grounds(held), *(each.bound_phrase if each.is_bound else each.phrase for each in beside))
    return Change(rule, made, (*own, *beside), said)
