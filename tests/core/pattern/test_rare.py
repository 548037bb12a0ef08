"""杂格: each by charts that meet its condition and by charts that fail by one thing."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bazi_core.pattern.rare import OF_DAY, VERBS, rare_forms
from bazi_core.pillars import FourPillars
from bazi_core.tables import rows
from tests.core.pattern.drawn import possible
from tests.tables import holds_for_all


def forms(pillars: str) -> list[str]:
    """The texts, which tell one form from another."""
    return [each.text for each in rare_forms(FourPillars.parse(pillars, strict=False))]


def text(form: str) -> str:
    return next(row["text"] for row in rows("za_ge") if row["form"] == form)


# (form, a chart that has it, a chart that lacks one thing)
CASES = [
    # Water and fire, four characters each; the second has one earth.
    ("两神成象", "壬子 丙午 壬子 丙午", "壬子 丙午 壬子 丁未"),
    ("两神成象", "甲寅 丙寅 丁卯 丁巳", "甲寅 丙寅 丁卯 癸卯"),
    ("天元一气", "甲子 甲戌 甲寅 甲子", "甲子 甲戌 甲寅 乙亥"),
    ("地支一气", "己卯 丁卯 辛卯 辛卯", "己卯 丁卯 辛卯 庚寅"),
    # In order on year, month, day or on month, day, hour.
    ("天上三奇", "乙丑 丙戌 丁酉 庚子", "丙子 乙未 丁酉 庚子"),
    ("天上三奇", "癸酉 乙丑 丙子 丁酉", "癸酉 乙丑 丁酉 丙午"),
    ("地下三奇", "甲辰 戊辰 庚子 丙子", "甲辰 丙寅 庚子 戊寅"),
    ("人中三奇", "丁酉 壬寅 癸酉 辛酉", "丁酉 壬寅 癸酉 庚申"),
    # Three 午 strike 子: officer of 丙, wealth of 戊.
    ("倒冲官星", "甲寅 庚午 丙午 甲午", "甲寅 庚午 丙午 癸巳"),
    ("倒冲官星", "甲寅 庚午 丙午 甲午", "壬寅 丙午 丙午 甲午"),
    ("倒冲财星", "戊午 戊午 戊午 戊午", "戊午 戊午 戊午 壬子"),
    ("倒冲财星", "戊午 戊午 戊午 戊午", "甲午 庚午 戊午 戊午"),
    ("井栏斜叉", "戊子 庚申 庚辰 甲申", "戊子 庚申 庚辰 丁丑"),
    ("井栏斜叉", "壬申 甲辰 庚子 甲申", "壬申 甲辰 庚子 辛巳"),
    ("井栏斜叉", "戊子 庚申 庚辰 甲申", "戊子 辛酉 庚辰 甲申"),
    ("井栏斜叉", "戊子 庚申 庚辰 甲申", "丙寅 丙申 庚辰 甲申"),
    ("井栏斜叉", "戊子 庚申 庚辰 甲申", "戊寅 庚申 庚辰 甲申"),
    ("刑合", "甲子 丙寅 癸卯 甲寅", "甲子 丙寅 癸卯 乙卯"),
    ("刑合", "甲子 丙寅 癸卯 甲寅", "戊子 甲寅 癸卯 甲寅"),
    ("刑合", "甲子 丙寅 癸卯 甲寅", "庚子 丁亥 癸卯 甲寅"),
    ("刑合", "甲子 丙寅 癸卯 甲寅", "甲申 丙寅 癸卯 甲寅"),
    ("刑合", "甲子 丙寅 癸卯 甲寅", "乙巳 丁亥 癸卯 甲寅"),
    ("丑遥巳", "乙丑 己丑 辛丑 庚寅", "乙亥 己亥 辛丑 庚寅"),
    ("丑遥巳", "乙丑 己丑 辛丑 庚寅", "乙丑 己丑 辛丑 戊子"),
    ("丑遥巳", "乙丑 己丑 辛丑 庚寅", "乙丑 己丑 辛丑 癸巳"),
    ("丑遥巳", "乙丑 己丑 辛丑 庚寅", "丁丑 癸丑 辛丑 庚寅"),
    ("丑遥巳", "乙丑 己丑 辛丑 庚寅", "乙丑 己丑 辛卯 庚寅"),
    ("子遥巳", "甲寅 甲戌 甲子 甲子", "甲申 甲戌 甲子 乙丑"),
    ("子遥巳", "甲寅 甲戌 甲子 甲子", "庚申 丙戌 甲子 甲子"),
    ("合禄", "己未 戊辰 戊辰 庚申", "己未 戊辰 戊辰 辛酉"),
    ("合禄", "己未 戊辰 戊辰 庚申", "乙未 庚辰 戊辰 庚申"),
    ("合禄", "己未 戊辰 戊辰 庚申", "己卯 戊辰 戊辰 庚申"),
]


@holds_for_all("form, met, unmet", CASES)
def test_a_form_is_there_when_its_condition_is_met_and_not_when_one_thing_fails(form, met, unmet):
    assert text(form) in forms(met)
    assert text(form) not in forms(unmet)


@pytest.mark.parametrize(
    ("met", "unmet"),
    [
        # 癸丑 days want 戊 己 away, 癸 days with 庚申 want 戊 and 巳 away.
        ("乙丑 己丑 癸丑 丙辰", None),
        ("丁丑 癸丑 癸丑 丙辰", "丁丑 癸丑 癸丑 己未"),
        ("甲子 丁丑 癸酉 庚申", "戊子 乙丑 癸酉 庚申"),
        ("甲子 丁丑 癸酉 庚申", "乙巳 己丑 癸酉 庚申"),
    ],
)
def test_the_two_days_of_a_form_have_their_own_conditions(met, unmet):
    names = {"遥合", "合禄"}
    found = {each.name for each in rare_forms(FourPillars.parse(met, strict=False))} & names
    assert bool(found) == (unmet is not None)
    if unmet:
        assert not {each.name for each in rare_forms(FourPillars.parse(unmet, strict=False))} & names


def test_a_form_has_its_name_its_condition_its_pillars_and_its_book():
    first, *_, last = rare_forms(FourPillars.parse("戊午 戊午 戊午 戊午"))
    assert (first.name, last.name) == ("两神成象", "倒冲")
    assert last.text == "无财与官杀，一支多见而冲出财"
    assert last.source == "子平真诠·论杂格"
    assert last.evidence == ("p.chart",)


def test_an_unknown_hour_makes_no_whole():
    assert forms("甲子 甲戌 甲寅") == []
    assert forms("戊午 戊午 戊午") == [text("倒冲财星")]
    assert forms("乙丑 丙戌 丁酉") == [text("天上三奇")]
    evidence = rare_forms(FourPillars.parse("乙丑 丙戌 丁酉"))[0].evidence
    assert not [name for name in evidence if "hour" in name]


def test_every_form_is_met_somewhere_and_most_charts_have_none():
    dice = random.Random(4)
    seen: Counter[str] = Counter()
    for _ in range(5000):
        seen.update({each.name for each in rare_forms(possible(dice))} or {""})
    assert seen[""] > 4500
    assert set(seen) <= {row["name"] for row in rows("za_ge")} | {""}


def test_every_row_of_the_table_has_a_case_and_a_known_verb():
    assert {form for form, _, _ in CASES} == {row["form"] for row in rows("za_ge")}
    verbs = {part.split()[0] for row in rows("za_ge") for part in row["predicate"].split("&")}
    assert verbs == set(VERBS) | set(OF_DAY)
    assert {row["name"] for row in rows("za_ge")} == {
        "两神成象", "一气", "三奇", "倒冲", "井栏", "刑合", "遥合", "合禄",
    }  # fmt: skip
