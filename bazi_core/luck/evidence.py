"""The luck of a chart as facts: the ten 大运 and the 小运, each resting on gender, year stem and 节."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.luck.decades import Luck


def luck_facts(luck: Luck) -> Iterator[Fact]:
    """The facts of the luck pillars."""
    leaves = ("p.input.gender", "p.year.stem")
    yield Fact(
        "dy.direction",
        "luck",
        "luck",
        "direction",
        luck.direction,
        f"luck.{luck.direction}",
        (),
        None,
        leaves,
        "R-LUCK-DIR",
        "SMTH.论大运",
    )
    yield from _start(luck)
    for cycle in luck.cycles:
        years = (cycle.start_year, cycle.end_year) if cycle.start_year else ()
        rests_on = ("dy.direction", "p.month.stem", "p.month.branch", *(("dy.start",) if luck.start else ()))
        number, pillar = cycle.index + 1, cycle.pillar.value
        yield Fact(
            f"dy.{number}",
            "luck",
            "luck",
            "pillar",
            pillar,
            "luck.pillar_years" if years else "luck.pillar",
            (number, pillar, *years),
            "luck",
            rests_on,
            "R-LUCK",
            "SMTH.论大运",
        )
    for minor in luck.xiaoyun:
        rests_on = ("dy.direction", "p.hour.stem", "p.hour.branch")
        yield Fact(
            f"xy.{minor.age_nominal}",
            "luck",
            "luck",
            "xiaoyun",
            minor.pillar.value,
            "luck.minor",
            (minor.age_nominal, minor.pillar.value),
            "luck",
            rests_on,
            "R-XIAOYUN",
            "SMTH.论小运",
        )


def _start(luck: Luck) -> Iterator[Fact]:
    if luck.start is None or luck.start_age is None:
        return
    jie = "p.time.next_jie" if luck.direction == "forward" else "p.time.prev_jie"
    age = luck.start_age
    rests_on = ("dy.direction", "p.time.utc", jie)
    yield Fact(
        "dy.start",
        "luck",
        "luck",
        "start",
        luck.start.isoformat(),
        "luck.start",
        (age.years, age.months, age.days, luck.method),
        None,
        rests_on,
        "R-LUCK-START",
        luck.method,
    )
