"""The table of solar terms and the questions it answers."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bazi_core.alphabet import SOLAR_TERMS, SolarTerm
from bazi_core.astro import scales, terms
from bazi_core.errors import OutOfRange, UnknownOption


@pytest.mark.parametrize(
    ("name", "year", "clock"),
    [
        ("立春", 2000, "2000-02-04T20:40:22.68"),
        ("立春", 2024, "2024-02-04T16:27:07.59"),
        ("立春", 2026, "2026-02-04T04:02:07.95"),
        ("立夏", 1990, "1990-05-06T02:35:25.98"),
        ("大寒", 1979, "1979-01-20T23:59:54.42"),
        ("冬至", 2021, "2021-12-21T23:59:18.27"),
    ],
)
def test_terms_fall_where_they_are_known_to_fall(name, year, clock):
    event = next(event for event in terms.solar_terms(year) if event.name is SolarTerm(name))
    here = datetime.fromisoformat(event.local).replace(tzinfo=None)
    assert abs(here - datetime.fromisoformat(clock)) <= timedelta(milliseconds=10)


def test_positions_end_with_the_table():
    first, last = terms.instant(0), terms.instant(terms.COUNT - 1)
    assert (terms.position(first), terms.position(last)) == (0, terms.COUNT - 1)
    for outside in (first - 1, last + 1):
        with pytest.raises(OutOfRange):
            terms.position(outside)


@pytest.mark.parametrize("outside", [-1, terms.COUNT])
def test_no_term_has_a_position_outside_the_table(outside):
    with pytest.raises(OutOfRange) as caught:
        terms.instant(outside)
    assert caught.value.data == {
        "quantity": "term position",
        "first": 0,
        "last": terms.COUNT - 1,
        "given": outside,
    }


@pytest.mark.parametrize("year", [1549, 2650])
def test_years_outside_the_table_are_refused(year):
    with pytest.raises(OutOfRange):
        terms.position_of(year, SolarTerm("立春"))
    with pytest.raises(OutOfRange):
        terms.solar_terms(year)


def test_every_accepted_instant_has_a_jie_before_and_after_and_a_start_of_spring():
    for utc_ms in (scales.FIRST_UTC_MS, scales.END_UTC_MS - 1):
        tt_ms = utc_ms + scales.tt_minus_utc_ms(utc_ms)
        position = terms.position(tt_ms)
        assert terms.instant(position - 1) < tt_ms < terms.instant(position + 2)
        assert (
            terms.instant(terms.position_of(scales.datetime_of(utc_ms).year - 1, SolarTerm("立春"))) < tt_ms
        )


def test_terms_of_a_gregorian_year_run_from_xiaohan_to_dongzhi():
    events = terms.solar_terms(2026)
    assert [event.name.value for event in events[:3]] == ["小寒", "大寒", "立春"]
    assert [event.name.index for event in events] == [(c - 2) % 24 for c in range(24)]
    assert {event.year for event in events} == {2026}
    assert all(event.utc.startswith("2026") for event in events)


def test_terms_of_a_ganzhi_year_run_from_lichun_to_dahan():
    events = terms.solar_terms(2026, cycle="ganzhi")
    assert [event.name for event in events] == list(SOLAR_TERMS)
    assert [event.year for event in events] == [2026] * 22 + [2027] * 2


def test_the_last_ganzhi_year_of_the_table_is_2648():
    assert terms.solar_terms(2648, cycle="ganzhi")[-1].year == 2649
    with pytest.raises(OutOfRange):
        terms.solar_terms(2649, cycle="ganzhi")


def test_an_event_says_what_it_is():
    event = terms.solar_terms(2026)[2]
    assert event.to_dict() == {
        "name": "立春",
        "year": 2026,
        "kind": "节",
        "longitude_deg": 315,
        "tt_ms": scales.ms_of(datetime(2026, 2, 3, 20, 2, 7, 951_000)) + 69_184,
        "utc": "2026-02-03T20:02:07.951Z",
        "local": "2026-02-04T04:02:07.951+08:00",
        "delta_t_uncertainty_s": 0.1,
    }


def test_jie_and_qi_alternate():
    assert [event.kind for event in terms.solar_terms(2026, cycle="ganzhi")] == ["节", "气"] * 12


def test_local_time_is_that_of_the_zone_asked_for():
    new_york = timezone(timedelta(hours=-5))
    event = terms.solar_terms(2026, tz=new_york)[2]
    assert event.local == "2026-02-03T15:02:07.951-05:00"
    assert terms.solar_terms(2026, tz=UTC)[2].local == "2026-02-03T20:02:07.951+00:00"


def test_the_future_policy_moves_the_civil_time_and_not_the_instant():
    frozen, model = (terms.solar_terms(2183, future_utc=policy)[5] for policy in scales.POLICIES)
    assert frozen.name is SolarTerm("春分")
    assert frozen.tt_ms == model.tt_ms
    assert frozen.local[:10] != model.local[:10]


def test_wrong_choices_are_named():
    with pytest.raises(UnknownOption, match="cycle='lunar': choose gregorian or ganzhi"):
        terms.solar_terms(2026, cycle="lunar")
    with pytest.raises(UnknownOption, match="backend='moshier': choose table or live"):
        terms.solar_terms(2026, backend="moshier")
    with pytest.raises(UnknownOption, match="future_utc"):
        terms.solar_terms(2026, future_utc="tai")


def test_the_live_backend_gives_the_same_events():
    table, live = (terms.solar_terms(2026, backend=backend) for backend in ("table", "live"))
    assert [event.name for event in table] == [event.name for event in live]
    assert max(abs(a.tt_ms - b.tt_ms) for a, b in zip(table, live, strict=True)) <= 2


def test_longitude_is_exact_at_a_term_and_between_two_terms_otherwise():
    position = terms.position_of(1990, SolarTerm("立夏"))
    start, end = terms.instant(position), terms.instant(position + 1)
    assert terms.longitude(start) == pytest.approx(45.0, abs=1e-9)
    assert 52 < terms.longitude((start + end) // 2) < 53


def test_longitude_reaches_the_ends_of_the_table():
    assert terms.longitude(terms.instant(0)) == pytest.approx(285.0)
    assert terms.longitude(terms.instant(terms.COUNT - 1)) == pytest.approx(270.0)
