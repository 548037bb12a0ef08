"""How often verdicts of each class are those of their book: the shipped table of observed shares.

    python -m benchmarks.calibrate [--write] [FOLDER ...]

A class is what the library says of its own verdict: how many methods of strength agree, how sure the useful god is,
whether a structure is claimed or close. Counted on the printed charts under `data/golden` (or FOLDERs), by book; with
--write the counts become `bazi_core/tables/calibration.csv`. What the labels are worth: `data/golden/classics/README.md`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bazi_core as bz
from tests.golden.classics import REGULAR, SPECIAL

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "bazi_core" / "tables" / "calibration.csv"
FOLDERS = tuple(ROOT / "data" / "golden" / name for name in ("classics", "classics_later"))
CLASSES = (
    *(f"strength.{agreement}" for agreement in (4, 3, 2, 1)),
    *(f"useful.{certainty}" for certainty in ("settled", "leaning", "open", "structure")),
    *(f"pattern.{name}" for name in ("正格", "contested", "变格")),
)
HEAD = """\
# How often a verdict of each class is that of the book, counted on printed charts; made by benchmarks/calibrate.py.
# The labels were read by one language model and reviewed by no person: observed shares, no probabilities of a life.
# strength.N: verdicts that N of the four methods share. useful.*: the first useful god is one that the book takes, by its
# certainty, or structure where a special structure decides. pattern.正格: the month pattern where no structure is near;
# pattern.contested: where one fails by a single condition; pattern.变格: a claimed structure that the book claims as well.
class,hits,of,source
"""

Row = dict[str, Any]


def charts(folders: tuple[Path, ...] = FOLDERS) -> Iterator[Row]:
    """The labelled rows of the books, each chart once."""
    seen = set()
    for file in sorted(each for folder in folders if folder.is_dir() for each in folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "pillars" in row and row.get("labels") and (own := tuple(row["pillars"].values())) not in seen:
                seen.add(own)
                yield row


def verdicts(row: Row) -> Iterator[tuple[str, bool]]:
    """(class, whether it is that of the book) of what a book says of a chart."""
    labels, school = row["labels"], bz.School(validate="warn")
    found = bz.chart(pillars=list(row["pillars"].values()), school=school).pattern()
    strength, special = found.strength, found.special
    assert strength is not None
    assert found.regular is not None
    if labels.get("strength") in ("身强", "身弱"):
        yield f"strength.{strength.agreement}", strength.verdict == labels["strength"]
    if labels.get("yongshen_elements"):
        own = "structure" if special else found.useful.certainty
        yield f"useful.{own}", found.useful.order[0].value in labels["yongshen_elements"]
    if special is not None and labels.get("strength"):
        yield "pattern.变格", labels["strength"] in SPECIAL
    if special is None and row["pillars_valid"] and labels.get("ge_ju") in REGULAR:
        yield f"pattern.{'contested' if found.close else '正格'}", found.name == labels["ge_ju"]


def table(folders: tuple[Path, ...] = FOLDERS) -> str:
    """The text of the table."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for row in charts(folders):
        for name, right in verdicts(row):
            counts.setdefault((name, row["book"]), []).append(right)
    books = sorted({book for _, book in counts})
    return HEAD + "".join(
        f"{name},{sum(counts[name, book])},{len(counts[name, book])},{book}\n"
        for name in CLASSES
        for book in books
        if (name, book) in counts
    )


if __name__ == "__main__":
    found = table(tuple(map(Path, (each for each in sys.argv[1:] if each != "--write"))) or FOLDERS)
    if "--write" in sys.argv:
        TABLE.write_text(found, encoding="utf-8")
    print(found, end="")
