"""A question about the decades themselves: which runs and until when, what comes after it, and which are the best.

《滴天髓·岁运》: 休囚系乎运. The dates are told once; the walk through all decades follows in its own section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.pattern.useful import ROLE_FACTS
from bazi_core.pattern.walk import COMING, GOOD, HARD, NOW
from bazi_core.questions.marks import NEXT_DECADE
from bazi_core.speech.catalogue import Nth, Phrase, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING, NEITHER
from bazi_core.speech.statements.asked import DECADE, WORST
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.timing import day
from bazi_core.speech.statements.walk import LONG_LIFE, entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Element
    from bazi_core.luck.decades import LuckCycle
    from bazi_core.luck.running import Running
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked

_OF = ("timing", "general")
_OF_BEST = ("when", "which", "compare")
_SIDES = {"good": FOR, "hard": AGAINST}
_MOST = 3
# What the role of a stem or branch weighs where one decade is chosen: 用神 and 忌神 before 喜神 and 仇神 (子平真诠·论行运).
_WEIGHTS = {"用神": 2, "喜神": 1, "仇神": -1, "忌神": -2}


def is_of_decades(asked: Asked) -> bool:
    """Whether the decades themselves are asked about, and no side of life or year."""
    return asked.horizon == DECADE and asked.domain in _OF and not asked.years and asked.subject == "self"


def of_one_decade(draft: Draft, asked: Asked, decades: Sequence[Decade], running: Running) -> bool:
    """The decade in which a side of life is asked about, the running one or the next; whether there is one."""
    dated = [decade for decade in decades if decade.cycle.start_at is not None]
    coming = [each for each in dated if each.time(running) == COMING]
    now = next((each for each in dated if each.time(running) == NOW), None)
    if NEXT_DECADE in asked.marks or now is None:
        found = coming[0] if coming and (coming[0].cycle.start_age_full or 0) < LONG_LIFE else None
        key = "next" if now is not None else "first"
    else:
        found, key = now, "now"
    if found is not None:
        _one(draft, key, found)
    return found is not None


def of_decades(draft: Draft, asked: Asked, decades: Sequence[Decade], running: Running) -> bool:
    """The running decade with the day of its change and the next one; whether anything could be said.

    Where the best or the worst is asked for, that one comes first; then those that lean the same way.
    """
    dated = [decade for decade in decades if decade.cycle.start_at is not None]
    now = next((each for each in dated if each.time(running) == NOW), None)
    coming = [each for each in dated if each.time(running) == COMING]
    if now is None and not (coming and coming[0] is dated[0]):
        return False
    of_life = [decade for decade in dated if (decade.cycle.start_age_full or 0) < LONG_LIFE]
    is_worst = asked.extreme == WORST
    if asked.extreme and of_life and of_life[0].roles:
        _chosen(draft, of_life, is_worst)
    if now is not None:
        _one(draft, "now", now)
    else:
        _one(draft, "first", coming.pop(0))
    if coming and (coming[0].cycle.start_age_full or 0) < LONG_LIFE:
        _one(draft, "next", coming[0])
    if asked.kind in _OF_BEST:
        _leaning(draft, of_life, is_worst)
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
    alike = ".alike" if now.tone == then.tone else ""
    draft.add(
        f"answer.decades.change{alike}", *ids, weight=1, certainty=LEANING, pillar=sign(now.cycle.pillar),
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


def _judged(decade: Decade) -> dict[str, Element]:
    """Role -> element of what a decade brings: its stem, and its branch or the group that this makes."""
    stem, branch = decade.cycle.pillar.stem.element, decade.cycle.pillar.branch.element
    formed = decade.gathers.element if decade.gathers and decade.gathers.element else branch
    return {decade.roles[0]: stem, decade.gathered or decade.roles[1]: formed}


def brings(decade: Decade) -> int:
    """What a decade brings of what the chart wants, as one number: the roles of its stem and of its branch or group."""
    roles = (decade.roles[0], decade.gathered or decade.roles[1])
    return sum(_WEIGHTS.get(role, 0) for role in roles)


def _chosen(draft: Draft, decades: Sequence[Decade], is_worst: bool) -> None:
    """The one decade that brings most of what is wanted, or of what is not; that there is none, or no one before others."""
    tone, sign_of = (HARD, -1) if is_worst else (GOOD, 1)
    found = sorted((each for each in decades if each.tone == tone), key=lambda each: -sign_of * brings(each))
    key = "worst" if is_worst else "best"
    if not found:
        ids = (name for each in decades for name in (each.fact_id, *each.role_ids))
        draft.add(f"answer.decades.none.{key}", *ids, weight=1, required=True, certainty=LEANING)
        return
    alike = [each for each in found if brings(each) == brings(found[0])]
    brought = {role: own for role, own in _judged(found[0]).items() if sign_of * _WEIGHTS.get(role, 0) > 0}
    ids = (name for each in alike[:_MOST] for name in (each.fact_id, f"{each.fact_id}.age", *each.role_ids))
    draft.add(
        f"answer.decades.one.{key}{'.alike' * (len(alike) > 1)}", *ids, *(ROLE_FACTS[role] for role in brought), weight=1,
        required=True, certainty=LEANING, decades=[_named(each.cycle) for each in alike[:_MOST]],
        brought=[Phrase(f"brought.{role}", {"element": element(own)}) for role, own in brought.items()],
    )  # fmt: skip


def _leaning(draft: Draft, decades: Sequence[Decade], is_worst: bool) -> None:
    """The decades that lean one's way, or against one."""
    found = [decade for decade in decades if decade.tone == (HARD if is_worst else GOOD)][:_MOST]
    if found:
        ids = (name for each in found for name in (each.fact_id, f"{each.fact_id}.age", *each.role_ids))
        draft.add(
            f"answer.decades.{'worst' if is_worst else 'best'}", *ids, weight=1, certainty=LEANING,
            decades=[_named(each.cycle) for each in found],
        )  # fmt: skip


def _named(cycle: LuckCycle) -> Phrase:
    years = {"first": cycle.start_year, "last": cycle.end_year}
    return Phrase("decade.one", years | {"pillar": sign(cycle.pillar)})
