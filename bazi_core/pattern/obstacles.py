"""The obstacles to a useful god: the conditions that the rows of `diagnosis.csv` ask, and how a remedy answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element
from bazi_core.pattern.conditions import gods_named
from bazi_core.pattern.roles import AGAINST_STRONG, AGAINST_WEAK
from bazi_core.pattern.useful import ADVERSE, WANTED, Useful
from bazi_core.pillars import WHOLE
from bazi_core.structures.classes import CLASSES
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.resolution import HOLDS, Relation
from bazi_core.views.roots import LOST
from bazi_core.views.strength import class_of
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.chart import ChartValue
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.dynamics import Company, Seat
    from bazi_core.pattern.status import PatternStatus, StatusRule

HARM = 0.25  # the share from which what controls another, or is not wanted, is a harm
# Who carries it: what acts is a stem; of several the nearest to the day.
_NEAREST = {"stem": ("month", "hour", "year"), "branch": ("month", "day", "hour", "year")}
# Percent by the season: an even share, below which only what controls the useful god hinders it; half of the chart, which is
# too much of one element (强众而敌寡).
EVEN, HALF = 20, 50
_WEAK_STATES = ("囚", "死")
_FAULTS = ("败", "忌")


class DiagnosisRow(NamedTuple):
    """A row of the table."""

    key: str
    condition: str
    illness: str
    remedies: tuple[tuple[str, ...], ...]
    source: str


class Obstacle(NamedTuple):
    """An obstacle: the element of the illness, how it is said, the facts on which it rests."""

    illness: Element
    said: FactPhrase
    evidence: tuple[str, ...]


class Patient:
    """A chart as the rows see it: the useful god, where it stands, and what the elements weigh."""

    def __init__(
        self,
        chart: ChartValue,
        company: Company,
        decided: Useful,
        standing: PatternStatus | None,
        climate: Climate | None,
    ) -> None:
        self.chart, self.pillars, self.company = chart, chart.pillars, company
        self.decided, self.standing, self.climate = decided, standing, climate
        self.useful: Element = decided.order[0]
        self.is_strong = bool(company.scene.state["身强"])
        self.stems = [stem for stem in company.stems if stem.stem.element is self.useful]
        self.hiding = [
            where
            for where, pillar in chart.pillars.items()
            if any(stem.stem.element is self.useful for stem in hidden_stems(pillar.branch))
        ]

    def role(self, element: Element) -> str:
        return self.decided.role(element)

    def share(self, element: Element) -> float:
        return self.chart.elements.shares[class_of(self.pillars.day.stem, element)]

    def percent(self, element: Element) -> int:
        """The share by the season, as it is told."""
        return self.chart.elements.seasonal[element.index]

    def class_name(self, element: Element) -> str:
        return CLASSES[class_of(self.pillars.day.stem, element)]

    @property
    def heaviest(self) -> Element:
        """The heavier of 仇神 and 忌神, of equals the 忌神; a light one that does not control the useful god gives way to
        one that does, and both to a heavier 闲神 that goes against the day master unanswered."""
        hostile, harmful = self.decided.order[3:]
        most, least = (hostile, harmful) if self.share(hostile) > self.share(harmful) else (harmful, hostile)
        is_harmless = self.percent(most) < EVEN and most.controls is not self.useful
        most = least if is_harmless and least.controls is self.useful else most
        idle = self.decided.order[2]
        if self.percent(idle) <= self.percent(most) or self.is_answered(idle, most):
            return most
        return idle if self.goes_against(idle) else most

    def is_answered(self, idle: Element, other: Element) -> bool:
        """Whether the useful god shows with a root and controls an element, so that the illness is what controls the useful
        god in turn (财破印)."""
        acts = any(stem.is_rooted and not stem.is_bound for stem in self.stems)
        return acts and self.useful.controls is idle and other.controls is self.useful

    def goes_against(self, element: Element) -> bool:
        """Whether an element adds to a day master that is strong or spends one that is weak; in a special structure that
        is not asked."""
        against = AGAINST_STRONG if self.is_strong else AGAINST_WEAK
        return not self.decided.by_structure and class_of(self.pillars.day.stem, element) in against

    def remedy(self, row: DiagnosisRow, illness: Element) -> tuple[Element, str] | None:
        """The remedy of an illness and its way; None for what the chart wants, or without a remedy."""
        if self.role(illness) in WANTED:
            return None
        for ways in row.remedies:
            found = [
                (element, way)
                for way in ways
                for element in ELEMENTS
                if CURES[way](element, illness, self.useful)
            ]
            found = [(each, way) for each, way in found if self._answers(row, illness, each)]
            if found:
                return min(found, key=lambda each: self.decided.order.index(each[0]))
        return None

    def _answers(self, row: DiagnosisRow, illness: Element, remedy: Element) -> bool:
        own = remedy is self.useful and row.key in SELF
        feeds = remedy.generates is illness
        return remedy is not illness and self.role(remedy) not in ADVERSE and not own and not feeds

    def seats(self, element: Element) -> tuple[Seat, ...]:
        """The stems of an element that act and the branches whose main qi it is, the weightiest first: no stem that is
        bound and no branch that went with a complete group of another element."""
        shown = [stem for stem in self.company.stems if stem.stem.element is element and not stem.is_bound]
        shown.sort(key=lambda each: (not each.is_rooted, _NEAREST["stem"].index(each.position)))
        gone = self.gone(element)
        mains = [
            main for main in self.company.mains if main.stem.element is element and main.position not in gone
        ]
        return (*shown, *sorted(mains, key=lambda each: _NEAREST["branch"].index(each.position)))

    def gone(self, element: Element) -> set[str]:
        """Where a branch belongs to a 三会 or 三合 of another element."""
        groups = [*self.relations("三会"), *self.relations("三合")]
        return {
            where
            for each in groups
            if each.status == HOLDS and each.element is not element
            for where, _ in each.members
        }

    def relations(self, kind: str) -> list[Relation]:
        return [relation for relation in self.chart.relations if relation.type == kind]


def _heaviest(patient: Patient, key: str, *values: str, evidence: tuple[str, ...] = ()) -> Obstacle:
    illness = patient.heaviest
    said = FactPhrase(f"obstacle.{key}", (patient.useful.value, *values))
    return Obstacle(illness, said, (f"wx.seasonal.{illness}", *evidence))


def _absent(patient: Patient) -> Obstacle | None:
    if patient.stems or patient.hiding:
        return None
    return _heaviest(patient, "absent", evidence=(WHOLE,))


def _burden(patient: Patient) -> Obstacle | None:
    """衰则喜帮喜助: half of the chart spends a day master that is weak, and it is not what controls the useful god."""
    most = patient.heaviest
    if patient.is_strong or patient.percent(most) < HALF or not patient.goes_against(most):
        return None
    if most.controls is patient.useful:
        return None
    return Obstacle(most, FactPhrase("obstacle.burden"), (f"wx.seasonal.{most}", "str.verdict"))


def _attacked(patient: Patient) -> Obstacle | None:
    attacker = next(element for element in ELEMENTS if element.controls is patient.useful)
    if patient.share(attacker) < max(HARM, patient.share(patient.useful)):
        return None
    # It must outweigh by the season too, as its share is told.
    if patient.percent(attacker) <= patient.percent(patient.useful):
        return None
    said = FactPhrase("obstacle.attacked", (patient.useful.value,))
    return Obstacle(attacker, said, (f"wx.seasonal.{attacker}", f"wx.seasonal.{patient.useful}"))


def _bound(patient: Patient) -> Obstacle | None:
    if not patient.stems or not all(stem.is_bound for stem in patient.stems):
        return None
    seat = patient.stems[0]
    name = patient.company.scene.bound[seat.position]
    tie = next(relation for relation in patient.relations("干合") if relation.id == name)
    other = next(where for where, _ in tie.members if where != seat.position)
    partner = next(stem for stem in patient.company.stems if stem.position == other)
    ends = (FactPhrase("member.stem", (each.position, each.sign.value)) for each in (seat, partner))
    return Obstacle(
        partner.stem.element, FactPhrase("obstacle.bound", (patient.useful.value, *ends)), (name,)
    )


def _clashed(patient: Patient) -> Obstacle | None:
    roots = [(own, root) for own in patient.chart.roots[1:] for root in own.roots]
    roots = [(own, root) for own, root in roots if own.stem.element is patient.useful]
    if not roots or any(root.factor > LOST for _, root in roots):
        return None
    own, root = roots[0]
    name = root.broken_by[0]
    clash = next(relation for relation in patient.relations("六冲") if relation.id == name)
    other = next(where for where, _ in clash.members if where != root.position)
    branches = {where: pillar.branch for where, pillar in patient.pillars.items()}
    ends = (FactPhrase("member.branch", (where, branches[where].value)) for where in (root.position, other))
    said = FactPhrase("obstacle.clashed", (patient.useful.value, *ends))
    return Obstacle(branches[other].element, said, (name, own.fact_id(root)))


def _pattern(patient: Patient) -> Obstacle | None:
    """The first unanswered fault of the pattern that a 仇神 or 忌神 makes."""
    for rule in faults(patient.standing):
        for element in blamed(patient, rule):
            said = FactPhrase("obstacle.pattern", (FactPhrase("pattern.rule", (rule.id,)),))
            return Obstacle(element, said, (f"pat.pred.{rule.id}",))
    return None


def faults(standing: PatternStatus | None) -> Iterator[StatusRule]:
    """The rows 败 and 忌 of the pattern that hold and that no other row answers."""
    from bazi_core.pattern.status import rules

    if standing is None:
        return
    held = {answer.id for answer in standing.answers() if answer.holds}
    own = [rule for rule in rules(standing.pattern) if rule.id in held]
    answered = {name for rule in own for name in rule.answers}
    yield from (rule for rule in own if rule.kind in _FAULTS and rule.id not in answered)


def blamed(patient: Patient, rule: StatusRule) -> Iterator[Element]:
    """The elements of the ten gods that a fault names as standing, as far as the chart does not want them and no other that
    it names controls them: of 正官 beside 伤官 the 伤官 is what spoils, the 正官 what is spoilt."""
    day = patient.pillars.day.stem.element.index
    named = []
    for term in rule.terms:
        if term.verb in _STANDING and not term.denied:
            k = next(k for k in range(5) if term.bits[0] & gods_named(CLASSES[k]))
            named.append(ELEMENTS[(day + k) % 5])
    for element in named:
        if patient.role(element) in ADVERSE and not any(other.controls is element for other in named):
            yield element


_STANDING = ("露", "透", "根", "有", "重")


def _surplus(patient: Patient) -> Obstacle | None:
    """旺则宜泄宜伤: what is not wanted is half of the chart."""
    most = patient.heaviest
    if patient.percent(most) < HALF:
        return None
    return Obstacle(most, FactPhrase("obstacle.surplus"), (f"wx.seasonal.{most}",))


def _rootless(patient: Patient) -> Obstacle | None:
    if not patient.stems or any(stem.is_rooted for stem in patient.stems):
        return None
    roots = (patient.company.scene.root_ids(stem.position) for stem in patient.stems)
    return _heaviest(patient, "rootless", evidence=tuple(name for ids in roots for name in ids))


def _hidden(patient: Patient) -> Obstacle | None:
    """In branches alone, unless it is the main qi of one and heavy: then it is none that wants strength."""
    if patient.stems or (patient.seats(patient.useful) and patient.percent(patient.useful) >= 100 * HARM):
        return None
    return _heaviest(patient, "hidden", evidence=tuple(f"p.{where}.branch" for where in patient.hiding))


def _season(patient: Patient) -> Obstacle | None:
    state = patient.chart.elements.state[patient.useful.index]
    if state not in _WEAK_STATES:
        return None
    month = patient.pillars.month.branch.value
    return _heaviest(patient, "season", month, state, evidence=(f"wx.state.{patient.useful}",))


def _heavy(patient: Patient) -> Obstacle | None:
    """Not light, or the most of what is not wanted where no useful god acts (one that a wanted stem binds)."""
    if patient.share(patient.heaviest) < HARM and patient.seats(patient.useful):
        return None
    return Obstacle(patient.heaviest, FactPhrase("obstacle.heavy"), (f"wx.seasonal.{patient.heaviest}",))


FINDERS: dict[str, Callable[[Patient], Obstacle | None]] = {
    "不现": _absent,
    "不胜": _burden,
    "受克": _attacked,
    "被合": _bound,
    "根冲": _clashed,
    "格破": _pattern,
    "太过": _surplus,
    "无根": _rootless,
    "藏": _hidden,
    "失令": _season,
    "病重": _heavy,
}

# The condition that holds of every chart for which no other does.
SOUND = "安"
# What the finders call the illness.
ILLNESSES = {
    "heaviest": ("不现", "不胜", "无根", "藏", "失令", "病重"),
    "attacker": ("受克",),
    "binder": ("被合",),
    "clasher": ("根冲",),
    "breaker": ("格破",),
    "surplus": ("太过",),
}
# How a remedy answers, asked of it, the illness and the useful god.
CURES: dict[str, Callable[[Element, Element, Element], bool]] = {
    "制": lambda remedy, illness, useful: remedy.controls is illness,
    "泄": lambda remedy, illness, useful: illness.generates is remedy,
    "生": lambda remedy, illness, useful: remedy.generates is useful,
}
AGAINST = ("制", "泄")  # what is done to the illness; the others are done for the useful god
# Where the useful god itself ails, it is not what cures.
SELF = frozenset(("absent", "bound", "clashed", "rootless", "hidden"))
