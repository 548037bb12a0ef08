"""The 流年 of a life with ages, 小运 and the 神煞 that they meet, under the 大运 as printed tables have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.astro import terms
from bazi_core.errors import BirthRequired
from bazi_core.luck.flows import Flow, flow_year
from bazi_core.luck.meeting import meeting_dict
from bazi_core.tables.sentences import Said
from bazi_core.views.stars import StarHit, stars_met

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.alphabet import Pillar
    from bazi_core.luck.decades import Luck
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School


class Age(NamedTuple):
    """Age in a year: nominal 虚岁 (year − birth year + 1), and the years completed 周岁 on the birthday in it.

    >>> Age.in_year(2026, 1990)
    Age(nominal=37, full=36)
    """

    nominal: int
    full: int

    @classmethod
    def in_year(cls, year: int, born: int) -> Age:
        # Born after new year and before 立春, one is in the first year of life when that 流年 ends.
        return cls(max(1, year - born + 1), max(0, year - born))


class LuckYear(NamedTuple):
    """One 流年 of a life.

    `cycle` is the 大运 under which it is listed, the first of its ten years being that in which it begins; None before
    the first one and where no dates are known. `ages` and `minor` (小运) are None where they cannot be told.
    """

    year: int
    flow: Flow
    ages: Age | None
    minor: Pillar | None
    cycle: int | None
    stars: tuple[StarHit, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.flow.to_dict(),
            "age_nominal": self.ages.nominal if self.ages else None,
            "age_full": self.ages.full if self.ages else None,
            "xiaoyun": self.minor.value if self.minor else None,
            "cycle": self.cycle,
            "stars_met": [meeting_dict(star, f"ln.{self.year}") for star in self.stars],
        }


def luck_years(
    years: Iterable[int],
    luck: Luck | None,
    natal: FourPillars,
    school: School,
    gender: str | None,
    born: int | None,
) -> tuple[LuckYear, ...]:
    """The 流年 of these years; `born` is the year of birth on the civil clock."""
    return tuple(_year(year, luck, natal, school, gender, born) for year in years)


def years_of_life(luck: Luck | None, born: int | None) -> range:
    """The years from birth to the last of the tenth 大运, as far as the table of solar terms reaches."""
    last = luck.cycles[-1].end_year if luck is not None else None
    if born is None or last is None:
        raise BirthRequired(
            Said("years_of_life"), hint=Said("years_of_life_hint"), missing=["moment" if luck else "gender"]
        )
    return range(born, min(last, terms.LAST_YEAR - 1) + 1)


def _year(
    year: int, luck: Luck | None, natal: FourPillars, school: School, gender: str | None, born: int | None
) -> LuckYear:
    flow = flow_year(natal, school, year)
    ages = None if born is None or year < born else Age.in_year(year, born)
    minor = luck.minor_luck(ages.nominal) if luck is not None and ages is not None else None
    met = stars_met(natal, flow.pillar, gender, school)
    return LuckYear(year, flow, ages, minor, _cycle_of(year, luck), met)


def _cycle_of(year: int, luck: Luck | None) -> int | None:
    for cycle in luck.cycles if luck is not None else ():
        if (
            cycle.start_year is not None
            and cycle.end_year is not None
            and cycle.start_year <= year <= cycle.end_year
        ):
            return cycle.index
    return None
