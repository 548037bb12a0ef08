"""A named event as a fact: `2026年流年支午与日支子六冲，冲夫妻宫`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.views.relation_evidence import ZH
from bazi_core.year.rules import event_rule

if TYPE_CHECKING:
    from bazi_core.year.events import YearEvent

_PART = {"stem": "干", "branch": "支"}
_OF_PILLARS = ("luck", "same", "clash", "union")


def event_fact(event: YearEvent, subject: str, lead: str, luck: str = "大运", points: str = "") -> Fact:
    """The fact of an event; `lead` says when, `luck` what sits in the place of the 大运, `points` what it adds."""
    rule = event_rule(event.rule)
    said = _said(event, rule.form, rule.acts, {**ZH, "luck": luck})
    text = said if said.endswith(event.name) else f"{said}，{event.name}"
    return Fact(
        event.id, "event", subject, event.name, event.polarity, lead + "，".join(filter(None, (text, points))), None,
        event.evidence, "R-YR-2", rule.source,
    )  # fmt: skip


def _said(event: YearEvent, form: str, acts: str, words: dict[str, str]) -> str:
    *others, own = event.members
    if form in _OF_PILLARS:
        return f"{_pillar(own, words)}与{'、'.join(_pillar(each, words) for each in others)}{event.relation}"
    part = _PART["stem" if acts == "stem" else "branch"]
    signs = [words[position] + (part if form != "restrains" else "支") + char for position, char in others]
    actor = f"{words[own[0]]}{part}{own[1]}"
    if form == "group":
        return f"{'、'.join((*signs, actor))}{event.relation}{event.key.rpartition('.')[2]}"
    if form == "restrains":
        return f"{actor}{event.relation}，通根{'、'.join(signs)}"
    return f"{actor}与{'、'.join(signs)}{event.relation}" if signs else actor + event.relation


def _pillar(member: tuple[str, str], words: dict[str, str]) -> str:
    position, pillar = member
    return words[position] + ("柱" if len(words[position]) == 1 else "") + pillar
