"""The shapes of this protocol, row by row: requests, answers, the history, and the events of a run.

An object's members stand in two groups: those that are always there, and those that may be. Shapes only ever grow: a reader
must pass over what it does not know, but in the closed objects `divinationPayload`, `client_time` and `divination`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, get_args

from bazi_core.readings.divination import LEVELS, PARTS
from bazi_hub.divination import request as rules
from bazi_hub.divination.output import LONGEST_DELTA
from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.ports.runs import LISTS, PROTOCOL_VERSION, TOOL, Status

Schema = dict[str, Any]

STATUSES = get_args(Status)
OUTPUT_STATUSES = ("success", "declined", "error", "cancelled")
UUID, RUN_ID, TAG = (f"^{form.pattern}$" for form in (rules.UUID, rules.RUN_ID, rules.TAG))


def ref(name: str) -> Schema:
    """A shape by its name."""
    return {"$ref": f"#/$defs/{name}"}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _one_of(values: tuple[str, ...]) -> Schema:
    return {"enum": list(values)}


def _or_null(shape: Schema) -> Schema:
    return {"anyOf": [shape, {"type": "null"}]}


def _object(
    description: str, required: Schema, optional: Schema | None = None, closed: bool = False
) -> Schema:
    """An object; what stands first is always there."""
    made: Schema = {"description": description, "type": "object", "required": list(required)}
    made["properties"] = {**required, **(optional or {})}
    return {**made, "additionalProperties": False} if closed else made


STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
ANY_OBJECT: Schema = {"type": "object"}
TEXTS = _list(STRING)
THREAD_ID = {
    "description": "A UUID of any version; stored and echoed in lower case.",
    "type": "string",
    "pattern": UUID,
}
RUN_NAME = {"type": "string", "pattern": RUN_ID}
INSTANT = {"description": "RFC 3339 UTC, seconds, +00:00.", "type": "string", "format": "date-time"}

# Members that several shapes have.
_RUN: Schema = {"threadId": THREAD_ID, "runId": RUN_NAME}
_CAST: Schema = {"divination": ref("Divination"), "analysis": ref("Analysis")}
_LISTS: Schema = dict.fromkeys(LISTS, TEXTS)

_LENGTHS = f"A user's text without U+0000, at most {rules.LONGEST_MESSAGE} characters, the last {rules.LONGEST_QUESTION}."

REQUESTS: dict[str, Schema] = {
    "ClientTime": _object(
        "What the client's clock says; never used to derive.",
        {
            "device_timezone": STRING,
            "client_now_iso": {"type": "string", "format": "date-time"},
            "client_epoch_ms": INTEGER,
        },
        closed=True,
    ),
    "UserMessage": _object(
        "A message; those of other roles are passed over.",
        {"id": {"type": "string", "minLength": 1, "maxLength": rules.LONGEST_ID}, "role": STRING},
        {"content": {"description": _LENGTHS}},
    ),
    "ForwardedProps": _object(
        "What this protocol adds to AG-UI.",
        {},
        {
            "runtime_mode": _one_of(rules.RUNTIME_MODES),
            "client_time": ref("ClientTime"),
            "ai_language": {"type": "string", "maxLength": rules.LONGEST_TAG, "pattern": TAG},
            "divinationPayload": ref("DivinationPayload"),
        },
    ),
    "RunAgentInput": _object(
        "The body of POST /api/v1/agent/runs and /api/v1/agent/agui.",
        {
            **_RUN,
            "state": ANY_OBJECT,
            "messages": _list(ref("UserMessage"), minItems=1, maxItems=rules.MOST_MESSAGES),
            "tools": _list({}),
            "context": _list({}),
        },
        {"forwardedProps": ref("ForwardedProps"), "protocolVersion": {}, "parentRunId": {}, "resume": {}},
    ),
}

ANSWERS: dict[str, Schema] = {
    "RunAccepted": _object(
        "202 for a run that begins, 200 for one that was submitted before.",
        {
            **_RUN,
            "status": _one_of(("accepted", *STATUSES)),
            "attempt": INTEGER,
            "eventsUrl": STRING,
            "credits_held": INTEGER,
        },
    ),
    "RunError": _object("How a run failed.", {"code": STRING, "message": STRING}),
    "RunStatus": _object(
        "GET /api/v1/agent/runs/{threadId}",
        {
            **_RUN,
            "status": _one_of(STATUSES),
            "attempt": INTEGER,
            "createdAt": INSTANT,
            "finishedAt": _or_null(INSTANT),
            "credits_deducted": INTEGER,
            "lastSeq": INTEGER,
            "error": _or_null(ref("RunError")),
        },
    ),
    "RunCancelled": _object(
        "DELETE /api/v1/agent/runs/{threadId}", {**_RUN, "status": {"const": "cancelled"}}
    ),
    "Derived": _object("POST /api/v1/divination/derive", _CAST),
    "Price": _object(
        "GET /api/v1/divination/price",
        {
            "tool_name": {"const": TOOL},
            "credit_cost": INTEGER,
            "min_balance": INTEGER,
            "enabled": BOOLEAN,
            "balance": INTEGER,
            "held": INTEGER,
            "available": INTEGER,
        },
    ),
    "Defect": _object(
        "One thing wrong, at a JSON pointer.", {"pointer": STRING, "code": STRING, "message": STRING}
    ),
    "Problem": _object(
        "Every error: RFC 9457, application/problem+json.",
        {
            "type": STRING,
            "title": STRING,
            "status": INTEGER,
            "detail": STRING,
            "instance": STRING,
            "code": _one_of(tuple(code for code, row in PROBLEMS.items() if row.status)),
        },
        {"params": _object("What a program can go on with.", {}, {"errors": _list(ref("Defect"))})},
    ),
}

HISTORY: dict[str, Schema] = {
    "Evidence": _object(
        "The ids of the facts from which each item follows, item by item.",
        dict.fromkeys(PARTS, _list(TEXTS)),
    ),
    "AgentOutput": _object(
        "What an assistant's message holds. No sign_level and empty lists unless status is success.",
        {
            "status": _one_of(OUTPUT_STATUSES),
            **_LISTS,
            "answer": STRING,
            "divination_derived": ref("Divination"),
            "divination_analysis": ref("Analysis"),
        },
        {
            "sign_level": _one_of(LEVELS),
            "interpreter": _one_of(("llm", "rules")),
            "language": STRING,
            "evidence": ref("Evidence"),
            "safety": ANY_OBJECT,
            "provenance": ANY_OBJECT,
            "grounding": ANY_OBJECT,
            "error": ref("RunError"),
        },
    ),
    "Attachment": _object("Not sent while the hub has no upload.", {"mimeType": STRING, "url": STRING}),
    "HistoryMessage": _object(
        "A line of the history.",
        {
            "id": THREAD_ID,
            "seq": INTEGER,
            "role": _one_of(("user", "assistant")),
            "content": STRING,
            "timestamp": INSTANT,
            **_RUN,
        },
        {"agent_output": ref("AgentOutput"), "attachments": _list(ref("Attachment"))},
    ),
    "History": _object(
        "GET /api/v1/agent/history",
        {
            "scope": {"const": "history_day"},
            "threadId": _or_null(THREAD_ID),
            "day": _or_null({"type": "string", "format": "date"}),
            "hasMore": BOOLEAN,
            "messages": _list(ref("HistoryMessage")),
        },
    ),
}


# --- events ---------------------------------------------------------------------------------------------------------------

USAGE = _object(
    "Tokens of a model, where its port tells them.",
    {
        "provider": STRING,
        "model": STRING,
        "inputTokens": INTEGER,
        "outputTokens": INTEGER,
        "totalTokens": INTEGER,
    },
)
_MESSAGE: Schema = {"messageId": THREAD_ID}
_FINISHED: Schema = {
    **_RUN,
    "outcome": _object("How the run ended.", {"type": _one_of(("success", "cancelled"))}),
}
_USAGE: Schema = {"usage": _list(ref("Usage"))}
_OUTPUT = _object("The whole output.", {"agent_output": ref("AgentOutput")})
_DELTA = {"type": "string", "minLength": 1, "maxLength": LONGEST_DELTA}
_IN_LOG = tuple(code for code, row in PROBLEMS.items() if row.in_log)

SEED, AGUI = ("seed",), ("agui",)
BOTH = (*SEED, *AGUI)


class WireEvent(NamedTuple):
    """An event as it is sent: its type, the profiles that have it, and its members beside `type` and `timestamp`."""

    kind: str
    profiles: tuple[str, ...]
    description: str
    required: Schema
    optional: Schema | None = None

    @property
    def shape(self) -> Schema:
        always = {"type": {"const": self.kind}, "timestamp": INTEGER, **self.required}
        return _object(self.description, always, self.optional, closed=True)


# The eleven types. Of two of them both profiles have their own form.
EVENTS = (
    WireEvent("RUN_STARTED", BOTH, "First of an attempt.", {**_RUN, "protocolVersion": {"const": PROTOCOL_VERSION}}),
    WireEvent("STEP_STARTED", BOTH, "derive or interpret begins.", {"stepName": STRING}),
    WireEvent("STEP_FINISHED", BOTH, "derive or interpret is over.", {"stepName": STRING}),
    WireEvent("TEXT_MESSAGE_START", BOTH, "The answer begins.", {**_MESSAGE, "role": {"const": "assistant"}}),
    WireEvent("TEXT_MESSAGE_CONTENT", BOTH, "A piece of the answer; together they are it.", {**_MESSAGE, "delta": _DELTA}),
    WireEvent("RUN_ERROR", BOTH, "The attempt failed.", {"message": STRING, "code": _one_of(_IN_LOG)}),
    WireEvent("DIVINATION_DERIVED", SEED, "The cast; seed profile only.", _CAST),
    WireEvent("CUSTOM", AGUI, "The cast; agui profile only.",
              {"name": {"const": "DIVINATION_DERIVED"}, "value": _object("The cast.", _CAST)}),
    WireEvent("STATE_SNAPSHOT", AGUI, "The client's state with the cast; agui profile only.",
              {"snapshot": _object("State.", _CAST)}),
    WireEvent("TEXT_MESSAGE_END", SEED, "The six fields; seed profile.", {**_MESSAGE, **_LISTS, "answer": STRING},
              {"sign_level": _one_of(LEVELS)}),
    WireEvent("TEXT_MESSAGE_END", AGUI, "The whole output; agui profile.", {**_MESSAGE, "metadata": _OUTPUT}),
    WireEvent("RUN_FINISHED", SEED, "Success or cancellation; seed profile.", _FINISHED, _USAGE),
    WireEvent("RUN_FINISHED", AGUI, "Success or cancellation; agui profile.", _FINISHED, {**_USAGE, "result": _OUTPUT}),
)  # fmt: skip


def _named_events() -> dict[str, WireEvent]:
    """Every event by the name of its shape; where a type has several, the profile stands before it."""
    forms = Counter(event.kind for event in EVENTS)
    return {
        (event.profiles[0].title() if forms[event.kind] > 1 else "") + _camel(event.kind) + "Event": event
        for event in EVENTS
    }


def _camel(kind: str) -> str:
    """`RUN_STARTED` as RunStarted."""
    return "".join(part.title() for part in kind.split("_"))


def _events() -> dict[str, Schema]:
    named = _named_events()
    unions = {
        f"{profile.title()}Event": {
            "description": f"An event of the {profile} profile.",
            "oneOf": [ref(name) for name, event in named.items() if profile in event.profiles],
        }
        for profile in BOTH
    }
    return {name: event.shape for name, event in named.items()} | unions


SHAPES = REQUESTS | ANSWERS | HISTORY | {"Usage": USAGE} | _events()
