"""The hexagrams of a cast: what is cast, what it turns into, 六冲 and 六合, 游魂 and 归魂, 反吟 and 伏吟 of a trigram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao import marks
from bazi_core.liuyao.hexagrams import CLASHING, COMBINING
from bazi_core.liuyao.matters import LAW
from bazi_core.speech.plan import AGAINST, NEITHER
from bazi_core.speech.statements.cast_turns import side_of
from bazi_core.speech.statements.cast_words import ALL_LINES, word

if TYPE_CHECKING:
    from bazi_core.speech.catalogue import Term
    from bazi_core.speech.statements.cast_words import CastDraft


def tell_hexagrams(cast: CastDraft) -> None:
    """The hexagram, what it turns into, and what it is classed as."""
    chart = cast.chart
    named: dict[str, Any] = {"primary": word(chart.primary.full_name)}
    of = ("ly.gua.primary",)
    if chart.moving:
        cast.say("hexagram.moving", *of, "ly.gua.target", target=word(chart.target.full_name), **named)
    else:
        cast.say("hexagram.still", *of, *ALL_LINES, **named)
    for tag in chart.primary.tags:
        _tag(cast, tag, named["primary"])


def _tag(cast: CastDraft, tag: str, primary: Term) -> None:
    """六冲 and 六合, which go by what they turn into where they turn; 游魂 and 归魂."""
    chart, key, side = cast.chart, f"tag.{tag}", NEITHER
    if cast.is_of_health:
        return  # which is read as no name of an illness
    if tag in (CLASHING, COMBINING):
        if marks.transition(chart.primary, chart.target):
            return
        if cast.is_lost and tag == COMBINING and (cast.is_within("outer") or cast.is_parted):
            return  # the outer trigram says that it is further off, and a clash that it was moved
        tail = ".law" if cast.matter.topic == LAW else ".lost" if cast.is_lost else ""
        key, side = f"{key}{tail}", side_of(cast, tag == CLASHING)
    cast.say(key, "ly.gua.primary", f"ly.gua.tag.{tag}", side=side, primary=primary, tag=word(tag))


def tell_turned_halves(cast: CastDraft) -> None:
    """反吟 and 伏吟 of a trigram that the subject is not in; of its own the verdict tells."""
    chart = cast.chart
    for half, kind in marks.fan_fu(chart.primary, chart.target).items():
        if kind and not cast.is_within(half):
            name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{half}"
            where = word("内卦" if half == "inner" else "外卦")
            cast.say(f"turning.{kind}", name, side=AGAINST, part=where, mark=word(kind))
