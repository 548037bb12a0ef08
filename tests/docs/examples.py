"""Examples in Markdown: what is in a fence, and what a command prints."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The same wherever and whenever the tests run: no terminal, no configuration, no language of the locale, one date.
ENVIRONMENT = {
    "BAZI_AS_OF": "2026-02-04",
    "COLUMNS": "80",
    "LANG": "zh_CN.UTF-8",
    "NO_COLOR": "1",
    "PYTHONPATH": str(DOCS.parent),
}


def pages() -> list[str]:
    return sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


def text_of(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def blocks(page: str, language: str) -> Iterator[tuple[int, str]]:
    """(line number, text) of the fences in a language."""
    text = text_of(page)
    for found in FENCE.finditer(text):
        if found[1] == language:
            yield text.count("\n", 0, found.start()) + 2, found[2]


def commands(page: str) -> Iterator[tuple[int, str, str]]:
    """(line number, command, expected output) of the lines that begin with `$ bazi`."""
    for line, block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            yield line, command, expected


def printed(command: str, folder: Path) -> str:
    """What a command prints when it is run in a folder, stdout and stderr together."""
    name, *arguments = shlex.split(command)
    assert name == "bazi", command
    own = {key: value for key, value in os.environ.items() if not key.startswith(("BAZI_", "LC_"))}
    configuration = folder / "config.toml"
    configuration.touch()
    settings = {"BAZI_CONFIG": str(configuration), **ENVIRONMENT}
    run = subprocess.run(
        [sys.executable, "-m", "bazi_cli", *arguments],
        cwd=folder,
        env=own | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return run.stdout.decode("utf-8")


def tables(page: str) -> list[list[str]]:
    """The rows of all tables of a page as cells, heads and rules left out."""
    rows = [line for line in text_of(page).splitlines() if line.startswith("|")]
    cut = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row for row in cut if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
