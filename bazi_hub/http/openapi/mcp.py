"""The MCP endpoint as OpenAPI 3.1: JSON-RPC frames, and the statuses that plain clients and SDKs get."""

from __future__ import annotations

from collections.abc import Iterable

from bazi_hub.http.openapi.parts import (
    CROWDED,
    FOREIGN,
    JSON,
    LATE,
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
from bazi_hub.http.wire.mcp import MODERN_REVISION, REVISIONS
from bazi_hub.http.wire.rest import SUCCESSORS
from bazi_hub.words.errors import CODES

TAG = "mcp"
# What the protocol itself refuses.
_MALFORMED = ErrorAnswer(400, "-32700, -32600, -32602, -32020, -32022: the frame is not well formed.")
_UNKNOWN_METHOD = ErrorAnswer(404, f"-32601: unknown method of {MODERN_REVISION}.")

_DESCRIPTION = (
    "JSON-RPC 2.0: `initialize`, `ping`, `notifications/*`, `server/discover`, `tools/list`, `tools/call`. Whoever sends "
    "`MCP-Protocol-Version`, or names `text/event-stream` in `Accept`, is taken for an SDK: it gets errors of a tool with "
    "status 200, and long readings as an event stream. From 2025-03-26 on such an error is a "
    "result with `isError`. Any other client gets the status of the error. Only `tools/call` needs a "
    "credential, unless the operator wants one for every method."
)


def paths(codes: Iterable[str]) -> JsonObject:
    """The endpoint and the paths that it has left. `codes`: what the tools may answer with."""
    return {"/api/mcp": {"post": _endpoint(codes)}, **{path: _retired(path) for path in SUCCESSORS}}


def _endpoint(codes: Iterable[str]) -> JsonObject:
    reasons = [ErrorAnswer(CODES[code].status, CODES[code].meaning, code) for code in codes]
    frame = {"oneOf": [shape("JsonRpcResult"), shape("JsonRpcError")]}
    message = {"anyOf": [*frame["oneOf"], shape("JsonRpcNotification")]}
    return {
        "operationId": "mcp",
        "summary": "Model Context Protocol",
        "description": _DESCRIPTION,
        "tags": [TAG],
        "security": [{}, *security(cookie=True)],
        "parameters": [_REVISION, _METHOD, _NAME, *map(parameter, ("Idempotency-Key", "X-CSRF-Token"))],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": shape("JsonRpcRequest"), "example": _EXAMPLE}},
        },
        "responses": {
            "200": {
                "description": "A result; to SDKs an error too.",
                "headers": headers(*RATE_HEADERS),
                "content": {JSON: {"schema": frame}, **stream(message)},
            },
            "202": {"description": "A notification was taken.", "headers": headers()},
            **refusals(
                [*reasons, _MALFORMED, _UNKNOWN_METHOD, FOREIGN, LATE, CROWDED],
                JSON,
                lambda _: shape("JsonRpcError"),
                RATE_HEADERS,
            ),
        },
    }


def _retired(path: str) -> JsonObject:
    """Any method; these two are those that clients of it have sent."""
    gone = ErrorAnswer(CODES["GONE_DEPRECATED"].status, CODES["GONE_DEPRECATED"].meaning, "GONE_DEPRECATED")
    summary = f"Gone, for every method; use {SUCCESSORS[path]}"
    told = {"deprecated": True, "tags": [TAG], "security": [], "summary": summary}
    return {
        "get": {
            "operationId": "mcp_sse",
            **told,
            "responses": refusals([gone, FOREIGN, CROWDED], JSON, lambda _: shape("Failure")),
        },
        "post": {
            "operationId": "mcp_sse_message",
            **told,
            "requestBody": {"content": {JSON: {"schema": {}}}},
            "responses": refusals([gone, FOREIGN, LATE, CROWDED], JSON, lambda _: shape("JsonRpcError")),
        },
    }


def _sent(name: str, description: str, schema: JsonObject) -> JsonObject:
    return {"name": name, "in": "header", "description": description, "schema": schema}


_REVISION = _sent("MCP-Protocol-Version", "The revision that is spoken.", {"enum": list(REVISIONS)})
_METHOD = _sent("Mcp-Method", f"In {MODERN_REVISION} the method once more.", STRING)
_NAME = _sent("Mcp-Name", f"In {MODERN_REVISION} the name of the tool once more.", STRING)
_EXAMPLE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get_skill_info", "arguments": {}},
}

_ID: JsonObject = {"type": ["string", "integer"]}
_ANY_ID: JsonObject = {"type": ["string", "integer", "null"]}


def _frame(description: str, **members: JsonObject) -> JsonObject:
    return {
        "description": description,
        "type": "object",
        "required": ["jsonrpc", *members],
        "properties": {"jsonrpc": {"const": "2.0"}, **members},
    }


def schemas() -> JsonObject:
    """The frames."""
    error = {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "integer"}, "message": STRING, "data": {"type": "object"}},
    }
    request = _frame("A request; a notification has no id.", method=STRING)
    request["properties"] |= {"id": _ID, "params": {"type": "object"}}
    notification = _frame("How far a call is.", method=STRING, params={"type": "object"})
    return {
        "JsonRpcRequest": request,
        "JsonRpcResult": _frame("What a method gave.", id=_ID, result={"type": "object"}),
        "JsonRpcError": _frame(
            "Of a tool: code -32000, and `message` is the code of the error.", id=_ANY_ID, error=error
        ),
        "JsonRpcNotification": notification,
    }
