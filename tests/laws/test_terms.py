"""Laws of the solar terms: order, absence of gaps, and the definition itself."""

from bisect import bisect_right

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.alphabet import SOLAR_TERMS
from bazi_core.astro import moons, scales, search, terms

positions = st.integers(0, terms.COUNT - 2)
instants = st.integers(terms.instant(0), terms.instant(terms.COUNT - 1))
DAY_MS = scales.DAY_MS


@given(instants)
def test_position_is_what_a_list_and_a_bisection_say(tt_ms):
    assert terms.position(tt_ms) == bisect_right(terms.table().tolist(), tt_ms) - 1


@given(positions)
def test_a_position_is_found_from_its_instant_up_to_the_last_millisecond(position):
    assert terms.position(terms.instant(position)) == position
    assert terms.position(terms.instant(position + 1) - 1) == position


@given(st.integers(terms.FIRST_YEAR, terms.LAST_YEAR), st.sampled_from(SOLAR_TERMS))
def test_year_and_name_lead_to_the_term_and_back(year, term):
    position = terms.position_of(year, term)
    assert (terms.term_at(position), terms.year_at(position)) == (term, year)
    assert scales.datetime_of(scales.utc_from_tt(terms.instant(position))).year == year


@given(positions)
def test_consecutive_terms_are_consecutive_in_the_alphabet_and_half_a_month_apart(position):
    assert (terms.term_at(position + 1).index - terms.term_at(position).index) % 24 == 1
    assert 14.70 < (terms.instant(position + 1) - terms.instant(position)) / DAY_MS < 15.75


@given(instants)
def test_the_displayed_longitude_lies_between_the_terms_around_it(tt_ms):
    term = terms.term_at(terms.position(tt_ms))
    assert -0.01 < (terms.longitude(tt_ms) - term.longitude_deg + 180) % 360 - 180 < 15.01


@given(st.integers(moons.instant(0), moons.instant(moons.COUNT - 1)))
def test_every_instant_lies_in_the_lunation_of_its_position(tt_ms):
    k = moons.position(tt_ms)
    assert moons.instant(k) <= tt_ms
    assert k == moons.COUNT - 1 or tt_ms < moons.instant(k + 1)


def test_the_sun_stands_at_a_multiple_of_15_degrees_at_every_hundredth_term(compact):
    chosen = range(24 * (1600 - terms.FIRST_YEAR), 24 * (2200 - terms.FIRST_YEAR), 97)
    instants = np.array([terms.instant(position) for position in chosen])
    longitude = compact.sun_longitude_deg(*search.whole_and_fraction(instants))
    expected = np.array([terms.term_at(position).longitude_deg for position in chosen])
    assert np.abs((longitude - expected + 180) % 360 - 180).max() < 1e-6


def test_the_displayed_longitude_is_good_to_8_4_arc_seconds(compact):
    chooser = np.random.default_rng(84)
    chosen = chooser.integers(int(compact.first_ms), int(compact.last_ms), 1_000)
    live_deg = compact.sun_longitude_deg(*search.whole_and_fraction(chosen))
    error = [terms.longitude(tt_ms) for tt_ms in chosen.tolist()] - live_deg
    assert np.abs((error + 180) % 360 - 180).max() * 3600 < 8.5
