"""The rows of `dynamics.csv`: what ten gods do to each other, what undoes it, and what the books except from it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pattern.conditions import PatternCondition, terms
from bazi_core.pattern.useful import ADVERSE, ROLES, WANTED
from bazi_core.structures.book_rules import citation
from bazi_core.structures.classes import CLASSES
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once

if TYPE_CHECKING:
    from collections.abc import Callable

    Terms = tuple[PatternCondition, ...]

GOOD, BAD, PLAIN = "吉", "凶", "平"
_OF_CLASSES = ("bears_on", "commends", "curbs", "turns")


class DynamicRule(NamedTuple):
    """A row of the table; `conditions` and `undone_by` are alternatives, each of conditions that hold together.

    `excepted` are further ones that undo it, each with the source that says so (`dynamic_exceptions.csv`).
    `bears_on` is the class that is helped or harmed, None where it is the day master; `commends` another that is praised
    with it, `curbs` one that is held in check, `turns` one that is made useful though it may be unwanted.
    """

    name: str
    conditions: tuple[Terms, ...]
    undone_by: tuple[Terms, ...]
    direction: str
    bears_on: int | None
    commends: int | None
    curbs: int | None
    turns: int | None
    domains: tuple[str, ...]
    source: str
    excepted: tuple[tuple[Terms, str], ...] = ()

    def source_of(self, undoing: Terms) -> str:
        """The source of what undoes it."""
        return next((source for each, source in self.excepted if each == undoing), self.source)


@cache
def dynamic_rules() -> tuple[DynamicRule, ...]:
    """The rows, in the order of the table."""
    named = rows("dynamics")
    rows_once("dynamics", (row["name"] for row in named))
    names_known("dynamics", "direction", (row["direction"] for row in named), (GOOD, BAD))
    for column in _OF_CLASSES:
        names_known("dynamics", "class", (row[column] for row in named), (*CLASSES, ""))
    excepted = rows("dynamic_exceptions")
    rows_once("dynamic_exceptions", ((row["name"], row["condition"]) for row in excepted))
    names_known(
        "dynamic_exceptions", "dynamic", (row["name"] for row in excepted), {row["name"] for row in named}
    )
    return tuple(
        DynamicRule(
            row["name"], _alternatives(row["conditions"]), _alternatives(row["undone_by"]), row["direction"],
            _class(row["bears_on"]), _class(row["commends"]), _class(row["curbs"]), _class(row["turns"]),
            tuple(row["domains"].split()),
            citation(row["source"]), _exceptions(row["name"]),
        )
        for row in named
    )  # fmt: skip


def _class(name: str) -> int | None:
    return CLASSES.index(name) if name else None


def _exceptions(name: str) -> tuple[tuple[Terms, str], ...]:
    return tuple(
        (terms(row["condition"]), citation(row["source"]))
        for row in rows("dynamic_exceptions")
        if row["name"] == name
    )


def _alternatives(cell: str) -> tuple[Terms, ...]:
    return tuple(terms(each.strip()) for each in cell.split(";"))


class Bearing(NamedTuple):
    """The bearing of a rule on one chart: 吉, 凶 or 平, and the classes for which it is not what the book says."""

    polarity: str
    barred: tuple[int, ...] = ()


def bearing(rule: DynamicRule, role: Callable[[int], str]) -> Bearing:
    """The bearing of a rule on a chart; `role` gives the role of a class.

    Harm to what is not wanted is none, and neither is its gain one; what holds the 用神 in check does harm.
    """
    if rule.bears_on is None:
        return Bearing(rule.direction)
    praised = tuple(k for k in (rule.bears_on, rule.commends) if k is not None and role(k) in ADVERSE)
    if praised:
        return Bearing(PLAIN, praised)
    if rule.curbs is not None and role(rule.curbs) in WANTED:
        held = ROLES.index(role(rule.curbs))
        if held == 0:
            return Bearing(BAD, (rule.curbs,))
        if held < ROLES.index(role(rule.bears_on)):
            return Bearing(PLAIN, (rule.curbs,))
    return Bearing(rule.direction)
