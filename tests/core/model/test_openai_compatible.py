"""The HTTP clients against a server that misbehaves in every way: the right error, in time, and nothing leaks."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from typing import Any

import pytest

from bazi_core.errors import InvalidInput, PortError, PortRefused, PortTimeout, PortUnavailable
from bazi_core.model.codec import Dialect
from bazi_core.model.openai_compatible import AsyncOpenAICompatible, OpenAICompatible, Settings
from bazi_core.model.port import Price
from bazi_core.readings.final import aread, read
from tests.core.model import misbehaving as server
from tests.core.model.misbehaving import completion, says, serving
from tests.core.readings.written import request_of, written, year
from tests.tables import holds_for_all

KEY = "sk-very-secret-0123456789"
ASKED = "我在某某公司上班，今年适合换工作吗？"
REQUEST = request_of(year(), question=ASKED, timeout_s=0.3)
PATIENT = REQUEST._replace(timeout_s=5.0)
CLIENTS = pytest.mark.parametrize("client", ["sync", "async"])


@pytest.fixture(autouse=True)
def without_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def settings(url: str, **more: Any) -> Settings:
    return Settings(url, "test-model", KEY, **more)


def generate(client: str, url: str, request: Any = REQUEST, **more: Any) -> Any:
    if client == "sync":
        return OpenAICompatible(settings(url, **more)).generate(request)
    return asyncio.run(AsyncOpenAICompatible(settings(url, **more)).generate(request))


def chain(error: BaseException | None) -> list[BaseException]:
    """An error with everything that it drags along."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


@CLIENTS
def test_a_good_answer_is_a_reply(client):
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    with serving(says(completion("{}", usage=usage))) as up:
        reply = generate(client, up.url, PATIENT)
    assert (reply.text, reply.model, tuple(reply.usage)) == ("{}", "test/model-1:free", (9, 4, None))
    assert reply.latency_ms >= 0
    headers = {name.lower(): value for name, value in up.headers[0].items()}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["idempotency-key"] == REQUEST.idempotency_key
    assert up.bodies[0]["model"] == "test-model"


def test_without_a_key_there_is_no_authorization():
    with serving(says(completion("{}"))) as up:
        OpenAICompatible(Settings(up.url + "/", "m")).generate(PATIENT)
    assert "authorization" not in {name.lower() for name in up.headers[0]}


UNAVAILABLE: dict[str, Any] = {
    "500": (says({"error": {"message": f"{KEY} 庚"}}, 500), {"status": 500, "reason": "http"}),
    "401": (
        says({"error": {"code": "invalid_api_key", "message": KEY}}, 401),
        {"status": 401, "reason": "invalid_api_key"},
    ),
    "redirect": (says("", 307, Location="http://127.0.0.1:1/steal"), {"status": 307, "reason": "http"}),
    "429 without a time": (says({}, 429), {"status": 429, "reason": "http"}),
    "429 with too long a time": (says({}, 429, Retry_After="3600"), {"status": 429, "reason": "http"}),
    "HTML": (says("<html>Welcome</html>", 200, "text/html"), {"reason": "not_json"}),
    "HTML error": (says("<html>Bad gateway</html>", 502, "text/html"), {"status": 502, "reason": "http"}),
    "truncated JSON": (says('{"choices": [{"message": {"content": "x'), {"reason": "not_json"}),
    "empty body": (says(""), {"reason": "not_json"}),
    "no choices": (says({"choices": []}), {"reason": "no_choices"}),
    "error in a good answer": (
        says({"error": {"code": 402, "message": KEY}}),
        {"status": 402, "reason": "http"},
    ),
    "reset": (server.resets, {"reason": "ReadError"}),
    "body cut off": (server.closes_early, {"reason": "RemoteProtocolError"}),
    "no HTTP": (server.speaks_no_http, {"reason": "RemoteProtocolError"}),
    "flood": (server.floods, {"reason": "too_large"}),
}
SLOW = {
    "hang": server.hangs, "hang after headers": server.hangs_after_headers, "dripping body": server.drips_body,
    "dripping headers": server.drips_headers,
}  # fmt: skip


@CLIENTS
@pytest.mark.parametrize("name", UNAVAILABLE)
def test_a_server_that_fails_is_unavailable(client, name):
    behaviour, data = UNAVAILABLE[name]
    with serving(behaviour) as up, pytest.raises(PortUnavailable) as caught:
        generate(client, up.url, PATIENT)
    assert caught.value.data == data
    assert len(up.bodies) == 1


@CLIENTS
@pytest.mark.parametrize("name", SLOW)
def test_a_server_that_is_slow_is_left_at_the_deadline(client, name):
    with serving(SLOW[name]) as up:
        with pytest.raises(PortTimeout) as caught:
            generate(client, up.url)
        # The server was still busy for seconds when the client left.
        assert not up.finished.is_set()
    assert caught.value.data == {"timeout_s": 0.3}


def test_no_thread_stays_behind():
    with serving(server.drips_headers) as up:
        with pytest.raises(PortTimeout):
            generate("sync", up.url)
        for thread in threading.enumerate():
            if thread.name == "reading-port":
                thread.join(3)
        assert not up.finished.is_set()
    assert "reading-port" not in {each.name for each in threading.enumerate()}


@CLIENTS
def test_nobody_there_is_unavailable(client):
    with serving(says({})) as up:
        url = up.url
    with pytest.raises(PortUnavailable) as caught:
        generate(client, url, PATIENT)
    assert caught.value.data == {"reason": "ConnectError"}


@CLIENTS
@pytest.mark.parametrize("value", [completion(None, refusal="no"), completion("", "content_filter")])
def test_a_refusal_is_a_refusal(client, value):
    with serving(says(value)) as up, pytest.raises(PortRefused):
        generate(client, up.url, PATIENT)


@CLIENTS
def test_patience_is_had_inside_the_deadline(client):
    with serving(says({}, 429, Retry_After="0.05"), says(completion("{}"))) as up:
        assert generate(client, up.url, PATIENT).text == "{}"
    assert len(up.bodies) == 2


@CLIENTS
def test_a_server_that_does_not_know_schemas_is_asked_again_and_remembered(client):
    picky = says({"error": {"message": "response_format json_schema is not supported"}}, 400)
    with serving(picky, says(completion("{}"))) as up:
        port = (OpenAICompatible if client == "sync" else AsyncOpenAICompatible)(settings(up.url))
        for _ in range(2):
            reply = port.generate(PATIENT) if client == "sync" else asyncio.run(port.generate(PATIENT))
            assert reply.text == "{}"
    assert [body["response_format"]["type"] for body in up.bodies] == [
        "json_schema",
        "json_object",
        "json_object",
    ]


@CLIENTS
def test_a_wrong_content_type_does_not_matter_when_the_body_is_json(client):
    with serving(says(completion("{}"), 200, "text/plain")) as up:
        assert generate(client, up.url, PATIENT).text == "{}"


@CLIENTS
@pytest.mark.parametrize(
    "behaviour", [*(each[0] for each in UNAVAILABLE.values()), *SLOW.values()], ids=[*UNAVAILABLE, *SLOW]
)
def test_neither_key_nor_prompt_nor_question_leaks(client, behaviour, caplog):
    caplog.set_level(logging.DEBUG)
    with serving(behaviour) as up, pytest.raises(PortError) as caught:
        generate(client, up.url, REQUEST)
    told = " ".join(f"{each} {each!r} {vars(each)}" for each in chain(caught.value))
    assert chain(caught.value) == [caught.value]
    for text in (told, caplog.text, repr(caught.value.to_dict())):
        assert KEY not in text
        assert "上班" not in text
        assert "yong.primary" not in text
        assert "流年丙午" not in text


def test_printed_forms_hold_no_key():
    port = OpenAICompatible(settings("http://localhost:1/v1"))
    for each in (port, settings("http://localhost:1/v1"), f"{port} {settings('http://localhost:1/v1')}"):
        assert KEY not in repr(each)


@CLIENTS
def test_a_reading_is_written_by_a_model_over_http(client):
    with serving(
        says(completion(written_text(), usage={"prompt_tokens": 1000, "completion_tokens": 500}))
    ) as up:
        price = Price(1.0, 2.0)
        if client == "sync":
            result = read(year(), port=OpenAICompatible(settings(up.url, price=price)), question=ASKED)
        else:
            port = AsyncOpenAICompatible(settings(up.url, price=price))
            result = asyncio.run(aread(year(), port=port, question=ASKED, wait=asyncio.wait_for))
    assert result.provenance.narrator == "llm"
    assert result.provenance.port == "openai_compatible"
    assert result.provenance.usage.cost == pytest.approx(0.002)
    assert ASKED not in up.bodies[0]["messages"][0]["content"]


@CLIENTS
def test_ids_that_are_not_on_the_menu_are_left_out_and_nothing_is_asked_twice(client):
    wrong = written()
    wrong["parts"].append({"say": "s999", "variant": 0})
    with serving(says(completion(text_of(wrong)))) as up:
        result = run(client, up.url)
    assert (result.provenance.attempts, result.grounding.verdict) == (1, "pass")
    assert result.grounding.dropped == (("unknown_id", 1),)
    assert len(up.bodies) == 1


@CLIENTS
def test_of_a_reply_that_is_cut_off_the_parts_before_are_read(client):
    whole = written_text()
    with serving(says(completion(whole[: whole.index("s8")], "length"))) as up:
        result = run(client, up.url)
    assert result.provenance.narrator == "llm"
    assert len(result.grounding.statements) >= 7


@CLIENTS
def test_the_rules_stand_in_for_a_reply_of_which_too_little_is_left(client):
    with serving(says(completion(written_text()[:60], "length"))) as up:
        result = run(client, up.url)
    assert result.provenance.failure == "PORT_INVALID_OUTPUT"
    assert len(up.bodies) == 1


@CLIENTS
def test_the_rules_stand_in_for_a_server_that_is_down(client):
    with serving(says({}, 503)) as up:
        result = run(client, up.url)
    assert result.provenance.failure == "PORT_UNAVAILABLE"
    assert result.told.error.data["status"] == 503


def run(client: str, url: str) -> Any:
    if client == "sync":
        return read(year(), port=OpenAICompatible(settings(url)))
    return asyncio.run(aread(year(), port=AsyncOpenAICompatible(settings(url))))


def text_of(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def written_text() -> str:
    return text_of(written())


# --- settings


FULL = {
    "BAZI_LLM_BASE_URL": "https://api.deepseek.com/v1", "BAZI_LLM_MODEL": "deepseek-chat", "BAZI_LLM_API_KEY": KEY,
    "BAZI_LLM_RESPONSE_FORMAT": "json_object", "BAZI_LLM_TOKEN_FIELD": "max_tokens", "BAZI_LLM_CONNECT_S": "3.5",
    "BAZI_LLM_PRICE_INPUT": "0.27", "BAZI_LLM_PRICE_OUTPUT": "1.1",
}  # fmt: skip


def test_settings_come_from_the_environment():
    found = Settings.from_environment(FULL)
    assert found == Settings(
        "https://api.deepseek.com/v1",
        "deepseek-chat",
        KEY,
        Dialect("json_object", "max_tokens"),
        Price(0.27, 1.1),
        3.5,
    )
    assert found.url == "https://api.deepseek.com/v1/chat/completions"
    assert OpenAICompatible.from_environment(FULL).price == Price(0.27, 1.1)


def test_the_process_s_environment_is_used_when_no_other_is_given(monkeypatch):
    for name, value in FULL.items():
        monkeypatch.setenv(name, value)
    assert AsyncOpenAICompatible.from_environment().model == "deepseek-chat"


def test_what_is_missing_is_named():
    with pytest.raises(InvalidInput) as caught:
        Settings.from_environment({"BAZI_LLM_API_KEY": KEY})
    assert caught.value.data == {"missing": ["BAZI_LLM_BASE_URL", "BAZI_LLM_MODEL"]}


@holds_for_all(
    "name, value",
    [
        ("BASE_URL", "api.openai.com/v1"), ("BASE_URL", "file:///etc/passwd"), ("BASE_URL", f"https://user:{KEY}@host/v1"),
        ("BASE_URL", f"https://host/v1?key={KEY}"), ("BASE_URL", "https:///v1"), ("BASE_URL", "https://host/v1#x"),
        ("BASE_URL", "https://[::1/v1"), ("BASE_URL", "https://host:99999/v1"), ("BASE_URL", "https://a host/v1"),
        ("BASE_URL", "https://host/v1\x00"),
        ("RESPONSE_FORMAT", "xml"), ("TOKEN_FIELD", "words"), ("CONNECT_S", "soon"), ("CONNECT_S", "-1"),
        ("CONNECT_S", "nan"),
        ("PRICE_INPUT", "free"), ("PRICE_OUTPUT", "inf"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_named_and_not_repeated(name, value):
    with pytest.raises(InvalidInput) as caught:
        Settings.from_environment({**FULL, f"BAZI_LLM_{name}": value})
    assert caught.value.data["path"] == f"BAZI_LLM_{name}"
    assert value not in f"{caught.value} {caught.value.to_dict()}"


def test_a_client_refuses_such_an_address_too():
    with pytest.raises(InvalidInput):
        OpenAICompatible(settings(f"https://user:{KEY}@host/v1"))


def test_without_httpx_the_port_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(PortUnavailable) as caught:
        OpenAICompatible(settings("http://localhost:1/v1"))
    assert "bazi-core[llm]" in caught.value.hint
