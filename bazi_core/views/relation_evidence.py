"""Relations and transformations as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import Stem
from bazi_core.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bazi_core.views.relations import Relation

ZH = {
    "year": "年",
    "month": "月",
    "day": "日",
    "hour": "时",
    "luck": "大运",
    "liunian": "流年",
    "liuyue": "流月",
}
_PART = {1: "支", 2: "柱"}
_SOURCES = {
    "干合": "YHZP.论天干相合",
    "六合": "YHZP.论地支六合",
    "六冲": "YHZP.论地支六冲",
    "刑": "YHZP.论地支相刑",
}


def relation_facts(
    found: Iterable[Relation], prefix: str = "rel", leaves: Mapping[str, str] | None = None
) -> Iterator[Fact]:
    """`rel.<type>.<members>.<positions>` and `hua.…`; `leaves` gives the facts of luck and flow pillars by position.

    With another prefix (`ln.2026.rel`) the ids begin with it.
    """
    for each in found:
        own = prefix + each.id.removeprefix("rel")
        where = "-".join(position for position, _ in each.members)
        rests_on = tuple(
            dict.fromkeys(leaf for member in each.members for leaf in _leaves(each, member, leaves))
        )
        yield Fact(
            own, "relation", "".join(char for _, char in each.members), each.type, each.status,
            f"{_said(each)}，{each.status}", where, rests_on, "R-REL", _SOURCES.get(each.type, "SMTH"),
        )  # fmt: skip
        if each.hua_status is not None:
            yield Fact(
                own.replace("rel", "hua", 1) if prefix == "rel" else f"{own}.hua", "transformation",
                "".join(char for _, char in each.members), each.type, each.hua_status,
                f"{_said(each)}，{each.hua_status}", where, (own, "p.month.branch"), "R-HUA", "DTS.化象",
            )  # fmt: skip


def _leaves(own: Relation, member: tuple[str, str], leaves: Mapping[str, str] | None) -> tuple[str, ...]:
    position, char = member
    if leaves and position in leaves:
        return (leaves[position],)
    if len(char) == 2:
        return (f"p.{position}.stem", f"p.{position}.branch")
    return (f"p.{position}.{'stem' if own.type.startswith('干') else 'branch'}",)


def _said(own: Relation) -> str:
    """`月支子与日支午六冲`; control names who controls whom."""
    words = [_named(own, member) for member in own.members]
    if own.type == "干克":
        one, other = own.members
        if Stem(one[1]).element.controls is not Stem(other[1]).element:
            words.reverse()
        return f"{words[0]}克{words[1]}（干克）"
    formed = f"{own.element}" if own.element else ""
    if len(words) == 1:
        return f"{words[0]}{own.type}"
    return f"{'与'.join(words) if len(words) == 2 else '、'.join(words)}{own.type}{formed}"


def _named(own: Relation, member: tuple[str, str]) -> str:
    position, char = member
    part = "干" if own.type.startswith("干") else _PART[len(char)]
    # A luck pillar has a stem and a branch as well: 大运支午.
    return f"{ZH[position]}{part}{char}"
