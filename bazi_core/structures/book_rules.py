"""Rules that the books state outright, row by row of a table, and the words in which the table speaks.

Where a text says what a chart like this one takes, the rule outranks the sum of the methods (`book_rules.csv`, kinds
取 and 让) or decides whether a special structure stands (止, 立, 顺). Each row is one sentence of a book as conditions
over few named properties; which of them decided is part of the result, with the source.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pillars import WHOLE
from bazi_core.structures.classes import CLASSES, element_of
from bazi_core.structures.language import FIRST, SECOND, conditions
from bazi_core.tables import rows
from bazi_core.views.groups import complete_groups, groups_through, season
from bazi_core.views.hidden import hidden_stems
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.alphabet import Element
    from bazi_core.structures.class_shares import ClassShares

HEAVY, PLENTY = 0.35, 0.5
_DAY = 2  # the place of the day among the pillars
_NEAR = 2  # stems farther apart do not vie (隔位太远)
FORBIDS, CLAIMS, FOLLOWS, TAKES, YIELDS = "止", "立", "顺", "取", "让"
BOOKS = {
    "子平真诠": "ZPZQ",
    "滴天髓": "DTS",
    "滴天髓原注": "DTYZ",
    "滴天髓阐微": "DTCW",
    "神峰通考": "SFTK",
    "三命通会": "SMTH",
    "渊海子平": "YHZP",
}

_CLASS = {name: k for k, name in enumerate(CLASSES)}

Ids = tuple[str, ...]


class Look(NamedTuple):
    """The input of the rules: the sight of a chart and the decisions made so far.

    `strong` is the verdict, `names` are class and name of a structure or the name of the pattern, `order` the classes
    as the methods put them.
    """

    sight: ClassShares
    strong: bool | None = None
    names: tuple[str, ...] = ()
    order: tuple[int, ...] = ()

    def classes(self, name: str) -> int:
        """The class that a condition names, 首 and 次 by the order."""
        if name in (FIRST, SECOND):
            return self.order[name == SECOND]
        return _CLASS[name]


class BookCondition(NamedTuple):
    """One condition of a row: its verb, its arguments, and whether it is negated."""

    verb: str
    names: tuple[str, ...]
    denied: bool

    def may_hold(self, strong: bool, element: Element) -> bool:
        """Whether the condition can still hold, given only the verdict and the element of the day stem.

        >>> from bazi_core.alphabet import Element
        >>> metal = Element("金")
        >>> BookCondition("身强", (), True).may_hold(False, metal), BookCondition("日", ("金",), True).may_hold(True, metal)
        (True, False)
        """
        known = {"身强": strong, "身弱": not strong, "日": self.names == (element.value,)}
        return known.get(self.verb, not self.denied) is not self.denied

    def evidence(self, look: Look) -> Ids:
        """Ids of the facts that decide the condition, either way."""
        return EVIDENCE.get(self.verb, _everything)(look, *self.names)


class BookRule(NamedTuple):
    """A row of the table.

    >>> rule = next(each for each in book_rules(TAKES) if each.id == "印多用财")
    >>> rule.target, rule.method, rule.source, rule.quote
    ('财', 'bing_yao', 'ZPZQ.论印绶', '印重身强，透财以抑太过')
    """

    id: str
    target: str
    method: str
    terms: tuple[BookCondition, ...]
    source: str
    quote: str

    @property
    def ground(self) -> FactPhrase:
        """The rule in words."""
        return FactPhrase(f"rule.{self.id}")

    def holds(self, look: Look) -> bool:
        return all(VERBS[verb](look, *names) is not denied for verb, names, denied in self.terms)

    def evidence(self, look: Look) -> Ids:
        """Ids of the facts on which the rule rests for this chart."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.evidence(look)))


@cache
def book_rules(kind: str) -> tuple[BookRule, ...]:
    """The rows of a kind, in the order of evaluation."""
    return tuple(
        BookRule(row["id"], row["target"], row["method"], _terms(row["condition"]), citation(row["source"]), row["quote"])
        for row in rows("book_rules")
        if row["kind"] == kind
    )  # fmt: skip


@cache
def asked(kind: str, strong: bool, element: Element) -> tuple[BookRule, ...]:
    """The rows of a kind that a verdict and the element of the day stem do not rule out.

    >>> from bazi_core.alphabet import Element
    >>> [rule.id for rule in asked(TAKES, False, Element("金"))]
    ['金水见官', '一将当关']
    """
    return tuple(
        rule for rule in book_rules(kind) if all(term.may_hold(strong, element) for term in rule.terms)
    )


def citation(source: str) -> str:
    """The key of a book and its chapter.

    >>> citation("子平真诠·论偏官"), citation("滴天髓阐微·反局")
    ('ZPZQ.论偏官', 'DTCW.反局')
    """
    book, _, chapter = source.partition("·")
    return f"{BOOKS[book]}.{chapter}"


def _terms(condition: str) -> tuple[BookCondition, ...]:
    return tuple(BookCondition(*each) for each in conditions(condition))


def _main_qi(look: Look) -> Iterator[tuple[str, int, int]]:
    """Position, index and class of the main qi of every branch."""
    for where, pillar in look.sight.pillars.items():
        yield where, pillar.branch.index, look.sight.class_of(pillar.branch.element)


def _shows(look: Look, name: str) -> bool:
    return look.classes(name) in look.sight.shown


def _is_rooted(look: Look, name: str) -> bool:
    return look.sight.root[look.classes(name)] > 0


def _is_there(look: Look, name: str) -> bool:
    """Shown, or the main qi of a branch."""
    k = look.classes(name)
    return k in look.sight.shown or any(own == k for _, _, own in _main_qi(look))


def _is_there_outside(look: Look, name: str) -> bool:
    """As `_is_there`, without the branches that a complete group turns into the day's own element."""
    k, own = look.classes(name), look.sight.day.element.index
    if k in look.sight.shown:
        return True
    branches = [index for _, index, _ in _main_qi(look)]
    return any(
        found == k and all(element != own for _, element in groups_through(index, branches))
        for _, index, found in _main_qi(look)
    )


def _is_free(look: Look, name: str) -> bool:
    """Shown at a place where no neighbour combines it, and rooted (合去: year with month, month with hour)."""
    stems = {where: pillar.stem for where, pillar in look.sight.pillars.items() if where != "day"}
    bound = {
        where
        for pair in (("year", "month"), ("month", "hour"))
        if pair[1] in stems and abs(stems[pair[0]].index - stems[pair[1]].index) == 5
        for where in pair
    }
    k = look.classes(name)
    free = any(look.sight.class_of(stem.element) == k for where, stem in stems.items() if where not in bound)
    return free and _is_rooted(look, name)


def _is_one_quarter(look: Look) -> bool:
    """一方: the branches gather the day's own element, in its own season (又生春月之类)."""
    pillars = look.sight.pillars
    own, month = look.sight.day.element.index, pillars.month.branch
    branches = [pillar.branch for pillar in pillars if pillar]
    if look.sight.day.element.value == "土":
        return [branch.element.value for branch in branches] == ["土"] * 4
    return season(month.index) == own and any(
        element == own for _, element in complete_groups([branch.index for branch in branches])
    )


def _has_rivals(look: Look) -> bool:
    """多合: the day stem could combine with more than one of the others, or another like it with the same one."""
    stems = [(at, pillar.stem.index) for at, pillar in enumerate(look.sight.pillars) if pillar]
    day = look.sight.day.index
    partners = [at for at, stem in stems if abs(stem - day) == 5]
    rivals = [at for at, stem in stems if stem == day and at != _DAY]
    return len(partners) > 1 or any(abs(one - other) <= _NEAR for one in partners for other in rivals)


def _share(look: Look, name: str) -> float:
    return look.sight.g[look.classes(name)]


VERBS: dict[str, Callable[..., bool]] = {
    "日": lambda look, name: look.sight.day.element.value == name,
    "阳日": lambda look: look.sight.day.index % 2 == 0,
    "月": lambda look, names: look.sight.pillars.month.branch.value in names,
    "令": lambda look, name: look.sight.month_class == look.classes(name),
    "露": _shows,
    "露根": lambda look, name: _shows(look, name) and _is_rooted(look, name),
    "透根": _is_free,
    "有": _is_there,
    "局外有": _is_there_outside,
    "重": lambda look, name: _share(look, name) >= HEAVY,
    "半": lambda look, name: _share(look, name) >= PLENTY,
    ">": lambda look, one, two: _share(look, one) > _share(look, two),
    "身强": lambda look: look.strong is True,
    "身弱": lambda look: look.strong is False,
    "格": lambda look, *names: not set(names).isdisjoint(look.names),
    "变": lambda look, *names: not set(names).isdisjoint(look.names),
    "一方": _is_one_quarter,
    "多合": _has_rivals,
}


def _everything(look: Look, *names: str) -> Ids:
    """The evidence of a condition on the whole chart or on an absence."""
    return (WHOLE,)


def _stems(look: Look, *names: str) -> Ids:
    """The facts of the visible stems of a class; of all visible stems if none belongs to it."""
    places = {where: pillar.stem for where, pillar in look.sight.pillars.items() if where != "day"}
    k = look.classes(names[0])
    shown = [where for where, stem in places.items() if look.sight.class_of(stem.element) == k]
    return tuple(f"tg.{where}.stem" for where in shown or places)


def _roots(look: Look, *names: str) -> Ids:
    k = look.classes(names[0])
    return tuple(
        f"tg.{where}.{hidden.stem}"
        for where, pillar in look.sight.pillars.items()
        for hidden in hidden_stems(pillar.branch)
        if look.sight.class_of(hidden.stem.element) == k
    )


def _there(look: Look, *names: str) -> Ids:
    """The facts of the places where a class shows or is the main qi; if it is nowhere, the facts of all these places."""
    k = look.classes(names[0])
    stems = [
        (f"tg.{where}.stem", pillar.stem) for where, pillar in look.sight.pillars.items() if where != "day"
    ]
    mains = [(where, hidden_stems(pillar.branch)[0].stem) for where, pillar in look.sight.pillars.items()]
    places = [*stems, *((f"tg.{where}.{stem}", stem) for where, stem in mains)]
    own = [name for name, stem in places if look.sight.class_of(stem.element) == k]
    return tuple(own or [name for name, _ in places])


def _shares(look: Look, *names: str) -> Ids:
    return tuple(f"wx.seasonal.{element_of(look.sight.day, look.classes(name))}" for name in names)


EVIDENCE: dict[str, Callable[..., Ids]] = {
    "日": lambda look, *_: ("p.day.stem",),
    "阳日": lambda look, *_: ("p.day.stem",),
    "月": lambda look, *_: ("p.month.branch",),
    "令": lambda look, *_: ("p.day.stem", "p.month.branch"),
    "露": _stems,
    "露根": lambda look, name: _stems(look, name) + _roots(look, name),
    "透根": lambda look, name: _stems(look, name) + _roots(look, name),
    "有": _there,
    "重": _shares,
    "半": _shares,
    ">": _shares,
    "身强": lambda look, *_: ("str.verdict",),
    "身弱": lambda look, *_: ("str.verdict",),
    "格": lambda look, *_: ("pat.main",),
    "变": lambda look, *_: ("pat.main",),
}
