"""In which language an interpretation is written.

What the question asks for in so many words, then the client's `ai_language`, the account, `Accept-Language`, simplified
Chinese. The narrator writes three languages; readers of any other get English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bazi_hub.words.languages import EN, HANS, HANT, narrated

# Words by which a question asks for a language, in any of them.
_VERB_ZH = r"(?:请|請|麻烦|麻煩|能否|可以|可否|务必|務必)?(?:您|你)?(?:用|以|使用|改用)"
_SAYS_ZH = r"(?:来|來)?(?:回答|回复|回覆|作答|答复|答覆|解答|解读|解讀|解释|解釋|说明|說明|书写|書寫|写|寫|输出|輸出|分析)"
_REQUESTS: tuple[tuple[str, str], ...] = (
    (HANT, rf"{_VERB_ZH}(?:繁体|繁體|繁体中文|繁體中文|正体|正體|正体中文|正體中文|繁体字|繁體字){_SAYS_ZH}"),
    (HANS, rf"{_VERB_ZH}(?:简体|簡體|简体中文|簡體中文|简体字|簡體字|中文|汉语|漢語|普通话|普通話){_SAYS_ZH}"),
    (EN, rf"{_VERB_ZH}(?:英文|英语|英語){_SAYS_ZH}"),
    (HANT, r"\b(?:reply|answer|respond|write|interpret|explain)\b[^.?!]{0,40}\bin traditional chinese\b"),
    (HANS, r"\b(?:reply|answer|respond|write|interpret|explain)\b[^.?!]{0,40}\bin (?:simplified )?(?:chinese|mandarin)\b"),
    (EN, r"\b(?:reply|answer|respond|write|interpret|explain)\b[^.?!]{0,40}\bin english\b"),
    (EN, r"\b(?:in english,? please|please use english)\b"),
)  # fmt: skip
_COMPILED = tuple((language, re.compile(pattern, re.IGNORECASE)) for language, pattern in _REQUESTS)


def requested(text: str) -> str | None:
    """The language that a text asks to be answered in; of several requests the last.

    >>> requested("我换工作好吗？请用英文回答"), requested("Will it go well? Reply in Chinese."), requested("英文考试如何")
    ('en', 'zh-Hans', None)
    """
    found = [(match.end(), language) for language, wanted in _COMPILED for match in wanted.finditer(text)]
    return max(found)[1] if found else None


def accepted(header: str | None) -> str | None:
    """The tag that an `Accept-Language` prefers; `*` says nothing.

    >>> accepted("*, fr;q=0.4, zh-TW;q=0.8"), accepted("de;q=0"), accepted(None)
    ('zh-TW', None, None)
    """
    best: tuple[float, int, str] | None = None
    for place, part in enumerate((header or "").split(",")[:50]):
        tag, _, parameter = part.strip().partition(";")
        weight = _weight(parameter.strip())
        if _TAG.fullmatch(tag.strip()) and weight > 0 and (best is None or (weight, -place) > best[:2]):
            best = (weight, -place, tag.strip())
    return best[2] if best else None


_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_Q = re.compile(r"[qQ]=([01](?:\.\d{0,3})?)")


def _weight(parameter: str) -> float:
    if not parameter:
        return 1.0
    found = _Q.fullmatch(parameter)
    return float(found[1]) if found else 0.0


def language_of(
    asked: Iterable[str], ai_language: str | None, preference: str | None, header: str | None
) -> str:
    """The language of an interpretation. `asked` are the questions, the latest first."""
    for text in asked:
        found = requested(text)
        if found:
            return found
    tag = ai_language or preference or accepted(header)
    return narrated(tag) if tag else HANS
