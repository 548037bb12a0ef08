"""What a cast tells beside its verdict: the other option, advice that fits, a date once, marks of the hexagram."""

from __future__ import annotations

import re

import pytest

from bazi_core import liuyao as ly
from bazi_core.speech.statements.cast import cast_plan
from tests.core.liuyao.casts import AT, values

DATE = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日")


def keys_of(found: ly.Analysis) -> set[str]:
    return {each.key for each in cast_plan(found).statements}


@pytest.mark.parametrize(
    ("asked", "key", "named"),
    [
        ("房东涨租，续租还是搬？", "cast.asked.option", "搬不搬请另起一卦"),
        ("拿到两个offer，选哪个好？", "cast.asked.choose", "一个一个另起一卦"),
        ("两个人都追我，选哪个好？", "cast.asked.choose.love", "一人另起一卦"),
    ],
)
def test_of_two_options_one_is_answered_and_the_other_named(asked, key, named):
    found = ly.derive("787978", AT).analyze(question=asked)
    assert key in keys_of(found)
    assert named in ly.read(found, question=asked).text


@pytest.mark.parametrize(
    ("asked", "todo"),
    [
        ("面试完了，什么时候给消息？", "interviewed"), ("这次面试能成吗？", "hired"), ("要不要表白？", "confess"),
        ("官司打得赢吗？", "verdict"), ("这场官司要不要庭外和解？", "settle"), ("朋友欠我的钱会还吗？", "debt"),
        ("店转得出去吗？", "sold"), ("房东会续租吗？", "renew"), ("我欠的债还得清吗？", "owing"),
    ],
)  # fmt: skip
def test_advice_fits_the_matter(asked, todo):
    said = keys_of(ly.derive("787978", AT).analyze(question=asked))
    assert f"cast.todo.{todo}" in said
    assert not any(key.startswith("cast.advice.") and key.endswith("签") for key in said)


def test_a_lease_is_dated_within_a_year():
    found = ly.derive("787978", "2026-11-26T15:30:00+08:00").analyze(question="房东涨租，续租还是搬？")
    assert found.horizon.name == "middle"
    assert not re.search(r"20[3-9]\d", ly.read(found, question=found.question).text)


@pytest.mark.parametrize("asked", ["他什么时候会联系我？", "钱包丢了，找得到吗？", "这次面试能成吗？", None])
def test_a_date_is_told_once(asked):
    for number in range(0, 4096, 130):
        found = ly.derive(values(number), "2026-11-26T15:30:00+08:00").analyze(
            "财运" if asked is None else None, question=asked
        )
        dates = DATE.findall(ly.read(found, question=asked).text)
        assert len(dates) == len({*dates}), number


def test_a_hexagram_that_turns_over_as_a_whole_goes_back_and_forth():
    found = ly.derive("677768", AT).analyze(question="他喜欢我吗？")
    omens = [each for each in cast_plan(found).statements if each.key.startswith("cast.omens.")]
    assert "cast.omen.卦反吟" in {part.key for each in omens for part in each.values["omens"].members}


def test_six_harmonies_of_a_recent_illness_are_told():
    found = ly.derive("868797", AT).analyze(question="感冒三天了，什么时候能好？")
    omens = [each for each in cast_plan(found).statements if each.key.startswith("cast.omens.")]
    assert "cast.omen.病合.near" in {part.key for each in omens for part in each.values["omens"].members}
