"""病药: printed charts, every obstacle, and the laws of every chart."""

from __future__ import annotations

import pytest

import bazi_core as bz
from bazi_core.alphabet import Element
from bazi_core.pattern.diagnosis import diagnosis_rows
from bazi_core.pattern.obstacles import FINDERS, SELF
from bazi_core.pattern.result import PatternResult
from bazi_core.render.meaning import beyond
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.pattern.test_dynamics import any_results, result
from tests.sizes import both

# What 张楠, 任铁樵 and 韦千里 call the illness of a printed chart (破戊己为药, 财为病), or what attacks its day master.
PRINTED = [
    ("甲辰 丙子 己未 戊辰", "土", "木"),
    ("壬戌 壬子 庚辰 己卯", "木", "金"),
    ("辛亥 辛丑 甲午 癸酉", "金", "水"),
]
# One chart for every obstacle.
OBSTACLES = {
    "attacked": "丁丑 庚戌 乙巳 壬午", "bound": "辛酉 丁酉 癸卯 壬戌", "season": "庚午 辛巳 庚辰 壬午",
    "burden": "壬申 己酉 戊子 壬戌", "pattern": "己未 丁丑 己卯 己巳", "surplus": "乙亥 乙酉 癸丑 庚申",
    "hidden": "辛丑 丁酉 甲子 甲戌", "heavy": "甲辰 丙子 己未 戊辰",
}  # fmt: skip


@pytest.fixture(scope="module", params=both(150, 3000))
def drawn(request: pytest.FixtureRequest) -> list[PatternResult]:
    return any_results(request.param, 77)


@pytest.mark.parametrize(("pillars", "illness", "remedy"), PRINTED)
def test_the_illness_of_a_printed_chart_is_that_of_its_author(pillars, illness, remedy):
    found = result(pillars).diagnosis
    assert found is not None
    assert (found.illness.value, found.remedy.value) == (illness, remedy)


@pytest.mark.parametrize(("key", "pillars"), OBSTACLES.items())
def test_every_obstacle_is_found(key, pillars):
    found = result(pillars).diagnosis
    assert found is not None
    assert found.key == key


def test_every_chart_with_a_useful_god_has_one_diagnosis(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found is not None
        assert found.useful is one.useful_gods[0]
    for one in drawn[::10]:
        assert [name for name in one.facts if name == "pat.diagnosis"] == ["pat.diagnosis"]


@pytest.mark.exhaustive
def test_every_row_is_the_diagnosis_of_some_chart(drawn):
    assert {one.diagnosis.key for one in drawn if one.diagnosis} == {row.key for row in diagnosis_rows()}


def test_the_remedy_answers_the_illness_and_neither_contradicts_the_roles(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found is not None
        if found.key == "sound":
            continue
        answers = {
            "制": found.remedy.controls is found.illness,
            "泄": found.illness.generates is found.remedy,
            "生": found.remedy.generates is found.useful,
        }
        assert answers[found.cure]
        assert found.illness is not found.remedy
        assert found.roles == (one.useful.role(found.illness), one.useful.role(found.remedy))
        assert found.roles[0] not in ("用神", "喜神")
        assert found.roles[1] not in ("仇神", "忌神")


def test_no_remedy_feeds_the_illness(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found.remedy is None or found.remedy.generates is not found.illness, one.pillars


def test_a_branch_that_a_group_has_drawn_off_carries_no_remedy():
    # 亥子丑 make water, 癸 binds 戊: nothing of the earth that controls the water is left to act.
    found = result("戊申 癸亥 己丑 甲子").diagnosis
    assert (found.illness.value, found.remedy.value) == ("水", "土")
    assert found.rescue == ()


def test_of_two_that_a_fault_names_the_one_that_is_controlled_is_not_blamed():
    # 正官 stands and 伤官 meets it: the 伤官 is what spoils.
    found = result("乙酉 辛巳 戊戌 壬戌").diagnosis
    assert found.illness.value != "木"


@pytest.mark.parametrize(
    ("pillars", "illness", "remedy", "where"),
    [
        # 曾国藩: 煞 of 亥亥, restrained by the 己 of its stems; 康熙: 戊 and 辰 too many, 甲 opens them.
        ("辛未 己亥 丙辰 己亥", "水", "土", "month"),
        ("甲午 戊辰 戊申 丁巳", "土", "木", "year"),
    ],
)
def test_a_hidden_useful_god_is_served_by_what_removes_the_illness(pillars, illness, remedy, where):
    found = bz.chart(pillars=pillars, school=School(validate="warn")).pattern().diagnosis
    assert (found.key, found.illness.value, found.remedy.value, found.cure) == (
        "hidden", illness, remedy, "制",
    )  # fmt: skip
    assert found.pivot.seat.position == where


@pytest.mark.exhaustive
def test_a_useful_god_that_ails_is_not_its_own_remedy(drawn):
    ailing = [one.diagnosis for one in drawn if one.diagnosis and one.diagnosis.key in SELF]
    assert {each.key for each in ailing} == SELF
    assert all(each.remedy is not each.useful for each in ailing)


def test_a_sound_chart_has_neither_illness_nor_remedy_and_turns_on_its_useful_god(drawn):
    sound = [one for one in drawn if one.diagnosis and one.diagnosis.key == "sound"]
    assert len(sound) > 20
    for one in sound:
        found = one.diagnosis
        assert found is not None
        expected = (None, None, None, (None, None), ())
        assert (found.illness, found.remedy, found.cure, found.roles, found.rescue) == expected
        assert (found.pivot.carries, found.pivot.seat.stem.element) == ("useful", found.useful)
        made = found.to_dict()
        assert made["illness"] is made["remedy"] is made["illness_role"] is made["remedy_role"] is None


def test_where_strength_is_open_the_medicine_under_the_other_verdict_stands_beside_it(drawn):
    different = 0
    for one in drawn[::4]:
        for other, told in zip(one.alternatives, one.to_dict()["alternatives"], strict=True):
            assert other.diagnosis is not None
            assert told["diagnosis"]["remedy"] == other.diagnosis.to_dict()["remedy"]
            if other.diagnosis.text() != one.diagnosis.text():
                different += 1
                said = dict(beyond(one, "zh-Hans"))["diagnosis"]
                assert said.endswith(f"若{other.strength.verdict}，{other.diagnosis.text()}")
    assert different > len(drawn) // 100


def test_the_pattern_and_the_climate_are_grounds_only_where_they_are(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found is not None
        assert found.grounds[0] == "useful"
        if "climate" in found.grounds:
            assert one.climate is not None
            assert one.climate.urgency == "urgent"
            assert one.climate.required[0].element is found.remedy
        if "pattern" in found.grounds:
            assert one.standing is not None
            held = {each.id: each for each in one.standing.answers(("败", "忌")) if each.holds}
            assert any(f"pat.pred.{name}" in found.evidence for name in held)
        assert ("pattern" in found.grounds) or found.key != "pattern"


def test_the_pivot_carries_the_remedy_where_the_chart_has_it(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found is not None
        seat, at = found.pivot.seat, dict(one.pillars.items())
        assert seat.sign in (at[seat.position].stem, at[seat.position].branch)
        element = {"remedy": found.remedy, "illness": found.illness, "useful": found.useful}.get(
            found.pivot.carries
        )
        assert element in (None, seat.stem.element)
        assert (found.pivot.carries == "remedy") == bool(found.rescue)
        assert all(each.stem.element is found.remedy and not each.is_bound for each in found.rescue)


def test_an_absent_useful_god_is_nowhere_and_a_hidden_one_shows_nowhere(drawn):
    for one in drawn:
        found = one.diagnosis
        assert found is not None
        shown = {pillar.stem.element for where, pillar in one.pillars.items() if where != "day"}
        anywhere = shown | {
            Element(each) for each in "木火土金水" if one.elements.hidden[Element(each).index]
        }
        if found.key == "absent":
            assert found.useful not in anywhere or found.useful is one.pillars.day.stem.element
        if found.key in ("absent", "hidden"):
            assert found.useful not in shown


def test_its_fact_rests_on_facts_that_are_there_and_says_it_in_three_languages(drawn):
    for one in drawn[:400]:
        found = one.diagnosis
        assert found is not None
        fact = one.facts["pat.diagnosis"]
        assert set(fact.derives_from) <= one.facts.keys()
        assert (fact.subject, fact.predicate, fact.value) == (
            (found.illness or found.useful).value, found.key, found.remedy.value if found.remedy else "无",
        )  # fmt: skip
        for lang in LANGUAGES:
            text = fact.text(lang)
            assert found.pivot.seat.sign.value in text
            assert found.text(lang).lower() == text.lower()


def test_every_row_has_a_source():
    assert {row["condition"] for row in rows("diagnosis")} == FINDERS.keys() | {"安"}
    assert all(row["source"] for row in rows("diagnosis"))


def test_a_special_structure_fears_what_breaks_it(drawn):
    special = [one for one in drawn if one.special is not None]
    assert len(special) > len(drawn) / 30
    for one in special:
        assert one.diagnosis is not None
        assert one.diagnosis.roles[0] in (None, "闲神", "仇神", "忌神")
        assert one.diagnosis.key != "pattern"


def test_where_nothing_is_judged_there_is_no_diagnosis():
    found = bz.chart(pillars="庚午 辛巳 庚辰 壬午", school=School(judgement="facts")).pattern()
    assert found.diagnosis is None
    assert found.to_dict()["diagnosis"] is None


def test_a_chart_without_an_hour_has_one_too():
    assert bz.chart(pillars="庚午 辛巳 庚辰").pattern().diagnosis is not None
