"""`bazi find`: pillars without a date."""

import bazi_core as bz

FOUR = "庚午 辛巳 庚辰 壬午"


def test_json_is_what_the_core_gives(bazi):
    assert bazi.json("find", FOUR, "--city", "北京") == bz.find(FOUR, city="北京").to_dict()


def test_the_pillars_need_no_quotes(bazi):
    assert bazi.json("find", *FOUR.split()) == bazi.json("find", FOUR)


def test_text_names_the_clock_and_the_windows(bazi):
    told = bazi.text("find", FOUR, "--city", "北京", "--from", "1990", "--to", "1990")
    assert "日柱时柱用真太阳时" in told
    assert "│ 1990-05-15 12:10:40 +09:00 │ 14:10:40 │" in told
    assert "| 1930-05-30 11:00:00 +08:00 | 13:00:00 |" in bazi.text("find", FOUR, "-f", "md")


def test_a_term_that_cuts_is_named(bazi):
    told = bazi.text("find", "丁卯 壬寅 甲申 壬申", "--from", "1987-02-01", "--to", "1987-02-28")
    assert "立春起" in told
    english = bazi.text("find", "丁卯 壬寅 甲申 壬申", "--from", "1987", "--to", "1987", "--lang", "en")
    assert "after 立春" in english


def test_of_what_is_not_known_the_pillars_are_shown(bazi):
    told = bazi.text("find", "庚午 ? 庚辰 ?午", "--from", "1990", "--to", "1990", "--lang", "zh-Hant")
    assert "庚午 辛巳 庚辰 壬午" in told
    assert "所求    年柱 庚午 日柱 庚辰 时柱 ?午".replace("时", "時") in told


def test_nothing_found_is_said_and_explained(bazi):
    told = bazi.text("find", "乙丑 戊寅 己未 己巳", "--explain")
    assert "此范围内没有这样的时刻" in told
    assert "1925-02-04至1925-03-06" in told.replace("\n  ", "")
    assert "五虎遁" in told
    assert "五鼠遁" in told
    assert bazi.json("find", "乙丑 戊寅 己未 己巳", "--explain", "-f", "json")["months"]


def test_the_explanation_may_come_before_the_pillars(bazi):
    assert bazi.text("find", "--explain", FOUR) == bazi.text("find", FOUR, "--explain")


def test_the_school_decides_the_day_and_the_year(bazi):
    late = bazi.text("find", "壬戌 辛亥 己未 丙子", "--day-boundary", "00:00", "--explain")
    assert "晚子时用次日之干" in late
    assert "1982-12-02 23:00:00 +08:00" in late
    assert "正月初一为界" in bazi.text(
        "find", "乙巳 庚寅", "?", "?", "--year-boundary", "lunar_new_year", "--explain"
    )


def test_what_cannot_be_is_an_error_with_its_rule(bazi):
    status, problem = bazi.problem("find", "庚午 甲午 ? ?")
    assert (status, problem["code"], problem["data"]["rule"]) == (4, "INVALID_PILLARS", "five_tigers")
    assert bazi.problem("find", "庚午", "辛巳")[1]["data"]["rule"] == "count"
    assert bazi.problem("find", FOUR, "--from", "1500")[0] == 5
    assert bazi.problem("find")[0] == 2
