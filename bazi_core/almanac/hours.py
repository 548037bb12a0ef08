"""The hours of a day: pillar, god of 黄黑道 and the gods of 卷32, by `hours60.csv`."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.facts import HUANGDAO, tianshen
from bazi_core.almanac.gods import HANZI
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.alphabet import Branch, Pillar

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
            "late_zi": self.late,
        }


def hours_of(day: Pillar, school: AlmanacSchool) -> tuple[Hour, ...]:
    """The twelve hours of a day, 子 first (00:00–01:00), and the late 子 hour."""
    return _hours(day, school.guiren, school.late_zi_hour_stem)


@cache
def _cells() -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (row["day_pillar"], row["hour_pillar"]): tuple(row["gods"].split()) for row in rows("almanac/hours60")
    }


@lru_cache(maxsize=240)
def _hours(day: Pillar, guiren: str, late_zi_hour_stem: str) -> tuple[Hour, ...]:
    hours = [_hour(day, PILLARS[(12 * day.index + at) % 60], guiren) for at in range(12)]
    late = _late_hour(day, hours[0], late_zi_hour_stem)
    return (*hours, late)


def _hour(day: Pillar, pillar: Pillar, guiren: str) -> Hour:
    branch = pillar.branch
    at = branch.index
    gods = _cells()[HANZI[day], HANZI[pillar]]
    if guiren != "xieji":
        gods = tuple(god for god in gods if god != _NOBLE)
        if HANZI[branch] in _nobles(day.stem.index):
            gods = (_NOBLE, *gods)
    begins, ends = ("00:00", "01:00") if at == 0 else (f"{2 * at - 1:02}:00", f"{2 * at + 1:02}:00")
    return Hour(branch, pillar, begins, ends, tianshen(day.branch.index, at), gods)


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
    return Hour(BRANCHES[0], pillar, "23:00", "24:00", early.tianshen, tuple(gods), late=True)
