"""The facts of a cast: pillars and lines as leaves, everything else with what it rests on and the chapter it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.liuyao import marks
from bazi_core.liuyao.hexagrams import mark
from bazi_core.liuyao.yongshen import PLACE, pillar_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.chart import LiuyaoChart

_ZH = {"year": "年柱", "month": "月柱", "day": "日柱", "hour": "时柱"}
ALL_LINES = tuple(f"ly.line.{n}" for n in range(1, 7))
MONTH, DAY = "ly.yuejian", "ly.richen"
_CHANGED_BY = {"化空": ("ly.void.day",), "化破": ("ly.yuepo",)}


def analysis_facts(found: Analysis) -> Iterator[Fact]:
    """All facts of a board and its question."""
    yield from _calendar(found.chart)
    yield from _hexagrams(found.chart)
    for line in found.lines:
        yield from _line(found.chart, line)
    for each in found.hidden:
        yield Fact(
            f"ly.hidden.{each.position}", "hidden", each.relation, "hidden_under", each.pillar.value,
            f"{each.relation}{pillar_text(each.pillar)}伏于{PLACE[each.position]}{each.flying}之下，{each.flying_relation}",
            str(each.position), (f"ly.line.{each.position}", "ly.gua.palace"), "ZS.035.hidden", "ZS",
        )  # fmt: skip
    yield from _trines(found)
    for star in found.stars:
        for n in star.positions:
            on = MONTH if star.name == "天喜" else DAY
            yield Fact(
                f"ly.star.{star.name}.{n}", "star", star.name, "stands", n, f"{PLACE[n]}临{star.name}", str(n),
                (f"ly.line.{n}", on), "ZS.040.star", "ZS",
            )  # fmt: skip
    yield from _question(found)


def _calendar(chart: LiuyaoChart) -> Iterator[Fact]:
    for name in ("year", "month", "day", "hour"):
        pillar = getattr(chart, name)
        if pillar is not None:
            yield Fact(
                f"ly.ganzhi.{name}",
                "pillar",
                name,
                "is",
                pillar.value,
                f"{_ZH[name]}{pillar}",
                name,
                (),
                "ZS.018.ganzhi",
                "",
            )
    from_month = ("ly.ganzhi.month",) if chart.month else ()
    month, day = chart.month_branch, chart.day.branch
    rows = (
        (MONTH, f"{month}{month.element}", "月建", from_month),
        (DAY, f"{day}{day.element}", "日辰", ("ly.ganzhi.day",)),
        ("ly.yuepo", f"{chart.month_broken}{chart.month_broken.element}", "月破", (MONTH,)),
        ("ly.richong", f"{chart.day_clashed}{chart.day_clashed.element}", "日冲", (DAY,)),
        ("ly.void.day", "".join(branch.value for branch in chart.void), "旬空", ("ly.ganzhi.day",)),
    )
    for name, value, word, leaves in rows:
        yield Fact(
            name, "calendar", word, "is", value, f"{word}{value}", None, leaves, f"ZS.018.{name[3:]}", "ZS"
        )


def _hexagrams(chart: LiuyaoChart) -> Iterator[Fact]:
    primary, target = chart.primary, chart.target
    moving = tuple(f"ly.line.{n}" for n in chart.moving)
    one, two = "ly.gua.primary", "ly.gua.target"
    yield _gua(one, primary.full_name, f"本卦{primary.full_name}", ALL_LINES, "ZS.002.hexagram")
    yield _gua(
        "ly.gua.palace",
        primary.palace,
        f"{primary.palace}宫{primary.generation}卦，属{primary.element}",
        (one,),
        "ZS.003.palace",
    )
    if moving:
        yield _gua(two, target.full_name, f"之卦{target.full_name}", (one, *moving), "ZS.002.change")
    for tag in primary.tags:
        yield _gua(f"ly.gua.tag.{tag}", tag, f"本卦为{tag}卦", (one,), "ZS.020.tag")
    word = marks.transition(primary, target)
    if word:
        yield _gua("ly.gua.transition", word, word, (one, two), "ZS.022.transition")
    for part, kind in marks.fan_fu(primary, target).items():
        if kind:
            name, zh = ("fanyin" if kind == "反吟" else "fuyin"), ("内卦" if part == "inner" else "外卦")
            yield _gua(f"ly.gua.{name}.{part}", kind, f"{zh}{kind}", (one, two), "ZS.028.fan_fu")


def _gua(name: str, value: str, text: str, leaves: tuple[str, ...], rule: str) -> Fact:
    return Fact(name, "hexagram", "hexagram", name.split(".")[2], value, text, None, leaves, rule, "ZS")


def _line(chart: LiuyaoChart, line: Line) -> Iterator[Fact]:
    n, own, at = line.position, line.state, f"ly.line.{line.position}"
    place, zh = PLACE[n], f"{line.relation}{pillar_text(line.pillar)}"
    special = mark(chart.primary, n)
    holds = f"，持{special}" if special else ""
    yield Fact(
        at, "line", line.relation, "stands", line.pillar.value,
        f"{place}{zh}，临{line.spirit}{holds}，{'发动' if line.moving else '安静'}", str(n), (), "ZS.004.line", "ZS",
    )  # fmt: skip
    month, day = chart.month_branch, chart.day.branch
    rows: list[tuple[str, str, str, tuple[str, ...], str]] = [
        (
            "state",
            own.month_state,
            f"{place}{own.branch}{own.element}在{month}月为{own.month_state}",
            (at, MONTH),
            "016.season",
        ),
        (
            "month",
            "".join(own.month),
            f"月建{month}于{place}{own.branch}为{'、'.join(own.month)}",
            (at, MONTH),
            "016.month",
        ),
        (
            "day",
            "".join(own.day),
            f"日辰{day}于{place}{own.branch}为{'、'.join(own.day)}",
            (at, DAY),
            "017.day",
        ),
    ]
    if own.void:
        word = f"{line.void_kind}空" if line.void_kind else "旬空"
        rows.append(
            (
                "void",
                word,
                f"{place}{own.branch}落旬空" + (f"，为{word}" if line.void_kind else ""),
                (at, "ly.void.day"),
                "026.void",
            )
        )
    if own.month_broken:
        rows.append(("yuepo", "月破", f"{place}{own.branch}逢月破", (at, "ly.yuepo"), "019.month_broken"))
    if own.day_clashed:
        rows.append(("richong", "日冲", f"{place}{own.branch}逢日冲", (at, "ly.richong"), "018.day_clash"))
    if line.an_dong:
        rows.append(
            ("andong", "暗动", f"{place}{own.branch}暗动", (f"{at}.richong", f"{at}.state"), "025.an_dong")
        )
    if line.day_broken:
        rows.append(
            ("ripo", "日破", f"{place}{own.branch}为日破", (f"{at}.richong", f"{at}.state"), "025.day_broken")
        )
    if own.day_stage:
        rows.append(
            (
                "stage",
                own.day_stage,
                f"{place}{own.element}在日辰{day}为{own.day_stage}",
                (at, DAY),
                "030.stage",
            )
        )
    for tail, value, text, leaves, rule in rows:
        yield Fact(
            f"{at}.{tail}", "line_state", line.relation, tail, value, text, str(n), leaves, f"ZS.{rule}", "ZS"
        )
    if line.turned:
        to = line.turned
        yield Fact(
            f"ly.target.{n}", "line", to.relation, "turns_into", to.pillar.value,
            f"{place}变{to.relation}{pillar_text(to.pillar)}", str(n), (at,), "ZS.015.change", "ZS",
        )  # fmt: skip
        for word in to.changes:
            yield Fact(
                f"{at}.change.{word}", "change", line.relation, word, to.pillar.value, f"{place}{own.branch}{word}", str(n),
                (at, f"ly.target.{n}", *_CHANGED_BY.get(word, ())), "ZS.015.change", "ZS",
            )  # fmt: skip


def _trines(found: Analysis) -> Iterator[Fact]:
    counts: dict[str, int] = {}
    for each in found.trines:
        counts[each.element] = counts.get(each.element, 0) + 1
        members = [
            f"ly.line.{line.position}" for line in found.lines if line.state.branch.value in each.branches
        ]
        if each.kind.endswith("动变"):
            turned = [
                line
                for line in found.lines
                if line.turned and line.turned.state.branch.value in each.branches
            ]
            members += [f"ly.target.{line.position}" for line in turned]
        members += [{"月建": MONTH, "日辰": DAY}[name] for name in each.filled_by]
        yield Fact(
            f"ly.sanhe.{each.element}.{counts[each.element]}", "trine", each.element, "trine", each.kind,
            f"{each.branches}三合{each.element}局，{each.kind}", None, tuple(members), "ZS.021.trine", "ZS",
        )  # fmt: skip


def _question(found: Analysis) -> Iterator[Fact]:
    asked = found.yongshen
    word = "用神为" if not asked.undecided else "用神或为" if asked.candidates else "未定用神，以世为准，"
    for number, each in enumerate(found.told, 1):
        where = f"，取{PLACE[each.position]}" if each.position else ""
        yield Fact(
            f"ly.yongshen.{number}", "yongshen", each.target, each.source, each.text,
            f"{word}{each.target}{where}{each.text}" + ("（伏神）" if each.source == "hidden" else ""),
            str(each.position) if each.position else None, (_seat(each.source, each.position),), "ZS.008.yongshen", "ZS",
        )  # fmt: skip
    for name, role in asked.roles.items():
        places = "、".join(PLACE[line.position] for line in role.lines)
        moving = any(line.moving for line in role.lines)
        text = f"{name}属{role.element}" + (
            f"，在{places}，{'发动' if moving else '安静'}" if places else "，不上卦"
        )
        yield Fact(
            f"ly.role.{name}", "role", name, "element", role.element.value, text, None,
            (found.subject_id, *(f"ly.line.{line.position}" for line in role.lines)), "ZS.009.role", "ZS",
        )  # fmt: skip
    for number, when in enumerate(found.timing, 1):
        branches = tuple(branch.value for branch in when.branches)
        yield Fact(
            f"ly.timing.{number}", "timing", when.subject, when.trigger, branches,
            f"应期：{when.trigger}，看{'、'.join(branches)}", None, when.rests_on, f"{when.source}.timing", "ZS",
        )  # fmt: skip
    evidence = tuple(dict.fromkeys(each for row in found.sign.contributions for each in row.evidence))
    yield Fact(
        "ly.sign",
        "sign",
        "sign",
        "level",
        found.sign.level,
        f"签等为{found.sign.level}",
        None,
        evidence,
        "P.sign_v1",
        "project",
    )


def _seat(source: str, position: int | None) -> str:
    """The fact in which a 用神 was found."""
    if source == "hidden":
        return f"ly.hidden.{position}"
    if source == "changed":
        return f"ly.target.{position}"
    return {"month": MONTH, "day": DAY}.get(source, f"ly.line.{position}")
