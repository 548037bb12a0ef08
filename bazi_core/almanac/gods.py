"""The gods of a day: the rows of `xieji_gods.csv`, each a rule that a month and a day fulfil or not.

Most rules ask for the month and the pillar of the day alone; the gods of these 720 cells are kept. The others ask what
stands in the calendar: terms, days of the lunar month, the stem of the year.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES, PILLARS, SOLAR_TERMS, STEMS, Branch, Pillar, SolarTerm
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.almanac.calendar import DayCalendar, TermOnClock
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.astro.lunar import LunarDate

HANZI = {sign: sign.value for sign in (*STEMS, *BRANCHES, *PILLARS, *SOLAR_TERMS)}
# The branch of 禄 of the stems 甲 … 癸 (临官).
LU = "寅卯巳午巳午申酉亥子"
FOUR_BEGINNINGS = ("立春", "立夏", "立秋", "立冬")
EARTH_DAYS = 18
# 27°, 117°, 207° and 297° of the Sun: 18° before each beginning.
_EARTH_DEGREES = 18
_FULL_MOONS = (8, 15, 23)


class God(NamedTuple):
    """A god: 吉 or 凶, the 卷 that places it, and how."""

    name: str
    kind: str
    juan: str
    type: str
    values: str


class Circumstances(NamedTuple):
    """The circumstances of a day on which gods depend; the name of a term is None where none falls."""

    month: Branch
    pillar: Pillar
    year_stem: str
    year_branch: str
    month_stem: str
    term: str
    term_today: str | None
    term_tomorrow: str | None
    jie: str
    days_from_jie: int
    lunar_month: int
    lunar_leap: bool
    lunar_day: int
    lunar_days: int
    first_day_branch: str
    earth: bool
    fu: str
    she: bool
    phase: bool


@cache
def gods() -> dict[str, God]:
    """The gods by name."""
    return {
        row["god"]: God(row["god"], row["kind"], row["juan"], row["type"], row["values"])
        for row in rows("almanac/xieji_gods")
    }


def circumstances(day: DayCalendar, lunar: LunarDate, school: AlmanacSchool) -> Circumstances:
    """The circumstances of a day."""
    pillar = day.day_pillar
    first = (day.ordinal - lunar.day + 15) % 12
    return Circumstances(
        day.month_pillar.branch,
        pillar,
        HANZI[day.year_pillar.stem],
        HANZI[day.year_pillar.branch],
        HANZI[day.month_pillar.stem],
        HANZI[day.term.name],
        HANZI[day.term_today] if day.term_today else None,
        HANZI[day.term_tomorrow] if day.term_tomorrow else None,
        HANZI[day.jie.name],
        day.ordinal - day.jie.day + 1,
        lunar.month,
        lunar.leap,
        lunar.day,
        lunar.month_days,
        HANZI[BRANCHES[first]],
        in_earth_days(day, school.earth_days),
        fu_of(day),
        day.ordinal in she_days(day, school.she),
        is_phase(day, lunar, school.phases),
    )


def present(asked: Circumstances, school: AlmanacSchool) -> tuple[str, ...]:
    """The names of the gods of a day, in the order of the table."""
    standing = _standing(asked.month, asked.pillar, school.tiande_zhong)
    found = {name for name in standing if name != "母仓"}
    mother = _EARTH_MOTHER if asked.earth and school.mucang_earth == "replace" else None
    if HANZI[asked.pillar.branch] in mother if mother else "母仓" in standing:
        found.add("母仓")
    found |= passing(asked, school)
    return tuple([name for name in gods() if name in found])


def passing(asked: Circumstances, school: AlmanacSchool) -> set[str]:
    """The gods of a day that ask for more than its month and pillar."""
    return {name for name, values, holds in _passing() if holds(values, asked, school)}


# After the beginning of 土王用事 (卷5).
_EARTH_MOTHER = "巳午"


@lru_cache(maxsize=2880)
def _standing(month: Branch, pillar: Pillar, tiande_zhong: str) -> frozenset[str]:
    """The gods that month and pillar alone decide."""
    found = {god.name for god in gods().values() if god.type in _CELL_RULES and _in_cell(god, month, pillar)}
    if tiande_zhong == "branches" and HANZI[pillar.branch] in _CORNERS.get(HANZI[month], ""):
        found.add("天德")
    return frozenset(found)


# 天德 of the four middle months stands in a corner; another reading gives it the two branches of the corner.
_CORNERS = {"卯": "未申", "午": "戌亥", "酉": "丑寅", "子": "辰巳"}
_CELL_RULES = (
    "offset",
    *(scope + sign for scope in ("", "month_", "season_") for sign in ("stem", "branch", "pillar")),
)


def _in_cell(god: God, month: Branch, pillar: Pillar) -> bool:
    scope, _, sign = god.type.rpartition("_")
    if god.type == "offset":
        return str((pillar.branch.index - month.index) % 12) in god.values.split()
    cell = god.values
    if scope:
        at = (month.index - 2) % 12
        cell = god.values.split("|")[at if scope == "month" else at // 3]
    if sign == "pillar":
        return HANZI[pillar] in cell.split()
    return HANZI[pillar.stem if sign == "stem" else pillar.branch] in cell


# ------------------------------------------------------------------------- rules of the calendar


def in_earth_days(day: DayCalendar, way: str) -> bool:
    """Whether 土王用事 rules: the 18 civil days before each of the four 立, or by the longitude of the Sun."""
    following = _coming(day, FOUR_BEGINNINGS)
    if way == "days18":
        return 1 <= following.day - day.ordinal <= EARTH_DAYS
    from bazi_core.almanac.longitudes import day_of_longitude

    begins = day_of_longitude(day.clock, following.position, -_EARTH_DEGREES)
    return begins <= day.ordinal < following.day


def _coming(day: DayCalendar, names: tuple[str, ...]) -> TermOnClock:
    """The next of these terms whose date is after a day."""
    at = day.term.position + 1
    while day.clock.term(at).name.value not in names:
        at += 1
    return day.clock.term(at)


def fu_of(day: DayCalendar) -> str:
    """The 伏 in which a day lies, 初伏, 中伏 or 末伏, else nothing: from the third and the fourth 庚 from 夏至 on,
    and ten days from the first 庚 from 立秋 on; the day of the term counts."""
    if not _SUMMER_SOLSTICE <= day.term.name.index <= _SUMMER_SOLSTICE + 5:
        return ""
    begins = first_stem(day.clock.near(day.ordinal, SolarTerm("夏至")).day, _GENG) + 20
    last = first_stem(day.clock.near(day.ordinal, SolarTerm("立秋")).day, _GENG)
    spans = (("初伏", begins, begins + 10), ("中伏", begins + 10, last), ("末伏", last, last + 10))
    return next((name for name, first, end in spans if first <= day.ordinal < end), "")


_SUMMER_SOLSTICE, _GENG = SolarTerm("夏至").index, 6


def first_stem(ordinal: int, stem: int) -> int:
    """The first day from an ordinal on with that stem.

    >>> first_stem(739651, 5) - 739651
    0
    """
    return ordinal + (stem - ordinal - 14) % 10


def first_branch(ordinal: int, branch: int) -> int:
    """The first day from an ordinal on with that branch."""
    return ordinal + (branch - ordinal - 14) % 12


def she_days(day: DayCalendar, way: str) -> tuple[int, ...]:
    """春社 and 秋社 that are nearest to a day, as ordinals: the 戊 nearest to 春分 and 秋分 (a tie to the later), or the
    fifth 戊 from 立春 and 立秋 on."""
    if day.day_pillar.stem.index != 4:
        return ()
    if way == "fifth":
        begins = (day.clock.near(day.ordinal - 45, SolarTerm(name)).day for name in ("立春", "立秋"))
        return tuple(first_stem(ordinal, 4) + 40 for ordinal in begins)
    middles = (day.clock.near(day.ordinal, SolarTerm(name)).day for name in ("春分", "秋分"))
    return tuple(first_stem(ordinal - 4, 4) for ordinal in middles)


def is_phase(day: DayCalendar, lunar: LunarDate, way: str) -> bool:
    """Whether 朔, 弦 or 望 falls on a day, by the day of the lunar month or by the Moon (`ephemeris`)."""
    if lunar.day == 1:
        return True
    if way == "lunar_day":
        return lunar.day in _FULL_MOONS
    from bazi_core.almanac.longitudes import phase_days

    return day.ordinal in phase_days(lunar.month_start.toordinal(), day.clock)


def _days_from_jie(values: str, asked: Circumstances, school: AlmanacSchool) -> bool:
    return f"{asked.jie}{asked.days_from_jie}" in values.split()


def _first_day_branch(values: str, asked: Circumstances, school: AlmanacSchool) -> bool:
    return any(
        asked.first_day_branch in each and each.endswith(str(asked.lunar_day)) for each in values.split()
    )


def _lunar_month_day(values: str, asked: Circumstances, school: AlmanacSchool) -> bool:
    if asked.lunar_leap and school.star_leap == "off":
        return False
    return str(asked.lunar_day) in values.split("|")[asked.lunar_month - 1].split()


_PASSING: dict[str, Callable[[str, Circumstances, AlmanacSchool], bool]] = {
    "days_after_jie": _days_from_jie,
    "first_day_branch": _first_day_branch,
    "lunar_month_day": _lunar_month_day,
    "year_stem_pillar": lambda values, asked, _: asked.year_stem + HANZI[asked.pillar] in values.split(),
    "day_before_term": lambda values, asked, _: asked.term_tomorrow in values.split(),
    "day_of_term": lambda values, asked, _: asked.term_today in values.split(),
    "last_lunar_day": lambda values, asked, _: asked.lunar_day == asked.lunar_days,
    "days_before_li": lambda values, asked, _: asked.earth,
    # The day on which a 伏 begins.
    "fu": lambda values, asked, _: bool(asked.fu) and asked.pillar.stem.index == _GENG,
    "she": lambda values, asked, _: asked.she,
    "moon": lambda values, asked, _: asked.phase,
    "lunar_day": lambda values, asked, _: str(asked.lunar_day) in values.split(),
}


@cache
def _passing() -> tuple[tuple[str, str, Callable[[str, Circumstances, AlmanacSchool], bool]], ...]:
    """The rows that ask for more than month and pillar."""
    found = (god for god in gods().values() if god.type in _PASSING)
    return tuple((god.name, god.values, _PASSING[god.type]) for god in found)
