"""The programs compared, one adapter each, and the worker that times one of them in its own environment.

Run as `python -I engines.py NAME` inside an environment that has the program; it reads one request a line
(JSON) and answers each with one line. This file imports nothing of ours but in our own adapter, so that it
runs where only a peer is installed.

Every adapter offers the nearest it has to two operations on a clock reading at UTC+08:00:
`pillars(at)` gives four pillars as text by the same rules as far as options allow (day from 23:00, months from
instants), `chart(at, male)` touches what the program derives from them by itself. `as_it_comes(at)` gives the
pillars with every option left alone.
"""

from __future__ import annotations

import json
import random
import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from time import perf_counter_ns, process_time_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

STEMS, BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
CHINA = timezone(timedelta(hours=8))
SHORTEST_NS = 20_000_000


@dataclass(frozen=True)
class Engine:
    """What one program can be asked."""

    pillars: Callable[[datetime], str]
    as_it_comes: Callable[[datetime], str]
    chart: Callable[[datetime, bool], object] | None


def ours() -> Engine:
    import bazi_core as bz
    from bazi_core.pillars import pillars_of_instant

    # What UTC will be after the leap-second list ends nobody knows: the others go on with a model of ΔT.
    as_the_others, default = bz.School(future_utc="ut1_model"), bz.School()

    def pillars(at: datetime) -> str:
        return str(pillars_of_instant(at.replace(tzinfo=CHINA), as_the_others))

    def as_it_comes(at: datetime) -> str:
        return str(pillars_of_instant(at.replace(tzinfo=CHINA), default))

    def chart(at: datetime, male: bool) -> object:
        made = bz.chart(at, utc_offset=8, longitude=116.4, gender="male" if male else "female")
        luck = made.luck
        return (
            made.warnings, made.columns, made.siling, made.tai_yuan, made.tai_xi, made.ming_gong, made.shen_gong,
            made.lunar, made.zodiac, luck and (luck.cycles, luck.xiaoyun), made.relations, made.stars, made.elements,
            made.roots, made.strength,
        )  # fmt: skip

    return Engine(pillars, as_it_comes, chart)


def lunar_python() -> Engine:
    from lunar_python import Solar

    def eight(at: datetime) -> Any:
        solar = Solar.fromYmdHms(at.year, at.month, at.day, at.hour, at.minute, at.second)
        return solar.getLunar().getEightChar()

    def pillars(at: datetime) -> str:
        found = eight(at)
        found.setSect(1)
        return str(found.toString())

    def chart(at: datetime, male: bool) -> object:
        found = eight(at)
        found.setSect(1)
        parts = ("", "HideGan", "WuXing", "NaYin", "ShiShenGan", "ShiShenZhi", "DiShi", "Xun", "XunKong")
        views = [
            getattr(found, f"get{pillar}{part}")()
            for pillar in ("Year", "Month", "Day", "Time")
            for part in parts
        ]
        palaces = found.getTaiYuan(), found.getTaiXi(), found.getMingGong(), found.getShenGong()
        luck = found.getYun(1 if male else 0)
        cycles = [(each.getGanZhi(), each.getStartYear(), each.getStartAge()) for each in luck.getDaYun(11)]
        return views, palaces, luck.getStartSolar(), cycles

    return Engine(pillars, lambda at: str(eight(at).toString()), chart)


def tyme4py() -> Engine:
    from tyme4py.eightchar import ChildLimit
    from tyme4py.enums import Gender
    from tyme4py.solar import SolarTime

    def solar(at: datetime) -> Any:
        return SolarTime.from_ymd_hms(at.year, at.month, at.day, at.hour, at.minute, at.second)

    def pillars(at: datetime) -> str:
        return str(solar(at).get_sixty_cycle_hour().get_eight_char())

    def chart(at: datetime, male: bool) -> object:
        limit = ChildLimit(solar(at), Gender.MAN if male else Gender.WOMAN)
        found = limit.get_eight_char()
        four = found.get_year(), found.get_month(), found.get_day(), found.get_hour()
        views = [_tyme_column(pillar, found.get_day().get_heaven_stem()) for pillar in four]
        palaces = (
            found.get_fetal_origin(), found.get_fetal_breath(), found.get_own_sign(), found.get_body_sign()
        )  # fmt: skip
        cycles, cycle = [], limit.get_start_decade_fortune()
        for _ in range(10):
            cycles.append((cycle.get_name(), cycle.get_start_age(), cycle.get_start_sixty_cycle_year()))
            cycle = cycle.next(1)
        return views, palaces, limit.get_end_time(), cycles

    return Engine(pillars, lambda at: str(solar(at).get_lunar_hour().get_eight_char()), chart)


def _tyme_column(pillar: Any, day: Any) -> object:
    stem, branch = pillar.get_heaven_stem(), pillar.get_earth_branch()
    hidden = [
        (each.get_heaven_stem(), day.get_ten_star(each.get_heaven_stem()))
        for each in branch.get_hide_heaven_stems()
    ]
    return (
        pillar.get_name(), day.get_ten_star(stem), hidden, pillar.get_sound(), pillar.get_ten(),
        pillar.get_extra_earth_branches(), day.get_terrain(branch), stem.get_terrain(branch),
    )  # fmt: skip


def sxtwl() -> Engine:
    import sxtwl as library

    def text(pillars: list[Any]) -> str:
        return " ".join(STEMS[each.tg] + BRANCHES[each.dz] for each in pillars)

    def as_it_comes(at: datetime) -> str:
        day = library.fromSolar(at.year, at.month, at.day)
        return text([day.getYearGZ(), day.getMonthGZ(), day.getDayGZ(), day.getHourGZ(at.hour)])

    def pillars(at: datetime) -> str:
        day = library.fromSolar(at.year, at.month, at.day)
        # It knows dates only: the day that begins at 23:00 is for the caller to take.
        counted = day.after(1) if at.hour == 23 else day
        return text([day.getYearGZ(), day.getMonthGZ(), counted.getDayGZ(), day.getHourGZ(at.hour)])

    return Engine(pillars, as_it_comes, None)


def bazi() -> Engine:
    from itertools import islice

    from bazi.bazi import Bazi
    from bazi.bazi_chart import BaziChart
    from bazi.school import BaziConfig

    to_the_minute = BaziConfig.from_values(precision="minute")

    def text(made: Any) -> str:
        return " ".join(str(pillar) for pillar in made.pillars)

    def chart(at: datetime, male: bool) -> object:
        made = BaziChart(Bazi.create(at, "male" if male else "female", to_the_minute))
        return (
            made.traits, made.hidden_tiangan, made.shishen, made.nayin, made.shier_zhangsheng, made.taiyuan,
            made.minggong, made.relationship_stars, made.dayun_start_moment, list(islice(made.dayun, 10)),
            made.xiaoyun,
        )  # fmt: skip

    return Engine(
        lambda at: text(Bazi.create(at, "male", to_the_minute)),
        lambda at: text(Bazi.create(at, "male")),
        chart,
    )


def bazi_chart() -> Engine:
    from bazi import BaziChart, cast_pillars

    def pillars(at: datetime) -> str:
        return str(cast_pillars(at).ganzhi)

    def chart(at: datetime, male: bool) -> object:
        made = BaziChart(at.year, at.month, at.day, at.hour, at.minute, gender="男" if male else "女")
        four = made.four_pillars
        views = (
            four.shishen_map(),
            four.zanggan_shishen(),
            four.changsheng_map(),
            four.nayin_all,
            four.xunkong,
        )
        return views, four.lunar_date, four.relations(), made.qiyun(), made.dayun

    return Engine(pillars, pillars, chart)


ENGINES: dict[str, Callable[[], Engine]] = {
    "ours": ours,
    "lunar-python": lunar_python,
    "tyme4py": tyme4py,
    "sxtwl": sxtwl,
    "bazi": bazi,
    "bazi-chart": bazi_chart,
}


def bisect_us() -> float:
    """The yardstick: one bisect among 26,400 instants a fortnight apart."""
    instants = array("q", (i * 1_314_900_000 for i in range(26_400)))
    draw = random.Random(1)
    keys = [draw.randrange(instants[-1]) for _ in range(1000)]
    return _us(lambda: [bisect_right(instants, key) for key in keys], 1000)


def _us(work: Callable[[], object], calls: int, clock: Callable[[], int] = perf_counter_ns) -> float:
    """µs a call, the mean of the passes that fit into some milliseconds, which for slow work is one pass."""
    passes, start = 0, clock()
    while clock() - start < SHORTEST_NS:
        work()
        passes += 1
    return (clock() - start) / passes / calls / 1000


def warm(engine: Engine) -> None:
    """Fill what a program keeps of each year, so that speed is that of a process at work; see the first chart
    of a process for the other end."""
    for year in range(1902, 2099):
        engine.pillars(datetime(year, 6, 15, 12))
        if engine.chart:
            engine.chart(datetime(year, 6, 15, 12), True)


def _answer(engine: Engine, request: dict[str, Any], births: list[tuple[datetime, bool]]) -> Any:
    part = births[slice(*request.get("part", (None,)))]
    match request["do"]:
        case "warm":
            return warm(engine)
        case "bisect":
            return bisect_us()
        case "pillars":
            return _us(lambda: [engine.pillars(at) for at, _ in part], len(part))
        case "processor":
            return _us(lambda: [engine.pillars(at) for at, _ in part], len(part), process_time_ns)
        case "chart":
            chart = engine.chart
            return chart and _us(lambda: [chart(at, male) for at, male in part], len(part))
        case "answers" | "as_it_comes" as which:
            ask = engine.pillars if which == "answers" else engine.as_it_comes
            return [_or_error(ask, datetime.fromisoformat(at)) for at in request["readings"]]
    raise ValueError(request["do"])


def _or_error(ask: Callable[[datetime], str], at: datetime) -> str:
    try:
        return ask(at)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def serve(name: str) -> None:
    """Answer requests; the first gives the births to time with."""
    engine = ENGINES[name]()
    given = json.loads(sys.stdin.readline())
    births = [(datetime.fromisoformat(at), i % 2 == 0) for i, at in enumerate(given)]
    for line in sys.stdin:
        print(json.dumps(_answer(engine, json.loads(line), births)), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
