"""胎元 胎息 命宫 身宫: four pillars derived from the four pillars.

胎元 is three months before birth by count; 胎息 is the pillar that combines with the day pillar. 命宫 and 身宫
count month and hour; 《命理探原》 lets the month of 命宫 advance at the 中气, others at the 节.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import BRANCHES, Branch, Pillar
from bazi_core.pillars import five_tigers, pillar_of

if TYPE_CHECKING:
    from bazi_core.moment import SolarMoment


def tai_yuan(month: Pillar) -> Pillar:
    """胎元: next stem, third branch on from the month pillar."""
    return pillar_of((month.stem.index + 1) % 10, (month.branch.index + 3) % 12)


def tai_xi(day: Pillar) -> Pillar:
    """胎息: the stem in 干合 and the branch in 六合 with the day pillar."""
    # 干合 partners are five apart; the indices of 六合 partners sum to 1 modulo 12.
    return pillar_of((day.stem.index + 5) % 10, (1 - day.branch.index) % 12)


def ming_gong(year: Pillar, month_number: int, hour: Branch) -> Pillar:
    """命宫 from the number of the month and the branch of the hour, both counted from 寅 = 1."""
    hour_number = (hour.index - 2) % 12 + 1
    total = month_number + hour_number
    return _palace(year, 14 - total if total < 14 else 26 - total)


def shen_gong(year: Pillar, month: Branch, hour: Branch) -> Pillar:
    """身宫 from the month counted from 寅 = 1 and the hour counted from 子 = 1."""
    return _palace(year, (month.index - 2) % 12 + 1 + hour.index + 1)


def month_number(month: Branch, moment: SolarMoment | None, rule: str) -> int:
    """Number of the month for 命宫: by the month pillar (`jie`), or advanced at the 中气 (`zhongqi`).

    Pillars given without a moment have no 中气; they use the month pillar.
    """
    if rule == "jie" or moment is None:
        return (month.index - 2) % 12 + 1
    last_qi = moment.term if moment.term % 2 else moment.term - 1
    # 雨水, at position 3 of a year, opens month 2; 大寒, two positions earlier, month 1.
    return ((last_qi - 3) // 2 + 1) % 12 + 1


def _palace(year: Pillar, number: int) -> Pillar:
    """The palace on the branch of that number (寅 = 1), its stem by 五虎遁 from the year stem."""
    return five_tigers(year.stem, BRANCHES[(number + 1) % 12])
