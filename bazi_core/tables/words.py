"""Words in three languages: terms, labels of printed charts, sentences of warnings.

The catalogues were written by hand; nothing is converted between scripts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bazi_core.tables import rows

LANGUAGES = ("zh-Hans", "zh-Hant", "en")


@cache
def _terms(lang: str, kind: str | None) -> dict[str, str]:
    """Words by canonical form; where two kinds share a form, the first row stands for both."""
    found: dict[str, str] = {}
    for row in rows("terms"):
        if kind in (None, row["kind"]):
            found.setdefault(row["zh-Hans"], row[lang])
    return found


@cache
def _labels(lang: str) -> dict[str, str]:
    return {row["key"]: row[lang] for row in rows("labels")}


@cache
def _messages(lang: str) -> dict[str, str]:
    return {row["code"]: row[lang] for row in rows("messages")}


def term(hanzi: str, lang: str = "zh-Hans", kind: str | None = None) -> str:
    """A canonical term in a language: its traditional form, or an English gloss.

    A kind decides between terms that share a form, such as 死, a stage and a state of the season.

    >>> term("伤官", "zh-Hant"), term("伤官", "en"), term("丑", "zh-Hant")
    ('傷官', 'Hurting Officer', '丑')
    >>> term("死", "en"), term("死", "en", "season_state")
    ('Death', 'dead')
    """
    return hanzi if lang == "zh-Hans" else _terms(lang, kind).get(hanzi, hanzi)


def glossed(hanzi: str, lang: str, kind: str | None = None) -> str:
    """A term for running text: in English the canonical term with its gloss.

    >>> glossed("伤官", "en")
    '伤官 (Hurting Officer)'
    """
    word = term(hanzi, lang, kind)
    return f"{hanzi} ({word})" if lang == "en" and word != hanzi else word


def label(key: str, lang: str = "zh-Hans", **values: Any) -> str:
    """A word of the printed chart.

    >>> label("month_day", "en", day=3)
    'day 3 of the month'
    """
    text = _labels(lang)[key]
    return text.format(**values) if values else text


def message(code: str, data: dict[str, Any], lang: str = "zh-Hans") -> str:
    """The sentence of a warning.

    >>> message("ZONE_FROM_COORDINATES", {"zone": "Asia/Tokyo"}, "en")
    'The zone was inferred from the coordinates: Asia/Tokyo.'
    """
    return _messages(lang)[code].format_map({name: _said(value, lang) for name, value in data.items()})


def _said(value: Any, lang: str) -> Any:
    """A code or a term in the data of a warning as a word, where there is one."""
    return _labels(lang).get(f"said_{value}") or glossed(value, lang) if isinstance(value, str) else value
