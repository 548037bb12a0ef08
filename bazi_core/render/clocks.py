"""Instants on the clock of the place of birth, each with the offset that was in force then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import format_offset, seconds_of
from bazi_core.render.phrases import reading

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.chart import ChartValue
    from bazi_core.moment import SolarMoment


def on_local_clock(chart: ChartValue, utc: datetime) -> str:
    """An instant of UTC on the clock of the birth's place, with its offset; UTC when no place is known.

    >>> from datetime import datetime
    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京")
    >>> on_local_clock(chart, datetime(2026, 2, 3, 20, 2, 7))
    '2026-02-04 04:02:07 +08:00'
    """
    born = _moment_of(chart)
    if born is None:
        return f"{reading(utc.isoformat())} UTC"
    at = born.then(scales.ms_of(utc))
    return f"{reading(at.isoformat())} {_offset(at)}"


def clock_and_offset(chart: ChartValue, utc: datetime) -> tuple[str, str]:
    """An instant of UTC on the clock of the birth's place; and its offset, where it is not that of the birth."""
    born = _moment_of(chart)
    return (reading(utc.isoformat()), "UTC") if born is None else _pair(born, scales.ms_of(utc))


def term_on_clock(moment: SolarMoment, position: int) -> tuple[str, str]:
    """The instant of a term on the clock of the birth; and its offset, where it is not that of the birth.

    >>> import bazi_core as bz
    >>> moment = bz.moment("1990-04-20 12:00", city="北京")
    >>> term_on_clock(moment, moment.prev_jie), term_on_clock(moment, moment.next_jie)
    (('1990-04-05 09:12:54', '+08:00'), ('1990-05-06 03:35:25', ''))
    """
    return _pair(moment, scales.utc_from_tt(terms.instant(position), moment.future_utc))


def _pair(born: SolarMoment, utc_ms: int) -> tuple[str, str]:
    at = born.then(utc_ms)
    offset = _offset(at)
    return reading(at.isoformat()), "" if offset == format_offset(born.utc_offset_s) else offset


def _moment_of(chart: ChartValue) -> SolarMoment | None:
    return chart.moment or (chart.day.candidates[0].start if chart.day else None)


def _offset(at: datetime) -> str:
    offset = at.utcoffset()
    assert offset is not None
    return format_offset(seconds_of(offset))
