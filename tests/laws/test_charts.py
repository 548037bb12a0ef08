"""Laws of charts: their JSON makes them again, an option moves only what it is about, digests are stable."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.alphabet import HourBranch
from bazi_core.astro import lunar
from bazi_core.errors import AmbiguousLocalTime, InvalidLunarDate, NonexistentLocalTime
from bazi_core.face import Chart
from bazi_core.pillars import pillars_at
from bazi_core.school import OPTIONS, School
from tests.sizes import examples, sizes

# Births of every kind.

DATES = st.dates(datetime(1600, 1, 1).date(), datetime(2199, 12, 30).date())
TIMES = st.times().map(lambda at: at.replace(microsecond=0))
NAMES = st.sampled_from([f"{name}时" for name in HourBranch.__members__])
GENDERS = st.sampled_from(["male", "female", "男", None])
WHERE = st.one_of(
    st.sampled_from(["北京", "西安", "喀什", "New York", "São Paulo", "Auckland"]).map(lambda city: {"city": city}),
    st.sampled_from(["Asia/Shanghai", "America/St_Johns", "Pacific/Apia"]).map(lambda key: {"tz": key}),
    st.integers(-57_600, 57_600).map(lambda seconds: {"utc_offset": timedelta(seconds=seconds)}),
    st.builds(
        lambda longitude, latitude, hours: {"longitude": longitude, "latitude": latitude, "utc_offset": hours},
        st.floats(-180, 180), st.floats(-90, 90), st.integers(-12, 14),
    ),
)  # fmt: skip
SCHOOLS = st.builds(
    lambda choices, window: School(**choices, boundary_window_s=window),
    st.fixed_dictionaries(
        {
            name: st.sampled_from(values)
            for name, values in OPTIONS.items()
            if name not in ("time_basis", "clock", "year_boundary")
        }
    ),
    st.integers(0, 3600),
)
LUNAR = st.builds(
    lambda year, month, leap, day: f"农历{year}年{'闰' if leap else ''}{month}月{day}日",
    st.integers(1645, 2198), st.integers(1, 12), st.booleans(), st.integers(1, 30),
)  # fmt: skip


CLOCK = st.fixed_dictionaries({"day": DATES, "time": TIMES, "fold": st.sampled_from([None, 0, 1])}).map(
    lambda each: {"when": f"{each['day']} {each['time']}", "fold": each["fold"]}
)
NAMED = st.builds("{} {}".format, DATES, NAMES).map(lambda when: {"when": when})
DAY = DATES.map(lambda day: {"when": day.isoformat(), "hour_unknown": True})
ON_LUNAR_DATE = st.builds("{} {:%H:%M}".format, LUNAR, TIMES).map(lambda when: {"when": when})
JULIAN = st.builds("{} {}".format, DATES.filter(lambda day: day.day < 29), TIMES).map(
    lambda when: {"when": when, "calendar": "julian", "fold": 0}
)
BORN = st.builds(
    lambda when, where, gender, school: {**when, **where, "gender": gender, "school": school},
    CLOCK | NAMED | DAY | ON_LUNAR_DATE | JULIAN, WHERE, GENDERS, SCHOOLS,
)  # fmt: skip
GIVEN = st.builds(
    lambda term, local_ms, gender, school, end: {
        "pillars": str(pillars_at(term, local_ms, school))[:end], "gender": gender, "school": school,
    },
    st.integers(26, 26_000), st.integers(0, 10**12), GENDERS, SCHOOLS, st.sampled_from([None, 8]),
)  # fmt: skip


@examples(250)
@given(BORN | GIVEN)
def test_a_chart_comes_back_from_its_json(asked):
    """Born on a clock, in a named double hour, without an hour, on a lunar or a Julian date; of given pillars."""
    try:
        chart = bz.chart(**asked)
    except (NonexistentLocalTime, AmbiguousLocalTime, InvalidLunarDate):
        assume(False)
    text = chart.to_json()
    again = Chart.from_json(text)
    assert again == chart
    assert hash(again) == hash(chart)
    assert again.to_dict()["digest"] == json.loads(text)["digest"]


@examples(200)
@given(st.dates(lunar.FIRST_DAY, lunar.LAST_DAY))
def test_a_lunar_date_written_out_is_its_day(day):
    born = bz.chart(f"{bz.lunar_date(day).text()} 12:00", utc_offset=8).birth
    assert born.civil.date() == day


# One option at a time.

# Of births that every option can touch: with daylight saving, late at night, between two kinds of new year,
# after a 中气, seconds before 立春, in Korea on China's new year, with a special
# structure.
BIRTHS = [
    {"when": "1990-05-15 13:30", "city": "北京", "gender": "male"},
    {"when": "1990-05-15 23:30", "city": "西安", "gender": "female"},
    {"when": "2026-02-10 00:10", "city": "cn:650100", "gender": "male"},
    {"when": "2090-08-08 00:30", "longitude": 116.4, "tz": "Asia/Shanghai", "gender": "female"},
    {"when": "1985-07-30 22:58", "city": "New York", "gender": "male"},
    {"when": "1990-04-10 12:00", "city": "北京", "gender": "male"},
    {"when": "1986-03-02 04:00", "city": "上海", "gender": "male"},
    {"when": "1980-02-17 02:40", "longitude": 120, "utc_offset": 8, "gender": "male"},
    {"when": "2024-02-04 16:27:00", "longitude": 120, "utc_offset": 8, "gender": "male"},
    {"when": "1997-02-07 12:00", "city": "Seoul", "gender": "female"},
    {"when": "2023-04-02 22:21", "city": "Paris", "gender": "female"},
]
# What every option is repeated in.
REPEATED = ("school", "input_digest", "digest")
ALWAYS = ["school.options.{name}", "school.options.{name}.*", "input_digest", "digest"]
# What follows from the day and the hour pillar.
PATTERN = ["pattern_result.*", "pattern_result"]
STRENGTH = [
    *PATTERN, "day_master_strength.*", "facts.str.*", "warnings.*", "warnings", "human_readable_summary",
]  # fmt: skip
ELEMENTS = ["five_elements.*", "facts.wx.*", *STRENGTH]
RELATIONS = [*PATTERN, "relations.*", "facts.rel.*", "facts.hua.*", "roots.*", "facts.root.*"]
STARS = ["stars.*", "stars", "facts.star.*", "warnings.*", "warnings"]
OF_PILLARS = ["transparency.*", "transparency", "facts.tou.*", *ELEMENTS, *RELATIONS, *STARS]
OF_DAY_AND_HOUR = [
    *OF_PILLARS, "bone_weight.*", "facts.bone.*",
    "four_pillars.day", "four_pillars.hour", "pillars.*", "day_master.*", "bazi_structure.*", "ten_gods.*", "void.day.*",
    "tai_xi", "ming_gong", "shen_gong", "major_luck.xiaoyun.*", "major_luck.cycles.*.ten_god_*",
    "major_luck.cycles.*.stage", "major_luck.cycles.*.void", "time_trace.boundary_flags.*", "facts.*", "warnings.*",
    "human_readable_summary",
]  # fmt: skip
LUCK = ["major_luck.*", "facts.dy.*", "facts.xy.*", "human_readable_summary"]
MOVES: dict[str, list[str]] = {
    "time_basis": [*OF_DAY_AND_HOUR, "time_trace.used", "time_trace.local"],
    "day_boundary": OF_DAY_AND_HOUR,
    "late_zi_hour_stem": OF_DAY_AND_HOUR,
    "year_boundary": [
        "four_pillars.year", "ming_gua.*", "pillars.year.*", "pillars.*.void", "ten_gods.*", "void.year.*", "ming_gong",
        "shen_gong",
        "time_trace.boundary_flags.*", "warnings.*", "facts.*", *LUCK, *OF_PILLARS,
    ],
    "future_utc": [
        "time_trace.future_utc", "time_trace.tt_*", "time_trace.delta_t_*", "time_trace.*_jie.*",
        "time_trace.equation_of_time_s", "time_trace.true_solar", "time_trace.local", "time_trace.steps.*",
        "time_trace.boundary_flags.*", "siling.*", "warnings.*", "facts.p.time.*", "facts.sl.month.*", *LUCK,
    ],
    "clock": ["time_trace.*", "siling.*", *OF_DAY_AND_HOUR, *LUCK],
    "lunar_calendar": ["lunar.*", "zodiac.lunar", "bone_weight.*", "facts.bone.*", "warnings.*", "human_readable_summary"],
    "boundary_window_s": ["time_trace.boundary_flags.*", "time_trace.boundary_flags", "warnings.*"],
    "hidden_weights": ["pillars.*.hidden.*.weight", *ELEMENTS],
    "siling_table": ["siling.*", "pillars.month.hidden.*.is_siling", "facts.sl.month.*", *STRENGTH],
    "earth_season": ELEMENTS,
    "wuwei_element": RELATIONS,
    "anhe": RELATIONS,
    "twelve_stages": ["pillars.*.stage_*", "major_luck.cycles.*.stage", "facts.stage.*"],
    "ming_month": ["ming_gong", "facts.palace.命宫.*"],
    "void_anchor": ["pillars.*.void", "major_luck.cycles.*.void", *STARS],
    "star_set": STARS,
    "star_anchor": STARS,
    "cycle_anchor": STARS,
    "star_variants": STARS,
    "strength_method": STRENGTH,
    "ge_hidden_main": PATTERN,
    "yin_ren": PATTERN,
    "special_structures": PATTERN,
    "yong_weights": PATTERN,
    "judgement": [*STRENGTH, "day_master_strength"],
    "liuyue_detail": [],
    "luck_start": LUCK,
    "luck_direction": LUCK,
    "xiaoyun": ["major_luck.xiaoyun.*", "major_luck.xiaoyun", "facts.xy.*"],
    "liunian_boundary": [],
    "age_style": [],
    "validate": [],
}  # fmt: skip
# What a pattern has beside the parts of the chart that it repeats.
OF_PATTERN = [
    "pattern_type", "pattern", "strength", "useful_gods", "useful_god_detail", "tiaohou", "favourable", "alternatives",
    "six_relatives",
]  # fmt: skip
VALUES = {
    **OPTIONS,
    "boundary_window_s": (120, 0, 3600),
    "star_variants": ({}, {"羊刃": "with_yin_diwang"}),
    "yong_weights": ({}, {"fu_yi": 0.2}),
}
CHANGES = [(name, value) for name, values in VALUES.items() for value in values[1:]]


ABSENT = object()


def members(form: Any) -> dict[str, Any]:
    if isinstance(form, list):
        return {str(index): member for index, member in enumerate(form)}
    return form if isinstance(form, dict) else {}


def differing(one: Any, other: Any, above: str = "") -> Iterator[str]:
    """The paths of what stands in one form and not in the other, or is another value there."""
    if one == other:
        return
    left, right = members(one), members(other)
    if not left or not right:
        leaves = [form for form in (one, other) if form is not ABSENT and not isinstance(form, list)]
        yield from (above for form in leaves if not members(form))
    for name in {**left, **right}:
        path = f"{above}.{name}" if above else name
        yield from differing(left.get(name, ABSENT), right.get(name, ABSENT), path)


def chart_of(born: dict[str, Any], **options: Any) -> dict[str, Any]:
    chart = bz.chart(**born, school=School(**options))
    pattern = chart.pattern().to_dict(facts=False)
    return chart.to_dict() | {"pattern_result": {name: pattern[name] for name in OF_PATTERN}}


@cache
def plain(number: int) -> dict[str, Any]:
    """A birth without any option."""
    return chart_of(BIRTHS[number])


def moved(name: str, value: Any, count: int) -> set[str]:
    """The paths at which an option changes births, until it has changed so many of them."""
    return _moved_by(CHANGES.index((name, value)), count)


@cache
def _moved_by(change: int, count: int) -> set[str]:
    name, value = CHANGES[change]
    found = set()
    for number, born in enumerate(BIRTHS):
        if (name, value) == ("clock", "xinjiang") and born.get("city") != "cn:650100":
            continue
        paths = set(differing(plain(number), chart_of(born, **{name: value})))
        found.update(paths)
        count -= any(path.partition(".")[0] not in REPEATED for path in paths)
        if count == 0:
            break
    return found


def test_every_option_says_what_it_may_move():
    assert set(MOVES) == set(VALUES)


@sizes(1, len(BIRTHS))
@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_an_option_moves_only_what_it_is_about(name, value, count):
    allowed = [pattern.format(name=name) for pattern in ALWAYS] + MOVES[name]
    strays = {
        path
        for path in moved(name, value, count)
        if not any(fnmatchcase(path, pattern) for pattern in allowed)
    }
    assert strays == set()


@sizes(1, len(BIRTHS))
@pytest.mark.parametrize(("name", "value"), [change for change in CHANGES if MOVES[change[0]]])
def test_an_option_moves_something(name, value, count):
    if (name, value) in [("late_zi_hour_stem", "same_day"), ("clock", "beijing")]:
        # The first acts only when the day begins at midnight, the second says the default out loud.
        assert {path.partition(".")[0] for path in moved(name, value, count)} <= {
            "school", "input_digest", "digest", "time_trace",
        }  # fmt: skip
    else:
        option = f"school.options.{name}"
        assert {
            path
            for path in moved(name, value, count) - {"input_digest", "digest"}
            if not path.startswith(option)
        }


def test_the_zodiac_by_lichun_is_that_of_lichun_in_every_school():
    for boundary in OPTIONS["year_boundary"]:
        chart = bz.chart("2026-02-10 12:00", utc_offset=8, school=School(year_boundary=boundary))
        assert {rule: animal.value for rule, animal in chart.zodiac.items()} == {
            "lichun": "马",
            "lunar": "蛇",
        }


# Same input, same bytes.

PROGRAM = """
import bazi_core as bz
for school in (bz.School(), bz.School(day_boundary="00:00", luck_start="shichen", void_anchor="both")):
    for chart in (
        bz.chart("1990-05-15 13:30", city="北京", gender="male", school=school),
        bz.chart("2026-02-04", hour_unknown=True, city="Ürümqi", gender="female", school=school),
        bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male", school=school),
    ):
        print(ascii(chart.to_json()))
"""


@pytest.mark.process
def test_the_bytes_do_not_depend_on_the_seed_of_the_hashes():
    texts = set()
    for seed in ("0", "1", "20260204"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, check=True, env=environment
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    assert len(re.findall(rb'"digest": ?"[0-9a-f]{64}"', texts.pop())) == 6


@examples(50)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_charts_are_equal_exactly_when_their_digests_are(one, other):
    charts = [
        bz.chart(datetime(1950, 1, 1) + timedelta(seconds=seconds), utc_offset=8) for seconds in (one, other)
    ]
    digests = [chart.to_dict(facts=False)["digest"] for chart in charts]
    assert (charts[0] == charts[1]) is (digests[0] == digests[1]) is (one == other)


def test_every_pair_of_schools_has_its_own_input_digest():
    schools = [School(**{name: value}) for name, value in CHANGES if (name, value) != ("clock", "xinjiang")]
    digests = [
        bz.chart(**BIRTHS[0], school=school).to_dict(facts=False)["input_digest"]
        for school in [School(), *schools]
    ]
    assert len(set(digests)) == len(digests)
    assert all(one != other for (i, one), (j, other) in product(enumerate(digests), repeat=2) if i != j)
