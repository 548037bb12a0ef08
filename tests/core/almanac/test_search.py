"""The choice of days: what is chosen is favoured by the book, what is not is counted with its reason."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

import bazi_core as bz
from bazi_core.almanac.doctrine import items_of
from bazi_core.almanac.persons import met_by
from bazi_core.almanac.purposes import purpose_of, purposes
from bazi_core.almanac.search import MOST_DAYS
from bazi_core.alphabet import PILLARS, Pillar
from bazi_core.errors import (
    InvalidInput,
    NoDoctrineForItem,
    PurposeAmbiguous,
    PurposeUnknown,
    RangeTooLong,
    UnknownOption,
)
from tests.tables import holds_for_all

CHINA = "Asia/Shanghai"
GROOM = bz.chart("1990-05-15 13:30", city="北京", gender="male")
BRIDE = bz.chart("1992-11-02 08:00", city="上海", gender="female")


def test_every_day_is_chosen_or_counted_with_its_reason() -> None:
    found = bz.days("嫁娶", "2026-10-01", "2026-12-31", charts=[GROOM, BRIDE], city="上海", limit=100)
    assert found.considered == 92 == found.found + sum(found.excluded.values())
    for chosen in found.days:
        verdict = chosen.day.verdict
        assert verdict is not None
        assert "嫁娶" in verdict.yi
        assert not any(person.excluding for person in chosen.persons)
    assert list(found.days) == sorted(found.days, key=lambda each: each.rank)
    clashes = {"CLASH_YEAR_BRANCH", "CLASH_YEAR_PILLAR", "CLASH_DAY_PILLAR"}
    assert set(found.excluded) <= {"ALL_FORBIDDEN", "CLOSED", "FORBIDDEN", "SILENT"} | clashes


def test_a_day_that_clashes_is_left_out_or_comes_last_or_is_not_looked_at() -> None:
    def dates(personal: str) -> list[date]:
        span = ("2026-01-01", "2026-12-31")
        found = bz.days("嫁娶", *span, charts=[GROOM], tz=CHINA, limit=400, personal=personal)
        return [each.date for each in found.days]

    without, warned, ignored = dates("exclude"), dates("warn"), dates("ignore")
    assert set(without) < set(warned) == set(ignored)
    assert warned[: len(without)] == without


def test_no_day_is_an_answer() -> None:
    found = bz.days("嫁娶", "2026-10-23", "2026-10-23", tz=CHINA)
    assert (found.days, found.found, found.considered) == ((), 0, 1)
    assert sum(found.excluded.values()) == 1
    assert len(found.near_misses) == 1


def test_the_limit_keeps_the_best() -> None:
    every = bz.days("出行", "2026-01-01", "2026-03-31", tz=CHINA, limit=90)
    few = bz.days("出行", "2026-01-01", "2026-03-31", tz=CHINA, limit=3)
    assert [each.date for each in few.days] == [each.date for each in every.days][:3]
    assert few.found == every.found


def test_useful_gods_order_days_only_where_all_else_is_equal() -> None:
    span = ("2026-01-01", "2026-12-31")
    plain = bz.days("开市", *span, charts=[GROOM], tz=CHINA, limit=400)
    sorted_by = bz.days("开市", *span, charts=[GROOM], tz=CHINA, limit=400, order="useful_gods")
    assert {each.date for each in plain.days} == {each.date for each in sorted_by.days}
    assert [each.rank[:6] for each in plain.days] == [each.rank[:6] for each in sorted_by.days]
    assert sorted_by.to_dict()["order"] == "useful_gods"


def test_the_hours_of_a_chosen_day_clash_with_nobody() -> None:
    found = bz.days("嫁娶", "2026-01-01", "2026-12-31", charts=[GROOM], tz=CHINA, limit=50)
    hours = [hour for chosen in found.days for hour in chosen.hours]
    assert hours
    for hour in hours:
        assert hour.huangdao
        assert not {"日破", "旬空"} & set(hour.gods)
        assert hour.branch.value != "子", "six from 午, the year of the groom"
    assert all(
        not each.hours for each in bz.days("嫁娶", "2026-01-01", "2026-03-31", tz=CHINA, hours=False).days
    )


def test_the_whole_is_json() -> None:
    found = bz.days("嫁娶", "2026-10-01", "2026-10-31", charts=[GROOM], tz=CHINA)
    assert found.to_json() == found.to_json()
    members = found.to_dict()
    assert members["from"] == "2026-10-01"
    for day in members["days"]:
        assert set(day["why"]) == set(day["items"])
        assert all(reason["yi"] for reason in day["why"].values())


# ------------------------------------------------------------------------------------ what is asked

ASKED = [
    ("嫁娶", "嫁娶"), ("搬家", "移徙"), ("想挑个日子结婚", "嫁娶"), ("wedding", "嫁娶"), ("买房签约", "签约"),
    ("开业", "开市"),    ("下个月搬家哪天好", "移徙"), ("冠带", "冠带"), ("手术", "求医"), ("seeing a doctor", "求医"),
]  # fmt: skip


@holds_for_all("text, name", ASKED)
def test_a_purpose_is_found_by_its_names(text: str, name: str) -> None:
    assert purpose_of(text).name == name


@holds_for_all("text, error", [
    ("搬家和结婚", PurposeAmbiguous), ("吃饭", PurposeUnknown), ("", PurposeUnknown), ("开光", NoDoctrineForItem),
    ("作灶", NoDoctrineForItem),
])  # fmt: skip
def test_what_the_book_does_not_know_is_refused(text: str, error: type[InvalidInput]) -> None:
    with pytest.raises(error):
        purpose_of(text)


def test_every_purpose_has_items_of_the_book() -> None:
    names = [word for each in purposes() for word in (each.name, *each.aliases)]
    assert len(names) == len(set(names))
    for each in purposes():
        assert set(each.items) <= set(items_of())
        assert each.items


def test_a_span_has_an_order_and_an_end() -> None:
    first = date(2026, 1, 1)
    with pytest.raises(RangeTooLong):
        bz.days("嫁娶", first, first + timedelta(days=MOST_DAYS), tz=CHINA)
    with pytest.raises(InvalidInput):
        bz.days("嫁娶", "2026-02-01", "2026-01-01", tz=CHINA)
    for wrong in ({"limit": 0}, {"limit": True}, {"personal": "maybe"}, {"order": "luck"}):
        with pytest.raises(UnknownOption):
            bz.days("嫁娶", first, first, tz=CHINA, **wrong)  # type: ignore[arg-type]
    with pytest.raises(NoDoctrineForItem):
        bz.days("嫁娶", first, first, tz=CHINA, school=bz.AlmanacSchool.named("popular"))


# ------------------------------------------------------------------------------------------ persons


def test_a_clash_of_pillars_is_six_branches_apart_with_control() -> None:
    own = GROOM.pillars.day
    clashing = [pillar for pillar in PILLARS if "CLASH_DAY_PILLAR" in met_by(1, GROOM, pillar).reasons]
    assert own == Pillar("庚辰")
    assert {pillar.value for pillar in clashing} == {"甲戌", "丙戌"}


def test_a_person_born_between_spring_and_new_year_has_two_years() -> None:
    """After 立春 of 1991 and before its new year, on 02-15."""
    between = bz.chart("1991-02-10 12:00", city="北京", gender="male")
    assert {sign.value for sign in between.zodiac.values() if sign} == {"羊", "马"}
    # 丑 is six from 未, the year by 立春; 子 six from 午, the year by the new year.
    assert met_by(1, between, Pillar("乙丑"), "exclude").excluding[:1] == ("CLASH_YEAR_BRANCH",)
    by_custom = met_by(1, between, Pillar("甲子"), "exclude")
    assert (by_custom.excluding, by_custom.warned) == ((), ("CLASH_YEAR_BRANCH",))


def test_a_day_tells_what_it_is_to_each_chart() -> None:
    day = bz.almanac("2026-10-03", tz=CHINA, charts=[GROOM, BRIDE])
    assert [person.number for person in day.persons] == [1, 2]
    assert all({*person.to_dict()["useful_gods"]} == {"stem", "branch"} for person in day.persons)
