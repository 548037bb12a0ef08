"""The lexicon refuses what a reading never says and lets pass what only looks like it; fixed sentences exist everywhere."""

import pytest

from bazi_core.questions.safety import disclaimer, fixed, referral, supporting, unsafe
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.tables import holds_for_all

REFUSED = {
    "death": [
        "此命短命", "难免夭折", "死期将至", "今年必有丧事", "此年必死", "注定早亡", "陽壽不長", "他会去世",
        "you will die this year",
        "the date of your death", "an untimely end", "death is certain", "destined to die",
    ],
    "spouse": ["命带克夫", "剋妻之命", "刑夫克子", "恐丧偶", "a husband-killer", "it harms her husband",
        "she jinxes her spouse"],
    "dignity": ["女命淫贱", "命賤", "水性杨花", "今年有外遇", "lewd and worthless", "promiscuous by nature"],
    "children": ["命中无子", "断子绝孙", "今年怀孕", "恐流产", "childless", "she is pregnant", "infertility"],
    "illness": ["身患绝症", "防癌", "必患大病", "你肯定会生病住院", "incurable", "terminal illness",
        "you are certainly ill"],
    "prison": ["牢狱之灾", "今年坐牢", "牢獄之災", "you go to prison"],
    "blood": ["血光之灾", "有自杀倾向", "血光之災", "bloodshed ahead", "suicide"],
    "lawsuit": ["今年必有官司", "官司缠身，无可避免", "you will certainly be sued", "a lawsuit is inevitable"],
    "investment": ["今年投资必赚", "稳赚不赔", "炒股一定会大赚", "guaranteed profits", "buy stocks now",
        "you will surely profit"],
    "lottery": ["买彩票", "中奖在即", "the lottery", "winning numbers are 3 and 7"],
    "remedy": ["请购水晶手串化解", "找人做法事", "佩戴开光法器", "购买本店转运摆件", "wear an amulet",
        "buy this crystal", "pay for a ritual"],
    "fate": ["命该如此", "遭天谴", "you are doomed"],
    "prediction": ["you will fall ill", "you'll get divorced", "he will be arrested"],
    "marriage": ["今年必然离婚", "a divorce is inevitable"],
    "markup": [
        "http://x.y", "见 HTTPS://x", "www.x", "[a](b)", "```", "<script>", "a.com", "mail a@b.cn",
        "A" * 41, "&lt;", "data.xyz",
    ],
}  # fmt: skip
ALLOWED = [
    "月支巳为死地", "金在巳月为死", "日主庚于月支巳为病", "丧门在年柱", "血刃在月柱", "亡神在日柱，病符在时柱",
    "旬空申酉，四大空亡",
    "七杀身强", "杀印相生", "其他杀星", "来自杀印相生", "其中风险不大", "上下流通", "此外遇到贵人",
    "年轻生命力旺", "各自尽力",
    "当下注意休息", "困难产生于比劫", "公开光明", "确保本月顺利", "断绝后路不可取", "大小三合", "不一定会生病", "未必有官司",
    "防口舌官非，宜和为贵", "投资宜谨慎", "注意休息，少病", "决定会慢一些", "稳定会来", "不能不防",
    "木克土，土克水", "辰土剋子水",
    "逃之夭夭", "浸淫其中", "四柱无子水", "八字无后顾", "克子水", "应该死守原则吗", "Death stage", "the stage of 死 (Death)",
    "a certain strength", "it is not certain that profits follow", "an order of remedies", "Lost Spirit in the day pillar",
    "Official Talisman in the month pillar", "execution of plans", "leverage your strengths",
    "a widely read chart", "e.g. this. Then that.",
    "3.5 parts", "ln.2026.rel", "A/B", "skillful", "will grow ill-suited", "stock of ideas", "studies", "diet", "candied",
]  # fmt: skip


@holds_for_all("category, text", [(name, text) for name, texts in REFUSED.items() for text in texts])
def test_what_is_never_said_is_found(category, text):
    assert category in {each.category for each in unsafe(text)}


@holds_for_all("text", ALLOWED)
def test_what_only_looks_like_it_is_not_found(text):
    assert unsafe(text) == []


def test_a_canonical_term_is_a_term_in_every_language():
    for row in rows("terms"):
        for language in LANGUAGES:
            assert unsafe(row[language]) == [], row


def test_certainty_does_not_reach_into_the_next_sentence():
    assert unsafe("这一年必有收获。病后宜静养。") == []
    assert unsafe("这一年必有病痛。")


def test_what_is_found_is_told_in_the_order_of_the_text():
    assert [each.found for each in unsafe("先说血光，再说短命。")] == ["血光", "短命"]


def test_a_language_can_be_asked_for_alone():
    assert unsafe("短命 doomed", "en") == unsafe("doomed", "en") != []
    assert len(unsafe("短命 doomed")) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_fixed_sentences_exist_in_every_language(language):
    categories = ("medical", "legal", "financial")
    texts = [disclaimer(language), *(referral(name, language) for name in categories)]
    texts += [referral(name, language, of_cast=True) for name in categories]
    texts += [
        *supporting("crisis_message", language),
        fixed("crisis.title", language),
        fixed("crisis.keyword", language),
    ]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("language", "word"), [("zh-Hans", "娱乐"), ("zh-Hant", "娛樂"), ("en", "entertainment")]
)
def test_the_disclaimer_says_entertainment(language, word):
    assert word in disclaimer(language)


@pytest.mark.parametrize(
    ("language", "word"), [("zh-Hans", "急救电话"), ("zh-Hant", "急救電話"), ("en", "emergency number")]
)
def test_the_answer_in_distress_names_help_and_promises_no_number(language, word):
    text = "".join(supporting("crisis_message", language))
    assert word in text
    assert not any(map(str.isdigit, text))


def test_scripts_are_not_mixed_in_the_lexicon():
    """A sign of the other script in a column would be dead weight."""
    simplified, traditional = set("这为东来时应贵会财丧杀赌轻药残癌"), set("這為東來時應貴會財喪殺賭輕藥殘")
    for table in ("safety", "safety_texts"):
        for row in rows(table):
            assert not traditional & {*row["zh-Hans"]} - {"癌"}, row["zh-Hans"]
            assert not (simplified - {"癌"}) & {*row["zh-Hant"]}, row["zh-Hant"]
