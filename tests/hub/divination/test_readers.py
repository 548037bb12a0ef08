"""Who interprets, in which language, and what becomes of readers that fail, stall or write what the cast does not say."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bazi_core.errors import PortRefused, PortTimeout, PortUnavailable
from bazi_hub.divination.language import accepted, language_of, narrated, requested
from bazi_hub.divination.output import deltas
from bazi_hub.ports import days
from tests.hub.divination.runworld import PAYLOAD, THREAD, Model, Web, body, in_web, plays

FAILURES = [
    (PortTimeout("late", timeout_s=90), "UPSTREAM_TIMEOUT"),
    (PortUnavailable("no", reason="connect"), "UPSTREAM_ERROR"),
    (PortRefused("no", reason="refusal"), "UPSTREAM_ERROR"),
    (PortUnavailable("no", reason="http", status=503), "REST_ERROR"),
    (PortUnavailable("no", reason="http", status=401), "REST_ERROR"),
    (RuntimeError("key sk-secret"), "UPSTREAM_ERROR"),
]


@pytest.mark.parametrize(("error", "code"), FAILURES)
@in_web(reader=Model)
async def test_a_reader_that_fails_ends_the_run_with_its_code(web: Web, error: Exception, code: str) -> None:
    web.reader.error = error
    await web.submit()
    ended = await web.settled()
    assert (ended["status"], ended["error"]["code"]) == ("failed", code)
    assert "sk-secret" not in json.dumps([ended, web.voices.logged])
    last = (await web.stream()).events[-2:]
    assert [one["type"] for one in last] == ["STEP_FINISHED", "RUN_ERROR"]
    assert (last[1]["code"], last[1]["message"]) == (code, ended["error"]["message"])
    assert await web.money() == (1000, 0)
    derived = [one["type"] for one in (await web.stream()).events]
    assert "DIVINATION_DERIVED" in derived


@pytest.mark.parametrize(("error", "code"), FAILURES)
@in_web(reader=Model, llm_fallback="narrator")
async def test_where_the_operator_wants_it_the_rules_stand_in_for_nothing(
    web: Web, error: Exception, code: str
) -> None:
    web.reader.error = error
    await web.submit()
    ended = await web.settled()
    assert (ended["status"], ended["credits_deducted"]) == ("succeeded", 0)
    output = (await web.history())["messages"][0]["agent_output"]
    assert output["interpreter"] == "rules"
    assert output["provenance"]["fallback_used"] is True
    assert await web.money() == (1000, 0)

    assert await web.storage.ledger.uncharged(web.accounts["me"], days(web.clock.now_ms())) == 1


JUNK = [
    "", "no json", "{}", '{"sign_level":"上上签"}', "[1]", '{"sign_level":"大吉签","conclusion":[]}',
    "```json\n{}\n```",
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("fallback", ["error", "narrator"])
def test_junk_is_never_told_the_rules_speak_for_nothing(junk: str, fallback: str) -> None:
    async def story(web: Web) -> None:
        web.reader.says = junk
        await web.submit()
        ended = await web.settled()
        assert (ended["status"], ended["credits_deducted"]) == ("succeeded", 0)
        assert len(web.reader.asked) == 1
        output = (await web.history())["messages"][0]["agent_output"]
        assert output["interpreter"] == "rules"
        assert output["provenance"]["failure"] == "PORT_INVALID_OUTPUT"
        assert output["sign_level"] == output["divination_analysis"]["sign"]["level"]
        assert await web.money() == (1000, 0)

    plays(story, reader=Model(), llm_fallback=fallback)


FALSE_LINES = (
    "占得乾为天，变为坤为地。", "世爻在一爻，子孙发动。", "三爻不发动。", "2027年1月5日必成。", "详见 https://example.org/。",
    "以上都不准。", "签等是上上签。",
)  # fmt: skip


@in_web(reader=Model)
async def test_what_the_cast_does_not_say_is_not_told(web: Web) -> None:
    await web.submit(body(run="right"))
    assert (await web.settled(run="right"))["credits_deducted"] == 4
    request = web.reader.asked[-1]
    said = [{"say": name, "variant": 0} for name in request.ids]
    for number, line in enumerate(FALSE_LINES):
        web.reader.says = json.dumps({"parts": [*said, {"free": line}], "keywords": []}, ensure_ascii=False)
        await web.submit(body(run=f"line{number}"))
        assert (await web.settled(run=f"line{number}"))["credits_deducted"] == 4, line
    for number, reply in enumerate(
        ({"parts": []}, {"parts": [{"say": "s999"}]}, {"parts": [{"free": "宜静。"}]})
    ):
        web.reader.says = json.dumps(reply, ensure_ascii=False)
        await web.submit(body(run=f"empty{number}"))
        assert (await web.settled(run=f"empty{number}"))["credits_deducted"] == 0, reply
    told = json.dumps(await web.history(), ensure_ascii=False)
    assert not any(line in told for line in FALSE_LINES)


@in_web(reader=Model)
async def test_what_a_model_wrote_is_told_with_its_usage_and_the_disclaimer_last(web: Web) -> None:
    await web.submit()
    await web.settled()
    output = (await web.history())["messages"][0]["agent_output"]
    assert output["interpreter"] == "llm"
    assert output["answer"].endswith("专业意见。")
    for profile in ("seed", "agui"):
        end = (await web.stream(query=f"&profile={profile}")).events[-1]
        assert end["usage"] == [
            {
                "provider": "afar",
                "model": "model-1",
                "inputTokens": 900,
                "outputTokens": 400,
                "totalTokens": 1300,
            }
        ]


@in_web(reader=Model)
async def test_a_reader_that_lacks_its_settings_is_a_matter_of_configuration(web: Web) -> None:
    web.reader.configured = False
    refused = await web.submit()
    assert (refused.status, refused.json["code"]) == (500, "CONFIG_ERROR")
    assert refused.json["params"]["request_id"] == refused.headers["x-request-id"]
    assert await web.money() == (1000, 0)


@in_web(reader=Model, llm_deadline_run_s=0.05)
async def test_a_reader_that_hangs_is_given_up_and_the_hold_returns(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    ended = await web.settled()
    assert (ended["status"], ended["error"]["code"]) == ("failed", "UPSTREAM_TIMEOUT")
    assert await web.money() == (1000, 0)
    assert web.hub.slots.room(web.accounts["me"])


LANGUAGES = [
    # question, ai_language, account, Accept-Language → language
    ("我换工作好吗？", None, None, None, "zh-Hans"),
    ("我换工作好吗？", None, None, "fr;q=0.9, zh-TW", "zh-Hant"),
    ("我换工作好吗？", None, None, "*", "zh-Hans"),
    ("我换工作好吗？", None, "en", "zh-TW", "en"),
    ("我换工作好吗？", "zh-TW", "en", "fr", "zh-Hant"),
    ("我换工作好吗？", "ja", None, None, "en"),
    ("我换工作好吗？请用英文回答", "zh-Hans", None, None, "en"),
    ("Should I change jobs? Reply in Chinese, please.", "en", None, None, "zh-Hans"),
    ("我換工作好嗎？請用繁體中文回答", "en", None, None, "zh-Hant"),
    ("英文考试能过吗？", None, None, None, "zh-Hans"),
]


@pytest.mark.parametrize(("question", "ai", "account", "header", "language"), LANGUAGES)
@in_web
async def test_the_answer_is_in_the_language_that_was_wished(
    web: Web, question: str, ai: str | None, account: str | None, header: str | None, language: str
) -> None:
    """D20, D21."""
    if account:
        await web.storage.accounts.change(web.accounts["me"], "test", language=account)
    props: dict[str, Any] = {"payload": PAYLOAD | {"question": question}}
    value = body(**props, **({"ai_language": ai} if ai else {}))
    sent = {"accept_language": header} if header else {}
    assert (await web.submit(value, **sent)).status == 202
    await web.settled()
    output = (await web.history())["messages"][0]["agent_output"]
    assert output["language"] == language
    assert output["sign_level"] in ("上上签", "中上签", "中下签", "下下签")
    if language == "en":
        assert "世爻" in output["answer"]
        assert "This reading is for entertainment only" in output["answer"]
    # The objects are Chinese always.
    assert output["divination_derived"]["guaName"] == "水火既济"


@in_web
async def test_a_follow_up_may_ask_for_another_language(web: Web) -> None:
    await web.submit()
    await web.settled()
    await web.submit(body(run="r2", payload=None, said="请用英文再说一遍，用英语回答"))
    await web.settled(run="r2")
    assert (await web.history())["messages"][0]["agent_output"]["language"] == "en"


def test_languages_are_told_by_tag_header_and_words() -> None:
    assert requested("Please answer my question about English exams in English.") == "en"
    assert requested("能用简体中文回答吗") == "zh-Hans"
    assert requested("我学英语有用吗") is None
    assert accepted("en;q=0.5, zh-Hans;q=0.5") == "en"
    assert accepted("x" * 10_000) is None
    assert narrated("zh-Hant-HK") == "zh-Hant"
    assert language_of([], None, None, None) == "zh-Hans"


@pytest.mark.parametrize(
    "text", ["", "。", "a", "长" * 450, "一二三。" * 100, "No. 5 is 3.5! Yes? “So.” And", "x" * 199 + "。y"]
)
def test_pieces_of_an_answer_are_it(text: str) -> None:
    pieces = deltas(text)
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= 200 for piece in pieces)


@in_web(reader=Model, llm_max_concurrency=1)
async def test_runs_of_other_threads_go_on_while_one_waits(web: Web) -> None:
    web.reader.gate.clear()
    threads = [f"{THREAD[:-2]}{number:02}" for number in range(20)]
    for thread in threads[:17]:
        assert (await web.submit(body(thread=thread))).status == 202
    await web.begun(1)
    for _ in range(50):
        await asyncio.sleep(0)
    crowded = await web.submit(body(thread=threads[17]))
    assert (crowded.status, crowded.json["code"]) == (502, "UPSTREAM_ERROR")
    assert crowded.json["params"]["reason"] == "OVERLOADED"
    web.reader.gate.set()
    for thread in threads[:17]:
        assert (await web.settled(thread))["status"] == "succeeded"
