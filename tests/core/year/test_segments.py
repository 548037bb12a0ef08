"""The year as a span of time and the luck in it: 大运, 小运, neither; ages; years that cannot be read."""

from itertools import pairwise

import pytest
from hypothesis import given

import bazi_core as bz
from bazi_core.errors import BirthRequired, InvalidInput, OutOfRange
from bazi_core.year.segments import longest
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.sizes import examples


def parts(year, **options):
    return chart(**options).year(year).segments


def shown(found):
    return [(part.start.date().isoformat(), part.pillar.value if part.pillar else None) for part in found]


def test_a_year_inside_a_luck_pillar_is_one_segment():
    assert shown(parts(2026)) == [("2026-02-03", "甲申")]


def test_a_change_of_luck_cuts_the_year_at_its_instant():
    found = parts(2017)
    assert shown(found) == [("2017-02-03", "癸未"), ("2017-08-16", "甲申")]
    # 2017-08-16T21:06 at +08:00; the birth was by daylight saving time.
    assert found[1].start.isoformat() == "2017-08-16T13:06:00"


def test_before_the_first_luck_pillar_runs_the_minor_luck_of_the_age():
    found = parts(1992)
    assert [(part.cycle, part.minor.age_nominal, part.pillar.value) for part in found] == [(None, 3, "乙酉")]
    assert found[0].fact_id == "xy.3"
    assert chart().year(1992).luck is None


def test_the_year_of_the_first_luck_pillar_has_both():
    found = parts(1997)
    assert [part.fact_id for part in found] == ["xy.8", "dy.1"]


def test_without_minor_luck_there_is_nothing_before_the_first_luck_pillar():
    result = chart(xiaoyun="none").year(1992)
    assert [part.pillar for part in result.segments] == [None]
    assert result.warnings == ()


def test_beyond_the_tenth_luck_pillar_the_year_is_read_alone_and_says_so():
    result = chart().year(2100)
    assert [part.pillar for part in result.segments] == [None]
    assert [doubt.code for doubt in result.warnings] == ["NO_LUCK_CYCLE"]
    assert result.to_dict()["luck_context"] is None
    assert all(carrier.seat != "luck" for carrier in result.carriers)


def test_the_year_in_which_the_tenth_ends_warns_too():
    result = chart().year(2097)
    assert [part.fact_id for part in result.segments] == ["dy.10", None]
    assert [doubt.code for doubt in result.warnings] == ["NO_LUCK_CYCLE"]


def test_the_last_year_inside_the_tenth_does_not_warn():
    assert chart().year(2096).warnings == ()


def test_an_unknown_hour_leaves_only_the_days_around_a_change_open():
    found = parts(2017, when="1990-05-15", hour_unknown=True)
    assert [(part.fact_id, part.uncertain) for part in found] == [
        ("dy.2", False),
        (None, True),
        ("dy.3", False),
    ]
    assert shown(found)[1][0] == "2017-06-24"
    assert [part.fact_id for part in parts(2022, when="1990-05-15", hour_unknown=True)] == ["dy.3"]


def test_an_unknown_hour_has_no_minor_luck():
    assert [part.pillar for part in parts(1992, when="1990-05-15", hour_unknown=True)] == [None]


def test_the_year_may_begin_with_lunar_new_year():
    found = parts(2026, liunian_boundary="lunar_new_year")
    expected = ("2026-02-16T16:00:00", "2027-02-05T16:00:00")
    assert (found[0].start.isoformat(), found[-1].end.isoformat()) == expected


def test_ages_count_from_the_year_of_birth():
    assert chart().year(2026).age == (37, 36)
    assert chart().year(1990).age == (1, 0)


def test_born_in_january_one_is_in_the_first_year_of_life_when_that_year_ends():
    assert chart("1990-01-15 12:00").year(1989).age == (1, 0)
    assert chart("1990-01-15 12:00").year(1990).age == (1, 0)
    assert chart("1990-01-15 12:00").year(1991).age == (2, 1)


def test_the_longest_segment_counts_and_of_equals_the_first():
    one, two = parts(2017)
    assert longest((one, two)) is one
    assert longest((two._replace(end=two.start + (one.end - one.start)), one)).start == two.start


@pytest.mark.parametrize(
    ("year", "first"), [(1549, 1550), (2649, 1550), (10**30, 1550), (-1, 1550), (1989, 1990), (1600, 1990)]
)
def test_a_year_that_cannot_be_read_is_out_of_range(year, first):
    with pytest.raises(OutOfRange) as caught:
        chart().year(year)
    assert caught.value.data == {"quantity": "target_year", "first": first, "last": 2648, "given": year}


def test_the_last_year_of_the_table_can_be_read():
    assert chart().year(2648).months[-1].end == chart().year(2648).flow.end


@pytest.mark.parametrize("year", ["2026", 2026.0, None, True])
def test_a_year_is_a_whole_number(year):
    with pytest.raises(InvalidInput):
        chart().year(year)


@pytest.mark.parametrize(
    ("given_", "missing"),
    [
        ({"when": "1990-05-15 13:30", "city": "北京"}, ["gender"]),
        ({"pillars": "庚午 辛巳 庚辰 壬午", "gender": "male"}, ["moment"]),
        ({"pillars": "庚午 辛巳 庚辰 壬午"}, ["moment", "gender"]),
    ],
)
def test_without_a_gender_or_a_moment_a_year_is_refused(given_, missing):
    with pytest.raises(BirthRequired) as caught:
        bz.chart(**given_).year(2026)
    assert caught.value.data == {"missing": missing}


@examples(60)
@given(BIRTHS, YEARS)
def test_segments_partition_the_year(birth, year):
    result = chart(*birth).year(year)
    found = result.segments
    assert (found[0].start, found[-1].end) == (result.flow.start, result.flow.end)
    assert all(one.end == two.start for one, two in pairwise(found))
    assert all(part.start < part.end for part in found)
    assert len(found) <= 2


@examples(30)
@given(BIRTHS, YEARS)
def test_a_segment_has_the_luck_that_runs_at_its_start(birth, year):
    from datetime import UTC

    own = chart(*birth)
    for part in own.year(year).segments:
        assert part.cycle == own.luck.at(part.start.replace(tzinfo=UTC))
