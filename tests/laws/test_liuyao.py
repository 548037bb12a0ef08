"""Laws of 六爻, over all casts where they can be enumerated and over drawn times where they cannot."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar
from bazi_core.liuyao import board
from bazi_core.liuyao.face import LiuyaoChart
from bazi_core.school import School
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import strict, values

TURNED = {9: 8, 6: 7, 7: 7, 8: 8}
BACK = {9: 6, 6: 9, 7: 7, 8: 8}
TIMES = st.datetimes(datetime(1901, 1, 1), datetime(2098, 12, 31))
OFFSETS = st.integers(-16 * 60, 16 * 60)
SAMPLE = BRANCHES[::5]  # 子, 巳, 戌
CASTS = st.tuples(*[st.sampled_from((6, 7, 8, 9))] * 6)


# One month of each kind for whoever waits for the verdict.
MONTHS = [each if each in SAMPLE else pytest.param(each, marks=pytest.mark.exhaustive) for each in BRANCHES]


@pytest.mark.parametrize("month", MONTHS, ids=str)
def test_every_cast_in_every_month_on_days_of_every_kind_follows_the_books(month):
    """Each of 4,096 casts with each of twelve months, the sixty days in turn: 49,152 boards, line by line."""
    m = month.value
    pillars, palaces = {}, {}
    for bits in (f"{code:06b}" for code in range(64)):
        pillars[bits] = ref.pillars_of(bits)
        palaces[bits] = ref.TRIGRAMS[ref.palaces()[bits][0]][1]
    for number in range(4096):
        six, day = values(number), PILLARS[(number * 7 + month.index * 5) % 60]
        d = day.value
        bits = "".join(str(value & 1) for value in six)
        turned = "".join(str(TURNED[value] & 1) for value in six)
        palace, void = palaces[bits], ref.void(d)
        found = board.lines(LiuyaoChart(six, month, day))
        for value, own, new, line, spirit in zip(
            six, pillars[bits], pillars[turned], found, ref.spirits(d), strict=True
        ):
            b, e = own[1], ref.ELEMENT[own[1]]
            assert (line.pillar.value, line.relation, line.spirit) == (own, ref.relative(palace, e), spirit)
            assert (line.moving, line.state.void) == (value in (6, 9), b in void)
            clashed, strong = ref.other(ref.CLASHES, d[1]) == b, ref.season(m, e) in ("旺", "相")
            still = value in (7, 8)
            assert (line.an_dong, line.day_broken) == (
                still and clashed and strong,
                still and clashed and not strong,
            )
            if still:
                assert line.turned is None
            else:
                assert line.turned is not None
                relative = ref.relative(palace, ref.ELEMENT[new[1]])
                assert (line.turned.pillar.value, line.turned.relation) == (new, relative)
                assert [*line.changes] == ref.changes(b, new[1], m, d)


def test_turned_back_every_target_gives_its_primary():
    for number in range(4096):
        chart = ly.derive(values(number), month_branch="卯", day="丁未")
        back = ly.derive([BACK[value] for value in values(number)], month_branch="卯", day="丁未")
        assert (back.primary, back.target) == (chart.target, chart.primary)
        assert back.moving == chart.moving
        assert chart.changed_code == chart.code ^ sum(1 << n - 1 for n in chart.moving)


@given(CASTS, TIMES, OFFSETS, OFFSETS)
def test_one_instant_on_two_clocks_has_one_year_one_month_and_one_set_of_seasons(lines, at, one, other):
    first = at.replace(tzinfo=timezone(timedelta(minutes=one)))
    second = first.astimezone(timezone(timedelta(minutes=other)))
    charts = [ly.derive(lines, each) for each in (first, second)]
    assert len({(chart.year, chart.month) for chart in charts}) == 1
    found = [strict(chart) for chart in charts]
    assert found[0]["wuXingStatuses"] == found[1]["wuXingStatuses"]
    assert found[0]["binaryCode"] == found[1]["binaryCode"]


@given(CASTS, TIMES, OFFSETS)
def test_day_and_hour_are_those_of_the_clock_whatever_its_offset(lines, at, offset):
    here = ly.derive(lines, at.replace(tzinfo=timezone(timedelta(minutes=offset))))
    there = ly.derive(lines, at.replace(tzinfo=timezone.utc))  # noqa: UP017
    assert (here.day, here.hour) == (there.day, there.hour)


@given(CASTS, TIMES, OFFSETS)
def test_schools_of_the_day_differ_in_the_twenty_third_hour_only(lines, at, offset):
    when = at.replace(tzinfo=timezone(timedelta(minutes=offset)))
    schools = (
        School(),
        School(day_boundary="00:00"),
        School(day_boundary="00:00", late_zi_hour_stem="same_day"),
    )
    charts = [ly.derive(lines, when, school=school) for school in schools]
    assert len({(chart.year, chart.month) for chart in charts}) == 1
    if at.hour < 23:
        assert len({(chart.day, chart.hour) for chart in charts}) == 1
    else:
        assert len({chart.day for chart in charts[1:]}) == 1
        assert charts[0].day.index == (charts[1].day.index + 1) % 60
        assert charts[0].hour is charts[1].hour
        assert charts[2].hour is not charts[1].hour


@given(CASTS, TIMES, OFFSETS)
def test_what_is_derived_from_a_time_is_derived_from_its_pillars(lines, at, offset):
    chart = ly.derive(lines, at.replace(tzinfo=timezone(timedelta(minutes=offset))))
    assert chart.year
    assert chart.month
    assert chart.hour
    again = ly.derive(
        lines, pillars=[each.value for each in (chart.year, chart.month, chart.day, chart.hour)]
    )
    clock = strict(chart)["divinationTime"]
    assert again.to_divination("占", divination_time=clock) == chart.to_divination("占")
    assert again.analyze("官司").lines == chart.analyze("官司").lines


@given(
    CASTS,
    st.sampled_from(BRANCHES),
    st.sampled_from(PILLARS),
    st.sampled_from([*ly.QUESTION_TYPES, None, "?"]),
)
def test_two_derivations_are_one(lines, month: Branch, day: Pillar, kind):
    one, other = (ly.derive(lines, month_branch=month.value, day=day.value).analyze(kind) for _ in range(2))
    assert one == other
    assert one.to_dict() == other.to_dict()


@given(
    st.binary(min_size=32, max_size=32),
    st.text(min_size=1, max_size=32).filter(lambda text: _is_writable(text)),
)
def test_whatever_the_seeds_a_revealed_cast_is_verified_and_another_seed_refused(server, client):
    from bazi_core.errors import InvalidCast

    for method in ("coins", "yarrow"):
        record = ly.cast.commit(server).reveal(client, method)
        assert ly.cast.verify(record.to_dict()) == record
        other = {**record.to_dict(), "serverSeed": bytes([server[0] ^ 1, *server[1:]]).hex()}
        with pytest.raises(InvalidCast):
            ly.cast.verify(other)


def _is_writable(text: str) -> bool:
    return len(text.encode("utf-8", "replace")) <= 128 and text == text.encode("utf-8", "replace").decode()
