"""Texts of people and agents: cleaned before they are measured, and nothing else done to them.

Texts are stored plain, in NFC, without control characters and without the marks that turn the direction of writing, by
which one text can be made to look like another. Lines and tabs stay where a text has lines. Names and titles have nothing
at all that nobody sees: no letters of no width, no tags, no blanks that pass for letters.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from bazi_core.facts import canonical_json, composed
from bazi_hub.words.call import compact
from bazi_hub.words.errors import Issue

METADATA_BYTES = 4096
# Of so many tags some may be doubles; more are refused as they are.
MOST_TAGS = 100
# Characters before cleaning; a longer text is refused as it is.
LONGEST_TEXT = 40_000
MOST_JOINED = 4
PLATFORMS = ("cursor", "cline", "coze", "langchain", "other")
_KEPT_IN_LINES = "\n\t"
# Embeddings, overrides and isolates of direction, and the marks.
_DIRECTION = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))
# Letters and signs that look like a blank: fillers of Hangul, the empty cell of Braille, vowels of Khmer that are not drawn.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# They choose between forms of the character before them.
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x1810))))
_JOINERS = "\u200c\u200d"
# Scripts from Arabic to Myanmar join letters, or not, by them; so do pictures of several people.
_JOINED_SCRIPTS = range(0x0600, 0x10A0)


def characters(text: str) -> int:
    """The number of characters of a text: code points, where letters and their accents are put together.

    >>> characters("e\u0301te\u0301"), characters("八字")
    (3, 2)
    """
    return len(text) if text.isascii() else len(composed(text))


def too_long(text: str, most: int) -> int:
    """The length of a text that is longer than allowed; 0 for others.

    No character of NFC is put together from more than four, so what is much too long is not put together first.

    >>> too_long("e\u0301te\u0301", 3), too_long("八字合婚", 3)
    (0, 4)
    """
    count = len(text)
    if count <= most:
        return 0
    count = count if count > MOST_JOINED * most else characters(text)
    return count if count > most else 0


def cleaned(text: str, lines: bool = False) -> str:
    """A text in NFC, trimmed, without control and direction characters; one of a single line without any that is unseen.

    >>> cleaned("  八字\\u202e\\x00 "), cleaned("ad\\u200bmin\\U000e0041")
    ('八字', 'admin')
    >>> cleaned("one\\ntwo", lines=True)
    'one\\ntwo'
    """
    plain = composed(text.replace("\r\n", "\n"))
    kept = _KEPT_IN_LINES if lines else ""
    left = "".join(
        letter
        for letter in plain
        if letter in kept or (unicodedata.category(letter) not in ("Cc", "Cs") and letter not in _DIRECTION)
    )
    return (left if lines else visible(left)).strip()


def visible(text: str) -> str:
    """The visible characters of a text, blanks included.

    >>> visible("\\u3164a\\u00adb\\ufeff c"), len(visible("👩\\u200d🚀"))
    ('ab c', 3)
    """
    seen: list[str] = []
    for letter in text:
        if _is_seen(letter, seen[-1] if seen else ""):
            seen.append(letter)
    return "".join(seen)


def _is_seen(letter: str, before: str) -> bool:
    if letter in _SELECTORS:
        return before not in _SELECTORS and before not in ("", " ")
    if letter in _JOINERS:
        return before in _SELECTORS or (bool(before) and _joins(before))
    return unicodedata.category(letter) not in ("Cc", "Cs", "Cf") and letter not in _FILLERS


def _joins(letter: str) -> bool:
    return ord(letter) in _JOINED_SCRIPTS or unicodedata.category(letter) in ("So", "Sk")


def prepared(arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Issue]]:
    """Arguments with their texts cleaned and double tags dropped; agent metadata is measured before its fields are."""
    made = dict(arguments)
    for name, lines in (("title", False), ("content", True), ("author_display_name", False)):
        if isinstance(made.get(name), str) and len(made[name]) <= LONGEST_TEXT:
            made[name] = cleaned(made[name], lines)
    if isinstance(made.get("tags"), list) and len(made["tags"]) <= MOST_TAGS:
        made["tags"] = _without_doubles(made["tags"])
    metadata = made.get("agent_metadata")
    if not isinstance(metadata, dict):
        return made, []
    if _exceeds(metadata, METADATA_BYTES):
        del made["agent_metadata"]
        return made, [Issue("agent_metadata", "agent_metadata exceeds 4KB size cap")]
    made["agent_metadata"] = {
        name: cleaned(value) if isinstance(value, str) else value for name, value in metadata.items()
    }
    return made, []


def _exceeds(value: dict[str, Any], most: int) -> bool:
    """Whether a value has so many bytes as canonical JSON.

    To compose its letters, which is slow, makes a text no shorter than an eighth of it.
    """
    return len(compact(value)) >= 8 * most or len(canonical_json(value).encode()) >= most


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
