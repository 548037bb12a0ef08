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


class Map(Text):
    """Pairs such as `羊刃=with_yin_forward,红艳=other`; which names and values there are, is for the core to check."""

    name = "map"

    def __init__(self, numbers: bool = False) -> None:
        self.numbers = numbers

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._value(text) for name, text in value.items()}
        pairs = [part.partition("=") for part in super().convert(value, param, ctx).split(",") if part]
        if not all(equals and name for name, equals, _ in pairs):
            self.fail("write NAME=VALUE, several with commas between", param, ctx)
        return {name.strip(): self._value(text.strip()) for name, _, text in pairs}

    def _value(self, text: str) -> Any:
        try:
            return float(text) if self.numbers else text
        except ValueError:
            return text


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
        {"type": int, "metavar": "YEAR", "help": "The year to read; in `luck`, the ten 流年 of its 大运."},
    ),
    "year": (("--year",), {"type": int, "metavar": "YEAR", "help": "The twelve 流月 of this year."}),
    "date": (("--date",), {"metavar": "DATE", "help": "流日 of this date and its 流时."}),
    "tone": (("--tone",), {"type": Named(("neutral", "warm", "direct")), "help": "Tone of a reading."}),
    "length": (("--length",), {"type": Named(("short", "standard", "long")), "help": "Length of a reading."}),
    "reader": (
        ("--reader",),
        {
            "type": click.Choice(("rule", "model")),
            "default": "rule",
            "help": "Who writes: rules, or a language model.",
        },
    ),
    "on_failure": (
        ("--on-failure",),
        {
            "type": Named(("narrator", "error")),
            "help": "When the model fails: the rules write, or exit with 6.",
        },
    ),
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
_CAST: dict[str, Row] = {
    "at": (
        ("--at",),
        {"metavar": "TIME", "help": "Time with its offset, 2026-04-03T20:30:00+08:00 (default: now)."},
    ),
    "lines": (("--lines",), {"metavar": "LINES", "help": "Six lines from the bottom: 789876 or 少阳,老阴,…"}),
    "coins": (("--coins",), {"is_flag": True, "help": "Cast three coins for each line."}),
    "yarrow": (("--yarrow",), {"is_flag": True, "help": "Cast yarrow stalks, with their true odds."}),
    "time": (("--time",), {"is_flag": True, "help": "梅花易数 by lunar year, month, day and hour."}),
    "numbers": (
        ("--numbers",),
        {"metavar": "A,B[,C]", "help": "梅花易数 by numbers: upper, lower, moving line."},
    ),
    "auto": (("--auto",), {"is_flag": True, "help": "Automatic cast that anyone can recompute (default)."}),
    "client_seed": (
        ("--client-seed",),
        {"metavar": "TEXT", "help": "Your part of the seed of an automatic cast."},
    ),
    "question": (("--question",), {"metavar": "TEXT", "help": "What is asked."}),
    "question_type": (
        ("--type",),
        {"metavar": "TYPE", "help": "Kind of question; `bazi liuyao types` lists them."},
    ),
    "asker": (
        ("--asker",),
        {"type": Named(("male", "female")), "help": "Who asks; matters for 婚姻 and 感情."},
    ),
    "kinship": (("--kinship",), {"metavar": "WHO", "help": "Who is asked about: father, wife, friend …"}),
    "read": (("--read",), {"is_flag": True, "help": "Tell in words what the cast says of the question."}),
    "an_dong": (
        ("--an-dong",),
        {
            "type": Named(("zs_strict", "zs_practice", "hjc_any")),
            "help": "When a still line is moved by the day.",
        },
    ),
    "yong_shen_absent": (
        ("--yong-shen-absent",),
        {
            "type": Named(("month_day_changed_hidden", "month_day_hidden", "changed_hidden")),
            "help": "Where the 用神 is sought that no line has.",
        },
    ),
    "void_kind": (("--void-kind",), {"type": Named(("zz", "raw")), "help": "Tell 真空 from 假空, or not."}),
    "leap": (
        ("--leap",),
        {"type": Named(("same", "next")), "help": "Days 16+ of a leap month: its own, or the next."},
    ),
    "month": (("--month",), {"type": int, "metavar": "1-12", "help": "Lunar month."}),
    "day": (("--day",), {"type": int, "metavar": "1-30", "help": "Lunar day."}),
    "hour": (("--hour",), {"metavar": "BRANCH", "help": "Double hour, 子 … 亥."}),
}
# Options of the School that act on a cast.
CAST_SCHOOL = ("day_boundary", "late_zi_hour_stem", "future_utc", "boundary_window_s")
_SCHOOL_HELP = {
    "time_basis": "Clock that decides day and hour.",
    "day_boundary": "When the day pillar turns.",
    "late_zi_hour_stem": "Stem of the 23rd hour when the day turns at 00:00.",
    "year_boundary": "When the year pillar turns.",
    "future_utc": "UTC after the leap-second list ends.",
    "clock": "Which clock in China and Xinjiang.",
    "hidden_weights": "Shares of the hidden stems.",
    "siling_table": "Days of the commanding stems.",
    "earth_season": "Earth rules its whole months or their last 18 days.",
    "wuwei_element": "Element of 午未.",
    "anhe": "Pairs of 暗合.",
    "twelve_stages": "Rule of the twelve stages.",
    "ming_month": "Month of 命宫 from the 节 or the 中气.",
    "void_anchor": "Pillar whose 旬空 is marked.",
    "star_set": "Which 神煞.",
    "star_anchor": "神煞 from their own anchors, or from the day alone.",
    "luck_start": "Rule of 起运.",
    "luck_direction": "Rule of 顺逆.",
    "xiaoyun": "小运 from the hour pillar, or none.",
    "liunian_boundary": "When the 流年 turns.",
    "age_style": "Ages in text: completed or nominal (虚岁).",
    "strength_method": "Method of 旺衰.",
    "ge_hidden_main": "格局 when the main qi of the month is hidden.",
    "yin_ren": "阳刃格 for yin stems too.",
    "judgement": "Judge strength, pattern and useful god, or only list facts.",
    "liuyue_detail": "Events of the 流月: the strongest three, or all.",
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
    "star_variants": (
        (_flag("star_variants"),),
        {"type": Map(), "metavar": "STAR=VARIANT,…", "help": "Other tables of single 神煞."},
    ),
    "yong_weights": (
        (_flag("yong_weights"),),
        {"type": Map(numbers=True), "metavar": "METHOD=WEIGHT,…", "help": "Weights of the methods of 用神."},
    ),
    "boundary_window_s": (
        (_flag("boundary_window_s"),),
        {"type": int, "metavar": "SECONDS", "help": "Warn when a boundary is closer than this (120)."},
    ),
}

ALL: dict[str, Row] = {**_PLACE, **_BIRTH, **_GIVEN, **_SCHOOL, **_OUTPUT, **_OTHERS, **_CAST}
PLACE, BIRTH, SCHOOL, OUTPUT = tuple(_PLACE), tuple(_BIRTH), tuple(_SCHOOL), tuple(_OUTPUT)


def parameter_names() -> dict[str, str]:
    """Long option name (a key of the configuration) → parameter that takes it.

    >>> names = parameter_names()
    >>> names["place"], names["time-basis"], names["format"]
    ('city', 'time_basis', 'format')
    """
    names = {flag[2:]: name for name, (flags, _) in ALL.items() for flag in flags if flag.startswith("--")}
    return names | {"format": "format"}


def takes_pairs(name: str) -> bool:
    """Whether an option takes pairs of names and values."""
    return name in ALL and isinstance(ALL[name][1].get("type"), Map)


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
