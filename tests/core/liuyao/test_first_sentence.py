"""Questions as people type them, and with which sentence the answer begins."""

from __future__ import annotations

import re

import pytest

from bazi_core import liuyao as ly
from bazi_core.speech.plan import Statement
from bazi_core.speech.statements.cast import cast_plan
from tests.core.liuyao.casts import values

AT = "2026-11-20T20:30:00+08:00"
# Boards of all sorts.
BOARDS = [values(number) for number in range(0, 4096, 512)]


def answer(asked: str, lines: object = "789876", at: str = AT) -> list[Statement]:
    """What the running text says first: its first paragraph."""
    found = ly.derive(lines, at).analyze(question=asked)  # type: ignore[arg-type]
    return [each for each in cast_plan(found, asked).statements if each.topic == "answer"]


def text(asked: str, lines: object = "789876", at: str = AT, language: str = "zh-Hans") -> str:
    found = ly.derive(lines, at).analyze(question=asked)  # type: ignore[arg-type]
    return ly.read(found, question=asked, language=language).text


@pytest.mark.parametrize(
    ("asked", "kind", "key"),
    [
        ("am i pregnant", "怀孕", "pregnant"),
        ("my period is 5 days late, am i pregnant", "怀孕", "pregnant"),
        ("是不是怀孕了", "怀孕", "pregnant"),
        ("怀上了吗", "怀孕", "pregnant"),
        ("我女朋友会不会怀孕了", "怀孕", "pregnant"),
        ("Is this mole dangerous?", "疾病", "diagnosis"),
        ("My wallet is missing from the office, did a coworker take it?", "失物", "accused"),
        ("老婆是不是怀上了", "怀孕", "pregnant"),
        ("我爸肺上的结节会不会是癌", "疾病", "diagnosis"),
        ("is it cancer", "疾病", "diagnosis"),
        ("is my dad's lump serious?", "疾病", "diagnosis"),
        ("do i have cancer", "疾病", "diagnosis"),
        ("Will my biopsy come back clear?", "疾病", "diagnosis"),
        ("孩子发烧，是不是新冠", "疾病", "diagnosis"),
        ("手指肿了，严重吗", "疾病", "diagnosis"),
        ("Is my dog's lump cancerous?", "宠物", "diagnosis"),
        ("我爸的手术会成功吗", "疾病", "operation"),
        ("我弟撞了人，对方骨折，会不会坐牢", "官司", "sentence"),
        ("我姐被抓了，会判几年", "官司", "sentence"),
        ("Will my brother go to prison?", "官司", "sentence"),
        ("我撞了人，要赔多少", "官司", "sum"),
        ("My 300 bucks went missing from the drawer, was it Dwayne?", "失物", "accused"),
        ("my roommate took my cash, was it him?", "失物", "accused"),
        ("My laptop was stolen on the train, who took it?", "失物", "accused"),
        ("钱包不见了，谁拿的", "失物", "accused"),
        ("手机是不是被同事拿走的", "失物", "accused"),
        ("Should I sell my Nvidia shares or hold?", "投资", "at_risk"),
        ("Should I hold my bitcoin?", "投资", "at_risk"),
        ("比特币要不要卖", "投资", "at_risk"),
        ("基金什么时候能回本", "投资", "at_risk"),
        ("女占夫有无外情，官鬼申金动化进神，妻财持世", "感情", "third"),
    ],
)
def test_what_no_cast_says_comes_first(asked, kind, key):
    for lines in BOARDS:
        found = ly.derive(lines, AT).analyze(question=asked)
        assert found.question_type == kind
        assert answer(asked, lines)[0].key == f"cast.{key}"


@pytest.mark.parametrize(
    ("asked", "kind", "matter"),
    [
        ("手上这个offer要不要接", "求职", "take"),
        ("新公司给了offer，去不去", "求职", "take"),
        ("offer要不要拒掉", "求职", "take"),
        ("Got offer from a bank. Should I go or stay?", "求职", "take_stay"),
        ("Got an offer from a rival, boss promises promotion if I stay. Should I go or stay?", "升迁", "take_stay"),
        ("面试完没动静是不是凉了", "求职", "still_on"),
        ("两个月前面试的，没消息，是不是没戏了", "求职", "still_on"),
        ("开车追尾了对方要我赔钱，能和解吗", "官司", "settle"),
        ("I rear-ended someone, will they sue me?", "官司", "verdict"),
        ("Applied for UK spouse visa on 2 Oct at VFS Mumbai. When will the decision come?", "文书", "visa"),
        ("Will they pay me before Christmas?", "财运", "paid"),
        ("客户的货款月底前能到吗", "财运", "paid"),
        ("护照赶得上5月2号的机票吗", "文书", "visa"),
        ("Will I get pregnant this year?", "怀孕", "conceived"),
        ("今年能怀孕吗", "怀孕", "conceived"),
        ("妈妈的老毛病会好吗", "疾病", "recovery"),
    ],
)  # fmt: skip
def test_the_first_sentence_answers_in_the_words_of_the_question(asked, kind, matter):
    for lines in BOARDS:
        assert ly.derive(lines, AT).analyze(question=asked).question_type == kind
        first = answer(asked, lines)[0]
        assert first.key.startswith(("cast.verdict.", "cast.should."))
        told = {value.key for value in first.values.values() if hasattr(value, "key")}
        assert {f"cast.matter.{matter}.yes", f"cast.matter.{matter}.no"} <= told or first.key.endswith(
            ".open"
        )


@pytest.mark.parametrize(
    "asked", ["am i pregnant", "我爸肺上的结节会不会是癌", "会不会坐牢", "孩子发烧，是不是新冠"]
)
def test_what_is_not_judged_has_no_lean_no_grade_and_no_day(asked):
    for lines in BOARDS:
        found = ly.derive(lines, AT).analyze(question=asked)
        assert found.ungraded
        said = {each.key for each in cast_plan(found, asked).statements}
        weighed = (
            "cast.verdict",
            "cast.why",
            "cast.omens",
            "cast.condition",
            "cast.when",
            "cast.times",
            "cast.illness",
        )
        assert not any(key.startswith((*weighed, "cast.points")) for key in said)
        assert not re.search(r"\d{4}年|签", text(asked, lines))


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        ("My brother went missing nov 16, will he be found?", AT),
        ("我8月3号交的辞职信，公司会批吗", "2026-09-01T10:00:00+08:00"),
        ("Applied for UK spouse visa on 2 Oct. When will the decision come?", AT),
    ],
)
def test_a_day_that_is_over_is_not_told_as_asked_of(asked, at):
    said = answer(asked, at=at)
    assert not any(each.key.startswith(("cast.named_day", "cast.limit")) for each in said)
    assert "2027年" not in text(asked, at=at)


def test_of_two_days_the_one_to_come_is_the_limit():
    asked = "护照9月1号就送去换了，9月28号出发，来得及吗"
    said = text(asked, at="2026-09-10T10:00:00+08:00")
    assert "2026年9月28日" in said
    assert "9月1日" not in said


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        ("护照赶得上5月2号的机票吗", "2027-05-02"),
        ("Will they pay me before Christmas?", "2026-12-25"),
        ("My landlord wants the flat back on 20 December. Will I find a new place by then?", "2026-12-20"),
        ("最迟12月10日要交房租，工资能发下来吗", "2026-12-10"),
        ("年底前能拿到尾款吗", "2026-12-31"),
        ("老板会在春节前发工资吗", "2027-02-06"),
        ("三天内能还钱吗", "2026-11-23"),
        ("Will she text me within two weeks?", "2026-12-04"),
        ("另一offer周五到期，这家面试完没动静是不是凉了", "2026-11-20"),
    ],
)
def test_whether_it_comes_before_a_limit_is_said_in_the_first_paragraph(asked, limit):
    for lines in BOARDS:
        said = answer(asked, lines)
        told = [each for each in said if each.key.startswith("cast.limit.")]
        assert len(told) == 1
        assert told[0].values["limit"].values == ((limit,),)
        stance = said[0].key.rpartition(".")[2]
        assert told[0].key.split(".")[2] == {"rather": "yes", "hardly": "no"}.get(stance, stance)
        for each in told[0].values.get("dates", ()):
            assert AT[:10] < str(each.values[0][0][0]) <= limit or each.key != "dates.nearest"
        assert not any(each.key.startswith("cast.times.beyond") for each in cast_plan(
            ly.derive(lines, AT).analyze(question=asked), asked).statements)  # fmt: skip


def test_no_timing_is_denied_before_a_limit_that_the_table_of_days_has():
    told = set()
    for lines in [values(number) for number in range(0, 4096, 64)]:
        found = ly.derive(lines, AT).analyze(question="八天内钱能要回来吗")
        days = {each.date for rule in found.timing for each in found.dates(rule) if each.unit == "日"}
        keys = {
            each.key.rpartition(".")[2]
            for each in cast_plan(found).statements
            if each.key.startswith("cast.limit.")
        }
        assert keys != {"out"} or not any(AT[:10] < each < "2026-11-28" for each in days)
        told |= keys
    assert told >= {"in", "out", "early"}


def test_what_is_void_waits_for_its_own_day_once_the_ten_days_are_over():
    asked = "My cat slipped out on Sunday night. Will she come home?"
    said = text(asked, "687787", "2026-11-24T14:05:00+00:00", "en")
    # 壬寅 is of 甲午旬, in which 辰 is void; 甲辰 opens the next ten days.
    assert "the nearest being 26 November 2026" in said
    assert "8 December" not in said
    assert said.index("26 November 2026") < said.index("2 December 2026")


def test_an_earlier_day_is_told_as_sooner():
    seen = set()
    for number in range(0, 4096, 7):
        found = ly.derive(values(number), AT).analyze(question="钱包丢了，找得到吗？")
        for each in cast_plan(found).statements:
            if each.key == "cast.times.days.sooner":
                seen.add(number)
                told = re.findall(r"(\d{4})年(\d+)月(\d+)日", ly.read(found, question=found.question).text)
                days = [tuple(map(int, day)) for day in told]
                assert days[-1] < min(days[:-1])
    assert seen


def test_no_hand_is_seen_in_the_own_line_of_the_asker():
    for number in range(0, 4096, 9):
        found = ly.derive(values(number), AT).analyze(question="钱包丢了，找得到吗？")
        for each in cast_plan(found).statements:
            if each.key == "cast.thing.hand":
                assert found.lines[each.values["place"].position - 1].mark != "世"


@pytest.mark.parametrize("asked", ["戒指还在不在家里", "Is my ring still in the house?"])
def test_whether_it_is_at_home_is_answered_by_the_half(asked):
    for lines in BOARDS:
        found = ly.derive(lines, AT).analyze(question=asked)
        first = answer(asked, lines)[0].key
        position = found.subject.position if found.subject.source in ("line", "hidden") else None
        if position == found.chart.primary.shi:
            assert first == "cast.side.self"
        elif found.subject.source == "line":
            assert first == ("cast.side.inner" if position <= 3 else "cast.side.outer")


def test_the_relative_who_did_it_is_the_one_in_court():
    found = ly.derive("789876", AT).analyze(question="我弟撞了人，对方要他赔，能和解吗")
    assert (found.question_type, found.kinship, found.subject.target) == ("官司", "brother", "兄弟")
    assert ly.derive("789876", AT).analyze(question="我弟欠我钱，打官司能赢吗").kinship is None


def test_whom_a_cast_is_for_stands_behind_the_word_for_casting():
    found = ly.derive("789876", AT).analyze(question="女占夫有无外情，官鬼申金动化进神，妻财持世")
    assert (found.kinship, found.subject.target) == ("husband", "官鬼")


def test_a_kind_of_question_is_named_in_the_language_of_the_warning():
    warning = ly.derive("789876", AT).analyze("感情").warnings[-1]
    assert warning.text("en").startswith("Who asks about love is not known")
    assert warning.data == {"questionType": "感情"}
