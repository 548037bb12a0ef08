"""What `python -m pytest` runs unless it is told otherwise."""

from __future__ import annotations

import tomllib
from pathlib import Path

SETTINGS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
PYTEST = SETTINGS["tool"]["pytest"]["ini_options"]
MARKERS = [line.partition(":")[0] for line in PYTEST["markers"]]
# What stands with one of these in the tests is left out; a sample is left out of the whole suite instead.
LEFT_OUT = [marker for marker in MARKERS if marker != "sample"]


def test_nothing_is_left_out_but_by_a_declared_marker() -> None:
    options = PYTEST["addopts"]
    assert options[options.index("-m") + 1] == f"not ({' or '.join(LEFT_OUT)})"
    assert not [option for option in options if option.startswith(("-k", "--deselect", "--last-failed"))]
    assert [option for option in options if option.startswith("--ignore")] == [
        "--ignore=bazi_hub/store/migrations"
    ]


def test_a_warning_is_an_error_and_a_marker_is_declared() -> None:
    assert PYTEST["filterwarnings"] == ["error"]
    assert "--strict-markers" in PYTEST["addopts"]


def test_nothing_but_the_sample_of_a_test_in_two_sizes_is_marked_as_one() -> None:
    here = Path(__file__).parent
    marked = [path for path in here.rglob("*.py") if "mark.sample" in path.read_text("utf-8")]
    assert set(marked) == {here / "sizes.py", Path(__file__)}
