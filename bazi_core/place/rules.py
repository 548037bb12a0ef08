"""Names, ranks and merging of the places of the builder's two sources.

Chinese administrative divisions bring exact names and the hierarchy of GB/T 2260 codes; GeoNames brings the
rest of the world, populations, zones and names in other languages. A division takes over the GeoNames place
that is the same town, so that 北京, Beijing and Peking are one place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from bazi_core.place.folding import fold

BEIJING_TIME, URUMQI_TIME, MACAU_TIME = "Asia/Shanghai", "Asia/Urumqi", "Asia/Macau"
XINJIANG = "65"
MUNICIPALITIES = ("11", "12", "31", "50")
NAMELESS = ("市辖区", "县")
"""Rows between a municipality and its districts or counties: reached by their code, under the municipality's name."""
LEFT_TO_GEONAMES = ("71", "81", "82")
"""Taiwan, Hong Kong, Macau: GeoNames has their zones and their countries of ISO 3166."""
KINMEN = "350527"
"""Kinmen stands in the lists of Fujian and has the clock of Taiwan: the code leads to the county there."""

SUFFIXES = (
    "特别行政区",
    "新区",
    "自治州",
    "自治县",
    "自治旗",
    "地区",
    "林区",
    "矿区",
    "盟",
    "市",
    "县",
    "区",
    "旗",
)
AUTONOMOUS = ("自治区", "自治州", "自治县", "自治旗")
NATIONALITIES = re.compile(
    "(?<=..)(?:(?:回|藏|苗|彝|壮|满|侗|瑶|白|傣|黎|佤|畲|水|土|羌|怒|京|各)族|"
    "(?:蒙古|维吾尔|布依|朝鲜|土家|哈尼|哈萨克|傈僳|高山|拉祜|东乡|纳西|景颇|柯尔克孜|达斡尔|仫佬|布朗|撒拉|毛南|"
    "仡佬|锡伯|阿昌|普米|塔吉克|乌孜别克|俄罗斯|鄂温克|德昂|保安|裕固|塔塔尔|独龙|鄂伦春|赫哲|门巴|珞巴|基诺)族?)+$"
)
"""GB/T 3304-1991 without 汉, after at least two other characters; 各 as in 龙胜各族自治县."""

SHORTEST_NAME = 2
SAME_TOWN_DEG = 0.1
LATIN_NAMES_FROM = 100_000
"""People a GeoNames place needs for its Latin alternate names, mostly transcriptions, to be kept."""


@dataclass(slots=True)
class City:
    """A GeoNames place with its folded names."""

    number: int
    name: str
    country: str
    admin1: str
    latitude: float
    longitude: float
    zone: str
    population: int
    names: set[str]
    level: int = 0


@dataclass(slots=True)
class Division:
    """A Chinese administrative division with its folded names."""

    code: str
    name: str
    latitude: float
    longitude: float
    names: set[str]
    pinyin: str = ""
    latin: str = ""
    population: int = 0
    absorbed: City | None = None

    @property
    def level(self) -> int:
        """3 prefectures, municipalities and their districts, 2 counties, 1 other districts.

        >>> Division("110105", "朝阳区", 39.9, 116.4, set()).level, Division("220104", "朝阳区", 0, 0, set()).level
        (3, 1)
        """
        district = self.name.endswith("区")
        if self.code[4:] == "00" or (district and self.code[:2] in MUNICIPALITIES):
            return 3
        return 1 if district else 2

    @property
    def latin_name(self) -> str:
        """The name in Latin letters: English (Hohhot), else pinyin, else the GeoNames name.

        >>> Division("150100", "呼和浩特市", 40.8, 111.7, set(), "Huhehaote", "Hohhot").latin_name
        'Hohhot'
        """
        return self.latin or self.pinyin or (self.absorbed.name if self.absorbed else self.name)

    @property
    def is_prefecture(self) -> bool:
        """Whether it is a city, region or league that holds counties and stands in their addresses."""
        return self.code[4:] == "00" and self.code[2:4] != "00" and self.name not in NAMELESS


def division_names(name: str) -> set[str]:
    """The names that a division is looked up by.

    >>> sorted(division_names("大同市")), division_names("市辖区")
    (['大同', '大同市'], set())
    """
    return set() if name in NAMELESS else short_names(name)


def is_place(code: str) -> bool:
    """Whether a division is a place of the table, and not only an area that holds places."""
    province = code[:2]
    return (
        code != KINMEN
        and province not in LEFT_TO_GEONAMES
        and (code[2:] != "0000" or province in MUNICIPALITIES)
    )


def short_names(name: str, suffixes: Iterable[str] = SUFFIXES) -> set[str]:
    """A Chinese name, the name without its kind, and the name without kind and nationalities.

    >>> sorted(short_names("延边朝鲜族自治州"))
    ['延边', '延边朝鲜族', '延边朝鲜族自治州']
    >>> short_names("忠县")
    {'忠县'}
    """
    names = {name}
    for suffix in suffixes:
        rest = name.removesuffix(suffix)
        if rest != name and len(rest) >= SHORTEST_NAME:
            names.add(rest)
            if suffix in AUTONOMOUS:
                names.add(NATIONALITIES.sub("", rest))
    return names


def city_names(
    name: str, alternates: Iterable[str], population: int, scripts: Container[str] = ()
) -> Iterator[str]:
    """The names of a GeoNames place worth a row; `scripts` are further ones of a place that is large enough.

    >>> sorted(city_names("Seoul", ["서울", "Séoul", "Сеул", "首爾市"], 9_000_000))
    ['Seoul', 'Séoul', '首爾', '首爾市', '서울']
    >>> sorted(city_names("Moscow", ["Москва", "موسكو"], 10_381_222, ["CYRILLIC"]))
    ['Moscow', 'Москва']
    """
    yield name
    for other in alternates:
        if all(_script(character) == "CJK" for character in other):
            yield from short_names(other)
        elif any(_script(character) in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL") for character in other) or (
            population >= LATIN_NAMES_FROM
            and (_is_in(("LATIN", "MODIFIER"), other) or _is_in(scripts, other))
        ):
            yield other


@cache
def _script(character: str) -> str:
    """The first word of the character's Unicode name: CJK, KATAKANA, LATIN …"""
    return unicodedata.name(character, "").partition(" ")[0]


def _is_in(scripts: Container[str], text: str) -> bool:
    return all(_script(letter) in scripts for letter in text if letter.isalpha())


def merge(divisions: list[Division], cities: list[City]) -> list[City]:
    """Let divisions take over their GeoNames places, the highest level first; returns the cities left.

    A prefecture that finds no namesake counts the people of the largest town near it.
    """
    chinese = [city for city in cities if city.country == "CN"]
    taken: set[int] = set()
    for division in sorted(divisions, key=lambda division: (-division.level, division.code)):
        near = [city for city in chinese if _is_near(division, city)]
        same = [city for city in near if city.number not in taken and city.names & division.names]
        if same:
            city = max(same, key=lambda city: (city.population, -city.number))
            taken.add(city.number)
            division.absorbed = city
            division.names |= city.names
            division.population = city.population
        elif near and division.code[4:] == "00":
            division.population = max(city.population for city in near)
    return [city for city in cities if city.number not in taken]


def _is_near(division: Division, city: City) -> bool:
    return (
        abs(division.latitude - city.latitude) <= SAME_TOWN_DEG
        and abs(division.longitude - city.longitude) <= SAME_TOWN_DEG
    )


def zones(country: str, zone: str, code: str = "") -> tuple[str, str | None]:
    """The zone of a place, and the second clock used there, if any.

    All China is on Beijing time; Xinjiang keeps Ürümqi time as well.

    >>> zones("CN", "Asia/Urumqi"), zones("CN", "Asia/Shanghai", "652300"), zones("JP", "Asia/Tokyo")
    (('Asia/Shanghai', 'Asia/Urumqi'), ('Asia/Shanghai', 'Asia/Urumqi'), ('Asia/Tokyo', None))
    """
    if country != "CN":
        return zone, None
    both = zone == URUMQI_TIME or code.startswith(XINJIANG)
    return BEIJING_TIME, URUMQI_TIME if both else None


def country_of(country: str, zone: str) -> str:
    """The country of a GeoNames place; parishes of Macau that are filed under CN belong to MO."""
    return "MO" if zone == MACAU_TIME else country


def folded(names: Iterable[str], letters: dict[int, str]) -> set[str]:
    """The keys of some names, without empty ones."""
    return {key for key in (fold(name, letters) for name in names) if key}
