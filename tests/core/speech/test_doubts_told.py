"""What is less than certain in a chart is told with what makes it so."""

import bazi_core as bz


def statements(pillars, **options):
    return {
        each.statement: each.text
        for each in bz.read(
            bz.chart(pillars=pillars, gender="female"), language="zh-Hans", **options
        ).reading.sentences
    }


def test_an_apparent_transformation_names_the_root_that_remains():
    found = statements("癸卯 庚申 乙酉 丙子")
    assert "年支卯" in found["why.化格.apparent"]
    assert "条件都已齐备" not in "".join(found.values())


def test_what_breaks_a_transformation_makes_it_apparent():
    # 丙 attacks the metal into which 乙 and 庚 turn: no more than a trace of a root of 乙 is left, and yet it is 假化.
    assert "时干丙" in statements("戊辰 庚申 乙酉 丙戌")["why.化格.apparent"]


def test_what_two_of_twelve_hours_agree_on_carries_neither_diagnosis_nor_advice():
    chart = bz.chart("1996-08-08", city="Penang", gender="female", hour_unknown=True)
    found = bz.read(chart, language="zh-Hans").reading
    told = {each.statement or "": each.text for each in found.sentences}
    assert "hour_unknown.few" in told
    assert not [key for key in told if key.startswith(("diagnosis", "advice.水"))]
    assert "若仍以水为用神" in told["walk.all.open"]
    assert "advice.hour" in told
    assert "用神水" not in found.title
