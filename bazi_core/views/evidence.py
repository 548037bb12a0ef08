"""The views of a chart as facts: pillars, time, hidden stems, ten gods, stages, 纳音, voids, palaces.

Rule ids are those of the documentation; sources are short citation keys. The values are computed in the
other modules of this package; this one words them and links them to the facts on which they rest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.pillars import WHOLE, FourPillars
from bazi_core.views.cycles import nayin, void_branches
from bazi_core.views.hidden import hidden_stems, siling
from bazi_core.views.palaces import ming_gong, month_number, shen_gong, tai_xi, tai_yuan
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Pillar, Stem
    from bazi_core.moment import SolarMoment
    from bazi_core.school import School


def view_facts(
    pillars: FourPillars, school: School, moment: SolarMoment | None, gender: str | None
) -> Iterator[Fact]:
    """All facts of the views, leaves first."""
    yield from _leaves(pillars, gender)
    if moment is not None:
        yield from _time(moment)
        yield from _siling(moment, school)
    for position, pillar in pillars.items():
        yield from _of_pillar(position, pillar, pillars.day.stem, school.hidden_weights, school.twelve_stages)
    yield from _voids(pillars)
    yield from _palaces(pillars, school, moment)


@lru_cache(maxsize=1 << 11)
def _of_pillar(position: str, pillar: Pillar, day: Stem, weights: str, stages: str) -> tuple[Fact, ...]:
    """The facts of a pillar alone and relative to the day stem (cached; 1,380 under one School)."""
    sound = nayin(pillar)
    return (
        *_hidden(position, pillar, day, weights),
        *_stages(position, pillar, day, stages),
        Fact(
            f"nayin.{position}", "nayin", position, "nayin", sound, "nayin", (position, sound), position,
            (f"p.{position}.stem", f"p.{position}.branch"), "R-NAYIN", "SMTH.论纳音取象",
        ),
    )  # fmt: skip


def _leaves(pillars: FourPillars, gender: str | None) -> Iterator[Fact]:
    for position, pillar in pillars.items():
        for part, char in (("stem", pillar.stem.value), ("branch", pillar.branch.value)):
            yield Fact(
                f"p.{position}.{part}", "pillar", position, part, char, f"pillar.{part}", (position, char),
                position, rule="R-PILLAR",
            )  # fmt: skip
    yield Fact(
        WHOLE, "pillar", "chart", "pillars", str(pillars), "pillar.chart", (str(pillars),), None, pillars.leaf_ids,
        "R-PILLAR",
    )  # fmt: skip
    if gender is not None:
        yield Fact("p.input.gender", "input", "birth", "gender", gender, f"gender.{gender}", rule="R-INPUT")


def _time(moment: SolarMoment) -> Iterator[Fact]:
    before: tuple[str, ...] = ()
    for step in moment.steps():
        name, at = step["name"], step["value"]
        yield Fact(f"p.time.{name}", "time", "birth", name, at, f"time.{name}", (at,), None, before, "R-TIME")
        before = (f"p.time.{name}",)
    for which, position in (("prev_jie", moment.prev_jie), ("next_jie", moment.next_jie)):
        jie = moment.term_dict(position)
        yield Fact(
            f"p.time.{which}",
            "time",
            jie["name"],
            which,
            jie["utc"],
            f"time.{which}",
            (jie["name"], jie["utc"]),
            rule="R-TERM",
            source="GB/T 33661-2017",
        )


def _siling(moment: SolarMoment, school: School) -> Iterator[Fact]:
    commander = siling(moment, school.siling_table)
    stem = commander.stem.value
    rests_on = ("p.month.branch", "p.time.prev_jie", "p.time.next_jie", "p.time.utc")
    yield Fact(
        "sl.month",
        "siling",
        "month",
        "commander",
        stem,
        "siling",
        (commander.day_in_month, stem),
        "month",
        rests_on,
        "R-SILING",
        commander.table,
    )


def _hidden(position: str, pillar: Pillar, day: Stem, weights: str) -> Iterator[Fact]:
    if position != "day":
        god = ten_god(day, pillar.stem).value
        rests_on = ("p.day.stem", f"p.{position}.stem")
        yield Fact(
            f"tg.{position}.stem",
            "ten_god",
            position,
            "ten_god",
            god,
            "ten_god.stem",
            (position, pillar.stem.value, god),
            position,
            rests_on,
            "R-TG",
            "YHZP.论十神",
        )
    for hidden in hidden_stems(pillar.branch, weights):
        stem, god = hidden.stem.value, ten_god(day, hidden.stem).value
        yield Fact(
            f"hs.{position}.{stem}",
            "hidden_stem",
            position,
            "hides",
            stem,
            "hidden_stem",
            (position, pillar.branch.value, stem, hidden.qi),
            position,
            (f"p.{position}.branch",),
            "R-HS",
            "YHZP.论天干地支暗藏总诀",
        )
        yield Fact(
            f"tg.{position}.{stem}", "ten_god", position, "ten_god", god, "ten_god.hidden", (position, stem, god),
            position, ("p.day.stem", f"p.{position}.branch"), "R-TG", "YHZP.论十神",
        )  # fmt: skip


def _stages(position: str, pillar: Pillar, day: Stem, stages: str) -> Iterator[Fact]:
    branch = pillar.branch.value
    rows = (("day", day, (day.value, position, branch), "p.day.stem"),
            ("self", pillar.stem, (position, pillar.stem.value, branch), f"p.{position}.stem"))  # fmt: skip
    for which, stem, who, leaf in rows:
        stage_name = stage(stem, pillar.branch, stages).value
        rests_on = tuple(dict.fromkeys((leaf, f"p.{position}.branch")))
        yield Fact(
            f"stage.{which}.{position}",
            "stage",
            position,
            f"stage_{which}",
            stage_name,
            f"stage.{which}",
            (*who, stage_name),
            position,
            rests_on,
            "R-STAGE",
            stages,
        )


def _voids(pillars: FourPillars) -> Iterator[Fact]:
    for position, pillar in (("day", pillars.day), ("year", pillars.year)):
        branches = "".join(branch.value for branch in void_branches(pillar))
        yield Fact(
            f"void.{position}",
            "void",
            position,
            "void",
            branches,
            "void",
            (position, pillar.value, tuple(branches)),
            position,
            (f"p.{position}.stem", f"p.{position}.branch"),
            "R-VOID",
            "YHZP",
        )


def _palaces(pillars: FourPillars, school: School, moment: SolarMoment | None) -> Iterator[Fact]:
    yield _palace("胎元", tai_yuan(pillars.month).value, ("p.month.stem", "p.month.branch"))
    yield _palace("胎息", tai_xi(pillars.day).value, ("p.day.stem", "p.day.branch"))
    if pillars.hour is None:
        return
    rests_on = ("p.year.stem", "p.month.branch", "p.hour.branch")
    by_zhongqi = school.ming_month == "zhongqi" and moment is not None
    number = month_number(pillars.month.branch, moment, school.ming_month)
    yield _palace(
        "命宫",
        ming_gong(pillars.year, number, pillars.hour.branch).value,
        rests_on + ("p.time.utc",) * by_zhongqi,
    )
    yield _palace("身宫", shen_gong(pillars.year, pillars.month.branch, pillars.hour.branch).value, rests_on)


def _palace(name: str, pillar: str, rests_on: tuple[str, ...]) -> Fact:
    return Fact(
        f"palace.{name}",
        "palace",
        name,
        "pillar",
        pillar,
        "palace",
        (name, pillar),
        None,
        rests_on,
        "R-PALACE",
        "SMTH",
    )
