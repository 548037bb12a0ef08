"""A birth of which only the date is known: the pieces of its day, and what they share."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.alphabet import BRANCHES
from bazi_core.errors import BaziError, LongitudeRequired, NonexistentLocalTime, OutOfRange, ZoneRequired
from bazi_core.school import School
from tests.tables import holds_for_all

Where = dict[str, Any]
DAYS: list[tuple[str, Where, School]] = [
    ("1990-05-15", {"city": "北京"}, School()),
    ("1990-05-15", {"city": "北京"}, School(time_basis="civil")),
    ("1990-05-15", {"city": "北京"}, School(day_boundary="00:00", late_zi_hour_stem="same_day")),
    ("2026-02-04", {"city": "北京"}, School()),
    ("2026-02-04", {"city": "Ürümqi"}, School()),
    ("2026-02-17", {"city": "成都"}, School(year_boundary="lunar_new_year")),
    ("1990-04-15", {"tz": "Asia/Shanghai"}, School()),
    ("1990-09-16", {"tz": "Asia/Shanghai"}, School()),
    ("1990-09-16", {"city": "上海"}, School()),
    ("1940-06-01", {"city": "上海"}, School()),
    ("1940-05-31", {"tz": "Asia/Shanghai"}, School()),
    ("1945-09-01", {"tz": "Asia/Shanghai"}, School()),
    ("2021-03-14", {"tz": "America/New_York"}, School()),
    ("2021-11-07", {"tz": "America/New_York"}, School()),
    ("2021-11-07", {"city": "New York"}, School(time_basis="mean_solar")),
    ("2021-04-04", {"tz": "Australia/Lord_Howe"}, School()),
    ("1890-05-15", {"city": "成都"}, School()),
    ("1890-05-15", {"tz": "Asia/Shanghai"}, School()),
    ("2005-07-09", {"longitude": -157.4, "tz": "Pacific/Kiritimati"}, School()),
    ("2000-01-01", {"utc_offset": "+08:00"}, School()),
]
IDS = [f"{day} {' '.join(map(str, where.values()))}" for day, where, _ in DAYS]


def minutes_of(day: str, where: Where, school: School) -> list[tuple[str, str]]:
    """(UTC, four pillars) of every minute that the clocks of the place showed on a day."""
    found = []
    midnight = datetime.fromisoformat(day)
    for minute in range(24 * 60):
        for fold in (0, 1):
            try:
                chart = bz.chart(midnight + timedelta(minutes=minute), fold=fold, school=school, **where)
            except NonexistentLocalTime:
                continue
            found.append((chart.moment.utc, str(chart.pillars)))
    return sorted(set(found))


@holds_for_all("day, where, school", DAYS)
def test_the_pieces_cover_the_civil_day_without_gap_or_overlap(day, where, school):
    pieces = bz.candidates(day, **where, school=school).candidates
    assert all(before.end.utc_ms == after.start.utc_ms for before, after in pairwise(pieces))
    assert all(piece.start.utc_ms < piece.end.utc_ms for piece in pieces)
    assert pieces[0].start.civil[:10] == day
    assert (pieces[-1].end.utc_ms - 1, pieces[-1].end.civil[11:]) >= (pieces[-1].start.utc_ms, "00:00:00")


@holds_for_all("day, where, school", DAYS)
def test_neighbouring_pieces_differ(day, where, school):
    pieces = bz.candidates(day, **where, school=school).candidates
    assert all(before.pillars != after.pillars for before, after in pairwise(pieces))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=IDS[case], marks=[] if case in (0, 7, 16) else [pytest.mark.exhaustive])
        for case in (0, 3, 6, 7, 9, 11, 12, 13, 15, 16, 18)
    ],
)
def test_every_minute_of_the_day_has_the_pillars_of_its_piece(case):
    day, where, school = DAYS[case]
    pieces = bz.candidates(day, **where, school=school).candidates
    for utc, pillars in minutes_of(day, where, school):
        assert [str(piece.pillars) for piece in pieces if piece.start.utc <= utc < piece.end.utc] == [
            pillars
        ], utc


# Days on which the edge of a double hour is hard to hit: its instant is no whole number of milliseconds.
@pytest.mark.parametrize(
    ("day", "where", "school"),
    [
        ("2004-10-10", {"city": "西安"}, School()),
        ("1997-04-22", {"city": "Anchorage"}, School(day_boundary="00:00")),
        ("1592-09-01", {"city": "北京"}, School(day_boundary="00:00")),
        ("1925-04-22", {"city": "Apia"}, School(day_boundary="00:00")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_double_hour_of_the_clock_in_use_is_left_out(day, where, school):
    hours = [piece.pillars.hour.branch for piece in bz.candidates(day, **where, school=school).candidates]
    assert all((after.index - before.index) % 12 in (0, 1) for before, after in pairwise(hours))
    assert set(hours) == set(BRANCHES)


def test_what_all_pieces_share_is_invariant_and_the_rest_varies():
    day = bz.candidates("2026-02-04", city="北京")
    assert day.invariant == {"year": None, "month": None, "day": None, "hour": None}
    assert [span["value"] for span in day.varies["year"]] == ["乙巳", "丙午"]
    assert day.varies["year"][0]["to"] == day.varies["year"][1]["from"] == "2026-02-04T04:02:07.951"
    quiet = bz.candidates("1990-05-15", city="北京")
    assert quiet.invariant == {"year": "庚午", "month": "辛巳", "day": None, "hour": None}
    assert quiet.varies.keys() == {"day"}


@holds_for_all("day, where, school", DAYS)
def test_the_pillars_are_those_of_the_longest_total_time(day, where, school):
    found = bz.candidates(day, **where, school=school)
    lengths: Counter[str] = Counter()
    for piece in found.candidates:
        lengths[" ".join(str(piece.pillars).split()[:3])] += piece.end.utc_ms - piece.start.utc_ms
    assert str(found.pillars) == lengths.most_common(1)[0][0]
    assert found.pillars.hour is None
    assert bz.chart(day, **where, school=school, hour_unknown=True).pillars == found.pillars


def test_no_noon_is_put_in_place_of_the_hour():
    chart = bz.chart("1990-05-15", city="北京", gender="male", hour_unknown=True)
    form = chart.to_dict()
    assert (chart.moment, chart.siling, chart.ming_gong, chart.shen_gong) == (None, None, None, None)
    for member in ("siling", "ming_gong", "shen_gong"):
        assert form[member] is None
    assert form["four_pillars"]["hour"] is form["pillars"]["hour"] is None
    assert form["input"]["civil"] == "1990-05-15"
    known = {name for name, value in form["time_trace"].items() if value not in (None, [])}
    assert not known & {"utc", "tt_ms", "local", "true_solar", "mean_solar", "prev_jie", "next_jie"}
    assert not any(".hour" in fact for fact in form["facts"])
    assert "12:00" not in json.dumps(form["time_trace"])
    assert form["major_luck"]["xiaoyun"] == []


def test_the_start_of_luck_lies_between_those_of_the_first_and_the_last_second():
    luck = bz.chart("1990-05-15", city="北京", gender="male", hour_unknown=True).luck
    ends = [
        bz.chart(f"1990-05-15 {time}", city="北京", gender="male").luck.start
        for time in ("00:00:00", "23:59:59")
    ]
    assert luck.start_range == tuple(sorted(ends))
    assert (luck.start, luck.start_age, luck.uncertain) == (None, None, True)
    assert all(cycle.start_at is cycle.start_year is None for cycle in luck.cycles)
    assert bz.chart("1990-05-15", city="北京", gender="male", hour_unknown=True).to_dict()["major_luck"][
        "uncertain"
    ]


def test_the_luck_pillars_stand_without_the_hour():
    known, unknown = (
        bz.chart("1990-05-15 13:30", city="北京", gender="male", hour_unknown=each).luck
        for each in (False, True)
    )
    assert [cycle.pillar for cycle in known.cycles] == [cycle.pillar for cycle in unknown.cycles]


def test_the_json_form_lists_the_pieces_with_their_clock_times():
    form = bz.candidates("1990-05-15", city="北京").to_dict()
    assert json.loads(json.dumps(form)) == form
    assert form.keys() == {"candidates", "invariant", "varies"}
    assert all(piece.keys() == {"from", "to", "pillars"} for piece in form["candidates"])
    expected = ("1990-05-15T00:00:00.000", "1990-05-16T00:00:00.000")
    assert (form["candidates"][0]["from"], form["candidates"][-1]["to"]) == expected


def test_a_time_or_a_double_hour_beside_the_date_is_left_aside():
    plain = bz.candidates("1990-05-15", city="北京").candidates
    for when in ("1990-05-15 13:30", "1990-05-15 午时", datetime(1990, 5, 15, 13, 30)):
        assert [piece.to_dict() for piece in bz.candidates(when, city="北京").candidates] == [
            piece.to_dict() for piece in plain
        ]


def test_the_day_that_samoa_skipped_has_no_pieces():
    with pytest.raises(NonexistentLocalTime):
        bz.candidates("2011-12-30", tz="Pacific/Apia")
    with pytest.raises(NonexistentLocalTime):
        bz.chart("2011-12-30", tz="Pacific/Apia", hour_unknown=True)


@pytest.mark.parametrize("day", ["1551-01-01", "2648-12-31"])
def test_the_first_and_the_last_day_of_the_range_have_pieces(day):
    assert bz.candidates(day, utc_offset=0, calendar="gregorian").pillars


@pytest.mark.parametrize("day", ["0001-01-01", "1500-01-01", "2700-01-01", "9999-12-31"])
@pytest.mark.parametrize(
    "where", [{"tz": "Asia/Shanghai"}, {"city": "New York"}, {"utc_offset": 16}, {"utc_offset": -16}], ids=str
)
def test_a_day_beyond_the_range_is_refused_and_nothing_worse(day, where):
    with pytest.raises(OutOfRange):
        bz.candidates(day, calendar="gregorian", **where)


def test_what_a_day_needs_is_what_a_moment_needs():
    with pytest.raises(ZoneRequired):
        bz.candidates("1990-05-15")
    with pytest.raises(LongitudeRequired):
        bz.candidates("1990-05-15", tz="Asia/Shanghai", school=School(time_basis="true_solar"))


@pytest.mark.parametrize("when", ["", "garbage", "1990-02-30", None, 5, [], "x" * 10**6])
def test_a_bad_date_is_refused(when):
    with pytest.raises(BaziError):
        bz.candidates(when, city="北京")
