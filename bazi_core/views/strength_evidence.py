"""Transparency, roots, elements and strength as facts.

Numbers are rounded here, where they leave the engine; a text never prints a decimal share, since methods differ
by more than its last digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS
from bazi_core.facts import Fact
from bazi_core.pillars import WHOLE, FourPillars
from bazi_core.views.strength import SUPPORT, Strength, voters
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.views.elements import Elements
    from bazi_core.views.roots import Roots, Transparent

_TESTS = {"deling": "得令", "dedi": "得地", "deshi": "得势"}


def transparency_facts(transparent: tuple[Transparent, ...]) -> Iterator[Fact]:
    """`tou.<branch position>.<stem>.<stem position>`."""
    for each in transparent:
        where, shown = each.branch_position, each.stem_position
        yield Fact(
            each.fact_id, "transparency", each.stem.value, "transparent", shown,
            "transparent", (where, each.stem.value, shown), where,
            (f"hs.{where}.{each.stem}", f"p.{shown}.stem"), "R-TOU", "ZPZQ.论用神",
        )  # fmt: skip


def root_facts(all_roots: tuple[Roots, ...]) -> Iterator[Fact]:
    """`root.<subject>.<position>.<rank>`, or `root.<subject>.none`."""
    for each in all_roots:
        position = "day" if each.subject == "day_master" else each.subject
        own = f"p.{position}.stem"
        stem = each.stem.value
        who = (
            FactPhrase("rooted.day_master", (stem,))
            if position == "day"
            else FactPhrase("rooted.stem", (position, stem))
        )
        for root in each.roots:
            values = (who, root.position, root.branch.value, root.rank, root.stem.value)
            yield Fact(
                each.fact_id(root), "root", each.subject, "root",
                root.stem.value, "root.clashed" if root.broken_by else "root", values, root.position,
                (own, f"p.{root.position}.branch", *root.broken_by),
                "R-ROOT", "ZPZQ.论十干得时不旺失时不弱",
            )  # fmt: skip
        if not each.roots:
            yield Fact(
                f"root.{each.subject}.none", "root", each.subject, "rootless", True, "root.none", (who,), position,
                (own, "p.year.branch", "p.month.branch", "p.day.branch"), "R-ROOT", "ZPZQ.论十干得时不旺失时不弱",
            )  # fmt: skip


def element_facts(pillars: FourPillars, elements: Elements) -> Iterator[Fact]:
    """`wx.seasonal.<element>`, `wx.state.<element>`, `wx.missing.<element>`, `wx.dominant.<element>`."""
    for element in ELEMENTS:
        share, state = elements.seasonal[element.index], elements.state[element.index]
        yield Fact(
            f"wx.seasonal.{element}", "element", element.value, "seasonal", share, "element.share",
            (element.value, share), None, (WHOLE,), "R-WX-SEASON", "project weights",
        )  # fmt: skip
        yield Fact(
            f"wx.state.{element}", "element", element.value, "state", state,
            "element.state", (element.value, pillars.month.branch.value, state), "month", ("p.month.branch",), "R-WX-STATE",
            "SMTH.论五行旺相休囚死",
        )  # fmt: skip
    for element in elements.missing:
        yield Fact(
            f"wx.missing.{element}", "element", element.value, "missing", True, "element.missing", (element.value,), None,
            (WHOLE,), "R-WX-PLAIN", "YHZP",
        )  # fmt: skip
    yield Fact(
        f"wx.dominant.{elements.dominant}", "element", elements.dominant.value, "dominant", True,
        "element.dominant", (elements.dominant.value,), None, tuple(f"wx.seasonal.{each}" for each in ELEMENTS),
        "R-WX-SEASON", "project weights",
    )  # fmt: skip


def strength_facts(pillars: FourPillars, strength: Strength) -> Iterator[Fact]:
    """`str.deling` `str.dedi` `str.deshi` `str.method.<name>` `str.verdict` `str.certainty` `str.level` `str.balanced`."""
    for name, word in _TESTS.items():
        test = getattr(strength, name)
        yield Fact(
            f"str.{name}", "strength", "day_master", name, test.score, "strength.test",
            (word, test.score, test.ground), None, test.evidence, "R-STR", "ZPZQ.论十干得时不旺失时不弱",
        )  # fmt: skip
    for name, verdict in strength.method_votes.items():
        yield Fact(
            f"str.method.{name}", "strength", "day_master", "method", verdict,
            "strength.by", (name, verdict), None, _grounds(name, pillars), "R-STR", name,
        )  # fmt: skip
    yield Fact(
        "str.verdict", "strength", "day_master", "verdict", strength.verdict, "strength.verdict",
        (pillars.day.stem.value, strength.verdict), None,
        tuple(f"str.method.{name}" for name in voters(strength.method)), "R-STR", strength.method,
    )  # fmt: skip
    methods = tuple(f"str.method.{name}" for name in strength.method_votes)
    phrase = "strength.open" if strength.is_open else "strength.agreed"
    yield Fact(
        "str.certainty", "strength", "day_master", "certainty", strength.certainty, phrase,
        (strength.agreement, len(methods)), None,
        ("str.verdict", *methods), "R-STR", strength.method,
    )  # fmt: skip
    yield Fact(
        "str.level", "strength", "day_master", "level", strength.level, "strength.level",
        (strength.level,), None,
        ("str.verdict", "str.certainty"), "R-STR", strength.method,
    )  # fmt: skip
    if strength.balanced:
        yield Fact(
            "str.balanced", "strength", "day_master", "balanced", "中和", "strength.balanced", (), None,
            ("str.verdict",), "R-STR", strength.method,
        )  # fmt: skip


def _grounds(method: str, pillars: FourPillars) -> tuple[str, ...]:
    """Ids of the facts that a single method reads: the shares that support the day master, the month, or the whole chart."""
    if method == "weighted_v1":
        own = pillars.day.stem.element.index
        return tuple(f"wx.seasonal.{ELEMENTS[(own + k) % 5]}" for k in SUPPORT)
    if method == "month_command":
        return ("p.day.stem", "p.month.branch")
    return (WHOLE,)
