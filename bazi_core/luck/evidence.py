"""The luck of a chart as facts: the ten 大运 and the 小运, each resting on gender, year stem and 节."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.luck.decades import Luck


def luck_facts(luck: Luck) -> Iterator[Fact]:
    """The facts of the luck pillars."""
    word = "顺行" if luck.direction == "forward" else "逆行"
    leaves = ("p.input.gender", "p.year.stem")
    yield Fact(
        "dy.direction",
        "luck",
        "luck",
        "direction",
        luck.direction,
        f"大运{word}",
        None,
        leaves,
        "R-LUCK-DIR",
        "SMTH.论大运",
    )
    yield from _start(luck)
    for cycle in luck.cycles:
        years = f"（{cycle.start_year}–{cycle.end_year}）" if cycle.start_year else ""
        rests_on = ("dy.direction", "p.month.stem", "p.month.branch", *(("dy.start",) if luck.start else ()))
        text = f"第{cycle.index + 1}步大运{cycle.pillar}{years}"
        yield Fact(
            f"dy.{cycle.index + 1}",
            "luck",
            "luck",
            "pillar",
            cycle.pillar.value,
            text,
            "luck",
            rests_on,
            "R-LUCK",
            "SMTH.论大运",
        )
    for minor in luck.xiaoyun:
        text = f"{minor.age_nominal}岁（虚）小运{minor.pillar}"
        rests_on = ("dy.direction", "p.hour.stem", "p.hour.branch")
        yield Fact(
            f"xy.{minor.age_nominal}",
            "luck",
            "luck",
            "xiaoyun",
            minor.pillar.value,
            text,
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
    text = f"{age.years}年{age.months}个月{age.days}天起运（{luck.method}）"
    rests_on = ("dy.direction", "p.time.utc", jie)
    yield Fact(
        "dy.start",
        "luck",
        "luck",
        "start",
        luck.start.isoformat(),
        text,
        None,
        rests_on,
        "R-LUCK-START",
        luck.method,
    )
