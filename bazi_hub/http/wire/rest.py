"""REST: a tool is a path, its arguments are the body, and everything comes in one of two envelopes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bazi_hub.http.wire.answer import Answer, error_headers, limit_headers
from bazi_hub.http.wire.idempotency import idempotency
from bazi_hub.http.wire.json import dumps, parse
from bazi_hub.words.call import Call, Caller, Outcome
from bazi_hub.words.errors import HubError, short
from bazi_hub.words.settings import Settings

TOOLS = "/api/universal/"
# Paths that were retired, and what took their place.
SUCCESSORS = {"/api/mcp/sse": "/api/mcp"}


class Target(NamedTuple):
    """Category and name of the tool that a path under /api names; a name of None is no tool."""

    category: str | None
    name: str | None
    path: str


def target(path: str) -> Target:
    """The tool of a path.

    >>> target("/api/universal/meta/get_skill_info")[:2], target("/api/universal/meta/get_skill_info/")[:2]
    (('meta', 'get_skill_info'), (None, None))
    """
    parts = path.removeprefix(TOOLS).split("/") if path.startswith(TOOLS) else []
    if len(parts) == 2 and all(parts):
        return Target(parts[0], parts[1], path)
    return Target(None, None, path)


def read(body: bytes, settings: Settings) -> dict[str, Any]:
    """The arguments in a body; `HubError` PARSE_ERROR or INVALID_BODY. An empty body has none."""
    value = parse(body, settings.body_limit, settings.json_depth) if body else {}
    if not isinstance(value, dict):
        raise HubError("INVALID_BODY", "Request body must be a JSON object")
    return value


def call(
    target: Target, arguments: dict[str, Any], headers: Mapping[str, str], caller: Caller, request_id: str
) -> Call:
    """The call that a request makes; `HubError` UNKNOWN_TOOL for a path that is not of a tool's form."""
    if target.name is None:
        name = target.path.strip("/").rpartition("/")[2]
        raise HubError("UNKNOWN_TOOL", f"No tool at {short(target.path)}", tool_name=short(name))
    key, issues = idempotency(headers.get("idempotency-key"), {})
    return Call(
        target.name, arguments, caller, request_id, key, target.category, transport="rest", issues=issues
    )


def wrong_verb() -> HubError:
    return HubError("METHOD_NOT_ALLOWED", "Use POST", allow="POST")


def outcome(outcome: Outcome) -> Answer:
    """The answer to a call; the result's text goes in as it is."""
    if outcome.error is not None:
        answer = failure(outcome.error)
        return answer._replace(headers=(*limit_headers(outcome.window), *answer.headers))
    free = ',"from_free_quota":true' if outcome.from_free_quota else ""
    text = f'{{"success":true,"data":{outcome.result},"credits_deducted":{outcome.credits_deducted}{free}}}'
    headers = limit_headers(outcome.window)
    if outcome.call_id is not None:
        headers = (*headers, ("X-Call-Id", outcome.call_id))
    if outcome.replayed:
        headers = (*headers, ("Idempotent-Replayed", "true"))
    return Answer(200, text.encode(), headers)


def failure(error: HubError) -> Answer:
    """The envelope of an error; `details` only where there are any."""
    told: dict[str, Any] = {"code": error.name, "message": error.detail}
    if error.members:
        told["details"] = error.members
    return Answer(
        error.status,
        dumps({"success": False, "error": told}).encode(),
        error_headers(error.name, error.members),
    )
