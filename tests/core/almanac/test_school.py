"""Options of the almanac: each changes what it is about, on the days it is about, and nothing else."""

from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

import bazi_core as bz
from bazi_core.almanac.school import AlmanacSchool
from tests.sizes import sizes

FIRST = date(2023, 1, 1)
# From the first day the leap month, the earth days of spring and the middle month of it are among these.
ABOUT_A_SEASON = sizes(120, 3_000)
MIDDLE, FULL_MONTHS = "子午卯酉", "辰戌丑未"


class Difference(NamedTuple):
    """A day under the default and under another value of an option, and the names that only one of them has."""

    day: Any
    other: Any

    def only_one(self, of: str) -> set[str]:
        return set(self._names(self.day, of)) ^ set(self._names(self.other, of))

    @staticmethod
    def _names(day: Any, of: str) -> tuple[str, ...]:
        return day.day.marks if of == "marks" else getattr(day.verdict, of)


@cache
def usual(at: int) -> Any:
    """The day so many days after the first, by the default options."""
    return bz.almanac((FIRST + timedelta(at)).isoformat(), tz="Asia/Shanghai")


def differences(option: str, value: str, count: int) -> list[Difference]:
    """The days on which another value of an option changes marks, gods or items."""
    school = AlmanacSchool(**{option: value})
    found = []
    for at in range(count):
        on = (FIRST + timedelta(at)).isoformat()
        each = Difference(usual(at), bz.almanac(on, tz="Asia/Shanghai", school=school))
        if any(each.only_one(part) for part in ("marks", "gods", "yi", "ji")):
            found.append(each)
    assert found
    return found


def dates(found: list[Difference]) -> list[str]:
    return [str(each.day.date) for each in found]


@ABOUT_A_SEASON
def test_quarters_by_the_ephemeris_move_by_a_day_at_most(count):
    found = differences("phases", "ephemeris", count)
    assert all(each.only_one("gods") <= {"朔弦望"} for each in found)
    assert all(each.only_one("marks") <= {"上弦", "望", "下弦"} for each in found)
    # Full Moon on 2023-01-06 at 23:08 UTC, which is the 7th in China and the 15th of the lunar month was the 6th.
    assert {"2023-01-06", "2023-01-07"} <= set(dates(found))


@ABOUT_A_SEASON
def test_earth_rules_from_a_longitude_a_day_earlier_or_later(count):
    found = differences("earth_days", "longitude", count)
    assert all(each.only_one("marks") == {"土王用事"} for each in found)
    assert all(each.only_one("gods") <= {"土王用事", "母仓"} for each in found)


@ABOUT_A_SEASON
def test_heavenly_virtue_of_the_middle_months_is_a_branch_only_where_asked_for(count):
    found = differences("tiande_zhong", "branches", count)
    assert all(each.only_one("gods") == {"天德"} for each in found)
    assert {each.day.calendar.month_pillar.branch.value for each in found} <= set(MIDDLE)


@ABOUT_A_SEASON
def test_long_and_short_stars_of_a_leap_month_count_only_where_asked_for(count):
    found = differences("star_leap", "on", count)
    assert all(each.only_one("gods") <= {"长星", "短星"} for each in found)
    assert all(each.day.lunar.leap for each in found)


@ABOUT_A_SEASON
def test_mother_store_of_the_earth_days_is_replaced_unless_ignored(count):
    found = differences("mucang_earth", "ignore", count)
    assert all(each.only_one("gods") == {"母仓"} for each in found)
    assert all(
        "母仓" in each.day.verdict.gods
        for each in found
        if each.day.calendar.day_pillar.branch.value in "巳午"
    )
    assert all((each.day.calendar.next_term.day - each.day.calendar.ordinal) <= 18 for each in found)


@ABOUT_A_SEASON
def test_what_the_triple_harmony_adds_can_be_left_out(count):
    found = differences("sanhe_extra", "off", count)
    assert not any(each.only_one("gods") for each in found)
    assert {each.day.day.jianchu for each in found} <= {"定", "成"}
    assert not {each.day.calendar.day_pillar.branch.value for each in found} & set(FULL_MONTHS)


@ABOUT_A_SEASON
def test_an_item_of_an_ungraded_day_that_is_both_favoured_and_forbidden_is_forbidden_or_left_unsaid(count):
    found = differences("ungraded", "silent", count)
    for each in found:
        assert each.day.verdict.grade == "无"
        # What an article of the book draws from a forbidden item goes with it.
        assert all(each.day.verdict.why[item].rule.startswith("6.5") for item in each.only_one("yi"))
        assert each.only_one("ji") == set(each.day.verdict.ji) - set(each.other.verdict.ji)
        assert each.only_one("ji") <= set(each.other.verdict.silent)
