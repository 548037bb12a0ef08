"""OpenAPI 3.1, made from the catalogue: a path for every tool with its arguments, envelopes and every status it can have."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bazi_hub.catalog import errors_of
from bazi_hub.errors import CODES
from bazi_hub.wire.about import DESCRIPTION, TITLE, VERSION
from bazi_hub.wire.json import dumps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_hub.tools.tool import ListedTool, Tool

# What any REST path may answer with before a tool is reached.
TRANSPORT_ERRORS = ("PARSE_ERROR", "INVALID_BODY", "UNKNOWN_TOOL", "INTERNAL_ERROR")

JsonObject = dict[str, Any]


def document(listed: Sequence[ListedTool], base: str) -> bytes:
    """`/openapi.json`. `base` is the address of the hub, without a slash at its end."""
    described: JsonObject = {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {"title": TITLE, "version": VERSION, "description": DESCRIPTION, "license": {"name": "MIT"}},
        "servers": [{"url": base or "/"}],
        "security": [{"apiKey": []}, {"bearer": []}],
        "tags": [{"name": category} for category in dict.fromkeys(each.tool.category for each in listed)],
        "paths": {**{each.tool.path: {"post": _operation(each)} for each in listed}, **_PUBLIC},
        "components": _COMPONENTS,
    }
    return dumps(described).encode()


# --- tools -------------------------------------------------------------------------------------------------------------


def _operation(listed: ListedTool) -> JsonObject:
    tool = listed.tool
    media: JsonObject = {"schema": tool.schema, **({"example": tool.example} if tool.example else {})}
    return {
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        "tags": [tool.category],
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}] if _keeps(tool) else [],
        "requestBody": {
            "required": bool(tool.schema.get("required")),
            "content": {"application/json": media},
        },
        "responses": {"200": _success(tool), **_failures((*TRANSPORT_ERRORS, *errors_of(tool)))},
        "x-bazi-id": tool.id,
        "x-bazi-credit-cost": listed.cost,
        "x-bazi-enabled": listed.enabled,
    }


def _keeps(tool: Tool) -> bool:
    return tool.metered or tool.stores


def _success(tool: Tool) -> JsonObject:
    headers = ["X-Request-Id", *(["RateLimit-Policy", "RateLimit"] if tool.limit else [])]
    headers += ["Idempotent-Replayed"] if _keeps(tool) else []
    headers += ["X-Call-Id"] if tool.metered else []
    return {
        "description": "The call succeeded.",
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Success"}}},
    }


def _failures(names: Iterable[str]) -> JsonObject:
    """One response for each status, with the codes that may stand in it."""
    by_status: dict[int, dict[str, str]] = defaultdict(dict)
    for name in names:
        by_status[CODES[name].status][name] = CODES[name].meaning
    return {str(status): _failure(told) for status, told in sorted(by_status.items())}


def _failure(told: dict[str, str]) -> JsonObject:
    code = {"properties": {"error": {"properties": {"code": {"enum": list(told)}}}}}
    response: JsonObject = {
        "description": " ".join(f"{name}: {meaning}" for name, meaning in told.items()),
        "content": {
            "application/json": {"schema": {"allOf": [{"$ref": "#/components/schemas/Failure"}, code]}},
        },
    }
    headers = [header for name, header in _ERROR_HEADERS.items() if name in told]
    if headers:
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
    return response


_ERROR_HEADERS = {"UNAUTHORIZED": "WWW-Authenticate", "RATE_LIMITED": "Retry-After"}

# --- what is public ----------------------------------------------------------------------------------------------------


def _public(operation: str, summary: str, media_type: str, *also: int) -> JsonObject:
    schema: JsonObject = {"type": "object"} if media_type == "application/json" else {"type": "string"}
    content = {media_type: {"schema": schema}}
    answers = {str(status): {"description": "Not now.", "content": content} for status in also}
    return {
        "get": {
            "operationId": operation,
            "summary": summary,
            "security": [],
            "responses": {"200": {"description": summary, "content": content}, **answers},
        }
    }


_PUBLIC: JsonObject = {
    "/.well-known/mcp.json": _public(
        "discovery", "Tools, endpoints, limits, protocol revisions", "application/json"
    ),
    "/openapi.json": _public("openapi", "This document", "application/json"),
    "/llms.txt": _public("guide", "A short guide for agents", "text/plain"),
    "/healthz": _public("health", "Whether the process is alive", "application/json"),
    "/readyz": _public("readiness", "Whether calls can be served", "application/json", 503),
}

# --- components --------------------------------------------------------------------------------------------------------


def _header(description: str, **schema: Any) -> JsonObject:
    return {"description": description, "schema": {"type": "string", **schema}}


_COMPONENTS: JsonObject = {
    "securitySchemes": {
        "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        "bearer": {"type": "http", "scheme": "bearer"},
    },
    "parameters": {
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": "Your own name for this call. A retry under the same key is charged once.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"},
        }
    },
    "headers": {
        "X-Request-Id": _header("Names this request in the operator's log."),
        "X-Call-Id": _header("The call in the usage history.", format="uuid"),
        "Idempotent-Replayed": _header(
            "The answer of an earlier call, given again for nothing.", const="true"
        ),
        "RateLimit-Policy": _header("The window that the call was counted in: q calls in w seconds."),
        "RateLimit": _header("What is left of it: r calls for t more seconds."),
        "Retry-After": _header("Seconds to wait before the one retry.", pattern="^[0-9]+$"),
        "WWW-Authenticate": _header("How to bring a credential."),
    },
    "schemas": {
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
    },
}
