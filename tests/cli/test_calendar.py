"""`bazi calendar`: a month as a sheet."""

from datetime import date

import pytest

from bazi_cli.commands.calendar import days_of
from bazi_core.pillars import pillars_of_instant
from bazi_core.render.width import width


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_lines_of_the_sheet_are_equally_wide(bazi, lang):
    lines = [
        line for line in bazi.text("calendar", "2025-07", "--lang", lang).splitlines() if line[0] in "┌│├└"
    ]
    assert len({width(line) for line in lines}) == 1


def test_json_has_every_day(bazi):
    found = bazi.json("calendar", "2026-02")
    assert (len(found["days"]), found["at_end"]) == (28, {"year": "丙午", "month": "庚寅"})
    new_year = found["days"][16]
    assert (new_year["lunar"]["month"], new_year["lunar"]["day"], new_year["day_pillar"]) == (1, 1, "壬戌")
    assert found["days"][3]["term"]["name"] == "立春"


def test_weekdays_are_those_of_the_dates(bazi):
    first = bazi.json("calendar", "2026-02")["days"][0]
    assert first["weekday"] == date(2026, 2, 1).isoweekday() == 7


def test_without_a_month_it_is_the_present_one_in_china(bazi):
    assert bazi.text("calendar").startswith("2026-02")


def test_a_month_beyond_the_lunar_table_has_no_lunar_days(bazi):
    assert bazi.json("calendar", "2300-01")["days"][0]["lunar"] is None
    assert "丙" in bazi.text("calendar", "2300-01")


def test_day_pillars_are_those_of_noon():
    from datetime import datetime

    from bazi_core.astro.terms import CHINA_STANDARD
    from bazi_core.school import School

    for day in days_of(2024, 2):
        noon = datetime(day.date.year, day.date.month, day.date.day, 12, tzinfo=CHINA_STANDARD)
        assert day.pillar is pillars_of_instant(noon, School()).day


def test_in_chinese_a_week_stays_in_one_row_at_sixty_columns(bazi):
    told = bazi.text("calendar", "2025-07", COLUMNS="60")
    assert told.count("┌") == 1
    assert "│ 29 │ 14   │ 15   │ 16   │" in told
    assert "│    │ 甲申 │ 乙酉 │ 丙戌 │" in told


def test_no_line_of_the_heading_ends_within_a_pillar_at_sixty_columns(bazi):
    told = bazi.text("calendar", "2026-02", "--lang", "en", COLUMNS="60")
    assert told.startswith(
        "2026-02  Year 乙巳 Wood Snake -> 丙午 Fire Horse\n  Month 己丑 Earth Ox -> 庚寅 Metal Tiger\n"
    )
