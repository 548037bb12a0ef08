"""A command line without surroundings: no configuration, no locale, no terminal, and a clock that stands."""

import json
import os
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

import bazi_core as bz
from bazi_cli import now
from bazi_cli.app import cli

NOW = datetime(2026, 2, 4, 4, 30, 15, tzinfo=UTC)


class Bazi:
    """Runs `bazi`; the last result stays at hand."""

    def __init__(self, config_home):
        self.environment = {name: None for name in os.environ if name.startswith("BAZI_")}
        self.environment |= {
            "COLUMNS": "80",
            "LANG": "zh_CN.UTF-8",
            "LC_ALL": None,
            "LC_MESSAGES": None,
            "XDG_CONFIG_HOME": str(config_home),
            "XDG_DATA_HOME": str(config_home),
        }

    def __call__(self, *arguments, input=None, **environment):
        return CliRunner().invoke(cli, list(arguments), input=input, env=self.environment | environment)

    def text(self, *arguments, **environment):
        result = self(*arguments, **environment)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    def json(self, *arguments, **environment):
        return json.loads(self.text(*arguments, "-f", "json", **environment))

    def problem(self, *arguments, **environment):
        """(exit code, problem object) of a command that fails; nothing may be on stdout."""
        result = self(*arguments, "-f", "json", **environment)
        assert result.stdout == ""
        return result.exit_code, json.loads(result.stderr)


@pytest.fixture
def bazi(tmp_path, monkeypatch):
    monkeypatch.setattr(now, "now", lambda: NOW)
    return Bazi(tmp_path)


@pytest.fixture(scope="session")
def chart():
    return bz.chart("1990-05-15 13:30", city="北京", gender="male")
