"""The chart of the README as it is printed, in three languages.

To renew them after a wanted change: for each language,
`COLUMNS=80 bazi chart "1988-08-18 13:30" --city 北京 --gender male --lang LANG
--as-of 2026-02-04T04:30:15Z -o tests/cli/snapshots/chart.LANG.txt`.
"""

from pathlib import Path

import pytest

from bazi_core.render.width import width

SNAPSHOTS = Path(__file__).parent / "snapshots"
BORN = ("chart", "1988-08-18 13:30", "--city", "北京", "--gender", "male")
LANGUAGES = ("zh-Hans", "zh-Hant", "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chart_is_the_one_in_the_snapshot(bazi, lang):
    assert bazi.text(*BORN, "--lang", lang) == (SNAPSHOTS / f"chart.{lang}.txt").read_text("utf-8")


def test_the_readme_shows_this_chart():
    readme = Path(__file__).parents[2] / "README.md"
    assert f"```text\n{(SNAPSHOTS / 'chart.zh-Hans.txt').read_text('utf-8')}```" in readme.read_text("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lines_of_each_table_are_equally_wide(lang):
    tables = tables_of((SNAPSHOTS / f"chart.{lang}.txt").read_text("utf-8"))
    assert len(tables) == 2
    for lines in tables:
        assert len({width(line) for line in lines}) == 1
        assert width(lines[0]) <= 80


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_is_wider_than_the_display(lang):
    assert max(map(width, (SNAPSHOTS / f"chart.{lang}.txt").read_text("utf-8").splitlines())) <= 80


def tables_of(text):
    tables = []
    for line in text.splitlines():
        if line.startswith("┌"):
            tables.append([])
        if line[:1] in tuple("┌│├└"):
            tables[-1].append(line)
    return tables
