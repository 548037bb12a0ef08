"""`bazi find`: pillars without a date."""

import bazi_core as bz

FOUR = "庚午 辛巳 庚辰 壬午"


def test_json_is_what_the_core_gives(bazi):
    assert bazi.json("find", FOUR, "--city", "北京") == bz.find(FOUR, city="北京").to_dict()


def test_the_pillars_need_no_quotes(bazi):
    assert bazi.json("find", *FOUR.split()) == bazi.json("find", FOUR)


def test_nothing_found_is_said_and_explained(bazi):
    told = bazi.text("find", "乙丑 戊寅 己未 己巳", "--explain")
    assert "此范围内没有这样的时刻" in told
    assert "1925-02-04至1925-03-06" in told.replace("\n  ", "")
    assert "五虎遁" in told
    assert "五鼠遁" in told
    assert bazi.json("find", "乙丑 戊寅 己未 己巳", "--explain", "-f", "json")["months"]


def test_the_explanation_may_come_before_the_pillars(bazi):
    assert bazi.text("find", "--explain", FOUR) == bazi.text("find", FOUR, "--explain")


def test_what_cannot_be_is_an_error_with_its_rule(bazi):
    status, problem = bazi.problem("find", "庚午 甲午 ? ?")
    assert (status, problem["code"], problem["data"]["rule"]) == (4, "INVALID_PILLARS", "five_tigers")
    assert bazi.problem("find", "庚午", "辛巳")[1]["data"]["rule"] == "count"
    assert bazi.problem("find", FOUR, "--from", "1500")[0] == 5
    assert bazi.problem("find")[0] == 2
