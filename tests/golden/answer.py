"""Answers golden questions with nothing but the public face of the library.

    python -m tests.golden.answer charts|astro|classics|liuyao|liuyao-classics|questions|almanac \
        < questions.jsonl > answers.jsonl

A question is a line `{id, inputs, options}`, its answer a line `{id, answer}`; what is asked follows from the
names of the inputs. A question that cannot be answered gets `answer: null` and an `error`, and the next one
is read. UTC after the leap-second list follows UT1, as in the files under `data/golden`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import bazi_core as bz
from bazi_core.questions.intent import intent
from tests.golden import almanac, liuyao

Answer = dict[str, Any] | None
Rule = Callable[[dict[str, Any], dict[str, Any]], Answer]

PILLARS = [pillar.value for pillar in bz.Pillar]
BRANCHES = [branch.value for branch in bz.Branch]
GENDERS = {"男": "male", "女": "female"}
ZH = {"year": "年", "month": "月", "day": "日", "hour": "时"}
CLOCK = {"time_basis": "civil", "future_utc": "ut1_model"}
SUN = {"time_basis": "true_solar", "future_utc": "ut1_model"}
# How the questions call the ways to treat 子 and the School options that mean the same.
SECTS = {
    "sect1": {"day_boundary": "23:00"},
    "sect2": {"day_boundary": "00:00", "late_zi_hour_stem": "next_day"},
    "no_late_zi": {"day_boundary": "00:00", "late_zi_hour_stem": "same_day"},
}
LUCK_STARTS = {
    "lunar_sect1": "shichen_clamp", "lunar_sect2": "minutes_hours_clamp", "tyme_default": "exact_seconds",
    "tyme_china95": "minutes_floor", "tyme_lunarSect1": "shichen", "tyme_lunarSect2": "minutes_hours",
}  # fmt: skip
# Those whose ages stop at hours.
WITHOUT_MINUTES = ("lunar_sect1", "lunar_sect2")
YEARS_OF_LIFE = 30
# The year in which the golden questions are asked.
THIS_YEAR = 2026
REPEATED_OR_SKIPPED = {"AMBIGUOUS_LOCAL_TIME": "ambiguous", "NONEXISTENT_LOCAL_TIME": "nonexistent"}
EPOCH = datetime(2000, 1, 1, 12)
DAY_MS = 86_400_000


def school_of(basis: dict[str, str], sect: str = "sect1", **options: str) -> bz.School:
    return _school(tuple(sorted({**basis, **SECTS[sect], **options}.items())))


@lru_cache(maxsize=64)
def _school(options: tuple[tuple[str, str], ...]) -> bz.School:
    return bz.School(**dict(options))


def chart_of(inputs: dict[str, Any], school: bz.School) -> bz.Chart:
    gender = inputs.get("gender")
    return bz.chart(
        inputs["local"], utc_offset=inputs["utc_offset"], gender=GENDERS.get(gender, gender), school=school
    )


def four(chart: bz.Chart) -> list[str]:
    return str(chart.pillars).split()


def by_sect(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """a, b: the four pillars under each treatment of 子, of the third one the hour alone."""
    sets = {sect: four(chart_of(inputs, school_of(CLOCK, sect))) for sect in SECTS}
    hour = sets.pop("no_late_zi")[3]
    return {**sets, "sect2_hour_if_no_late_zi": hour}


def person(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """c, d: views of a birth, or its luck; both when the options do not tell which is asked."""
    views = {} if "jie" in options else derived(inputs, options)
    luck = {} if "day_boundary" in options else luck_of(inputs)
    return views | luck


def derived(inputs: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    sect = options.get("day_boundary", "sect1")
    chart = chart_of(inputs, school_of(CLOCK, sect))
    columns = chart.columns
    return {
        "pillars": four(chart),
        "hidden_stems": [[hidden.stem.value for hidden in column.hidden] for column in columns],
        "ten_gods_stem": [column.ten_god and column.ten_god.value for column in columns],
        "ten_gods_hidden": [[god.value for god in column.hidden_gods] for column in columns],
        "nayin": [column.nayin for column in columns],
        "terrain_day": [column.stage_day_master.value for column in columns],
        "terrain_self": [column.stage_self.value for column in columns],
        "xun": [column.xun.value for column in columns],
        "xunkong": [left_out(column.xun) for column in columns],
        "taiyuan": chart.tai_yuan.value,
        "taixi": chart.tai_xi.value,
        "minggong": chart.ming_gong.value,
        "shengong": chart.shen_gong.value,
        "zodiac_lichun": chart.zodiac["lichun"].value,
        "zodiac_lunar": chart.zodiac["lunar"].value,
    }


def left_out(xun: bz.Pillar) -> str:
    """The two branches that the ten pillars from `xun` do not reach: those before its own."""
    first = xun.branch.index
    return BRANCHES[first - 2] + BRANCHES[first - 1]


def luck_of(inputs: dict[str, Any]) -> dict[str, Any]:
    chart = chart_of(inputs, school_of(CLOCK))
    luck, born = chart.luck, int(inputs["local"][:4])
    return {
        "direction": {"forward": "顺", "backward": "逆"}[luck.direction],
        "decade_pillars": [cycle.pillar.value for cycle in luck.cycles],
        "variants": {name: start_of(inputs, name) for name in LUCK_STARTS},
        "xiaoyun": [[born + age - 1, age, pillar] for age, pillar in minor_lucks(luck)],
        "liunian": [
            [born + age, age + 1, chart.flow_year(born + age).pillar.value] for age in range(YEARS_OF_LIFE)
        ],
    }


def start_of(inputs: dict[str, Any], variant: str) -> dict[str, Any]:
    luck = chart_of(inputs, school_of(CLOCK, luck_start=LUCK_STARTS[variant])).luck
    age, first = list(luck.start_age), luck.cycles[0]
    return {
        "age": age[:4] if variant in WITHOUT_MINUTES else age,
        "start_at": luck.start.replace(tzinfo=None).isoformat(),
        "first_decade_year": first.start_year,
        "first_decade_age": first.start_age_nominal,
    }


def minor_lucks(luck: bz.Luck) -> Iterator[tuple[int, str]]:
    """小运 of the first thirty years: those that the luck lists, then on from the last one at the same step."""
    for minor in luck.xiaoyun[:YEARS_OF_LIFE]:
        yield minor.age_nominal, minor.pillar.value
    last, step = luck.xiaoyun[-1], 1 if luck.direction == "forward" else -1
    for age in range(last.age_nominal + 1, YEARS_OF_LIFE + 1):
        yield age, PILLARS[(last.pillar.index + step * (age - last.age_nominal)) % 60]


def lunar_month(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """e: first day, length and place of a lunar month."""
    months = bz.lunar_months(inputs["lunar_year"], future_utc="ut1_model")
    wanted = inputs["lunar_month"], inputs["leap"]
    for place, month in enumerate(months, 1):
        if (month.month, month.leap) == wanted:
            return {"first_day": month.start.isoformat(), "days": month.days, "index_in_year": place}
    return None


def lunar_day(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """e2: the lunar date of a civil date."""
    day = bz.lunar_date(inputs["solar"], future_utc="ut1_model")
    text = day.text().removeprefix("农历").translate(str.maketrans("0123456789", "〇一二三四五六七八九"))
    found = {"lunar_year": day.year, "lunar_month": day.month, "leap": day.leap, "lunar_day": day.day}
    return found | {"text": text}


def civil(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """f: what a wall clock in a zone says, with both readings where the clock jumped."""
    where: dict[str, Any] = {"tz": inputs["zone"], "school": school_of(CLOCK)}
    try:
        return {"status": "unique", **reading(bz.moment(inputs["local"], **where))}
    except bz.BaziError as error:
        if error.code not in REPEATED_OR_SKIPPED:
            raise
        first, second = (
            {"utc_offset_s": each["utc_offset_s"], "utc": each["utc"]} for each in error.data["readings"]
        )
        status = REPEATED_OR_SKIPPED[error.code]
    named = reading(bz.moment(inputs["local"], fold=0, **where)) if status == "ambiguous" else {}
    return {"status": status, **named, **first, "fold1": second}


def reading(moment: bz.SolarMoment) -> dict[str, Any]:
    return {
        "utc_offset_s": moment.utc_offset_s,
        "utc": moment.utc[:19] + "Z",
        "dst_s": moment.dst_s,
        "abbrev": moment.clock.abbreviation,
    }


def true_solar(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """g: the Sun's own time at a longitude, and the pillars by it."""
    where = {"longitude": inputs["lon"], "latitude": inputs["lat"]}
    moment = bz.moment(inputs["utc"], school=school_of(SUN), **where)
    return {
        "apparent_solar": moment.true_solar,
        "equation_of_time_s": moment.equation_of_time_s,
        "pillars_true_solar": {
            sect: four(bz.chart(inputs["utc"], school=school_of(SUN, sect), **where))
            for sect in ("sect1", "sect2")
        },
    }


def stars(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """The names of the stars at each pillar, of every star that the library knows."""
    chart = given(inputs, star_set="full")
    return {
        zh: [star.name for star in chart.stars if position in star.positions] for position, zh in ZH.items()
    }


def relations(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    found = given(inputs).relations
    return {
        "relations": [
            {"relation": each.type, "pillars": "".join(ZH[where] for where, _ in each.members)}
            for each in found
        ]
    }


def given(inputs: dict[str, Any], **options: Any) -> bz.Chart:
    """The chart of printed pillars, which may break the rules of 五虎遁 and 五鼠遁."""
    gender = inputs.get("gender")
    school = bz.School(validate="warn", **options)
    return bz.chart(pillars=inputs["pillars"], gender=GENDERS.get(gender, gender), school=school)


def windows(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """h: the times that have these pillars, under both treatments of 子; none where a set cannot be."""
    return {sect: windows_by(inputs, options, sect) for sect in ("sect1", "sect2")}


def windows_by(inputs: dict[str, Any], options: dict[str, Any], sect: str) -> list[list[str]]:
    clock = {"utc_offset": options.get("utc_offset", "+08:00"), "school": school_of(CLOCK, sect)}
    try:
        found = bz.find(inputs["pillars"], inputs["from"], inputs["to"], **clock)
    except bz.InvalidPillars as error:
        if error.data["rule"] not in ("five_tigers", "five_rats"):
            raise
        return []
    return [[end.replace(tzinfo=None).isoformat() for end in window] for window in found]


def classics(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """Strength and how many of the methods say so, structure, useful gods, pattern of the month and luck of a printed
    chart."""
    chart = given(inputs)
    found = chart.pattern()
    return {
        "strength": found.strength.verdict if found.strength else None,
        "agreement": found.strength.agreement if found.strength else None,
        "special": found.special.special_class if found.special else None,
        "useful_gods": [element.value for element in found.useful.order],
        "ge_ju": found.regular.name if found.regular else None,
        "luck_pillars": [cycle.pillar.value for cycle in chart.luck.cycles[:8]] if chart.luck else [],
    }


def term(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    return {"tt_days_j2000": terms_of_year(inputs["year"])[inputs["name"]] / DAY_MS}


@lru_cache(maxsize=2048)
def terms_of_year(year: int) -> dict[str, int]:
    return {event.name.value: event.tt_ms for event in bz.solar_terms(year)}


def new_moons(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """All conjunctions whose TT lies in the year; the library gathers them by UTC."""
    year = inputs["year"]
    first, end = ((datetime(each, 1, 1) - EPOCH) // timedelta(milliseconds=1) for each in (year, year + 1))
    near = (moon.tt_ms for each in (year - 1, year, year + 1) for moon in moons_of_year(each))
    return {"tt_days_j2000": [tt_ms / DAY_MS for tt_ms in near if first <= tt_ms < end]}


@lru_cache(maxsize=2048)
def moons_of_year(year: int) -> tuple[Any, ...]:
    return bz.new_moons(year)


def month_of_calendar(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    asked = {"lunar_year": inputs["year"], "lunar_month": inputs["month"], "leap": inputs["leap"]}
    found = lunar_month(asked, options)
    return found and {"first_day": found["first_day"], "days": found["days"]}


def asked_of(inputs: dict[str, Any], options: dict[str, Any]) -> Answer:
    """What a question asks; "this year" is 2026, whatever it is put to."""
    asked = intent(inputs["question"])
    years = list(asked.years_from(THIS_YEAR))
    # The labels have no word for violence.
    cls = next((each for each in asked.classes if each != "violence"), "normal")
    return {"domain": asked.domain, "kind": asked.kind, "years": years, "class": cls}


# The names that the inputs must hold → the rule that answers; the first row that fits.
CHARTS: tuple[tuple[frozenset[str], Rule], ...] = (
    (frozenset({"local", "utc_offset", "gender"}), person),
    (frozenset({"local", "utc_offset"}), by_sect),
    (frozenset({"lunar_year", "lunar_month", "leap"}), lunar_month),
    (frozenset({"solar"}), lunar_day),
    (frozenset({"zone", "local"}), civil),
    (frozenset({"utc", "lon", "lat"}), true_solar),
    (frozenset({"pillars", "from", "to"}), windows),
    (frozenset({"pillars", "gender"}), stars),
    (frozenset({"pillars"}), relations),
)
ASTRO: dict[str, Rule] = {"term": term, "new_moons": new_moons, "lunar_month": month_of_calendar}


def charts_rule(inputs: dict[str, Any]) -> Rule:
    return next(rule for names, rule in CHARTS if names <= inputs.keys())


def astro_rule(inputs: dict[str, Any]) -> Rule:
    return ASTRO[inputs["kind"]]


def classics_rule(inputs: dict[str, Any]) -> Rule:
    return classics


RULES: dict[str, Callable[[dict[str, Any]], Rule]] = {
    "charts": charts_rule,
    "astro": astro_rule,
    "classics": classics_rule,
    "liuyao": lambda inputs: liuyao.cast_at_a_time,
    "liuyao-classics": lambda inputs: liuyao.cast_as_printed,
    "questions": lambda inputs: asked_of,
    "almanac": lambda inputs: almanac.answer,
}


def answer(kind: str, question: dict[str, Any]) -> Answer:
    """The answer to one question."""
    inputs = question["inputs"]
    return RULES[kind](inputs)(inputs, question.get("options") or {})


def answer_line(kind: str, line: str) -> dict[str, Any]:
    """The answer line to a question line, whatever it holds."""
    ident = None
    try:
        question = json.loads(line)
        ident = question.get("id") if isinstance(question, dict) else None
        return {"id": ident, "answer": answer(kind, question)}
    except bz.BaziError as error:
        return {"id": ident, "answer": None, "error": error.to_dict()}
    except Exception as error:  # one question must not keep the others from being answered
        text = f"{type(error).__name__}: {error}"[:200]
        return {"id": ident, "answer": None, "error": {"code": "MALFORMED_QUESTION", "message": text}}


def answer_lines(kind: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.strip():
            yield json.dumps(answer_line(kind, line), ensure_ascii=True)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.golden.answer")
    arguments.add_argument("kind", choices=list(RULES))
    kind = arguments.parse_args().kind
    # Bytes that are not UTF-8 spoil their own line only.
    lines = (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    for line in answer_lines(kind, lines):
        print(line, flush=False)


if __name__ == "__main__":
    main()
