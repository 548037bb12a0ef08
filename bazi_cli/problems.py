"""Errors for people and for programs: on stderr as text, or with `-f json` as a problem object.

The object has the members of RFC 9457 that make sense off the web (`type`, `title`, `status` = exit code) beside the
`code`, `message`, `data` and `hint` of the core. No message is longer than a screen, whatever was typed.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli.language import language
from bazi_cli.options import ALL, LANGUAGES
from bazi_cli.output import as_json, columns, has_colour, note
from bazi_core.errors import BaziError
from bazi_core.render.phrases import printable, word
from bazi_core.render.text import aligned, bold
from bazi_core.render.width import fold
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

USAGE = 2
BUG = 1
LONGEST = 400


def report(error: BaziError | click.ClickException, args: Sequence[str]) -> int:
    """Say what went wrong; the exit code."""
    if isinstance(error, BaziError):
        problem = {"status": error.exit_status, **error.to_dict()}
    else:
        hint = f"{_command(error)} --help"
        message = error.format_message()
        problem = {"status": USAGE, "code": "USAGE", "message": message, "data": {}, "hint": hint}
    return _say(problem, args)


def report_bug(error: Exception, args: Sequence[str]) -> int:
    """Say that something unforeseen happened, without a traceback."""
    kind = type(error).__name__
    if isinstance(error, OSError):
        problem = {
            "status": BUG,
            "code": "IO_ERROR",
            "message": str(error),
            "data": {"exception": kind},
            "hint": "",
        }
        return _say(problem, args)
    return _say(
        {
            "status": BUG,
            "code": "INTERNAL",
            "message": f"{kind}: {error}",
            "data": {"exception": kind},
            "hint": "this is a bug; BAZI_DEBUG=1 shows where",
        },
        args,
    )


def _command(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "bazi"


def _say(problem: dict[str, Any], args: Sequence[str]) -> int:
    lang = language(_stated(args, ("--lang",), "BAZI_LANG", LANGUAGES))
    problem["message"], problem["hint"] = (in_flags(shortened(problem[name])) for name in ("message", "hint"))
    title = word(problem["code"], lang, "error")
    if _stated(args, ("-f", "--format"), "BAZI_FORMAT", ("json", "text")) == "json":
        kind = f"urn:bazi:error:{problem['code']}"
        note(as_json({"type": kind, "title": title, **problem}).rstrip("\n"))
    else:
        note("\n".join(_lines(problem, title, lang)))
    status: int = problem["status"]
    return status


def shortened(text: str) -> str:
    """A message of at most a few lines, safe to print.

    >>> len(shortened("x" * 1_000_000))
    401
    """
    safe = "\n".join(printable(line.expandtabs(4)) for line in text[:LONGEST].split("\n"))
    return safe + "…" if len(text) > LONGEST else safe


_ARGUMENT = re.compile(rf"\b({'|'.join((*ALL, 'longitude', 'latitude', 'place'))})=(?:'([^']*)'|(\w*))")


def in_flags(text: str) -> str:
    """The arguments of the Python interface that a sentence names, as flags.

    >>> in_flags("give city=, or longitude= with tz=; or fold=0, or clock='auto'")
    'give --city, or --lon with --tz; or --fold 0, or --clock auto'
    """

    def flag(found: re.Match[str]) -> str:
        name = {"longitude": "lon", "latitude": "lat"}.get(found[1], found[1])
        return f"--{name.replace('_', '-')} {found[2] or found[3] or ''}".rstrip()

    return _ARGUMENT.sub(flag, text)


def _stated(args: Sequence[str], flags: Sequence[str], variable: str, known: Sequence[str]) -> str | None:
    """What an option was set to, found even where the line could not be parsed."""
    for at, each in enumerate(args):
        flag, equals, value = each.partition("=")
        if flag in flags:
            value = value if equals else (args[at + 1] if at + 1 < len(args) else "")
        elif len(flags[0]) == 2 and each.startswith(flags[0]):
            value = each[2:]
        else:
            continue
        return next((name for name in known if name.lower() == value.lower()), None)
    return os.environ.get(variable) or _configured(variable)


def _configured(variable: str) -> str | None:
    from bazi_cli import config

    try:
        found = config.values().get(variable.removeprefix("BAZI_").lower())
    except click.UsageError:
        return None
    return found if isinstance(found, str) else None


def _lines(problem: dict[str, Any], title: str, lang: str) -> Iterator[str]:
    room = min(columns(), 80)
    colour = has_colour(sys.stderr)
    yield f"{bold(label('error', lang), colour)} {problem['code']}  {title}"
    for line in problem["message"].split("\n"):
        yield from fold(f"  {line}", room, "  ")
    for name, write in _DETAILS.items():
        if problem["data"].get(name):
            yield from write(problem["data"][name], lang, room)
    if problem["hint"]:
        yield from fold(f"  {label('hint', lang)}  {problem['hint']}", room, "  ")


def _candidates(places: list[dict[str, Any]], lang: str, room: int) -> list[str]:
    return aligned([_place_cells(place) for place in places], room)


def _place_cells(place: dict[str, Any]) -> list[str]:
    north = f"{abs(place['latitude']):.3f}{'S' if place['latitude'] < 0 else 'N'}"
    east = f"{abs(place['longitude']):.3f}{'W' if place['longitude'] < 0 else 'E'}"
    people = f"{place['population']:,}" if place["population"] else ""
    where = " ".join(filter(None, (place["admin"], place["country"])))
    return [
        f"  {place['ref']}",
        place["name"],
        where,
        f"{east} {north}  {place['timezone_id']}  {people}".rstrip(),
    ]


def _readings(readings: list[dict[str, Any]], lang: str, room: int) -> list[str]:
    from bazi_core.astro.civil import format_offset

    rows = [[f"  fold={row['fold']}", format_offset(row["utc_offset_s"]), row["utc"]] for row in readings]
    return aligned(rows, room)


def _suggestions(names: list[str], lang: str, room: int) -> list[str]:
    return fold(f"  {label('suggestions', lang)}  {', '.join(map(str, names))}", room, "    ")


def _months(months: list[dict[str, Any]], lang: str, room: int) -> list[str]:
    names = [f"{label('leap', lang) if row['leap'] else ''}{row['month']} ({row['days']})" for row in months]
    return fold(f"  {label('months_of_year', lang)}  {', '.join(names)}", room, "    ")


_DETAILS: dict[str, Callable[[Any, str, int], list[str]]] = {
    "candidates": _candidates,
    "readings": _readings,
    "suggestions": _suggestions,
    "months": _months,
}
