"""What is made of a reply: what stands around it is taken off, what breaks a rule is dropped, what is required is put in."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bazi_core.errors import PortInvalidOutput
from bazi_core.model.fakes import reply_of
from bazi_core.model.port import LONGEST, ReadingReply
from bazi_core.readings.offer import PATTERN, Offer, offer
from bazi_core.readings.reply import MOST_OF_SUMMARY, MOST_PARTS, Written, check_reply
from bazi_core.readings.wish import Wish
from bazi_core.speech.plan import ADVICE, CLAIM, COUNTER, DOUBT, GROUND, Plan, Statement
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.drawn import drawn_results
from tests.core.readings.test_free_line import FALSE
from tests.core.readings.written import LINES, offered, pattern, written, year
from tests.tables import holds_for_all

YEAR = offered(year())
GOOD = written(12, LINES["zh-Hans"])


def made_of(reply: Any, made: Offer = YEAR) -> Written:
    return check_reply(made, reply_of(reply)).value


def said(found: Written) -> list[str]:
    return [each.text for each in found.reading.sentences]


def problem(reply: Any, made: Offer = YEAR) -> str:
    with pytest.raises(PortInvalidOutput) as caught:
        check_reply(made, reply_of(reply))
    return caught.value.data["problems"][0]["code"]


def ids(found: Written, made: Offer = YEAR) -> list[str]:
    """The ids on the menu of what is said, in the order in which it is read."""
    names = {each.id: name for name, each in made.menu.items()}
    return [names[each] for each in found.grounding.statements]


# --- what stands around


@holds_for_all(
    "around",
    [
        "{}", "\ufeff{}", "\n\n{}\n", "```json\n{}\n```", "```\n{}```", "Here is the reading:\n{}", "{}\nI hope this helps!",
        "<think>Let me see {{\"parts\": 1}}.</think>\n{}", "I think {{this}} is it: ```json\n{}\n``` Enjoy.",
        "thoughts without a beginning</think>{}", '{{"reading": {}}}',
    ],
)  # fmt: skip
def test_what_stands_around_the_json_is_taken_off(around):
    text = around.format(json.dumps(GOOD, ensure_ascii=False))
    assert made_of(text) == made_of(GOOD)


@holds_for_all(
    "text, code",
    [
        ("", "JSON"), ("   ", "JSON"), ("Sure!", "JSON"), ("{", "JSON"), ("[]", "JSON"), ("null", "JSON"),
        ("[" * 100_000, "JSON"), ('{"a": ' * 30_000, "JSON"), ('{"parts": ' * 10_000, "JSON"), ("\x00", "JSON"),
        ('{"parts": []}', "TOO_FEW"), ('{"parts": {}}', "TOO_FEW"), ('{"parts": null}', "TOO_FEW"),
        ('{"parts": [{"say": "s1"}]}', "TOO_FEW"), ('{"parts": [NaN, 1e999, ' + "9" * 5000 + "]}", "TOO_FEW"),
        (" " * (LONGEST + 1), "TOO_LONG"),
    ],
)  # fmt: skip
def test_a_reply_of_which_too_little_is_left_is_of_no_use(text, code):
    assert problem(text) == code


@holds_for_all(
    "value", [7, "text", ["s1"], None, {}, {"parts": [[]] * 9}, {1: 2}, {"parts": ({"say": "s1"},)}]
)
def test_a_parsed_value_that_is_no_reply_is_of_no_use(value):
    assert problem(ReadingReply(parsed=value)) in ("JSON", "TOO_FEW")


def test_of_a_reply_that_was_cut_off_the_whole_parts_are_read():
    text = json.dumps(GOOD)
    found = made_of(ReadingReply(text[: text.index('"s9"')], finish_reason="length"))
    assert ids(found) == [f"s{n}" for n in range(1, 9)]
    assert problem(ReadingReply(text[:70], finish_reason="length")) == "CUT_OFF"


# --- what is chosen


def test_the_statements_are_said_in_the_order_in_which_they_were_chosen():
    topics = [each.topic for each in YEAR.menu.values()]
    own = [f"s{at + 1}" for at, topic in enumerate(topics) if topic == "overview"]
    chosen = [*reversed(own)]
    found = made_of({"parts": [{"say": name, "variant": 0} for name in chosen]})
    assert [name for name in ids(found) if name in own] == chosen


def test_topics_are_read_together_and_the_summary_first():
    names = [*YEAR.menu]
    random.Random(3).shuffle(names)
    found = made_of({"parts": [{"say": name, "variant": 1} for name in names[:20]]})
    keys = [each.key for each in found.reading.sections]
    assert len(keys) == len(set(keys))
    assert "summary" not in keys


def test_every_sentence_is_that_of_its_statement_with_the_facts_of_its_statement():
    found = made_of(GOOD)
    by_id = {each.id: each for each in YEAR.plan.statements}
    for each in found.reading.sentences:
        if each.statement is not None:
            assert (each.evidence, each.kind) == (by_id[each.statement].evidence, by_id[each.statement].kind)
        else:
            assert (each.evidence, each.kind) == ((), "transition")


def test_a_variant_is_another_wording_of_the_same():
    one, other = (
        made_of({"parts": [{"say": f"s{n}", "variant": variant} for n in range(1, 13)]}) for variant in (0, 1)
    )
    assert one.grounding.statements == other.grounding.statements
    assert said(one) != said(other)


@holds_for_all("variant", [None, True, -1, 10**9, "1", 1.5, [], {}])
def test_a_variant_that_is_none_is_taken_as_the_first(variant):
    parts = [{"say": f"s{n}", "variant": variant} for n in range(1, 13)]
    assert said(made_of({"parts": parts})) == said(made_of(written(12)))


@holds_for_all(
    "part, reason",
    [
        ({"say": "s999"}, "unknown_id"), ({"say": "pat.main"}, "unknown_id"), ({"say": "S1"}, "unknown_id"),
        ({"say": None}, "unknown_id"), ({"say": ["s1"]}, "unknown_id"), ({"say": {"s1": 1}}, "unknown_id"),
        ({"say": "s1", "variant": 0}, "repeated"), ({"free": "你身强。"}, "term"), ({"free": 7}, "kind"), ({}, "shape"),
        ("s1", "shape"), (None, "shape"), ([], "shape"), ({"text": "你身强。"}, "shape"), ({"free": "慢" * 10**5}, "long"),
        ({"free": "慢慢来，不急。"}, "repeated"),
    ],
)  # fmt: skip
def test_a_part_that_breaks_a_rule_is_dropped_and_counted(part, reason):
    found = made_of({**GOOD, "parts": [*GOOD["parts"], part]})
    assert found.grounding.dropped == ((reason, 1),)
    assert said(found) == said(made_of(GOOD))


def test_there_is_one_free_line_for_two_statements_at_most():
    parts = [
        part
        for n in range(1, 13)
        for part in ({"say": f"s{n}"}, {"free": f"慢慢来{'，慢慢来' * (n % 9)}{'吧' * (n // 9)}。"})
        if n > 5 or "say" in part
    ]
    found = made_of({"parts": parts})
    assert found.grounding.free_lines == 6
    assert dict(found.grounding.dropped)["too_many_lines"] == 1


def test_the_lines_stand_behind_the_statements_behind_which_they_were_put():
    found = made_of(GOOD)
    texts = said(found)
    for at, line in enumerate(LINES["zh-Hans"]):
        assert found.reading.sentences[texts.index(line) - 1].statement == YEAR.menu[f"s{at + 11}"].id


def test_a_reading_has_no_more_sentences_than_its_length():
    for length, most in (("short", 10), ("standard", 30), ("long", 60)):
        made = offered(year(), length=length)
        parts = [{"say": name, "variant": 0} for name in made.menu]
        parts = [each for part in parts for each in (part, {"free": "慢慢来。"})]
        assert len(made_of({"parts": parts}, made).reading.sentences) < most


def test_what_was_kept_is_a_reply_that_says_the_same():
    checked = check_reply(YEAR, reply_of({**GOOD, "parts": [*GOOD["parts"], {"say": "x"}, {"free": "用神"}]}))
    again = check_reply(YEAR, ReadingReply(checked.text))
    assert again.value.reading == checked.value.reading
    assert (again.text, again.value.grounding.dropped) == (checked.text, ())


# --- what belongs together


def plan_of(*statements: Statement) -> Plan:
    return Plan(statements, {}, "0" * 64)


def stated(name: str, relation: str = CLAIM, topic: str = "career", required: bool = False) -> Statement:
    return Statement(name, "closing", {}, (), topic, relation, required=required)


def order(plan: Plan, *chosen: str) -> list[str]:
    """The statements that are said when these are chosen."""
    made = offer(plan, Wish(), PATTERN, 25)
    names = {each.id: name for name, each in made.menu.items()}
    value = {"parts": [{"say": names[each], "variant": 0} for each in chosen]}
    found = check_reply(made._replace(wanted=1), reply_of(value)).value
    return [*found.grounding.statements]


PLAN = plan_of(
    stated("answer", topic="answer", required=True), stated("claim"), stated("ground", GROUND), stated("ground.2", GROUND),
    stated("counter", COUNTER), stated("other"), stated("more", GROUND), stated("alone", topic="wealth"),
    stated("doubt", DOUBT, "doubts", required=True), stated("advice", ADVICE, "advice"),
)  # fmt: skip


@holds_for_all(
    "chosen, expected",
    [
        (("alone",), ("answer", "alone", "doubt")),
        (("claim",), ("answer", "claim", "ground", "doubt")),
        (("claim", "ground.2"), ("answer", "claim", "ground.2", "doubt")),
        (("counter",), ("answer", "claim", "ground", "counter", "doubt")),
        (("ground.2",), ("answer", "claim", "ground.2", "doubt")),
        (("counter", "other", "claim"), ("answer", "claim", "ground", "counter", "other", "more", "doubt")),
        (("other", "claim"), ("answer", "other", "more", "claim", "ground", "doubt")),
        (("advice", "doubt", "alone"), ("advice", "doubt", "alone")),
        (("doubt", "advice"), ("answer", "doubt", "advice")),
    ],
)  # fmt: skip
def test_a_claim_brings_its_ground_and_a_ground_its_claim_and_what_is_required_stands_at_its_place(
    chosen, expected
):
    found = order(PLAN, *chosen)
    assert set(found) == {*expected, "answer"}
    if "answer" in expected:
        assert found == [*expected]


def test_where_room_is_short_what_is_required_stays():
    plan = plan_of(*(stated(f"x{n}", required=n > 27) for n in range(30)))
    made = offer(plan, Wish(), PATTERN, 25)
    value = {"parts": [{"say": f"s{n}", "variant": 0} for n in range(1, 26)]}
    found = check_reply(made, reply_of(value)).value.grounding.statements
    assert len(found) == 25
    assert {"x28", "x29"} <= set(found)


# --- at random, and hostile


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_drawn_from_the_schema_is_read_and_nothing_but_statements_and_lines_is_printed(language):
    draw = random.Random(language)
    for result in drawn_results(draw, 4):
        made = offered(result, language=language)
        allowed = {each.id for each in made.plan.statements}
        for _ in range(10):
            value = drawn_reply(draw, made, language)
            try:
                found = check_reply(made, reply_of(json.dumps(value) if draw.random() < 0.5 else value)).value
            except PortInvalidOutput:
                assert sum("say" in part for part in value["parts"]) < made.wanted
                continue
            assert set(found.grounding.statements) <= allowed
            assert {each.text for each in found.reading.sentences if each.statement is None} <= set(
                LINES[language]
            )
            dropped = sum(count for _, count in found.grounding.dropped)
            lines = sum("free" in part for part in value["parts"])
            assert dropped >= lines - found.grounding.free_lines


def drawn_reply(draw: random.Random, made: Offer, language: str) -> dict[str, Any]:
    """A reply of the schema; its lines are false, some are fine."""
    false = [text for spoken, text in FALSE if spoken == language] or [text for _, text in FALSE]
    parts: list[dict[str, Any]] = []
    for _ in range(draw.randrange(2, 60)):
        if draw.random() < 0.6:
            parts.append({"say": draw.choice([*made.menu]), "variant": draw.randrange(3)})
        else:
            parts.append({"free": draw.choice(LINES[language] if draw.random() < 0.3 else false)})
    return {
        "understood": {"domain": "career", "kind": "when"}, "parts": parts,
        "keywords": draw.sample([*made.menu], 3),
    }  # fmt: skip


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_false_lines_by_the_hundred_are_none_of_them_printed(language):
    made = offered(year(), language=language)
    false = [text for spoken, text in FALSE if spoken == language]
    assert len(false) > 150
    for first in range(0, len(false), 150):
        part = [{"free": text} for text in false[first : first + 150]]
        found = made_of({"parts": [*written(30)["parts"], *part]}, made)
        assert found.grounding.free_lines == 0
        assert sum(count for _, count in found.grounding.dropped) >= len(part)


def test_ids_of_another_chart_say_what_this_chart_holds():
    other, own = offered(pattern()), {each.id for each in YEAR.plan.statements}
    parts = [{"say": each.id} for each in other.menu.values()] + [{"say": name} for name in other.menu]
    assert set(made_of({"parts": parts}).grounding.statements) <= own


@pytest.mark.exhaustive
def test_a_hundred_thousand_parts_are_counted_and_the_first_are_read():
    parts = [{"say": f"s{n % 30 + 1}", "variant": 0} for n in range(10**5)]
    found = made_of(ReadingReply(parsed={"parts": parts}))
    assert dict(found.grounding.dropped)["over_length"] >= 10**5 - MOST_PARTS
    assert problem(json.dumps({"parts": parts})) == "TOO_LONG"


def nested(depth: int) -> Any:
    value: Any = "s1"
    for _ in range(depth):
        value = [value] if depth % 2 else {"say": value}
    return value


@pytest.mark.parametrize("depth", [1, 50, 2001, 100_000])
def test_nested_junk_breaks_nothing(depth):
    junk = nested(depth)
    parts = [*GOOD["parts"], junk, {"say": junk}, {"free": junk}, {"say": "s2", "variant": junk}]
    found = made_of(ReadingReply(parsed={"understood": junk, "parts": parts, "keywords": junk}))
    assert said(found) == said(made_of(GOOD))


def test_lines_give_way_where_a_summary_has_no_room_for_them_and_are_counted():
    made = offered(pattern())
    lines = tuple(
        f"慢慢来，{each}。" for each in ("不急", "别慌", "先歇歇", "喝口茶", "看看窗外", "听听音乐")
    )
    parts = written(12)["parts"]
    opened = [{"free": line} for line in lines]
    found = made_of({"parts": [*opened, *parts]}, made)
    assert len(found.reading.summary) == MOST_OF_SUMMARY
    lost = len(lines) - found.grounding.free_lines
    assert lost > 0
    assert dict(found.grounding.dropped) == {"too_many_lines": lost}
