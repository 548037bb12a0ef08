"""The five classes of elements relative to the day master, and the pattern that each ten god gives.

比劫 0, 食伤 1, 财 2, 官杀 3, 印 4: class k of an element e is (e − day master) mod 5 in the order of generation.
"""

from __future__ import annotations

from bazi_core.alphabet import ELEMENTS, TEN_GODS, Element, Stem

CLASSES = ("比劫", "食伤", "财", "官杀", "印")
PEER, OUTPUT, WEALTH, OFFICER, RESOURCE = range(5)

# A ten god's pattern; 比肩 and 劫财 have none. 财格 and 印格 take both polarities.
PATTERN_OF = {
    "食神": "食神格",
    "伤官": "伤官格",
    "偏财": "财格",
    "正财": "财格",
    "七杀": "七杀格",
    "正官": "正官格",
    "偏印": "印格",
    "正印": "印格",
}


def element_of(day: Stem, k: int) -> Element:
    """The element of a class."""
    return ELEMENTS[(day.index // 2 + k) % 5]


def gods_of(k: int) -> tuple[str, str]:
    """The two ten gods of a class.

    >>> gods_of(WEALTH)
    ('偏财', '正财')
    """
    return TEN_GODS[2 * k].value, TEN_GODS[2 * k + 1].value
