"""Areas that hold places: countries, regions, Chinese provinces and prefectures.

An area is a country and a GLOB pattern over `place.adm`: a division has its GB/T 2260 code there (`22????` is
Jilin province, `2201??` Changchun), a GeoNames place its GeoNames region (`IL`), and `*` is the whole country.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.place.rules import Division, folded, short_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Named = tuple[Iterable[str], str, str]

PROVINCE_SUFFIXES = ("特别行政区", "自治区", "省", "市")
FURTHER_COUNTRY_NAMES = {"GB": ["UK"], "US": ["USA"]}


def area_rows(
    divisions: list[Division],
    codes: list[dict[str, str]],
    areas: list[dict[str, str]],
    countries: Iterable[Any],
    letters: dict[int, str],
) -> list[tuple[str, str, str]]:
    """Folded name, country and pattern of every area, sorted."""
    named = [
        *_provinces(codes),
        *_prefectures(divisions),
        *_further_names(areas),
        *((_country_names(country), country["iso"], "*") for country in countries),
    ]
    return sorted({(key, country, adm) for names, country, adm in named for key in folded(names, letters)})


def _provinces(codes: list[dict[str, str]]) -> Iterator[Named]:
    for code, name in province_names(codes).items():
        yield short_names(name, PROVINCE_SUFFIXES), "CN", f"{code}????"


def _prefectures(divisions: list[Division]) -> Iterator[Named]:
    for division in divisions:
        if division.is_prefecture:
            latin = [division.absorbed.name] if division.absorbed else []
            latin += filter(None, (division.pinyin, division.latin))
            yield [*short_names(division.name), *latin], "CN", f"{division.code[:4]}??"


def _further_names(areas: list[dict[str, str]]) -> Iterator[Named]:
    for row in areas:
        names, code = row["names"].split("|"), row["code"]
        if code.isdigit():
            yield names, row["country"], f"{code}????"
        elif code:
            names.append(code)
        yield [*names, *filter(None, (row["hans"], row["hant"]))], row["country"], row["admin1"] or "*"


def _country_names(country: Any) -> list[str]:
    return [country["iso"], country["iso3"], country["name"], *FURTHER_COUNTRY_NAMES.get(country["iso"], [])]


def province_names(codes: list[dict[str, str]]) -> dict[str, str]:
    """The first two digits of the code and the name of every province.

    >>> province_names([{"adcode": "220000000000", "name": "吉林省"}, {"adcode": "220100000000", "name": "长春市"}])
    {'22': '吉林省'}
    """
    return {row["adcode"][:2]: row["name"] for row in codes if row["adcode"][2:6] == "0000"}


def above(division: Division, provinces: dict[str, str], prefectures: dict[str, str]) -> str | None:
    """The province and prefecture before a division in a Chinese address; with its name they are a query that finds it.

    >>> above(Division("220104", "朝阳区", 43.8, 125.3, set()), {"22": "吉林省"}, {"2201": "长春市"})
    '吉林省长春市'
    """
    holders = (provinces[division.code[:2]], prefectures.get(division.code[:4], ""))
    return "".join(name for name in holders if name != division.name) or None


def region_rows(
    areas: list[dict[str, str]], countries: Iterable[Any]
) -> list[tuple[str, str, str, str, str]]:
    """(country, region or `*`, English name, simplified name, traditional name) of every area, sorted.

    The region is a GeoNames code, in China the first two digits of the divisions.
    """
    english = {country["iso"]: country["name"] for country in countries}
    return sorted(
        (
            row["country"],
            (row["code"] if row["country"] == "CN" else row["admin1"]) or "*",
            row["names"].split("|")[0] if row["admin1"] else english.get(row["country"], row["country"]),
            row["hans"],
            row["hant"],
        )
        for row in areas
        if row["hans"] or row["code"]
    )


def region_names(areas: list[dict[str, str]], provinces: dict[str, str]) -> dict[tuple[str, str], str]:
    """The display name of each (country, GeoNames region): its ISO 3166-2 code, in China the name of the province.

    >>> region_names([{"country": "CA", "admin1": "02", "code": "BC"}], {})
    {('CA', '02'): 'BC'}
    """
    return {
        (row["country"], row["admin1"]): provinces.get(row["code"], row["code"])
        for row in areas
        if row["admin1"]
    }
