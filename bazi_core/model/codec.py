"""Requests to and replies of `/chat/completions`, without I/O: the codec of `openai_compatible`.

Servers differ in what they accept: a schema, any JSON object or neither as the format of the reply, two names for the
limit of tokens, a temperature or none. A `Dialect` lists what is sent; if a server refuses a part of it, the request
is repeated without. Of a server's error only short codes are passed on, since its text may hold the prompt.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import PortError, PortRefused, PortUnavailable
from bazi_core.model.port import ReadingReply, ReadingRequest, Usage, timed_out
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    Talk = Generator["Sent", "Received", ReadingReply]

FORMATS = ("json_schema", "json_object", "none")
TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")
# Largest number of waits and changes of dialect within one request.
MOST_TURNS = 6
# A wait is only worth while when so much of the deadline is left after it.
LEAST_AFTER_WAIT_S = 1.0
# Keywords that the strict mode of some servers does not support; the check supports them all.
_LEFT_OUT = frozenset((
    "$schema", "$id", "title", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems",
))  # fmt: skip
_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,100}")


class Dialect(NamedTuple):
    """The parameters sent to a server beside the messages."""

    response_format: str = "json_schema"
    token_field: str = "max_tokens"
    temperature: bool = True
    seed: bool = True


class Sent(NamedTuple):
    """A body to post and the seconds it may take, or, without a body, seconds to wait."""

    body: bytes | None
    within_s: float

    def __repr__(self) -> str:
        return f"<Sent {len(self.body or b'')} bytes within {self.within_s:g} s>"


class Received(NamedTuple):
    """An HTTP answer: status, headers in lower case, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"<Received {self.status}, {len(self.body)} bytes>"


def encode(request: ReadingRequest, model: str, dialect: Dialect) -> bytes:
    """The body of a request in a dialect."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.user_text},
        ],
        dialect.token_field: request.max_output_tokens,
        "stream": False,
    }
    if dialect.temperature:
        body["temperature"] = request.temperature
    if dialect.seed and request.seed is not None:
        body["seed"] = request.seed
    if dialect.response_format == "json_schema":
        wanted = {"name": request.task, "strict": True, "schema": wire_schema(request.json_schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif dialect.response_format == "json_object":
        body["response_format"] = {"type": "json_object"}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def wire_schema(schema: Any) -> Any:
    """A schema reduced to the keywords supported by every strict mode."""
    if isinstance(schema, list):
        return [wire_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    members = {name: each for name, each in schema.items() if name not in _LEFT_OUT or isinstance(each, dict)}
    return {name: wire_schema(each) for name, each in members.items()}


def decode(received: Received) -> ReadingReply:
    """The reply of an HTTP answer, or the `PortError` that it means."""
    value = _json(received.body)
    if not 200 <= received.status < 300:
        raise _failure(received.status, value)
    if not isinstance(value, dict):
        raise PortUnavailable(Said("port_no_json"), reason="not_json")
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    failed = value.get("error") or (choice or {}).get("error")
    if failed:
        code = failed.get("code") if isinstance(failed, dict) else None
        raise _failure(code if isinstance(code, int) and 400 <= code <= 599 else None, {"error": failed})
    message = (choice or {}).get("message")
    if choice is None or not isinstance(message, dict):
        raise PortUnavailable(Said("port_no_message"), reason="no_choices")
    finish = choice.get("finish_reason")
    if message.get("refusal") or finish == "content_filter":
        raise PortRefused(Said("port_declined"), reason="refusal" if message.get("refusal") else finish)
    return ReadingReply(
        text=_content(message.get("content")),
        model=_short(value.get("model")),
        finish_reason=_short(finish) or "stop",
        usage=_usage(value.get("usage")),
    )


def _json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _failure(status: int | None, value: Any) -> PortError:
    """The error for a status and body; of the body only its short code is passed on."""
    error = value.get("error") if isinstance(value, dict) else None
    code = _short(error.get("code") or error.get("type")) if isinstance(error, dict) else ""
    if "content_filter" in code or "content_policy" in code:
        return PortRefused(Said("port_request_declined"), reason=code)
    words = Said("port_status", status=status) if status else Said("port_error")
    stated: dict[str, Any] = {} if status is None else {"status": status}
    return PortUnavailable(words, reason=code or ("http" if status else "error"), **stated)


def _short(value: Any) -> str:
    """A short name or code; empty for anything else."""
    return value if isinstance(value, str) and _NAME.fullmatch(value) else ""


def _content(content: Any) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part.get("text")
        for part in parts
        if isinstance(part, dict) and part.get("type") in ("text", "output_text")
    ]
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: Any) -> Usage:
    counts = usage if isinstance(usage, dict) else {}
    cost = counts.get("cost")
    known = isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost < 1e6
    return Usage(
        _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")), cost if known else None
    )


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value < 10**9 else 0


def adapted(dialect: Dialect, received: Received) -> Dialect | None:
    """The dialect to try next when a server refuses a part of this one; None if the refusal has another cause."""
    if received.status not in (400, 404, 415, 422, 501):
        return None
    said = received.body[:20_000].decode("utf-8", "replace").lower()
    if "max_completion_tokens" in said and dialect.token_field == "max_tokens":
        return dialect._replace(token_field="max_completion_tokens")
    if ("max_completion_tokens" in said or "max_tokens" in said) and dialect.token_field != "max_tokens":
        return dialect._replace(token_field="max_tokens")
    if any(word in said for word in ("response_format", "json_schema", "json_object", "structured output")):
        step = FORMATS.index(dialect.response_format) + 1
        return dialect._replace(response_format=FORMATS[step]) if step < len(FORMATS) else None
    if "temperature" in said and dialect.temperature:
        return dialect._replace(temperature=False)
    if "seed" in said and dialect.seed:
        return dialect._replace(seed=False)
    return None


def patience_s(received: Received) -> float | None:
    """Seconds to wait after 429 or 503 (`Retry-After`, seconds or a date beside the server's `Date`); None without one."""
    stated = received.headers.get("retry-after", "").strip()
    if received.status not in (429, 503) or not stated:
        return None
    if re.fullmatch(r"\d{1,6}(\.\d+)?", stated):
        return float(stated)
    from email.utils import parsedate_to_datetime

    try:
        until, now = (parsedate_to_datetime(each) for each in (stated, received.headers.get("date", "")))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError):
        return None


def talk(
    request: ReadingRequest,
    model: str,
    dialect: Dialect,
    clock: Callable[[], float],
    learned: Callable[[Dialect], None],
) -> Talk:
    """The whole exchange without I/O: yields bodies to send and seconds to wait, is sent the answers, returns the reply."""
    deadline = clock() + request.timeout_s
    received = None
    for _ in range(MOST_TURNS):
        left_s = deadline - clock()
        if left_s <= 0:
            raise timed_out(request.timeout_s)
        received = yield Sent(encode(request, model, dialect), left_s)
        other, wait_s = adapted(dialect, received), patience_s(received)
        if other is not None:
            dialect = other
        elif wait_s is not None and wait_s + LEAST_AFTER_WAIT_S <= deadline - clock():
            yield Sent(None, wait_s)
        else:
            break
    assert received is not None
    reply = decode(received)
    learned(dialect)
    return reply
