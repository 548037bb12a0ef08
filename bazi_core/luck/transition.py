"""The start of luck and the changes of its pillars, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import PILLARS, Stem
from bazi_core.errors import OutOfRange
from bazi_core.pillars import pillars_of_instant
from bazi_core.school import DEFAULT
from bazi_core.tables.words import label
from bazi_core.wording import full_sign

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.luck.decades import Luck


def transition(luck: Luck, lang: str = "zh-Hans") -> str:
    """A sentence on the start of luck and the changes of its pillars."""
    if luck.start_range is not None:
        earliest, latest = (each.date().isoformat() for each in luck.start_range)
        return label("transition_unknown", lang, earliest=earliest, latest=latest)
    if luck.start is None or luck.start_age is None:
        return label("no_dates", lang)
    age = luck.start_age
    span = label("span", lang, years=age.years, months=age.months, days=age.days, hours=age.hours)
    stem = full_sign(_stem_of_year(luck.start), lang) if lang == "en" else str(_stem_of_year(luck.start))
    return label("transition", lang, span=span, stem=stem, date=day_of_month(luck.start, lang))


def day_of_month(at: datetime, lang: str) -> str:
    """The text of a day of the year: 8月16日, `16 August`."""
    return label("day_of_month", lang, month=label(f"month.{at.month}", lang), day=at.day)


def _stem_of_year(start: datetime) -> Stem:
    """The stem of the year (from 立春) in which luck changes, the same for all changes since they are ten years apart."""
    try:
        return pillars_of_instant(start, DEFAULT).year.stem
    except OutOfRange:
        # Past the last term of the table the fourth of February stands for 立春.
        year = start.year - ((start.month, start.day) < (2, 4))
        return PILLARS[(year - 4) % 60].stem
