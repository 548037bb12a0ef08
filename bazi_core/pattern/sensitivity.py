"""The parts of a chart that survive: the minutes around its birth, and the choices in which practitioners differ.

Every choice is varied alone. A chart is judged again only where its pillars, its strength or its structures can come
out otherwise: the span is cut at double hours, days, 节 and changes of 司令, and what was judged once is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import scales
from bazi_core.errors import shown, unknown_option
from bazi_core.moment import SolarMoment, moment_at, solar_moment
from bazi_core.pattern.result import Judgement, judgement
from bazi_core.pillars import POSITIONS, FourPillars, four_pillars
from bazi_core.school import OPTIONS, School
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import printed
from bazi_core.unknown_hour import Candidate, pieces, unknown_hour
from bazi_core.views.hidden import siling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bazi_core.alphabet import Element, Stem
    from bazi_core.birth import Birth
    from bazi_core.chart import ChartValue

MINUTE_MS = 60_000
MOST_MINUTES = 720
TIME = "time"
JUDGED = ("siling", "strength", "pattern", "useful")
PARTS = (*POSITIONS, *JUDGED)


# The disputed choices, each with its values and the options of a School that they are.
CHOICES: dict[str, dict[str, dict[str, str]]] = {
    "day_boundary": {
        "23:00": {"day_boundary": "23:00"},
        "00:00": {"day_boundary": "00:00", "late_zi_hour_stem": "next_day"},
        "00:00_same_day": {"day_boundary": "00:00", "late_zi_hour_stem": "same_day"},
    },
    **{
        name: {value: {name: value} for value in OPTIONS[name]}
        for name in ("time_basis", "strength_method", "siling_table", "special_structures")
    },
}
# Those that ask for the moment of birth.
_OF_THE_MOMENT = ("day_boundary", "time_basis", "siling_table")


class Outcome(NamedTuple):
    """The compared parts of a chart: the pillars, who commands, strength, pattern, and 用神 and 喜神."""

    pillars: FourPillars
    siling: Stem | None
    strength: str | None
    pattern: str | None
    useful: tuple[Element, ...]

    def of(self, part: str) -> str | None:
        """A part by its name, as text."""
        if part in POSITIONS:
            pillar = getattr(self.pillars, part)
            return pillar.value if pillar else None
        if part == "useful":
            return "".join(each.value for each in self.useful) or None
        return {
            "siling": self.siling and self.siling.value,
            "strength": self.strength,
            "pattern": self.pattern,
        }[part]

    def changes(self, other: Outcome) -> tuple[str, ...]:
        """The parts in which another differs."""
        return tuple(part for part in PARTS if self.of(part) != other.of(part))

    def to_dict(self) -> dict[str, Any]:
        told = {part: self.of(part) for part in JUDGED}
        return {**self.pillars.to_dict(), **told, "useful": [each.value for each in self.useful]}


class Other(NamedTuple):
    """One way in which it could have been: another value of the choice or, of the time, another piece of it."""

    value: str
    outcome: Outcome
    changes: tuple[str, ...]
    piece: Candidate | None = None

    def to_dict(self) -> dict[str, Any]:
        ends = {} if self.piece is None else {name: self.piece.to_dict()[name] for name in ("from", "to")}
        return {"value": self.value, **ends, "changes": list(self.changes), "outcome": self.outcome.to_dict()}


class SensitivityRow(NamedTuple):
    """A choice: what the chart takes, and every other value with what it changes."""

    choice: str
    taken: str
    others: tuple[Other, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """The parts that some other value changes."""
        found = {part for other in self.others for part in other.changes}
        return tuple(part for part in PARTS if part in found)

    def to_dict(self) -> dict[str, Any]:
        return {
            "choice": self.choice,
            "taken": self.taken,
            "changes": list(self.changes),
            "others": [other.to_dict() for other in self.others],
        }


class Sensitivity(NamedTuple):
    """The parts of a chart that survive the uncertainty of its birth.

    `rows` vary one choice each, the time first; `values` are what every part comes out as over all of them, its own value
    first. A part survives that has one value.

    >>> import bazi_core as bz
    >>> found = bz.chart("1990-05-15 13:30", city="北京", gender="male").sensitivity()
    >>> found.survives["day"], found.survives["hour"], found.values["hour"]
    (True, False, ('壬午', '癸未'))
    >>> [(row.choice, row.changes) for row in found.rows][:2]
    [('time', ()), ('day_boundary', ())]
    """

    chart: ChartValue
    minutes: int
    taken: Outcome
    rows: tuple[SensitivityRow, ...]

    def __str__(self) -> str:
        return printed(self)

    @property
    def values(self) -> dict[str, tuple[str | None, ...]]:
        """The outcome of every part."""
        all_of = [self.taken, *(other.outcome for row in self.rows for other in row.others)]
        return {part: tuple(dict.fromkeys(each.of(part) for each in all_of)) for part in PARTS}

    @property
    def survives(self) -> dict[str, bool]:
        """Whether a part comes out the same whatever is varied."""
        return {part: len(values) == 1 for part, values in self.values.items()}

    def to_dict(self) -> dict[str, Any]:
        return {
            "minutes": self.minutes,
            "taken": self.taken.to_dict(),
            "survives": self.survives,
            "values": {part: list(values) for part, values in self.values.items()},
            "rows": [row.to_dict() for row in self.rows],
        }


def sensitivity(chart: ChartValue, minutes: int = 15, schools: str | Iterable[str] = "common") -> Sensitivity:
    """The parts of a chart that survive `minutes` either way and other values of the choices `schools`."""
    span, names = _minutes(minutes), _choices(schools)
    judge = _Judge()
    taken = judge.outcome(chart.pillars, chart.moment, chart.school)
    rows = [*_time(chart, span, judge, taken)]
    rows += [_choice(chart, name, judge, taken) for name in names if _applies(chart, name)]
    return Sensitivity(chart, span, taken, tuple(rows))


def _applies(chart: ChartValue, name: str) -> bool:
    """Whether a choice can make a difference: without a moment there is no clock, without a judgement no method."""
    if name in _OF_THE_MOMENT:
        return chart.birth is not None and (name != "siling_table" or chart.moment is not None)
    return chart.school.judgement == "full"


def _minutes(given: Any) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= MOST_MINUTES:
        return given
    raise unknown_option("minutes", shown(given), (Said("minutes_between", least=0, most=MOST_MINUTES),))


def _choices(given: Any) -> tuple[str, ...]:
    """The names of the choices that are meant, each once, in their order."""
    if given == "common":
        return tuple(CHOICES)
    names = given if isinstance(given, (list, tuple, set, frozenset)) else [given]
    for name in names:
        if not isinstance(name, str) or name not in CHOICES:
            raise unknown_option("schools", shown(name), ("common", *CHOICES))
    return tuple(name for name in CHOICES if name in names)


class _Judge:
    """Outcomes of pillars; what was judged once is kept."""

    def __init__(self) -> None:
        self._judged: dict[tuple[FourPillars, str, str], Judgement] = {}

    def outcome(self, pillars: FourPillars, moment: SolarMoment | None, school: School) -> Outcome:
        commander = None if moment is None else siling(moment, school.siling_table).stem
        if school.judgement == "facts":
            return Outcome(pillars, commander, None, None, ())
        key = (pillars, school.special_structures, school.strength_method)
        if key not in self._judged:
            self._judged[key] = judgement(pillars, school)
        found = self._judged[key]
        return Outcome(pillars, commander, found.strength, found.pattern, found.useful[:2])


def _time(chart: ChartValue, minutes: int, judge: _Judge, taken: Outcome) -> Iterator[SensitivityRow]:
    """The row of the time: minutes either way, or a day whose hour is unknown."""
    if chart.day is not None:
        found = [
            (candidate, judge.outcome(candidate.pillars, None, chart.school))
            for candidate in chart.day.candidates
        ]
        yield _row_of_time(chart.day.birth.civil.date().isoformat(), found, taken)
    elif chart.moment is not None and minutes:
        around = _around(chart.moment, chart.school, minutes * MINUTE_MS)
        found = [(each, judge.outcome(each.pillars, each.start, chart.school)) for each in around]
        yield _row_of_time(chart.moment.civil, found, taken)


def _row_of_time(taken_at: str, found: list[tuple[Candidate, Outcome]], taken: Outcome) -> SensitivityRow:
    others: list[Other] = []
    for piece, outcome in found:
        changes = taken.changes(outcome)
        before = others[-1] if others else None
        if before and before.piece and before.outcome == outcome and before.piece.end == piece.start:
            piece = before.piece._replace(end=piece.end)
            others.pop()
        others.append(Other(scales.iso_local(piece.start.civil_ms, ms=False), outcome, changes, piece))
    return SensitivityRow(TIME, taken_at, tuple(each for each in others if each.changes))


def _around(moment: SolarMoment, school: School, span_ms: int) -> Iterator[Candidate]:
    """The pieces of the time around a moment, both ends included, in which pillars and 司令 hold."""

    def at(utc_ms: int) -> SolarMoment:
        return moment_at(moment.birth, school, moment.clock_then(utc_ms), utc_ms, moment.used)

    first = max(moment.utc_ms - span_ms, scales.FIRST_UTC_MS)
    last = min(moment.utc_ms + span_ms + 1, scales.END_UTC_MS - 1)
    change = _first(first, last, lambda utc_ms: moment.clock_then(utc_ms).utc_offset_s)
    span = (first, last) if change is None else (first, change, last)
    *whole, end = pieces(at, school, span)
    for piece in (*whole, end._replace(end=at(last - 1))):
        turn = _first(
            piece.start.utc_ms, piece.end.utc_ms, lambda utc_ms: siling(at(utc_ms), school.siling_table).stem
        )
        if turn is None:
            yield piece
        else:
            yield piece._replace(end=at(turn))
            yield piece._replace(start=at(turn))


def _first(start: int, end: int, value: Callable[[int], object]) -> int | None:
    """The first instant of [start, end) at which a value is another than at its start; it changes once at most."""
    low, high = start, end - 1
    before = value(low)
    if value(high) == before:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value(middle) == before else (low, middle)
    return high


def _choice(chart: ChartValue, name: str, judge: _Judge, taken: Outcome) -> SensitivityRow:
    values = CHOICES[name]
    options = {field: getattr(chart.school, field) for value in values.values() for field in value}
    own = next(key for key, value in values.items() if value.items() <= options.items())
    others = []
    for key, value in values.items():
        if key != own and (outcome := _under(chart, chart.school.with_options(**value), judge)) is not None:
            others.append(Other(key, outcome, taken.changes(outcome)))
    return SensitivityRow(name, own, tuple(others))


def _under(chart: ChartValue, school: School, judge: _Judge) -> Outcome | None:
    """The outcome under another School; None where the longitude is unknown and the clock needs it."""
    born = chart.birth
    if born is None:
        return judge.outcome(chart.pillars, None, school)
    if school.time_basis != "civil" and born.longitude is None:
        return None
    if chart.day is not None:
        return judge.outcome(unknown_hour(born, school).pillars, None, school)
    moment = _moment(chart, born, school)
    return judge.outcome(four_pillars(moment, school), moment, school)


def _moment(chart: ChartValue, born: Birth, school: School) -> SolarMoment:
    """The moment of a birth on the clock of another School: the same, but of a named double hour."""
    moment = chart.moment
    assert moment is not None
    if school.time_basis == moment.used:
        return moment
    if born.hour_branch is not None:
        return solar_moment(born, school)
    return moment_at(born, school, moment.clock, moment.utc_ms, str(school.time_basis))
