"""The common part of all commands and groups: `-h`, `-V`, `--lang` before or after the command, help in groups,
suggestions for typos, and the output format from the name of the file.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from bazi_cli.language import language, stated
from bazi_cli.options import Language, Name, spoken
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said
from bazi_core.tables.words import label, named_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Endings of files and the forms that they mean.
FORMS = {"txt": "text", "text": "text", "json": "json", "jsonl": "jsonl", "md": "md", "markdown": "md",
         "svg": "svg", "html": "html", "htm": "html", "pdf": "pdf"}  # fmt: skip
# The groups in which help lists options, by the row of their heading; options without a group stand before the output.
GROUPS = {
    "help.birth": ("calendar", "fold", "hour_unknown", "gender", "pillars"),
    "help.place": ("city", "lon", "lat", "tz", "utc_offset"),
    "help.more": (),
    "help.output": ("format", "output", "lang", "compact", "facts", "strict", "explain"),
    "help.school": ("school", "time_basis", "day_boundary", "late_zi_hour_stem", "year_boundary", "luck_start",
                    "age_style", "clock"),
    "help.general": ("version", "verbose", "help_all", "help"),
}  # fmt: skip
EXAMPLES = {
    "bazi": ('chart "1990-05-15 13:30" --city 北京 --gender male',
             'luck "1990-05-15 13:30" --city 北京 --gender male --year 2026',
             'year "1990-05-15 13:30" --city 北京 --gender male --year 2026',
             'years "1990-05-15 13:30" --city 北京 --gender male --from 2026 --to 2035',
             'read "1990-05-15 13:30" --city 北京 --gender male --year 2026',
             "convert 农历1990年闰五月初一"),
    "chart": ('chart "1990-05-15 13:30" --city 北京 --gender male', "chart 农历1990年四月廿一 午时 --city Beijing --lang en",
              "chart --pillars '庚午 辛巳 庚辰 壬午' -o chart.md"),
    "luck": ('luck "1990-05-15 13:30" --city 北京 --gender male --years 2020-2030',),
    "year": ('year "1990-05-15 13:30" --city 北京 --gender male --year 2026',),
    "years": ('years "1990-05-15 13:30" --city 北京 --gender male --from 2026 --to 2035',
              'years "1990-05-15 13:30" --city 北京 --gender male --question 哪年换工作',
              'years "1990-05-15 13:30" --city 北京 --gender male --compare 2026,2028',
              'years "1990-05-15 13:30" --city 北京 --gender male -o years.svg'),
    "read": ('read "1990-05-15 13:30" --city 北京 --gender male --length short',),
    "terms": ("terms 2026", "terms 2026 --city London"),
    "calendar": ("calendar 2026-02",),
    "convert": ("convert 农历1990年闰五月初一", "convert 1990-06-23"),
    "place": ("place Springfield", 'place "Springfield, IL"'),
    "hour": ("hour 1990-05-15 --city 北京",),
    "batch": ("batch births.csv -o charts.csv --city 北京 --words",
              "batch births.parquet -o charts.parquet --columns ten_gods,luck --jobs 4"),
    "liuyao": ("liuyao --lines 789876 --at 2026-04-03T20:30:00+08:00", 'liuyao --question "换工作" --type 事业 --read'),
    "liuren": ("liuren", "liuren --month 3 --day 5 --hour 辰"),
    "schema": ("schema base_context",),
    "completion": ("completion bash",),
}  # fmt: skip
_OTHERS = "help.more"
_SHOWN = frozenset(name for names in GROUPS.values() for name in names)
_COLUMN = 26
_WIDEST = 80
# A birth without the command that takes it.
_BIRTH = r"\d{4}|[农農阴陰旧舊夏公]|lunar"


class WrongUse(click.UsageError):
    """A usage error with its own hint."""

    def __init__(self, message: str, ctx: click.Context | None = None, hint: str = "") -> None:
        super().__init__(message, ctx)
        self.hint = hint


class Manners(click.Command):
    """The base of commands: common options, help in groups."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._help: click.Option | None = None
        names = {param.name for param in self.params}
        if "lang" not in names:
            self.params.append(
                _option("lang", "--lang", type=Language(), callback=spoken, expose_value=False)
            )
        if "version" not in names:
            self.params.append(_flag("version", "-V", "--version", callback=_print_version))
        if "school" in names:
            self.params.append(_flag("help_all", "--help-all", callback=_print_all))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option of help, whose words stand in the table of help."""
        if self._help is None and (names := self.get_help_option_names(ctx)):
            self._help = _flag("help", *names, callback=_print_help)
        return self._help

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Completions, each with its line of help."""
        completions = super().shell_complete(ctx, incomplete)
        shown = {
            flag: _long(param)
            for param in self.get_params(ctx)
            if isinstance(param, click.Option)
            for flag in param.opts
        }
        for completion in completions:
            if completion.value in shown:
                completion.help = help_text(ctx, shown[completion.value])
            elif isinstance(self, click.Group):
                completion.help = help_text(ctx, "list", completion.value)
        return completions

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if ctx.params.get("output") and "format" in ctx.params:
            _form_of_file(ctx)
        return rest

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        usage = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])
        formatter.write(f"{label('help.usage', _language(ctx))}: {usage}\n")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("".join(f"{line}\n" for line in _paragraphs(help_text(ctx, "about"))))
        if lines := EXAMPLES.get(self.name or ""):
            heading = label("help.examples", _language(ctx))
            formatter.write(f"\n{heading}:\n" + "".join(f"  bazi {line}\n" for line in lines))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown: dict[str | None, click.Option] = {
            _name(param): param for param in self.get_params(ctx) if isinstance(param, click.Option)
        }
        everything = ctx.meta.get("bazi.help_all", False) or "help_all" not in shown
        for heading, names in _grouped(shown):
            listed = [shown[name] for name in names if not shown[name].hidden]
            if heading == "help.all" and not everything:
                continue
            if listed:
                formatter.write("\n" + "".join(f"{line}\n" for line in _section(ctx, heading, listed)))


class Command(Manners):
    """A command without subcommands."""


class Group(Manners, click.Group):
    """A group of such commands."""

    command_class = Command
    group_class = type

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        Manners.format_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = [
            line for name in self.list_commands(ctx) for line in _row(name, help_text(ctx, "list", name))
        ]
        formatter.write(
            f"\n{label('help.commands', _language(ctx))}:\n" + "".join(f"{line}\n" for line in lines)
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        return self.no_command(ctx, args)

    def no_command(self, ctx: click.Context, args: list[str]) -> NoReturn:
        """Refuse an unknown command, with similar names."""
        from bazi_cli.usage import unknown_command

        raise WrongUse(unknown_command(args[0], self.list_commands(ctx)), ctx)


def birth_without_command(ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse a time of birth in place of a command, with a hint on the right command."""
    if not re.match(_BIRTH, args[0], re.IGNORECASE):
        return
    from shlex import quote

    at = next((at for at, each in enumerate(args) if each.startswith("-")), len(args))
    text = " ".join(args[:at]).replace('"', "")
    hint = " ".join([f'{ctx.command_path} chart "{text}"', *map(quote, args[at:])])
    raise WrongUse(Said("birth_without_command", given=text[:100]), ctx, hint)


def help_text(ctx: click.Context, of: str, *below: str) -> str:
    """The help text of a command or of one of its options, in the reader's language."""
    path = " ".join([*ctx.command_path.split()[1:], *below]) or "bazi"
    texts = {row["command"]: row[_language(ctx)] for row in rows("help") if row["of"] == of}
    return texts.get(path) or texts["*"]


def _option(name: str, *flags: str, **given: Any) -> click.Option:
    return click.Option([name, *flags], **given)


def _flag(name: str, *flags: str, callback: Any) -> click.Option:
    return _option(name, *flags, callback=callback, is_flag=True, is_eager=True, expose_value=False)


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from bazi_cli.version import version_text

        click.echo(version_text(False), nl=False)
        ctx.exit()


def _print_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()


def _print_all(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["bazi.help_all"] = True
        click.echo(ctx.get_help())
        ctx.exit()


def _form_of_file(ctx: click.Context) -> None:
    """Set the format by the ending of the file, if `--format` is not given."""
    if ctx.get_parameter_source("format") is ParameterSource.COMMANDLINE:
        return
    ending = os.path.splitext(ctx.params["output"])[1][1:].lower()
    if not ending:
        return
    kind = next(param.type for param in ctx.command.params if param.name == "format")
    assert isinstance(kind, click.Choice)
    form = FORMS.get(ending)
    if form not in kind.choices:
        known = [f".{each}" for each, means in FORMS.items() if means in kind.choices]
        raise WrongUse(
            Said("file_form", ending=f".{ending[:20]}", known=Listed(known)),
            ctx,
            f"-o {os.path.splitext(ctx.params['output'])[0][-40:]}.md",
        )
    ctx.params["format"] = form


def _language(ctx: click.Context) -> str:
    """The language of help, found even where the option stands behind `--help`."""
    line = getattr(ctx.find_root().command, "line", ())
    return language(named_language(stated(line, ("--lang",), "BAZI_LANG") or ""))


def _grouped(shown: dict[str | None, click.Option]) -> Iterator[tuple[str, list[str]]]:
    """Headings with the names of the options under them; the long tail of the School comes last."""
    from bazi_cli.options import SCHOOL

    tail = [name for name in SCHOOL if name in shown and name not in _SHOWN]
    for heading, names in GROUPS.items():
        if heading == _OTHERS:
            yield heading, [name for name in shown if name and name not in _SHOWN and name not in tail]
        else:
            yield heading, [name for name in names if name in shown]
        if heading == "help.school":
            yield "help.all", tail


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a description, each after an empty line; one of several lines stands as it is."""
    from bazi_core.render.width import fold

    for paragraph in text.split("\n\n"):
        yield ""
        lines = paragraph.split("\n")
        yield from (
            (f"  {line}" for line in lines) if len(lines) > 1 else fold(f"  {paragraph}", _room(), "  ")
        )


def _room() -> int:
    from bazi_cli.output import columns

    return max(40, min(columns(), _WIDEST))


def _section(ctx: click.Context, heading: str, listed: Iterable[click.Option]) -> Iterator[str]:
    yield f"{label(heading, _language(ctx))}:"
    for param in listed:
        yield from _row(*_record(ctx, param))


def _record(ctx: click.Context, param: click.Option) -> tuple[str, str]:
    """(flags with the name of their value, help text with the allowed values) of an option."""
    lang = _language(ctx)
    values = _values(param)
    flags = ", ".join(_flags(param)) + ("" if param.is_flag else f" {_metavar(ctx, param, values)}")
    text = help_text(ctx, _long(param))
    default = values[0] if values and param.name in _FIRST_IS_DEFAULT else param.default
    if values:
        named = [value + (label("help.is_default", lang) if value == default else "") for value in values]
        return flags, label("help.values", lang, text=text, values=label("help.comma", lang).join(named))
    if isinstance(default, (str, int)) and not param.is_flag:
        return flags, text + label("help.with_default", lang, default=default)
    return flags, text


def _name(param: click.Option) -> str | None:
    return "help" if "--help" in param.opts else param.name


def _long(param: click.Option) -> str:
    return next(flag for flag in param.opts if flag.startswith("--"))


def _flags(param: click.Option) -> list[str]:
    """The flags without deprecated names."""
    from bazi_cli.options import OLD_FLAGS

    return [flag for flag in param.opts if flag not in OLD_FLAGS]


def _metavar(ctx: click.Context, param: click.Option, values: Sequence[str]) -> str:
    return "NAME" if values else param.make_metavar(ctx)


def _values(param: click.Option) -> tuple[str, ...]:
    kind = param.type
    if isinstance(kind, (Name, click.Choice)):
        return tuple(kind.names if isinstance(kind, Name) else map(str, kind.choices))
    return ()


def _first_is_default() -> frozenset[str]:
    from bazi_core.school import OPTIONS

    return frozenset(OPTIONS) | {"school"}


_FIRST_IS_DEFAULT = _first_is_default()


def _row(name: str, text: str) -> Iterator[str]:
    """Lines of a name and its text, which stands beside it, or below a long name."""
    from bazi_core.render.width import fold, pad, width

    first, *others = fold(text, _room() - _COLUMN)
    if width(name) + 4 > _COLUMN:
        yield f"  {name}"
        yield " " * _COLUMN + first
    else:
        yield f"  {pad(name, _COLUMN - 2)}{first}"
    yield from (" " * _COLUMN + other for other in others)
