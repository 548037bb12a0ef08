"""Files of questions, with which several tests ask."""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def questions_in(file: Path) -> list[dict[str, str]]:
    """The rows of a tab-separated file in UTF-8 by the names of its first line; a line that begins with # is a remark."""
    lines = (line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def too_seldom_right(
    judged: Iterable[tuple[Any, Mapping[str, bool]]], least: Mapping[str, float]
) -> tuple[set[str], list[Any]]:
    """The members that are right in a smaller share of the questions than they have to be, and all that is wrong."""
    hits, counted, wrong = Counter[str](), Counter[str](), list[Any]()
    for asked, found in judged:
        for name, hit in found.items():
            counted[name] += 1
            hits[name] += hit
            wrong += [] if hit else [(name, asked)]
    return {name for name, share in least.items() if hits[name] < share * counted[name]}, wrong
