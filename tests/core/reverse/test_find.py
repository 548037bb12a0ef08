"""From pillars, whole or in part, to the windows that have them."""

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.place import zones
from bazi_core.tables.words import LANGUAGES
from tests.tables import holds_for_all

FOUR = "庚午 辛巳 庚辰 壬午"


def shown(found):
    return [(str(window.start), str(window.end)) for window in found]


def refusal(pillars, **options):
    with pytest.raises(bz.InvalidPillars) as refused:
        bz.find(pillars, **options)
    assert refused.value.code == "INVALID_PILLARS"
    assert all(refused.value.text(lang) for lang in LANGUAGES)
    return refused.value


def test_without_a_place_the_clock_stands_at_eight_hours_east():
    assert shown(bz.find(FOUR)) == [
        ("1930-05-30 11:00:00+08:00", "1930-05-30 13:00:00+08:00"),
        ("1990-05-15 11:00:00+08:00", "1990-05-15 13:00:00+08:00"),
    ]


def test_a_zone_has_its_summer_time_and_a_city_its_sun():
    assert shown(bz.find(FOUR, 1990, 1990, tz="Asia/Shanghai")) == [
        ("1990-05-15 11:00:00+09:00", "1990-05-15 13:00:00+09:00")
    ]
    assert shown(bz.find(FOUR, 1990, 1990, city="北京")) == [
        ("1990-05-15 12:10:40+09:00", "1990-05-15 14:10:40+09:00")
    ]
    civil = bz.School(time_basis="civil")
    assert shown(bz.find(FOUR, 1990, 1990, city="北京", school=civil)) == shown(
        bz.find(FOUR, 1990, 1990, tz="Asia/Shanghai")
    )


def test_a_window_ends_where_the_month_does_and_says_at_which_term():
    found = bz.find("丁卯 壬寅 甲申 壬申", 1987, 1987)
    assert shown(found) == [("1987-02-04 16:51:40+08:00", "1987-02-04 17:00:00+08:00")]
    assert found.edges(found[0]) == ("立春", "clock")
    assert [bz.chart(str(at), school=found.school).pillars.month.value for at in found[0]] == ["壬寅", "壬寅"]


def test_a_window_ends_where_the_range_does():
    found = bz.find("? ? ? 甲子", "1990-01-01", "1990-01-04")
    assert shown(found) == [("1990-01-03 23:00:00+08:00", "1990-01-04 01:00:00+08:00")]
    cut = bz.find("? ? ? 甲子", "1990-01-04", "1990-01-04")
    assert shown(cut) == [("1990-01-04 00:00:00+08:00", "1990-01-04 01:00:00+08:00")]
    assert cut.edges(cut[0]) == ("range", "clock")


def test_late_zi_belongs_to_the_day_of_the_school():
    eleven = {"day_boundary": "23:00"}
    next_stem = {"day_boundary": "00:00"}
    same_stem = {"day_boundary": "00:00", "late_zi_hour_stem": "same_day"}
    for four, options, hours in (
        ("壬午 丙午 辛亥 戊子", eleven, [("23:00", "01:00")]),
        ("壬午 丙午 辛亥 戊子", next_stem, [("00:00", "01:00")]),
        ("壬午 丙午 辛亥 戊子", same_stem, [("00:00", "01:00"), ("23:00", "00:00")]),
        ("壬戌 辛亥 己未 丙子", next_stem, [("23:00", "00:00")]),
    ):
        found = bz.find(four, 1982, 2042, school=bz.School(**options))
        first = [window for window in found if window.start.year == found[0].start.year]
        assert [(str(start)[11:16], str(end)[11:16]) for start, end in first] == hours


@pytest.mark.parametrize("options", [{}, {"day_boundary": "00:00", "late_zi_hour_stem": "same_day"}])
def test_an_hour_with_the_stem_of_the_next_day_is_impossible_where_the_school_has_no_such_hour(options):
    error = refusal("壬戌 辛亥 己未 丙子", school=bz.School(**options))
    assert error.data["rule"] == "five_rats"
    assert "late_zi_hour_stem='next_day'" in error.hint


@holds_for_all(
    "pillars, rule",
    [
        ("庚午 庚巳 庚辰 壬午", "polarity"),
        ("庚午 辛巳 庚辰 壬牛", "form"),
        ("庚午 甲午 ? ?", "five_tigers"),
        ("庚? 甲巳 ? ?", "polarity"),
        ("庚? 己巳 ? ?", "five_tigers"),
        ("? ? 庚? 甲午", "five_rats"),
        ("庚午 辛巳", "count"),
        ("", "count"),
        ("? ? ? ?", "nothing"),
        ({"moon": "庚午"}, "position"),
        ({}, "nothing"),
        (7, "form"),
        ([7, None, None, None], "form"),
        (b"\xe5", "form"),
    ],
)
def test_what_cannot_be_is_refused_with_the_rule_that_it_breaks(pillars, rule):
    assert refusal(pillars).data["rule"] == rule


@pytest.mark.parametrize("mark", "?？*_-□")
def test_unknown_parts_are_written_in_many_ways(mark):
    wanted = bz.find("庚? ? 庚辰 ?午", 1990, 1992)
    assert bz.find(f"庚{mark} {mark} 庚辰 {mark}午", 1990, 1992).windows == wanted.windows
    assert bz.find(["庚", None, "庚辰", "午"], 1990, 1992) == wanted
    assert bz.find([bz.Stem("庚"), "", bz.Pillar("庚辰"), bz.Branch("午")], 1990, 1992) == wanted
    assert bz.find({"year": "庚", "day": "庚辰", "hour": "午"}, 1990, 1992) == wanted
    assert bz.find(f"庚{mark}{mark}{mark}庚辰{mark}午", 1990, 1992) == wanted


def test_the_pillars_of_a_chart_can_be_asked_for_as_they_are():
    chart = bz.chart("1990-05-15 13:30", city="北京")
    assert bz.find(chart.pillars, 1990, 1990, city="北京")[0].start <= chart.moment.then(chart.moment.utc_ms)
    day = bz.chart("1990-05-15", city="北京", hour_unknown=True)
    assert len(bz.find(day.pillars, 1990, 1990, city="北京")) == 1


def test_three_pillars_leave_the_hour_open():
    assert shown(bz.find("庚午 辛巳 庚辰", 1990, 1990)) == [
        ("1990-05-14 23:00:00+08:00", "1990-05-15 23:00:00+08:00")
    ]


def test_a_year_alone_is_one_window_from_spring_to_spring():
    springs = [
        event.local[:19]
        for year in (1990, 1991)
        for event in bz.solar_terms(year)
        if event.name.value == "立春"
    ]
    # A birth has whole seconds: the first after the term.
    assert springs == ["1990-02-04T10:13:59", "1991-02-04T16:08:23"]
    found = bz.find("庚午 ? ? ?", 1985, 1995, tz="Asia/Shanghai")
    assert shown(found) == [("1990-02-04 10:14:00+08:00", "1991-02-04 16:08:24+08:00")]
    assert found.pillars(found[0]) == {"year": "庚午", "month": None, "day": None, "hour": None}


def test_a_window_tells_the_pillars_that_all_of_it_has():
    found = bz.find("庚午 ? 庚辰 ?午", 1990, 1990)
    assert [" ".join(map(str, found.pillars(window).values())) for window in found][:2] == [
        "庚午 己卯 庚辰 壬午",
        "庚午 辛巳 庚辰 壬午",
    ]


def test_the_lunar_new_year_begins_the_year_where_the_school_says_so():
    # 2026-02-04 05:00 is 立春, 2026-02-17 the lunar new year.
    lunar = bz.School(year_boundary="lunar_new_year")
    assert shown(bz.find("乙巳 庚寅 ? ?", 2026, 2026, school=lunar)) == [
        ("2026-02-04 04:02:08+08:00", "2026-02-17 00:00:00+08:00")
    ]
    assert refusal("乙巳 庚寅 ? ?").data["rule"] == "five_tigers"


def test_an_hour_that_came_twice_is_one_window_of_three_hours():
    day = bz.chart("1990-09-16 01:30", tz="Asia/Shanghai", fold=0).pillars
    found = bz.find(day, "1990-09-15", "1990-09-17", tz="Asia/Shanghai")
    assert shown(found) == [("1990-09-16 01:00:00+09:00", "1990-09-16 03:00:00+08:00")]
    assert found[0].seconds == 3 * 3600


def test_a_day_of_before_standard_time_stands_on_the_mean_time_of_the_place():
    found = bz.find(
        "? ? ? ?午", "1890-05-15", "1890-05-15", city="成都", school=bz.School(time_basis="civil")
    )
    assert str(found[0].start) == "1890-05-15 11:00:00+06:56:16"


@pytest.mark.parametrize(("start", "end"), [(1550, 1600), (2600, 2649), ("1550-12-31", 1600)])
def test_outside_the_tables_nothing_is_sought(start, end):
    with pytest.raises(bz.OutOfRange):
        bz.find(FOUR, start, end)


def test_the_whole_of_the_tables_can_be_searched():
    assert len(bz.find(FOUR, 1551, 2648)) == 8


def test_a_range_is_of_years_or_days_and_runs_forward():
    days = bz.find(FOUR, date(1990, 5, 15), datetime(1990, 5, 15, 3))
    assert (
        days.windows
        == bz.find(FOUR, "1990", 1990).windows
        == bz.find(FOUR, "1990-5-15", "1990年5月15日").windows
    )
    with pytest.raises(bz.InvalidInput, match="begins on"):
        bz.find(FOUR, 1991, 1990)


def test_a_zone_and_an_offset_are_two_clocks():
    with pytest.raises(bz.InvalidInput, match="not both"):
        bz.find(FOUR, tz="Asia/Shanghai", utc_offset=9)


def test_the_answer_is_a_sequence_that_can_be_kept_and_printed():
    found = bz.find(FOUR)
    assert (len(found), found[-1], found[:1]) == (2, found.windows[1], found.windows[:1])
    assert repr(found) == "<FoundWindows of 庚午 辛巳 庚辰 壬午, 1900-01-01 to 2100-12-31: 2>"
    assert "1930-05-30 11:00:00 +08:00" in str(found)
    assert found.to_dict()["windows"][1] == {
        "from": "1990-05-15T11:00:00+08:00",
        "to": "1990-05-15T13:00:00+08:00",
        "from_utc": "1990-05-15T03:00:00.000Z",
        "to_utc": "1990-05-15T05:00:00.000Z",
        "seconds": 7200,
        "from_cut": "clock",
        "to_cut": "clock",
        "pillars": {"year": "庚午", "month": "辛巳", "day": "庚辰", "hour": "壬午"},
    }


def test_nothing_found_is_no_error():
    assert list(bz.find("乙丑 戊寅 己未 己巳")) == []


@pytest.mark.parametrize(
    "key", ["Asia/Shanghai", "America/New_York", "Africa/Casablanca", "Australia/Lord_Howe", "UTC"]
)
def test_between_two_changes_a_zone_keeps_its_offset(key):
    epoch = datetime(1970, 1, 1)

    def offset(seconds):
        zone = zones.zone(key)
        return zone.fromutc((epoch + timedelta(seconds=seconds)).replace(tzinfo=zone)).utcoffset()

    last = int((datetime(2061, 1, 1) - epoch).total_seconds())
    changes = [each for each in zones.changes(key, 2060) if -10_000_000_000 < each < last]
    edges = [-10_000_000_000, *changes, last]
    assert changes == sorted(set(changes))
    for start, end in pairwise(edges):
        assert {offset(start), offset((start + end) // 2), offset(end - 1)} == {offset(start)}


def test_every_pillar_of_a_year_is_found():
    assert all(len(bz.find([pillar, None, None, None], 1924, 1984)) in (1, 2) for pillar in PILLARS)
