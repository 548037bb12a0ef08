"""小六壬: six palms counted by lunar month, day and double hour.

大安 留连 速喜 赤口 小吉 空亡: from 大安 count the month, from its palm the day, from that the hour (子 = 1). A folk
method without a canonical book; the meaning of a palm is printed as tradition.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch
from bazi_core.errors import InvalidInput, known, shown
from bazi_core.facts import Fact, collect
from bazi_core.school import School, school_of
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.warnings import BaziWarning


# Policies for days from the 16th of a leap month: as days of the month, or of the next one.
LEAPS = ("same", "next")


class Palms(NamedTuple):
    """A cast: the palms of month and day, and of the hour when it is known; the last one is the result.

    >>> found = cast(month=3, day=5, hour="辰")
    >>> found.palms, found.result
    (('速喜', '大安', '小吉'), '小吉')
    """

    month: int
    day: int
    leap: bool
    hour: Branch | None
    palms: tuple[str, ...]
    warnings: tuple[BaziWarning, ...] = ()

    @property
    def result(self) -> str:
        return self.palms[-1]

    @property
    def facts(self) -> dict[str, Fact]:
        """`lr.month`, `lr.day`, `lr.hour`: each palm with the one it was counted from."""
        counted = (("月", self.month), ("日", self.day), ("时", self.hour.value if self.hour else ""))
        palm_facts = []
        for at, (palm, name) in enumerate(zip(self.palms, ("month", "day", "hour"), strict=False)):
            rests_on = (f"lr.{('month', 'day')[at - 1]}",) if at else ()
            word, value = counted[at]
            palm_facts.append(
                Fact(
                    f"lr.{name}",
                    "palm",
                    word,
                    "falls_on",
                    palm,
                    f"palm.{name}",
                    (value, palm),
                    None,
                    rests_on,
                    "R-LIUREN",
                    "tradition",
                )
            )
        return collect(palm_facts)

    def to_dict(self, lang: str = "zh-Hans") -> dict[str, Any]:
        return {
            "lunar": {"month": self.month, "day": self.day, "leap": self.leap},
            "hourBranch": self.hour.value if self.hour else None,
            "palms": list(self.palms),
            "result": self.result,
            "meaning": meaning(self.result, lang),
            "facts": {name: fact.to_dict() for name, fact in self.facts.items()},
            "warnings": [warning.to_dict(lang) for warning in self.warnings],
        }


@cache
def names() -> tuple[str, ...]:
    """The six palms in their order."""
    return tuple(row["name"] for row in rows("liuyao/palms"))


def meaning(palm: str, lang: str = "zh-Hans") -> str:
    """The traditional meaning of a palm, as a sentence."""
    return _row(palm, lang)[lang]


def palm_name(palm: str, lang: str = "zh-Hans") -> str:
    """The name of a palm; in English with its gloss."""
    row = _row(palm, lang)
    return row["name_hant"] if lang == "zh-Hant" else f"{palm} {row['gloss']}" if lang == "en" else palm


def _row(palm: str, lang: str) -> dict[str, str]:
    known("palm", palm, names())
    known("lang", lang, LANGUAGES)
    return next(row for row in rows("liuyao/palms") if row["name"] == palm)


def cast(
    at: str | datetime | None = None, *, month: int | None = None, day: int | None = None, hour: str | None = None,
    school: School | None = None, leap: str = "same",
) -> Palms:  # fmt: skip
    """The palms of a time with its offset, or of a lunar month, day and double hour.

    The date is the effective one under the School's `day_boundary`; with `leap="next"` days from the 16th of a leap
    month count as the next month. Without an hour the palm of the day is the result.

    >>> cast("2026-04-03T20:30:00+08:00").palms
    ('留连', '小吉', '速喜')
    """
    chosen = school_of(school)
    known("leap", leap, LEAPS)
    if at is not None:
        if (month, day, hour) != (None, None, None):
            raise InvalidInput(Said("cast_both"), given="both")
        from bazi_core.liuyao.calendar import moment_of, warnings_of_cast
        from bazi_core.liuyao.cast import lunar_of

        (_, number, of_month), branch, is_leap = lunar_of(at, chosen, leap)
        return _counted(number, of_month, branch, is_leap, warnings_of_cast(moment_of(at, chosen), chosen))
    for name, value, last in (("month", month, 12), ("day", day, 30)):
        if type(value) is not int or not 1 <= value <= last:
            raise InvalidInput(Said("number_to", name=name, last=last, value=shown(value)[:20]), field=name)
    assert month is not None
    assert day is not None
    return _counted(month, day, None if hour is None else _branch(hour), False)


def _branch(hour: str) -> Branch:
    from bazi_core.liuyao.hexagrams import branch_of

    return branch_of(hour.removesuffix("时").removesuffix("時") if isinstance(hour, str) else hour, "hour")


def _counted(
    month: int, day: int, hour: Branch | None, leap: bool, warnings: tuple[BaziWarning, ...] = ()
) -> Palms:
    at = [month - 1, month + day - 2]
    at += [] if hour is None else [month + day + hour.index + 1 - 3]
    return Palms(month, day, leap, hour, tuple(names()[each % 6] for each in at), warnings)
