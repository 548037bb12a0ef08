"""The published shapes: every body and event of this protocol as JSON Schema 2020-12 and for OpenAPI, made from the models.

`python -m tests.docs.renew` writes `divination_runs.schema.json` beside it and, as TypeScript, `docs/divination-runs.d.ts`.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from bazi_core.render.schemas import schema as of_core
from bazi_hub.divination import answers, problems, request

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import core_schema

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_OF_CORE = {
    "DivinationPayload": "divination_request",
    "Divination": "divination",
    "Analysis": "liuyao_analysis",
}
# What stands by itself; the objects that these are made of come with them.
PUBLISHED: tuple[type[BaseModel], ...] = (
    request.RunAgentInput,
    answers.RunAccepted,
    answers.RunStatus,
    answers.RunCancelled,
    answers.Derived,
    answers.Price,
    answers.History,
    *answers.PROFILES,
    problems.Problem,
)
# Objects that are written where they stand, without a name.
_UNNAMED = ("CastObjects", "OutputMember", "RunOutcome", "Params")


class Shapes(GenerateJsonSchema):
    """JSON Schema that says what a client needs: no titles of members and no defaults."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Schema:
        return self.generate_inner(schema["schema"])

    def literal_schema(self, schema: core_schema.LiteralSchema) -> Schema:
        values = schema["expected"]
        return {"const": values[0]} if len(values) == 1 else {"enum": values}


@cache
def document() -> Schema:
    """Every shape under `$defs`."""
    _, made = models_json_schema([(model, "validation") for model in PUBLISHED], schema_generator=Shapes)
    made = made["$defs"]
    unnamed = {name: made.pop(name) for name in _UNNAMED}
    definitions: Schema = {name: _inlined(_untitled(schema), unnamed) for name, schema in made.items()}
    for name, core in _OF_CORE.items():
        own = of_core(core)
        definitions |= own.pop("$defs", {})
        definitions[name] = {key: value for key, value in own.items() if key not in ("$schema", "$id")}
    return {
        "$schema": DRAFT,
        "$id": "urn:bazi-hub:divination_runs:1",
        "title": "divination_runs",
        "description": "Requests, answers and events of divination runs.",
        "$defs": dict(sorted(definitions.items())),
    }


def _untitled(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "title"}


def _inlined(node: Any, unnamed: Schema) -> Any:
    """The same with the content of unnamed objects in the place of references to them."""
    if isinstance(node, list):
        return [_inlined(each, unnamed) for each in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref")).rpartition("/")[2]
    if name in unnamed:
        return _inlined(_untitled(unnamed[name]), unnamed)
    return {key: _inlined(value, unnamed) for key, value in node.items()}


def of(name: str) -> Schema:
    """One shape, complete in itself.

    >>> of("Price")["$ref"]
    '#/$defs/Price'
    """
    return {"$schema": DRAFT, "$ref": f"#/$defs/{name}", "$defs": document()["$defs"]}


def components() -> Schema:
    """Every shape, as OpenAPI refers to them, and a row of the table of problems."""
    entry = _untitled(problems.ProblemEntry.model_json_schema(schema_generator=Shapes))
    text = json.dumps(document()["$defs"] | {"ProblemEntry": entry}, ensure_ascii=False)
    made: Schema = json.loads(text.replace('"#/$defs/', '"#/components/schemas/'))
    return made


def parameters(model: type[BaseModel]) -> list[Schema]:
    """The members of a query, as OpenAPI lists them."""
    schema = model.model_json_schema(schema_generator=Shapes)
    required, members = schema.get("required", ()), schema["properties"]
    told = {name: member.pop("description") for name, member in members.items()}
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": told[name],
            "schema": member,
        }
        for name, member in members.items()
    ]
