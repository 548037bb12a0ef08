"""Warnings in words: every code in every language, codes and times in plain words."""

import pytest

import bazi_core as bz
from bazi_core.render.notes import clock_span, notes, sentence
from bazi_core.tables.words import LANGUAGES, span
from bazi_core.warnings import BaziWarning

NEAR = BaziWarning(
    "NEAR_BOUNDARY",
    {
        "kind": "hour",
        "at": "1990-05-15T13:00:00.000",
        "distance_s": -45.797,
        "window_s": 120,
        "alternative_pillars": {"year": "庚午", "month": "辛巳", "day": "庚辰", "hour": "癸未"},
    },
)


def test_times_are_cut_to_seconds_and_distances_have_no_sign():
    assert sentence(NEAR, "zh-Hans") == "离时辰界只有45秒（1990-05-15 13:00:00），另一侧的四柱见附。"


def test_the_offset_of_a_time_is_kept():
    for at, told in (
        ("1990-05-05T18:35:25.977Z", "18:35:25Z"),
        ("1914-11-17T23:58:19+08:00", "23:58:19+08:00"),
    ):
        assert told in sentence(BaziWarning(NEAR.code, {**NEAR.data, "at": at}), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_kinds_are_words(lang):
    assert ("hour" in sentence(NEAR, lang)) is (lang == "en")


def test_a_span_ends_at_24_only_at_the_end_of_its_day():
    assert clock_span("1990-05-15T22:10:00.0", "1990-05-16T00:00:00.0") == "22:10-24:00"
    assert clock_span("1990-05-15T22:10:00.0", "1990-05-15T23:59:00.0") == "22:10-23:59"


def doubt(code, **data):
    return BaziWarning(code, data)


SPANS = [
    (3600, "1小时"), (-4239.4, "1小时11分"), (862, "14分22秒"),
    (45.8, "45秒"), (90061, "1天1小时"), (0.44, "0.4秒"), (86399, "1天"),
]  # fmt: skip


@pytest.mark.parametrize(("seconds", "told"), SPANS)
def test_spans_are_said_in_units_that_a_person_reads(seconds, told):
    assert span(seconds) == told


def test_daylight_saving_is_said_in_hours_and_the_json_says_the_same():
    warned = bz.chart("1990-05-15 13:30", city="北京").warnings
    assert sentence(warned[0], "zh-Hans") == "当时实行夏令时（拨快1小时），标准钟表为 1990-05-15 12:30:00。"
    assert sentence(warned[1], "zh-Hans") == "按钟表时柱为癸未，按太阳时为壬午（相差1小时11分）。"
    assert "Water Goat (癸未), by solar time Water Horse (壬午) (1 h 11 min apart)" in sentence(
        warned[1], "en"
    )
    assert [each.to_dict("en")["message"] for each in warned] == [sentence(each, "en") for each in warned]


def test_nothing_is_said_to_be_listed_that_is_not():
    given = bz.chart(pillars="庚午 辛巳 庚辰")
    assert notes(given, "zh-Hans")[0] == ["时辰未知，只排三柱。"]
    born = bz.chart("1990-05-15", hour_unknown=True, city="北京")
    assert notes(born, "en")[0] == [
        "The hour is unknown: three pillars only, those that change during the day are listed.",
        "Day: 己卯 Earth Rabbit 00:00-00:10, 庚辰 Metal Dragon 00:10-24:00",
    ]


def test_a_zone_without_the_reading_is_not_called_none():
    skipped = doubt("OFFSET_DIFFERS", offset="+09:00", zone="Asia/Shanghai", zone_offset=None)
    for lang in LANGUAGES:
        assert "None" not in sentence(skipped, lang)


def test_a_list_of_stars_is_told_in_the_language():
    found = doubt("STAR_SECOND_SOURCE", stars=["月煞", "日德"], names="月煞、日德")
    assert sentence(found, "zh-Hans").endswith("月煞、日德。")
    assert sentence(found, "en").endswith("Monthly Sha (月煞), Day Virtue (日德).")


def test_an_english_sentence_begins_with_a_capital():
    told = sentence(doubt("OUT_OF_TABLE", quantity="lunar_date", first="1645-01-28", last="2200-02-14"), "en")
    assert told == "The lunar date is beyond the table (1645-01-28 to 2200-02-14)."
