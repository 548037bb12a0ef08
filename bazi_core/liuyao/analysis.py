"""The analysis beside the strict object: marks of the hexagrams, facts of the lines, 用神, 应期 and sign, with evidence.

Keys are camelCase and values Chinese, as in the strict object. Facts are made on demand in Python and always present
in JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from bazi_core.doubts import Doubt
from bazi_core.errors import InvalidInput, shown
from bazi_core.facts import collect
from bazi_core.liuyao import board, marks
from bazi_core.liuyao.calendar import CIVIL, USED, calendar, doubts
from bazi_core.liuyao.chart import LiuyaoChart
from bazi_core.liuyao.hexagrams import HANZI, hexagram_of
from bazi_core.liuyao.marks import Trine
from bazi_core.liuyao.policy import known
from bazi_core.liuyao.sign import Sign, sign
from bazi_core.liuyao.timing import Timing, timing
from bazi_core.liuyao.yongshen import SHI, Candidate, YongShen, yongshen
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.facts import Fact
    from bazi_core.liuyao.board import HiddenLine, Line, State
    from bazi_core.liuyao.marks import Star
    from bazi_core.liuyao.policy import LiuyaoPolicy
    from bazi_core.school import School

SCHEMA_VERSION = "1.0.0"


@dataclass(frozen=True, init=False)
class Analysis:
    """What a board says about a question.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("878977", "2026-04-03T20:30:00+08:00").analyze("事业")
    >>> found.chart.primary.full_name, found.subject.text, found.sign.level
    ('天水讼', '己亥', '中下签')
    """

    chart: LiuyaoChart
    question_type: str | None = None
    asker: str | None = None
    kinship: str | None = None

    # What follows, made at once: nearly all of it is asked for by whoever asks for any.
    lines: tuple[Line, ...] = field(init=False, compare=False, repr=False)
    hidden: tuple[HiddenLine, ...] = field(init=False, compare=False, repr=False)
    trines: list[Trine] = field(init=False, compare=False, repr=False)
    stars: list[Star] = field(init=False, compare=False, repr=False)
    punishments: list[str] = field(init=False, compare=False, repr=False)
    yongshen: YongShen = field(init=False, compare=False, repr=False)
    # The candidates for the 用神 in the order of their facts; 世 alone when there is none.
    told: tuple[Candidate, ...] = field(init=False, compare=False, repr=False)
    # The 用神 that is judged, and the fact that it is: the first candidate, 世 when it is undecided.
    subject: Candidate = field(init=False, compare=False, repr=False)
    subject_id: str = field(init=False, compare=False, repr=False)
    timing: tuple[Timing, ...] = field(init=False, compare=False, repr=False)
    sign: Sign = field(init=False, compare=False, repr=False)

    def __init__(
        self,
        chart: LiuyaoChart,
        question_type: str | None = None,
        asker: str | None = None,
        kinship: str | None = None,
    ) -> None:
        own, month, day = chart.primary.branches, chart.month_branch, chart.day
        lines, hidden = board.lines(chart), board.hidden_lines(chart)
        asked = yongshen(chart, lines, hidden, question_type, asker, kinship)
        told = asked.candidates or (_self_line(chart, lines),)
        at = _judged(asked, told)
        subject, subject_id = told[at], f"ly.yongshen.{at + 1}"
        self.__dict__.update(
            chart=chart,
            question_type=question_type,
            asker=asker,
            kinship=kinship,
            lines=lines,
            hidden=hidden,
            trines=_trines(chart, lines),
            stars=marks.stars_on(own, month, day),
            punishments=marks.punishments((*own, month, day.branch)),
            yongshen=asked,
            told=told,
            subject=subject,
            subject_id=subject_id,
            timing=timing(chart, lines, subject, subject_id),
            sign=sign(lines, subject, subject_id),
        )

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every fact by its evidence id."""
        from bazi_core.liuyao.evidence import analysis_facts

        return collect(analysis_facts(self))

    @cached_property
    def warnings(self) -> tuple[Doubt, ...]:
        found = doubts(self.chart.moment, self.chart.school) if self.chart.moment else ()
        code = self.yongshen.warning
        return (*found, Doubt(code, {"questionType": shown(self.question_type)})) if code else found

    def explain(self, fact_id: str) -> str:
        """A fact with its rule, source and all that it rests on."""
        from bazi_core.render.explain import told

        return told(shown(fact_id, 120), self.facts)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """The `analysis` object, JSON-ready; `lang` is that of the warnings."""
        known("lang", lang, LANGUAGES)
        chart = self.chart
        made: dict[str, Any] = {
            "schemaVersion": SCHEMA_VERSION,
            "engineVersion": _engine_version(),
            "policies": _policies(chart.policy, chart.school).copy(),
            "calendar": calendar(chart.moment, chart.school) if chart.moment else None,
            **_of_hexagrams(chart.primary.code, chart.target.code),
            "movingPositions": list(chart.moving),
            "duFa": len(chart.moving) == 1,
            "duJing": len(chart.moving) == 5,
            "lines": [line.to_dict() for line in self.lines],
            "hidden": [each.to_dict() for each in self.hidden],
            "sanHe": [each.to_dict() for each in self.trines],
            "xing": [*self.punishments],
            "stars": [each.to_dict() for each in self.stars],
            "yongShen": self.yongshen.to_dict(),
            "timing": [each.to_dict() for each in self.timing],
            "sign": self.sign.to_dict(),
            "facts": {name: _written(fact) for name, fact in self.facts.items()} if facts else {},
            "cast": chart.cast.to_dict() if chart.cast is not None else None,
            "warnings": [each.to_dict(lang) for each in self.warnings],
        }
        for name in _OF_THEIR_OWN:
            made[name] = made[name].copy()
        if not facts:
            del made["facts"]
        return made


# Members that every answer has of its own, so that changing one changes no other.
_OF_THEIR_OWN = ("tags", "targetTags", "fanYinFuYin", "guaShenLines")


@lru_cache(maxsize=1 << 12)
def _of_hexagrams(code: int, changed_code: int) -> dict[str, Any]:
    """What primary and target are, from the palace to 世身; there are 4,096 pairs."""
    primary, target = hexagram_of(code), hexagram_of(changed_code)
    return {
        "palace": primary.palace,
        "palaceElement": HANZI[primary.element],
        "generation": primary.generation,
        "tags": list(primary.tags),
        "targetPalace": target.palace,
        "targetGeneration": target.generation,
        "targetTags": list(target.tags),
        "transition": marks.transition(primary, target),
        "fanYinFuYin": marks.fan_fu(primary, target),
        "guaFanYin": marks.gua_fan_yin(primary, target),
        "guaBian": marks.gua_bian(primary, target),
        "guaShen": HANZI[primary.gua_shen],
        "guaShenLines": [*primary.gua_shen_lines],
        "shiShen": primary.shi_shen,
    }


def _written(fact: Fact) -> dict[str, Any]:
    made = fact.to_dict()
    return made | {"value": [*fact.value]} if isinstance(fact.value, tuple) else made


def _self_line(chart: LiuyaoChart, lines: Sequence[Line]) -> Candidate:
    """世, which is judged when no question says what else."""
    line = lines[chart.primary.shi - 1]
    return Candidate(
        SHI, 1, "line", line.position, HANZI[line.pillar], line.state, line, ("未定用神，以世为准",)
    )


def _judged(asked: YongShen, told: Sequence[Candidate]) -> int:
    """Which of the candidates is judged: the first, 世 when it is undecided."""
    if not asked.undecided:
        return 0
    return next((at for at, each in enumerate(told) if each.target == SHI), 0)


def _trines(chart: LiuyaoChart, lines: Sequence[Line]) -> list[Trine]:
    """三合局, each with what its members wait for."""
    active = [line.active for line in lines]
    if sum(active) < 2:
        return []
    changed = [line.turned.state.branch if line.turned else None for line in lines]
    found = marks.trines(chart.primary.branches, changed, active, chart.month_branch, chart.day.branch)
    return [Trine(*each[:-1], _waits(lines, each.branches)) for each in found]


def _waits(lines: Sequence[Line], three: str) -> tuple[tuple[str, str], ...]:
    """Members on the board, or that a line turns into, that are void, broken or stored."""
    states = [line.state for line in lines] + [line.turned.state for line in lines if line.turned]
    members = {HANZI[own.branch]: own for own in states}
    return tuple((char, why) for char in three if char in members for why in _why_waits(members[char]))


def _why_waits(own: State) -> list[str]:
    return [
        why
        for why, held in (("空", own.void), ("破", own.month_broken), ("墓", own.day_stage == "墓"))
        if held
    ]


@lru_cache(maxsize=64)
def _policies(policy: LiuyaoPolicy, school: School) -> dict[str, Any]:
    """The policy and the options of the School that act on a cast; the clock and the year are always civil time and
    立春."""
    return policy.to_dict() | {name: getattr(school, name) for name in USED} | CIVIL


@cache
def _engine_version() -> str:
    from bazi_core import __version__

    return __version__


def analyze(
    chart: LiuyaoChart, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> Analysis:
    """The analysis of a board for a question; who asks and about whom where it matters."""
    if not isinstance(chart, LiuyaoChart):
        raise InvalidInput(
            f"a chart is needed, not {shown(chart)[:40]}",
            hint="liuyao.derive(lines, at)",
            given=shown(chart)[:40],
        )
    return Analysis(chart, question_type, asker, kinship)


def yongshen_of(
    chart: LiuyaoChart, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> YongShen:
    """The 用神 of a question on a board.

    >>> from bazi_core import liuyao as ly
    >>> [each.text for each in ly.yongshen(ly.derive("789876", "2026-04-03T20:30:00+08:00"), "事业").candidates]
    ['己丑', '戊戌']
    """
    return analyze(chart, question_type, asker, kinship).yongshen


def timing_of(
    chart: LiuyaoChart, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> tuple[Timing, ...]:
    """应期 of a question on a board; without one, of 世."""
    return analyze(chart, question_type, asker, kinship).timing


def sign_of(
    chart: LiuyaoChart, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> Sign:
    """The sign of a question on a board; without one, of 世."""
    return analyze(chart, question_type, asker, kinship).sign
