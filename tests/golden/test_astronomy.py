"""The astronomical tables against everything at hand that did not come from them.

Other code on another ephemeris (DE431), printed almanacs (Hong Kong Observatory, US Naval Observatory),
worked examples of a book (Meeus), and the ephemeris itself. Each gate states what it allows; the files of
independent origin hold odd years only.
"""

from __future__ import annotations

import csv
import json
import random
from bisect import bisect_left
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import eot, live, moons, rotation, scales, search, terms
from bazi_core.astro.series import EOT, MOONS, TERMS
from tests.sizes import sizes

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "data" / "golden" / "astro"
SUN_AND_MOON = ROOT / "data" / "ephemeris" / "sun_moon_1600_2200.bsp"
DAY_MS = 86_400_000
COMPACT_YEARS = (1600, 2199)


def rows(name: str) -> list[dict[str, str]]:
    with open(GOLDEN / name, encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def ms_of_days(days_from_j2000: float) -> float:
    return days_from_j2000 * DAY_MS


def utc_ms(text: str) -> int:
    return scales.ms_of(datetime.fromisoformat(text.rstrip("Z")))


def nearest_moon(tt_ms: float) -> int:
    after = bisect_left(moons.table(), tt_ms)
    return min(moons.table()[after - 1 : after + 1], key=lambda instant: abs(instant - tt_ms))


def motion_ms(degrees: np.ndarray, period_days: float) -> np.ndarray:
    """The time in which a longitude moves by these degrees."""
    return ((degrees + 180) % 360 - 180) / 360 * period_days * DAY_MS


@pytest.fixture(scope="module")
def sun_and_moon():
    with live.Ephemeris(str(SUN_AND_MOON)) as ephemeris:
        yield ephemeris


# A1: the tables are well-formed.


def test_there_are_26400_terms_14_70_to_15_75_days_apart():
    gaps = np.diff(np.array(terms.table())) / DAY_MS
    assert len(terms.table()) == terms.COUNT == 26_400
    assert 14.70 < gaps.min() < 14.71
    assert 15.74 < gaps.max() < 15.75


def test_there_are_13605_new_moons_29_27_to_29_84_days_apart():
    gaps = np.diff(np.array(moons.table())) / DAY_MS
    assert len(moons.table()) == moons.COUNT == 13_605
    assert 29.27 < gaps.min() < 29.28
    assert 29.83 < gaps.max() < 29.84


def test_every_gregorian_year_holds_its_24_terms():
    for year in range(terms.FIRST_YEAR, terms.LAST_YEAR + 1):
        first = terms.position_of(year, SolarTerm("小寒"))
        of_year = [terms.instant(first), terms.instant(first + 23)]
        assert [scales.datetime_of(scales.utc_from_tt(tt_ms)).year for tt_ms in of_year] == [year, year]
        assert terms.term_at(first + 23) is SolarTerm("冬至")


def test_the_new_moons_begin_and_end_where_the_documentation_says():
    ends = [scales.iso_local(moons.instant(k))[:10] for k in (0, moons.COUNT - 1)]
    assert ends == ["1550-01-27", "2649-12-25"]


# A2, A3, A4: the tables are what the ephemerides say, every entry of them.


@pytest.mark.exhaustive
def test_every_term_1600_to_2199_is_within_2_ms_of_the_compact_ephemeris(compact):
    positions = TERMS.positions(*COMPACT_YEARS)
    computed = compact.term_instants(positions)
    assert len(computed) == 14_400
    assert np.abs(computed - TERMS.shipped()[positions.start : positions.stop]).max() < 2.0


@sizes(1000, terms.COUNT)
def test_every_term_is_within_1_ms_of_de440(de440, count):
    positions = np.linspace(0, terms.COUNT - 1, count).astype(int)
    longitude = in_chunks(de440.sun_longitude_deg, TERMS.shipped()[positions])
    assert np.abs(motion_ms(longitude - (285 + 15 * positions), search.SUN_PERIOD)).max() <= 1.0


@sizes(500, moons.COUNT)
def test_every_new_moon_is_within_1_ms_of_de440(de440, count):
    positions = np.linspace(0, moons.COUNT - 1, count).astype(int)
    elongation = in_chunks(de440.elongation_deg, MOONS.shipped()[positions])
    assert np.abs(motion_ms(elongation, search.MOON_PERIOD)).max() <= 1.0


@pytest.mark.exhaustive
def test_a_search_in_de440_that_knows_no_table_finds_the_same_instants(de440):
    chosen = sorted(random.Random(1645).sample(range(moons.COUNT), 400))
    found = np.concatenate((de440.term_instants(chosen), de440.moon_instants(chosen)))
    shipped = np.concatenate((TERMS.shipped()[chosen], MOONS.shipped()[chosen]))
    assert np.abs(found - shipped).max() <= 1.0


def test_samples_of_the_equation_of_time_are_within_half_a_unit_of_de440(de440):
    every_tenth = range(0, eot.COUNT, 10)
    computed = EOT.values(de440, every_tenth)
    assert np.abs(computed - EOT.shipped()[::10]).max() <= 20.001


@pytest.mark.exhaustive
def test_every_new_moon_1600_to_2199_is_within_50_ms_of_the_compact_ephemeris(sun_and_moon):
    positions = MOONS.positions(*COMPACT_YEARS)
    computed = sun_and_moon.moon_instants(positions)
    assert len(computed) == 7_421
    assert np.abs(computed - MOONS.shipped()[positions.start : positions.stop]).max() < 50.0


def in_chunks(longitude_deg, tt_ms):
    """A longitude at integer instants, a thousand at a time."""
    parts = np.split(tt_ms, range(1000, len(tt_ms), 1000))
    return np.concatenate([longitude_deg(*search.whole_and_fraction(part)) for part in parts])


# A5, A6: other code on another ephemeris. Its scale is TDB, within 2 ms of TT.


def test_terms_agree_with_de431_within_20_ms():
    found = rows("solar_terms_ytliu0_1600_2200.csv")
    errors = [
        terms.instant(terms.position_of(int(row["year"]), SolarTerm(row["term"])))
        - ms_of_days(float(row["tdb_days_j2000"]))
        for row in found
    ]
    assert len(errors) == 7_200
    assert max(map(abs, errors)) < 20


def test_new_moons_agree_with_de431_within_its_tidal_model():
    instants = [ms_of_days(float(row["tdb_days_j2000"])) for row in rows("new_moons_ytliu0_1600_2200.csv")]
    errors = {tt_ms: abs(nearest_moon(tt_ms) - tt_ms) for tt_ms in instants}
    modern = [
        error for tt_ms, error in errors.items() if 1900 <= scales.datetime_of(round(tt_ms)).year < 2100
    ]
    assert len(errors) == 3_713
    assert max(errors.values()) < 600
    assert max(modern) < 50


# A7, A8: printed almanacs, to the minute.


def test_terms_agree_with_the_hong_kong_observatory_to_the_minute():
    seconds = {}
    for row in rows("hko_terms.csv"):
        printed = datetime.fromisoformat(row["hkt"]).replace(tzinfo=None)
        position = terms.position_of(printed.year, SolarTerm(row["term"]))
        clock = scales.datetime_of(scales.utc_from_tt(terms.instant(position))) + timedelta(hours=8)
        seconds[printed, row["term"]] = (clock - printed).total_seconds()
    rounded_alike = [key for key, error in seconds.items() if -30 <= error < 30]
    assert len(seconds) == 216
    assert max(map(abs, seconds.values())) < 35
    assert len(rounded_alike) >= 212
    assert sum(printed.year == 2024 for printed, _ in rounded_alike) == 24


def usno_season_errors_s(utc_from_tt) -> list[float]:
    """Table minus printed minute, 1800–2049; later the almanac predicts a larger ΔT."""
    errors = []
    for row in rows("usno_seasons_1800_2100.csv"):
        year = int(row["ut"][:4])
        if year < 2050:
            tt_ms = terms.instant(terms.position_of(year, SolarTerm(row["term"])))
            errors.append((utc_from_tt(tt_ms) - utc_ms(row["ut"])) / 1000)
    return errors


def test_seasons_agree_with_the_naval_observatory_within_55_s():
    errors = usno_season_errors_s(scales.utc_from_tt)
    assert len(errors) == 1_000
    assert max(map(abs, errors)) <= 55


def test_new_moons_agree_with_the_naval_observatory_within_45_s():
    printed = [utc_ms(row["ut"]) for row in rows("usno_new_moons_1800_2100.csv") if int(row["ut"][:4]) < 2030]
    errors = [
        (scales.utc_from_tt(nearest_moon(ut_ms + scales.tt_minus_utc_ms(ut_ms))) - ut_ms) / 1000
        for ut_ms in printed
    ]
    assert len(errors) == 285
    assert max(map(abs, errors)) <= 45


def test_the_almanac_would_notice_utc_frozen_at_its_value_of_1972():
    errors = usno_season_errors_s(
        lambda tt_ms: tt_ms - 42_184 if tt_ms < -883_656_000_000 else tt_ms - 69_184
    )
    assert max(map(abs, errors)) > 55


# A9: worked examples of the book, whose theory is VSOP87.


@pytest.fixture(scope="module")
def meeus():
    with open(GOLDEN / "meeus_examples.json", encoding="utf-8") as file:
        return {case["id"]: case for case in json.load(file)["cases"]}


def test_meeus_25b_the_apparent_place_of_the_sun(meeus, compact):
    case = meeus["25.b"]
    tt_ms = scales.ms_of(datetime.fromisoformat(case["tt"]))
    at = compact.scale.tt_jd(*search.whole_and_fraction(np.array([tt_ms])))
    right_ascension, declination, _ = compact._apparent(live.SUN, at).radec(epoch="date")
    assert abs(live.longitude(tt_ms) - case["apparent_lon_deg"]) * 3600 < 0.5
    assert abs(terms.longitude(tt_ms) - case["apparent_lon_deg"]) * 3600 < 8.4 + 0.5
    assert abs(right_ascension.hours[0] * 15 - case["ra_deg"]) * 3600 < 0.5
    assert abs(declination.degrees[0] - case["dec_deg"]) * 3600 < 0.5


def test_meeus_27a_the_june_solstice_of_1962(meeus):
    case = meeus["27.a"]
    solstice = terms.instant(terms.position_of(case["year"], SolarTerm("夏至")))
    assert abs(solstice - scales.ms_of(datetime.fromisoformat(case["tt"]))) < 4_000


def test_meeus_28a_the_equation_of_time(meeus):
    case = meeus["28.a"]
    tt_ms = scales.ms_of(datetime.fromisoformat(case["tt"]))
    assert abs(eot.equation_of_time_s(tt_ms) - case["eot_s"]) < 0.5
    assert abs(live.equation_of_time_s(tt_ms) - case["eot_s"]) < 0.5


# A10: the equation of time.


def test_the_equation_of_time_is_within_a_tenth_of_a_second_of_de440():
    found = rows("equation_of_time_de440.csv")
    errors = [
        eot.equation_of_time_s(round(ms_of_days(float(row["tt_jd"]) - search.J2000))) - float(row["eot_s"])
        for row in found
    ]
    assert len(errors) == 1_000
    assert max(map(abs, errors)) < 0.1


def test_the_equation_of_time_is_within_a_tenth_of_a_second_live(compact):
    chooser = random.Random(28)
    chosen = [chooser.randrange(int(compact.first_ms), int(compact.last_ms)) for _ in range(2_000)]
    errors = compact.equation_of_time_s(chosen) - [eot.equation_of_time_s(tt_ms) for tt_ms in chosen]
    assert np.abs(errors).max() < 0.1


# A11, A12: the rotation of the Earth.


def test_delta_t_is_that_of_skyfield_at_the_knots():
    found = rows("delta_t_skyfield155.csv")
    errors = [
        scales.delta_t_ms(round((float(row["J"]) - 2000) * scales.JULIAN_YEAR_MS))
        - 1000 * float(row["delta_t_s"])
        for row in found
    ]
    assert len(errors) == 221
    assert max(map(abs, errors)) <= 1


def test_delta_t_is_within_50_ms_of_skyfield_between_the_knots():
    years = np.arange(1551, 2649, 0.02)
    here = [scales.delta_t_ms(round((year - 2000) * scales.JULIAN_YEAR_MS)) for year in years.tolist()]
    error = np.abs(np.array(here) / 1000 - rotation.delta_t_s(years))
    assert error.max() < 0.05
    assert error[years < 1972].max() < 0.014
    assert error[years > 2027.1].max() < 0.005


def test_the_leap_seconds_are_those_of_tzdata_and_of_skyfield():
    starts, offsets = scales._leaps()
    here = list(zip(starts[:-1], offsets[1:-1], strict=True))
    lines = files("tzdata").joinpath("zoneinfo", "leapseconds").read_text(encoding="ascii").splitlines()
    ends = [
        datetime.strptime(" ".join(line.split()[1:4]), "%Y %b %d")
        for line in lines
        if line.startswith("Leap")
    ]
    tzdata = [scales.ms_of(end + timedelta(days=1)) for end in ends]
    skyfield = live.timescale()
    julian_days = [search.J2000 + start / DAY_MS for start, _ in here]
    assert len(here) == 28
    assert here[0] == (utc_ms("1972-01-01"), 42_184)
    assert [start for start, _ in here[1:]] == tzdata
    assert julian_days[1:] == skyfield.leap_dates.tolist()
    assert [(offset - 32_184) // 1000 for _, offset in here[1:]] == skyfield.leap_offsets.tolist()
