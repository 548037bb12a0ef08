"""The rows of `dynamics.csv`: what ten gods do to each other, what undoes it, and what the books except from it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pattern.conditions import terms
from bazi_core.pattern.useful import ADVERSE
from bazi_core.structures.book_rules import citation
from bazi_core.structures.classes import CLASSES
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.pattern.conditions import Term

    Terms = tuple[Term, ...]

GOOD, BAD = "吉", "凶"


class Rule(NamedTuple):
    """A row of the table; `conditions` and `undone_by` are alternatives, each of conditions that hold together.

    `excepted` are further ones that undo it, each with the source that says so (`dynamic_exceptions.csv`).
    `bears_on` is the class that is helped or harmed, None where it is the day master.
    """

    name: str
    conditions: tuple[Terms, ...]
    undone_by: tuple[Terms, ...]
    direction: str
    bears_on: int | None
    domains: tuple[str, ...]
    source: str
    excepted: tuple[tuple[Terms, str], ...] = ()

    def source_of(self, undoing: Terms) -> str:
        """The source of what undoes it."""
        return next((source for each, source in self.excepted if each == undoing), self.source)


@cache
def dynamic_rules() -> tuple[Rule, ...]:
    """The rows, in the order of the table.

    >>> [rule.name for rule in dynamic_rules() if rule.direction == "凶"][:3]
    ['伤官见官', '官杀混杂', '枭神夺食']
    """
    named = rows("dynamics")
    rows_once("dynamics", (row["name"] for row in named))
    names_known("dynamics", "direction", (row["direction"] for row in named), (GOOD, BAD))
    names_known("dynamics", "class", (row["bears_on"] for row in named), (*CLASSES, ""))
    excepted = rows("dynamic_exceptions")
    rows_once("dynamic_exceptions", ((row["name"], row["condition"]) for row in excepted))
    names_known(
        "dynamic_exceptions", "dynamic", (row["name"] for row in excepted), {row["name"] for row in named}
    )
    return tuple(
        Rule(
            row["name"], _alternatives(row["conditions"]), _alternatives(row["undone_by"]), row["direction"],
            CLASSES.index(row["bears_on"]) if row["bears_on"] else None, tuple(row["domains"].split()),
            citation(row["source"]), _exceptions(row["name"]),
        )
        for row in named
    )  # fmt: skip


def _exceptions(name: str) -> tuple[tuple[Terms, str], ...]:
    return tuple(
        (terms(row["condition"]), citation(row["source"]))
        for row in rows("dynamic_exceptions")
        if row["name"] == name
    )


def _alternatives(cell: str) -> tuple[Terms, ...]:
    return tuple(terms(each.strip()) for each in cell.split(";"))


def counts(rule: Rule, role: Callable[[int], str]) -> bool:
    """Whether the direction of a rule counts; `role` gives the role of a class."""
    return rule.bears_on is None or role(rule.bears_on) not in ADVERSE
