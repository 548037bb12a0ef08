"""Relations and transformations as facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from bazi_core.alphabet import STEMS, Element, Stem
from bazi_core.facts import Fact
from bazi_core.views.resolution import BOUND, Relation, is_own
from bazi_core.wording import FactPhrase

Members = tuple[tuple[str, str], ...]
_STEMS = "".join(stem.value for stem in STEMS)
_SOURCES = {
    "干合": "YHZP.论天干相合",
    "六合": "YHZP.论地支六合",
    "六冲": "YHZP.论地支六冲",
    "刑": "YHZP.论地支相刑",
}


def relation_facts(
    relations: Iterable[Relation],
    prefix: str = "rel",
    leaves: Mapping[str, str] | None = None,
    luck: str = "luck",
) -> Iterator[Fact]:
    """`rel.<type>.<members>.<positions>` and `hua.…`; `leaves` gives the facts of luck and flow pillars by position.

    With another prefix (`ln.2026.rel`) the ids begin with it. `luck` says what sits in the place of the luck: `luck`,
    or `minor` for a 小运.
    """
    for relation in relations:
        own = prefix + relation.id[3:]
        chars, where, natal, (key, values) = _told(relation.type, relation.members, relation.element, luck)
        rests_on = natal if leaves is None else _grounds(relation.type, relation.members, leaves)
        yield Fact(
            own, "relation", chars, relation.type, relation.status,
            key, (*values, relation.status), where, rests_on, "R-REL", _SOURCES.get(relation.type, "SMTH"),
        )  # fmt: skip
        if relation.hua_status is not None:
            key = "relation.own" if relation.hua_status == BOUND and is_own(relation) else key
            yield Fact(
                f"hua{relation.id[3:]}" if prefix == "rel" else f"{own}.hua", "transformation",
                chars, relation.type, relation.hua_status,
                key, (*values, relation.hua_status), where, (own, "p.month.branch"), "R-HUA", "DTS.化象",
            )  # fmt: skip


class _Told(NamedTuple):
    """The parts of a relation that its status leaves alone: characters, positions, natal grounds, words but the status."""

    chars: str
    where: str
    grounds: tuple[str, ...]
    phrase: FactPhrase


@lru_cache(maxsize=1 << 12)
def _told(type_name: str, members: Members, element: Element | None, luck: str) -> _Told:
    places, chars = zip(*members, strict=True)
    phrase = _said(type_name, members, element, luck)
    return _Told("".join(chars), "-".join(places), _grounds(type_name, members, {}), phrase)


def _grounds(type_name: str, members: Members, leaves: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(leaf for member in members for leaf in _leaves(type_name, *member, leaves)))


def _leaves(type_name: str, position: str, char: str, leaves: Mapping[str, str]) -> tuple[str, ...]:
    if position in leaves:
        return (leaves[position],)
    if len(char) == 2:
        return (f"p.{position}.stem", f"p.{position}.branch")
    return (f"p.{position}.{'stem' if type_name.startswith('干') else 'branch'}",)


def _said(type_name: str, members: Members, element: Element | None, luck: str) -> FactPhrase:
    """`月支子与日支午六冲`, without the status; a control names both sides in order."""
    phrases = tuple(member_phrase(position, char, luck) for position, char in members)
    if type_name == "干克":
        (_, one), (_, other) = members
        controls = Stem(one).element.controls is Stem(other).element
        return FactPhrase("relation.controls", phrases if controls else phrases[::-1])
    if len(phrases) == 1:
        return FactPhrase("relation.one", (*phrases, type_name))
    if element is None:
        return FactPhrase("relation", (phrases, type_name))
    return FactPhrase("relation.forms", (phrases, type_name, element.value))


@cache
def member_phrase(position: str, char: str, luck: str = "luck") -> FactPhrase:
    """A stem, branch or pillar at its position.

    >>> member_phrase("luck", "午").text(), member_phrase("day", "丙午").text("en")
    ('大运支午', 'the day pillar Fire Horse (丙午 Bing Wu)')
    """
    part = "pillar" if len(char) == 2 else "stem" if char in _STEMS else "branch"
    return FactPhrase(f"member.{part}", (luck if position == "luck" else position, char))
