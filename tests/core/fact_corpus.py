"""Charts, years and casts drawn at random, each with all of its facts, for the laws that hold of every fact."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import bazi_core as bz
from bazi_core import liuren
from bazi_core.face import Chart
from bazi_core.facts import Fact, collect
from bazi_core.liuyao import LiuyaoPolicy, derive
from bazi_core.liuyao.policy import POLICIES
from bazi_core.liuyao.yongshen import labels
from bazi_core.school import OPTIONS, PROFILES, School
from bazi_core.speech.plan import Plan
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.year import year_plan
from bazi_core.year.evidence import month_facts
from bazi_core.year.span_evidence import span_facts

CITIES = ("北京", "上海", "乌鲁木齐", "纽约", "东京", "伦敦", "悉尼")
HELD = ("validate", "judgement", "time_basis", "clock", "special_structures")
PILLARS = (
    "庚午 辛巳 庚辰 壬午", "壬申 壬子 戊午 乙卯", "甲子 丙寅 甲寅 甲子", "丁卯 丁未 丁卯 癸卯",
    "甲辰 己巳 己未 甲戌",
)  # fmt: skip

Facts = Mapping[str, Fact]


def objects(count: int, seed: int, *, schools: bool = True) -> Iterator[Facts]:
    """The facts of so many births with one year each, so many casts and so many palms; `schools` draws options
    and three years side by side too."""
    rng = random.Random(seed)
    for _ in range(count):
        yield from _birth(rng, schools)
        yield _cast(rng)
        yield _palms(rng)
    for pillars in PILLARS:
        yield bz.chart(pillars=pillars, gender=rng.choice(("male", "female"))).pattern().all_facts


def plans(count: int, seed: int) -> Iterator[Plan]:
    """What can be said of so many births in their thirties and of a year of each; plans have facts that only they cite."""
    rng = random.Random(seed)
    for _ in range(count):
        year = rng.randint(1930, 1990)
        born = f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02} {rng.randint(0, 23):02}:30"
        chart = bz.chart(born, city=rng.choice(CITIES), gender=rng.choice(("male", "female")))
        yield pattern_plan(chart.pattern(), running=chart.running(f"{year + 33}-01-15"))
        yield year_plan(chart.year(year + 33))


def _birth(rng: random.Random, schools: bool) -> Iterator[Facts]:
    year, gender = rng.randint(1901, 2060), rng.choice(("male", "female", None))
    date = f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    known = rng.random() > 0.1
    clock = f" {rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    school = _school(rng) if schools else School()
    made = bz.chart(
        date + clock * known, city=rng.choice(CITIES), gender=gender, hour_unknown=not known, school=school
    )
    yield made.pattern().all_facts
    if gender is not None:
        number = year + rng.randint(0, 90)
        yield from _year(made, number)
        if schools:
            yield collect(span_facts(made.years(number, number + 2)))


def _year(chart: Chart, number: int) -> Iterator[Facts]:
    year = chart.year(number)
    yield year.all_facts
    yield collect(month_facts(year))


def _school(rng: random.Random) -> School:
    names = [name for name in OPTIONS if name not in HELD]
    options = {name: rng.choice(OPTIONS[name]) for name in rng.sample(names, 4)}
    return School.named(rng.choice(list(PROFILES)), **options)


def _cast(rng: random.Random) -> Facts:
    lines = "".join(rng.choices("6789", (1, 3, 3, 1), k=6))
    when = f"{rng.randint(1950, 2050)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:30:00+08:00"
    policy = LiuyaoPolicy(**{name: rng.choice(values) for name, values in POLICIES.items()})
    asked = rng.choice((None, *labels()))
    return derive(lines, when, policy=policy).analyze(asked, rng.choice((None, "male", "female"))).facts


def _palms(rng: random.Random) -> Facts:
    hour = rng.choice((None, *"子丑寅卯辰巳午未申酉戌亥"))
    return liuren.cast(month=rng.randint(1, 12), day=rng.randint(1, 29), hour=hour).facts
