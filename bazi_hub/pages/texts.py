"""The words of the pages, a row for each phrase in `phrases/`, and which language a visitor reads."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from bazi_hub.words.languages import EN, HANS, HANT, narrated

LANGUAGES = (HANS, HANT, EN)
_FOLDER = Path(__file__).parent / "phrases"


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Every phrase in every language."""
    return {row["key"]: row for file in sorted(_FOLDER.glob("*.csv")) for row in rows_of(file)}


def rows_of(file: Path) -> list[dict[str, str]]:
    """The rows of one file of phrases."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def text(key: str, language: str, **values: object) -> str:
    """A phrase. Where English says one thing otherwise than several, that has a row of its own.

    >>> text("credits", "zh-Hans", number=4), text("credits", "en", number=4), text("credits", "en", number=1)
    ('4 点', '4 credits', '1 credit')
    """
    if not values:
        return catalogue()[key][language]
    if values.get("number") == 1 and known(f"{key}.one"):
        key = f"{key}.one"
    return catalogue()[key][language].format(**values)


def speaking(language: str) -> Callable[..., str]:
    """`text` in one language, as templates call it."""
    return partial(text, language=language)


def known(key: str) -> bool:
    return key in catalogue()


def language_of(accept: str) -> str:
    """The best that a browser asks for, else Chinese (RFC 9110 §12.5.4).

    >>> language_of("fr, en-GB;q=0.8, zh;q=0.5"), language_of("zh-TW"), language_of("fr")
    ('en', 'zh-Hant', 'zh-Hans')
    """
    asked = (tag for _, tag in sorted(_weighed(accept), key=lambda each: -each[0]))
    return next((found for tag in asked if (found := _spoken(tag))), LANGUAGES[0])


def _spoken(tag: str) -> str | None:
    primary = tag.partition("-")[0].lower()
    return narrated(tag) if primary in ("zh", "cmn", "yue", "en") else None


def _weighed(accept: str) -> list[tuple[float, str]]:
    found = []
    for part in accept.split(","):
        tag, _, parameters = part.partition(";")
        weight = parameters.strip().removeprefix("q=")
        try:
            found.append((float(weight) if parameters else 1.0, tag.strip()))
        except ValueError:
            continue
    return [(weight, tag) for weight, tag in found if weight > 0]
