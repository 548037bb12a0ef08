"""A question about the decades themselves: which runs and until when, what comes after it, and which are the best.

《滴天髓·岁运》: 休囚系乎运. The dates are told once; the walk through all decades follows in its own section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.pattern.walk import COMING, GOOD, NOW
from bazi_core.speech.catalogue import Nth, Phrase, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING, NEITHER
from bazi_core.speech.statements.asked import DECADE
from bazi_core.speech.statements.timing import day
from bazi_core.speech.statements.walk import LONG_LIFE, entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.decades import LuckCycle
    from bazi_core.luck.running import Running
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked

_OF = ("timing", "general")
_OF_BEST = ("when", "which", "compare")
_SIDES = {"good": FOR, "hard": AGAINST}
_MOST = 3


def is_of_decades(asked: Asked) -> bool:
    """Whether the decades themselves are asked about, and no side of life or year."""
    return asked.horizon == DECADE and asked.domain in _OF and not asked.years and asked.subject == "self"


def of_decades(draft: Draft, asked: Asked, decades: Sequence[Decade], running: Running) -> bool:
    """The running decade with the day of its change and the next one; whether anything could be said.

    Where the best is asked for, those that lean one's way come too.
    """
    dated = [decade for decade in decades if decade.cycle.start_at is not None]
    now = next((each for each in dated if each.time(running) == NOW), None)
    coming = [each for each in dated if each.time(running) == COMING]
    if now is not None:
        _one(draft, "now", now)
    elif coming and coming[0] is dated[0]:
        _one(draft, "first", coming.pop(0))
    else:
        return False
    if coming and (coming[0].cycle.start_age_full or 0) < LONG_LIFE:
        _one(draft, "next", coming[0])
    if asked.kind in _OF_BEST:
        _best(draft, [each for each in dated if (each.cycle.start_age_full or 0) < LONG_LIFE])
    return True


def change(draft: Draft, decades: Sequence[Decade], running: Running) -> None:
    """Until when the running decade lasts and what comes then, beside an answer that tells when something eases."""
    at = next((n for n, each in enumerate(decades) if each.time(running) == NOW), len(decades))
    pair = decades[at : at + 2]
    if len(pair) < 2 or pair[1].cycle.start_at is None or (pair[1].cycle.start_age_full or 0) >= LONG_LIFE:
        return
    now, then = pair
    ids = (
        now.fact_id,
        "dy.now",
        *now.role_ids,
        then.fact_id,
        f"{then.fact_id}.age",
        *then.role_ids,
        "dy.start",
    )
    draft.add(
        "answer.decades.change", *ids, weight=1, certainty=LEANING, pillar=sign(now.cycle.pillar),
        tone=Phrase(f"tone.{now.tone}", {}), change=day(pair[1].cycle.start_at), next=sign(then.cycle.pillar),
        then=Phrase(f"tone.{then.tone}", {}),
    )  # fmt: skip


def _one(draft: Draft, key: str, found: Decade) -> None:
    cycle, own = found.cycle, found.fact_id
    ids = (own, f"{own}.age", "dy.start", *found.role_ids, *(("dy.now",) if key == "now" else ()))
    draft.add(
        f"answer.decades.{key}", *ids, weight=1, required=True, certainty=LEANING,
        side=_SIDES.get(found.tone, NEITHER), n=cycle.index + 1, nth=Nth(cycle.index + 1), pillar=sign(cycle.pillar),
        tone=Phrase(f"tone.{found.tone}", {}), **entry(cycle),
    )  # fmt: skip


def _best(draft: Draft, decades: Sequence[Decade]) -> None:
    """The decades that lean one's way."""
    found = [decade for decade in decades if decade.tone == GOOD][:_MOST]
    if found:
        ids = (name for each in found for name in (each.fact_id, *each.role_ids))
        draft.add(
            "answer.decades.best",
            *ids,
            weight=1,
            certainty=LEANING,
            decades=[_named(each.cycle) for each in found],
        )


def _named(cycle: LuckCycle) -> Phrase:
    years = {"first": cycle.start_year, "last": cycle.end_year}
    return Phrase("decade.one", years | {"pillar": sign(cycle.pillar)})
