"""The charts that three later authors judge: their questions, and how answers to them are counted, by author.

Files and limits are described in `data/golden/classics_later/README.md`. A chart counts once, by its first labelled
row. `GATES` are what the library must reach over all three; how it fares with each stands in `benchmarks/RESULTS.md`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.golden.classics import FOLDER as CLASSICS
from tests.golden.classics import REGULAR, SPECIAL, Answers, Count, Row, distinct

FOLDER = CLASSICS.with_name("classics_later")
BOOKS = ("qianli_minggao", "shenfeng_tongkao", "zaohua_yuanyao", "ziping_pingzhu")
AUTHORS = ("韦千里", "徐乐吾", "张楠")
# Measure → (number of charts it is counted on, least or, of false positives, most).
GATES = {
    "strength": (64, 54),
    "special_recall": (22, 13),
    "special_false_positive": (64, 6),
    "useful_god_top1": (122, 61),
    "useful_god_top2": (122, 81),
    "ge_ju": (31, 27),
}
AGREEMENTS = (4, 3, 2, 1)


def rows() -> list[Row]:
    """The first labelled row of every chart that breaks no rule."""
    texts = [(FOLDER / f"{book}.jsonl").read_text(encoding="utf-8") for book in BOOKS]
    found = [json.loads(line) for text in texts for line in text.splitlines()]
    return distinct([row for row in found if row["labels"] and row["pillars_valid"]])


def questions() -> list[Row]:
    return [
        {"id": row["id"], "inputs": {"pillars": list(row["pillars"].values()), "gender": row.get("gender")}}
        for row in rows()
    ]


def measure(answers: Answers, author: str | None = None) -> dict[str, Count]:
    """Every measure over the answers of one engine, of one author or of all."""
    return measured([row for row in rows() if author in (None, row["author"])], answers)


def measured(charts: list[Row], answers: Answers) -> dict[str, Count]:
    """The measures that labelled rows allow; those on which no chart bears are left out."""
    plain = [row for row in charts if row["labels"].get("strength") in ("身强", "身弱")]
    special = [row for row in charts if row["labels"].get("strength") in SPECIAL]
    useful = [row for row in charts if row["labels"].get("yongshen_elements")]
    regular = [row for row in charts if row["labels"].get("ge_ju") in REGULAR]

    def answer(row: Row) -> Row:
        return answers.get(row["id"]) or {}

    def is_strength(row: Row) -> bool:
        return bool(answer(row).get("strength") == row["labels"]["strength"])

    def is_special(row: Row) -> bool:
        return answer(row).get("special") is not None

    def top(number: int) -> Callable[[Row], bool]:
        return lambda row: (
            not set(row["labels"]["yongshen_elements"]).isdisjoint(
                (answer(row).get("useful_gods") or [])[:number]
            )
        )

    asked: dict[str, tuple[list[Row], Callable[[Row], bool]]] = {
        "strength": (plain, is_strength),
        "special_recall": (special, is_special),
        "special_false_positive": (plain, is_special),
        "useful_god_top1": (useful, top(1)),
        "useful_god_top2": (useful, top(2)),
        "ge_ju": (regular, lambda row: answer(row).get("ge_ju") == row["labels"]["ge_ju"]),
    }
    for votes in AGREEMENTS:
        agreeing = [row for row in plain if answer(row).get("agreement") == votes]
        asked[f"strength_when_{votes}_agree"] = (agreeing, is_strength)
    return {
        name: Count(sum(map(right, charts)), len(charts)) for name, (charts, right) in asked.items() if charts
    }
