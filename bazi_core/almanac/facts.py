"""The facts of a day: 建除, 黄黑道, mansion, 冲煞, directions, nine stars, days marked by Sun, Moon and 干支.

What a pillar decides alone is found once for each of the sixty; `day_facts.csv` has rule, source and option of each datum.
"""

from __future__ import annotations

from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.gods import HANZI, LU, Circumstances, first_branch, first_stem, passing
from bazi_core.alphabet import PILLARS, Branch, Pillar, SolarTerm
from bazi_core.astro import terms
from bazi_core.tables import rows
from bazi_core.views.cycles import nayin, void_branches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.almanac.calendar import DayCalendar, TermClock
    from bazi_core.almanac.school import AlmanacSchool

TIANSHEN = ("青龙", "明堂", "天刑", "朱雀", "金匮", "宝光", "白虎", "玉堂", "天牢", "玄武", "司命", "勾陈")
HUANGDAO = frozenset(("青龙", "明堂", "金匮", "宝光", "玉堂", "司命"))
STARS = ("一白", "二黑", "三碧", "四绿", "五黄", "六白", "七赤", "八白", "九紫")
# Eight directions of the twelve branches, and of the trigrams.
_DIRECTIONS = ("正北", "东北", "东北", "正东", "东南", "东南", "正南", "西南", "西南", "正西", "西北", "西北")
_TRIGRAMS = dict(
    zip("坎艮震巽离坤兑乾", ("正北", "东北", "正东", "东南", "正南", "西南", "正西", "西北"), strict=True)
)
_SHA = "南东北西"
# The day of 角 from which the mansions are counted, 2019-01-17.
_JIAO_DAY = 737_076
# So many signs of a line of 彭祖百忌 say what is not done, the others threaten; and the line that speaks of medicine.
WARNED, MEDICINE = 4, "未不服药"
# 九九, from the day of 冬至.
_NINES = ("一九", "二九", "三九", "四九", "五九", "六九", "七九", "八九", "九九")
_YEAR_OF_ONE = 1864


class OfPillar(NamedTuple):
    """The facts that the pillar of a day decides alone."""

    nayin: str
    void: str
    clash_branch: str
    clash_zodiac: str
    clash_pillar: str
    sha: str
    pengzu: tuple[str, str]
    taishen_place: str
    taishen_direction: str
    directions: dict[str, str]
    lu: str


class DayFacts(NamedTuple):
    """The facts of a day; `marks` are those of its special days that are so, `folk` those of custom without weight."""

    jianchu: str
    tianshen: str
    xiu: str
    zheng: str
    qin: str
    of_pillar: OfPillar
    hou: int
    year_star: str
    month_star: str
    day_star: str
    marks: tuple[str, ...]
    folk: tuple[str, ...]

    @property
    def huangdao(self) -> str:
        return "黄道" if self.tianshen in HUANGDAO else "黑道"

    def to_dict(self) -> dict[str, Any]:
        """The member `day` of the JSON form."""
        own = self.of_pillar
        return {
            "jianchu": self.jianchu,
            "tianshen": self.tianshen,
            "huangdao": self.huangdao,
            "xiu": self.xiu,
            "zheng": self.zheng,
            "qin": self.qin,
            "nayin": own.nayin,
            "void": list(own.void),
            "clash": {"branch": own.clash_branch, "zodiac": own.clash_zodiac, "pillar": own.clash_pillar},
            "sha": own.sha,
            "pengzu": list(own.pengzu),
            "taishen": {"place": own.taishen_place, "direction": own.taishen_direction},
            "directions": dict(own.directions),
            "stars9": {"year": self.year_star, "month": self.month_star, "day": self.day_star},
            "lu": own.lu,
            "marks": list(self.marks),
        }


def day_facts(day: DayCalendar, asked: Circumstances, school: AlmanacSchool) -> DayFacts:
    """The facts of a day from its calendar."""
    passing_gods = passing(asked, school)
    month, branch = asked.month.index, asked.pillar.branch.index
    mansion = mansions()[(day.ordinal - _JIAO_DAY) % 28]
    year = gregorian_year(day)
    return DayFacts(
        jianchu(month, branch),
        tianshen(month, branch),
        mansion["xiu"],
        mansion["zheng"],
        mansion["qin"],
        of_pillar(asked.pillar, school.guiren, school.fushen),
        hou(day),
        STARS[(_YEAR_OF_ONE - year) % 9],
        STARS[((7, 4, 1)[day.year_pillar.branch.index % 3] - (month - 2) % 12) % 9],
        STARS[day_star(day, school.day_star)],
        tuple(marks(day, asked, passing_gods, school)),
        tuple(folk(asked, mansion)),
    )


@cache
def _jianchu() -> tuple[str, ...]:
    return tuple(row["god"] for row in rows("almanac/jianchu"))


@cache
def mansions() -> tuple[dict[str, str], ...]:
    """The 28 mansions, from 角."""
    return rows("almanac/xiu28")


def jianchu(month: int, branch: int) -> str:
    """建除 of a day by the branches of month and day."""
    return _jianchu()[(branch - month) % 12]


@cache
def _qinglong() -> tuple[int, ...]:
    return tuple(Branch(row["qinglong_at"]).index for row in rows("almanac/huangdao"))


def tianshen(over: int, under: int) -> str:
    """The god of 黄黑道 at the branch `under`, where 青龙 stands by the branch `over`: day by month, or hour by day.

    >>> tianshen(2, 0), tianshen(0, 8)
    ('青龙', '青龙')
    """
    return TIANSHEN[(under - _qinglong()[over]) % 12]


@cache
def _by_stem() -> tuple[dict[str, str], ...]:
    return rows("almanac/directions")


@lru_cache(maxsize=240)
def of_pillar(pillar: Pillar, guiren: str, fushen: str) -> OfPillar:
    """The facts of a pillar, by the ways to find 贵神 and 福神."""
    stem, branch = pillar.stem, pillar.branch
    row = _by_stem()[stem.index]
    noble = "xieji" if guiren == "xieji" else "geng_xin"
    directions = {
        "xishen": _TRIGRAMS[row["xishen"]],
        "caishen": _TRIGRAMS[row["caishen"]],
        "fushen": _TRIGRAMS[row[f"fushen_{fushen}"]],
    }
    directions |= {name: _DIRECTIONS[Branch(row[f"{name}_{noble}"]).index] for name in ("yanggui", "yingui")}
    foetus = rows("almanac/taishen")[pillar.index]
    lines = {each["sign"]: each["line"] for each in rows("almanac/pengzu")}
    return OfPillar(
        nayin(pillar),
        "".join(HANZI[each] for each in void_branches(pillar)),
        HANZI[branch.clash],
        branch.clash.zodiac.value,
        HANZI[PILLARS[(pillar.index + 6) % 60]],
        _SHA[branch.index % 4],
        (lines[HANZI[stem]], lines[HANZI[branch]]),
        foetus["place"],
        foetus["direction"],
        directions,
        LU[stem.index],
    )


def hou(day: DayCalendar) -> int:
    """The index of the 候 from 立春, 0 … 71: three a term, of five days, the last one longer."""
    return 3 * day.term.name.index + min(day.term_day // 5, 2)


def gregorian_year(day: DayCalendar) -> int:
    """The Gregorian year of the 立春 that opened the year of the day."""
    return terms.FIRST_YEAR + (day.month_position - 2) // 24


# ---------------------------------------------------------------------------------- star of the day


def day_star(day: DayCalendar, way: str) -> int:
    """The star of a day, 0 (一白) … 8: forward from 一白 at the 甲子 nearest to 冬至, back from 九紫 at the one nearest to
    夏至.

    Where 240 days lie between the 甲子 of 夏至 and that of 冬至, `nearest_forward` goes on from the first and comes out at
    another star than 一白; `nearest_backward` counts the whole half back from the second.
    """
    winter, summer, next_winter = _turns(day.clock, date.fromordinal(day.ordinal).year)
    if day.ordinal < winter:
        summer, next_winter = _turns(day.clock, date.fromordinal(day.ordinal).year - 1)[1:]
    elif day.ordinal < summer:
        return (day.ordinal - winter) % 9
    elif day.ordinal >= next_winter:
        return (day.ordinal - next_winter) % 9
    if way == "nearest_backward":
        return (8 + next_winter - day.ordinal) % 9
    return (8 + summer - day.ordinal) % 9


@lru_cache(maxsize=2048)
def _turns(clock: TermClock, year: int) -> tuple[int, int, int]:
    """The 甲子 nearest to 冬至 before a Gregorian year, to 夏至 in it and to 冬至 at its end, as ordinals."""
    solstices = ((year - 1, _WINTER), (year, _SUMMER), (year, _WINTER))
    return tuple(  # type: ignore[return-value]
        _nearest_jiazi(clock.term(terms.position_of(each, name)).day) for each, name in solstices
    )


_WINTER, _SUMMER = SolarTerm("冬至"), SolarTerm("夏至")


def _nearest_jiazi(solstice: int) -> int:
    """The 甲子 nearest to a day; from 甲午, exactly between two, the later."""
    index = (solstice + 14) % 60
    return solstice - index + (60 if index >= 30 else 0)


# ------------------------------------------------------------------------------- days that are marked


# Gods of `xieji_gods.csv` that mark a day whatever the doctrine.
_MARKS = ("四离", "四绝", "土王用事", "月忌日", "晦日", "反支", "上朔", "气往亡", "长星", "短星")


def marks(
    day: DayCalendar, asked: Circumstances, passing_gods: set[str], school: AlmanacSchool
) -> Iterator[str]:
    """The marks of a day by Sun, Moon and 干支: 四离 … 短星, 社日, 三伏, 数九, 梅, 朔弦望."""
    yield from (name for name in _MARKS if name in passing_gods)
    if asked.she:
        yield "春社" if day.term.name.index < 12 else "秋社"
    if asked.fu:
        yield asked.fu
    if nine := nine_of(day):
        yield nine
    yield from _plum_rains(day, school.meiyu)
    if asked.phase:
        yield phase_of(asked.lunar_day)


def nine_of(day: DayCalendar) -> str:
    """一九 … 九九, the nines from the day of 冬至; else nothing."""
    if not (day.term.name.index >= 21 or day.term.name.index <= 4):
        return ""
    passed = day.ordinal - day.clock.near(day.ordinal, _WINTER).day
    return _NINES[passed // 9] if 0 <= passed < 81 else ""


def phase_of(lunar_day: int) -> str:
    """朔, 上弦, 望 or 下弦, the one that is nearest to a day of the lunar month."""
    return "朔" if lunar_day < 4 else "上弦" if lunar_day < 12 else "望" if lunar_day < 19 else "下弦"


def _plum_rains(day: DayCalendar, way: str) -> Iterator[str]:
    """入梅 and 出梅; the day of the term counts, as with 三伏."""
    if not 8 <= day.term.name.index <= 12:
        return
    grain = day.clock.near(day.ordinal, SolarTerm("芒种")).day
    if way == "bing_wei":
        entry = first_stem(grain, 2)
        leave = first_branch(day.clock.near(day.ordinal, SolarTerm("小暑")).day, 7)
    else:
        entry, leave = first_stem(grain, 8), first_stem(day.clock.near(day.ordinal, _SUMMER).day, 6)
    if day.ordinal == entry:
        yield "入梅"
    if day.ordinal == leave:
        yield "出梅"


# The days of custom without weight in the doctrine.
FOLK = ("杨公忌", "三娘煞", "四不祥", "红沙", "伏断")
_RED_SANDS = ("酉", "巳", "丑")


@cache
def _folk_days() -> dict[str, frozenset[str]]:
    return {row["name"]: frozenset(row["values"].split()) for row in rows("almanac/folk_days")}


def folk(asked: Circumstances, mansion: dict[str, str]) -> Iterator[str]:
    """The days of custom without weight in the doctrine: 杨公忌 三娘煞 四不祥 红沙 伏断."""
    named = _folk_days()
    branch = HANZI[asked.pillar.branch]
    if not asked.lunar_leap and f"{asked.lunar_month}-{asked.lunar_day}" in named["杨公忌"]:
        yield "杨公忌"
    for name in ("三娘煞", "四不祥"):
        if str(asked.lunar_day) in named[name]:
            yield name
    if branch == _RED_SANDS[(asked.month.index - 2) % 3]:
        yield "红沙"
    if branch + mansion["xiu"] in named["伏断"]:
        yield "伏断"


@cache
def hou_names() -> tuple[str, ...]:
    """The names of the 72 候, from 立春."""
    return tuple(row["name"] for row in rows("almanac/hou72"))
