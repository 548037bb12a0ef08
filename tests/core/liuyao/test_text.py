"""The printed board: every line and mark is there, in three languages, at every width, and as Markdown."""

from __future__ import annotations

import re
from itertools import product

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput, UnknownOption
from bazi_core.liuyao.policy import POLICIES
from bazi_core.liuyao.text import analysis_markdown, analysis_text, hexagram_text, types_text
from bazi_core.render.width import width
from bazi_core.tables import rows
from bazi_core.tables.cast_words import glossed, word
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, FOUR, analysis, time_of, values
from tests.tables import holds_for_all

BOARDS = {
    "time": ly.derive("789876", AT).analyze("财运"),
    "two hidden": ly.derive("787887", AT).analyze("婚姻"),
    "still": ly.derive("777777", pillars=FOUR).analyze(),
    "all moving": ly.derive("999999", month_branch="午", day="甲子").analyze("事业"),
    "reversed": analysis("坤", 2, 3, 5, 6, month="酉", day="壬辰", ask="官司"),
    "near": ly.derive("666666", "2026-04-05T02:40:30+08:00").analyze("占什么"),
}


@pytest.fixture(params=BOARDS)
def found(request: pytest.FixtureRequest) -> ly.Analysis:
    return BOARDS[request.param]


@holds_for_all("lang, columns", product(LANGUAGES, [40, 60, 80]))
def test_every_board_fits_the_display_and_its_tables_align(found, lang, columns):
    lines = analysis_text(found, lang, columns, "问?").splitlines()
    assert max(map(width, lines)) <= columns
    tables = re.findall(r"^┌.*?^└[^\n]*$", "\n".join(lines), re.MULTILINE | re.DOTALL)
    assert tables
    for each in tables:
        assert len({width(line) for line in each.splitlines()}) == 1


def test_below_forty_columns_nothing_gets_narrower(found):
    assert analysis_text(found, columns=1) == analysis_text(found, columns=40)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_ends_with_a_space_and_the_text_with_one_line_end(found, lang):
    text = analysis_text(found, lang)
    assert not re.search(r"[ \t]$", text, re.MULTILINE)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_line_six_stands_on_top():
    text = analysis_text(BOARDS["time"])
    spirits = re.findall("青龙|朱雀|勾陈|螣蛇|白虎|玄武", text)
    assert spirits == ["青龙", "玄武", "白虎", "螣蛇", "勾陈", "朱雀"]


def test_bars_show_yang_yin_and_motion():
    text = analysis_text(BOARDS["time"])
    rows_ = [line for line in text.splitlines() if "━━" in line]
    left = [re.search(r"━━(━━━|   )━━( o| x)?", line) for line in rows_]
    shown = [("1" if each[1] == "━━━" else "0") + (each[2] or "") for each in left if each]
    # 既济 from line 6 down, lines 6 and 3 moving.
    assert shown == ["0 x", "1", "0", "1 o", "0", "1"]


def test_marks_of_lines_are_words():
    text = analysis_text(BOARDS["time"])
    for each in ("世", "应", "妻财", "戊午火", "回头克，化墓", "日破", "假空", "化泄，化空"):
        assert each in text


def test_the_head_tells_time_pillars_and_what_month_and_day_do():
    text = analysis_text(BOARDS["time"], question="换 工作")
    for each in (
        "六爻  水火既济之风雷益", "所占  换 工作 财运", "2026-04-03 20:30:00 +08:00", "丙午 辛卯 丁未 庚戌",
        "旬空 寅卯", "月破 酉", "日冲 丑",
        "水火既济  坎宫，三世，水", "风雷益  巽宫，三世，木",
    ):  # fmt: skip
        assert each in text, each


def test_a_board_without_motion_has_no_target():
    text = analysis_text(BOARDS["still"])
    assert "既济之" not in text
    assert "之卦" not in text


def test_transition_and_reversal_are_named():
    text = analysis_text(BOARDS["reversed"])
    assert "六冲变六冲" in text
    assert "反吟" in text


def test_what_is_judged_stands_below_with_the_note_on_the_sign():
    text = analysis_text(BOARDS["time"])
    assert "用神  妻财 三爻 戊午 伏神" in text
    assert re.search(r"签等  .上签|签等  .下签", text)
    assert "不是古法" in text


def test_a_question_cannot_draw_on_the_terminal():
    text = analysis_text(BOARDS["time"], question="\x1b[31m红\x07\n第二行\u202e")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_of_every_board_is_in_the_language(lang):
    for number in range(0, 4096, 97):
        month, day = time_of(number)
        text = ly.derive(values(number), month_branch=month, day=day).analyze("失物").chart.text(lang)
        if lang == "zh-Hant":
            assert not re.search("[财孙应动冲发宫变绝龙阳阴离临为]", text), text


def test_every_word_has_its_traditional_and_english_form():
    for table in ("relatives", "spirits", "lines", "stars", "words"):
        for row in rows(f"liuyao/{table}"):
            assert word(row["name"], "zh-Hant") == row["name_hant"] != ""
            assert row["en"]
            assert not re.search(r"[\u4e00-\u9fff]", row["en"])
    for row in rows("liuyao/hexagrams"):
        assert re.fullmatch(r"[A-Za-zü]+", row["pinyin"])
        assert glossed(row["full"], "en") == f"{row['full']} {row['pinyin']}, {row['gloss']}"


def test_pinyin_of_hexagrams_is_told_apart():
    glosses = [row["gloss"] for row in rows("liuyao/hexagrams")]
    assert len({*glosses}) == 64


@pytest.mark.parametrize("lang", ["", "zh", "de", None, 5, [], "\ud800"])
def test_another_language_is_refused(lang):
    with pytest.raises(UnknownOption):
        BOARDS["time"].chart.text(lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown_has_the_same_lines_in_a_table(found, lang):
    text = analysis_markdown(found, lang, "问|?")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) >= 8
    cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
    assert len(cells) == 1
    assert text.startswith("# ")
    assert text.endswith("\n")


def test_markdown_takes_no_markup_from_a_question():
    text = analysis_markdown(BOARDS["time"], question="<script>alert(1)</script> [x](y) *z*\n# 大")
    assert "<script>" not in text
    assert "\n# 大" not in text


@holds_for_all("each", ly.HEXAGRAMS)
def test_a_hexagram_is_printed_with_its_hidden_lines(each):
    text = hexagram_text(each)
    assert text.startswith(f"{each.number}  {each.full_name}  ")
    assert all(pillar.value in text for pillar in each.pillars)
    assert all(f"{hidden.relation} {hidden.pillar}" in text for hidden in each.hidden)
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_kinds_of_questions_are_listed_with_what_they_ask_for(lang):
    text = types_text(lang)
    for row in rows("liuyao/question_types"):
        assert glossed(row["label"], lang) in text


@pytest.mark.parametrize("columns", [None, "80", 80.0, True, []])
def test_columns_are_a_whole_number(columns):
    with pytest.raises(InvalidInput):
        ly.derive("789876", AT).text("en", columns)


def test_the_choices_that_could_have_been_others_are_told():
    policy = ly.LiuyaoPolicy(an_dong="hjc_any", void_kind="raw")
    chart = ly.derive("789876", AT, policy=policy)
    for lang, told in (
        ("zh-Hans", "静爻逢日冲皆为暗动；用神不现看月、日、变爻、伏神；旬空不分真假；23:00 换日"),
        ("zh-Hant", "靜爻逢日沖皆為暗動；用神不現看月、日、變爻、伏神；旬空不分真假；23:00 換日"),
        ("en", "a still line clashed by the day always moves (暗动); an absent useful line is sought "
               "in month, day, changed lines, hidden lines; true and seeming void not told apart; days turn at 23:00"),
    ):  # fmt: skip
        assert f"  {told}\n" in analysis_text(chart.analyze(), lang, 400)
    assert "换日" not in ly.derive("789876", pillars=FOUR).text()


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize(("name", "values"), [*POLICIES.items()])
def test_no_choice_is_told_by_its_code(lang, name, values):
    for value in values:
        told = analysis_text(
            ly.derive("789876", AT, policy=ly.LiuyaoPolicy(**{name: value})).analyze(), lang, 400
        )
        assert not any(
            code in told
            for code in (*POLICIES, *(code for codes in POLICIES.values() for code in codes if "_" in code))
        )


@pytest.mark.parametrize(
    ("lang", "places"),
    [
        ("zh-Hans", ("上爻", "五爻", "四爻", "三爻", "二爻", "初爻")),
        ("en", ("line 6", "line 5", "line 4", "line 3", "line 2", "line 1")),
    ],
)
def test_every_line_of_a_board_says_which_it_is(lang, places):
    for text in (analysis_text(BOARDS["time"], lang, 200), hexagram_text(ly.hexagram("既济"), lang)):
        cells = [line.split("│")[1].strip() for line in text.splitlines() if line.startswith("│")]
        assert tuple(cell for cell in cells if cell in places) == places


def test_a_hidden_line_is_spelled_as_the_others_are():
    assert "戊午 Horse, Fire" in ly.derive("789876", AT).text("en")


def test_in_english_a_seat_is_at_its_line():
    text = analysis_text(ly.derive("789876", AT).analyze("官司"), "en", 200)
    assert "世 self line at line 3 己亥" in text
    assert "line line" not in text
