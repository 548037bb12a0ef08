"""`bazi liuyao --read`: the board with its reading under it."""

import json

import pytest

from bazi_core import liuyao as ly
from bazi_core.questions.safety import disclaimer

AT = "2026-04-03T20:30:00+08:00"
GIVEN = ("liuyao", "--lines", "789876", "--at", AT, "--type", "事业")


def test_the_reading_stands_under_the_board_and_ends_with_the_disclaimer(bazi):
    board, told = bazi.text(*GIVEN), bazi.text(*GIVEN, "--read")
    assert told.startswith(board)
    assert disclaimer().replace("，", "")[:12] in told.replace("\n", "").replace("，", "")


def test_json_has_the_reading_beside_the_two_objects(bazi):
    found = bazi.json(*GIVEN, "--read", "--question", "换工作？")
    assert [*found] == ["divination", "analysis", "reading"]
    wanted = ly.read(ly.derive("789876", AT).analyze("事业"), question="换工作？").to_dict()
    assert found["reading"] == json.loads(json.dumps(wanted))


@pytest.mark.parametrize(("lang", "word"), [("zh-Hant", "中下籤"), ("en", "less favourable sign (中下签)")])
def test_the_reading_is_in_the_language_that_is_asked_for(bazi, lang, word):
    assert word in bazi.text(*GIVEN, "--read", "--lang", lang)


def test_markdown_ends_with_the_reading(bazi):
    assert bazi.text(*GIVEN, "--read", "-f", "md").rstrip().endswith(disclaimer())


def test_somebody_in_distress_sees_no_board(bazi):
    said = bazi.text(*GIVEN, "--read", "--question", "我不想活了")
    assert "急救电话" in said.replace("\n", "")
    assert "水火既济" not in said


def test_a_model_that_cannot_be_reached_is_replaced_by_the_rules_with_a_note(bazi, monkeypatch):
    monkeypatch.setenv("BAZI_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BAZI_LLM_MODEL", "none")
    result = bazi(*GIVEN, "--read", "--reader", "model")
    assert "规则" in result.stderr or "rules" in result.stderr
    assert "中下签" in result.stdout


def test_who_is_in_distress_is_not_told_that_this_is_no_kind_of_question(bazi):
    result = bazi(*GIVEN, "--type", "我不想活了", "--read")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "急救" in result.stdout
