"""Answers to golden questions about days, and what makes them right; `data/golden/almanac/README.md` describes the files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bazi_core as bz
from bazi_core.almanac.facts import nine_of

FOLDER = Path(__file__).parents[2] / "data/golden/almanac"
SCHOOL = bz.AlmanacSchool()
# The options under which a day at a place is asked, by the ending of the names of the answer.
WAYS = {
    "": SCHOOL,
    "_noon": SCHOOL.with_options(month_at="noon"),
    "_start": SCHOOL.with_options(month_at="start"),
    "_china": SCHOOL.with_options(calendar_of="china"),
}


def answer(inputs: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Everything that a golden question about a day may ask."""
    where = {"tz": inputs["tz"]}
    day = bz.almanac(inputs["date"], **where, school=SCHOOL)
    calendar, facts, lunar = day.calendar, day.day, day.lunar
    own = facts.of_pillar
    other = bz.almanac(inputs["date"], **where, school=SCHOOL.with_options(fushen="b")).day.of_pillar
    hours = day.hours[:12]
    found = {
        "year_pillar": calendar.year_pillar.value,
        "day_pillar": calendar.day_pillar.value,
        "tianshen": facts.tianshen,
        "xiu": facts.xiu,
        "qin": facts.qin,
        "zheng": facts.zheng,
        "nayin": own.nayin,
        "chong": own.clash_zodiac,
        "sha": own.sha,
        "xunkong": own.void,
        # The first half of each verse.
        "pengzu": [line[:4] for line in own.pengzu],
        "taishen": own.taishen_place,
        **{name: own.directions[name] for name in ("xishen", "caishen", "yanggui", "yingui")},
        "fushen_a": own.directions["fushen"],
        "fushen_b": other.directions["fushen"],
        "hou": facts.hou,
        "fu": day.asked.fu,
        "shujiu": nine_of(calendar),
        "year_star": facts.year_star,
        "month_star": facts.month_star,
        "day_star": facts.day_star,
        "hour_pillars": " ".join(hour.pillar.value for hour in hours),
        "hour_tianshen": "".join(hour.tianshen[0] for hour in hours),
        "lunar": [lunar.year, lunar.month, lunar.leap, lunar.day],
    }
    for ending, school in WAYS.items():
        by = bz.almanac(inputs["date"], **where, school=school)
        found[f"month_pillar{ending}"] = by.calendar.month_pillar.value
        found[f"jianchu{ending}"] = by.day.jianchu
    verdict = day.verdict
    assert verdict is not None
    names = ("gods", "special", "restrict", "yi", "ji")
    found |= {name: list(getattr(verdict, name)) for name in names}
    found |= {name: getattr(verdict, name) for name in ("grade", "policy", "all_forbidden")}
    return found


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a golden file."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


# Members of a row that name what the answer has to hold, or must not.
_MUST = {"yi_must": "yi", "ji_must": "ji", "gods": "gods", "special": "special"}
_MUST_NOT = {"yi_not": "yi", "gods_not": "gods"}


def wrong(expected: dict[str, Any], given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The members of a row that an answer misses, with what is expected."""
    for name, value in expected.items():
        if name in _MUST:
            yield from ((name, each) for each in value if each not in given[_MUST[name]])
        elif name in _MUST_NOT:
            yield from ((name, each) for each in value if each in given[_MUST_NOT[name]])
        # A summary of the closing days in other words.
        elif name != "restrict" and given[name] != value:
            yield name, value
