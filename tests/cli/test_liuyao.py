"""`bazi liuyao`: casting, the board, look-ups, verifying, errors with their codes and exit statuses."""

import json

import pytest

from bazi_cli.commands import liuyao as command
from bazi_core import liuyao as ly
from bazi_core.liuyao import cast

AT = "2026-04-03T20:30:00+08:00"
GIVEN = ("--lines", "789876", "--at", AT)


def test_json_is_the_strict_object_and_the_analysis(bazi):
    found = bazi.json("liuyao", *GIVEN, "--question", "换工作?", "--type", "事业")
    chart = ly.derive(cast.lines("789876"), AT)
    assert [*found] == ["divination", "analysis"]
    assert found["divination"] == chart.to_divination("换工作?", "事业", "手动起卦")
    assert found["analysis"] == json.loads(json.dumps(chart.analyze("事业").to_dict()))


def test_without_a_question_the_strict_object_echoes_none_and_the_kind_of_others(bazi):
    found = bazi.json("liuyao", *GIVEN)
    assert (found["divination"]["question"], found["divination"]["questionType"]) == ("", "其他")
    assert found["analysis"]["yongShen"]["questionType"] is None


def test_chart_is_what_is_done_without_a_word(bazi):
    assert bazi.text("liuyao", *GIVEN) == bazi.text("liuyao", "chart", *GIVEN)


def test_jsonl_is_one_line_and_compact_leaves_facts_out(bazi):
    text = bazi.text("liuyao", *GIVEN, "-f", "jsonl", "--compact")
    assert text.count("\n") == 1
    assert "facts" not in json.loads(text)["analysis"]


@pytest.mark.parametrize(
    "lines", ["789876", "7,8,9,8,7,6", "少阳,少阴,老阳,少阴,少阳,老阴", "少陽 少陰 老陽 少陰 少陽 老陰"]
)
def test_lines_are_given_in_every_form(bazi, lines):
    assert bazi.text("liuyao", "--lines", lines, "--at", AT) == bazi.text("liuyao", *GIVEN)


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        (["--coins"], "coins"), (["--yarrow"], "yarrow"), (["--time"], "time"), (["--numbers", "1,5"], "numbers"),
        (["--numbers", "1，5，3"], "numbers"), (["--auto"], "auto"), ([], "auto"), (["--auto", "--client-seed", "run 1"],
        "auto"),
        (["--lines", "789876"], "lines"),
    ],
)  # fmt: skip
def test_every_method_makes_a_record_that_can_be_verified(bazi, tmp_path, arguments, method):
    record = bazi.json("liuyao", "cast", *arguments, "--at", AT)
    assert record["method"] == method
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    assert bazi.text("liuyao", "verify", str(file)) == f"ok  {' '.join(record['lines'])}\n"
    assert bazi.json("liuyao", "verify", str(file)) == record


def test_the_client_seed_is_part_of_the_record(bazi):
    assert bazi.json("liuyao", "cast", "--client-seed", "我的", "--at", AT)["clientSeed"] == "我的"


def test_numbers_and_time_give_the_lines_of_the_rules(bazi):
    assert bazi.json("liuyao", "cast", "--numbers", "1,5,4")["lines"] == [*cast.numbers(1, 5, 4).lines]
    assert bazi.json("liuyao", "cast", "--time", "--at", AT)["inputs"] == cast.time(AT).inputs
    late = "2026-04-03T23:30:00+08:00"
    early = bazi.json("liuyao", "cast", "--time", "--at", late, "--day-boundary", "00:00")
    assert early["inputs"]["lunarDay"] == 16
    leap = bazi.json("liuyao", "cast", "--time", "--at", "2023-04-06T12:00:00+08:00", "--leap", "next")
    assert leap["inputs"]["lunarMonth"] == 3


def test_a_cast_in_text_has_line_six_on_top_and_the_seeds_below(bazi):
    lines = bazi.text("liuyao", "cast", "--auto", "--client-seed", "a").splitlines()
    assert [line.split()[0] for line in lines[:6]] == ["上爻", "五爻", "四爻", "三爻", "二爻", "初爻"]
    assert [line.split()[0] for line in lines[6:]] == ["seedCommit", "serverSeed", "clientSeed"]


def test_the_analysis_of_a_cast_keeps_its_record(bazi):
    found = bazi.json("liuyao", "--numbers", "3,9", "--at", AT)
    assert found["analysis"]["cast"] == cast.numbers(3, 9).to_dict()
    assert found["divination"]["divinationMethod"] == "自动起卦"


def test_the_whole_answer_can_be_verified_too(bazi, tmp_path):
    file = tmp_path / "answer.json"
    file.write_text(bazi.text("liuyao", *GIVEN, "-f", "json"), "utf-8")
    assert bazi.text("liuyao", "verify", str(file)).startswith("ok")
    analysis = json.loads(file.read_text("utf-8"))["analysis"]
    file.write_text(json.dumps(analysis), "utf-8")
    assert bazi.text("liuyao", "verify", str(file)).startswith("ok")


@pytest.mark.parametrize("words", [["789876"], ["chart", "789876"]])
def test_lines_given_without_their_option_are_told_the_option(bazi, words):
    result = bazi("liuyao", *words)
    assert result.exit_code == 2
    assert "六爻要用选项给出：--lines 789876" in result.stderr


@pytest.mark.parametrize(("name", "why"), [("nofile", "No such file or directory"), (".", "Is a directory")])
def test_a_record_that_cannot_be_opened_is_wrong_usage_and_no_bad_cast(bazi, name, why):
    status, problem = bazi.problem("liuyao", "verify", name)
    assert (status, problem["code"]) == (2, "USAGE")
    assert problem["message"] == f"cannot read {name!r}: {why}"


def test_verify_reads_stdin(bazi):
    from click.testing import CliRunner

    from bazi_cli.app import cli

    record = json.dumps(cast.commit(bytes(32)).reveal("a").to_dict())
    done = CliRunner().invoke(cli, ["liuyao", "verify", "-"], input=record, env=bazi.environment)
    assert (done.exit_code, done.stdout[:2]) == (0, "ok")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "5",
        "[" * 100_000,
        '{"method": "coins"}',
        "\x00",
        json.dumps({"cast": None}),
        '{"cast": []}',
    ],
)
def test_what_is_no_record_is_not_verified(bazi, tmp_path, text):
    file = tmp_path / "record.json"
    file.write_text(text, "utf-8")
    status, problem = bazi.problem("liuyao", "verify", str(file))
    assert (status, problem["code"]) == (4, "INVALID_CAST")


def test_a_changed_record_is_not_verified(bazi, tmp_path):
    made = cast.commit(bytes(32)).reveal("a").to_dict()
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**made, "clientSeed": "b"}), "utf-8")
    assert bazi("liuyao", "verify", str(file)).exit_code == 4
    file.write_bytes(b"\xff\xfe")
    assert bazi("liuyao", "verify", str(file)).exit_code == 4


def test_now_is_the_time_of_the_device_and_the_output_says_so(bazi):
    result = bazi("liuyao", "--lines", "789876", "-f", "json")
    assert "2026-02-04T04:30:15+00:00" in result.stderr
    assert json.loads(result.stdout)["divination"]["divinationTime"] == "2026年02月04日 04:30"


def test_a_cast_by_coins_needs_no_time(bazi):
    assert bazi("liuyao", "cast", "--coins").stderr == ""


def test_pillars_take_the_place_of_a_time(bazi):
    given = bazi.json("liuyao", "--lines", "789876", "--pillars", "丙午 辛卯 丁未 庚戌", "--type", "事业")
    timed = bazi.json("liuyao", *GIVEN, "--type", "事业")
    assert given["divination"] == {**timed["divination"], "divinationTime": ""}
    assert given["analysis"]["calendar"] is None


def test_policies_and_options_of_the_school_are_taken(bazi):
    arguments = ["--an-dong", "hjc_any", "--yong-shen-absent", "changed_hidden", "--void-kind", "raw", "--day-boundary",
    "00:00",
                 "--late-zi-hour-stem", "same_day"]  # fmt: skip
    found = bazi.json("liuyao", *GIVEN, *arguments)["analysis"]["policies"]
    assert [
        found[key]
        for key in ("an_dong", "yong_shen_absent", "void_kind", "day_boundary", "late_zi_hour_stem")
    ] == arguments[1::2]


def test_an_option_may_come_from_the_environment(bazi):
    found = bazi.json("liuyao", *GIVEN, BAZI_AN_DONG="hjc_any")["analysis"]["policies"]
    assert found["an_dong"] == "hjc_any"


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_text_and_markdown_are_those_of_the_core(bazi, lang):
    found = ly.derive(cast.lines("789876"), AT).analyze("事业")
    from bazi_core.liuyao.text import analysis_markdown, analysis_text

    arguments = (*GIVEN, "--type", "事业", "--question", "换工作?", "--lang", lang)
    assert bazi.text("liuyao", *arguments) == analysis_text(found, lang, 80, "换工作?")
    assert bazi.text("liuyao", *arguments, "-f", "md") == analysis_markdown(found, lang, "换工作?")
    assert bazi.text("liuyao", *arguments, "-f", "svg") == found.chart.svg(lang) + "\n"


def test_a_file_gets_the_output(bazi, tmp_path):
    file = tmp_path / "board.svg"
    assert bazi.text("liuyao", *GIVEN, "-f", "svg", "-o", str(file)) == ""
    assert file.read_text("utf-8").startswith("<svg")


def test_an_explanation_is_that_of_the_core(bazi):
    found = ly.derive(cast.lines("789876"), AT).analyze("事业")
    for arguments in (
        ("explain", "ly.sign", *GIVEN),
        (*GIVEN, "--explain", "ly.sign"),
        (*GIVEN, "--explain"),
    ):
        assert bazi.text("liuyao", *arguments, "--type", "事业") == found.explain("ly.sign") + "\n"


def test_a_hexagram_is_found_by_every_name(bazi):
    assert (
        bazi.text("liuyao", "hexagram", "既济")
        == bazi.text("liuyao", "hexagram", "63")
        == bazi.text("liuyao", "hexagram", "101010")
    )
    assert bazi.json("liuyao", "hexagram", "遯") == ly.hexagram("遁").to_dict()


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_fact_is_explained_in_json_as_the_facts_it_rests_on(bazi, form):
    text = bazi.text("liuyao", *GIVEN, "--explain", "ly.line.3.change.回头克", "-f", form)
    assert (text.count("\n") == 1) is (form == "jsonl")
    assert [fact["id"] for fact in json.loads(text)] == [
        "ly.line.3.change.回头克",
        "ly.line.3",
        "ly.target.3",
    ]


def test_the_kinds_of_questions_are_listed(bazi):
    assert bazi.json("liuyao", "types") == [*ly.QUESTION_TYPES]
    assert "事业 career" in bazi.text("liuyao", "types", "--lang", "en")


def test_warnings_are_said_beside_the_text_and_inside_the_json(bazi):
    result = bazi("liuyao", "--lines", "789876", "--at", "2026-04-05T02:40:30+08:00", "--type", "占什么")
    assert result.exit_code == 0
    assert "清明" in result.stderr or "节" in result.stderr
    assert "占什么" in result.stderr
    quiet = bazi(
        "liuyao", "--lines", "789876", "--at", "2026-04-05T02:40:30+08:00", "--type", "占什么", "-f", "json"
    )
    assert quiet.stderr == ""
    assert [each["code"] for each in json.loads(quiet.stdout)["analysis"]["warnings"]] == [
        "NEAR_BOUNDARY",
        "QUESTION_TYPE_UNKNOWN",
    ]


def test_strict_exits_with_nine_when_there_are_warnings(bazi):
    assert bazi("liuyao", *GIVEN, "--type", "婚姻", "--strict").exit_code == 9
    assert bazi("liuyao", *GIVEN, "--type", "婚姻", "--asker", "male", "--strict").exit_code == 0


ERRORS = [
    (["--lines", "78987", "--at", AT], "YAO_LINES_LENGTH", 4),
    (["--lines", "7898765", "--at", AT], "YAO_LINES_LENGTH", 4),
    (["--lines", "少阳,少阴", "--at", AT], "YAO_LINES_LENGTH", 4),
    (["--lines", "x" * 1_000_000, "--at", AT], "YAO_LINES_LENGTH", 4),
    (["--lines", "789875", "--at", AT], "YAO_LINE_VALUE", 4),
    (["--lines", "少阳,少阴,老阳,少阴,少阳,老", "--at", AT], "YAO_LINE_VALUE", 4),
    (["--lines", "789876", "--at", "2026-04-03T20:30:00"], "TIME_NEEDS_OFFSET", 4),
    (["--lines", "789876", "--at", "2026-04-03T20:30:00-00:00"], "TIME_NEEDS_OFFSET", 4),
    (["--lines", "789876", "--at", "2026-04-03 20:30:00+08:00"], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", "20260403T203000+0800"], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", "2026-04-03T20:30:60+08:00"], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", "2026-02-30T20:30:00+08:00"], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", ""], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", "x" * 1_000_000], "INVALID_DATETIME", 4),
    (["--lines", "789876", "--at", "2026-04-03T20:30:00+17:00"], "INVALID_OFFSET", 4),
    (["--lines", "789876", "--at", "1400-01-01T00:00:00+08:00"], "OUT_OF_RANGE", 5),
    (["--lines", "789876", "--at", "2700-01-01T00:00:00+08:00"], "OUT_OF_RANGE", 5),
    (["--time", "--at", "1600-01-01T00:00:00+08:00"], "OUT_OF_RANGE", 5),
    (["--lines", "789876", "--pillars", "甲子"], "INVALID_PILLARS", 4),
    (["--lines", "789876", "--pillars", "甲子 甲子 甲子 甲子"], "INVALID_PILLARS", 4),
    (["--numbers", "0,1", "--at", AT], "INVALID_INPUT", 4),
    (["--client-seed", "x" * 129, "--at", AT], "INVALID_INPUT", 4),
    ([*GIVEN, "--asker", "other"], "UNKNOWN_OPTION", 4),
    ([*GIVEN, "--kinship", "nobody"], "UNKNOWN_OPTION", 4),
    ([*GIVEN, "--an-dong", "any"], "UNKNOWN_OPTION", 4),
    ([*GIVEN, "--void-kind", "no"], "UNKNOWN_OPTION", 4),
    ([*GIVEN, "--day-boundary", "midnight"], "UNKNOWN_OPTION", 4),
    (["--time", "--at", AT, "--leap", "no"], "UNKNOWN_OPTION", 4),
    ([*GIVEN, "--type", " "], "INVALID_INPUT", 4),
    (["hexagram", "既济济济"], "UNKNOWN_HEXAGRAM", 4),
    (["explain", "ly.nothing", *GIVEN], "INVALID_INPUT", 4),
    (["verify", "/no/such/file"], "USAGE", 2),
    (["--numbers", "1", "--at", AT], "USAGE", 2),
    (["--numbers", "a,b", "--at", AT], "USAGE", 2),
    (["--coins", "--yarrow", "--at", AT], "USAGE", 2),
    (["--lines", "789876", "--auto", "--at", AT], "USAGE", 2),
    (["dance"], "USAGE", 2),
    (["hexagram"], "USAGE", 2),
    (["types", "more"], "USAGE", 2),
    ([*GIVEN, "--pillars", "丙午 辛卯 丁未 庚戌"], "USAGE", 2),
    (["--time", "--pillars", "丙午 辛卯 丁未 庚戌"], "USAGE", 2),
    ([*GIVEN, "-f", "html"], "USAGE", 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "status"), ERRORS, ids=[f"{code}-{at}" for at, (_, code, _) in enumerate(ERRORS)]
)
def test_an_error_has_its_code_and_exit_status(bazi, arguments, code, status):
    result = bazi("liuyao", *arguments, *([] if "-f" in arguments else ["-f", "json"]))
    assert result.exit_code == status, result.stderr
    assert result.stdout == ""
    assert len(result.stderr) < 5000
    if code != "USAGE":
        assert (
            json.loads(result.stderr.splitlines()[-1] if result.stderr.startswith('{"') else result.stderr)[
                "code"
            ]
            == code
        )


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_an_error_is_told_in_every_language(bazi, lang):
    result = bazi("liuyao", "--lines", "78987", "--at", AT, "--lang", lang)
    assert "YAO_LINES_LENGTH" in result.stderr


def test_a_lone_surrogate_in_the_words_is_written_as_a_question_mark(bazi):
    found = bazi.json("liuyao", *GIVEN, "--question", "问\udc80", "--type", "事\udc80业")
    assert found["divination"]["question"] == "问?"
    assert found["divination"]["questionType"] == "事?业"


def test_the_actions_are_those_of_the_help(bazi):
    text = bazi.text("liuyao", "--help")
    assert all(action in text for action in command.ACTIONS)


@pytest.mark.parametrize("arguments", [("hexagram", "既济"), ("types",), ("cast", "--numbers", "1,5")])
def test_jsonl_is_one_line_of_json_for_every_action(bazi, arguments):
    text = bazi.text("liuyao", *arguments, "-f", "jsonl")
    assert text.count("\n") == 1
    assert json.loads(text) == bazi.json("liuyao", *arguments)


def test_a_verified_record_is_written_on_one_line_too(bazi, tmp_path):
    file = tmp_path / "record.json"
    file.write_text(bazi.text("liuyao", "cast", "--numbers", "1,5", "-f", "jsonl"), "utf-8")
    assert bazi.text("liuyao", "verify", str(file), "-f", "jsonl") == file.read_text("utf-8")


def test_a_cast_is_no_drawing(bazi):
    assert bazi.text("liuyao", "cast", "--numbers", "1,5", "-f", "svg").startswith("上爻")


@pytest.mark.parametrize("form", ["text", "md"])
@pytest.mark.parametrize("flag", ["--question", "--type"])
def test_what_is_asked_sends_nothing_to_the_terminal_and_begins_no_line(bazi, flag, form):
    result = bazi("liuyao", *GIVEN, flag, "\x1b[31mred\nnext\u202e", "-f", form)
    assert result.exit_code == 0
    assert all(line.isprintable() for line in (result.stdout + result.stderr).split("\n"))
    assert "\nnext" not in result.stdout + result.stderr


@pytest.mark.parametrize("method", ["--coins", "--yarrow", "--time", "--lines=789876", "--numbers=1,5"])
def test_a_client_seed_is_not_passed_over_by_a_cast_that_has_none(bazi, method):
    status, problem = bazi.problem("liuyao", "cast", method, "--client-seed", "mine")
    assert (status, problem["message"]) == (2, "--client-seed belongs to --auto")
    assert bazi("liuyao", "cast", method, BAZI_CLIENT_SEED="mine").exit_code == 0


def test_an_empty_client_seed_is_refused_and_not_replaced(bazi):
    assert bazi.problem("liuyao", "cast", "--client-seed", "")[1]["code"] == "INVALID_INPUT"


def test_the_board_tells_dates_and_apart_what_speaks_against_the_sign(bazi):
    lines = bazi.text("liuyao", *GIVEN, "--type", "事业", "--lang", "zh-Hans").splitlines()
    assert "日期  戌日：2026年4月6日、18日、30日；戌月：2026年10月8日14:29（寒露）起" in lines
    at = lines.index("签等  中下签（-1）")
    assert lines[at + 1 : at + 3] == ["依据  月令死 -2", "但    日辰扶或合 +1"]


def test_how_far_ahead_and_about_whom_are_options(bazi):
    found = bazi.json("liuyao", *GIVEN, "--type", "健康", "--kinship", "妈妈", "--horizon", "far")["analysis"]
    chart = ly.derive(cast.lines("789876"), AT)
    assert found == json.loads(json.dumps(chart.analyze("健康", kinship="mother", horizon="far").to_dict()))
    assert found["horizon"] == {"name": "far", "days": 0, "months": 12, "years": 12}
    assert found["yongShen"]["targets"] == ["父母"]


def test_a_question_of_life_and_death_gets_a_board_without_sign_and_time(bazi):
    arguments = (
        *GIVEN, "--type", "健康", "--kinship", "奶奶", "--question", "奶奶能挺过今年吗", "--lang",
        "zh-Hans",
    )  # fmt: skip
    board = bazi.text("liuyao", *arguments)
    assert "生死与寿数，这里不占不断。" in board
    assert not any(
        name in board for name in ("签等  ", "应期", "日期", "上上签", "中上签", "中下签", "下下签")
    )
    assert bazi.json("liuyao", *arguments)["analysis"]["sign"] is None
