"""The routes of divination runs as OpenAPI 3.1, made of the published shapes and the table of problems."""

from __future__ import annotations

from functools import cache
from typing import Any

from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.divination.schemas import RUN_ID, UUID
from bazi_hub.divination.schemas import document as shapes
from bazi_hub.http.openapi.parts import (
    CROWDED,
    FOREIGN,
    HTML,
    JSON,
    PLAIN,
    RATE_HEADERS,
    STRING,
    ErrorAnswer,
    JsonObject,
    headers,
    parameter,
    refusals,
    security,
    shape,
    stream,
)
from bazi_hub.http.wire.problem import PROBLEM_JSON
from bazi_hub.ports.runs import TOOL

TAG = TOOL

# --- what routes say no for --------------------------------------------------------------------------------------------

_ANY = ("UNAUTHORIZED", "RATE_LIMITED", "AUTH_BACKEND_ERROR", "INTERNAL_ERROR")
_BODY = ("REQUEST_TIMEOUT", "PARSE_ERROR", "INVALID_BODY")
_CAST = (
    "INVALID_PAYLOAD",
    "YAO_LINES_LENGTH",
    "YAO_LINE_VALUE",
    "TIME_NEEDS_OFFSET",
    "TIME_OUT_OF_RANGE",
    "EXTRA_FIELD_FORBIDDEN",
)
_SUBMISSION = (
    *_BODY,
    "TOOL_DISABLED",
    *_CAST,
    "INVALID_RUNTIME_MODE",
    "INVALID_TIMEZONE",
    "RUN_CONFLICT",
    "THREAD_BUSY",
    "DERIVATION_REQUIRED",
    "THREAD_HAS_DERIVATION",
    "UPSTREAM_ERROR",
    "CONFIG_ERROR",
    "INSUFFICIENT_CREDITS",
)
_NAMED = ("INVALID_PAYLOAD", "THREAD_NOT_FOUND", "RUN_NOT_FOUND")
_STREAMED = ("INVALID_PROFILE", "EVENTS_EXPIRED")

# --- what they are asked with ------------------------------------------------------------------------------------------


def _asked(where: str, name: str, description: str, schema: JsonObject, required: bool = False) -> JsonObject:
    return {"name": name, "in": where, "required": required, "description": description, "schema": schema}


_NUMBER = "(0|[1-9][0-9]{0,14})"
_LARGEST = 10**15 - 1
_RUN = [
    _asked("path", "threadId", "The thread of the run.", {**STRING, "pattern": UUID}, required=True),
    _asked("query", "runId", "The run.", {**STRING, "pattern": RUN_ID}, required=True),
]
_FOLLOWED = [
    _asked("query", "profile", "The form of the events; `seed` without it.", {"enum": ["seed", "agui"]}),
    _asked(
        "query",
        "after",
        "Only events behind this number. Without it, and without Last-Event-ID, the newest attempt.",
        {**STRING, "pattern": f"^{_NUMBER}$"},
    ),
    _asked(
        "header",
        "Last-Event-ID",
        "The id of the last event that was seen, `<runId>:<number>`; goes before `after`.",
        {**STRING, "pattern": f"^[A-Za-z0-9._-]{{1,128}}:{_NUMBER}$"},
    ),
]
_SLUG = _asked("path", "slug", "The last part of a problem's `type`.", STRING, required=True)
_AGUI_ONLY = _asked("query", "profile", "There is no other.", {"enum": ["agui"]})
_LANGUAGE = _asked("header", "Accept-Language", "Goes behind what the request itself says.", STRING)
_CSRF = parameter("X-CSRF-Token")
_HISTORY = [
    _asked("query", "threadId", "Of this thread only.", {**STRING, "pattern": UUID}),
    _asked("query", "day", "Of this civil day only.", {**STRING, "format": "date"}),
    _asked(
        "query", "tz", "The time zone of the day: an IANA name or ±HH:MM; else that of the thread.", STRING
    ),
    _asked(
        "query",
        "before",
        "Only messages with a smaller `seq`: the next page begins at the smallest of this one.",
        {"type": "integer", "minimum": 0, "maximum": _LARGEST},
    ),
    _asked(
        "query",
        "limit",
        "Messages on a page; a number outside is taken as the nearest.",
        {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
    ),
]

EXAMPLE: JsonObject = {
    "threadId": "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11",
    "runId": "run_20260403_xxx",
    "state": {},
    "messages": [{"id": "m1", "role": "user", "content": "我最近换工作是否合适?"}],
    "tools": [],
    "context": [],
    "forwardedProps": {
        "runtime_mode": "chat",
        "ai_language": "zh-Hans",
        "divinationPayload": {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "我最近换工作是否合适?",
            "divinationTimeIso": "2026-04-03T20:30:00+08:00",
            "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
        },
    },
}


def _body(name: str, example: JsonObject) -> JsonObject:
    return {"required": True, "content": {JSON: {"schema": shape(name), "example": example}}}


_INPUT = _body("RunAgentInput", EXAMPLE)
_PAYLOAD = _body("DivinationPayload", EXAMPLE["forwardedProps"]["divinationPayload"])

# --- what they answer with ---------------------------------------------------------------------------------------------


def _json(name: str, description: str = "Done.", *named: str) -> JsonObject:
    return {
        "description": description,
        "headers": headers(*named),
        "content": {JSON: {"schema": shape(name)}},
    }


def _accepted(description: str, *named: str) -> JsonObject:
    told = _json("RunAccepted", description, "Location", *RATE_HEADERS, *named)
    run = {name: f"$response.body#/{name}" for name in ("threadId", "runId")}
    return told | {"links": {name: {"operationId": name, "parameters": run} for name in _OF_A_RUN}}


_OF_A_RUN = ("run_status", "run_events", "cancel_run")


def _events(description: str, profiles: list[str], *named: str) -> JsonObject:
    event = {"anyOf": [shape(profile) for profile in profiles]}
    return {"description": description, "headers": headers(*named), "content": stream(event)}


def _problem(codes: list[str]) -> JsonObject:
    return {"allOf": [shape("Problem"), {"properties": {"code": {"enum": codes}}}]}


def _reasons(codes: tuple[str, ...]) -> list[ErrorAnswer]:
    found = [PROBLEMS[code] for code in dict.fromkeys(codes)]
    return [ErrorAnswer(row.status, row.when, row.code) for row in found if row.status is not None]


def _route(
    operation: str,
    summary: str,
    answers: JsonObject,
    codes: tuple[str, ...],
    counted: tuple[str, ...] = (),
    **more: Any,
) -> JsonObject:
    """An operation, which may also fail for what any may fail for; `counted`: the headers of the window it counts in."""
    reasons = [*_reasons((*codes, *_ANY)), FOREIGN, CROWDED]
    return {
        "operationId": operation,
        "summary": summary,
        "tags": [TAG],
        "security": security(cookie=True),
        **more,
        "responses": answers | refusals(reasons, PROBLEM_JSON, _problem, counted),
    }


def _table(operation: str, found: JsonObject, refused: JsonObject, **more: Any) -> JsonObject:
    """Public, as JSON, or as a page to clients that accept text/html."""
    told = {
        "description": "As JSON or as a page.",
        "headers": headers(),
        "content": {JSON: {"schema": found}} | _PAGE,
    }
    return {
        "operationId": operation,
        "summary": "What can go wrong with a run",
        "tags": [TAG],
        "security": [],
        **more,
        "responses": {"200": told, **_UNREACHED, **refused},
    }


_PAGE: JsonObject = {HTML: {"schema": STRING}}
_UNREACHED: JsonObject = {
    str(reason.status): {"description": reason.meaning, "content": PLAIN} for reason in (FOREIGN, CROWDED)
}


def _no_problem() -> JsonObject:
    told = refusals(_reasons(("PROBLEM_NOT_FOUND",)), PROBLEM_JSON, _problem)["404"]
    return {"404": told | {"content": told["content"] | _PAGE}}


# --- the routes --------------------------------------------------------------------------------------------------------


@cache
def paths() -> JsonObject:
    """The routes, and the table of problems beside them."""
    behind = {"description": "Nothing comes behind this event, nor will.", "headers": headers()}
    return {
        "/api/v1/agent/runs": {
            "post": _route(
                "submit_run",
                "Submit a run",
                {
                    "200": _accepted("It was submitted before.", "Idempotent-Replayed"),
                    "202": _accepted("The run begins."),
                },
                _SUBMISSION,
                RATE_HEADERS,
                parameters=[_LANGUAGE, _CSRF],
                requestBody=_INPUT,
            ),
        },
        "/api/v1/agent/runs/{threadId}": {
            "get": _route(
                "run_status", "How a run stands", {"200": _json("RunStatus")}, _NAMED, parameters=_RUN
            ),
            "delete": _route(
                "cancel_run",
                "Cancel a run",
                {"200": _json("RunCancelled")},
                (*_NAMED, "RUN_FINISHED_ALREADY", "CONFIG_ERROR"),
                parameters=[*_RUN, _CSRF],
            ),
        },
        "/api/v1/agent/runs/{threadId}/events": {
            "get": _route(
                "run_events",
                "Follow a run",
                {"200": _events("Its events.", ["SeedEvent", "AguiEvent"]), "204": behind},
                (*_NAMED, *_STREAMED, "INVALID_EVENT_ID"),
                parameters=[*_RUN, *_FOLLOWED],
            ),
        },
        "/api/v1/agent/history": {
            "get": _route(
                "run_history",
                "What was asked and answered, newest first",
                {"200": _json("History")},
                ("INVALID_PAYLOAD", "INVALID_DAY", "INVALID_TIMEZONE", "THREAD_NOT_FOUND"),
                parameters=_HISTORY,
            ),
        },
        "/api/v1/agent/agui": {
            "post": _route(
                "agui",
                "Submit and follow a run",
                {
                    "200": _events(
                        "The events of the run.", ["AguiEvent"], *RATE_HEADERS, "Idempotent-Replayed"
                    )
                },
                (*_SUBMISSION, *_STREAMED),
                RATE_HEADERS,
                parameters=[_AGUI_ONLY, _LANGUAGE, _CSRF],
                requestBody=_INPUT,
            ),
        },
        "/api/v1/divination/derive": {
            "post": _route(
                "derive_cast",
                "Derive a cast; nothing is stored",
                {"200": _json("Derived")},
                (*_BODY, *_CAST),
                parameters=[_CSRF],
                requestBody=_PAYLOAD,
            ),
        },
        "/api/v1/divination/price": {
            "get": _route(
                "run_price",
                "The price of a run, and the own balance",
                {"200": _json("Price")},
                ("CONFIG_ERROR",),
            ),
        },
        "/problems": {"get": _table("problems", {"type": "array", "items": shape("ProblemEntry")}, {})},
        "/problems/{slug}": {
            "get": _table("problem", shape("ProblemEntry"), _no_problem(), parameters=[_SLUG]),
        },
    }


@cache
def components() -> JsonObject:
    """The shapes, as OpenAPI refers to them."""
    return {**{name: _moved(found) for name, found in shapes()["$defs"].items()}, "ProblemEntry": _ENTRY}


_ENTRY: JsonObject = {
    "description": "A row of the table of problems.",
    "type": "object",
    "required": ["type", "code", "status", "title", "when", "params", "in_log"],
    "properties": {
        **dict.fromkeys(("type", "code", "title", "when"), STRING),
        "status": {"description": "null: only in a log.", "type": ["integer", "null"]},
        "params": {"type": "array", "items": STRING},
        "in_log": {"type": "boolean"},
    },
}


def _moved(node: Any) -> Any:
    if isinstance(node, list):
        return [_moved(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value.replace("#/$defs/", "#/components/schemas/")
        if key == "$ref" and isinstance(value, str)
        else _moved(value)
        for key, value in node.items()
    }
