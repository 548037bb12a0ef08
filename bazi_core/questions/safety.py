"""What no reading says, and the fixed sentences that some of them carry.

The lexicon (`safety.csv`) holds words that are never printed, topics (death, illness, children, law suits, money) that
may not be told as certain, and events that may not be foretold. Canonical terms that contain such a word are terms, not
predictions. A text is read as it is heard: signs set between the letters of a word hide nothing. Fixed sentences
(`safety_texts.csv`) are the disclaimer that ends every reading, referrals, and the answer to somebody in distress.
"""

from __future__ import annotations

import re
import string
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

# How a question is answered without divination, and the texts for it.
SUPPORT = {"crisis_message": "crisis", "life_message": "life", "safety_message": "safety"}
# How far a word of certainty reaches, in characters of Chinese and of English text.
_REACH = {"zh-Hans": 16, "zh-Hant": 16, "en": 60}
# How far a word that foretells reaches forward, and backward, within a clause.
_BEFORE = {"zh-Hans": 10, "zh-Hant": 10, "en": 40}
_AFTER = {"zh-Hans": 3, "zh-Hant": 3, "en": 14}
_SENTENCE_END = "。！？；!?;\n"
_CLAUSE_END = _SENTENCE_END + "，,：:"
# Hanzi of advice: what stands behind them is warned of, not foretold.
_CAUTION = "防慎宜勿忌免"
# Signs between hanzi, and between single letters, that part what belongs together.
_PARTED = re.compile(r"(?<=[一-鿿])[ \t·・•*_|~/.\-]+(?=[一-鿿])")
# Wide letters and digits as plain ones; wide punctuation is that of Chinese.
_WIDE = {ord(sign) + 0xFEE0: sign for sign in string.ascii_letters + string.digits}
_SPELLED = re.compile(r"(?<![A-Za-z])(?:[A-Za-z][ .*_-]){2,}[A-Za-z](?![A-Za-z])")
_LETTERS = dict.fromkeys(("zh-Hans", "zh-Hant"), re.compile("[一-鿿]")) | {"en": re.compile("[A-Za-z]{2}")}


class Unsafe(NamedTuple):
    """Something that must not be said: the category of the lexicon and what was found."""

    category: str
    found: str


def disclaimer(language: str = "zh-Hans") -> str:
    """The last sentence of every reading.

    >>> disclaimer("en").partition(" and ")[0]
    'This reading is for entertainment only'
    """
    return fixed("disclaimer", language)


def referral(category: str, language: str = "zh-Hans", of_cast: bool = False) -> str:
    """Whom to ask, for the categories medical, legal and financial: instead of a chart, which leaves the topic out, or
    beside a cast, whose sign stands.

    >>> referral("legal")
    '法律上的事情请咨询律师，这里不作判断。'
    >>> referral("legal", of_cast=True)
    '法律上的事情请咨询律师，一卦不是法律意见。'
    """
    return fixed(f"referral.{'cast.' if of_cast else ''}{category}", language)


def supporting(action: str, language: str) -> tuple[str, ...]:
    """The sentences that stand in place of a divination, by how the question is answered.

    >>> "急救电话" in "".join(supporting("crisis_message", "zh-Hans"))
    True
    """
    key = SUPPORT[action]
    return tuple(row[language] for row in rows("safety_texts") if re.fullmatch(rf"{key}\.\d", row["key"]))


def fixed(key: str, language: str) -> str:
    """A fixed text by its key."""
    return next(row[language] for row in rows("safety_texts") if row["key"] == key)


def unsafe(text: str, language: str | None = None) -> list[Unsafe]:
    """What of a text must not be said, in a language or in any.

    >>> unsafe("此命克夫，必有官司。")
    [Unsafe(category='spouse', found='克夫'), Unsafe(category='lawsuit', found='必有官司')]
    >>> unsafe("流年有官非之象，宜和为贵；丧门在年柱。")
    []
    """
    found: dict[tuple[int, int], Unsafe] = {}
    masked = _allowed().sub(lambda match: "·" * len(match[0]), _joined(text))
    for category, pattern in _patterns(masked, language):
        for match in pattern.finditer(masked):
            found.setdefault(match.span(), Unsafe(category, match[0]))
    return [found[span] for span in sorted(found)]


def _joined(text: str) -> str:
    """The text with every word in one piece: 短 命 and d-i-e are said all the same."""
    return _SPELLED.sub(lambda run: re.sub("[^A-Za-z]", "", run[0]), _PARTED.sub("", text.translate(_WIDE)))


def _patterns(text: str, language: str | None) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns that may fit: those of the scripts in a text, topics only beside a word of certainty."""
    yield "markup", _marks()
    for each in LANGUAGES if language is None else (language,):
        if _LETTERS[each].search(text):
            lexicon = _lexicon(each)
            yield from lexicon.words
            yield from lexicon.topics if lexicon.certain.search(text) else ()
            yield from lexicon.events if lexicon.foretelling.search(text) else ()


class _Lexicon(NamedTuple):
    words: tuple[tuple[str, re.Pattern[str]], ...]
    topics: tuple[tuple[str, re.Pattern[str]], ...]
    events: tuple[tuple[str, re.Pattern[str]], ...]
    certain: re.Pattern[str]
    foretelling: re.Pattern[str]
    told: re.Pattern[str]


@cache
def _lexicon(language: str) -> _Lexicon:
    told = [(row["category"], row["kind"], row[language]) for row in rows("safety") if row[language]]
    certain, foretelling = (
        "|".join(cell for _, kind, cell in told if kind == name) for name in ("certainty", "foretelling")
    )
    return _Lexicon(
        tuple((category, _whole(cell, language)) for category, kind, cell in told if kind == "word"),
        tuple((category, _near(cell, certain, language)) for category, kind, cell in told if kind == "topic"),
        tuple(
            (category, _foretold(cell, foretelling, language))
            for category, kind, cell in told
            if kind == "event"
        ),
        _whole(certain, language),
        _whole(foretelling, language),
        _whole("|".join(cell for _, kind, cell in told if kind in ("word", "topic", "event")), language),
    )


@cache
def _marks() -> re.Pattern[str]:
    return _whole("|".join(row["zh-Hans"] for row in rows("safety") if row["kind"] == "mark"), "")


def _near(topic: str, certain: str, language: str) -> re.Pattern[str]:
    """A topic and a word of certainty in one sentence, whichever comes first."""
    one, two = (_bounded(part, language) for part in (topic, certain))
    gap = f"[^{_SENTENCE_END}{'.' if language == 'en' else ''}]{{0,{_REACH[language]}}}?"
    return re.compile(f"{two}{gap}{one}|{one}{gap}{two}", re.IGNORECASE)


def _foretold(event: str, foretelling: str, language: str) -> re.Pattern[str]:
    """An event and a word that foretells it in one clause: before it at some distance, or right after."""
    one, two = (_bounded(part, language) for part in (event, foretelling))
    gap = f"[^{_CLAUSE_END}{'.' if language == 'en' else _CAUTION}]"
    reach = f"{gap}{{0,{_BEFORE[language]}}}?", f"{gap}{{0,{_AFTER[language]}}}?"
    return re.compile(f"{two}{reach[0]}{one}|{one}{reach[1]}{two}", re.IGNORECASE)


def _whole(cell: str, language: str) -> re.Pattern[str]:
    return re.compile(_bounded(cell, language), re.IGNORECASE)


def _bounded(cell: str, language: str) -> str:
    return rf"(?<![A-Za-z])(?:{cell})(?![A-Za-z])" if language == "en" else f"(?:{cell})"


@cache
def _allowed() -> re.Pattern[str]:
    """Ordinary words and canonical terms of two signs or more; a single sign would allow too much."""
    idioms = [
        row[name] for row in rows("safety") if row["kind"] == "allowed" for name in LANGUAGES if row[name]
    ]
    terms = {row[name] for row in rows("terms") for name in ("zh-Hans", "zh-Hant") if len(row[name]) > 1}
    glosses = {row["en"] for row in rows("terms") if row["kind"] == "star" and " " in row["en"]}
    words = [word for word in terms | glosses if _forbids(word)]
    return re.compile(
        "|".join((*idioms, *sorted(map(re.escape, words), key=lambda each: (-len(each), each))))
    )


def _forbids(word: str) -> bool:
    return any(_lexicon(language).told.search(word) for language in LANGUAGES)
