"""The published shapes: every body and event of this protocol as JSON Schema 2020-12, and as TypeScript.

`python -m bazi_hub.divination.schemas` writes `divination_runs.schema.json` beside it and `docs/divination-runs.d.ts`;
a test fails while they are not what `shapes` says.
"""

from __future__ import annotations

import json
from pathlib import Path

from bazi_core.render.schemas import schema as of_core
from bazi_hub.divination.shapes import RUN_ID, SHAPES, UUID, Schema, ref
from bazi_hub.divination.typescript import declarations

__all__ = ["RUN_ID", "UUID", "document", "files", "of"]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
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
    definitions |= SHAPES
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
    return {"$schema": DRAFT, **ref(name), "$defs": document()["$defs"]}


# --- the files ------------------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
SCHEMA_FILE = Path(__file__).parent / "divination_runs.schema.json"
TYPES_FILE = ROOT / "docs" / "divination-runs.d.ts"
TYPES_HEAD = (
    "// Shapes of divination runs, made by `python -m bazi_hub.divination.schemas` from the JSON Schemas.\n"
)


def files() -> dict[Path, str]:
    """What stands in each file."""
    shapes = document()
    text = json.dumps(shapes, ensure_ascii=False, indent=1) + "\n"
    return {SCHEMA_FILE: text, TYPES_FILE: TYPES_HEAD + declarations(shapes["$defs"])}


def main() -> None:
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
