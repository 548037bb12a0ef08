"""The pattern and the useful gods as facts, each resting on what decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.pattern.diagnosis import diagnosis_facts
from bazi_core.pattern.dynamics import dynamic_facts
from bazi_core.pattern.meanings import meanings_facts
from bazi_core.pattern.relatives import relative_facts
from bazi_core.pattern.status import standing_facts
from bazi_core.pattern.useful import ROLE_FACTS, WANTED, Vote
from bazi_core.pillars import WHOLE
from bazi_core.structures.classes import PATTERN_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.alphabet import Element
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.order import Regular
    from bazi_core.pattern.value import PatternValue
    from bazi_core.structures.special import Special


def pattern_facts(result: PatternValue, alternatives: Iterable[PatternValue]) -> Iterator[Fact]:
    """The facts of a pattern and of the decisions under the other verdict, in an order in which each rests on earlier ones
    or on the chart's."""
    yield from relative_facts(result.relatives)
    if result.regular is None:
        return
    if result.climate is not None:
        yield from _climate(result.climate)
    for special in (*((result.special,) if result.special else ()), *result.close):
        yield from _structure(special, special is result.special)
    yield from _main(result, result.regular)
    if result.standing is not None:
        yield from standing_facts(result.standing)
    yield from _useful(result)
    if result.meanings is not None:
        yield from meanings_facts(result.meanings, result.useful)
    yield from dynamic_facts(result.dynamics)
    yield from diagnosis_facts(result.diagnosis)
    for other in alternatives:
        yield from _other(other)


def _main(result: PatternValue, regular: Regular) -> Iterator[Fact]:
    month: tuple[str, ...] = ("p.day.stem", "p.month.branch")
    if regular.stem is not None:
        month = (*month, *_shown(result, regular))
    if result.special is not None:
        rests_on: tuple[str, ...] = (f"sp.{result.special.name}",)
        rule = "R-GE-00"
    else:
        rests_on, rule = month, regular.basis
    yield Fact(
        "pat.main", "pattern", "chart", "pattern", result.name, "pattern", (result.name,), None, rests_on, rule,
        "ZPZQ.论用神" if result.special is None else "ZPZQ.论外格用舍",
    )  # fmt: skip
    detail = detail_of(result)
    if detail and detail != result.name:
        key, name = "pattern.detail", detail
        if result.special is not None:
            key, name = f"{key}_{'true' if result.special.genuine else 'false'}", result.special.name
        yield Fact(
            "pat.detail", "pattern", "chart", "detail", detail, key, (name,), None, ("pat.main",), "R-GE-05", "ZPZQ",
        )  # fmt: skip
    if result.special is None and regular.changed_from:
        yield Fact(
            "pat.changed", "pattern", "chart", "changed_from", regular.changed_from,
            "pattern.changed", (regular.changed_from,), None, ("pat.main",), regular.basis, "ZPZQ.论用神变化",
        )  # fmt: skip
    for name in regular.co_patterns if result.special is None else ():
        yield Fact(
            f"pat.co.{name}", "pattern", "chart", "co_pattern", name, "pattern.co", (name,), None, month, regular.basis,
            "ZPZQ.论杂气如何取用",
        )  # fmt: skip


def _shown(result: PatternValue, regular: Regular) -> tuple[str, ...]:
    """Ids of the stem that gives the pattern: hidden in the month, shown, or both."""
    stem = regular.stem
    names = [f"hs.month.{stem}"]
    names += [f"p.{where}.stem" for where, p in result.pillars.items() if p.stem is stem and where != "day"]
    return tuple(name for name in names if name in result.chart.facts)


def detail_of(result: PatternValue) -> str | None:
    """The fine name: 正财格 or 偏财格 of 财格, 真 or 假 of a structure that makes this difference."""
    if result.special is not None:
        differs = result.special.special_class != "专旺"
        return (
            f"{'真' if result.special.genuine else '假'}{result.special.name}"
            if differs
            else result.special.name
        )
    if result.regular is None or result.regular.stem is None:
        return result.regular.name if result.regular else None
    from bazi_core.views.ten_gods import ten_god

    god = ten_god(result.pillars.day.stem, result.regular.stem).value
    return f"{god}格" if god in PATTERN_OF else result.regular.name


def _structure(special: Special, claimed: bool) -> Iterator[Fact]:
    """`sp.<name>`: claimed or candidate; `sp.<name>.<n>`: its conditions."""
    names = []
    for number, condition in enumerate(special.conditions, 1):
        names.append(f"sp.{special.name}.{number}")
        yield Fact(
            names[-1], "condition", special.name, "holds", condition.holds,
            "structure.holds" if condition.holds else "structure.fails", (condition.ground,), None,
            condition.evidence, "R-SP", condition.source,
        )  # fmt: skip
    # One that is met as well, but stands after the one that was claimed, is not the pattern of the chart.
    stands = "claimed" if claimed else "outranked" if special.holds else "partial"
    yield Fact(
        f"sp.{special.name}", "special", special.name, "claimed", claimed,
        f"structure.{stands}", (special.name,), None, tuple(names), "R-SP", "DTS.从象化象",
    )  # fmt: skip


def _climate(found: Climate) -> Iterator[Fact]:
    required = tuple(stem.value for stem in found.required)
    yield Fact(
        "clim.table", "climate", "chart", "required", "".join(required), "climate.table", (required,), None,
        ("p.day.stem", "p.month.branch"), "R-CLIM", "QTBJ",
    )  # fmt: skip
    places = tuple(
        dict.fromkeys(
            f"p.{where}.stem" if rank == 0 else f"hs.{where}.{stem}"
            for stem, where, rank in found.found
            if stem is found.required[0]
        )
    )
    yield Fact(
        "clim.state", "climate", "chart", "state", found.satisfied,
        "climate.state", (required[0], found.satisfied), None, ("clim.table", *places), "R-CLIM", "QTBJ",
    )  # fmt: skip


def _useful(result: PatternValue) -> Iterator[Fact]:
    useful, voted = result.useful, []
    grounds = {
        "fu_yi": ("str.verdict",),
        "ge_ju": ("pat.main", "str.verdict"),
        "tiao_hou": ("clim.table",),
        "presence": (WHOLE,),
        "structure": ("pat.main",),
    }
    for vote in useful.votes:
        if vote.element is None:
            continue
        yield from _said(vote, vote.element)
        voted.append(f"yong.method.{vote.method}")
        rests_on = grounds.get(vote.method, tuple(f"wx.seasonal.{element}" for element in useful.order))
        rests_on = tuple(f"yong.rule.{rule.id}" for rule, _ in vote.said) or rests_on
        yield Fact(
            voted[-1], "role_vote", vote.element.value, vote.method, vote.element.value,
            "vote", (vote.method, vote.element.value, vote.grounds), None, rests_on, "R-YONG",
            vote.said[0].rule.source if vote.said else _SOURCES[vote.method],
        )  # fmt: skip
    for (role, own), element in zip(ROLE_FACTS.items(), useful.order, strict=False):
        is_chosen = role in WANTED or result.special is not None
        source = "DTS" if result.special else "ZPZQ.论用神" if is_chosen else "DTS.闲神"
        yield Fact(
            own, "role", element.value, role, element.value, "role", (role, element.value), None,
            tuple(voted) if is_chosen else ("yong.primary", "yong.secondary", "str.verdict"), "R-YONG", source,
        )  # fmt: skip


def _said(vote: Vote, element: Element, prefix: str = "") -> Iterator[Fact]:
    """`yong.rule.<id>`: the rules of the books that decided."""
    for said in vote.said:
        yield Fact(
            f"{prefix}yong.rule.{said.rule.id}", "role_vote", element.value, "rule", said.rule.id,
            said.rule.ground.key, (), None,
            tuple(f"{prefix}{name}" if name == "str.verdict" else name for name in said.evidence), "R-YONG",
            said.rule.source,
        )  # fmt: skip


def _other(other: PatternValue) -> Iterator[Fact]:
    """`alt.str.verdict`, `alt.yong.rule.<id>`, `alt.yong.<role>`: what holds if strength, which is open, is read the other
    way. A method that does not ask for strength votes as it does for the chart."""
    strength, day = other.strength, other.pillars.day.stem.value
    assert strength is not None
    yield Fact(
        "alt.str.verdict", "strength", "day_master", "other", strength.verdict, "strength.other",
        (day, strength.verdict), None, ("str.certainty",), "R-STR", strength.method,
    )  # fmt: skip
    rests_on = ["alt.str.verdict", "pat.main"]
    for vote in other.useful.votes:
        if vote.element is not None:
            yield from _said(vote, vote.element, "alt.")
            rests_on += [f"alt.yong.rule.{rule.id}" for rule, _ in vote.said]
            rests_on += [f"yong.method.{vote.method}"] if vote.method in _REGARDLESS else []
    for (role, own), element in zip(ROLE_FACTS.items(), other.useful.order, strict=True):
        yield Fact(
            f"alt.{own}", "role", element.value, role, element.value, "role.other", (role, element.value), None,
            tuple(rests_on), "R-YONG", "ZPZQ.论用神",
        )  # fmt: skip


_REGARDLESS = ("tiao_hou", "tong_guan", "presence")

_SOURCES = {
    "fu_yi": "DTS.衰旺",
    "ge_ju": "ZPZQ.论用神",
    "tiao_hou": "QTBJ",
    "tong_guan": "DTS.通隔",
    "presence": "ZPZQ.论用神因成得败",
    "bing_yao": "SFTK.病药",
    "structure": "DTS.从象化象",
}
