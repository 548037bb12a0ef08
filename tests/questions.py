"""Files of questions, with which several tests ask."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def questions_in(file: Path) -> list[dict[str, str]]:
    """The rows of a tab-separated file in UTF-8 by the names of its first line; a line that begins with # is a remark."""
    lines = (line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
