"""The check of an answer to a cast: which sentence follows from which facts."""

from __future__ import annotations

import csv
import os

import pytest

from bazi_core import liuyao as ly
from bazi_core.readings.divination.answer import DivinationReading, Item
from bazi_core.readings.divination.check import Known, check, item_problems
from bazi_core.readings.divination.statements import understood
from bazi_core.readings.divination.words import vocabulary
from bazi_core.readings.vocabulary import tokens
from bazi_core.tables import rows
from tests.core.liuyao.casts import AT


def _written():
    path = os.path.join(os.path.dirname(__file__), "free_text.csv")
    with open(path, encoding="utf-8", newline="") as file:
        return [*csv.DictReader(line for line in file if not line.startswith("#"))]


@pytest.fixture(scope="module")
def facts():
    return ly.derive("789876", AT).analyze("事业").facts


def _reasons(text, facts, *ids):
    known = Known.of(facts[name] for name in ids) if ids else Known.of(facts.values())
    return [(each.term, each.reason) for each in item_problems(text, known)]


@pytest.mark.parametrize("row", _written(), ids=lambda row: row["text"][:20])
def test_a_sentence_is_accepted_where_it_follows_and_refused_where_it_does_not(row, facts):
    assert (_reasons(row["text"], facts, *row["evidence"].split()) == []) is (row["holds"] == "1")


def test_written_sentences_are_of_every_language_true_and_false():
    kinds = {(row["language"], row["holds"]) for row in _written()}
    assert len(kinds) == 6
    assert len(_written()) > 120


@pytest.mark.parametrize(
    ("text", "ids", "reasons"),
    [
        ("世爻官鬼发动。", ["ly.line.3"], [("官鬼", "opposite")]),
        ("五爻兄弟发动。", ["ly.line.3", "ly.line.5"], [("五爻", "elsewhere")]),
        ("三爻并未发动。", ["ly.line.3"], [("发动", "opposite")]),
        ("三爻临天喜。", ["ly.line.3"], [("天喜", "unsupported")]),
        ("初九落旬空。", ["ly.line.1.void"], [("初九", "number")]),
        ("官​鬼", ["ly.line.2"], [("U+200B", "hidden")]),
    ],
)
def test_a_reason_says_what_is_wrong(text, ids, reasons, facts):
    found = _reasons(text, facts, *ids)
    assert all(each in found for each in reasons)


def test_what_month_and_day_are_to_a_line_follows_once_both_are_cited(facts):
    assert _reasons("五爻戌土休囚。", facts, "ly.line.5") != []
    assert _reasons("五爻戌土休囚。", facts, "ly.line.5", "ly.yuejian") == []
    assert _reasons("五爻不逢月破，也不落旬空。", facts, "ly.line.5", "ly.yuejian", "ly.void.day") == []
    assert _reasons("二爻逢日冲。", facts, "ly.line.2", "ly.richen") == []


def test_a_level_that_the_facts_do_not_state_is_refused_in_the_field_and_in_words(facts):
    item = Item("签等为下下签。", ("ly.sign",))
    own = DivinationReading("下下签", (item,), (), (), (item,), ("下下签",), "zh-Hans")
    assert check(own, facts).verdict == "pass"
    assert check(own._replace(sign_level="上上签"), facts).contradicted[0].category == "sign"
    assert check(own._replace(keywords=("上上签",)), facts).verdict == "fallback"


def test_an_unknown_id_ends_the_check_and_an_item_that_cites_nothing_is_named(facts):
    item = Item("签等为下下签。", ("ly.sign",))
    own = DivinationReading("下下签", (item,), (), (), (item,), ("签",), "zh-Hans")
    assert check(own._replace(answer=(Item("甲", ("ly.nothing",)),)), facts).unknown_ids == ("ly.nothing",)
    report = check(own._replace(conclusion=(Item("签等为下下签。"),)), facts)
    assert (report.uncited, report.verdict) == (("签等为下下签。",), "fallback")


def test_another_script_than_that_of_the_language_is_refused(facts):
    said = Item("先穩住眼前的事，別急著做決定，這樣後面會輕鬆許多。", ("ly.sign",))
    own = DivinationReading("下下签", (said,), (), (), (said,), ("签",), "zh-Hans")
    assert [each.category for each in check(own, facts).contradicted] == ["language"]
    assert check(own._replace(language="zh-Hant", keywords=("籤",)), facts).verdict == "pass"


@pytest.mark.parametrize("language", ["name", "name_hant"])
@pytest.mark.parametrize("table", ["relatives", "spirits"])
def test_names_are_words_in_both_scripts(table, language):
    for row in rows(f"liuyao/{table}"):
        assert [each.term for each in tokens(row[language], vocabulary())[0]] == [row["name"]]


def test_hexagrams_are_known_by_full_name_in_both_scripts_and_by_short_name_where_it_is_one():
    for row in rows("liuyao/hexagrams"):
        for text in (row["full"], row["full_hant"], f"《{row['name']}》", f"本卦{row['name_hant']}"):
            assert ("hexagram", row["full"]) in [
                (each.category, each.term) for each in tokens(text, vocabulary())[0]
            ], text
    assert tokens("一家人同人合作", vocabulary())[0] == []


def test_everyday_words_claim_nothing():
    for text in ("与父母商量。", "世界很大，应该多走走。", "静下来想想，行动起来。", "变化总会有的。", "我们是一家人。",
                 "Keep still for a moment and talk with your parents."):  # fmt: skip
        assert understood(text).statements == (), text


def test_a_statement_gathers_what_is_said_of_one_line_and_a_new_name_begins_the_next():
    found = understood("用神官鬼己亥水在三爻，持世而发动；四爻安静。").statements
    assert [[each.term for each in one.said] for one in found] == [
        ["用神", "官鬼", "己亥", "3", "世", "发动"],
        ["4", "安静"],
    ]


def test_ties_join_what_acts_and_what_it_acts_on():
    found = understood("日辰未土克三爻，五爻得月建生扶。").ties
    assert [(each.verb, each.one.said[0].term, each.other.said[0].term) for each in found] == [
        ("克", "day", "3"),
        ("生|扶", "month", "5"),
    ]
