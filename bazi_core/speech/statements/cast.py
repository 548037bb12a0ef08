"""What may be said of a cast of 六爻: the sign and why, what to look at, what to do, and all of it as running text.

Conclusion first: the level of the sign, its weightiest ground, what speaks against it, and when. A ground stands on the side
that it has in the sign; what stands on the other side is said as a counter-ground.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.facts import digest
from bazi_core.liuyao import marks
from bazi_core.liuyao.yongshen import SHI, YING, question_types
from bazi_core.speech.catalogue import Line, Najia, Phrase, Sign, Term
from bazi_core.speech.plan import AGAINST, CLAIM, COUNTER, FOR, LEANING, NEITHER, SETTLED, Draft
from bazi_core.tables import rows
from bazi_core.wording import Phrase as FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line as BoardLine
    from bazi_core.liuyao.sign import Contribution
    from bazi_core.liuyao.timing import Timing
    from bazi_core.liuyao.yongshen import Candidate
    from bazi_core.speech.plan import Plan

CONCLUSION, FOCUS, ADVICE, ANSWER = "conclusion", "focus_points", "advice", "answer"
SEATS = {SHI: "世爻", YING: "应爻"}
# Terms that many sentences name, by the name of their slot.
NAMED = {
    "role": "用神", "shi": "世爻", "ying": "应爻", "timing": "应期", "ben": "本卦", "zhi": "之卦", "day_word": "日辰",
    "month_word": "月建", "moving": "发动", "trine": "三合",
}  # fmt: skip
GOOD_CHANGES, BAD_CHANGES = ("回头生", "进神"), ("回头克", "退神", "化空", "化破", "化墓", "化绝")
_PLAIN_CHANGES = ("伏吟", "回头冲", "化合")
# Of several changes of a line one is told, the first of these.
_TOLD_CHANGES = GOOD_CHANGES + BAD_CHANGES + _PLAIN_CHANGES
# On which side of the subject a line stands, by how far its element lies after that of the subject: alike, drained by it,
# 仇神, 忌神, 原神.
_STANDS = (FOR, NEITHER, AGAINST, AGAINST, FOR)
# What of a day counts first, as in the points of the sign.
_WEIGHED = ("临", "生", "扶", "合", "克")
MOST_MOVES, MOST_FOCUS, MOST_TIMES = 3, 5, 3


def cast_plan(found: Analysis, question: str = "") -> Plan:
    """All that can be said of a cast; the topics are the parts of a divination.

    >>> from bazi_core import liuyao as ly
    >>> plan = cast_plan(ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业"))
    >>> plan.statements[0].key, plan.statements[0].evidence[0], plan.topics
    ('cast.level.中下签', 'ly.sign', ('conclusion', 'focus_points', 'advice', 'answer'))
    """
    return _Cast(found, question).plan()


class _Cast:
    """The statements on one cast in the making."""

    def __init__(self, found: Analysis, question: str) -> None:
        assert found.sign is not None
        self.found, self.chart, self.sign = found, found.chart, found.sign
        self.subject, self.own = found.subject, found.subject_id
        self.month, self.day = found.chart.month_branch, found.chart.day.branch
        self.rel = _term(SEATS.get(self.subject.target, self.subject.target))
        self.is_seat = self.subject.target in SEATS
        kind = "open" if found.yongshen.undecided else "seat" if self.is_seat else "role"
        self.who = Phrase(f"cast.who.{kind}", _words(rel=self.rel))
        self.seat = _seat(self.subject)
        on_line = self.subject.source == "line"
        # The state of what is not on a line follows from the month alone.
        self.states = (f"ly.line.{self.subject.position}.state",) if on_line else ()
        self.draft = Draft(found.facts, _digest(found, question))

    def plan(self) -> Plan:
        self._conclusion()
        self._focus()
        self._advice()
        self._answer()
        return self.draft.plan("", self._keywords())._replace(separate=True)

    def _say(self, key: str, *evidence: str, side: str = NEITHER, weight: float = 2, **values: Any) -> None:
        """One statement; what speaks against the verdict is said as a counter-ground."""
        other = {FOR: AGAINST, AGAINST: FOR}[self.sign.side]
        self.draft.add(
            f"cast.{key}", *evidence, side=side, relation=COUNTER if side == other else CLAIM, weight=weight,
            kind="inference" if evidence else "advice", certainty=LEANING if side != NEITHER else SETTLED,
            **_words(**values),
        )  # fmt: skip

    def _side(self, *rules: str) -> str:
        """The side of the ground that one of these rules of the sign is; neither where none of them applied."""
        met = (each.side for each in self.sign.contributions if each.rule.startswith(rules))
        return next(met, NEITHER)

    def _conclusion(self) -> None:
        self.draft.topic(CONCLUSION)
        level = self.sign.level
        self._say(f"level.{level}", "ly.sign", self.own, self.seat, sign=_term(level), who=self.who, weight=1)
        self._of_kin()
        self._why()
        times = [each for each in self.found.timing if each.rests_on == (self.own,)][:1]
        if times:
            self._when("when.short", times)

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
        self._say(f"why.{key}", self.own, self.seat, *evidence, who=self.who, side=side, weight=1, **clauses)

    def _clause(self, rule: str) -> tuple[Phrase, tuple[str, ...]]:
        """A row of the sign in words, with the facts beside the subject that it rests on."""
        own, subject = self.subject.state, self.subject
        at = f"ly.line.{subject.position}"
        if rule.startswith("月令"):
            return _part(
                "by.season",
                "ly.yuejian",
                *self.states,
                state=_term(own.month_state),
                month=_branch(self.month),
            )
        if rule.startswith("日辰"):
            verb = next(each for each in _WEIGHED if each in own.day)
            return _part(f"by.day.{verb}", "ly.richen", day=Najia(self.day.value))
        if rule == "月破":
            return _part("by.mark", "ly.yuejian", "ly.yuepo", mark=_term(rule))
        if rule == "日破":
            return _part("by.mark", f"{at}.ripo", mark=_term(rule))
        if rule in ("真空", "旬空"):
            fact = f"{at}.void" if subject.source == "line" else "ly.void.day"
            return _part("by.void", fact, mark=_term(rule))
        if rule in ("原神动", "忌神动"):
            return self._acting(rule)
        if rule == "伏藏":
            return _part("by.hidden", f"ly.hidden.{subject.position}", place=_line(subject))
        met = next(
            each for each in subject.changes
            if each == rule or (rule == "回头生或进神" and each in GOOD_CHANGES)
        )  # fmt: skip
        return _part("by.change", f"{at}.change.{met}", mark=_term(met))

    def _acting(self, rule: str) -> tuple[Phrase, tuple[str, ...]]:
        row: Contribution = next(each for each in self.sign.contributions if each.rule == rule)
        name = row.evidence[-1]
        line = self.found.lines[int(name[-1]) - 1]
        facts = (name,) if line.moving else (name, f"{name}.andong")
        return _part(
            "by.helper" if rule == "原神动" else "by.harmer", *facts, place=Line(line.position),
            pillar=Najia(line.pillar.value), moving=_term("发动" if line.moving else "暗动"),
        )  # fmt: skip

    def _focus(self) -> None:
        self.draft.topic(FOCUS)
        self._use()
        self._marks_of_subject()
        if self.subject.target != SHI:
            self._self()
        self._moves()
        self._roles()
        self.draft.keep_first(MOST_FOCUS)

    def _advice(self) -> None:
        self.draft.topic(ADVICE)
        self._say(f"advice.{self.sign.level}", "ly.sign", weight=1)
        row = _topics().get(_label(self.found.question_type))
        self._say(f"topic.{row['topic'] if row else 'other'}", self.own)
        self._by_feature()

    def _by_feature(self) -> None:
        """What a void, broken or hidden subject asks for, and what a cast in which nothing or much moves."""
        subject, at = self.subject, f"ly.line.{self.subject.position}"
        moving = len(self.chart.moving)
        if subject.source == "line" and subject.state.void:
            self._say("advice.void", f"{at}.void")
        elif subject.source == "line" and subject.state.month_broken:
            self._say("advice.broken", f"{at}.yuepo")
        elif subject.source == "hidden":
            self._say("advice.hidden", self.seat)
        if not moving:
            self._say("advice.still", *_ALL_LINES)
        elif moving > MOST_MOVES:
            self._say("advice.many", *(f"ly.line.{n}" for n in self.chart.moving))

    def _of_kin(self) -> None:
        """Whose 用神 is taken, where it is asked about a relative."""
        if self.found.kinship is not None and not self.found.yongshen.undecided:
            kind = "seat" if self.is_seat else self.subject.target
            self._say(f"kin.{kind}", self.own, rel=self.rel, weight=1)

    def _answer(self) -> None:
        self.draft.topic(ANSWER)
        self._of_kin()
        self._hexagrams()
        self._use()
        self._time_of_subject()
        self._marks_of_subject()
        if self.subject.target != SHI:
            self._self()
        if self.subject.target != YING and self.found.question_type is not None:
            self._seated("other", self.found.lines[self.chart.primary.ying - 1])
        self._moves()
        self._roles()
        self._others()
        self._times()
        self._say(f"close.{self.sign.level}", "ly.sign", sign=_term(self.sign.level), weight=1)

    def _use(self) -> None:
        """What the 用神 is and where it is found; what is undecided is judged by 世, a candidate or none."""
        subject, asked = self.subject, self.found.yongshen
        key = "use.seat" if self.is_seat and subject.source == "line" else f"use.{subject.source}"
        if asked.undecided:
            on_line = "line" if subject.position else "elsewhere"
            key = f"open.{on_line}" if asked.candidates else "open.self"
        self._say(
            key, self.own, self.seat, rel=self.rel, pillar=Najia(subject.text), place=_line(subject), weight=1
        )  # fmt: skip

    def _marks_of_subject(self) -> None:
        subject = self.subject
        if subject.source != "line" or subject.line is None:
            return
        at, line = f"ly.line.{subject.position}", subject.line
        values: dict[str, Any] = {"place": Line(line.position), "pillar": Najia(line.pillar.value)}
        if line.state.void:
            self._say("void", at, f"{at}.void", side=self._side("真空", "旬空"), mark=_void(line), **values)
        for mark, tail, key, is_met in (
            ("月破", "yuepo", "broken", line.state.month_broken), ("日破", "ripo", "broken", line.day_broken),
            ("暗动", "andong", "moved", line.an_dong),
        ):  # fmt: skip
            if is_met:
                self._say(key, at, f"{at}.{tail}", side=self._side(mark), mark=_term(mark), **values)

    def _self(self) -> None:
        line = self.found.lines[self.chart.primary.shi - 1]
        if line.state.void:
            at = f"ly.line.{line.position}"
            self._say("self.void", at, f"{at}.void", place=Line(line.position), void=_void(line))
        else:
            self._seated("self", line)

    def _seated(self, key: str, line: BoardLine) -> None:
        at = f"ly.line.{line.position}"
        self._say(
            key, at, f"{at}.state", rel=_term(line.relation), pillar=Najia(line.pillar.value), place=Line(line.position),
            spirit=_term(line.spirit), state=_term(line.state.month_state), month=_branch(self.month),
        )  # fmt: skip

    def _moves(self) -> None:
        moving = [line for line in self.found.lines if line.moving]
        if not moving:
            self._say("still", *_ALL_LINES)
        elif len(moving) > MOST_MOVES:
            ids = [f"ly.line.{line.position}" for line in moving]
            self._say("many", *ids, places=[Line(line.position) for line in moving])
        else:
            for line in moving:
                self._turning(line)

    def _turning(self, line: BoardLine) -> None:
        turned, at = line.turned, f"ly.line.{line.position}"
        assert turned is not None
        self._say(
            "move", at, f"ly.target.{line.position}", place=Line(line.position), rel=_term(line.relation),
            pillar=Najia(line.pillar.value), rel2=_term(turned.relation), pillar2=Najia(turned.pillar.value),
        )  # fmt: skip
        mark = next((each for each in _TOLD_CHANGES if each in turned.changes), None)
        if mark is not None:
            key, side = self._change(line, mark)
            values: dict[str, Any] = {"place": Line(line.position), "mark": _term(mark)}
            self._say(f"change.{key}", at, f"{at}.change.{mark}", side=side, **values)

    def _change(self, line: BoardLine, mark: str) -> tuple[str, str]:
        """How a change is told, and its side: what strengthens a line that harms the subject speaks against it."""
        stands = _STANDS[(line.state.element.index - self.subject.state.element.index) % 5]
        if line.mark == SHI:
            stands = FOR  # which is whoever asks
        if stands == NEITHER or mark in _PLAIN_CHANGES:
            return "plain", NEITHER
        if stands == FOR:
            return ("good", FOR) if mark in GOOD_CHANGES else ("bad", AGAINST)
        return ("worse", AGAINST) if mark in GOOD_CHANGES else ("better", FOR)

    def _roles(self) -> None:
        for name in ("原神", "忌神"):
            role = self.found.yongshen.roles.get(name)
            if role is not None:
                places = [Line(line.position) for line in role.lines]
                self._say(
                    f"role.{name}" if places else "role.none", f"ly.role.{name}", role=_term(name),
                    element=_term(role.element.value), places=places,
                )  # fmt: skip

    def _hexagrams(self) -> None:
        chart = self.chart
        primary = _term(chart.primary.full_name)
        if chart.moving:
            target = _term(chart.target.full_name)
            self._say("hexagram.moving", "ly.gua.primary", "ly.gua.target", primary=primary, target=target)
        else:
            self._say("hexagram.still", "ly.gua.primary", *_ALL_LINES, primary=primary)
        self._say(
            "palace", "ly.gua.primary", "ly.gua.palace", primary=primary, palace=_term(f"{chart.primary.palace}宫"),
            generation=_term(chart.primary.generation), weight=3,
        )  # fmt: skip
        for tag in chart.primary.tags:
            self._say(f"tag.{tag}", "ly.gua.primary", f"ly.gua.tag.{tag}", primary=primary, tag=_term(tag))
        changed = marks.transition(chart.primary, chart.target)
        if changed:
            self._say(f"transition.{changed}", "ly.gua.transition", mark=_term(changed))
        for part, kind in marks.fan_fu(chart.primary, chart.target).items():
            if kind:
                name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{part}"
                where = _term("内卦" if part == "inner" else "外卦")
                self._say(f"turning.{kind}", name, part=where, mark=_term(kind))

    def _time_of_subject(self) -> None:
        """What month and day are to the subject."""
        own, pillar = self.subject.state, Najia(self.subject.text)
        self._say(
            f"season.{'good' if own.is_prosperous else 'bad'}", self.own, self.seat, "ly.yuejian", *self.states,
            side=self._side("月令"),
            who=self.who, pillar=pillar, state=_term(own.month_state), month=_branch(self.month),
        )  # fmt: skip
        line = self.subject.line if self.subject.source == "line" else None
        if line is not None and (line.day_broken or line.an_dong):
            return  # which the marks of the line tell
        verb = "冲" if "冲" in own.day else next((each for each in _WEIGHED if each in own.day), own.day[0])
        side = self._side("日辰")
        tone = {FOR: "good", AGAINST: "bad", NEITHER: "even"}[side]
        self._say(
            "day", self.own, self.seat, "ly.richen", side=side, day=Najia(self.day.value), who=self.who, pillar=pillar,
            verb=Phrase(f"cast.verb.{verb}", {}), tone=Phrase(f"cast.tone.{tone}", {}),
        )  # fmt: skip

    def _others(self) -> None:
        counts: dict[str, int] = {}
        for each in self.found.trines:
            counts[each.element] = counts.get(each.element, 0) + 1
            self._say(
                "trine", f"ly.sanhe.{each.element}.{counts[each.element]}", three=Sign(each.branches, plain=True),
                element=_term(each.element), how=_term(each.kind),
            )  # fmt: skip
        for under in self.found.hidden[:1]:
            if self.subject.source == "hidden" and under.position == self.subject.position:
                over = self.chart.primary.pillars[under.position - 1]
                self._say(
                    "hidden", f"ly.hidden.{under.position}", side=self._side("伏藏"), rel=_term(under.relation),
                    pillar=Najia(under.pillar.value), place=Line(under.position), over=Najia(over.value),
                    flying=_term(under.flying_relation),
                )  # fmt: skip

    def _times(self) -> None:
        for each in self.found.timing[:MOST_TIMES]:
            self._when("timing", [each], trigger=_term(each.trigger))
        if self.chart.moment is None:
            self._say(
                "units", *(f"ly.timing.{n}" for n in range(1, min(MOST_TIMES, len(self.found.timing)) + 1))
            )

    def _when(self, key: str, times: Sequence[Timing], **values: Any) -> None:
        """When triggers are answered: the dates of their branches, or the branches alone where the cast has no clock."""
        ids = [f"ly.timing.{self.found.timing.index(each) + 1}" for each in times]
        branches = list(dict.fromkeys(branch for each in times for branch in each.branches))[:4]
        dated = [f"ly.date.{each.value}" for each in branches if f"ly.date.{each.value}" in self.draft.facts]
        if dated:
            spans = tuple(
                each
                for name in dated
                for each in self._spans(name, near=key == "when.short" or bool(dated[1:]))
            )
            dates = FactPhrase("cast.dates", (spans,))
            self._say(f"{key}.dated", *ids, *dated, dates=dates, weight=1, **values)
        else:
            self._say(key, *ids, branches=[_branch(each) for each in branches], weight=1, **values)

    def _spans(self, name: str, near: bool) -> Sequence[FactPhrase]:
        """The days of a branch and its month; the days alone where the nearest will do."""
        found: Sequence[FactPhrase] = self.draft.facts[name].values[0]
        return found[:1] if near else found

    def _keywords(self) -> list[Term]:
        names = [self.sign.level, self.chart.primary.full_name]
        names += [self.chart.target.full_name] if self.chart.moving else []
        return [_term(name) for name in dict.fromkeys([*names, self.rel.hanzi])]


_ACTING = ("cast.by.helper", "cast.by.harmer")
_ALL_LINES = tuple(f"ly.line.{n}" for n in range(1, 7))


def _term(name: str) -> Term:
    """A word of 六爻 as a value of a sentence."""
    return Term(name, "cast")


def _branch(branch: Branch) -> Sign:
    return Sign(branch.value, plain=True)


def _words(**values: Any) -> dict[str, Any]:
    """Values of a sentence with the words that many need."""
    return {name: _term(each) for name, each in NAMED.items()} | values


def _part(key: str, *evidence: str, **values: Any) -> tuple[Phrase, tuple[str, ...]]:
    return Phrase(f"cast.{key}", _words(**values)), evidence


def _line(subject: Candidate) -> Line:
    """The line of a subject; of one that is off the board no sentence names it."""
    return Line(subject.position or 0)


def _void(line: BoardLine) -> Term:
    return _term(f"{line.void_kind}空" if line.void_kind else "旬空")


def _seat(subject: Candidate) -> str:
    """The fact of the place in which the subject was found."""
    if subject.source == "hidden":
        return f"ly.hidden.{subject.position}"
    if subject.source == "changed":
        return f"ly.target.{subject.position}"
    return {"month": "ly.yuejian", "day": "ly.richen"}.get(subject.source, f"ly.line.{subject.position}")


def _digest(found: Analysis, question: str) -> str:
    """What chooses among wordings: the cast, what it was asked about, and the question."""
    chart = found.chart
    stated = [
        list(chart.lines), chart.month_branch.value, chart.day.value, found.question_type, found.asker, found.kinship,
        question,
    ]  # fmt: skip
    return digest(stated)


@cache
def _topics() -> dict[str, dict[str, str]]:
    return {row["label"]: row for row in rows("liuyao/topics")}


def _label(question_type: str | None) -> str:
    """The published label of a kind of question, from either script."""
    row = question_types().get(question_type or "")
    return row["label"] if row else ""


def is_published(question_type: str | None) -> bool:
    """Whether a kind of question is one of the published labels, in either script."""
    return question_type is None or question_type in question_types()


def referral_of(question_type: str | None) -> str:
    """The class of question, such as medical, for which a kind of question names whom to ask; or nothing."""
    row = _topics().get(_label(question_type))
    return row["referral"] if row else ""
