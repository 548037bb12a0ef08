"""The languages that the narrator writes, and which of them a reader of any other is answered in."""

from __future__ import annotations

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
