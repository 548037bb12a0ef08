"""What may be said of a cast of 六爻: the answer and why, what to look at, what to do, and all of it as running text.

Conclusion first: what is asked, answered in its own words, the weightiest ground, what speaks against it, and when. The
running text goes on in paragraphs: what stands for the question and how it fares, what moves, what stands against it, and
last 应期 and the grade of the sign. A ground stands on the side that it has in the sign; what stands on the other side is a
counter-ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.force import IDLE, SPENT, is_empty, is_nothing
from bazi_core.liuyao.matters import (
    AFTER,
    CHOOSE,
    HEALTH,
    KEEP,
    LOST,
    SETTLE,
    names,
    option,
    standing_of,
)
from bazi_core.liuyao.yongshen import SHI, question_types
from bazi_core.speech.catalogue import LinePlace, Najia, Phrase, catalogue
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_aspects import ASPECTS, COURSES, beside_left
from bazi_core.speech.statements.cast_day import tell_day
from bazi_core.speech.statements.cast_hexagrams import tell_hexagrams, tell_turned_halves
from bazi_core.speech.statements.cast_lines import MOST_MOVES, tell_lines, tell_opposed
from bazi_core.speech.statements.cast_place import tell_place
from bazi_core.speech.statements.cast_seats import tell_other, tell_self
from bazi_core.speech.statements.cast_seconds import tell_either, tell_seconds
from bazi_core.speech.statements.cast_terms import LOOKED_UP
from bazi_core.speech.statements.cast_times import Times
from bazi_core.speech.statements.cast_verdict import (
    WEIGHED,
    illness_signs,
    lean,
    tell_verdict,
    tell_why,
)
from bazi_core.speech.statements.cast_words import (
    ALL_LINES,
    OPEN,
    CastDraft,
    Lean,
    branch_sign,
    line_of,
    placed,
    store_of,
    void_of,
    word,
)

if TYPE_CHECKING:
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.speech.catalogue import Term
    from bazi_core.speech.plan import Plan

CONCLUSION, FOCUS, ADVICE, ANSWER = "conclusion", "focus_points", "advice", "answer"
# The paragraphs of the running text behind its first.
USE, LINES, OPPOSED, TIMES = "answer.use", "answer.lines", "answer.opposed", "answer.times"
MOST_FOCUS, MOST_CONCLUSIONS = 5, 5
# The advice of a grade that a verdict calls for.
_LEVELS = {"yes": "上上签", "rather": "中上签", "open": "中下签", "hardly": "中下签", "no": "下下签"}
# Kinds that are about a person and nothing else: who that is is told by name.
_OF_PERSONS = ("行人", "寻人", "父母", "子女", "朋友", "师长", "宠物")
# Matters in which the line of papers and houses is the home that one would live in.
_HOUSES = ("relocate", "purchase", "bought", "renew")
# Kinds that have a word of advice of their own.
_OWN_ADVICE = {"宠物": "pet", "寵物": "pet", "怀孕": "conceived", "懷孕": "conceived"}
# Kinds in which one is interviewed.
_WORK = ("求职", "求職", "升迁", "升遷")
# The kind of question that is none in particular.
ANYTHING = "其他"


def cast_plan(found: Analysis, question: str = "") -> Plan:
    """All that can be said of a cast; the topics are the parts of a divination, the running text in its paragraphs.

    >>> from bazi_core import liuyao as ly
    >>> plan = cast_plan(ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业"))
    >>> plan.statements[0].key, plan.statements[0].evidence[0], plan.topics[:4]
    ('cast.verdict.hardly', 'ly.sign', ('conclusion', 'focus_points', 'advice', 'answer'))
    >>> plan.topics[4:]
    ('answer.use', 'answer.lines', 'answer.opposed', 'answer.times')
    """
    return _Cast(found, question).plan()


def leaning(found: Analysis, question: str = "") -> Lean:
    """To which side a cast leans for its question."""
    return _Cast(found, question).lean


# What the question itself calls for beside the verdict, in whatever room there is.
_FURTHER = (LOOKED_UP, ASPECTS)
_UNCHOSEN = ("cast.asked.choose", "cast.asked.choose.love")


class _Cast(CastDraft):
    """The statements on one cast in the making."""

    times: Times

    def __init__(self, found: Analysis, question: str) -> None:
        super().__init__(found, question)
        self.lean, self.held = lean(self)
        self.times = Times(self, self.held)

    def plan(self) -> Plan:
        self._conclusion()
        self._focus()
        self._advice()
        self._answer()
        return self.draft.plan("", self._keywords())._replace(separate=True, about=self.about)

    def _conclusion(self) -> None:
        self.draft.topic(CONCLUSION)
        tell_verdict(self)
        if self.is_lost:
            # The place is what is asked; which line was looked at is told below.
            tell_place(self, brief=True)
        else:
            self._asked()
        for key in _UNCHOSEN:
            # That a cast does not choose comes before what it tells.
            self.draft.move_up(key, 0)
        tell_why(self, brief=True)
        self.draft.keep_first(MOST_CONCLUSIONS - 1 + sum(map(self.draft.number_of, _FURTHER)))
        self.times.short()

    def _focus(self) -> None:
        self.draft.topic(FOCUS)
        self._use()
        if self.is_unjudged:
            return
        self._marks_of_subject()
        if self.subject.target != SHI:
            tell_self(self)
        tell_lines(self)
        tell_opposed(self)
        self.draft.keep_first(MOST_FOCUS)

    def _advice(self) -> None:
        self.draft.topic(ADVICE)
        row = question_types().get(self.found.question_type or "")
        topic = row["topic"] if row else "other"
        todo = f"todo.{self.matter.name}"
        if self.found.question_type in _WORK and names(self.asked, AFTER):
            todo = "todo.interviewed"
        if f"cast.{todo}" not in catalogue():
            is_own = self.found.question_type in _OWN_ADVICE
            todo = f"todo.{_OWN_ADVICE[self.found.question_type or '']}" if is_own else ""
        if self.is_at_risk:
            todo = "todo.at_risk"
        elif self.matter.form == KEEP:
            self.say("advice.keep", "ly.sign", weight=1)
        elif self.decides and not todo:
            self.say(f"advice.{_LEVELS[self.lean.name]}", "ly.sign", weight=1)
        if self.treats and topic != HEALTH:
            todo = f"todo.{_OWN_ADVICE[self.found.question_type or '']}"
        if topic == HEALTH and self.is_of_kin:
            todo = "topic.health.kin"
        self.say(todo or f"topic.{topic}", self.own, weight=1)
        if self.decides:
            self._by_feature()

    def _by_feature(self) -> None:
        """What a void, broken or hidden subject asks for, and what a cast in which nothing or much moves."""
        subject, at = self.subject, f"ly.line.{self.subject.position}"
        moving = len(self.chart.moving)
        if subject.source == "line" and is_empty(subject.state):
            self.say("advice.void", f"{at}.void")
        elif subject.source == "line" and subject.state.month_broken:
            self.say("advice.broken", f"{at}.yuepo")
        elif subject.source == "hidden":
            self.say("advice.hidden", self.seat)
        if not moving and not self.is_lost:
            self.say("advice.still", *ALL_LINES)
        elif moving > MOST_MOVES:
            self.say("advice.many", *(f"ly.line.{n}" for n in self.chart.moving))

    def _asked(self) -> None:
        """The kind of question where its words give it, what else they ask, and whose 用神 is taken of a relative."""
        taken, kin = self.found.taken, self.found.kinship is not None and not self.found.yongshen.undecided
        if taken is not None and taken.label != ANYTHING:
            matter = Phrase(f"cast.of.{taken.label}", {})
            if not kin:
                is_house = (
                    self.matter.name in _HOUSES and taken.label in ("房产", "家宅") and not self.is_seat
                )
                told = "seat" if self.is_seat else "house" if is_house else "role"
                self.say(f"asked.{told}", "ly.asked", self.own, matter=matter, rel=self.rel, weight=1)
            elif taken.label not in _OF_PERSONS:
                self.say("asked.kind", "ly.asked", self.own, matter=matter, rel=self.rel, weight=1)
            if beside_left(self):
                others = [Phrase(f"cast.of.{each}", {}) for each in beside_left(self)]
                facts = ("ly.asked", "ly.asked.beside")
                self.say("asked.beside", *facts, matter=matter, others=others, weight=1)
            else:
                self._options(matter)
        elif taken is not None and not kin:
            key = "asked.anything" if self.subject.target == SHI else "asked.anything.other"
            self.say(key, "ly.asked", self.own, rel=self.rel, weight=1)
        if kin:
            kind = "seat" if self.is_seat else self.subject.target
            self.say(f"kin.{kind}", self.own, rel=self.rel, person=self.person, weight=1)

    def _options(self, matter: Phrase) -> None:
        """Of two that are to choose from a cast answers one (一事一占)."""
        if self.matter.topic in (HEALTH, LOST) or self.treats or names(self.asked, SETTLE):
            return  # a settlement is told beside the case
        if self.draft.says(*COURSES):
            return  # which course the cast is for was told with the verdict
        other = Phrase(f"cast.option.{option(self.asked, self.found.question_type)}", {})
        first = Phrase(f"cast.option.{self.matter.name}", {})
        if names(self.asked, CHOOSE):
            key = "asked.choose.love" if self.matter.topic == "love" else "asked.choose"
            self.say(key, "ly.asked", matter=matter, weight=1)
        elif other.key in catalogue():
            self.say(
                "asked.option",
                "ly.asked",
                matter=first if first.key in catalogue() else matter,
                other=other,
                weight=1,
            )

    def _answer(self) -> None:
        self.draft.topic(ANSWER)
        tell_verdict(self, dated=True)
        self._whose()
        tell_place(self)
        if self.times.asks_when:
            self.times.short(running=True)
        tell_why(self)
        tell_day(self)
        self.verdict_told = True
        if not self.is_unjudged:
            self._ill()
        self.draft.topic(USE)
        self._asked()
        tell_either(self)
        tell_hexagrams(self)
        self._use()
        if self.is_unjudged:
            # Where a doctor decides, the board is described and nothing in it weighed.
            return
        self._chosen()
        self._time_of_subject()
        self._held()
        self._marks_of_subject()
        self._hidden()
        if self.subject.target != SHI:
            tell_self(self)
        tell_other(self)
        tell_seconds(self)
        self.draft.topic(LINES)
        tell_lines(self)
        self.draft.topic(OPPOSED)
        tell_opposed(self)
        tell_turned_halves(self)
        self.draft.topic(TIMES)
        self.times.tell()
        if not self.treats:
            key = "points" if self._is_graded else "points.apart"
            self.say(key, "ly.sign", sign=word(self.sign.level))

    def _whose(self) -> None:
        """Of whom it is asked, where that is a relative."""
        if self.is_of_kin:
            self.say("whose", self.own, rel=self.rel, who=self.who, person=self.person, weight=1)

    def _ill(self) -> None:
        """What a mark says of an illness, by how long it has lasted, where the question leaves that open."""
        if self.matter.topic != HEALTH or standing_of(self.asked):
            return
        signs = [*illness_signs(self)]
        if signs and not is_nothing(self.subject.state, self.subject.moving):
            facts = [name for _, each in signs for name in each]
            self.say("illness", *facts, self.seat, marks=[mark for mark, _ in signs])

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

    def _chosen(self) -> None:
        """Why one of several lines of the relative is the 用神 (《增删卜易·两现章》)."""
        same = [
            each for each in self.found.told if each.target == self.subject.target and each.source == "line"
        ]
        if self.found.yongshen.undecided or len(same) < 2 or self.subject not in same:
            return
        best, second = sorted(same, key=lambda each: each.rank)[:2]
        merit = next((reason for reason in best.reasons if reason not in second.reasons), "first")
        places = sorted(each.position or 0 for each in same)
        self.say(
            "use.several", self.own, *(f"ly.line.{n}" for n in places), rel=self.rel, places=[LinePlace(n) for n in places],
            place=line_of(best), merit=Phrase(f"cast.merit.{merit}", {}),
        )  # fmt: skip

    def _marks_of_subject(self) -> None:
        subject = self.subject
        if subject.source != "line" or subject.line is None:
            if is_nothing(subject.state):
                key = "void.broken.off.health" if self.is_of_health else "void.broken.off"
                self._off(key, "ly.void.day", "真空", "旬空", "月破")
                return
            if subject.state.void:
                key = "void.off.full" if not is_empty(subject.state) else "void.off"
                self._off(
                    key if self.decides or key != "void.off" else "void.off.even",
                    "ly.void.day",
                    "真空",
                    "旬空",
                )
            if self._is_broken_off:
                self._off("broken.off", "ly.yuepo", "月破")
            return
        at, line = f"ly.line.{subject.position}", subject.line
        values = placed(line)
        if is_nothing(line.state, line.moving):
            facts, void = (at, f"{at}.void", f"{at}.yuepo"), void_of(line)
            key = "void.broken.health" if self.is_of_health else "void.broken"
            self.say(key, *facts, side=self.side("真空", "旬空", "月破"), mark=void, **values)
            return
        if self.is_filled:
            self.say("void.filled", at, f"{at}.void", f"{at}.richong", mark=word("冲空"), **values)
        elif line.state.void:
            # Where nothing is agreed on, nothing is to be checked either.
            key = "void" if self.decides else "void.even"
            if not is_empty(line.state):
                key = "void.full"
            self.say(key, at, f"{at}.void", side=self.side("真空", "旬空"), mark=void_of(line), **values)
        held = line.state.month_broken and "临" in line.state.day
        for mark, tail, key, is_met in (
            ("月破", "yuepo", "held" if held else "broken", line.state.month_broken and not self._told_broken()),
            ("日破", "ripo", "broken", line.day_broken and not self.is_filled), ("暗动", "andong", "moved", line.an_dong),
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

    def _off(self, key: str, fact: str, *rules: str) -> None:
        """What ails a subject that stands on no line of the board."""
        values: dict[str, Any] = {"who": self.who, "pillar": Najia(self.subject.text)}
        self.say(key, self.own, self.seat, fact, side=self.side(*rules), **values)

    @property
    def _is_broken_off(self) -> bool:
        """Whether what stands on no line is broken by the month."""
        own = self.subject.state
        return own.month_broken and "临" not in own.day and not self._told_broken()

    def _told_broken(self) -> bool:
        """Whether the season of the subject was told together with what the month breaks."""
        return self.draft.says("cast.season.broken")

    def _time_of_subject(self) -> None:
        """What month and day are to the subject."""
        own, pillar = self.subject.state, Najia(self.subject.text)
        tone = "broken" if self.is_broken_in_season else "good" if own.is_prosperous else "bad"
        side = NEITHER if tone == "broken" else self.side("月令")
        broken = ("ly.yuepo",) if tone == "broken" else ()
        self.say(
            f"season.{tone}", self.own, self.seat, "ly.yuejian", *self.states, *broken, side=side, who=self.who,
            pillar=pillar, state=word(own.month_state), stands=self.stands(own),
            month=branch_sign(self.month), element=word(own.element.value),
        )  # fmt: skip
        line = self.subject.line if self.subject.source == "line" else None
        if line is not None and (line.day_broken or line.an_dong):
            return  # which the marks of the line tell
        if self.subject.source == "day":
            return  # it is the day itself
        verb = next((each for each in WEIGHED if each in own.day), own.day[-1])
        side = self.side("日辰")
        if verb == "合":
            self.say(
                "day.bound" if self.subject.moving else "day.raised",
                self.own,
                self.seat,
                "ly.richen",
                side=NEITHER if self.subject.moving else side,
                day=Najia(self.day.value),
                who=self.who,
            )
            return
        tone = {FOR: "good", AGAINST: "bad", NEITHER: "even"}[side]
        self.say(
            "day", self.own, self.seat, "ly.richen", side=side, day=Najia(self.day.value), who=self.who, pillar=pillar,
            verb=Phrase(f"cast.verb.{verb}", {}), tone=Phrase(f"cast.tone.{tone}", {}),
        )  # fmt: skip
        if "冲" in own.day:
            key = "day.clash.faint" if self.is_clashed_faint else "day.clash"
            self.say(key, self.own, self.seat, "ly.richen", day=Najia(self.day.value), who=self.who)

    def _held(self) -> None:
        """What holds the subject: a month that combines with it while it moves, and its store."""
        if self.subject.moving and "合" in self.subject.state.month:
            self.say(
                "month.bound", self.own, self.seat, "ly.yuejian", month=Najia(self.month.value), who=self.who
            )
        stored = store_of(self)
        if stored == "day":
            self.say("stored.day", self.own, self.seat, "ly.richen", who=self.who, day=Najia(self.day.value))
        elif stored is not None:
            assert not isinstance(stored, str)
            self.say("stored.line", self.own, f"ly.line.{stored.position}", who=self.who, **placed(stored))

    def _hidden(self) -> None:
        for under in self.found.hidden[:1]:
            if self.subject.source == "hidden" and under.position == self.subject.position:
                over, line = (
                    self.chart.primary.pillars[under.position - 1],
                    self.found.lines[under.position - 1],
                )
                # What lies over it feeds or presses only while it can.
                is_idle = under.flying_relation in ("飞生伏", "飞克伏") and self.standing(line).kind in (
                    IDLE,
                    SPENT,
                )
                stands = (f"ly.line.{line.position}.state", *self.standing(line).facts) if is_idle else ()
                key = "hidden.idle" if is_idle else "hidden"
                self.say(
                    key, f"ly.hidden.{under.position}", *stands, side=self.side("伏藏"), rel=word(under.relation),
                    pillar=Najia(under.pillar.value), place=LinePlace(under.position), over=Najia(over.value),
                    flying=word(under.flying_relation),
                )  # fmt: skip

    @property
    def _is_graded(self) -> bool:
        """Whether there is a grade of the sign that says what the verdict says."""
        return not self.treats and self.lean.stance != OPEN and self.sign.side == self.lean.side

    def _keywords(self) -> list[Term]:
        names = [*([self.sign.level] if self._is_graded else []), self.chart.primary.full_name]
        names += [self.chart.target.full_name] if self.chart.moving else []
        return [word(name) for name in dict.fromkeys([*names, self.rel.hanzi])]


def is_published(question_type: str | None) -> bool:
    """Whether a kind of question is one of the published labels, in either script."""
    return question_type is None or question_type in question_types()


def referral_of(question_type: str | None) -> str:
    """The class of question, such as medical, for which a kind of question names whom to ask; or nothing."""
    row = question_types().get(question_type or "")
    return row["referral"] if row else ""
