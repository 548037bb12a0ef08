"""A line of a model's own: kept where it states nothing, left out where it might."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bazi_core.facts import Fact
from bazi_core.readings.free_line import LONGEST, fault
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import analysis
from tests.core.readings.drawn import drawn_results
from tests.core.readings.written import LINES
from tests.tables import holds_for_all

FALSE = [
    line.split("\t")
    for line in (Path(__file__).parent / "false_lines.tsv").read_text("utf-8").splitlines()
    if not line.startswith(("#", "language"))
]
FINE = {
    "zh-Hans": (
        "听得出来，你这阵子走得辛苦。", "先不急着下结论，我们慢慢看。", "给自己一点时间，也给身边的人一点耐心。",
        "像爬山一样，走稳脚下的路，再抬头看远处。", "谢谢你愿意把心里话说出来。", "接下来，我们看看工作这一块。",
        "换个角度想，事情或许轻松一些。", "不妨先和家人聊聊。", "别急，答案往往在细节里。", "先照顾好自己的心情，再谈别的。",
        "把想做的事写下来，挑最小的那件先动手。", "下面换个话题，聊聊感情。", "可以找信任的朋友聊聊，多听听别人的看法。",
    ),
    "zh-Hant": (
        "聽得出來，你這陣子走得辛苦。", "這種左右為難的感覺，很多人都有過。", "先照顧好自己的心情，再談別的。",
        "慢慢來，不急。", "謝謝你願意把心裡話說出來。", "可以找信任的朋友聊聊。",
    ),
    "en": (
        "I hear how much this question weighs on you.", "Let us look at this step by step.",
        "Think of it as tending a garden: slow work, and worth it.", "Take your time with this.",
        "Talk it over with someone you trust.", "You are not alone in asking this.", "Let us turn to your work.",
        "Be kind to yourself while you think it through.", "Picture a river finding its way around a stone.",
        "Don't worry, there's no hurry.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_empathy_pictures_encouragement_and_transitions_are_kept(language):
    assert {line: fault(line, language) for line in (*FINE[language], *LINES[language])} == dict.fromkeys(
        (*FINE[language], *LINES[language])
    )


def test_no_false_sentence_of_the_collections_is_kept():
    assert len(FALSE) > 700
    assert [text for language, text in FALSE if fault(text, language) is None] == []


def test_no_false_sentence_is_kept_when_it_is_cut_to_length_and_freed_of_the_hanzi_beside_its_words():
    kept = []
    for language, text in FALSE:
        plain = re.sub(r"\s?[(（][^)）a-zA-Z]*[)）]", "", text) if language == "en" else text
        # What spoke of a term in hanzi alone says nothing without it; digits are left out by themselves.
        if re.search("[0-9]", plain) is None and (language != "en" or plain.isascii()):
            kept += [plain] if fault(plain[: LONGEST[language]], language) is None else []
    assert kept == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_fact_is_kept(language):
    """What a chart, a year or a cast holds is never a model's own to say, true or false."""
    facts: dict[str, Fact] = {}
    for result in drawn_results(random.Random(language), 6):
        facts |= result.all_facts
    for name in ("泽雷随", "水火既济", "山风蛊"):
        facts |= analysis(name, 3).facts
    assert len(facts) > 500
    texts = {fact.text(language)[: LONGEST[language]] for fact in facts.values()}
    assert [text for text in texts if fault(text, language) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_term_is_kept_within_a_line(language):
    around = (
        "And so {}, step by step"
        if language == "en"
        else "这里{}，慢慢看"
        if language == "zh-Hans"
        else "慢慢看，{}"
    )
    named = [
        row["zh-Hans"]
        for row in rows("terms")
        if row["kind"]
        not in ("domain", "direction", "relation_status", "power", "chart", "luck", "kind", "dynamic")
    ]
    words = {
        row[language]
        for row in rows("terms")
        if row["zh-Hans"] in named and (language == "en" or len(row[language]) > 1)
    } - {"You"}
    assert [word for word in sorted(words) if fault(around.format(word), language) is None] == []


@holds_for_all(
    "line, language, reason",
    [
        ("你身强，用神为水。", "zh-Hans", "term"), ("今年慢一点。", "zh-Hans", "time"), ("就3步。", "zh-Hans", "number"),
        ("就三步。", "zh-Hans", "number"), ("就③步。", "zh-Hans", "number"), ("肯定行得通。", "zh-Hans", "certainty"),
        ("以上并不准。", "zh-Hans", "denial"), ("这些话别信。", "zh-Hans", "denial"),
        ("你会升职。", "zh-Hans", "prediction"),
        ("這條路慢慢走。", "zh-Hans", "script"), ("这条路慢慢走。", "zh-Hant", "script"),
        ("OK，慢慢来。", "zh-Hans", "script"),
        ("**慢慢来**", "zh-Hans", "script"), ("慢慢来" * 30, "zh-Hans", "long"), ("，", "zh-Hans", "empty"),
        ("慢\u200b慢来", "zh-Hans", "script"), ("慢\ud800来吧", "zh-Hans", "script"), ("慢慢来\n再说", "zh-Hans", "script"),
        ("None of this holds.", "en", "denial"), ("This isn't so.", "en", "denial"), ("It holds water.", "en", "term"),
        ("In 3 steps.", "en", "number"), ("In three steps.", "en", "number"), ("Growth is thriving.", "en", "term"),
        ("You'll make it.", "en", "prediction"), ("Surely this helps.", "en", "certainty"), ("慢慢来", "en", "script"),
        ("Chen is your friend.", "en", "term"), ("a" * 161, "en", "long"), ("x", "en", "empty"), (7, "en", "kind"),
        (None, "zh-Hans", "kind"), (["a"], "en", "kind"), ("See https://example", "en", "script"),
    ],
)  # fmt: skip
def test_what_might_state_something_is_left_out_with_its_reason(line, language, reason):
    assert fault(line, language) == reason
