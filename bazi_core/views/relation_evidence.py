"""Relations and transformations as facts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.alphabet import STEMS, Stem
from bazi_core.facts import Fact
from bazi_core.views.resolution import BOUND, is_own
from bazi_core.wording import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bazi_core.views.resolution import Relation

_STEMS = "".join(stem.value for stem in STEMS)
_SOURCES = {
    "干合": "YHZP.论天干相合",
    "六合": "YHZP.论地支六合",
    "六冲": "YHZP.论地支六冲",
    "刑": "YHZP.论地支相刑",
}


def relation_facts(
    found: Iterable[Relation],
    prefix: str = "rel",
    leaves: Mapping[str, str] | None = None,
    luck: str = "luck",
) -> Iterator[Fact]:
    """`rel.<type>.<members>.<positions>` and `hua.…`; `leaves` gives the facts of luck and flow pillars by position.

    With another prefix (`ln.2026.rel`) the ids begin with it. `luck` says what sits in the place of the luck: `luck`,
    or `minor` for a 小运.
    """
    for each in found:
        own = prefix + each.id.removeprefix("rel")
        where = "-".join(position for position, _ in each.members)
        rests_on = tuple(
            dict.fromkeys(leaf for member in each.members for leaf in _leaves(each, member, leaves))
        )
        key, values = _said(each, luck)
        yield Fact(
            own, "relation", "".join(char for _, char in each.members), each.type, each.status,
            key, (*values, each.status), where, rests_on, "R-REL", _SOURCES.get(each.type, "SMTH"),
        )  # fmt: skip
        if each.hua_status is not None:
            key = "relation.own" if each.hua_status == BOUND and is_own(each) else key
            yield Fact(
                own.replace("rel", "hua", 1) if prefix == "rel" else f"{own}.hua", "transformation",
                "".join(char for _, char in each.members), each.type, each.hua_status,
                key, (*values, each.hua_status), where, (own, "p.month.branch"), "R-HUA", "DTS.化象",
            )  # fmt: skip


def _leaves(own: Relation, member: tuple[str, str], leaves: Mapping[str, str] | None) -> tuple[str, ...]:
    position, char = member
    if leaves and position in leaves:
        return (leaves[position],)
    if len(char) == 2:
        return (f"p.{position}.stem", f"p.{position}.branch")
    return (f"p.{position}.{'stem' if own.type.startswith('干') else 'branch'}",)


def _said(own: Relation, luck: str) -> Phrase:
    """`月支子与日支午六冲` but for its status; control names who controls whom."""
    members = tuple(member_phrase(position, char, luck) for position, char in own.members)
    if own.type == "干克":
        (_, one), (_, other) = own.members
        controls = Stem(one).element.controls is Stem(other).element
        return Phrase("relation.controls", members if controls else members[::-1])
    if len(members) == 1:
        return Phrase("relation.one", (*members, own.type))
    if own.element is None:
        return Phrase("relation", (members, own.type))
    return Phrase("relation.forms", (members, own.type, own.element.value))


@cache
def member_phrase(position: str, char: str, luck: str = "luck") -> Phrase:
    """A stem, branch or pillar at its position.

    >>> member_phrase("luck", "午").text(), member_phrase("day", "丙午").text("en")
    ('大运支午', 'the day pillar Fire Horse (丙午 Bing Wu)')
    """
    part = "pillar" if len(char) == 2 else "stem" if char in _STEMS else "branch"
    return Phrase(f"member.{part}", (luck if position == "luck" else position, char))
