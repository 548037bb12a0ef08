"""Birth arguments: what they state, and what is wrong with them."""

from itertools import combinations

import pytest

from bazi_core.errors import DataCorrupt
from bazi_core.school import OPTIONS, School
from bazi_hub.tools import births
from bazi_hub.tools.arguments import problems
from bazi_hub.tools.births import YEARS, chart_of
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.refusals import BadArguments, refusal
from bazi_hub.tools.tool import checked
from bazi_hub.words.errors import Issue
from tests.hub.worlds import BIRTH as BORN
from tests.hub.worlds import T1
from tests.tables import holds_for_all

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


@pytest.mark.parametrize(
    ("typed", "gender"), [("M", "male"), ("Female", "female"), ("女", "female"), ("乾造", "male")]
)
def test_a_gender_is_read_as_people_type_it_and_is_the_same_call(typed, gender):
    plain, other = (checked(TOOL, {**BORN, "gender": each}) for each in (gender, typed))
    assert other.subject.gender == gender
    assert other.fingerprint == plain.fingerprint
    assert TOOL.schema["properties"]["gender"]["enum"] == ["male", "female"]


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


@pytest.mark.parametrize("name", births.REQUIRED)
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
    assert "OFFSET_DIFFERS" in codes(chart)


def test_an_offset_counts_beside_a_longitude_without_a_zone():
    chart = chart_of(located(city_name="a farm", longitude=116.4, timezone_offset=8))
    assert chart.moment.utc_offset_s == 8 * 3600
    assert "OFFSET_DIFFERS" not in codes(chart)


def test_an_offset_of_today_does_not_undo_the_daylight_saving_of_then():
    chart = chart_of(located(city_name="Beijing", timezone_offset=8))
    assert chart.pillars == chart_of(BORN).pillars
    [data] = [doubt.data for doubt in chart.warnings if doubt.code == "OFFSET_DIFFERS"]
    assert (data["offset"], data["zone"], data["zone_offset"], data["used"]) == (
        "+08:00", "Asia/Shanghai", "+09:00", "zone",
    )  # fmt: skip
    assert (data["pillars_by_zone"]["hour"], data["pillars_by_offset"]["hour"]) == ("壬午", "癸未")


def test_coordinates_beside_a_known_name_do_not_make_the_offset_count():
    place = {"city_name": "Beijing", "longitude": 116.4, "latitude": 39.9, "timezone_offset": 8}
    chart = chart_of(located(**place))
    assert chart.moment.utc_offset_s == 9 * 3600
    assert "OFFSET_DIFFERS" in codes(chart)
    assert "OFFSET_DIFFERS" not in codes(chart_of(located(**{**place, "timezone_offset": 9})))


def test_a_name_that_many_places_of_one_zone_bear_brings_that_zone():
    chart = chart_of(located(city_name="朝阳", longitude=116.4, timezone_offset=8))
    assert (chart.moment.clock.timezone_id, "OFFSET_DIFFERS" in codes(chart)) == ("Asia/Shanghai", True)


def test_an_offset_named_as_the_zone_decides_and_is_told():
    chart = chart_of(located(city_name="Beijing", timezone_id="GMT+8"))
    assert (chart.moment.utc_offset_s, chart.pillars.hour.value) == (8 * 3600, "癸未")
    assert "OFFSET_DIFFERS" in codes(chart)


def test_an_offset_that_agrees_with_the_place_is_not_worth_a_word():
    assert "OFFSET_DIFFERS" not in codes(chart_of(located(city_name="Beijing", timezone_offset=9)))


def test_an_ignored_offset_is_said_of_an_unknown_hour_too():
    unknown = {"birth_hour": None, "birth_minute": None}
    assert "OFFSET_DIFFERS" in codes(chart_of({**located(city_name="Beijing", timezone_offset=7), **unknown}))


def test_a_latitude_alone_says_nothing():
    with pytest.raises(BadArguments) as raised:
        chart_of(located(city_name="Beijing", latitude=39.9))
    assert [issue.path for issue in raised.value.issues] == ["location.latitude"]


def test_an_unknown_name_needs_a_longitude_and_a_zone():
    for location in ({}, {"longitude": 10.0}):
        assert refused(located(city_name="Qwxzv", **location)).members["reason"] == "PLACE_NOT_FOUND"
    chart_of(located(city_name="Qwxzv", longitude=10.0, timezone_id="Europe/Berlin"))
    chart_of(located(city_name="Qwxzv", longitude=10.0, timezone_offset=1.5))


def refused(arguments):
    """The error of arguments of which something cannot be."""
    with pytest.raises(BadArguments) as raised:
        checked(TOOL, arguments)
    return refusal(TOOL, raised.value)


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


FAULTS = {
    "birth_day": {"birth_month": 2, "birth_day": 30},
    "birth_minute": {"birth_hour": None, "birth_minute": 5},
    "gender": {"gender": "x"},
    "location.city_name": {"location.city_name": "Nowhereville"},
    "location.latitude": {"location.latitude": 39.9},
    "location.timezone_id": {"location.timezone_id": "Europe/Bearlin"},
    "options.star_variants": {"options": {"star_variants": {"x": "y"}}},
    "zodiac": {"zodiac": "马"},
}


def with_faults(names):
    arguments = {**BORN, "location": dict(BORN["location"])}
    for name in names:
        for path, value in FAULTS[name].items():
            at, _, member = path.partition(".")
            if member:
                arguments[at][member] = value
            else:
                arguments[at] = value
    return arguments


def told_paths(arguments):
    return [issue["path"] for issue in refused(arguments).members["issues"]]


@pytest.mark.parametrize("count", [1, 2, 3, len(FAULTS)])
def test_whatever_is_wrong_with_a_birth_is_told_at_once_in_the_order_of_the_arguments(count):
    for names in combinations(FAULTS, count):
        assert told_paths(with_faults(names)) == list(names)


def test_the_reason_is_that_of_the_first_argument_that_the_core_refuses():
    error = refused(with_faults(["gender", "location.city_name", "location.timezone_id"]))
    assert (error.members["reason"], error.members["query"]) == ("PLACE_NOT_FOUND", "Nowhereville")
    assert "reason" not in refused(with_faults(["gender", "birth_minute"])).members


def test_a_clock_that_skipped_the_hour_is_told_without_a_gender_and_not_without_a_place():
    skipped = {**BORN, "birth_year": 2024, "birth_month": 3, "birth_day": 10, "birth_hour": 2, "gender": "x"}
    chicago = {**skipped, "location": {"city_name": "Chicago"}}
    assert told_paths(chicago) == ["birth_hour", "gender"]
    assert told_paths({**chicago, "location": {"city_name": 1}}) == ["gender", "location.city_name"]


def test_what_is_wrong_with_the_call_beside_its_arguments_comes_last():
    beside = [Issue("idempotency_key", "Must be short")]
    with pytest.raises(BadArguments) as raised:
        checked(TOOL, with_faults(["birth_day"]), beside)
    issues = refusal(TOOL, raised.value).members["issues"]
    assert [issue["path"] for issue in issues] == ["birth_day", "idempotency_key"]


def test_an_installation_without_its_tables_is_no_fault_of_the_arguments(monkeypatch):
    def torn(name):
        raise DataCorrupt("torn")

    monkeypatch.setattr(births, "look_up", torn)
    with pytest.raises(DataCorrupt):
        checked(TOOL, with_faults(["birth_day"]))


def test_a_name_of_letters_with_accents_is_as_long_as_it_looks():
    whole = located(city_name="e\u0301" * 100, longitude=116.4, timezone_id="Asia/Shanghai")
    assert chart_of(whole).birth.place.name == "é" * 100
    assert told_paths(located(city_name="e\u0301" * 100)) == ["location.city_name"]


def test_a_clock_reading_that_came_twice_is_settled_by_fold():
    twice = {
        **BORN, "birth_year": 2024, "birth_month": 11, "birth_day": 3, "birth_hour": 1, "location": {"city_name": "Chicago"}
    }  # fmt: skip
    first, second = (chart_of({**twice, "options": {"fold": fold}}) for fold in (0, 1))
    assert second.moment.utc_ms - first.moment.utc_ms == 3_600_000


def test_a_candidate_of_an_ambiguous_name_is_accepted_in_its_place():
    ref = refused(located(city_name="朝阳")).members["candidates"][0]["ref"]
    assert chart_of(located(city_name=ref)).birth.place.ref == ref


@holds_for_all("name", OPTIONS)
def test_every_option_of_a_school_is_an_option_here(name):
    chosen = OPTIONS[name][-1] if name != "clock" else "beijing"
    chart = chart_of({**BORN, "options": {name: chosen}})
    assert getattr(chart.school, name) == chosen
    assert wrong_options({name: "nonsense"}) == {f"options.{name}"}


def wrong_options(options):
    return {issue["path"] for issue in refused({**BORN, "options": options}).members["issues"]}


def test_an_unknown_option_is_refused():
    assert wrong_options({"zodiac": "马"}) == {"options.zodiac"}


def test_without_options_the_school_is_the_default_one():
    assert chart_of(BORN).school == School().with_basis("true_solar")
