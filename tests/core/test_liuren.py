"""小六壬: six palms by lunar month, day and double hour."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from itertools import product

import pytest

from bazi_core import liuren
from bazi_core.alphabet import BRANCHES
from bazi_core.astro.lunar import lunar_date
from bazi_core.errors import InvalidDatetime, InvalidInput, OutOfRange, TimeNeedsOffset, UnknownOption
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES
from tests.tables import holds_for_all

PALMS = ("大安", "留连", "速喜", "赤口", "小吉", "空亡")
AT = "2026-04-03T20:30:00+08:00"


def counted(*steps: int) -> list[str]:
    """Palms by counting with a finger: every count begins on the palm where the last one ended."""
    at, found = 0, []
    for step in steps:
        for _ in range(step - 1):
            at = (at + 1) % 6
        found.append(PALMS[at])
    return found


def test_the_palms_stand_in_their_order():
    assert liuren.names() == PALMS


def test_the_worked_example_comes_out_as_told():
    found = liuren.cast(month=3, day=5, hour="辰")
    assert found.palms == ("速喜", "大安", "小吉")
    assert found.result == "小吉"


def test_every_month_day_and_hour_is_counted_on_and_each_palm_comes_720_times():
    results: Counter[str] = Counter()
    for month, day, hour in product(range(1, 13), range(1, 31), range(12)):
        found = liuren.cast(month=month, day=day, hour=BRANCHES[hour].value)
        assert [*found.palms] == counted(month, day, hour + 1)
        assert found.result == PALMS[(month + day + hour + 1 - 3) % 6]
        results[found.result] += 1
    assert results == dict.fromkeys(PALMS, 720)


def test_without_an_hour_the_palm_of_the_day_is_the_result():
    for month, day in product(range(1, 13), range(1, 31)):
        found = liuren.cast(month=month, day=day)
        assert [*found.palms] == counted(month, day)
        assert found.result == PALMS[(month + day - 2) % 6]
        assert found.hour is None


@pytest.mark.parametrize("hour", ["辰时", "辰時", "辰"])
def test_an_hour_may_be_named_with_its_unit(hour):
    assert liuren.cast(month=3, day=5, hour=hour).hour is BRANCHES[4]


def test_a_time_is_counted_by_its_lunar_date_and_double_hour():
    start = datetime.fromisoformat("2023-03-01T00:30:00+08:00")
    for step in range(0, 24 * 90, 5):
        at = start + timedelta(hours=step)
        day = (at + timedelta(days=1)).date() if at.hour == 23 else at.date()
        date, hour = lunar_date(day), (at.hour + 1) // 2 % 12 + 1
        found = liuren.cast(at.isoformat())
        assert (found.month, found.day, found.leap) == (date.month, date.day, date.leap)
        assert [*found.palms] == counted(date.month, date.day, hour)
        assert liuren.cast(at) == found


def test_days_of_a_leap_month_from_the_sixteenth_may_count_as_the_next():
    early, late = "2023-04-05T12:00:00+08:00", "2023-04-06T12:00:00+08:00"
    assert liuren.cast(early).leap
    assert liuren.cast(early, leap="next") == liuren.cast(early)
    assert (liuren.cast(late).month, liuren.cast(late, leap="next").month) == (2, 3)
    assert liuren.cast(late, leap="next").leap


def test_the_day_boundary_decides_the_late_hour():
    late = "2026-04-03T23:30:00+08:00"
    assert liuren.cast(late).day == 17
    assert liuren.cast(late, school=School(day_boundary="00:00")).day == 16
    assert liuren.cast(late).hour is BRANCHES[0]


def test_facts_rest_on_the_palm_from_which_they_were_counted():
    facts = liuren.cast(month=3, day=5, hour="辰").facts
    assert {name: fact.derives_from for name, fact in facts.items()} == {
        "lr.month": (), "lr.day": ("lr.month",), "lr.hour": ("lr.day",),
    }  # fmt: skip
    assert [fact.value for fact in facts.values()] == ["速喜", "大安", "小吉"]
    assert facts["lr.month"].text_zh == "农历3月落速喜"
    assert facts["lr.hour"].text_zh == "辰时落小吉"
    assert [*liuren.cast(month=3, day=5).facts] == ["lr.month", "lr.day"]


def test_written_out_it_has_its_members():
    found = liuren.cast(AT).to_dict()
    assert [*found] == ["lunar", "hourBranch", "palms", "result", "meaning", "facts", "warnings"]
    assert found["lunar"] == {"month": 2, "day": 16, "leap": False}
    assert (found["hourBranch"], found["palms"], found["warnings"]) == ("戌", ["留连", "小吉", "速喜"], [])
    assert json.loads(json.dumps(found)) == found
    assert liuren.cast(month=3, day=5).to_dict()["hourBranch"] is None


def test_a_boundary_nearby_is_told():
    codes = [each["code"] for each in liuren.cast("2026-04-03T22:59:30+08:00").to_dict()["warnings"]]
    assert codes == ["NEAR_BOUNDARY"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_said_of_a_palm_is_marked_as_tradition(lang):
    marks = {"zh-Hans": "传统上说", "zh-Hant": "傳統上說", "en": "By tradition"}
    for palm in PALMS:
        assert liuren.meaning(palm, lang).startswith(marks[lang])
        assert liuren.palm_name(palm, lang)
    assert liuren.palm_name("大安", "en") == "大安 Great Peace"


@holds_for_all("bad", [0, 13, -1, 1.0, True, "3", None, [], 10**9])
def test_a_month_that_does_not_exist_is_refused(bad):
    with pytest.raises(InvalidInput) as caught:
        liuren.cast(month=bad, day=1)
    assert caught.value.data == {"field": "month"}


@holds_for_all("bad", [0, 31, -1, 1.0, True, "3", None, []])
def test_a_day_that_does_not_exist_is_refused(bad):
    with pytest.raises(InvalidInput) as caught:
        liuren.cast(month=1, day=bad)
    assert caught.value.data == {"field": "day"}


@pytest.mark.parametrize("bad", ["", "早子", "x", 4, [], "\ud800", "时"])
def test_an_hour_that_is_no_branch_is_refused(bad):
    with pytest.raises(InvalidInput) as caught:
        liuren.cast(month=1, day=1, hour=bad)
    assert caught.value.exit_status == 4


def test_a_time_and_a_month_together_are_refused():
    for given in ({"month": 1}, {"day": 1}, {"hour": "子"}):
        with pytest.raises(InvalidInput, match="already says"):
            liuren.cast(AT, **given)


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        ("2026-04-03T20:30:00", TimeNeedsOffset), ("2026-04-03T20:30:00-00:00", TimeNeedsOffset),
        ("2026-04-03 20:30:00+08:00", InvalidDatetime),
        ("2026-04-03T20:30:60+08:00", InvalidDatetime), ("1400-01-01T00:00:00Z", OutOfRange), ("2700-01-01T00:00:00Z",
        OutOfRange),
    ],
)  # fmt: skip
def test_times_are_read_as_for_a_cast_of_six_lines(at, kind):
    with pytest.raises(kind):
        liuren.cast(at)


@pytest.mark.parametrize("leap", ["", "other", None, 1])
def test_another_way_with_leap_months_is_refused(leap):
    with pytest.raises(UnknownOption):
        liuren.cast(AT, leap=leap)


def test_without_anything_a_month_is_missing():
    with pytest.raises(InvalidInput):
        liuren.cast()


@pytest.mark.parametrize("given", [None, 5, "midnight", [], "\ud800"])
def test_options_are_refused_where_they_have_nothing_to_act_on_too(given):
    with pytest.raises(UnknownOption):
        liuren.cast(month=1, day=1, leap=given)
    if given is not None:
        with pytest.raises(UnknownOption):
            liuren.cast(month=1, day=1, school=given)


@pytest.mark.parametrize("given", [None, 5, "大", [], "\ud800"])
def test_a_palm_and_its_language_are_known_ones(given):
    for call in (liuren.meaning, liuren.palm_name):
        with pytest.raises(UnknownOption):
            call(given)
        with pytest.raises(UnknownOption):
            call("大安", given)
    with pytest.raises(UnknownOption):
        liuren.cast(AT).to_dict(given)
