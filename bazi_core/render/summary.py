"""The chart in a few sentences: pillars, day master, where the month stands, how luck begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import PILLARS
from bazi_core.errors import OutOfRange
from bazi_core.pillars import pillars_of_instant
from bazi_core.school import School
from bazi_core.tables.words import glossed, label

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.chart import Chart
    from bazi_core.luck.decades import Luck

_STOP = {"zh-Hans": "。", "zh-Hant": "。", "en": ". "}


def summary(chart: Chart, lang: str = "zh-Hans") -> str:
    """The summary in a language; only what the chart holds.

    >>> import bazi_core as bz
    >>> summary(bz.chart(pillars="庚午 辛巳 庚辰 壬午"), "en")
    'Four pillars 庚午 辛巳 庚辰 壬午, day master 庚 (Geng), 金 (Metal). No moment of birth: pillars without dates.'
    """
    sentences = [*_pillars(chart, lang), *_time(chart, lang), *_luck(chart, lang)]
    return "".join(sentence + _STOP[lang] for sentence in sentences).strip()


def _pillars(chart: Chart, lang: str) -> list[str]:
    stem = chart.day_master
    if lang == "en":
        who = f"day master {glossed(stem.value, lang)}, {glossed(stem.element.value, lang)}"
        return [f"Four pillars {chart.pillars}, {who}"]
    return [f"{label('four_pillars', lang)}{chart.pillars}，{label('day_master', lang)}{stem}{stem.element}"]


def _time(chart: Chart, lang: str) -> list[str]:
    if chart.moment is None:
        return [_capital(label("hour_unknown" if chart.day else "no_dates", lang))]
    clock = chart.moment.local.replace("T", " ")[:19]
    found = [_capital(label(f"used_{chart.moment.used}", lang)) + f" {clock}"]
    if chart.siling is not None:
        day = min(int(chart.siling.day_in_month) + 1, 30)
        found.append(
            _capital(f"{label('siling', lang)} {chart.siling.stem} ({label('month_day', lang, day=day)})")
        )
    return found


def _luck(chart: Chart, lang: str) -> list[str]:
    luck = chart.luck
    if luck is None or (luck.start is None and luck.start_range is None):
        return []
    return [f"{_capital(label('luck', lang))} {label(luck.direction, lang)}, {transition(luck, lang)}" if lang == "en"
            else f"{label('luck', lang)}{label(luck.direction, lang)}，{transition(luck, lang)}"]  # fmt: skip


def transition(luck: Luck, lang: str = "zh-Hans") -> str:
    """When luck begins and its pillars change, in words."""
    if luck.start_range is not None:
        earliest, latest = (each.date().isoformat() for each in luck.start_range)
        return label("transition_unknown", lang, earliest=earliest, latest=latest)
    if luck.start is None or luck.start_age is None:
        return label("no_dates", lang)
    age = luck.start_age
    span = label("span", lang, years=age.years, months=age.months, days=age.days, hours=age.hours)
    stem = _stem_of_year(luck.start)
    return label("transition", lang, span=span, stem=stem, month=luck.start.month, day=luck.start.day)


def _stem_of_year(start: datetime) -> str:
    """The stem of the year, begun at 立春, in which luck changes: ten years apart, it is always the same."""
    try:
        return str(pillars_of_instant(start, School()).year.stem)
    except OutOfRange:
        # Past the last term of the table the fourth of February stands for 立春.
        year = start.year - ((start.month, start.day) < (2, 4))
        return str(PILLARS[(year - 4) % 60].stem)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
