"""The codec of `/chat/completions`, without a network: what is sent, what comes back, what it means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bazi_core.errors import PortRefused, PortTimeout, PortUnavailable
from bazi_core.model.codec import (
    FORMATS,
    Dialect,
    Received,
    Sent,
    adapted,
    decode,
    encode,
    patience_s,
    talk,
    wire_schema,
)
from bazi_core.model.fakes import FakeClock
from bazi_core.model.port import Usage
from tests.core.model.misbehaving import completion
from tests.core.readings.written import pattern, request_of
from tests.tables import holds_for_all

REQUEST = request_of(pattern(), question="今年如何？", seed=7)


def sent(dialect: Dialect = Dialect(), request: Any = REQUEST) -> dict[str, Any]:  # noqa: B008
    found: dict[str, Any] = json.loads(encode(request, "m", dialect))
    return found


def received(value: Any, status: int = 200, **headers: str) -> Received:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Received(status, {name.replace("_", "-"): each for name, each in headers.items()}, body)


def test_a_request_is_a_system_message_and_a_user_message():
    body = sent()
    assert [each["role"] for each in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == REQUEST.system
    assert body["messages"][1]["content"] == REQUEST.user_text
    assert (body["model"], body["temperature"], body["seed"], body["stream"]) == ("m", 0, 7, False)


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_the_limit_of_tokens_has_the_name_of_the_dialect(field):
    body = sent(Dialect(token_field=field))
    assert body[field] == REQUEST.max_output_tokens
    assert len({"max_tokens", "max_completion_tokens"} & set(body)) == 1


def test_a_dialect_leaves_out_what_a_server_does_not_take():
    body = sent(Dialect("none", temperature=False, seed=False))
    assert set(body) == {"model", "messages", "max_tokens", "stream"}
    assert "seed" not in sent(request=REQUEST._replace(seed=None))


def test_the_format_is_a_strict_schema_an_object_or_nothing():
    strict = sent()["response_format"]
    assert strict["type"] == "json_schema"
    assert strict["json_schema"]["strict"] is True
    assert sent(Dialect("json_object"))["response_format"] == {"type": "json_object"}
    assert "response_format" not in sent(Dialect("none"))


def test_the_wire_schema_has_only_keywords_of_the_strict_mode_and_every_member():
    schema = wire_schema(REQUEST.json_schema)
    words = set()
    waiting = [schema]
    for each in waiting:
        words |= {name for name, value in each.items() if not isinstance(value, dict) or name == "items"}
        for name, value in each.items():
            waiting += (
                [*value.values()] if name == "properties" else [value] if isinstance(value, dict) else []
            )
    strict = {"description", "type", "additionalProperties", "required", "items", "enum", "anyOf", "$ref"}
    assert words <= strict
    assert set(schema["properties"]) == {"understood", "parts", "keywords"}


@holds_for_all(
    "content, text",
    [
        ('{"a": 1}', '{"a": 1}'),
        ([{"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}], '{"a": 1}'),
        (
            [
                {"type": "output_text", "text": "x"},
                {"type": "image_url", "image_url": {}},
                "y",
                {"type": "text", "text": 3},
            ],
            "x",
        ),
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'),
        (None, ""),
        (7, ""),
        ({"text": "x"}, ""),
        ([], ""),
    ],
)
def test_the_text_of_a_message_is_found_in_all_its_forms(content, text):
    assert decode(received(completion(content, reasoning_content="thoughts"))).text == text


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, Usage(10, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25}, Usage(10, 5, 0.25)),
        (None, Usage()),
        ({}, Usage()),
        ([], Usage()),
        ({"prompt_tokens": -1, "completion_tokens": "5", "cost": "free"}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": 1e9, "cost": -1}, Usage()),
    ],
)
def test_usage_is_taken_where_it_makes_sense(usage, expected):
    assert decode(received(completion("x", usage=usage))).usage == expected


def test_model_and_finish_reason_are_passed_on_when_they_are_names():
    reply = decode(received(completion("x", "length")))
    assert (reply.model, reply.finish_reason) == ("test/model-1:free", "length")
    odd = {**completion("x", "<b>"), "model": "a b\n"}
    assert (decode(received(odd)).model, decode(received(odd)).finish_reason) == ("", "stop")


@pytest.mark.parametrize(
    "value",
    [
        completion(None, refusal="I can't help with that."), completion("half", "content_filter"),
    ],
)  # fmt: skip
def test_a_refusal_is_a_refusal(value):
    with pytest.raises(PortRefused):
        decode(received(value))


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_request_that_the_server_s_policy_stops_is_a_refusal(code):
    with pytest.raises(PortRefused) as caught:
        decode(received({"error": {"code": code, "message": "the prompt 庚 …"}}, 400))
    assert caught.value.data == {"reason": code}


@holds_for_all("status", [300, 301, 307, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529])
def test_every_other_status_is_unavailable_with_its_number(status):
    with pytest.raises(PortUnavailable) as caught:
        decode(received({"error": {"message": "key sk-1 prompt 庚", "code": "some_code"}}, status))
    assert caught.value.data == {"reason": "some_code", "status": status}
    assert "sk-1" not in f"{caught.value} {caught.value!r}"


@holds_for_all(
    "body",
    [
        b"", b"<html>hi</html>", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"choices": []}',
            b'{"choices": [7]}',
        b'{"choices": {}}', b'{"choices": [{}]}', b'{"choices": [{"message": null}]}',
            b'{"choices": [{"message": "x"}]}', b"{}",
    ],
)  # fmt: skip
def test_a_good_status_with_a_bad_body_is_unavailable_without_a_status(body):
    with pytest.raises(PortUnavailable) as caught:
        decode(Received(200, {}, body))
    assert "status" not in caught.value.data


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ({"error": {"code": 402, "message": "x"}}, 402),
        ({"error": {"code": "rate", "message": "x"}}, None),
        ({"error": "x"}, None),
        ({"choices": [{"error": {"code": 502, "message": "x"}, "message": {"content": "y"}}]}, 502),
        ({"error": {"code": 7}}, None),
    ],
)
def test_an_error_inside_a_good_answer_is_unavailable(value, status):
    with pytest.raises(PortUnavailable) as caught:
        decode(received(value))
    assert caught.value.data.get("status") == status


@pytest.mark.parametrize("code", ["code with the prompt 庚", "x" * 200, "sk-1\nx", 7, None, ["x"]])
def test_a_code_that_is_no_name_is_not_repeated(code):
    with pytest.raises(PortUnavailable) as caught:
        decode(received({"error": {"code": code}}, 500))
    assert caught.value.data == {"reason": "http", "status": 500}


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("'response_format.type' json_schema is not supported", {"response_format": "json_object"}),
        ("This response_format type is unavailable now", {"response_format": "json_object"}),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {"token_field": "max_completion_tokens"},
        ),
        ("'temperature' does not support 0 with this model.", {"temperature": False}),
        ("Unrecognized request argument supplied: seed", {"seed": False}),
    ],
)
def test_a_part_that_a_server_refuses_is_left_out_next_time(message, change):
    assert adapted(Dialect(), received({"error": {"message": message}}, 400)) == Dialect()._replace(**change)


def test_formats_are_given_up_one_by_one_and_then_there_is_nothing_to_give_up():
    refused, dialect, seen = received({"error": {"message": "response_format"}}, 400), Dialect(), []
    while dialect is not None:
        seen.append(dialect.response_format)
        dialect = adapted(dialect, refused)
    assert seen == [*FORMATS]


def test_a_server_that_knows_only_the_old_name_gets_it():
    new = Dialect(token_field="max_completion_tokens")
    assert (
        adapted(new, received({"error": {"message": "extra field max_completion_tokens"}}, 422)) == Dialect()
    )


@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_only_a_complaint_about_the_request_changes_the_dialect(status):
    assert adapted(Dialect(), received({"error": {"message": "response_format"}}, status)) is None
    assert adapted(Dialect(), received({"error": {"message": "model not found"}}, 404)) is None


@holds_for_all(
    "headers, wait_s",
    [
        ({"retry_after": "3"}, 3.0), ({"retry_after": " 0.5 "}, 0.5), ({}, None), ({"retry_after": "soon"}, None),
        ({"retry_after": "-3"}, None), ({"retry_after": "1e9"}, None),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:10 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 10.0),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:28:10 GMT"}, 0.0),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:10 GMT"}, None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date_beside_that_of_the_server(headers, wait_s):
    assert patience_s(received({}, 429, **headers)) == patience_s(received({}, 503, **headers)) == wait_s
    assert patience_s(received({}, 500, **headers)) is None


def conversation(
    *answers: Received, timeout_s: float = 60.0, each_s: float = 0.0
) -> tuple[list[Sent], Any, Dialect | None]:
    """Plays answers to a talk on a clock: what was sent, how it ended, the dialect that was learned."""
    clock, learned, asked = FakeClock(), [], []
    made = talk(REQUEST._replace(timeout_s=timeout_s), "m", Dialect(), clock, learned.append)
    waiting = iter(answers)
    try:
        step = next(made)
        while True:
            asked.append(step)
            clock.advance(step.within_s if step.body is None else each_s)
            step = next(made) if step.body is None else made.send(next(waiting))
    except StopIteration as done:
        return asked, done.value, learned[-1] if learned else None
    except Exception as error:
        return asked, error, learned[-1] if learned else None


GOOD, BUSY = received(completion("{}")), received({}, 429, retry_after="5")
PICKY = received({"error": {"message": "response_format"}}, 400)


def test_a_server_that_asks_for_patience_gets_it():
    asked, reply, _ = conversation(BUSY, GOOD)
    assert [each.body is None for each in asked] == [False, True, False]
    assert asked[1].within_s == 5
    assert asked[2].within_s == 55
    assert reply.text == "{}"


def test_patience_ends_where_the_deadline_would():
    asked, error, _ = conversation(BUSY, GOOD, timeout_s=5.5)
    assert len(asked) == 1
    assert isinstance(error, PortUnavailable)
    assert error.data["status"] == 429


def test_patience_without_end_ends():
    asked, error, _ = conversation(*[received({}, 429, retry_after="0")] * 50)
    assert len(asked) < 20
    assert error.data["status"] == 429


def test_a_dialect_that_worked_is_remembered():
    asked, reply, learned = conversation(PICKY, PICKY, GOOD)
    assert [json.loads(each.body).get("response_format", {}).get("type") for each in asked] == [
        "json_schema",
        "json_object",
        None,
    ]
    assert reply.text == "{}"
    assert learned.response_format == "none"


def test_a_dialect_that_did_not_work_is_not_remembered():
    assert conversation(PICKY, received({}, 500))[2] is None


def test_the_deadline_covers_every_turn():
    asked, error, _ = conversation(PICKY, PICKY, PICKY, timeout_s=10, each_s=6)
    assert [each.within_s for each in asked] == [10, 4]
    assert isinstance(error, PortTimeout)


def test_printed_forms_hold_no_text():
    assert "庚" not in repr(Sent(encode(REQUEST, "m", Dialect()), 1.0))
    assert "secret" not in repr(received({"secret": 1}))
