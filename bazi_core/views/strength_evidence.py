"""Transparency, roots, elements and strength as facts.

Numbers are rounded here, where they leave the engine; a text never prints a decimal share, since methods differ
by more than its last digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS
from bazi_core.facts import Fact
from bazi_core.views.evidence import ZH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.pillars import FourPillars
    from bazi_core.views.elements import Elements
    from bazi_core.views.roots import Roots, Transparent
    from bazi_core.views.strength import Strength

_RANK_ZH = {1: "第一位", 2: "第二位", 3: "第三位"}
_TESTS_ZH = {"deling": "得令", "dedi": "得地", "deshi": "得势"}
_METHODS_ZH = {
    "weighted_v1": "加权法",
    "plain_count_month2": "计数法",
    "root_units": "根气法",
    "month_command": "月令法",
}


def transparency_facts(found: tuple[Transparent, ...]) -> Iterator[Fact]:
    """`tou.<branch position>.<stem>.<stem position>`."""
    for each in found:
        where, shown = each.branch_position, each.stem_position
        yield Fact(
            each.fact_id, "transparency", each.stem.value, "transparent", shown,
            f"{ZH[where]}支藏{each.stem}，透于{ZH[shown]}干{each.stem}", where,
            (f"hs.{where}.{each.stem}", f"p.{shown}.stem"), "R-TOU", "ZPZQ.论用神",
        )  # fmt: skip


def root_facts(found: tuple[Roots, ...]) -> Iterator[Fact]:
    """`root.<subject>.<position>.<rank>`, or `root.<subject>.none`."""
    for each in found:
        position = "day" if each.subject == "day_master" else each.subject
        own = f"p.{position}.stem"
        who = f"日主{each.stem}" if position == "day" else f"{ZH[position]}干{each.stem}"
        for root in each.roots:
            text = f"{who}通根{ZH[root.position]}支{root.branch}（{_RANK_ZH[root.rank]}藏干{root.stem}）"
            text += "，此根受冲" if root.broken_by else ""
            yield Fact(
                each.fact_id(root), "root", each.subject, "root",
                root.stem.value, text, root.position, (own, f"hs.{root.position}.{root.stem}", *root.broken_by),
                "R-ROOT", "ZPZQ.论十干得时不旺失时不弱",
            )  # fmt: skip
        if not each.roots:
            yield Fact(
                f"root.{each.subject}.none", "root", each.subject, "rootless", True, f"{who}无根", position,
                (own, "p.year.branch", "p.month.branch", "p.day.branch"), "R-ROOT", "ZPZQ.论十干得时不旺失时不弱",
            )  # fmt: skip


def element_facts(pillars: FourPillars, found: Elements) -> Iterator[Fact]:
    """`wx.seasonal.<element>`, `wx.state.<element>`, `wx.missing.<element>`, `wx.dominant.<element>`."""
    stems = tuple(f"p.{position}.stem" for position, _ in pillars.items())
    branches = tuple(f"p.{position}.branch" for position, _ in pillars.items())
    for element in ELEMENTS:
        share, state = found.seasonal[element.index], found.state[element.index]
        yield Fact(
            f"wx.seasonal.{element}", "element", element.value, "seasonal", share, f"{element}占{share}%",
            None, (*stems, *branches), "R-WX-SEASON", "project weights",
        )  # fmt: skip
        yield Fact(
            f"wx.state.{element}", "element", element.value, "state", state,
            f"{element}在{pillars.month.branch}月为{state}", "month", ("p.month.branch",), "R-WX-STATE",
            "SMTH.论五行旺相休囚死",
        )  # fmt: skip
    for element in found.missing:
        yield Fact(
            f"wx.missing.{element}", "element", element.value, "missing", True, f"八字缺{element}", None,
            (*stems, *branches), "R-WX-PLAIN", "YHZP",
        )  # fmt: skip
    yield Fact(
        f"wx.dominant.{found.dominant}", "element", found.dominant.value, "dominant", True,
        f"五行以{found.dominant}为最多", None, tuple(f"wx.seasonal.{each}" for each in ELEMENTS), "R-WX-SEASON",
        "project weights",
    )  # fmt: skip


def strength_facts(day: str, found: Strength) -> Iterator[Fact]:
    """`str.deling` `str.dedi` `str.deshi` `str.method.<name>` `str.verdict` `str.level` `str.balanced`."""
    for name, word in _TESTS_ZH.items():
        test = getattr(found, name)
        yield Fact(
            f"str.{name}", "strength", "day_master", name, test.score, f"{word}{test.score}分：{test.reason}",
            None, test.evidence, "R-STR", "ZPZQ.论十干得时不旺失时不弱",
        )  # fmt: skip
    shares = tuple(f"wx.seasonal.{each}" for each in ELEMENTS)
    for name, verdict in found.method_votes.items():
        rests_on = ("p.day.stem", "p.month.branch") if name == "month_command" else shares
        yield Fact(
            f"str.method.{name}", "strength", "day_master", "method", verdict,
            f"以{_METHODS_ZH[name]}论，{verdict}", None, rests_on, "R-STR", name,
        )  # fmt: skip
    grounds = ("str.deling", "str.dedi", "str.deshi", *(f"str.method.{name}" for name in found.method_votes))
    yield Fact(
        "str.verdict", "strength", "day_master", "verdict", found.verdict, f"日主{day}{found.verdict}", None,
        grounds, "R-STR", found.method,
    )  # fmt: skip
    yield Fact(
        "str.level", "strength", "day_master", "level", found.level, f"日主强弱为{found.level}", None,
        ("str.verdict",), "R-STR", found.method,
    )  # fmt: skip
    if found.balanced:
        yield Fact(
            "str.balanced", "strength", "day_master", "balanced", "中和", "日主近于中和", None, ("str.verdict",),
            "R-STR", found.method,
        )  # fmt: skip
