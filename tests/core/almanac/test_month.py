"""A month on a sheet: the days that `almanac` gives, terms on the clock of the place, as rows, picture and page."""

import re
from datetime import date
from xml.etree import ElementTree

import pytest

import bazi_core as bz
from bazi_core.almanac.month import ALL_FORBIDDEN, IN_A_CELL, almanac_month, chosen, items_shown
from bazi_core.almanac.month_sheet import month_html, month_rows, month_svg
from bazi_core.almanac.notes import DOCTOR
from bazi_core.errors import OutOfRange
from bazi_core.tables.words import LANGUAGES

PLACES = ("Asia/Shanghai", "America/New_York", "Pacific/Auckland", "Pacific/Honolulu")


@pytest.mark.parametrize("tz", PLACES)
def test_its_days_are_those_of_the_almanac(tz):
    month = bz.almanac_month(2026, 2, tz=tz)
    assert [day.date for day in month.days] == [date(2026, 2, number) for number in range(1, 29)]
    for number in (1, 3, 4, 17, 28):
        assert month.days[number - 1] == bz.almanac(f"2026-02-{number:02}", tz=tz)


@pytest.mark.parametrize("tz", PLACES)
@pytest.mark.parametrize("year", [2024, 2026, 2027])
def test_every_term_of_a_year_begins_once_on_the_date_of_its_local_instant(tz, year):
    met = []
    for number in range(1, 13):
        month = almanac_month(year, number, tz=tz)
        for term in month.terms:
            assert term.local[:7] == f"{year}-{number:02}"
            met.append(term.position)
    assert len(met) == len({*met}) == 24


def test_the_month_changes_on_another_date_in_new_york():
    here, there = (almanac_month(2026, 2, tz=tz) for tz in ("America/New_York", "Asia/Shanghai"))
    assert [each.local[:10] for each in (here.terms[0], there.terms[0])] == ["2026-02-03", "2026-02-04"]
    assert here.days[2].calendar.month_pillar != there.days[2].calendar.month_pillar


@pytest.mark.parametrize(("year", "month", "weeks"), [(2026, 2, 5), (2027, 2, 4), (2026, 8, 6)])
def test_weeks_begin_on_monday_and_hold_every_day_once(year, month, weeks):
    found = almanac_month(year, month, tz="Asia/Shanghai")
    assert len(found.weeks) == weeks
    assert all(len(week) == 7 for week in found.weeks)
    assert tuple(day for week in found.weeks for day in week if day) == found.days
    for week in found.weeks:
        assert all(day is None or day.date.weekday() == at for at, day in enumerate(week))


def test_a_day_that_the_clocks_skipped_is_left_out_and_its_cell_empty():
    month = almanac_month(2011, 12, tz="Pacific/Apia")
    assert [day.date.day for day in month.days] == [*range(1, 30), 31]
    assert [day.date.day if day else None for day in month.weeks[4]][3:6] == [29, None, 31]


@pytest.mark.parametrize("month", [0, 13, -1])
def test_a_month_that_is_none_is_refused(month):
    with pytest.raises(OutOfRange):
        almanac_month(2026, month)


def test_a_cell_has_four_of_each_and_says_how_many_more_or_that_everything_is_forbidden():
    seen = set()
    for day in almanac_month(2026, 10, tz="America/New_York").days:
        for name in ("yi", "ji"):
            told, all_ = items_shown(day, name, "zh-Hans"), chosen(day, name, "minyong37")
            if name == "ji" and day.verdict.policy == ALL_FORBIDDEN:
                assert (told, all_) == (ALL_FORBIDDEN, [])
                seen.add("all")
            else:
                more = len(all_) - IN_A_CELL
                assert told == "、".join(all_[:IN_A_CELL]) + (f" +{more}" if more > 0 else "")
                seen.add(more > 0)
    assert seen == {"all", True, False}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_picture_and_page_tell_every_day(lang):
    month = almanac_month(2026, 10, tz="America/New_York")
    rows = month_rows(month, lang)
    assert [row[0].split()[0] for row in rows[1:]] == [str(number) for number in range(1, 32)]
    assert len({len(row) for row in rows}) == 1
    root = ElementTree.fromstring(month_svg(month, lang))
    space = "{http://www.w3.org/2000/svg}"
    texts = [each.text for each in root.iter(f"{space}text")]
    assert {str(number) for number in range(1, 32)} <= {*texts}
    assert len([each for each in texts if each == "宜"]) == 31
    described = root.find(f"{space}desc").text
    assert all(row[1] in described for row in rows[1:])
    page = month_html(month, lang)
    assert page.count("<tr>") == 32
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", page)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_the_picture_leaves_its_cell(lang):
    from bazi_core.almanac.month_sheet import _PAD, _WIDE
    from bazi_core.pictures.kit import BODY, LEAST, length

    root = ElementTree.fromstring(month_svg(almanac_month(2026, 10, tz="Asia/Shanghai"), lang))
    for each in root.iter("{http://www.w3.org/2000/svg}text"):
        x, size = float(each.get("x")), float(each.get("font-size") or LEAST)
        if size <= BODY and each.get("text-anchor") is None and x > _PAD:
            right = (x // _WIDE + 1) * _WIDE
            assert x + length(each.text, size) <= right, each.text


def test_json_has_an_entry_for_each_day():
    found = almanac_month(2026, 2, tz="Asia/Shanghai").to_dict()
    assert len(found["days"]) == 28
    assert found["days"][3]["term"] == {"name": "立春", "at": "2026-02-04T04:02:07.951+08:00"}
    assert found["days"][3]["jianchu"] == "危"
    assert "MONTH_CHANGES_TODAY" in found["days"][3]["notes"]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_a_sheet_with_a_doctor_or_a_day_of_nothing_says_that_no_day_delays_one(lang):
    month = almanac_month(2026, 10, city="纽约")
    doctor = DOCTOR.text(lang)
    assert doctor in month_html(month, lang)
    drawn = re.sub("<[^>]+>", " ", month_svg(month, lang))
    assert "".join(doctor.split()) in "".join(drawn.split())


def test_a_sheet_says_that_a_day_has_no_grade_and_marks_an_empty_list():
    rows = month_rows(almanac_month(2026, 10, city="纽约"), "zh-Hant")
    assert rows[4][5] == "無等第"
    assert rows[2][6] == "—"
