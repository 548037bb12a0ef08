"""A reading of a cast from end to end: conclusion, what to look at, advice, and all of it as running text.

Conclusion first: the level of the sign, why, and when. The same lines are told in the focus points and in the answer.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.liuyao import marks
from bazi_core.liuyao.narration import Bare, Part, Planned, Teller, Term, gloss, seed_of
from bazi_core.liuyao.plan import GOOD_CHANGES, MOST_MOVES, Plan, sign_of
from bazi_core.liuyao.yongshen import SHI, YING, question_types
from bazi_core.readings.divination.answer import DivinationReading
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.analysis import Analysis

_ACTING = ("by.helper", "by.harmer")
# What of a day counts first, as in the points of the sign.
_WEIGHED = ("临", "生", "扶", "合", "克")
_HELPS = ("临", "生", "扶", "合")
MOST_FOCUS, MOST_TIMES = 5, 3


def narrated(found: Analysis, language: str = "zh-Hans", question: str = "") -> DivinationReading:
    """The answer of the rules to a cast.

    >>> from bazi_core import liuyao as ly
    >>> reading = narrated(ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业"))
    >>> reading.sign_level, reading.conclusion[0].evidence[0]
    ('下下签', 'ly.sign')
    """
    plan, teller = Outline(found), Teller(language, seed_of(found, question))
    conclusion, focus = [*plan.conclusion()], [*plan.focus()][:MOST_FOCUS]
    parts = [teller.part(each) for each in (conclusion, focus, [*plan.advice()], [*plan.answer()])]
    return DivinationReading(
        found.sign.level, parts[0], parts[1], parts[2], parts[3], tuple(plan.keywords(language)), language
    )


class Outline(Plan):
    """What is said of a cast, in order."""

    def conclusion(self) -> Iterator[Planned]:
        level = self.found.sign.level
        yield self._plan(f"level.{level}", "ly.sign", self.own, self.seat, sign=Term(level), who=self.who)
        yield from self._why()
        times = [each for each in self.found.timing if each.rests_on == (self.own,)][:2]
        if times:
            ids = tuple(f"ly.timing.{self.found.timing.index(each) + 1}" for each in times)
            branches = [*dict.fromkeys(branch for each in times for branch in each.branches)][:4]
            yield self._plan("when.short", *ids, branches=[Bare(each.value) for each in branches])

    def _why(self) -> Iterator[Planned]:
        """The weightiest reasons for and against."""
        clauses = [
            (each.points, *made)
            for each in self.found.sign.contributions
            if (made := self._clause(each.rule)) and each.points
        ]
        good = max((each for each in clauses if each[0] > 0), key=lambda each: each[0], default=None)
        bad = min((each for each in clauses if each[0] < 0), key=lambda each: each[0], default=None)
        parts = {name: each for name, each in (("good", good), ("bad", bad)) if each is not None}
        # What another line does is a sentence of its own, so that nothing after it is read as said of that line.
        if len(parts) == 2 and not any(each[1].key in _ACTING for each in parts.values()):
            yield self._because("both", parts)
        else:
            yield from (self._because(name, {name: each}) for name, each in parts.items())

    def _because(self, key: str, parts: dict[str, tuple[int, Part, tuple[str, ...]]]) -> Planned:
        evidence = [name for each in parts.values() for name in each[2]]
        clauses = {name: each[1] for name, each in parts.items()}
        return self._plan(f"why.{key}", self.own, self.seat, *evidence, who=self.who, **clauses)

    def _clause(self, rule: str) -> tuple[Part, tuple[str, ...]] | None:
        """A row of the sign in words, with the facts beside the subject that it rests on."""
        own, subject = self.subject.state, self.subject
        if rule.startswith("月令"):
            return self._part("by.season", "ly.yuejian", state=Term(own.month_state))
        if rule.startswith("日辰"):
            verb = next(each for each in _WEIGHED if each in own.day)
            return self._part(f"by.day.{verb}", "ly.richen", day=self.day)
        if rule in ("月破",):
            return self._part("by.mark", "ly.yuejian", mark=Term(rule))
        if rule in ("日破", "暗动"):
            tail = {"日破": "ripo", "暗动": "andong"}[rule]
            key = "by.moved" if rule == "暗动" else "by.mark"
            return self._part(key, f"ly.line.{subject.position}.{tail}", mark=Term(rule))
        if rule in ("真空", "旬空"):
            fact = f"ly.line.{subject.position}.void" if subject.source == "line" else "ly.void.day"
            return self._part("by.void", fact, mark=Term(rule))
        if rule in ("原神动", "忌神动"):
            return self._acting(rule)
        if rule == "伏藏":
            return self._part("by.hidden", f"ly.hidden.{subject.position}", place=subject.position)
        marks_met = [
            each
            for each in subject.changes
            if each == rule or (rule == "回头生或进神" and each in GOOD_CHANGES)
        ]
        return self._part(
            "by.change", f"ly.line.{subject.position}.change.{marks_met[0]}", mark=Term(marks_met[0])
        )

    def _acting(self, rule: str) -> tuple[Part, tuple[str, ...]]:
        row = next(each for each in self.found.sign.contributions if each.rule == rule)
        name = row.evidence[-1]
        line = self.found.lines[int(name[-1]) - 1]
        moving = Term("发动" if line.moving else "暗动")
        facts = (name,) if line.moving else (name, f"{name}.andong")
        return self._part(
            "by.helper" if rule == "原神动" else "by.harmer",
            *facts,
            place=line.position,
            pillar=line.pillar,
            moving=moving,
        )

    def focus(self) -> Iterator[Planned]:
        yield self._use()
        yield from self._marks_of_subject()
        if self.subject.target != SHI:
            yield self._self()
        yield from self._moves()
        yield from self._roles()

    def advice(self) -> Iterator[Planned]:
        yield self._plan(f"advice.{self.found.sign.level}", "ly.sign")
        row = _topics().get(_label(self.found.question_type))
        yield self._plan(f"topic.{row['topic'] if row else 'other'}", self.own)
        yield from self._by_feature()

    def _by_feature(self) -> Iterator[Planned]:
        subject, at = self.subject, f"ly.line.{self.subject.position}"
        moving = len(self.chart.moving)
        if subject.source == "line" and subject.state.void:
            yield self._plan("advice.void", f"{at}.void")
        elif subject.source == "line" and subject.state.month_broken:
            yield self._plan("advice.broken", f"{at}.yuepo")
        elif subject.source == "hidden":
            yield self._plan("advice.hidden", self.seat)
        if not moving:
            yield self._plan("advice.still", *(f"ly.line.{n}" for n in range(1, 7)))
        elif moving > MOST_MOVES:
            yield self._plan("advice.many", *(f"ly.line.{n}" for n in self.chart.moving))

    def answer(self) -> Iterator[Planned]:
        yield from self._hexagrams()
        yield self._use()
        yield from self._time_of_subject()
        yield from self._marks_of_subject()
        if self.subject.target != SHI:
            yield self._self()
        if self.subject.target != YING and self.found.question_type is not None:
            yield self._seated("other", self.found.lines[self.chart.primary.ying - 1])
        yield from self._moves()
        yield from self._roles()
        yield from self._others()
        yield from self._times()
        level = self.found.sign.level
        yield self._plan(f"close.{level}", "ly.sign", sign=Term(level))

    def _hexagrams(self) -> Iterator[Planned]:
        chart = self.chart
        primary = Term(chart.primary.full_name)
        if chart.moving:
            yield self._plan(
                "hexagram.moving",
                "ly.gua.primary",
                "ly.gua.target",
                primary=primary,
                target=Term(chart.target.full_name),
            )
        else:
            ids = [f"ly.line.{n}" for n in range(1, 7)]
            yield self._plan("hexagram.still", "ly.gua.primary", *ids, primary=primary)
        palace = Term(f"{chart.primary.palace}宫")
        yield self._plan(
            "palace",
            "ly.gua.primary",
            "ly.gua.palace",
            primary=primary,
            palace=palace,
            generation=Term(chart.primary.generation),
        )
        for tag in chart.primary.tags:
            yield self._plan(
                f"tag.{tag}", "ly.gua.primary", f"ly.gua.tag.{tag}", primary=primary, tag=Term(tag)
            )
        changed = marks.transition(chart.primary, chart.target)
        if changed:
            yield self._plan(f"transition.{changed}", "ly.gua.transition", mark=Term(changed))
        for part, kind in marks.fan_fu(chart.primary, chart.target).items():
            if kind:
                name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{part}"
                where = Term("内卦" if part == "inner" else "外卦")
                yield self._plan(f"turning.{kind}", name, part=where, mark=Term(kind))

    def _time_of_subject(self) -> Iterator[Planned]:
        """What month and day are to the subject."""
        own, sign = self.subject.state, sign_of(self.subject)
        kind = "good" if own.is_prosperous else "bad"
        yield self._plan(
            f"season.{kind}",
            self.own,
            self.seat,
            "ly.yuejian",
            who=self.who,
            pillar=sign,
            state=Term(own.month_state),
        )
        line = self.subject.line if self.subject.source == "line" else None
        if line is not None and (line.day_broken or line.an_dong):
            return  # which the marks of the line tell
        verb = "冲" if "冲" in own.day else next((each for each in _WEIGHED if each in own.day), own.day[0])
        tone = "good" if verb in _HELPS else "bad"
        yield self._plan(
            "day", self.own, self.seat, "ly.richen", day=self.day, who=self.who, pillar=sign,
            verb=Part(f"verb.{verb}", {}), tone=Part(f"tone.{tone}", {}),
        )  # fmt: skip

    def _others(self) -> Iterator[Planned]:
        counts: dict[str, int] = {}
        for each in self.found.trines:
            counts[each.element] = counts.get(each.element, 0) + 1
            yield self._plan(
                "trine", f"ly.sanhe.{each.element}.{counts[each.element]}", three=each.branches,
                element=Term(each.element), kind=Term(each.kind),
            )  # fmt: skip
        for under in self.found.hidden[:1]:
            if self.subject.source == "hidden" and under.position == self.subject.position:
                flying = self.chart.primary.pillars[under.position - 1]
                yield self._plan(
                    "hidden", f"ly.hidden.{under.position}", rel=Term(under.relation), pillar=under.pillar,
                    place=under.position, over=flying, flying=Term(under.flying_relation),
                )  # fmt: skip

    def _times(self) -> Iterator[Planned]:
        for number, each in enumerate(self.found.timing[:MOST_TIMES], 1):
            branches = [Bare(branch.value) for branch in each.branches]
            yield self._plan("timing", f"ly.timing.{number}", trigger=Term(each.trigger), branches=branches)
        yield self._plan(
            "units", *(f"ly.timing.{n}" for n in range(1, min(MOST_TIMES, len(self.found.timing)) + 1))
        )

    def keywords(self, language: str) -> Iterator[str]:
        names = [self.found.sign.level, self.chart.primary.full_name]
        names += [self.chart.target.full_name] if self.chart.moving else []
        names += [self.rel.name]
        for name in dict.fromkeys(names):
            yield name if language == "en" else gloss(name, language)


@cache
def _topics() -> dict[str, dict[str, str]]:
    return {row["label"]: row for row in rows("liuyao/topics")}


def _label(question_type: str | None) -> str:
    """The published label of a kind of question, from either script."""
    found = question_types().get(question_type or "")
    return found["label"] if found else ""


def is_published(question_type: str | None) -> bool:
    """Whether a kind of question is one of the published labels, in either script."""
    return question_type is None or question_type in question_types()


def referral_of(question_type: str | None) -> str:
    """The class of question, such as medical, for which a kind of question names whom to ask; or nothing."""
    found = _topics().get(_label(question_type))
    return found["referral"] if found else ""
