"""A named event as a fact: `2026年流年支午与日支子六冲，冲夫妻宫`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.views.relation_evidence import member_phrase
from bazi_core.views.relations import FLOWS
from bazi_core.wording import FactPhrase
from bazi_core.year.rules import event_rule

if TYPE_CHECKING:
    from typing import Any

    from bazi_core.year.events import YearEvent

_OF_PILLARS = ("luck", "same", "clash", "union")


def event_fact(
    event: YearEvent,
    subject: str,
    key: str,
    when: tuple[int, ...],
    luck: str = "luck",
    added: tuple[Any, ...] = (),
) -> Fact:
    """The fact of an event.

    `key` and `when` say when it is, `luck` what sits in the place of the 大运, `added` what it adds.
    """
    rule = event_rule(event.rule)
    if event.is_dynamic:
        said = tuple(_in_place(each, luck) for each in event.said)
        values: tuple[Any, ...] = (*when, said, event.name, event.ties[0], *added)
        return Fact(
            event.id, "event", subject, event.name, event.polarity, f"{key}_dynamic", values, None, event.evidence,
            "R-YR-2", rule.source,
        )  # fmt: skip
    name = () if event.ties == (event.name,) else (event.name,)
    values = (*when, _tie(event, rule.form, luck), name, *added)
    return Fact(
        event.id, "event", subject, event.name, event.polarity, key, values, None, event.evidence, "R-YR-2", rule.source
    )  # fmt: skip


def _in_place(said: FactPhrase, luck: str) -> FactPhrase:
    """The phrase with what sits in the place of the 大运."""
    return said._replace(values=tuple(luck if value == "luck" else value for value in said.values))


def _tie(event: YearEvent, form: str, luck: str) -> FactPhrase:
    """Who meets whom, and what they are to each other."""
    if form in _OF_PILLARS:
        *others, own = (_pillar(*member, luck) for member in event.members)
        return FactPhrase("event.meets", (own, tuple(others), event.ties))
    *others, own = (member_phrase(*member, luck) for member in event.members)
    if form == "group":
        assert event.element is not None
        return FactPhrase("event.forms", ((*others, own), event.ties[0], event.element.value))
    if form == "restrains":
        return FactPhrase("event.restrains", (own, event.sign, tuple(others)))
    if event.sign:
        return FactPhrase(f"event.{form}", (own, event.sign))
    return FactPhrase("event.meets", (own, tuple(others), event.ties))


def _pillar(position: str, pillar: str, luck: str) -> FactPhrase:
    if position in FLOWS:
        return FactPhrase("member.flow", (luck if position == "luck" else position, pillar))
    return member_phrase(position, pillar)
