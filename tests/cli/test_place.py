"""`bazi place`: one place, or the choices."""

import pytest

from bazi_core.render.width import width


def test_json_is_the_place(bazi):
    found = bazi.json("place", "New", "York")
    assert (found["ref"], found["timezone_id"]) == ("gn:5128581", "America/New_York")


def test_what_was_passed_over_is_named(bazi):
    assert bazi.json("place", "西安")["passed_over"][0]["ref"] == "cn:220403"


def test_an_ambiguous_name_lists_refs_that_are_accepted(bazi):
    result = bazi("place", "朝阳")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "cn:110105" in result.stderr
    assert bazi.json("place", "cn:110105")["name"] == "朝阳区"


@pytest.mark.parametrize("columns", ["60", "80", "120"])
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_a_choice_takes_at_most_two_lines(bazi, lang, columns):
    for query, count in (("朝阳", 3), ("Springfield", 8)):
        said = bazi("place", query, "--lang", lang, COLUMNS=columns).stderr.splitlines()
        assert len(said) <= 2 + 2 * count + 2
        assert max(map(width, said)) <= int(columns)


def test_an_unknown_name_suggests(bazi):
    status, problem = bazi.problem("place", "Guangzou")
    assert (status, problem["data"]["suggestions"][0]) == (3, "Guangzhou")


def test_a_former_name_has_its_years(bazi):
    assert bazi.json("place", "新京")["former_names"] == [{"name": "新京", "first": 1932, "last": 1945}]
    assert bazi.json("place", "长春")["former_names"] == []


def test_the_choices_are_in_the_readers_language(bazi):
    said = bazi("place", "圣地亚哥", "--lang", "zh-Hans").stderr
    assert said.index("智利") < said.index("美国加利福尼亚州")
    assert "圣迭戈" in said
    assert "California, United States" in bazi("place", "圣地亚哥", "--lang", "en").stderr
    assert "Chaoyang (朝阳区)" in bazi("place", "朝阳", "--lang", "en").stderr
