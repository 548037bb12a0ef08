"""The catalogue of sentences: complete, the same in three languages, and each of them said of some chart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bazi_core.alphabet import ELEMENTS, STEMS, TEN_GODS
from bazi_core.pattern.useful import ROLES
from bazi_core.readings.grounding import script_problems
from bazi_core.readings.narrator.catalogue import Speaker, Term, catalogue, slots
from bazi_core.readings.narrator.story import TONES
from bazi_core.readings.reading import LONGEST_SENTENCE, Sentence
from bazi_core.readings.safety import unsafe
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from bazi_core.year.rules import DOMAINS
from tests.core.readings.every_sentence import cases
from tests.core.readings.rejections import of_pattern

PLACES = {
    "stem": "year month day hour luck liunian xiaoyun",
    "branch": "year month day hour luck liunian xiaoyun",
    "pillar": "year month day hour luck liunian",
}
# Families of keys and their members; what stands alone is listed under "".
FAMILIES: dict[str, str] = {
    "": "balanced tests avoid xiang rank changed co close close.also detail detail.genuine detail.apparent partner theme "
        "plus minus closing hour_unknown elements elements.missing change change.begins events.quiet completed.三刑 "
        "tie.year nth.month",
    "title": "pattern facts year",
    "opening": "facts follow",
    "season": "旺 相 休 囚 死 though.helped though.alone",
    "roots": "helped alone broken",
    "rootless": "helped alone",
    "strength": "1 2 3 4",
    "company": "each both help drain",
    "why": "hidden shown mixed element store group blade office robbed 化格 顺局 从格 专旺",
    "status": "成格 败格 败中有救 成中有忌 假格 more mended",
    "use": "both shown hidden absent self",
    "method": "fu_yi ge_ju tiao_hou tong_guan presence bing_yao other",
    "methods": "united split sum single",
    "useful": "close 得力 受制 平",
    "work": "正官格 七杀格 财格 印格 食神格 伤官格 阳刃格 建禄格 月劫格 从格 专旺 化格",
    "wealth": "follow follow.none",
    "spouse": "shown hidden absent",
    "climate": "satisfied hidden absent",
    "tie": "one two many control",
    "ties": "first next same quiet 化解 减力 遥隔",
    "turns": "合化 合绊 争合 妒合 遥合",
    "count": "years years.one months months.one points points.one",
    "luck": "start start.years start.months start.years.months hourless dateless useful careful",
    "cycle": "dated plain",
    "stars": "吉 平 凶",
    "star": "at",
    "advice": "facts weak strong follow",
    "year": "opening stage sound",
    "now": "cycle minor open",
    "carrier": "god god.both role role.both",
    "carriers": "gods roles.year roles.luck roles.minor",
    "event": "first next",
    "side": "吉 凶 平",
    "meet": "branches same group hides shows restrains opposed",
    "because": "both plus minus",
    "row": "carrier event theme",
    "area": "because",
    "month": "one best least care calm events",
    "again": "months luck",
    "summary": "pillars three strength dateless elements elements.missing time.true_solar time.mean_solar time.civil",
    "number": "1 2 3 4",
}  # fmt: skip
SHARES = ("none", "light", "fair", "heavy")


def asked() -> Iterator[str]:
    """Every key that the narrator can ask for: the families, and what follows from alphabets and tables."""
    for family, members in FAMILIES.items():
        yield from (f"{family}.{member}" if family else member for member in members.split())
    yield "opening"
    yield from (f"at.{place}.{part}" for part, places in PLACES.items() for place in places.split())
    yield from (f"image.{stem}" for stem in STEMS)
    yield from (f"{family}.{element}" for family in ("care", "advice") for element in ELEMENTS)
    yield from (f"reason.{side}.{k}" for side in ("strong", "weak") for k in range(5))
    yield from (f"{family}.{share}" for family in ("post", "craft", "learning") for share in SHARES)
    yield from (f"wealth.{side}.{share}" for side in ("strong", "weak") for share in SHARES)
    yield from (f"wealth.role.{role}" for role in ROLES)
    yield from (f"partner.{god}" for god in TEN_GODS)
    yield from (f"pred.{row['id']}" for row in rows("ge_ju_status") if row["kind"] != "喜")
    yield from {f"sense.{row['type']}" for row in rows("relations")}
    yield from (f"sense.{kind}" for kind in ("干克", "天克地冲", "反吟", "盖头", "截脚", "伏吟"))
    yield from (f"event.{row['event']}" for row in rows("year_events"))
    yield from {f"theme.{row['key']}" for row in rows("year_themes")}
    yield from (f"area.{domain}.{band}" for domain in DOMAINS for band in ("high", "fair", "low"))
    levels = [row["name"] for row in rows("year_weights") if row["kind"] == "level"]
    yield from (f"{family}.{level}" for family in ("level", "year.advice") for level in levels)


def plain(key: str) -> str:
    """A key without its tone."""
    head, _, tail = key.rpartition(".")
    return head if tail in TONES else key


def sentences() -> Iterator[tuple[str, str, str]]:
    for key, variants in catalogue().items():
        for row in variants:
            yield from ((key, language, row[language]) for language in LANGUAGES)


def test_every_key_that_can_be_asked_for_has_a_sentence():
    assert sorted(set(asked()) - set(catalogue())) == []


def test_every_sentence_has_a_key_that_can_be_asked_for():
    assert sorted({plain(key) for key in catalogue()} - set(asked())) == []


def test_a_tone_stands_in_for_a_key_that_exists():
    assert {key for key in catalogue() if plain(key) != key and plain(key) not in catalogue()} == set()


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_a_sentence_asks_for_the_same_words_in_every_language(key):
    # English alone prints ordinals and, for a role that the Chinese sentence spells out, its word.
    for row in catalogue()[key]:
        hans, hant, english = (slots(row[language]) - {"n", "nth"} for language in LANGUAGES)
        assert hans == hant
        assert hans <= english
        assert all(name.endswith("_word") for name in english - hans)


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


def test_no_sentence_holds_a_word_that_is_never_said():
    assert [(key, found) for key, language, text in sentences() for found in unsafe(text, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_in_the_script_of_its_language(language):
    said = [Sentence(text) for _, spoken, text in sentences() if spoken == language and "{" not in text]
    assert script_problems(said, language) == []
    assert [each for each in said if script_problems([each], language)] == []


def test_traditional_sentences_are_written_by_hand():
    said = {key: text for key, language, text in sentences() if language == "zh-Hant"}
    assert "簡潔" in said["advice.金"]
    assert said["at.year.stem"] == "年干"
    assert all("醜" not in text and "幹支" not in text for text in said.values())


def test_a_term_is_glossed_where_it_is_named_first():
    speaker = Speaker("en", lambda key: catalogue()[key][0]["en"])
    assert speaker.word(Term("伤官", "ten_god")) == "伤官 (Hurting Officer)"
    assert speaker.word(Term("伤官", "ten_god")) == "Hurting Officer"
    assert Speaker("zh-Hant", lambda key: key).word(Term("伤官", "ten_god")) == "傷官"


def test_terms_that_share_a_form_are_glossed_apart():
    speaker = Speaker("en", lambda key: key)
    assert [speaker.word(Term("死", kind)) for kind in ("stage", "season_state")] == [
        "死 (Death)",
        "死 (dead)",
    ]


def test_the_article_suits_the_word_after_it():
    rows_ = {"one": "meets {a relation}", "two": "{A verdict} needs rest"}
    speaker = Speaker("en", lambda key: rows_[key])
    arching = Term("拱合", "relation")
    assert speaker.say("one", {"relation": arching}) == "meets a 拱合 (arching pair)"
    assert speaker.say("one", {"relation": arching}) == "meets an arching pair"
    assert speaker.say("two", {"verdict": "useful god"}) == "A useful god needs rest"


def test_every_sentence_is_said_of_some_chart():
    """Where this fails for a changed rule, `python -m tests.core.readings.every_sentence` looks for other charts."""
    said = set().union(*(case.keys() for case in cases()))
    assert sorted(set(catalogue()) - said) == []


def test_no_sentence_is_longer_than_a_reading_allows():
    told = (of_pattern(case.chart.pattern(), "en") for case in cases() if not case.year)
    assert max(len(sentence.text) for one in told for sentence in one.reading.sentences) <= LONGEST_SENTENCE
