"""The gods of the 720 cells of month and day pillar by their rules in words: cycles, harmonies, elements, seasons.

卷3–7 say of most gods how they go round; the table lists where they stand. What no rule gives is a list in the book too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from bazi_core.almanac.gods import _CELL_RULES, LU, gods, present
from bazi_core.alphabet import BRANCHES, PILLARS, SOLAR_TERMS, STEMS, Branch, Element, Pillar
from bazi_core.views.cycles import void_branches
from tests.core.almanac.test_xieji import CELLS, SCHOOL, plain


class Cell(NamedTuple):
    """A day of a month: months from 寅, stems and branches counted from 甲 and 子."""

    month: int
    pillar: Pillar

    @property
    def season(self) -> int:
        return self.month // 3

    @property
    def ruling(self) -> int:
        """The branch of the month."""
        return (self.month + 2) % 12

    @property
    def stem(self) -> int:
        return self.pillar.stem.index

    @property
    def branch(self) -> int:
        return self.pillar.branch.index

    @property
    def of_season(self) -> Element:
        """Wood, fire, metal, water."""
        return BRANCHES[(3 * self.season + 3) % 12].element


Rule = Callable[[Cell], bool]


def at(first: str, every: int = 1, by_one: int = 0, by_group: int = 0, group: int = 12) -> Rule:
    """A branch that goes on by `by_one` within each group of months and by `by_group` from group to group; or, where a
    sign stands for `every` months, from one such to the next."""
    start = Branch(first).index
    return lambda cell: (
        cell.branch
        == (start + by_one * (cell.month // every % group) + by_group * (cell.month // every // group)) % 12
    )


def turned(first: str) -> Rule:
    """A branch that goes on by one every second month, in the month between six further."""
    start = Branch(first).index
    return lambda cell: cell.branch == (start + cell.month // 2 + 6 * (cell.month % 2)) % 12


def triad(stage: int) -> Rule:
    """A stage of the twelve (长生 0) of the element to whose triad the month belongs: of fire, wood, water, metal."""
    births = {2: 2, 3: 11, 0: 8, 1: 5}
    return lambda cell: cell.branch == (births[cell.ruling % 4] + stage) % 12


def kind(cell: Cell, element: Element) -> bool:
    """Whether the branch of the day is of an element."""
    return cell.pillar.branch.element == element


def own_stem(branch: int) -> int:
    """The stem of a branch by element and polarity."""
    sign = BRANCHES[branch]
    return next(s.index for s in STEMS if (s.element, s.polarity) == (sign.element, sign.polarity))


def mother(element: Element) -> Element:
    return next(each for each in Element if each.generates == element)


def stands(name: str, cell: Cell) -> bool:
    return name in present(plain(Branch(BRANCHES[cell.ruling].value), cell.pillar), SCHOOL)


def first_stem_of_triad(cell: Cell) -> int:
    """丙 甲 壬 庚: the yang stem of the element of the triad, 月德."""
    return (2, 0, 8, 6)[cell.month % 4]


RULES: dict[str, Rule] = {
    # Rounds of the twelve.
    "月厌": at("戌", by_one=-1), "地火": at("戌", by_one=-1), "厌对": at("辰", by_one=-1), "招摇": at("辰", by_one=-1),
    "六仪": at("辰", by_one=-1), "六合": at("亥", by_one=-1), "天仓": at("寅", by_one=-1), "天贼": at("丑", by_one=-1),
    "月害": at("巳", by_one=-1), "阳德": at("戌", by_one=2), "阴德": at("酉", by_one=-2), "天马": at("午", by_one=2),
    "兵禁": at("寅", by_one=-2), "解神": at("申", every=2, by_one=2),
    "临日": lambda cell: cell.branch == ((6 if cell.month % 2 == 0 else 10) + cell.month) % 12,
    "五富": at("亥", by_one=3), "往亡": at("寅", by_one=3, by_group=1, group=4),
    "九坎": at("辰", by_one=-3, by_group=-1, group=4), "九焦": at("辰", by_one=-3, by_group=-1, group=4),
    "土符": at("丑", by_one=4, by_group=1, group=3),
    "归忌": lambda cell: cell.branch == (1, 2, 0)[cell.month % 3],
    "大煞": lambda cell: cell.branch == ((10, 5, 6)[cell.month % 3] - 3 * cell.season) % 12,
    "兵吉": lambda cell: (cell.branch + cell.month) % 12 < 4,
    # One on every second month, six further between.
    "要安": turned("寅"), "玉宇": turned("卯"), "金堂": turned("辰"), "敬安": turned("未"), "普护": turned("申"),
    "福生": turned("酉"), "圣心": turned("亥"), "益后": turned("子"), "续世": turned("丑"), "血忌": turned("丑"),
    # Stages of the element of the triad.
    "大时": triad(1), "咸池": triad(1), "游祸": triad(3), "驿马": triad(6), "天吏": triad(7), "劫煞": triad(9),
    "灾煞": triad(10), "天火": triad(10), "月煞": triad(11), "月虚": triad(11),
    "九空": lambda cell: triad(8)(cell._replace(pillar=PILLARS[(cell.pillar.index + 6) % 60])),
    "月德": lambda cell: cell.stem == first_stem_of_triad(cell),
    "月德合": lambda cell: cell.stem == (first_stem_of_triad(cell) + 5) % 10,
    "月空": lambda cell: cell.stem == {2: 8, 0: 6, 8: 2, 6: 0}[first_stem_of_triad(cell)],
    "天德合": lambda cell: any(
        stands("天德", Cell(cell.month, each)) for each in PILLARS if each.stem.index == (cell.stem + 5) % 10
    ),
    # The month and its branch.
    "月恩": lambda cell: (
        cell.pillar.stem.element == BRANCHES[cell.ruling].element.generates
        and cell.pillar.stem.polarity == BRANCHES[cell.ruling].polarity
    ),
    # Its own stem, that of the place where it rules: 辰戌 戊, 丑未 己, 巳 丙, 午 丁, 亥 壬, 子 癸.
    "复日": lambda cell: cell.stem == (9, 5, 0, 1, 4, 2, 3, 5, 6, 7, 4, 8)[cell.ruling],
    # Seasons.
    "王日": lambda cell: cell.branch == (3 * cell.season + 2) % 12,
    "官日": lambda cell: cell.branch == (3 * cell.season + 3) % 12,
    "守日": lambda cell: cell.branch == (3 * cell.season + 4) % 12,
    "相日": lambda cell: cell.branch == (3 * cell.season + 5) % 12,
    "民日": lambda cell: cell.branch == (3 * cell.season + 6) % 12,
    "四击": lambda cell: cell.branch == (3 * cell.season + 10) % 12,
    "四相": lambda cell: cell.pillar.stem.element == cell.of_season.generates,
    "母仓": lambda cell: kind(cell, mother(cell.of_season)),
    "四忌": lambda cell: cell.branch == 0 and cell.pillar.stem.element == cell.of_season,
    "四穷": lambda cell: cell.branch == 11 and cell.pillar.stem.element == cell.of_season,
    "四废": lambda cell: (
        (cell.branch - 3 * cell.season) % 12 in (8, 9) and own_stem(cell.branch) == cell.stem
    ),
    "五虚": lambda cell: cell.branch % 4 == (3 * cell.season + 9) % 4,
    # The sixty.
    "天恩": lambda cell: cell.pillar.index % 15 < 5 and cell.pillar.index not in range(30, 45),
    "无禄": lambda cell: LU[cell.stem] in "".join(each.value for each in void_branches(cell.pillar)),
    "八专": lambda cell: cell.branch == (2, 4, 5, 7, 5, 7, 8, 10, 11, 1)[cell.stem],
    "重日": lambda cell: cell.branch in (5, 11), "五合": lambda cell: cell.branch in (2, 3),
    "五离": lambda cell: cell.branch in (8, 9), "除神": lambda cell: cell.branch in (8, 9),
}  # fmt: skip
OFFICERS = "建除满平定执破危成收开闭"
RULES |= {
    f"{name}日": lambda cell, place=place: (cell.branch - cell.ruling) % 12 == place
    for place, name in enumerate(OFFICERS)
}
# Other names and gods of the same place.
RULES |= {
    name: RULES[f"{officer}日"]
    for name, officer in {
        "月建": "建", "土府": "建", "月破": "破", "大耗": "破", "平": "平", "死神": "平", "收": "收", "满": "满", "闭": "闭",
        "血支": "闭", "死气": "定", "小耗": "执",
    }.items()
}  # fmt: skip
SPIRITS = ("青龙", "明堂", "天刑", "朱雀", "金匮", "宝光", "白虎", "玉堂", "天牢", "玄武", "司命", "勾陈")
RULES |= {name: at(BRANCHES[place].value, by_one=2) for place, name in enumerate(SPIRITS)}


@pytest.mark.parametrize("name", RULES)
def test_a_god_stands_where_its_rule_puts_it(name: str) -> None:
    for month, pillar in CELLS:
        cell = Cell((month.index - 2) % 12, pillar)
        assert stands(name, cell) == RULES[name](cell), (month.value, pillar.value)


def test_the_other_gods_are_lists_in_the_book() -> None:
    """No rule but the list gives these; 宝 义 制 专 伐 are held by the elements in another test."""
    listed = {
        god.name for god in gods().values() if god.type in _CELL_RULES and not god.name.startswith("百忌")
    }
    assert listed - set(RULES) == {
        "天德", "天赦", "天愿", "时德", "三合", "不将", "亥子日", "午日", "申日", "鸣吠", "鸣吠对", "天狗", "月刑", "四耗",
        "八风", "触水龙", "五墓", "地囊", "宝日", "义日", "制日", "专日", "伐日",
    }  # fmt: skip
    assert set(RULES) <= listed


def test_the_advance_of_a_term_is_counted_in_sevens_to_tens() -> None:
    """气往亡: seven, eight, nine and ten days by the season, once, twice and thrice in its months."""
    names = [term.value for term in SOLAR_TERMS if term.is_jie]
    days = [(month % 3 + 1) * (7 + month // 3) for month in range(12)]
    counted = {f"{name}{day}" for name, day in zip(names, days, strict=True)}
    assert set(gods()["气往亡"].values.split()) == counted
