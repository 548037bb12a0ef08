"""Laws of time: nothing is lost between UTC, wall clock and Sun, and the instant rules where it should."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import HourBranch
from bazi_core.astro import scales
from bazi_core.astro.eot import equation_of_time_s
from bazi_core.errors import NonexistentLocalTime
from bazi_core.pillars import four_pillars
from bazi_core.place.zones import zone
from bazi_core.school import School

ZONES = ["Asia/Shanghai", "Asia/Urumqi", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Kiritimati",
         "Pacific/Apia", "Asia/Kolkata", "America/St_Johns", "Africa/Monrovia", "Asia/Pyongyang", "UTC"]  # fmt: skip
INSTANTS = st.datetimes(datetime(1850, 1, 2), datetime(2199, 12, 30)).map(
    lambda at: at.replace(microsecond=0)
)
LONGITUDES = st.floats(-180, 180, allow_nan=False)
MOMENTS = st.tuples(INSTANTS, LONGITUDES, st.integers(-12, 14))


def on_clock(utc: datetime, key: str, **where: object) -> bz.SolarMoment:
    """The moment of an instant, asked for by the wall clock of a zone."""
    there = zone(key).fromutc(utc.replace(tzinfo=zone(key)))
    return bz.moment(there.replace(tzinfo=None), tz=key, fold=there.fold, **where)


@given(INSTANTS, st.sampled_from(ZONES))
def test_from_utc_to_the_wall_clock_and_back_to_utc_nothing_is_lost(utc, key):
    assert on_clock(utc, key).utc == utc.isoformat(timespec="milliseconds") + "Z"


@given(INSTANTS, st.sampled_from(ZONES), st.sampled_from(ZONES))
def test_one_instant_asked_for_in_two_zones_has_one_year_and_one_month(utc, here, there):
    one, other = (bz.chart(on_clock(utc, key).birth).pillars for key in (here, there))
    assert (one.year, one.month) == (other.year, other.month)


@given(INSTANTS, st.integers(-16 * 3600, 16 * 3600))
def test_a_stated_offset_is_subtracted_and_nothing_else(civil, offset_s):
    moment = bz.moment(civil, utc_offset=timedelta(seconds=offset_s))
    assert moment.utc_ms == scales.ms_of(civil) - offset_s * 1000
    assert moment.civil == civil.isoformat()


@given(MOMENTS)
def test_mean_time_is_four_minutes_a_degree_and_true_time_adds_the_equation(given_moment):
    utc, longitude, offset_h = given_moment
    moment = bz.moment(utc + timedelta(hours=offset_h), longitude=longitude, utc_offset=offset_h)
    turned = (
        (moment.mean_solar_ms - moment.utc_ms) / 1000
        - longitude * 240
        - scales.ut1_minus_utc_ms(moment.utc_ms) / 1000
    )
    assert min(abs(turned - days * 86_400) for days in (-1, 0, 1)) < 0.002
    equation_s = (moment.true_solar_ms - moment.mean_solar_ms) / 1000
    assert abs(equation_s - equation_of_time_s(moment.tt_ms)) < 0.002
    assert -907.6 < equation_s < 1006.6


@given(MOMENTS)
def test_the_sun_is_never_more_than_twelve_and_a_half_hours_from_the_clock(given_moment):
    utc, longitude, offset_h = given_moment
    moment = bz.moment(utc + timedelta(hours=offset_h), longitude=longitude, utc_offset=offset_h)
    assert abs(moment.true_solar_ms - moment.civil_ms) <= 12.5 * 3_600_000


@given(INSTANTS, st.sampled_from(["utc_frozen", "ut1_model"]))
def test_tt_less_utc_is_a_whole_number_of_milliseconds_of_the_right_size(utc, policy):
    moment = bz.moment(utc, utc_offset=0, school=School(future_utc=policy))
    ahead_s = (moment.tt_ms - moment.utc_ms) / 1000
    assert -7 < ahead_s < 260
    if 1972 <= utc.year < 2027:
        assert (ahead_s - 32.184) % 1 < 1e-9


@given(INSTANTS)
def test_the_jie_before_and_after_embrace_the_moment(utc):
    trace = bz.moment(utc, utc_offset=0).to_dict()
    assert trace["prev_jie"]["distance_s"] <= 0 < trace["next_jie"]["distance_s"]
    assert 29 * 86_400 < trace["next_jie"]["distance_s"] - trace["prev_jie"]["distance_s"] < 32 * 86_400


@given(
    st.dates(datetime(1901, 2, 1).date(), datetime(2199, 12, 30).date()),
    st.sampled_from(list(HourBranch)),
    LONGITUDES,
    st.sampled_from(["true_solar", "mean_solar", "civil"]),
)
def test_a_double_hour_by_name_is_never_another_on_the_clock_in_use(day, hour, longitude, basis):
    offset_h = round(longitude / 15)
    chart = bz.chart(
        f"{day} {hour.value}时", longitude=longitude, utc_offset=offset_h, school=School(time_basis=basis)
    )
    assert chart.pillars.hour.branch is hour.branch
    assert chart.moment.local[:10] == day.isoformat()


@given(INSTANTS, st.sampled_from(ZONES), LONGITUDES)
def test_steps_add_up_to_the_clock_in_use(utc, key, longitude):
    moment = on_clock(utc, key, longitude=longitude)
    steps = moment.steps()
    readings = [datetime.fromisoformat(step["value"]) for step in steps]
    assert readings[0].isoformat() == moment.civil
    assert readings[-1].isoformat(timespec="milliseconds") == moment.local
    total = sum(step["delta_s"] for step in steps)
    assert abs((readings[-1] - readings[0]).total_seconds() - total) < 0.05


@given(
    st.dates(datetime(1901, 2, 1).date(), datetime(2100, 1, 1).date()),
    st.sampled_from(ZONES),
    st.sampled_from(["civil", None]),
    LONGITUDES,
)
def test_the_pieces_of_a_day_without_hour_fill_it(day, key, basis, longitude):
    where = {"longitude": longitude} if basis is None else {}
    try:
        found = bz.candidates(day.isoformat(), tz=key, school=School(time_basis=basis), **where)
    except NonexistentLocalTime:
        assume(False)
    pieces = found.candidates
    assume(all(piece.seconds >= 2 for piece in pieces))
    assert all(before.end.utc_ms == after.start.utc_ms for before, after in pairwise(pieces))
    assert 20 * 3600 <= sum(piece.seconds for piece in pieces) <= 28 * 3600
    # Before there were zones a clock showed the mean time of its own longitude, which the zone knows nothing of.
    sources = {end.clock.source for piece in pieces for end in (piece.start, piece.end)}
    for piece in () if "lmt_longitude" in sources else pieces:
        middle_ms = (piece.start.utc_ms + piece.end.utc_ms) // 2
        middle = on_clock(
            scales.datetime_of(middle_ms).replace(microsecond=0),
            key,
            **where,
            school=School(time_basis=basis),
        )
        assert four_pillars(middle, School()) == piece.pillars
