"""The useful god: why it is taken, where it stands, who voted for it and who did not, and what to keep at a distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.narrator.catalogue import Clauses, Phrase, Term
from bazi_core.readings.narrator.nouns import ROLE_IDS, element, roles, seats
from bazi_core.views.strength import class_of

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.narrator.story import Story

# 现与根 says what is at hand, not what is wanted; it may back a choice and is no dissent.
_AT_HAND = "presence"


def remedy(story: Story, result: PatternResult) -> None:
    """The useful god and the other roles."""
    assert result.strength is not None
    use, day = result.useful.order[0], result.pillars.day.stem
    if result.special is None:
        side = "strong" if result.strength.is_strong else "weak"
        story.add(
            f"reason.{side}.{class_of(day, use)}", "yong.primary", "p.day.stem", "str.verdict", weight=1,
            use=element(use), own=element(day.element), verdict=Term(result.strength.verdict, "strength"),
        )  # fmt: skip
    _where(story, result)
    if result.special is None:
        _methods(story, result)
        if any(doubt.code == "USEFUL_GOD_CLOSE" for doubt in result.warnings):
            ids = ("yong.primary", "yong.secondary")
            story.add("useful.close", *ids, weight=2.5, hedge=True, **roles(result, "use", "joy"))
    story.add("avoid", *ROLE_IDS[2:], hedge=True, **roles(result, "shun", "foe", "idle"))


def _where(story: Story, result: PatternResult) -> None:
    """Where the useful god stands: among the stems, in the branches, nowhere, or in the day stem alone."""
    use = result.useful.order[0]
    found = seats(result.pillars, use)
    key, evidence = found.key, found.evidence
    if not evidence:
        alone = use is result.pillars.day.stem.element
        key, evidence = ("self", ("p.day.stem",)) if alone else (key, (f"wx.missing.{use}",))
    story.add(
        f"use.{key}", "yong.primary", *evidence, stems=found.stems, branches=found.branches,
        **roles(result, "use"),
    )  # fmt: skip


def _methods(story: Story, result: PatternResult) -> None:
    """Which methods arrive at the useful god, and what the others would take."""
    use, chosen = result.useful.order[0], dict[str, list[str]]()
    for vote in result.useful.votes:
        if vote.element is not None and (vote.method != _AT_HAND or vote.element is use):
            chosen.setdefault(vote.element.value, []).append(vote.method)
    ids = [f"yong.method.{method}" for methods in chosen.values() for method in methods]
    agree = chosen.pop(use.value, [])
    others = Clauses(tuple(
        Phrase("method.other", {"methods": _names(methods), "element": Term(other, "element")})
        for other, methods in chosen.items()
    ))  # fmt: skip
    key = "split" if agree and chosen else "sum" if chosen else "united" if agree[1:] else "single"
    story.add(
        f"methods.{key}", "yong.primary", *ids, hedge=bool(chosen), **roles(result, "use"), methods=_names(agree),
        others=others,
    )  # fmt: skip


def _names(methods: list[str]) -> list[Phrase]:
    return [Phrase(f"method.{method}", {}) for method in methods]
