"""The facts of an almanac day beside three programs, on every day of two centuries.

`python -m benchmarks.almanac_peers [--write]`. cnlunar, lunar-python and tyme4py are installed into environments of their
own in a temporary folder and asked for every day from 1900-01-31 to 2099-12-31, for its hours on one day in 97. Each
difference is put under the first reason that fits it; what fits none stands under *no reason found* with its dates.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import bazi_core as bz
from bazi_core.almanac.calendar import term_clock
from bazi_core.almanac.facts import hou_names, nine_of
from bazi_core.almanac.hours import hours_of
from bazi_core.astro import scales
from benchmarks import report
from benchmarks.compare import Program, Worker, environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.almanac.day import AlmanacDay

FIRST, LAST = date(1900, 1, 31), date(2099, 12, 31)
CHINA = "Asia/Shanghai"
HOURS_EACH = 97
DAYS_A_REQUEST = 1000
WORKER = Path(__file__).with_name("almanac_engines.py")
PROGRAMS = (
    Program("cnlunar", "cnlunar==0.2.5", "cnlunar", ""),
    Program("lunar-python", "lunar-python==1.4.8", "lunar_python", ""),
    Program("tyme4py", "tyme4py==1.5.0", "tyme4py", ""),
)
# Data that change with the date of a term: on that date alone, or for the days that are counted from it.
MONTHLY = ("year_pillar", "month_pillar", "jianchu", "tianshen", "month_star", "year_star")
FROM_TERMS = (*MONTHLY, "hou")
# Another value of an option that gives what a program gives.
OTHER_WAYS = {
    "fushen": ("fushen", "b"), "yanggui": ("guiren", "geng_with_xin"), "yingui": ("guiren", "geng_with_xin"),
    "day_star": ("day_star", "nearest_backward"), **dict.fromkeys(FROM_TERMS, ("calendar_of", "china")),
}  # fmt: skip
# Data whose words differ between programs, and the 候 that they name otherwise.
NAMES = ("pengzu", "taishen", "nayin")
HOU_NAMES = {"大雨行时": "大雨时行", "菊有黄花": "菊有黄华", "雉始雊": "雉雊", "鸡始乳": "鸡乳"}
# How near to midnight an instant is whose date other computations place on the other side.
NEAR_S = 900
# The first year that a program knows.
FIRST_YEARS = {"cnlunar": 1901}
UNKNOWN = "no reason found"
Facts = dict[str, Any]


def facts_of(day: AlmanacDay, hours: bool) -> Facts:
    """The facts of a day under the names and in the spelling of `almanac_engines`."""
    calendar, facts, lunar = day.calendar, day.day, day.lunar
    own = facts.of_pillar
    found: Facts = {
        "year_pillar": calendar.year_pillar.value, "month_pillar": calendar.month_pillar.value,
        "day_pillar": calendar.day_pillar.value, "lunar": [lunar.year, lunar.month, lunar.leap, lunar.day],
        "jianchu": facts.jianchu, "tianshen": facts.tianshen, "xiu": facts.xiu, "zheng": facts.zheng, "qin": facts.qin,
        "nayin": own.nayin, "void": own.void, "clash": own.clash_zodiac, "sha": own.sha,
        "pengzu": [line[:4] for line in own.pengzu], "taishen": own.taishen_place + own.taishen_direction,
        "hou": hou_names()[facts.hou], "fu": day.asked.fu, "shujiu": nine_of(calendar), "year_star": facts.year_star,
        "month_star": facts.month_star, "day_star": facts.day_star,
        **{name: way.removeprefix("正") for name, way in own.directions.items()},
    }  # fmt: skip
    if hours:
        twelve = day.hours[:12]
        found["hour_pillars"] = [hour.pillar.value for hour in twelve]
        found["hour_tianshen"] = [hour.tianshen for hour in twelve]
        found["hour_stars"] = [hour.star for hour in twelve]
    return found


def reason(program: str, name: str, day: AlmanacDay, given: Any, ours: Any) -> str:
    """Why a program gives another value of a datum on a day."""
    if day.date.year < FIRST_YEARS.get(program, 0):
        return f"before {FIRST_YEARS[program]}, its first year"
    if name in NAMES or HOU_NAMES.get(given if name == "hou" else "") == ours:
        return f"other words: {given} for {ours}"
    if name == "year_pillar" and day.date.month == 12 and day.calendar.after_winter:
        return "from 冬至 to 31 December, the year before"
    if name in OTHER_WAYS:
        option, value = OTHER_WAYS[name]
        other = bz.almanac(day.date, tz=CHINA, school=bz.AlmanacSchool.of({option: value}))
        if facts_of(other, hours=False)[name] == given:
            return f"`{option}={value}`"
    if name in FROM_TERMS and (term := _term_near_midnight(day, 1 if name in MONTHLY else 15)):
        return f"{term} within {NEAR_S // 60} minutes of midnight"
    if name == "lunar" and _month_in_doubt(day):
        return "a new moon near midnight"
    if name == "hour_stars" and _hours_counted_on(day, given):
        return "from 冬至 to 31 December, counted back"
    return UNKNOWN


def _term_near_midnight(day: AlmanacDay, days: int) -> str:
    """The term not more than some days off whose instant is near a midnight, by UTC+8 or by the clock of Shanghai."""
    position = day.calendar.term.position
    for clock in (day.calendar.clock, term_clock(None, "auto", "utc_frozen")):
        for term in (clock.term(position), clock.term(position + 1)):
            off = min(term.time_ms, scales.DAY_MS - term.time_ms) / 1000
            if off <= NEAR_S and abs(term.day - day.calendar.ordinal) <= days:
                return str(term.name.value)
    return ""


def _month_in_doubt(day: AlmanacDay) -> bool:
    """Whether a new moon about the lunar month of a day is so near to midnight that the calendar notes it."""
    following = bz.almanac(day.date + timedelta(30), tz=CHINA)
    return any(note.event for each in (day, following) for note in each.lunar.notes)


def _hours_counted_on(day: AlmanacDay, given: list[str]) -> bool:
    """Whether the stars of the hours are those of the other half year; the first hour, from 23:00, may be so alone."""
    other = hours_of(day.calendar.day_pillar, day.school, not day.calendar.after_winter)
    stars = [hour.star for hour in day.hours[:12]]
    back = [hour.star for hour in other[:12]]
    return given in (back, [back[0], *stars[1:]])


Seconds = Counter[str]


def differences(
    given: Iterable[tuple[date, dict[str, Facts | None]]], taken: Seconds
) -> dict[tuple[str, str, str], list[date]]:
    """(program, datum, reason) → days, of days with what each program says; our own seconds are added to `taken`."""
    found: dict[tuple[str, str, str], list[date]] = defaultdict(list)
    for on, answers in given:
        start = process_time()
        day = bz.almanac(on, tz=CHINA)
        ours = facts_of(day, any("hour_pillars" in (each or ()) for each in answers.values()))
        taken["ours"] += process_time() - start
        for program, theirs in answers.items():
            if theirs is None:
                found[program, "all", "fails"].append(on)
                continue
            for name, value in theirs.items():
                if value != ours[name]:
                    found[program, name, reason(program, name, day, value, ours[name])].append(on)
    return found


def asked(taken: Seconds) -> Iterator[tuple[date, dict[str, Facts | None]]]:
    """Every day with what the programs that could be installed say of it; their seconds are added to `taken`."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        made = [environment(program, Path(folder)) for program in PROGRAMS]
        workers = {
            env.program.name: stack.enter_context(Worker(env, [], WORKER)) for env in made if not env.failure
        }
        day = FIRST
        while day <= LAST:
            count = min(DAYS_A_REQUEST, (LAST - day).days + 1)
            several = {
                name: worker.ask("facts", first=day.isoformat(), count=count, hours_each=HOURS_EACH)
                for name, worker in workers.items()
            }
            taken.update({name: found["seconds"] for name, found in several.items()})
            for at in range(count):
                yield day + timedelta(at), {name: found["facts"][at] for name, found in several.items()}
            day += timedelta(count)


def speed(taken: Seconds, count: int) -> str:
    """Processor time of the facts of a day, ours first."""
    times = (
        f"{name} {seconds / count * 1e6:,.0f} µs ({seconds / taken['ours']:.1f})"
        for name, seconds in taken.items()
    )
    return f"Processor time of the facts of a day, and × ours: {', '.join(times)}."


HEAD = ["program", "datum", "days", "reason", "first and last"]


def table_rows(found: dict[tuple[str, str, str], list[date]]) -> Iterator[list[str]]:
    """One row for each program, datum and reason."""
    for (program, name, why), days in sorted(found.items()):
        shown = ", ".join(map(str, days)) if len(days) <= 4 else f"{days[0]} … {days[-1]}"
        yield [program, name, f"{len(days):,}", why, shown]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    arguments = parser.parse_args()
    taken: Seconds = Counter({"ours": 0})
    found = differences(asked(taken), taken)
    count = (LAST - FIRST).days + 1
    text = f"{report.stamp()}; {count:,} days, {FIRST} to {LAST}, clock of Shanghai. {speed(taken, count)}"
    text += f"\n\n{report.table(HEAD, table_rows(found))}"
    report.publish("almanac-peers", text, arguments.write)


if __name__ == "__main__":
    main()
