"""Names, levels and merging, on places made for the purpose."""

from bazi_core.place.folding import letter_map
from bazi_core.place.rules import (
    City,
    Division,
    city_names,
    country_of,
    division_names,
    folded,
    is_place,
    merge,
    short_names,
    zones,
)
from tests.tables import holds_for_all


def city(number: int, *names: str, at=(40.0, 116.0), people: int = 1000, country: str = "CN") -> City:
    return City(number, names[0], country, "22", *at, "Asia/Shanghai", people, folded(names, letter_map()))


def division(code: str, name: str, at=(40.0, 116.0)) -> Division:
    return Division(code, name, *at, folded(division_names(name), letter_map()))


@holds_for_all(
    "name, names",
    [
        ("大同市", "大同市 大同"),
        ("忠县", "忠县"),
        ("延边朝鲜族自治州", "延边朝鲜族自治州 延边朝鲜族 延边"),
        ("伊犁哈萨克自治州", "伊犁哈萨克自治州 伊犁哈萨克 伊犁"),
        ("海西蒙古族藏族自治州", "海西蒙古族藏族自治州 海西蒙古族藏族 海西"),
        ("龙胜各族自治县", "龙胜各族自治县 龙胜各族 龙胜"),
        ("长白朝鲜族自治县", "长白朝鲜族自治县 长白朝鲜族 长白"),
        ("东乡族自治县", "东乡族自治县 东乡族"),
        ("鄂温克族自治旗", "鄂温克族自治旗 鄂温克族"),
        ("阿拉善盟", "阿拉善盟 阿拉善"),
        ("喀什地区", "喀什地区 喀什地 喀什"),
        ("矿区", "矿区"),
    ],
)
def test_a_division_is_also_known_without_kind_and_nationalities(name: str, names: str) -> None:
    expected = set(names.split())
    assert expected <= short_names(name)
    assert all(len(short) >= 2 for short in short_names(name))


def test_the_name_inner_mongolia_keeps_its_mongolia() -> None:
    assert "内" not in short_names("内蒙古自治区", ("自治区",))
    assert short_names("内蒙古自治区", ("自治区",)) == {"内蒙古自治区", "内蒙古"}


@holds_for_all(
    "code, name, level",
    [
        ("110000", "北京市", 3), ("110105", "朝阳区", 3), ("310115", "浦东新区", 3),
        ("220100", "长春市", 3), ("653100", "喀什地区", 3), ("500233", "忠县", 2), ("330782", "义乌市", 2),
        ("150521", "科尔沁左翼中旗", 2), ("220104", "朝阳区", 1),
    ],
)  # fmt: skip
def test_levels_follow_the_kind_of_division(code: str, name: str, level: int) -> None:
    assert division(code, name).level == level


def test_provinces_and_the_lands_left_to_geonames_are_not_places() -> None:
    assert [is_place(code) for code in ("220000", "650000", "710100", "810001", "820000")] == [False] * 5
    assert [is_place(code) for code in ("110000", "500000", "220100", "659001")] == [True] * 4


def test_a_big_city_keeps_its_latin_names_and_a_small_one_does_not() -> None:
    alternates = ["Péking", "Pʻekʻin", "Пекин", "بكين", "北京市", "ペキン", "베이징"]
    assert set(city_names("Beijing", alternates, 100_000)) == {
        "Beijing", "Péking", "Pʻekʻin", "北京市", "北京", "ペキン", "베이징",
    }  # fmt: skip
    assert set(city_names("Beijing", alternates, 99_999)) == {"Beijing", "北京市", "北京", "ペキン", "베이징"}


def test_a_division_absorbs_the_most_populous_namesake_nearby() -> None:
    town, village = city(1, "Datong", "大同", people=500), city(2, "Datong village", "大同", people=5)
    far = city(3, "Far Datong", "大同", at=(40.0, 116.11), people=9000)
    other = city(4, "Other", "别名", people=9999)
    home = division("140200", "大同市")
    left = merge([home], [village, town, far, other])
    assert home.absorbed is town
    assert {"datong", "大同", "大同市"} <= home.names
    assert home.population == 500
    assert left == [village, far, other]


def test_the_higher_division_chooses_first_and_nobody_is_absorbed_twice() -> None:
    town = city(1, "Datong", "大同", people=500)
    county, prefecture = division("130227", "大同县"), division("140200", "大同市")
    assert merge([county, prefecture], [town]) == []
    assert prefecture.absorbed is town
    assert county.absorbed is None


def test_equal_towns_are_told_apart_by_the_lower_number() -> None:
    home = division("140200", "大同市")
    merge([home], [city(7, "a", "大同"), city(6, "b", "大同"), city(8, "c", "大同")])
    assert home.absorbed is not None
    assert home.absorbed.number == 6


def test_places_of_other_countries_are_never_absorbed() -> None:
    home = division("140200", "大同市")
    abroad = city(1, "Datong", "大同", country="MN")
    assert merge([home], [abroad]) == [abroad]
    assert home.population == 0


def test_only_a_prefecture_counts_the_people_of_a_stranger_nearby() -> None:
    stranger = city(1, "Kangding", people=130_000)
    prefecture, county = division("513300", "甘孜藏族自治州"), division("513321", "别县")
    assert merge([county, prefecture], [stranger]) == [stranger]
    assert (prefecture.population, county.population) == (130_000, 0)


def test_a_nameless_division_absorbs_nothing() -> None:
    nameless = division("110100", "市辖区")
    assert nameless.names == set()
    assert not nameless.is_prefecture
    merge([nameless], [city(1, "Beijing", "市辖区")])
    assert nameless.absorbed is None


def test_xinjiang_by_code_or_by_zone_keeps_two_clocks() -> None:
    assert zones("CN", "Asia/Shanghai", "652701") == ("Asia/Shanghai", "Asia/Urumqi")
    assert zones("CN", "Asia/Urumqi") == ("Asia/Shanghai", "Asia/Urumqi")
    assert zones("CN", "Asia/Shanghai", "540100") == ("Asia/Shanghai", None)
    assert zones("KZ", "Asia/Almaty") == ("Asia/Almaty", None)


def test_macau_is_not_under_china_whatever_the_file_says() -> None:
    assert country_of("CN", "Asia/Macau") == "MO"
    assert zones(country_of("CN", "Asia/Macau"), "Asia/Macau") == ("Asia/Macau", None)
