"""应期 in words: which rule it is read from, the nearest days each once, and the months.

What ails the subject, and was told of it, is answered (broken, void, stored, bound, too weak); where nothing does, the
rules for every line hold: its own branch, what clashes or combines with it (《增删卜易·应期章》). No date beyond
the years that are asked about is given as an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.calendar import effective_date
from bazi_core.speech.catalogue import Clauses, Phrase
from bazi_core.speech.statements.cast_words import branch_sign, store_of, word, words
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.dates import Period
    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.speech.statements.cast_words import CastDraft

_TOO_STRONG, _STORED, _BROKEN = "太旺逢墓冲", "入墓冲开", "月破填合"
MOST_DAYS, MOST_MONTHS = 4, 2


class Times:
    """The rules of 应期 that are told of a cast, and when their branches come."""

    def __init__(self, cast: CastDraft) -> None:
        self.cast = cast
        own = [each for each in cast.found.timing if each.rests_on == (cast.own,)]
        ailing = [each for each in own if each.ails and self._is_told(each)]
        first = sorted(ailing, key=lambda each: each.ails)[:1]
        self.is_ailing = bool(first)
        self.rules = first or [each for each in own if not each.ails]
        asked, moment = cast.intent, cast.chart.moment
        self.asks_when = asked is not None and asked.kind == "when"
        # The last day that is asked about.
        self.until = ""
        if asked is not None and moment is not None and asked.horizon in ("year", "years"):
            years = asked.years_from(int(_day_of(cast)[:4]))
            self.until = f"{max(years)}-12-31" if years else ""

    def _is_told(self, rule: TimingTrigger) -> bool:
        """Whether the text says what ails the subject by this rule; what the month breaks is not too strong, though of its
        element, a store that the day fills with support holds nothing back, and the branch of the day is not told as
        broken."""
        subject = self.cast.subject
        if rule.trigger == _TOO_STRONG:
            return not subject.state.month_broken
        if rule.trigger == _STORED:
            return "化墓" in subject.changes or store_of(self.cast) is not None
        if rule.trigger == _BROKEN:
            return subject.source == "line" or "临" not in subject.state.day
        return True

    def short(self) -> None:
        """When, in one sentence: the nearest days."""
        ids, branches = self._ids, _branches(self.rules)
        days = self._next("日")[:MOST_MONTHS]
        if days:
            self.cast.say("when.short.dated", *ids, *_dates(days), dates=_nearest(days), weight=1)
        else:
            self.cast.say("when.short", *ids, branches=[branch_sign(each) for each in branches], weight=1)

    def tell(self) -> None:
        """The rules, the nearest days and months, and years where it is asked when a far matter comes."""
        key, ids = "first" if self.is_ailing else "only", self._ids
        self.cast.say(f"times.{key}", *ids, rules=Clauses(tuple(map(_rule, self.rules))), weight=1)
        days = self._next("日")[:MOST_DAYS]
        if days:
            self.cast.say("times.days", *ids, *_dates(days), dates=_nearest(days), weight=1)
        months = self._next("月")[:MOST_MONTHS]
        beyond = [] if months else self._next("月", beyond=True)[:1]
        years = self._next("年")[:MOST_MONTHS] if self.asks_when and not self.until else []
        for key, unit, spans in (
            ("months", "months", months),
            ("beyond", "months", beyond),
            ("years", "years", years),
        ):
            if spans:
                from_ = tuple(FactPhrase(f"dates.{unit}", (each.branch.value, each.begins)) for each in spans)
                self.cast.say(f"times.{key}", *ids, *_dates(spans), dates=FactPhrase("cast.comes", (from_,)))
        if self.cast.chart.moment is None:
            self.cast.say("units", *ids)

    @property
    def _ids(self) -> list[str]:
        return [f"ly.timing.{self.cast.found.timing.index(each) + 1}" for each in self.rules]

    def _next(self, unit: str, beyond: bool = False) -> list[Period]:
        """The next day, month or year of each branch of the rules, the nearest first, within the years that are asked about,
        or beyond them."""
        coming = {
            period for when in self.rules for period in self.cast.found.dates(when)
            if period.unit == unit and (bool(self.until) and period.date > self.until) is beyond
        }  # fmt: skip
        found: dict[Branch, Period] = {}
        for each in sorted(coming, key=lambda each: each.begins):
            found.setdefault(each.branch, each)
        return [*found.values()]


def _day_of(cast: CastDraft) -> str:
    """The date of a cast on its own clock."""
    moment = cast.chart.moment
    assert moment is not None
    return effective_date(moment, cast.chart.school).isoformat()


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
