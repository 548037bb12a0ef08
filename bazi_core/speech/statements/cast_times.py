"""应期 in words: which rule it is read from first and which beside it, the nearest days each once, and the months.

What ails the subject is answered first (broken, void, stored, bound, too weak); meeting its own branch and what clashes
or combines with it are the rules for every line (《增删卜易·应期章》). A branch that two rules name comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.speech.catalogue import Clauses, Phrase
from bazi_core.speech.statements.cast_words import branch_sign, word, words
from bazi_core.wording import Phrase as FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.dates import Period
    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.speech.statements.cast_words import CastDraft

_TOO_STRONG = "太旺逢墓冲"
MOST_DAYS, MOST_MONTHS = 4, 2


class Times:
    """The rules of 应期 that are told of a cast, in their order, and when their branches come."""

    def __init__(self, cast: CastDraft) -> None:
        self.cast = cast
        own = [each for each in cast.found.timing if each.rests_on == (cast.own,)]
        # What the month breaks is not too strong, though of its element.
        ailing = [
            each for each in own
            if each.ails and not (each.trigger == _TOO_STRONG and cast.subject.state.month_broken)
        ]  # fmt: skip
        self.first = sorted(ailing, key=lambda each: each.ails)[:1]
        # A usual rule that names no other branch says nothing new.
        told = set(_branches(self.first))
        self.usual = [each for each in own if not each.ails and not told.issuperset(each.branches)]
        self.beside = [each for each in cast.found.timing if each.rests_on != (cast.own,)][:1]
        self.rules = [*self.first, *self.usual, *self.beside]

    def short(self) -> None:
        """When, in one sentence: the nearest days of the first rules."""
        rules = self.first or self.usual
        ids, branches = self._ids(rules), _branches(rules)
        days = self._next(rules, "日")[:MOST_MONTHS]
        if days:
            self.cast.say("when.short.dated", *ids, *_dates(days), dates=_nearest(days), weight=1)
        else:
            self.cast.say("when.short", *ids, branches=[branch_sign(each) for each in branches], weight=1)

    def tell(self) -> None:
        """The rules, what they have in common, the nearest days and months."""
        for key, rules in (
            ("first", self.first),
            ("usual" if self.first else "only", self.usual),
            ("beside", self.beside),
        ):
            if rules:
                self.cast.say(
                    f"times.{key}", *self._ids(rules), rules=Clauses(tuple(map(_rule, rules))), weight=1
                )
        shared = self._shared()
        if shared and len(shared) < len(_branches(self.rules)):
            self.cast.say(
                "times.shared", *self._ids(self.rules), branches=[branch_sign(each) for each in shared]
            )
        days = self._next(self.rules, "日")[:MOST_DAYS]
        if days:
            self.cast.say("times.days", *self._ids(self.rules), *_dates(days), dates=_nearest(days), weight=1)
        for key, unit in (("months", "月"), ("years", "年")):
            spans = self._next(self.rules, unit)[:MOST_MONTHS]
            if spans:
                from_ = tuple(FactPhrase(f"dates.{key}", (each.branch.value, each.begins)) for each in spans)
                names = _dates(spans)
                self.cast.say(
                    f"times.{key}", *self._ids(self.rules), *names, dates=FactPhrase("cast.comes", (from_,))
                )
        if self.cast.chart.moment is None:
            self.cast.say("units", *self._ids(self.rules))

    def _ids(self, rules: Sequence[TimingTrigger]) -> list[str]:
        return [f"ly.timing.{self.cast.found.timing.index(each) + 1}" for each in rules]

    def _shared(self) -> list[Branch]:
        """The branches that more than one of the rules names."""
        named = [branch for each in self.rules for branch in dict.fromkeys(each.branches)]
        return list(dict.fromkeys(each for each in named if named.count(each) > 1))

    def _next(self, rules: Sequence[TimingTrigger], unit: str) -> list[Period]:
        """The next day, month or year of each branch of these rules, the nearest first."""
        coming = {period for when in rules for period in self.cast.found.dates(when) if period.unit == unit}
        found: dict[Branch, Period] = {}
        for each in sorted(coming, key=lambda each: each.begins):
            found.setdefault(each.branch, each)
        return [*found.values()]


def _branches(rules: Sequence[TimingTrigger]) -> list[Branch]:
    return list(dict.fromkeys(branch for each in rules for branch in each.branches))


def _rule(when: TimingTrigger) -> Phrase:
    named: dict[str, Any] = {
        "trigger": word(when.trigger), "branches": [branch_sign(each) for each in when.branches],
    }  # fmt: skip
    return Phrase("cast.times.rule", words(**named))


def _dates(those: Sequence[Period]) -> list[str]:
    return list(dict.fromkeys(f"ly.date.{each.branch.value}" for each in those))


def _nearest(days: Sequence[Period]) -> FactPhrase:
    return FactPhrase("dates.nearest", (tuple((each.date, each.branch.value) for each in days),))
