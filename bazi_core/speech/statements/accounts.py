"""How a score comes about: what raised it and what lowered it, in words.

A score is 50 and the sum of its rows, so the rows are the explanation; here the largest of them are told. A fact may
state several rows of one score, as a ten god of stem and branch does, and is then told once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.statements.timing import count
from bazi_core.speech.topic_filter import OF_PARTNER, PARTNERS, spares_partners
from bazi_core.year.rules import DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.speech.plan import Draft
    from bazi_core.year.points import Carrier
    from bazi_core.year.result import YearResult

ROWS = 2


def because(draft: Draft, year: YearResult) -> None:
    """What raised the overall score and what lowered it, the largest first."""
    found = [each for each in moves(year, OVERALL) if not is_spared(year, each, draft.left_out)]
    plus, of_plus = told_rows(year, [each for each in found if each.points > 0][:ROWS])
    minus, of_minus = told_rows(year, [each for each in found if each.points < 0][:ROWS])
    if found:
        key = "both" if plus and minus else "plus" if plus else "minus"
        ids = (f"yr.{year.target_year}.score.overall", *of_plus, *of_minus)
        score = count("points", year.scores.overall)
        draft.add(f"because.{key}", *ids, kind="fact", score=score, plus=plus, minus=minus)
    _apart(draft, year)


def _apart(draft: Draft, year: YearResult) -> None:
    """Why the overall score stands above or below those of all sides of life that are told."""
    told = [
        each
        for each in DOMAINS
        if each not in draft.left_out and not (each == PARTNERS and spares_partners(year, draft.left_out))
    ]
    scores = [year.scores.of(each) for each in told]
    key = (
        "above"
        if year.scores.overall > max(scores)
        else "below"
        if year.scores.overall < min(scores)
        else None
    )
    if key is not None:
        ids = (f"yr.{year.target_year}.score.{each}" for each in (OVERALL, *told))
        low, high, score = (count("points", each) for each in (min(scores), max(scores), year.scores.overall))
        draft.add(f"because.{key}", *ids, kind="fact", low=low, high=high, score=score)


class Move(NamedTuple):
    """What one fact adds to one score: a ten god of stem and branch, or an event, may do so in several rows."""

    points: int
    rule: str
    fact: str
    parts: tuple[str, ...]

    @property
    def is_event(self) -> bool:
        return self.rule.startswith("E-")

    @property
    def is_own(self) -> bool:
        """Whether it is of one side of life, unlike the role of a carrier."""
        return self.is_event or self.rule.startswith("theme-")


def moves(year: YearResult, domain: str) -> list[Move]:
    """What moved a score, the largest first, but for dynamics."""
    found: dict[str, Move] = {}
    dynamic = {event.id for event in year.events if event.is_dynamic}
    for each in year.scores.contributions:
        if each.domain == domain and not dynamic.intersection(each.evidence):
            fact, part = each.evidence[0], each.rule.removeprefix("theme-")
            old = found.get(fact, Move(0, each.rule, fact, ()))
            found[fact] = old._replace(points=old.points + each.points, parts=(*old.parts, part))
    return sorted((each for each in found.values() if each.points), key=lambda each: -abs(each.points))


def is_spared(year: YearResult, found: Move, left_out: frozenset[str]) -> bool:
    """Whether a move is an event that is not told."""
    names = (event.name for event in year.events if event.id == found.fact)
    return spares_partners(year, left_out) and any(OF_PARTNER in name for name in names)


def told_rows(
    year: YearResult, found: Sequence[Move], plain: bool = False
) -> tuple[list[Phrase], tuple[str, ...]]:
    """The clauses of moves and their facts: the largest first, with their points. Where `plain` leaves these out events
    come first, since what follows a place would stand there. What one sign is by its role and by its ten god is one
    reason: the second names it no more."""

    def place(move: Move) -> tuple[int, bool, bool]:
        return 0 if plain else -abs(move.points), not move.is_event, move.rule.startswith("theme-")

    order = sorted(found, key=place)
    carriers = {each.name: each for each in year.carriers}
    facts = [each.fact for each in order]
    facts += [carriers[each.rule].role_id for each in order if each.rule in carriers]
    told = [_row(year, each, carriers.get(each.rule)) for each in order]
    for at, (one, other) in enumerate(pairwise(told), 1):
        if other.key == "row.theme" and one.key == "row.carrier":
            places = [each.place for each in other.values["where"]]
            told[at] = other._replace(key="row.theme.too") if places == [one.values["where"].place] else other
    return [each._replace(key=f"{each.key}.plain") if plain else each for each in told], tuple(facts)


def _row(year: YearResult, found: Move, carrier: Carrier | None) -> Phrase:
    points = count("points", abs(found.points))
    values: dict[str, Any] = {"move": Phrase("plus" if found.points > 0 else "minus", {"points": points})}
    if carrier is not None:
        return Phrase("row.carrier", values | {"where": seat(carrier), "role": Term(carrier.role, "role")})
    if found.is_event:
        name = next(event.name for event in year.events if event.id == found.fact)
        return Phrase("row.event", values | {"event": Term(name, "event")})
    god = getattr(year.flow.marks, f"ten_god_{found.parts[0]}").value
    where = [At(f"liunian.{part}") for part in found.parts]
    return Phrase("row.theme", values | {"where": where, "god": Term(god, "ten_god")})


def seat(carrier: Carrier) -> At:
    """The place of a carrier, with what stands there."""
    where = "xiaoyun" if carrier.place == "minor" else carrier.place
    return At(f"{where}.{carrier.part}", sign(carrier.sign, plain=True))
