"""Tables in Markdown, and the marked sections of RESULTS.md that the programs here write."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RESULTS = Path(__file__).with_name("RESULTS.md")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right.

    >>> print(table(["operation", "µs"], [["bisect", "0.31"]]))
    | operation | µs |
    |---|---:|
    | bisect | 0.31 |
    """
    made = [list(row) for row in rows]
    numeric = [all(re.match(r"[\d.,+−-]", row[i]) or not row[i] for row in made) for i in range(len(head))]
    rule = ["---:" if number and i else "---" for i, number in enumerate(numeric)]
    lines = ["| " + " | ".join(row) + " |" for row in (head, *made)]
    return "\n".join([lines[0], "|" + "|".join(rule) + "|", *lines[1:]])


def stamp() -> str:
    """Date, release and kind of machine; no name of it."""
    from bazi_core import __version__

    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, release {__version__}, {os.cpu_count()} cores, {platform.system()}, {python}"


def replaced(text: str, section: str, content: str) -> str:
    """The text with what stands between the marks of a section replaced; the rest stays.

    >>> replaced("a\\n<!-- x -->\\nold\\n<!-- /x -->\\nb\\n", "x", "new")
    'a\\n<!-- x -->\\nnew\\n<!-- /x -->\\nb\\n'
    """
    begin, end = f"<!-- {section} -->", f"<!-- /{section} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"RESULTS.md has no section {section}")
    return f"{before}{begin}\n{content}\n{end}{after}"


def publish(section: str, content: str, write: bool) -> None:
    """Print a section, and put it into RESULTS.md when asked to."""
    print(content)
    if write:
        RESULTS.write_text(replaced(RESULTS.read_text(encoding="utf-8"), section, content), encoding="utf-8")
