"""The facts of a day of the almanac, each with rule, source and the option that chose between readings."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.almanac.facts import FOLK, hou_names
from bazi_core.almanac.gods import HANZI, gods
from bazi_core.almanac.hours import hours_of
from bazi_core.facts import Fact
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES, label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.almanac.calendar import DayCalendar
    from bazi_core.almanac.facts import DayFacts
    from bazi_core.almanac.hours import Hour
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.almanac.xieji import Verdict
    from bazi_core.astro.lunar import LunarDate


@cache
def data_rows() -> dict[str, dict[str, str]]:
    """The data of a day by name: rule, source, option and how sure."""
    return {row["datum"]: row for row in rows("almanac/day_facts")}


@cache
def mark_rows() -> dict[str, dict[str, str]]:
    """The marks of a day by name: rule, source and option; those of custom alone too."""
    found = {row["mark"]: row for row in rows("almanac/marks")}
    of_custom = (row for row in rows("almanac/folk_days") if row["name"] in FOLK)
    return found | {row["name"]: {"rule": row["rule"], "source": "custom", "option": ""} for row in of_custom}


@cache
def readings() -> dict[tuple[str, str], dict[str, str]]:
    """What each reading of an option rests on."""
    return {(row["option"], row["value"]): row for row in rows("almanac/readings")}


def _grounds(row: dict[str, str], school: AlmanacSchool) -> tuple[str, str]:
    """The rule of a datum with the readings that the school chose, and what all of it rests on."""
    rule, sources = row["rule"], row["source"].split()
    for option in row["option"].split():
        value = getattr(school, option)
        rule += f" [{option}={value}]"
        sources += readings()[option, value]["source"].split()
    return rule, " ".join(dict.fromkeys(sources))


@cache
def _volumes(juan: str) -> str:
    """The 卷 of a god or a row: 卷首 卷5 for `0,5`."""
    return " ".join("卷首" if number == "0" else f"卷{number}" for number in re.split("[,+]", juan))


def facts_of(
    calendar: DayCalendar,
    lunar: LunarDate,
    day: DayFacts,
    zodiac: str,
    found: Verdict | None,
    school: AlmanacSchool,
) -> Iterator[Fact]:
    """The facts of a day: its data, marks, hours, gods and items."""
    hours = hours_of(calendar.day_pillar, school, calendar.after_winter)
    for name, value in {
        **_values(calendar, lunar, day),
        "zodiac": zodiac,
        "hour_star": hours[0].star,
    }.items():
        row = data_rows()[name]
        rule, source = _grounds(row, school)
        key, told = _told(name, value, lunar, day)
        basis: tuple[str, ...] = (
            ("almanac.day.month_pillar",) if row["option"] == "month_at" and name != "month_pillar" else ()
        )
        yield Fact(
            f"almanac.day.{name}", "almanac", "day", name, value, key, (name, told), None, basis, rule, source
        )
    for mark in (*day.marks, *day.folk):
        rule, source = _grounds(mark_rows()[mark], school)
        yield Fact(
            f"almanac.mark.{mark}", "almanac", "day", "mark", mark, "almanac.mark", (mark,), None, (), rule, source
        )  # fmt: skip
    yield from _of_hours(hours, school)
    if found is None:
        return
    for name in found.gods:
        god = gods()[name]
        yield Fact(
            f"almanac.god.{name}", "almanac", "day", "god", god.kind, "almanac.god", (name, god.kind), None,
            ("almanac.day.day_pillar", "almanac.day.month_pillar"), god.type, _volumes(god.juan),
        )  # fmt: skip
    for name, states in (("yi", found.yi), ("ji", found.ji), ("silent", found.silent)):
        for item in states:
            reason = found.why[item]
            cited = (*reason.yi, *reason.ji)
            basis = tuple(dict.fromkeys(f"almanac.god.{row.god}" for row in cited))
            # 卷10 alone where no row that is cited stands in 卷11 too.
            source = _volumes("10" if {row.witnesses for row in cited} == {"10"} else "10+11")
            yield Fact(
                f"almanac.item.{item}", "almanac", "day", "item", name, f"almanac.{name}", (item,), None, basis,
                reason.rule, source,
            )  # fmt: skip


_HOUR = {"rule": "青龙 by the day branch, gods by 卷32", "source": "卷7 卷32", "option": "guiren"}
_LATE_HOUR = {**_HOUR, "option": "guiren late_zi_hour_stem"}


def _of_hours(hours: tuple[Hour, ...], school: AlmanacSchool) -> Iterator[Fact]:
    """The facts of the hours: pillar, god of 黄黑道 and the gods that stand there; none of them has a vote."""
    for hour in hours:
        rule, source = _grounds(_LATE_HOUR if hour.late else _HOUR, school)
        name = "late_zi" if hour.late else HANZI[hour.branch]
        path = "黄道" if hour.huangdao else "黑道"
        told = (HANZI[hour.branch], HANZI[hour.pillar], path, hour.tianshen)
        key, values = ("almanac.hour_gods", (*told, hour.gods)) if hour.gods else ("almanac.hour", told)
        yield Fact(
            f"almanac.hour.{name}", "almanac", "hour", "hour", hour.tianshen, key, values, None,
            ("almanac.day.day_pillar",), rule, source,
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
