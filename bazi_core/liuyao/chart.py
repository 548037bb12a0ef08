"""LiuyaoValue: six lines at a time, and the values that follow from them by the tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bazi_core.alphabet import Branch, Pillar
from bazi_core.liuyao import lines as line_values
from bazi_core.liuyao.hexagrams import Hexagram, hexagram_of
from bazi_core.liuyao.policy import DEFAULT, LiuyaoPolicy
from bazi_core.school import DEFAULT as DEFAULT_SCHOOL
from bazi_core.school import School
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from bazi_core.liuyao.cast import CastRecord
    from bazi_core.moment import SolarMoment


@dataclass(frozen=True, init=False)
class LiuyaoValue:
    """The value of a cast: its lines and its time."""

    lines: tuple[int, ...]
    month_branch: Branch
    day: Pillar
    year: Pillar | None = None
    month: Pillar | None = None
    hour: Pillar | None = None
    school: School = DEFAULT_SCHOOL
    policy: LiuyaoPolicy = DEFAULT
    moment: SolarMoment | None = None
    cast: CastRecord | None = None

    # Values used by every part, computed from the fields above.
    primary: Hexagram = field(init=False, compare=False, repr=False)
    target: Hexagram = field(init=False, compare=False, repr=False)
    moving: tuple[int, ...] = field(init=False, compare=False, repr=False)
    void: tuple[Branch, Branch] = field(init=False, compare=False, repr=False)

    def __init__(
        self, lines: tuple[int, ...], month_branch: Branch, day: Pillar, year: Pillar | None = None,
        month: Pillar | None = None, hour: Pillar | None = None, school: School = DEFAULT_SCHOOL,
        policy: LiuyaoPolicy = DEFAULT, moment: SolarMoment | None = None, cast: CastRecord | None = None,
    ) -> None:  # fmt: skip
        # All at once: the generated constructor of a frozen class sets field by field, at three times the cost.
        self.__dict__.update(
            lines=lines, month_branch=month_branch, day=day, year=year, month=month, hour=hour, school=school, policy=policy,
            moment=moment, cast=cast, primary=hexagram_of(line_values.code(lines)),
            target=hexagram_of(line_values.changed_code(lines)), moving=line_values.moving(lines), void=void_branches(day),
        )  # fmt: skip

    def __repr__(self) -> str:
        names = " -> ".join(dict.fromkeys((self.primary.full_name, self.target.full_name)))
        return f"<LiuyaoChart {names}, month {self.month_branch}, day {self.day}>"

    @property
    def code(self) -> int:
        """Yang bits of the primary."""
        return self.primary.code

    @property
    def changed_code(self) -> int:
        """Yang bits of the target."""
        return self.target.code

    @property
    def month_broken(self) -> Branch:
        """月破: the branch that the month clashes."""
        return self.month_branch.clash

    @property
    def day_clashed(self) -> Branch:
        """日冲: the branch that the day clashes."""
        return self.day.branch.clash
