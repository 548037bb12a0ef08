"""The tables of `places.sqlite`: their columns, their rows, and a digest that another SQLite cannot change.

A place is known by a number (`refs.py`): a GeoNames id, minus the GB/T 2260 code of a division, or the code of a town of
Taiwan. `name.n` and `area.n` are folded. `place.zh` is the name of a division, whose `name` is then that of its GeoNames
place, if it has one. `adm` is matched with `area.adm`, `admin` is for display. `lat` and `lon` are thousandths of a degree,
in `entry` degrees. `own` are names as good as the place's own, `former` former
names; `chinese` and `region` are for display.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from bazi_core.place.areas import above, province_names, region_names
from bazi_core.place.rules import BEIJING_TIME, NAMELESS, City, Division, zones
from bazi_core.place.store import uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.place.names import Added

Row = tuple[Any, ...]
Tables = dict[str, list[Row]]

SCHEMA = """
CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT NOT NULL, zh TEXT, cc TEXT NOT NULL, adm TEXT NOT NULL,
    admin TEXT, level INTEGER NOT NULL, lat INTEGER NOT NULL, lon INTEGER NOT NULL, tz INTEGER NOT NULL, alt_tz INTEGER,
    pop INTEGER);
CREATE TABLE name (n TEXT NOT NULL, i INTEGER NOT NULL, PRIMARY KEY (n, i)) WITHOUT ROWID;
CREATE TABLE own (n TEXT NOT NULL, i INTEGER NOT NULL, PRIMARY KEY (n, i)) WITHOUT ROWID;
CREATE TABLE former (n TEXT NOT NULL, i INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL, first INTEGER,
    last INTEGER);
CREATE TABLE chinese (i INTEGER PRIMARY KEY, hans TEXT NOT NULL, hant TEXT NOT NULL);
CREATE TABLE eminent (i INTEGER PRIMARY KEY, times INTEGER NOT NULL);
CREATE TABLE region (cc TEXT NOT NULL, adm TEXT NOT NULL, en TEXT NOT NULL, hans TEXT NOT NULL, hant TEXT NOT NULL,
    PRIMARY KEY (cc, adm)) WITHOUT ROWID;
CREATE TABLE alias (gn INTEGER PRIMARY KEY, i INTEGER NOT NULL);
CREATE TABLE area (n TEXT NOT NULL, cc TEXT NOT NULL, adm TEXT NOT NULL, PRIMARY KEY (n, cc, adm)) WITHOUT ROWID;
CREATE TABLE zone (id INTEGER PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE VIEW entry AS SELECT place.id AS id, coalesce(zh, name) AS name, cc, adm, admin, level,
    lat / 1000.0 AS lat, lon / 1000.0 AS lon, zone.key AS tz, other.key AS alt_tz, pop,
    (SELECT times FROM eminent WHERE eminent.i = place.id) AS times
    FROM place JOIN zone ON zone.id = place.tz LEFT JOIN zone AS other ON other.id = place.alt_tz;
"""
TABLES = ("place", "name", "own", "former", "chinese", "eminent", "region", "alias", "area", "zone", "meta")


def tables_of(
    divisions: list[Division],
    cities: list[City],
    codes: list[dict[str, str]],
    areas: list[dict[str, str]],
    area: list[tuple[str, str, str]],
    region: list[tuple[str, str, str, str, str]],
    added: Added,
    meta: dict[str, str],
) -> Tables:
    """The sorted rows of every table, after the merge of divisions and cities."""
    provinces = province_names(codes)
    entries = [*_divisions(divisions, provinces), *_cities(cities, region_names(areas, provinces))]
    keys = sorted({key for entry in entries for key in entry[9:11] if key})
    zone = {key: number for number, key in enumerate(keys, 1)}
    return {
        "place": sorted((*row[:9], zone[row[9]], zone.get(row[10]), row[11]) for row in entries),
        "name": sorted(
            {(key, -int(division.code)) for division in divisions for key in division.names}
            | {(key, city.number) for city in cities for key in city.names}
            | added.further
        ),
        "own": sorted(added.own),
        "former": sorted(added.former, key=repr),
        "chinese": sorted(added.chinese),
        "eminent": sorted(added.eminent),
        "region": region,
        "alias": sorted(
            {(division.absorbed.number, -int(division.code)) for division in divisions if division.absorbed}
            | added.alias
        ),
        "area": list(area),
        "zone": [(number, key) for key, number in zone.items()],
        "meta": sorted(meta.items()),
    }


def _divisions(divisions: list[Division], provinces: dict[str, str]) -> Iterable[Row]:
    prefectures = {division.code[:4]: division.name for division in divisions if division.is_prefecture}
    for division in divisions:
        city = division.absorbed
        name = provinces[division.code[:2]] if division.name in NAMELESS else division.name
        yield (
            -int(division.code),
            division.latin_name if division.name not in NAMELESS else name,
            name,
            "CN",
            division.code,
            above(division, provinces, prefectures),
            division.level,
            _thousandths(division.latitude),
            _thousandths(division.longitude),
            *zones("CN", city.zone if city else BEIJING_TIME, division.code),
            division.population or None,
        )


def _cities(cities: list[City], regions: dict[tuple[str, str], str]) -> Iterable[Row]:
    for city in cities:
        yield (
            city.number,
            city.name,
            None,
            city.country,
            city.admin1,
            regions.get((city.country, city.admin1), city.admin1) or None,
            city.level,
            _thousandths(city.latitude),
            _thousandths(city.longitude),
            *zones(city.country, city.zone),
            city.population or None,
        )


def _thousandths(degrees: float) -> int:
    return round(round(degrees, 3) * 1000)


def digests(tables: Tables) -> dict[str, dict[str, Any]]:
    """For every table the number of its rows and the SHA-256 of its sorted rows, one JSON array a line."""
    return {name: {"rows": len(rows), "sha256": _digest(rows)} for name, rows in tables.items()}


def _digest(rows: list[Row]) -> str:
    lines = sorted(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def read_tables(path: str) -> Tables:
    """All rows of a place table."""
    with closing(sqlite3.connect(uri(path), uri=True)) as connection:
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}


def write_tables(tables: Tables, path: str) -> None:
    """Write a place table; an old file is replaced only by a complete new one."""
    unfinished = path + ".new"
    if os.path.exists(unfinished):
        os.remove(unfinished)
    with closing(sqlite3.connect(unfinished)) as connection:
        connection.executescript(SCHEMA)
        for name, rows in tables.items():
            values = ",".join("?" * len(rows[0])) if rows else ""
            connection.executemany(f"INSERT INTO {name} VALUES ({values})", rows)
        connection.commit()
        connection.execute("VACUUM")
    os.replace(unfinished, path)
