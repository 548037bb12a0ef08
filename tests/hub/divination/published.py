"""The files of the published shapes: `python -m tests.hub.divination.published` writes them, from the models."""

from __future__ import annotations

import json
from pathlib import Path

from bazi_hub.divination.schemas import document
from tests.hub.divination.typescript import declarations

ROOT = Path(__file__).parents[3]
SCHEMA_FILE = ROOT / "bazi_hub" / "divination" / "divination_runs.schema.json"
TYPES_FILE = ROOT / "docs" / "divination-runs.d.ts"
TYPES_HEAD = "// Shapes of divination runs, made by `python -m tests.docs.renew` from the JSON Schemas.\n"


def files() -> dict[Path, str]:
    """What stands in each file."""
    shapes = document()
    text = json.dumps(shapes, ensure_ascii=False, indent=1) + "\n"
    return {SCHEMA_FILE: text, TYPES_FILE: TYPES_HEAD + declarations(shapes["$defs"])}


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
