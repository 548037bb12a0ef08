"""The closed vocabulary of 六爻, beside that of charts: hexagrams, lines, relatives, spirits, states, changes, signs.

Words are the names in the tables `liuyao/…` in both scripts, their English glosses of two words and more, and the
rows of `liuyao/vocabulary.csv`; those that are words of every day too have rows in `liuyao/contexts.csv`. Ordinary words
and negators are shared with the vocabulary of charts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, ZODIACS
from bazi_core.readings.lexicon import compiled, contexts, lexicon
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.readings.lexicon import Contexts, Lexicon

# The kinds of `liuyao/words.csv` and the category under which they are read.
_KINDS = {
    "line": "line", "generation": "generation", "tag": "tag", "transition": "transition", "turning": "turning",
    "change": "change", "flying": "flying", "stage": "stage", "trine": "trine_kind", "role": "role", "sign": "sign",
    "timing": "trigger",
}  # fmt: skip
_STATES = {
    "旬空": "void", "真空": "void", "假空": "void", "月破": "broken_month", "日冲": "clashed_day", "日破": "broken_day",
    "暗动": "moved", "发动": "moving", "安静": "moving",
}  # fmt: skip
_CONCEPTS = {
    "月建": ("calendar", "month"), "日辰": ("calendar", "day"), "世爻": ("seat", "世"), "应爻": ("seat", "应"),
    "本卦": ("gua", "本卦"), "之卦": ("gua", "之卦"), "内卦": ("part", "inner"), "外卦": ("part", "outer"),
    "伏神": ("hidden", "伏"), "飞神": ("flying", "飞"), "三合": ("trine", "*"), "应期": ("timing", ""),
    **{state: ("season", state) for state in "旺相休囚死"},
}  # fmt: skip
_NAMED = (("relatives", "relative"), ("spirits", "spirit"), ("stars", "star"))
LINES = ("初爻", "二爻", "三爻", "四爻", "五爻", "上爻")
TRINES = {"亥卯未": "木", "寅午戌": "火", "巳酉丑": "金", "申子辰": "水"}
_UNITS = (("月", "月"), ("日", "日"), ("年", "年"), ("时", "时"), ("時", "时"))


_UNITS_EN = {
    "month": "月", "months": "月", "day": "日", "days": "日", "year": "年", "years": "年", "hour": "时", "hours": "时",
}  # fmt: skip


@cache
def vocabulary() -> Lexicon:
    """The vocabulary of 六爻, compiled once.

    >>> from bazi_core.readings.vocabulary import tokens
    >>> [(each.category, each.term) for each in tokens("三爻官鬼持世", vocabulary())[0]]
    [('line', '3'), ('relative', '官鬼'), ('seat', '世')]
    """
    own = list(_own())
    taken = {word for word, category, _ in own if category != "plain"}
    shared = [each for each in _shared() if each[1] == "negator" or each[0] not in taken]
    return compiled((*own, *shared), _contexts(), _glosses())


def _own() -> Iterator[tuple[str, str, str]]:
    yield from _signs()
    yield from _names()
    yield from _hexagrams()
    yield from _in_latin()
    for row in rows("liuyao/vocabulary"):
        yield from ((word, row["category"], row["term"]) for word in row["words"].split("|"))


def _shared() -> Iterator[tuple[str, str, str]]:
    for row in rows("plain_words"):
        yield from ((word, "plain", "") for word in row["words"].split("|"))
    for row in rows("negators"):
        yield row["word"], "negator", row["sense"]


def _signs() -> Iterator[tuple[str, str, str]]:
    for pillar in PILLARS:
        yield pillar.value, "pillar", pillar.value
        yield pillar.value + pillar.branch.element.value, "pillar", pillar.value
        yield from ((pillar.value + unit, "dated", f"{pillar.value}{term}") for unit, term in _UNITS)
    for stem in STEMS:
        yield stem.value, "stem", stem.value
    for branch in BRANCHES:
        yield branch.value, "branch", branch.value
        yield branch.value + branch.element.value, "branch", branch.value
        for unit, term in _UNITS:
            yield branch.value + unit, "when", f"{branch.value}{term}"
        for unit, term in _UNITS_EN.items():
            yield f"{unit} of {branch.value}", "when", f"{branch.value}{term}"
    yield from _animals()
    for element in ELEMENTS:
        yield element.value, "element", element.value
        yield next(row["en"].lower() for row in _terms("element", element.value)), "element", element.value
    for three in TRINES:
        for join in ("", "、"):
            yield join.join(three), "trine_set", three


def _animals() -> Iterator[tuple[str, str, str]]:
    """虎年, "tiger day": times by the animal of their branch."""
    for branch, animal in zip(BRANCHES, ZODIACS, strict=True):
        row = next(_terms("zodiac", animal.value))
        for unit in "年月日":
            yield from (
                (row[script] + unit, "when", f"{branch.value}{unit}") for script in ("zh-Hans", "zh-Hant")
            )
        for unit, term in _UNITS_EN.items():
            yield f"{row['en'].lower()} {unit}", "when", f"{branch.value}{term}"
            yield f"{unit} of the {row['en'].lower()}", "when", f"{branch.value}{term}"


def _terms(kind: str, name: str) -> Iterator[dict[str, str]]:
    return (row for row in rows("terms") if row["kind"] == kind and row["zh-Hans"] == name)


def _names() -> Iterator[tuple[str, str, str]]:
    for table, category in _NAMED:
        for row in rows(f"liuyao/{table}"):
            yield from _forms(row, category, row["name"])
    for row in rows("liuyao/words"):
        if row["kind"] in _KINDS or row["name"] in _STATES:
            category = _KINDS.get(row["kind"]) or _STATES[row["name"]]
            term = str(LINES.index(row["name"]) + 1) if category == "line" else row["name"]
            yield from _forms(row, category, term)
    for row in rows("liuyao/concepts"):
        yield from _forms(row, *_CONCEPTS[row["name"]])


def _forms(row: dict[str, str], category: str, term: str) -> Iterator[tuple[str, str, str]]:
    """A name in both scripts, and its gloss where that is more than a word of every day."""
    for word in dict.fromkeys((row["name"], row["name_hant"])):
        yield word, category, term
    gloss = row["en"].lower()
    if " " in gloss and ":" not in gloss and gloss[-1].isalpha() and category not in ("stage", "generation"):
        yield gloss, category, term


def _hexagrams() -> Iterator[tuple[str, str, str]]:
    for row in rows("liuyao/hexagrams"):
        for word in dict.fromkeys((row["full"], row["full_hant"], row["name"], row["name_hant"])):
            yield word, "hexagram", row["full"]
        yield from ((word, "hexagram", row["full"]) for word in row["aliases"].split())
        # A short name after two images that are not its own, as in 山天小畜, names no hexagram.
        yield from ((row[column], "misnamed", "!") for column in ("name", "name_hant"))


def _in_latin() -> Iterator[tuple[str, str, str]]:
    """Names as they sound, and their English words; where two sound alike either may be meant."""
    found: dict[str, list[str]] = {}
    for row in rows("liuyao/hexagrams"):
        for word in (row["pinyin"], row["gloss"]):
            found.setdefault(_latin(word), []).append(row["full"])
    return ((spelled, "hexagram", "/".join(names)) for spelled, names in found.items())


def _latin(text: str) -> str:
    return text.lower().replace("ü", "u")


def _contexts() -> dict[tuple[str, str], Contexts]:
    """The contexts of words; <short>, <two>, <pinyin> and <gloss> stand for the names of all hexagrams in these forms."""
    shared = {key: fits for key, fits in contexts("contexts").items() if key[0] == "plain"}
    found: dict[tuple[str, str], Contexts] = {}
    for (category, word), fits in (shared | contexts("liuyao/contexts")).items():
        for name in _spelled(word):
            found[category, name] = found.get((category, name), ()) + fits
    return found


_COLUMNS = {
    "<short>": ("name", "name_hant"), "<two>": ("name", "name_hant"), "<pinyin>": ("pinyin",), "<gloss>": ("gloss",),
}  # fmt: skip


def _spelled(word: str) -> Iterable[str]:
    """A word of the contexts, or the names that it stands for: short ones, those of two signs, pinyin, English."""
    columns = _COLUMNS.get(word)
    if columns is None:
        return (word,)
    names = {_latin(row[column]) for row in rows("liuyao/hexagrams") for column in columns}
    return {name for name in names if word != "<two>" or len(name) == 2}


def _glosses() -> dict[str, tuple[tuple[str, str, str], ...]]:
    """What may stand in brackets after a term: its English word; those of signs and elements are shared."""
    found = {gloss: list(each) for gloss, each in lexicon().glosses.items()}
    for word, category, term in (*_names(), *_hexagrams()):
        for gloss in _glosses_of().get(word, ()):
            found.setdefault(gloss, []).append((word, category, term))
    for pillar in PILLARS:
        spelled = " ".join(
            next(_terms(*each))["en"]
            for each in (("stem", pillar.stem.value), ("branch", pillar.branch.value))
        )
        element = next(_terms("element", pillar.branch.element.value))["en"]
        found.setdefault(f"{spelled}, {element}".lower(), []).append((pillar.value, "pillar", pillar.value))
    for branch in BRANCHES:
        spelled = next(_terms("branch", branch.value))["en"]
        element = next(_terms("element", branch.element.value))["en"]
        for gloss in (spelled, f"{spelled}, {element}"):
            found.setdefault(gloss.lower(), []).append((branch.value, "branch", branch.value))
        for unit, term in _UNITS_EN.items():
            found[spelled.lower()].append((f"{unit} of {branch.value}", "when", f"{branch.value}{term}"))
    for row in rows("liuyao/trigrams"):
        found.setdefault(f"{row['pinyin']} palace".lower(), []).append(
            (f"{row['name']}宫", "palace", row["name"])
        )
    return {gloss: tuple(each) for gloss, each in found.items()}


@cache
def _glosses_of() -> dict[str, tuple[str, ...]]:
    """Word → its glosses, in small letters."""
    found: dict[str, list[str]] = {}
    for table in ("relatives", "spirits", "stars", "words", "concepts"):
        for row in rows(f"liuyao/{table}"):
            for word in (row["name"], row["name_hant"]):
                found.setdefault(word, []).append(row["en"].lower())
    for row in rows("liuyao/hexagrams"):
        gloss = _latin(f"{row['pinyin']}, {row['gloss']}")
        for word in (row["full"], row["full_hant"]):
            found.setdefault(word, []).append(gloss)
    return {word: tuple(dict.fromkeys(each)) for word, each in found.items()}


_LINE_LIST = re.compile(r"(?:, (?:and )?| and | or |–|-)(?:line )?([1-6])(?![\d.])")


def further_lines(text: str, end: int) -> Iterator[re.Match[str]]:
    """The numbers after the first in "lines 2, 3 and 5"."""
    while match := _LINE_LIST.match(text, end):
        yield match
        end = match.end()
