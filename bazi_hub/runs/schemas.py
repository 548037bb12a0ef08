"""The published shapes: every body and event of this protocol as JSON Schema 2020-12, and as TypeScript.

`python -m bazi_hub.runs.schemas` writes `bazi_hub/schemas/divination_runs.schema.json` and `docs/divination-runs.d.ts`;
a test fails while they are not what this module says. Shapes only ever grow: a reader must pass over what it does not know,
but in the closed objects `divinationPayload`, `client_time` and `divination`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bazi_core.readings.divination.answer import LEVELS
from bazi_core.render.schemas import schema as of_core
from bazi_hub.ports.runs import PROTOCOL_VERSION, TOOL
from bazi_hub.runs import request as rules
from bazi_hub.runs.output import LONGEST_DELTA
from bazi_hub.runs.problems import PROBLEMS

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"
STATUSES = ("running", "succeeded", "failed", "cancelled")
OUTPUT_STATUSES = ("success", "declined", "error", "cancelled")
UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
RUN_ID = "^[A-Za-z0-9._-]{1,128}$"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _one_of(values: tuple[str, ...]) -> Schema:
    return {"enum": list(values)}


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
EVIDENCE = _list(TEXTS)
_LENGTHS = f"A user's text, at most {rules.LONGEST_MESSAGE} characters, the last {rules.LONGEST_QUESTION}."
_IN_LOG = tuple(code for code, row in PROBLEMS.items() if row.in_log)


def _requests() -> dict[str, Schema]:
    return {
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
                "client_time": _ref("ClientTime"),
                "ai_language": {
                    "type": "string",
                    "maxLength": rules.LONGEST_TAG,
                    "pattern": f"^{rules.TAG.pattern}$",
                },
                "divinationPayload": _ref("DivinationPayload"),
            },
        ),
        "RunAgentInput": _object(
            "The body of POST /api/v1/agent/runs and /api/v1/agent/agui.",
            {
                "threadId": THREAD_ID,
                "runId": RUN_NAME,
                "state": ANY_OBJECT,
                "messages": _list(_ref("UserMessage"), minItems=1, maxItems=rules.MOST_MESSAGES),
                "tools": _list({}),
                "context": _list({}),
            },
            {
                "forwardedProps": _ref("ForwardedProps"),
                "protocolVersion": {},
                "parentRunId": {},
                "resume": {},
            },
        ),
    }


def _answers() -> dict[str, Schema]:
    return {
        "RunAccepted": _object(
            "202 for a run that begins, 200 for one that was submitted before.",
            {
                "threadId": THREAD_ID,
                "runId": RUN_NAME,
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
                "threadId": THREAD_ID,
                "runId": RUN_NAME,
                "status": _one_of(STATUSES),
                "attempt": INTEGER,
                "createdAt": INSTANT,
                "finishedAt": {"anyOf": [INSTANT, {"type": "null"}]},
                "credits_deducted": INTEGER,
                "lastSeq": INTEGER,
                "error": {"anyOf": [_ref("RunError"), {"type": "null"}]},
            },
        ),
        "RunCancelled": _object(
            "DELETE /api/v1/agent/runs/{threadId}",
            {"threadId": THREAD_ID, "runId": RUN_NAME, "status": {"const": "cancelled"}},
        ),
        "Derived": _object(
            "POST /api/v1/divination/derive",
            {"divination": _ref("Divination"), "analysis": _ref("Analysis")},
        ),
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
            {"params": _object("What a program can go on with.", {}, {"errors": _list(_ref("Defect"))})},
        ),
        **_history(),
    }


def _history() -> dict[str, Schema]:
    lists = dict.fromkeys(("conclusion", "focus_points", "advice", "keywords"), TEXTS)
    return {
        "Evidence": _object(
            "The ids of the facts from which each item follows, item by item.",
            dict.fromkeys(("conclusion", "focus_points", "advice", "answer"), EVIDENCE),
        ),
        "AgentOutput": _object(
            "What an assistant's message holds. No sign_level and empty lists unless status is success.",
            {
                "status": _one_of(OUTPUT_STATUSES),
                **lists,
                "answer": STRING,
                "divination_derived": _ref("Divination"),
                "divination_analysis": _ref("Analysis"),
            },
            {
                "sign_level": _one_of(LEVELS),
                "interpreter": _one_of(("llm", "rules")),
                "language": STRING,
                "evidence": _ref("Evidence"),
                "safety": ANY_OBJECT,
                "provenance": ANY_OBJECT,
                "grounding": ANY_OBJECT,
                "error": _ref("RunError"),
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
                "threadId": THREAD_ID,
                "runId": RUN_NAME,
            },
            {"agent_output": _ref("AgentOutput"), "attachments": _list(_ref("Attachment"))},
        ),
        "History": _object(
            "GET /api/v1/agent/history",
            {
                "scope": {"const": "history_day"},
                "threadId": {"anyOf": [THREAD_ID, {"type": "null"}]},
                "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
                "hasMore": BOOLEAN,
                "messages": _list(_ref("HistoryMessage")),
            },
        ),
    }


def _event(kind: str, description: str, required: Schema, optional: Schema | None = None) -> Schema:
    return _object(
        description, {"type": {"const": kind}, "timestamp": INTEGER, **required}, optional, closed=True
    )


def _events() -> dict[str, Schema]:
    """The eleven wire types. Of two of them both profiles have their own form."""
    run: Schema = {"threadId": THREAD_ID, "runId": RUN_NAME}
    both: Schema = {"divination": _ref("Divination"), "analysis": _ref("Analysis")}
    outcome = _object("How the run ended.", {"type": _one_of(("success", "cancelled"))})
    usage = {"usage": _list(_ref("Usage"))}
    output = _object("The whole output.", {"agent_output": _ref("AgentOutput")})
    fields: Schema = dict.fromkeys(("conclusion", "focus_points", "advice", "keywords"), TEXTS)
    return {
        "Usage": _object(
            "Tokens of a model, where its port tells them.",
            {
                "provider": STRING,
                "model": STRING,
                "inputTokens": INTEGER,
                "outputTokens": INTEGER,
                "totalTokens": INTEGER,
            },
        ),
        "RunStartedEvent": _event(
            "RUN_STARTED", "First of an attempt.", {**run, "protocolVersion": {"const": PROTOCOL_VERSION}}
        ),
        "StepStartedEvent": _event("STEP_STARTED", "derive or interpret begins.", {"stepName": STRING}),
        "StepFinishedEvent": _event("STEP_FINISHED", "derive or interpret is over.", {"stepName": STRING}),
        "DivinationDerivedEvent": _event("DIVINATION_DERIVED", "The cast; seed profile only.", both),
        "CustomEvent": _event(
            "CUSTOM",
            "The cast; agui profile only.",
            {"name": {"const": "DIVINATION_DERIVED"}, "value": _object("The cast.", both)},
        ),
        "StateSnapshotEvent": _event(
            "STATE_SNAPSHOT",
            "The client's state with the cast; agui profile only.",
            {"snapshot": _object("State.", both)},
        ),
        "TextMessageStartEvent": _event(
            "TEXT_MESSAGE_START",
            "The answer begins.",
            {"messageId": THREAD_ID, "role": {"const": "assistant"}},
        ),
        "TextMessageContentEvent": _event(
            "TEXT_MESSAGE_CONTENT",
            "A piece of the answer; together they are it.",
            {"messageId": THREAD_ID, "delta": {"type": "string", "minLength": 1, "maxLength": LONGEST_DELTA}},
        ),
        "SeedTextMessageEndEvent": _event(
            "TEXT_MESSAGE_END",
            "The six fields; seed profile.",
            {"messageId": THREAD_ID, **fields, "answer": STRING},
            {"sign_level": _one_of(LEVELS)},
        ),
        "AguiTextMessageEndEvent": _event(
            "TEXT_MESSAGE_END",
            "The whole output; agui profile.",
            {"messageId": THREAD_ID, "metadata": output},
        ),
        "SeedRunFinishedEvent": _event(
            "RUN_FINISHED", "Success or cancellation; seed profile.", {**run, "outcome": outcome}, usage
        ),
        "AguiRunFinishedEvent": _event(
            "RUN_FINISHED",
            "Success or cancellation; agui profile.",
            {**run, "outcome": outcome},
            {**usage, "result": output},
        ),
        "RunErrorEvent": _event(
            "RUN_ERROR", "The attempt failed.", {"message": STRING, "code": _one_of(_IN_LOG)}
        ),
        "SeedEvent": {
            "description": "An event of the seed profile.",
            "oneOf": _events_of("DivinationDerived", "SeedTextMessageEnd", "SeedRunFinished"),
        },
        "AguiEvent": {
            "description": "An event of the agui profile.",
            "oneOf": _events_of("Custom", "StateSnapshot", "AguiTextMessageEnd", "AguiRunFinished"),
        },
    }


def _events_of(*own: str) -> list[Schema]:
    return [_ref(f"{name}Event") for name in (*_SHARED, *own)]


_SHARED = ("RunStarted", "StepStarted", "StepFinished", "TextMessageStart", "TextMessageContent", "RunError")
_OF_CORE = {
    "DivinationPayload": "divination_request",
    "Divination": "divination",
    "Analysis": "liuyao_analysis",
}


def document() -> Schema:
    """Every shape under `$defs`."""
    definitions: dict[str, Schema] = {}
    for name, core in _OF_CORE.items():
        own = of_core(core)
        definitions |= own.pop("$defs", {})
        definitions[name] = {key: value for key, value in own.items() if key not in ("$schema", "$id")}
    definitions |= _requests() | _answers() | _events()
    return {
        "$schema": DRAFT,
        "$id": "urn:bazi-hub:divination_runs:1",
        "title": "divination_runs",
        "description": "Requests, answers and events of divination runs.",
        "$defs": dict(sorted(definitions.items())),
    }


def of(name: str) -> Schema:
    """One shape, complete in itself.

    >>> of("Price")["$ref"]
    '#/$defs/Price'
    """
    return {"$schema": DRAFT, **_ref(name), "$defs": document()["$defs"]}


# --- TypeScript -----------------------------------------------------------------------------------------------------------


def typescript() -> str:
    """The same shapes as declarations."""
    definitions = document()["$defs"]
    head = "// Shapes of divination runs, made by `python -m bazi_hub.runs.schemas` from the JSON Schemas.\n"
    return head + "".join(
        f"\n/** {_plain(schema.get('description', name))} */\nexport type {_name(name)} = {_type(schema)};\n"
        for name, schema in definitions.items()
    )


def _plain(text: str) -> str:
    return text.replace("*/", "* /")


def _name(definition: str) -> str:
    """`six_line_names` as SixLineNames."""
    return "".join(part[:1].upper() + part[1:] for part in definition.split("_"))


_PRIMITIVE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def _type(schema: Schema, depth: int = 0) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema and "properties" not in schema:
            return " | ".join(_grouped(_type(each, depth)) for each in schema[several])
    kinds = schema.get("type", "unknown")
    if isinstance(kinds, list):
        return " | ".join(_PRIMITIVE[kind] for kind in kinds)
    if kinds == "array":
        return f"{_grouped(_type(schema.get('items', {}), depth))}[]"
    if kinds == "object":
        return _members(schema, depth)
    return _PRIMITIVE.get(kinds, "unknown")


def _grouped(made: str) -> str:
    return f"({made})" if " | " in made and not made.startswith("{") else made


def _members(schema: Schema, depth: int) -> str:
    if "properties" not in schema:
        values = [*schema.get("patternProperties", {}).values()]
        other = schema.get("additionalProperties")
        values += [other] if isinstance(other, dict) else []
        return f"Record<string, {_type(values[0], depth) if values else 'unknown'}>"
    pad, required = "  " * (depth + 1), schema.get("required", [])
    lines = [
        f"{pad}{json.dumps(name, ensure_ascii=False)}{'' if name in required else '?'}: {_type(member, depth + 1)};\n"
        for name, member in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + "  " * depth + "}"


# --- the files ------------------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
SCHEMA_FILE = Path(__file__).parents[1] / "schemas" / "divination_runs.schema.json"
TYPES_FILE = ROOT / "docs" / "divination-runs.d.ts"


def files() -> dict[Path, str]:
    """What stands in each file."""
    text = json.dumps(document(), ensure_ascii=False, indent=1) + "\n"
    return {SCHEMA_FILE: text, TYPES_FILE: typescript()}


def main() -> None:
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
