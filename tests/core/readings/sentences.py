"""The sentences of `said.txt` and the questions of `asked.txt` by the verdict that stands before them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def by_verdict(name: str) -> dict[str, list[str]]:
    """Every line of a file under the word before its first bar."""
    found: dict[str, list[str]] = {}
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            verdict, _, text = line.partition("|")
            found.setdefault(verdict, []).append(text)
    return found
