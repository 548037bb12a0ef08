"""The languages that the narrator writes, which one answers a reader of any other, and Chinese in both scripts."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

HANS, HANT, EN = "zh-Hans", "zh-Hant", "en"
_HANT_REGIONS = frozenset({"tw", "hk", "mo"})


def narrated(tag: str) -> str:
    """The language in which a reader of that tag is answered.

    >>> [narrated(tag) for tag in ("zh", "zh-TW", "zh_Hant_CN", "zh-Hans-HK", "yue", "en-GB", "fr")]
    ['zh-Hans', 'zh-Hant', 'zh-Hant', 'zh-Hans', 'zh-Hant', 'en', 'en']
    """
    language, *rest = tag[:40].lower().replace("_", "-").split("-")
    if language in ("zh", "cmn", "yue"):
        if "hant" in rest:
            return HANT
        if "hans" in rest:
            return HANS
        return HANT if language == "yue" or _HANT_REGIONS & set(rest) else HANS
    return EN


@cache
def traditional() -> dict[str, str]:
    """The sentences of tools and errors in Simplified signs, each with the one in Traditional signs: `traditional.csv`."""
    with (Path(__file__).parent / "traditional.csv").open(encoding="utf-8", newline="") as file:
        return {row[HANS]: row[HANT] for row in csv.DictReader(file)}


def phrase(english: str, chinese: str, language: str) -> str:
    """The one of two phrases that a reader of the language reads.

    >>> phrase("Read a post", "读帖", "en"), phrase("Read a post", "读帖", "zh-Hant")
    ('Read a post', '讀貼文')
    """
    if not language.startswith("zh"):
        return english
    return traditional().get(chinese, chinese) if language == HANT else chinese
