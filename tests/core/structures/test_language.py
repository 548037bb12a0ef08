"""The language of the rules: what a table may say, and that every table says nothing else."""

import pytest

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern import conditions, status
from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.render.schemas import schema
from bazi_core.structures import book_rules
from bazi_core.structures.book_rules import BookCondition, citation
from bazi_core.structures.language import GRAMMAR, NAMES
from bazi_core.structures.language import conditions as read
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from bazi_core.wording import FactPhrase
from tests.tables import holds_for_all

CELLS = [
    *((f"book_rules:{row['id']}", row["condition"]) for row in rows("book_rules")),
    *((f"ge_ju_status:{row['id']}", row["predicate"]) for row in rows("ge_ju_status")),
    *((f"dynamic_exceptions:{row['name']}", row["condition"]) for row in rows("dynamic_exceptions")),
    *(
        (f"dynamics:{row['name']}", cell)
        for row in rows("dynamics")
        for name in ("conditions", "undone_by")
        for cell in row[name].split(";")
    ),
]


@holds_for_all("row, cell", CELLS)
def test_every_row_of_every_table_speaks_the_language(row, cell):
    told = " & ".join(("!" if each.denied else "") + each.text for each in read(cell))
    assert told == cell.strip()


@holds_for_all(
    "cell",
    ["", "透", "透 才", "透 财 印", "财 >", "> 财", "财 > ", "强 财", "!", "透 财 &", "日 水金", "月 冲刑", "月 年", "解 子",
     "身强 财"],
)  # fmt: skip
def test_a_row_that_says_anything_else_is_told_as_a_defect(cell):
    with pytest.raises(ValueError, match=r"no rule speaks|asks about|is no "):
        read(cell)


def test_every_pattern_that_a_rule_names_is_one():
    definitions = schema("pattern_result")["$defs"]
    classes = definitions["pattern"]["properties"]["special_class"]["enum"]
    known = {*definitions["pattern_name"]["enum"], *classes}
    named = {
        name
        for _, cell in CELLS
        for each in read(cell)
        if GRAMMAR[each.verb] == (NAMES,)
        for name in each.names
    }
    assert named <= known


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_has_its_words_and_its_book(lang):
    for row in rows("book_rules"):
        assert FactPhrase(f"rule.{row['id']}").text(lang)
        assert citation(row["source"])


def test_a_denied_verdict_and_a_denied_element_rule_out_their_opposite_alone():
    for denied in (False, True):
        for strong in (False, True):
            for verb, meets in (("身强", strong), ("身弱", not strong)):
                for element in ELEMENTS:
                    assert BookCondition(verb, (), denied).may_hold(strong, element) is (meets is not denied)
        for element in ELEMENTS:
            for named in ELEMENTS:
                term = BookCondition("日", (named.value,), denied)
                assert term.may_hold(True, element) is ((named is element) is not denied)
        assert BookCondition("有", ("财",), denied).may_hold(True, ELEMENTS[0])


def test_whoever_judges_knows_every_verb_of_its_table():
    assert {each.verb for name, cell in CELLS if name.startswith("book") for each in read(cell)} == set(
        book_rules.VERBS
    )
    assert {each.verb for name, cell in CELLS if name.startswith("ge_ju") for each in read(cell)} == set(
        conditions.EVIDENCE
    )
    assert dynamic_rules()
    assert status.rules("正官格")
