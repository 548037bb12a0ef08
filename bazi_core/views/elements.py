"""五行: the share of each element in a chart, by three distributions, and the state of each element in the month.

`plain` counts the eight characters, a branch by its main qi; `hidden` splits the branches by their hidden
stems; `seasonal` weighs the positions, the month most, and the season (旺相休囚死, 《三命通会》). The weights of
the positions are choices of this library, the same that decide strength and useful god;
docs/strength-and-useful-gods.md gives their reasons. All sums run in the order 木火土金水.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, Element, Pillar
from bazi_core.astro import terms
from bazi_core.tables import row_of, rows
from bazi_core.views.groups import complete_groups, half_groups
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

# Positions year, month, day, hour. The month branch rules the season: it weighs as much as three stems.
STEM_WEIGHTS = (0.7, 1.0, 1.0, 1.0)
BRANCH_WEIGHTS = (0.8, 3.0, 1.5, 1.2)
CLASHED = 0.75
GROUP_BONUS = {"三合": 1.6, "三会": 2.4, "半合": 0.4}
SEASON_FACTORS = {"旺": 1.2, "相": 1.1, "休": 0.95, "囚": 0.9, "死": 0.85}
EARTH_DAYS_MS = 18 * 86_400_000
MONTH = 1


class Elements(NamedTuple):
    """The distributions, each by `Element.index`.

    `plain` counts characters, `hidden` is in characters with fractions, `seasonal` in whole percent that sum
    to 100. `state` is 旺 相 休 囚 or 死. `shares` are the shares (sum 1) of the five classes relative to the day
    master, 比劫 食伤 财 官杀 印: without the day stem and without the season.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = elements(FourPillars.parse("庚午 辛巳 庚辰 壬午"), School())
    >>> found.plain, found.seasonal, found.state
    ((0, 3, 1, 3, 1), (4, 37, 19, 30, 10), ('休', '旺', '相', '死', '囚'))
    >>> found.dominant, [element.value for element in found.missing]
    (Element('火'), ['木'])
    """

    plain: tuple[int, ...]
    hidden: tuple[float, ...]
    seasonal: tuple[int, ...]
    state: tuple[str, ...]
    shares: tuple[float, ...]

    @property
    def missing(self) -> tuple[Element, ...]:
        """Elements with no stem and no main qi in the chart."""
        return tuple(element for element in ELEMENTS if not self.plain[element.index])

    @property
    def dominant(self) -> Element:
        """The largest in `seasonal`, the first of equals."""
        return ELEMENTS[max(range(5), key=self.seasonal.__getitem__)]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, keyed by element; the shares of the classes belong to strength and stay inside."""
        amounts = {"plain": self.plain, "hidden": self.hidden, "seasonal": self.seasonal}
        return {
            **{
                name: {element.value: round(by_index[element.index], 4) for element in ELEMENTS}
                for name, by_index in amounts.items()
            },
            "state": {element.value: self.state[element.index] for element in ELEMENTS},
            "missing": [element.value for element in self.missing],
            "dominant": self.dominant.value,
        }


def elements(pillars: FourPillars, school: School, moment: SolarMoment | None = None) -> Elements:
    """The elements of a chart. The moment is needed only for `earth_season=last_18_days`."""
    weights = school.hidden_weights
    weighed = _weighed(pillars, weights)
    state = states(season(pillars.month.branch.index, school, moment))
    seasonal = percents([amount * SEASON_FACTORS[each] for amount, each in zip(weighed, state, strict=True)])
    return Elements(
        plain=counted(pillars),
        hidden=_sum([_hidden(pillar, weights) for pillar in pillars if pillar]),
        seasonal=seasonal,
        state=state,
        shares=_shares(weighed, pillars.day.stem.index // 2),
    )


def counted(pillars: FourPillars) -> tuple[int, ...]:
    """The characters of each element, a branch by its main qi."""
    return _sum([_plain(pillar) for pillar in pillars if pillar])


def class_shares(pillars: FourPillars, school: School) -> tuple[float, ...]:
    """The shares of the five classes relative to the day master."""
    return _shares(_weighed(pillars, school.hidden_weights), pillars.day.stem.index // 2)


def _sum(vectors: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The sum of vectors over the five elements."""
    return tuple(map(sum, zip(*vectors, strict=True)))


@cache
def _plain(pillar: Pillar) -> tuple[int, ...]:
    return tuple(
        (element is pillar.stem.element) + (element is pillar.branch.element) for element in ELEMENTS
    )


@cache
def _hidden(pillar: Pillar, weights: str) -> tuple[float, ...]:
    split = branch_elements(weights)[pillar.branch.index]
    return tuple((element is pillar.stem.element) + split[element.index] for element in ELEMENTS)


def _weighed(pillars: FourPillars, weights: str) -> tuple[float, ...]:
    """Weight of each element by position, with the losses by clashes and the gains by groups of branches."""
    known = [pillar for pillar in pillars if pillar]
    branches = [pillar.branch.index for pillar in known]
    groups = 0
    for branch in branches:
        groups |= 1 << branch
    return _sum(
        [
            *(_at(at, pillar, _is_clashed(branches, at), weights) for at, pillar in enumerate(known)),
            _bonus(groups),
        ]
    )


@cache
def _at(position: int, pillar: Pillar, clashed: bool, weights: str) -> tuple[float, ...]:
    """Weight of each element in a pillar at a position: its stem, and its branch split by hidden stems."""
    split, weight = branch_elements(weights)[pillar.branch.index], BRANCH_WEIGHTS[position]
    left = weight * CLASHED if clashed else weight
    own = STEM_WEIGHTS[position]
    return tuple(own * (element is pillar.stem.element) + left * split[element.index] for element in ELEMENTS)


@cache
def _bonus(present: int) -> tuple[float, ...]:
    """The weight of each element added by complete and half groups; `present` is the set of branches as bits."""
    branches = [branch for branch in range(12) if present >> branch & 1]
    total = [0.0] * 5
    for kind, element in (*complete_groups(branches), *half_groups(branches)):
        total[element] += GROUP_BONUS[kind]
    return tuple(total)


def _is_clashed(branches: Sequence[int], position: int) -> bool:
    """Whether a branch other than the month's stands beside its opposite."""
    if position == MONTH:
        return False
    opposite = (branches[position] + 6) % 12
    before = position > 0 and branches[position - 1] == opposite
    return before or (position + 1 < len(branches) and branches[position + 1] == opposite)


def _shares(weighed: Sequence[float], day: int) -> tuple[float, ...]:
    """Shares of the classes 比劫 食伤 财 官杀 印, the day stem itself left out."""
    rest = [amount - STEM_WEIGHTS[2] * (index == day) for index, amount in enumerate(weighed)]
    whole = sum(rest)
    return tuple([exact(rest[(day + k) % 5] / whole) for k in range(5)])


def exact(share: float) -> float:
    """A share rounded to remove binary fractions, so that 21/50 reaches a threshold of .42.

    >>> 0.3 + 0.12 >= 0.42, exact(0.14 + 0.28) >= 0.42, exact(0.1 + 0.2)
    (True, True, 0.3)
    """
    return round(share, 12)


@cache
def branch_elements(weights: str) -> tuple[tuple[float, ...], ...]:
    """For each branch the share of every element among its hidden stems."""
    return tuple(
        tuple(
            sum(stem.weight for stem in hidden_stems(branch, weights) if stem.stem.element is element)
            for element in ELEMENTS
        )
        for branch in BRANCHES
    )


def season(month: int, school: School, moment: SolarMoment | None) -> int:
    """The branch whose row of 旺相休囚死 holds: the month's, or before the last eighteen days of an earth
    month (option earth_season) the one before it."""
    if school.earth_season == "four_months" or moment is None:
        return month
    before: str = row_of("wang_xiang", BRANCHES[month].value, "month")["before"]
    in_earth = terms.instant(moment.next_jie) - moment.tt_ms <= EARTH_DAYS_MS
    return month if in_earth or not before else (month - 1) % 12


def states(month: int) -> tuple[str, ...]:
    """旺相休囚死 of the five elements in the month of a branch."""
    return _states()[month]


@cache
def _states() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row[element.value] for element in ELEMENTS) for row in rows("wang_xiang"))


def percents(amounts: Sequence[float]) -> tuple[int, ...]:
    """Whole percents that sum to 100, by the largest remainder; of equals the first."""
    whole = sum(amounts)
    exact = [100 * amount / whole for amount in amounts]
    floors = [int(each) for each in exact]
    # Rounded, so that equal remainders are equal on every machine.
    left = [round(each - floor, 9) for each, floor in zip(exact, floors, strict=True)]
    for index in sorted(range(len(left)), key=left.__getitem__, reverse=True)[: 100 - sum(floors)]:
        floors[index] += 1
    return tuple(floors)
