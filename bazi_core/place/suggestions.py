"""Suggestions for a misspelt place name: the closest keys of the table.

Closeness is 2·M / T, with M the characters that match in order and T all characters of both; 0.7 is enough.
difflib looks through the names with the same first character, rapidfuzz, if it is installed, through all of them.
"""

from __future__ import annotations

from functools import cache, lru_cache

from bazi_core.place import store
from bazi_core.place.folding import fold

CLOSE_ENOUGH = 0.7
AT_MOST = 5

_KEYS = "SELECT DISTINCT n FROM name WHERE n >= ? AND n < ? AND length(n) BETWEEN ? AND ?"
_HOLDER = """SELECT place.id, place.name, zh FROM name JOIN place ON place.id = name.i WHERE n = ?
    ORDER BY level DESC, pop DESC LIMIT 1"""
_AFTER_ALL = "\U0010ffff"
_SPELLINGS_A_PLACE = 4


@lru_cache(maxsize=1024)
def suggest(key: str) -> tuple[str, ...]:
    """Up to five places whose names are close to a folded one, the closest first.

    >>> suggest("guangzou")[0], suggest("calcuta")[0]
    ('Guangzhou', 'Kolkata')
    """
    places: dict[int, str] = {}
    for close in _close_keys(key, AT_MOST * _SPELLINGS_A_PLACE):
        number, name, chinese = store.rows(_HOLDER, [close])[0]
        # The closest may be any name; further transcriptions of far places would only puzzle (Niujing is Oxford).
        if not places or not close.isascii() or fold(name, store.letters()) == close:
            places.setdefault(number, name if close.isascii() else _written(chinese, close))
    return tuple(dict.fromkeys(places.values()))[:AT_MOST]


def _close_keys(key: str, at_most: int) -> list[str]:
    try:
        from rapidfuzz import fuzz, process
    except ImportError:
        return _close_keys_of_one_beginning(key, at_most)
    scored = process.extract(
        key, _every_key(), scorer=fuzz.ratio, limit=at_most, score_cutoff=100 * CLOSE_ENOUGH
    )
    return [close for close, _, _ in scored]


def _close_keys_of_one_beginning(key: str, at_most: int) -> list[str]:
    from difflib import get_close_matches

    # Only lengths that can still reach the ratio: 2·min / (min + max) >= 0.7.
    lengths = int(len(key) * 0.53), int(len(key) * 1.86) + 1
    keys = [found for (found,) in store.rows(_KEYS, [key[0], key[0] + _AFTER_ALL, *lengths])]
    return get_close_matches(key, keys, at_most, CLOSE_ENOUGH)


@cache
def _every_key() -> list[str]:
    return [key for (key,) in store.rows("SELECT DISTINCT n FROM name")]


def _written(name: str | None, key: str) -> str:
    """The full name if the key is that of the full name (呼和浩特市), else the key, in simplified characters."""
    return name if name and fold(name, store.letters()) == key else key
