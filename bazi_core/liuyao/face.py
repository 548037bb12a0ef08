"""LiuyaoChart: a cast with its analysis, objects, text and drawing.

`derive` takes the lines and exactly one of: an instant with its offset, four given pillars, or month branch and day as
the classics print them. The strict `divination` object and the `analysis` beside it are functions of the chart.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import PILLARS, Branch, Pillar
from bazi_core.errors import InvalidInput, InvalidPillars, known, shown
from bazi_core.liuyao import lines as line_values
from bazi_core.liuyao.calendar import civil_school, moment_of
from bazi_core.liuyao.cast import CastRecord, verify
from bazi_core.liuyao.chart import LiuyaoValue
from bazi_core.liuyao.divination import divination
from bazi_core.liuyao.hexagrams import branch_of
from bazi_core.liuyao.policy import DEFAULT, LiuyaoPolicy
from bazi_core.pillars import FourPillars, four_pillars
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import LANGUAGES, shown_theme, spoken

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.facts import Fact
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.questions.question import Question


class LiuyaoChart(LiuyaoValue):
    """A cast with its time.

    >>> from bazi_core import liuyao as ly
    >>> chart = ly.derive("788876", "2026-04-03T20:30:00+08:00")
    >>> chart.primary.full_name, chart.target.full_name, str(chart.day), chart.moving
    ('水雷屯', '风雷益', '丁未', (6,))
    """

    def __str__(self) -> str:
        return self.text(spoken()).rstrip("\n")

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

    def to_dict(
        self, question: str = "", question_type: str = "其他", method: str = "手动起卦"
    ) -> dict[str, Any]:
        """The strict `divination` object, as `to_divination` gives it; JSON-ready.

        >>> from bazi_core import liuyao as ly
        >>> ly.derive("788876", "2026-04-03T20:30:00+08:00").to_dict("换工作？", "事业")["question"]
        '换工作？'
        """
        return self.to_divination(question, question_type, method)

    def to_json(
        self,
        question: str = "",
        question_type: str = "其他",
        method: str = "手动起卦",
        indent: int | None = None,
    ) -> str:
        """The `divination` object as JSON text; canonical without `indent`, as for a `Chart`."""
        from bazi_core.facts import json_text

        return json_text(self.to_dict(question, question_type, method), indent)

    def analyze(
        self, question_type: str | None = None, asker: str | None = None, kinship: str | None = None,
        horizon: str | None = None, question: str | Question | None = None,
    ) -> AnalysisOfCast:  # fmt: skip
        """Line facts, marks, 用神, 应期 and sign; `to_dict()` is the object beside `divination`.

        `horizon` says how far ahead 应期 is told as dates, `near`, `middle` or `far`; else the kind of question does.
        The question in words decides: of death, lifespan and survival no sign is given; where no kind is stated, its kind is
        taken from its words; and a relative whose own matter it names is the one who is asked about, unless `kinship`
        says who.
        """
        from bazi_core.liuyao.analysis import analyze

        own: Any = analyze(self, question_type, asker, kinship, horizon, question)
        found: AnalysisOfCast = own
        return found

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the board, without those of a question."""
        return self.analyze().facts

    def explain(self, fact_id: str, lang: str = "zh-Hans") -> str:
        """A fact with its rule, source and basis."""
        return self.analyze().explain(fact_id, lang)

    def to_text(self, lang: str = "zh-Hans", columns: int = 80) -> str:
        """The board as it is printed, line 6 on top."""
        from bazi_core.liuyao.text import analysis_text

        known("lang", lang, LANGUAGES)
        return analysis_text(self.analyze(), lang, columns)

    def to_svg(self, lang: str = "zh-Hans", theme: str = "light") -> str:
        """The board as a drawing; lines are shapes."""
        from bazi_core.liuyao.svg import drawing

        return drawing(self, lang, theme)

    # Deprecated names.
    text = to_text
    svg = to_svg

    def to_context(self) -> str:
        """The facts as one text for a model, one a line."""
        return "\n".join(f"{name} | {fact.text_zh}" for name, fact in sorted(self.facts.items()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": self.svg(spoken(), shown_theme())}


if TYPE_CHECKING:

    class AnalysisOfCast(Analysis):
        """The type of a cast's analysis for type checkers; at run time it is an `Analysis`."""

        chart: LiuyaoChart


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
    record = verify(lines) if isinstance(lines, CastRecord) else None
    values = line_values.values_of(lines if record is None else record)
    given = [
        name
        for name, value in (("at", at), ("pillars", pillars), ("day", day or month_branch))
        if value is not None
    ]
    if len(given) != 1:
        raise InvalidInput(Said("cast_time"), given=" ".join(given))
    moment = None
    if at is not None:
        moment = moment_of(at, school)
        four = four_pillars(moment, civil_school(school))
    elif pillars is not None:
        four = _four(pillars)
        if four.hour is None:
            raise InvalidPillars(Said("pillars_count", count=3), given=str(four), reason="count")
    else:
        return LiuyaoChart(
            values, _branch(month_branch), _pillar(day), school=school, policy=policy, cast=record
        )
    return LiuyaoChart(
        values, four.month.branch, four.day, four.year, four.month, four.hour, school, policy, moment, record
    )


_PILLARS = {pillar.value: pillar for pillar in PILLARS}


def _four(given: str | list[str] | tuple[str, ...]) -> FourPillars:
    """Four pillars that fit together; `FourPillars.parse` handles any argument but four plain names."""
    try:
        four = FourPillars(*[_PILLARS[part] for part in (given.split() if isinstance(given, str) else given)])
    except (KeyError, TypeError):
        return FourPillars.parse(given)
    return FourPillars.parse(given) if four.impossible() else four


def policy_of(given: LiuyaoPolicy | None) -> LiuyaoPolicy:
    """The policy of an argument; the default one for None."""
    if given is None:
        return DEFAULT
    if not isinstance(given, LiuyaoPolicy):
        raise InvalidInput(Said("policy_kind", given=shown(given)[:40]), given=shown(given)[:40])
    return given


def _branch(name: str | None) -> Branch:
    if name is None:
        raise InvalidPillars(Said("cast_month"), given="", reason="month")
    return branch_of(name, "month_branch")


def _pillar(name: str | None) -> Pillar:
    if name is None:
        raise InvalidPillars(Said("cast_day"), given="", reason="day")
    return Pillar(name)
