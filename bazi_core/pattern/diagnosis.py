"""病药: the one thing on which a chart turns, row by row of `diagnosis.csv`.

《神峰通考·病药说》: 何以为之病？原八字中原所害之神也；何以为之药？如八字原有所害之字，而得一字以去之. The illness is what
stands most in the way of the useful god or of the pattern, never one of the elements that the chart wants; the remedy
answers it, is never the 忌神, and is not the useful god where that is what ails. Where the chart has the remedy, it is
rescued (救应) by the seat that carries it. A chart that nothing ails has neither.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.facts import Fact
from bazi_core.pattern.obstacles import (
    AGAINST,
    CURES,
    FINDERS,
    ILLNESSES,
    SELF,
    SOUND,
    DiagnosisRow,
    Obstacle,
    Patient,
    blamed,
    faults,
)
from bazi_core.pattern.useful import ROLE_FACTS, Useful
from bazi_core.structures.book_rules import citation
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Element
    from bazi_core.chart import ChartValue
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.dynamics import Company, Seat
    from bazi_core.pattern.status import PatternStatus

NONE = "无"  # the value of the fact where there is no remedy


class Pivot(NamedTuple):
    """关键: the seat on which the chart turns, and whether it carries the `remedy`, the `illness` or the `useful` god."""

    seat: Seat
    carries: str

    def to_dict(self) -> dict[str, str]:
        return {**self.seat.to_dict(), "carries": self.carries}


class Diagnosis(NamedTuple):
    """The illness of a chart and its remedy.

    `key` is that of the row: absent, burden, attacked, bound, clashed, pattern, surplus, rootless, hidden, season, heavy,
    or sound where nothing hinders the useful god: then there is neither illness nor remedy. `cure` is how it answers: 制 it
    controls the illness, 泄 drains it, 生 generates the useful god. `rescue` are the seats of
    the remedy in the chart, `pivot` the seat on which it turns.
    `grounds` name beside the useful god the `pattern` where the illness harms it too, and the `climate` where it asks for
    the remedy; `obstacle` says how the illness stands in the way, `said` all of it.

    >>> import bazi_core as bz
    >>> found = bz.chart(pillars="甲寅 丁卯 庚午 乙酉").pattern().diagnosis
    >>> found.key, found.illness, found.remedy, found.pivot.seat.position
    ('burden', Element('木'), Element('金'), 'hour')
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
    ['absent', 'burden', 'attacked']
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
    chart: ChartValue,
    company: Company,
    useful: Useful,
    standing: PatternStatus | None,
    climate: Climate | None,
) -> Diagnosis:
    """The diagnosis of a chart whose useful god is decided."""
    patient = Patient(chart, company, useful, standing, climate)
    for row in diagnosis_rows():
        if not row.illness:
            return _sound(patient, row)
        found = FINDERS[row.condition](patient)
        answer = None if found is None else patient.remedy(row, found.illness)
        if found is not None and answer is not None:
            return _made(patient, row, found, *answer)
    raise AssertionError("the last row holds of every chart")


def _sound(patient: Patient, row: DiagnosisRow) -> Diagnosis:
    """Nothing ails the chart: it turns on its useful god."""
    acting = patient.seats(patient.useful)
    own = [main for main in patient.company.mains if main.stem.element is patient.useful]
    pivot = Pivot((*acting, *own, *patient.stems)[0], "useful")
    where = FactPhrase(f"member.{pivot.seat.part}", (pivot.seat.position, pivot.seat.sign.value))
    return Diagnosis(
        row.key, patient.useful, None, None, None, (None, None), (), pivot, ("useful",), None,
        FactPhrase("diagnosis.sound", (patient.useful.value, where)), row.source,
        ("yong.primary", f"wx.seasonal.{patient.useful}", pivot.seat.leaf_id),
    )  # fmt: skip


def _made(patient: Patient, row: DiagnosisRow, found: Obstacle, remedy: Element, cure: str) -> Diagnosis:
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
    evidence += tuple(seat.leaf_id for seat in seats)
    return Diagnosis(
        row.key, patient.useful, found.illness, remedy, cure, roles, rescue, pivot, grounds, found.said, said, row.source,
        tuple(dict.fromkeys(evidence)),
    )  # fmt: skip


def _pivot(patient: Patient, illness: Element, rescue: tuple[Seat, ...]) -> Pivot:
    """The remedy where the chart has it, else the illness, else the month."""
    if rescue:
        return Pivot(rescue[0], "remedy")
    ill = patient.seats(illness)
    if ill:
        return Pivot(ill[0], "illness")
    return Pivot(next(main for main in patient.company.mains if main.position == "month"), "month")


def _grounds(patient: Patient, illness: Element, remedy: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The grounds for it beside the useful god, with their facts."""
    grounds, cited = ["useful"], []
    fault = next((rule for rule in faults(patient.standing) if illness in blamed(patient, rule)), None)
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
