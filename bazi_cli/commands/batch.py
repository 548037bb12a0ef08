"""`bazi batch`: a file of births → a file of charts."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, PLACE, SCHOOL, options
from bazi_cli.request import birth_arguments, school_of
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label

_EVERY_S = 0.5


@click.command("batch", cls=Command)
@click.argument("source", metavar="IN", type=click.Path(exists=True, dir_okay=False, readable=True))
@options(
    "columns", "jobs", "on_error", "resume", "words", "keep", "encoding", *PLACE, "fold", "calendar", "gender"
)
@options(*OUTPUT, *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, source: str, **given: Any) -> None:
    """The charts of the births in IN, row by row, into the file of -o."""
    from bazi_core.batch.job import Job, run

    if given["output"] in (None, "-"):
        raise click.UsageError(Said("batch_no_output"), ctx)
    job = Job(
        source=source,
        output=given["output"],
        columns=_names(given["columns"]),
        school=school_of(given),
        constants=birth_arguments(ctx),
        on_error=given["on_error"],
        words=given["words"],
        keep=None if given["keep"] is None else _names(given["keep"]),
        encoding=given["encoding"],
    )
    lang = language(given["lang"])
    bar = Bar(lang)
    try:
        done = run(job, jobs=given["jobs"], resume=given["resume"], progress=bar.draw)
    except OSError as error:
        raise click.UsageError(
            Said("cannot_write", name=given["output"], why=error.strerror or error), ctx
        ) from None
    finally:
        bar.clear()
    output.note(label("batch.done", lang, rows=f"{done.rows:,}", rate=bar.rate(done.rows)))
    for code, count in done.failed.items():
        output.note(f"  {code}  {count:,}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


class Bar:
    """Rows, rate and time left, on a terminal only."""

    def __init__(self, lang: str) -> None:
        self.lang, self.start, self.drawn = lang, time.monotonic(), 0.0
        self.shown = sys.stderr.isatty()

    def draw(self, rows: int, share: float) -> None:
        """Draw the bar anew, twice a second at most."""
        now = time.monotonic()
        if not self.shown or (now - self.drawn < _EVERY_S and share < 1):
            return
        self.drawn = now
        left = (now - self.start) * (1 - share) / share if share else 0.0
        full = round(30 * share)
        text = label("batch.bar", self.lang, rows=f"{rows:,}", rate=self.rate(rows), left=_clock(left))
        sys.stderr.write(f"\r\x1b[K[{'#' * full}{'.' * (30 - full)}] {share:4.0%} {text}")
        sys.stderr.flush()

    def rate(self, rows: int) -> str:
        """Rows a second so far."""
        return f"{rows / max(time.monotonic() - self.start, 1e-9):,.0f}"

    def clear(self) -> None:
        """Leave an empty line where the bar was."""
        if self.shown and self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
