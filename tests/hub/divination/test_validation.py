"""What is wrong with a request is said all at once, each defect at its pointer; what is right is accepted."""

from __future__ import annotations

import asyncio
import copy
import json
import unicodedata
from datetime import date
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bazi_hub.divination.fields import held
from bazi_hub.divination.problems import PROBLEMS, RunProblem
from bazi_hub.divination.request import LINES, METHODS, DivinationPayload, RunAgentInput
from bazi_hub.divination.schemas import of
from tests.hub.divination.runworld import AGUI, DERIVE, PAYLOAD, RUNS, THREAD, Web, body, in_web, web
from tests.sizes import examples
from tests.tables import holds_for_all

P = "/forwardedProps/divinationPayload"
T = "/forwardedProps/client_time"
INVALID, X = "INVALID_PAYLOAD", "EXTRA_FIELD_FORBIDDEN"
GONE = object()


def changed(pointer: str, value: Any, base: dict[str, Any] | None = None) -> dict[str, Any]:
    """A request with one member replaced, added or (GONE) taken out."""
    made = copy.deepcopy(body() if base is None else base)
    *path, last = pointer.removeprefix("/").split("/")
    at: Any = made
    for part in path:
        at = at[int(part)] if isinstance(at, list) else at[part]
    key: Any = int(last) if isinstance(at, list) else last
    if value is GONE:
        del at[key]
    else:
        at[key] = value
    return made


def defects(value: Any) -> list[tuple[str, str]]:
    try:
        held(RunAgentInput, value)
    except RunProblem as problem:
        return [(each["pointer"], each["code"]) for each in problem.params["errors"]]
    return []


WRONG: list[tuple[str, Any, str, str]] = [
    # D05–D08: each base field is required.
    *[
        (f"/{name}", GONE, f"/{name}", INVALID)
        for name in ("threadId", "runId", "state", "messages", "tools", "context")
    ],
    *[
        (f"/{name}", None, f"/{name}", INVALID)
        for name in ("threadId", "runId", "state", "messages", "tools", "context", "forwardedProps")
    ],
    *[
        (f"/{name}", 7, f"/{name}", INVALID)
        for name in ("threadId", "runId", "state", "messages", "tools", "context", "forwardedProps")
    ],
    *[
        ("/threadId", bad, "/threadId", INVALID)
        for bad in (
            "",
            "uuid",
            THREAD + "0",
            THREAD[:-1],
            THREAD.replace("-", ""),
            f" {THREAD}",
            f"{{{THREAD}}}",
        )
    ],
    *[("/runId", bad, "/runId", INVALID) for bad in ("", "a b", "a/b", "a:b", "x" * 129, "é", "a\n")],
    ("/state", [], "/state", INVALID),
    ("/state", {"a": "x" * 32_768}, "/state", INVALID),
    ("/messages", [], "/messages", INVALID),
    ("/messages", [{"id": "a", "role": "user", "content": "x"}] * 101, "/messages", INVALID),
    ("/messages/0", "x", "/messages/0", INVALID),
    ("/messages/0/id", GONE, "/messages/0/id", INVALID),
    ("/messages/0/id", "", "/messages/0/id", INVALID),
    ("/messages/0/id", "x" * 129, "/messages/0/id", INVALID),
    ("/messages/0/id", 7, "/messages/0/id", INVALID),
    ("/messages/0/role", GONE, "/messages/0/role", INVALID),
    ("/messages/0/role", "assistant", "/messages/0/role", INVALID),
    ("/messages/0/role", None, "/messages/0/role", INVALID),
    ("/messages/0/content", GONE, "/messages/0/content", INVALID),
    ("/messages/0/content", None, "/messages/0/content", INVALID),
    ("/messages/0/content", ["x"], "/messages/0/content", INVALID),
    ("/messages/0/content", "x" * 501, "/messages/0/content", INVALID),
    ("/messages/0/content", "x\0", "/messages/0/content", INVALID),
    ("/messages/0/content", [], "/messages/0/content", INVALID),
    ("/messages/0/content", [{"type": "text"}], "/messages/0/content", INVALID),
    ("/messages/0/content", [{"type": "text", "text": "x" * 501}], "/messages/0/content", INVALID),
    (
        "/messages/0/content",
        [{"type": "text", "text": "x"}, {"type": "image"}],
        "/messages/0/content",
        INVALID,
    ),
    (
        "/messages/0/content",
        [{"type": "binary", "mimeType": "a/b", "data": ""}],
        "/messages/0/content",
        INVALID,
    ),
    ("/resume", [{"a": 1}], "/resume", INVALID),
    *[
        ("/forwardedProps/runtime_mode", bad, "/forwardedProps/runtime_mode", "INVALID_RUNTIME_MODE")
        for bad in ("followup", "regenerate", "", "Chat", None, 1)
    ],
    *[
        ("/forwardedProps/ai_language", bad, "/forwardedProps/ai_language", INVALID)
        for bad in ("", None, 7, "en_US", "x" * 36, "zh-", "-zh")
    ],
    ("/forwardedProps/client_time", None, T, INVALID),
    *[
        (f"{T}/{name}", GONE, f"{T}/{name}", INVALID)
        for name in ("device_timezone", "client_now_iso", "client_epoch_ms")
    ],
    (f"{T}/extra", 1, f"{T}/extra", X),
    *[
        (f"{T}/device_timezone", bad, f"{T}/device_timezone", "INVALID_TIMEZONE")
        for bad in ("", "Mars/Base", "America", "+8", "+08:60", "../etc", "asia/shanghai")
    ],
    (f"{T}/device_timezone", 8, f"{T}/device_timezone", INVALID),
    *[
        (f"{T}/client_now_iso", bad, f"{T}/client_now_iso", INVALID)
        for bad in ("", "now", "2026-04-03T20:30:00", "2026-02-30T20:30:00Z", 7)
    ],
    *[
        (f"{T}/client_epoch_ms", bad, f"{T}/client_epoch_ms", INVALID)
        for bad in (1775219401001, 1775219398999, "1775219400000", 1775219400000.5, True, None)
    ],
    # D09–D15: the payload.
    (P, None, P, INVALID),
    (P, [], P, INVALID),
    *[(f"{P}/{name}", GONE, f"{P}/{name}", INVALID) for name in PAYLOAD],
    *[(f"{P}/{name}", None, f"{P}/{name}", INVALID) for name in PAYLOAD],
    *[(f"{P}/{name}", 7, f"{P}/{name}", INVALID) for name in PAYLOAD],
    *[
        (f"{P}/divinationMethod", bad, f"{P}/divinationMethod", INVALID)
        for bad in ("", "手动", " 手动起卦", "手動起卦", ["手动起卦"])
    ],
    *[(f"{P}/questionType", bad, f"{P}/questionType", INVALID) for bad in ("", " \n\u3000", "长" * 33)],
    *[(f"{P}/question", bad, f"{P}/question", INVALID) for bad in ("", "\t ", "问" * 501)],
    *[
        (f"{P}/divinationTimeIso", bad, f"{P}/divinationTimeIso", INVALID)
        for bad in (
            "", "2026-04-03", "2026-04-03 20:30:00+08:00", "2026-04-03T20:30+08:00", "2026-02-29T20:30:00Z",
            "2026-04-03T24:00:00Z", "2026-04-03T20:30:60Z", "2026-04-03T20:30:00+17:00",
            "2026-04-03T20:30:00+0800", "2026-04-03T20:30:00.1234567890Z",
        )
    ],
    *[
        (f"{P}/divinationTimeIso", bad, f"{P}/divinationTimeIso", "TIME_NEEDS_OFFSET")
        for bad in ("2026-04-03T20:30:00", "2026-04-03T20:30:00-00:00")
    ],
    *[
        (f"{P}/divinationTimeIso", bad, f"{P}/divinationTimeIso", "TIME_OUT_OF_RANGE")
        for bad in ("1500-01-01T00:00:00Z", "2700-01-01T00:00:00Z")
    ],
    (f"{P}/yaoLines", "少阳", f"{P}/yaoLines", INVALID),
    *[
        (f"{P}/yaoLines", lines, f"{P}/yaoLines", "YAO_LINES_LENGTH")
        for lines in ([], ["少阳"] * 5, ["少阳"] * 7)
    ],
    *[
        (f"{P}/yaoLines/{n}", bad, f"{P}/yaoLines/{n}", "YAO_LINE_VALUE")
        for n, bad in enumerate(("", "老陰", 7, None, " 少阳", ["少阳"]))
    ],
    (f"{P}/extra", 1, f"{P}/extra", X),
    (f"{P}/divinationMethod ", "手动起卦", f"{P}/divinationMethod ", X),
]  # fmt: skip


@holds_for_all("at, value, pointer, code", WRONG)
def test_a_wrong_member_is_named_by_pointer_and_code(at: str, value: Any, pointer: str, code: str) -> None:
    """D05–D15."""
    assert defects(changed(at, value)) == [(pointer, code)]


RIGHT: list[tuple[str, Any]] = [
    ("/threadId", THREAD.upper()),
    ("/threadId", "00000000-0000-0000-0000-000000000000"),
    ("/runId", "x" * 128),
    ("/runId", "._-"),
    ("/state", {"a": "x" * 32_000}),
    ("/state", {"divination": "x" * 100_000, "analysis": [1]}),
    ("/messages/0/content", ""),
    ("/messages/0/content", "é" * 500),
    ("/messages/0/content", "e\u0301" * 500),
    ("/messages/0/content", [{"type": "text", "text": "换工作？"}]),
    ("/messages/0/content", [{"type": "text", "text": "x" * 250}, {"type": "text", "text": "y" * 249}]),
    ("/messages/0/id", "x" * 128),
    ("/resume", []),
    ("/resume", None),
    ("/protocolVersion", 7),
    ("/parentRunId", "x"),
    ("/unknown", {"a": [1]}),
    ("/tools", [{"name": "t"}]),
    ("/context", [1, "x"]),
    ("/forwardedProps/unknown", {"a": 1}),
    ("/forwardedProps/ai_language", "zh-Hant-TW"),
    ("/forwardedProps/runtime_mode", GONE),
    ("/forwardedProps/client_time", GONE),
    ("/forwardedProps/divinationPayload", GONE),
    ("/forwardedProps", GONE),
    (f"{T}/device_timezone", "+05:30"),
    (f"{T}/client_epoch_ms", 1775219401000),
    (f"{T}/client_now_iso", "2026-04-03T12:30:00.250Z"),
    (f"{P}/questionType", "长" * 32),
    (f"{P}/question", "问" * 500),
    (f"{P}/questionType", "随便什么"),
    (f"{P}/divinationMethod", "自动起卦"),
    (f"{P}/divinationTimeIso", "2026-04-03T20:30:00Z"),
    (f"{P}/divinationTimeIso", "2026-04-03t20:30:00.123456789z"),
    (f"{P}/divinationTimeIso", "2026-04-03T20:30:00-16:00"),
    (f"{P}/divinationTimeIso", "1600-01-01T00:00:00+16:00"),
]


@holds_for_all("at, value", RIGHT)
def test_what_is_at_the_border_is_accepted(at: str, value: Any) -> None:
    """D10, D11, D12."""
    assert defects(changed(at, value)) == []


def test_messages_of_others_may_hold_whatever_they_like() -> None:
    value = body()
    said = {"id": "u", "role": "user", "content": "x" * 4000}
    value["messages"] = [
        said,
        {"id": "a", "role": "assistant", "content": "x" * 100_000},
        {"id": "t", "role": "tool", "content": {"a": 1}, "toolCallId": 7},
        {"id": "b", "role": "assistant", "toolCalls": [{}]},
        {"id": "z", "role": "user", "content": "然后呢？"},
    ]
    assert defects(value) == []
    value["messages"][0] = said | {"content": "x" * 4001}
    value["messages"].append({"role": "assistant"})
    assert defects(value) == [
        ("/messages/0/content", INVALID),
        ("/messages/5/id", INVALID),
        ("/messages/5/role", INVALID),
        ("/messages/5/content", INVALID),
    ]


@in_web
async def test_every_defect_is_told_and_the_code_is_theirs_only_if_they_agree(web: Web) -> None:
    value = changed(f"{P}/yaoLines", ["少阳", "x", 7])
    value["forwardedProps"]["divinationPayload"]["a/b~c"] = 1
    value["forwardedProps"]["runtime_mode"] = "x"
    refused = await web.submit(value)
    assert refused.status == 422
    assert refused.json["code"] == "INVALID_PAYLOAD"
    assert [(one["pointer"], one["code"]) for one in refused.json["params"]["errors"]] == [
        ("/forwardedProps/runtime_mode", "INVALID_RUNTIME_MODE"),
        (f"{P}/yaoLines", "YAO_LINES_LENGTH"),
        (f"{P}/yaoLines/1", "YAO_LINE_VALUE"),
        (f"{P}/yaoLines/2", "YAO_LINE_VALUE"),
        (f"{P}/a~1b~0c", X),
    ]
    lines = await web.submit(changed(f"{P}/yaoLines", ["x"] * 6))
    assert (lines.json["code"], len(lines.json["params"]["errors"])) == ("YAO_LINE_VALUE", 6)
    mode = await web.submit(changed("/forwardedProps/runtime_mode", "followup"))
    assert mode.json["params"]["allowed"] == ["chat"]
    late = await web.submit(changed(f"{P}/divinationTimeIso", "2700-01-01T00:00:00Z"))
    assert late.json["code"] == "TIME_OUT_OF_RANGE"
    assert late.json["params"]["first"] < late.json["params"]["last"]
    assert await web.money() == (1000, 0)


@pytest.mark.parametrize("path", [RUNS, AGUI, DERIVE])
@pytest.mark.parametrize(
    ("raw", "code", "reason"),
    [
        (b"", "PARSE_ERROR", "INVALID_JSON"),
        (b"{", "PARSE_ERROR", "INVALID_JSON"),
        (b'{"a":1,"a":2}', "PARSE_ERROR", "DUPLICATE_KEY"),
        (b'{"a":NaN}', "PARSE_ERROR", "NON_FINITE_NUMBER"),
        (b'{"a":1e999}', "PARSE_ERROR", "NON_FINITE_NUMBER"),
        (b"\xff{}", "PARSE_ERROR", "INVALID_UTF8"),
        (b'{"a":"\\ud800"}', "PARSE_ERROR", "INVALID_UTF8"),
        (b"[" * 65 + b"]" * 65, "PARSE_ERROR", "TOO_DEEP"),
        (b" " * 262_145, "PARSE_ERROR", "BODY_TOO_LARGE"),
        (b"[]", "INVALID_BODY", None),
        (b"null", "INVALID_BODY", None),
        (b"7", "INVALID_BODY", None),
    ],
)
@in_web
async def test_a_body_that_is_no_object_is_refused_to_whoever_may_ask(
    web: Web, path: str, raw: bytes, code: str, reason: str | None
) -> None:
    stranger = await web.ask("POST", path, raw, None)
    assert (stranger.status, stranger.json["code"]) == (401, "UNAUTHORIZED")
    refused = await web.ask("POST", path, raw)
    assert (refused.status, refused.json["code"]) == (400, code)
    assert refused.json.get("params", {}).get("reason") == reason
    assert refused.headers["content-type"] == "application/problem+json"


# --- the published schema says the same ---------------------------------------------------------------------------------

_OFFSET = r"([Zz]|[+-][01][0-9]:[0-6][0-9])?"
_CLOCK = r"[0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,10})?)?"
TIMES = st.from_regex(rf"\A(19|20)[0-9][0-9]-[01][0-9]-[0-3][0-9][Tt ]{_CLOCK}{_OFFSET}\Z")
LINE = st.one_of(st.sampled_from(LINES), st.sampled_from(["", "老", 7, None]))
GOOD_LINES = st.lists(st.sampled_from(LINES), min_size=6, max_size=6)
WORDS = st.text(st.characters(codec="utf-8"), max_size=40).filter(
    lambda text: unicodedata.is_normalized("NFC", text)
)
PAYLOADS = st.fixed_dictionaries(
    {
        "divinationMethod": st.one_of(st.sampled_from(METHODS), st.sampled_from(["", "自动", 1])),
        "questionType": st.one_of(WORDS, st.just("长" * 33), st.integers()),
        "question": st.one_of(WORDS, st.just("问" * 500), st.just("问" * 501), st.none()),
        "divinationTimeIso": st.one_of(st.just("2026-04-03T20:30:00+08:00"), TIMES),
        "yaoLines": st.one_of(GOOD_LINES, st.lists(LINE, max_size=8), st.text(max_size=3)),
    },
    optional={"extra": st.integers()},
)
VALIDATOR = jsonschema.Draft202012Validator(
    of("DivinationPayload"), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


def _day_exists(text: Any) -> bool:
    """What no pattern of a schema says: that the day exists."""
    try:
        date.fromisoformat(str(text)[:10])
    except ValueError:
        return False
    return True


@settings(
    max_examples=10 * settings().max_examples,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(PAYLOADS)
@pytest.mark.exhaustive
def test_a_payload_is_accepted_where_the_published_schema_accepts_it(payload: dict[str, Any]) -> None:
    schema_accepts = VALIDATOR.is_valid(payload) and _day_exists(payload["divinationTimeIso"])
    try:
        held(DivinationPayload, payload)
        accepted = True
    except RunProblem:
        accepted = False
    assert accepted == schema_accepts


def _nested(inner: Any) -> Any:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)


ANYTHING = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), _nested)


@examples(150)
@given(ANYTHING)
def test_no_value_of_json_is_more_than_refused(value: Any) -> None:
    for at in (
        "/state",
        "/messages",
        "/messages/0",
        "/tools",
        "/forwardedProps",
        T,
        P,
        f"{P}/yaoLines",
        "/resume",
    ):
        for pointer, code in defects(changed(at, value)):
            assert pointer.startswith("/")
            assert code in PROBLEMS


def test_hundreds_of_broken_requests_get_an_answer_that_is_documented() -> None:
    """Ten thousand by `python -m tests.hub.divination.fuzz`."""
    from tests.hub.divination.fuzz import play

    async def story() -> None:
        async with web(credits=100_000) as made:
            statuses = await play(made, 300, seed=7)
            assert statuses.keys() <= {200, 202, 400, 402, 409, 422}
            assert statuses[422] > 100

    asyncio.run(story())


@in_web
async def test_json_of_a_request_may_be_written_in_any_way(web: Web) -> None:
    text = json.dumps(body(), ensure_ascii=True, indent=3)
    assert (await web.submit(text.encode())).status == 202
    await web.settled()


def test_text_in_parts_is_read_as_one_text() -> None:
    value = body()
    value["messages"][0]["content"] = [{"type": "text", "text": "换工作？"}, {"type": "text", "text": "今年"}]
    assert RunAgentInput.model_validate(value).last == "换工作？\n今年"
