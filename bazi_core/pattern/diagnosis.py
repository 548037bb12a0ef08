"""病药: the one thing on which a chart turns, row by row of `diagnosis.csv`.

《神峰通考·病药说》: 何以为之病？原八字中原所害之神也；何以为之药？如八字原有所害之字，而得一字以去之. The illness is what
stands most in the way of the useful god or of the pattern, never one of the elements that the chart wants; the remedy
answers it, is never the 忌神, and is not the useful god where that is what ails. Where the chart has the remedy, it is
rescued (救应) by the seat that carries it. A chart that nothing ails has neither.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS
from bazi_core.facts import Fact
from bazi_core.pattern.conditions import gods_named
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.pillars import WHOLE
from bazi_core.structures.book_rules import citation
from bazi_core.structures.classes import CLASSES
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.roots import LOST
from bazi_core.views.strength import class_of
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.alphabet import Element
    from bazi_core.chart import ChartValue
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.dynamics import Company, Seat
    from bazi_core.pattern.status import Standing, StatusRule
    from bazi_core.pattern.useful import Useful
    from bazi_core.views.resolution import Relation

HARM = 0.25  # the share from which what controls another, or is not wanted, is a harm
# Who carries it: what acts is a stem; of several the nearest to the day.
_NEAREST = {"stem": ("month", "hour", "year"), "branch": ("month", "day", "hour", "year")}
# Percent by the season: an even share, below which only what controls the useful god hinders it; half of the chart, which is
# too much of one element (强众而敌寡).
EVEN, HALF = 20, 50
_WEAK_STATES = ("囚", "死")
_FAULTS = ("败", "忌")
NONE = "无"  # the value of the fact where there is no remedy


class DiagnosisRow(NamedTuple):
    """A row of the table."""

    key: str
    condition: str
    illness: str
    remedies: tuple[tuple[str, ...], ...]
    source: str


class Pivot(NamedTuple):
    """关键: the seat on which the chart turns, and whether it carries the `remedy`, the `illness` or the `useful` god."""

    seat: Seat
    carries: str

    def to_dict(self) -> dict[str, str]:
        return {**self.seat.to_dict(), "carries": self.carries}


class Obstacle(NamedTuple):
    """What is in the way: the element of the illness, how it is said, the facts on which it rests."""

    illness: Element
    said: FactPhrase
    evidence: tuple[str, ...]


class Diagnosis(NamedTuple):
    """The illness of a chart and its remedy.

    `key` is that of the row: absent, attacked, bound, clashed, pattern, surplus, rootless, hidden, season, heavy, or sound
    where nothing hinders the useful god: then there is neither illness nor remedy. `cure` is how the remedy answers: 制 it
    controls the illness, 泄 drains it, 生 generates the useful god, 护 controls what attacks that. `rescue` are the seats of
    the remedy in the chart, `pivot` the seat on which it turns.
    `grounds` name beside the useful god the `pattern` where the illness harms it too, and the `climate` where it asks for
    the remedy; `obstacle` says how the illness stands in the way, `said` all of it.

    >>> import bazi_core as bz
    >>> found = bz.chart(pillars="甲寅 丁卯 庚午 乙酉").pattern().diagnosis
    >>> found.key, found.illness, found.remedy, found.pivot.seat.position
    ('attacked', Element('火'), Element('土'), 'month')
    """

    key: str
    useful: Element
    illness: Element | None
    remedy: Element | None
    cure: str | None
    roles: tuple[str | None, str | None]
    rescue: tuple[Seat, ...]
    pivot: Pivot
    grounds: tuple[str, ...]
    obstacle: FactPhrase | None
    said: FactPhrase
    source: str
    evidence: tuple[str, ...]

    def text(self, lang: str = "zh-Hans") -> str:
        """The diagnosis in a sentence, in zh-Hans, zh-Hant or en."""
        return self.said.text(lang)

    def to_dict(self) -> dict[str, object]:
        return {
            "key": self.key,
            "illness": self.illness.value if self.illness else None,
            "illness_role": self.roles[0],
            "remedy": self.remedy.value if self.remedy else None,
            "remedy_role": self.roles[1],
            "cure": self.cure,
            "rescue": [each.to_dict() for each in self.rescue],
            "pivot": self.pivot.to_dict(),
            "grounds": list(self.grounds),
            "evidence": ["pat.diagnosis"],
        }


@cache
def diagnosis_rows() -> tuple[DiagnosisRow, ...]:
    """The rows, the strongest obstacle first.

    >>> [row.key for row in diagnosis_rows()][:3]
    ['absent', 'attacked', 'bound']
    """
    found = tuple(
        DiagnosisRow(row["key"], row["condition"], row["illness"], _alternatives(row["remedy"]), citation(row["source"]))
        for row in rows("diagnosis")
    )  # fmt: skip
    _check(found)
    return found


def _check(found: tuple[DiagnosisRow, ...]) -> None:
    rows_once("diagnosis", (row.key for row in found))
    rows_once("diagnosis", (row.condition for row in found))
    *asked, last = found
    names_known("diagnosis", "condition", (row.condition for row in asked), FINDERS)
    names_known("diagnosis", "last condition", (last.condition,), (SOUND,))
    names_known("diagnosis", "illness", (row.illness for row in asked), ILLNESSES)
    names_known("diagnosis", "key of what may ail a useful god", SELF, {row.key for row in asked})
    for row in asked:
        if row.condition not in ILLNESSES[row.illness]:
            raise ValueError(f"diagnosis: the illness of {row.condition} is not the {row.illness}")
        names_known(
            "diagnosis", "cure", (way for ways in row.remedies or ((),) for way in ways or ("",)), CURES
        )


def _alternatives(remedy: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(each.split()) for each in remedy.split(";") if each)


def diagnosis(
    chart: ChartValue, company: Company, useful: Useful, standing: Standing | None, climate: Climate | None
) -> Diagnosis:
    """The diagnosis of a chart whose useful god is decided."""
    patient = _Patient(chart, company, useful, standing, climate)
    for row in diagnosis_rows():
        if not row.illness:
            return _sound(patient, row)
        found = FINDERS[row.condition](patient)
        answer = None if found is None else patient.remedy(row, found.illness)
        if found is not None and answer is not None:
            return _made(patient, row, found, *answer)
    raise AssertionError("the last row holds of every chart")


class _Patient:
    """A chart as the rows see it: the useful god, where it stands, and what the elements weigh."""

    def __init__(
        self,
        chart: ChartValue,
        company: Company,
        decided: Useful,
        standing: Standing | None,
        climate: Climate | None,
    ) -> None:
        self.chart, self.pillars, self.company = chart, chart.pillars, company
        self.decided, self.standing, self.climate = decided, standing, climate
        self.useful: Element = decided.order[0]
        self.stems = [each for each in company.stems if each.stem.element is self.useful]
        self.hiding = [
            where
            for where, pillar in chart.pillars.items()
            if any(each.stem.element is self.useful for each in hidden_stems(pillar.branch))
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
        one that does."""
        hostile, harmful = self.decided.order[3:]
        most, least = (hostile, harmful) if self.share(hostile) > self.share(harmful) else (harmful, hostile)
        is_harmless = self.percent(most) < EVEN and most.controls is not self.useful
        return least if is_harmless and least.controls is self.useful else most

    def remedy(self, row: DiagnosisRow, illness: Element) -> tuple[Element, str] | None:
        """What answers an illness, and how; None for what the chart wants, or without a remedy."""
        if self.role(illness) in WANTED:
            return None
        for ways in row.remedies:
            found = [
                (each, way) for way in ways for each in ELEMENTS if CURES[way](each, illness, self.useful)
            ]
            found = [(each, way) for each, way in found if self._answers(row, illness, each)]
            if found:
                return min(found, key=lambda each: self.decided.order.index(each[0]))
        return None

    def _answers(self, row: DiagnosisRow, illness: Element, remedy: Element) -> bool:
        own = remedy is self.useful and row.key in SELF
        return remedy is not illness and self.role(remedy) not in ADVERSE and not own

    def seats(self, element: Element) -> tuple[Seat, ...]:
        """The stems of an element that act and the branches whose main qi it is, the weightiest first."""
        shown = [each for each in self.company.stems if each.stem.element is element and not each.is_bound]
        shown.sort(key=lambda each: (not each.is_rooted, _NEAREST["stem"].index(each.position)))
        mains = [each for each in self.company.mains if each.stem.element is element]
        return (*shown, *sorted(mains, key=lambda each: _NEAREST["branch"].index(each.position)))

    def relations(self, kind: str) -> list[Relation]:
        return [each for each in self.chart.relations if each.type == kind]


def _heaviest(patient: _Patient, key: str, *values: str, evidence: tuple[str, ...] = ()) -> Obstacle:
    illness = patient.heaviest
    said = FactPhrase(f"obstacle.{key}", (patient.useful.value, *values))
    return Obstacle(illness, said, (f"wx.seasonal.{illness}", *evidence))


def _absent(patient: _Patient) -> Obstacle | None:
    if patient.stems or patient.hiding:
        return None
    return _heaviest(patient, "absent", evidence=(WHOLE,))


def _attacked(patient: _Patient) -> Obstacle | None:
    attacker = next(each for each in ELEMENTS if each.controls is patient.useful)
    if patient.share(attacker) < max(HARM, patient.share(patient.useful)):
        return None
    # It must outweigh by the season too, as its share is told.
    if patient.percent(attacker) <= patient.percent(patient.useful):
        return None
    said = FactPhrase("obstacle.attacked", (patient.useful.value,))
    return Obstacle(attacker, said, (f"wx.seasonal.{attacker}", f"wx.seasonal.{patient.useful}"))


def _bound(patient: _Patient) -> Obstacle | None:
    if not patient.stems or not all(each.is_bound for each in patient.stems):
        return None
    seat = patient.stems[0]
    name = patient.company.scene.bound[seat.position]
    tie = next(each for each in patient.relations("干合") if each.id == name)
    other = next(where for where, _ in tie.members if where != seat.position)
    partner = next(each for each in patient.company.stems if each.position == other)
    ends = (FactPhrase("member.stem", (each.position, each.sign.value)) for each in (seat, partner))
    return Obstacle(
        partner.stem.element, FactPhrase("obstacle.bound", (patient.useful.value, *ends)), (name,)
    )


def _clashed(patient: _Patient) -> Obstacle | None:
    roots = [(own, root) for own in patient.chart.roots[1:] for root in own.roots]
    roots = [(own, root) for own, root in roots if own.stem.element is patient.useful]
    if not roots or any(root.factor > LOST for _, root in roots):
        return None
    own, root = roots[0]
    name = root.broken_by[0]
    clash = next(each for each in patient.relations("六冲") if each.id == name)
    other = next(where for where, _ in clash.members if where != root.position)
    branches = {where: pillar.branch for where, pillar in patient.pillars.items()}
    ends = (FactPhrase("member.branch", (where, branches[where].value)) for where in (root.position, other))
    said = FactPhrase("obstacle.clashed", (patient.useful.value, *ends))
    return Obstacle(branches[other].element, said, (name, own.fact_id(root)))


def _pattern(patient: _Patient) -> Obstacle | None:
    """The first unanswered fault of the pattern that a 仇神 or 忌神 makes."""
    for rule in _faults(patient.standing):
        for element in _blamed(patient, rule):
            said = FactPhrase("obstacle.pattern", (FactPhrase("pattern.rule", (rule.id,)),))
            return Obstacle(element, said, (f"pat.pred.{rule.id}",))
    return None


def _faults(standing: Standing | None) -> Iterator[StatusRule]:
    """The rows 败 and 忌 of the pattern that hold and that no other row answers."""
    from bazi_core.pattern.status import rules

    if standing is None:
        return
    held = {each.id for each in standing.answers() if each.holds}
    own = [rule for rule in rules(standing.pattern) if rule.id in held]
    answered = {name for rule in own for name in rule.answers}
    yield from (rule for rule in own if rule.kind in _FAULTS and rule.id not in answered)


def _blamed(patient: _Patient, rule: StatusRule) -> Iterator[Element]:
    """The elements of the ten gods that a fault names as standing, as far as the chart does not want them."""
    day = patient.pillars.day.stem.element.index
    for term in rule.terms:
        if term.verb in _STANDING and not term.denied:
            k = next(k for k in range(5) if term.bits[0] & gods_named(CLASSES[k]))
            element = ELEMENTS[(day + k) % 5]
            if patient.role(element) in ADVERSE:
                yield element


_STANDING = ("露", "透", "根", "有", "重")


def _surplus(patient: _Patient) -> Obstacle | None:
    """旺则宜泄宜伤: a 仇神 or 忌神 that is half of the chart."""
    most = patient.heaviest
    if patient.percent(most) < HALF:
        return None
    return Obstacle(most, FactPhrase("obstacle.surplus"), (f"wx.seasonal.{most}",))


def _rootless(patient: _Patient) -> Obstacle | None:
    if not patient.stems or any(each.is_rooted for each in patient.stems):
        return None
    roots = (patient.company.scene.root_ids(each.position) for each in patient.stems)
    return _heaviest(patient, "rootless", evidence=tuple(name for ids in roots for name in ids))


def _hidden(patient: _Patient) -> Obstacle | None:
    """In branches alone, unless it is the main qi of one and heavy: then it is none that wants strength."""
    if patient.stems or (patient.seats(patient.useful) and patient.percent(patient.useful) >= 100 * HARM):
        return None
    return _heaviest(patient, "hidden", evidence=tuple(f"p.{where}.branch" for where in patient.hiding))


def _season(patient: _Patient) -> Obstacle | None:
    state = patient.chart.elements.state[patient.useful.index]
    if state not in _WEAK_STATES:
        return None
    month = patient.pillars.month.branch.value
    return _heaviest(patient, "season", month, state, evidence=(f"wx.state.{patient.useful}",))


def _heavy(patient: _Patient) -> Obstacle | None:
    """Not light, or the most of what is not wanted where no useful god acts (one that a wanted stem binds)."""
    if patient.share(patient.heaviest) < HARM and patient.seats(patient.useful):
        return None
    return Obstacle(patient.heaviest, FactPhrase("obstacle.heavy"), (f"wx.seasonal.{patient.heaviest}",))


FINDERS: dict[str, Callable[[_Patient], Obstacle | None]] = {
    "不现": _absent,
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
    "heaviest": ("不现", "无根", "藏", "失令", "病重"),
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
    "护": lambda remedy, illness, useful: useful.generates is remedy,
}
AGAINST = ("制", "泄")  # what is done to the illness; the others are done for the useful god
# Where the useful god itself ails, it is not what cures.
SELF = frozenset(("absent", "bound", "clashed", "rootless", "hidden"))


def _sound(patient: _Patient, row: DiagnosisRow) -> Diagnosis:
    """Nothing ails the chart: it turns on its useful god."""
    pivot = Pivot(patient.seats(patient.useful)[0], "useful")
    where = FactPhrase(f"member.{pivot.seat.part}", (pivot.seat.position, pivot.seat.sign.value))
    return Diagnosis(
        row.key, patient.useful, None, None, None, (None, None), (), pivot, ("useful",), None,
        FactPhrase("diagnosis.sound", (patient.useful.value, where)), row.source,
        ("yong.primary", f"wx.seasonal.{patient.useful}", pivot.seat.leaf_id),
    )  # fmt: skip


def _made(patient: _Patient, row: DiagnosisRow, found: Obstacle, remedy: Element, cure: str) -> Diagnosis:
    rescue = patient.seats(remedy)
    pivot = _pivot(patient, found.illness, rescue)
    where = FactPhrase(f"member.{pivot.seat.part}", (pivot.seat.position, pivot.seat.sign.value))
    rescued = FactPhrase("rescue.here" if rescue else "rescue.away", (where,))
    said = FactPhrase(
        "diagnosis",
        (
            found.illness.value, patient.class_name(found.illness), found.said, remedy.value, patient.class_name(remedy),
            FactPhrase(f"cure.{cure}", ((found.illness if cure in AGAINST else patient.useful).value,)), rescued,
        ),
    )  # fmt: skip
    grounds, cited = _grounds(patient, found.illness, remedy)
    roles = (patient.role(found.illness), patient.role(remedy))
    evidence = ("yong.primary", *(ROLE_FACTS[role] for role in roles), *found.evidence, *cited)
    seats = (*rescue, *(() if rescue else (pivot.seat,)))
    evidence += tuple(each.leaf_id for each in seats)
    return Diagnosis(
        row.key, patient.useful, found.illness, remedy, cure, roles, rescue, pivot, grounds, found.said, said, row.source,
        tuple(dict.fromkeys(evidence)),
    )  # fmt: skip


def _pivot(patient: _Patient, illness: Element, rescue: tuple[Seat, ...]) -> Pivot:
    """The remedy where the chart has it, else the illness, else the month."""
    if rescue:
        return Pivot(rescue[0], "remedy")
    ill = patient.seats(illness)
    if ill:
        return Pivot(ill[0], "illness")
    return Pivot(next(each for each in patient.company.mains if each.position == "month"), "month")


def _grounds(patient: _Patient, illness: Element, remedy: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What speaks for it beside the useful god, with the facts that say so."""
    grounds, cited = ["useful"], []
    fault = next((rule for rule in _faults(patient.standing) if illness in _blamed(patient, rule)), None)
    if fault is not None:
        grounds.append("pattern")
        cited.append(f"pat.pred.{fault.id}")
    climate = patient.climate
    if climate is not None and climate.urgency == "urgent" and climate.required[0].element is remedy:
        grounds.append("climate")
        cited.append("clim.table")
    return tuple(grounds), tuple(cited)


def diagnosis_facts(found: Diagnosis | None) -> Iterator[Fact]:
    """`pat.diagnosis`: the illness, what it is to the chart, the remedy and where it stands."""
    if found is not None:
        yield Fact(
            "pat.diagnosis", "diagnosis", (found.illness or found.useful).value, found.key,
            found.remedy.value if found.remedy else NONE, found.said.key,
            found.said.values, None, found.evidence, "R-DIAG", found.source,
        )  # fmt: skip
