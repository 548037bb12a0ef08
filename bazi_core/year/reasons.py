"""Why a year has its scores: reasons that are the same from year to year, and what an event is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch, Stem
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.relations import FLOWS
from bazi_core.views.ten_gods import ten_god
from bazi_core.year.rules import OVERALL, Points, event_rule, weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bazi_core.year.events import Members, YearEvent
    from bazi_core.year.points import Carrier, PointsRow
    from bazi_core.year.result import YearResult

CARRIER, EVENT, DYNAMIC, THEME = KINDS = ("carrier", "event", "dynamic", "theme")


class EventGod(NamedTuple):
    """The ten god of a sign that takes part in an event; `fact_id` tells it."""

    position: str
    sign: str
    ten_god: str
    fact_id: str


class About(NamedTuple):
    """The subject of an event: the domains that it touches, the natal pillars that take part, the palaces of those of
    them whose branch does, and the ten gods of all signs in it."""

    domains: tuple[str, ...]
    pillars: tuple[str, ...]
    palaces: tuple[str, ...]
    stars: tuple[EventGod, ...]

    @property
    def ten_gods(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(star.ten_god for star in self.stars))

    @property
    def evidence(self) -> tuple[str, ...]:
        """The facts of the ten gods."""
        return tuple(dict.fromkeys(star.fact_id for star in self.stars))


class Reason(NamedTuple):
    """Something that adds to the scores of a year.

    `key` is the same for the same thing in another year. `kind` is carrier (a stem or branch of luck or year, by the
    role of its element), event, dynamic or theme (what a ten god of the year brings); `name` is the sign, the event or
    the ten god. `place`, `part` and `role` are those of a carrier, `change` (成立 受破 得解) that of a dynamic.
    `evidence` are the facts that state the points.
    """

    key: str
    kind: str
    name: str
    points: Points
    evidence: tuple[str, ...]
    place: str = ""
    part: str = ""
    role: str = ""
    change: str = ""

    def of(self, domain: str) -> int:
        """The points that it adds to a score."""
        return sum(points for name, points in self.points if name == domain)

    def to_dict(self) -> dict[str, Any]:
        return {**named(self), "points": dict(self.points), "evidence": list(self.evidence)}


def named(reason: Reason) -> dict[str, str]:
    """A reason, JSON-ready: key, kind, name, and what only some kinds have."""
    more = {name: getattr(reason, name) for name in ("place", "part", "role", "change")}
    own = {"key": reason.key, "kind": reason.kind, "name": reason.name}
    return own | {name: value for name, value in more.items() if value}


def about(year: YearResult, event: YearEvent) -> About:
    """The subject of an event of the year.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2030)
    >>> found = about(year, year.events[0])
    >>> year.events[0].name, found.domains, found.palaces, [star.ten_god for star in found.stars]
    ('冲夫妻宫', ('relationship',), ('夫妻宫',), ['偏印', '偏印'])
    """
    # A stem that restrains is merely rooted in natal branches: they do not take part.
    taking_part = event.members[-1:] if event_rule(event.rule).form == "restrains" else event.members
    natal = [(where, char) for where, char in taking_part if where not in FLOWS]
    palaces = weights("palace")
    seated = [palaces[where] for where, char in natal if char[-1] in Branch.__members__]
    return About(
        tuple(domain for domain in event.domains if domain != OVERALL),
        tuple(where for where, _ in natal),
        tuple(seated),
        tuple(_stars(year, event, taking_part)),
    )


def _stars(year: YearResult, event: YearEvent, taking_part: Members) -> Iterator[EventGod]:
    if event.sign in Stem.__members__:
        # A stem that a branch hides is the one that counts, not the main qi.
        where, _ = event.members[-1]
        yield EventGod(where, event.sign, ten_god(year.chart.day_master, Stem(event.sign)).value, event.id)
        return
    for where, chars in taking_part:
        for char in chars:
            if (where, char) != ("day", year.chart.day_master.value):
                yield _star(year, where, char)


def _star(year: YearResult, where: str, char: str) -> EventGod:
    is_stem = char in Stem.__members__
    stem = Stem(char) if is_stem else hidden_stems(Branch(char))[0].stem
    part = "stem" if is_stem else "branch"
    grounds = {"liunian": f"ln.{year.target_year}", "luck": year.main.fact_id}
    own = f"{grounds[where]}.tg.{part}" if where in grounds else f"tg.{where}.{'stem' if is_stem else stem}"
    return EventGod(where, char, ten_god(year.chart.day_master, stem).value, own)


def reasons(year: YearResult) -> tuple[Reason, ...]:
    """Everything that adds to the scores of a year, each thing once.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> found = reasons(year)
    >>> [(each.key, each.of("overall")) for each in found][:3]
    [('luck.branch.申', -5), ('liunian.stem.丙', 5), ('liunian.branch.午', 4)]
    >>> 50 + sum(each.of("career") for each in found) == year.scores.domains["career"]
    True
    """
    merged: dict[str, Reason] = {}
    carriers = {each.name: each for each in year.carriers}
    events = {each.key: each for each in year.events}
    for row in year.rows:
        made = _reason(year, row, carriers.get(row.name), events.get(row.name))
        before = merged.get(made.key)
        merged[made.key] = made if before is None else _sum(before, made)
    return tuple(merged.values())


def _sum(one: Reason, other: Reason) -> Reason:
    """Both as one: a ten god that comes with the stem and with the branch of a year, a sign in two lucks."""
    domains = dict.fromkeys(name for name, _ in (*one.points, *other.points))
    points = tuple((name, one.of(name) + other.of(name)) for name in domains)
    return one._replace(points=points, evidence=tuple(dict.fromkeys((*one.evidence, *other.evidence))))


def _reason(year: YearResult, row: PointsRow, carrier: Carrier | None, event: YearEvent | None) -> Reason:
    evidence = tuple(dict.fromkeys(row.evidence))
    if carrier is not None:
        sign = carrier.sign.value
        key = f"{carrier.place}.{carrier.part}.{sign}"
        return Reason(key, CARRIER, sign, row.points, evidence, carrier.place, carrier.part, carrier.role)
    if event is not None and event.is_dynamic:
        change = event.ties[0]
        return Reason(f"{row.name}.{change}", DYNAMIC, event.name, row.points, evidence, change=change)
    if event is not None:
        return Reason(row.name, EVENT, event.name, row.points, evidence)
    marks = year.flow.marks
    god = (marks.ten_god_stem if row.name == "theme-stem" else marks.ten_god_branch).value
    return Reason(f"theme.{god}", THEME, god, row.points, evidence)


def ranks(values: Iterable[int]) -> Callable[[int], int]:
    """The rank of a value among these, the highest first; equal ones share theirs and the next are left out."""
    ordered = sorted(values, reverse=True)
    return lambda value: 1 + ordered.index(value)
