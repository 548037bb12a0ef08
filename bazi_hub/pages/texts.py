"""The words of the pages: `texts.csv`, a row for each phrase, and which language a visitor reads."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from functools import cache

LANGUAGES = ("zh-Hans", "en")
_FILE = os.path.join(os.path.dirname(__file__), "texts.csv")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Every phrase in every language."""
    with open(_FILE, encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def text(key: str, language: str, **values: object) -> str:
    """A phrase. Where English says one thing otherwise than several, that has a row of its own.

    >>> text("credits", "zh-Hans", number=4), text("credits", "en", number=4), text("credits", "en", number=1)
    ('4 点', '4 credits', '1 credit')
    """
    one = f"{key}.one"
    phrase = catalogue()[one if values.get("number") == 1 and known(one) else key][language]
    return phrase.format(**values) if values else phrase


def speaking(language: str) -> Callable[..., str]:
    """`text` in one language, as templates call it."""

    def say(key: str, **values: object) -> str:
        return text(key, language, **values)

    return say


def known(key: str) -> bool:
    return key in catalogue()


def language_of(accept: str) -> str:
    """The best that a browser asks for, else Chinese (RFC 9110 §12.5.4).

    >>> language_of("fr, en-GB;q=0.8, zh;q=0.5"), language_of("fr")
    ('en', 'zh-Hans')
    """
    asked = (tag for _, tag in sorted(_weighed(accept), key=lambda each: -each[0]))
    return next((found for tag in asked if (found := _spoken(tag))), LANGUAGES[0])


def _spoken(tag: str) -> str | None:
    primary = tag.partition("-")[0].lower()
    return next((language for language in LANGUAGES if language.partition("-")[0] == primary), None)


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
