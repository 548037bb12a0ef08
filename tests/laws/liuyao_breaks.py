"""Rules of 六爻 broken on purpose: what stands in the place of a function, of a table, or of the strict object."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.laws.breaking import function, module

Row = dict[str, str]


# 纳甲, trigrams, palaces.


def najia(name: str, side: str, change: Callable[[list[str]], list[str]]) -> Callable[[list[Row]], None]:
    """Other pillars in a row of the table of trigrams."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row["name"] == name)
        row[side] = " ".join(change(row[side].split()))

    return edit


def exchanged_stems(name: str) -> Callable[[list[Row]], None]:
    """The stems of the inner lines outside, and those of the outer lines inside."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row["name"] == name)
        inner, outer = row["inner"], row["outer"]
        row["inner"], row["outer"] = inner.replace(inner[0], outer[0]), outer.replace(outer[0], inner[0])

    return edit


def relabelled(one: str, other: str) -> Callable[[list[Row]], None]:
    """Two generations exchanged, as another line turned on the way makes it."""

    def edit(rows: list[Row]) -> None:
        for row in rows:
            row["generation"] = {one: other, other: one}.get(row["generation"], row["generation"])

    return edit


def seats(change: Callable[[Row], None]) -> Callable[[list[Row]], None]:
    return lambda rows: [change(row) for row in rows]


def moved_shi(row: Row) -> None:
    row["shi"] = "4" if row["name"] == "三世" else row["shi"]


def moved_ying(row: Row) -> None:
    row["ying"] = str(int(row["ying"]) % 6 + 1)


def relation_of_controlled(right: Any) -> Any:
    """妻财 and 官鬼 exchanged."""
    return lambda palace, element: {"妻财": "官鬼", "官鬼": "妻财"}.get(
        right(palace, element), right(palace, element)
    )


def in_own_palace(right: Any) -> Any:
    """Relatives of every hexagram, a target too, in its own palace."""
    return lambda code, palace: right(code, module("liuyao.hexagrams").hexagram_of(code).element)


def hidden_of_target(right: Any) -> Any:
    """伏神 from the head of the target's palace."""

    def lines(chart: Any) -> Any:
        head = module("liuyao.hexagrams").hexagram(chart.target.palace)
        found = right(chart)
        return tuple(each._replace(pillar=head.pillars[each.position - 1]) for each in found)

    return lines


# The strict object.


def strict(change: Callable[[Any, dict[str, Any]], object]) -> Callable[[], None]:
    """Something else in the strict object."""

    def changed(right: Any) -> Any:
        def divination(chart: Any, *given: Any) -> dict[str, Any]:
            made: dict[str, Any] = right(chart, *given)
            change(chart, made)
            return made

        return divination

    return function("liuyao.divination", "divination", changed)


def nothing_changes_in_the_target(chart: Any, made: dict[str, Any]) -> None:
    for row in made["targetYaoInfoList"]:
        row["isChanging"] = False


def marks_of_the_primary(chart: Any, made: dict[str, Any]) -> None:
    for row, own in zip(made["targetYaoInfoList"], made["yaoInfoList"], strict=False):
        row["specialMark"] = own["specialMark"]


def clock_rounded(chart: Any, made: dict[str, Any]) -> None:
    from datetime import timedelta

    from bazi_core.astro import scales

    if chart.moment:
        wall = scales.datetime_of(chart.moment.local_ms) + timedelta(seconds=30)
        made["divinationTime"] = f"{wall:%Y年%m月%d日 %H:%M}"


def shifted_spirits(right: Any) -> Any:
    return lambda: tuple((*row[1:], row[0]) for row in right())


def wu_with_ji(rows: list[Row]) -> None:
    """戊己 both given 勾陈."""
    rows[2]["first_by"], rows[3]["first_by"] = "戊己", ""


def void_two_on(right: Any) -> Any:
    branches = list(module("alphabet").BRANCHES)
    return lambda pillar: tuple(branches[(each.index + 2) % 12] for each in right(pillar))


def state(change: Callable[..., dict[str, Any]]) -> Callable[[], None]:
    """Something else in the state of a branch."""

    def changed(right: Any) -> Any:
        def found(branch: Any, month: Any, day: Any) -> Any:
            own = right(branch, month, day)
            return own._replace(**change(own, month, day))

        return found

    return function("liuyao.board", "_state", changed)


def void_of_month(own: Any, month: Any, day: Any) -> dict[str, Any]:
    cycles, pillars = module("views.cycles"), module("alphabet").PILLARS
    return {"void": own.branch in cycles.void_branches(pillars[month.index])}


# Time.


def position_by_day(right: Any) -> Any:
    """节 by the calendar day: midnight opens the month on whose day it falls."""
    day = 86_400_000
    half = day // 2
    return lambda tt_ms: right((tt_ms + half) // day * day - half + day - 1)


def minutes_dropped(right: Any) -> Any:
    def read(text: Any) -> Any:
        wall, _, offset = right(text)
        return wall.replace(minute=0, second=0), 0, offset

    return read


def always_china(right: Any) -> Any:
    return lambda text: (*right(text)[:2], 28_800)


def stem_of_this_day(right: Any) -> Any:
    """The stem of the 23rd hour from the day that ends."""

    def hour_index(local_ms: int, stem_day: int) -> int:
        late = (local_ms + 43_200_000) % 86_400_000 >= 23 * 3_600_000
        found: int = right(local_ms, stem_day - late)
        return found

    return hour_index


# Marks.


def exchanged(home: str, one: str, other: str) -> Callable[[], None]:
    """Two constants in each other's place."""

    def apply() -> None:
        found = vars(module(home))
        found[one], found[other] = found[other], found[one]

    return apply


def without_earth() -> None:
    marks = module("liuyao.marks")
    for table in (marks.ADVANCE, marks.RETREAT):
        for branch in "丑辰未戌":
            table.pop(branch)


def clash_anywhere(right: Any) -> Any:
    """反吟 of the whole board as soon as one line clashes with its change."""

    def fan_fu(primary: Any, target: Any) -> dict[str, str | None]:
        clash = module("liuyao.hexagrams").clash
        pairs = zip(primary.branches, target.branches, strict=True)
        held = any(clash(one) is other for one, other in pairs)
        found: dict[str, str | None] = {"inner": "反吟", "outer": "反吟"} if held else right(primary, target)
        return found

    return fan_fu


def always_active(right: Any) -> Any:
    return lambda branches, changed, active, month, day: right(branches, changed, [True] * 6, month, day)


def moving_lines_in_secret(right: Any) -> Any:
    def lines(chart: Any) -> Any:
        return tuple(
            each._replace(an_dong=each.an_dong or (each.moving and each.state.day_clashed))
            for each in right(chart)
        )

    return lines


def earth_with_fire(rows: list[Row]) -> None:
    """火土同宫: earth born in 寅."""
    rows[2] |= {name: rows[1][name] for name in ("长生", "帝旺", "墓", "绝")}


def drop(*words: str) -> Callable[[Any], Any]:
    """A function without some words of its answer."""
    return lambda right: lambda *given: tuple(word for word in right(*given) if word not in words)


def stale(own: Any, month: Any, day: Any) -> dict[str, Any]:
    """The day standing on a line takes void and broken away."""
    return {
        "void": own.void and own.month != ("临",),
        "month_broken": own.month_broken and own.day != ("临",),
    }


# Casting.


def drawn_uniformly(right: Any) -> Any:
    def coins(rng: Any = None, yang_face: str = "bei") -> Any:
        from random import SystemRandom

        draw = rng or SystemRandom()
        return module("liuyao.cast").lines([6 + draw.getrandbits(2) for _ in range(6)])

    return coins


def split_evenly(right: Any) -> Any:
    def heaps(residue: Any, size: Any) -> list[int]:
        stalks, made = 49, []
        for change in range(3):
            left = 1 + (size(change) * 256 + size(change)) % (stalks - 2)
            made.append(left)
            stalks -= 1 + (left % 4 or 4) + ((stalks - left - 1) % 4 or 4)
        return made

    return heaps


def of_solar_year(right: Any) -> Any:
    """The year branch of 梅花易数 from 立春."""

    def lunar_of(at: Any, school: Any, leap: str) -> Any:
        (_, month, day), hour, is_leap = right(at, school, leap)
        calendar = module("liuyao.calendar")
        pillars = module("pillars").four_pillars(
            calendar.moment_of(at, school), calendar.civil_school(school)
        )
        return (pillars.year.branch, month, day), hour, is_leap

    return lunar_of


def trusting(right: Any) -> Any:
    """Verification that recomputes and does not compare."""

    def verified(given: Any) -> Any:
        return right({**given, **module("liuyao.cast")._MAKERS[given["method"]](given).to_dict()})

    return verified


# Judgements.


def first_only(right: Any) -> Any:
    return lambda *given: right(*given)[:1]


def merits_without(*names: str) -> Callable[[list[Row]], None]:
    """The rows of the merits without these."""

    def change(rows: list[Row]) -> None:
        rows[:] = [row for row in rows if row["merit"] not in names]

    return change


def kin_as(who: str, target: str) -> Callable[[list[Row]], None]:
    """Another relative for a kinship."""
    return lambda rows: [row.update(target=target) for row in rows if row["kinship"] == who] and None


def day_before(right: Any) -> Any:
    return lambda moment, school: right(moment, school) - timedelta(days=1)


def plainly(right: Any) -> Any:
    """Every sentence as a ground is told."""
    return lambda self, statement, variant=None: right(self, statement._replace(relation="ground"), variant)


def roles_exchanged(right: Any) -> Any:
    def roles(board: Any, subject: Any) -> Any:
        found = right(board, subject)
        return {"原神": found["忌神"], "忌神": found["原神"], "仇神": found["仇神"]}

    return roles


def renamed(trigger: str, other: str) -> Callable[[Any], Any]:
    """Triggers of 应期 under each other's names."""
    names = {trigger: other, other: trigger}
    return lambda right: (
        lambda *given: ((names.get(name, name), branches) for name, branches in right(*given))
    )


def points(rule: str, value: str) -> Callable[[list[Row]], None]:
    def edit(rows: list[Row]) -> None:
        next(row for row in rows if row["rule"] == rule)["points"] = value

    return edit


def without_roots(right: Any) -> Any:
    """Facts that rest on nothing."""
    return lambda found: (
        fact._replace(derives_from=()) if fact.kind == "change" else fact for fact in right(found)
    )


def answered_with(target: str, label: str) -> Callable[[list[Row]], None]:
    def edit(rows: list[Row]) -> None:
        next(row for row in rows if row["label"] == label)["target"] = target

    return edit


def lines_reversed(right: Any) -> Any:
    return lambda given: right(given)[::-1]


def shorter(name: str, *gone: str) -> Callable[[Any], Any]:
    """A table of policies in another order of sources."""
    return lambda found: {**found, name: gone}
