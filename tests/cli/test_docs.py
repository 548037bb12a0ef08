"""The pages on the command line list every command, flag, value and exit code."""

from pathlib import Path

import pytest

from bazi_cli import app
from bazi_cli.options import ALL, SCHOOL
from bazi_cli.output import WARNINGS
from bazi_core.errors import all_errors
from bazi_core.school import OPTIONS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(params=["command-line.md", "zh/command-line.md"])
def page(request):
    return (DOCS / request.param).read_text("utf-8")


def test_every_command_is_listed(page):
    for name in app.COMMANDS:
        assert f"\n| `{name}" in page


def test_every_flag_is_listed(page):
    for flags, _ in ALL.values():
        for flag in flags:
            assert f"`{flag}" in page or f"{flag}" in page.replace("`", " ").split(), flag


def test_every_value_of_the_school_is_listed_with_the_default_first(page):
    for name in SCHOOL:
        if name in OPTIONS:
            values = " ".join(f"`{value}`" for value in OPTIONS[name])
            assert f"| `--{name.replace('_', '-')}` | {values} |" in page


def test_every_exit_code_is_listed(page):
    codes = {error.exit_status for error in all_errors()}
    for code in codes | {0, 2, WARNINGS, app.INTERRUPTED, app.PIPE_CLOSED}:
        assert f"\n| {code} | " in page
