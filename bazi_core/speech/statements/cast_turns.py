"""What six clashes and six harmonies say of a cast, and 反吟 and 伏吟 of the trigram of the 用神 (`turns.csv`).

六冲 and 六合 turn into each other (《增删卜易·六冲章》《六合章》); where they do not, month or day may clash with the
用神 of a hexagram of six harmonies (合处逢冲, settled and yet apart in the end) or combine with that of six clashes
(冲中逢合, apart and yet together again): 《卜筮正宗·合处逢冲冲中逢合论》. What clashes scatters, which suits a dispute.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.liuyao import marks
from bazi_core.liuyao.hexagrams import CLASHING, COMBINING
from bazi_core.liuyao.matters import HEALTH, LAW
from bazi_core.speech.catalogue import Najia
from bazi_core.speech.plan import AGAINST, FOR
from bazi_core.speech.statements.cast_words import CastDraft, Omen, word
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator


# Told of a thing in its own words: nobody comes to terms with it.
_OF_THINGS = ("六合逢冲", "六冲逢合", "六合变六冲", "六合变六合", "六冲变六合", "变六冲")


def side_of(cast: CastDraft, clashes: bool) -> str:
    """On which side it stands that things clash, or hold together: what clashes scatters, which suits a dispute."""
    return FOR if clashes is (cast.matter.topic == LAW) else AGAINST


def of_turns(cast: CastDraft) -> Iterator[Omen]:
    """The marks of the hexagrams; of an illness clashes and harmonies are read by how long it has lasted."""
    if cast.matter.topic != HEALTH:
        yield from _of_clashes(cast)
    chart = cast.chart
    if marks.gua_fan_yin(chart.primary, chart.target):
        # All goes over into its opposite (《增删卜易·反伏章》).
        named = {
            name: word(each.full_name)
            for name, each in (("primary", chart.primary), ("target", chart.target))
        }
        yield Omen("卦反吟", AGAINST, ("ly.gua.primary", "ly.gua.target"), named)
    for half, kind in marks.fan_fu(chart.primary, chart.target).items():
        if kind and cast.is_within(half):
            name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{half}"
            where = word("内卦" if half == "inner" else "外卦")
            yield Omen(kind, AGAINST, (name, cast.seat), {"who": cast.who, "part": where, "mark": word(kind)})


def _of_clashes(cast: CastDraft) -> Iterator[Omen]:
    chart = cast.chart
    changed = marks.transition(chart.primary, chart.target)
    if changed:
        yield _omen(cast, changed, ("ly.gua.transition",), {"mark": word(changed)})
        return
    if chart.moving and CLASHING in chart.target.tags:
        yield _omen(cast, "变六冲", ("ly.gua.target",), {"target": word(chart.target.full_name)})
        return
    for tag, turn, marked in ((COMBINING, "六合逢冲", ("冲", "破")), (CLASHING, "六冲逢合", ("合",))):
        by = _met(cast, marked) if tag in chart.primary.tags else None
        if by is not None:
            name, fact = by
            branch = cast.day if name == "日辰" else cast.month
            values = {
                "primary": word(chart.primary.full_name),
                "tag": word(tag),
                "who": cast.who,
                "by": word(name),
            }
            facts = (f"ly.gua.tag.{tag}", fact, cast.own, cast.seat)
            yield _omen(cast, turn, facts, values | {"branch": Najia(branch.value)})


def _met(cast: CastDraft, marked: tuple[str, ...]) -> tuple[str, str] | None:
    """The day or else the month that meets the 用神 so, with its fact; what moves is held by a combination, not mended."""
    own = cast.subject.state
    if cast.subject.source != "line" or (cast.subject.moving and marked == ("合",)):
        return None
    if {*marked} & {*own.day}:
        return "日辰", "ly.richen"
    return ("月建", "ly.yuejian") if {*marked} & {*own.month} else None


def _omen(cast: CastDraft, turn: str, facts: tuple[str, ...], values: dict[str, Any]) -> Omen:
    row = _turns()[turn]
    side = side_of(cast, row["clash"] == "1")
    tail = ".law" if cast.matter.topic == LAW else ".lost" if turn in _OF_THINGS and cast.is_lost else ""
    return Omen(row["key"] + tail, side, facts, values)


@cache
def _turns() -> dict[str, dict[str, str]]:
    return {row["turn"]: row for row in rows("liuyao/turns")}
