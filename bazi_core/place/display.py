"""The display text of a place: its name, its country and region, and its former names with years.

Names in the reader's language come from the table: Chinese ones of the larger foreign cities, of countries and of
regions; Latin ones of Chinese divisions, whose traditional characters `division_names` has. Without a row the
name is shown as stored.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.place import store
from bazi_core.place.folding import fold
from bazi_core.place.refs import number_of
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.place.clusters import Place

CHINESE = {"zh-Hans": "hans", "zh-Hant": "hant"}

_CHINESE_NAME = "SELECT hans, hant FROM chinese WHERE i = ?"
_LATIN_NAME = "SELECT name, adm FROM place WHERE id = ?"
_REGION = "SELECT en, hans, hant FROM region WHERE cc = ? AND adm = ?"
_FORMER = "SELECT name, first, last FROM former WHERE n = ? AND i = ? ORDER BY first"


class Former(NamedTuple):
    """A name that a place once had, and the first and last year of its official use, where they are known."""

    name: str
    first: int | None
    last: int | None


def name_shown(ref: str | None, name: str | None, lang: str) -> str:
    """The name of a place in a language, followed by its own name where that helps.

    >>> name_shown("gn:5128581", "New York City", "zh-Hant"), name_shown("cn:110108", "海淀区", "en")
    ('紐約', 'Haidian (海淀区)')
    """
    number = number_of(ref or "")
    if number is None or not name:
        return name or ""
    if lang in CHINESE:
        if number < 0:
            return _division(name, lang)
        names = store.rows(_CHINESE_NAME, [number])
        return str(names[0][lang == "zh-Hant"]) if names else name
    latin = store.rows(_LATIN_NAME, [number]) if number < 0 else []
    return f"{latin[0][0]} ({name})" if latin and latin[0][0] != name else name


def place_shown(place: Place, lang: str) -> str:
    """A place with its coordinates, zone and ref, in a language.

    >>> from bazi_core.place.gazetteer import look_up
    >>> place_shown(look_up("北京"), "en")
    'Beijing (北京市) 116.407E 39.904N Asia/Shanghai (cn:110000)'
    """
    named = place._replace(name=name_shown(place.ref, place.name, lang))
    if lang not in CHINESE or not place.ref:
        return str(named)
    return f"{named._replace(ref=None)}（{place.ref}）"


def region_shown(ref: str | None, admin: str | None, country: str | None, lang: str) -> str:
    """The country and region of a place in a language: the head of a Chinese address, the tail of an English one.

    >>> region_shown("gn:5128581", "NY", "US", "zh-Hans"), region_shown("gn:5128581", "NY", "US", "en")
    ('美国纽约州', 'New York, United States')
    >>> region_shown("cn:220104", "吉林省长春市", "CN", "en")
    'Changchun, Jilin, China'
    """
    number = number_of(ref or "")
    if number is None or not country:
        return " ".join(filter(None, (admin, country)))
    nation = _region(country, "*", lang) or country
    if number < 0:
        # An address in China begins with the province.
        parts = (
            [_division(admin, lang) if admin else nation] if lang in CHINESE else [nation, *_holders(number)]
        )
    else:
        held = store.rows(_LATIN_NAME, [number])
        own = _region(country, str(held[0][1]), lang) if held else ""
        parts = [nation, own or _unless_code(admin, lang)]
    parts = [part for part in parts if part]
    return "".join(parts) if lang in CHINESE else ", ".join(reversed(parts))


def former_names(query: str, place: Place) -> list[Former]:
    """The rows for a queried name that the place once had, one for each period of use.

    >>> from bazi_core.place.gazetteer import look_up
    >>> former_names("新京", look_up("新京"))
    [Former(name='新京', first=1932, last=1945)]
    """
    number = number_of(place.ref or "")
    if number is None:
        return []
    return [Former(*row) for row in store.rows(_FORMER, [fold(query, store.letters()), number])]


def _division(name: str, lang: str) -> str:
    """The name of a Chinese division in a language; the table of places has it in simplified characters."""
    return _in_traditional().sub(lambda found: _traditional()[found[0]], name) if lang == "zh-Hant" else name


@cache
def _traditional() -> dict[str, str]:
    return {row["hans"]: row["hant"] for row in rows("division_names")}


@cache
def _in_traditional() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_traditional(), key=len, reverse=True)))


def _region(country: str, region: str, lang: str) -> str:
    names = store.rows(_REGION, [country, region])
    return str(names[0][("en", "zh-Hans", "zh-Hant").index(lang)]) if names else ""


def _holders(number: int) -> list[str]:
    """Province and prefecture of a division in Latin letters, the wider first."""
    code = str(-number)
    province = _region("CN", code[:2], "en")
    prefecture = store.rows(_LATIN_NAME, [-int(f"{code[:4]}00")]) if code[4:] != "00" else []
    return [province, *(name for name, _ in prefecture if name.isascii())]


def _unless_code(admin: str | None, lang: str) -> str:
    """The region as stored; empty if it is a bare code or in another script."""
    if not admin or admin.isascii() == (lang in CHINESE) or admin.isupper() or any(map(str.isdecimal, admin)):
        return ""
    return admin
