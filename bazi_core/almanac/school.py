"""AlmanacSchool: the choices on which almanacs and books disagree, as one frozen value of its own.

It is no part of `School`, so that the digests of charts do not change with it. `OPTIONS` lists the allowed values, the
default first; `NAMED` are sets of options with a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from bazi_core.errors import known, shown, unknown_option
from bazi_core.school import OPTIONS as OF_CHARTS
from bazi_core.school import School
from bazi_core.tables.sentences import Said

OPTIONS: dict[str, tuple[str, ...]] = {
    # Which month rules the day of a 节: the new one for the whole day, or the one in force at a time of it.
    "month_at": ("day", "instant", "noon", "start"),
    # Terms on the clock of the place, or on that of China for the same date label.
    "calendar_of": ("place", "china"),
    "year_at": ("lichun", "lunar_new_year"),
    "late_zi_hour_stem": ("next_day", "same_day"),
    "doctrine": ("xieji", "none"),
    # What an item is that a day without grade both favours and forbids.
    "ungraded": ("ji", "silent"),
    "earth_days": ("days18", "longitude"),
    "mucang_earth": ("replace", "ignore"),
    "tiande_zhong": ("none", "branches"),
    "sanhe_extra": ("on", "off"),
    "star_leap": ("off", "on"),
    "she": ("nearest", "fifth"),
    "meiyu": ("bing_wei", "ren_geng"),
    "guiren": ("xieji", "geng_with_xin"),
    "fushen": ("a", "b"),
    "day_star": ("nearest_forward", "nearest_backward"),
    "phases": ("lunar_day", "ephemeris"),
    "future_utc": OF_CHARTS["future_utc"],
    "clock": OF_CHARTS["clock"],
}
NAMED: dict[str, dict[str, str]] = {
    # The almanac of the Qing court.
    "shixian": {},
    "popular": {"fushen": "b", "guiren": "geng_with_xin", "doctrine": "none"},
}


@dataclass(frozen=True, slots=True)
class AlmanacSchool:
    """A set of choices for the almanac.

    >>> AlmanacSchool(she="fifth").she, AlmanacSchool.named("popular").doctrine
    ('fifth', 'none')
    >>> AlmanacSchool(she="sixth")
    Traceback (most recent call last):
    bazi_core.errors.UnknownOption: she='sixth': choose nearest or fifth
    """

    month_at: str = "day"
    calendar_of: str = "place"
    year_at: str = "lichun"
    late_zi_hour_stem: str = "next_day"
    doctrine: str = "xieji"
    ungraded: str = "ji"
    earth_days: str = "days18"
    mucang_earth: str = "replace"
    tiande_zhong: str = "none"
    sanhe_extra: str = "on"
    star_leap: str = "off"
    she: str = "nearest"
    meiyu: str = "bing_wei"
    guiren: str = "xieji"
    fushen: str = "a"
    day_star: str = "nearest_forward"
    phases: str = "lunar_day"
    future_utc: str = "utc_frozen"
    clock: str = "auto"
    boundary_window_s: int = 120

    def __post_init__(self) -> None:
        for name, allowed in OPTIONS.items():
            known(name, getattr(self, name), allowed)
        window = self.boundary_window_s
        if type(window) is not int or not 0 <= window <= 86_400:
            allowed_seconds = (Said("seconds_between", least=0, most=86_400),)
            raise unknown_option("boundary_window_s", shown(window), allowed_seconds)

    @classmethod
    def named(cls, name: str, **options: Any) -> AlmanacSchool:
        """The options of a named set, with any of them overridden."""
        return cls.of({**NAMED[known("almanac school", name, tuple(NAMED))], **options})

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> AlmanacSchool:
        """The school of a map of options; missing ones take their defaults, an unknown name is refused.

        >>> AlmanacSchool.of({"month_at": "noon"}).month_at
        'noon'
        """
        names = tuple(field.name for field in fields(cls))
        for name in options:
            known("option", name, names)
        return cls(**options)

    def with_options(self, **options: Any) -> AlmanacSchool:
        """The school with other values of some options."""
        return replace(self, **options)

    @property
    def of_charts(self) -> School:
        """The School of charts with the same clock and the same policy for future UTC."""
        return _of_charts(self.clock, self.future_utc)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: every option by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@lru_cache(maxsize=16)
def _of_charts(clock: str, future_utc: str) -> School:
    return School(clock=clock, future_utc=future_utc)


DEFAULT = AlmanacSchool()
