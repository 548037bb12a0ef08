"""`bazi luck`: cycles, and the flow pillars that are asked for."""

import pytest

import bazi_core as bz
from bazi_core.render.width import width

BORN = ("luck", "1990-05-15 13:30", "--city", "北京", "--gender", "male")


def test_in_english_the_pillars_have_their_names(bazi):
    told = bazi.text(*BORN, "--lang", "en", COLUMNS="100").splitlines()
    assert told[:2] == [
        "BaZi chart  male",
        "Four pillars: 庚午 Metal Horse, 辛巳 Metal Snake, 庚辰 Metal Dragon, 壬午 Water Horse",
    ]


def test_running_text_takes_the_display_as_a_chart_does(bazi):
    assert 100 < max(map(width, bazi.text(*BORN, "--lang", "en", COLUMNS="200").splitlines())) <= 120


def test_in_chinese_the_ten_cycles_are_one_table_at_sixty_columns(bazi):
    told = bazi.text(*BORN, COLUMNS="60")
    assert told.count("┌") == 1
    assert "│ 壬午 │ 食神 正官 │ 沐浴      │ 1997-08-16 │ 7    │ 8    │" in told


def test_json_has_the_luck_of_base_context(bazi):
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    found = bazi.json(*BORN)
    assert found["major_luck"] == chart.to_dict(facts=False)["major_luck"]
    assert found["four_pillars"]["day"] == "庚辰"
    assert [found[kind] for kind in ("liunian", "liuyue", "liuri", "liushi")] == [[], [], [], []]


def test_years_are_those_of_the_range(bazi):
    years = bazi.json(*BORN, "--years", "2020-2030")["liunian"]
    assert [flow["label"] for flow in years] == [str(year) for year in range(2020, 2031)]
    assert years[6]["ganzhi"] == "丙午"


def test_one_year_is_a_range_too(bazi):
    assert len(bazi.json(*BORN, "--years", "2026")["liunian"]) == 1


def test_target_gives_the_ten_years_of_the_running_cycle(bazi):
    years = bazi.json(*BORN, "--target", "2026")["liunian"]
    assert [years[0]["label"], years[-1]["label"], len(years)] == ["2017", "2026", 10]


def test_target_before_the_first_cycle_gives_the_years_of_childhood(bazi):
    years = bazi.json(*BORN, "--target", "1992")["liunian"]
    assert [years[0]["label"], years[-1]["label"]] == ["1990", "1996"]


def test_a_year_has_its_twelve_months_with_instants(bazi):
    months = bazi.json(*BORN, "--year", "2026")["liuyue"]
    assert len(months) == 12
    assert (months[0]["jie"], months[0]["ganzhi"], months[0]["start"]) == (
        "立春",
        "庚寅",
        "2026-02-03T20:02:07.951Z",
    )


def test_a_date_shows_its_day_and_its_double_hours(bazi):
    found = bazi.json(*BORN, "--date", "2026-05-05")
    assert [flow["ganzhi"] for flow in found["liuri"]] == ["己卯"]
    assert [flow["ganzhi"] for flow in found["liushi"]][:2] == ["甲子", "乙丑"]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_every_table_fits_eighty_columns_in_one_piece(bazi, lang):
    told = bazi.text(*BORN, "--years", "2080-2099", "--year", "2026", "--date", "2026-05-05", "--lang", lang)
    assert max(map(width, told.splitlines())) <= 80
    assert told.count("┌") == 5


def test_minor_luck_may_be_left_out(bazi):
    assert "小运" not in bazi.text(*BORN, "--xiaoyun", "none")


def test_strict_ends_with_nine(bazi):
    assert bazi(*BORN, "--strict").exit_code == 9


def test_json_tells_what_runs_and_what_the_decades_meet(bazi):
    found = bazi.json(*BORN, "--as-of", "2030-01-01")
    assert found["running"] == {
        "at": "2030-01-01T04:00:00Z", "state": "decade", "cycle": 3, "luck_pillar": "乙酉", "year": 2029,
        "year_pillar": "己酉", "xiaoyun": "壬戌", "age_nominal": 40, "age_full": 39,
    }  # fmt: skip
    met = found["cycles_met"][2]
    assert [star["name"] for star in met["stars_met"]] == ["禄神", "驿马", "孤辰", "空亡"]
    assert met["stars_met"][1]["derives_from"] == ["dy.3", "p.year.branch"]
    assert "干冲" in {each["type"] for each in met["relations"]}


def test_years_alone_lists_those_of_a_life_under_their_decades(bazi):
    found = bazi.json(*BORN, "--years")["liunian"]
    assert [found[0]["label"], found[-1]["label"], len(found)] == ["1990", "2096", 107]
    assert (found[36]["age_full"], found[36]["age_nominal"], found[36]["xiaoyun"]) == (36, 37, "己未")


def test_years_before_the_time_does_not_take_it_for_a_range(bazi):
    first, *rest = BORN[1:]
    assert bazi.text("luck", *rest, "--years", first) == bazi.text(*BORN, "--years")
    assert bazi.text("chart", *rest, "--years", first) == bazi.text("chart", *BORN[1:], "--years")


def test_a_year_meets_stars(bazi):
    found = bazi.json(*BORN, "--years", "2026")["liunian"]
    assert [star["evidence_id"] for star in found[0]["stars_met"]] == ["ln.2026.met.将星"]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_all_years_fit_the_display(bazi, lang, columns):
    told = bazi.text(*BORN, "--years", "--lang", lang, COLUMNS=columns)
    assert max(map(width, told.splitlines())) <= int(columns)


def test_the_years_of_a_chart_are_not_in_its_object(bazi):
    status, problem = bazi.problem("chart", *BORN[1:], "--years")
    assert (status, problem["code"]) == (2, "USAGE")


def test_the_ten_cycles_are_one_table_at_eighty_columns_even_with_the_longest_name(bazi):
    told = bazi.text("luck", "1961-11-10 09:30", "--city", "北京", "--gender", "female", "--lang", "en")
    assert "Earth Rooster" in told
    assert told.count("┌") == 1
    head = next(line for line in told.splitlines() if "Pillar" in line)
    assert head.endswith("│ Full │ Nominal │")
