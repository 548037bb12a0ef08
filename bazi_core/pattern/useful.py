"""用神: five methods vote, one decision is taken, dissent is kept.

The day master needs what mends its strength (扶抑, 《滴天髓·衰旺》), what its pattern asks for (格局, 《子平真诠·论用神》),
what the month's climate lacks (调候, 《穷通宝鉴》), what reconciles two equal powers (通关, 《滴天髓·通隔》), and what
removes the harm done to the best candidate (病药, 《神峰通考》); a candidate that is present and rooted is preferred
to one that is only wished for. Where a book says outright what a chart like this one takes, that outranks the sum
(`book_rules.csv`). The few weights were set by hand; docs/strength-and-useful-gods.md gives their reasons and the
figures they reach on printed charts.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Branch, Element, Stem
from bazi_core.pattern.climate import COLD, HOT, required_stems
from bazi_core.pattern.roles import by_cause
from bazi_core.structures.book_rules import FOLLOWS, PLENTY, TAKES, YIELDS, BookRule, Look, asked, book_rules
from bazi_core.structures.classes import CLASSES, OFFICER, OUTPUT, PEER, RESOURCE, WEALTH
from bazi_core.tables import rows
from bazi_core.views.certainty import LEANING, OPEN, SETTLED, observed
from bazi_core.views.elements import exact
from bazi_core.views.strength import class_of
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.structures.class_shares import ClassShares
    from bazi_core.structures.special import Special

ROLES = ("用神", "喜神", "闲神", "仇神", "忌神")
WANTED, ADVERSE = ROLES[:2], ROLES[3:]
# The fact that states the element of a role.
_ROLE_IDS = ("primary", "secondary", "neutral", "adverse", "harmful")
ROLE_FACTS = {role: f"yong.{own}" for role, own in zip(ROLES, _ROLE_IDS, strict=True)}
NEUTRAL = ROLES[2]
TEMPERATURE = 0.5
RANK_SHARE = (1.0, 0.6, 0.2)  # of the classes a pattern asks for, in their order
SECOND_STEM = 0.6  # of the weight of the first stem of a climate cell
GREAT, CLOSE, HARM = 0.28, 0.12, 0.25
TOO_CLOSE = 0.1  # a lead of the first over the second that decides nothing


class BookDecision(NamedTuple):
    """A rule of a book that decided, and what it looked at."""

    rule: BookRule
    look: Look

    @property
    def evidence(self) -> tuple[str, ...]:
        """The facts on which it rests."""
        return self.rule.evidence(self.look)


class Vote(NamedTuple):
    """One method: what it adds to each class, its own first choice (None when it is silent) and why.

    `said` are the rules of the books, of the method `rule` alone.
    """

    method: str
    weight: float
    points: tuple[float, ...]
    element: Element | None
    grounds: tuple[FactPhrase, ...]
    said: tuple[BookDecision, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, in simplified Chinese."""
        return tuple(ground.text() for ground in self.grounds)


class Useful(NamedTuple):
    """The decision: `order` holds the five elements from 用神 to 忌神, the first two by the sums, the others by cause
    (`roles`).

    `scores` are the sums by element (empty for a special structure, which decides alone), `margin` is the lead of the
    first over the second, `dissent` names the methods that would choose otherwise. `certainty` is settled, leaning or
    open (`certainty_of`), `confidence` the observed share of printed charts of its class on which the first is one that
    the book takes.

    >>> import bazi_core as bz
    >>> useful = bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern().useful
    >>> "".join(element.value for element in useful.order), useful.role(Element("火"))
    ('水火木金土', '喜神')
    >>> useful.dissent, useful.certainty
    (('tong_guan',), 'open')
    """

    day: Stem
    order: tuple[Element, ...]
    scores: tuple[float, ...]
    margin: float
    votes: tuple[Vote, ...]
    dissent: tuple[str, ...]
    certainty: str = OPEN

    @property
    def confidence(self) -> float:
        """The observed share of useful gods of this class that are the book's; 0 where none is named."""
        if not self.votes:
            return 0.0
        return observed("useful.structure" if self.by_structure else f"useful.{self.certainty}").share

    @property
    def by_structure(self) -> bool:
        """Whether a special structure decided."""
        return bool(self.votes) and not self.scores

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of every element, by `Element.index`."""
        return tuple(self.role(element) for element in ELEMENTS)

    def role(self, element: Element) -> str:
        return ROLES[self.order.index(element)] if self.order else NEUTRAL


def certainty_of(useful: Useful, of_strength: str) -> str:
    """How sure the first choice is: open where strength is or the second stands close; settled where strength is and at
    most one method dissents. A structure that decides alone is leaning: the books claim fewer and others."""
    if useful.by_structure:
        return LEANING
    if of_strength == OPEN or useful.margin < TOO_CLOSE:
        return OPEN
    return SETTLED if of_strength == SETTLED and len(useful.dissent) <= 1 else LEANING


def undecided(day: Stem) -> Useful:
    """No judgement: every element is 闲神."""
    return Useful(day, (), (), 0.0, (), ())


def of_structure(special: Special, sight: ClassShares) -> Useful:
    """The roles that a special structure prescribes: go with what leads."""
    order = _transformed_order(special, sight) if special.leading is None else _order(special, sight)
    votes = [Vote("structure", 1.0, (), order[0], (FactPhrase("vote.structure", (special.name,)),))]
    look = Look(sight, names=(special.special_class, special.name))
    for rule in [each for each in book_rules(FOLLOWS) if each.holds(look)][:1]:
        first = _elements(sight.day, [look.classes(rule.target)])[0]
        order = (first, *(element for element in order if element is not first))
        votes.append(_ruling([BookDecision(rule, look)], 1.0, (), first))
    return Useful(sight.day, order, (), 1.0, tuple(votes), ())


def _order(special: Special, sight: ClassShares) -> tuple[Element, ...]:
    lead = special.leading
    if special.special_class == "专旺":
        second = RESOURCE if sight.g[RESOURCE] > sight.g[OUTPUT] else OUTPUT
        return _elements(sight.day, _with_rest([PEER, second], [WEALTH, OFFICER]))
    if lead == OUTPUT:
        return _elements(sight.day, [OUTPUT, WEALTH, PEER, OFFICER, RESOURCE])
    assert lead is not None
    return _elements(sight.day, _with_rest([lead, (lead - 1) % 5], [RESOURCE, PEER]))


def _with_rest(first: list[int], last: list[int]) -> list[int]:
    """The one class that neither leads nor opposes stands in the middle."""
    return [*first, *(k for k in range(5) if k not in first + last), *last]


def _transformed_order(special: Special, sight: ClassShares) -> tuple[Element, ...]:
    """化格 (《滴天髓阐微·化象》): a new element that has plenty wants to flow into what it generates, one that
    has not wants what generates it; what controls it is always worst."""
    plenty = sight.g[sight.class_of(special.element)] >= PLENTY
    steps = (1, 0, 4, 2, 3) if plenty else (4, 0, 1, 2, 3)
    return tuple(ELEMENTS[(special.element.index + step) % 5] for step in steps)


def _elements(day: Stem, classes: Sequence[int]) -> tuple[Element, ...]:
    return tuple(ELEMENTS[(day.element.index + k) % 5] for k in classes)


def decide(sight: ClassShares, strong: bool, pattern: str, weights: dict[str, float]) -> Useful:
    """The useful gods of a regular chart."""
    votes = _votes(sight, strong, pattern, weights)
    total = _total(votes)
    chosen = _order_by(total, sight.day, strong)
    named = tuple(vote._replace(element=vote.element or _first(sight.day, vote.points)) for vote in votes)
    dissent = tuple(
        vote.method for vote in named if vote.element not in (None, chosen[0]) and vote.method != "presence"
    )
    scores = tuple(total[(element.index - sight.day.element.index) % 5] for element in ELEMENTS)
    return Useful(sight.day, chosen, scores, _margin(total), named, dissent)


def useful_order(
    sight: ClassShares, strong: bool, pattern: str, weights: dict[str, float]
) -> tuple[Element, ...]:
    """The order of `decide` alone."""
    return _order_by(_total(_votes(sight, strong, pattern, weights)), sight.day, strong)


def _order_by(total: Sequence[float], day: Stem, strong: bool) -> tuple[Element, ...]:
    first, second, *_ = _ranked(total)
    return _elements(day, [first, second, *by_cause(first, second, strong)])


def _votes(sight: ClassShares, strong: bool, pattern: str, weights: dict[str, float]) -> list[Vote]:
    """The votes of the methods, and of the books where they say something."""
    votes = [
        _support(sight, strong, weights),
        _by_pattern(pattern, strong, weights),
        _climate(sight, weights),
        _mediation(sight, weights),
        _presence(sight, weights),
    ]
    votes.append(_remedy(sight, _total(votes), weights))
    return votes + _by_the_books(Look(sight, strong, (pattern,)), _total(votes), weights)


def _total(votes: Sequence[Vote]) -> list[float]:
    return [sum(points) for points in zip(*(vote.points for vote in votes), strict=True)]


def _ranked(total: Sequence[float]) -> list[int]:
    return sorted(range(5), key=lambda k: -round(total[k], 12))


def _by_the_books(look: Look, total: list[float], weights: dict[str, float]) -> list[Vote]:
    """The vote of a rule of the books: it lifts its class above all others by the weight of its method.

    Of the kind 取 the first row that holds is taken; 让 is asked of the order that follows from it.
    """
    points, said, weight, first = [0.0] * 5, list[BookDecision](), 0.0, None
    for kind in (TAKES, YIELDS):
        now = [a + b for a, b in zip(total, points, strict=True)] if said else total
        look = look if kind == TAKES else look._replace(order=tuple(_ranked(now)))
        rows_of = asked(kind, look.strong is True, look.sight.day.element)
        rule = next((row for row in rows_of if weights[row.method] and row.holds(look)), None)
        if rule is not None:
            k, weight = look.classes(rule.target), weights[rule.method]
            points[k] += max(now) - now[k] + weight
            said.append(BookDecision(rule, look))
            first = _elements(look.sight.day, [k])[0]
    return [_ruling(said, weight, tuple(points), first)] if said else []


def _ruling(
    said: Sequence[BookDecision], weight: float, points: tuple[float, ...], element: Element | None
) -> Vote:
    return Vote("rule", weight, points, element, tuple(each.rule.ground for each in said), tuple(said))


def _first(day: Stem, points: tuple[float, ...]) -> Element | None:
    """The class a method prefers; None when it adds nothing anywhere."""
    best = max(points)
    return _elements(day, [points.index(best)])[0] if best > 0 else None


def _margin(total: list[float]) -> float:
    """Softmax of the first less that of the second."""
    order = _ranked(total)
    powers = [exp((value - total[order[0]]) / TEMPERATURE) for value in total]
    return (powers[order[0]] - powers[order[1]]) / sum(powers)


def _support(sight: ClassShares, strong: bool, weights: dict[str, float]) -> Vote:
    """扶抑: drain and tax the strong, feed the weak; what is out of measure asks for its remedy most."""
    g, w = sight.g, weights["fu_yi"]
    if strong:
        peers, resource = max(0.0, g[PEER] - g[RESOURCE]), max(0.0, g[RESOURCE] - g[PEER])
        points = (-2.0, 1 + peers, 0.7 + 2 * resource, 0.7 + peers, -2.0)
        ground = FactPhrase("vote.strong")
    else:
        points = (
            0.6 + 2 * g[WEALTH],
            -0.5 + 0.5 * g[OFFICER],
            -2.0,
            -2.0,
            1 + 2 * g[OFFICER] + 2 * g[OUTPUT],
        )
        ground = FactPhrase("vote.weak")
    return Vote("fu_yi", w, tuple(w * point for point in points), None, (ground,))


def _by_pattern(pattern: str, strong: bool, weights: dict[str, float]) -> Vote:
    """格局: what the pattern asks for."""
    return _pattern_vote(pattern, "身强" if strong else "身弱", weights["ge_ju"])


@cache
def _pattern_vote(pattern: str, strength: str, weight: float) -> Vote:
    points, wanted = [0.0] * 5, _wanted(pattern, strength)
    for share, k in zip(RANK_SHARE, wanted, strict=False):
        points[k] += weight * share
    ground = FactPhrase("vote.pattern", (pattern, tuple(CLASSES[k] for k in wanted)))
    return Vote("ge_ju", weight, tuple(points), None, (ground,))


def _wanted(pattern: str, strength: str) -> tuple[int, ...]:
    of = {(row["pattern"], row["strength"]): row["classes"].split() for row in rows("ge_ju_yong")}
    names = of.get((pattern, strength)) or of["其余", strength]
    return tuple(CLASSES.index(name) for name in names)


def _climate(sight: ClassShares, weights: dict[str, float]) -> Vote:
    """调候: fire in the cold months, water in the hot ones, and the stems of the climate table."""
    own = (weights["tiao_hou_cold"], weights["tiao_hou_hot"], weights["tiao_hou_table"])
    return _climate_vote(sight.day, sight.pillars.month.branch, own)


@cache
def _climate_vote(day: Stem, month: Branch, weights: tuple[float, float, float]) -> Vote:
    points, grounds = [0.0] * 5, []
    *of_season, of_table = weights
    for (months, element, key), weight in zip(_SEASONS, of_season, strict=True):
        if month.value in months:
            points[class_of(day, element)] += weight
            grounds.append(FactPhrase(key))
    stems = required_stems(day, month)
    for stem, share in zip(stems, (1.0, SECOND_STEM), strict=False):
        points[class_of(day, stem.element)] += of_table * share
    grounds.append(FactPhrase("vote.climate", (tuple(stem.value for stem in stems),)))
    return Vote("tiao_hou", of_table, tuple(points), None, tuple(grounds))


_SEASONS = ((COLD, Element("火"), "vote.winter"), (HOT, Element("水"), "vote.summer"))


def _mediation(sight: ClassShares, weights: dict[str, float]) -> Vote:
    """通关: two great powers of like size, one controlling the other, want the one between them."""
    g, points, grounds = sight.g, [0.0] * 5, []
    first, second = sorted(range(5), key=lambda k: -g[k])[:2]
    great = g[second] >= GREAT and exact(g[first] - g[second]) <= CLOSE
    for controller, controlled in ((first, second), (second, first)):
        if great and (controller + 2) % 5 == controlled:
            between = (controller + 1) % 5
            points[between] = weights["tong_guan"]
            grounds.append(
                FactPhrase("vote.mediation", (CLASSES[controller], CLASSES[controlled], CLASSES[between]))
            )
    return Vote("tong_guan", weights["tong_guan"], tuple(points), None, tuple(grounds))


def _presence(sight: ClassShares, weights: dict[str, float]) -> Vote:
    """An element that shows and has roots can be used; one that is nowhere can only be waited for."""
    w, points = weights["presence"], []
    for k, root in enumerate(sight.root):
        shown = k in sight.shown
        point = 0.4 * min(root, 1.5) + (0.5 if shown else 0.0 if root else -1.0)
        points.append(w * (point + 0.2 if k == sight.month_class else point))
    return Vote("presence", w, tuple(points), None, (FactPhrase("vote.presence"),))


def _remedy(sight: ClassShares, total: list[float], weights: dict[str, float]) -> Vote:
    """病药: when the best candidate is under attack, what controls the attacker is its medicine."""
    points, grounds = [0.0] * 5, []
    best = max(range(5), key=lambda k: round(total[k], 12))
    attacker = (best + 3) % 5
    if sight.g[attacker] >= HARM:
        medicine = (attacker + 3) % 5
        points[medicine] = weights["bing_yao"]
        grounds.append(FactPhrase("vote.remedy", (CLASSES[attacker], CLASSES[best], CLASSES[medicine])))
    return Vote("bing_yao", weights["bing_yao"], tuple(points), None, tuple(grounds))
