"""The named events of a year as clauses: who meets whom, what it is called, how it tends to feel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.topic_filter import events_told
from bazi_core.year.events import EQUAL
from bazi_core.year.rules import event_rule

if TYPE_CHECKING:
    from bazi_core.speech.plan import Draft
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult

# What the tie of an event is called when the pillars are compared whole.
_WHOLE = {"luck": "same", "same": "same", "clash": "opposed", "union": "branches"}
# The role whose element the event is about, where the sentence names it.
_OF_ROLE = {"hides": ("yong.primary",), "shows": ("yong.primary",), "restrains": ("yong.harmful",)}
STRONGEST = 5
_WEIGHTS = (1, 1, 1, 2, 2.5)


Group = tuple["YearEvent", ...]


def happenings(draft: Draft, year: YearResult, told: list[Group]) -> None:
    """The strongest events, those of one name in one sentence; of a quiet year that it is quiet."""
    own = f"ln.{year.target_year}"
    for number, (group, weight) in enumerate(zip(told, _WEIGHTS, strict=False)):
        found, key = group[0], "event.next" if number else "event.first"
        ids = (*(each.id for each in group), own, *_OF_ROLE.get(event_rule(found.rule).form, ()))
        draft.add(
            key, *ids, weight=weight, event=Term(found.name, "event"), tie=tie(year, _merged(group)),
            sense=Phrase(f"event.{found.name}", {}), effect=Phrase(f"side.{found.polarity}", {}),
        )  # fmt: skip
    if not events_told(year, 1, False):
        draft.add("events.quiet", weight=1, kind="transition")


def chosen(year: YearResult, without_partner: bool) -> list[Group]:
    """The strongest events by name, a name that comes again last; where partners are left out, none of theirs."""
    groups: dict[str, Group] = {}
    for each in events_told(year, STRONGEST, without_partner):
        name = each.key if event_rule(each.rule).form == "group" else each.name
        groups[name] = (*groups.get(name, ()), each)
    first: dict[str, Group] = {}
    for group in groups.values():
        first.setdefault(group[0].name, group)
    again = [group for group in groups.values() if first[group[0].name] is not group]
    return [*first.values(), *again]


def _merged(group: Group) -> YearEvent:
    """Events of one name with several pillars as one event."""
    *others, own = group[0].members
    again = (member for each in group[1:] for member in each.members[:-1])
    members = (*others, *again, own)
    return group[0]._replace(members=members)


def tie(year: YearResult, found: YearEvent) -> Phrase:
    """Who takes part in an event and what ties them."""
    rule = event_rule(found.rule)
    *others, own = found.members
    if rule.form in _WHOLE:
        return _met(year, found, "pillar", _WHOLE[rule.form])
    if rule.form == "group":
        members = [_at(year, where, "branch", char) for where, char in found.members]
        assert found.element is not None
        return Phrase(
            "meet.group",
            {
                "members": members,
                "relation": Term(found.ties[0], "relation"),
                "element": element(found.element),
            },
        )
    part = "stem" if rule.acts == "stem" else "branch"
    if rule.form in ("hides", "shows", "restrains"):
        order = year.pattern.useful.order
        wanted = order[-1] if rule.form == "restrains" else order[0]
        return Phrase(f"meet.{rule.form}", {
            "own": _at(year, own[0], part, own[1]),
            "element": element(wanted),
            "others": [_at(year, where, "branch", char) for where, char in others],
        })  # fmt: skip
    return _met(year, found, part, "branches")


def _met(year: YearResult, found: YearEvent, part: str, key: str) -> Phrase:
    *others, own = found.members
    same = found.ties == (EQUAL,)
    return Phrase(f"meet.{'same' if same else key}", {
        "own": _at(year, own[0], part, own[1]),
        "others": [_at(year, where, part, char) for where, char in others],
        "relation": [] if same else [Term(name, "relation") for name in found.ties],
    })  # fmt: skip


def _at(year: YearResult, where: str, part: str, char: str) -> At:
    return At(f"{place(year, where)}.{part}", sign(char, plain=True))


def place(year: YearResult, where: str) -> str:
    """The place word of a position: in the place of the 大运 a 小运 may sit."""
    return "xiaoyun" if where == "luck" and year.main.minor is not None else where
