"""Errors for people and for programs: on stderr as text, or with `-f json` as a problem object.

The object has the members of RFC 9457 that make sense off the web (`type`, `title`, `status` = exit code) beside the
`code`, `message`, `data` and `hint` of the core. No message is longer than a screen.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli.language import language, stated
from bazi_cli.options import ALL
from bazi_cli.output import as_json, has_colour, measure, note
from bazi_core.errors import BaziError
from bazi_core.render.phrases import bracketed, joined, printable, word
from bazi_core.render.text import aligned, bold
from bazi_core.render.width import fold, width
from bazi_core.tables.sentences import Said, translated
from bazi_core.tables.words import label, named_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

USAGE = 2
BUG = 1
LONGEST = 600
_UNFOLDED = 10_000


def report(error: BaziError | click.ClickException, args: Sequence[str]) -> int:
    """Report an error on stderr; returns the exit code."""
    if isinstance(error, BaziError):
        said = {"message": error.message, "hint": error.hint}
        problem = {"status": error.exit_status, **error.to_dict(), **said}
    else:
        from bazi_cli.usage import usage

        hint = getattr(error, "hint", "") or f"{_command(error)} --help"
        problem = {"status": USAGE, "code": "USAGE", "message": usage(error), "data": {}, "hint": hint}
    return _say(problem, args)


def report_bug(error: Exception, args: Sequence[str]) -> int:
    """Report an unexpected exception without a traceback; returns the exit code."""
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
            "hint": Said("bug"),
        },
        args,
    )


def _command(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "bazi"


def _say(problem: dict[str, Any], args: Sequence[str]) -> int:
    asked = named_language(stated(args, ("--lang",), "BAZI_LANG") or "")
    as_object = (stated(args, ("-f", "--format"), "BAZI_FORMAT") or "").lower() == "json"
    # An object does not depend on the locale: it has a language only if one is given.
    lang = asked or ("en" if as_object else language(None))
    for name in ("message", "hint"):
        problem[name] = in_flags(shortened(translated(problem[name], lang)))
    title = word(problem["code"], lang, "error")
    if as_object:
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


_NAMES = "|".join((*ALL, "longitude", "latitude", "place"))
_ARGUMENT = re.compile(rf"(?<![A-Za-z0-9_])({_NAMES})=(?:'([^']*)'|([A-Za-z0-9_]*))")


def in_flags(text: str) -> str:
    """A sentence with the names of Python arguments replaced by flags.

    >>> in_flags("give city=, or longitude= with tz=; or fold=0, or clock='auto'")
    'give --city, or --lon with --tz; or --fold 0, or --clock auto'
    >>> in_flags("请给出city=或tz=")
    '请给出--city或--tz'
    """

    def flag(match: re.Match[str]) -> str:
        name = {"longitude": "lon", "latitude": "lat"}.get(match[1], match[1])
        return f"--{name.replace('_', '-')} {match[2] or match[3] or ''}".rstrip()

    return _ARGUMENT.sub(flag, text)


def _lines(problem: dict[str, Any], title: str, lang: str) -> Iterator[str]:
    room = measure()
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
    """A line for each place, or two lines for each if one is too long."""
    rows = [_place_cells(place, lang) for place in places]
    whole = aligned(rows, _UNFOLDED)
    if max(map(width, whole)) <= room:
        return whole
    names = aligned([[ref, f"{name}  {region}"] for ref, name, region, _ in rows], room)
    if len(names) > len(rows):
        return aligned(rows, room)
    return [
        line
        for name, row in zip(names, rows, strict=True)
        for line in (name, *fold(f"    {row[-1]}", room, "    "))
    ]


def _place_cells(place: dict[str, Any], lang: str) -> list[str]:
    from bazi_core.place.display import name_shown, region_shown

    north = f"{abs(place['latitude']):.3f}{'S' if place['latitude'] < 0 else 'N'}"
    east = f"{abs(place['longitude']):.3f}{'W' if place['longitude'] < 0 else 'E'}"
    people = label("people", lang, count=f"{place['population']:,}") if place["population"] else ""
    return [
        f"  {place['ref']}",
        name_shown(place["ref"], place["name"], lang),
        region_shown(place["ref"], place["admin"], place["country"], lang),
        f"{east} {north}  {place['timezone_id']}  {people}".rstrip(),
    ]


def _readings(readings: list[dict[str, Any]], lang: str, room: int) -> list[str]:
    from bazi_core.astro.civil import format_offset

    rows = [[f"  fold={row['fold']}", format_offset(row["utc_offset_s"]), row["utc"]] for row in readings]
    return aligned(rows, room)


def _suggestions(names: list[str], lang: str, room: int) -> list[str]:
    return fold(f"  {label('suggestions', lang)}  {', '.join(map(str, names))}", room, "    ")


def _months(months: list[dict[str, Any]], lang: str, room: int) -> list[str]:
    leap = label("leap", lang)
    names = [
        bracketed(f"{leap if row['leap'] else ''}{row['month']}", str(row["days"]), lang) for row in months
    ]
    return fold(f"  {label('months_of_year', lang)}  {joined(names, lang)}", room, "    ")


_DETAILS: dict[str, Callable[[Any, str, int], list[str]]] = {
    "candidates": _candidates,
    "readings": _readings,
    "suggestions": _suggestions,
    "months": _months,
}
