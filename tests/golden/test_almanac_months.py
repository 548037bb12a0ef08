"""Months of the almanac at places all over the earth, against terms searched in DE440 and the zones of Python."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

import bazi_core as bz
from bazi_core.alphabet import SolarTerm
from bazi_core.astro import live, terms
from bazi_core.place import store
from bazi_core.place.refs import ref_of

pytestmark = pytest.mark.exhaustive
YEARS = range(2017, 2027)
# In these years TT is ahead of UTC by 32.184 s and 37 leap seconds.
TT_AHEAD = timedelta(seconds=69.184)
J2000_TT = datetime(2000, 1, 1, 12, tzinfo=UTC)
JIE = [term for term in SolarTerm if term.is_jie]


@pytest.fixture(scope="module")
def instants():
    """The instants in UTC of the 120 节 of ten years, by a search in DE440 that knows no table."""
    positions = [terms.position_of(year, term) for year in YEARS for term in JIE]
    found = live.instants(positions, live.naif_path())
    return [J2000_TT + timedelta(milliseconds=ms) - TT_AHEAD for ms in found]


def test_at_200_places_a_month_begins_on_the_local_date_of_its_term(instants):
    chosen = random.Random(19).sample(store.rows("SELECT id FROM place WHERE id > 0 ORDER BY id"), 200)
    zones = set()
    for (number,) in chosen:
        place = bz.place(ref_of(number))
        zones.add(place.timezone_id)
        for at in instants:
            on = at.astimezone(ZoneInfo(place.timezone_id)).date()
            today, before = bz.almanac(on, place=place), bz.almanac(on - timedelta(1), place=place)
            assert today.calendar.jie_today is not None, (place, on)
            assert before.calendar.jie_today is None, (place, on)
            assert today.calendar.month_pillar.index == (before.calendar.month_pillar.index + 1) % 60, (
                place,
                on,
            )
    assert len(zones) > 60
