"""The doctrine of the year as values: events, points, themes, weights, read once from their tables.

The points are heuristics of this library: nobody has measured what a 冲 is worth. What can be promised is that every
score is explained by its rows, and that a better role never makes a row worse.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.structures.book_rules import citation
from bazi_core.tables import rows
from bazi_core.views.relations import BRANCH_TYPES, STEM_TYPES

OVERALL = "overall"
DOMAINS = ("career", "wealth", "relationship", "family", "health_balance", "study")
_ZH = ("总评", "事业", "财运", "感情", "家庭", "身心平衡", "学业")
DOMAIN_ZH = dict(zip((OVERALL, *DOMAINS), _ZH, strict=True))
FAVOURABLE, NEUTRAL, UNFAVOURABLE = SIDES = ("favourable", "neutral", "unfavourable")
# Who may act: the pillar of the year, that of the luck, that of a month.
LEVELS = ("liunian", "luck", "liuyue")
# Bits of what two characters are to each other; the last is that they are the same.
SAME = "="
STEM_BITS = {name: 1 << at for at, name in enumerate((*STEM_TYPES, SAME))}
BRANCH_BITS = {name: 1 << at for at, name in enumerate((*BRANCH_TYPES, SAME))}
_SIDE_OF = {"用神": FAVOURABLE, "喜神": FAVOURABLE, "仇神": UNFAVOURABLE, "忌神": UNFAVOURABLE}

Points = tuple[tuple[str, int], ...]


class EventRule(NamedTuple):
    """One named event: how it is asked (see year_events.csv) and its points by side and domain.

    `stems` and `branches` are the bits of its relations between stems and between branches, none where it does not
    ask for any (the pillar of the luck is no natal one).
    """

    id: str
    name: str
    form: str
    relation: tuple[str, ...]
    stems: int
    branches: int
    target: str
    acts: str
    points: dict[str, Points]
    source: str


class Theme(NamedTuple):
    """The theme that a ten god brings to one domain; `key` names it for those who put it into words."""

    ten_god: str
    favourable: bool
    domain: str
    key: str
    points: int

    def fact_id(self, prefix: str) -> str:
        return f"{prefix}.theme.{self.ten_god}.{self.domain}"


def side_of(role: str) -> str:
    """The side of a role: `favourable`, `neutral` or `unfavourable`."""
    return _SIDE_OF.get(role, NEUTRAL)


@cache
def event_rules(level: str) -> tuple[EventRule, ...]:
    """The events in which a pillar of this level may act, in the order of the table."""
    return tuple(_event_rule(row) for row in rows("year_events") if level in row["levels"].split())


def _event_rule(row: dict[str, str]) -> EventRule:
    form, relation = row["form"], tuple(row["relation"].split())
    stems = 0 if form in ("branch", "luck") else sum(STEM_BITS.get(name, 0) for name in relation)
    branches = (
        0 if form in ("stem", "luck", "against") else sum(BRANCH_BITS.get(name, 0) for name in relation)
    )
    points = {side: _points(row["id"], side) for side in SIDES}
    return EventRule(
        row["id"], row["event"], form, relation, stems, branches, row["target"], row["acts"], points,
        _of_dynamic(row["event"]) if form == "dynamic" else citation(row["source"]),
    )  # fmt: skip


def _of_dynamic(name: str) -> str:
    """The source of the dynamic that an event completes or breaks."""
    return next(rule.source for rule in dynamic_rules() if rule.name == name)


@cache
def event_rule(name: str) -> EventRule:
    """The rule of an event by its id."""
    return next(rule for rule in event_rules("liunian") if rule.id == name)


def _points(event: str, side: str) -> Points:
    return tuple((row["domain"], int(row[side])) for row in rows("year_points") if row["id"] == event)


@cache
def themes_of(ten_god: str, side: str, gender: str) -> tuple[Theme, ...]:
    """The themes of a ten god on a side, with those of the spouse star where it is one."""
    return tuple(
        Theme(ten_god, side == FAVOURABLE, row["domain"], row["key"], int(row["points"]))
        for row in rows("year_themes")
        if (row["ten_god"], row["side"]) == (ten_god, side) and row["gender"] in ("", gender)
    )


@cache
def weights(kind: str) -> dict[str, str]:
    """The numbers of a kind by name, as they are printed."""
    return {row["name"]: row["value"] for row in rows("year_weights") if row["kind"] == kind}


def domain_of(domain: str, position: str) -> str:
    """The domain itself, or for `by_position` that of a natal pillar."""
    return weights("position")[position] if domain == "by_position" else domain


@cache
def role_points(role: str) -> int:
    return int(weights("role")[role])


@cache
def carrier_tenths(name: str) -> int:
    """The share of a carrier such as `luck_branch`, in tenths."""
    return round(10 * float(weights("carrier")[name]))


@cache
def tenths(kind: str) -> int:
    """`clashed`: what is left of a helping luck branch with which the year clashes, in tenths."""
    return round(10 * float(weights(kind)[kind]))


@cache
def number(kind: str) -> int:
    """`base`, where every score begins, and `cap`, what a row may add at most."""
    return int(weights(kind)[kind])


def graded(kind: str, score: int) -> str:
    """The level or sign of a score, or how plainly it answers whether."""
    return next(name for name, first in weights(kind).items() if score >= int(first))


def half_even(numerator: int, denominator: int) -> int:
    """A quotient rounded to the nearest whole number, halves to the even one; exact."""
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    return whole + (twice > denominator or (twice == denominator and whole % 2 == 1))
