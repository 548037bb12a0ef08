"""变格: each structure by a chart of 《滴天髓阐微》, and by charts that miss one condition."""

from __future__ import annotations

import pytest

import bazi_core as bz
from bazi_core.school import School
from tests.core.pattern.drawn import of
from tests.tables import holds_for_all


@holds_for_all(
    "pillars, name, special_class",
    [
        ("癸未 丁巳 甲午 庚午", "从儿格", "从格"),
        ("壬寅 辛亥 辛亥 壬辰", "从儿格", "从格"),
        ("癸卯 戊午 壬寅 丙午", "从财格", "从格"),
        ("癸巳 乙卯 己亥 癸酉", "从杀格", "从格"),
        ("丙寅 庚寅 壬午 乙巳", "从势格", "从格"),
        ("癸酉 甲子 癸亥 辛酉", "从旺格", "专旺"),
        ("庚申 乙酉 庚戌 庚辰", "从革格", "专旺"),
        ("癸亥 癸亥 壬子 庚子", "润下格", "专旺"),
        ("己卯 丁卯 壬午 癸卯", "化木格", "化格"),
    ],
)
def test_a_structure_is_claimed_when_all_its_conditions_hold(pillars, name, special_class):
    found = of(pillars)
    assert found.special is not None, [(each.name, each.conditions) for each in found.close]
    assert (found.name, found.special.special_class) == (name, special_class)
    assert all(condition.holds for condition in found.special.conditions)
    assert found.category == "变格"


@pytest.mark.parametrize(
    ("pillars", "name", "missing"),
    [
        ("甲寅 丁卯 甲寅 丙寅", "曲直格", "比劫与印成势"),
        ("壬子 辛亥 甲寅 甲子", "从强格", "官杀无力"),
        ("己巳 辛未 壬午 乙巳", "从财格", "无透而有根之印"),
        ("庚子 庚辰 戊申 辛酉", "从儿格", "月令为食伤或财，或月藏食伤而透"),
    ],
)
def test_a_structure_that_misses_one_condition_is_only_listed(pillars, name, missing):
    found = of(pillars)
    assert found.special is None
    assert found.category == "正格"
    close = {special.name: special for special in found.close}
    assert [condition.text for condition in close[name].conditions if not condition.holds] == [missing]
    assert found.facts[f"sp.{name}"].value is False


def test_the_regular_pattern_stays_known_beside_a_claimed_structure():
    found = of("癸亥 癸亥 壬子 庚子")
    assert found.regular.name == "建禄格"
    assert found.standing is None
    assert found.to_dict()["pattern"]["month_pattern"] == "建禄格"


def test_conditions_cite_facts_that_exist():
    found = of("癸巳 乙卯 己亥 癸酉")
    for special in (found.special, *found.close):
        for condition in special.conditions:
            assert set(condition.evidence) <= set(found.all_facts)
            assert condition.evidence


@pytest.mark.parametrize(
    ("pillars", "order"),
    [
        # 从财: wealth, what feeds it, the rest, 印, 比劫.
        ("癸卯 戊午 壬寅 丙午", "火木土金水"),
        # 从儿: 食伤, 财, 比劫, 官杀, 印.
        ("癸未 丁巳 甲午 庚午", "火土木金水"),
        # 从革: itself, 食伤 where 比劫 are more than 印, the rest, 财, 官杀.
        ("庚申 乙酉 庚戌 庚辰", "金土水木火"),
        # 化木 with plenty of wood: what it feeds, itself, what feeds it, what it controls, what controls it.
        ("己卯 丁卯 壬午 癸卯", "火木水土金"),
    ],
)
def test_a_structure_prescribes_the_roles(pillars, order):
    found = of(pillars)
    assert "".join(element.value for element in found.useful.order) == order
    assert (found.useful.margin, found.useful.certainty, found.useful.by_structure) == (1.0, "leaning", True)


def test_a_transformed_element_without_plenty_wants_what_feeds_it():
    found = of("甲辰 丁卯 壬辰 辛亥")
    assert found.name == "化木格"
    assert found.useful.order[1].value == "木"
    assert found.useful.order[4].value == "金"


def test_officer_and_killings_are_told_apart_by_the_larger():
    from bazi_core.pillars import FourPillars
    from bazi_core.structures.class_shares import sight
    from bazi_core.structures.special import _officer_name

    def name(pillars: str) -> str:
        return _officer_name(sight(FourPillars.parse(pillars, strict=False), (), ()))

    assert (name("辛酉 辛酉 乙酉 辛酉"), name("庚申 庚申 乙酉 庚申")) == ("从杀格", "从官格")


def test_a_transformed_day_stem_has_ten_gods_of_its_own():
    # 丁亥 庚戌 乙酉 甲申: 乙 combines with 庚 in the month of 戌 and becomes metal, 辛.
    found = bz.chart(pillars="丁亥 庚戌 乙酉 甲申", school=School(validate="warn"))
    pattern = found.pattern()
    assert pattern.name == "化金格"
    assert pattern.to_dict()["pattern"]["transformed"] == {
        "stem": "辛", "ten_gods": {"year": "七杀", "month": "劫财", "hour": "正财"},
    }  # fmt: skip
    assert [each.hua_status for each in found.relations if each.id == "rel.干合.庚乙.month-day"] == ["合化"]
    assert bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern().to_dict()["pattern"]["transformed"] is None


@pytest.mark.parametrize(
    ("pillars", "verdict", "level"),
    [
        ("庚申 戊寅 丁酉 壬寅", "身强", "偏强"),  # 21/50 reaches .42
        ("辛亥 辛卯 戊寅 壬戌", "身弱", "弱"),  # .15 is no longer 极弱
        ("戊戌 甲子 甲辰 甲子", "身强", "极强"),  # .75 is no longer 强
    ],
)
def test_a_share_that_is_exactly_a_threshold_reaches_it(pillars, verdict, level):
    found = bz.chart(pillars=pillars, school=School(validate="warn")).strength
    assert (found.verdict, found.level) == (verdict, level)


def test_two_classes_exactly_a_tenth_apart_are_not_nearly_equal():
    assert bz.chart(pillars="甲子 丙寅 庚子 戊寅", school=School(validate="warn")).pattern().name != "从势格"
