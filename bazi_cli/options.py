"""Every option of every command, once: its flags, its words, its kind.

Each is also read from the environment (`BAZI_` and the long name) and from the configuration file. The options of
the School are made from `bazi_core.school.OPTIONS`. Values that the core knows how to refuse are handed on as they
are, so that the error carries its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bazi_core.school import OPTIONS as SCHOOL_OPTIONS
from bazi_core.school import PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LANGUAGES = ("zh-Hans", "zh-Hant", "en")


class Text(click.ParamType):  # type: ignore[type-arg]
    """Text of any kind that can be written out again."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        return str(value).encode("utf-8", "replace").decode("utf-8")


class Named(Text):
    """One of a few names; which, is for the core to check."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.names)}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


TEXT = Text()
Row = tuple[tuple[str, ...], dict[str, Any]]

_PLACE: dict[str, Row] = {
    "city": (("--city", "--place"), {"help": "Name or ref of the place (北京, Springfield, IL, cn:110105)."}),
    "lon": (
        ("--lon",),
        {"type": float, "metavar": "DEGREES", "help": "Longitude, east positive; beats the place."},
    ),
    "lat": (("--lat",), {"type": float, "metavar": "DEGREES", "help": "Latitude, north positive."}),
    "tz": (("--tz",), {"metavar": "ZONE", "help": "IANA time zone, e.g. Asia/Shanghai."}),
    "utc_offset": (
        ("--utc-offset",),
        {"metavar": "±HH:MM", "help": "Offset of the clock from UTC; no DST logic."},
    ),
}
_BIRTH: dict[str, Row] = {
    "fold": (
        ("--fold",),
        {"type": int, "metavar": "0|1", "help": "Which of two equal clock readings is meant."},
    ),
    "calendar": (
        ("--calendar",),
        {"type": Named(("gregorian", "julian")), "help": "Calendar of the date; needed before 1582-10-15."},
    ),
    "hour_unknown": (
        ("--hour-unknown",),
        {"is_flag": True, "help": "Only the date is known: three pillars."},
    ),
    "gender": (("--gender",), {"type": Named(("male", "female")), "help": "Needed for luck (大运)."}),
}
_GIVEN: dict[str, Row] = {
    "pillars": (
        ("--pillars",),
        {"metavar": "PILLARS", "help": "Given pillars instead of a time: '庚午 辛巳 庚辰 壬午'."},
    ),
}
_OUTPUT: dict[str, Row] = {
    "lang": (
        ("--lang",),
        {"type": click.Choice(LANGUAGES, case_sensitive=False), "help": "Language (default: of the locale)."},
    ),
    "output": (
        ("-o", "--output"),
        {"type": click.Path(dir_okay=False, writable=True, allow_dash=True), "help": "Write to this file."},
    ),
}
_OTHERS: dict[str, Row] = {
    "explain": (
        ("--explain",),
        {
            "is_flag": False,
            "flag_value": "",
            "metavar": "[ID]",
            "help": "Why: the whole chain, or one fact by id.",
        },
    ),
    "compact": (("--compact",), {"is_flag": True, "help": "JSON without facts; text on one screen."}),
    "strict": (("--strict",), {"is_flag": True, "help": "Exit with 9 when there are warnings."}),
    "years": (("--years",), {"metavar": "FROM-TO", "help": "The 流年 of these years (2020-2030)."}),
    "target": (
        ("--target",),
        {"type": int, "metavar": "YEAR", "help": "The ten 流年 of the 大运 that runs in this year."},
    ),
    "year": (("--year",), {"type": int, "metavar": "YEAR", "help": "The twelve 流月 of this year."}),
    "date": (("--date",), {"metavar": "DATE", "help": "流日 of this date and its 流时."}),
    "cycle": (
        ("--cycle",),
        {
            "type": Named(("gregorian", "ganzhi")),
            "default": "gregorian",
            "help": "小寒 … 冬至, or 立春 … 大寒.",
        },
    ),
    "engine": (
        ("--engine",),
        {
            "type": Named(("table", "live")),
            "default": "table",
            "help": "Shipped table, or computed from an ephemeris.",
        },
    ),
}
_SCHOOL_HELP = {
    "time_basis": "Clock that decides day and hour.",
    "day_boundary": "When the day pillar turns.",
    "late_zi_hour_stem": "Stem of the 23rd hour when the day turns at 00:00.",
    "year_boundary": "When the year pillar turns.",
    "future_utc": "UTC after the leap-second list ends.",
    "clock": "Which clock in China and Xinjiang.",
    "hidden_weights": "Shares of the hidden stems.",
    "siling_table": "Days of the commanding stems.",
    "twelve_stages": "Rule of the twelve stages.",
    "ming_month": "Month of 命宫 from the 节 or the 中气.",
    "void_anchor": "Pillar whose 旬空 is marked.",
    "luck_start": "Rule of 起运.",
    "luck_direction": "Rule of 顺逆.",
    "xiaoyun": "小运 from the hour pillar, or none.",
    "liunian_boundary": "When the 流年 turns.",
    "age_style": "Ages in text: completed or nominal (虚岁).",
    "validate": "Refuse given pillars that no moment has, or only warn.",
}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


_SCHOOL: dict[str, Row] = {
    "school": (("--school",), {"type": Named(tuple(PROFILES)), "help": "Named set of choices."}),
    **{
        name: ((_flag(name),), {"type": Named(allowed), "help": _SCHOOL_HELP.get(name)})
        for name, allowed in SCHOOL_OPTIONS.items()
    },
    "boundary_window_s": (
        (_flag("boundary_window_s"),),
        {"type": int, "metavar": "SECONDS", "help": "Warn when a boundary is closer than this (120)."},
    ),
}

ALL: dict[str, Row] = {**_PLACE, **_BIRTH, **_GIVEN, **_SCHOOL, **_OUTPUT, **_OTHERS}
PLACE, BIRTH, SCHOOL, OUTPUT = tuple(_PLACE), tuple(_BIRTH), tuple(_SCHOOL), tuple(_OUTPUT)


def parameter_names() -> dict[str, str]:
    """Long option name (a key of the configuration) → parameter that takes it.

    >>> names = parameter_names()
    >>> names["place"], names["time-basis"], names["format"]
    ('city', 'time_basis', 'format')
    """
    names = {flag[2:]: name for name, (flags, _) in ALL.items() for flag in flags if flag.startswith("--")}
    return names | {"format": "format"}


def options(*names: str) -> Callable[[Any], Any]:
    """Give a command these options of `ALL`, in this order."""

    def decorate(function: Any) -> Any:
        for name in reversed(names):
            flags, extra = ALL[name]
            function = _option(name, flags, {"type": TEXT, **extra})(function)
        return function

    return decorate


def formats(*names: str) -> Callable[[Any], Any]:
    """Give a command its `--format`, the first of the names being the default."""
    kind = click.Choice(names, case_sensitive=False)
    return _option(
        "format", ("-f", "--format"), {"type": kind, "default": names[0], "help": "Form of the output."}
    )


def _option(name: str, flags: tuple[str, ...], extra: dict[str, Any]) -> Callable[[Any], Any]:
    if extra.get("is_flag"):
        extra = {key: value for key, value in extra.items() if key != "type"}
    return click.option(
        name, *flags, envvar=[environment_name(flag) for flag in flags if len(flag) > 2], **extra
    )


def environment_name(flag: str) -> str:
    """The variable that stands for a flag.

    >>> environment_name("--time-basis")
    'BAZI_TIME_BASIS'
    """
    return "BAZI_" + flag[2:].replace("-", "_").upper()
