"""The facts of a day of the almanac, each with rule, source and the option that chose between readings."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.almanac.facts import hou_names
from bazi_core.almanac.gods import HANZI, gods
from bazi_core.facts import Fact
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES, label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.almanac.calendar import DayCalendar
    from bazi_core.almanac.facts import DayFacts
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.almanac.xieji import Verdict
    from bazi_core.astro.lunar import LunarDate


@cache
def data_rows() -> dict[str, dict[str, str]]:
    """The data of a day by name: rule, source, option and how sure."""
    return {row["datum"]: row for row in rows("almanac/day_facts")}


def facts_of(
    calendar: DayCalendar, lunar: LunarDate, day: DayFacts, found: Verdict | None, school: AlmanacSchool
) -> Iterator[Fact]:
    """The facts of a day: its data, marks, gods and items."""
    for name, value in _values(calendar, lunar, day).items():
        row = data_rows()[name]
        option = row["option"]
        rule = f"{row['rule']} [{option}={getattr(school, option)}]" if option else row["rule"]
        key, told = _told(name, value, lunar, day)
        basis: tuple[str, ...] = (
            ("almanac.day.month_pillar",) if option == "month_at" and name != "month_pillar" else ()
        )
        yield Fact(
            f"almanac.day.{name}", "almanac", "day", name, value, key, (name, told), None, basis, rule,
            row["source"],
        )  # fmt: skip
    for mark in (*day.marks, *day.folk):
        standing = "custom" if mark in day.folk else "协纪辨方书"
        yield Fact(
            f"almanac.mark.{mark}", "almanac", "day", "mark", mark, "almanac.mark", (mark,), None, (), "mark of the day",
            standing,
        )  # fmt: skip
    if found is None:
        return
    for name in found.gods:
        god = gods()[name]
        yield Fact(
            f"almanac.god.{name}", "almanac", "day", "god", god.kind, "almanac.god", (name, god.kind), None,
            ("almanac.day.day_pillar", "almanac.day.month_pillar"), god.type, f"卷{god.juan}",
        )  # fmt: skip
    for name, states in (("yi", found.yi), ("ji", found.ji), ("silent", found.silent)):
        for item in states:
            reason = found.why[item]
            basis = tuple(dict.fromkeys(f"almanac.god.{row.god}" for row in (*reason.yi, *reason.ji)))
            yield Fact(
                f"almanac.item.{item}", "almanac", "day", "item", name, f"almanac.{name}", (item,), None, basis,
                reason.rule, "卷10 卷11",
            )  # fmt: skip


def _told(name: str, value: Any, lunar: LunarDate, day: DayFacts) -> tuple[str, Any]:
    """The key of the sentence on a datum, and what stands in it."""
    if name.endswith("_pillar") or name == "clash":
        return "almanac.pillar", value
    if name in ("void", "lu"):
        return "almanac.branches", tuple(value)
    if name == "lunar":
        return "almanac.lunar", tuple(
            lunar.text(lang).removeprefix(label("lunar", lang)) for lang in LANGUAGES
        )
    if name == "xiu":
        return "almanac.datum", (f"{value}宿",)
    if name == "hou":
        return "almanac.datum", (hou_names()[day.hou],)
    if name == "taishen":
        return "almanac.datum", (day.of_pillar.taishen_place, day.of_pillar.taishen_direction)
    return "almanac.datum", tuple(value) if isinstance(value, list) else (str(value),)


def _values(calendar: DayCalendar, lunar: LunarDate, facts: DayFacts) -> dict[str, Any]:
    own = facts.of_pillar
    return {
        "year_pillar": HANZI[calendar.year_pillar],
        "month_pillar": HANZI[calendar.month_pillar],
        "day_pillar": HANZI[calendar.day_pillar],
        "lunar": lunar.text().removeprefix("农历"),
        "term": HANZI[calendar.term.name],
        "hou": facts.hou,
        "jianchu": facts.jianchu,
        "tianshen": facts.tianshen,
        "huangdao": facts.huangdao,
        "xiu": facts.xiu,
        "zheng": facts.zheng,
        "qin": facts.qin,
        "nayin": own.nayin,
        "void": own.void,
        "clash": own.clash_pillar,
        "sha": own.sha,
        "pengzu": list(own.pengzu),
        "taishen": own.taishen_place + own.taishen_direction,
        **own.directions,
        "lu": own.lu,
        "year_star": facts.year_star,
        "month_star": facts.month_star,
        "day_star": facts.day_star,
    }
