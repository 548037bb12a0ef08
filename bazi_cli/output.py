"""Output: data to stdout or a file, notes to stderr, colour and width as the terminal has them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from typing import TextIO

WARNINGS = 9
COLUMNS, WIDEST = 80, 120


def emit(text: str, output: str | None = None) -> None:
    """Write data to the file, or to stdout."""
    if output is None or output == "-":
        sys.stdout.write(text)
        return
    try:
        with open(output, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(Said("cannot_write", name=output, why=error.strerror)) from None


def emit_bytes(data: bytes, output: str | None = None) -> None:
    """Write bytes to the file, or to stdout unless that is a terminal."""
    if output is None or output == "-":
        if sys.stdout.isatty():
            raise click.UsageError(Said("bytes_to_terminal"))
        sys.stdout.buffer.write(data)
        return
    try:
        with open(output, "wb") as file:
            file.write(data)
    except OSError as error:
        raise click.UsageError(Said("cannot_write", name=output, why=error.strerror)) from None


def as_json(value: Any, indent: int | None = 2) -> str:
    """JSON text with a line end."""
    from bazi_core.facts import json_text

    return json_text(value, indent) + "\n"


def explained(fact_id: str, facts: dict[str, Any], form: str, lang: str) -> str:
    """A fact with its basis: in words, or in JSON as a list of facts."""
    if form in ("json", "jsonl"):
        from bazi_core.facts import basis_of

        return as_json([fact.to_dict() for fact in basis_of(fact_id, facts)], None if form == "jsonl" else 2)
    from bazi_core.render.explain import fact_text

    return fact_text(fact_id, facts, lang) + "\n"


def note(text: str) -> None:
    """Write a line to stderr; a closed stderr is ignored."""
    try:
        sys.stderr.write(text + "\n")
    except OSError:
        discard(2)


def says_itself(given: dict[str, Any]) -> bool:
    """Whether the output itself states assumed values: text and Markdown do, JSON and reasons do not."""
    return given["format"] in ("text", "md") and given.get("explain") is None


def discard(descriptor: int) -> None:
    """Redirect a descriptor to the null device, so that Python's flush at exit raises no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def has_colour(stream: TextIO, output: str | None = None) -> bool:
    """Whether to use colour: on a terminal, unless NO_COLOR is set (no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or output not in (None, "-"):
        return False
    return stream.isatty()


def columns() -> int:
    """Columns of the display: COLUMNS, else those of the terminal, else 80."""
    stated = os.environ.get("COLUMNS", "")
    if stated.isascii() and stated.isdigit() and int(stated[:6]) > 0:
        return int(stated[:6])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or COLUMNS
    except (OSError, ValueError, AttributeError):
        return COLUMNS


def measure() -> int:
    """Columns of running text: those of the display, at most 120 as in a chart."""
    return min(columns(), WIDEST)


def strict_status(strict: bool, warnings: int, lang: str) -> int:
    """The exit code of a result that has warnings."""
    if not (strict and warnings):
        return 0
    from bazi_core.tables.words import label

    note(label("strict_note", lang, count=warnings))
    return WARNINGS
