"""The alphabets: stems, branches, the sixty pillars, elements, ten gods, stages, solar terms.

Every member's value is its hanzi and its `.index` is its place in the cycle, so `Stem("甲")` parses,
`.value` prints, and the engine counts with small integers. They are plain enums, not integers: stem 0 is
not branch 0, and a type checker objects when one stands where the other belongs. They are not text either, since
the element 木 would equal any other text 木: `pillar == "庚辰"` raises instead of being silently false. A pillar such as
甲丑, which no calendar has, cannot be written.
"""

from __future__ import annotations

from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Self

from bazi_core.errors import InvalidPillars, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said


class Cycle(Enum):
    """An alphabet in cyclic order: value = hanzi, `index` = place from 0."""

    index: int
    _value_: str

    def __new__(cls, hanzi: str) -> Self:
        member = object.__new__(cls)
        member._value_ = hanzi
        member.index = len(cls.__members__)
        return member

    if not TYPE_CHECKING:
        # The same as the inherited one, read in C.
        value = property(attrgetter("_value_"))

        # A type checker objects by itself, as long as it does not see this.
        def __eq__(self, other: object) -> bool:
            """Whether the other is the same member; `TypeError` for a text."""
            if isinstance(other, str):
                kind = type(self).__name__
                raise TypeError(
                    f"{kind} is no text: compare with {kind}({other!r}), or str() of it with {other!r}"
                )
            return True if self is other else NotImplemented

    # Members are single objects, so their identity will do; the inherited hash is of the name, made in Python.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._value_!r})"

    def __str__(self) -> str:
        return self._value_

    # The inherited one goes through three calls; facts and reasons are made of these in the thousands.
    def __format__(self, form: str) -> str:
        return self._value_ if not form else format(self._value_, form)


class Polarity(Cycle):
    """阳 or 阴; even indices of stems and branches are 阳."""

    阳 = "阳"
    阴 = "阴"


class Element(Cycle):
    """The five elements 五行 in the order of generation: each generates the next, controls the one after.

    >>> Element("木").generates, Element("木").controls
    (Element('火'), Element('土'))
    """

    木 = "木"
    火 = "火"
    土 = "土"
    金 = "金"
    水 = "水"

    @property
    def generates(self) -> Element:
        return ELEMENTS[(self.index + 1) % 5]

    @property
    def controls(self) -> Element:
        return ELEMENTS[(self.index + 2) % 5]


ELEMENTS = tuple(Element)
POLARITIES = tuple(Polarity)


class Stem(Cycle):
    """The ten heavenly stems 天干.

    >>> Stem("庚").index, Stem("庚").element, Stem("庚").polarity
    (6, Element('金'), Polarity('阳'))
    """

    element: Element
    polarity: Polarity

    甲 = "甲"
    乙 = "乙"
    丙 = "丙"
    丁 = "丁"
    戊 = "戊"
    己 = "己"
    庚 = "庚"
    辛 = "辛"
    壬 = "壬"
    癸 = "癸"


class Branch(Cycle):
    """The twelve earthly branches 地支.

    >>> Branch("辰").index, Branch("辰").element, Branch("辰").zodiac
    (4, Element('土'), Zodiac('龙'))
    """

    element: Element
    """Element of the main qi 本气."""
    polarity: Polarity
    """By position (子 阳, 丑 阴 …)."""
    zodiac: Zodiac

    @property
    def clash(self) -> Branch:
        """六冲: the branch six places on."""
        return BRANCHES[(self.index + 6) % 12]

    子 = "子"
    丑 = "丑"
    寅 = "寅"
    卯 = "卯"
    辰 = "辰"
    巳 = "巳"
    午 = "午"
    未 = "未"
    申 = "申"
    酉 = "酉"
    戌 = "戌"
    亥 = "亥"


class Zodiac(Cycle):
    """The twelve animals 生肖, in the order of the branches."""

    鼠 = "鼠"
    牛 = "牛"
    虎 = "虎"
    兔 = "兔"
    龙 = "龙"
    蛇 = "蛇"
    马 = "马"
    羊 = "羊"
    猴 = "猴"
    鸡 = "鸡"
    狗 = "狗"
    猪 = "猪"


STEMS = tuple(Stem)
BRANCHES = tuple(Branch)
ZODIACS = tuple(Zodiac)
for _stem in STEMS:
    _stem.element, _stem.polarity = ELEMENTS[_stem.index // 2], POLARITIES[_stem.index % 2]
for _branch, _animal, _main in zip(BRANCHES, ZODIACS, "水土木木土火火土金金土水", strict=True):
    _branch.element, _branch.polarity, _branch.zodiac = Element(_main), POLARITIES[_branch.index % 2], _animal


class Pillar(Cycle):
    """The sixty stem-branch pairs 六十甲子.

    >>> Pillar("庚午").index, Pillar("庚午").stem, Pillar("庚午").branch
    (6, Stem('庚'), Branch('午'))
    >>> Pillar("甲丑")
    Traceback (most recent call last):
    bazi_core.errors.InvalidPillars: 甲丑 is not one of the sixty pillars: stem and branch differ in polarity
    """

    stem: Stem
    branch: Branch

    甲子 = "甲子"
    乙丑 = "乙丑"
    丙寅 = "丙寅"
    丁卯 = "丁卯"
    戊辰 = "戊辰"
    己巳 = "己巳"
    庚午 = "庚午"
    辛未 = "辛未"
    壬申 = "壬申"
    癸酉 = "癸酉"
    甲戌 = "甲戌"
    乙亥 = "乙亥"
    丙子 = "丙子"
    丁丑 = "丁丑"
    戊寅 = "戊寅"
    己卯 = "己卯"
    庚辰 = "庚辰"
    辛巳 = "辛巳"
    壬午 = "壬午"
    癸未 = "癸未"
    甲申 = "甲申"
    乙酉 = "乙酉"
    丙戌 = "丙戌"
    丁亥 = "丁亥"
    戊子 = "戊子"
    己丑 = "己丑"
    庚寅 = "庚寅"
    辛卯 = "辛卯"
    壬辰 = "壬辰"
    癸巳 = "癸巳"
    甲午 = "甲午"
    乙未 = "乙未"
    丙申 = "丙申"
    丁酉 = "丁酉"
    戊戌 = "戊戌"
    己亥 = "己亥"
    庚子 = "庚子"
    辛丑 = "辛丑"
    壬寅 = "壬寅"
    癸卯 = "癸卯"
    甲辰 = "甲辰"
    乙巳 = "乙巳"
    丙午 = "丙午"
    丁未 = "丁未"
    戊申 = "戊申"
    己酉 = "己酉"
    庚戌 = "庚戌"
    辛亥 = "辛亥"
    壬子 = "壬子"
    癸丑 = "癸丑"
    甲寅 = "甲寅"
    乙卯 = "乙卯"
    丙辰 = "丙辰"
    丁巳 = "丁巳"
    戊午 = "戊午"
    己未 = "己未"
    庚申 = "庚申"
    辛酉 = "辛酉"
    壬戌 = "壬戌"
    癸亥 = "癸亥"

    @classmethod
    def _missing_(cls, value: object) -> Pillar:
        raise InvalidPillars(
            Said("pillar_unknown", value=shown(value, 20), why=_why_not(value)),
            hint=Said("pillar_unknown_hint"),
            given=shown(value, 100),
            reason=_why_not(value),
            rule=_why_not(value).key.removeprefix("pillar_"),
        )

    @classmethod
    def of(cls, stem: Stem, branch: Branch) -> Pillar:
        """The pillar of a stem and a branch."""
        return cls(stem.value + branch.value)


PILLARS = tuple(Pillar)
for _pillar in PILLARS:
    _pillar.stem = STEMS[_pillar.index % 10]
    _pillar.branch = BRANCHES[_pillar.index % 12]


def _why_not(value: object) -> Said:
    text = value if isinstance(value, str) else ""
    if len(text) == 2 and text[0] in Stem.__members__ and text[1] in Branch.__members__:
        return Said("pillar_polarity")
    return Said("pillar_form")


class HourBranch(Cycle):
    """The double hours 时辰 by name, for a birth with only the double hour known.

    子 alone is read as 早子, the hour after midnight of its date; 早子 and 晚子 name either half.

    >>> HourBranch("午").start_hour, HourBranch("午").length_hours, HourBranch("晚子").start_hour
    (11, 2, 23)
    """

    子 = "子"
    丑 = "丑"
    寅 = "寅"
    卯 = "卯"
    辰 = "辰"
    巳 = "巳"
    午 = "午"
    未 = "未"
    申 = "申"
    酉 = "酉"
    戌 = "戌"
    亥 = "亥"
    早子 = "早子"
    晚子 = "晚子"

    @property
    def branch(self) -> Branch:
        return BRANCHES[self.index % 12 if self.index < 12 else 0]

    @property
    def start_hour(self) -> int:
        """Hour of its date at which it begins on the clock in use."""
        return 23 if self is HourBranch.晚子 else max(0, 2 * self.branch.index - 1)

    @property
    def length_hours(self) -> int:
        return 1 if self.branch.index == 0 else 2


class TenGod(Cycle):
    """The ten gods 十神: class 比劫 食伤 财 官杀 印 by pairs; of the same polarity as the day stem first.

    The order is that of `(element distance, polarity differs)`: index = 2·k + differs.
    """

    比肩 = "比肩"
    劫财 = "劫财"
    食神 = "食神"
    伤官 = "伤官"
    偏财 = "偏财"
    正财 = "正财"
    七杀 = "七杀"
    正官 = "正官"
    偏印 = "偏印"
    正印 = "正印"


TEN_GODS = tuple(TenGod)


class Stage(Cycle):
    """The twelve stages 十二长生 of a stem on the branches."""

    长生 = "长生"
    沐浴 = "沐浴"
    冠带 = "冠带"
    临官 = "临官"
    帝旺 = "帝旺"
    衰 = "衰"
    病 = "病"
    死 = "死"
    墓 = "墓"
    绝 = "绝"
    胎 = "胎"
    养 = "养"


STAGES = tuple(Stage)


class SolarTerm(Cycle):
    """The twenty-four solar terms 节气, counted from 立春 = 0; even = 节, odd = 气 (中气).

    Exchange them by name: other programs count from 春分 or 小寒.

    >>> SolarTerm("春分").longitude_deg, SolarTerm("立夏").month_branch, SolarTerm("雨水").is_jie
    (0, Branch('巳'), False)
    """

    立春 = "立春"
    雨水 = "雨水"
    惊蛰 = "惊蛰"
    春分 = "春分"
    清明 = "清明"
    谷雨 = "谷雨"
    立夏 = "立夏"
    小满 = "小满"
    芒种 = "芒种"
    夏至 = "夏至"
    小暑 = "小暑"
    大暑 = "大暑"
    立秋 = "立秋"
    处暑 = "处暑"
    白露 = "白露"
    秋分 = "秋分"
    寒露 = "寒露"
    霜降 = "霜降"
    立冬 = "立冬"
    小雪 = "小雪"
    大雪 = "大雪"
    冬至 = "冬至"
    小寒 = "小寒"
    大寒 = "大寒"

    @classmethod
    def _missing_(cls, value: object) -> SolarTerm | None:
        # Traditional characters, pinyin without tones and the English name are read too.
        wanted = value.casefold() if isinstance(value, str) else ""
        for row in rows("terms"):
            names = (row["zh-Hant"], row["en"].casefold(), row["pinyin"])
            if row["kind"] == "solar_term" and wanted in names:
                return cls(row["zh-Hans"])
        return None

    @property
    def longitude_deg(self) -> int:
        """Apparent ecliptic longitude of the Sun at the term."""
        return (315 + 15 * self.index) % 360

    @property
    def is_jie(self) -> bool:
        """Whether it is a 节, which opens a month of the pillars."""
        return self.index % 2 == 0

    @property
    def month_branch(self) -> Branch:
        """Branch of the month in which the term lies (opened by its 节)."""
        return BRANCHES[(2 + self.index // 2) % 12]


SOLAR_TERMS = tuple(SolarTerm)
