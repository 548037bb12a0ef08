"""The day on which what is asked takes place: what its branch is to the line that is judged.

A day feeds, presses, clashes with and binds a line as 日辰 does (《增删卜易·日辰章》); that the day of the event is looked
at like that of the cast is practice (P). It changes no verdict: it says what that day adds.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from bazi_core.alphabet import PILLARS
from bazi_core.facts import Fact
from bazi_core.liuyao.calendar import effective_date
from bazi_core.liuyao.hexagrams import clash, combination
from bazi_core.questions.days import day_named
from bazi_core.speech.catalogue import sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from bazi_core.alphabet import Branch, Pillar
    from bazi_core.speech.statements.cast_words import CastDraft

NAMED = "ly.named"
_SIDES = {
    "same": FOR,
    "joins": FOR,
    "feeds": FOR,
    "alike": FOR,
    "binds": AGAINST,
    "presses": AGAINST,
}
# The first day of the Christian era is a 戊戌; days are counted from it.
_FIRST = 14


def pillar_of(day: date) -> Pillar:
    """The pillar of a day.

    >>> pillar_of(date(2026, 11, 28)).value
    '丙午'
    """
    return PILLARS[(day.toordinal() + _FIRST) % len(PILLARS)]


def tell_day(cast: CastDraft) -> None:
    """What the day that is named is to the line that is judged; nothing of a limit, a month, an illness, or where nothing
    is judged."""
    moment = cast.chart.moment
    is_open = cast.is_unjudged or cast.treats or cast.is_of_health or cast.found.yongshen.undecided
    if moment is None or is_open:
        return
    named = day_named(cast.asked, effective_date(moment, cast.chart.school))
    if named is None or named.is_limit or named.is_month:
        return
    pillar, on = pillar_of(named.day), named.day.isoformat()
    cast.draft.learn(
        [Fact(NAMED, "date", pillar.value, "named", on, "cast.named", (on, pillar.value), None, (), "P.named", "project")]
    )  # fmt: skip
    key = _bears(cast, pillar.branch)
    cast.say(
        f"named_day.{key}", NAMED, cast.own, cast.seat, side=_SIDES.get(key, NEITHER), weight=1, who=cast.who,
        date=FactPhrase("day.one", ((on,),)), pillar=sign(pillar),
    )  # fmt: skip


def _bears(cast: CastDraft, branch: Branch) -> str:
    """What a branch is to the line that is judged."""
    own, element = cast.subject.state.branch, cast.subject.state.element
    if branch is own:
        return "same"
    if own is not None and clash(branch) is own:
        return "clash"
    if own is not None and combination(branch) is own:
        return "binds" if cast.subject.moving else "joins"
    if branch.element is element:
        return "alike"
    if branch.element.generates is element:
        return "feeds"
    if branch.element.controls is element:
        return "presses"
    return "drains" if element.generates is branch.element else "tires"
