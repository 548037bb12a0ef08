"""The sentences of errors in three languages: a row of `errors.csv` and the values that fill it.

The table is read with the first sentence, that is, with the first error.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from bazi_core.tables import rows

# The first character that no Latin letter, digit or mark of theirs comes after.
_WIDE = "\u2e80"
# The separator of the parts of a list in Chinese.
_BETWEEN = {"; ": "；"}


class Said(str):
    """A sentence of the table: as text the English one, and by `text` that of any language.

    >>> sentence = Said("fact_unknown", id="tg.x")
    >>> sentence
    "there is no fact 'tg.x'"
    >>> sentence.text("zh-Hans")
    '没有编号为“tg.x”的事实'
    """

    key: str
    values: dict[str, Any]

    def __new__(cls, key: str, /, **values: Any) -> Said:
        clean = {name: _printable(value) for name, value in values.items()}
        sentence = super().__new__(cls, _filled(key, clean, "en"))
        sentence.key, sentence.values = key, clean
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.key, self.values)

    def text(self, lang: str) -> str:
        """The sentence in a language; English for one that the table does not have."""
        return _filled(self.key, self.values, lang)


class Listed(Said):
    """Parts with a word between them, in Chinese with a mark.

    >>> Listed("abc", " or "), Listed("abc", " or ").text("zh-Hant"), Listed("甲乙", " or ").text("zh-Hant")
    ('a or b or c', 'a、b 或 c', '甲或乙')
    """

    def __new__(cls, parts: Iterable[object], between: str = ", ") -> Listed:
        clean = tuple(_printable(part) for part in parts)
        sentence = str.__new__(cls, between.join(map(str, clean)))
        sentence.key, sentence.values = between, {"parts": clean}
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return Listed, (self.values["parts"], self.key)

    def text(self, lang: str) -> str:
        parts = [translated(part, lang) for part in self.values["parts"]]
        if lang not in ("zh-Hans", "zh-Hant"):
            return self.key.join(parts)
        if self.key == " or " and len(parts) > 1:
            last = parts.pop()
            between = "或" if min(parts[-1][-1:], last[:1]) >= _WIDE else " 或 "
            return between.join(("、".join(parts), last))
        return _BETWEEN.get(self.key, "、").join(parts)


def translated(text: object, lang: str) -> str:
    """A text in a language if it is a sentence of the table, else as it is."""
    return text.text(lang) if isinstance(text, Said) else str(text)


def _again(key: str, values: dict[str, Any]) -> Said:
    return Said(key, **values)


def _filled(key: str, values: dict[str, Any], lang: str) -> str:
    row = _sentences()[key]
    filling = {name: value.text(lang) if isinstance(value, Said) else value for name, value in values.items()}
    return row.get(lang, row["en"]).format_map(filling)


@cache
def _sentences() -> dict[str, dict[str, str]]:
    return {row["key"]: row for row in rows("errors")}


def _printable(value: object) -> object:
    """The value without lone surrogates, which no terminal and no file accepts."""
    if isinstance(value, str) and not isinstance(value, Said):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
