"""The hours of a day: pillar, god of 黄黑道, the gods of 卷32 by `hours60.csv`, and the flying star.

The star of 子 goes by the day branch (子午卯酉, 辰戌丑未, 寅申巳亥): 一 四 七 after 冬至, with hours going forward,
九 六 三 after 夏至, when they go back. Programs agree on it; no old book was found for it (D).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.facts import HUANGDAO, STARS, tianshen
from bazi_core.almanac.gods import HANZI
from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.almanac.school import AlmanacSchool

_NOBLE = "天乙贵人"
# What the stem of the hour decides, so that it differs between the two 子 hours of a day.
_BY_HOUR_STEM = ("五不遇", "路空")


class Hour(NamedTuple):
    """A double hour, from one reading of the clock to another; `late` is the 子 hour before midnight."""

    branch: Branch
    pillar: Pillar
    begins: str
    ends: str
    tianshen: str
    gods: tuple[str, ...]
    star: str
    late: bool = False

    @property
    def huangdao(self) -> bool:
        return self.tianshen in HUANGDAO

    def to_dict(self) -> dict[str, Any]:
        return {
            "branch": self.branch.value,
            "pillar": self.pillar.value,
            "from": self.begins,
            "to": self.ends,
            "tianshen": self.tianshen,
            "huangdao": "黄道" if self.huangdao else "黑道",
            "gods": list(self.gods),
            "star": self.star,
            "late_zi": self.late,
        }


def lucky_hours(hours: Iterable[Hour], years: Iterable[Branch] = ()) -> tuple[Hour, ...]:
    """The hours on the yellow path that clash neither with the day nor with a person's year branch, and are not void."""
    clashing = {branch.clash for branch in years}
    return tuple(
        hour
        for hour in hours
        if hour.huangdao and not {"日破", "旬空"} & set(hour.gods) and hour.branch not in clashing
    )


def hours_of(day: Pillar, school: AlmanacSchool, after_winter: bool) -> tuple[Hour, ...]:
    """The twelve hours of a day, 子 first (00:00–01:00), and the late 子 hour; `after_winter` between 冬至 and 夏至."""
    return _hours(day, school.guiren, school.late_zi_hour_stem, after_winter)


@cache
def _cells() -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (row["day_pillar"], row["hour_pillar"]): tuple(row["gods"].split()) for row in rows("almanac/hours60")
    }


@lru_cache(maxsize=480)
def _hours(day: Pillar, guiren: str, late_zi_hour_stem: str, after_winter: bool) -> tuple[Hour, ...]:
    hours = [_hour(day, PILLARS[(12 * day.index + at) % 60], guiren, after_winter) for at in range(12)]
    # The late 子 hour has the star of the next day's: a dozen hours on.
    late = _late_hour(day, hours[0], late_zi_hour_stem)._replace(star=hour_star(day, 12, after_winter))
    return (*hours, late)


def hour_star(day: Pillar, at: int, after_winter: bool) -> str:
    """The star of the hour `at` places after 子.

    >>> [hour_star(PILLARS[0], at, True) for at in (0, 1)], [hour_star(PILLARS[1], at, False) for at in (0, 1)]
    (['一白', '二黑'], ['六白', '五黄'])
    """
    first = 3 * (day.branch.index % 3)
    return STARS[(first + at if after_winter else 8 - first - at) % 9]


def _hour(day: Pillar, pillar: Pillar, guiren: str, after_winter: bool) -> Hour:
    branch = pillar.branch
    at = branch.index
    gods = _cells()[HANZI[day], HANZI[pillar]]
    if guiren != "xieji":
        gods = tuple(god for god in gods if god != _NOBLE)
        if HANZI[branch] in _nobles(day.stem.index):
            gods = (_NOBLE, *gods)
    begins, ends = ("00:00", "01:00") if at == 0 else (f"{2 * at - 1:02}:00", f"{2 * at + 1:02}:00")
    star = hour_star(day, at, after_winter)
    return Hour(branch, pillar, begins, ends, tianshen(day.branch.index, at), gods, star)


def _nobles(stem: int) -> str:
    row = rows("almanac/directions")[stem]
    return row["yanggui_geng_xin"] + row["yingui_geng_xin"]


def _late_hour(day: Pillar, early: Hour, stem_of: str) -> Hour:
    """The 子 hour before midnight: what the stem of the hour decides is found anew."""
    pillar = early.pillar if stem_of == "same_day" else PILLARS[(early.pillar.index + 12) % 60]
    stem = pillar.stem
    gods = [god for god in early.gods if god not in _BY_HOUR_STEM]
    if day.stem in (PILLARS[(stem.index + 4) % 10].stem,):
        gods.append("五不遇")
    if stem.index >= 8:
        gods.append("路空")
    return Hour(BRANCHES[0], pillar, "23:00", "24:00", early.tianshen, tuple(gods), early.star, late=True)
