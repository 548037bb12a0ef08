"""Every option of every command, once: its flags, its words, its kind.

Each is also read from the environment (`BAZI_` and the long name) and from the configuration file. The options of
the School are made from `bazi_core.school.OPTIONS`. Values that the core checks are passed on unchanged,
so that the error carries its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bazi_core.errors import shown
from bazi_core.school import OPTIONS as SCHOOL_OPTIONS
from bazi_core.school import PROFILES
from bazi_core.tables.sentences import Listed, Said
from bazi_core.tables.words import LANGUAGES, named_language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Text(click.ParamType):  # type: ignore[type-arg]
    """A text that UTF-8 can encode."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        return str(value).encode("utf-8", "replace").decode("utf-8")


class Map(Text):
    """Pairs such as `羊刃=with_yin_forward,红艳=other`; the core checks the names and values."""

    name = "map"

    def __init__(self, numbers: bool = False) -> None:
        self.numbers = numbers

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._value(text) for name, text in value.items()}
        pairs = [part.partition("=") for part in super().convert(value, param, ctx).split(",") if part]
        if not all(equals and name for name, equals, _ in pairs):
            self.fail(Said("write_pairs"), param, ctx)
        return {name.strip(): self._value(text.strip()) for name, _, text in pairs}

    def _value(self, text: str) -> Any:
        try:
            return float(text) if self.numbers else text
        except ValueError:
            return text


class Name(Text):
    """One of a few names; the core checks it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.names)}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


class Language(Text):
    """A language by any of its tags: `zh`, `zh-TW`, `en-GB`."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(LANGUAGES)}]"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        text = super().convert(value, param, ctx)
        return named_language(text) or self.fail(
            Said("no_language", given=shown(text), known=Listed(LANGUAGES)), param, ctx
        )

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        return Name(LANGUAGES).shell_complete(ctx, param, incomplete)


def spoken(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The language given on the line, to the command or to a group before it; else that of the environment."""
    if ctx.get_parameter_source("lang") is ParameterSource.COMMANDLINE:
        ctx.meta["bazi.lang"] = value
    language: str | None = ctx.meta.get("bazi.lang", value)
    return language


TEXT = Text()
# Those of `bazi_core.year.span.SCORES`; importing them would cost every command its tables.
DOMAINS = ("overall", "career", "wealth", "relationship", "family", "health_balance", "study")
Row = tuple[tuple[str, ...], dict[str, Any]]

_PLACE: dict[str, Row] = {
    "city": (("--city", "--place"), {}),
    "lon": (
        ("--lon",),
        {"type": float, "metavar": "DEGREES"},
    ),
    "lat": (("--lat",), {"type": float, "metavar": "DEGREES"}),
    "tz": (
        ("--tz",),
        {"metavar": "ZONE"},
    ),
    "utc_offset": (
        ("--utc-offset",),
        {"metavar": "±HH:MM"},
    ),
}
_BIRTH: dict[str, Row] = {
    "fold": (
        ("--fold",),
        {"type": int, "metavar": "0|1"},
    ),
    "calendar": (
        ("--calendar",),
        {"type": Name(("gregorian", "julian"))},
    ),
    "hour_unknown": (
        ("--hour-unknown",),
        {"is_flag": True},
    ),
    "gender": (("--gender",), {"type": Name(("male", "female"))}),
}
_GIVEN: dict[str, Row] = {
    "pillars": (
        ("--pillars",),
        {"metavar": "PILLARS"},
    ),
}
_OUTPUT: dict[str, Row] = {
    "lang": (
        ("--lang",),
        {"type": Language(), "callback": spoken},
    ),
    "output": (
        ("-o", "--output"),
        {"type": click.Path(dir_okay=False, writable=True, allow_dash=True)},
    ),
}
_OTHERS: dict[str, Row] = {
    "explain": (
        ("--explain",),
        {
            "is_flag": False,
            "flag_value": "",
            "metavar": "[ID]",
        },
    ),
    "compact": (("--compact",), {"is_flag": True}),
    "hidden_labels": (
        ("--hidden-labels",),
        {"is_flag": True},
    ),
    "sensitivity": (("--sensitivity",), {"is_flag": True}),
    "strict": (("--strict",), {"is_flag": True}),
    "years": (
        ("--years",),
        {
            "is_flag": False,
            "flag_value": "",
            "metavar": "[FROM-TO]",
        },
    ),
    "as_of": (
        ("--as-of",),
        {"metavar": "DATE"},
    ),
    "theme": (("--theme",), {"type": Name(("light", "dark", "auto"))}),
    "name": (("--name",), {"metavar": "NAME"}),
    "target": (("--year", "--target"), {"type": int, "metavar": "YEAR"}),
    "decade": (
        ("--decade", "--target"),
        {"type": int, "metavar": "YEAR"},
    ),
    "year": (("--year",), {"type": int, "metavar": "YEAR"}),
    "first": (("--from",), {"type": int, "metavar": "YEAR"}),
    "last": (("--to",), {"type": int, "metavar": "YEAR"}),
    "since": (("--from",), {"metavar": "YEAR|DATE"}),
    "until": (("--to",), {"metavar": "YEAR|DATE"}),
    "domain": (("--domain",), {"type": Name(DOMAINS)}),
    "compare": (("--compare",), {"metavar": "YEAR,YEAR"}),
    "facts": (("--facts",), {"is_flag": True}),
    "date": (("--date",), {"metavar": "DATE"}),
    "tone": (("--tone",), {"type": Name(("neutral", "warm", "direct"))}),
    "length": (("--length",), {"type": Name(("short", "standard", "long"))}),
    "no_plain": (("--no-plain",), {"is_flag": True}),
    "reader": (
        ("--reader",),
        {
            "type": click.Choice(("rule", "model")),
            "default": "rule",
        },
    ),
    "on_failure": (
        ("--on-failure",),
        {
            "type": Name(("narrator", "error")),
        },
    ),
    "columns": (
        ("--columns",),
        {"metavar": "GROUP,GROUP", "default": "pillars"},
    ),
    "jobs": (
        ("--jobs",),
        {"type": click.IntRange(1, 64), "default": 1, "metavar": "N"},
    ),
    "on_error": (
        ("--on-error",),
        {"type": Name(("null", "skip", "fail")), "default": "null"},
    ),
    "resume": (("--resume",), {"is_flag": True}),
    "words": (("--words",), {"is_flag": True}),
    "keep": (
        ("--keep",),
        {"metavar": "COLUMN,COLUMN"},
    ),
    "encoding": (
        ("--encoding",),
        {"metavar": "NAME", "default": "utf-8"},
    ),
    "cycle": (
        ("--cycle",),
        {
            "type": Name(("gregorian", "ganzhi")),
            "default": "gregorian",
        },
    ),
    "engine": (
        ("--engine",),
        {
            "type": Name(("table", "live")),
            "default": "table",
        },
    ),
}
_CAST: dict[str, Row] = {
    "at": (
        ("--at",),
        {"metavar": "TIME"},
    ),
    "lines": (("--lines",), {"metavar": "LINES"}),
    "coins": (("--coins",), {"is_flag": True}),
    "yarrow": (("--yarrow",), {"is_flag": True}),
    "time": (("--time",), {"is_flag": True}),
    "numbers": (
        ("--numbers",),
        {"metavar": "A,B[,C]"},
    ),
    "auto": (("--auto",), {"is_flag": True}),
    "client_seed": (
        ("--client-seed",),
        {"metavar": "TEXT"},
    ),
    "question": (("--question",), {"metavar": "TEXT"}),
    "question_type": (
        ("--type",),
        {"metavar": "TYPE"},
    ),
    "asker": (
        ("--asker",),
        {"type": Name(("male", "female"))},
    ),
    "kinship": (("--kinship",), {"metavar": "WHO"}),
    "horizon": (("--horizon",), {"type": Name(("near", "middle", "far"))}),
    "read": (("--read",), {"is_flag": True}),
    "an_dong": (
        ("--an-dong",),
        {
            "type": Name(("zs_strict", "zs_practice", "hjc_any")),
        },
    ),
    "yong_shen_absent": (
        ("--yong-shen-absent",),
        {
            "type": Name(("month_day_changed_hidden", "month_day_hidden", "changed_hidden")),
        },
    ),
    "void_kind": (("--void-kind",), {"type": Name(("zz", "raw"))}),
    "leap": (
        ("--leap",),
        {"type": Name(("same", "next"))},
    ),
    "month": (("--month",), {"type": int, "metavar": "1-12"}),
    "day": (("--day",), {"type": int, "metavar": "1-30"}),
    "hour": (("--hour",), {"metavar": "BRANCH"}),
}
# Deprecated names of options.
OLD_FLAGS = frozenset(("--target",))
# Options of the School that act on a cast.
CAST_SCHOOL = ("day_boundary", "late_zi_hour_stem", "future_utc", "boundary_window_s")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


_ALMANAC: dict[str, Row] = {
    "first_day": (("--from",), {"metavar": "DATE", "required": True}),
    "last_day": (("--to",), {"metavar": "DATE", "required": True}),
    "births": (("--chart",), {"multiple": True, "metavar": "WHEN,PLACE,GENDER"}),
    "births_file": (
        ("--charts",),
        {"multiple": True, "metavar": "FILE", "type": click.Path(exists=True, dir_okay=False)},
    ),
    "items": (
        ("--items",),
        {"type": Name(("minyong37", "tongshu60", "yuyong67", "all")), "default": "minyong37"},
    ),
    "almanac": (("--almanac",), {"is_flag": True}),
    "hours": (("--hours",), {"is_flag": True}),
    "rows": (("--explain",), {"is_flag": True}),
    "told": (("--read",), {"is_flag": True}),
    "limit": (("--limit",), {"type": int, "default": 10, "metavar": "COUNT"}),
    "personal": (("--personal",), {"type": Name(("exclude", "warn", "ignore")), "default": "exclude"}),
}
_SCHOOL: dict[str, Row] = {
    "school": (("--school",), {"type": Name(tuple(PROFILES))}),
    **{name: ((_flag(name),), {"type": Name(allowed)}) for name, allowed in SCHOOL_OPTIONS.items()},
    "star_variants": (
        (_flag("star_variants"),),
        {"type": Map(), "metavar": "STAR=VARIANT,…"},
    ),
    "yong_weights": (
        (_flag("yong_weights"),),
        {"type": Map(numbers=True), "metavar": "METHOD=WEIGHT,…"},
    ),
    "boundary_window_s": (
        (_flag("boundary_window_s"),),
        {"type": int, "metavar": "SECONDS"},
    ),
}

ALL: dict[str, Row] = {**_PLACE, **_BIRTH, **_GIVEN, **_SCHOOL, **_OUTPUT, **_OTHERS, **_CAST, **_ALMANAC}
PLACE, BIRTH, SCHOOL, OUTPUT = tuple(_PLACE), tuple(_BIRTH), tuple(_SCHOOL), tuple(_OUTPUT)


def parameter_names() -> dict[str, tuple[str, ...]]:
    """Long option name (a key of the configuration) → parameters that take it, in one command or another.

    >>> names = parameter_names()
    >>> names["place"], names["time-basis"], names["year"]
    (('city',), ('time_basis',), ('target', 'year'))
    """
    names: dict[str, tuple[str, ...]] = {"format": ("format",)}
    for name, (flags, _) in ALL.items():
        for flag in flags:
            if flag.startswith("--"):
                names[flag[2:]] = (*names.get(flag[2:], ()), name)
    return names


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
    return _option("format", ("-f", "--format"), {"type": kind, "default": names[0]})


def _option(name: str, flags: tuple[str, ...], extra: dict[str, Any]) -> Callable[[Any], Any]:
    if extra.get("is_flag"):
        extra = {key: value for key, value in extra.items() if key != "type"}
    return click.option(
        name, *flags, envvar=[environment_name(flag) for flag in flags if len(flag) > 2], **extra
    )


def environment_name(flag: str) -> str:
    """The environment variable of a flag.

    >>> environment_name("--time-basis")
    'BAZI_TIME_BASIS'
    """
    return "BAZI_" + flag[2:].replace("-", "_").upper()
