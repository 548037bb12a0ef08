"""The routes of divination runs as OpenAPI 3.1, made of the published shapes and the table of problems."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from bazi_hub.divination.fields import RUN_ID, UUID
from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.divination.request import HistoryQuery, RunQuery
from bazi_hub.divination.schemas import parameters
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
from bazi_hub.http.wire.agui import AGUI, DERIVE, EVENTS_OF_RUN, HISTORY, PRICE, RUN, RUNS
from bazi_hub.http.wire.problem import PROBLEM_JSON, PROBLEM_PATH, PROBLEMS_PATH
from bazi_hub.ports.runs import TOOL

TAG = TOOL

# --- what routes say no for --------------------------------------------------------------------------------------------

_ANY = ("UNAUTHORIZED", "RATE_LIMITED", "AUTH_BACKEND_ERROR", "INTERNAL_ERROR")
_BODY = ("REQUEST_TIMEOUT", "PARSE_ERROR", "INVALID_BODY")
_CAST = (
    "INVALID_PAYLOAD", "YAO_LINES_LENGTH", "YAO_LINE_VALUE", "TIME_NEEDS_OFFSET", "TIME_OUT_OF_RANGE",
    "EXTRA_FIELD_FORBIDDEN",
)  # fmt: skip
_SUBMISSION = (
    *_BODY, "TOOL_DISABLED", *_CAST, "INVALID_RUNTIME_MODE", "INVALID_TIMEZONE", "RUN_CONFLICT", "THREAD_BUSY",
    "DERIVATION_REQUIRED", "THREAD_HAS_DERIVATION", "UPSTREAM_ERROR", "CONFIG_ERROR", "INSUFFICIENT_CREDITS",
)  # fmt: skip
_NAMED = ("INVALID_PAYLOAD", "THREAD_NOT_FOUND", "RUN_NOT_FOUND")
_STREAMED = ("INVALID_PROFILE", "EVENTS_EXPIRED")

# --- what they are asked with ------------------------------------------------------------------------------------------


def _asked(where: str, name: str, description: str, **schema: Any) -> JsonObject:
    required = where == "path"
    return {"name": name, "in": where, "required": required, "description": description, "schema": schema}


_NUMBER = "(0|[1-9][0-9]{0,14})"
_RUN = [
    _asked("path", "threadId", "The thread of the run.", **STRING, pattern=f"^{UUID.pattern}$"),
    *parameters(RunQuery),
]
_PROFILE = _asked("query", "profile", "The form of the events; `seed` without it.", enum=["seed", "agui"])
_AFTER = _asked(
    "query",
    "after",
    "Only events behind this number. Without it, and without Last-Event-ID, the newest attempt.",
    **STRING,
    pattern=f"^{_NUMBER}$",
)
_LAST_EVENT = _asked(
    "header",
    "Last-Event-ID",
    "The id of the last event that was seen, `<runId>:<number>`; goes before `after`.",
    **STRING,
    pattern=f"^{RUN_ID.pattern}:{_NUMBER}$",
)
_AGUI_ONLY = _asked("query", "profile", "There is no other.", enum=["agui"])
_LANGUAGE = _asked("header", "Accept-Language", "Goes behind what the request itself says.", **STRING)
_SLUG = _asked("path", "slug", "The last part of a problem's `type`.", **STRING)
_CSRF = parameter("X-CSRF-Token")

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


class Operation(NamedTuple):
    """A row of the table of routes: method and path, its id and what it is for, its answers by status, the codes it may fail
    with beside those that any may fail with, parameters, body, and whether it counts in the window of submissions."""

    method: str
    path: str
    name: str
    summary: str
    answers: JsonObject
    codes: tuple[str, ...]
    parameters: list[JsonObject]
    body: JsonObject | None = None
    counted: bool = False

    def described(self) -> JsonObject:
        """The operation as OpenAPI has it."""
        reasons = [*_reasons((*self.codes, *_ANY)), FOREIGN, CROWDED]
        body = {"requestBody": self.body} if self.body else {}
        refused = refusals(reasons, PROBLEM_JSON, _problem, RATE_HEADERS if self.counted else ())
        return {
            "operationId": self.name,
            "summary": self.summary,
            "tags": [TAG],
            "security": security(cookie=True),
            **({"parameters": self.parameters} if self.parameters else {}),
            **body,
            "responses": self.answers | refused,
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

_AGAIN = _accepted("It was submitted before.", "Idempotent-Replayed")
_FOLLOWED = _events("Its events.", ["SeedEvent", "AguiEvent"])
_STREAM = _events("The events of the run.", ["AguiEvent"], *RATE_HEADERS, "Idempotent-Replayed")
_BEHIND: JsonObject = {"description": "Nothing comes behind this event, nor will.", "headers": headers()}
_OPERATIONS = (
    Operation("post", RUNS, "submit_run", "Submit a run", {"200": _AGAIN, "202": _accepted("The run begins.")},
              _SUBMISSION, [_LANGUAGE, _CSRF], _INPUT, counted=True),
    Operation("get", RUN, "run_status", "How a run stands", {"200": _json("RunStatus")}, _NAMED, _RUN),
    Operation("delete", RUN, "cancel_run", "Cancel a run", {"200": _json("RunCancelled")},
              (*_NAMED, "RUN_FINISHED_ALREADY", "CONFIG_ERROR"), [*_RUN, _CSRF]),
    Operation("get", EVENTS_OF_RUN, "run_events", "Follow a run", {"200": _FOLLOWED, "204": _BEHIND},
              (*_NAMED, *_STREAMED, "INVALID_EVENT_ID"), [*_RUN, _PROFILE, _AFTER, _LAST_EVENT]),
    Operation("get", HISTORY, "run_history", "What was asked and answered, newest first", {"200": _json("History")},
              ("INVALID_PAYLOAD", "INVALID_DAY", "INVALID_TIMEZONE", "THREAD_NOT_FOUND"), parameters(HistoryQuery)),
    Operation("post", AGUI, "agui", "Submit and follow a run", {"200": _STREAM},
              (*_SUBMISSION, *_STREAMED), [_AGUI_ONLY, _LANGUAGE, _CSRF], _INPUT, counted=True),
    Operation("post", DERIVE, "derive_cast", "Derive a cast; nothing is stored", {"200": _json("Derived")},
              (*_BODY, *_CAST), [_CSRF], _PAYLOAD),
    Operation("get", PRICE, "run_price", "The price of a run, and the own balance", {"200": _json("Price")},
              ("CONFIG_ERROR",), []),
)  # fmt: skip


@cache
def paths() -> JsonObject:
    """The routes, and the table of problems beside them."""
    made: JsonObject = {}
    for operation in _OPERATIONS:
        made.setdefault(operation.path, {})[operation.method] = operation.described()
    entries = {"type": "array", "items": shape("ProblemEntry")}
    one = _table("problem", shape("ProblemEntry"), _no_problem(), parameters=[_SLUG])
    return made | {PROBLEMS_PATH: {"get": _table("problems", entries, {})}, PROBLEM_PATH: {"get": one}}
