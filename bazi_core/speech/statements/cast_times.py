"""应期 in words: which rule it is read from, and at most two branches with their dates, the likelier first.

The rule is that of the one thing that has to change, where the verdict names one; else what ails the subject, and was
told of it, is answered (broken, void, stored, bound, too weak); where nothing does, the rules for every line hold: its own
branch, what clashes or combines with it (《增删卜易·应期章》). What waits for a change is not told to wait for the branch of
this day or month, which is there already and has not brought it (P). A date is told once. No date beyond the years that
are asked about is given as an answer, no day of a pregnancy or an illness that is not recent (《增删卜易·应期章》: near
matters in days), and none at all of what to do, of a treatment, of what is over in these days, of what is void to the end.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Branch, Element
from bazi_core.liuyao.force import able, acting, is_nothing, is_whole, numbered, works_back
from bazi_core.liuyao.hexagrams import clash, combination
from bazi_core.liuyao.marks import tomb
from bazi_core.liuyao.matters import HEALTH, SETTLE, standing_of
from bazi_core.speech.catalogue import Phrase, Sign
from bazi_core.speech.plan import FOR
from bazi_core.speech.statements.cast_limits import span_of, tell_after, tell_limit
from bazi_core.speech.statements.cast_words import OPEN, branch_sign, store_of, word
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.board import State
    from bazi_core.liuyao.dates import Period
    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.speech.statements.cast_words import CastDraft, Condition

_TOO_STRONG, _TOO_WEAK, _STORED, _BROKEN, _CHECKED = (
    "太旺逢墓冲",
    "衰绝逢生旺",
    "入墓冲开",
    "月破填合",
    "受克待制",
)
_VOID, _BOUND, _FORWARD, _BACK = "旬空填冲", "合住冲开", "进神", "退神"
# Conditions of what the subject turns into, and what a 三合 is to the subject that it tires.
_OF_TARGET = ("turned", "emptied", "shattered", "backed")
_TIRES = ("harmer", "rival", "drain")
# So many branches are told, the likelier first.
MOST = 2


class Times:
    """The rules of 应期 that are told of a cast, and when their branches come."""

    def __init__(self, cast: CastDraft, held: Condition | None) -> None:
        self.cast, self.held = cast, held
        own = [each for each in cast.found.timing if each.rests_on == (cast.own,)]
        ailing = sorted(
            (each for each in own if each.ails and self._is_told(each)), key=lambda each: each.ails
        )
        self.asks_when = cast.asks_when
        self.is_to_the_end = is_nothing(cast.subject.state, cast.subject.moving)
        self.key, self.rules = "first", ailing[:1]
        if held is not None and held.kind == "own":
            self.key, self.rules = "only", [each for each in own if not each.ails]
        elif held is not None and held.rule is not None:
            self.rules = [held.rule]
        elif held is not None:
            # What is told to change has no day of its own: 应期 looks at the subject all the same, and says so.
            self.key, self.rules = "apart", ailing[:1] or [each for each in own if not each.ails]
        elif not ailing:
            self.key, self.rules = "only", [each for each in own if not each.ails]
        elif ailing[0].trigger in (_TOO_STRONG, _FORWARD):
            self.key = "by"  # which hold nothing back
        is_for_others = cast.matter.is_advised or cast.matter.name == SETTLE
        if (
            cast.is_unjudged
            or is_for_others
            or cast.is_soon
            or self.is_to_the_end
            or (cast.treats and not self.asks_when)
        ):
            self.rules = []
        answered = [each for each in self.rules if self._answering(each)]
        # Whether there are rules, and every day that they name is one of what presses.
        self.is_pressed = bool(self.rules) and not answered
        self.untold = self.rules if self.is_pressed else list(cast.found.timing)
        self.rules = answered
        # The dates that the running text has told.
        self.told: set[str] = set()
        # The days that are asked about, and the limit before which something is to come.
        self.span = span_of(cast)

    def _is_told(self, rule: TimingTrigger) -> bool:
        """Whether the text says what ails the subject by this rule; what the month breaks is not too strong, though of its
        element, a store that the day fills with support holds nothing back, what moves in its season is not void, the branch
        of the day is not told as broken, and a change that does not hold neither drives nor takes back."""
        subject = self.cast.subject
        line = subject.line if subject.source == "line" else None
        if rule.trigger == _TOO_STRONG:
            return not subject.state.month_broken
        if rule.trigger == _STORED:
            return self.cast.turns_to_store or store_of(self.cast) is not None
        if rule.trigger == _BOUND:
            return subject.moving  # what is still is raised by a combination, not held
        if rule.trigger == _VOID:
            return not self.cast.is_filled and not (subject.moving and subject.state.is_prosperous)
        if rule.trigger == _CHECKED:
            return self._is_checked
        if rule.trigger == _BROKEN:
            return "临" not in subject.state.day
        if rule.trigger in (_FORWARD, _BACK):
            return line is not None and works_back(line, rule.trigger)
        return True

    def wait(self, dated: bool = False) -> Phrase | None:
        """The branch for which the one condition waits, as a clause; with its next date where that is wanted. None where
        it waits for none, or for the branch that this day or month has."""
        if self.held is None or self.held.rule is None or not self.rules:
            return None
        branch = self._awaited
        if branch is None:
            return None
        if branch in self._present and not (self.held.kind == "void" and branch is not self.cast.day):
            return None
        values: dict[str, Any] = {"branch": branch_sign(branch)}
        day = next((each for each in self._dated("日") if each.branch is branch), None)
        if self._is_slow:
            return Phrase("cast.wait.slow", values)
        if branch is self.cast.month:
            # Of what is void and is the branch of the month the ten days have to pass, not the month.
            return Phrase("cast.wait.day", values)
        if dated and day is not None and not self.asks_when and day.date not in self.told:
            self.told.add(day.date)
            return Phrase("cast.wait.dated", values | {"date": FactPhrase("day.one", ((day.date,),))})
        return Phrase("cast.wait.any", values)

    @property
    def facts_of_wait(self) -> tuple[str, ...]:
        """The fact of the next date of the branch that the condition waits for."""
        branch = self._awaited
        name = f"ly.date.{branch.value}" if branch is not None else ""
        return (name,) if name in self.cast.found.facts else ()

    @property
    def _awaited(self) -> Branch | None:
        """The likeliest branch that the condition can wait for; of a line that waits for its own no other."""
        is_own = self.held is not None and self.held.kind == "own"
        return next((branch for branch, way in self.likely.items() if way == "own" or not is_own), None)

    @property
    def _present(self) -> tuple[Branch, Branch]:
        return self.cast.day, self.cast.month

    @property
    def _is_checked(self) -> bool:
        """Whether 忌神 that acts does press on the subject: it can, and feeds no 原神 instead."""
        cast = self.cast
        feeds_on = cast.chain is not None and cast.chain.side == FOR
        return not feeds_on and bool(
            able(acting(cast.found.lines, cast.subject, "harmer"), cast.found.standings)
        )

    @property
    def _mood(self) -> str:
        """After a verdict against what is asked a date is one of a turn, if any comes."""
        return "stir" if self.cast.lean.stance < OPEN else "short"

    @property
    def _is_slow(self) -> bool:
        """Whether it is a pregnancy or an illness that is not recent, of which no day is named."""
        return self.cast.is_of_health and not (
            self.cast.matter.topic == HEALTH and standing_of(self.cast.asked) == "near"
        )

    def short(self, running: bool = False) -> None:
        """When, in one sentence: the likelier dates; in the running text they are told there and no more."""
        if not self.rules or self.within_limit():
            return  # what lies before a limit was told with it
        ids, found = self.ids, self._dated("日") or self._dated("月")
        if found:
            self.told |= {each.date for each in found} if running else set()
            self._say(f"when.{self._mood}.dated", found, weight=1)
        else:
            self.cast.say(
                f"when.{self._mood}{'.slow' if self._is_slow else ''}",
                *ids,
                branches=[branch_sign(each) for each in self.likely],
                weight=1,
            )

    def tell(self) -> None:
        """The rule, the likelier branches with what they do, their next days and months, and years where it is asked when a
        far matter comes."""
        if self.is_pressed:
            of_role = [name for name in ("ly.role.忌神",) if name in self.cast.found.facts]
            self.cast.say("times.pressed", self.cast.own, self.cast.seat, *of_role, who=self.cast.who)
        if not self.rules:
            if self.is_to_the_end and not self.cast.matter.is_advised:
                self.cast.say(
                    "times.none", self.cast.own, self.cast.seat, "ly.void.day", "ly.yuepo", who=self.cast.who
                )
            return
        ids = self.ids
        ways: dict[str, list[Sign]] = {}
        for branch, way in self.likely.items():
            ways.setdefault(way, []).append(branch_sign(branch))
        told = [Phrase(f"cast.times.by.{way}", {"branch": branches}) for way, branches in ways.items()]
        how = Phrase(
            "cast.times.ranked" if told[1:] else "cast.times.one",
            dict(zip(("first", "second"), told, strict=False)),
        )
        triggers = [word(rule.trigger) for rule in self.rules]
        self.cast.say(
            f"times.{self.key}{'.stir' if self._mood == 'stir' else ''}",
            *ids,
            *self._facts_of_line,
            triggers=triggers,
            how=how,
            who=self.cast.who,
            weight=1,
        )
        days = self._dated("日")
        fresh = [each for each in days if each.date not in self.told]
        if fresh:
            is_sooner = bool(self.told) and fresh[0].date < min(self.told)
            more = "sooner" if is_sooner else "more"
            self._say("times.days" if len(fresh) == len(days) else f"times.days.{more}", fresh, weight=1)
        # A near matter is told in days, a far one in months (《增删卜易·应期章》).
        months = [] if days else self._dated("月")
        beyond = [] if months or days or self.span.limit else self._dated("月", beyond=True)[:1]
        years = self._dated("年") if self.asks_when and not self.span.until else []
        untold = [each for each in months if each.date not in self.told]
        for name, spans in (("months", untold), ("beyond", beyond), ("years", years)):
            if spans:
                self._say(f"times.{name}", spans)
        if self.span.limit and not days and not months:
            tell_after(self.cast, self)
        if self.cast.chart.moment is None:
            self.cast.say("units", *ids)
        if self.cast.is_lost:
            self._awaited_branch()

    def _awaited_branch(self) -> None:
        """The branch that a 三合 in support of what is lost still waits for (《增删卜易·三合章》: 虚一待用)."""
        for name, each in numbered(self.cast.found.trines):
            bears = self.cast.bearing(Element(each.element))[0]
            if each.missing and not each.filled_by and bears in ("helper", "alike"):
                self.cast.say("times.trine", name, missing=[Sign(sign, plain=True) for sign in each.missing])
                return

    def tell_limit(self, running: bool) -> None:
        """Whether what is asked leans to come before the limit; in the running text its dates are told there."""
        tell_limit(self.cast, self, running)

    def within_limit(self) -> list[Period]:
        """The days of 应期 before the limit, or else the months that begin before it, in their order; none without one."""
        found = (self._dated("日") or self._dated("月")) if self.span.limit and self.rules else []
        return sorted(found, key=lambda each: each.begins)

    def passed_over(self) -> tuple[list[Period], tuple[str, ...]]:
        """The first days before the limit of the rules whose days press, or else of all on the board, with their facts."""
        found: dict[str, Period] = {}
        rules: dict[str, str] = {}
        for rule in self.untold:
            for each in self.cast.found.dates(rule):
                if each.unit in ("日", "月") and self.span.since <= each.date <= self.span.until:
                    found[each.date] = each
                    rules.setdefault(each.date, self._id(rule))
        # Of what comes in days no month is told.
        days = [on for on in found if found[on].unit == "日"]
        first = sorted(days or found)[:MOST]
        return [found[on] for on in first], tuple(dict.fromkeys(rules[on] for on in first))

    def behind_limit(self) -> list[Period]:
        """The days of 应期 behind the limit, or else the months or years, in their order."""
        units = ("日", "月", "年")
        behind = (
            [each for each in self._dated(unit, beyond=True) if each.date > self.span.limit] for unit in units
        )
        return sorted(next(filter(None, behind), []), key=lambda each: each.begins)

    @staticmethod
    def listed(spans: Sequence[Period]) -> list[FactPhrase]:
        """Days, months or years in words, one after the other."""
        return [_span(each) for each in spans]

    def _say(self, key: str, spans: Sequence[Period], weight: float = 2) -> None:
        """Dates, the likelier first."""
        values: dict[str, Any] = dict(zip(("dates", "second"), map(_span, spans), strict=False))
        facts = list(dict.fromkeys(f"ly.date.{span.branch.value}" for span in spans))
        if spans[1:]:
            key += ".two" if spans[0].begins < spans[1].begins else ".two.later"
        self.cast.say(key, *self.ids, *facts, weight=weight, **values)

    @cached_property
    def likely(self) -> dict[Branch, str]:
        """The branches that are told, the likelier first, each with how it answers: of each way in which a rule is answered,
        in the order of the rule, the branch that comes first (《增删卜易·应期章》)."""
        ways: dict[str, list[Branch]] = {}
        for rule in self.rules:
            for branch in self._answering(rule):
                ways.setdefault(self._way(rule, branch), []).append(branch)
        found: dict[Branch, str] = {}
        for way, branches in ways.items():
            found.setdefault(min(branches, key=self._ahead), way)
        for way, branches in ways.items():
            found |= {branch: way for branch in sorted(branches, key=self._ahead) if branch not in found}
        # What would complete a 三合 that stands against the subject comes after what does not.
        order = sorted(found, key=lambda branch: self.held is not None and branch in self.tiring)
        return {branch: found[branch] for branch in order[:MOST]}

    def _answering(self, rule: TimingTrigger) -> list[Branch]:
        """The branches of a rule that can bring what is waited for: not those of this day and month where others are left,
        and nothing that only clashes with a line in its season, which a clash does not scatter."""
        if not rule.ails:
            return [branch for branch in rule.branches if branch not in self._pressing_branches]
        # The day of what presses feeds it, whatever else it does.
        kept = [
            branch
            for branch in rule.branches
            if branch not in self._pressing_branches
            and not (rule.trigger == _CHECKED and self._is_vain(branch))
        ]
        filled = self.cast.subject.state.branch if rule.trigger == _VOID else None
        fresh = [branch for branch in kept if branch not in self._present or branch is filled]
        return fresh or kept

    def _is_vain(self, branch: Branch) -> bool:
        """Whether a branch clashes with what presses, which is in its season, and does not control it."""
        pressing = [] if self.held is not None and self.held.kind == "helper" else self._pressing
        return (
            bool(pressing)
            and branch.element.controls is not pressing[0].element
            and all(own.is_prosperous for own in pressing if clash(branch) is own.branch)
        )

    @cached_property
    def _pressing_branches(self) -> frozenset[Branch]:
        """The branches of the lines of 忌神, which press on their own days even while they are still, and those of a 三合
        that stands against the subject."""
        cast = self.cast
        role = cast.found.yongshen.roles.get("忌神")
        found = {line.state.branch for line in role.lines} if role else set[Branch]()
        for each in cast.found.trines:
            if is_whole(each) and cast.bearing(Element(each.element))[0] == "harmer":
                found |= {Branch(sign) for sign in each.branches}
        return frozenset(found)

    @property
    def _pressing(self) -> list[State]:
        """What presses on the subject: the branch it turns into, or the lines of 忌神 that act."""
        line = self.cast.subject.line
        if self.held is not None and self.held.kind == "turned" and line is not None and line.turned:
            return [line.turned.state]
        return [each.state for each in acting(self.cast.found.lines, self.cast.subject, "harmer")]

    @cached_property
    def tiring(self) -> frozenset[Branch]:
        """The members that a 三合 still waits for which would stand against the subject or tire it."""
        cast = self.cast
        return frozenset(
            Branch(sign)
            for each in cast.found.trines
            if each.missing and not each.filled_by and cast.bearing(Element(each.element))[0] in _TIRES
            for sign in each.missing
        )

    def _way(self, rule: TimingTrigger, branch: Branch) -> str:
        """How a branch answers a rule: it is the line's own, clashes with it, feeds it, and so on."""
        own, kind = self.cast.subject.state, self.held.kind if self.held is not None else ""
        line = self.cast.subject.line
        if kind == "helper":
            return "helper"
        if kind in _OF_TARGET and line is not None and line.turned is not None:
            if kind == "turned":
                return "turned.clashes" if clash(branch) is line.turned.state.branch else "turned.checks"
            return "turned.frees" if kind == "backed" else "turned.mends"
        if rule.trigger in (_STORED, _BOUND):
            return "opens.store" if rule.trigger == _STORED else "opens.bond"
        if rule.trigger == _CHECKED:
            is_met = any(clash(branch) is each.branch for each in self._pressing)
            return "frees" if is_met else "checks"
        if rule.trigger == _TOO_STRONG and branch is tomb(own.element):
            return "stores"
        if branch is own.branch:
            return "own"
        if clash(branch) is own.branch:
            return "clashes"
        if combination(branch) is own.branch:
            return "combines"
        if branch.element is own.element:
            return "prospers" if rule.trigger == _TOO_WEAK else "stores"
        return "feeds" if branch.element.generates is own.element else "stores"

    def _ahead(self, branch: Branch) -> int:
        """How many days ahead of the cast a branch comes next."""
        return (branch.index - self.cast.day.index - 1) % 12

    @property
    def ids(self) -> list[str]:
        if self.held is not None and self.held.rule is not None and self.held.kind != "own":
            return [self.held.rule_id]
        return [self._id(rule) for rule in self.rules]

    def _id(self, rule: TimingTrigger) -> str:
        if self.held is not None and rule is self.held.rule:
            return self.held.rule_id
        return f"ly.timing.{self.cast.found.timing.index(rule) + 1}"

    @property
    def _facts_of_line(self) -> tuple[str, ...]:
        return self.held.facts if self.held is not None else ()

    def _dated(self, unit: str, beyond: bool = False) -> list[Period]:
        """The next day, month or year of each branch that is told, the likelier first, within the years that are asked
        about, or beyond them."""
        if unit == "日" and self._is_slow:
            return []
        coming = {
            period for when in self.rules for period in self.cast.found.dates(when)
            if period.unit == unit and (bool(self.span.until) and period.date > self.span.until) is beyond
            and period.date >= self.span.since
        }  # fmt: skip
        in_order = sorted(coming, key=lambda each: each.begins)
        first = (next((each for each in in_order if each.branch is branch), None) for branch in self.likely)
        return [each for each in first if each]


def _span(period: Period) -> FactPhrase:
    """A day, month or year in words, with its branch."""
    if period.unit == "日":
        return FactPhrase("dates.nearest", (((period.date, period.branch.value),),))
    key = {"月": "dates.months", "年": "dates.years"}[period.unit]
    return FactPhrase("cast.comes", ((FactPhrase(key, (period.branch.value, period.begins)),),))
