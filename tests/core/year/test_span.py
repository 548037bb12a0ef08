"""Years side by side: each is the year of the chart, ranks and reasons are counted from them, evidence resolves."""

import json
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import bazi_core as bz
from bazi_core.errors import BirthRequired, InvalidInput, OutOfRange
from bazi_core.facts import closure
from bazi_core.render.schemas import schema
from bazi_core.year.span import MOST_YEARS, SCORES, TOLD
from bazi_core.year.span_object import cited
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.schemas import problems, validator
from tests.sizes import examples
from tests.tables import holds_for_all

SCHEMA = schema("years_result")
VALIDATOR = validator("years_result")
COUNTS = st.integers(1, 12)
LIMIT = 64 * 1024


def span(birth, first, count, **options):
    return chart(*birth, **options).years(first, first + count - 1)


def objects(node):
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for each in node.values():
            yield from objects(each)
    elif isinstance(node, list):
        for each in node:
            yield from objects(each)


def test_the_schema_is_a_schema_closed_and_described():
    Draft202012Validator.check_schema(SCHEMA)
    for node in objects(SCHEMA):
        assert node.get("additionalProperties") is not None
        assert all("description" in each for each in node.get("properties", {}).values())
    assert {*SCHEMA["properties"]} - {*SCHEMA["required"]} == {"comparison", "facts", *TOLD}


@examples(30)
@given(BIRTHS, YEARS, COUNTS)
def test_every_year_is_the_year_of_the_chart(birth, first, count):
    made = span(birth, first, count)
    assert [year.target_year for year in made.years] == [*range(first, first + count)]
    assert made.years[-1] == chart(*birth).year(first + count - 1)


@examples(25)
@given(BIRTHS, YEARS, COUNTS, st.booleans(), st.sampled_from(["ziping", "facts", "lunar"]))
def test_the_object_is_valid_and_holds_every_fact_that_it_names(birth, first, count, hour_unknown, kind):
    options = {"ziping": {}, "facts": {"judgement": "facts"}, "lunar": {"liunian_boundary": "lunar_new_year"}}
    when, gender = birth
    own = chart(when[:10] if hour_unknown else when, gender, hour_unknown, **options[kind])
    made = own.years(first, first + count - 1)
    compared = made.compare("wealth") if count > 1 else None
    told = json.loads(made.to_json(facts=True, comparison=compared))
    assert problems(VALIDATOR, told) == []
    assert {*cited(told)} <= {*told["facts"]}
    assert {*closure(cited(told), made.all_facts)} == {*told["facts"]}


def test_a_reading_stands_in_the_object_with_the_facts_that_it_cites():
    made = chart().years(2026, 2028)
    told = bz.read(made, question="2026年还是2028年换工作好？")
    whole = json.loads(made.to_json(facts=True, reading=told.to_dict()))
    assert problems(VALIDATOR, whole) == []
    assert {*cited(whole)} <= {*whole["facts"]}
    assert whole["narrative"] == told.narrative
    assert whole["digest"] == made.digest


@examples(25)
@given(BIRTHS, YEARS, COUNTS)
def test_the_bands_of_luck_partition_the_years(birth, first, count):
    made = span(birth, first, count)
    assert (made.bands[0].start, made.bands[-1].end) == (made.years[0].flow.start, made.years[-1].flow.end)
    assert all(one.end == two.start for one, two in pairwise(made.bands))
    assert all((one.kind, one.cycle) != (two.kind, two.cycle) for one, two in pairwise(made.bands))


@examples(30)
@given(BIRTHS, YEARS, COUNTS)
def test_every_year_has_one_place_in_every_ranking_and_better_places_have_more(birth, first, count):
    made = span(birth, first, count)
    assert [each.domain for each in made.rankings] == [*SCORES]
    for ranking in made.rankings:
        assert sorted(year for place in ranking.places for year in place.years) == [
            *range(first, first + count)
        ]
        assert all(one.score > two.score for one, two in pairwise(ranking.places))
        ahead = 0
        for place in ranking.places:
            assert place.rank == ahead + 1
            ahead += len(place.years)
            assert all(made.year(year).scores.of(ranking.domain) == place.score for year in place.years)


@examples(30)
@given(BIRTHS, YEARS, COUNTS)
def test_what_raises_and_lowers_is_the_sum_of_the_years(birth, first, count):
    made = span(birth, first, count)
    for ranking in made.rankings:
        for sign, causes in ((1, ranking.raises), (-1, ranking.lowers)):
            assert all(each.points * sign > 0 and each.rank <= 3 for each in causes)
            assert all(one.points * sign >= two.points * sign for one, two in pairwise(causes))
            for cause in causes:
                assert cause.points == sum(points for _, points in cause.years)
                for year, points in cause.years:
                    assert points == sum(
                        each.of(ranking.domain) for each in made.reasons[year] if each.key == cause.reason.key
                    )


def test_an_open_strength_has_both_readings_of_every_year():
    made = chart().years(2026, 2035)
    [other] = made.alternatives
    assert [year.scores.overall for year in other.years] == [
        year.alternatives[0].scores.overall for year in made.years
    ]
    assert {f"alt.yr.2028.{domain}" for domain in SCORES} <= {*made.facts}


def test_where_strength_is_settled_there_is_one_reading():
    settled = bz.chart("1995-11-03 09:20", city="上海", gender="female")
    assert not settled.pattern().alternatives
    made = settled.years(2026, 2028)
    assert made.alternatives == ()


def test_the_facts_say_which_year_is_highest_and_what_lowers_most():
    facts = chart().years(2026, 2035).facts
    assert facts["yrs.2026-2035.family.highest"].text() == "2026至2035年间，家庭以2026、2032年最高，54分"
    assert facts["yrs.2026-2035.relationship.E-09"].text("en") == (
        "From 2026 to 2035, spouse palace clash (冲夫妻宫) in 2030, in all: relationships −6"
    )


def test_a_year_alone_is_ranked_by_its_own_facts():
    made = chart().years(2026, 2026)
    assert made.ranking("career").evidence == ("yr.2026.score.career",)
    assert not [name for name in made.facts if name.startswith("yrs.")]
    with pytest.raises(InvalidInput):
        made.compare()


@examples(15)
@given(BIRTHS, YEARS)
def test_ten_years_without_facts_fit_into_64_kib(birth, first):
    assert len(span(birth, first, 10).to_json().encode()) <= LIMIT


def test_facts_and_comparison_change_no_digest_and_the_same_input_gives_the_same_bytes():
    one, two = (chart().years(2026, 2030) for _ in range(2))
    assert one.to_json(facts=True) == two.to_json(facts=True)
    assert one.to_dict()["digest"] == two.to_dict(facts=True, comparison=two.compare())["digest"]
    assert one.digest != chart().years(2026, 2031).digest
    assert pickle.loads(pickle.dumps(one)) == one == two
    assert hash(one) == hash(two)


def test_the_first_warning_of_each_kind_is_told():
    made = chart().years(2090, 2110)
    assert [(doubt.code, doubt.data) for doubt in made.warnings] == [("NO_LUCK_CYCLE", {"year": 2097})]
    assert made.bands[-1].kind == "beyond"


def test_an_unknown_hour_leaves_the_change_of_luck_open():
    made = chart("1990-05-15", "male", True).years(1990, 2000)
    assert [band.kind for band in made.bands] == ["before", "uncertain", "dayun"]


@holds_for_all(
    "first, last, error, data",
    [
        (2035, 2026, InvalidInput, {"given": 2026}),
        (1980, 1995, OutOfRange, {"quantity": "target_year", "first": 1990, "last": 2648, "given": 1980}),
        (2026, 2649, OutOfRange, {"quantity": "target_year", "first": 1550, "last": 2648, "given": 2649}),
        (2000, 2000 + MOST_YEARS, OutOfRange, {"quantity": "years", "first": 1, "last": 120, "given": 121}),
        ("2026", 2030, InvalidInput, {"given": "2026"}),
        (2026, True, InvalidInput, {"given": "True"}),
        (2026, 10**400, OutOfRange, None),
        (float("nan"), 2030, InvalidInput, None),
    ],
)
def test_years_that_cannot_be_are_refused(first, last, error, data):
    with pytest.raises(error) as refused:
        chart().years(first, last)
    assert data is None or refused.value.data == data


def test_given_pillars_and_charts_without_gender_have_no_years():
    for own in (
        bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male"),
        bz.chart("1990-05-15 13:30", city="北京"),
    ):
        with pytest.raises(BirthRequired):
            own.years(2026, 2035)


def test_the_years_of_a_chart_or_of_its_pattern_are_the_same():
    assert (
        bz.years(chart(), 2026, 2028) == bz.years(chart().pattern(), 2026, 2028) == chart().years(2026, 2028)
    )
    for given_ in (None, "1990-05-15", {}, 5):
        with pytest.raises(InvalidInput):
            bz.years(given_, 2026, 2028)


def test_it_prints_itself():
    made = chart().years(2026, 2028)
    assert str(made).startswith("2026–2028年")
    assert repr(made) == "<YearsResult 2026-2028: 庚午 辛巳 庚辰 壬午>"


def test_years_side_by_side_ask_for_no_months_and_rank_what_is_asked_for():
    found = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    assert found.ranking("career").places == found.places("career")
    assert [each.ranking("overall").places for each in found.alternatives]
    readings = (found, *found.alternatives)
    assert all("months" not in vars(year) for each in readings for year in each.years)
    assert [each.domain for each in found.rankings] == [*SCORES]
    again = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2030)
    assert found.year(2030) == again
    assert found.year(2030).to_json() == again.to_json()
