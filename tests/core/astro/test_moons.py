"""The table of new moons and the questions it answers."""

from datetime import timedelta, timezone

import pytest

from bazi_core.astro import moons, scales
from bazi_core.errors import EphemerisMissing, OutOfRange, UnknownOption


def test_an_instant_equal_to_a_new_moon_belongs_to_it():
    tt_ms = moons.instant(5_000)
    assert moons.position(tt_ms) == 5_000
    assert moons.position(tt_ms - 1) == 4_999


def test_positions_end_with_the_table():
    first, last = moons.instant(0), moons.instant(moons.COUNT - 1)
    assert (moons.position(first), moons.position(last)) == (0, moons.COUNT - 1)
    for outside in (first - 1, last + 1):
        with pytest.raises(OutOfRange):
            moons.position(outside)
    for outside in (-1, moons.COUNT):
        with pytest.raises(OutOfRange):
            moons.instant(outside)


def test_a_year_has_twelve_or_thirteen_new_moons_and_none_is_lost_between_years():
    years = [moons.new_moons(year) for year in range(1990, 2020)]
    assert {len(year) for year in years} == {12, 13}
    instants = [event.tt_ms for year in years for event in year]
    start = moons.position(instants[0])
    assert instants == list(moons.table()[start : start + len(instants)])


def test_the_new_moon_at_the_turn_of_a_year_belongs_to_its_utc_year():
    old_year, new_year = moons.new_moons(2013), moons.new_moons(2014)
    assert old_year[-1].utc[:16] == "2013-12-03T00:22"
    assert new_year[0].utc[:16] == "2014-01-01T11:14"


def test_the_near_midnight_new_moon_of_2057_falls_on_the_29th():
    september = next(event for event in moons.new_moons(2057) if event.local[5:7] == "09")
    assert september.local[:19] == "2057-09-29T00:00:44"


def test_an_event_says_what_it_is():
    event = moons.new_moons(2026, tz=timezone(timedelta(hours=9)))[1]
    assert event.to_dict() == {"tt_ms": event.tt_ms, "utc": event.utc, "local": event.local}
    assert event.utc[:16] == "2026-02-17T12:01"
    assert event.local[:16] == "2026-02-17T21:01"
    assert event.local.endswith("+09:00")
    assert scales.utc_from_tt(event.tt_ms) == event.tt_ms - 69_184


@pytest.mark.parametrize("year", [1549, 2650])
def test_years_outside_the_table_are_refused(year):
    with pytest.raises(OutOfRange):
        moons.new_moons(year)


def test_wrong_choices_are_named():
    with pytest.raises(UnknownOption):
        moons.new_moons(2026, backend="moshier")
    with pytest.raises(UnknownOption):
        moons.new_moons(2026, future_utc="tai")


def test_the_live_backend_gives_the_same_events():
    table, live = (moons.new_moons(1645, backend=backend) for backend in ("table", "live"))
    assert max(abs(a.tt_ms - b.tt_ms) for a, b in zip(table, live, strict=True)) <= 1


def test_the_live_backend_needs_an_ephemeris_with_a_moon(monkeypatch):
    from bazi_core.astro import live

    monkeypatch.setattr(live, "naif_path", lambda: None)
    with pytest.raises(EphemerisMissing) as caught:
        moons.new_moons(2026, backend="live")
    assert caught.value.data == {"wanted": "Sun and Moon", "tried": ["sun_1600_2200.bsp"]}
