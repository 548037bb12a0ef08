"""The schema validator agrees with jsonschema, names every path, and lets no hidden sign through."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bazi_core.errors import InvalidInput
from bazi_core.readings.reading import KEYS, Reading, Section, Sentence, problems_of, schema
from bazi_core.readings.validation import problems
from bazi_core.render.schemas import schema as shipped
from tests.core.readings.written import pattern, sentences, written

SCHEMA = schema()
REFERENCE = Draft202012Validator(SCHEMA)
HIDDEN = [
    "\u200b", "\u202e", "\u2066", "\ufeff", "\ufe0f", "\u0301", "\u00ad", "\x00", "\n", "\t", "\ud800", "\U000e0041",
    "⽊", "㊎", "①", "Ⅶ", "Ａ", "а", "α", "²", "😀", "\uf900", "\ue000", "\u3021",
]  # fmt: skip


def broken(value: Any, rng: random.Random) -> Any:
    """The value with one thing somewhere in it changed, removed or added."""
    value = copy.deepcopy(value)
    nodes: list[Any] = [value]
    for node in nodes:
        nodes += [
            each
            for each in (node.values() if isinstance(node, dict) else node)
            if isinstance(each, (dict, list))
        ]
    node = rng.choice([each for each in nodes if each])
    key = rng.choice([*node]) if isinstance(node, dict) else rng.randrange(len(node))
    match rng.randrange(4):
        case 0:
            del node[key]
        case 1:
            node[key] = rng.choice([None, 1, True, "", "x", [], {}, "x" * 500, [[]], {"text": "x"}])
        case 2 if isinstance(node, dict):
            node[rng.choice(["more", "__proto__", ""])] = "x"
        case _ if isinstance(node, list):
            node += copy.deepcopy(node) * 9
    return value


def test_it_accepts_and_refuses_what_jsonschema_does():
    rng, good = random.Random(7), written(pattern(), length="standard")
    verdicts = []
    for _ in range(1500):
        value = broken(good, rng)
        ours = not [each for each in problems(value, SCHEMA) if each.code != "CHARACTER"]
        assert ours == REFERENCE.is_valid(value), value
        verdicts.append(ours)
    assert 50 < sum(verdicts) < 1450


@pytest.mark.parametrize("value", [None, 1, "x", [], True, {}, {"title": 1}])
def test_what_is_no_reading_at_all_is_refused(value):
    assert [*problems(value, SCHEMA)]


@pytest.mark.parametrize("sign", HIDDEN, ids=lambda sign: f"U+{ord(sign):04X}")
def test_a_sign_that_hides_or_imitates_is_refused(sign):
    value = written(pattern())
    sentences(value)[0]["text"] = f"七{sign}杀格"
    (found,) = problems(value, SCHEMA)
    assert (found.path, found.code, found.detail) == (
        "summary[0].text",
        "CHARACTER",
        f"must not hold U+{ord(sign):04X}",
    )


@pytest.mark.parametrize(
    "text", ["「七杀格」（Seven Killings）——“是”…·、《易》！？；：", "café naïve Lü – ‘so’", "90%、3/4、〇"]
)
def test_the_signs_of_printed_text_are_accepted(text):
    value = written(pattern())
    sentences(value)[0]["text"] = text
    assert not [*problems(value, SCHEMA)]


def test_a_keyword_that_is_not_known_is_a_defect():
    with pytest.raises(KeyError):
        list(problems("x", {"type": "string", "format": "uri"}))


def test_rules_that_a_schema_cannot_say():
    value = written(pattern())
    value["sections"].append(copy.deepcopy(value["sections"][0]))
    sentences(value)[0]["evidence"] = []
    found = {(each.path, each.code) for each in problems_of(value, SCHEMA, most=3)}
    assert ("summary[0].evidence", "MISSING") in found
    assert (f"sections[{len(value['sections']) - 1}].key", "REPEATED") in found
    assert ("", "TOO_LONG") in found


def test_a_reading_survives_json():
    reading = Reading.from_dict(written(pattern()))
    assert Reading.from_dict(reading.to_dict()) == reading
    with pytest.raises(InvalidInput) as caught:
        Reading.from_dict({"title": "x"})
    assert caught.value.data["problems"]


def test_the_disclaimer_is_the_last_paragraph_and_stands_once():
    reading = Reading.from_dict(written(pattern()))
    last = Sentence("仅供参考。", (), "disclaimer")
    twice = reading.ended(last).ended(last)
    assert twice == reading.ended(last)
    assert twice.sentences[-1] == last
    assert twice.narrative().split("\n\n")[-1] == last.text
    assert twice.narrative().count(last.text) == 1


def test_a_reading_of_nothing_but_disclaimers_still_ends_with_one():
    last = Sentence("仅供参考。", (), "disclaimer")
    assert Reading("题", (last,), (Section("months", (last,)),), ("词",)).ended(last).sentences == (last,)


def test_a_reading_is_shortened_from_the_end_by_what_claims_nothing_first():
    free, fact = Sentence("说明。", (), "transition"), Sentence("日干庚。", ("p.day.stem",))
    reading = Reading("题", (fact,), (Section("overview", (fact, free)), Section("advice", (fact,))), ("词",))
    assert reading.shortened(4) is reading
    assert reading.shortened(3).sections == (Section("overview", (fact,)), Section("advice", (fact,)))
    assert reading.shortened(2).sections == (Section("overview", (fact,)),)
    assert reading.shortened(0).summary == (fact,)


def test_sections_are_paragraphs_in_order():
    value = written(pattern(), length="standard")
    paragraphs = Reading.from_dict(value).narrative().split("\n\n")
    assert len(paragraphs) == 1 + len(value["sections"])
    assert paragraphs[0] == "".join(each["text"] for each in value["summary"])


def test_the_shipped_schema_of_a_reading_says_the_same():
    ours, theirs = SCHEMA["properties"], shipped("final_result")["$defs"]["reading"]["properties"]
    assert set(ours) == set(theirs)
    assert theirs["sections"]["items"]["properties"]["key"]["enum"] == list(KEYS)
    good = Draft202012Validator({"$ref": "#/$defs/reading", "$defs": shipped("final_result")["$defs"]})
    assert good.is_valid(written(pattern(), length="long"))
    rng = random.Random(3)
    for _ in range(300):
        value = broken(written(pattern()), rng)
        if not good.is_valid(value):
            assert [*problems(value, SCHEMA)], value
