"""Defaults: flag before environment before configuration file; unknown keys are refused."""

import json

import pytest

from bazi_cli import config
from bazi_cli.app import COMMANDS, cli
from bazi_cli.options import ALL, environment_name, parameter_names


@pytest.fixture
def written(tmp_path):
    def write(text):
        file = tmp_path / "config.toml"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


def place_of(bazi, *arguments, **environment):
    return bazi.json("chart", "1990-05-15 13:30", *arguments, **environment)["input"]["place"]["ref"]


def test_flag_beats_environment_beats_configuration(bazi, written):
    file = written('city = "上海"')
    assert place_of(bazi, BAZI_CONFIG=file) == "cn:310000"
    assert place_of(bazi, BAZI_CONFIG=file, BAZI_CITY="天津") == "cn:120000"
    assert place_of(bazi, "--city", "北京", BAZI_CONFIG=file, BAZI_CITY="天津") == "cn:110000"


def test_the_file_in_the_application_directory_is_read(bazi, tmp_path):
    (tmp_path / "bazi").mkdir()
    (tmp_path / "bazi" / "config.toml").write_text('place = "上海"', encoding="utf-8")
    assert place_of(bazi) == "cn:310000"


def test_place_is_another_name_of_city_everywhere(bazi, written):
    assert place_of(bazi, "--place", "天津", BAZI_CONFIG=written('city = "上海"')) == "cn:120000"
    assert place_of(bazi, BAZI_PLACE="天津") == "cn:120000"


def test_a_place_on_the_command_line_leaves_a_kept_zone_aside(bazi, written):
    file = written('city = "上海"\ntz = "Asia/Shanghai"')
    found = bazi.json("chart", "1990-05-15 13:30", "--city", "New York", BAZI_CONFIG=file)
    assert found["time_trace"]["timezone_id"] == "America/New_York"
    found = bazi.json("chart", "1990-05-15 13:30", "--utc-offset", "1", BAZI_CONFIG=file)
    assert found["input"]["place"] is None


def test_values_of_the_file_have_their_types(bazi, written):
    file = written(
        'lon = 116.4\nlat = 39\ntz = "Asia/Shanghai"\nhour-unknown = true\nboundary-window-s = 5\n'
    )
    found = bazi.json("chart", "1990-05-15", BAZI_CONFIG=file)
    assert found["input"]["hour_unknown"] is True
    assert found["school"]["options"]["boundary_window_s"] == 5


def test_format_and_language_may_be_kept(bazi, written):
    file = written('format = "md"\nlang = "en"')
    told = bazi.text("chart", "1990-05-15 13:30", "--city", "北京", BAZI_CONFIG=file)
    assert told.startswith("# BaZi chart")


def test_a_kept_format_shapes_the_errors_too(bazi, written):
    result = bazi("chart", "x", "--city", "北京", BAZI_CONFIG=written('format = "json"'))
    assert result.stderr.startswith("{")


@pytest.mark.parametrize("command", [["chart", "--city", "北京"], ["terms"], ["doctor"], []])
def test_an_unknown_key_is_wrong_usage(bazi, written, command):
    result = bazi(*command, LANG="en_GB", BAZI_CONFIG=written('citty = "北京"'))
    assert result.exit_code == 2
    assert "'citty'" in result.stderr
    assert "did you mean 'city'?" in result.stderr


def test_an_underscore_is_not_a_long_option_name(bazi, written):
    assert bazi("terms", BAZI_CONFIG=written('time_basis = "civil"')).exit_code == 2


def test_a_file_that_is_not_toml_is_wrong_usage(bazi, written):
    assert bazi("terms", BAZI_CONFIG=written("city = ")).exit_code == 2


def test_a_named_file_that_is_missing_is_wrong_usage(bazi, tmp_path):
    assert bazi("terms", BAZI_CONFIG=str(tmp_path / "none.toml")).exit_code == 2


def test_without_a_file_there_are_no_values(monkeypatch, tmp_path):
    monkeypatch.delenv("BAZI_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config.values() == {}


def test_a_wrong_value_of_the_core_keeps_its_code(bazi):
    status, problem = bazi.problem("chart", "1990-05-15 13:30", "--city", "北京", BAZI_DAY_BOUNDARY="noon")
    assert (status, problem["code"]) == (4, "UNKNOWN_OPTION")


# Configured by the hub's own variables, BAZI_HUB_….
OF_THE_HUB = ("serve", "mcp", "keys", "credits", "price", "hub")


def test_every_long_option_of_every_command_is_a_key_with_a_variable():
    import click

    keys = parameter_names()
    for name in COMMANDS:
        if name in OF_THE_HUB:
            continue
        command = cli.get_command(click.Context(cli), name)
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.expose_value:
                flags = [flag for flag in parameter.opts if flag.startswith("--")]
                assert all(parameter.name in keys[flag[2:]] for flag in flags)
                assert parameter.envvar == [environment_name(flag) for flag in flags]


def test_no_option_of_the_registry_is_without_a_command():
    import click

    used = {p.name for name in COMMANDS for p in cli.get_command(click.Context(cli), name).params}
    assert set(ALL) <= used


def test_a_way_to_cast_that_is_kept_gives_way_to_the_one_on_the_line(bazi, written):
    file = written("coins = true")
    assert bazi.json("liuyao", "cast", BAZI_CONFIG=file)["method"] == "coins"
    assert bazi.json("liuyao", "cast", "--yarrow", BAZI_CONFIG=file)["method"] == "yarrow"
    assert bazi.json("liuyao", "cast", BAZI_CONFIG=file, BAZI_NUMBERS="1,5")["method"] == "numbers"
    assert bazi.json("liuyao", "cast", BAZI_CONFIG=file, BAZI_YARROW="0")["method"] == "coins"


def test_lines_that_are_kept_do_not_make_another_cast_one_by_hand(bazi):
    given = bazi.json("liuyao", "--numbers", "1,5", BAZI_LINES="789876")
    assert given["analysis"]["cast"]["method"] == "numbers"
    assert given["divination"]["divinationMethod"] == "自动起卦"


def test_a_configuration_nested_beyond_reading_is_a_usage_error(bazi, written):
    result = bazi("terms", "2026", BAZI_CONFIG=written("city = " + "[" * 50_000))
    assert (result.exit_code, "USAGE" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a." * 30_000 + "a = 1", "line 1 is too long, a line has at most 1024 bytes"),
        ("\n\n" + "[" + "a." * 600 + "a]", "line 3 is too long"),
        ("# one\n" * 11_000, "a configuration file has at most 65536 bytes"),
    ],
)
def test_a_configuration_or_a_line_of_it_that_is_too_long_is_wrong_usage(bazi, written, text, why):
    result = bazi("terms", "2026", "--lang", "en", BAZI_CONFIG=written(text))
    # Lines are broken where the name of the file, which is a temporary one, leaves room.
    assert (result.exit_code, why in " ".join(result.stderr.split())) == (2, True), result.stderr


def test_a_configuration_that_is_too_long_is_told_in_the_language_of_the_line(bazi, written):
    file = written("a." * 30_000)
    told = [bazi("terms", "2026", "--lang", lang, BAZI_CONFIG=file).stderr for lang in ("zh-Hans", "zh-Hant")]
    simplified, traditional = ("".join(each.split()) for each in told)
    assert "第1行太长，每行不得超过1024字节" in simplified
    assert "第1行太長，每行不得超過1024位元組" in traditional


@pytest.mark.parametrize(
    "line",
    [
        "strict = 5", "compact = nan", "hour-unknown = 12:00:00", "strict = []", "fold = 1.5", "boundary-window-s = 1.5",
        "boundary-window-s = inf", "boundary-window-s = true", "fold = [0]", "lon = {a = 1}", "lat = 1990-01-01",
        'city = ["北京"]', "star-variants = []", "star-variants = {羊刃 = [1]}", "lang = true",
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_wrong_usage_as_on_the_line(bazi, written, line):
    result = bazi("chart", "1990-05-15 13:30", "--utc-offset", "8", BAZI_CONFIG=written(line))
    assert (result.exit_code, "USAGE" in result.stderr) == (2, True), result.output


def test_numbers_dates_and_truth_are_read_as_if_typed(bazi, written):
    file = written('date = 2026-02-04\nlon = 116\nlat = 39.9\nstrict = true\ntz = "Asia/Shanghai"')
    result = bazi("luck", "1990-05-15 13:30", "--gender", "male", "-f", "json", BAZI_CONFIG=file)
    assert result.exit_code == 9
    assert json.loads(result.stdout)["liuri"][0]["label"] == "2026-02-04"
    assert bazi.json("doctor", BAZI_CONFIG=file)["defaults"]["date"]["value"] == "2026-02-04"
