"""The facts of a cast: pillars and lines as leaves, all others with their evidence and chapter."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.facts import Fact
from bazi_core.liuyao import marks
from bazi_core.liuyao.force import numbered
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from bazi_core.alphabet import Branch, Pillar
    from bazi_core.liuyao.board import Line, Turned
    from bazi_core.liuyao.chart import LiuyaoValue
    from bazi_core.liuyao.dates import Period
    from bazi_core.liuyao.value import AnalysisValue

ALL_LINES = tuple(f"ly.line.{n}" for n in range(1, 7))
MONTH, DAY = "ly.yuejian", "ly.richen"
_CHANGED_BY = {"化空": ("ly.void.day",), "化破": ("ly.yuepo",)}


def analysis_facts(analysis: AnalysisValue) -> Iterator[Fact]:
    """All facts of a board and its question."""
    yield from _calendar(analysis.chart)
    yield from _hexagrams(analysis.chart)
    for line in analysis.lines:
        yield from _line(analysis.chart, line)
    for each in analysis.hidden:
        yield Fact(
            f"ly.hidden.{each.position}", "hidden", each.relation, "hidden_under", each.pillar.value,
            "line.hidden", (each.relation, *_written(each.pillar), each.position, each.flying.value, each.flying_relation),
            str(each.position), (f"ly.line.{each.position}", "ly.gua.palace"), "ZS.035.hidden", "ZS",
        )  # fmt: skip
    yield from _trines(analysis)
    for star in analysis.stars:
        for n in star.positions:
            on = MONTH if star.name == "天喜" else DAY
            yield Fact(
                f"ly.star.{star.name}.{n}", "star", star.name, "stands", n, "line.star", (n, star.name), str(n),
                (f"ly.line.{n}", on), "ZS.040.star", "ZS",
            )  # fmt: skip
    yield from _question(analysis)


def _calendar(chart: LiuyaoValue) -> Iterator[Fact]:
    for name in ("year", "month", "day", "hour"):
        pillar = getattr(chart, name)
        if pillar is not None:
            yield Fact(
                f"ly.ganzhi.{name}",
                "pillar",
                name,
                "is",
                pillar.value,
                f"cast.{name}",
                (pillar.value,),
                name,
                (),
                "ZS.018.ganzhi",
                "",
            )
    from_month = ("ly.ganzhi.month",) if chart.month else ()
    rows = (
        (MONTH, chart.month_branch, "月建", from_month),
        (DAY, chart.day.branch, "日辰", ("ly.ganzhi.day",)),
        ("ly.yuepo", chart.month_broken, "月破", (MONTH,)),
        ("ly.richong", chart.day_clashed, "日冲", (DAY,)),
    )
    for name, branch, word, leaves in rows:
        values = (branch.value, branch.element.value)
        yield Fact(
            name, "calendar", word, "is", "".join(values), f"cast.{name[3:]}", values, None, leaves,
            f"ZS.018.{name[3:]}", "ZS",
        )  # fmt: skip
    void = tuple(branch.value for branch in chart.void)
    yield Fact(
        "ly.void.day", "calendar", "旬空", "is", "".join(void), "cast.void", (void,), None, ("ly.ganzhi.day",),
        "ZS.018.void.day", "ZS",
    )  # fmt: skip


def _hexagrams(chart: LiuyaoValue) -> Iterator[Fact]:
    primary, target = chart.primary, chart.target
    moving = tuple(f"ly.line.{n}" for n in chart.moving)
    one, two = "ly.gua.primary", "ly.gua.target"
    yield _gua(one, primary.full_name, "primary", (primary.full_name,), ALL_LINES, "ZS.002.hexagram")
    yield _gua(
        "ly.gua.palace",
        primary.palace,
        "palace",
        (primary.palace, primary.generation, primary.element.value),
        (one,),
        "ZS.003.palace",
    )
    if moving:
        yield _gua(two, target.full_name, "target", (target.full_name,), (one, *moving), "ZS.002.change")
    for tag in primary.tags:
        yield _gua(f"ly.gua.tag.{tag}", tag, "tag", (tag,), (one,), "ZS.020.tag")
    word = marks.transition(primary, target)
    if word:
        yield _gua("ly.gua.transition", word, "transition", (word,), (one, two), "ZS.022.transition")
    for part, kind in marks.fan_fu(primary, target).items():
        if kind:
            name = "fanyin" if kind == "反吟" else "fuyin"
            yield _gua(f"ly.gua.{name}.{part}", kind, part, (kind,), (one, two), "ZS.028.fan_fu")


def _gua(
    name: str, value: str, key: str, values: tuple[str, ...], leaves: tuple[str, ...], rule: str
) -> Fact:
    predicate = name.split(".")[2]
    return Fact(
        name, "hexagram", "hexagram", predicate, value, f"hexagram.{key}", values, None, leaves, rule, "ZS"
    )


def _written(pillar: Pillar) -> tuple[str, str]:
    """A pillar with the element of its branch."""
    return pillar.value, pillar.branch.element.value


def _line(chart: LiuyaoValue, line: Line) -> Iterator[Fact]:
    n, at = line.position, f"ly.line.{line.position}"
    holds = (FactPhrase("line.holds", (line.mark,)),) if line.mark else ()
    yield Fact(
        at, "line", line.relation, "stands", line.pillar.value,
        "line.moving" if line.moving else "line.still",
        (n, line.relation, *_written(line.pillar), line.spirit, holds), str(n), (), "ZS.004.line", "ZS",
    )  # fmt: skip
    yield from _states(chart, line)
    if line.turned is not None:
        yield from _changes(line, line.turned, at)


class _Row(NamedTuple):
    """A state of a line: its id, its words (empty where it does not hold), its key and further values, its evidence, and its
    chapter."""

    tail: str
    words: Callable[[Line], tuple[str, ...]]
    key: str
    leaves: tuple[str, ...]
    rule: str


_ROWS = (
    _Row("state", lambda line: (line.state.month_state,), "line.state", ("", MONTH), "ZS.016.season"),
    _Row("month", lambda line: line.state.month, "line.by_month", ("", MONTH), "ZS.016.month"),
    _Row("day", lambda line: line.state.day, "line.by_day", ("", DAY), "ZS.017.day"),
    _Row("void", lambda line: _void(line, kind=False), "line.void", ("", "ly.void.day"), "ZS.026.void"),
    _Row("void", lambda line: _void(line, kind=True), "line.void_kind", ("", "ly.void.day"), "ZS.026.void"),
    _Row("yuepo", lambda line: ("月破",) * line.state.month_broken, "line.yuepo", ("", "ly.yuepo"), "ZS.019.month_broken"),
    _Row("richong", lambda line: ("日冲",) * line.state.day_clashed, "line.richong", ("", "ly.richong"), "ZS.018.day_clash"),
    _Row("andong", lambda line: ("暗动",) * line.an_dong, "line.andong", (".richong", ".state"), "ZS.025.an_dong"),
    _Row("ripo", lambda line: ("日破",) * line.day_broken, "line.ripo", (".richong", ".state"), "ZS.025.day_broken"),
    _Row("stage", lambda line: (line.state.day_stage,), "line.stage", ("", DAY), "ZS.030.stage"),
)  # fmt: skip


def _void(line: Line, *, kind: bool) -> tuple[str, ...]:
    """The words for a void line: 真空 or 假空, or the bare fact where the policy keeps it."""
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


def _states(chart: LiuyaoValue, line: Line) -> Iterator[Fact]:
    branch, relative, n = line.state.branch, line.relation, line.position
    month, day, position = chart.month_branch, chart.day.branch, str(line.position)
    for (tail, words_of, key, _, rule), name, leaves in _rows_of(n):
        words = words_of(line)
        if words and words[0]:
            values = _values(key, n, branch, month, day, words)
            yield Fact(
                name, "line_state", relative, tail, "".join(words), key, values, position, leaves, rule, "ZS"
            )


@lru_cache(maxsize=1 << 14)
def _values(
    key: str, n: int, branch: Branch, month: Branch, day: Branch, words: tuple[str, ...]
) -> tuple[Any, ...]:
    """The values of a state."""
    line = (n, branch.value, branch.element.value)
    match key:
        case "line.state":
            return (*line, month.value, *words)
        case "line.by_month":
            return (month.value, *line, words)
        case "line.by_day":
            return (day.value, *line, words)
        case "line.stage":
            return (n, branch.element.value, day.value, *words)
        case "line.void_kind":
            return (*line, *words)
    return line


def _changes(line: Line, to: Turned, at: str) -> Iterator[Fact]:
    at_line, n = (line.position, line.state.branch.value, line.state.element.value), str(line.position)
    yield Fact(
        f"ly.target.{n}", "line", to.relation, "turns_into", to.pillar.value,
        "line.turns", (line.position, to.relation, *_written(to.pillar)), n, (at,), "ZS.015.change", "ZS",
    )  # fmt: skip
    for word in to.changes:
        yield Fact(
            f"{at}.change.{word}", "change", line.relation, word, to.pillar.value,
            "line.change", (*at_line, word), n, (at, f"ly.target.{n}", *_CHANGED_BY.get(word, ())),
            "ZS.015.change", "ZS",
        )  # fmt: skip


def _trines(analysis: AnalysisValue) -> Iterator[Fact]:
    for name, trine in numbered(analysis.trines):
        members = [
            f"ly.line.{line.position}" for line in analysis.lines if line.state.branch.value in trine.branches
        ]
        if trine.kind.endswith("动变"):
            turned = [
                line
                for line in analysis.lines
                if line.turned and line.turned.state.branch.value in trine.branches
            ]
            members += [f"ly.target.{line.position}" for line in turned]
        members += [{"月建": MONTH, "日辰": DAY}[filler] for filler in trine.filled_by]
        yield Fact(
            name, "trine", trine.element, "trine", trine.kind,
            "cast.trine", (tuple(trine.branches), trine.element, trine.kind), None, tuple(members), "ZS.021.trine", "ZS",
        )  # fmt: skip


def _question(analysis: AnalysisValue) -> Iterator[Fact]:
    asked, stated = analysis.yongshen, ("ly.asked",) if analysis.taken else ()
    if analysis.taken:
        label, beside = analysis.taken
        yield Fact(
            "ly.asked", "question", "question", "asks", label, "asked.kind", (label,), None, (), "P.asked", "project"
        )  # fmt: skip
        if beside:
            yield Fact(
                "ly.asked.beside", "question", "question", "asks_beside", beside, "asked.beside", (beside,), None, stated,
                "P.asked", "project",
            )  # fmt: skip
    key = "asked.is" if not asked.undecided else "asked.may_be" if asked.candidates else "asked.open"
    for number, each in enumerate(analysis.told, 1):
        where = (each.position,) if each.position else ()
        sign = FactPhrase("sign.pillar" if len(each.text) == 2 else "sign.branch", (each.text,))
        hidden = (FactPhrase("asked.hidden"),) if each.source == "hidden" else ()
        yield Fact(
            f"ly.yongshen.{number}", "yongshen", each.target, each.source, each.text,
            key, (each.target, where, sign, hidden), str(each.position) if each.position else None,
            (*stated, _seat(each.source, each.position)), "ZS.008.yongshen", "ZS",
        )  # fmt: skip
    for name, role in asked.roles.items():
        key, lines = _stands(role.lines)
        yield Fact(
            f"ly.role.{name}", "role", name, "element", role.element.value, key, (name, role.element.value, *lines), None,
            (analysis.subject_id, *(f"ly.line.{line.position}" for line in role.lines)), "ZS.009.role", "ZS",
        )  # fmt: skip
    for number, when in enumerate(analysis.waits, 1):
        branches = tuple(branch.value for branch in when.branches)
        yield Fact(
            f"ly.timing.{number}", "timing", when.subject, when.trigger, branches, "cast.timing",
            (when.trigger, branches), None, when.rests_on, f"{when.source}.timing", "ZS",
        )  # fmt: skip
    yield from _dates(analysis)
    if analysis.sign is not None and not analysis.ungraded:
        evidence = tuple(dict.fromkeys(each for row in analysis.sign.contributions for each in row.evidence))
        level = analysis.sign.level
        yield Fact(
            "ly.sign",
            "sign",
            "sign",
            "level",
            level,
            "cast.sign",
            (level,),
            None,
            evidence,
            "P.sign_v1",
            "project",
        )


def _dates(analysis: AnalysisValue) -> Iterator[Fact]:
    """The dates of the branches of 应期 as facts, branch by branch, resting on the triggers that name them."""
    named: dict[Branch, dict[Period, list[str]]] = {}
    for number, when in enumerate(analysis.waits, 1):
        for period in analysis.dates(when):
            named.setdefault(period.branch, {}).setdefault(period, []).append(f"ly.timing.{number}")
    for branch, periods in named.items():
        leaves = tuple(dict.fromkeys(name for names in periods.values() for name in names))
        in_order = sorted(periods, key=lambda each: each.begins)
        yield Fact(
            f"ly.date.{branch.value}", "date", branch.value, "comes", tuple(each.begins for each in in_order),
            "cast.dates", (tuple(_spans(branch, in_order)),), None, (*leaves, DAY), "P.dates", "project",
        )  # fmt: skip


def _spans(branch: Branch, periods: Sequence[Period]) -> Iterator[FactPhrase]:
    days = tuple(period.date for period in periods if period.unit == "日")
    if days:
        yield FactPhrase("dates.days", (branch.value, days))
    for key, unit in (("dates.month", "月"), ("dates.year", "年")):
        for period in periods:
            if period.unit == unit:
                yield FactPhrase(key, (branch.value, period.begins, period.term))


def _stands(lines: Sequence[Line]) -> FactPhrase:
    """The positions of lines and those that move, as 在二爻、五爻，其中二爻发动."""
    if not lines:
        return FactPhrase("role.absent")
    moving = tuple(line.position for line in lines if line.moving)
    places = tuple(line.position for line in lines)
    if 0 < len(moving) < len(lines):
        return FactPhrase("role.moves_some", (places, moving))
    return FactPhrase("role.moves" if moving else "role.stands", (places,))


def _seat(source: str, position: int | None) -> str:
    """The id of the fact that holds a 用神."""
    if source == "hidden":
        return f"ly.hidden.{position}"
    if source == "changed":
        return f"ly.target.{position}"
    return {"month": MONTH, "day": DAY}.get(source, f"ly.line.{position}")
