"""Where a thing or an animal is that was lost: quarter, house or outside, what covers it, and whether a hand was in it.

《卜筮正宗·失物》: the inner trigram is the house and the outer what lies outside it; 官鬼 that stirs is somebody who took
it or had it in hand; a thing that enters its store is shut in something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.liuyao import marks
from bazi_core.liuyao.force import is_broken, is_empty
from bazi_core.liuyao.matters import ACCUSED, IN_HOUSE, OUTSIDE, STILL_IN, names
from bazi_core.liuyao.places import place_of
from bazi_core.liuyao.yongshen import SHI
from bazi_core.speech.catalogue import LinePlace, Phrase
from bazi_core.speech.statements.cast_words import store_of, word

if TYPE_CHECKING:
    from bazi_core.speech.statements.cast_words import CastDraft


def tell_place(cast: CastDraft, brief: bool = False) -> None:
    """Where a thing is that was lost: quarter and kind of place, inside or outside; unless in brief what covers it."""
    if not cast.is_lost or cast.found.yongshen.undecided:
        return
    where, facts = place_of(cast.chart, cast.subject, cast.found.hidden), (cast.own, cast.seat)
    quarter = Phrase(f"cast.quarter.{where.quarter}", {})
    # On 世 or under it, it is with whoever asks, whichever half that is.
    is_with_self = where.line and cast.subject.position == cast.chart.primary.shi
    near = "self" if is_with_self else where.half
    if near == "outer" and names(cast.asked, IN_HOUSE) and not _asks_side(cast):
        near = "front"
    if where.line and cast.subject.target == "子孙":
        # An animal stays in no cupboard: of it the direction and near or far are told.
        half = Phrase(f"cast.half.{near}", {})
        cast.say("place.pet", *facts, "ly.gua.primary", quarter=quarter, half=half, weight=1)
        if not brief:
            _hand(cast, ".pet")
        return
    if not where.line:
        cast.say("place.quarter", *facts, quarter=quarter, weight=1)
        return
    cast.say(
        "place", *facts, "ly.gua.primary", quarter=quarter, half=Phrase(f"cast.half.{near}", {}),
        sort=Phrase(f"cast.kind.{where.trigram}", {}), spot=Phrase(f"cast.spot.{where.line}", {}), weight=1,
    )  # fmt: skip
    if not brief:
        _state_of_thing(cast, where.over)
        _hand(cast)


def tell_side(cast: CastDraft) -> None:
    """Whether it is at home or outside, where that is asked, by the inner and the outer trigram."""
    if not cast.is_lost or cast.found.yongshen.undecided or not _asks_side(cast):
        return
    where = place_of(cast.chart, cast.subject, cast.found.hidden)
    if where.line:
        is_with_self = cast.subject.position == cast.chart.primary.shi
        near = "self" if is_with_self else where.half
        cast.say(f"side.{near}", cast.own, cast.seat, "ly.gua.primary", weight=1)


def _asks_side(cast: CastDraft) -> bool:
    return names(cast.asked, IN_HOUSE) and (names(cast.asked, OUTSIDE) or names(cast.asked, STILL_IN))


def _hand(cast: CastDraft, tail: str = "") -> None:
    """官鬼 that stirs, or into which the thing turns: somebody's hand (《卜筮正宗·失物》); on 世 it is nobody's but the
    asker's own, and where a person is suspected none is told of."""
    if names(cast.asked, ACCUSED):
        return
    line, rel = cast.subject.line, word("官鬼")
    if (
        cast.subject.moving
        and line is not None
        and line.turned
        and line.turned.relation == "官鬼"
        and line.mark != SHI
        and not tail
    ):
        cast.say("thing.hand.own", cast.own, f"ly.target.{line.position}", rel=rel)
        return
    for each in cast.found.lines:
        if each.relation == "官鬼" and each.active and each.mark != SHI:
            at = f"ly.line.{each.position}"
            stirred = (f"{at}.andong",) if each.an_dong else ()
            cast.say(f"thing.hand{tail}", at, *stirred, rel=rel, place=LinePlace(each.position))
            return


def _state_of_thing(cast: CastDraft, over: str) -> None:
    """What covers the thing, stores it or moved it (《卜筮正宗·失物》); the weightiest alone."""
    subject, at = cast.subject, f"ly.line.{cast.subject.position}"
    if over == "own":
        cast.say("thing.under", cast.own, cast.seat)
    elif over and not (over == "taken" and names(cast.asked, ACCUSED)):
        cast.say("thing.hidden", cast.own, cast.seat, over=Phrase(f"cast.over.{over}", {}))
    elif is_empty(subject.state) or is_broken(subject.state):
        cast.say("thing.void", cast.own, cast.seat)
    elif store_of(cast) is not None or cast.turns_to_store or _is_by_store(cast):
        cast.say("thing.stored", cast.own, cast.seat)
    elif subject.source == "line" and "合" in subject.state.day:
        cast.say("thing.covered", cast.own, f"{at}.day")
    elif subject.moving or (subject.source == "line" and subject.state.day_clashed):
        cast.say("thing.moved", cast.own, cast.seat)
    elif subject.source == "line":
        cast.say("thing.still", cast.own, cast.seat)


def _is_by_store(cast: CastDraft) -> bool:
    """Whether a line that stirs is the store of the thing: that it is held itself takes nothing from where the thing
    lies."""
    store = marks.tomb(cast.subject.state.element)
    return any(each.active and each.state.branch is store for each in cast.found.lines)
