"""旺衰: whether the day master is strong, by three classical tests and several named methods.

得令 asks the season, 得地 the roots, 得势 the company of other stems (《子平真诠·论十干得时不旺失时不弱》, 《滴天髓·衰旺》).
The methods differ by a few charts in a hundred on classical cases, no more than chance would; so every result
names its method, tells how the others vote, and says when the day master stands close to balance.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import BRANCHES, Branch, Element, Stem
from bazi_core.tables import rows
from bazi_core.views.certainty import BY_AGREEMENT, OPEN, observed
from bazi_core.views.elements import Elements, exact
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.pillars import FourPillars
    from bazi_core.school import School
    from bazi_core.views.hidden import Siling
    from bazi_core.views.roots import Roots

THRESHOLD = 0.42
BALANCED = 0.03
# (upper edge of the share, level); 偏弱 ends where 身强 begins.
LEVELS = ((0.15, "极弱"), (0.32, "弱"), (THRESHOLD, "偏弱"), (0.52, "偏强"), (0.75, "强"), (1.01, "极强"))
EITHER = "两可"
STRONG, WEAK = "身强", "身弱"
SEASON_SCORES = {"旺": 100, "相": 80, "休": 40, "囚": 20, "死": 0}
COMMANDER_SCORE = 10
FULL_ROOTS = 4.5
UNITS_FOR_STRONG = 6
SUPPORT = (0, 4)  # the classes 比劫 and 印


class Criterion(NamedTuple):
    """One classical test: 0–100, why, and the ids of the facts it rests on."""

    score: int
    ground: FactPhrase
    evidence: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why, in simplified Chinese."""
        return self.ground.text()

    def to_dict(self) -> dict[str, Any]:
        return {"score": self.score, "reason": self.reason, "evidence": list(self.evidence)}


class Strength(NamedTuple):
    """The verdict on the day master.

    `verdict` is 身强 or 身弱 by `method`, `method_votes` are the verdicts of the four single methods and `agreement`
    how many of them share it. `certainty` is settled where all four do, leaning where three do, else open; `level`
    places the verdict on a scale of six, and is 两可 where it is open. `balanced` says that the share stands within
    .03 of the threshold. `confidence` is the observed share of printed charts of as much agreement on which the
    verdict is that of the book.

    >>> import bazi_core as bz
    >>> found = bz.chart("1990-05-15 13:30", city="北京", gender="male").strength
    >>> found.verdict, found.agreement, found.certainty, found.level, found.other.verdict
    ('身强', 1, 'open', '两可', '身弱')
    """

    verdict: str
    level: str
    balanced: bool
    support_share: float
    threshold: float
    deling: Criterion
    dedi: Criterion
    deshi: Criterion
    method: str
    method_votes: dict[str, str]
    agreement: int
    taken: bool = True

    @property
    def is_strong(self) -> bool:
        return self.verdict == STRONG

    @property
    def certainty(self) -> str:
        """settled, leaning or open."""
        return OPEN if self.level == EITHER else BY_AGREEMENT[self.agreement]

    @property
    def is_open(self) -> bool:
        """Whether at most two of the four methods share the verdict that was taken."""
        return self.certainty == OPEN

    @property
    def confidence(self) -> float:
        """The observed share of verdicts with this agreement that are those of the book."""
        votes = len(self.method_votes)
        share = observed(f"strength.{self.agreement if self.taken else votes - self.agreement}").share
        return share if self.taken else 1 - share

    @property
    def other(self) -> Strength:
        """The strength with the verdict that was not taken."""
        votes = len(self.method_votes)
        return self._replace(
            verdict=verdict(not self.is_strong), agreement=votes - self.agreement, taken=not self.taken
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "level": self.level,
            "balanced": self.balanced,
            "support_share": round(self.support_share, 4),
            "threshold": self.threshold,
            "deling": self.deling.to_dict(),
            "dedi": self.dedi.to_dict(),
            "deshi": self.deshi.to_dict(),
            "method": self.method,
            "method_votes": dict(self.method_votes),
            "agreement": self.agreement,
            "certainty": self.certainty,
            "confidence": round(self.confidence, 4),
            "evidence": ["str.verdict", "str.certainty", "str.level", "str.deling", "str.dedi", "str.deshi"],
        }


def strength(
    pillars: FourPillars, school: School, elements: Elements, roots: tuple[Roots, ...], siling: Siling | None
) -> Strength:
    """The strength of the day master."""
    share, found = _support(elements.shares), votes(pillars, elements.plain, elements.shares)
    day, strong = pillars.day.stem, is_strong(found, school.strength_method)
    agreement = sum(vote == strong for vote in found.values())
    return Strength(
        verdict=verdict(strong),
        level=EITHER if BY_AGREEMENT[agreement] == OPEN else _level(share, strong),
        balanced=exact(abs(share - THRESHOLD)) <= BALANCED,
        support_share=share,
        threshold=THRESHOLD,
        deling=_deling(day, pillars.month.branch, elements.state[day.index // 2], siling and siling.stem),
        dedi=_dedi(roots[0]),
        deshi=_deshi(pillars, roots),
        method=school.strength_method,
        method_votes={name: verdict(vote) for name, vote in found.items()},
        agreement=agreement,
    )


def votes(pillars: FourPillars, plain: tuple[int, ...], shares: tuple[float, ...]) -> dict[str, bool]:
    """Whether the day master is strong by each of the four single methods; `plain` and `shares` as in `Elements`."""
    inputs = _StrengthInputs(pillars, plain, _support(shares))
    return {name: method(inputs) for name, method in METHODS.items()}


def _support(shares: tuple[float, ...]) -> float:
    """The share of 比劫 and 印."""
    return exact(shares[0] + shares[4])


def is_strong(votes: dict[str, bool], method: str) -> bool:
    """The verdict of a method on the votes of the four single ones."""
    return sum([votes[name] for name in _THREE]) >= 2 if method == "majority_3" else votes[method]


def voters(method: str) -> tuple[str, ...]:
    """The single methods on whose votes the verdict of a method rests.

    >>> voters("weighted_v1"), len(voters("majority_3"))
    (('weighted_v1',), 3)
    """
    return _THREE if method == "majority_3" else (method,)


def verdict(strong: bool) -> str:
    """The word for strong or weak."""
    return STRONG if strong else WEAK


def _level(share: float, strong: bool) -> str:
    """The level of a share; where another method overrules the share, the nearest level on its side."""
    level = next(name for edge, name in LEVELS if share < edge)
    if strong == (share >= THRESHOLD):
        return level
    return "偏强" if strong else "偏弱"


def class_of(day: Stem, element: Element) -> int:
    """Class of an element for a day stem: 0 比劫, 1 食伤, 2 财, 3 官杀, 4 印."""
    return (element.index - day.index // 2) % 5


def _supports(day: Stem, element: Element) -> bool:
    return class_of(day, element) in SUPPORT


class _StrengthInputs(NamedTuple):
    """The input of the methods."""

    pillars: FourPillars
    plain: tuple[int, ...]
    share: float

    @property
    def month_supports(self) -> bool:
        return _supports(self.pillars.day.stem, self.pillars.month.branch.element)


def _plain_count(inputs: _StrengthInputs) -> bool:
    """Other stems and main qi, the month's twice: at least half are 比劫 or 印."""
    plain, own = inputs.plain, inputs.pillars.day.stem.index // 2
    # The day stem itself is not counted, the month is counted again: the number of characters stays the same.
    helping = plain[own] - 1 + plain[(own + 4) % 5] + inputs.month_supports
    return 2 * helping >= sum(plain)


def _root_units(inputs: _StrengthInputs) -> bool:
    """Units of root in the branches and one for every other 比劫 stem; six make a day master strong."""
    year, month, day, hour = inputs.pillars
    own = day.stem.index // 2
    units = _units()[own]
    total = -1  # the day stem itself
    for pillar in (year, month, day, hour):
        if pillar is not None:
            total += units[pillar.branch.index] + (pillar.stem.index // 2 == own)
    return total >= UNITS_FOR_STRONG


@cache
def _units() -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(row[branch.value] or 0) for branch in BRANCHES) for row in rows("root_units"))


METHODS: dict[str, Callable[[_StrengthInputs], bool]] = {
    "weighted_v1": lambda inputs: inputs.share >= THRESHOLD,
    "plain_count_month2": _plain_count,
    "root_units": _root_units,
    "month_command": lambda inputs: inputs.month_supports,
}
_THREE = ("weighted_v1", "plain_count_month2", "root_units")


@cache
def _deling(day: Stem, month: Branch, state: str, commander: Stem | None) -> Criterion:
    """得令: the state of the day master in the month, and whether the commanding stem stands by it."""
    score, values = SEASON_SCORES[state], (day.element.value, month.value, state)
    if commander is None:
        return Criterion(score, FactPhrase("deling", values), (f"wx.state.{day.element}",))
    helps = _supports(day, commander.element)
    score = min(100, max(0, score + (COMMANDER_SCORE if helps else -COMMANDER_SCORE)))
    ground = FactPhrase("deling.helped" if helps else "deling.opposed", (*values, commander.value))
    return Criterion(score, ground, (f"wx.state.{day.element}", "sl.month"))


def _dedi(own: Roots) -> Criterion:
    """得地: the roots of the day master."""
    if not own.roots:
        return Criterion(0, FactPhrase("dedi.none"), ("root.day_master.none",))
    score = round(100 * min(1.0, own.strength / FULL_ROOTS))
    where = tuple(dict.fromkeys(root.branch.value for root in own.roots))
    return Criterion(score, FactPhrase("dedi", (where,)), tuple(own.fact_id(root) for root in own.roots))


def _deshi(pillars: FourPillars, roots: tuple[Roots, ...]) -> Criterion:
    """得势: the share of 比劫 and 印 among the other stems; one without a root counts half."""
    others, own = roots[1:], pillars.day.stem.index // 2
    helpers = [each for each in others if (each.stem.index // 2 - own) % 5 in SUPPORT]
    points = sum([1.0 if helper.roots else 0.5 for helper in helpers])
    score = round(100 * points / len(others))
    stems = tuple([helper.stem.value for helper in helpers])
    evidence = tuple([f"tg.{helper.subject}.stem" for helper in helpers or others])
    return Criterion(score, FactPhrase("deshi", (stems,)) if stems else FactPhrase("deshi.none"), evidence)
