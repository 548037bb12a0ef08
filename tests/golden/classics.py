"""The printed charts of three classics: their questions, and how answers to them are counted.

Files and limits are described in `data/golden/classics/README.md`. A chart counts once, by its first labelled
row. `GATES` are what the library must reach; the shares beside them in `benchmarks/RESULTS.md` are what it does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[2] / "data" / "golden" / "classics"
BOOKS = ("ditiansui_chanwei", "ziping_zhenquan", "qiongtong_baojian")
SPECIAL = {"从格", "专旺", "化格"}
REGULAR = {"正官格", "七杀格", "财格", "印格", "食神格", "伤官格", "阳刃格", "建禄格", "月劫格"}
# Measure → (number of charts it is counted on, least or, of false positives, most).
GATES = {
    "strength": (102, 85),
    "special_recall": (30, 15),
    "special_false_positive": (102, 5),
    "useful_god_top1": (148, 89),
    "ge_ju": (23, 22),
    "luck_pillars": (202, 202),
}

Row = dict[str, Any]
Answers = dict[str, Row]


class Count(NamedTuple):
    """How many of the charts a measure holds for."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        return self.hits / self.of


def rows(book: str) -> list[Row]:
    with open(FOLDER / f"{book}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def questions() -> list[Row]:
    return [
        {"id": row["id"], "inputs": {"pillars": list(row["pillars"].values()), "gender": row.get("gender")}}
        for book in BOOKS
        for row in rows(book)
    ]


def distinct(found: list[Row]) -> list[Row]:
    """The first row of every chart."""
    return list({tuple(row["pillars"].values()): row for row in reversed(found)}.values())[::-1]


def measure(answers: Answers) -> dict[str, Count]:
    """Every measure over the answers of one engine."""
    dts = rows("ditiansui_chanwei")
    labelled = distinct([row for row in dts if row["labels"]])
    plain = [row for row in labelled if row["labels"]["strength"] in ("身强", "身弱")]
    special = [row for row in labelled if row["labels"]["strength"] in SPECIAL]
    useful = [row for row in labelled if row["labels"]["yongshen_elements"]]
    regular = [
        row for row in rows("ziping_zhenquan") if row["pillars_valid"] and row["labels"]["ge_ju"] in REGULAR
    ]
    lucky = [row for row in dts if row["luck_consistent"]]

    def count(charts: list[Row], right: Callable[[Row, Row], bool]) -> Count:
        return Count(sum(right(row, answers.get(row["id"]) or {}) for row in charts), len(charts))

    def top(number: int) -> Callable[[Row, Row], bool]:
        return lambda row, answer: bool(
            set((answer.get("useful_gods") or [])[:number]) & set(row["labels"]["yongshen_elements"])
        )

    return {
        "strength": count(plain, lambda row, answer: answer.get("strength") == row["labels"]["strength"]),
        "special_recall": count(special, lambda row, answer: answer.get("special") is not None),
        "special_class": count(
            special, lambda row, answer: answer.get("special") == row["labels"]["strength"]
        ),
        "special_false_positive": count(plain, lambda row, answer: answer.get("special") is not None),
        "useful_god_top1": count(useful, top(1)),
        "useful_god_top2": count(useful, top(2)),
        "ge_ju": count(regular, lambda row, answer: answer.get("ge_ju") == row["labels"]["ge_ju"]),
        "luck_pillars": count(
            lucky,
            lambda row, answer: (
                (answer.get("luck_pillars") or [])[: len(row["luck_pillars"])] == row["luck_pillars"]
            ),
        ),
    }
