"""The life as a walk through 大运: what each decade is to the chart, and where in it a date falls.

《子平真诠·论行运》: 论运与看命无二法也. So every stem and branch of a decade is held against the roles of the elements and
against the diagnosis: whether it brings the remedy or the illness, and with which pillars it clashes, combines or is
punished. A branch that completes a 三合 or 三会 goes with its group (《子平真诠·论行运》), so
the element that it gathers is judged in its place. One that makes but a 半合 keeps its element and leans to the other
(三合缺一则化不成局: 《三命通会·论支元三合》): where that is of the other side, both are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.facts import Fact
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.views.groups import groups_through
from bazi_core.views.relation_evidence import relation_facts
from bazi_core.views.relations import relations_with
from bazi_core.views.resolution import HOLDS, RESOLVED, WEAKENED, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.alphabet import Branch, Pillar, Stem
    from bazi_core.luck.decades import FlowMarks, LuckCycle
    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult

GOOD, MIXED, HARD, PLAIN = "good", "mixed", "hard", "plain"
REMEDY, ILLNESS, BOTH = "remedy", "illness", "both"
PAST, NOW, COMING = "past", "now", "coming"
PARTS = ("stem", "branch")
# The ties of a decade that are told: those of branches that move something, and the combination of stems.
TOLD = ("三会", "三合", "六冲", "六合", "刑", "六害", "干合")
BREAKS = ("六冲", "刑", "六害")
STIRRING = ("六冲", "刑")
GROUPS = ("三会", "三合")
EASED = (RESOLVED, WEAKENED)


class Decade(NamedTuple):
    """One 大运 as it meets a chart.

    `roles` are those of the elements of stem and branch, empty where no useful god is decided. `gathers` is the 三会 or 三合
    that the branch makes with the chart, and `gathered` the role of its element: for `tone` (good, mixed, hard or plain) and
    for `brings` (remedy, illness or both, where an element is that of the diagnosis) it stands in place of the branch.
    `leans` is the 半合 by which the branch leans to an element of the other side, and `leaning` the role of that, which
    counts beside the branch.
    """

    cycle: LuckCycle
    roles: tuple[str, ...]
    tone: str
    brings: str | None
    gathers: Relation | None = None
    gathered: str = ""
    leans: Relation | None = None
    leaning: str = ""

    @property
    def fact_id(self) -> str:
        return f"dy.{self.cycle.index + 1}"

    @property
    def role_ids(self) -> tuple[str, ...]:
        """The facts of its roles: of stem and branch, and of the group or 半合 that the branch makes."""
        if not self.roles:
            return ()
        ties = ((self.gathers, self.gathered), (self.leans, self.leaning))
        more = (name for tie, role in ties if tie for name in (tie_id(self, tie), ROLE_FACTS[role]))
        return (f"{self.fact_id}.role.stem", f"{self.fact_id}.role.branch", *more)

    @property
    def carriers(self) -> tuple[tuple[str, str, str], ...]:
        """(part, sign, ten god) of stem and branch."""
        gods = self.cycle.marks.ten_gods
        return tuple((part, getattr(self.cycle.pillar, part).value, god) for part, god in gods.items())

    def time(self, running: Running | None) -> str | None:
        """`past`, `now` or `coming`, seen from what runs; None where nothing is known of it."""
        if running is None or running.state not in ("before", "decade", "beyond"):
            return None
        at = -1 if running.state == "before" else 10 if running.cycle is None else running.cycle.index
        return NOW if self.cycle.index == at else PAST if self.cycle.index < at else COMING


def walk(result: PatternResult) -> tuple[Decade, ...]:
    """The ten decades of a chart; none without a gender, which gives luck its direction.

    >>> import bazi_core as bz
    >>> found = walk(bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern())
    >>> [(each.cycle.pillar.value, each.roles, each.tone) for each in found[:2]]
    [('壬午', ('用神', '喜神'), 'good'), ('癸未', ('用神', '忌神'), 'good')]
    >>> found[1].gathers.type, found[1].gathered
    ('三会', '喜神')
    """
    luck = result.chart.luck
    return () if luck is None else tuple(_decade(result, cycle) for cycle in luck.cycles)


def _decade(result: PatternResult, cycle: LuckCycle) -> Decade:
    stem, branch = cycle.pillar.stem.element, cycle.pillar.branch.element
    role = result.useful.role
    roles = (role(stem), role(branch)) if result.useful.order else ()
    group = _group(result, cycle.pillar)
    half = None if group is not None or not roles else _half(result, cycle.pillar, roles[1])
    formed = [branch if group is None or group.element is None else group.element]
    formed += [half.element] if half is not None and half.element is not None else []
    diagnosis = result.diagnosis
    brought = []
    if diagnosis is not None:
        named = ((REMEDY, diagnosis.remedy), (ILLNESS, diagnosis.illness))
        brought = [name for name, element in named if element in (stem, *formed)]
    brings = BOTH if len(brought) > 1 else brought[0] if brought else None
    judged = (roles[0], *map(role, formed)) if roles else ()
    gathered = role(formed[0]) if roles and group else ""
    return Decade(
        cycle, roles, _tone(judged), brings, group, gathered, half, role(formed[-1]) if half is not None else ""
    )  # fmt: skip


def _half(result: PatternResult, pillar: Pillar, own: str) -> Relation | None:
    """The strongest 半合 that holds by which the branch of a decade leans from what is wanted to what is not, or back."""
    index, trine = pillar.branch.index, pillar.branch.index % 4
    beside = {each.branch.index for _, each in result.pillars.items()} - {index}
    if own not in (*WANTED, *ADVERSE) or all(each % 4 != trine for each in beside):
        return None
    other = ADVERSE if own in WANTED else WANTED
    made = [
        each
        for each in relations_with(result.pillars, (("luck", pillar),), result.school)
        if each.type == "半合" and each.status == HOLDS
        if each.element is not None and result.useful.role(each.element) in other
    ]
    return max(made, key=lambda each: each.strength, default=None)


def _group(result: PatternResult, pillar: Pillar) -> Relation | None:
    """The strongest 三会 or 三合 that the branch of a decade makes with the chart and that holds."""
    own = pillar.branch.index
    if not groups_through(own, {own, *(each.branch.index for _, each in result.pillars.items())}):
        return None
    found = relations_with(result.pillars, (("luck", pillar),), result.school)
    made = [each for each in found if each.type in GROUPS and each.status == HOLDS]
    return max(made, key=lambda each: each.strength, default=None)


class Ties(NamedTuple):
    """The relations of a decade with a chart, the strongest first: those that hold, the clashes and punishments that
    others resolve or weaken, and every one of them."""

    held: tuple[Relation, ...]
    eased: tuple[Relation, ...]
    every: tuple[Relation, ...]


def meets(result: PatternResult, decade: Decade) -> Ties:
    """The relations of a decade with the chart that are told.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> [each.type for each in meets(result, walk(result)[0]).held]
    ['刑', '刑']
    """
    found = relations_with(result.pillars, (("luck", decade.cycle.pillar),), result.school)
    found = tuple(sorted(found, key=lambda each: -each.strength))
    held = tuple(each for each in found if each.status == HOLDS and each.type in TOLD)
    eased = tuple(each for each in found if each.status in EASED and each.type in STIRRING)
    return Ties(held, eased, found)


def _tone(roles: tuple[str, ...]) -> str:
    good, bad = any(role in WANTED for role in roles), any(role in ADVERSE for role in roles)
    return MIXED if good and bad else GOOD if good else HARD if bad else PLAIN


def walk_facts(decades: Iterable[Decade], running: Running | None = None) -> Iterator[Fact]:
    """Ten gods, roles, ages and days of entry of the decades, and which of them runs on a date."""
    for decade in decades:
        own, cycle = decade.fact_id, decade.cycle
        yield from god_facts(own, "luck", "luck", cycle.pillar, cycle.marks)
        for part, role in zip(PARTS, decade.roles, strict=False):
            yield role_fact(own, part, "luck", "luck", getattr(cycle.pillar, part), role)
        yield from tie_facts(decade, filter(None, (decade.gathers, decade.leans)))
        if cycle.start_at is not None and cycle.end_year is not None:
            age, on = [cycle.start_age_nominal, cycle.start_age_full], cycle.start_at.date().isoformat()
            yield Fact(
                f"{own}.age", "luck", "luck", "age", age, "luck.entry",
                (cycle.index + 1, on, *age, cycle.end_year + 1), "luck", (own, "dy.start"), "R-LUCK",
                "SMTH.论大运",
            )  # fmt: skip
    if running is not None and running.cycle is not None:
        number = running.cycle.index + 1
        yield Fact(
            "dy.now", "luck", "luck", "runs", number, "luck.now",
            ((running.on.isoformat(),), number, running.cycle.pillar.value), "luck", (f"dy.{number}",), "R-LUCK",
            "SMTH.论大运",
        )  # fmt: skip


def god_facts(own: str, seat: str, place: str, pillar: Pillar, marks: FlowMarks) -> Iterator[Fact]:
    """`<own>.tg.stem` and `.branch`: the ten gods of a flow pillar, of its branch by the main qi. A 小运 sits in the place
    `minor`, in the seat of the luck."""
    for part, god in marks.ten_gods.items():
        sign = getattr(pillar, part).value
        yield Fact(
            f"{own}.tg.{part}", "ten_god", seat, "ten_god", god, f"ten_god.flow_{part}", (place, sign, god), None,
            ("p.day.stem", own), "R-TG", "YHZP.论十神",
        )  # fmt: skip


def role_fact(own: str, part: str, place: str, position: str, sign: Stem | Branch, role: str) -> Fact:
    """`<own>.role.stem` or `.branch`: the role of the element of a flow sign."""
    element = sign.element.value
    return Fact(
        f"{own}.role.{part}", "role", element, role, element, f"year.role_{part}", (place, sign.value, element, role),
        position, (own, ROLE_FACTS[role]), "R-YR-3", "DTS.岁运",
    )  # fmt: skip


def tie_id(decade: Decade, found: Relation) -> str:
    """The fact of a relation of a decade with the chart."""
    return f"{decade.fact_id}.rel{found.id.removeprefix('rel')}"


def tie_facts(decade: Decade, found: Iterable[Relation]) -> Iterator[Fact]:
    """The relations of a decade with the chart as facts."""
    return relation_facts(found, f"{decade.fact_id}.rel", {"luck": decade.fact_id})
