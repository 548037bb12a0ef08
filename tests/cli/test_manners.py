"""What every command and group shares: help, version, language, the form from a file's name, suggestions."""

import json
from itertools import product

import pytest

from bazi_cli.app import COMMANDS
from bazi_core import __version__
from bazi_core.render.width import width
from bazi_core.tables.words import LANGUAGES
from tests.tables import holds_for_all

BORN = ("1990-05-15 13:30", "--city", "北京", "--gender", "male")
LINES = [(name,) for name in COMMANDS] + [
    (),
    ("keys", "issue"),
    ("hub", "account"),
    ("hub", "account", "create"),
    ("price", "set"),
]


@holds_for_all("line", LINES)
def test_help_and_version_have_their_short_flags_everywhere(bazi, line):
    assert bazi.text(*line, "-h") == bazi.text(*line, "--help")
    assert bazi.text(*line, "-V") == bazi.text(*line, "--version") == f"bazi {__version__}\n"


@holds_for_all("line, lang", product(LINES, LANGUAGES))
def test_help_fits_eighty_columns(bazi, line, lang):
    told = bazi.text(*line, "--help", "--lang", lang).splitlines()
    assert [each for each in told if width(each) > 80] == []


def test_headings_of_help_are_in_the_language_of_the_reader(bazi):
    assert "\nBirth:\n" in bazi.text("chart", "--help", "--lang", "en")
    assert "\n出生:\n" in bazi.text("--lang", "zh", "chart", "--help")
    assert "\n輸出:\n" in bazi.text("chart", "--help", LANG="zh_TW.UTF-8")


def test_the_long_tail_of_the_school_stands_in_the_whole_help_only(bazi):
    assert "--anhe" not in bazi.text("chart", "--help")
    assert "--day-boundary" in bazi.text("chart", "--help")
    told = bazi.text("chart", "--help-all", "--lang", "en")
    assert told.index("--day-boundary") < told.index("More of the School") < told.index("--anhe")
    assert "three_pairs (default)" in told


@pytest.mark.parametrize("lang", ["zh", "zh-CN", "zh-TW", "zh_Hant", "en-GB"])
def test_a_language_is_asked_for_before_or_after_the_command(bazi, lang):
    after = bazi.text("chart", *BORN, "--lang", lang)
    assert bazi.text("--lang", lang, "chart", *BORN) == after
    assert bazi.text("chart", *BORN, BAZI_LANG=lang) == after


def test_the_language_on_the_line_beats_the_environment_and_the_last_one_counts(bazi):
    told = bazi.text("--lang", "en", "chart", *BORN, BAZI_LANG="zh")
    assert told.startswith("BaZi chart")
    assert bazi.text("--lang", "zh-TW", "chart", *BORN, "--lang", "en") == told
    assert "wrong usage" in bazi("--lang", "zh", "chart", "--nonsense", "--lang", "en").stderr


def test_a_language_may_be_asked_of_commands_that_speak_none(bazi):
    assert bazi("--lang", "en", "keys", "nonsense").stderr.startswith("Error USAGE")
    assert bazi("keys", "list", "--lang", "zh-TW").stderr.startswith("錯誤 USAGE")


@pytest.mark.parametrize(
    ("name", "start"), [("x.json", "{"), ("x.md", "# "), ("X.JSON", "{"), ("x.txt", "八字"), ("x", "八字")]
)
def test_the_name_of_the_file_says_the_form(bazi, tmp_path, name, start):
    assert bazi.text("chart", *BORN, "-o", str(tmp_path / name)) == ""
    assert (tmp_path / name).read_text("utf-8").startswith(start)


def test_a_form_on_the_line_beats_the_name_of_the_file_which_beats_a_default(bazi, tmp_path):
    file = tmp_path / "x.md"
    bazi.text("chart", *BORN, "-o", str(file), "-f", "json")
    assert json.loads(file.read_text("utf-8"))["four_pillars"]
    bazi.text("chart", *BORN, "-o", str(file), BAZI_FORMAT="json")
    assert file.read_text("utf-8").startswith("# ")


@pytest.mark.parametrize(("command", "name"), [("terms", "x.svg"), ("luck", "x.pdf"), ("terms", "x.html")])
def test_a_file_that_a_command_cannot_write_is_refused_with_those_it_can(bazi, tmp_path, command, name):
    refused = bazi(command, "-o", str(tmp_path / name), "--lang", "en")
    assert refused.exit_code == 2
    assert ".json, .md" in refused.stderr
    assert "-o " in refused.stderr
    assert "x.md\n" in refused.stderr
    assert not (tmp_path / name).exists()


def test_svg_is_written_by_the_command_that_draws(bazi, tmp_path):
    bazi.text("liuyao", "--lines", "789876", "-o", str(tmp_path / "x.svg"))
    assert (tmp_path / "x.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("key", ["year", "target"])
def test_a_year_may_be_kept_under_either_name(bazi, tmp_path, key):
    file = tmp_path / "config.toml"
    file.write_text(f"{key} = 2030", "utf-8")
    assert bazi.json("year", *BORN, BAZI_CONFIG=str(file))["target_year"] == 2030


def test_year_means_the_year_that_is_read_and_the_older_name_is_kept(bazi):
    assert bazi.text("year", *BORN, "--year", "2026") == bazi.text("year", *BORN, "--target", "2026")
    assert bazi.text("luck", *BORN, "--decade", "2026") == bazi.text("luck", *BORN, "--target", "2026")
    assert bazi.text("year", *BORN, BAZI_TARGET="2026") == bazi.text("year", *BORN, "--year", "2026")
    assert "--target" not in bazi.text("year", "--help") + bazi.text("luck", "--help-all")


@pytest.mark.parametrize(
    ("line", "meant"),
    [(("chrat",), "chart"), (("chart", "--gendr", "male"), "--gender"), (("keys", "isue"), "issue")],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_typo_is_told_what_was_meant(bazi, line, meant, lang):
    refused = bazi(*line, LANG=lang)
    assert refused.exit_code == 2
    assert meant in refused.stderr


def test_a_birth_without_its_command_is_told_the_command(bazi):
    told = bazi("1990-05-15", "13:30", "--city", "New York", "--lang", "en").stderr
    assert "Hint  bazi chart \"1990-05-15 13:30\" --city 'New York'" in told
    assert 'bazi chart "农历1990年四月廿一 午时"' in bazi("农历1990年四月廿一", "午时").stderr


def test_a_time_needs_no_quotes(bazi):
    assert bazi.text("chart", "1990-05-15", "13:30", *BORN[1:]) == bazi.text("chart", *BORN)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "line",
    [
        ("chart", "--lon", "x"), ("terms", "x"), ("terms", "-f", "xml"), ("place",), ("keys",),
        ("calendar", "2026-01", "x"), ("chart", "--city"), ("chart", "--strict=x"),
        ("serve", "--port", "x"), ("serve", "--port", "70000"), ("chart", *BORN, "-o", "/"),
        ("schema", "x"), ("hub", "hide"), ("chart", "--star-variants", "x"), ("--lang", "fr"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_told_in_the_language_of_the_reader(bazi, line, lang):
    _, message, *_ = bazi(*line, LANG=lang).stderr.splitlines()
    chinese = any("\u4e00" <= letter <= "\u9fff" for letter in message)
    assert chinese is (lang != "en"), message
