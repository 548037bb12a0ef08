"""Moments worked out without the tables, and what the zone data say of some clocks."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.astro.civil import format_offset
from bazi_core.place.zones import zone
from tests.tables import holds_for_all

ASTRO = Path(__file__).parents[2] / "data" / "golden" / "astro"
TOLERANCE_S = {
    "tt_minus_utc_s": 0.05,
    "ut1_minus_utc_s": 0.05,
    "equation_of_time_s": 0.1,
    "mean_solar": 0.2,
    "true_solar": 0.2,
}


def read(name: str) -> dict[str, Any]:
    return json.loads((ASTRO / name).read_text(encoding="utf-8"))


WORKED = {case["name"]: case for case in read("moments_worked.json")["cases"]}
CLOCKS = read("tz_cases.json")["cases"]


def chart_of(inputs: dict[str, Any], **options: str) -> bz.Chart:
    offset = inputs["utc_offset_s"]
    return bz.chart(
        inputs["civil"],
        tz=inputs["timezone_id"],
        utc_offset=None if offset is None else timedelta(seconds=offset),
        longitude=inputs["longitude"],
        fold=inputs["fold"],
        calendar="gregorian",
        school=bz.School(**options),
    )


def difference_s(have: Any, want: Any) -> float:
    if isinstance(want, str):
        return (datetime.fromisoformat(have) - datetime.fromisoformat(want)).total_seconds()
    return have - want


def check_moment(case: dict[str, Any]) -> list[str]:
    """The fields of a worked moment in which the library differs."""
    expected, chart = dict(case["expected"]), chart_of(case["inputs"])
    trace = chart.moment.to_dict() | {
        "utc": chart.moment.utc[:19] + "Z",
        "pillars": str(chart.pillars).split(),
        "pillars_civil": str(chart_of(case["inputs"], time_basis="civil").pillars).split(),
    }
    return [
        f"{field}: {trace[field]} for {want}"
        for field, want in expected.items()
        if (field in TOLERANCE_S and not _near(trace[field], want, TOLERANCE_S[field]))
        or (field not in TOLERANCE_S and trace[field] != want)
    ]


def _near(have: Any, want: Any, tolerance_s: float) -> bool:
    return have is not None and abs(difference_s(have, want)) <= tolerance_s


@holds_for_all("name", WORKED)
def test_every_field_of_a_worked_moment_is_found_again(name):
    assert check_moment(WORKED[name]) == []


def test_there_are_nineteen_worked_moments_with_all_fields():
    assert len(WORKED) == 19
    fields = {field for case in WORKED.values() for field in case["expected"]}
    assert (
        set(TOLERANCE_S) | {"utc", "utc_offset_s", "dst_s", "abbreviation", "pillars", "pillars_civil"}
        == fields
    )


def check_clock(case: dict[str, str]) -> bool:
    """Whether the library says of a clock what the case says."""
    if "same_as" in case:
        return same_history(case["zone"], case["same_as"])
    try:
        moment = bz.moment(case["local"], tz=case["zone"])
    except bz.BaziError as error:
        offsets = [format_offset(each["utc_offset_s"]) for each in error.data["readings"]]
        expected = {"gap": "NONEXISTENT_LOCAL_TIME", "fold": "AMBIGUOUS_LOCAL_TIME"}.get(case["kind"])
        return error.code == expected and offsets == case.get("offsets", offsets)
    source = {"ok": "zone", "lmt": "lmt_zone"}.get(case["kind"])
    return (moment.clock.source, format_offset(moment.utc_offset_s)) == (source, case.get("offset"))


def same_history(one: str, other: str) -> bool:
    days = (datetime(1880, 1, 1) + timedelta(days=10 * step) for step in range(5000))
    return all(zone(one).utcoffset(day) == zone(other).utcoffset(day) for day in days)


@holds_for_all("case", CLOCKS, lambda case: f"{case['zone']} {case.get('local', '')}")
def test_zone_data_say_what_the_case_says(case):
    assert check_clock(case)


def test_there_are_twelve_zone_cases():
    assert len(CLOCKS) == 12


# The summers of Shanghai: +09:00 from the first date to the second; from midnight until 1949, since
# 1986 at two o'clock.
SUMMERS = """
1919-04-13 1919-10-01|1940-06-01 1940-10-13|1941-03-15 1941-11-02|1942-01-31 1945-09-02|1946-05-15 1946-10-01
1947-04-15 1947-11-01|1948-05-01 1948-10-01|1949-05-01 1949-05-28|1986-05-04 1986-09-14|1987-04-12 1987-09-13
1988-04-17 1988-09-11|1989-04-16 1989-09-17|1990-04-15 1990-09-16|1991-04-14 1991-09-15
"""
SPANS = [span.split() for span in SUMMERS.replace("\n", "|").strip("|").split("|")]


@holds_for_all("first, last", SPANS)
def test_summer_time_of_shanghai_begins_and_ends_as_decreed(first, last):
    hour = 2 if first > "1986" else 0
    begin, end = (datetime.fromisoformat(day) + timedelta(hours=hour) for day in (first, last))
    second = timedelta(seconds=1)
    offsets = [
        bz.moment(wall, tz="Asia/Shanghai", fold=fold).utc_offset_s // 3600
        for wall, fold in (
            (begin - second, None),
            (begin + timedelta(hours=1), None),
            (end - second, 0),
            (end - second, 1),
            (end, None),
        )
    ]
    assert offsets == [8, 9, 9, 8, 8]
    with pytest.raises(bz.BaziError) as caught:
        bz.moment(begin, tz="Asia/Shanghai")
    assert caught.value.code == "NONEXISTENT_LOCAL_TIME"


def test_shanghai_had_fourteen_spans_of_summer_time():
    assert len(SPANS) == 14
