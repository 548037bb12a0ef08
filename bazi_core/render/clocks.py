"""Instants of UTC on the clock of the place of birth."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bazi_core.astro.civil import clock_of_instant, format_offset
from bazi_core.render.phrases import reading

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.chart import Chart


def on_local_clock(chart: Chart, utc: datetime) -> str:
    """An instant of UTC on the clock of the birth's place, with its offset; UTC when no place is known.

    >>> from datetime import datetime
    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京")
    >>> on_local_clock(chart, datetime(2026, 2, 3, 20, 2, 7))
    '2026-02-04 04:02:07 +08:00'
    """
    clock: Any = chart.moment.clock if chart.moment else chart.day.clock if chart.day else None
    if clock is None:
        return f"{reading(utc.isoformat())} UTC"
    offset = clock.utc_offset_s
    if clock.timezone_id is not None and clock.source != "offset":
        offset = clock_of_instant(utc, clock.timezone_id).utc_offset_s
    return f"{reading((utc + timedelta(seconds=offset)).isoformat())} {format_offset(offset)}"
