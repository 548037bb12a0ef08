"""What may be said of a cast of 六爻: the sign and why, what to look at, what to do, and all of it as running text.

Conclusion first: the level of the sign, its weightiest ground, what speaks against it, and when. The running text goes on in
paragraphs: what stands for the question and how it fares, what moves, what stands against it, and 应期 last. A ground stands
on the side that it has in the sign; what stands on the other side is a counter-ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao import marks
from bazi_core.liuyao.yongshen import SHI, YING, question_types
from bazi_core.speech.catalogue import Line, Najia, Phrase
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_lines import GOOD_CHANGES, MOST_MOVES, tell_lines, tell_opposed
from bazi_core.speech.statements.cast_times import Times
from bazi_core.speech.statements.cast_words import (
    ALL_LINES,
    CastDraft,
    branch_sign,
    line_of,
    part,
    placed,
    void_of,
    word,
)

if TYPE_CHECKING:
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line as BoardLine
    from bazi_core.liuyao.sign import LinePoints
    from bazi_core.speech.catalogue import Term
    from bazi_core.speech.plan import Plan

CONCLUSION, FOCUS, ADVICE, ANSWER = "conclusion", "focus_points", "advice", "answer"
# The paragraphs of the running text behind its first.
USE, LINES, OPPOSED, TIMES = "answer.use", "answer.lines", "answer.opposed", "answer.times"
# What of a day counts first, as in the points of the sign.
_WEIGHED = ("临", "生", "扶", "合", "克")
MOST_FOCUS = 5
# The kind of question that is none in particular.
ANYTHING = "其他"


def cast_plan(found: Analysis, question: str = "") -> Plan:
    """All that can be said of a cast; the topics are the parts of a divination, the running text in its paragraphs.

    >>> from bazi_core import liuyao as ly
    >>> plan = cast_plan(ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业"))
    >>> plan.statements[0].key, plan.statements[0].evidence[0], plan.topics[:4]
    ('cast.level.中下签', 'ly.sign', ('conclusion', 'focus_points', 'advice', 'answer'))
    >>> plan.topics[4:]
    ('answer.use', 'answer.lines', 'answer.opposed', 'answer.times')
    """
    return _Cast(found, question).plan()


class _Cast(CastDraft):
    """The statements on one cast in the making."""

    def __init__(self, found: Analysis, question: str) -> None:
        super().__init__(found, question)
        self.times = Times(self)

    def plan(self) -> Plan:
        self._conclusion()
        self._focus()
        self._advice()
        self._answer()
        return self.draft.plan("", self._keywords())._replace(separate=True)

    def _conclusion(self) -> None:
        self.draft.topic(CONCLUSION)
        self._verdict()
        self._asked()
        self._why()
        self.times.short()

    def _verdict(self) -> None:
        level = self.sign.level
        self.say(f"level.{level}", "ly.sign", self.own, self.seat, sign=word(level), who=self.who, weight=1)

    def _why(self) -> None:
        """The weightiest ground of the verdict, and the weightiest that speaks against it, said as that."""
        sign = self.sign
        chosen = {"ground": sign.grounds[:1], "counter": sign.counter_grounds[:1]}
        parts = {name: self._clause(each.rule) for name, grounds in chosen.items() for each in grounds}
        if not parts:
            self._because("even", {"even": self._clause(sign.contributions[0].rule)})
        # What another line does is a sentence of its own: nothing after it is to be read as said of that line.
        elif len(parts) == 2 and not any(each[0].key in _ACTING for each in parts.values()):
            self._because("both", parts)
        else:
            for name, each in parts.items():
                self._because(name, {name: each}, chosen[name][0].side)

    def _because(
        self, key: str, parts: dict[str, tuple[Phrase, tuple[str, ...]]], side: str = NEITHER
    ) -> None:
        evidence = [name for each in parts.values() for name in each[1]]
        clauses: dict[str, Any] = {name: each[0] for name, each in parts.items()}
        self.say(f"why.{key}", self.own, self.seat, *evidence, who=self.who, side=side, weight=1, **clauses)

    def _clause(self, rule: str) -> tuple[Phrase, tuple[str, ...]]:
        """A row of the sign in words, with the facts beside the subject that it rests on."""
        own, subject = self.subject.state, self.subject
        at = f"ly.line.{subject.position}"
        if rule.startswith("月令"):
            key = "by.season.broken" if self.is_broken_in_season else "by.season"
            state, month = word(own.month_state), branch_sign(self.month)
            return part(key, "ly.yuejian", *self.states, state=state, month=month)
        if rule.startswith("日辰"):
            verb = next(each for each in _WEIGHED if each in own.day)
            return part(f"by.day.{verb}", "ly.richen", day=Najia(self.day.value))
        if rule == "月破":
            return part("by.mark", "ly.yuejian", "ly.yuepo", mark=word(rule))
        if rule == "日破":
            return part("by.mark", f"{at}.ripo", mark=word(rule))
        if rule in ("真空", "旬空"):
            fact = f"{at}.void" if subject.source == "line" else "ly.void.day"
            return part("by.void", fact, mark=word(rule))
        if rule in ("原神动", "忌神动"):
            return self._acting(rule)
        if rule == "伏藏":
            return part("by.hidden", f"ly.hidden.{subject.position}", place=line_of(subject))
        met = next(
            each for each in subject.changes
            if each == rule or (rule == "回头生或进神" and each in GOOD_CHANGES)
        )  # fmt: skip
        return part("by.change", f"{at}.change.{met}", mark=word(met))

    def _acting(self, rule: str) -> tuple[Phrase, tuple[str, ...]]:
        row: LinePoints = next(each for each in self.sign.contributions if each.rule == rule)
        name = row.evidence[-1]
        line = self.found.lines[int(name[-1]) - 1]
        facts = (name,) if line.moving else (name, f"{name}.andong")
        return part(
            "by.helper" if rule == "原神动" else "by.harmer", *facts, place=Line(line.position),
            pillar=Najia(line.pillar.value), moving=word("发动" if line.moving else "暗动"),
        )  # fmt: skip

    def _focus(self) -> None:
        self.draft.topic(FOCUS)
        self._use()
        self._marks_of_subject()
        if self.subject.target != SHI:
            self._self()
        tell_lines(self)
        tell_opposed(self)
        self.draft.keep_first(MOST_FOCUS)

    def _advice(self) -> None:
        self.draft.topic(ADVICE)
        self.say(f"advice.{self.sign.level}", "ly.sign", weight=1)
        row = question_types().get(self.found.question_type or "")
        self.say(f"topic.{row['topic'] if row else 'other'}", self.own)
        self._by_feature()

    def _by_feature(self) -> None:
        """What a void, broken or hidden subject asks for, and what a cast in which nothing or much moves."""
        subject, at = self.subject, f"ly.line.{self.subject.position}"
        moving = len(self.chart.moving)
        if subject.source == "line" and subject.state.void:
            self.say("advice.void", f"{at}.void")
        elif subject.source == "line" and subject.state.month_broken:
            self.say("advice.broken", f"{at}.yuepo")
        elif subject.source == "hidden":
            self.say("advice.hidden", self.seat)
        if not moving:
            self.say("advice.still", *ALL_LINES)
        elif moving > MOST_MOVES:
            self.say("advice.many", *(f"ly.line.{n}" for n in self.chart.moving))

    def _asked(self) -> None:
        """The kind of question where its words give it, what else they ask, and whose 用神 is taken of a relative."""
        taken, kin = self.found.taken, self.found.kinship is not None and not self.found.yongshen.undecided
        if taken is not None and taken.label != ANYTHING:
            told = "kind" if kin else "seat" if self.is_seat else "role"
            self.say(f"asked.{told}", "ly.asked", self.own, matter=word(taken.label), rel=self.rel, weight=1)
            if taken.beside:
                others = [word(each) for each in taken.beside]
                self.say(
                    "asked.beside",
                    "ly.asked",
                    "ly.asked.beside",
                    matter=word(taken.label),
                    others=others,
                    weight=1,
                )
        elif taken is not None and not kin:
            self.say("asked.anything", "ly.asked", self.own, rel=self.rel, weight=1)
        if kin:
            kind = "seat" if self.is_seat else self.subject.target
            self.say(f"kin.{kind}", self.own, rel=self.rel, weight=1)

    def _answer(self) -> None:
        self.draft.topic(ANSWER)
        self._verdict()
        self._why()
        self.say("points", "ly.sign")
        self.draft.topic(USE)
        self._asked()
        self._hexagrams()
        self._use()
        self._time_of_subject()
        self._marks_of_subject()
        self._hidden()
        if self.subject.target != SHI:
            self._self()
        if self.subject.target != YING and self.found.question_type is not None:
            self._other()
        self.draft.topic(LINES)
        tell_lines(self)
        self._turns()
        self.draft.topic(OPPOSED)
        tell_opposed(self)
        self.draft.topic(TIMES)
        self.times.tell()

    def _use(self) -> None:
        """What the 用神 is and where it is found; what is undecided is judged by 世, a candidate or none."""
        subject, asked = self.subject, self.found.yongshen
        key = "use.seat" if self.is_seat and subject.source == "line" else f"use.{subject.source}"
        if asked.undecided:
            on_line = "line" if subject.position else "elsewhere"
            key = f"open.{on_line}" if asked.candidates else "open.self"
        self.say(
            key, self.own, self.seat, rel=self.rel, pillar=Najia(subject.text), place=line_of(subject), weight=1
        )  # fmt: skip

    def _marks_of_subject(self) -> None:
        subject = self.subject
        if subject.source != "line" or subject.line is None:
            return
        at, line = f"ly.line.{subject.position}", subject.line
        values = placed(line)
        if line.state.void:
            self.say("void", at, f"{at}.void", side=self.side("真空", "旬空"), mark=void_of(line), **values)
        held = line.state.month_broken and "临" in line.state.day
        for mark, tail, key, is_met in (
            ("月破", "yuepo", "held" if held else "broken", line.state.month_broken and not self._told_broken()),
            ("日破", "ripo", "broken", line.day_broken), ("暗动", "andong", "moved", line.an_dong),
        ):  # fmt: skip
            if is_met:
                day = ("ly.richen",) if key == "held" else ()
                self.say(
                    key,
                    at,
                    f"{at}.{tail}",
                    *day,
                    side=self.side(mark),
                    mark=word(mark),
                    day=Najia(self.day.value),
                    **values,
                )

    def _told_broken(self) -> bool:
        """Whether the season of the subject was told together with what the month breaks."""
        return self.draft.says("cast.season.broken")

    @property
    def is_broken_in_season(self) -> bool:
        """Whether the subject is of the element of the month and is broken by it, as earth by earth."""
        own = self.subject.state
        return own.month_broken and own.is_prosperous and "临" not in own.day

    def _is_subject(self, line: BoardLine) -> bool:
        return self.subject.source == "line" and self.subject.position == line.position

    def _other(self) -> None:
        line = self.found.lines[self.chart.primary.ying - 1]
        if self._is_subject(line):
            self.say("other.same", self.own, f"ly.line.{line.position}", who=self.who)
        else:
            self._seated("other", line)

    def _self(self) -> None:
        line = self.found.lines[self.chart.primary.shi - 1]
        if self._is_subject(line):
            self.say("self.same", self.own, f"ly.line.{line.position}", who=self.who)
        elif line.state.void:
            at = f"ly.line.{line.position}"
            self.say("self.void", at, f"{at}.void", place=Line(line.position), void=void_of(line))
        else:
            self._seated("self", line)

    def _seated(self, key: str, line: BoardLine) -> None:
        at = f"ly.line.{line.position}"
        self.say(
            key, at, f"{at}.state", rel=word(line.relation), spirit=word(line.spirit), state=word(line.state.month_state),
            month=branch_sign(self.month), **placed(line),
        )  # fmt: skip

    def _hexagrams(self) -> None:
        chart = self.chart
        named: dict[str, Any] = {
            "primary": word(chart.primary.full_name), "palace": word(f"{chart.primary.palace}宫"),
            "generation": word(chart.primary.generation),
        }  # fmt: skip
        of = ("ly.gua.primary", "ly.gua.palace")
        if chart.moving:
            self.say("hexagram.moving", *of, "ly.gua.target", target=word(chart.target.full_name), **named)
        else:
            self.say("hexagram.still", *of, *ALL_LINES, **named)
        for tag in chart.primary.tags:
            self.say(
                f"tag.{tag}", "ly.gua.primary", f"ly.gua.tag.{tag}", primary=named["primary"], tag=word(tag)
            )

    def _turns(self) -> None:
        """What the change from one hexagram to the other says as a whole."""
        chart = self.chart
        changed = marks.transition(chart.primary, chart.target)
        if changed:
            self.say(f"transition.{changed}", "ly.gua.transition", mark=word(changed))
        for half, kind in marks.fan_fu(chart.primary, chart.target).items():
            if kind:
                name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{half}"
                where = word("内卦" if half == "inner" else "外卦")
                self.say(f"turning.{kind}", name, part=where, mark=word(kind))

    def _time_of_subject(self) -> None:
        """What month and day are to the subject."""
        own, pillar = self.subject.state, Najia(self.subject.text)
        tone = "broken" if self.is_broken_in_season else "good" if own.is_prosperous else "bad"
        side = NEITHER if tone == "broken" else self.side("月令")
        broken = ("ly.yuepo",) if tone == "broken" else ()
        self.say(
            f"season.{tone}", self.own, self.seat, "ly.yuejian", *self.states, *broken, side=side, who=self.who,
            pillar=pillar, state=word(own.month_state), month=branch_sign(self.month), element=word(own.element.value),
        )  # fmt: skip
        line = self.subject.line if self.subject.source == "line" else None
        if line is not None and (line.day_broken or line.an_dong):
            return  # which the marks of the line tell
        verb = next((each for each in _WEIGHED if each in own.day), own.day[-1])
        side = self.side("日辰")
        tone = {FOR: "good", AGAINST: "bad", NEITHER: "even"}[side]
        self.say(
            "day", self.own, self.seat, "ly.richen", side=side, day=Najia(self.day.value), who=self.who, pillar=pillar,
            verb=Phrase(f"cast.verb.{verb}", {}), tone=Phrase(f"cast.tone.{tone}", {}),
        )  # fmt: skip
        if "冲" in own.day:
            self.say("day.clash", self.own, self.seat, "ly.richen", day=Najia(self.day.value), who=self.who)

    def _hidden(self) -> None:
        for under in self.found.hidden[:1]:
            if self.subject.source == "hidden" and under.position == self.subject.position:
                over = self.chart.primary.pillars[under.position - 1]
                self.say(
                    "hidden", f"ly.hidden.{under.position}", side=self.side("伏藏"), rel=word(under.relation),
                    pillar=Najia(under.pillar.value), place=Line(under.position), over=Najia(over.value),
                    flying=word(under.flying_relation),
                )  # fmt: skip

    def _keywords(self) -> list[Term]:
        names = [self.sign.level, self.chart.primary.full_name]
        names += [self.chart.target.full_name] if self.chart.moving else []
        return [word(name) for name in dict.fromkeys([*names, self.rel.hanzi])]


_ACTING = ("cast.by.helper", "cast.by.harmer")


def is_published(question_type: str | None) -> bool:
    """Whether a kind of question is one of the published labels, in either script."""
    return question_type is None or question_type in question_types()


def referral_of(question_type: str | None) -> str:
    """The class of question, such as medical, for which a kind of question names whom to ask; or nothing."""
    row = question_types().get(question_type or "")
    return row["referral"] if row else ""
