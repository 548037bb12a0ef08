"""The final result: score of the year, text of the rules or of a model, what the question leaves out, schema and digest."""

from __future__ import annotations

import asyncio
import json
import pickle
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import bazi_core as bz
from bazi_core.errors import (
    CostLimit,
    DigestMismatch,
    PortInvalidOutput,
    PortRefused,
    PortTimeout,
    PortUnavailable,
    QuestionTooLong,
    UnknownOption,
)
from bazi_core.facts import canonical_json, digest
from bazi_core.model.fakes import (
    FailingPort,
    FakeClock,
    FixedPort,
    ScriptedPort,
    Step,
    asynchronous,
    reply_of,
)
from bazi_core.model.port import Price, Usage
from bazi_core.questions.safety import disclaimer, referral, supporting
from bazi_core.readings.final import aread, aread_pattern, read, read_pattern, told
from bazi_core.readings.offer import DOMAINS, KINDS
from bazi_core.render.schemas import schema
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.written import BIRTH, pattern, plan_of, written, year
from tests.sizes import sizes

VALIDATOR = Draft202012Validator(schema("final_result"))
PATTERN = Draft202012Validator(schema("pattern_result"))
READING = Draft202012Validator({**VALIDATOR.schema["$defs"]["reading"], "$defs": VALIDATOR.schema["$defs"]})
FAILURES = [
    PortTimeout("t", timeout_s=90), PortUnavailable("u", reason="http", status=500), PortRefused("r", reason="refusal"),
]  # fmt: skip


def invalid(whole: dict[str, Any], validator: Draft202012Validator = VALIDATOR) -> list[str]:
    whole = json.loads(json.dumps(whole))
    return [f"{error.json_path}: {error.message[:120]}" for error in validator.iter_errors(whole)]


@pytest.mark.parametrize("tone", TONES)
@pytest.mark.parametrize("length", SENTENCES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_write_a_reading_of_a_year_and_of_a_pattern(language, length, tone):
    of_pattern = read_pattern(pattern(), language=language, tone=tone, length=length).reading
    assert len(of_pattern.sentences) <= SENTENCES[length]
    assert invalid(of_pattern.to_dict(), READING) == []
    result = read(year(), pattern(), language=language, tone=tone, length=length)
    assert invalid(result.to_dict()) == []
    assert result.grounding.verdict == "pass"
    assert len(result.reading.sentences) <= SENTENCES[length]
    assert result.narrative.endswith(disclaimer(language))
    assert (result.provenance.narrator, result.provenance.attempts, result.provenance.latency_ms) == (
        "rule",
        0,
        0,
    )


@pytest.mark.parametrize("target", [2025, 2026, 2027, 2031])
def test_score_level_and_sign_are_those_of_the_year(target):
    result = read(year(target), port=FixedPort(written()))
    whole = result.to_dict()
    assert (whole["score"], whole["level"], whole["sign"]) == (
        year(target).scores.overall,
        year(target).level,
        year(target).sign,
    )


def test_the_object_names_its_parents():
    whole = read(year()).to_dict()
    assert whole["year_digest"] == year().digest
    assert whole["pattern_digest"] == pattern().digest
    assert whole["input_digest"] == year().head()["input_digest"]


def test_the_digest_is_over_the_object_but_for_itself_and_the_warnings():
    whole = read(year()).to_dict()
    rest = {name: each for name, each in whole.items() if name not in ("digest", "warnings")}
    assert (
        digest(json.loads(canonical_json(rest)))
        == whole["digest"]
        == read(year()).to_dict(facts=False)["digest"]
    )


def test_the_same_input_gives_the_same_text_byte_by_byte():
    again = bz.chart(**BIRTH, gender="male").year(2026)
    assert read(again).to_json() == read(year()).to_json()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_facts_are_closed_over_what_the_reading_cites(language):
    whole = read(year(), language=language).to_dict()
    cited = {name for each in read(year(), language=language).reading.sentences for name in each.evidence}
    assert cited
    assert cited <= set(whole["facts"])
    assert {each for fact in whole["facts"].values() for each in fact["derives_from"]} <= set(whole["facts"])
    assert "facts" not in read(year(), language=language).to_dict(facts=False)


def test_what_a_model_chose_is_the_reading():
    result = read(year(), port=FixedPort(written(), model="m"), seed=7)
    whole = result.to_dict()
    assert invalid(whole) == []
    provenance = whole["provenance"]
    assert provenance["grounding"] == whole["grounding"]
    assert {name: provenance[name] for name in ("narrator", "model", "port", "attempts", "seed", "temperature",
    "failure")} == {
        "narrator": "llm", "model": "m", "port": "fixed", "attempts": 1, "seed": 7, "temperature": 0, "failure": None,
    }  # fmt: skip
    assert result.reading.sentences[-1].text == disclaimer()


def test_a_reply_is_salvaged_and_what_was_dropped_is_counted():
    parts = [*written()["parts"], {"free": "你身强。"}, {"say": "s999", "variant": 0}]
    result = read(year(), port=ScriptedPort([{**written(), "parts": parts}]))
    assert (result.grounding.verdict, result.provenance.attempts) == ("pass", 1)
    assert result.to_dict()["grounding"]["dropped"] == {"term": 1, "unknown_id": 1}
    assert invalid(result.to_dict()) == []


@pytest.mark.parametrize("error", FAILURES)
def test_the_rules_stand_in_for_a_model_that_fails(error):
    result = read(year(), port=FailingPort(error), language="en")
    assert invalid(result.to_dict()) == []
    assert result.provenance.narrator == "rule"
    assert result.provenance.fallback_used
    assert result.provenance.failure == error.code
    assert result.grounding.verdict == "fallback"
    assert type(result.told.error) is type(error)
    assert result.told.error.data == error.data
    assert result.reading == read(year(), language="en").reading


@pytest.mark.parametrize("error", FAILURES)
def test_or_the_error_is_raised_when_that_is_wished(error):
    with pytest.raises(type(error)):
        read(year(), port=FailingPort(error), on_failure="error")
    with pytest.raises(type(error)):
        asyncio.run(aread(year(), port=asynchronous(FailingPort(error)), on_failure="error"))


def test_a_reply_of_no_use_is_an_error_with_its_problem():
    with pytest.raises(PortInvalidOutput) as caught:
        read(year(), port=ScriptedPort(["{"]), on_failure="error")
    assert caught.value.data["problems"][0]["step"] == 1


def test_the_deadline_is_that_of_the_task_or_of_the_caller():
    for call, result, expected in ((read, year(), 90), (read_pattern, pattern(), 60)):
        clock = FakeClock()
        port = ScriptedPort([Step(written(), 10**6)], clock)
        call(result, port=port, clock=clock)
        assert clock() == expected
    clock = FakeClock()
    read(year(), port=ScriptedPort([Step(written(), 3)], clock), clock=clock, timeout_s=2.0)
    assert clock() == 2


def test_a_call_that_costs_too_much_is_not_made():
    port = ScriptedPort([written()])
    told_by = read(year(), port=port, max_cost_per_call=0.0, price=Price(1, 1))
    assert told_by.provenance.failure == "COST_LIMIT"
    assert port.requests == []
    with pytest.raises(CostLimit):
        read(year(), port=port, max_cost_per_call=0.0, price=Price(1, 1), on_failure="error")


def test_the_price_of_the_port_is_used_when_no_other_is_given():
    port = FixedPort(reply_of(written(), usage=Usage(1000, 1000)))
    port.price = Price(1.0, 2.0)
    assert read(year(), port=port).provenance.usage.cost == pytest.approx(0.003)


def test_a_cache_spares_the_second_call():
    cache: dict[str, str] = {}
    first = read(year(), port=ScriptedPort([written()]), cache=cache)
    second = read(year(), port=ScriptedPort([]), cache=cache)
    assert second.reading == first.reading
    assert second.provenance.attempts == 0
    other = read(year(), port=FailingPort(), cache=cache, question="事业")
    assert other.provenance.fallback_used


def test_the_asynchronous_way_is_the_same():
    async def both() -> None:
        port = asynchronous(FixedPort(written()))
        one = await aread(year(), pattern(), port=port, wait=asyncio.wait_for)
        assert one.reading == read(year(), port=FixedPort(written())).reading
        assert (await aread(year())).to_json() == read(year()).to_json()
        assert (await aread(year(), port=asynchronous(FailingPort()))).provenance.fallback_used
        assert (await aread_pattern(pattern())).reading == read_pattern(pattern()).reading
        port = asynchronous(FixedPort(written()))
        assert (await aread_pattern(pattern(), port=port)).provenance.narrator == "llm"

    asyncio.run(both())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("asked", "category", "action"),
    [
        ("我不想活了", "self_harm", "crisis_message"),
        *(
            (each, "death", "life_message")
            for each in ("我妈还能活多久", "will grandpa make it", "外公壽元幾何")
        ),
    ],
)
def test_distress_and_death_get_support_and_neither_divination_nor_level_nor_sign(
    language, asked, category, action
):
    port = ScriptedPort([])
    result = read(year(), port=port, question=asked, language=language, on_failure="error")
    whole = result.to_dict()
    assert invalid(whole) == []
    assert port.requests == []
    assert whole["safety"] == {"category": category, "action": action}
    assert [each.text for each in result.reading.sentences] == [
        *supporting(action, language),
        disclaimer(language),
    ]
    assert (whole["score"], whole["level"], whole["sign"], whole["facts"]) == (None, None, None, {})
    assert whole["provenance"]["usage"]["cost"] is None
    assert whole["grounding"]["verdict"] == "pass"


def test_referrals_stand_right_before_the_disclaimer():
    for port in (None, FailingPort()):
        last = read(year(), port=port, question="我的病和官司").reading.sentences[-3:]
        assert [each.text for each in last] == [referral("medical"), referral("legal"), disclaimer()]


@pytest.mark.parametrize("length", SENTENCES)
def test_referrals_fit_into_the_length(length):
    reading = read(year(), question="我的病、官司和股票", length=length).reading
    assert len(reading.sentences) <= SENTENCES[length]
    assert reading.sentences[-1].text == disclaimer()


def test_a_child_is_read_without_relationship_and_health_and_in_a_neutral_tone():
    warm = read(year(), question="我女儿今年如何", tone="warm").reading
    assert not {"relationship", "health_balance"} & {each.key for each in warm.sections}
    assert warm == read(year(), question="我女儿今年如何", tone="neutral").reading


def test_the_question_itself_is_not_repeated():
    asked = "我在腾讯上班，今年适合换工作吗？"
    assert "腾讯" not in read(year(), question=asked).to_json()


@pytest.mark.parametrize(
    "options",
    [{"language": "fr"}, {"tone": "x"}, {"length": "x"}, {"on_failure": "retry"}, {"on_failure": None}],
)
def test_what_is_not_offered_is_refused_before_anything_is_asked(options):
    port = ScriptedPort([])
    with pytest.raises(UnknownOption):
        read(year(), port=port, **options)
    with pytest.raises(UnknownOption):
        read_pattern(pattern(), port=port, **options)


def test_a_question_that_is_too_long_is_refused():
    with pytest.raises(QuestionTooLong):
        read(year(), question="问" * 501)


def test_an_option_that_does_not_exist_is_a_type_error_that_names_those_that_do():
    born = bz.chart(**BIRTH, gender="male")
    for asked in (lambda: read(year(), lang="en"), lambda: bz.read(born, lang="en")):
        with pytest.raises(TypeError, match=r"no option 'lang'; options: .*language, length, .*tone"):
            asked()


def test_a_pattern_of_another_chart_is_refused():
    with pytest.raises(DigestMismatch) as caught:
        read(year(), pattern("female"))
    assert caught.value.data["path"] == "pattern_digest"


def test_an_equal_pattern_is_the_same_pattern():
    again = bz.chart(**BIRTH, gender="male").pattern()
    assert again is not pattern()
    assert read(year(), again).to_json() == read(year()).to_json()


# --- patterns


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pattern_result_tells_itself_by_the_rules(language):
    whole = pattern().to_dict(lang=language)
    assert invalid(whole, PATTERN) == []
    reading = read_pattern(pattern(), language=language, length="short").reading
    assert whole["reading"] == reading.to_dict()
    assert whole["narrative"] == reading.narrative(language)
    assert whole["provenance"]["grounding"]["verdict"] == "pass"


def test_the_reading_is_outside_the_digest():
    digests = {pattern().to_dict(lang=language)["digest"] for language in LANGUAGES}
    by_model = told(pattern(), read_pattern(pattern(), port=FixedPort(written())))
    assert digests == {pattern().digest} == {by_model.to_dict()["digest"]}


def test_a_pattern_result_can_hold_the_reading_of_a_model():
    by_model = told(pattern(), read_pattern(pattern(), port=FixedPort(written(), model="m")))
    whole = by_model.to_dict()
    assert invalid(whole, PATTERN) == []
    assert whole["provenance"]["model"] == "m"
    assert by_model == pattern()
    assert pickle.loads(pickle.dumps(by_model)).to_dict() == whole


@pytest.mark.parametrize(
    "made",
    [
        {"pillars": "庚午 辛巳 庚辰 壬午"},
        {"when": "1990-05-15", "city": "北京", "hour_unknown": True},
        {**BIRTH, "gender": "male", "school": bz.School.named("facts_only")},
    ],
)
def test_a_chart_that_lacks_something_is_told_as_far_as_it_goes(made):
    own = bz.chart(**made)
    assert own.luck is None or read(own.year(2026)).grounding.verdict == "pass"
    whole = own.pattern().to_dict()
    assert whole["provenance"]["grounding"]["verdict"] == "pass"
    assert invalid(whole, PATTERN) == []


@pytest.mark.parametrize(
    "born", ["1990-05-15 13:30", "1984-02-14 05:30", "2001-11-30 21:10", "1963-08-09 00:40"]
)
def test_man_and_woman_are_told_by_the_same_templates(born):
    """What differs is the facts: the luck pillars, and which ten god stands for a spouse."""
    topics = {
        gender: plan_of(bz.chart(born, city="北京", gender=gender).pattern()).topics
        for gender in ("male", "female")
    }
    assert topics["male"] == topics["female"]


def test_a_final_result_can_be_pickled():
    result = read(year(), question="事业如何")
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()


def test_a_model_may_understand_a_question_otherwise_and_the_answer_is_to_that():
    asked = "那件事今年能成吗，还是先放一放？"
    by_rule = read(year(), question=asked).reading.summary[0]
    reply = {**written(), "understood": {"domain": "wealth", "kind": "whether"}}
    by_model = read(year(), port=FixedPort(reply), question=asked).reading
    assert by_model.summary[0].statement.startswith("answer.whether.")
    assert "财运" in by_model.summary[0].text
    assert "财运" not in by_rule.text
    assert by_model.summary[0].evidence[0] == "yr.2026.score.wealth"


@sizes(2, len(KINDS))
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_that_a_model_may_name_is_answered(domain, count):
    first = [*DOMAINS].index(domain) % len(KINDS)
    for number, kind in enumerate([*KINDS[first:], *KINDS[:first]][:count]):
        language = LANGUAGES[number % 3]
        reply = {**written(), "understood": {"domain": domain, "kind": kind}}
        for result in (year(), pattern()):
            call = read if result is year() else read_pattern
            told = call(result, port=FixedPort(reply), question="那件事今年能成吗", language=language)
            assert told.reading.sentences[0].statement.startswith("answer.")


def test_no_understanding_of_a_model_opens_a_topic_that_is_left_out():
    asked = "我女儿的学业如何"
    for domain in ("relationship", "marriage", "health"):
        reply = {**written(), "understood": {"domain": domain, "kind": "whether"}}
        told = read(year(), port=FixedPort(reply), question=asked)
        assert not {"yr.2026.score.relationship", "yr.2026.score.health_balance"} & set(told.told.cited)
    crisis = read(year(), port=ScriptedPort([]), question="我不想活了")
    assert crisis.safety["action"] == "crisis_message"
