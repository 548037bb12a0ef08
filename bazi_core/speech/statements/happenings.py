"""The named events of a year as clauses: who meets whom, what it is called, how it tends to feel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, catalogue, sign
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.topic_filter import OF_AGE, events_told, sides_told
from bazi_core.views.resolution import RESOLVED
from bazi_core.year.events import EQUAL
from bazi_core.year.rules import DOMAIN_ZH, FAVOURABLE, NEUTRAL, OVERALL, UNFAVOURABLE, event_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.speech.plan import Draft
    from bazi_core.wording import FactPhrase
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult

# What the tie of an event is called when the pillars are compared whole.
_WHOLE = {"luck": "same", "same": "same", "clash": "opposed", "union": "branches"}
# The role whose element the event is about, where the sentence names it.
_OF_ROLE = {"hides": ("yong.primary",), "shows": ("yong.primary",), "restrains": ("yong.harmful",)}
STRONGEST = 5
# As many senses are told of one tie that goes by several names.
SENSES = 2
# What undoes other ties, the strongest first.
_JOINING = ("三会", "三合", "六合", "半合")
_WEIGHTS = (1, 1, 1, 2, 2.5)


Group = tuple["YearEvent", ...]


def happenings(draft: Draft, year: YearResult, told: list[Group]) -> None:
    """The strongest events, those of one name in one sentence, and those that are one tie under several names too."""
    for number, (same, weight) in enumerate(zip(_together(told), _WEIGHTS, strict=False)):
        rules = {event_rule(each.rule).form for group in same for each in group}
        ids = (
            *(each.id for group in same for each in group), f"ln.{year.target_year}",
            *(name for form in sorted(rules) for name in _OF_ROLE.get(form, ())),
        )  # fmt: skip
        side, effect = _effect(year, same, draft.left_out)
        names = [group[0].name for group in same]
        values: dict[str, Any] = {
            "tie": tie(year, _widest(same)), "effect": effect, "sense": _senses(year, same, side),
        }  # fmt: skip
        values["eased"], more = eased(year, same)
        ids += more
        if same[1:]:
            key = "event.same" if number else "event.same.first"
            draft.add(key, *ids, weight=weight, events=[a_event(name) for name in names], **values)
        else:
            key = "event.luck" if _is_of_luck(same[0]) else "event.next" if number else "event.first"
            draft.add(key, *ids, weight=weight, event=Term(names[0], "event"), **values)


def _is_of_luck(group: Group) -> bool:
    """Whether the luck alone gathers a group, which then stands through the whole decade."""
    return event_rule(group[0].rule).form == "group" and group[0].members[-1][0] == "luck"


def eased(year: YearResult, same: Sequence[Group]) -> tuple[Phrase | tuple[()], tuple[str, ...]]:
    """That what joins at the same time undoes the ties of events, with its fact; nothing where a tie holds."""
    by_id = {f"ln.{year.target_year}.{each.id}": each for each in year.relations}
    met = [by_id[name] for group in same for each in group for name in each.evidence if name in by_id]
    if not met or not all(each.status == RESOLVED for each in met):
        return (), ()
    names = [f"ln.{year.target_year}.{name}" for each in met for name in each.resolved_by]
    joining = [name for name in names if by_id[name].type in _JOINING]
    if not joining:
        return (), ()
    first = min(joining, key=lambda name: _JOINING.index(by_id[name].type))
    return Phrase("event.eased", {"by": Term(by_id[first].type, "relation")}), (first,)


def told_sides(year: YearResult, told: list[Group], left_out: frozenset[str]) -> dict[str, str]:
    """With which sign the tie of an event is told, by the id of the event."""
    return {
        each.id: _effect(year, same, left_out)[0]
        for same in _together(told)
        for group in same
        for each in group
    }


def _effect(year: YearResult, same: Sequence[Group], left_out: frozenset[str]) -> tuple[str, Phrase]:
    """What the events of one tie come to together, 吉 凶 平, and in words: by what they add to the overall score; where
    that is nothing, in which sides of life. One fact is told with one sign."""
    sums: dict[str, int] = {}
    for name, points in (pair for group in same for each in group for pair in each.points):
        sums[name] = sums.get(name, 0) + points
    side = _sign(sums.pop(OVERALL, 0))
    if side != _EVEN:
        return side, Phrase(f"side.{side}", {})
    sides = (name for name in sides_told(year.age.nominal) if name not in left_out)
    told = {name: sums[name] for name in sides if sums.get(name)}
    side = _sign(sum(told.values()))
    domains = [Term(DOMAIN_ZH[name], "domain") for name, points in told.items() if _sign(points) == side]
    return side, Phrase(f"side.{side}.of", {"domains": domains}) if domains else Phrase(f"side.{_EVEN}", {})


_EVEN = "平"


def _sign(points: int) -> str:
    return "吉" if points > 0 else "凶" if points < 0 else _EVEN


def _senses(year: YearResult, same: Sequence[Group], side: str) -> Clauses:
    """How the events of one tie tend to feel: those of its side, or all where they cancel each other out."""
    own = [group for group in same if group[0].polarity == side] or same
    return Clauses(tuple(_sense(year, group) for group in own[:SENSES]))


def a_event(name: str) -> Phrase:
    """An event by its name, with its article where the language has one."""
    return Phrase("event.a", {"event": Term(name, "event")})


# The side of an event -> how the key of its sense ends; `neutral` is a tone.
_TAILS = {FAVOURABLE: ".wanted", NEUTRAL: ".even", UNFAVOURABLE: ".unwanted"}


def _sense(year: YearResult, group: Group) -> Phrase:
    """How an event tends to feel; by what it is for the chart, and by who brings it, where that makes a difference."""
    found = group[0]
    names = [found.name]
    if year.age.nominal < OF_AGE:
        names.insert(0, f"{found.name}.young")
    if event_rule(found.rule).form == "restrains":
        names.insert(0, f"{found.name}.{_of_harm(year)}")
    keys = (f"event.{name}{tail}" for name in names for tail in (_TAILS[found.side], ""))
    values = {} if found.element is None else {"element": element(found.element)}
    return Phrase(next(key for key in keys if key in catalogue()), values)


def _of_harm(year: YearResult) -> str:
    """Where what is held in check is: in the chart, else in the luck, else hardly anywhere."""
    found, luck = year.pattern.useful.order[-1], year.main.pillar
    natal = [pillar for _, pillar in year.pattern.pillars.items()]
    if any(found in (pillar.stem.element, pillar.branch.element) for pillar in natal):
        return "here"
    return "luck" if luck is not None and found in (luck.stem.element, luck.branch.element) else "slight"


class _Tied(NamedTuple):
    """What ties the year to the chart in an event, and at which stems and branches; nothing for an event that is no tie
    between two pillars."""

    ties: frozenset[str]
    cells: frozenset[tuple[str, str]]

    @property
    def positions(self) -> frozenset[str]:
        return frozenset(where for where, _ in self.cells)


# A tie of whole pillars -> what ties their branches and stems.
_TIES = {"反吟": ("六冲",), "伏吟": (EQUAL,)}
_PARTS = {"branch": ("branch",), "stem": ("stem",)} | dict.fromkeys(
    ("same", "clash", "union"), ("stem", "branch")
)


def _tied(group: Group) -> _Tied:
    parts = _PARTS.get(event_rule(group[0].rule).form, ())
    ties = {name for each in group for tied in each.ties for name in _TIES.get(tied, (tied,))}
    cells = {(where, part) for each in group for where, _ in each.members[:-1] for part in parts}
    return _Tied(frozenset(ties), frozenset(cells))


def _together(told: list[Group]) -> list[list[Group]]:
    """The groups, each with those that are the same tie at the same pillars, or a part of it."""
    found: list[list[Group]] = []
    for group in told:
        own = _tied(group)
        same = next((each for each in found if any(_is_one(own, _tied(other)) for other in each)), None)
        if same is None:
            found.append([group])
        else:
            same.append(group)
    return found


def _is_one(own: _Tied, other: _Tied) -> bool:
    """Whether of two ties one is the other or a part of it, or both are at the same sign: 巳申 both combine and punish."""
    less, more = sorted((own, other), key=lambda each: len(each.cells))
    is_within = bool(less.cells) and less.cells <= more.cells
    return is_within and (less.ties <= more.ties or less.positions == more.positions)


def _widest(same: Sequence[Group]) -> YearEvent:
    """The tie of which the others are a part, with all by which its pillars are tied."""
    widest = max(same, key=lambda group: (len(_tied(group).cells), len(_tied(group).ties)))
    found, own = _merged(widest), _tied(widest)
    if event_rule(found.rule).form not in ("branch", "stem", "union"):
        return found
    more = (name for group in same if _tied(group).positions == own.positions for name in group[0].ties)
    return found._replace(ties=tuple(dict.fromkeys((*found.ties, *more))))


def chosen(year: YearResult, without_partner: bool) -> list[Group]:
    """The strongest events by name, a name that comes again last, and behind all what the luck alone gathers; where
    partners are left out, none of theirs."""
    groups: dict[str, Group] = {}
    for each in events_told(year, STRONGEST, without_partner):
        name = each.key if event_rule(each.rule).form == "group" else each.name
        groups[name] = (*groups.get(name, ()), each)
    first: dict[str, Group] = {}
    for group in groups.values():
        first.setdefault(group[0].name, group)
    again = [group for group in groups.values() if first[group[0].name] is not group]
    return sorted((*first.values(), *again), key=_is_of_luck)


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
        is_own = rule.form == "hides" and year.pillar.branch.element is wanted
        return Phrase(f"meet.{rule.form}{'.own' * is_own}", {
            "own": _at(year, own[0], part, own[1]),
            "element": element(wanted),
            "others": [_at(year, where, "branch", char) for where, char in others],
        })  # fmt: skip
    return _met(year, found, part, "branches")


def _met(year: YearResult, found: YearEvent, part: str, key: str) -> Phrase:
    *others, own = found.members
    same = EQUAL in found.ties
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


# Conditions that a dynamic is named for; what they weigh is more than any one seat.
_CONDITIONS = ("strength.verdict", "dynamic.heavy", "dynamic.light", "dynamic.outweighs", "dynamic.missing")
_FLOWS = ("liunian", "luck", "minor")
GROUNDS, CONDITIONS = 3, 2


def heaviest(said: Sequence[FactPhrase]) -> list[FactPhrase]:
    """At most three grounds of a dynamic, in the order in which they are given: what it is named for, what year and luck
    bring, what shows before what is hidden; of each ten god one before any has two. The fact holds them all."""
    named = [each for each in said if each.key in _CONDITIONS][:CONDITIONS]
    rest = [
        each for at, each in enumerate(said) if each.key not in _CONDITIONS and not _is_told(each, said[:at])
    ]
    others = sorted(rest, key=_rank)
    first: dict[tuple[str, str], FactPhrase] = {}
    for each in others:
        first.setdefault(
            (each.key.partition(".")[0], str(each.values[-1 if len(each.values) < 4 else 2])), each
        )
    again = [each for each in others if each not in first.values()]
    chosen = [*named, *first.values(), *again][:GROUNDS]
    return [each for each in said if each in chosen]


def _is_told(ground: FactPhrase, before: Sequence[FactPhrase]) -> bool:
    """Whether a 合 is told already from its other end."""
    if ground.key != _BOUND:
        return False
    own = tuple(ground.values[:2])
    return any(each.key == _BOUND and each.values[3].values == own for each in before)


_BOUND = "dynamic.bound"


def _rank(ground: FactPhrase) -> tuple[bool, bool]:
    """Whether neither year nor luck brings it, and whether it is hidden."""
    places = {value for value in ground.values if isinstance(value, str)}
    places |= {each.values[0] for each in ground.values if not isinstance(each, str)}
    return not places.intersection(_FLOWS), ground.key == "ten_god.hidden"
