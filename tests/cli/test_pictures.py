"""Pictures and pages from the command: what the core draws, by format or by the ending of a file."""

import sys

import pytest

import bazi_core as bz
from bazi_core import liuyao as ly

NOW = "2026-02-04 04:30:15Z"
BORN = ("1990-05-15 13:30", "--city", "北京", "--gender", "male")


def test_the_picture_of_a_chart_is_that_of_the_core(bazi, chart):
    assert bazi.text("chart", *BORN, "-f", "svg") == chart.svg() + "\n"
    given = ("--theme", "dark", "--lang", "en", "--compact", "--name", "Ada")
    assert bazi.text("chart", *BORN, "-f", "svg", *given) == chart.svg("en", "dark", True, name="Ada") + "\n"


def test_the_page_marks_what_runs_now(bazi, chart):
    assert bazi.text("chart", *BORN, "-f", "html") == chart.html(as_of=NOW)
    later = bazi.text("chart", *BORN, "-f", "html", "--as-of", "2030-01-01", "--theme", "light")
    assert later == chart.html(theme="light", as_of="2030-01-01")


@pytest.mark.parametrize(
    ("command", "drawn"),
    [
        (("luck", *BORN), lambda chart: chart.svg(theme="dark", part="luck", as_of=NOW)),
        (("luck", *BORN, "--years"), lambda chart: chart.svg(theme="dark", part="grid", as_of=NOW)),
        (("year", *BORN, "--year", "2026"), lambda chart: chart.year(2026).svg(theme="dark", as_of=NOW)),
        (
            ("years", *BORN, "--from", "2024"),
            lambda chart: chart.years(2024, 2033).svg(theme="dark", here=2026),
        ),
        (
            ("liuyao", "--lines", "789876", "--at", "2026-04-03T20:30:00+08:00"),
            lambda chart: ly.derive("789876", "2026-04-03T20:30:00+08:00").svg(theme="dark"),
        ),
    ],
)
def test_luck_years_and_casts_are_drawn_too(bazi, chart, command, drawn):
    assert bazi.text(*command, "-f", "svg", "--theme", "dark") == drawn(chart) + "\n"


@pytest.mark.parametrize(
    ("name", "first"), [("x.svg", "<svg"), ("x.html", "<!doctype html>"), ("x.htm", "<!doctype html>")]
)
def test_the_ending_of_the_file_sets_the_form(bazi, tmp_path, name, first):
    bazi.text("chart", *BORN, "-o", str(tmp_path / name))
    assert (tmp_path / name).read_text("utf-8").startswith(first)


def test_another_theme_is_refused_with_the_names_there_are(bazi):
    refused = bazi("chart", *BORN, "-f", "svg", "--theme", "neon", "--lang", "en")
    assert refused.exit_code == 4
    assert "choose light or dark or auto\n" in refused.stderr


def test_what_survives_comes_in_words_only(bazi):
    assert bazi("chart", *BORN, "--sensitivity", "-f", "svg").exit_code == 2
    assert bazi.text("chart", *BORN, "--sensitivity")


def test_a_pdf_goes_to_a_file_or_a_pipe(bazi, tmp_path, monkeypatch, chart):
    monkeypatch.setattr(bz.Chart, "pdf", lambda self, *given, **more: b"%PDF-1.7 \xff")
    bazi.text("chart", *BORN, "-o", str(tmp_path / "x.pdf"))
    assert (tmp_path / "x.pdf").read_bytes() == b"%PDF-1.7 \xff"
    assert bazi("chart", *BORN, "-f", "pdf").stdout_bytes == b"%PDF-1.7 \xff"


def test_what_a_pdf_lacks_is_told_with_the_way_out(bazi, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    refused = bazi("chart", *BORN, "-o", str(tmp_path / "x.pdf"), "--lang", "en")
    assert refused.exit_code == 2
    assert "LIBRARY_MISSING" in refused.stderr
    assert "bazi-core[pdf]" in refused.stderr
    assert not (tmp_path / "x.pdf").exists()
