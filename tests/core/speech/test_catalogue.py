"""The catalogue of sentences: complete, the same in three languages, and each of them said of some chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

import pytest

from bazi_core import liuyao as ly
from bazi_core.questions.safety import unsafe
from bazi_core.speech.catalogue import Term, catalogue
from bazi_core.speech.speaker import TONES, Speaker, slots
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.written import plan_of
from tests.core.speech.drawn import drawn_casts, drawn_of
from tests.core.speech.every_sentence import cases, of_charts
from tests.sizes import sizes
from tests.tables import holds_for_all

LONGEST_SENTENCE = 1000
_SLOT = re.compile(r"\{[^}]*\}")


def plain(key: str) -> str:
    """A key without its tone."""
    head, _, tail = key.rpartition(".")
    return head if tail in TONES else key


def sentences() -> Iterator[tuple[str, str, str]]:
    for key, variants in catalogue().items():
        for row in variants:
            yield from ((key, language, row[language]) for language in LANGUAGES)


def test_a_tone_stands_in_for_a_key_that_exists():
    assert {key for key in catalogue() if plain(key) != key and plain(key) not in catalogue()} == set()


@holds_for_all("key", sorted(catalogue()))
def test_a_sentence_asks_for_the_same_words_in_every_language(key):
    # English alone prints ordinals and, for a role that the Chinese sentence spells out, its word; of a cast
    # it names as terms what the Chinese sentence spells out.
    for row in catalogue()[key]:
        hans, hant, english = (slots(row[language]) - {"n", "nth"} for language in LANGUAGES)
        assert hans == hant
        assert hans <= english
        assert key.startswith("cast.") or all(name.endswith("_word") for name in english - hans)


def test_variants_are_numbered_and_differ():
    for key, variants in catalogue().items():
        assert [int(row["variant"]) for row in variants] == list(range(1, len(variants) + 1)), key
        for language in LANGUAGES:
            assert len({row[language] for row in variants}) == len(variants), key


def test_whole_sentences_end_with_a_stop_and_clauses_do_not():
    for key, language, text in sentences():
        stops = "." if language == "en" else "。"
        ends = text.endswith(stops)
        assert ends == catalogue()[key][0]["zh-Hans"].endswith("。"), (key, language)


@pytest.mark.exhaustive
def test_no_sentence_holds_a_word_that_is_never_said():
    named = ((key, language, _SLOT.sub("x", text)) for key, language, text in sentences())
    assert [(key, found) for key, language, text in named for found in unsafe(text, language)] == []


def test_traditional_sentences_are_written_by_hand():
    said = {key: text for key, language, text in sentences() if language == "zh-Hant"}
    assert "簡潔" in said["advice.金"]
    assert said["at.year.stem"] == "年干"
    assert all("醜" not in text and "幹支" not in text for text in said.values())


# A pronoun or a relative that the question itself names is said back; and who might ask, where that decides the 用神.
OF_THE_QUESTION = ("cast.they.", "cast.their.", "cast.person.", "cast.asked.either")
GENDERED = {
    "zh": re.compile("[男女她妻]|先生|太太|丈夫"),
    "en": re.compile(r"\b(he|she|his|her|him|husband|wife|man|woman)\b", re.IGNORECASE),
}


def test_no_sentence_knows_a_gender():
    told = (
        (key, text.replace("子女", "").replace("夫妻宫", "").replace("夫妻宮", ""), GENDERED[language[:2]])
        for key, language, text in sentences() if not key.startswith(OF_THE_QUESTION)
    )  # fmt: skip
    assert [(key, text) for key, text, words in told if words.search(text)] == []


def test_a_term_is_glossed_where_it_is_named_first():
    speaker = Speaker("en")
    assert speaker.word(Term("伤官", "ten_god")) == "Hurting Officer (伤官)"
    assert speaker.word(Term("伤官", "ten_god")) == "Hurting Officer"
    assert Speaker("zh-Hant").word(Term("伤官", "ten_god")) == "傷官"


def test_terms_that_share_a_form_are_glossed_apart():
    speaker = Speaker("en")
    assert [speaker.word(Term("死", kind)) for kind in ("stage", "season_state")] == [
        "Death (死)",
        "dead (死)",
    ]


@pytest.mark.exhaustive
def test_every_sentence_is_said_of_some_chart():
    """Where this fails for a changed rule, `python -m tests.core.speech.every_sentence` looks for other charts."""
    said = set().union(*(case.keys() for case in cases()))
    assert sorted(of_charts() - said) == []


AT, LINES = (
    "2026-03-11T10:20:00+08:00",
    ("788769", "789876", "777777", "888888", "999666", "767787", "878978", "686868"),
)
# Questions in which sentences are said that no kind of question alone calls for.
ASKED = (
    "贷款能批下来吗", "房东会退押金吗", "感冒什么时候好", "妈妈的老毛病会好吗", "狗跑丢了能找到吗",
    "钥匙掉在哪里", "护照丢在哪里", "要不要跟他合伙", "合同签得下来吗", "手术会顺利吗", "尾款收得回来吗",
    "会给我加薪吗", "客户会被抢走吗", "房子还能续租吗", "出差派得成吗", "他可信吗", "手机忘在哪里了",
    "出国外派去得成吗", "上司怎么看我", "钱包丢在家里哪间屋", "房东涨租要不要搬", "年底前钱能还吗", "找得到他吗",
    "他还想我吗，我们能复合吗", "要不要开刀", "狗要不要开刀", "我欠的债还得清吗", "要不要表白",
    "官司要不要庭外和解", "该不该请律师，官司缠身", "官司能赢吗", "拿到两个offer，选哪个好",
    "两个人都追我，选哪个好", "房东涨租，续租还是搬", "搬还是续租", "复合还是放手", "该联系他还是放手",
    "他喜欢我还是该分手", "该离职还是跳槽", "该跳槽还是离职", "房子是卖还是搬", "该搬还是卖",
    "面试完了，什么时候给消息", "面试能成吗", "戒指丢在家里还是外面", "感冒三天了什么时候能好",
    "弟弟跟我断了来往，还会来往吗", "是不是怀孕了", "我弟会不会坐牢", "我撞了人，要赔多少", "我弟撞了人，官司能赢吗",
    "钱包不见了，谁拿的", "手上这个offer要不要接", "拿到一个offer，该走还是该留", "我前男友还爱我吗",
    "Should we call her Emma or Olivia?", "面试完没动静是不是凉了",
    "四月十号前贷款能批下来吗", "3月12号前能收到尾款吗", "4月底前尾款能到吗", "年底前能还钱吗", "3月13号前房子卖得掉吗",
    *(f"{month}月{day}号面试能过吗" for month in (11, 12) for day in range(1, 29, 2)),
)  # fmt: skip


# What is looked up on a board, asked besides and weighed; each of many boards.
OF_BOARDS = (
    "用神伏藏，得不得出？", "妻财伏神得不得出", "官鬼伏神得不得出", "父母伏神得不得出", "这卦是不是反吟",
    "占病，感冒，是六冲卦吗", "老毛病，占得六冲卦，会好吗", "求财，是不是贪生忘克", "三合局成不成", "世应关系怎么样",
    "卦身在哪里", "初爻月破，出月能不能不破", "二爻是不是月破", "三爻是暗动还是日破", "上爻是暗动还是日破",
    "四爻真空还是假空", "五爻空亡吗", "初爻旬空吗", "六爻入墓了吗", "三爻入墓了吗", "四爻化进神还是退神", "哪个爻动",
    "妻财持世吗",
    "求财，用神旺不旺", "妻财旺不旺", "求职，原神有没有力",
    "能不能面上，工资能有多少", "房子能签吗，房东好说话吗", "官司能赢吗，能赔多少", "接A公司还是B公司", "去深圳还是留在老家",
    "房子能买下来吗，价格贵不贵，手续麻烦吗", "面试能成吗，竞争的人多不多", "合作能成吗，能赚多少，顺利吗",
    "房子能买下来吗，手续好办吗，卖家靠谱吗", "房子卖得掉吗，买家靠谱吗", "工作能拿到吗，老板人怎么样",
    "合作能成吗，对方靠谱吗", "面试能成吗，要签什么文件", "该买车还是再等等", "工作能成吗，过程顺利吗",
    "货卖得掉吗，能卖多少钱", "出差顺利吗，客户肯签吗",
)  # fmt: skip


# Casts, each of which says what one in ten thousand says: a 忌神 that acts, with little force or held back, among many
# moving lines, an illness of somebody whose line is void and broken, a time by what is too strong against the answer,
# a 三合 of the 原神, 利 and 病 without force, a thing beneath 妻财.
RARE = (
    ("666996", "卯", "癸酉", "合伙", None), ("666996", "戌", "丁丑", "合伙", None), ("666669", "辰", "庚辰", "合伙", None),
    ("698986", "午", "己未", "健康", "妈妈"), ("687889", "丑", "丁未", "功名", "friend"),
    ("976697", "寅", "辛未", "失物", None), ("689869", "卯", "己卯", "合伙", None),
    ("968866", "辰", "丁巳", "健康", None), ("887787", "卯", "乙未", "失物", "husband"),
)  # fmt: skip
# And of a question: a house from which one falls back, two matters that are both open.
RARELY_ASKED = (
    ("977977", "寅", "辛亥", "这卦是不是反吟"),
    ("999998", "寅", "辛亥", "哪个爻动"),
    ("999999", "寅", "辛亥", "哪个爻动"),
    ("789867", "亥", "丁亥", "官司能赢吗"),
    ("676666", "丑", "庚申", "官司能赢吗"),
    ("789867", "亥", "丁亥", "投的钱提现不了，是不是骗局"),
    ("789867", "亥", "丁亥", "今期六合彩买哪几个号码"),
    ("789867", "亥", "丁亥", "想盘下这家奶茶店，会不会亏"),
    ("899696", "寅", "辛亥", "想盘下这家奶茶店，会不会亏"),
    ("899696", "寅", "辛亥", "要不要退租"),
    ("789867", "亥", "丁亥", "他还想我吗，我们能复合吗"),
    ("789867", "亥", "丁亥", "老公外面是不是有人了"),
    ("789867", "亥", "丁亥", "下周的手术顺利吗"),
    ("789867", "亥", "丁亥", "肺上有结节，是不是癌"),
    ("789867", "亥", "丁亥", "我家猫跑出去了没回来，还活着吗"),
)
# Casts before a limit up to which each day is one of what presses, or none that is waited for.
LIMITED = (
    (
        "767889",
        "2026-11-14T18:05:00+00:00",
        "I lent my brother money. Is he going to pay me back before Christmas?",
    ),
    ("766687", "2026-02-08T20:30:00+08:00", "十天内合同签得下来吗"),
    ("798886", "2026-09-08T20:30:00+08:00", "十天内合同签得下来吗"),
    ("689999", "2026-12-26T20:30:00+08:00", "十天内合同签得下来吗"),
    ("888799", "2026-08-28T20:30:00+08:00", "十天内合同签得下来吗"),
)
# Whether it comes about and what to do, asked of one line; and what one would fall back on.
ASKED_TWICE = (
    "房东不退押金：告不告，要得回吗", "公司会不会裁我，要不要先找下家", "这房子卖得掉吗，要不要降价",
    "国企要不要我；不要就去私企行不行",
)  # fmt: skip


@pytest.mark.exhaustive
def test_every_sentence_on_casts_is_said_of_some_cast():
    speaker = Speaker("en")
    still = [each.binary.replace("1", "7").replace("0", "8") for each in ly.HEXAGRAMS]
    asked = (ly.derive(lines, AT).analyze(question=each) for lines in (*LINES, *still) for each in ASKED)
    rare = (
        ly.derive(lines, month_branch=month, day=day).analyze(kind, None, person)
        for lines, month, day, kind, person in RARE
    )
    rarely = (
        ly.derive(lines, month_branch=month, day=day).analyze(question=each)
        for lines, month, day, each in RARELY_ASKED
    )
    limited = (ly.derive(lines, at).analyze(question=each) for lines, at, each in LIMITED)
    # What introduces a further question, or says that its answer was given, is said in tests/core/questions/test_parts.py.
    elsewhere = {key for key in catalogue() if key.startswith(("almanac.", "further", "answer.same"))}
    wanted = set(catalogue()) - of_charts() - elsewhere
    for cast in chain(
        rare,
        rarely,
        limited,
        asked,
        drawn_of(ASKED_TWICE, 200, 25),
        drawn_of(OF_BOARDS, 4000, 25),
        drawn_casts(6000, 25),
    ):
        speaker.reading(cast_plan(cast))
        if wanted <= speaker.keys:
            break
    assert sorted(wanted - speaker.keys) == []


@sizes(20, 1000)
def test_no_sentence_is_longer_than_a_reading_allows(count):
    plans = [plan_of(case.chart.pattern()) for case in islice(cases(), count) if not case.year]
    assert plans
    told = (Speaker("en", plan.digest).reading(plan) for plan in plans)
    assert max(len(sentence.text) for one in told for sentence in one.sentences) <= LONGEST_SENTENCE
