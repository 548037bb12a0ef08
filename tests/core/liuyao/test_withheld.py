"""Death, lifespan and survival get no sign, no score and no time, whoever is meant and however it is asked."""

import json

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput, PortUnavailable
from bazi_core.liuyao.text import analysis_markdown, analysis_text
from bazi_core.model.fakes import FailingPort
from bazi_core.questions.classes import is_of_life
from bazi_core.questions.safety import disclaimer, supporting
from bazi_core.readings.divination import LEVELS
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT
from tests.schemas import problems, validator
from tests.tables import holds_for_all

OF_LIFE = (
    "我爸还能活多久", "我妈会不会死", "奶奶能挺过今年吗", "奶奶能熬過這個冬天嗎", "我能活到几岁", "他还能活几年",
    "外公还剩多少日子", "我什么时候死", "她还活着吗", "父亲的寿命有多长", "爷爷会长寿吗", "这次手术能保住性命吗",
    "生死如何", "寿命", "壽元", "我老公会先走还是我先去世", "孩子救得活吗", "老人家还能撑多久",
    "病危的母亲能不能救活", "妈妈还有几年命", "How long will my father live?", "will my mother survive the surgery",
    "Is grandma going to pass away this year?", "when will I die", "my life expectancy",
    "can dad make it through the winter", "how long does he have left", "will she live to see another Christmas",
    "is my missing brother still alive", "Will my husband pull through?", "lifespan",
)  # fmt: skip
NOT_OF_LIFE = (
    "我最近换工作是否合适？", "生意能不能做活", "公司能挺过今年吗", "这段感情能撑过今年吗", "手机电池寿命还有多长",
    "他是我的生死之交，会帮我吗", "死心了还要不要等他", "项目的死线能赶上吗", "活动能办成吗", "考试能过吗",
    "爸爸的病什么时候好", "能不能离开公司", "will my business survive the year", "is the deadline realistic",
    "where should I live next year", "should I move to live with my parents", "can I make it to the exam in time",
    "how long will the battery last", "will the marriage last", "事业", "健康", "其他", "career",
)  # fmt: skip


@holds_for_all("text", OF_LIFE)
def test_a_question_of_life_and_death_has_neither_sign_nor_score_nor_time(text):
    chart = ly.derive("789876", AT)
    for found in (
        chart.analyze("健康", question=text),
        chart.analyze(text),
        chart.analyze("健康", kinship="father", question=text),
    ):
        assert found.withheld
        assert (found.sign, found.timing) == (None, ())
        made = found.to_dict()
        assert (made["sign"], made["timing"]) == (None, [])
        assert "ly.sign" not in made["facts"]
        assert not any(name.startswith(("ly.timing", "ly.date")) for name in made["facts"])
        assert problems(validator("liuyao_analysis"), made) == []


@holds_for_all("text", NOT_OF_LIFE)
def test_other_questions_keep_their_sign(text):
    found = ly.derive("789876", AT).analyze("其他", question=text)
    assert not found.withheld
    assert found.sign is not None
    assert found.timing


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("健康", {"question": "我爸还能活多久"}), ("健康", {"question": "病会好吗？", "follow_up": "奶奶能挺过今年吗"}),
        ("寿命", {}), ("健康", {"question": "how long will my father live"}),
    ],
)  # fmt: skip
def test_a_reading_gives_support_and_no_divination_and_asks_no_model(language, kind, how):
    port = FailingPort(PortUnavailable("must not be asked"))
    result = ly.read(ly.derive("789876", AT).analyze(kind), port=port, language=language, **how)
    assert (result.status, result.sign_level, result.provenance.attempts) == ("declined", None, 0)
    assert [each.text for each in result.reading.answer] == [
        *supporting("life_message", language),
        disclaimer(language),
    ]
    assert result.safety == {"category": "death", "action": "life_message"}
    assert not any(level in json.dumps(result.to_dict(), ensure_ascii=False) for level in LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_prints_support_in_the_place_of_the_sign(language):
    found = ly.derive("789876", AT).analyze("健康", kinship="grandparent", question="奶奶能挺过今年吗")
    for written in (analysis_text(found, language), analysis_markdown(found, language)):
        joined = written.replace("\n", " " if language == "en" else "")
        assert all(sentence in joined for sentence in supporting("life_message", language))
        assert not any(level in written for level in LEVELS)
        assert "2026年" not in written.partition("└")[2]


def test_distress_comes_first():
    result = ly.read(ly.derive("789876", AT).analyze("寿命"), question="我不想活了")
    assert result.safety["action"] == "crisis_message"


def test_texts_of_any_length_and_kind_are_read():
    for text in ("死" * 10**6, "live " * 10**5, "how long " * 10**5, "\ud800", "", None, "挺" * 10**5):
        assert is_of_life(text) in (True, False)


@pytest.mark.parametrize("question", [0, True, float("nan"), [], b"x", {"text": 1}])
def test_a_question_that_is_no_text_is_refused(question):
    with pytest.raises(InvalidInput, match="a question is text"):
        ly.derive("789876", AT).analyze("事业", question=question)


@pytest.mark.parametrize(
    "asked", ["今期六合彩买哪几个号码", "投的钱提现不了，是不是骗局", "Is this broker a scam?"]
)
def test_of_chance_and_of_fraud_no_grade_and_no_day_is_given_anywhere(asked):
    found = ly.derive("798877", "2026-11-18T22:00:00+08:00").analyze(question=asked)
    assert found.ungraded
    assert not found.withheld
    assert found.to_dict()["sign"] is None
    assert "ly.sign" not in found.facts
    told = analysis_text(found, "zh-Hans")
    assert "签等  " not in told
    assert "日期  " not in told
    assert ly.read(found, question=asked, language="en").reading.sign_level is None
