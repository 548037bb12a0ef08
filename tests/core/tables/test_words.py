"""Words: every term, label and warning in three languages, with the same places for values."""

from __future__ import annotations

import re
import string

import pytest

from bazi_core.alphabet import (
    BRANCHES,
    PILLARS,
    STEMS,
    Branch,
    Element,
    Pillar,
    Polarity,
    SolarTerm,
    Stage,
    Stem,
    TenGod,
    Zodiac,
)
from bazi_core.render.phrases import pillar_name, sign_name
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES, glossed, label, message, spoken, term
from bazi_core.views.cycles import nayin
from bazi_core.warnings import WARNINGS
from tests.tables import holds_for_all

ALPHABETS = (Element, TenGod, Stage, Polarity, Stem, Branch, Zodiac, SolarTerm)
LETTERS = [letter.value for alphabet in ALPHABETS for letter in alphabet]
# Characters that a converter would put in place of these, and that no almanac prints.
CONVERTED = "醜榖鼕幹穀嚮鞦"


def fields(text: str) -> set[str]:
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("name", ["terms", "labels", "messages"])
def test_every_row_has_words_in_every_language(name):
    assert all(row[lang].strip() for row in rows(name) for lang in LANGUAGES)


@pytest.mark.parametrize(
    ("name", "names"), [("terms", ("kind", "zh-Hans")), ("labels", ("key",)), ("messages", ("code",))]
)
def test_no_row_stands_twice(name, names):
    keys = [tuple(row[each] for each in names) for row in rows(name)]
    assert len(keys) == len(set(keys))


def test_a_kind_decides_between_terms_that_share_a_form():
    assert term("死", "en") == term("死", "en", "stage") == "Death"
    assert glossed("死", "en", "season_state") == "dead (死)"
    assert term("空亡", "en", "star") != term("空亡", "en", "chart")


def test_a_kind_that_does_not_have_the_term_leaves_it_as_it_is():
    assert term("死", "en", "star") == "死"


def test_no_two_terms_of_a_kind_share_a_gloss():
    shared = [(row["kind"], row["en"]) for row in rows("terms") if row["kind"] not in ("stem", "branch")]
    assert len(shared) == len(set(shared))


@pytest.mark.parametrize("name", ["labels", "messages"])
def test_the_places_for_values_are_the_same_in_every_language(name):
    for row in rows(name):
        assert len({frozenset(fields(row[lang])) for lang in LANGUAGES}) == 1, row


def test_every_letter_and_every_nayin_has_a_gloss():
    for word in (*LETTERS, *{nayin(pillar) for pillar in Pillar}):
        assert term(word, "en") != word
        # 戊 has a tone, since 午 is Wu too.
        assert term(word, "en").replace("Wù", "Wu").isascii()
        assert term(word) == word


def test_no_two_stems_or_branches_are_spelled_alike():
    spelled = [term(letter, "en") for letter in LETTERS if len(letter) == 1]
    assert len({*spelled}) == len(spelled)


def test_stems_and_branches_are_never_converted():
    for alphabet in (Stem, Branch):
        assert all(term(letter.value, "zh-Hant") == letter.value for letter in alphabet)


def test_no_traditional_form_is_that_of_a_converter():
    # 穀 is the grain of 谷雨, and 九醜 are ugly days; neither is the branch 丑.
    allowed = {"穀雨", "九醜"}
    for row in rows("terms"):
        assert row["zh-Hant"] in allowed or not set(CONVERTED) & set(row["zh-Hant"]), row


@holds_for_all(
    "word, traditional",
    [
        ("惊蛰", "驚蟄"), ("谷雨", "穀雨"), ("小满", "小滿"), ("芒种", "芒種"), ("处暑", "處暑"),
        ("七杀", "七殺"), ("丑", "丑"), ("天干", "天干"), ("干合", "干合"), ("闲神", "閒神"),
        ("天克地冲", "天剋地沖"), ("飞刃", "飛刃"), ("吊客", "弔客"),
    ],
)  # fmt: skip
def test_traditional_forms_are_as_printed(word, traditional):
    assert term(word, "zh-Hant") == traditional


def test_a_word_that_is_not_in_the_catalogue_stays_as_it_is():
    assert term("甲乙丙", "en") == "甲乙丙"
    assert glossed("甲乙丙", "en") == "甲乙丙"
    assert glossed("伤官", "en") == "Hurting Officer (伤官)"
    assert glossed("伤官", "zh-Hant") == "傷官"


@pytest.mark.parametrize(
    ("lang", "said"),
    [("zh-Hans", "断为身强"), ("zh-Hant", "斷為身強"), ("en", "strong day master (身强) rests on only 1")],
)
def test_a_term_in_a_warning_is_in_the_language_of_the_warning(lang, said):
    assert said in message("METHODS_DISAGREE", {"agreement": 1, "verdict": "身强"}, lang)


def test_every_warning_has_a_message():
    codes = {row["code"] for row in rows("messages")}
    assert {code for code, *_ in WARNINGS} | {"HOUR_UNKNOWN", "GENDER_UNKNOWN", "INVALID_PILLARS"} <= codes


def test_labels_and_messages_are_filled_in():
    assert label("month_day", "zh-Hans", day=3) == "入节后第3天"
    assert (
        message("ZONE_FROM_COORDINATES", {"zone": "Asia/Tokyo"}, "zh-Hans") == "时区由坐标推得：Asia/Tokyo。"
    )


def test_print_speaks_the_language_that_the_environment_or_the_configuration_keeps(tmp_path, monkeypatch):
    kept = tmp_path / "config.toml"
    monkeypatch.setenv("BAZI_CONFIG", str(kept))
    monkeypatch.delenv("BAZI_LANG", raising=False)
    assert spoken() == "zh-Hans"
    kept.write_text('lang = "zh-TW"\n', "utf-8")
    assert spoken() == "zh-Hant"
    monkeypatch.setenv("BAZI_LANG", "en")
    assert spoken() == "en"
    monkeypatch.delenv("BAZI_LANG")
    for broken in ("lang = ", "lang = 5\n", 'lang = "fr"\n', "city = 'x'\n"):
        kept.write_text(broken, "utf-8")
        assert spoken() == "zh-Hans"


def test_every_star_has_an_english_name_of_its_own():
    names = [row["name"] for row in rows("stars")]
    english = [term(name, "en", "star") for name in names]
    assert not [name for name in english if re.search("[\u4e00-\u9fff]", name)]
    assert len(set(english)) == len(names)
    assert {"Nobleman", "Peach Blossom", "Travelling Horse", "Academic Star", "Goat Blade"} <= set(english)


def test_no_two_signs_read_alike_in_english():
    names = [sign_name(sign) for sign in (*STEMS, *BRANCHES)]
    assert len(set(names)) == 22
    assert len({pillar_name(pillar, "en").partition(" ")[2] for pillar in PILLARS}) == 60
