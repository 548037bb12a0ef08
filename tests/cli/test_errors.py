"""Errors: a code, an exit status, what and how to go on, as text and as a problem object."""

import json
import shlex
from itertools import product

import click
import pytest

from bazi_cli import problems
from bazi_core.errors import OutOfRange, all_errors
from bazi_core.render.width import width
from bazi_core.tables.words import LANGUAGES, label
from tests.tables import holds_for_all, rows_of

AT_NOON = "1990-05-15 12:00"


@holds_for_all("line, code, status", rows_of("cli/errors.csv"))
def test_an_error_has_its_code_and_exit_status_as_an_object_and_as_text(bazi, line, code, status):
    found, problem = bazi.problem(*shlex.split(line))
    assert (found, problem["code"], problem["status"]) == (int(status), code, int(status))
    assert problem["type"] == f"urn:bazi:error:{code}"
    assert problem["message"]
    assert problem["title"]
    result = bazi(*shlex.split(line), *(() if "--lang" in line else ("--lang", "en")))
    assert (result.exit_code, result.stdout) == (int(status), "")
    assert code in result.stderr.splitlines()[0]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_title_in_every_language(lang):
    for code in [*(error.code for error in all_errors()), "USAGE", "INTERNAL"]:
        assert label(f"error.{code}", lang)


def test_the_first_line_is_in_the_language_of_the_user(bazi):
    wrong = ("chart", AT_NOON, "--city", "朝阳")
    assert bazi(*wrong).stderr.startswith("错误 PLACE_AMBIGUOUS  同名地点不止一个")
    assert bazi(*wrong, "--lang", "zh-Hant").stderr.startswith("錯誤 PLACE_AMBIGUOUS")
    assert bazi(*wrong, "--lang=en").stderr.startswith("Error PLACE_AMBIGUOUS")
    assert bazi(*wrong, LANG="en_GB.UTF-8").stderr.startswith("Error PLACE_AMBIGUOUS")


def test_choices_readings_suggestions_and_months_are_listed(bazi):
    assert "cn:220104" in bazi("chart", AT_NOON, "--city", "朝阳").stderr
    twice = bazi("chart", "1990-09-16 01:30", "--tz", "Asia/Shanghai").stderr
    assert "fold=1  +08:00  1990-09-15T17:30:00Z" in twice
    assert "--fold 0" in twice
    assert "Guangzhou" in bazi("chart", AT_NOON, "--city", "Guangzou").stderr
    assert "闰5（29）" in bazi("chart", "农历1990年闰四月初一 午时", "--city", "北京").stderr


def test_a_date_without_its_hour_is_told_the_flag_for_it(bazi):
    assert bazi.problem("chart", "1990-05-15", "--city", "北京")[1]["hint"].endswith("or give --hour-unknown")


def test_hints_name_flags_not_arguments_of_python(bazi):
    assert "--lon with --tz" in bazi("chart", AT_NOON, "--lang", "en").stderr


@pytest.mark.parametrize("form", [["-f", "json"], ["-fjson"], ["--format=json"], ["--format", "JSON"]])
def test_however_json_is_asked_for_the_problem_is_an_object(bazi, form):
    assert json.loads(bazi("chart", "--nonsense", *form).stderr)["code"] == "USAGE"


def test_json_from_the_environment_shapes_errors(bazi):
    assert json.loads(bazi("terms", "1000", BAZI_FORMAT="json").stderr)["code"] == "OUT_OF_RANGE"


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["chart", "--x"], ["--x"], ["terms", "x"], ["place"], ["convert"]]
)
def test_wrong_usage_ends_with_two_and_points_to_help(bazi, arguments):
    result = bazi(*arguments)
    assert result.exit_code == 2
    assert "--help" in result.stderr


LONG = "x" * 1_000_000
BORN = f"'{AT_NOON}'"
# Everywhere that a text goes in.
PLACES_FOR_TEXT = (
    f"""
chart TEXT | chart {BORN} --city TEXT | chart {BORN} --city 北京 --gender TEXT | chart {BORN} --tz TEXT | convert TEXT
chart {BORN} --utc-offset TEXT | chart {BORN} --lon TEXT | chart {BORN} --city 北京 --school TEXT | convert 农历TEXT
chart {BORN} --city 北京 --day-boundary TEXT | chart {BORN} --city 北京 --explain TEXT | chart --pillars TEXT | terms TEXT
chart {BORN} --city 北京 --calendar TEXT | place TEXT | hour TEXT | calendar TEXT | schema TEXT | TEXT | --TEXT
luck {BORN} --city 北京 --gender male --years TEXT | luck {BORN} --city 北京 --gender male --date TEXT
""".strip()
    .replace("\n", " | ")
    .split(" | ")
)


@holds_for_all("command, text", product(PLACES_FOR_TEXT, [LONG, "\udcff\udce4"]), lambda row: row[0])
def test_a_megabyte_or_lone_surrogates_are_refused_in_a_few_lines(bazi, command, text):
    result = bazi(*(word.replace("TEXT", text) for word in shlex.split(command)))
    assert result.exit_code in (2, 3, 4), result.stderr
    assert len(result.stderr.encode("utf-8")) < 6000


def test_a_megabyte_of_digits_is_no_longitude(bazi):
    result = bazi("chart", AT_NOON, "--lon", "1" * 1_000_000, "--tz", "Asia/Shanghai")
    assert result.exit_code == 4
    assert len(result.stderr) < 3000


def test_control_characters_of_an_argument_never_reach_the_terminal(bazi):
    for arguments in (["chart", "\x1b[31m"], ["chart", AT_NOON, "--city", "\x1b[31m"], ["\x1b[31m"]):
        assert "\x1b" not in bazi(*arguments).stderr


def test_lines_of_an_error_fit_the_display(bazi):
    told = bazi("chart", AT_NOON, "--city", "Springfield", COLUMNS="60").stderr
    assert max(map(width, told.splitlines())) <= 60


@pytest.fixture
def broken(monkeypatch):
    from bazi_cli.commands import terms

    def breaks(error):
        def callback(**given):
            raise error

        monkeypatch.setattr(terms.command, "callback", callback)

    return breaks


def test_an_unforeseen_error_is_told_without_a_traceback(bazi, broken):
    broken(RuntimeError("unforeseen"))
    result = bazi("terms")
    assert result.exit_code == 1
    assert "RuntimeError: unforeseen" in result.stderr
    assert "Traceback" not in result.stderr
    assert bazi.problem("terms")[1]["code"] == "INTERNAL"


def test_a_full_disk_is_no_bug(bazi, broken):
    broken(OSError(28, "No space left on device"))
    status, problem = bazi.problem("terms")
    assert (status, problem["code"], problem["hint"]) == (1, "IO_ERROR", "")


def test_with_debug_the_traceback_is_shown(bazi, broken):
    broken(RuntimeError("unforeseen"))
    assert isinstance(bazi("terms", BAZI_DEBUG="1").exception, RuntimeError)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupted_command_ends_with_130(bazi, broken, interrupt):
    broken(interrupt)
    assert bazi("terms").exit_code == 130


def test_an_error_without_words_for_its_code_is_still_told(capsys):
    class New(OutOfRange):
        code = "NEW"

    assert problems.report(New("new", quantity="x"), []) == 5
    assert "NEW" in capsys.readouterr().err


def test_a_language_that_the_environment_invents_is_refused_in_words(bazi):
    refused = bazi("terms", BAZI_LANG="xx")
    assert refused.exit_code == 2
    assert "USAGE" in refused.stderr
    assert "xx" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("nonsense",), "bazi --help"),
        (("chart", "--nonsense"), "bazi chart --help"),
        (("keys", "issue"), "bazi keys issue --help"),
        (("hub", "account", "create", "x"), "bazi hub account create --help"),
    ],
)
def test_the_hint_of_a_wrong_use_is_a_command_that_runs(bazi, arguments, hint):
    problem = json.loads(bazi(*arguments, BAZI_FORMAT="json").stderr)
    assert problem["hint"] == hint
    assert bazi(*hint.split()[1:]).exit_code == 0
