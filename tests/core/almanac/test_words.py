"""Every word that a day can name is written in traditional characters where they differ, and glossed in English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bazi_core as bz
from bazi_core.almanac.purposes import purpose_of, purposes
from bazi_core.errors import BaziError
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import gloss, said
from bazi_core.tables.words import LANGUAGES

# Signs that no traditional text has.
SIMPLIFIED = set(
    "这为时还没对说书员关门国学节气黄历农个们么开买卖钱东车马龙动从众乡阴阳离废岁虚满执闭迁签约讼畜纳启攒剃头"
)
SIMPLIFIED -= set("剃畜攒") | {"气"}


def words() -> Iterator[str]:
    """The names of everything that a day can be, hold or be asked for."""
    yield from (row["name"] for row in rows("almanac/hou72"))
    yield from (row["zheng"] + row["qin"] for row in rows("almanac/xiu28"))
    yield from (row["xiu"] + "宿" for row in rows("almanac/xiu28"))
    for row in rows("almanac/taishen"):
        yield from (row["place"], row["direction"])
    yield from (row["item"] for row in rows("almanac/items"))
    yield from (row["item"] for row in rows("almanac/items_without_doctrine"))
    yield from (row["god"] for row in rows("almanac/xieji_gods"))
    yield from (row["name"] for row in rows("almanac/xieji_special_days"))
    yield from (row["mark"] for row in rows("almanac/marks"))
    yield from (each.name for each in purposes())


def test_every_word_has_an_english_gloss():
    assert {word for word in words() if gloss(word, "en") == word} == set()


def test_no_word_keeps_a_simplified_sign_in_traditional_text():
    assert {word for word in words() if set(said(word, "zh-Hant")) & SIMPLIFIED} == set()


@pytest.mark.parametrize("text", ["提车", "结婚签约", "开光", "火化"])
def test_an_error_names_purposes_and_items_in_the_language_of_the_reader(text):
    with pytest.raises(BaziError) as caught:
        purpose_of(text)
    told = {lang: caught.value.text(lang) + (caught.value.advice(lang) or "") for lang in LANGUAGES}
    named = told["zh-Hant"].replace(text, "")
    assert set(named) & SIMPLIFIED == set()
    english = told["en"].replace(text, "")
    assert all(sign < "\u2e80" for sign in english.split(" (")[0]), english


def test_the_purposes_that_an_english_error_lists_are_understood():
    with pytest.raises(BaziError) as caught:
        purpose_of("提车")
    listed = str(caught.value.advice("en")).removeprefix("choose ").split(", ")
    assert [purpose_of(name).name for name in listed] == [each.name for each in purposes()]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_note_on_rows_names_them_in_words(lang):
    notes = bz.almanac("2026-11-07", city="纽约").notes
    told = next(note.text(lang) for note in notes if note.code == "ONE_WITNESS_ROW")
    assert "xj:" not in told
    assert said("启攒", lang) in told
