"""AnalysisValue: the judgement of a cast for a question; `Analysis` adds its facts and its object."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bazi_core.liuyao import board, marks
from bazi_core.liuyao.chart import LiuyaoValue
from bazi_core.liuyao.dates import Horizon, Period, coming, horizon_of, month_end
from bazi_core.liuyao.force import Standing, standings
from bazi_core.liuyao.hexagrams import HANZI
from bazi_core.liuyao.marks import LineStar, Trine
from bazi_core.liuyao.matters import horizon_for, matter_of, unjudged
from bazi_core.liuyao.releases import Release, releases
from bazi_core.liuyao.sign import SignLevel, sign
from bazi_core.liuyao.timing import TimingTrigger, timing
from bazi_core.liuyao.yongshen import SHI, YongShen, YongshenCandidate, question_types, type_named, yongshen
from bazi_core.questions.classes import is_of_life

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.asked import Taken
    from bazi_core.liuyao.board import HiddenLine, Line, State


@dataclass(frozen=True, init=False)
class AnalysisValue:
    """A board and its question, with the values that follow from both."""

    chart: LiuyaoValue
    question_type: str | None = None
    asker: str | None = None
    kinship: str | None = None
    # The kind as the words of the question say it, where none is stated; and the one relative of its kind that they name.
    taken: Taken | None = None
    named: str | None = None
    # The horizon of 应期 as dates: that of the kind of question where none is stated.
    horizon: Horizon = field(init=False)

    # The question in its own words.
    question: str | None = field(init=False, compare=False, repr=False)

    # A question of death, lifespan or survival, for which there is neither sign nor time.
    withheld: bool = field(init=False)
    # Whether a treatment is asked about, for or against which no grade of a sign speaks.
    treats: bool = field(init=False)
    # Whether no grade of a sign is given: of a treatment and of all that no cast judges.
    ungraded: bool = field(init=False)

    # Derived values, computed at once: a caller that needs one nearly always needs all.
    lines: tuple[Line, ...] = field(init=False, compare=False, repr=False)
    hidden: tuple[HiddenLine, ...] = field(init=False, compare=False, repr=False)
    trines: list[Trine] = field(init=False, compare=False, repr=False)
    # How each line stands, settled once for all that is said of it.
    standings: tuple[Standing, ...] = field(init=False, compare=False, repr=False)
    stars: list[LineStar] = field(init=False, compare=False, repr=False)
    punishments: list[str] = field(init=False, compare=False, repr=False)
    yongshen: YongShen = field(init=False, compare=False, repr=False)
    # The candidates for the 用神 in the order of their facts; 世 alone when there is none.
    told: tuple[YongshenCandidate, ...] = field(init=False, compare=False, repr=False)
    # The 用神 that is judged, and the fact that it is: the first candidate, 世 when it is undecided.
    subject: YongshenCandidate = field(init=False, compare=False, repr=False)
    subject_id: str = field(init=False, compare=False, repr=False)
    timing: tuple[TimingTrigger, ...] = field(init=False, compare=False, repr=False)
    sign: SignLevel | None = field(init=False, compare=False, repr=False)

    def __init__(
        self,
        chart: LiuyaoValue,
        question_type: str | None = None,
        asker: str | None = None,
        kinship: str | None = None,
        horizon: str | None = None,
        question: str | None = None,
        taken: Taken | None = None,
        named: str | None = None,
    ) -> None:
        question_type = type_named(question_type)
        own, month, day = chart.primary.branches, chart.month_branch, chart.day
        lines, hidden = board.lines(chart), board.hidden_lines(chart)
        asked = yongshen(chart, lines, hidden, question_type, asker, kinship, named)
        candidates = asked.candidates or (_self_line(chart, lines),)
        at = _judged(asked, candidates)
        subject, subject_id = candidates[at], f"ly.yongshen.{at + 1}"
        published = question_type in question_types()
        trines = _trines(chart, lines)
        stands = standings(lines, trines)
        treats = matter_of(question, question_type).treats
        withheld = is_of_life(question) or (not published and is_of_life(question_type))
        self.__dict__.update(
            chart=chart,
            question_type=question_type,
            asker=asker,
            kinship=kinship,
            taken=taken,
            named=named,
            horizon=horizon_of(horizon_for(question, question_type) if horizon is None else horizon),
            question=question,
            withheld=withheld,
            treats=treats,
            ungraded=treats or bool(unjudged(question, question_type)),
            lines=lines,
            hidden=hidden,
            trines=trines,
            standings=stands,
            stars=marks.stars_on(own, month, day),
            punishments=marks.punishments((*own, month, day.branch)),
            yongshen=asked,
            told=candidates,
            subject=subject,
            subject_id=subject_id,
            timing=() if withheld else timing(chart, lines, subject, subject_id),
            sign=None if withheld else sign(lines, subject, subject_id, stands),
        )

    def dates(self, when: TimingTrigger) -> tuple[Period, ...]:
        """The days, months and years that answer a trigger, branch by branch; none for a cast without a clock.

        >>> from bazi_core import liuyao as ly
        >>> found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
        >>> [(each.unit, str(each.pillar), each.begins[:16]) for each in found.dates(found.timing[0])][-2:]
        [('日', '甲戌', '2026-04-29T23:00'), ('月', '戊戌', '2026-10-08T14:29')]
        """
        moment = self.chart.moment
        if moment is None:
            return ()
        periods = [each for branch in when.branches for each in self._coming[branch]]
        if when.after_month:
            end = month_end(moment)
            periods = [period for period in periods if period.begins >= end]
        return tuple(periods)

    @cached_property
    def releases(self) -> tuple[Release, ...]:
        """When lines that help, and what the 用神 turns into, are free to act; none where no sign is given.

        >>> from bazi_core import liuyao as ly
        >>> found = ly.derive("769876", month_branch="子", day="壬辰").analyze("事业")
        >>> [(each.position, each.when.trigger, "".join(map(str, each.when.branches))) for each in found.releases]
        [(2, '受克待制', '酉申')]
        """
        if self.withheld:
            return ()
        return releases(self.chart, self.lines, self.standings, self.subject)

    @property
    def waits(self) -> tuple[TimingTrigger, ...]:
        """The triggers of 应期 and behind them the waits for what is held back, in the order of their facts."""
        return (*self.timing, *(each.when for each in self.releases))

    @cached_property
    def _coming(self) -> dict[Branch, tuple[Period, ...]]:
        """Branch → its days, months and years within the horizon, for every branch of a wait; empty without a clock."""
        chart, named = self.chart, {branch for when in self.waits for branch in when.branches}
        moment = chart.moment
        return (
            {branch: coming(branch, moment, chart.school, self.horizon) for branch in named} if moment else {}
        )


def _self_line(chart: LiuyaoValue, lines: Sequence[Line]) -> YongshenCandidate:
    """世 as the candidate that is judged without a question."""
    line = lines[chart.primary.shi - 1]
    return YongshenCandidate(
        SHI, 1, "line", line.position, HANZI[line.pillar], line.state, line, ("未定用神，以世为准",)
    )


def _judged(asked: YongShen, candidates: Sequence[YongshenCandidate]) -> int:
    """Index of the judged candidate: the first, or 世 when undecided."""
    if not asked.undecided:
        return 0
    return next((at for at, each in enumerate(candidates) if each.target == SHI), 0)


def _trines(chart: LiuyaoValue, lines: Sequence[Line]) -> list[Trine]:
    """The 三合局 of a board, each with the members to be waited for."""
    active = [line.active for line in lines]
    if sum(active) < 2:
        return []
    changed = [line.turned.state.branch if line.turned else None for line in lines]
    groups = marks.trines(chart.primary.branches, changed, active, chart.month_branch, chart.day.branch)
    return [Trine(*group[:-1], _waits(lines, group.branches)) for group in groups]


def _waits(lines: Sequence[Line], three: str) -> tuple[tuple[str, str], ...]:
    """Members, on the board or as changed lines, that are void, broken or stored."""
    states = [line.state for line in lines] + [line.turned.state for line in lines if line.turned]
    members = {HANZI[own.branch]: own for own in states}
    return tuple((char, why) for char in three if char in members for why in _why_waits(members[char]))


def _why_waits(own: State) -> list[str]:
    return [
        why
        for why, held in (("空", own.void), ("破", own.month_broken), ("墓", own.day_stage == "墓"))
        if held
    ]
