"""`bazi liuren`: six palms."""

import json

import pytest

from bazi_core import liuren

AT = "2026-04-03T20:30:00+08:00"


def test_json_is_what_the_core_gives(bazi):
    assert bazi.json("liuren", "--at", AT) == liuren.cast(AT).to_dict()
    assert bazi.json("liuren", "--month", "3", "--day", "5") == liuren.cast(month=3, day=5).to_dict()


def test_the_worked_example_in_text(bazi):
    text = bazi.text("liuren", "--month", "3", "--day", "5", "--hour", "辰")
    assert text.splitlines()[0] == "速喜  大安  小吉"
    assert text.splitlines()[1].startswith("小吉  传统上说")


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_palms_are_named_in_every_language(bazi, lang):
    text = bazi.text("liuren", "--month", "3", "--day", "5", "--hour", "辰", "--lang", lang)
    assert liuren.palm_name("小吉", lang) in text
    assert liuren.meaning("小吉", lang) in text


def test_without_anything_it_is_now_and_the_output_says_so(bazi):
    result = bazi("liuren")
    assert result.exit_code == 0
    assert "2026-02-04T04:30:15+00:00" in result.stderr


def test_options_of_the_school_and_the_leap_rule_are_taken(bazi):
    late = "2026-04-03T23:30:00+08:00"
    assert bazi.json("liuren", "--at", late, "--day-boundary", "00:00")["lunar"]["day"] == 16
    assert bazi.json("liuren", "--at", "2023-04-06T12:00:00+08:00", "--leap", "next")["lunar"]["month"] == 3


def test_a_boundary_nearby_is_said_beside_the_text(bazi):
    assert "23:00:00" in bazi("liuren", "--at", "2026-04-03T22:59:30+08:00").stderr


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (["--month", "13", "--day", "1"], "INVALID_INPUT", 4),
        (["--month", "3"], "INVALID_INPUT", 4),
        (["--month", "3", "--day", "31"], "INVALID_INPUT", 4),
        (["--month", "3", "--day", "5", "--hour", "x"], "INVALID_INPUT", 4),
        (["--at", AT, "--month", "3"], "INVALID_INPUT", 4),
        (["--at", "2026-04-03T20:30:00"], "TIME_NEEDS_OFFSET", 4),
        (["--at", "1400-01-01T00:00:00Z"], "OUT_OF_RANGE", 5),
        (["--at", AT, "--leap", "no"], "UNKNOWN_OPTION", 4),
    ],
)
def test_an_error_has_its_code_and_exit_status(bazi, arguments, code, status):
    found, problem = bazi.problem("liuren", *arguments)
    assert (found, problem["code"]) == (status, code)


def test_a_number_that_is_none_is_a_usage_error(bazi):
    assert bazi("liuren", "--month", "three").exit_code == 2


def test_the_answer_is_one_json_object(bazi):
    assert json.loads(bazi.text("liuren", "--at", AT, "-f", "json"))["result"] == "速喜"
