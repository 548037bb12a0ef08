"""The views of a chart as facts: pillars, time, hidden stems, ten gods, stages, 纳音, voids, palaces.

Rule ids are those of the documentation; sources are short citation keys. What is computed is in the other
modules of this package; here it is only put into words and tied to what it rests on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.views.cycles import nayin, void_branches
from bazi_core.views.hidden import hidden_stems, siling
from bazi_core.views.palaces import ming_gong, month_number, shen_gong, tai_xi, tai_yuan
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

ZH = {"year": "年", "month": "月", "day": "日", "hour": "时"}
_TIME_ZH = {
    "civil": "钟表",
    "dst": "去夏令时",
    "utc": "世界时",
    "mean_solar": "平太阳时",
    "true_solar": "真太阳时",
}


def view_facts(
    pillars: FourPillars, school: School, moment: SolarMoment | None, gender: str | None
) -> Iterator[Fact]:
    """All facts of the views, leaves first."""
    yield from _leaves(pillars, gender)
    if moment is not None:
        yield from _time(moment)
        yield from _siling(moment, school)
    for position, pillar in pillars.items():
        yield from _hidden(position, pillars, school)
        yield from _stages(position, pillars, school)
        yield Fact(
            f"nayin.{position}", "nayin", position, "nayin", nayin(pillar), f"{ZH[position]}柱纳音{nayin(pillar)}",
            position, (f"p.{position}.stem", f"p.{position}.branch"), "R-NAYIN", "SMTH.论纳音取象",
        )  # fmt: skip
    yield from _voids(pillars)
    yield from _palaces(pillars, school, moment)


def _leaves(pillars: FourPillars, gender: str | None) -> Iterator[Fact]:
    for position, pillar in pillars.items():
        for part, char, word in (("stem", pillar.stem, "干"), ("branch", pillar.branch, "支")):
            text = f"{ZH[position]}{word}{char}"
            yield Fact(
                f"p.{position}.{part}", "pillar", position, part, char.value, text, position, rule="R-PILLAR"
            )
    if gender is not None:
        text = "男命" if gender == "male" else "女命"
        yield Fact("p.input.gender", "input", "birth", "gender", gender, text, rule="R-INPUT")


def _time(moment: SolarMoment) -> Iterator[Fact]:
    before: tuple[str, ...] = ()
    for step in moment.steps():
        name = step["name"]
        text = f"{_TIME_ZH[name]} {step['value'].replace('T', ' ')}"
        yield Fact(f"p.time.{name}", "time", "birth", name, step["value"], text, None, before, "R-TIME", "")
        before = (f"p.time.{name}",)
    trace = moment.to_dict()
    for which, word in (("prev_jie", "前一节"), ("next_jie", "后一节")):
        jie = trace[which]
        text = f"{word}{jie['name']}：{jie['utc']}"
        yield Fact(
            f"p.time.{which}",
            "time",
            jie["name"],
            which,
            jie["utc"],
            text,
            rule="R-TERM",
            source="GB/T 33661-2017",
        )


def _siling(moment: SolarMoment, school: School) -> Iterator[Fact]:
    found = siling(moment, school.siling_table)
    text = f"入节第{found.day_in_month:.1f}日，{found.stem}司令"
    rests_on = ("p.month.branch", "p.time.prev_jie", "p.time.next_jie", "p.time.utc")
    yield Fact(
        "sl.month",
        "siling",
        "month",
        "commander",
        found.stem.value,
        text,
        "month",
        rests_on,
        "R-SILING",
        found.table,
    )


def _hidden(position: str, pillars: FourPillars, school: School) -> Iterator[Fact]:
    pillar, day = dict(pillars.items())[position], pillars.day.stem
    where = ZH[position]
    if position != "day":
        god = ten_god(day, pillar.stem)
        text = f"{where}干{pillar.stem}为{god}"
        rests_on = ("p.day.stem", f"p.{position}.stem")
        yield Fact(
            f"tg.{position}.stem",
            "ten_god",
            position,
            "ten_god",
            god.value,
            text,
            position,
            rests_on,
            "R-TG",
            "YHZP.论十神",
        )
    for hidden in hidden_stems(pillar.branch, school.hidden_weights):
        own = f"hs.{position}.{hidden.stem}"
        text = f"{where}支{pillar.branch}藏{hidden.stem}（{hidden.qi}）"
        yield Fact(
            own,
            "hidden_stem",
            position,
            "hides",
            hidden.stem.value,
            text,
            position,
            (f"p.{position}.branch",),
            "R-HS",
            "YHZP.论天干地支暗藏总诀",
        )
        god = ten_god(day, hidden.stem)
        yield Fact(
            f"tg.{position}.{hidden.stem}", "ten_god", position, "ten_god", god.value,
            f"{where}支藏{hidden.stem}为{god}", position, ("p.day.stem", own), "R-TG", "YHZP.论十神",
        )  # fmt: skip


def _stages(position: str, pillars: FourPillars, school: School) -> Iterator[Fact]:
    pillar, day = dict(pillars.items())[position], pillars.day.stem
    rows = (("day", day, f"日主{day}于{ZH[position]}支{pillar.branch}", "p.day.stem"),
            ("self", pillar.stem, f"{ZH[position]}干{pillar.stem}自坐{pillar.branch}", f"p.{position}.stem"))  # fmt: skip
    for which, stem, words, leaf in rows:
        found = stage(stem, pillar.branch, school.twelve_stages)
        rests_on = tuple(dict.fromkeys((leaf, f"p.{position}.branch")))
        yield Fact(
            f"stage.{which}.{position}",
            "stage",
            position,
            f"stage_{which}",
            found.value,
            f"{words}为{found}",
            position,
            rests_on,
            "R-STAGE",
            school.twelve_stages,
        )


def _voids(pillars: FourPillars) -> Iterator[Fact]:
    for position, pillar in (("day", pillars.day), ("year", pillars.year)):
        found = "".join(branch.value for branch in void_branches(pillar))
        text = f"{ZH[position]}柱{pillar}，旬空{found}"
        yield Fact(
            f"void.{position}",
            "void",
            position,
            "void",
            found,
            text,
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
        f"{name}{pillar}",
        None,
        rests_on,
        "R-PALACE",
        "SMTH",
    )
