"""The chart of the README as it is printed, in three languages.

To renew them after a wanted change: for each language,
`COLUMNS=80 bazi chart "1988-08-18 13:30" --city 北京 --gender male --lang LANG
--as-of 2026-02-04T04:30:15Z -o tests/cli/snapshots/chart.LANG.txt`.
"""

from pathlib import Path

import pytest

SNAPSHOTS = Path(__file__).parent / "snapshots"
BORN = ("chart", "1988-08-18 13:30", "--city", "北京", "--gender", "male")
LANGUAGES = ("zh-Hans", "zh-Hant", "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chart_is_the_one_in_the_snapshot(bazi, lang):
    assert bazi.text(*BORN, "--lang", lang) == (SNAPSHOTS / f"chart.{lang}.txt").read_text("utf-8")


def test_the_readme_shows_this_chart():
    readme = Path(__file__).parents[2] / "README.md"
    assert f"```text\n{(SNAPSHOTS / 'chart.zh-Hans.txt').read_text('utf-8')}```" in readme.read_text("utf-8")
