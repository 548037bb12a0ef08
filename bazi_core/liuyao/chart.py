"""LiuyaoChart: six lines at a time, and what follows from them by the tables.

`derive` takes the lines and exactly one of: an instant with its offset, four given pillars, or month branch and day as
the classics print them. The chart is a value; the strict `divination` object and the `analysis` beside it are functions
of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar
from bazi_core.errors import InvalidInput, InvalidPillars, shown
from bazi_core.liuyao import lines as line_values
from bazi_core.liuyao.calendar import civil_school, moment_of
from bazi_core.liuyao.divination import divination
from bazi_core.liuyao.hexagrams import branch_of, hexagram_of
from bazi_core.liuyao.policy import DEFAULT, LiuyaoPolicy
from bazi_core.liuyao.record import CastRecord
from bazi_core.pillars import FourPillars, four_pillars
from bazi_core.school import DEFAULT as DEFAULT_SCHOOL
from bazi_core.school import School, school_of
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.facts import Fact
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.hexagrams import Hexagram
    from bazi_core.moment import SolarMoment


@dataclass(frozen=True, init=False)
class LiuyaoChart:
    """A cast with its time.

    >>> from bazi_core import liuyao as ly
    >>> chart = ly.derive("788876", "2026-04-03T20:30:00+08:00")
    >>> chart.primary.full_name, chart.target.full_name, str(chart.day), chart.moving
    ('水雷屯', '风雷益', '丁未', (6,))
    """

    lines: tuple[int, ...]
    month_branch: Branch
    day: Pillar
    year: Pillar | None = None
    month: Pillar | None = None
    hour: Pillar | None = None
    school: School = DEFAULT_SCHOOL
    policy: LiuyaoPolicy = DEFAULT
    moment: SolarMoment | None = None
    cast: CastRecord | None = None

    # What every part asks for, from the fields above.
    primary: Hexagram = field(init=False, compare=False, repr=False)
    target: Hexagram = field(init=False, compare=False, repr=False)
    moving: tuple[int, ...] = field(init=False, compare=False, repr=False)
    void: tuple[Branch, Branch] = field(init=False, compare=False, repr=False)

    def __init__(
        self, lines: tuple[int, ...], month_branch: Branch, day: Pillar, year: Pillar | None = None,
        month: Pillar | None = None, hour: Pillar | None = None, school: School = DEFAULT_SCHOOL,
        policy: LiuyaoPolicy = DEFAULT, moment: SolarMoment | None = None, cast: CastRecord | None = None,
    ) -> None:  # fmt: skip
        # All at once: the generated constructor of a frozen class sets field by field, at three times the cost.
        self.__dict__.update(
            lines=lines, month_branch=month_branch, day=day, year=year, month=month, hour=hour, school=school, policy=policy,
            moment=moment, cast=cast, primary=hexagram_of(line_values.code(lines)),
            target=hexagram_of(line_values.changed_code(lines)), moving=line_values.moving(lines), void=void_branches(day),
        )  # fmt: skip

    @property
    def code(self) -> int:
        """Yang bits of the primary."""
        return self.primary.code

    @property
    def changed_code(self) -> int:
        """Yang bits of the target."""
        return self.target.code

    @property
    def month_broken(self) -> Branch:
        """月破: what the month clashes."""
        return BRANCHES[(self.month_branch.index + 6) % 12]

    @property
    def day_clashed(self) -> Branch:
        """日冲: what the day clashes."""
        return BRANCHES[(self.day.branch.index + 6) % 12]

    def to_divination(
        self,
        question: str = "",
        question_type: str = "其他",
        method: str = "手动起卦",
        *,
        divination_time: str | None = None,
    ) -> dict[str, Any]:
        """The strict `divination` object. `divination_time` is for given pillars only, which have no clock."""
        return divination(self, question, question_type, method, divination_time)

    def analyze(
        self, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
    ) -> Analysis:
        """Line facts, marks, 用神, 应期 and sign; `to_dict()` is the object beside `divination`."""
        from bazi_core.liuyao.analysis import analyze

        return analyze(self, question_type, asker, kinship)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the board, without those of a question."""
        return self.analyze().facts

    def explain(self, fact_id: str) -> str:
        """A fact with its rule, source and all that it rests on."""
        return self.analyze().explain(fact_id)

    def text(self, lang: str = "zh-Hans", columns: int = 80) -> str:
        """The board as it is printed, line 6 on top."""
        from bazi_core.liuyao.text import board

        return board(self, lang, columns)

    def svg(self, lang: str = "zh-Hans", theme: str = "light") -> str:
        """The board as a drawing; lines are shapes."""
        from bazi_core.liuyao.svg import drawing

        return drawing(self, lang, theme)

    def to_context(self) -> str:
        """The facts as one text for a model, one a line."""
        return "\n".join(f"{name} | {fact.text_zh}" for name, fact in sorted(self.facts.items()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text(), "image/svg+xml": self.svg()}


def derive(
    lines: Any,
    at: str | datetime | None = None,
    *,
    pillars: str | list[str] | tuple[str, ...] | None = None,
    month_branch: str | None = None,
    day: str | None = None,
    school: School | None = None,
    policy: LiuyaoPolicy | None = None,
) -> LiuyaoChart:
    """The chart of six lines.

    `at` is RFC 3339 text with an offset, or an aware datetime. Raises `YAO_LINES_LENGTH`, `YAO_LINE_VALUE`,
    `TIME_NEEDS_OFFSET`, `INVALID_DATETIME`, `INVALID_OFFSET`, `OUT_OF_RANGE`, `INVALID_PILLARS`, and `INVALID_CAST` for a
    record that contradicts itself.

    >>> derive("789876", pillars="丙午 辛卯 丁未 庚戌").primary.name
    '既济'
    >>> derive("789876", month_branch="酉", day="壬辰").void
    (Branch('午'), Branch('未'))
    """
    school, policy = school_of(school), policy_of(policy)
    record = _verified(lines) if isinstance(lines, CastRecord) else None
    values = line_values.values_of(lines if record is None else record)
    given = [
        name
        for name, value in (("at", at), ("pillars", pillars), ("day", day or month_branch))
        if value is not None
    ]
    if len(given) != 1:
        raise InvalidInput(
            "say the time of the cast in one way: at, or pillars, or month_branch and day",
            given=" ".join(given),
        )
    moment = None
    if at is not None:
        moment = moment_of(at, school)
        four = four_pillars(moment, civil_school(school))
    elif pillars is not None:
        four = _four(pillars)
        if four.hour is None:
            raise InvalidPillars("four pillars are needed, not 3", given=str(four), reason="count")
    else:
        return LiuyaoChart(
            values, _branch(month_branch), _pillar(day), school=school, policy=policy, cast=record
        )
    return LiuyaoChart(
        values, four.month.branch, four.day, four.year, four.month, four.hour, school, policy, moment, record
    )


def _verified(record: CastRecord) -> CastRecord:
    from bazi_core.liuyao.cast import verify

    return verify(record)


_PILLARS = {pillar.value: pillar for pillar in PILLARS}


def _four(given: str | list[str] | tuple[str, ...]) -> FourPillars:
    """Four pillars that fit together; what is not plainly four of the sixty is read, or refused, with more care."""
    try:
        four = FourPillars(*[_PILLARS[part] for part in (given.split() if isinstance(given, str) else given)])
    except (KeyError, TypeError):
        return FourPillars.parse(given)
    return FourPillars.parse(given) if four.impossible() else four


def policy_of(given: LiuyaoPolicy | None) -> LiuyaoPolicy:
    """The policy that an argument means: None is the default one."""
    if given is None:
        return DEFAULT
    if not isinstance(given, LiuyaoPolicy):
        raise InvalidInput(f"a LiuyaoPolicy is needed, not {shown(given)[:40]}", given=shown(given)[:40])
    return given


def _branch(name: str | None) -> Branch:
    if name is None:
        raise InvalidPillars("the branch of the month is needed beside the day", given="", reason="month")
    return branch_of(name, "month_branch")


def _pillar(name: str | None) -> Pillar:
    if name is None:
        raise InvalidPillars("the pillar of the day is needed beside the month", given="", reason="day")
    return Pillar(name)
