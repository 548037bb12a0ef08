"""六爻: hexagrams, casting, derivation and analysis; public names are found when first used (PEP 562).

>>> from bazi_core import liuyao as ly
>>> chart = ly.derive("789876", "2026-04-03T20:30:00+08:00")
>>> chart.primary.full_name, chart.target.full_name
('水火既济', '风雷益')
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bazi_core.liuyao import cast
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.analysis import sign_of as sign
    from bazi_core.liuyao.analysis import timing_of as timing
    from bazi_core.liuyao.analysis import yongshen_of as yongshen
    from bazi_core.liuyao.cast import CastRecord
    from bazi_core.liuyao.face import LiuyaoChart, derive
    from bazi_core.liuyao.hexagrams import Hexagram, hexagram
    from bazi_core.liuyao.policy import LiuyaoPolicy
    from bazi_core.readings.cast import DivinationResult, aread, narrate, read
    from bazi_core.readings.divination import DivinationReading

    HEXAGRAMS: tuple[Hexagram, ...]
    QUESTION_TYPES: tuple[str, ...]

__all__ = [
    "HEXAGRAMS",
    "QUESTION_TYPES",
    "Analysis",
    "CastRecord",
    "DivinationReading",
    "DivinationResult",
    "Hexagram",
    "LiuyaoChart",
    "LiuyaoPolicy",
    "aread",
    "cast",
    "derive",
    "hexagram",
    "narrate",
    "read",
    "sign",
    "timing",
    "yongshen",
]

# Public name → where it is defined, as module and name.
_HOMES = {
    "Analysis": ("liuyao.analysis", "Analysis"),
    "CastRecord": ("liuyao.cast", "CastRecord"),
    "DivinationReading": ("readings.divination", "DivinationReading"),
    "DivinationResult": ("readings.cast", "DivinationResult"),
    "Hexagram": ("liuyao.hexagrams", "Hexagram"),
    "LiuyaoChart": ("liuyao.face", "LiuyaoChart"),
    "LiuyaoPolicy": ("liuyao.policy", "LiuyaoPolicy"),
    "aread": ("readings.cast", "aread"),
    "derive": ("liuyao.face", "derive"),
    "hexagram": ("liuyao.hexagrams", "hexagram"),
    "narrate": ("readings.cast", "narrate"),
    "read": ("readings.cast", "read"),
    "sign": ("liuyao.analysis", "sign_of"),
    "timing": ("liuyao.analysis", "timing_of"),
    "yongshen": ("liuyao.analysis", "yongshen_of"),
}
# Public values that are created on first use.
_MADE = {"HEXAGRAMS": ("liuyao.hexagrams", "hexagrams"), "QUESTION_TYPES": ("liuyao.yongshen", "labels")}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "cast":
        return import_module("bazi_core.liuyao.cast")
    home, inside = _HOMES.get(name) or _MADE.get(name) or ("", "")
    if not home:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"bazi_core.{home}"), inside)
    globals()[name] = found() if name in _MADE else found
    return globals()[name]


def __dir__() -> list[str]:
    return __all__


class _LiuyaoFace(ModuleType):
    """A module that keeps `sign`, `timing` and `yongshen` functions: importing the submodules of these names would put the
    modules in their place."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _LiuyaoFace
