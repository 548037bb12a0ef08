"""Counties, cities, towns and districts of Taiwan, as the builder adds them to the places of GeoNames.

GeoNames has a part of them: those are given the names and the rank they lack. The others become places of their own. All
places of Taiwan lie in a county or city, by the five digits of its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.place import rules
from bazi_core.place.refs import number_of
from bazi_core.place.rules import City, folded, short_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.place.names import Added

    Sheet = list[dict[str, str]]

KINMEN = "09020000"
TAIWAN = "TW"
TAIPEI_TIME = "Asia/Taipei"
KINDS = ("縣", "市", "鄉", "鎮", "區")
SAME_TOWN_DEG = 0.12
LARGE_TOWN = 30
"""Villages that a town of some eighty thousand people has; a county with fewer is no rival of a city of its name."""
LARGE_VILLAGES = ("63000", "65000", "66000", "68000")
"""臺北, 新北, 臺中 and 桃園, whose villages have four thousand people and more, twice as many as elsewhere."""


def add_towns(sheet: Sheet, cities: list[City], letters: dict[int, str]) -> dict[str, City]:
    """Add the rows of the sheet to the cities; returns the place of each code."""
    known = [city for city in cities if city.country == TAIWAN]
    places: dict[str, City] = {}
    for row in sorted(sheet, key=lambda row: (not row["seat"], -int(row["villages"]), row["code"])):
        names = folded(_names(row), letters)
        place = None if row["name"].endswith("縣") else _found(row, names, known)
        if place is None:
            place = _new(row)
            cities.append(place)
        else:
            known.remove(place)
        place.names |= names
        place.level = max(place.level, level(row))
        places[row["code"]] = place
    _seat(sheet, places)
    _hold(sheet, cities)
    return places


def level(row: dict[str, str]) -> int:
    """3 counties and cities, 1 large towns and districts, 0 others; 2 a county of less than a large town's size.

    >>> level({"code": "65000170", "seat": "", "villages": "17"})
    1
    """
    twice = 1 + row["code"].startswith(LARGE_VILLAGES)
    large = twice * int(row["villages"]) >= LARGE_TOWN
    return 2 + large if row["seat"] else int(large)


def latin_name(row: dict[str, str]) -> str:
    """The English name without its kind, unless it is only a direction.

    >>> latin_name({"latin": "Zhongli District", "name": "中壢區", "seat": ""})
    'Zhongli'
    >>> latin_name({"latin": "East District", "name": "東區", "seat": ""})
    'East District'
    """
    return row["latin"].rpartition(" ")[0] if len(row["name"]) > 2 and not row["seat"] else row["latin"]


def add_shown(sheet: Sheet, places: dict[str, City], letters: dict[int, str], added: Added) -> None:
    """Add what readers are shown of the places, and what the districts were called before."""
    shown = {number for number, *_ in added.chinese}
    if kinmen := places.get(KINMEN):
        added.alias.add((-int(rules.KINMEN), kinmen.number))
    for row in sorted(sheet, key=lambda row: row["code"]):
        number = places[row["code"]].number
        if number not in shown:
            shown.add(number)
            added.chinese.add((number, row["name"].translate(letters), row["name"]))
        for name in filter(None, row["former"].split("|")):
            (key,) = folded([name], letters)
            added.former.add((key, number, name, "zh", None, None))
            added.further.add((key, number))


def _names(row: dict[str, str]) -> set[str]:
    return short_names(row["name"], KINDS) | {row["latin"], latin_name(row)}


def _found(row: dict[str, str], names: set[str], known: Iterable[City]) -> City | None:
    """The most populous GeoNames place of one name near the row."""
    at = float(row["latitude"]), float(row["longitude"])
    same = [
        city
        for city in known
        if city.names & names
        and max(abs(city.latitude - at[0]), abs(city.longitude - at[1])) <= SAME_TOWN_DEG
    ]
    return max(same, key=lambda city: (city.population, -city.number), default=None)


def _new(row: dict[str, str]) -> City:
    number = number_of(f"tw:{row['code']}")
    assert number is not None
    return City(
        number=number,
        name=latin_name(row),
        country=TAIWAN,
        admin1="",
        latitude=float(row["latitude"]),
        longitude=float(row["longitude"]),
        zone=TAIPEI_TIME,
        population=0,
        names=set(),
    )


def _seat(sheet: Sheet, places: dict[str, City]) -> None:
    """Give the counties that GeoNames does not have the coordinates of their seats."""
    for row in sheet:
        if row["name"].endswith("縣"):
            county, seat = places[row["code"]], places[row["seat"]]
            county.latitude, county.longitude = seat.latitude, seat.longitude


def _hold(sheet: Sheet, cities: list[City]) -> None:
    """Put every place of Taiwan into the county of the nearest town."""
    towns = [
        (float(row["latitude"]), float(row["longitude"]), row["code"]) for row in sheet if not row["seat"]
    ]
    own = {number_of(f"tw:{row['code']}"): row["code"] for row in sheet}
    for city in cities:
        if city.country == TAIWAN:
            at = city.latitude, city.longitude
            near = min(towns, key=lambda town: (town[0] - at[0]) ** 2 + (town[1] - at[1]) ** 2)
            city.admin1 = own.get(city.number, near[2])[:5]
