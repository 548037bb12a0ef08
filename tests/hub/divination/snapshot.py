"""Every published field with its type, as lines that a diff shows: `python -m tests.hub.divination.snapshot`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bazi_hub.divination.schemas import document
from tests.hub.divination.typescript import type_of

SNAPSHOT = Path(__file__).parent / "shapes.json"
# What clients send: here a field that becomes required is what breaks them, elsewhere one that stops being there.
SENT = ("RunAgentInput", "ForwardedProps", "ClientTime", "DivinationPayload", "UserMessage")


def shapes() -> dict[str, str]:
    """Field → type and whether it has to be there."""
    found: dict[str, str] = {}
    for name, schema in document()["$defs"].items():
        if "properties" in schema:
            _fields(name, schema, found)
        else:
            found[name] = type_of(schema)
    return dict(sorted(found.items()))


def _fields(path: str, schema: dict[str, Any], found: dict[str, str]) -> None:
    for name, member in schema["properties"].items():
        if "properties" in member:
            _fields(f"{path}.{name}", member, found)
        else:
            required = "required" if name in schema.get("required", ()) else "optional"
            found[f"{path}.{name}"] = f"{type_of(member)}, {required}"


def lost(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What a client of the older shapes would miss."""
    return [
        f"{path}: {told} → {after.get(path)}"
        for path, told in before.items()
        if _breaks(path, told, after.get(path))
    ]


def _breaks(path: str, before: str, after: str | None) -> bool:
    if after is None:
        return True
    old, new = before.rpartition(", "), after.rpartition(", ")
    stricter = ("optional", "required") if path.split(".")[0] in SENT else ("required", "optional")
    # A list of values may grow, and so may the object that each member of a list is.
    inline = "\n" in old[0] and path.split(".")[0] not in SENT
    apart = "\n" if inline else " | "
    return not set(old[0].split(apart)) <= set(new[0].split(apart)) or (old[2], new[2]) == stricter


def main() -> None:
    before = json.loads(SNAPSHOT.read_text(encoding="utf-8")) if SNAPSHOT.exists() else {}
    after = shapes()
    gone = lost(before, after)
    if gone:
        raise SystemExit("published, and now lost:\n" + "\n".join(gone))
    SNAPSHOT.write_text(json.dumps(after, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(after)} fields")


if __name__ == "__main__":
    main()
