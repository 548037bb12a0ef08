"""OpenAPI 3.1 of everything under /api and of what is public, made from the catalogue and from the tables of errors.

Every route is there with its parameters, credentials, and every status and media type that it can answer with.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from bazi_hub.divination import schemas
from bazi_hub.http.openapi import mcp as openapi_mcp
from bazi_hub.http.openapi import runs as openapi_runs
from bazi_hub.http.openapi.parts import (
    CROWDED,
    FOREIGN,
    HEADERS,
    JSON,
    LATE,
    PARAMETERS,
    PLAIN,
    RATE_HEADERS,
    SECURITY_SCHEMES,
    TEXT,
    ErrorAnswer,
    JsonObject,
    headers,
    parameter,
    refusals,
    security,
    shape,
)
from bazi_hub.http.wire.about import DESCRIPTION, TITLE, VERSION
from bazi_hub.http.wire.json import dumps
from bazi_hub.tools.catalog import errors_of
from bazi_hub.tools.tool import ListedTool, Tool
from bazi_hub.words.errors import CODES

# What any tool may answer with before it is reached.
TRANSPORT_ERRORS = ("PARSE_ERROR", "INVALID_BODY", "INTERNAL_ERROR")
# What MCP says of a frame that names no tool.
_OF_FRAMES = ("UNKNOWN_TOOL",)

_ABOUT = (
    f"{DESCRIPTION} Every answer under /api carries X-Request-Id. A method that is not listed here is answered with 405 and "
    "Allow, a POST to a path that is not listed with 404 UNKNOWN_TOOL."
)


def document(listed: Sequence[ListedTool], base: str, mounted: Collection[str] = ()) -> bytes:
    """`/openapi.json`. `base` is the address of the hub, without a slash at its end; of the run routes those are listed
    that are among the `mounted` paths."""
    runs = {path: item for path, item in openapi_runs.paths().items() if path in mounted}
    described: JsonObject = {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {"title": TITLE, "version": VERSION, "description": _ABOUT, "license": {"name": "MIT"}},
        "servers": [{"url": base or "/"}],
        "security": security(cookie=False),
        "tags": [{"name": name} for name in _tags(listed, bool(runs))],
        "paths": {
            **{each.tool.path: {"post": _operation(each)} for each in listed},
            **openapi_mcp.paths(_mcp_codes(listed)),
            **runs,
            **_PUBLIC,
        },
        "components": {
            "securitySchemes": SECURITY_SCHEMES,
            "parameters": PARAMETERS,
            "headers": HEADERS,
            "schemas": {
                **_ENVELOPES,
                **openapi_mcp.schemas(),
                **(schemas.components() if runs else {}),
            },
        },
    }
    return dumps(described).encode()


def _tags(listed: Sequence[ListedTool], runs: bool) -> list[str]:
    categories = dict.fromkeys(each.tool.category for each in listed)
    return [*categories, openapi_mcp.TAG, *([openapi_runs.TAG] if runs else [])]


def _mcp_codes(listed: Sequence[ListedTool]) -> list[str]:
    """In the order of the table."""
    told = {code for each in listed for code in errors_of(each.tool)} | {*TRANSPORT_ERRORS, *_OF_FRAMES}
    return [code for code in CODES if code in told - {"INVALID_BODY"}]


# --- tools -------------------------------------------------------------------------------------------------------------


def _operation(listed: ListedTool) -> JsonObject:
    tool = listed.tool
    media: JsonObject = {"schema": tool.schema, **({"example": tool.example} if tool.example else {})}
    cookie = "cookie" in tool.auth
    codes = dict.fromkeys((*TRANSPORT_ERRORS, *errors_of(tool)))
    reasons = [ErrorAnswer(CODES[code].status, CODES[code].meaning, code) for code in codes]
    return {
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        "tags": [tool.category],
        "security": security(cookie),
        "parameters": [parameter(name) for name in _parameters(tool, cookie)],
        "requestBody": {"required": bool(tool.schema.get("required")), "content": {JSON: media}},
        "responses": {
            "200": _success(tool),
            **refusals([*reasons, FOREIGN, LATE], JSON, _failure, RATE_HEADERS if tool.limit else ()),
        },
        "x-bazi-id": tool.id,
        "x-bazi-credit-cost": listed.cost,
        "x-bazi-enabled": listed.enabled,
    }


def _parameters(tool: Tool, cookie: bool) -> list[str]:
    writes = cookie and tool.category == "forum" and not tool.read_only
    return [*(["Idempotency-Key"] if _keeps(tool) else []), *(["X-CSRF-Token"] if writes else [])]


def _keeps(tool: Tool) -> bool:
    return tool.metered or tool.stores


def _success(tool: Tool) -> JsonObject:
    named = [*(RATE_HEADERS if tool.limit else ())]
    named += ["Idempotent-Replayed"] if _keeps(tool) else []
    named += ["X-Call-Id"] if tool.metered else []
    return {
        "description": "The call succeeded.",
        "headers": headers(*named),
        "content": {JSON: {"schema": shape("Success")}},
    }


def _failure(codes: list[str]) -> JsonObject:
    code = {"properties": {"error": {"properties": {"code": {"enum": codes}}}}}
    return {"allOf": [shape("Failure"), code]}


_ENVELOPES: JsonObject = {
    "Success": {
        "type": "object",
        "required": ["success", "data", "credits_deducted"],
        "properties": {
            "success": {"const": True},
            "data": {"description": "The result of the tool.", "type": ["object", "array"]},
            "credits_deducted": {"type": "integer", "minimum": 0},
            "from_free_quota": {"const": True},
        },
    },
    "Failure": {
        "type": "object",
        "required": ["success", "error"],
        "properties": {
            "success": {"const": False},
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "details": {"type": "object"},
                },
            },
        },
    },
}

# --- what is public ----------------------------------------------------------------------------------------------------


def _public(operation: str, summary: str, media_type: str, refused: dict[int, JsonObject]) -> JsonObject:
    schema: Any = {"type": "object"} if media_type == JSON else {"type": "string"}
    answers = {
        str(status): {"description": _REFUSED[status], "content": content}
        for status, content in refused.items()
    }
    told = {"description": summary, "content": {media_type: {"schema": schema}}}
    return {
        "get": {
            "operationId": operation,
            "summary": summary,
            "security": [],
            "responses": {"200": told, **answers},
        }
    }


_REFUSED = {403: "This host name is not served here.", 429: CROWDED.meaning, 503: "Not now."}
_DOCUMENT: dict[int, JsonObject] = {403: PLAIN, 429: PLAIN, 503: PLAIN}
_PUBLIC: JsonObject = {
    "/.well-known/mcp.json": _public(
        "discovery", "Tools, endpoints, limits, protocol revisions", JSON, _DOCUMENT
    ),
    "/.well-known/agent-card.json": _public("agentCard", "The hub as an A2A agent card", JSON, _DOCUMENT),
    "/openapi.json": _public("openapi", "This document", JSON, _DOCUMENT),
    "/llms.txt": _public("guide", "A short guide for agents", TEXT, _DOCUMENT),
    "/healthz": _public("health", "Whether the process is alive", JSON, {}),
    "/readyz": _public(
        "readiness", "Whether calls can be served", JSON, {503: {JSON: {"schema": {"type": "object"}}}}
    ),
}
