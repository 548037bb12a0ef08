"""Warnings in words: every code in every language, codes and times in plain words."""

import pytest

from bazi_core.doubts import Doubt
from bazi_core.render.notes import clock_span, sentence
from bazi_core.tables.words import LANGUAGES

NEAR = Doubt(
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
    assert sentence(NEAR, "zh-Hans") == "离时辰界只有 45 秒（1990-05-15 13:00:00），另一侧的四柱见附。"


def test_the_offset_of_a_time_is_kept():
    for at, told in (
        ("1990-05-05T18:35:25.977Z", "18:35:25Z"),
        ("1914-11-17T23:58:19+08:00", "23:58:19+08:00"),
    ):
        assert told in sentence(Doubt(NEAR.code, {**NEAR.data, "at": at}), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_kinds_are_words(lang):
    assert ("hour" in sentence(NEAR, lang)) is (lang == "en")


def test_a_span_ends_at_24_only_at_the_end_of_its_day():
    assert clock_span("1990-05-15T22:10:00.0", "1990-05-16T00:00:00.0") == "22:10-24:00"
    assert clock_span("1990-05-15T22:10:00.0", "1990-05-15T23:59:00.0") == "22:10-23:59"
