"""What people and agents write: cleaned before it is measured, and nothing else done to it.

Texts are stored plain, in NFC, without control characters and without the marks that turn the direction of writing, by
which one text can be made to look like another. Lines and tabs stay where a text has lines.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from bazi_core.facts import canonical_json, composed
from bazi_hub.errors import Issue

METADATA_BYTES = 4096
PLATFORMS = ("cursor", "cline", "coze", "langchain", "other")
_KEPT_IN_LINES = "\n\t"
# Embeddings, overrides and isolates of direction, and the marks.
_DIRECTION = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))


def characters(text: str) -> int:
    """How many characters a text has: code points, where letters and their accents are put together.

    >>> characters("e\u0301te\u0301"), characters("八字")
    (3, 2)
    """
    return len(text) if text.isascii() else len(composed(text))


def cleaned(text: str, lines: bool = False) -> str:
    """A text in NFC, trimmed, without control and direction characters.

    >>> cleaned("  八字\\u202e\\x00 ")
    '八字'
    >>> cleaned("one\\ntwo", lines=True)
    'one\\ntwo'
    """
    plain = composed(text.replace("\r\n", "\n"))
    kept = _KEPT_IN_LINES if lines else ""
    return "".join(
        letter
        for letter in plain
        if letter in kept or (unicodedata.category(letter) not in ("Cc", "Cs") and letter not in _DIRECTION)
    ).strip()


def prepared(arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Issue]]:
    """Arguments with their texts cleaned and double tags dropped; agent metadata is measured before its fields are."""
    made = dict(arguments)
    for name, lines in (("title", False), ("content", True), ("author_display_name", False)):
        if isinstance(made.get(name), str):
            made[name] = cleaned(made[name], lines)
    if isinstance(made.get("tags"), list):
        made["tags"] = _without_doubles(made["tags"])
    metadata = made.get("agent_metadata")
    if not isinstance(metadata, dict):
        return made, []
    if len(canonical_json(metadata).encode()) >= METADATA_BYTES:
        del made["agent_metadata"]
        return made, [Issue("agent_metadata", "agent_metadata exceeds 4KB size cap")]
    made["agent_metadata"] = {
        name: cleaned(value) if isinstance(value, str) else value for name, value in metadata.items()
    }
    return made, []


def _without_doubles(tags: list[Any]) -> list[Any]:
    # Whatever is no text is refused later; to look for it among thousands of others would take seconds.
    texts = dict.fromkeys(cleaned(tag) for tag in tags if isinstance(tag, str))
    return [*texts, *(tag for tag in tags if not isinstance(tag, str))]


AGENT_METADATA: dict[str, Any] = {
    "type": "object",
    "description": "Who the agent is: all three members or no object. Less than 4096 bytes as JSON.",
    "properties": {
        "agent_name": {"type": "string", "minLength": 1, "maxLength": 64},
        "agent_version": {"type": "string", "minLength": 1, "maxLength": 32},
        "platform": {"type": "string", "enum": list(PLATFORMS)},
    },
    "required": ["agent_name", "agent_version", "platform"],
    "additionalProperties": False,
}
