"""The check of a reply: nine steps, each with what it catches; the first three stop, the others collect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bazi_core.readings.fakes import reply_of
from bazi_core.readings.port import ReadingReply
from bazi_core.readings.reading import Reading
from bazi_core.readings.reply import LONGEST, LONGEST_DETAIL, Checked, check_reply
from bazi_core.readings.requests import build_request, facts_of, required_of
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.written import pattern, said, sentences, written, year

YEAR = year()


def checked(reply: Any, result: Any = YEAR, language: str = "zh-Hans", **options: Any) -> Any:
    request = build_request(result, language=language, **options)
    return check_reply(request, reply_of(reply), facts_of(result), required_of(result))


def found(value: Any, **options: Any) -> set[tuple[int, str]]:
    problems = checked(value, **options)
    assert not isinstance(problems, Checked)
    assert all(len(each.detail) <= LONGEST_DETAIL for each in problems)
    return {(each.step, each.code) for each in problems}


def with_sentence(sentence: dict[str, Any], language: str = "zh-Hans") -> dict[str, Any]:
    """An honest reading with one more sentence."""
    value = written(YEAR, language)
    value["sections"][0]["sentences"].append(sentence)
    return value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("result", [pattern(), YEAR], ids=["pattern", "year"])
@pytest.mark.parametrize("length", ["short", "standard", "long"])
def test_an_honest_reading_passes_as_text_and_as_value(result, language, length):
    value = written(result, language, length)
    for reply in (value, json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        passed = checked(reply, result, language, length=length)
        assert isinstance(passed, Checked), passed[:3]
        assert passed.reading == Reading.from_dict(value)
        assert passed.report.verdict == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "Sure! Here is your reading.", "{", '{"title": "x"', "```json\n{}\n```", '{"a": 1} {"b": 2}', "NaN",
        '{"title": NaN}', '{"title": "x", "title": "y"}', "[" * 100_000, '{"a": ' * 30_000, "1" * 5000, "\x00",
        '{"title": "x",}', "\ufeff{}",
    ],
)  # fmt: skip
def test_step_1_what_is_no_json_is_refused(text):
    assert [(each.step, each.code) for each in checked(text)] == [(1, "JSON")]


def test_step_1_a_reply_that_was_cut_off_is_told_to_be_shorter():
    (problem,) = checked(ReadingReply(json.dumps(written(YEAR))[:300], finish_reason="length"))
    assert problem.code == "CUT_OFF"
    assert "shorter" in problem.detail


def test_step_1_a_reply_without_end_is_not_even_parsed():
    (problem,) = checked(" " * (LONGEST + 1))
    assert problem.code == "TOO_LONG"


@pytest.mark.parametrize("value", [{1, 2}, object(), {"title": float("nan")}, {"title": b"x"}])
def test_step_1_a_parsed_value_that_is_no_json_is_refused(value):
    assert found(ReadingReply(parsed=value)) == {(1, "JSON")}


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(score=99),
        lambda value: value.pop("keywords"),
        lambda value: sentences(value)[0].update(html="<b>x</b>"),
        lambda value: sentences(value)[0].update(kind="prophecy"),
        lambda value: sentences(value)[0].update(kind="disclaimer"),
        lambda value: sentences(value)[0].update(hedge="yes"),
        lambda value: sentences(value)[0].update(text=""),
        lambda value: sentences(value)[0].update(text="长" * 401),
        lambda value: sentences(value)[0].update(evidence=[]),
        lambda value: sentences(value)[0].update(evidence=["ln.2026", "ln.2026"]),
        lambda value: sentences(value)[0].update(evidence=["Robert'); DROP TABLE"]),
        lambda value: value["sections"][0].update(key="death"),
        lambda value: value["sections"].append(value["sections"][0]),
        lambda value: value["sections"][0].update(sentences=[]),
        lambda value: value["summary"].extend(value["summary"] * 3),
        lambda value: value.update(title=["x"]),
    ],
)
def test_step_2_what_breaks_the_schema_is_refused(change):
    value = written(YEAR)
    change(value)
    assert {step for step, _ in found(value)} == {2}


def test_step_2_a_section_that_was_to_be_left_out_is_refused():
    from bazi_core.readings.question import question

    value = written(YEAR, length="standard")
    assert found(value, length="standard", question=question("我的病会好吗")) == {(2, "ENUM")}


def test_step_2_more_sentences_than_wished_are_refused():
    assert found(written(YEAR, length="long"), length="short") >= {(2, "TOO_LONG")}


@pytest.mark.parametrize("name", ["ln.2027", "yr.2026.E-01", "p.day.branch.x", "pat.mainn"])
def test_step_3_an_id_that_is_no_fact_ends_the_check(name):
    value = with_sentence(said("今年宜稳。", name))
    value["title"] = "日主甲木从财格"
    (problem,) = checked(value)
    assert (problem.step, problem.code) == (3, "UNKNOWN_ID")
    assert problem.path.endswith(f"sentences[{len(value['sections'][0]['sentences']) - 1}].evidence[0]")


def test_step_3_a_fact_that_was_not_shown_may_not_be_cited():
    request = build_request(YEAR)
    hidden = sorted(facts_of(YEAR).keys() - request.fact_ids)[0]
    assert found(with_sentence(said("今年宜稳。", hidden))) == {(3, "UNKNOWN_ID")}


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        (said("日主甲木身弱。", "p.day.stem", "str.verdict"), 4),
        (said("格局为正官格。", "pat.main"), 4),
        (said("流年丙午。", "pat.main"), 4),
        (said("2027年流年丁未。", "ln.2026"), 4),
        (said("下一年是羊年，宜早作打算。", kind="advice"), 4),
        (said("今年三十八岁。", "ln.2026.age"), 4),
        (said("格局不是七杀格。", "pat.main"), 5),
        (said("忌神为水。", "yong.primary"), 5),
        (said("年干辛为劫财。", "tg.month.stem"), 6),
    ],
)
def test_steps_4_to_6_claims_that_the_facts_do_not_support_are_refused(sentence, step):
    assert step in {step for step, _ in found(with_sentence(sentence))}


@pytest.mark.parametrize("place", ["title", "keywords"])
def test_steps_4_to_6_hold_for_the_title_and_the_keywords(place):
    value = written(YEAR)
    value[place] = "从财格之年" if place == "title" else ["从财格"]
    problems = checked(value)
    assert problems[0].code == "VOCABULARY"
    assert problems[0].path.startswith(place)


@pytest.mark.parametrize(
    "text",
    [
        "今年有血光之灾。", "此年克夫。", "买一串开光手串可化解。", "今年必有官司。",
        "详见 https://example.com 。", "详见 [这里](x)。",
        "You will die.", "加微信号 abcdefghijklmnopqrstuvwxyz0123456789abcdefgh 。", "今年投资稳赚。", "彩票可买。",
    ],
)  # fmt: skip
def test_step_7_what_must_not_be_said_is_refused(text):
    assert (7, "UNSAFE") in found(with_sentence(said(text, kind="advice")))


def test_step_7_holds_for_the_title_and_the_keywords():
    value = written(YEAR)
    value["title"], value["keywords"] = "血光之年", ["短命"]
    assert {each.path for each in checked(value) if each.code == "UNSAFE"} == {"title", "keywords[0]"}


@pytest.mark.parametrize(
    ("language", "wrong"), [("zh-Hans", "en"), ("zh-Hant", "en"), ("en", "zh-Hans"), ("en", "zh-Hant")]
)
def test_step_8_a_reading_in_another_language_is_refused(language, wrong):
    assert (8, "LANGUAGE") in found(written(YEAR, wrong), language=language)


def test_step_9_a_reading_that_fits_anybody_is_refused():
    value = written(YEAR)
    value["summary"] = [said("这一年有得有失，宜稳中求进。", kind="advice")]
    value["sections"] = [{"key": "advice", "sentences": [said("凡事多与家人商量。", kind="advice")]}]
    value.update(title="这一年", keywords=["稳"])
    assert found(value) == {(9, "COVERAGE")}


def test_from_step_4_on_every_problem_is_told():
    value = with_sentence(said("格局为正官格，必有官司，日主甲木。", "pat.main"))
    value["title"] = "从财格之年"
    assert {step for step, _ in found(value)} >= {4, 7}
    assert len(checked(value)) >= 4


def test_a_term_in_letters_composed_otherwise_is_the_same_term():
    value = written(YEAR, "en")
    value["title"] = "A cafe\u0301 year"
    assert isinstance(checked(value, language="en"), Checked)


def test_a_compatibility_ideograph_does_not_hide_a_claim():
    problems = checked(with_sentence(said("用神为\uf90a。", "yong.primary")))
    assert {each.code for each in problems} == {"VOCABULARY"}


def test_problems_are_ready_for_json():
    problems = checked(with_sentence(said("格局为正官格。", "pat.main")))
    assert json.loads(json.dumps([each.to_dict() for each in problems]))[0]["step"] == 4
