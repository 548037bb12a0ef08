"""Names that the sources of places do not have, as the builder reads them from `data/places`.

Former names with their years, names in other languages, Chinese names of foreign cities, divisions in pinyin. Each
row names its place by `ref`; a GeoNames id that a division took over leads to the division.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bazi_core.place.refs import ref_of
from bazi_core.place.rules import City, Division, folded

if TYPE_CHECKING:
    Sheet = list[dict[str, str]]


@dataclass(slots=True)
class Sheets:
    """The rows of the sources that add names to existing places."""

    names: Sheet = field(default_factory=list)
    chinese: Sheet = field(default_factory=list)
    pinyin: Sheet = field(default_factory=list)
    eminent: Sheet = field(default_factory=list)
    scripts: Sheet = field(default_factory=list)
    taiwan: Sheet = field(default_factory=list)


@dataclass(slots=True)
class Added:
    """Rows of the tables `own`, `former`, `chinese`, `eminent` and `alias`, by the numbers of the places."""

    own: set[tuple[str, int]] = field(default_factory=set)
    former: set[tuple[Any, ...]] = field(default_factory=set)
    chinese: set[tuple[int, str, str]] = field(default_factory=set)
    eminent: set[tuple[int, int]] = field(default_factory=set)
    alias: set[tuple[int, int]] = field(default_factory=set)
    further: set[tuple[str, int]] = field(default_factory=set)
    """Further rows of `name`."""


def add_names(
    sheets: Sheets, divisions: list[Division], cities: list[City], letters: dict[int, str]
) -> Added:
    """The rows that the sheets add, for places that exist."""
    numbers = _numbers(divisions, cities)
    added = Added()
    for row in sheets.names:
        _add_name(row, numbers, letters, added)
    for row in sheets.chinese:
        if number := numbers.get(row["ref"]):
            added.chinese.add((number, row["hans"], row["hant"]))
            names = [row["hans"], row["hant"], *filter(None, row["also"].split("|"))]
            added.own |= {(key, number) for key in folded(names, letters)}
    for row in sheets.eminent:
        if number := numbers.get(row["ref"]):
            added.eminent.add((number, int(row["times"])))
    for division in divisions:
        for key in folded([*spellings(division.pinyin), division.latin], letters):
            added.further.add((key, -int(division.code)))
            if key not in folded([division.latin_name], letters):
                added.own.add((key, -int(division.code)))
    added.further |= added.own
    return added


def _add_name(row: dict[str, str], numbers: dict[str, int], letters: dict[int, str], added: Added) -> None:
    number = numbers.get(row["ref"])
    if number is None:
        return
    for name in row["names"].split("|"):
        (key,) = folded([name], letters)
        if row["use"] == "now":
            added.own.add((key, number))
        else:
            years = [int(row[year]) if row[year] else None for year in ("first", "last")]
            added.former.add((key, number, name, row["language"], *years))
            added.further.add((key, number))


def _numbers(divisions: list[Division], cities: list[City]) -> dict[str, int]:
    """The number of the place for each ref."""
    taken_over = {
        ref_of(division.absorbed.number): -int(division.code) for division in divisions if division.absorbed
    }
    numbers = (*(-int(division.code) for division in divisions), *(city.number for city in cities))
    return taken_over | {ref_of(number): number for number in numbers}


def spellings(pinyin: str) -> list[str]:
    """Pinyin as it is written, and with v for ü.

    >>> spellings("Lüliang"), spellings("Haidian"), spellings("")
    (['Lüliang', 'Lvliang'], ['Haidian'], [])
    """
    return [spelling for spelling in dict.fromkeys((pinyin, pinyin.replace("ü", "v"))) if spelling]
