"""The compact ephemeris: its form, its coverage, and how far it is from DE440."""

import os
from pathlib import Path

import pytest
from jplephem.spk import SPK

from bazi_core.astro import live, spk
from bazi_core.errors import DataCorrupt, EphemerisMissing, OutOfRange

SUN_AND_MOON = Path(__file__).parents[3] / "data" / "ephemeris" / "sun_moon_1600_2200.bsp"


@pytest.fixture
def de440():
    return live.naif_path()


@pytest.mark.parametrize(
    ("path", "pairs", "size"),
    [
        (live.COMPACT, [(0, 3), (0, 10), (3, 399)], 5_717_736),
        (str(SUN_AND_MOON), [(0, 3), (0, 10), (3, 399), (3, 301)], 10_760_840),
    ],
)
def test_the_refits_open_like_any_spk_file(path, pairs, size):
    with SPK.open(path) as kernel:
        assert list(kernel.pairs) == pairs
        assert {(segment.frame, segment.data_type) for segment in kernel.segments} == {(1, 2)}
        assert {(segment.start_jd, segment.end_jd) for segment in kernel.segments} == {(2305407.5, 2524671.5)}
        assert kernel.segments[0].source.startswith(b"REFIT OF DE-0440LE-0440, ERROR <= 20 M")
    assert os.path.getsize(path) == size


@pytest.mark.parametrize("path", [live.COMPACT, str(SUN_AND_MOON)])
def test_the_refits_are_within_20_m_of_de440(de440, path):
    assert 1 < spk.worst_error_m(de440, path, granules=300) <= spk.TOLERANCE_M


def test_a_refit_covers_at_least_what_was_asked_for(de440, tmp_path):
    out = str(tmp_path / "sun.bsp")
    worst = spk.refit(de440, out, first=2451544.5, last=2451544.5 + 366)
    with SPK.open(out) as kernel:
        assert kernel.segments[0].end_jd == 2451544.5 + 384
    assert worst <= spk.TOLERANCE_M


def test_a_refit_of_too_low_a_degree_is_refused(de440, tmp_path, monkeypatch):
    coarse = (spk.Granules(0, 3, 128, 27), spk.Granules(0, 10, 128, 18), spk.Granules(3, 399, 32, 15))
    monkeypatch.setattr(spk, "SUN", coarse)
    with pytest.raises(DataCorrupt, match="from its source"):
        spk.refit(de440, str(tmp_path / "sun.bsp"), first=2451544.5, last=2451544.5 + 366)


def test_a_source_without_a_moon_cannot_give_one(tmp_path):
    with pytest.raises(EphemerisMissing) as caught:
        spk.refit(live.COMPACT, str(tmp_path / "moon.bsp"), moon=True, first=2451544.5, last=2451544.5 + 100)
    assert caught.value.data["wanted"] == "3 → 301"


def test_a_source_that_does_not_reach_is_refused(tmp_path):
    with pytest.raises(OutOfRange) as caught:
        spk.refit(live.COMPACT, str(tmp_path / "sun.bsp"), first=2305400.5)
    assert caught.value.data["first"] == 2305407.5
