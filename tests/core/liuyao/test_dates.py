"""应期 as dates, against a calendar that is worked out here: days by counting, months and years by the Sun's place."""

from __future__ import annotations

import csv
import itertools
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from math import radians, sin
from pathlib import Path
from random import Random

import pytest

from bazi_core import alphabet
from bazi_core import liuyao as ly
from bazi_core.errors import UnknownOption
from bazi_core.liuyao.dates import Period, coming, horizons
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, FOUR, analysis

STEMS, BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
TERMS = ["立春", "惊蛰", "清明", "立夏", "芒种", "小暑", "立秋", "白露", "寒露", "立冬", "大雪", "小寒"]
GOLDEN = Path(__file__).parents[3] / "data" / "golden" / "astro" / "hko_terms.csv"


def day_pillar(day: date) -> str:
    """1 January 2000 was 戊午."""
    number = (day - date(2000, 1, 1)).days + 54
    return STEMS[number % 10] + BRANCHES[number % 12]


def sun(at: datetime) -> float:
    """Apparent longitude of the Sun in degrees, good to a hundredth (Meeus, Astronomical Algorithms, ch. 25)."""
    t = ((at - datetime(2000, 1, 1, 12, tzinfo=UTC)) / timedelta(days=1) + 69 / 86400) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    m = radians(357.52911 + 35999.05029 * t - 0.0001537 * t * t)
    centre = (1.914602 - 0.004817 * t) * sin(m) + 0.019993 * sin(2 * m) + 0.000289 * sin(3 * m)
    node = radians(125.04 - 1934.136 * t)
    return (mean + centre - 0.00569 - 0.00478 * sin(node)) % 360


def read(text: str) -> datetime:
    return datetime.fromisoformat(text)


def casts(count: int, seed: int, first: int = 1950, last: int = 2080) -> list[tuple[datetime, School, str]]:
    """Times of casts with offsets, boundaries of the day and horizons."""
    draw, made = Random(seed), []
    for _ in range(count):
        zone = timezone(timedelta(minutes=draw.choice((-480, -210, 0, 60, 330, 480, 480, 540, 765))))
        day = datetime(draw.randint(first, last), 1, 1, tzinfo=zone)
        at = day + timedelta(seconds=draw.randrange(365 * 86400))
        school = School(day_boundary=draw.choice(("23:00", "00:00")))
        made.append((at, school, draw.choice([*horizons()])))
    return made


def analysis_at(at: datetime, school: School, horizon: str) -> ly.Analysis:
    lines = [6 + (at.second * 7 + at.minute * k) % 4 for k in range(1, 7)]
    return ly.derive(lines, at, school=school).analyze("其他", horizon=horizon)


def coming_of(found: ly.Analysis) -> list[tuple[Period, ...]]:
    """What comes of every branch."""
    chart = found.chart
    return [coming(each, chart.moment, chart.school, found.horizon) for each in alphabet.BRANCHES]


def told(found: ly.Analysis, unit: str) -> list[Period]:
    return [each for when in found.timing for each in found.dates(when) if each.unit == unit]


def expected_days(at: datetime, early: bool, branches: str, count: int) -> dict[str, list[str]]:
    """The days of these branches among the next ones, by counting from the day that runs."""
    running = (at + timedelta(hours=1) if early else at).date()
    coming = [running + timedelta(days=ahead) for ahead in range(1, count + 1)]
    return {
        branch: [day.isoformat() for day in coming if day_pillar(day)[1] == branch] for branch in branches
    }


def test_days_are_all_those_of_the_branch_within_the_horizon_and_begin_where_the_day_turns():
    checked = 0
    for at, school, horizon in casts(400, 1):
        found, early = analysis_at(at, school, horizon), school.day_boundary == "23:00"
        for when in found.timing:
            if when.after_month:
                continue
            branches = "".join(branch.value for branch in when.branches)
            wanted = expected_days(at, early, branches, horizons()[horizon].days)
            own = [each for each in found.dates(when) if each.unit == "日"]
            assert [each.date for each in own] == [day for branch in branches for day in wanted[branch]]
            for each in own:
                begins = datetime.combine(date.fromisoformat(each.date), datetime.min.time(), at.tzinfo)
                begins -= timedelta(hours=early)
                assert (read(each.begins), read(each.ends)) == (begins, begins + timedelta(days=1))
                assert each.pillar.value == day_pillar(date.fromisoformat(each.date))
                assert at < begins
                checked += 1
    assert checked > 2000


@pytest.mark.parametrize(("unit", "step"), [("月", 30.0), ("年", 360.0)])
def test_months_and_years_begin_where_the_sun_stands_at_their_term(unit, step):
    checked = 0
    for at, school, horizon in casts(250, 2):
        found = analysis_at(at, school, horizon)
        for each in told(found, unit):
            begins, ends = read(each.begins), read(each.ends)
            number = TERMS.index(each.term)
            # 立春 is at 315 degrees; a hundredth of a degree is a quarter of an hour.
            assert abs((sun(begins) - 315 - 30 * number + 180) % 360 - 180) < 0.012
            assert abs((sun(ends) - sun(begins) - step + 180) % 360 - 180) < 0.02
            branch = BRANCHES[(number + 2) % 12] if unit == "月" else BRANCHES[(begins.year - 4) % 12]
            assert each.branch.value == branch
            assert (each.date, at < begins) == (each.begins[:10], True)
            assert begins.utcoffset() == at.utcoffset()
            checked += 1
    assert checked > 400


@cache
def printed() -> dict[tuple[int, str], datetime]:
    """When terms begin as the Hong Kong Observatory prints it, to the minute."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        lines = [*csv.DictReader(line for line in file if not line.startswith("#"))]
    return {(int(row["hkt"][:4]), row["term"]): datetime.fromisoformat(row["hkt"]) for row in lines}


def test_months_and_years_begin_at_the_minute_that_the_observatory_prints():
    checked = 0
    for at, school, _ in casts(80, 4, 2017, 2025):
        found = analysis_at(at, school, "far")
        for each in (*told(found, "月"), *told(found, "年")):
            begins = read(each.begins)
            minute = printed().get((begins.astimezone(timezone(timedelta(hours=8))).year, each.term))
            if minute is not None:
                assert abs(begins - minute) <= timedelta(seconds=60), each
                checked += 1
    assert checked > 200


def test_pillars_of_months_and_years_follow_each_other():
    found = ly.derive("789876", AT).analyze("其他", horizon="far")
    every = [each for own in coming_of(found) for each in own]
    for unit, first in (("月", "壬辰"), ("年", "丁未")):
        own = sorted((each for each in every if each.unit == unit), key=lambda each: each.begins)
        start = next(n for n in range(60) if STEMS[n % 10] + BRANCHES[n % 12] == first)
        names = [STEMS[(start + n) % 10] + BRANCHES[(start + n) % 12] for n in range(12)]
        assert [each.pillar.value for each in own] == names
        assert all(one.ends == other.begins for one, other in itertools.pairwise(own))


def test_within_its_horizon_every_branch_has_three_days_one_month_or_one_year():
    for at, school, name in casts(60, 3):
        found, horizon = analysis_at(at, school, name), horizons()[name]
        for own in coming_of(found):
            count = [sum(each.unit == unit for each in own) for unit in "日月年"]
            assert count[0] == horizon.days // 12
            assert count[1] == 1 if horizon.months == 12 else count[1] <= 1
            assert count[2] == horizon.years // 12


def test_every_kind_of_question_has_its_horizon():
    near = ["出行", "行人", "寻人", "失物", "文书", "宠物", "天气"]
    far = ["功名", "升迁", "婚姻", "家宅", "房产", "子女"]
    for label in ly.QUESTION_TYPES:
        name = "near" if label in near else "far" if label in far else "middle"
        assert analysis("既济", ask=label).horizon.name == name
    assert {analysis("既济", ask=kind).horizon.name for kind in (None, "占什么")} == {"middle"}
    assert all(row["horizon"] in horizons() for row in rows("liuyao/question_types"))


def test_a_stated_horizon_wins_over_that_of_the_kind():
    chart = ly.derive("789876", AT)
    assert chart.analyze("天气", horizon="far").horizon == horizons()["far"]
    assert chart.analyze("天气", horizon="far") != chart.analyze("天气")
    for bad in ("", "soon", "Far", 3, []):
        with pytest.raises(UnknownOption) as caught:
            chart.analyze("天气", horizon=bad)
        assert caught.value.data["allowed"] == ["near", "middle", "far"]


def test_what_the_month_broke_is_answered_when_the_month_is_over():
    # 未 month breaks 丑; 小暑 of 2026 is on 7 July, 立秋 on 7 August.
    found = ly.derive([7, 6, 7, 8, 7, 8], "2026-07-20T12:00:00+08:00").analyze("事业", horizon="middle")
    broken = next(each for each in found.timing if each.trigger == "月破填合")
    over = datetime(2026, 8, 7, 19, 30, tzinfo=timezone(timedelta(hours=8)))
    dates = [read(each.begins) for each in found.dates(broken)]
    assert dates
    assert min(dates) > over
    moving = next(each for each in found.timing if each.trigger == "动值")
    assert min(read(each.begins) for each in found.dates(moving)) < over


def test_given_pillars_have_no_dates():
    for chart in (ly.derive("789876", pillars=FOUR), ly.derive("789876", month_branch="卯", day="丁未")):
        found = chart.analyze("事业")
        assert {found.dates(each) for each in found.timing} == {()}
        assert [each["dates"] for each in found.to_dict()["timing"]] == [[]] * len(found.timing)
        assert not any(fact.kind == "date" for fact in found.facts.values())


@pytest.mark.parametrize("at", ["2648-12-31T23:59:59Z", "1551-01-01T00:00:00Z", "2648-12-31T23:30:00+16:00"])
def test_at_the_ends_of_the_table_what_is_known_is_told(at):
    found = ly.derive("789876", at).analyze("其他", horizon="far")
    assert all(each.begins < each.ends for when in found.timing for each in found.dates(when))
    assert len(told(found, "年")) == 0 or at < "2000"


def test_json_holds_every_date_with_pillar_beginning_and_end():
    (still, *_) = ly.derive("789876", AT).analyze("事业").to_dict()["timing"]
    assert still["dates"][0] == {
        "unit": "日", "branch": "戌", "ganZhi": "庚戌", "date": "2026-04-06",
        "begins": "2026-04-05T23:00:00.000+08:00", "ends": "2026-04-06T23:00:00.000+08:00",
    }  # fmt: skip
    assert [each["date"] for each in still["dates"]] == [
        "2026-04-06", "2026-04-18", "2026-04-30", "2026-10-08",
    ]  # fmt: skip
    assert (still["dates"][-1]["term"], still["dates"][-1]["begins"][:16]) == ("寒露", "2026-10-08T14:29")


def test_a_date_is_a_fact_in_three_languages_that_rests_on_the_triggers_that_name_it():
    facts = ly.derive("789876", AT).analyze("事业").facts
    said = {lang: facts["ly.date.戌"].text(lang) for lang in LANGUAGES}
    assert said == {
        "zh-Hans": "戌日：2026年4月6日、18日、30日；戌月：2026年10月8日14:29（寒露）起",
        "zh-Hant": "戌日：2026年4月6日、18日、30日；戌月：2026年10月8日14:29（寒露）起",
        "en": "Dog (戌 Xu) days 6 April 2026, 18 April, 30 April; Dog (戌 Xu) month from 8 October 2026, 14:29 (Cold Dew)",
    }
    assert facts["ly.date.戌"].derives_from == ("ly.timing.1", "ly.richen")
    assert facts["ly.date.戌"].value[0] == "2026-04-05T23:00:00.000+08:00"
    for at, school, horizon in casts(40, 5):
        found = analysis_at(at, school, horizon)
        named = {branch for when in found.waits for branch in when.branches if found.dates(when)}
        assert {fact.subject for fact in found.facts.values() if fact.kind == "date"} <= {
            branch.value for branch in named
        }


def test_on_any_clock_a_month_begins_at_one_instant():
    months = []
    for text in ("2026-04-03T20:30:00+08:00", "2026-04-03T12:30:00Z", "2026-04-03T05:30:00-07:00"):
        found = ly.derive("789876", text).analyze("其他", horizon="far")
        every = [each for own in coming_of(found) for each in own]
        months.append({read(each.begins) for each in every if each.unit == "月"})
    assert months[0] == months[1] == months[2]
    assert len(months[0]) == 12
