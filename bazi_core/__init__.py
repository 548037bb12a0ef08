"""BaZi (八字) computed exactly: real astronomy, real time zones, true solar time, every doubt shown.

>>> import bazi_core as bz
>>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
>>> str(chart.pillars)
'庚午 辛巳 庚辰 壬午'

Names are resolved when first used, so importing this package costs next to nothing.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bazi_core import liuren, liuyao
    from bazi_core.almanac.columns import AlmanacTable, almanac_table
    from bazi_core.almanac.day import AlmanacDay, almanac
    from bazi_core.almanac.month import AlmanacMonth, almanac_month
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.almanac.search import DaySearch, days
    from bazi_core.alphabet import (
        Branch,
        Element,
        HourBranch,
        Pillar,
        Polarity,
        SolarTerm,
        Stage,
        Stem,
        TenGod,
        Zodiac,
    )
    from bazi_core.astro.lunar import LunarDate, lunar_date, lunar_months, solar_date
    from bazi_core.astro.moons import new_moons
    from bazi_core.astro.terms import solar_terms
    from bazi_core.batch import Charts, charts, decode
    from bazi_core.birth import Birth
    from bazi_core.display import options
    from bazi_core.errors import (
        AmbiguousDatetime,
        AmbiguousLocalTime,
        BaziError,
        BirthRequired,
        CalendarRequired,
        InvalidCoordinates,
        InvalidDatetime,
        InvalidInput,
        InvalidLunarDate,
        InvalidOffset,
        InvalidPillars,
        LongitudeRequired,
        NonexistentLocalTime,
        OutOfRange,
        PlaceAmbiguous,
        PlaceNotFound,
        PortError,
        QuestionTooLong,
        UnknownOption,
        UnknownProfile,
        ZoneConflict,
        ZoneRequired,
        ZoneUnknown,
    )
    from bazi_core.face import Chart, chart
    from bazi_core.luck.decades import Luck
    from bazi_core.luck.flows import Flow
    from bazi_core.moment import SolarMoment, moment
    from bazi_core.objects import aread, read, years
    from bazi_core.pillars import FourPillars
    from bazi_core.place.gazetteer import Place, place
    from bazi_core.reverse.search import FoundWindows, Window, find
    from bazi_core.school import School
    from bazi_core.unknown_hour import UnknownHour, candidates
    from bazi_core.version import __version__ as __version__

__all__ = [
    "AlmanacDay",
    "AlmanacMonth",
    "AlmanacSchool",
    "AlmanacTable",
    "AmbiguousDatetime",
    "AmbiguousLocalTime",
    "BaziError",
    "Birth",
    "BirthRequired",
    "Branch",
    "CalendarRequired",
    "Chart",
    "Charts",
    "DaySearch",
    "Element",
    "FinalResult",
    "Flow",
    "FoundWindows",
    "FourPillars",
    "HourBranch",
    "InvalidCoordinates",
    "InvalidDatetime",
    "InvalidInput",
    "InvalidLunarDate",
    "InvalidOffset",
    "InvalidPillars",
    "LongitudeRequired",
    "Luck",
    "LunarDate",
    "NonexistentLocalTime",
    "OutOfRange",
    "PatternResult",
    "Pillar",
    "Place",
    "PlaceAmbiguous",
    "PlaceNotFound",
    "Polarity",
    "PortError",
    "QuestionTooLong",
    "School",
    "SolarMoment",
    "SolarTerm",
    "Stage",
    "Stem",
    "TenGod",
    "UnknownHour",
    "UnknownOption",
    "UnknownProfile",
    "Window",
    "YearResult",
    "YearsResult",
    "Zodiac",
    "ZoneConflict",
    "ZoneRequired",
    "ZoneUnknown",
    "almanac",
    "almanac_month",
    "almanac_table",
    "aread",
    "candidates",
    "chart",
    "charts",
    "days",
    "decode",
    "find",
    "liuren",
    "liuyao",
    "lunar_date",
    "lunar_months",
    "moment",
    "new_moons",
    "options",
    "place",
    "read",
    "solar_date",
    "solar_terms",
    "years",
]

# Module → the public names that it defines.
_NAMES = {
    "almanac.columns": "AlmanacTable almanac_table",
    "almanac.day": "AlmanacDay almanac",
    "almanac.month": "AlmanacMonth almanac_month",
    "almanac.school": "AlmanacSchool",
    "almanac.search": "DaySearch days",
    "alphabet": "Branch Element HourBranch Pillar Polarity SolarTerm Stage Stem TenGod Zodiac",
    "astro.lunar": "LunarDate lunar_date lunar_months solar_date",
    "astro.moons": "new_moons",
    "astro.terms": "solar_terms",
    "batch": "Charts charts decode",
    "birth": "Birth",
    "display": "options",
    "errors": (
        "AmbiguousDatetime AmbiguousLocalTime BaziError BirthRequired CalendarRequired InvalidCoordinates "
        "InvalidDatetime InvalidInput InvalidLunarDate InvalidOffset InvalidPillars LongitudeRequired "
        "NonexistentLocalTime OutOfRange PlaceAmbiguous PlaceNotFound PortError QuestionTooLong "
        "UnknownOption UnknownProfile ZoneConflict ZoneRequired ZoneUnknown"
    ),
    "face": "Chart chart",
    "luck.decades": "Luck",
    "luck.flows": "Flow",
    "moment": "SolarMoment moment",
    "objects": "aread read years",
    "pattern.result": "PatternResult",
    "pillars": "FourPillars",
    "place.gazetteer": "Place place",
    "readings.final": "FinalResult",
    "reverse.search": "FoundWindows Window find",
    "school": "School",
    "unknown_hour": "UnknownHour candidates",
    "version": "__version__",
    "year.result": "YearResult",
    "year.span": "YearsResult",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

# Whole subjects: `bz.liuyao.derive(…)` without a further import.
_SUBJECTS = ("liuren", "liuyao")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _SUBJECTS:
        return import_module(f"bazi_core.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bazi_core' has no attribute {name!r}")
    found = getattr(import_module(f"bazi_core.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__


class _Face(ModuleType):
    """A module that keeps `bz.chart`, `bz.moment` and `bz.place` functions: importing the submodules of these names would
    otherwise put the modules in their place."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
