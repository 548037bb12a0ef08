"""The pattern and the useful gods as facts, each resting on what decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.pattern.classes import PATTERN_OF
from bazi_core.pattern.relatives import relative_facts
from bazi_core.pattern.status import standing_facts
from bazi_core.pattern.useful import ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.order import Regular
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.special import Special
    from bazi_core.pattern.useful import Useful

ROLE_IDS = ("primary", "secondary", "neutral", "adverse", "harmful")
METHODS_ZH = {
    "fu_yi": "扶抑",
    "ge_ju": "格局",
    "tiao_hou": "调候",
    "tong_guan": "通关",
    "presence": "现与根",
    "bing_yao": "病药",
    "structure": "变格",
}
_SATISFIED_ZH = {"satisfied": "透而有根", "hidden": "藏于支中", "absent": "不见"}


def pattern_facts(result: PatternResult) -> Iterator[Fact]:
    """The facts of a pattern result, in an order in which each rests on earlier ones or on the chart's."""
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
    yield from _useful(result.useful, result.special)


def _main(result: PatternResult, regular: Regular) -> Iterator[Fact]:
    month: tuple[str, ...] = ("p.day.stem", "p.month.branch")
    if regular.stem is not None:
        month = (*month, *_shown(result, regular))
    if result.special is not None:
        rests_on: tuple[str, ...] = (f"sp.{result.special.name}",)
        rule = "R-GE-00"
    else:
        rests_on, rule = month, regular.basis
    yield Fact(
        "pat.main", "pattern", "chart", "pattern", result.name, f"格局为{result.name}", None, rests_on, rule,
        "ZPZQ.论用神" if result.special is None else "ZPZQ.论外格用舍",
    )  # fmt: skip
    detail = detail_of(result)
    if detail and detail != result.name:
        yield Fact(
            "pat.detail", "pattern", "chart", "detail", detail, f"细分为{detail}", None, ("pat.main",), "R-GE-05",
            "ZPZQ",
        )  # fmt: skip
    if result.special is None and regular.changed_from:
        yield Fact(
            "pat.changed", "pattern", "chart", "changed_from", regular.changed_from,
            f"由{regular.changed_from}变来", None, ("pat.main",), regular.basis, "ZPZQ.论用神变化",
        )  # fmt: skip
    for name in regular.co_patterns if result.special is None else ():
        yield Fact(
            f"pat.co.{name}", "pattern", "chart", "co_pattern", name, f"兼{name}", None, month, regular.basis,
            "ZPZQ.论杂气如何取用",
        )  # fmt: skip


def _shown(result: PatternResult, regular: Regular) -> tuple[str, ...]:
    """Ids of the stem that gives the pattern: hidden in the month, visible, or both."""
    stem = regular.stem
    names = [f"hs.month.{stem}"]
    names += [f"p.{where}.stem" for where, p in result.pillars.items() if p.stem is stem and where != "day"]
    return tuple(name for name in names if name in result.chart.facts)


def detail_of(result: PatternResult) -> str | None:
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
            f"{condition.text}：{'合' if condition.holds else '不合'}", None, condition.evidence, "R-SP",
            "DTS.从象化象",
        )  # fmt: skip
    # One that is met as well, but stands after the one that was claimed, is not the pattern of the chart.
    word = "成立" if claimed else "虽合而不立" if special.holds else "未全，只作参考"
    yield Fact(
        f"sp.{special.name}", "special", special.name, "claimed", claimed,
        f"{special.name}的条件{word}", None, tuple(names), "R-SP", "DTS.从象化象",
    )  # fmt: skip


def _climate(found: Climate) -> Iterator[Fact]:
    required = "".join(stem.value for stem in found.required)
    words = "、".join(stem.value for stem in found.required)
    yield Fact(
        "clim.table", "climate", "chart", "required", required, f"调候用{words}", None,
        ("p.day.stem", "p.month.branch"), "R-CLIM", "QTBJ",
    )  # fmt: skip
    places = tuple(
        dict.fromkeys(
            f"p.{where}.stem" if rank == 0 else f"hs.{where}.{stem}" for stem, where, rank in found.found
        )
    )
    yield Fact(
        "clim.state", "climate", "chart", "state", found.satisfied,
        f"调候之干{_SATISFIED_ZH[found.satisfied]}", None, ("clim.table", *places), "R-CLIM", "QTBJ",
    )  # fmt: skip


def _useful(useful: Useful, special: Special | None) -> Iterator[Fact]:
    grounds = {
        "fu_yi": ("str.verdict",),
        "ge_ju": ("pat.main", "str.verdict"),
        "tiao_hou": ("clim.table",),
        "structure": ("pat.main",),
    }
    voted = []
    for vote in useful.votes:
        if vote.element is None:
            continue
        voted.append(f"yong.method.{vote.method}")
        rests_on = grounds.get(vote.method, tuple(f"wx.seasonal.{element}" for element in useful.order))
        yield Fact(
            voted[-1], "role_vote", vote.element.value, vote.method, vote.element.value,
            f"{METHODS_ZH[vote.method]}取{vote.element}：{'；'.join(vote.reasons)}", None, rests_on, "R-YONG",
            _SOURCES[vote.method],
        )  # fmt: skip
    for role, name, element in zip(ROLES, ROLE_IDS, useful.order, strict=False):
        yield Fact(
            f"yong.{name}", "role", element.value, role, element.value, f"{role}为{element}", None, tuple(voted),
            "R-YONG", "DTS" if special else "ZPZQ.论用神",
        )  # fmt: skip


_SOURCES = {
    "fu_yi": "DTS.衰旺",
    "ge_ju": "ZPZQ.论用神",
    "tiao_hou": "QTBJ",
    "tong_guan": "DTS.通隔",
    "presence": "ZPZQ.论用神因成得败",
    "bing_yao": "SFTK.病药",
    "structure": "DTS.从象化象",
}
