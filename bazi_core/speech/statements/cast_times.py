"""应期 in words: which rule it is read from, and at most two branches with their dates, the likelier first.

What ails the subject, and was told of it, is answered (broken, void, stored, bound, too weak); where nothing does, the
rules for every line hold: its own branch, what clashes or combines with it (《增删卜易·应期章》). No date beyond
the years that are asked about is given as an answer, and no day where an illness or a pregnancy is asked about.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.calendar import effective_date
from bazi_core.liuyao.force import able, acting
from bazi_core.liuyao.hexagrams import clash, combination
from bazi_core.liuyao.marks import tomb
from bazi_core.liuyao.matters import HEALTH
from bazi_core.speech.catalogue import Phrase
from bazi_core.speech.plan import FOR
from bazi_core.speech.statements.cast_words import EXPECTING, OPEN, branch_sign, store_of, word
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.dates import Period
    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.speech.catalogue import Sign
    from bazi_core.speech.statements.cast_words import CastDraft

_TOO_STRONG, _TOO_WEAK, _STORED, _BROKEN, _CHECKED = (
    "太旺逢墓冲",
    "衰绝逢生旺",
    "入墓冲开",
    "月破填合",
    "受克待制",
)
# So many branches are told, the likelier first.
MOST = 2


class Times:
    """The rules of 应期 that are told of a cast, and when their branches come."""

    def __init__(self, cast: CastDraft) -> None:
        self.cast = cast
        own = [each for each in cast.found.timing if each.rests_on == (cast.own,)]
        ailing = [each for each in own if each.ails and self._is_told(each)]
        first = sorted(ailing, key=lambda each: each.ails)[:1]
        # Strength holds nothing back.
        self.is_ailing = bool(first) and first[0].trigger != _TOO_STRONG
        self.rules = first or [each for each in own if not each.ails]
        asked, moment = cast.intent, cast.chart.moment
        self.asks_when = asked is not None and asked.kind == "when"
        # The first and the last day that are asked about.
        self.since = self.until = ""
        if asked is not None and moment is not None and asked.horizon in ("year", "years"):
            years = asked.years_from(int(_day_of(cast)[:4]))
            self.until = f"{max(years)}-12-31" if years else ""
            self.since = f"{min(years)}-01-01" if years else ""

    def _is_told(self, rule: TimingTrigger) -> bool:
        """Whether the text says what ails the subject by this rule; what the month breaks is not too strong, though of its
        element, a store that the day fills with support holds nothing back, and the branch of the day is not told as
        broken."""
        subject = self.cast.subject
        if rule.trigger == _TOO_STRONG:
            return not subject.state.month_broken
        if rule.trigger == _STORED:
            return self.cast.turns_to_store or store_of(self.cast) is not None
        if rule.trigger == "合住冲开":
            return subject.moving  # what is still is raised by a combination, not held
        if rule.trigger == "旬空填冲":
            return not self.cast.is_filled
        if rule.trigger == _CHECKED:
            return self._is_checked
        if rule.trigger == _BROKEN:
            return subject.source == "line" or "临" not in subject.state.day
        return True

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
        """Whether it is an illness or a pregnancy, of which no day is named."""
        return self.cast.matter.topic == HEALTH or self.cast.found.question_type in EXPECTING

    def short(self) -> None:
        """When, in one sentence: the likelier dates."""
        ids, found = self._ids, self._dated("日") or self._dated("月")
        if found:
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
        key, ids = "first" if self.is_ailing else "only", self._ids
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
            f"times.{key}{'.stir' if self._mood == 'stir' else ''}",
            *ids,
            triggers=triggers,
            how=how,
            weight=1,
        )
        days = self._dated("日")
        if days:
            self._say("times.days", days, weight=1)
        # A near matter is told in days, a far one in months (《增删卜易·应期章》).
        months = [] if days else self._dated("月")
        beyond = [] if months or days else self._dated("月", beyond=True)[:1]
        years = self._dated("年") if self.asks_when and not self.until else []
        for name, spans in (("months", months), ("beyond", beyond), ("years", years)):
            if spans:
                self._say(f"times.{name}", spans)
        if self.cast.chart.moment is None:
            self.cast.say("units", *ids)

    def _say(self, key: str, spans: Sequence[Period], weight: float = 2) -> None:
        """Dates, the likelier first."""
        values: dict[str, Any] = dict(zip(("dates", "second"), map(_span, spans), strict=False))
        facts = list(dict.fromkeys(f"ly.date.{span.branch.value}" for span in spans))
        if spans[1:]:
            key += ".two" if spans[0].begins < spans[1].begins else ".two.later"
        self.cast.say(key, *self._ids, *facts, weight=weight, **values)

    @cached_property
    def likely(self) -> dict[Branch, str]:
        """The branches that are told, the likelier first, each with how it answers: of each way in which a rule is answered,
        in the order of the rule, the branch that comes first (《增删卜易·应期章》)."""
        ways: dict[str, list[Branch]] = {}
        for rule in self.rules:
            for branch in rule.branches:
                ways.setdefault(self._way(rule, branch), []).append(branch)
        found: dict[Branch, str] = {}
        for way, branches in ways.items():
            found.setdefault(min(branches, key=self._ahead), way)
        for way, branches in ways.items():
            found |= {branch: way for branch in sorted(branches, key=self._ahead) if branch not in found}
        return dict([*found.items()][:MOST])

    def _way(self, rule: TimingTrigger, branch: Branch) -> str:
        """How a branch answers a rule: it is the line's own, clashes with it, feeds it, and so on."""
        own = self.cast.subject.state
        if rule.trigger in (_STORED, "合住冲开"):
            return "opens.store" if rule.trigger == _STORED else "opens.bond"
        if rule.trigger == _CHECKED:
            return "frees" if clash(branch).element.controls is own.element else "checks"
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
    def _ids(self) -> list[str]:
        return [f"ly.timing.{self.cast.found.timing.index(rule) + 1}" for rule in self.rules]

    def _dated(self, unit: str, beyond: bool = False) -> list[Period]:
        """The next day, month or year of each branch that is told, the likelier first, within the years that are asked
        about, or beyond them."""
        if unit == "日" and self._is_slow:
            return []
        coming = {
            period for when in self.rules for period in self.cast.found.dates(when)
            if period.unit == unit and (bool(self.until) and period.date > self.until) is beyond
            and period.date >= self.since
        }  # fmt: skip
        in_order = sorted(coming, key=lambda each: each.begins)
        first = (next((each for each in in_order if each.branch is branch), None) for branch in self.likely)
        return [each for each in first if each]


def _day_of(cast: CastDraft) -> str:
    """The date of a cast on its own clock."""
    moment = cast.chart.moment
    assert moment is not None
    return effective_date(moment, cast.chart.school).isoformat()


def _span(period: Period) -> FactPhrase:
    """A day, month or year in words, with its branch."""
    if period.unit == "日":
        return FactPhrase("dates.nearest", (((period.date, period.branch.value),),))
    key = {"月": "dates.months", "年": "dates.years"}[period.unit]
    return FactPhrase("cast.comes", ((FactPhrase(key, (period.branch.value, period.begins)),),))
