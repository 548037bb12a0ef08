"""The routes of divination runs as OpenAPI 3.1, made of the published shapes and the table of problems."""

from __future__ import annotations

from typing import Any

from bazi_core import __version__
from bazi_hub.ports.runs import TOOL
from bazi_hub.runs.problems import PROBLEMS
from bazi_hub.runs.schemas import RUN_ID, UUID
from bazi_hub.runs.schemas import document as shapes
from bazi_hub.wire.problem import PROBLEM_JSON

Schema = dict[str, Any]

_PREFIX = "#/components/schemas/"
_RUN = "runId"
_THREAD = {"name": "threadId", "in": "path", "required": True, "schema": {"type": "string", "pattern": UUID}}
_NAME = {"name": _RUN, "in": "query", "required": True, "schema": {"type": "string", "pattern": RUN_ID}}
_PROFILE = {"name": "profile", "in": "query", "schema": {"enum": ["seed", "agui"]}}
_AFTER = {"name": "after", "in": "query", "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,14})$"}}
_LAST = {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}
_HISTORY = [
    {"name": "threadId", "in": "query", "schema": {"type": "string", "pattern": UUID}},
    {"name": "day", "in": "query", "schema": {"type": "string", "format": "date"}},
    {"name": "tz", "in": "query", "schema": {"type": "string"}},
    {"name": "before", "in": "query", "schema": {"type": "integer"}},
    {"name": "limit", "in": "query", "schema": {"type": "integer"}},
]
_STREAM = {"text/event-stream": {"schema": {"type": "string"}}}
# The problems of a route, by status, beside those that any may have.
_ANY = (401, 500)
_SUBMIT = (400, 402, 403, 409, 422, 429, 502)


def _shape(name: str) -> Schema:
    return {"$ref": f"{_PREFIX}{name}"}


def _json(name: str, description: str = "Done.") -> Schema:
    return {"description": description, "content": {"application/json": {"schema": _shape(name)}}}


def _problem(status: int) -> Schema:
    codes = ", ".join(code for code, row in PROBLEMS.items() if row.status == status)
    return {"description": codes, "content": {PROBLEM_JSON: {"schema": _shape("Problem")}}}


def _body(name: str) -> Schema:
    return {"required": True, "content": {"application/json": {"schema": _shape(name)}}}


def _route(summary: str, answers: Schema, problems: tuple[int, ...], **more: Any) -> Schema:
    answered = answers | {str(status): _problem(status) for status in (*problems, *_ANY)}
    return {"summary": summary, "tags": [TOOL], "responses": answered, **more}


def _stream(description: str) -> Schema:
    return {"description": description, "content": _STREAM}


def paths() -> Schema:
    """The routes."""
    run = [_THREAD, _NAME]
    accepted = {
        "202": _json("RunAccepted", "The run begins."),
        "200": _json("RunAccepted", "It was submitted before."),
    }
    behind = {"204": {"description": "Nothing comes behind this event."}}
    return {
        "/api/v1/agent/runs": {
            "post": _route("Submit a run", accepted, _SUBMIT, requestBody=_body("RunAgentInput")),
        },
        "/api/v1/agent/runs/{threadId}": {
            "get": _route("How a run stands", {"200": _json("RunStatus")}, (404, 422), parameters=run),
            "delete": _route("Cancel a run", {"200": _json("RunCancelled")}, (404, 409, 422), parameters=run),
        },
        "/api/v1/agent/runs/{threadId}/events": {
            "get": _route(
                "Follow a run",
                {"200": _stream("Its events."), **behind},
                (400, 404, 410, 422, 429),
                parameters=[*run, _PROFILE, _AFTER, _LAST],
            ),
        },
        "/api/v1/agent/history": {
            "get": _route(
                "What was asked and answered", {"200": _json("History")}, (404, 422), parameters=_HISTORY
            ),
        },
        "/api/v1/agent/agui": {
            "post": _route(
                "Submit and follow a run",
                {"200": _stream("The events of the agui profile."), **behind},
                (*_SUBMIT, 410),
                requestBody=_body("RunAgentInput"),
                parameters=[_PROFILE],
            ),
        },
        "/api/v1/divination/derive": {
            "post": _route(
                "Derive a cast", {"200": _json("Derived")}, (400, 422), requestBody=_body("DivinationPayload")
            ),
        },
        "/api/v1/divination/price": {
            "get": _route("The price of a run", {"200": _json("Price")}, ()),
        },
    }


def components() -> Schema:
    """The shapes, as OpenAPI refers to them."""
    return {name: _moved(shape) for name, shape in shapes()["$defs"].items()}


def _moved(node: Any) -> Any:
    if isinstance(node, list):
        return [_moved(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value.replace("#/$defs/", _PREFIX) if key == "$ref" and isinstance(value, str) else _moved(value)
        for key, value in node.items()
    }


def document() -> Schema:
    """All of it as a document of its own."""
    keys = {"type": "apiKey", "in": "header", "name": "x-api-key"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Divination runs", "version": __version__},
        "paths": paths(),
        "components": {"schemas": components(), "securitySchemes": {"key": keys}},
        "security": [{"key": []}],
    }
