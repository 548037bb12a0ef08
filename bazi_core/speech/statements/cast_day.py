"""The day on which what is asked takes place: what its branch is to the line that is judged.

A day feeds, presses, clashes with and binds a line as 日辰 does (《增删卜易·日辰章》); that the day of the event is looked
at like that of the cast is practice (P). It changes no verdict: it says what that day adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import PILLARS
from bazi_core.facts import Fact
from bazi_core.liuyao.hexagrams import clash, combination
from bazi_core.questions.days import day_named
from bazi_core.speech.catalogue import sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_limits import day_of
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from bazi_core.alphabet import Branch
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


def tell_day(cast: CastDraft) -> None:
    """What the day that is named is to the line that is judged; nothing of a limit, a month, an illness, of what is lost,
    or where nothing is judged."""
    moment = cast.chart.moment
    is_open = (
        cast.is_lost or cast.is_unjudged or cast.treats or cast.is_of_health or cast.found.yongshen.undecided
    )
    if moment is None or is_open:
        return
    today = day_of(cast)
    named = day_named(cast.asked, today)
    if named is None or named.is_limit or named.is_month:
        return
    ahead = (named.day - today).days
    pillar, on = PILLARS[(cast.chart.day.index + ahead) % len(PILLARS)], named.day.isoformat()
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
