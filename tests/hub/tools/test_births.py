"""Birth arguments: what they state, and what is wrong with them."""

from __future__ import annotations

import pytest

from bazi_core.errors import BaziError, PlaceAmbiguous, PlaceNotFound
from bazi_core.school import OPTIONS, School
from bazi_hub.catalog import CATALOG
from bazi_hub.tools.arguments import problems
from bazi_hub.tools.births import BIRTH, YEARS, chart_of
from bazi_hub.tools.refusals import BadArguments, refusal
from tests.hub.worlds import BIRTH as BORN
from tests.hub.worlds import T1

TOOL = CATALOG[T1]


def located(**location):
    return {**BORN, "location": location}


def paths(arguments):
    return {issue.path for issue in problems(TOOL, arguments)}


def codes(chart):
    return [doubt.code for doubt in chart.warnings]


def test_a_birth_by_city_is_the_chart_that_the_core_makes():
    import bazi_core as bz

    assert chart_of(BORN) == bz.chart("1990-05-15 13:30", city="Beijing", gender="male", calendar="gregorian")


def test_an_unknown_hour_leaves_three_pillars_and_never_means_midday():
    chart = chart_of({**BORN, "birth_hour": None, "birth_minute": None})
    assert chart.pillars.hour is None
    assert "HOUR_UNKNOWN" in codes(chart)


@pytest.mark.parametrize(
    ("hour", "minute", "right"), [(None, 0, True), (None, 5, False), (13, None, False), (0, 0, True)]
)
def test_only_an_unknown_hour_has_an_unknown_minute(hour, minute, right):
    arguments = {**BORN, "birth_hour": hour, "birth_minute": minute}
    assert paths(arguments) == set()
    if right:
        chart_of(arguments)
    else:
        with pytest.raises(BadArguments) as raised:
            chart_of(arguments)
        assert [issue.path for issue in raised.value.issues] == ["birth_minute"]


@pytest.mark.parametrize("name", [name for name in BIRTH if name != "options"])
def test_every_argument_but_the_options_is_required(name):
    assert paths({key: value for key, value in BORN.items() if key != name}) == {name}


@pytest.mark.parametrize("value", ["1990", True, 1990.5, None, [1990]])
def test_a_year_is_an_integer_and_nothing_like_one(value):
    assert paths({**BORN, "birth_year": value}) == {"birth_year"}


def test_a_number_with_an_integral_value_is_an_integer():
    assert paths({**BORN, "birth_year": 1990.0}) == set()


def test_the_years_of_the_schema_are_those_that_can_be_computed():
    for year in YEARS:
        chart_of({**BORN, "birth_year": year})
    assert paths({**BORN, "birth_year": YEARS[0] - 1}) == {"birth_year"}
    assert paths({**BORN, "birth_year": YEARS[1] + 1}) == {"birth_year"}


def test_a_location_is_an_object_with_a_city():
    assert paths({**BORN, "location": "Beijing"}) == {"location"}
    assert paths(located()) == {"location.city_name"}
    assert paths(located(city_name="x", country="y")) == {"location.country"}


def test_coordinates_win_over_the_name_and_the_zone_of_the_name_counts():
    chart = chart_of(located(city_name="Beijing", longitude=100.0))
    assert (chart.birth.longitude, chart.moment.utc) == (100.0, chart_of(BORN).moment.utc)


def test_a_named_zone_comes_before_an_offset():
    chart = chart_of(
        located(city_name="a farm", longitude=116.4, timezone_id="Asia/Tokyo", timezone_offset=1)
    )
    assert chart.moment.utc_offset_s == 9 * 3600
    assert "TIMEZONE_OFFSET_IGNORED" in codes(chart)


def test_an_offset_counts_beside_a_longitude_without_a_zone():
    chart = chart_of(located(city_name="a farm", longitude=116.4, timezone_offset=8))
    assert chart.moment.utc_offset_s == 8 * 3600
    assert "TIMEZONE_OFFSET_IGNORED" not in codes(chart)


def test_an_offset_of_today_does_not_undo_the_daylight_saving_of_then():
    chart = chart_of(located(city_name="Beijing", timezone_offset=8))
    assert chart.pillars == chart_of(BORN).pillars
    [data] = [doubt.data for doubt in chart.warnings if doubt.code == "TIMEZONE_OFFSET_IGNORED"]
    assert data == {"given": "+08:00", "used": "+09:00"}


def test_an_offset_that_agrees_with_the_place_is_not_worth_a_word():
    assert "TIMEZONE_OFFSET_IGNORED" not in codes(chart_of(located(city_name="Beijing", timezone_offset=9)))


def test_an_ignored_offset_is_said_of_an_unknown_hour_too():
    unknown = {"birth_hour": None, "birth_minute": None}
    assert "TIMEZONE_OFFSET_IGNORED" in codes(
        chart_of({**located(city_name="Beijing", timezone_offset=7), **unknown})
    )


def test_a_latitude_alone_says_nothing():
    with pytest.raises(BadArguments) as raised:
        chart_of(located(city_name="Beijing", latitude=39.9))
    assert [issue.path for issue in raised.value.issues] == ["location.latitude"]


def test_an_unknown_name_needs_a_longitude_and_a_zone():
    for location in ({}, {"longitude": 10.0}):
        with pytest.raises(PlaceNotFound):
            chart_of(located(city_name="Qwxzv", **location))
    chart_of(located(city_name="Qwxzv", longitude=10.0, timezone_id="Europe/Berlin"))
    chart_of(located(city_name="Qwxzv", longitude=10.0, timezone_offset=1.5))


def refused(arguments):
    with pytest.raises(BaziError) as raised:
        chart_of(arguments)
    return refusal(T1, raised.value)


@pytest.mark.parametrize(
    ("change", "path", "reason", "companion"),
    [
        ({"birth_month": 2, "birth_day": 30}, "birth_day", "INVALID_DATETIME", "value"),
        ({"location": {"city_name": "Nowhereville"}}, "location.city_name", "PLACE_NOT_FOUND", "suggestions"),
        ({"location": {"city_name": "朝阳"}}, "location.city_name", "PLACE_AMBIGUOUS", "candidates"),
        (
            {"location": {"city_name": "Berlin", "timezone_id": "Europe/Bearlin"}},
            "location.timezone_id", "ZONE_UNKNOWN", "suggestions",
        ),
        (
            {"birth_year": 2024, "birth_month": 3, "birth_day": 10, "birth_hour": 2, "location": {"city_name": "Chicago"}},
            "birth_hour", "NONEXISTENT_LOCAL_TIME", "nearest_after",
        ),
        (
            {"birth_year": 2024, "birth_month": 11, "birth_day": 3, "birth_hour": 1, "location": {"city_name": "Chicago"}},
            "birth_hour", "AMBIGUOUS_LOCAL_TIME", "readings",
        ),
        ({"options": {"clock": "xinjiang"}}, "options.clock", "CLOCK_NOT_APPLICABLE", "place"),
        ({"options": {"star_variants": {"x": "y"}}}, "options.star_variants", "UNKNOWN_OPTION", "allowed"),
    ],
)  # fmt: skip
def test_what_the_core_refuses_is_invalid_input_at_its_argument(change, path, reason, companion):
    error = refused({**BORN, **change})
    assert (error.name, error.members["reason"]) == ("INVALID_INPUT", reason)
    assert error.members["issues"][0]["path"] == path
    assert error.members[companion]


def test_a_clock_reading_that_came_twice_is_settled_by_fold():
    twice = {
        **BORN, "birth_year": 2024, "birth_month": 11, "birth_day": 3, "birth_hour": 1, "location": {"city_name": "Chicago"}
    }  # fmt: skip
    first, second = (chart_of({**twice, "options": {"fold": fold}}) for fold in (0, 1))
    assert second.moment.utc_ms - first.moment.utc_ms == 3_600_000


def test_a_candidate_of_an_ambiguous_name_is_accepted_in_its_place():
    with pytest.raises(PlaceAmbiguous) as raised:
        chart_of(located(city_name="朝阳"))
    ref = raised.value.data["candidates"][0]["ref"]
    assert chart_of(located(city_name=ref)).birth.place.ref == ref


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_of_a_school_is_an_option_here(name):
    chosen = OPTIONS[name][-1] if name != "clock" else "beijing"
    chart = chart_of({**BORN, "options": {name: chosen}})
    assert getattr(chart.school, name) == chosen
    assert paths({**BORN, "options": {name: "nonsense"}}) == {f"options.{name}"}


def test_an_unknown_option_is_refused():
    assert paths({**BORN, "options": {"zodiac": "马"}}) == {"options.zodiac"}


def test_without_options_the_school_is_the_default_one():
    assert chart_of(BORN).school == School().with_basis("true_solar")
