"""称骨: the weight of a birth by its lunar year, month, day and double hour.

A count outside the four pillars, which charts print beside them. The weights are in the table bone_weights; the verses
that go with a weight differ from edition to edition and are left to the reader's own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import Fact
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Branch
    from bazi_core.astro.lunar import LunarDate

SOURCE = "YTG.称骨歌"


class BoneWeight(NamedTuple):
    """The four weights in 钱, of which ten are one 两.

    >>> import bazi_core as bz
    >>> weight = bz.chart("1990-05-15 13:30", city="北京").bone_weight
    >>> weight, weight.total, weight.liang
    (BoneWeight(year=9, month=9, day=10, hour=10), 38, '3.8')
    """

    year: int
    month: int
    day: int
    hour: int

    @property
    def total(self) -> int:
        """The whole weight in 钱."""
        return sum(self)

    @property
    def liang(self) -> str:
        """The whole weight in 两."""
        return f"{self.total // 10}.{self.total % 10}"

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "total": self.total, "source": SOURCE, "evidence_id": "bone.weight"}


def bone_weight(lunar: LunarDate, hour: Branch) -> BoneWeight:
    """The weight of a lunar date and double hour; a leap month has the weight of the month whose number it repeats."""
    return BoneWeight(
        _weights("year")[lunar.year_ganzhi.value],
        _weights("month")[str(lunar.month)],
        _weights("day")[str(lunar.day)],
        _weights("hour")[hour.value],
    )


def bone_facts(weight: BoneWeight, clock: str) -> Iterator[Fact]:
    """The fact of the weight, resting on the clock by which day and hour are read."""
    yield Fact(
        "bone.weight", "bone_weight", "birth", "weight", weight.total, "bone.weight", divmod(weight.total, 10), None,
        (f"p.time.{clock}", "p.hour.branch"), "R-BONE", SOURCE,
    )  # fmt: skip


@cache
def _weights(part: str) -> dict[str, int]:
    return {row["key"]: int(row["qian"]) for row in rows("bone_weights") if row["part"] == part}
