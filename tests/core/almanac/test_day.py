"""A day at a place: terms by its clock, months, notes, facts and hours."""

from __future__ import annotations

import copy
import json
import pickle
import re
from datetime import date
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.almanac.calendar import calendar_of, term_clock
from bazi_core.almanac.facts import jianchu
from bazi_core.almanac.gods import she_days
from bazi_core.almanac.hours import hours_of
from bazi_core.almanac.school import OPTIONS
from bazi_core.alphabet import PILLARS, SolarTerm
from bazi_core.astro.terms import position_of
from bazi_core.birth import birth
from bazi_core.errors import BaziError, NonexistentLocalTime, OutOfRange, UnknownOption
from bazi_core.facts import canonical_json
from bazi_core.tables import rows
from tests.golden.almanac import rows as golden
from tests.schemas import problems, validator
from tests.sizes import sizes
from tests.tables import holds_for_all

CHINA = "Asia/Shanghai"
NO_DOCTRINE = bz.AlmanacSchool(doctrine="none")


def test_the_month_begins_with_the_date_of_the_term_at_the_place() -> None:
    there, here = bz.almanac("2026-02-04", tz=CHINA), bz.almanac("2026-02-03", city="纽约")
    assert there.calendar.month_pillar == here.calendar.month_pillar == bz.Pillar("庚寅")
    assert bz.almanac("2026-02-03", tz=CHINA).calendar.month_pillar == bz.Pillar("己丑")
    assert "DIFFERS_FROM_CHINA" in [note.code for note in here.notes]


def test_a_printed_almanac_of_china_can_be_asked_for_anywhere() -> None:
    chinese = bz.AlmanacSchool(calendar_of="china")
    day = bz.almanac("2026-02-03", city="纽约", school=chinese)
    assert day.calendar.month_pillar == bz.Pillar("己丑")


def test_the_day_of_a_term_tells_both_months_and_repeats_the_day_officer() -> None:
    change = bz.almanac("2026-02-04", tz=CHINA).month_change
    assert change is not None
    assert (change["jie"], change["local"][:16]) == ("立春", "2026-02-04T04:02")
    assert (change["before"]["month_pillar"], change["after"]["month_pillar"]) == ("己丑", "庚寅")
    assert bz.almanac("2026-02-03", tz=CHINA).day.jianchu == change["after"]["jianchu"]


@pytest.mark.parametrize(
    ("month_at", "month"), [("day", "庚寅"), ("noon", "己丑"), ("start", "己丑"), ("instant", "庚寅")]
)
def test_a_school_says_when_the_month_begins(month_at: str, month: str) -> None:
    # 立春 at 15:02 in New York.
    day = bz.almanac("2026-02-03", city="纽约", school=bz.AlmanacSchool(month_at=month_at))
    assert day.calendar.month_pillar.value == month
    assert (day.verdict_before is not None) == (month_at == "instant")


# Percent of the 节 of 1950–2049 that have another date than by UTC+8.
ELSEWHERE = {
    "America/New_York": 52.0, "Europe/London": 31.0, "Europe/Paris": 27.7, "America/Los_Angeles": 64.9,
    "Pacific/Honolulu": 75.2, "America/Sao_Paulo": 45.8, "Pacific/Kiritimati": 48.0, "Pacific/Auckland": 17.9,
    "Australia/Sydney": 9.7, "Asia/Kathmandu": 9.7, "Asia/Urumqi": 8.4, "Asia/Tokyo": 4.0, "Asia/Ho_Chi_Minh": 3.6,
    "Asia/Singapore": 0.8,
}  # fmt: skip


@holds_for_all("tz, share", ELSEWHERE.items())
def test_so_many_terms_have_another_date_than_in_china(tz: str, share: float) -> None:
    here = term_clock(birth("2026-01-01", tz=tz, hour_unknown=True), "auto", "utc_frozen")
    china = term_clock(None, "auto", "utc_frozen")
    jie = range(position_of(1950, SolarTerm("小寒")), position_of(2050, SolarTerm("小寒")), 2)
    assert len(jie) == 1200
    assert round(sum(here.term(each).day != china.term(each).day for each in jie) / 12, 1) == share


@sizes(2, 60)
def test_the_day_officer_repeats_on_the_days_of_the_twelve_jie_and_nowhere_else(count: int) -> None:
    where = birth("2026-01-01", tz=CHINA, hour_unknown=True)
    first, before = date(1985, 1, 1).toordinal(), None
    for ordinal in range(first, first + 366 * count):
        day = calendar_of(ordinal, where, bz.AlmanacSchool())
        god = jianchu(day.month_pillar.branch.index, day.day_pillar.branch.index)
        if before is not None:
            assert (god == before) == (day.jie_today is not None), date.fromordinal(ordinal)
        before = god


@sizes(1, 200)
def test_the_planet_is_the_day_of_the_week(count: int) -> None:
    names = "月火水木金土日"
    first = date(1900, 1, 1).toordinal()
    mansions = rows("almanac/xiu28")
    days = {row["xiu"]: row["weekday"] for row in mansions}
    week = dict(
        zip(
            names, ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), strict=True
        )
    )
    # A step that no week divides, so that every day of it is met.
    for ordinal in range(first, first + 366 * count, 61 if count == 1 else 5):
        day = bz.almanac(date.fromordinal(ordinal), tz=CHINA)
        assert day.day.zheng == names[day.date.weekday()]
        assert days[day.day.xiu] == week[day.day.zheng]


@pytest.mark.exhaustive
def test_months_by_the_instant_at_midnight_are_noticed() -> None:
    """A month that began only at the first midnight after its 节 would miss golden days."""
    start = bz.AlmanacSchool(month_at="start")
    found = (bz.almanac(row["inputs"]["date"], tz=CHINA, school=start) for row in golden("day_facts"))
    pairs = zip(found, golden("day_facts"), strict=True)
    assert any(day.calendar.month_pillar.value != row["expected"]["month_pillar"] for day, row in pairs)


@pytest.mark.exhaustive
def test_the_date_of_china_in_new_york_is_noticed() -> None:
    chinese = bz.AlmanacSchool(calendar_of="china")
    there = [row for row in golden("place_days") if row["inputs"]["tz"] == "America/New_York"]
    found = (bz.almanac(row["inputs"]["date"], tz="America/New_York", school=chinese) for row in there)
    pairs = zip(found, there, strict=True)
    assert any(day.calendar.month_pillar.value != row["expected"]["month_pillar"] for day, row in pairs)


def test_a_day_without_a_place_says_so() -> None:
    assert [note.code for note in bz.almanac("2026-10-03").notes][:1] == ["PLACE_ASSUMED"]
    assert "PLACE_ASSUMED" not in [note.code for note in bz.almanac("2026-10-03", tz=CHINA).notes]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_every_note_is_a_sentence_in_three_languages(lang: str) -> None:
    days = [
        bz.almanac("2026-02-03", city="纽约"), bz.almanac("2050-02-03"), bz.almanac("2024-07-14", tz=CHINA),
        # 小暑 of 2025 at 04:04:43 of China is half a minute after midnight on a clock four hours behind.
        bz.almanac("2025-07-07", tz="+03:56"),
    ]  # fmt: skip
    notes = [note for day in days for note in day.notes]
    assert len({note.code for note in notes}) >= 6
    for note in notes:
        assert "{" not in note.text(lang)
        assert note.text(lang)


def test_a_term_near_midnight_has_both_readings_of_the_day() -> None:
    """小暑 of 2025 at 00:00:59 of 7 July on one clock, at 23:59:59 of 6 July on a clock a minute behind it."""

    def readings(when: str, tz: str) -> tuple[Any, Any]:
        (note,) = (each for each in bz.almanac(when, tz=tz).notes if each.code == "TERM_NEAR_MIDNIGHT")
        return note.data["reading"], note.data["other_reading"]

    old, new = {"month_pillar": "壬午", "jianchu": "破"}, {"month_pillar": "癸未", "jianchu": "执"}
    assert readings("2025-07-06", "+03:56") == (old, new)
    assert readings("2025-07-06", "+03:55") == (new, old)
    # The day after is of the new month by either.
    one, other = readings("2025-07-07", "+03:56")
    assert one == other == {"month_pillar": "癸未", "jianchu": "破"}


def test_no_verdict_on_seeing_a_doctor_stands_without_its_note() -> None:
    first = date(2026, 1, 1).toordinal()
    for ordinal in range(first, first + 60):
        day = bz.almanac(date.fromordinal(ordinal), tz=CHINA)
        verdict = day.verdict
        assert verdict is not None
        told = verdict.all_forbidden or "求医疗病" in (*verdict.yi, *verdict.ji)
        assert told == ("NO_DAY_DELAYS_A_DOCTOR" in [note.code for note in day.notes])
    assert (
        bz.days("求医", "2026-10-01", "2026-10-05", tz=CHINA)
        .to_dict("en")["notes"][0]["message"]
        .startswith("No day")
    )
    assert bz.days("嫁娶", "2026-10-01", "2026-10-05", tz=CHINA).to_dict()["notes"] == []


def test_a_lunar_date_is_that_of_china_everywhere() -> None:
    assert (
        bz.almanac("农历2026年八月初三", city="首尔").date == bz.almanac("农历2026年八月初三", tz=CHINA).date
    )


def test_a_day_that_the_clocks_skipped_is_refused() -> None:
    with pytest.raises(NonexistentLocalTime):
        bz.almanac("2011-12-30", tz="Pacific/Apia")


@pytest.mark.parametrize("day", ["1644-12-31", "2200-02-15"])
def test_days_without_a_lunar_date_are_refused(day: str) -> None:
    with pytest.raises(OutOfRange):
        bz.almanac(day, tz=CHINA)


def test_a_school_of_charts_is_no_school_of_the_almanac() -> None:
    with pytest.raises(UnknownOption):
        bz.almanac("2026-10-03", tz=CHINA, school=bz.School())  # type: ignore[arg-type]
    with pytest.raises(BaziError):
        bz.AlmanacSchool.named("of the neighbour")


def test_a_day_is_a_value() -> None:
    one, other = bz.almanac("2026-10-03", tz=CHINA), bz.almanac("2026-10-03", tz=CHINA)
    assert one == other
    assert hash(one) == hash(other)
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert one != bz.almanac("2026-10-04", tz=CHINA)
    with pytest.raises(AttributeError):
        one.school = bz.AlmanacSchool()


def test_every_datum_is_a_fact_with_rule_and_source() -> None:
    facts = bz.almanac("2026-10-03", tz=CHINA).facts
    assert set(facts) > {f"almanac.day.{row['datum']}" for row in rows("almanac/day_facts")}
    for fact in facts.values():
        assert fact.rule
        assert fact.source
        assert set(fact.derives_from) <= set(facts)
        assert all(fact.text(lang) for lang in ("zh-Hans", "zh-Hant", "en"))


def test_a_fact_rests_on_what_the_reading_of_the_school_rests_on() -> None:
    def sources(**options: str) -> dict[str, str]:
        day = bz.almanac("2026-10-03", tz=CHINA, school=bz.AlmanacSchool(**options))
        return {name.removeprefix("almanac."): fact.source for name, fact in day.facts.items()}

    usual = sources()
    assert usual["day.yanggui"] == "卷7"
    assert usual["day.month_pillar"] == "卷4"
    assert sources(guiren="geng_with_xin")["day.yanggui"] == "programs"
    assert sources(month_at="noon")["day.month_pillar"] == "卷4 convention"
    # 卷10 alone has what no row of 卷11 repeats.
    assert {usual[name] for name in usual if name.startswith("item.")} <= {"卷10", "卷10 卷11"}


def test_every_reading_says_what_it_rests_on() -> None:
    readings = {(row["option"], row["value"]): row for row in rows("almanac/readings")}
    of_charts = {"future_utc", "clock", "doctrine"}
    assert set(readings) == {
        (option, value) for option, values in OPTIONS.items() if option not in of_charts for value in values
    }
    for row in readings.values():
        assert all(re.fullmatch(r"卷\d+|programs|custom|convention", each) for each in row["source"].split())
        assert row["source"]
        assert row["sure"] in "ABCD"
        assert row["note"]


def test_every_mark_of_five_years_has_its_rule_and_source() -> None:
    first = date(2022, 1, 1).toordinal()
    marks = {
        mark
        for ordinal in range(first, first + 5 * 365)
        for mark in bz.almanac(date.fromordinal(ordinal), tz=CHINA, school=NO_DOCTRINE).day.marks
    }
    assert marks == {row["mark"] for row in rows("almanac/marks")}
    assert all(row["rule"] and (row["source"] or row["option"]) for row in rows("almanac/marks"))


def test_every_hour_is_a_fact() -> None:
    facts = bz.almanac("2026-10-03", tz=CHINA).facts
    hours = [name for name in facts if name.startswith("almanac.hour.")]
    assert len(hours) == 13
    assert facts["almanac.hour.子"].text() == "子时丙子（00:00–01:00）：黑道天牢；五不遇"
    assert facts["almanac.day.zodiac"].value == "马"


# ------------------------------------------------------------------------------------------ hours

_LU = dict(zip("甲乙丙丁戊己庚辛壬癸", "寅卯巳午巳午申酉亥子", strict=True))


def test_the_gods_of_the_hours_follow_their_rules() -> None:
    for day in PILLARS:
        for hour in hours_of(day, bz.AlmanacSchool(), True):
            at = (hour.branch.index - day.branch.index) % 12
            assert ("日建" in hour.gods) == (at == 0)
            assert ("日破" in hour.gods) == (at == 6)
            assert ("日合" in hour.gods) == ((hour.branch.index + day.branch.index) % 12 == 1)
            assert ("日害" in hour.gods) == ((hour.branch.index + day.branch.index) % 12 == 7)
            assert ("日禄" in hour.gods) == (hour.branch.value == _LU[day.stem.value])
            assert ("路空" in hour.gods) == (hour.pillar.stem.value in "壬癸")
            controls = hour.pillar.stem.element.controls == day.stem.element
            assert ("五不遇" in hour.gods) == (controls and hour.pillar.stem.polarity == day.stem.polarity)
            if not hour.late:
                left_out = (hour.branch.index - day.branch.index + day.stem.index) % 12 >= 10
                assert ("旬空" in hour.gods) == left_out


def test_the_late_zi_hour_has_the_stem_of_the_school() -> None:
    day = bz.Pillar("甲子")
    stems = [
        hours_of(day, bz.AlmanacSchool(late_zi_hour_stem=way), True)[12].pillar.value
        for way in ("next_day", "same_day")
    ]
    assert stems == ["丙子", "甲子"]


def test_half_of_the_twelve_hours_are_on_the_yellow_path() -> None:
    for day in PILLARS:
        assert sum(hour.huangdao for hour in hours_of(day, bz.AlmanacSchool(), True)[:12]) == 6


# ---------------------------------------------------------------------------------- marks of the year


def days_of(year: int, school: bz.AlmanacSchool | None = None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    first = date(year, 1, 1).toordinal()
    for ordinal in range(first, date(year + 1, 1, 1).toordinal()):
        day = bz.almanac(date.fromordinal(ordinal), tz=CHINA, school=school)
        for mark in day.day.marks:
            found.setdefault(mark, []).append(day.date.isoformat())
    return found


def test_the_marks_of_2026_are_those_of_its_almanacs() -> None:
    marks = days_of(2026)
    assert marks["初伏"][0] == "2026-07-15"
    assert marks["末伏"][0] == "2026-08-14"
    assert marks["四绝"] == ["2026-02-03", "2026-05-04", "2026-08-06", "2026-11-06"]
    assert len(marks["入梅"]) == len(marks["出梅"]) == 1
    assert len(marks["土王用事"]) == 72
    assert len(marks["春社"]) == len(marks["秋社"]) == 1


def test_the_ways_to_find_she_days_and_plum_rains_are_options() -> None:
    other = days_of(2026, bz.AlmanacSchool(she="fifth", meiyu="ren_geng"))
    assert len(other["春社"]) == len(other["秋社"]) == len(other["入梅"]) == len(other["出梅"]) == 1


@pytest.mark.exhaustive
def test_the_two_ways_to_find_she_days_part_on_64_of_400() -> None:
    found: dict[str, set[int]] = {"nearest": set(), "fifth": set()}
    where, school = birth("2026-01-01", tz=CHINA, hour_unknown=True), bz.AlmanacSchool(calendar_of="china")
    for ordinal in range(date(1901, 1, 1).toordinal(), date(2101, 1, 1).toordinal()):
        day = calendar_of(ordinal, where, school)
        for way, days in found.items():
            if ordinal in she_days(day, way):
                days.add(ordinal)
    assert len(found["nearest"]) == len(found["fifth"]) == 400
    assert len(found["nearest"] - found["fifth"]) == 64


# ------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"doctrine": "none"},
        {"month_at": "instant"},
        {"guiren": "geng_with_xin", "late_zi_hour_stem": "same_day"},
    ],
)
def test_the_json_of_a_day_fits_its_schema(options: dict[str, str]) -> None:
    school = bz.AlmanacSchool(**options)
    for when, place in (("2026-02-03", "纽约"), ("2026-02-04", "上海"), ("2050-07-01", "檀香山")):
        made = json.loads(bz.almanac(when, city=place, school=school).to_json())
        assert problems(validator("almanac_day"), made) == []


def test_the_digest_is_that_of_the_day_and_not_of_its_words() -> None:
    one, other = bz.almanac("2026-10-03", tz=CHINA), bz.almanac("2026-10-04", tz=CHINA)
    assert one.to_dict(lang="en")["facts_digest"] == one.to_dict()["facts_digest"]
    assert one.to_dict()["facts_digest"] != other.to_dict()["facts_digest"]


@pytest.mark.parametrize(
    "options", [{}, {"month_at": "instant", "calendar_of": "china"}, {"doctrine": "none"}]
)
def test_the_text_is_the_encoding_of_the_members(options: dict[str, str]) -> None:
    school = bz.AlmanacSchool(**options)
    for when in ("2026-02-03", "2049-12-31"):
        day = bz.almanac(when, city="纽约", school=school)
        assert day.to_json(lang="en") == canonical_json(day.to_dict(lang="en"))
        assert json.loads(day.to_json(indent=2)) == day.to_dict()


def test_the_star_of_an_hour_goes_on_from_day_to_day_and_turns_at_the_solstices() -> None:
    stars = ("一白", "二黑", "三碧", "四绿", "五黄", "六白", "七赤", "八白", "九紫")
    firsts = {True: {"子": 0, "丑": 3, "寅": 6}, False: {"子": 8, "丑": 5, "寅": 2}}
    for after_winter, by_branch in firsts.items():
        step = 1 if after_winter else -1
        for day in PILLARS:
            found = hours_of(day, bz.AlmanacSchool(), after_winter)
            first = by_branch["子丑寅"[day.branch.index % 3]]
            assert [hour.star for hour in found] == [stars[(first + step * at) % 9] for at in range(13)]
            following = hours_of(PILLARS[(day.index + 1) % 60], bz.AlmanacSchool(), after_winter)
            assert found[12].star == following[0].star
    # 2026: 夏至 on 21 June and 冬至 on 22 December in China; in Honolulu a day before.
    for tz, turns in (
        (CHINA, ("2026-06-21", "2026-12-22")),
        ("Pacific/Honolulu", ("2026-06-20", "2026-12-21")),
    ):
        for turn, after in zip(turns, (False, True), strict=True):
            day = bz.almanac(turn, tz=tz).calendar
            assert day.after_winter is after
            before = bz.almanac(str(date.fromordinal(day.ordinal - 1)), tz=tz)
            assert before.calendar.after_winter is not after
