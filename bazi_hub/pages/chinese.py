"""English sentences of the hub in Chinese: `chinese.csv`, a row for each.

A name in braces stands for whatever differs from case to case; what stands there is a number, a name, or a sentence with a
row of its own.
"""

from __future__ import annotations

import csv
import os
import re
from functools import cache

from bazi_core.tables.sentences import Listed, Said

_FILE = os.path.join(os.path.dirname(__file__), "chinese.csv")
_NAME = re.compile(r"\{(\w+)\}")


def told(said: str, language: str) -> str:
    """A sentence of the hub in a language; in English where there is no other.

    >>> told("Must have at most 120 characters, got 121", "zh-Hans"), told("Must not be empty", "en")
    ('最多 120 个字符，现在有 121 个', 'Must not be empty')
    >>> told(Said("zone_conflict_hint"), "zh-Hans")
    'tz= 与 utc_offset= 只给一样'
    """
    if not language.startswith("zh"):
        return said
    if isinstance(said, Listed):
        return "；".join(told(part, language) for part in said.values["parts"])
    return said.text(language) if isinstance(said, Said) else _chinese(said, language)


@cache
def rows(language: str) -> dict[str, str]:
    """Every English sentence with the Chinese one, in Simplified or Traditional signs."""
    with open(_FILE, encoding="utf-8", newline="") as file:
        return {row["en"]: row[language] for row in csv.DictReader(file)}


def _chinese(said: str, language: str) -> str:
    if said in rows(language):
        return rows(language)[said]
    for pattern, chinese in _patterns(language):
        if found := pattern.fullmatch(said):
            parts = found.groupdict().items()
            return chinese.format(**{name: _chinese(part, language) for name, part in parts})
    return said


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The rows with names in braces, as expressions that find what stands there."""
    return [
        (_pattern(english), chinese) for english, chinese in rows(language).items() if _NAME.search(english)
    ]


def _pattern(english: str) -> re.Pattern[str]:
    parts = _NAME.split(english)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.DOTALL
    )
