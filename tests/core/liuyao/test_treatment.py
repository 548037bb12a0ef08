"""Of a treatment a cast says how strength stands and leaves it to the doctor: no advice to act, no grade, no date."""

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.text import analysis_text
from bazi_core.speech.plan import NEITHER
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, values

TREATED = (
    "查出个结节，要不要切？", "老豆入咗院，使唔使轉院？", "媽媽下禮拜開心臟手術會順利嗎？", "女儿发烧三天了，要不要去医院？",
    "Should Dad have the operation?", "They found a lump. Should I have surgery?", "狗要不要开刀？",
    "我该不该剖腹产，医生说都可以",
)  # fmt: skip
GRADES = ("上上签", "中上签", "中下签", "下下签", "上上籤", "中上籤", "中下籤", "下下籤")


@pytest.mark.parametrize("asked", TREATED)
def test_no_cast_decides_on_a_treatment(asked):
    for number in range(0, 4096, 400):
        found = ly.derive(values(number), AT).analyze(question=asked)
        assert found.treats
        assert "ly.sign" not in found.facts
        assert found.to_dict()["sign"] is None
        said = [each.key for each in cast_plan(found).statements]
        assert not any(key.startswith(("cast.should.", "cast.points", "cast.condition.")) for key in said)
        assert not any(key.startswith("cast.advice.") and key[12:] in GRADES for key in said)
        assert any(key.startswith("cast.treatment") for key in said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_decides_and_no_grade_is_told(language):
    asked = "女儿发烧三天了，要不要去医院？"
    found = ly.derive("868797", AT).analyze(question=asked)
    result = ly.read(found, question=asked, language=language)
    told = {"zh-Hans": "都听医生的", "zh-Hant": "都聽醫生的", "en": "is for the doctor"}[language]
    assert told in result.text
    assert result.sign_level is None
    assert not any(grade in result.text + "".join(result.reading.keywords) for grade in GRADES)
    assert not any(grade in analysis_text(found, language) for grade in GRADES)


def test_a_recent_illness_is_dated_in_days_and_an_old_one_is_not():
    chart = ly.derive("868797", "2026-12-03T10:20:00+08:00")
    near, old = (
        ly.read(chart.analyze(question=asked), question=asked).text
        for asked in ("女儿发烧三天了，什么时候能退？", "女儿的老毛病什么时候能好？")
    )
    assert "2026年12月8日" in near
    assert "2026年12月" not in old


def test_the_illness_is_glossed_as_the_illness():
    asked = "我的病什么时候能好？"
    texts = [
        ly.read(ly.derive(values(number), AT).analyze(question=asked), question=asked).text
        for number in range(0, 4096, 300)
    ]
    assert any("官鬼（身上的不适）" in text for text in texts)
    assert not any("官鬼（职位" in text for text in texts)


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("下周的手术顺利吗", "cast.operation"),
        ("Will my mother's operation next week go well?", "cast.operation"),
        ("妈妈去复查乳腺，会不会是不好的东西", "cast.diagnosis"),
        ("肺上有结节，是不是癌", "cast.diagnosis"),
        ("Is the lump benign?", "cast.diagnosis"),
    ],
)
def test_how_an_operation_goes_and_what_an_illness_is_are_not_judged(asked, key):
    for number in range(0, 4096, 800):
        found = ly.derive(values(number), AT).analyze(question=asked)
        said = [each.key for each in cast_plan(found).statements]
        assert said[0] == key
        assert not any(
            each.startswith(("cast.verdict", "cast.why", "cast.condition", "cast.when", "cast.points"))
            for each in said
        )
        assert not any(each.startswith("cast.times") for each in said)


def test_whether_a_lost_animal_lives_is_not_said_and_where_to_look_is():
    found = ly.derive("789876", AT).analyze(question="我家猫昨晚跑出去了没回来，还活着吗，往哪找")
    said = [each.key for each in cast_plan(found).statements]
    assert said[0] == "cast.alive"
    assert any(each.startswith("cast.place") for each in said)


def test_a_cast_is_no_evidence_of_somebody_else():
    found = ly.derive("789876", AT).analyze(question="老公外面是不是有人了")
    assert cast_plan(found).statements[0].key == "cast.third"


@pytest.mark.parametrize(
    "asked",
    [
        "媽媽下禮拜開心臟手術會順利嗎？",
        "妈妈的乳腺结节是良性还是恶性",
        "Will my mother's surgery go smoothly?",
    ],
)
def test_of_an_operation_and_of_what_an_illness_is_the_board_is_described_and_not_weighed(asked):
    for number in range(0, 4096, 400):
        told = cast_plan(ly.derive(values(number), AT).analyze(question=asked), asked).statements
        assert {each.topic for each in told} <= {
            "conclusion",
            "focus_points",
            "advice",
            "answer",
            "answer.use",
        }
        assert {each.side for each in told} == {NEITHER}
