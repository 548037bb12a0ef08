"""A year as a whole: relations, months, timing, what completes a group, the object and its laws."""

import json
import pickle
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.schemas import problems, validator
from tests.sizes import examples

VALID = validator("year_analysis_result")
SCHOOLS = [
    {}, {"judgement": "facts"}, {"liuyue_detail": "full"}, {"liunian_boundary": "lunar_new_year"}, {"xiaoyun": "none"},
    {"void_anchor": "both", "star_set": "none"}, {"twelve_stages": "yin_yang_tong_sheng", "wuwei_element": "火"},
]  # fmt: skip


def of_year(result):
    """The relations of the year's pillar with the chart alone."""
    return [each for each in result.relations if "luck" not in {where for where, _ in each.members}]


@examples(60)
@given(BIRTHS, YEARS)
def test_sixty_years_later_the_year_is_the_same_to_the_chart(birth, year):
    now, later = (chart(*birth).year(each) for each in (year, year + 60))
    assert now.pillar is later.pillar
    assert of_year(now) == of_year(later) != []


@examples(60)
@given(BIRTHS, YEARS, st.sampled_from(["lichun", "lunar_new_year"]))
def test_months_partition_the_year(birth, year, boundary):
    result = chart(*birth, liunian_boundary=boundary).year(year)
    months = result.months
    assert (months[0].start, months[-1].end) == (result.flow.start, result.flow.end)
    assert all(one.end == two.start for one, two in pairwise(months))
    assert all(month.start < month.end for month in months)
    assert [month.number for month in months] == [*range(1, 13)]
    assert all((two.pillar.index - one.pillar.index) % 60 == 1 for one, two in pairwise(months))


@examples(25)
@given(BIRTHS, YEARS, st.sampled_from(SCHOOLS), st.booleans())
def test_the_object_is_valid_and_holds_every_fact_that_it_names(birth, year, options, hour_unknown):
    when, gender = birth
    own = chart(when[:10] if hour_unknown else when, gender, hour_unknown, **options)
    made = json.loads(own.year(year).to_json())
    assert problems(VALID, made) == []
    known = set(made["facts"])
    named = set(ids({name: each for name, each in made.items() if name not in ("input", "school")}))
    assert named <= known


def ids(value, key=None):
    """Every id that an object names."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from ids(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from [each] if key in ("evidence", "derives_from", "relations") else ids(each, key)
    elif key == "id":
        yield value


@examples(40)
@given(BIRTHS, YEARS)
def test_the_object_stays_below_sixty_four_kibibytes(birth, year):
    assert len(chart(*birth).year(year).to_json().encode()) <= 64 * 1024


@pytest.mark.process
def test_the_same_year_is_the_same_text_in_every_process():
    code = (
        "import bazi_core as bz, hashlib; "
        "text = bz.chart('1990-05-15 13:30', city='北京', gender='male').year(2026).to_json(); "
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1


def test_the_digest_covers_the_object_and_names_its_parents():
    result = chart().year(2026)
    made = result.to_dict()
    assert made["digest"] == result.digest == result.to_dict(facts=False)["digest"]
    assert "facts" not in result.to_dict(facts=False)
    assert (made["base_digest"], made["pattern_digest"]) == (chart().digest, chart().pattern().digest)
    assert result.digest != chart().year(2027).digest


def test_warnings_speak_the_language_asked_for_and_leave_the_digest_alone():
    result = chart().year(2100)
    assert result.to_dict(lang="en")["warnings"][0]["message"].startswith("2100 lies beyond")
    assert result.to_dict(lang="en")["digest"] == result.to_dict(lang="zh-Hans")["digest"]


def test_a_month_shows_its_three_strongest_events_and_in_full_all():
    short, full = (chart(liuyue_detail=each).year(2026) for each in ("summary", "full"))
    for month, other in zip(short.months, full.months, strict=True):
        assert month.events == other.events == other.shown
        assert len(month.shown) == min(3, len(month.events))
        assert {*month.shown} <= {*month.events}


def test_the_facts_of_the_months_ten_gods_are_in_the_full_object_and_always_at_hand():
    short, full = (chart(liuyue_detail=each).year(2026) for each in ("summary", "full"))
    assert short.all_facts["lm.2026.05.tg.stem"].text_zh == "流月天干甲为偏财"
    assert "lm.2026.05.tg.stem" not in short.facts
    assert full.facts["lm.2026.05.tg.branch"].value == "正官"


def test_what_completes_a_group_is_told_with_its_members():
    # 午 and 巳 stand in the chart; 未 completes the south.
    result = chart().year(2027)
    [south] = [each for each in result.completed if each.type == "三会"]
    assert (south.element.value, south.by) == ("火", ("liunian",))
    assert {char for _, char in south.members} == {"午", "巳", "未"}
    assert all(each in result.facts for each in south.evidence)


def test_a_group_that_the_chart_has_is_not_completed_again():
    # 己亥 丁丑 丁酉 乙巳: 巳酉丑 stand in the chart; 2017 is 丁酉, 2021 辛丑.
    own = chart("1960-01-10 11:17")
    for year in (2013, 2017, 2021):
        result = own.year(year)
        assert any(each.type == "三合" and each.element.value == "金" for each in result.relations)
        assert not [each for each in result.completed if each.element and each.element.value == "金"]
        assert not {"E-14.金"} & {event.key for event in result.events}


def test_timing_names_what_fires_on_two_levels():
    for year in range(2010, 2070):
        result = chart().year(year)
        of_year = {event.id: event.key for event in result.events if not event.is_dynamic}
        luck = {event.key for event in result.luck_events}
        by_month = {month.number: {event.key for event in month.events} for month in result.months}
        for each in result.timing:
            key = of_year[each.evidence[0]]
            assert each.months == tuple(number for number, keys in by_month.items() if key in keys)
            assert ("luck" in each.levels) == (key in luck)
            assert ("liuyue" in each.levels) == bool(each.months)
            assert len(each.levels) >= 2
        anywhere = luck.union(*by_month.values())
        assert [each.evidence[0] for each in result.timing] == [
            i for i, key in of_year.items() if key in anywhere
        ]


def test_the_useful_god_fares_by_its_own_events():
    seen = set()
    for year in range(2010, 2070):
        result = chart().year(year)
        rules = {event.rule for event in result.events}
        helped, held = bool(rules & {"E-19", "E-20"}), bool(rules & {"E-21", "E-22"})
        assert result.useful_state.state == ("平" if helped == held else "得力" if helped else "受制")
        seen.add(result.useful_state.state)
    assert seen == {"平", "得力", "受制"}


def test_void_branches_that_the_year_stirs_are_marked():
    own, seen = chart("1985-07-20 10:00", "female", void_anchor="both"), set()
    for year in range(2010, 2022):
        result = own.year(year)
        flow, void = result.pillar.branch.index, result.natal.void
        natal = {where: pillar.branch.index for where, pillar in result.natal.places if where in void}
        expected = {(where, "填实") for where, branch in natal.items() if branch == flow}
        expected |= {(where, "冲实") for where, branch in natal.items() if (branch - flow) % 12 == 6}
        expected |= {(where, "合实") for where, branch in natal.items() if (branch + flow) % 12 == 1}
        assert set(result.void_marks) == expected
        seen |= {mark for _, mark in expected}
    assert seen == {"填实", "冲实", "合实"}


def test_luck_and_year_meet_each_other_too():
    # The luck of these ten years is 癸未, then 甲申.
    types = {}
    for year in range(2017, 2027):
        result = chart().year(year)
        both = [
            each for each in result.relations if {"luck", "liunian"} <= {where for where, _ in each.members}
        ]
        types[result.pillar.value] = {each.type for each in both}
        assert len({each.id for each in result.relations}) == len(result.relations)
    assert "干冲" in types["庚子"]  # 甲申 and 庚子: 甲庚
    assert "干合" in types["己亥"]
    assert "六冲" in types["壬寅"]


def test_a_basis_ends_in_leaves_and_an_unknown_fact_is_refused():
    result = chart().year(2026)
    found = result.basis("yr.2026.score.overall")
    assert found[0].id == "yr.2026.score.overall"
    assert {"p.time.2026-立春", "p.input.gender"} <= {fact.id for fact in found}
    with pytest.raises(bz.BaziError) as caught:
        result.basis("yr.2026.score.overal")
    assert "yr.2026.score.overall" in caught.value.hint


def test_a_year_is_a_value():
    result = chart().year(2026)
    again = pickle.loads(pickle.dumps(result))
    assert again == result == chart().pattern().chart.year(2026)
    assert len({result, again, chart().year(2027)}) == 2
    assert again.to_json() == result.to_json()


def test_without_an_hour_three_pillars_are_read():
    result = chart("1990-05-15", hour_unknown=True).year(2026)
    assert {where for where, _ in result.natal.places} == {"year", "month", "day"}
    assert problems(VALID, json.loads(result.to_json())) == []


def test_level_and_sign_are_those_of_the_overall_score():
    from bazi_core.year.rules import graded

    result = chart().year(2026)
    expected = (graded("level", result.scores.overall), graded("sign", result.scores.overall))
    assert (result.level, result.sign) == expected
