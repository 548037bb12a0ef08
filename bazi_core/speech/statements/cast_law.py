"""A lawsuit: the two sides, the court, and whether a settlement can be had (《黄金策·词讼》).

世 is whoever asks, 应 the other side, and the one that stands better is the stronger; 官鬼 is the court, which leans to the
side that it feeds and against the one that it controls while it acts. A settlement is seen in what 应 and 世 are to each
other: combined, feeding or alike they come to terms; clashing, controlling or void they do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.force import ACTS, FAINT, READY
from bazi_core.liuyao.matters import LAW, SETTLE, names
from bazi_core.speech.catalogue import LinePlace, Najia
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import Omen, bond, fares, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.board import Line
    from bazi_core.speech.statements.cast_words import CastDraft

_FORCE = {ACTS: 2, FAINT: 1, READY: 1}
# Bonds of 世 and 应 in which the two come to terms.
_AGREE = ("应生世", "世应合", "世应和", "世生应")


def of_law(cast: CastDraft) -> Iterator[Omen]:
    """The stronger side of a lawsuit, and to whom the court leans."""
    if cast.matter.topic != LAW or cast.found.yongshen.undecided or cast.is_of_kin:
        return  # 世 is no side in the case of a relative
    apart = _force(cast, cast.shi) - _force(cast, cast.ying)
    if apart:
        facts, values = _sides(cast)
        yield Omen("law.self" if apart > 0 else "law.other", FOR if apart > 0 else AGAINST, facts, values)
    yield from _of_court(cast)


def tell_sides(cast: CastDraft) -> None:
    """The two sides where neither is the stronger; else that is told with the verdict."""
    if cast.matter.topic == LAW and not cast.is_of_kin and _force(cast, cast.shi) == _force(cast, cast.ying):
        facts, values = _sides(cast)
        cast.say("law.even", *facts, **values)


def settles(cast: CastDraft) -> bool:
    """Whether 世 and 应 come to terms."""
    return bond(cast.shi, cast.ying, void=True) in _AGREE


def tell_settlement(cast: CastDraft) -> None:
    """Whether a settlement can be had, where one is asked about."""
    if cast.matter.topic != LAW or not names(cast.asked, SETTLE):
        return
    lines = [f"ly.line.{each.position}" for each in (cast.shi, cast.ying)]
    key = bond(cast.shi, cast.ying, void=True)
    voids = [f"ly.line.{each.position}.void" for each in (cast.shi, cast.ying) if each.state.void]
    facts = (*lines, *voids) if key in ("应空", "俱空") else lines
    cast.say(f"settle.{key}", *facts, side=NEITHER, party=cast.party, weight=1)


def _force(cast: CastDraft, line: Line) -> int:
    return _FORCE.get(cast.standing(line).kind, 0)


def _sides(cast: CastDraft) -> tuple[tuple[str, ...], dict[str, Any]]:
    """世 and 应 by how they stand, with their facts."""
    facts: list[str] = []
    values: dict[str, Any] = {"party": cast.party}
    for name, line in (("mine", cast.shi), ("theirs", cast.ying)):
        stands, at = cast.standing(line), f"ly.line.{line.position}"
        values[name] = fares(stands, line)
        facts += [at, f"{at}.state", *stands.facts]
    return tuple(facts), values


def _of_court(cast: CastDraft) -> Iterator[Omen]:
    for line in cast.found.lines:
        sides = (("self", cast.shi), ("other", cast.ying))
        if line.relation != "官鬼" or not cast.standing(line).is_able or line in (cast.shi, cast.ying):
            continue
        for verb, side in (("feeds", FOR), ("presses", AGAINST)):
            for name, party in sides:
                element = party.state.element
                does = line.state.element.generates if verb == "feeds" else line.state.element.controls
                if does is element:
                    at, own = f"ly.line.{line.position}", f"ly.line.{party.position}"
                    stirred = (f"{at}.andong",) if line.an_dong else ()
                    values = {
                        "rel": word("官鬼"), "place": LinePlace(line.position),
                        "pillar": Najia(line.pillar.value), "party": cast.party,
                    }  # fmt: skip
                    for_self = side if name == "self" else {FOR: AGAINST, AGAINST: FOR}[side]
                    yield Omen(f"court.{verb}.{name}", for_self, (at, *stirred, own), values)
                    return
