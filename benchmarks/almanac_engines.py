"""Programs that have the facts of an almanac day, one adapter each, and the worker that asks one of them.

Run as `python -I almanac_engines.py NAME` inside an environment that has the program; it reads one request a line (JSON)
and answers each with one line. This file imports nothing of ours.

`facts(day, hours)` gives the data that a program has, in one spelling: directions without 正, the first half of each verse
of 彭祖, stars as 一白; with its hours where they are asked for, since they take most of the time. A datum that a program
lacks or cannot give is left out.
"""

from __future__ import annotations

import json
import sys
from datetime import date, datetime, timedelta
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Facts = dict[str, Any]

# Other words for what is the same.
SPELLINGS = {
    "天德": "宝光", "元武": "玄武", "金贵": "金匮", "獝": "貐", "彘": "雉",
}  # fmt: skip


def _spelt(word: str) -> str:
    return SPELLINGS.get(word, word)


def _way(direction: str) -> str:
    return direction.removeprefix("正")


def cnlunar() -> Callable[[date, bool], Facts]:
    from cnlunar import Lunar

    def facts(day: date, hours: bool) -> Facts:
        at = datetime(day.year, day.month, day.day, 12)
        found: Facts = {}
        try:
            own = Lunar(at, godType="8char", year8Char="beginningOfSpring")
            found["year_pillar"] = own.year8Char
        except IndexError:
            # It has no animal of the year between 立春 and the new year of some years.
            own = Lunar(at, godType="8char")
        stem_line, branch_line = own.get_pengTaboo().split(",")
        xi, cai, fu, yang, yin = (each[2:] for each in own.get_luckyGodsDirection())
        return found | {
            "month_pillar": own.month8Char, "day_pillar": own.day8Char,
            "lunar": [own.lunarYear, own.lunarMonth, own.isLunarLeapMonth, own.lunarDay],
            "jianchu": own.today12DayOfficer, "tianshen": _spelt(own.today12DayGod),
            "xiu": own.today28Star[0], "zheng": own.today28Star[1], "qin": _spelt(own.today28Star[2]),
            "nayin": own.get_nayin(), "clash": own.chineseZodiacClash[-1],
            "pengzu": [stem_line.split()[0], branch_line.split()[0]], "taishen": own.get_fetalGod(),
            "xishen": _way(xi), "caishen": _way(cai), "fushen": _way(fu), "yanggui": _way(yang), "yingui": _way(yin),
            **({"hour_pillars": own.get_twohour8CharList()[:12]} if hours else {}),
        }  # fmt: skip

    return facts


def lunar_python() -> Callable[[date, bool], Facts]:
    from functools import lru_cache

    from lunar_python import LunarYear, Solar

    # It keeps one year and makes it anew for the solstices of another.
    LunarYear.fromYear = lru_cache(16)(LunarYear.fromYear)

    def facts(day: date, hours: bool) -> Facts:
        own = Solar.fromYmd(day.year, day.month, day.day).getLunar()
        place, _, way = own.getDayPositionTai().partition(" ")
        times = own.getTimes()[:12] if hours else []
        of_hours = {
            "hour_pillars": [each.getGanZhi() for each in times],
            "hour_tianshen": [_spelt(each.getTianShen()) for each in times],
        }
        return {
            "year_pillar": own.getYearInGanZhiByLiChun(), "month_pillar": own.getMonthInGanZhi(),
            "day_pillar": own.getDayInGanZhi(),
            "lunar": [own.getYear(), abs(own.getMonth()), own.getMonth() < 0, own.getDay()],
            "jianchu": own.getZhiXing(), "tianshen": _spelt(own.getDayTianShen()), "xiu": own.getXiu(),
            "zheng": own.getZheng(), "qin": _spelt(own.getAnimal()), "nayin": own.getDayNaYin(),
            "void": own.getDayXunKong(), "clash": own.getDayChongShengXiao(), "sha": own.getDaySha(),
            "pengzu": [own.getPengZuGan()[:4], own.getPengZuZhi()[:4]], "taishen": place + way,
            "xishen": _way(own.getDayPositionXiDesc()), "caishen": _way(own.getDayPositionCaiDesc()),
            "fushen": _way(own.getDayPositionFuDesc(2)), "yanggui": _way(own.getDayPositionYangGuiDesc()),
            "yingui": _way(own.getDayPositionYinGuiDesc()), "hou": own.getWuHou(),
            "fu": str(own.getFu() or ""), "shujiu": str(own.getShuJiu() or ""),
            "year_star": str(own.getYearNineStar())[:2], "month_star": str(own.getMonthNineStar())[:2],
            "day_star": str(own.getDayNineStar())[:2],
            **(of_hours if hours else {}),
        }  # fmt: skip

    return facts


def tyme4py() -> Callable[[date, bool], Facts]:
    from tyme4py.solar import SolarDay

    def facts(day: date, hours: bool) -> Facts:
        own = SolarDay.from_ymd(day.year, day.month, day.day)
        cycle, lunar = own.get_sixty_cycle_day(), own.get_lunar_day()
        pillar, month = cycle.get_sixty_cycle(), cycle.get_sixty_cycle_month()
        stem, branch = pillar.get_heaven_stem(), pillar.get_earth_branch()
        mansion, dog, nine = cycle.get_twenty_eight_star(), own.get_dog_day(), own.get_nine_day()
        place, _, way = str(cycle.get_fetus_day()).partition(" ")
        times = cycle.get_hours()[:12] if hours else []
        of_hours = {
            "hour_pillars": [str(each.get_sixty_cycle()) for each in times],
            "hour_tianshen": [_spelt(str(each.get_twelve_star())) for each in times],
            "hour_stars": [str(each.get_nine_star())[:2] for each in times],
        }
        return {
            "year_pillar": str(cycle.get_year()), "month_pillar": str(cycle.get_month()), "day_pillar": str(pillar),
            "lunar": [
                lunar.get_year(), abs(lunar.get_month()), lunar.get_lunar_month().is_leap(), lunar.get_day(),
            ],
            "jianchu": str(cycle.get_duty()), "tianshen": _spelt(str(cycle.get_twelve_star())), "xiu": str(mansion),
            "zheng": str(mansion.get_seven_star()), "qin": _spelt(str(mansion.get_animal())),
            "nayin": str(pillar.get_sound()), "void": "".join(map(str, pillar.get_extra_earth_branches())),
            "clash": str(branch.get_opposite().get_zodiac()), "sha": str(branch.get_ominous()),
            "pengzu": [str(stem.get_peng_zu_heaven_stem())[:4], str(branch.get_peng_zu_earth_branch())[:4]],
            "taishen": place + way, "xishen": str(stem.get_joy_direction()), "caishen": str(stem.get_wealth_direction()),
            "fushen": str(stem.get_mascot_direction()), "yanggui": str(stem.get_yang_direction()),
            "yingui": str(stem.get_yin_direction()), "hou": str(own.get_phenology()),
            "fu": str(dog.get_dog()) if dog else "", "shujiu": str(nine.get_nine()) if nine else "",
            "year_star": str(month.get_sixty_cycle_year().get_nine_star())[:2],
            "month_star": str(month.get_nine_star())[:2], "day_star": str(cycle.get_nine_star())[:2],
            **(of_hours if hours else {}),
        }  # fmt: skip

    return facts


ENGINES: dict[str, Callable[[], Callable[[date, bool], Facts]]] = {
    "cnlunar": cnlunar,
    "lunar-python": lunar_python,
    "tyme4py": tyme4py,
}


def serve(name: str) -> None:
    """Answer each request, a first day, how many follow, and how many days lie between two with hours, with the facts of the
    days (null where the program fails) and the seconds they took."""
    facts = ENGINES[name]()
    # The first line is what other workers are given to begin with.
    sys.stdin.readline()
    for line in sys.stdin:
        request = json.loads(line)
        first, count, hours_each = (
            date.fromisoformat(request["first"]),
            request["count"],
            request["hours_each"],
        )
        start = process_time()
        found = [_asked(facts, first + timedelta(at), at % hours_each == 0) for at in range(count)]
        print(json.dumps({"seconds": process_time() - start, "facts": found}), flush=True)


def _asked(facts: Callable[[date, bool], Facts], day: date, hours: bool) -> Facts | None:
    try:
        return facts(day, hours)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


if __name__ == "__main__":
    serve(sys.argv[1])
