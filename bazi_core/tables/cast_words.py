"""Words of 六爻 in three languages: names of hexagrams, trigrams, relatives, spirits, lines and marks.

In English a canonical term is printed with its gloss; names of hexagrams carry pinyin and a short gloss of ours.
"""

from __future__ import annotations

from functools import cache

from bazi_core.tables import rows
from bazi_core.tables.words import term

_TABLES = ("relatives", "spirits", "lines", "stars", "words", "concepts")


@cache
def _words() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = {}
    for table in _TABLES:
        for row in rows(f"liuyao/{table}"):
            words[row["name"]] = {"zh-Hans": row["name"], "zh-Hant": row["name_hant"], "en": row["en"]}
    for row in rows("liuyao/trigrams"):
        name = row["name"]
        gloss = f"{row['pinyin']}, {row['gloss']}"
        words[name] = {"zh-Hans": name, "zh-Hant": row["name_hant"], "en": gloss}
        words[f"{name}宫"] = {
            "zh-Hans": f"{name}宫",
            "zh-Hant": f"{row['name_hant']}宮",
            "en": f"{row['gloss']} palace",
        }
    for row in rows("liuyao/hexagrams"):
        gloss = f"{row['pinyin']}, {row['gloss']}"
        words[row["full"]] = {"zh-Hans": row["full"], "zh-Hant": row["full_hant"], "en": gloss}
    for row in rows("liuyao/question_types"):
        words.setdefault(
            row["label"], {"zh-Hans": row["label"], "zh-Hant": row["label_hant"], "en": row["en"]}
        )
    return words


def word(name: str, lang: str = "zh-Hans") -> str:
    """A word by its canonical name, from the tables of 六爻, else from the other terms.

    >>> word("螣蛇", "en"), word("水火既济", "zh-Hant"), word("旺", "zh-Hant")
    ('Soaring Serpent', '水火既濟', '旺')
    """
    texts = _words().get(name)
    return texts[lang] if texts else term(name, lang)


def glossed(name: str, lang: str) -> str:
    """The canonical name, in English with its gloss."""
    said = word(name, lang)
    return f"{name} {said}" if lang == "en" and said != name else said
