"""What the routes of the OpenAPI document share: credentials, parameters, headers, and how a route says no."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

JsonObject = dict[str, Any]

JSON, TEXT, HTML, EVENTS = "application/json", "text/plain", "text/html", "text/event-stream"
STRING: JsonObject = {"type": "string"}
PLAIN: JsonObject = {TEXT: {"schema": STRING}}


def shape(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def parameter(name: str) -> JsonObject:
    return {"$ref": f"#/components/parameters/{name}"}


def headers(*names: str) -> JsonObject:
    """The headers of an answer; every one under /api names its request."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def security(cookie: bool) -> list[JsonObject]:
    """The credentials that a route takes, any one of them."""
    return [{"apiKey": []}, {"bearer": []}, *([{"session": []}] if cookie else [])]


def stream(event: JsonObject) -> JsonObject:
    """An event stream as a media type. OpenAPI 3.1 has no word for the events of one: 3.2 calls it `itemSchema`."""
    data = {**STRING, "contentMediaType": JSON, "contentSchema": event}
    item = {"type": "object", "required": ["data"], "properties": {"id": STRING, "data": data}}
    return {EVENTS: {"schema": STRING, "x-bazi-item-schema": item}}


# --- how a route says no -----------------------------------------------------------------------------------------------


class ErrorAnswer(NamedTuple):
    """A reason; `plain`: told as text, since the request did not get as far as its route."""

    status: int
    meaning: str
    code: str | None = None
    plain: bool = False


FOREIGN = ErrorAnswer(403, "In plain text: this host name or this origin is not served here.", plain=True)
LATE = ErrorAnswer(408, "In plain text: the body did not arrive in time.", plain=True)
CROWDED = ErrorAnswer(429, "In plain text: too many requests of this address.", plain=True)

RATE_HEADERS = ("RateLimit-Policy", "RateLimit")
_HEADER_OF = {"UNAUTHORIZED": "WWW-Authenticate", "RATE_LIMITED": "Retry-After", "GONE_DEPRECATED": "Link"}


def refusals(
    reasons: Iterable[ErrorAnswer],
    media_type: str,
    schema: Callable[[list[str]], JsonObject],
    also: tuple[str, ...] = (),
) -> JsonObject:
    """One response for each status, with the codes that may stand in it. `also` are headers that may be on each."""
    by_status: dict[int, list[ErrorAnswer]] = defaultdict(list)
    for reason in reasons:
        by_status[reason.status].append(reason)
    return {
        str(status): _refusal(found, media_type, schema, also) for status, found in sorted(by_status.items())
    }


def _refusal(
    reasons: list[ErrorAnswer],
    media_type: str,
    schema: Callable[[list[str]], JsonObject],
    also: tuple[str, ...],
) -> JsonObject:
    codes = [reason.code for reason in reasons if reason.code is not None]
    named = [_HEADER_OF[code] for code in codes if code in _HEADER_OF]
    reached = not all(reason.plain for reason in reasons)
    content: JsonObject = {media_type: {"schema": schema(codes)}} if reached else {}
    return {
        "description": " ".join(_told(reason) for reason in reasons),
        "headers": headers(*named, *(also if reached else ())),
        "content": content | PLAIN if any(reason.plain for reason in reasons) else content,
    }


def _told(reason: ErrorAnswer) -> str:
    return reason.meaning if reason.code is None else f"{reason.code}: {reason.meaning}"


# --- components --------------------------------------------------------------------------------------------------------


def _header(description: str, required: bool = False, **schema: Any) -> JsonObject:
    return {"description": description, "required": required, "schema": {**STRING, **schema}}


HEADERS: JsonObject = {
    "X-Request-Id": _header("Names this request in the operator's log.", required=True),
    "X-Call-Id": _header("The call in the usage history.", format="uuid"),
    "Idempotent-Replayed": _header("The answer of an earlier call, given again for nothing.", const="true"),
    "RateLimit-Policy": _header("The window that the call was counted in: q calls in w seconds."),
    "RateLimit": _header("What is left of it: r calls for t more seconds."),
    "Retry-After": _header("Seconds to wait before the one retry.", required=True, pattern="^[0-9]+$"),
    "WWW-Authenticate": _header("How to bring a credential.", required=True),
    "Link": _header("What took the place of this path.", required=True),
    "Location": _header("Where the events of the run are.", required=True),
}

PARAMETERS: JsonObject = {
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Your own name for this call. A retry under the same key is charged once.",
        "schema": {**STRING, "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"},
    },
    "X-CSRF-Token": {
        "name": "X-CSRF-Token",
        "in": "header",
        "description": "Needed with the session cookie only, beside an Origin that is the hub's own.",
        "schema": STRING,
    },
}

SECURITY_SCHEMES: JsonObject = {
    "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    "bearer": {"type": "http", "scheme": "bearer", "description": "The same key."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "bazi_session",
        "description": "What a browser has that signed in on the hub's pages; by https its name is __Host-bazi_session. "
        "Its POST has to be declared as JSON.",
    },
}
