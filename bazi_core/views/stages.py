"""十二长生: the stage of a stem on a branch.

星运 reads the day stem on each branch, 自坐 each pillar's own stem on its own branch. Schools differ in whether
yin stems run backwards (阳顺阴逆), share the stages of their yang partner, or earth goes with water.
"""

from __future__ import annotations

from functools import cache

from bazi_core.alphabet import BRANCHES, STAGES, Branch, Stage, Stem
from bazi_core.table import Table
from bazi_core.tables import rows


@cache
def stage_table(school: str) -> Table:
    """(stem, branch) → index of the stage."""
    chosen = [row for row in rows("stages") if row["school"] == school]
    return Table([Stage(row[branch.value]).index for row in chosen for branch in BRANCHES], 10, 12)


def stage(stem: Stem, branch: Branch, school: str = "yang_shun_yin_ni") -> Stage:
    """The stage of a stem on a branch."""
    return STAGES[stage_table(school)(stem.index, branch.index)]
