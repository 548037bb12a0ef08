"""A day beside the person of a chart: clashes with year and day, voids, and the useful gods."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch, Pillar
from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.tables import row_of
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from bazi_core.face import Chart


class UsefulGods(NamedTuple):
    """Whether stem and branch of a day are elements that a chart wants: match, neutral or against."""

    stem: str
    branch: str

    @property
    def score(self) -> int:
        """How many of the two match, less how many are against."""
        values = {"match": 1, "neutral": 0, "against": -1}
        return values[self.stem] + values[self.branch]

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class Person(NamedTuple):
    """A day beside the person of a chart, who is known by the number of the chart from 1."""

    number: int
    pillars: str
    excluding: tuple[str, ...]
    warned: tuple[str, ...]
    told: tuple[str, ...]
    useful_gods: UsefulGods

    @property
    def reasons(self) -> tuple[str, ...]:
        return (*self.excluding, *self.warned, *self.told)

    def to_dict(self) -> dict[str, Any]:
        return {
            "chart": self.number,
            "pillars": self.pillars,
            "reasons": list(self.reasons),
            "excluding": list(self.excluding),
            "warnings": list(self.warned),
            "useful_gods": self.useful_gods.to_dict(),
        }


def met_by(number: int, chart: Chart, pillar: Pillar, personal: str = "warn") -> Person:
    """The pillar of a day beside the person of a chart; `personal` says whether a clash excludes or warns."""
    own = chart.pillars
    clashes = []
    if pillar.branch is own.year.branch.clash:
        clashes.append("CLASH_YEAR_BRANCH")
    if _clash(pillar, own.year):
        clashes.append("CLASH_YEAR_PILLAR")
    if _clash(pillar, own.day):
        clashes.append("CLASH_DAY_PILLAR")
    # Who was born between 立春 and the new year has two years; that of the new year only warns.
    by_new_year = () if clashes[:1] == ["CLASH_YEAR_BRANCH"] else _new_year_clash(chart, pillar)
    told = []
    if pillar.branch in void_branches(own.day):
        told.append("VOID_OF_PERSON")
    if _punishes(pillar.branch, own.day.branch):
        told.append("SEATED_ON_PUNISHMENT")
    found = tuple(clashes)
    return Person(
        number,
        str(own),
        found if personal == "exclude" else (),
        () if personal == "ignore" else by_new_year if personal == "exclude" else (*found, *by_new_year),
        tuple(told),
        _useful_gods(chart, pillar),
    )


def _clash(one: Pillar, other: Pillar) -> bool:
    """天克地冲: branches six apart, and stems of which one controls the other, four or six apart."""
    return one.branch is other.branch.clash and abs(one.stem.index - other.stem.index) in (4, 6)


def _new_year_clash(chart: Chart, pillar: Pillar) -> tuple[str, ...]:
    zodiac = chart.zodiac
    clashes = pillar.branch.clash.zodiac in zodiac.values()
    return ("CLASH_YEAR_BRANCH",) if clashes else ()


def _punishes(one: Branch, other: Branch) -> bool:
    """刑 between two branches, either way, by the god 月刑 of the almanac."""
    row = row_of("almanac/xieji_gods", "月刑", "god")["values"].split("|")
    pairs = ((row[(one.index - 2) % 12], other.value), (row[(other.index - 2) % 12], one.value))
    return any(punished == sign for punished, sign in pairs)


def _useful_gods(chart: Chart, pillar: Pillar) -> UsefulGods:
    roles = _roles(chart)
    return UsefulGods(*(roles[sign.element.index] for sign in (pillar.stem, pillar.branch)))


@lru_cache(maxsize=64)
def _roles(chart: Chart) -> tuple[str, ...]:
    """The part of each element in a chart: match (用神, 喜神), against (忌神) or neutral."""
    useful = chart.pattern().useful
    if useful is None:
        return ("neutral",) * 5
    return tuple(
        "match" if role in WANTED else "against" if role == ADVERSE[-1] else "neutral"
        for role in useful.roles
    )
