"""Errors: a code, an exit status, what and how to go on, as text and as a problem object."""

import json

import click
import pytest

from bazi_cli import problems
from bazi_core.errors import OutOfRange, all_errors
from bazi_core.render.width import width
from bazi_core.tables.words import LANGUAGES, label

AT_NOON = "1990-05-15 12:00"
CASES = [
    (["", "--city", "北京"], "INVALID_DATETIME", 4),
    (["   ", "--city", "北京"], "INVALID_DATETIME", 4),
    (["garbage", "--city", "北京"], "INVALID_DATETIME", 4),
    (["2023-02-30 10:00", "--city", "北京"], "INVALID_DATETIME", 4),
    (["1990-05-15 25:00", "--city", "北京"], "INVALID_DATETIME", 4),
    (["1990-05-15 24:00", "--city", "北京"], "INVALID_DATETIME", 4),
    (["1400-06-01 10:00", "--city", "北京"], "CALENDAR_REQUIRED", 4),
    (["1400-06-01 10:00", "--city", "北京", "--calendar", "julian"], "OUT_OF_RANGE", 5),
    (["2700-06-01 10:00", "--city", "北京"], "OUT_OF_RANGE", 5),
    ([AT_NOON, "--city", "Nowhereville"], "PLACE_NOT_FOUND", 3),
    ([AT_NOON, "--city", "Springfield"], "PLACE_AMBIGUOUS", 3),
    ([AT_NOON, "--city", "朝阳"], "PLACE_AMBIGUOUS", 3),
    (["1990-04-15 02:30", "--tz", "Asia/Shanghai"], "NONEXISTENT_LOCAL_TIME", 4),
    (["1990-09-16 01:30", "--tz", "Asia/Shanghai"], "AMBIGUOUS_LOCAL_TIME", 4),
    ([AT_NOON, "--lon", "200", "--tz", "Asia/Shanghai"], "INVALID_COORDINATES", 4),
    ([AT_NOON, "--lon", "nan", "--tz", "Asia/Shanghai"], "INVALID_COORDINATES", 4),
    ([AT_NOON, "--lat", "10", "--tz", "Asia/Shanghai"], "INVALID_COORDINATES", 4),
    ([AT_NOON, "--tz", "Mars/Olympus"], "ZONE_UNKNOWN", 4),
    ([AT_NOON, "--tz", "../../etc/passwd"], "ZONE_UNKNOWN", 4),
    ([AT_NOON, "--tz", "Asia/Tokyo", "--utc-offset", "8"], "ZONE_CONFLICT", 4),
    ([AT_NOON, "--utc-offset", "480"], "INVALID_OFFSET", 4),
    ([AT_NOON], "ZONE_REQUIRED", 4),
    ([AT_NOON, "--tz", "Asia/Tokyo", "--time-basis", "true_solar"], "LONGITUDE_REQUIRED", 4),
    ([AT_NOON, "--city", "北京", "--clock", "xinjiang"], "CLOCK_NOT_APPLICABLE", 4),
    (["农历1990年闰四月初一 午时", "--city", "北京"], "INVALID_LUNAR_DATE", 4),
    (["1990-05-15", "--city", "北京"], "BIRTH_REQUIRED", 4),
    ([AT_NOON, "--city", "北京", "--gender", "other"], "UNKNOWN_OPTION", 4),
    ([AT_NOON, "--city", "北京", "--fold", "2"], "UNKNOWN_OPTION", 4),
    ([AT_NOON, "--city", "北京", "--luck-start", "soon"], "UNKNOWN_OPTION", 4),
    ([AT_NOON, "--city", "北京", "--boundary-window-s", "-1"], "UNKNOWN_OPTION", 4),
    ([AT_NOON, "--city", "北京", "--school", "mine"], "UNKNOWN_PROFILE", 4),
    (["--pillars", "甲丑 甲子 甲子 甲子"], "INVALID_PILLARS", 4),
    (["--pillars", "甲子 甲子 甲子 甲子"], "INVALID_PILLARS", 4),
    ([AT_NOON, "--city", "北京", "--explain", "tg.nothing"], "INVALID_INPUT", 4),
    ([AT_NOON, "--lon", "east"], "USAGE", 2),
    ([AT_NOON, "--fold", "x"], "USAGE", 2),
    (["--no-such-option"], "USAGE", 2),
    ([AT_NOON, "--lang", "fr"], "USAGE", 2),
]


@pytest.mark.parametrize(("arguments", "code", "status"), CASES)
def test_an_error_has_its_code_and_exit_status(bazi, arguments, code, status):
    found, problem = bazi.problem("chart", *arguments)
    assert (found, problem["code"], problem["status"]) == (status, code, status)
    assert problem["type"] == f"urn:bazi:error:{code}"
    assert problem["message"]
    assert problem["title"]


@pytest.mark.parametrize(("arguments", "code", "status"), CASES)
def test_the_same_as_text(bazi, arguments, code, status):
    result = bazi("chart", *arguments, "--lang", "en") if "fr" not in arguments else bazi("chart", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
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
PLACES_FOR_TEXT = [
    ["chart", LONG],
    ["chart", AT_NOON, "--city", LONG],
    ["chart", AT_NOON, "--city", "北京", "--gender", LONG],
    ["chart", AT_NOON, "--tz", LONG],
    ["chart", AT_NOON, "--utc-offset", LONG],
    ["chart", AT_NOON, "--lon", LONG],
    ["chart", AT_NOON, "--lon", "1" * 1_000_000, "--tz", "Asia/Shanghai"],
    ["chart", AT_NOON, "--city", "北京", "--school", LONG],
    ["chart", AT_NOON, "--city", "北京", "--day-boundary", LONG],
    ["chart", AT_NOON, "--city", "北京", "--explain", LONG],
    ["chart", "--pillars", LONG],
    ["chart", AT_NOON, "--city", "北京", "--calendar", LONG],
    ["convert", LONG],
    ["convert", "农历" + LONG],
    ["place", LONG],
    ["hour", LONG],
    ["calendar", LONG],
    ["schema", LONG],
    ["luck", AT_NOON, "--city", "北京", "--gender", "male", "--years", LONG],
    ["luck", AT_NOON, "--city", "北京", "--gender", "male", "--date", LONG],
    ["terms", LONG],
    [LONG],
    ["--" + LONG],
]


@pytest.mark.parametrize("arguments", PLACES_FOR_TEXT, ids=range(len(PLACES_FOR_TEXT)))
def test_a_megabyte_of_argument_is_refused_in_a_few_lines(bazi, arguments):
    result = bazi(*arguments)
    assert result.exit_code in (2, 3, 4)
    assert len(result.stderr) < 3000


@pytest.mark.parametrize("arguments", PLACES_FOR_TEXT, ids=range(len(PLACES_FOR_TEXT)))
def test_lone_surrogates_are_refused_like_any_other_text(bazi, arguments):
    result = bazi(*(text.replace(LONG, "\udcff\udce4") for text in arguments))
    assert result.exit_code in (2, 3, 4), result.stderr
    result.stderr.encode("utf-8")


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
