"""The named events: 岁运并临, 冲太岁, 三合成局 and their kind, each found by the form of its row in year_events.csv.

A form is one way of asking; it yields what it met, with a suffix where the event may occur more than once. Whether
an event is welcome is decided by the role of the element that acts: a clash by the 用神 is another thing than one
by the 忌神.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element, Pillar
from bazi_core.pattern.dynamic_rules import bearing
from bazi_core.structures.classes import element_of
from bazi_core.views.groups import complete_groups, groups_through
from bazi_core.views.relations import branch_table
from bazi_core.year.meeting import EARTH, HARMFUL, USEFUL, Meeting, Natal, hides
from bazi_core.year.rules import (
    BRANCH_BITS,
    FAVOURABLE,
    LEVELS,
    STEM_BITS,
    UNFAVOURABLE,
    domain_of,
    event_rules,
    side_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bazi_core.pattern.dynamics import Seat
    from bazi_core.views.resolution import Relation
    from bazi_core.wording import FactPhrase
    from bazi_core.year.rules import EventRule, Points

# What is left of an event whose relation others weaken or resolve.
LEFT = {"成立": 1.0, "减力": 0.5, "化解": 0.25}
EQUAL = "相同"
# What becomes of a dynamic that comes about.
MADE = "成立"
_RESOLVED_BY_UNION = BRANCH_BITS["刑"] | BRANCH_BITS["六害"] | BRANCH_BITS["六破"]
Members = tuple[tuple[str, str], ...]


class Hit(NamedTuple):
    """A form that is met: who takes part, what ties them, on which facts beside the flow pillar it rests.

    `element` is what a group forms; `sign` the stem that a branch hides (藏), the element that a stem is of (属) or
    controls (克). `side` is given where no element decides it, `said` names the members by their ten gods.
    """

    members: Members
    ties: tuple[str, ...]
    grounds: tuple[str, ...] = ()
    suffix: str = ""
    element: Element | None = None
    sign: str = ""
    side: str = ""
    said: tuple[FactPhrase, ...] = ()


class YearEvent(NamedTuple):
    """Something with a name that a flow pillar does to the chart.

    `id` is that of its fact (`yr.2026.E-09`, in a month `lm.2026.05.E-09`), `rule` that of its row. `members` are
    (position, character), flow pillars last, `ties` are what they are to each other, with the `sign` or `element` of the
    `Hit`. `side` is that of the acting element's
    role; `polarity` 吉 凶 平 is the sign of its points. `strength` is the largest of its points; of year and luck less
    where others weaken or resolve the relation. `evidence` are the facts on which it rests. Of a dynamic `ties` tell what
    becomes of it (成立 受破 得解) and `said` names the members by their ten gods.
    """

    id: str
    rule: str
    name: str
    members: Members
    ties: tuple[str, ...]
    sign: str
    element: Element | None
    side: str
    polarity: str
    strength: float
    points: Points
    evidence: tuple[str, ...]
    said: tuple[FactPhrase, ...] = ()

    @property
    def is_dynamic(self) -> bool:
        """Whether it completes or breaks what ten gods do to each other (`pattern.dynamics`)."""
        return bool(self.said)

    @property
    def domains(self) -> tuple[str, ...]:
        """The scores that it touches, `overall` among them."""
        return tuple(domain for domain, points in self.points if points)

    @property
    def relation(self) -> str:
        """The tie of the members, in one word: `六冲`, `干合、六合`, `藏丁`."""
        return "、".join(self.ties) + self.sign

    @property
    def key(self) -> str:
        """Rule and suffix, the same for an event of the year, of the luck and of a month: `E-02.day`."""
        return self.id[self.id.index("E-") :]


def events(
    own: Meeting, prefix: str, relations: str | None = None, beside: Meeting | None = None
) -> tuple[YearEvent, ...]:
    """The events in which a pillar acts, in the order of the table.

    Ids begin with `prefix`, those of relation facts with `relations`; months have no facts of their relations.
    `beside` is the luck of the year, which may be equal to its pillar and may complete a group too.
    """
    made = []
    stems, branches = own.any_stem, own.any_branch
    for rule in event_rules(own.position):
        # Most rules end here: no natal character stands in their relation at all.
        if (rule.stems and not rule.stems & stems) or (rule.branches and not rule.branches & branches):
            continue
        if rule.form == "dynamic" and rule.name not in own.changes(beside):
            continue
        for hit in FORMS[rule.form](own, rule, beside):
            ties = [] if relations is None else _ties(rule, hit, own, beside)
            made.append(_event(own, rule, hit, ties, prefix, relations))
    return tuple(made)


def _event(
    own: Meeting, rule: EventRule, hit: Hit, ties: list[Relation], prefix: str, relations: str | None
) -> YearEvent:
    side = hit.side or side_of(own.natal.role(hit.element or getattr(own.pillar, rule.acts).element))
    points = tuple((domain_of(domain, hit.members[0][0]), each) for domain, each in rule.points[side])
    total = sum(each for _, each in points)
    left = max((LEFT.get(tie.status, 1.0) for tie in ties), default=1.0)
    tied = ((relations or "") + tie.id.removeprefix("rel") for tie in ties)
    return YearEvent(
        id=".".join(filter(None, (prefix, rule.id, hit.suffix))),
        rule=rule.id,
        name=rule.name,
        members=hit.members,
        ties=hit.ties,
        sign=hit.sign,
        element=hit.element,
        side=side,
        polarity="吉" if total > 0 else "凶" if total < 0 else "平",
        strength=left * max(abs(each) for _, each in points),
        points=points,
        evidence=tuple(dict.fromkeys((own.ground, *hit.grounds, *tied))),
        said=hit.said,
    )


def _ties(rule: EventRule, hit: Hit, own: Meeting, beside: Meeting | None) -> list[Relation]:
    """The relations of which the event consists."""
    if not rule.relation or hit.ties == (EQUAL,):
        return []
    names, members = set(hit.ties), set(hit.members)
    known = own.relations if beside is None else (*own.relations, *beside.relations)
    return [each for each in known if each.type in names and members.issuperset(each.members)]


def _same(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    for where, pillar in own.natal.places:
        if pillar is own.pillar:
            yield _of_pillars(own, where, ("伏吟",))


def _clash(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """天克地冲: the branches clash; the stems clash, or the acting one controls the other."""
    controlled = own.pillar.stem.element.controls
    for at, (where, pillar) in enumerate(own.natal.places):
        if not own.branches[at] & BRANCH_BITS["六冲"]:
            continue
        if own.stems[at] & STEM_BITS["干冲"] or pillar.stem.element is controlled:
            yield _of_pillars(own, where, ("反吟",))


def _union(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    for at, (where, pillar) in enumerate(own.natal.places):
        is_union = own.stems[at] & STEM_BITS["干合"] and own.branches[at] & BRANCH_BITS["六合"]
        # One 合 is no gain under one name and a loss under another: it is told as what binds the 用神 (E-22), or by which an
        # unwanted element takes hold of the day master (E-13).
        is_held = where == "day" and side_of(own.natal.role(own.pillar.stem.element)) == UNFAVOURABLE
        if is_union and not is_held and not _is_bound(USEFUL, own, where, pillar):
            yield _of_pillars(own, where, ("干合", "六合"))


def _of_pillars(own: Meeting, where: str, ties: tuple[str, ...]) -> Hit:
    pillar = dict(own.natal.places)[where]
    grounds = (f"p.{where}.stem", f"p.{where}.branch")
    return Hit(((where, pillar.value), (own.position, own.pillar.value)), ties, grounds, where)


def _luck(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    if beside is not None and beside.is_decade and beside.pillar is own.pillar:
        yield Hit((("luck", own.pillar.value), (own.position, own.pillar.value)), (EQUAL,), (beside.ground,))


def _against(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """岁运冲: 战冲视其孰降, so the branch of the year decides by its own role."""
    if beside is None or not beside.is_decade:
        return
    branch, other = own.pillar.branch, beside.pillar.branch
    if branch_table(own.natal.school.anhe)(branch.index, other.index) & BRANCH_BITS["六冲"]:
        members = (("luck", other.value), (own.position, branch.value))
        yield Hit(members, rule.relation, (beside.ground,))


def _branch(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    met, bits = [], 0
    for (where, pillar), whole in zip(own.natal.places, own.branches, strict=True):
        # Two branches that combine neither punish nor break each other: 六合 resolves it (论刑冲会合解法).
        tied = whole & ~_RESOLVED_BY_UNION if whole & BRANCH_BITS["六合"] else whole
        if tied & rule.branches and _is_target(rule.target, own, where, pillar):
            met.append((where, pillar.branch.value))
            bits |= tied & rule.branches
    if met:
        ties = tuple(EQUAL if name == "=" else name for name in rule.relation if bits & BRANCH_BITS[name])
        grounds = _grounds(rule.target, own, met, "branch")
        yield Hit((*met, (own.position, own.pillar.branch.value)), ties, grounds)


def _stem(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    met = []
    for (where, pillar), tied in zip(own.natal.places, own.stems, strict=True):
        if tied & rule.stems and (where == rule.target or _is_bound(rule.target, own, where, pillar)):
            met.append((where, pillar.stem.value))
    if met:
        grounds = _grounds(rule.target, own, met, "stem")
        yield Hit((*met, (own.position, own.pillar.stem.value)), rule.relation[:1], grounds)


def _is_bound(target: str, own: Meeting, where: str, pillar: Pillar) -> bool:
    """A stem of the 用神 that does not turn into another element. The day master uses the 用神, it is not one."""
    if target != USEFUL or where == "day" or own.natal.role(pillar.stem.element) != USEFUL:
        return False
    return not own.transforms(where)


def _is_target(target: str, own: Meeting, where: str, pillar: Pillar) -> bool:
    if target == "空亡":
        return where in own.natal.void
    if target == "墓库":
        return pillar.branch.value in EARTH
    return own.natal.role(pillar.branch.element) == USEFUL if target == USEFUL else where == target


def _grounds(target: str, own: Meeting, met: list[tuple[str, str]], part: str) -> tuple[str, ...]:
    leaves = tuple(f"p.{where}.{part}" for where, _ in met)
    if target == "空亡":
        return (*leaves, *(f"void.{anchor}" for anchor in own.natal.void_anchors))
    return (*leaves, "yong.primary") if target == USEFUL else leaves


def _group(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """A 三合 or 三会 that the branch, or that of the luck, completes with two natal ones, or both with one."""
    found: dict[int, list[tuple[Meeting, Members]]] = {}
    for each in (own, beside) if beside is not None else (own,):
        for kind, element, natal in each.completed:
            if kind == rule.relation[0]:
                found.setdefault(element, []).append((each, natal))
    for place, completers in found.items():
        natal = tuple(dict.fromkeys(member for _, members in completers for member in members))
        flows = tuple((each.position, each.pillar.branch.value) for each, _ in reversed(completers))
        grounds = [f"p.{where}.branch" for where, _ in natal]
        grounds += [each.ground for each, _ in completers if each is not own]
        formed = ELEMENTS[place]
        yield Hit((*natal, *flows), rule.relation[:1], tuple(grounds), formed.value, formed)
    if beside is not None:
        yield from _group_of_both(own, rule, beside, found)


def _group_of_both(own: Meeting, rule: EventRule, beside: Meeting, known: Collection[int]) -> Iterator[Hit]:
    """A 三合 or 三会 to which the branch and that of the luck bring one sign each and the chart the third."""
    branch, other = own.pillar.branch.index, beside.pillar.branch.index
    have = own.natal.branches | {branch, other}
    for kind, place in groups_through(branch, have):
        if kind != rule.relation[0] or place in known or (kind, place) not in groups_through(other, have):
            continue
        if (kind, place) in complete_groups(own.natal.branches):
            continue
        natal = tuple(
            (where, pillar.branch.value)
            for where, pillar in own.natal.places
            if pillar.branch.index not in (branch, other)
            and (kind, place) in groups_through(pillar.branch.index, have)
        )
        flows = ((beside.position, beside.pillar.branch.value), (own.position, own.pillar.branch.value))
        grounds = (*(f"p.{where}.branch" for where, _ in natal), beside.ground)
        yield Hit((*natal, *flows), rule.relation[:1], grounds, ELEMENTS[place].value, ELEMENTS[place])


def _hides(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """The branch is of the 用神 or hides it; not where a 三合 or 三会 draws it over to another element."""
    if any(own.natal.role(ELEMENTS[place]) != USEFUL for place in _drawn_to(own, beside)):
        return
    for stem in (stem for element in own.natal.held_by(USEFUL) for stem in hides(own.pillar, element)):
        yield Hit(((own.position, own.pillar.branch.value),), ("藏",), ("yong.primary",), sign=stem.value)
        return


def _drawn_to(own: Meeting, beside: Meeting | None) -> set[int]:
    """The elements that the branch completes a 三合 or 三会 of, with the chart or with chart and luck."""
    drawn = {place for _, place, _ in own.completed}
    if beside is not None:
        branch, other = own.pillar.branch.index, beside.pillar.branch.index
        before = own.natal.branches | {other}
        drawn |= {place for _, place in groups_through(branch, before | {branch})}
    return drawn


def _shows(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """The stem is of the 用神 and free."""
    element = own.pillar.stem.element
    if own.natal.role(element) == USEFUL and not own.is_bound:
        yield Hit(((own.position, own.pillar.stem.value),), ("属",), ("yong.primary",), sign=element.value)


def _restrains(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """The stem controls the 忌神, has a root in the chart and is free (贪合忘克)."""
    controlled, roots = own.pillar.stem.element.controls, own.roots
    if own.natal.role(controlled) == HARMFUL and roots and not own.is_bound:
        natal = tuple((where, pillar.branch.value) for where, pillar in own.natal.places if where in roots)
        grounds = (*(f"p.{where}.branch" for where in roots), "yong.harmful")
        yield Hit((*natal, (own.position, own.pillar.stem.value)), ("克",), grounds, sign=controlled.value)


def _dynamic(own: Meeting, rule: EventRule, beside: Meeting | None) -> Iterator[Hit]:
    """A dynamic that the pillar, beside the luck, completes or breaks, where its direction counts for the chart."""
    change, day = own.changes(beside)[rule.name], own.natal.pillars.day.stem
    role = bearing(change.rule, lambda k: own.natal.role(element_of(day, k)))
    if role.polarity != change.rule.direction:
        return
    if not change.made and not change.is_good and _is_no_loss(own.natal, change.seats):
        return
    flowing = {own.position: own.ground} | ({} if beside is None else {beside.position: beside.ground})
    order = [where for where, _ in own.natal.places] + [*reversed(flowing)]
    seats = sorted(change.seats, key=lambda each: order.index(each.position))
    yield Hit(
        tuple((seat.position, seat.sign.value) for seat in seats),
        (MADE if change.made else "得解" if change.is_good else "受破",),
        (
            "p.day.stem",
            *(flowing.get(seat.position, seat.leaf_id) for seat in seats),
            *reversed(flowing.values()),
        ),
        side=FAVOURABLE if change.is_good else UNFAVOURABLE,
        said=change.said,
    )


def _is_no_loss(natal: Natal, seats: Iterable[Seat]) -> bool:
    """Whether all that a breaking takes from the chart is of elements it does not want (《子平真诠·论行运》)."""
    lost = [seat.sign.element for seat in seats if seat.position not in LEVELS]
    return bool(lost) and all(side_of(natal.role(each)) == UNFAVOURABLE for each in lost)


FORMS: dict[str, Callable[[Meeting, EventRule, Meeting | None], Iterator[Hit]]] = {
    "luck": _luck,
    "against": _against,
    "dynamic": _dynamic,
    "same": _same,
    "clash": _clash,
    "union": _union,
    "branch": _branch,
    "stem": _stem,
    "group": _group,
    "hides": _hides,
    "shows": _shows,
    "restrains": _restrains,
}


def strongest(found: tuple[YearEvent, ...], count: int) -> tuple[YearEvent, ...]:
    """The strongest events, of equals the first in the table."""
    return tuple(sorted(found, key=lambda event: -event.strength)[:count])
