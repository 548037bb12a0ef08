"""The live backend: the same answers as the tables, the right ephemeris, and the known pitfalls."""

from __future__ import annotations

import socket
from datetime import datetime
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from skyfield.nutationlib import iau2000b_radians

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import eot, live, moons, scales, search, terms
from bazi_core.errors import DataCorrupt, EphemerisMissing, OutOfRange

ROOT = Path(__file__).parents[3]
SUN_AND_MOON = str(ROOT / "data" / "ephemeris" / "sun_moon_1600_2200.bsp")


def tt(*clock: int) -> int:
    return scales.ms_of(datetime(*clock))


def apparent(ephemeris, tt_ms, **options):
    at = ephemeris.scale.tt_jd(*search.whole_and_fraction(np.array([tt_ms])))
    return at, ephemeris.kernel[live.EARTH].at(at).observe(ephemeris.kernel[live.SUN]).apparent(**options)


# The interface of the tables.


def test_live_positions_and_instants_are_those_of_the_tables():
    for tt_ms in (tt(1650, 3, 4), tt(1990, 5, 15, 4, 30), tt(2199, 12, 30)):
        position = terms.position(tt_ms)
        assert live.position(tt_ms) == position
        assert abs(live.instant(position) - terms.instant(position)) <= 2
        assert abs(live.longitude(tt_ms) - terms.longitude(tt_ms)) < 8.5 / 3600
        assert abs(live.equation_of_time_s(tt_ms) - eot.equation_of_time_s(tt_ms)) < 0.1


def test_live_new_moons_are_those_of_the_table():
    positions = [
        moons.position(tt_ms) for tt_ms in (tt(1650, 3, 4), tt(1990, 5, 15, 4, 30), tt(2199, 11, 30))
    ]
    for position, found in zip(positions, live.moon_instants(positions, SUN_AND_MOON), strict=True):
        assert abs(found - moons.instant(position)) < 50


def test_live_an_instant_equal_to_a_term_belongs_to_the_new_term():
    position = terms.position_of(2026, SolarTerm("立春"))
    tt_ms = live.instant(position)
    assert live.position(tt_ms) == position
    assert live.position(tt_ms - 1) == position - 1


def test_the_first_guesses_are_as_good_as_they_say():
    guess = (search.term_guess(range(terms.COUNT)) - search.J2000) * scales.DAY_MS
    assert np.abs(guess - np.array(terms.table())).max() < 22 * 60_000
    guess = (search.moon_guess(range(moons.COUNT)) - search.J2000) * scales.DAY_MS
    assert np.abs(guess - np.array(moons.table())).max() < 10 * 60_000


def test_a_search_without_a_zero_says_so():
    never_zero = cycle([90.0, -80.0, 70.0])
    with pytest.raises(ArithmeticError, match="did not converge"):
        search.zero(lambda whole, fraction: np.array([next(never_zero)]), np.array([search.J2000]), 365.0)


# Which ephemeris.


def test_the_shipped_sun_comes_before_de440():
    assert live.ephemeris_for(tt(1990, 1, 1), tt(1991, 1, 1)).path == live.COMPACT


def test_de440_serves_the_years_the_shipped_sun_lacks_and_the_moon(de440):
    assert live.ephemeris_for(tt(1560, 1, 1), tt(1561, 1, 1)).is_full
    assert live.ephemeris_for(tt(1990, 1, 1), tt(1991, 1, 1), moon=True).is_full


def test_a_path_given_comes_first_and_alone():
    chosen = live.ephemeris_for(tt(1990, 1, 1), tt(1991, 1, 1), path=SUN_AND_MOON)
    assert chosen.path == SUN_AND_MOON
    with pytest.raises(OutOfRange) as caught:
        live.ephemeris_for(tt(1560, 1, 1), tt(1561, 1, 1), path=SUN_AND_MOON)
    assert caught.value.data["quantity"] == "ephemeris"
    assert caught.value.data["first"] == chosen.first_ms


def test_a_file_that_is_absent_is_missing(tmp_path):
    with pytest.raises(EphemerisMissing) as caught:
        live.ephemeris_for(0, 0, path=str(tmp_path / "de999.bsp"))
    assert caught.value.data == {"wanted": "Sun", "tried": ["de999.bsp"]}


def test_without_de440_the_years_before_1600_are_missing(monkeypatch):
    monkeypatch.setattr(live, "naif_path", lambda: None)
    with pytest.raises(EphemerisMissing) as caught:
        live.instant(0)
    assert caught.value.data["tried"] == ["sun_1600_2200.bsp"]
    assert "[ephemeris]" in caught.value.hint


def test_no_ephemeris_reaches_the_year_3000(de440):
    with pytest.raises(OutOfRange):
        live.equation_of_time_s(tt(3000, 1, 1))


def test_naif_path_is_none_when_the_package_is_absent(monkeypatch):
    monkeypatch.setattr(live, "find_spec", lambda name: None)
    assert live.naif_path() is None


def test_a_file_that_is_no_spk_is_corrupt(tmp_path):
    (tmp_path / "de440.bsp").write_bytes(b"<html>" * 1000)
    with pytest.raises(DataCorrupt) as caught:
        live.Ephemeris(str(tmp_path / "de440.bsp"))
    assert caught.value.data["file"] == "de440.bsp"


def test_an_spk_without_a_sun_is_no_use(tmp_path, monkeypatch, de440):
    from bazi_core.astro import spk

    monkeypatch.setattr(spk, "SUN", spk.SUN[:1])
    spk.refit(de440.path, str(tmp_path / "barycentre.bsp"), first=2451544.5, last=2451644.5)
    with pytest.raises(EphemerisMissing):
        live.Ephemeris(str(tmp_path / "barycentre.bsp"))


# Pitfalls.


def test_pitfall_the_default_deflectors_need_jupiter_and_saturn(compact):
    with pytest.raises(ValueError, match="ephemeris is missing '5 JUPITER BARYCENTER'"):
        apparent(compact, 0)


def test_pitfall_leaving_jupiter_and_saturn_out_moves_the_sun_by_a_ten_thousandth_of_a_mas(de440):
    for tt_ms in range(tt(1990, 1, 1), tt(1991, 1, 1), 30 * scales.DAY_MS):
        _, here = apparent(de440, tt_ms, deflectors=(live.SUN,))
        _, full = apparent(de440, tt_ms)
        assert here.separation_from(full).mas()[0] < 0.001


@pytest.mark.parametrize(("year", "seconds"), [(1950, -12.7), (1800, -24.4), (1600, 66.8)])
def test_pitfall_the_utc_of_skyfield_is_not_utc_before_1972(year, seconds):
    tt_ms = tt(year, 2, 4)
    at = live.timescale().tt_jd(*search.whole_and_fraction(np.array([tt_ms])))
    theirs = scales.ms_of(at.utc_datetime()[0].replace(tzinfo=None))
    ours = scales.utc_from_tt(tt_ms)
    assert abs((theirs - ours) / 1000 - seconds) < 0.8
    assert abs(search.tt_ms_of(at.whole, at.ut1_fraction)[0] - ours) < 15


def test_pitfall_the_utc_of_skyfield_stands_still_in_the_future():
    tt_ms = tt(2150, 2, 4)
    at = live.timescale().tt_jd(*search.whole_and_fraction(np.array([tt_ms])))
    theirs = scales.ms_of(at.utc_datetime()[0].replace(tzinfo=None))
    assert abs(theirs - scales.utc_from_tt(tt_ms, "utc_frozen")) <= 1
    assert abs(theirs - scales.utc_from_tt(tt_ms, "ut1_model")) > 60_000


@pytest.mark.parametrize(("year", "milliseconds"), [(1600, 130), (1950, 50), (2100, 50), (2500, 410)])
def test_pitfall_the_short_nutation_series_moves_terms_by_tens_of_milliseconds(de440, year, milliseconds):
    positions = range(24 * (year - 1550), 24 * (year - 1550) + 24)
    at = de440.scale.tt_jd(
        *search.whole_and_fraction(np.array(terms.table()[positions.start : positions.stop]))
    )
    long_series = de440._longitude(live.SUN, at)
    short = de440.scale.tt_jd(at.whole, at.tt_fraction)
    short._nutation_angles_radians = iau2000b_radians(short)
    error_deg = search.wrapped_deg(de440._longitude(live.SUN, short) - long_series)
    error_ms = error_deg / 360 * search.SUN_PERIOD * scales.DAY_MS
    assert 0.5 * milliseconds < np.abs(error_ms).max() < 1.5 * milliseconds


def test_pitfall_nothing_is_downloaded(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    live.timescale.cache_clear()
    with live.Ephemeris(live.COMPACT) as ephemeris:
        assert len(ephemeris.term_instants([12_000])) == 1


def test_pitfall_the_short_ephemeris_package_is_not_a_dependency():
    assert "skyfield-data" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
