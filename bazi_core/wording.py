"""Sentences from keys and typed values: the rows of `fact_texts.csv` in three languages.

Values become words only here, as the last step; no code parses a sentence. Every type of slot has one writer, so that a
stem reads the same everywhere: 庚, in English Yang Metal (庚 Geng).
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch, Pillar, Stem
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import said
from bazi_core.tables.cast_words import word as cast_word
from bazi_core.tables.words import LANGUAGES, glossed, label, term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Writer = Callable[[Any], str]

LINES = ("初爻", "二爻", "三爻", "四爻", "五爻", "上爻")
_RULE_COLUMNS = {"zh-Hans": "text", "zh-Hant": "text_hant", "en": "text_en"}


class FactPhrase(NamedTuple):
    """A key of the table with its values, which may be phrases and tuples themselves.

    >>> FactPhrase("root.none", (FactPhrase("rooted.stem", ("year", "庚")),)).text("en")
    'the year stem Yang Metal (庚 Geng) has no root'
    """

    key: str
    values: tuple[Any, ...] = ()

    def text(self, lang: str = "zh-Hans") -> str:
        return phrased(self.key, self.values, lang)


@lru_cache(maxsize=1 << 14)
def phrased(key: str, values: tuple[Any, ...], lang: str = "zh-Hans") -> str:
    """The text of a key with its values."""
    return _template(key, lang)(values)


def written(type_name: str, value: Any, lang: str) -> str:
    """The text of a value in a slot of this type.

    >>> written("pillar", "庚午", "zh-Hant"), written("stem", "庚", "en")
    ('庚午', 'Yang Metal (庚 Geng)')
    """
    write = _writer(type_name, lang)
    return write(value) if write else str(value)


@cache
def slots(key: str) -> dict[str, str]:
    """The slots of a key with their types, in the order of the values."""
    return dict(each.split(":") for each in _rows()[key]["values"].split())


@cache
def _rows() -> dict[str, dict[str, str]]:
    return {row["key"]: row for row in rows("fact_texts")}


@cache
def _template(key: str, lang: str) -> Writer:
    """The function that fills the row of a key; slots whose value is already a word have no writer."""
    types = slots(key)
    places = {name: f"{{{place}}}" for place, name in enumerate(types)}
    fill = re.sub(r"\{(\w+)\}", lambda slot: places[slot[1]], _rows()[key][lang]).format
    writers = tuple(_writer(kind, lang) for kind in types.values())

    def filled(values: tuple[Any, ...]) -> str:
        return fill(*[write(value) if write else value for write, value in zip(writers, values, strict=True)])

    return filled


@cache
def _writer(type_name: str, lang: str) -> Writer | None:
    name, _, joiner = type_name.partition("/")
    if joiner:
        return partial(_joined, _writer(name, lang), _ties(joiner, lang))
    name, _, group = name.partition(".")
    if name == "term":
        return None if lang == "zh-Hans" else partial(glossed, lang=lang, kind=group or None)
    if name == "code":
        return lambda value: _rows()[f"{group}.{value}"][lang]
    if name in _SIGNS:
        return _SIGNS[name] if lang == "en" else None
    return partial(_WRITERS[name], lang=lang) if name in _WRITERS else None


@cache
def _ties(joiner: str, lang: str) -> tuple[str, str, str, str]:
    row = next(row for row in rows("fact_joiners") if (row["name"], row["lang"]) == (joiner, lang))
    return row["lead"], row["between"], row["last"], row["pair"]


def _joined(write: Writer | None, ties: tuple[str, str, str, str], values: Sequence[Any]) -> str:
    """The members of a list with their separators; empty for an empty list."""
    lead, between, last, pair = ties
    words = [write(value) if write else str(value) for value in values]
    if len(words) < 2:
        return lead + words[0] if words else ""
    if len(words) == 2:
        return lead + pair.join(words)
    return lead + between.join(words[:-1]) + last + words[-1]


def _with_hanzi(hanzi: str, word: str, lang: str) -> str:
    """The word; in English with the Hanzi behind it."""
    return f"{word} ({hanzi})" if lang == "en" and word != hanzi else word


def stem_name(char: str) -> str:
    """A stem in English: polarity and element, then the character with its pinyin."""
    return f"{sign_name(Stem(char))} ({char} {term(char, 'en', 'stem')})"


def branch_name(char: str) -> str:
    """A branch in English: its animal, then the character with its pinyin."""
    return f"{sign_name(Branch(char))} ({char} {term(char, 'en', 'branch')})"


def pillar_name(chars: str) -> str:
    """A pillar in English: element and animal, which no other of the sixty has.

    >>> pillar_name("庚午")
    'Metal Horse (庚午 Geng Wu)'
    """
    stem, branch = Pillar(chars).stem, Pillar(chars).branch
    pinyin = f"{term(stem.value, 'en', 'stem')} {term(branch.value, 'en', 'branch')}"
    return f"{term(stem.element.value, 'en')} {sign_name(branch)} ({chars} {pinyin})"


def sign_name(sign: Stem | Branch) -> str:
    """The English name of a stem or branch: no two of the twenty-two read alike, as pinyin of them do.

    >>> sign_name(Stem("戊")), sign_name(Branch("午"))
    ('Yang Earth', 'Horse')
    """
    if isinstance(sign, Branch):
        return term(sign.zodiac.value, "en", "zodiac")
    return f"{term(sign.polarity.value, 'en').capitalize()} {term(sign.element.value, 'en')}"


def full_sign(sign: Stem | Branch, lang: str) -> str:
    """A stem or branch with its element: 庚金; in English `Yang Metal (庚 Geng)`."""
    if lang == "en":
        return f"{sign_name(sign)} ({sign} {term(sign.value, lang)})"
    return f"{sign}{sign.element}"


def _points(value: tuple[str, int], lang: str) -> str:
    """The text of points added to or taken from a score: `(domain, points)`."""
    domain, points = value
    return phrased("points.plus" if points > 0 else "points.minus", (domain, abs(points)), lang)


def _tie(value: str, lang: str) -> str:
    """A relation, or 相同."""
    row = _rows().get(f"tie.{value}")
    return row[lang] if row else glossed(value, lang, "relation")


def _hexagram(value: str, lang: str) -> str:
    """A hexagram by its full name, or a trigram; in English its gloss, then the name and its pinyin."""
    if lang != "en":
        return cast_word(value, lang)
    pinyin, gloss = cast_word(value, "en").split(", ", 1)
    return f"{gloss} ({value} {pinyin})"


def _days(value: Sequence[str], lang: str) -> str:
    """Dates of ISO 8601, year and month where they change: 2026年12月4日、16日、2027年1月9日.

    >>> _days(("2026-12-04", "2026-12-16", "2027-01-09"), "en")
    '4 December 2026, 16 December, 9 January 2027'
    """
    words, year, month = [], "", 0
    for each in value:
        at = date.fromisoformat(each)
        of_year = "" if each[:4] == year else each[:4]
        of_month = at.month if of_year or at.month != month else 0
        words.append(_day_words(at.day, at.month if lang == "en" else of_month, of_year, lang))
        year, month = each[:4], at.month
    return (", " if lang == "en" else "、").join(words)


def _coming(value: Sequence[tuple[str, str]], lang: str) -> str:
    """Dates with the branch of each: 2026年12月4日（丑日）、16日（丑日）.

    >>> _coming((("2026-12-04", "丑"), ("2026-12-30", "卯")), "en")
    '4 December 2026 (Ox day), 30 December (Rabbit day)'
    """
    dates = _days(tuple(at for at, _ in value), lang).split(", " if lang == "en" else "、")
    if lang == "en":
        return ", ".join(
            f"{at} ({sign_name(Branch(each))} day)" for at, (_, each) in zip(dates, value, strict=True)
        )
    return "、".join(f"{at}（{each}日）" for at, (_, each) in zip(dates, value, strict=True))


def _day_words(day: int, month: int, year: str, lang: str) -> str:
    if lang == "en":
        return f"{day} {label(f'month.{month}', lang)} {year}".rstrip()
    return (f"{int(year)}年" if year else "") + (f"{month}月" if month else "") + f"{day}日"


def _instant(value: str, lang: str) -> str:
    """An instant of ISO 8601 on its own clock, floored to the minute: 2026年10月8日17:29."""
    return _days((value[:10],), lang) + (", " if lang == "en" else "") + value[11:16]


@cache
def _palms() -> dict[str, dict[str, str]]:
    return {row["name"]: {"zh-Hant": row["name_hant"], "en": row["gloss"]} for row in rows("liuyao/palms")}


@cache
def _rules(lang: str) -> dict[str, str]:
    return {row["id"]: row[_RULE_COLUMNS[lang]] for row in rows("ge_ju_status")}


_SIGNS: dict[str, Writer] = {
    "stem": stem_name,
    "branch": branch_name,
    "pillar": pillar_name,
    "pillars": lambda value: ", ".join(map(pillar_name, value.split())),
    "element": lambda value: term(value, "en", "element"),
}
_WRITERS: dict[str, Callable[..., str]] = {
    "almanac": said,
    "by_language": lambda value, lang: value[LANGUAGES.index(lang)],
    "phrase": lambda value, lang: phrased(value[0], value[1], lang),
    "points": _points,
    "tie": _tie,
    "days": _days,
    "coming": _coming,
    "day": lambda value, lang: _days((value[:10],), lang),
    "instant": _instant,
    "jie": lambda value, lang: term(value, lang, "solar_term"),
    "tenth": lambda value, lang: f"{value:.1f}",
    "clock": lambda value, lang: value.replace("T", " "),
    "line": lambda value, lang: LINES[value - 1] if lang != "en" else f"line {value}",
    "cast": lambda value, lang: _with_hanzi(value, cast_word(value, lang), lang),
    "hexagram": _hexagram,
    "trigram": _hexagram,
    "palm": lambda value, lang: (
        value if lang == "zh-Hans" else _with_hanzi(value, _palms()[value][lang], lang)
    ),
    "rule": lambda value, lang: _rules(lang)[value],
}
