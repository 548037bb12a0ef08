"""SolarMoment + School → the four pillars.

Each pillar is a count modulo 60. Years run from 立春 to 立春, months from 节 to 节: both are counted on the
instant (TT), wherever the birth was. Days and double hours are counted on the local clock that the School
chose. The month stem follows 五虎遁 and the hour stem 五鼠遁, which is what counting months and double hours
without a break amounts to. The formulas serve ints and arrays alike.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, Branch, Pillar, Stem
from bazi_core.astro import scales, terms
from bazi_core.errors import InvalidPillars, shown
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.moment import SolarMoment
    from bazi_core.school import School

_UTC_EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
POSITIONS = ("year", "month", "day", "hour")
_LEAF_IDS = tuple(f"p.{position}.{part}" for position in POSITIONS for part in ("stem", "branch"))
# The fact of all pillars, the basis of facts about the whole chart.
WHOLE = "p.chart"

HOUR_MS = 3_600_000
HALF_DAY_MS = 43_200_000
DAY_MS = 86_400_000
_YEAR_1550 = 46  # 庚戌, from 立春 1550, term position 2
_MONTH_1550 = 13  # 丁丑, from 小寒 1550, term position 0
_DAY_2000 = 54  # 戊午, 2000-01-01; its clocks count from noon


class FourPillars(NamedTuple):
    """Year, month, day and hour pillar; the hour is None when unknown.

    >>> four = FourPillars.parse("庚午 辛巳 庚辰 壬午")
    >>> four.day, str(four)
    (Pillar('庚辰'), '庚午 辛巳 庚辰 壬午')
    """

    year: Pillar
    month: Pillar
    day: Pillar
    hour: Pillar | None

    def __str__(self) -> str:
        return " ".join(pillar.value for pillar in self if pillar)

    def items(self) -> Iterator[tuple[str, Pillar]]:
        """(position, pillar) of the known pillars."""
        known: Any = self if self.hour is not None else self[:3]
        return zip(POSITIONS, known, strict=False)

    @property
    def leaf_ids(self) -> tuple[str, ...]:
        """The ids of the facts of their stems and branches."""
        return _LEAF_IDS if self.hour else _LEAF_IDS[:6]

    def to_dict(self) -> dict[str, str | None]:
        return {name: pillar.value if pillar else None for name, pillar in zip(POSITIONS, self, strict=True)}

    @classmethod
    def parse(cls, text: str | list[str] | tuple[str, ...], *, strict: bool = True) -> FourPillars:
        """Four pillars (or three, the hour unknown) as text; a set that no moment can have is refused.

        >>> FourPillars.parse("甲子 甲子 甲子 甲子")
        Traceback (most recent call last):
        bazi_core.errors.InvalidPillars: in a 甲 year the 子 month is 丙子, not 甲子 (五虎遁)
        """
        if not isinstance(text, (str, list, tuple)):
            raise _not_four(Said("pillars_text", given=shown(text)), shown(text))
        parts = text.split() if isinstance(text, str) else [shown(part) for part in text]
        if len(parts) == 1 and len(parts[0]) in (6, 8):
            parts = [parts[0][i : i + 2] for i in range(0, len(parts[0]), 2)]
        if len(parts) not in (3, 4):
            raise _not_four(Said("pillars_count", count=len(parts)), shown(" ".join(parts[:5])))
        pillars = [Pillar(part) for part in parts]
        four = cls(pillars[0], pillars[1], pillars[2], pillars[3] if len(pillars) == 4 else None)
        reason = four.impossible()
        if reason and strict:
            raise impossible_set(reason, str(four), Said("pillars_hint"))
        return four

    def impossible(self) -> Said | None:
        """The rule that these pillars break, or None. A 子 hour may carry the next day's stem or this one's."""
        month = five_tigers(self.year.stem, self.month.branch)
        if month is not self.month:
            known = {"stem": self.year.stem, "branch": self.month.branch}
            return Said("pillars_month", **known, right=month, given=self.month)
        if self.hour is None:
            return None
        days = (self.day, PILLARS[(self.day.index + 1) % 60]) if self.hour.branch.index == 0 else (self.day,)
        possible = [five_rats(day.stem, self.hour.branch) for day in days]
        if self.hour not in possible:
            right = Listed((pillar.value for pillar in possible), " or ")
            known = {"stem": self.day.stem, "branch": self.hour.branch}
            return Said("pillars_hour", **known, right=right, given=self.hour)
        return None


def _not_four(message: str, given: str) -> InvalidPillars:
    return InvalidPillars(message, hint=Said("pillars_count_hint"), given=given, reason="count", rule="count")


_RULES = {"pillars_month": "five_tigers", "pillars_hour": "five_rats"}


def impossible_set(reason: Said, given: str, hint: Said) -> InvalidPillars:
    """The error of pillars that no moment can have, with the rule that they break."""
    return InvalidPillars(reason, hint=hint, given=given, reason=reason, rule=_RULES[reason.key])


def five_tigers(year_stem: Stem, month: Branch) -> Pillar:
    """五虎遁: the pillar of the month of that branch in a year of that stem (甲 and 己 years begin with 丙寅)."""
    first = (2 * year_stem.index + 2) % 10
    after_yin = (month.index - 2) % 12
    return pillar_of((first + after_yin) % 10, month.index)


def five_rats(day_stem: Stem, hour: Branch) -> Pillar:
    """五鼠遁: the pillar of the double hour of that branch on a day of that stem (甲 and 己 days begin with 甲子)."""
    return pillar_of((2 * day_stem.index + hour.index) % 10, hour.index)


def pillar_of(stem: int, branch: int) -> Pillar:
    """The pillar of a stem index and a branch index of the same polarity."""
    # The one index below 60 that leaves `stem` modulo 10 and `branch` modulo 12.
    return PILLARS[(6 * stem - 5 * branch) % 60]


def year_index(term: Any) -> Any:
    """Sexagenary index of the year that runs at a term position, by 立春."""
    return ((term - 2) // 24 + _YEAR_1550) % 60


def month_index(term: Any) -> Any:
    """Sexagenary index of the month that runs at a term position."""
    return (term // 2 + _MONTH_1550) % 60


def day_index(local_ms: Any, late_zi_is_next_day: bool) -> Any:
    """Sexagenary index of the day on a local clock; it begins at 23:00 or at 00:00."""
    shift = HALF_DAY_MS + HOUR_MS if late_zi_is_next_day else HALF_DAY_MS
    return ((local_ms + shift) // DAY_MS + _DAY_2000) % 60


def hour_index(local_ms: Any, stem_day: Any) -> Any:
    """Sexagenary index of the double hour on a local clock, its stem by 五鼠遁 from the day `stem_day`."""
    branch = (local_ms + HALF_DAY_MS + HOUR_MS) // (2 * HOUR_MS) % 12
    return (12 * stem_day + branch) % 60


def pillar_indices(term: Any, local_ms: Any, school: School) -> tuple[Any, Any, Any, Any]:
    """The four indices at a term position and a reading of the local clock."""
    late_zi_is_next_day = school.day_boundary == "23:00"
    day = day_index(local_ms, late_zi_is_next_day)
    stem_day = day if school.late_zi_hour_stem == "same_day" else day_index(local_ms, True)
    return year_index(term), month_index(term), day, hour_index(local_ms, stem_day)


def pillars_at(term: int, local_ms: int, school: School) -> FourPillars:
    """The four pillars at a term position and a reading of the local clock."""
    year, month, day, hour = pillar_indices(term, local_ms, school)
    if school.year_boundary == "lunar_new_year":
        year = _lunar_year_index(local_ms, school)
    return FourPillars(PILLARS[year], PILLARS[month], PILLARS[day], PILLARS[hour])


def four_pillars(moment: SolarMoment, school: School) -> FourPillars:
    """The four pillars of a moment."""
    return pillars_at(moment.term, moment.local_ms, school)


def pillars_of_instant(instant: datetime, school: School) -> FourPillars:
    """The four pillars at an aware datetime, day and hour by its own clock.

    >>> from datetime import datetime
    >>> from bazi_core.school import School
    >>> str(pillars_of_instant(datetime.fromisoformat("2026-02-04T05:00:00+08:00"), School()))
    '丙午 庚寅 己酉 丁卯'
    """
    offset = instant.utcoffset()
    if offset is None:
        raise ValueError("an aware datetime is needed: the instant of a naive one is unknown")
    utc_ms = (instant - _UTC_EPOCH) // _MILLISECOND
    local_ms = utc_ms + offset.days * DAY_MS + offset.seconds * 1000
    scales.check_instant(utc_ms)
    tt_ms = utc_ms + scales.tt_minus_utc_ms(utc_ms, school.future_utc)
    return pillars_at(terms.position(tt_ms), local_ms, school)


def _lunar_year_index(local_ms: int, school: School) -> int:
    from bazi_core.astro.lunar import lunar_year_of

    day = scales.datetime_of(local_ms).date()
    return (lunar_year_of(day, future_utc=school.future_utc, calendar=school.lunar_months) - 4) % 60
