"""The facts of a day of the almanac, each with rule, source and the option that chose between readings."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bazi_core.almanac.doctrine import items_of
from bazi_core.almanac.facts import FOLK, DayFacts, hou_names
from bazi_core.almanac.gods import HANZI, gods
from bazi_core.almanac.hours import Hour, hours_of
from bazi_core.facts import Fact
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.almanac.calendar import DayCalendar
    from bazi_core.almanac.persons import Person
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
    """The basis of each reading of an option."""
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


def hour_name(hour: Hour) -> str:
    """The name of the fact of an hour: its branch, the 子 hour before midnight apart."""
    return f"hour.{'late_zi' if hour.late else HANZI[hour.branch]}"


def _of_hours(hours: tuple[Hour, ...], school: AlmanacSchool) -> Iterator[Fact]:
    """The facts of the hours: pillar, god of 黄黑道 and the gods that stand there; none of them has a vote."""
    for hour in hours:
        rule, source = _grounds(_LATE_HOUR if hour.late else _HOUR, school)
        path = "黄道" if hour.huangdao else "黑道"
        told = (HANZI[hour.branch], HANZI[hour.pillar], hour.begins, hour.ends, path, hour.tianshen)
        key, values = ("almanac.hour_gods", (*told, hour.gods)) if hour.gods else ("almanac.hour", told)
        yield Fact(
            f"almanac.{hour_name(hour)}", "almanac", "hour", "hour", hour.tianshen, key, values, None,
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
        "clash_zodiac": own.clash_zodiac,
        "sha": own.sha,
        "pengzu": list(own.pengzu),
        "taishen": own.taishen_place + own.taishen_direction,
        **own.directions,
        "lu": own.lu,
        "year_star": facts.year_star,
        "month_star": facts.month_star,
        "day_star": facts.day_star,
    }


# ---------------------------------------------------------------------- what a reading cites beside them


def _fact(
    name: str,
    value: Any,
    key: str,
    values: tuple[Any, ...],
    *basis: str,
    rule: str,
    source: str = "convention",
) -> Fact:
    """A fact of the almanac; `name` is its id without the head, the part before the last dot what it speaks of."""
    topic, _, last = name.rpartition(".")
    return Fact(
        f"almanac.{name}", "almanac", topic, last, value, f"almanac.{key}", values, None, basis, rule, source
    )


def date_facts(
    date: str, weekday: int, calendar: DayCalendar, lunar: LunarDate, where: tuple[tuple[str, ...], str]
) -> Iterator[Fact]:
    """Date, place and the number of the day in its term; `where` is the place in three languages, and its zone."""
    yield _fact("day.date", date, "date", (date, weekday), rule="civil date on the clock of the place")
    in_english = label(
        f"almanac_lunar_date{'.leap' if lunar.leap else ''}",
        "en",
        day=lunar.day,
        month=lunar.month,
        year=lunar.year,
    )
    in_chinese = (lunar.text(lang).removeprefix(label("lunar", lang)) for lang in LANGUAGES[:2])
    told = (*in_chinese, in_english)
    yield _fact(
        "day.lunar_date", told[0], "lunar_date", (told,), "almanac.day.lunar", rule="calendar of China"
    )
    yield _fact("day.place", where[1], "place", where, rule="the clock that decides the date")
    term, day = HANZI[calendar.term.name], calendar.term_day + 1
    yield _fact(
        "day.term_day", day, "term_day", (term, day), "almanac.day.term",
        rule="days from the civil date of the term, 1 on it",
    )  # fmt: skip


def verdict_facts(found: Verdict, items: str) -> Iterator[Fact]:
    """Grade, policy, special and closing days, and the items of a list that are favoured and forbidden, counted."""
    cell = ("almanac.day.month_pillar", "almanac.day.day_pillar")
    yield _fact("day.grade", found.grade, "grade", (found.grade,), *cell, rule="6.2", source="卷10")
    for name in found.special:
        yield _fact(f"special.{name}", name, "special", (name,), *cell, rule="6.2", source="卷4 卷10")
    for name in found.restrict:
        yield _fact(
            f"closing.{name}", name, "closing", (name,), f"almanac.god.{name}", rule="6.6", source="卷6 卷10"
        )
    special = tuple(f"almanac.special.{name}" for name in found.special)
    yield _fact(
        "day.policy", found.policy, "policy", (found.policy,), "almanac.day.grade",
        *(f"almanac.god.{name}" for name in found.de), *special, rule="6.2", source="卷10",
    )  # fmt: skip
    shown = items_of(items)
    for name, states in (("yi", found.yi), ("ji", found.ji)):
        listed = tuple(item for item in states if item in shown)
        basis = tuple(f"almanac.item.{item}" for item in listed) or ("almanac.day.policy",)
        yield _fact(
            f"day.{name}",
            len(listed),
            f"listed.{name}",
            (listed, len(listed)),
            *basis,
            rule=items,
            source="卷11",
        )


def change_facts(change: dict[str, Any] | None, china: dict[str, Any] | None) -> Iterator[Fact]:
    """The 节 that falls on the day with both months, and what the same date is in China where it differs."""
    if change:
        sides = [change[side][name] for side in ("before", "after") for name in ("month_pillar", "jianchu")]
        yield _fact(
            "day.month_change", change["local"], "month_change", (change["jie"], change["local"], *sides),
            rule="month by the 节 of the day [month_at]", source="卷4",
        )  # fmt: skip
    if china:
        here = china["here"]
        values = (here["month_pillar"], here["jianchu"], china["month_pillar"], china["jianchu"])
        yield _fact(
            "day.china",
            list(values),
            "china",
            values,
            "almanac.day.place",
            rule="[calendar_of]",
            source="卷4",
        )


def note_facts(notes: Iterable[tuple[str, dict[str, Any], tuple[str, ...]]]) -> Iterator[Fact]:
    """The notes of a day by code and number, each with its data and its words in three languages."""
    met: dict[str, int] = {}
    for code, data, words in notes:
        met[code] = met.get(code, 0) + 1
        number = f".{met[code]}" if met[code] > 1 else ""
        yield _fact(f"note.{code}{number}", data, "note", (words,), rule="note of the day")


def person_facts(persons: Iterable[Person], pillar: str) -> Iterator[Fact]:
    """The facts of a day for the person of each chart: one fact for each reason, and one for the useful gods."""
    for each in persons:
        own = f"almanac.person.{each.number}"
        yield _fact(
            f"person.{each.number}",
            each.pillars,
            "person",
            (each.number, each.pillars),
            rule="the chart that was given",
        )
        for code in each.reasons:
            yield _fact(
                f"person.{each.number}.{code}", code, "reason", (each.number, code), own, "almanac.day.day_pillar",
                rule="§7",
            )  # fmt: skip
        useful = each.useful_gods
        values = (each.number, pillar[0], useful.stem, pillar[1], useful.branch)
        yield _fact(
            f"person.{each.number}.useful", [*useful], "useful", values, own, "almanac.day.day_pillar",
            rule="useful gods of the chart; no weight in the verdict",
        )  # fmt: skip


def purpose_facts(
    found: Verdict | None, wanted: Iterable[tuple[str, tuple[str, ...], str]]
) -> Iterator[Fact]:
    """The facts of a day for each purpose: its name, the items of the book that answer it, and how it stands."""
    for name, items, standing in wanted:
        told = tuple(item for item in items if found is not None and item in found.why)
        basis = tuple(f"almanac.item.{item}" for item in told) or ("almanac.day.day_pillar",)
        yield _fact(
            f"purpose.{name}",
            standing,
            "purpose",
            (name, items, standing),
            *basis,
            rule="purposes",
            source="卷11",
        )


def dated(facts: Iterable[Fact], date: str) -> Iterator[Fact]:
    """The facts of a day among those of other days, their ids with the date.

    >>> [fact.id for fact in dated([_fact("day.grade", "上", "grade", ("上",), rule="")], "2026-10-03")]
    ['almanac.day.2026-10-03.day.grade']
    """
    head = f"almanac.day.{date}."
    for fact in facts:
        basis = tuple([head + name.removeprefix("almanac.") for name in fact.derives_from])
        yield Fact(head + fact.id.removeprefix("almanac."), *fact[1:8], basis, fact.rule, fact.source)


def search_facts(
    purpose: str, items: tuple[str, ...], span: tuple[str, str], counts: tuple[int, int], left: dict[str, int]
) -> Iterator[Fact]:
    """The facts of a search: its purpose, how many days fit, the others by their reason; `counts` are found, considered."""
    yield _fact("days.purpose", purpose, "asked", (purpose, items), rule="purposes", source="卷11")
    yield _fact("days.span", counts[1], "span", (*span, counts[1]), rule="days of the span")
    basis = ("almanac.days.purpose", "almanac.days.span")
    yield _fact("days.found", counts[0], "found", (counts[0],), *basis, rule="§7")
    yield _fact(
        "days.left", counts[1] - counts[0], "left", (counts[1] - counts[0],), "almanac.days.found", rule="§7"
    )
    for reason, count in left.items():
        yield _fact(f"days.left.{reason}", count, "left_by", (reason, count), *basis, rule="§7")
