"""The builder's command: what it writes, what it refuses, what it prints."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from datetime import datetime

import numpy as np
import pytest

from bazi_core.astro import build, check, data, live
from bazi_core.astro.manifest import FACTS
from bazi_core.astro.series import TERMS

FILES = {*FACTS, data.MANIFEST}


def printed(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.exhaustive
def test_two_builds_give_the_same_bytes(tmp_path):
    outs = [tmp_path / name for name in ("one", "two")]
    for out in outs:
        assert build.main(["--ephemeris", "naif", "--from", "2000", "--to", "2001", "--out", str(out)]) == 0
        assert {path.name for path in out.iterdir()} == FILES
    for name in FACTS:
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes(), name
    manifests = [json.loads((out / data.MANIFEST).read_text(encoding="utf-8")) for out in outs]
    for manifest in manifests:
        datetime.fromisoformat(manifest.pop("built"))
    assert manifests[0] == manifests[1]
    assert data.verify(str(outs[0])) == []


@pytest.mark.exhaustive
def test_a_part_built_is_a_part_of_the_whole(tmp_path):
    assert build.main(["--ephemeris", "naif", "--from", "2000", "--to", "2001", "--out", str(tmp_path)]) == 0
    positions = TERMS.positions(2000, 2001)
    part = np.fromfile(tmp_path / "terms.bin", dtype="<i8")
    assert np.abs(part - TERMS.shipped()[positions.start : positions.stop]).max() <= 1
    for name in ("delta_t.json", "leap.json", "lunar_overrides.csv"):
        assert (tmp_path / name).read_bytes() == open_shipped(name)


def open_shipped(name: str) -> bytes:
    with open(os.path.join(data.DIRECTORY, name), "rb") as file:
        return file.read()


def test_an_ephemeris_without_a_moon_builds_what_it_can(tmp_path):
    options = ["--ephemeris", "compact", "--from", "2000", "--to", "2000", "--out", str(tmp_path)]
    assert build.main(options) == 0
    assert {path.name for path in tmp_path.iterdir()} == FILES - {"newmoons.bin", "sun_1600_2200.bsp"}
    content = json.loads((tmp_path / data.MANIFEST).read_text(encoding="utf-8"))
    assert content["ephemeris"]["release"] == "file"
    assert content["ephemeris"]["name"].startswith("REFIT OF DE-0440LE-0440")


@pytest.mark.parametrize("options", [["--ephemeris", "compact"], ["--from", "2000", "--to", "2000"]])
def test_a_part_never_replaces_the_tables_of_the_package(options, capsys):
    before = data.sha256_of(os.path.join(data.DIRECTORY, "terms.bin"))
    assert build.main(options) == 2
    assert "needs --out" in capsys.readouterr().err
    assert data.sha256_of(os.path.join(data.DIRECTORY, "terms.bin")) == before


def test_check_prints_one_line_a_table_and_succeeds(capsys):
    assert build.main(["--check", "--ephemeris", "compact", "--from", "2000", "--to", "2000"]) == 0
    lines = printed(capsys)
    assert [line["table"] for line in lines] == [
        "terms.bin", "eot.bin", "delta_t.json", "leap.json", "MANIFEST.json",
    ]  # fmt: skip
    assert all(set(line) == {"table", "n", "max_ms", "rms_ms", "limit_ms", "ok"} for line in lines)
    assert all(line["ok"] for line in lines)


def test_check_by_default_uses_de440_and_checks_the_moon(capsys):
    assert build.main(["--check", "--from", "2000", "--to", "2000"]) == 0
    moon = next(line for line in printed(capsys) if line["table"] == "newmoons.bin")
    assert (moon["n"], moon["limit_ms"]) == (13, 1.0)


def test_check_fails_on_a_spoiled_table_and_says_which(tmp_path, capsys):
    tables = tmp_path / "tables"
    shutil.copytree(data.DIRECTORY, tables)
    content = np.fromfile(tables / "terms.bin", dtype="<i8")
    content[TERMS.positions(2000, 2000).start] += 3
    (tables / "terms.bin").write_bytes(content.tobytes())
    options = ["--check", "--ephemeris", "compact", "--from", "2000", "--to", "2000", "--out", str(tables)]
    assert build.main(options) == 1
    bad = [line for line in printed(capsys) if not line["ok"]]
    assert [line["table"] for line in bad] == ["terms.bin", "MANIFEST.json"]
    assert 2 < bad[0]["max_ms"] < 4.5
    assert "sha256" in bad[1]["problem"]


def test_years_are_cut_to_the_ephemeris_with_a_notice(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(check, "verdicts", lambda ephemeris, years, **options: asked.append(years) or [])
    assert build.main(["--check", "--ephemeris", "compact"]) == 0
    assert asked == [(1600, 2199)]
    notice = capsys.readouterr().err
    assert "cut to 1600–2199" in notice
    assert "no Moon" in notice


def test_years_that_an_ephemeris_lacks_are_out_of_range(capsys):
    assert build.main(["--check", "--ephemeris", "compact", "--from", "1560", "--to", "1570"]) == 5
    assert capsys.readouterr().err.startswith("OUT_OF_RANGE: the ephemeris has none of the years 1560–1570")


@pytest.mark.parametrize("choice", ["de999.bsp", "naif"])
def test_an_absent_ephemeris_is_missing(choice, monkeypatch, capsys):
    monkeypatch.setattr(live, "naif_path", lambda: None)
    assert build.main(["--check", "--ephemeris", choice]) == 5
    assert capsys.readouterr().err.startswith(f"EPHEMERIS_MISSING: there is no ephemeris {choice}")


def test_without_de440_the_shipped_ephemeris_is_the_default(monkeypatch):
    monkeypatch.setattr(live, "naif_path", lambda: None)
    assert build._path_of(None) == live.COMPACT


def test_compact_writes_a_refit_with_or_without_the_moon(tmp_path, capsys):
    for more, moon in (([], False), (["--moon"], True)):
        out = str(tmp_path / "refit.bsp")
        assert build.main(["--compact", out, "--from", "2000", "--to", "2001", *more]) == 0
        with live.Ephemeris(out) as ephemeris:
            assert ephemeris.has_moon is moon
            assert not ephemeris.is_full
    assert "bytes, within" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_on_a_terminal_and_only_there(monkeypatch, tmp_path, capsys):
    build._draw("terms.bin", 0.5)
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    build._draw("terms.bin", 0.5)
    build._draw("terms.bin", 1.0)
    half, full = terminal.getvalue().split("\r")[1:]
    assert half == "terms.bin     [###############...............]  50%"
    assert full == "terms.bin     [##############################] 100%\n"
