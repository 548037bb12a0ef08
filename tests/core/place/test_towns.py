"""The counties and towns of Taiwan: their sheet, their places in the table, and the names of Chinese-speaking places."""

import csv
import json
from pathlib import Path

import pytest

from bazi_core.errors import PlaceAmbiguous
from bazi_core.place import boundaries, build, store, towns
from bazi_core.place.clusters import CLUSTER_DEG
from bazi_core.place.display import place_shown, region_shown
from bazi_core.place.gazetteer import look_up
from tests.tables import holds_for_all

SHEET = build.read_sheet("taiwan.csv")
COUNTIES = {row["code"][:5]: row["name"] for row in SHEET if row["seat"]}
NAMES = list(
    csv.DictReader(Path(__file__).with_name("chinese_names.csv").read_text(encoding="utf-8").splitlines())
)


def candidates(query: str) -> list[str]:
    with pytest.raises(PlaceAmbiguous) as caught:
        look_up(query)
    return [candidate["ref"] for candidate in caught.value.data["candidates"]]


# Names


def test_taiwan_has_twenty_two_counties_and_three_hundred_and_sixty_eight_towns() -> None:
    assert len(COUNTIES) == 22
    assert len(SHEET) == 22 + 368


@holds_for_all("row", SHEET, lambda row: row["code"])
def test_each_town_is_found_with_its_county_before_it_and_on_the_clock_of_taiwan(row: dict[str, str]) -> None:
    county = "" if row["seat"] else COUNTIES[row["code"][:5]]
    for query in (f"臺灣{county}{row['name']}", f"台湾{county.replace('臺', '台')}{row['name']}"):
        place = look_up(query)
        assert (place.country, place.timezone_id) == ("TW", "Asia/Taipei")
        assert place.longitude == pytest.approx(float(row["longitude"]), abs=CLUSTER_DEG)
        assert place.latitude == pytest.approx(float(row["latitude"]), abs=CLUSTER_DEG)


@holds_for_all("row", [row for row in NAMES if row["answer"] == "taken"], lambda row: row["query"])
def test_a_name_that_chinese_communities_use_leads_to_its_place(row: dict[str, str]) -> None:
    assert look_up(row["query"]).ref == row["ref"]


@holds_for_all("row", [row for row in NAMES if row["answer"] == "ask"], lambda row: row["query"])
def test_a_name_that_two_large_places_bear_is_put_back_with_both(row: dict[str, str]) -> None:
    assert row["ref"] in candidates(row["query"])


def test_a_district_as_large_as_the_county_of_its_name_is_asked_about() -> None:
    assert candidates("永和") == ["cn:141032", "tw:65000040"]
    assert look_up("山西永和").ref == "cn:141032"
    assert look_up("新北永和").ref == look_up("Yonghe, New Taipei").ref == "tw:65000040"


def test_a_small_town_does_not_stand_in_the_way_of_a_county_of_its_name_but_is_named() -> None:
    place = look_up("新化")
    assert place.ref == "cn:431322"
    assert [other.ref for other in place.passed_over] == ["tw:67000180"]


def test_lienchiang_is_asked_about_beside_the_county_of_fujian_that_is_larger() -> None:
    assert candidates("连江县") == ["cn:350122", "tw:09007000"]
    assert look_up("馬祖").ref == "tw:09007000"


def test_kinmen_has_the_clock_of_taiwan_by_its_code_of_fujian_too() -> None:
    assert look_up("cn:350527") == look_up("350527") == look_up("金門") == look_up("tw:09020000")
    assert look_up("金門").timezone_id == "Asia/Taipei"


def test_what_a_district_was_called_before_it_was_one_leads_to_it() -> None:
    for query in ("永和市", "台北縣永和市", "臺灣省台北縣永和鎮"):
        assert look_up(query).ref == "tw:65000040"
    assert look_up("高雄縣鳳山市").ref == "gn:1673816"


# What is shown


def test_a_town_is_shown_in_the_characters_of_the_reader() -> None:
    place = look_up("中壢")
    assert place_shown(place, "zh-Hant").startswith("中壢區 ")
    assert place_shown(place, "zh-Hans").startswith("中坜区 ")
    assert place_shown(place, "en").startswith("Zhongli ")
    assert region_shown(place.ref, place.admin, place.country, "zh-Hant") == "臺灣桃園市"
    assert region_shown(place.ref, place.admin, place.country, "en") == "Taoyuan, Taiwan"
    assert place.source == "adcode"


# The sheet


def test_a_county_lies_at_its_seat() -> None:
    for county, seat in (("雲林縣", "斗六市"), ("澎湖縣", "馬公市"), ("屏東縣", "屏東市")):
        at = look_up(county)
        assert look_up(f"{county}{seat}")[1:4] == at[1:4]


@pytest.mark.parametrize(
    ("code", "seat", "villages", "level"),
    [
        ("10002000", "10002010", 233, 3), ("09007000", "09007010", 22, 2), ("65000170", "", 17, 1),
        ("67000180", "", 20, 0), ("67000010", "", 30, 1),
    ],
)  # fmt: skip
def test_the_rank_of_a_town_follows_its_villages(code: str, seat: str, villages: int, level: int) -> None:
    assert towns.level({"code": code, "seat": seat, "villages": str(villages)}) == level


ATLAS = {
    "transform": {"scale": [0.5, 0.5], "translate": [120.0, 23.0]},
    "arcs": [[[0, 0], [2, 0], [0, 2]], [[0, 0], [0, 2], [2, 0]]],
    "objects": {
        "villages": {
            "geometries": [
                {"type": "Polygon", "arcs": [[0, -2]], "properties": {"TOWNCODE": "65000040"}},
                {"type": None, "properties": {"TOWNCODE": "65000040"}},
            ]
        },
        "towns": {
            "geometries": [
                {
                    "properties": {
                        "TOWNCODE": "65000040",
                        "COUNTYNAME": "新北市",
                        "TOWNNAME": "板橋區",
                        "TOWNENG": "Banqiao District",
                    }
                }
            ]
        },
        "counties": {
            "geometries": [
                {
                    "properties": {
                        "COUNTYCODE": "65000",
                        "COUNTYNAME": "新北市",
                        "COUNTYENG": "New Taipei City",
                    }
                }
            ]
        },
    },
}


def test_a_town_lies_in_the_middle_of_its_villages() -> None:
    county, town = boundaries.sheet(ATLAS)
    assert town == {
        "code": "65000040", "name": "板橋區", "latin": "Banqiao District", "former": "板橋市|板橋鎮", "villages": 1,
        "longitude": 120.5, "latitude": 23.5,
    }  # fmt: skip
    assert (county["code"], county["seat"], county["longitude"]) == ("65000000", "65000040", 120.5)


@pytest.mark.parametrize(
    ("county", "district", "former"),
    [
        ("高雄市", "那瑪夏區", "三民鄉"), ("高雄市", "三民區", ""), ("臺中市", "大甲區", "大甲鎮"),
        ("臺中市", "大雅區", "大雅鄉"), ("基隆市", "仁愛區", ""),
    ],
)  # fmt: skip
def test_a_district_was_a_city_a_town_or_a_township(county: str, district: str, former: str) -> None:
    assert boundaries._former(county, district) == former


def test_another_file_of_boundaries_is_refused(tmp_path, capsys) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(ATLAS), encoding="utf-8")
    assert boundaries.main([str(other)]) == 1
    assert boundaries.main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_file_of_boundaries_is_written_as_a_sheet(tmp_path, monkeypatch, capsys) -> None:
    file = tmp_path / "villages.json"
    file.write_text(json.dumps(ATLAS), encoding="utf-8")
    monkeypatch.setattr(
        boundaries, "VILLAGES_SHA256", boundaries.hashlib.sha256(file.read_bytes()).hexdigest()
    )
    assert boundaries.main([str(file)]) == 0
    assert "65000040,板橋區,Banqiao District,,板橋市|板橋鎮,1,120.5,23.5" in capsys.readouterr().out


def test_every_place_of_taiwan_lies_in_a_county() -> None:
    assert {code for (code,) in store.rows("SELECT DISTINCT adm FROM place WHERE cc = 'TW'")} == {*COUNTIES}
