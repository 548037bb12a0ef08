"""Conversions of the lunar calendar: known days, known traps, notes, grades and refusals."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta, timezone

import pytest

from bazi_core.alphabet import Pillar, Zodiac
from bazi_core.astro import lunar, lunar_year
from bazi_core.astro.data import read_array
from bazi_core.astro.lunar import lunar_date, lunar_months, lunar_year_of, new_year, solar_date
from bazi_core.errors import DataCorrupt, InvalidDatetime, InvalidLunarDate, OutOfRange, UnknownOption
from tests.tables import holds_for_all

POLICIES = ("utc_frozen", "ut1_model")

KNOWN_DAYS = {
    "1645-01-28": (1645, 1, False, 1),
    "1900-01-31": (1900, 1, False, 1),
    "1949-10-01": (1949, 8, False, 10),
    "1984-02-02": (1984, 1, False, 1),
    "1990-05-15": (1990, 4, False, 21),
    "1990-06-23": (1990, 5, True, 1),
    "2000-01-01": (1999, 11, False, 25),
    "2000-02-05": (2000, 1, False, 1),
    "2023-03-22": (2023, 2, True, 1),
    "2024-02-09": (2023, 12, False, 30),
    "2024-02-10": (2024, 1, False, 1),
    "2033-12-22": (2033, 11, True, 1),
    "2200-02-14": (2199, 12, False, 30),
}


def codes_of(day: str, future_utc: str = "utc_frozen") -> list[str]:
    return [note.code for note in lunar_date(day, future_utc=future_utc).notes]


@holds_for_all("day", KNOWN_DAYS)
def test_known_days_convert_both_ways(day: str) -> None:
    found = lunar_date(day)
    assert (found.year, found.month, found.leap, found.day) == KNOWN_DAYS[day]
    assert solar_date(found.year, found.month, found.day, found.leap) == date.fromisoformat(day)


def test_a_date_carries_its_month_year_and_animal() -> None:
    found = lunar_date(date(1990, 7, 1))
    assert (found.month_start, found.month_days) == (date(1990, 6, 23), 29)
    assert (found.year_ganzhi, found.zodiac) == (Pillar("庚午"), Zodiac("马"))
    assert (found.official, found.grade, found.notes) == (True, "official", ())


def test_the_lunar_year_turns_at_new_year_and_not_at_lichun() -> None:
    assert lunar_date("2024-02-09").year_ganzhi == Pillar("癸卯")
    assert lunar_date("2024-02-10").year_ganzhi == Pillar("甲辰")


def test_date_datetime_and_text_give_the_same_day_at_every_hour() -> None:
    late = datetime(1990, 6, 23, 23, 59, 59, tzinfo=timezone(timedelta(hours=-5)))
    assert lunar_date(late) == lunar_date(date(1990, 6, 23)) == lunar_date("1990-06-23T00:00:00")


def test_text_in_three_languages() -> None:
    found = lunar_date("1990-06-23")
    assert found.text() == "农历1990年闰五月初一"
    assert found.text("zh-Hant") == "農曆1990年閏五月初一"
    assert found.text("en") == "1990, leap month 5, day 1"


@pytest.mark.parametrize("day", ["1990-06-23", "1661-09-01", "2057-09-29"])
def test_the_json_form_names_every_field_and_needs_no_encoder(day: str) -> None:
    found = lunar_date(day)
    parsed = json.loads(json.dumps(found.to_dict(), ensure_ascii=False))
    assert list(parsed) == list(lunar.LunarDate._fields)
    assert parsed["month_start"] == found.month_start.isoformat()
    assert [note["code"] for note in parsed["notes"]] == [note.code for note in found.notes]


def test_the_json_form_of_a_month_names_every_field() -> None:
    leap = next(month for month in lunar_months(1990) if month.leap)
    assert json.loads(json.dumps(leap.to_dict())) == {
        "year": 1990,
        "month": 5,
        "leap": True,
        "start": "1990-06-23",
        "days": 29,
        "index_in_year": 6,
        "official": True,
        "grade": "official",
        "notes": [],
    }


@pytest.mark.parametrize(
    ("year", "first"),
    [
        (1645, "1645-01-28"),
        (1896, "1896-02-13"),
        (1985, "1985-02-20"),
        (2026, "2026-02-17"),
        (2199, "2199-01-27"),
    ],
)
def test_new_year_opens_the_lunar_year(year: int, first: str) -> None:
    day = date.fromisoformat(first)
    assert new_year(year) == day
    assert lunar_year_of(day) == year
    if year > 1645:
        assert lunar_year_of(day - timedelta(days=1)) == year - 1


# ------------------------------------------------------------------------------------------- traps


@pytest.mark.parametrize("future_utc", POLICIES)
def test_2033_repeats_month_11_although_month_8_contains_no_zhongqi(future_utc: str) -> None:
    leaps = [(month.month, month.start) for month in lunar_months(2033, future_utc=future_utc) if month.leap]
    assert leaps == [(11, date(2033, 12, 22))]
    assert not any(month.leap for month in lunar_months(2034, future_utc=future_utc))
    assert new_year(2034, future_utc=future_utc) == date(2034, 2, 19)


def test_policy_decides_nothing_about_the_month_of_2165_but_whether_a_row_is_needed() -> None:
    for future_utc in POLICIES:
        assert solar_date(2165, 11, 1, future_utc=future_utc) == date(2165, 12, 4)
    assert codes_of("2165-12-04", "utc_frozen") == ["LUNAR_NEAR_MIDNIGHT"]
    assert codes_of("2165-12-04", "ut1_model") == ["LUNAR_OVERRIDE", "LUNAR_NEAR_MIDNIGHT"]


# -------------------------------------------------------------------------------- notes and grades


def test_a_month_that_was_issued_otherwise_than_the_rule_says_carries_its_row() -> None:
    note = lunar_date("1916-02-03").notes[0]
    assert note.code == "LUNAR_OVERRIDE"
    assert note.data["rows"] == [
        {
            "lunar_year": 1916,
            "month": 1,
            "leap": False,
            "official_start": "1916-02-03",
            "computed_start": "1916-02-04",
        }
    ]


def test_the_month_made_shorter_by_the_next_one_carries_the_row_too() -> None:
    assert codes_of("1916-01-05") == ["LUNAR_OVERRIDE"]
    assert codes_of("1916-01-04") == []
    assert codes_of("1916-03-04") == []


def test_a_moved_leap_month_carries_all_rows_of_its_story() -> None:
    rows = lunar_date("1661-08-25").notes[0].rows
    assert [(row.month, row.leap) for row in rows] == [(7, True), (8, False), (8, True)]


def test_the_note_of_a_new_moon_says_how_far_midnight_is() -> None:
    (note,) = lunar_date("2057-09-29").notes
    assert (note.code, note.event) == ("LUNAR_NEAR_MIDNIGHT", "朔")
    assert note.data["seconds"] == pytest.approx(44.215, abs=0.05)
    assert note.data["at"].startswith("2057-09-29T00:00:44.")
    (note,) = lunar_date("2089-09-04").notes
    assert note.data["seconds"] == pytest.approx(-34.938, abs=0.05)


def test_a_zhongqi_near_midnight_is_noted_and_an_ordinary_jie_is_not() -> None:
    (note,) = lunar_date("2021-12-21").notes
    assert (note.event, round(note.seconds, 1)) == ("冬至", -41.7)
    assert codes_of("2083-02-03") == []


def test_a_zhongqi_at_the_edge_of_two_months_is_noted_for_both() -> None:
    assert [note.event for note in lunar_date("1890-02-18").notes] == ["雨水"]
    assert [note.event for note in lunar_date("1890-02-19").notes] == ["雨水"]


@pytest.mark.parametrize(
    ("day", "official", "grade"),
    [
        ("2021-12-21", True, "official"),
        ("2027-02-05", True, "official"),
        ("2027-02-06", False, "computed"),
        ("2057-09-28", False, "provisional"),
        ("2057-10-28", False, "computed"),
        ("2157-12-21", False, "provisional"),
    ],
)
def test_grade_falls_after_the_last_issued_year_and_near_midnight(
    day: str, official: bool, grade: str
) -> None:
    found = lunar_date(day)
    assert (found.official, found.grade) == (official, grade)


# ---------------------------------------------------------------------------------------- refusals


def test_a_leap_month_that_does_not_exist_is_refused_with_the_months_that_do() -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        solar_date(1990, 4, 1, leap=True)
    error = caught.value
    assert error.message == "lunar year 1990 has no leap month 4"
    assert error.hint == "its only leap month follows month 5"
    assert error.data["given"] == {"year": 1990, "month": 4, "leap": True, "day": 1}
    assert len(error.data["months"]) == 13
    assert error.data["months"][5] == {"month": 5, "leap": True, "days": 29}
    assert json.loads(json.dumps(error.to_dict())) == error.to_dict()


def test_a_year_without_leap_month_says_so() -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        solar_date(1991, 4, 1, leap=True)
    assert caught.value.hint == "it has no leap month"
    assert len(caught.value.data["months"]) == 12


def test_day_30_of_a_short_month_is_refused_and_of_a_long_one_is_not() -> None:
    with pytest.raises(InvalidLunarDate) as caught:
        solar_date(1990, 5, 30, leap=True)
    assert caught.value.message == "leap month 5 of lunar year 1990 has 29 days"
    assert caught.value.hint == "the days of that month are 1 … 29"
    assert solar_date(1990, 5, 30) == date(1990, 6, 22)


@pytest.mark.parametrize(("month", "day"), [(0, 1), (13, 1), (-1, 1), (5, 0), (5, 31), (5, -1)])
def test_months_and_days_out_of_bounds_are_refused(month: int, day: int) -> None:
    with pytest.raises(InvalidLunarDate):
        solar_date(1990, month, day)


@pytest.mark.parametrize("day", ["1645-01-27", "2200-02-15", "0001-01-01", "9999-12-31"])
def test_days_outside_the_calendar_are_out_of_range(day: str) -> None:
    for convert in (lunar_date, lambda text: lunar_year_of(date.fromisoformat(text))):
        with pytest.raises(OutOfRange) as caught:
            convert(day)
        assert caught.value.data == {
            "quantity": "lunar date",
            "first": "1645-01-28",
            "last": "2200-02-14",
            "given": day,
        }


@pytest.mark.parametrize("year", [1644, 2200, 0, -1, 10**9])
def test_years_outside_the_calendar_are_out_of_range(year: int) -> None:
    for ask in (lunar_months, new_year, lambda year: solar_date(year, 1, 1)):
        with pytest.raises(OutOfRange) as caught:
            ask(year)
        assert caught.value.data == {"quantity": "lunar year", "first": 1645, "last": 2199, "given": year}


@pytest.mark.parametrize("text", ["", "1990-13-01", "农历1990年五月初一", "1990-5-1", "x" * 1_048_576])
def test_text_that_is_no_iso_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidDatetime) as caught:
        lunar_date(text)
    assert caught.value.data["reason"] == "format"
    assert len(caught.value.message) + len(caught.value.data["value"]) < 200


@pytest.mark.parametrize("day", ["1800-01-01", "1990-05-15", "2100-01-01"])
def test_an_unknown_policy_is_refused_even_where_policy_decides_nothing(day: str) -> None:
    with pytest.raises(UnknownOption):
        lunar_date(day, future_utc="frozen")


def test_a_cut_file_of_overrides_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_array(lunar_year.OVERRIDES, "B")
    monkeypatch.setattr(lunar_year, "read_array", lambda *_: whole[:-60])
    lunar_year.overrides.cache_clear()
    with pytest.raises(DataCorrupt) as caught:
        lunar_year.overrides()
    assert caught.value.data["expected"] == 40


@pytest.mark.exhaustive
def test_eight_threads_starting_cold_agree_with_one() -> None:
    days = [date(1645, 1, 28) + timedelta(days=step) for step in range(0, 202_700, 97)]
    asked = [(day, POLICIES[at % 2]) for at, day in enumerate(days)]
    expected = [lunar_date(day, future_utc=policy) for day, policy in asked]
    lunar_year.lunar_year.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pair: lunar_date(pair[0], future_utc=pair[1]), asked, chunksize=50))
    assert found == expected
