"""Words in three languages: terms, labels of printed charts, sentences of warnings.

The catalogues were written by hand; nothing is converted between scripts.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from bazi_core.tables import rows
from bazi_core.tables.sentences import Said

LANGUAGES = ("zh-Hans", "zh-Hant", "en")
_TRADITIONAL = frozenset(("hant", "tw", "hk", "mo"))


def named_language(tag: str) -> str | None:
    """The language that a tag or a locale names, however it is spelt; None for another than Chinese and English.

    >>> [named_language(tag) for tag in ("zh", "zh-CN", "zh_TW.UTF-8", "ZH-HK", "zh_Hant", "zh-Hans-HK", "en-GB", "fr")]
    ['zh-Hans', 'zh-Hans', 'zh-Hant', 'zh-Hant', 'zh-Hant', 'zh-Hans', 'en', None]
    """
    language, *others = tag[:40].partition(".")[0].partition("@")[0].lower().replace("_", "-").split("-")
    if language == "zh":
        return "zh-Hans" if "hans" in others or not _TRADITIONAL & set(others) else "zh-Hant"
    return "en" if language == "en" else None


@cache
def _terms(lang: str, kind: str | None) -> dict[str, str]:
    """Words by canonical form; where two kinds share a form, the first row stands for both."""
    terms: dict[str, str] = {}
    for row in rows("terms"):
        if kind in (None, row["kind"]):
            terms.setdefault(row["zh-Hans"], row[lang])
    return terms


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
    """A term for running text: in English the gloss with the canonical term."""
    word = term(hanzi, lang, kind)
    return f"{word} ({hanzi})" if lang == "en" and word != hanzi else word


def label(key: str, lang: str = "zh-Hans", **values: Any) -> str:
    """A word of the printed chart.

    >>> label("month_day", "en", day=3)
    'day 3 of the month'
    """
    text = _labels(lang)[key]
    return text.format(**values) if values else text


def span(seconds: float, lang: str = "zh-Hans") -> str:
    """A length of time in words: two units, seconds only below an hour, without sign.

    >>> span(3600), span(-4239), span(72.9, "en"), span(45.8, "en")
    ('1小时', '1小时11分', '1 min 12 s', '45 s')
    """
    size = abs(seconds)
    if size < 1:
        return label("span.second", lang, count=round(size, 1))
    whole = int(size) if size < _HOUR else round(size / 60) * 60
    units = [unit for unit in _UNITS if unit[1] <= whole][:2] or [("second", 1)]
    parts = []
    for name, length in units:
        count, whole = divmod(whole, length)
        parts += [label(f"span.{name}", lang, count=count)] if count else []
    return (" " if lang == "en" else "").join(parts)


_HOUR = 3600
_UNITS = (("day", 86400), ("hour", _HOUR), ("minute", 60), ("second", 1))


def message(code: str, data: dict[str, Any], lang: str = "zh-Hans") -> str:
    """The sentence of a warning, with its codes as words and its seconds as spans.

    A row `CODE/member` of the catalogue stands for data in which that member is empty
    or nought.

    >>> message("ZONE_FROM_COORDINATES", {"zone": "Asia/Tokyo"}, "en")
    'The zone was inferred from the coordinates: Asia/Tokyo.'
    """
    catalogue = _messages(lang)
    without = (f"{code}/{name}" for name, value in data.items() if value in (None, {}, [], 0))
    chosen = next((key for key in without if key in catalogue), code)
    text = catalogue[chosen].format_map({name: _said(name, value, lang) for name, value in data.items()})
    return text[:1].upper() + text[1:]


def spoken() -> str:
    """The default language of output: that of `bz.options`, else that of BAZI_LANG, else `lang` of the configuration file,
    else simplified Chinese."""
    if lang := _SHOWN.get("lang"):
        return lang
    return named_language(os.environ.get("BAZI_LANG") or _configured_language()) or "zh-Hans"


def shown_theme() -> str:
    """The theme of pictures in notebooks: that of `bz.options`, else that of the reader's system."""
    return _SHOWN.get("theme") or "auto"


def show(**chosen: str | None) -> None:
    """Store the settings of `bz.options`; they affect display only."""
    _SHOWN.update(chosen)


_SHOWN: dict[str, str | None] = {}


def config_path() -> str:
    """Path of the user's configuration: the file that BAZI_CONFIG names, else bazi/config.toml in the system's folder."""
    named = os.environ.get("BAZI_CONFIG")
    if named:
        return named
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        folder = os.path.expanduser("~/Library/Application Support")
    else:
        folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(folder, "bazi", "config.toml")


# Bounds far above any real configuration: the parser is quadratic in the length of a line with dotted keys.
MOST_BYTES, LONGEST_LINE = 65_536, 1_024


def configured(path: str) -> dict[str, Any]:
    """The content of a configuration file; OSError, ValueError or RecursionError if it cannot be read."""
    import tomllib

    with open(path, "rb") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError(Said("config_too_long", most=MOST_BYTES))
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST_LINE:
            raise ValueError(Said("config_line_too_long", number=number, most=LONGEST_LINE))
    return tomllib.loads(text.decode())


def _configured_language() -> str:
    """`lang` of the configuration; empty if it has none or cannot be read (the command reports that)."""
    path = config_path()
    if not os.path.isfile(path):
        return ""
    try:
        lang = configured(path).get("lang")
    except (OSError, ValueError, RecursionError):
        return ""
    return lang if isinstance(lang, str) else ""


def printed(value: Any) -> str:
    """The text of a value in the current language, for `str` and `print`.

    The renderer is a layer above all values, so it is imported by name on first use, as the public names of the
    package are.
    """
    from importlib import import_module

    text: str = import_module("bazi_core.render.printed").text_of(value, spoken())
    return text


def pictured(value: Any, lang: str, theme: str, **more: Any) -> str:
    """The SVG of a value; the module is imported by name, as in `printed`."""
    from importlib import import_module

    text: str = import_module("bazi_core.pictures.values").svg_of(value, lang, theme, **more)
    return text


def shown_in_notebook(value: Any) -> dict[str, str]:
    """The text and the picture of a value in the current language, by MIME type."""
    lang = spoken()
    return {"text/plain": printed(value), "image/svg+xml": pictured(value, lang, shown_theme())}


def _said(name: str, value: Any, lang: str) -> Any:
    """A member of the data of a warning, in words where the tables have some."""
    if isinstance(value, (int, float)) and (name.endswith("_s") or name == "seconds"):
        return span(value, lang)
    if isinstance(value, list):
        return (", " if lang == "en" else "、").join(str(_said(name, each, lang)) for each in value)
    if not isinstance(value, str):
        return value
    if value[10:11] == "T" and value[4:5] == "-":
        # A clock reading, cut to seconds, with the offset if there is one.
        return value[:19].replace("T", " ") + value[19:].lstrip(".0123456789")
    return _labels(lang).get(f"word.{value}") or _pillar(value, lang) or glossed(value, lang)


def _pillar(value: str, lang: str) -> str | None:
    """A pillar in English by element and animal; None for another text or language."""
    stems, branches = (list(_terms("zh-Hans", kind)) for kind in ("stem", "branch"))
    if lang != "en" or len(value) != 2 or value[0] not in stems or value[1] not in branches:
        return None
    # Two stems to an element, an animal to a branch, each in the order of its rows.
    element = list(_terms(lang, "element").values())[stems.index(value[0]) // 2]
    animal = list(_terms(lang, "zodiac").values())[branches.index(value[1])]
    return f"{element} {animal} ({value})"
