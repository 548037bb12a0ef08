"""Whether what is asked leans to come before a day that is named as a limit: before Christmas, 年底前, in time for 2 May.

The lean is that of the verdict; what lies before the limit is told by 应期 from the day of the cast on
(《增删卜易·应期章》). What takes place on a day that is named has no 应期 before it; of anything else such a day takes
none away.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazi_core.alphabet import PILLARS
from bazi_core.facts import Fact
from bazi_core.liuyao.calendar import effective_date
from bazi_core.liuyao.matters import AFTER, EVENT, LAW, YEAR_END, names
from bazi_core.questions.days import day_named, running_span
from bazi_core.questions.heard import heard, wording
from bazi_core.questions.intent import asking
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import OPEN
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.dates import Period
    from bazi_core.speech.statements.cast_words import CastDraft

LIMIT = "ly.limit"
# Topics, and the kind of question, of what takes place on the day that is named.
_ON_ITS_DAY, _MATCH = ("study", "travel", "weather", LAW), "对手"
_INTERVIEW = wording("面试|见工|笔试|复试", "interviews?")


class Span(NamedTuple):
    """The first and the last day that are asked about, and the limit before which something is to come; "" for none."""

    since: str = ""
    until: str = ""
    limit: str = ""


class LimitedTimes(Protocol):
    """应期 of a cast, by what of it lies before and behind the limit."""

    span: Span
    told: set[str]

    @property
    def ids(self) -> list[str]: ...

    is_pressed: bool

    def within_limit(self) -> list[Period]: ...

    def passed_over(self) -> tuple[list[Period], tuple[str, ...]]: ...

    def behind_limit(self) -> list[Period]: ...

    @staticmethod
    def listed(spans: Sequence[Period]) -> list[FactPhrase]: ...


def day_of(cast: CastDraft) -> date:
    """The date of a cast on its own clock."""
    moment = cast.chart.moment
    assert moment is not None
    return effective_date(moment, cast.chart.school)


def span_of(cast: CastDraft) -> Span:
    """The days that a question asks about: the years that it names, those up to a limit, or those from a day on."""
    if cast.chart.moment is None:
        return Span()
    today, asked = day_of(cast), cast.intent
    if names(cast.asked, YEAR_END):
        return Span(until=f"{today.year}-12-31", limit=f"{today.year}-12-31")
    named = day_named(cast.asked, today)
    if named is not None and named.is_limit:
        # The last day of a month is within it; what is to come before another day comes on the one before.
        is_end = (named.day + timedelta(days=1)).day == 1
        last = named.day if is_end else named.day - timedelta(days=1)
        return Span(until=last.isoformat(), limit=named.day.isoformat())
    if cast.matter.form == EVENT and cast.asked:
        ends = next(filter(None, (running_span(each, today) for each in asking(cast.asked))), None)
        if ends is not None:
            return Span(until=ends.isoformat(), limit=ends.isoformat())
    if asked is not None and asked.horizon in ("year", "years"):
        years = asked.years_from(today.year)
        return Span(f"{min(years)}-01-01", f"{max(years)}-12-31") if years else Span()
    if named is not None and _takes_place(cast):
        return Span(since=named.day.isoformat())
    return Span()


def _takes_place(cast: CastDraft) -> bool:
    """Whether what is asked takes place on the day that is named: an exam, a journey, a match, an interview to come."""
    if cast.matter.topic in _ON_ITS_DAY or cast.found.question_type == _MATCH:
        return True
    is_ahead = cast.matter.name == "hired" and not names(cast.asked, AFTER)
    return is_ahead and _INTERVIEW.fits(heard(cast.asked or ""))


def tell_limit(cast: CastDraft, times: LimitedTimes, running: bool) -> None:
    """Whether what is asked leans to come before the limit, and the days or months of 应期 that lie before it."""
    if not times.span.limit or cast.matter.is_advised or cast.is_soon:
        return
    found = times.within_limit()
    if cast.is_of_health and not found:
        return  # of an illness no day is named, and so none is missed
    stance = "open" if cast.lean.stance == OPEN else "yes" if cast.lean.stance > OPEN else "no"
    side = {"yes": FOR if found else AGAINST, "open": NEITHER if found else AGAINST, "no": AGAINST}[stance]
    values: dict[str, Any] = {}
    facts = list(dict.fromkeys(f"ly.date.{each.branch.value}" for each in found))
    if found:
        values["dates"] = times.listed(found)
        times.told |= {each.date for each in found} if running else set()
    key = "in" if found else "out"
    if not found:
        # Days of other rules, or of what presses, that fall before the limit are on the board all the same.
        others, rules = times.passed_over()
        if others:
            key = "pressed" if times.is_pressed and stance != "open" else "early"
            values["dates"] = times.listed(others)
            facts = [*rules, *dict.fromkeys(f"ly.date.{each.branch.value}" for each in others)]
    cast.say(
        f"limit.{stance}.{key}", "ly.sign", cast.own, cast.seat, _learned(cast, times.span.limit), *times.ids, *facts,
        side=side, weight=1, limit=FactPhrase("day.one", ((times.span.limit,),)), **values,
    )  # fmt: skip


def tell_after(cast: CastDraft, times: LimitedTimes) -> None:
    """The first day, month or year of 应期 behind a limit before which there is none."""
    found = times.behind_limit()
    if not found:
        return
    cast.say(
        "times.after", _learned(cast, times.span.limit), *times.ids, f"ly.date.{found[0].branch.value}",
        limit=FactPhrase("day.one", ((times.span.limit,),)), dates=times.listed(found[:1]),
    )  # fmt: skip


def _learned(cast: CastDraft, on: str) -> str:
    """The id of the fact of the limit."""
    ahead = (date.fromisoformat(on) - day_of(cast)) // timedelta(days=1)
    pillar = PILLARS[(cast.chart.day.index + ahead) % len(PILLARS)].value
    cast.draft.learn(
        [Fact(LIMIT, "date", pillar, "named", on, "cast.named", (on, pillar), None, (), "P.named", "project")]
    )
    return LIMIT
