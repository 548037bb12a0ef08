"""What errors say: every sentence in three languages with the same values, and no English in a Chinese one."""

import ast
import copy
import pickle
import re
import string
from functools import cache
from pathlib import Path

import pytest

from bazi_core.errors import BaziError, InvalidInput, all_errors
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said
from bazi_core.tables.words import LANGUAGES, named_language
from tests.tables import holds_for_all

ROWS = rows("errors")


def slots(text):
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@holds_for_all("row", ROWS, lambda row: row["key"])
def test_a_sentence_has_the_same_values_in_every_language(row):
    assert all(row[lang] for lang in LANGUAGES)
    assert slots(row["zh-Hans"]) == slots(row["zh-Hant"]) == slots(row["en"])


def test_a_key_has_one_row():
    keys = [row["key"] for row in ROWS]
    assert len(set(keys)) == len(keys)


def test_a_sentence_is_its_english_text_and_can_be_told_in_another_language():
    said = Said("fact_unknown", id="tg.x")
    assert said == "there is no fact 'tg.x'"
    assert [said.text(lang) for lang in ("zh-Hans", "zh-Hant")] == [
        "没有编号为“tg.x”的事实",
        "沒有編號為「tg.x」的事實",
    ]
    assert said.text("fr") == said.text("en") == said


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_sentence_survives_copying(again):
    made = again(Said("close", names=Listed([Said("fact_unknown", id="a"), "b"])))
    assert made.text("zh-Hans") == "相近的有：没有编号为“a”的事实、b"
    assert type(made) is Said


def test_an_error_carries_its_sentences_through_a_copy_and_into_json_in_english():
    error = InvalidInput(
        Said("fact_unknown", id="\ud800"), hint=Said("close", names=Listed(["a", "b"])), given="x"
    )
    again = pickle.loads(pickle.dumps(error))
    assert again.text("zh-Hant") == "沒有編號為「?」的事實"
    assert again.advice("zh-Hans") == "相近的有：a、b"
    assert again.to_dict() == {
        "code": "INVALID_INPUT",
        "message": "there is no fact '?'",
        "data": {"given": "x"},
        "hint": "close: a, b",
    }
    assert type(again.to_dict()["message"]) is str


def test_an_error_with_words_of_its_own_says_them_in_every_language():
    error = BaziError("what happened", hint="what to do")
    assert {error.text(lang) for lang in LANGUAGES} == {"what happened"}
    assert {error.advice(lang) for lang in LANGUAGES} == {"what to do"}


@holds_for_all(
    "tag, language",
    [
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh_SG.UTF-8", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("ZH-TW", "zh-Hant"),
        ("zh_HK.big5", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh_Hant", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("en-GB", "en"),
        ("en_US.UTF-8@euro", "en"),
        ("fr", None),
        ("zhx", None),
        ("", None),
        ("-" * 1_000_000, None),
    ],
)
def test_a_language_is_known_by_any_of_its_tags(tag, language):
    assert named_language(tag) == language


# What is written in Latin letters in Chinese too: codes, arguments of Python with their values, calls, flags.
_LATIN = re.compile(
    r"`[^`]*`|--?[a-z][a-z-]*|[a-z_]+=('[^']*')?|[a-z]+\.[a-zA-Z_.]+\([^)]*\)|\b[A-Z][A-Z0-9_]+\b|[a-z]+\.[a-z]+"
)
_NAMES = frozenset(["hub", "male", "female"])


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_no_english_is_left_in_a_chinese_sentence(lang):
    for row in ROWS:
        bare = _LATIN.sub("", re.sub(r"\{[^}]*\}", "", row[lang]))
        assert set(re.findall(r"[A-Za-z]{2,}", bare)) <= _NAMES, row["key"]


SOURCES = [
    path
    for package in ("bazi_core", "bazi_cli", "bazi_hub")
    for path in sorted((Path(__file__).parents[3] / package).rglob("*.py"))
]


@cache
def nodes():
    """(file, node) of every call and every constant of the code."""
    return [
        (path, node)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call | ast.Constant)
    ]


def calls():
    return [(path, node) for path, node in nodes() if isinstance(node, ast.Call)]


def name_of(call):
    return getattr(call.func, "id", None) or getattr(call.func, "attr", None)


def is_said(call):
    """Whether a sentence of the table is made; the statements of a reading have a class of that name too."""
    return name_of(call) == "Said" and len(call.args) == 1


def texts(node):
    """The literal text in an expression, what stands in a sentence left out."""
    if isinstance(node, ast.Call) and name_of(node) in ("Said", "Listed"):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from texts(child)


RAISED = frozenset([error.__name__ for error in all_errors()]) | {"UsageError", "BadParameter"}


@pytest.mark.exhaustive
def test_what_an_error_says_is_a_row_wherever_it_is_raised():
    found = []
    for path, call in calls():
        if name_of(call) in RAISED and path.name != "errors.py":
            said = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "hint")]
            found += [
                f"{path}:{call.lineno} {text}"
                for node in said
                for text in texts(node)
                if re.search("[A-Za-z]{2}", text)
            ]
    assert found == []


# Rows named by a value: messages of click, quantities that have a range, parts of a date, days of the week, reasons.
_NAMED_BY_VALUE = ("click.", "outside_", "when.no_", "weekday.", "corrupt.")


def test_every_row_is_said_somewhere():
    literals = {node.value for _, node in nodes() if isinstance(node, ast.Constant)}
    unsaid = {row["key"] for row in ROWS} - literals
    assert {key for key in unsaid if not key.startswith(_NAMED_BY_VALUE)} == set()


def test_every_sentence_that_is_said_has_its_row():
    said = {
        text
        for path, call in calls()
        if is_said(call) and not isinstance(call.args[0], ast.JoinedStr)
        for text in constants(call.args[0])
    }
    assert said - {row["key"] for row in ROWS} == set()


def constants(node):
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
