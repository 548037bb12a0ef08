"""The lunar calendar against calendars of independent origin (L1, L3) and the doubtful midnights (L2)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import lunar_year, moons, scales, terms
from bazi_core.astro.lunar import (
    FIRST_DAY,
    FIRST_YEAR,
    LAST_DAY,
    LAST_YEAR,
    lunar_date,
    lunar_months,
    solar_date,
)
from bazi_core.astro.lunar_text import parse_lunar_date
from tests.sizes import sizes

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
POLICIES = ("utc_frozen", "ut1_model")
YEARS = range(FIRST_YEAR, LAST_YEAR + 1)

Key = tuple[int, int, bool]


def csv_rows(name: str) -> list[dict[str, str]]:
    with open(GOLDEN / "astro" / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def json_rows(name: str) -> list[dict[str, Any]]:
    with open(GOLDEN / "charts" / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def key_of(row: dict[str, str]) -> Key:
    return int(row["lunar_year"]), int(row["month"]), row["leap"] == "1"


MONTHS = {
    key_of(row): (row["start_gregorian"], int(row["n"]))
    for row in csv_rows("lunar_months_ytliu0_1600_2199.csv")
    if int(row["lunar_year"]) >= FIRST_YEAR
}
OVERRIDES = {key_of(row): row["official_start"] for row in csv_rows("lunar_overrides_1645_2199.csv")}


def calendar(future_utc: str, years: range = YEARS) -> dict[Key, tuple[str, int]]:
    months = (month for year in years for month in lunar_months(year, future_utc=future_utc))
    return {(month.year, month.month, month.leap): (month.start.isoformat(), month.days) for month in months}


def differences(future_utc: str, years: range = YEARS) -> list[Key]:
    """Months that are not as issued: start and length in odd years, the contested starts in all years."""
    found = calendar(future_utc, years)
    wrong = {key for key, month in MONTHS.items() if key[0] in years and found.get(key) != month}
    wrong |= {key for key in found if key[0] % 2 and key not in MONTHS}
    for key, start in OVERRIDES.items():
        if key[0] in years and found.get(key, ("", 0))[0] != start:
            wrong.add(key)
    return sorted(wrong)


@pytest.fixture
def fresh() -> Iterator[None]:
    clear_caches()
    yield
    clear_caches()


def clear_caches() -> None:
    for cached in (
        lunar_year.lunar_year, lunar_year._computed, lunar_year._from_solstice, lunar_year.overrides,
    ):  # fmt: skip
        cached.cache_clear()


# ----------------------------------------------------------------------------- L1 months as issued


@pytest.mark.parametrize("future_utc", POLICIES)
def test_every_month_begins_and_ends_as_issued(future_utc: str) -> None:
    assert (len(MONTHS), len(OVERRIDES)) == (3437, 40)
    assert differences(future_utc) == []
    assert len(calendar(future_utc)) == 6865


@pytest.mark.parametrize(("future_utc", "rows"), [("utc_frozen", 39), ("ut1_model", 40)])
def test_the_row_of_2165_acts_only_under_the_model_of_ut1(future_utc: str, rows: int) -> None:
    applied = [row for year in YEARS for row in lunar_year.applied_overrides(year, future_utc)]
    assert len(applied) == rows
    assert ((2165, 11) in {(row.year, row.month) for row in applied}) == (future_utc == "ut1_model")
    assert len({row.year for row in applied if row.year < 1921}) == 29


def test_after_1900_only_three_months_left_the_rule() -> None:
    applied = [row for year in range(1900, 2200) for row in lunar_year.applied_overrides(year, "utc_frozen")]
    assert [(row.year, row.month) for row in applied] == [(1914, 10), (1916, 1), (1920, 10)]


@pytest.mark.parametrize("row", lunar_year.overrides(), ids=lambda row: f"{row.year}-{row.month}-{row.leap}")
def test_dropping_any_override_row_is_noticed(
    row: lunar_year.LunarOverride, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = tuple(other for other in lunar_year.overrides() if other != row)
    monkeypatch.setattr(lunar_year, "overrides", lambda calendar="chinese": others)
    nearby = range(max(row.year - 1, FIRST_YEAR), row.year + 2)
    lunar_year.lunar_year.cache_clear()
    assert differences("ut1_model", nearby)
    assert bool(differences("utc_frozen", nearby)) == (row.year != 2165)


@pytest.mark.parametrize(
    ("day", "shift_ms"), [("2057-09-28", -45_000), ("2089-09-04", 35_000), ("2097-08-07", -110_000)]
)
def test_moving_a_new_moon_across_midnight_is_noticed(
    day: str, shift_ms: int, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = scales.ms_of(datetime.fromisoformat(day)) + scales.DAY_MS
    moved, instant = moons.position(noon), moons.instant
    monkeypatch.setattr(moons, "instant", lambda k: instant(k) + (shift_ms if k == moved else 0))
    year = int(day[:4])
    assert differences("utc_frozen", range(year, year + 1))


# ------------------------------------------------------------------------- L2 events near midnight


def civil(tt_ms: int, future_utc: str) -> datetime:
    return scales.datetime_of(scales.utc_from_tt(tt_ms, future_utc)) + timedelta(hours=8)


def from_midnight_s(clock: datetime) -> float:
    seconds = (clock - clock.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
    return min(seconds, 86_400 - seconds)


def events_1900_2199() -> Iterator[tuple[str, int]]:
    start, end = (scales.ms_of(datetime(year, 1, 1)) for year in (1900, 2200))
    for position in range(terms.position(start) + 1, terms.position(end) + 1):
        yield terms.term_at(position).value, terms.instant(position)
    for k in range(moons.position(start) + 1, moons.position(end) + 1):
        yield "朔", moons.instant(k)


def test_the_events_near_midnight_are_the_29_known_ones_under_both_policies() -> None:
    found = {}
    for name, tt_ms in events_1900_2199():
        clocks = {future_utc: civil(tt_ms, future_utc) for future_utc in POLICIES}
        if min(map(from_midnight_s, clocks.values())) <= 120:
            found[name, clocks["utc_frozen"].date()] = clocks
    expected = csv_rows("hard_midnight_cases_1900_2199.csv")
    assert len(expected) == len(found) == 29
    for row in expected:
        frozen, model = (datetime.fromisoformat(row[f"civil_{name}_policy"]) for name in ("frozen", "ut1"))
        clocks = found[row["name"], frozen.date()]
        assert abs((clocks["utc_frozen"] - frozen).total_seconds()) < 0.05, row
        assert abs((clocks["ut1_model"] - model).total_seconds()) < 0.05, row


def test_the_policy_decides_three_dates() -> None:
    expected = {
        row["name"] + row["civil_frozen_policy"][:7]
        for row in csv_rows("hard_midnight_cases_1900_2199.csv")
        if row["same_day"] == "0"
    }
    moved = {
        f"{name}{civil(tt_ms, 'utc_frozen'):%Y-%m}"
        for name, tt_ms in events_1900_2199()
        if len({civil(tt_ms, future_utc).date() for future_utc in POLICIES}) > 1
    }
    assert moved == expected == {"白露2142-09", "春分2183-03", "朔2165-12"}


@pytest.mark.parametrize("future_utc", POLICIES)
def test_every_zhongqi_and_new_moon_near_midnight_is_noted_in_its_month(future_utc: str) -> None:
    column = {"utc_frozen": "civil_frozen_policy", "ut1_model": "civil_ut1_policy"}[future_utc]
    for row in csv_rows("hard_midnight_cases_1900_2199.csv"):
        clock = datetime.fromisoformat(row[column])
        noted = {note.event for note in lunar_date(clock, future_utc=future_utc).notes}
        is_jie = row["name"] != "朔" and SolarTerm(row["name"]).is_jie
        assert (row["name"] in noted) == (not is_jie and from_midnight_s(clock) <= 120), row


def test_the_new_moons_looked_at_are_those_that_open_and_end_a_month(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lunar_year, "NEAR_MIDNIGHT_MS", scales.DAY_MS // 2)
    lunar_year.lunar_year.cache_clear()
    for year in range(FIRST_YEAR, 1925):
        for month in lunar_months(year):
            noted = [date.fromisoformat(note.at[:10]) for note in month.notes if note.event == "朔"]
            offsets = [(day - month.start).days for day in noted]
            assert len(offsets) == 2, month
            assert abs(offsets[0]) <= 1, month
            assert abs(offsets[1] - month.days) <= 1, month


# ------------------------------------------------------------------------------ L3 day by day, and e


@sizes(20_000, LAST_DAY.toordinal() + 1 - FIRST_DAY.toordinal())
@pytest.mark.parametrize("future_utc", POLICIES)
def test_every_day_of_the_calendar_goes_there_and_back(future_utc: str, count: int) -> None:
    previous = None
    for ordinal in range(LAST_DAY.toordinal() + 1 - count, LAST_DAY.toordinal() + 1):
        day = date.fromordinal(ordinal)
        found = lunar_date(day, future_utc=future_utc)
        assert solar_date(found.year, found.month, found.day, found.leap, future_utc=future_utc) == day
        if previous and previous.day < previous.month_days:
            assert (found.day, found.month_start) == (previous.day + 1, previous.month_start)
        elif previous or ordinal == FIRST_DAY.toordinal():
            assert (found.day, found.month_start) == (1, day)
        previous = found


def test_months_equal_those_of_other_programs_except_where_the_midnight_is_contested() -> None:
    contested, differing, rows = set(), set(), json_rows("e_lunar_months.jsonl")
    for row in rows:
        asked, expected = row["inputs"], row["expected"]
        month = next(
            month
            for month in lunar_months(asked["lunar_year"])
            if (month.month, month.leap) == (asked["lunar_month"], asked["leap"])
        )
        if row["grade"] == "contested":
            contested.add(row["id"])
        if (month.start.isoformat(), month.days, month.index_in_year) != (
            expected["first_day"],
            expected["days"],
            expected["index_in_year"],
        ):
            differing.add(row["id"])
    assert len(rows) == 1236
    assert contested == {"e-2057-08", "e-2057-09", "e-2097-06", "e-2097-07"}
    # The new moon of 2097-08-08 00:01: other programs carry a larger ΔT and have the 7th.
    assert differing == {"e-2097-06", "e-2097-07"}


def test_solar_to_lunar_equals_other_programs() -> None:
    rows = json_rows("e2_solar_lunar.jsonl")
    assert len(rows) == 400
    for row in rows:
        expected, found = row["expected"], lunar_date(row["inputs"]["solar"])
        day = expected["lunar_year"], expected["lunar_month"], expected["leap"], expected["lunar_day"]
        assert (found.year, found.month, found.leap, found.day) == day, row["id"]
        assert parse_lunar_date("农历" + expected["text"]) == day, row["id"]
        assert found.text().split("年")[1] == expected["text"].split("年")[1], row["id"]
