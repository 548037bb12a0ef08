"""Places for a name that is still being typed: what bears it already, then what begins with it, the largest first."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bazi_core.place import store
from bazi_core.place.clusters import Cluster, Place
from bazi_core.place.folding import fold
from bazi_core.place.gazetteer import LONGEST_QUERY, clusters_of

if TYPE_CHECKING:
    from bazi_core.place.clusters import Row

AT_MOST = 8
_NAMES = "SELECT name, zh FROM place WHERE id = ?"
_AFTER_ALL = "\U0010ffff"
# Names of its own before those that a place only also goes by: old ones, or the sound of it in some other language.
_BEGINNING = """SELECT DISTINCT entry.* FROM {} AS found JOIN entry ON entry.id = found.i WHERE n >= ? AND n < ?
    ORDER BY level = 3 DESC, coalesce(pop, 0) DESC, entry.id DESC LIMIT {}"""
_OWN, _ANY = (_BEGINNING.format(table, 40) for table in ("own", "name"))
# What one Latin letter begins is no help, and half the table.
_LEAST_LATIN = 2


def complete(text: str) -> tuple[Place, ...]:
    """Up to eight places that a text names or begins."""
    return _complete(text.strip()) if len(text) <= LONGEST_QUERY else ()


@lru_cache(maxsize=1024)
def _complete(text: str) -> tuple[Place, ...]:
    if not text or not text.isprintable():
        return ()
    found = {cluster.ref: cluster.place() for cluster in clusters_of(text)[:AT_MOST]}
    key = fold(text, store.letters())
    if len(key) >= _LEAST_LATIN or (key and not key.isascii()):
        for row in _beginning(key):
            one = Cluster(row)
            if not any(_same(one, other) for other in found.values()):
                found.setdefault(one.ref, one.place())
    return tuple(found.values())[:AT_MOST]


def _beginning(key: str) -> list[Row]:
    """The entries with a name of their own that begins with a folded key; of other names where there are none."""
    ends = [key, key + _AFTER_ALL]
    every = store.rows(_ANY, ends)
    own = {row[0] for row in store.rows(_OWN, ends)}
    bearing = [row for row in every if row[0] in own or _begins(row, key)]
    return bearing or every


def _begins(row: Row, key: str) -> bool:
    names = (name for names in store.rows(_NAMES, [row[0]]) for name in names if name)
    return any(fold(name, store.letters()).startswith(key) for name in names)


def _same(one: Cluster, other: Place) -> bool:
    """Whether an entry of the table is a place that is there already, under another number: a city and its prefecture."""
    return (
        other.longitude is not None
        and other.latitude is not None
        and one.row[1] == other.name
        and abs(one.longitude - other.longitude) < 0.1
        and abs(one.latitude - other.latitude) < 0.1
    )
