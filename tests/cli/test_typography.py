"""Chinese lines carry the punctuation of Chinese, and nothing is wider than the display."""

import re

import pytest

from bazi_core.render.width import width

BORN = ("1988-08-18 13:30", "--city", "北京", "--gender", "male", "--as-of", "2026-02-04")
YEAR = (*BORN[:-2], "--year", "2026")
COMMANDS = {
    "chart": ("chart", *BORN, "--years"),
    "pillars": ("chart", "--pillars", "戊辰 庚申 乙巳 壬午"),
    "reasons": ("chart", *BORN, "--explain"),
    "sensitivity": ("chart", *BORN[:-2], "--sensitivity"),
    "luck": ("luck", *BORN, "--year", "2026", "--years"),
    "year": ("year", *YEAR),
    "hour": ("hour", "1988-08-18", "--city", "北京"),
    "read": ("read", *BORN[:-2]),
    "liuyao": ("liuyao", "--lines", "789876", "--at", "2026-04-03T20:30:00+08:00", "--type", "exam"),
    "types": ("liuyao", "types"),
    "hexagram": ("liuyao", "hexagram", "既济"),
    "place": ("place", "西安"),
    "calendar": ("calendar", "2026-02"),
    "convert": ("convert", "2040-01-01"),
}
# Half-width brackets, colons and arrows beside hanzi.
HALF = re.compile(r"[\u4e00-\u9fff] ?[(;:!?]|[)]\s?[\u4e00-\u9fff]|<=|->|<-|\([^)]*[\u4e00-\u9fff]")


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("command", COMMANDS)
def test_chinese_lines_have_no_half_width_brackets_and_arrows(bazi, command, lang):
    told = bazi.text(*COMMANDS[command], "--lang", lang)
    assert [line for line in told.splitlines() if HALF.search(line)] == []


@pytest.mark.parametrize("columns", ["60", "80", "120"])
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_overflows(bazi, command, lang, columns):
    lines = bazi.text(*COMMANDS[command], "--lang", lang, COLUMNS=columns).splitlines()
    assert [line for line in lines if width(line) > int(columns)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_in_english_no_line_begins_with_the_hanzi_of_the_word_before(bazi, command):
    told = bazi.text(*COMMANDS[command], "--lang", "en", COLUMNS="60")
    cut = re.compile(r"^ *\([\u4e00-\u9fff]{1,6}\)|^[a-z]{1,3} [0-9]+ (?:h|min)", re.MULTILINE)
    outside_tables = "\n".join(line for line in told.splitlines() if line[:1] not in "┌│├└")
    assert cut.findall(outside_tables) == []


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_both_ages_are_explained_under_the_table_of_luck(bazi, lang):
    told = bazi.text("luck", *BORN, "--lang", lang)
    assert {"zh-Hans": "虚岁：出生之年为1岁", "zh-Hant": "虛歲：出生之年為1歲", "en": "Nominal age (虚岁)"}[
        lang
    ] in told


def test_a_kind_of_question_in_english_is_the_chinese_one(bazi):
    given = ("liuyao", "--lines", "789876", "--at", "2026-04-03T20:30:00+08:00")
    for lang in ("zh-Hans", "en"):
        assert bazi.text(*given, "--type", "Lost things", "--lang", lang) == bazi.text(
            *given, "--type", "失物", "--lang", lang
        )
