"""调候: the stems that 《穷通宝鉴》 asks for, by day stem and month, and whether the chart has them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES, STEMS, Branch, Stem
from bazi_core.tables import rows
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from bazi_core.pillars import FourPillars

COLD, HOT = "亥子丑", "巳午未"
MAIN = 1  # rank of the main qi; a stem that shows has rank 0


class Climate(NamedTuple):
    """The stems for which the month asks (`required`, most important first), those that the chart has (`found`, with
    positions), how urgent it is (`urgent` in the cold and the hot months, else `normal`), and whether it is met.

    That is asked of the first stem alone: `satisfied`, it shows or is the main qi of a branch; `hidden`,
    half met, it is elsewhere in a branch; `absent`, not met, it is nowhere, whatever else is there.

    >>> import bazi_core as bz
    >>> found = bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern().climate
    >>> "".join(stem.value for stem in found.required), found.found[0], found.urgency, found.satisfied
    ('壬戊丙丁', (Stem('壬'), 'hour', 0), 'urgent', 'satisfied')
    """

    required: tuple[Stem, ...]
    found: tuple[tuple[Stem, str, int], ...]
    urgency: str
    satisfied: str


def required_stems(day: Stem, month: Branch) -> tuple[Stem, ...]:
    """The cell of 《穷通宝鉴》."""
    return _cells()[day.index * 12 + month.index]


@cache
def _cells() -> tuple[tuple[Stem, ...], ...]:
    by_day = {row["day"]: row for row in rows("tiaohou") if row["school"] == "qiongtong"}
    return tuple(
        tuple(Stem(char) for char in by_day[day.value][month.value]) for day in STEMS for month in BRANCHES
    )


def climate(pillars: FourPillars) -> Climate:
    """The climate of a chart: rank 0 marks a stem that shows, 1–3 a hidden one."""
    day, month = pillars.day.stem, pillars.month.branch
    required = required_stems(day, month)
    places = [(p.stem, where, 0) for where, p in pillars.items() if where != "day"]
    places += [(h.stem, where, h.rank) for where, p in pillars.items() for h in hidden_stems(p.branch)]
    found = tuple(place for stem in required for place in places if place[0] is stem)
    ranks = [rank for stem, _, rank in found if stem is required[0]]
    return Climate(
        required,
        found,
        "urgent" if month.value in COLD + HOT else "normal",
        "satisfied" if min(ranks, default=MAIN + 1) <= MAIN else "hidden" if ranks else "absent",
    )
