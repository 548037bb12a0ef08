"""十神: the god of every stem relative to the day stem, by their elements and polarities."""

from __future__ import annotations

from functools import cache

from bazi_core.alphabet import STEMS, TEN_GODS, Stem, TenGod
from bazi_core.table import Table
from bazi_core.tables import rows


@cache
def ten_god_table() -> Table:
    """(day stem, stem) → index of the ten god."""
    cells = [TenGod(row[stem.value]).index for row in rows("ten_gods") for stem in STEMS]
    return Table(cells, 10, 10)


def ten_god(day: Stem, stem: Stem) -> TenGod:
    """The ten god of a stem for a day stem."""
    return TEN_GODS[ten_god_table()(day.index, stem.index)]
