"""The facts of a cast: pillars and lines as leaves, everything else with what it rests on and the chapter it follows."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.facts import Fact
from bazi_core.liuyao import marks
from bazi_core.liuyao.yongshen import PLACE, pillar_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line, Turned
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
    n, at, place = line.position, f"ly.line.{line.position}", PLACE[line.position]
    zh = f"{line.relation}{pillar_text(line.pillar)}"
    holds = f"，持{line.mark}" if line.mark else ""
    yield Fact(
        at, "line", line.relation, "stands", line.pillar.value,
        f"{place}{zh}，临{line.spirit}{holds}，{'发动' if line.moving else '安静'}", str(n), (), "ZS.004.line", "ZS",
    )  # fmt: skip
    yield from _states(chart, line)
    if line.turned is not None:
        yield from _changes(line, line.turned, at)


class _Row(NamedTuple):
    """A state of a line: what it is called, nothing where it does not hold, its sentence, what it rests on, its chapter.

    {line} is the place with branch and element, as 未 alone reads as a negator: 三爻未落旬空.
    """

    tail: str
    words: Callable[[Line], tuple[str, ...]]
    text: str
    leaves: tuple[str, ...]
    rule: str


_ROWS = (
    _Row("state", lambda line: (line.state.month_state,), "{line}在{month}月为{words}", ("", MONTH), "ZS.016.season"),
    _Row("month", lambda line: line.state.month, "月建{month}于{line}为{words}", ("", MONTH), "ZS.016.month"),
    _Row("day", lambda line: line.state.day, "日辰{day}于{line}为{words}", ("", DAY), "ZS.017.day"),
    _Row("void", lambda line: _void(line, kind=False), "{line}落旬空", ("", "ly.void.day"), "ZS.026.void"),
    _Row("void", lambda line: _void(line, kind=True), "{line}落旬空，为{words}", ("", "ly.void.day"), "ZS.026.void"),
    _Row("yuepo", lambda line: ("月破",) * line.state.month_broken, "{line}逢月破", ("", "ly.yuepo"), "ZS.019.month_broken"),
    _Row("richong", lambda line: ("日冲",) * line.state.day_clashed, "{line}逢日冲", ("", "ly.richong"), "ZS.018.day_clash"),
    _Row("andong", lambda line: ("暗动",) * line.an_dong, "{line}暗动", (".richong", ".state"), "ZS.025.an_dong"),
    _Row("ripo", lambda line: ("日破",) * line.day_broken, "{line}为日破", (".richong", ".state"), "ZS.025.day_broken"),
    _Row("stage", lambda line: (line.state.day_stage,), "{place}{element}在日辰{day}为{words}", ("", DAY), "ZS.030.stage"),
)  # fmt: skip


def _void(line: Line, *, kind: bool) -> tuple[str, ...]:
    """What a void line is called: 真空 or 假空, or the bare fact where the policy keeps it."""
    if not line.state.void or bool(line.void_kind) is not kind:
        return ()
    return (f"{line.void_kind}空" if kind else "旬空",)


@cache
def _rows_of(n: int) -> tuple[tuple[_Row, str, tuple[str, ...]], ...]:
    """The rows with their id and leaves at a line."""
    at = f"ly.line.{n}"
    return tuple(
        (row, f"{at}.{row.tail}", tuple(leaf if leaf.startswith("ly.") else at + leaf for leaf in row.leaves))
        for row in _ROWS
    )


def _states(chart: LiuyaoChart, line: Line) -> Iterator[Fact]:
    branch, relative, n = line.state.branch, line.relation, line.position
    month, day, position = chart.month_branch, chart.day.branch, str(line.position)
    for (tail, words_of, text, _, rule), name, leaves in _rows_of(n):
        words = words_of(line)
        if words and words[0]:
            value, told = _told(text, n, branch, month, day, words)
            yield Fact(name, "line_state", relative, tail, value, told, position, leaves, rule, "ZS")


@lru_cache(maxsize=1 << 14)
def _told(
    text: str, n: int, branch: Branch, month: Branch, day: Branch, words: tuple[str, ...]
) -> tuple[str, str]:
    """The value of a state and its sentence."""
    place, element = PLACE[n], branch.element
    line = f"{place}{branch}{element}"
    listed = "、".join(words)
    return "".join(words), text.format(
        line=line, place=place, element=element, month=month, day=day, words=listed
    )


def _changes(line: Line, to: Turned, at: str) -> Iterator[Fact]:
    own, place, n = line.state, PLACE[line.position], str(line.position)
    yield Fact(
        f"ly.target.{n}", "line", to.relation, "turns_into", to.pillar.value,
        f"{place}变{to.relation}{pillar_text(to.pillar)}", n, (at,), "ZS.015.change", "ZS",
    )  # fmt: skip
    for word in to.changes:
        yield Fact(
            f"{at}.change.{word}", "change", line.relation, word, to.pillar.value,
            f"{place}{own.branch}{own.element}{word}", n, (at, f"ly.target.{n}", *_CHANGED_BY.get(word, ())),
            "ZS.015.change", "ZS",
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
        text = f"{name}属{role.element}，{_stands(role.lines)}"
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


def _stands(lines: Sequence[Line]) -> str:
    """Where lines stand and whether they move; of several which of them, as 在二爻、五爻，其中二爻发动."""
    if not lines:
        return "不上卦"
    moving = [line for line in lines if line.moving]
    some = f"其中{_places(moving)}" if 0 < len(moving) < len(lines) else ""
    return f"在{_places(lines)}，{some}{'发动' if moving else '安静'}"


def _places(lines: Sequence[Line]) -> str:
    return "、".join([PLACE[line.position] for line in lines])


def _seat(source: str, position: int | None) -> str:
    """The fact in which a 用神 was found."""
    if source == "hidden":
        return f"ly.hidden.{position}"
    if source == "changed":
        return f"ly.target.{position}"
    return {"month": MONTH, "day": DAY}.get(source, f"ly.line.{position}")
