"""The check of the tables: it passes what is shipped and catches every spoiled table it should."""

from __future__ import annotations

import os
import shutil
from array import array

import numpy as np
import pytest

from bazi_core.alphabet import SolarTerm
from bazi_core.astro import check, data, live, scales, terms
from bazi_core.astro.series import EOT, MOONS, SERIES, TERMS

YEARS = (1999, 2001)


@pytest.fixture
def copied(tmp_path):
    shutil.copytree(data.DIRECTORY, tmp_path / "tables", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "tables"


def failed(ephemeris, directory) -> set[str]:
    return {
        verdict.table
        for verdict in check.verdicts(ephemeris, YEARS, directory=str(directory))
        if not verdict.ok
    }


def change(path, typecode, new_value_of) -> None:
    """Replace the entries of a little-endian table for which `new_value_of(position, value)` differs."""
    values = np.fromfile(path, dtype=np.dtype(typecode).newbyteorder("<"))
    changed = array(typecode, [new_value_of(i, value) for i, value in enumerate(values.tolist())])
    path.write_bytes(np.array(changed).astype(values.dtype).tobytes())


def test_the_shipped_tables_pass(compact):
    verdicts = list(check.verdicts(compact, YEARS))
    assert [verdict.table for verdict in verdicts] == [
        "terms.bin", "eot.bin", "delta_t.json", "leap.json", "MANIFEST.json",
    ]  # fmt: skip
    assert all(verdict.ok for verdict in verdicts)
    assert verdicts[0].n == 72
    assert 0 < verdicts[0].rms_ms < verdicts[0].max_ms < 2


def test_a_full_ephemeris_is_held_to_the_rounding_and_a_refit_to_its_tolerance(compact):
    assert [series.limit_for(compact) for series in SERIES] == [2.0, 50.0, 21.0]
    compact_as_full = type("Full", (), {"is_full": True})()
    assert [series.limit_for(compact_as_full) for series in SERIES] == [1.0, 1.0, 21.0]


def test_one_term_moved_by_3_ms_is_caught(compact, copied):
    moved = terms.position_of(2000, SolarTerm("惊蛰"))
    change(copied / "terms.bin", "q", lambda position, tt_ms: tt_ms + 3 * (position == moved))
    assert failed(compact, copied) == {"terms.bin", "MANIFEST.json"}


def test_a_table_shifted_by_one_term_is_caught(compact, copied):
    shifted = np.roll(np.fromfile(copied / "terms.bin", dtype="<i8"), 1)
    (copied / "terms.bin").write_bytes(shifted.tobytes())
    assert "terms.bin" in failed(compact, copied)


def test_the_equation_of_time_with_the_wrong_sign_is_caught(compact, copied):
    change(copied / "eot.bin", "h", lambda position, sample: -sample)
    assert failed(compact, copied) == {"eot.bin", "MANIFEST.json"}


def test_one_changed_knot_of_delta_t_is_caught(compact, copied):
    text = (copied / "delta_t.json").read_text(encoding="utf-8")
    (copied / "delta_t.json").write_text(text.replace("[196304,", "[196306,"), encoding="utf-8")
    assert failed(compact, copied) == {"delta_t.json", "MANIFEST.json"}


def test_delta_t_made_of_the_utc_of_skyfield_is_caught(compact, copied):
    """Before 1972 that UTC is TT − 42.184 s; a table of it is wrong by a minute and a half in 1600."""
    table = data.read_json("delta_t.json", str(copied))
    frozen = [42_184 if 1550 + 0.5 * k < 1972 else value for k, value in enumerate(table["values_ms"])]
    text = (copied / "delta_t.json").read_text(encoding="utf-8")
    spoiled = text.replace(str(table["values_ms"]), str(frozen))
    (copied / "delta_t.json").write_text(spoiled, encoding="utf-8")
    assert failed(compact, copied) == {"delta_t.json", "MANIFEST.json"}


def test_a_lost_leap_second_is_caught(compact, copied):
    text = (copied / "leap.json").read_text(encoding="utf-8")
    (copied / "leap.json").write_text(text.replace(', ["2017-01-01", 37]', ""), encoding="utf-8")
    assert failed(compact, copied) == {"leap.json", "MANIFEST.json"}


def test_a_dropped_override_row_is_caught(compact, copied):
    lines = (copied / "lunar_overrides.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (copied / "lunar_overrides.csv").write_text("".join(lines[:-2] + lines[-1:]), encoding="utf-8")
    assert failed(compact, copied) == {"MANIFEST.json"}


def test_a_new_moon_moved_by_3_ms_is_caught(copied):
    (position, *_) = MOONS.positions(2000, 2000)
    change(copied / "newmoons.bin", "q", lambda k, tt_ms: tt_ms + 3 * (k == position))
    with live.Ephemeris(live.naif_path()) as de440:
        assert failed(de440, copied) == {"newmoons.bin", "MANIFEST.json"}


def test_a_verdict_shows_its_figures_and_its_problem():
    close = check.verdict("terms.bin", np.array([0.3, -0.4]), 1.0)
    assert close.to_dict() == {
        "table": "terms.bin", "n": 2, "max_ms": 0.4, "rms_ms": 0.354, "limit_ms": 1.0, "ok": True,
    }  # fmt: skip
    problem = check.TableCheck("leap.json", 28, 0.0, 0.0, 0.0, "the list differs")
    assert (problem.ok, problem.to_dict()["problem"]) == (False, "the list differs")


def test_each_series_knows_which_entries_belong_to_a_span_of_years():
    everything = (terms.FIRST_YEAR, terms.LAST_YEAR)
    assert [series.positions(*everything) for series in SERIES] == [range(series.count) for series in SERIES]
    assert TERMS.positions(2000, 2000) == range(24 * 450, 24 * 451)
    for series, first in ((MOONS, "2000-01-06"), (EOT, "2000-01-07")):
        start = series.positions(2000, 2000).start
        shipped = series.shipped()
        at = shipped[start] if series is MOONS else scales.DAY_MS * (8 * start - 164354.5)
        assert scales.iso_local(int(at))[:10] == first


def test_only_the_tables_count_as_files(copied):
    verdict = check.manifest_verdict(str(copied))
    assert (verdict.n, verdict.ok) == (len(os.listdir(copied)) - 1, True)
