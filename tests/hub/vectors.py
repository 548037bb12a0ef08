"""The frames of the hub, as they are agreed on with its clients."""

import json
from pathlib import Path
from typing import Any

FRAMES: dict[str, Any] = {
    name.partition(" ")[0]: frame
    for name, frame in json.loads(
        (Path(__file__).parents[2] / "data/hub/wire.json").read_text("utf-8")
    ).items()
}
CODE_DATA: dict[str, dict[str, Any]] = FRAMES["W6"]
# Faults of meta and forum tools look like any other.
EVERY_CODE = CODE_DATA | dict.fromkeys(("META_ERROR", "FORUM_ERROR"), CODE_DATA["INTERNAL_ERROR"])
REST_ONLY = {"INVALID_BODY", "METHOD_NOT_ALLOWED"}
