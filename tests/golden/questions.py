"""The golden chart files: their questions, and what makes an answer to them right.

Files and conventions are described in `data/golden/charts/README.md`. Rows of grade `contested` (where the
authorities cannot decide) and luck starts marked unstable (where a second more or less in the 节 moves the
date) are compared and counted, but do not make an answer wrong.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
CHARTS = ROOT / "data" / "golden" / "charts"
LUCK = ("direction", "decade_pillars", "xiaoyun", "liunian")
# The start by the exact interval is given to the second of the 节 in the file, which was rounded.
EXACT, EXACT_TOLERANCE_S = "tyme_default", 300
# Another program's start, by a year of 365 days, kept in the file for comparison only.
NOT_OURS = "bazi0xf3cd_365d"

Row = dict[str, Any]


class Verdict(NamedTuple):
    """Whether one field of an answer is right, and whether that counts."""

    field: str
    right: bool
    scored: bool = True


def rows(name: str) -> list[Row]:
    """The rows of a golden file."""
    with open(CHARTS / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def question(row: Row) -> Row:
    """What the answer program gets to see of a row."""
    return {"id": row["id"], "inputs": row["inputs"], "options": row["options"]}


def run(kind: str, questions: Iterable[Row]) -> dict[str, Row]:
    """The answer lines of the program, by id."""
    lines = "".join(json.dumps(each) + "\n" for each in questions)
    return {line["id"]: line for line in run_lines(kind, lines.encode())}


def run_lines(kind: str, given: bytes) -> list[Row]:
    """What the program writes when it reads these bytes."""
    program = [sys.executable, "-m", "tests.golden.answer", kind]
    done = subprocess.run(program, input=given, capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def verdicts(name: str, row: Row, answer: Row | None) -> Iterator[Verdict]:
    """The verdicts on the answer to a row of the file `name`."""
    expected, given = row["expected"], answer or {}
    if name.startswith("d"):
        yield from _luck(expected, given)
    elif name.startswith("g"):
        yield from _true_solar(expected, given, row["tolerance_s"])
    elif name.startswith("h"):
        yield from (Verdict(sect, _windows(expected[sect], given.get(sect))) for sect in expected)
    else:
        scored = row.get("grade") != "contested"
        for field in _fields(name, expected):
            yield Verdict(field, field in given and given[field] == expected[field], scored)


def _fields(name: str, expected: Row) -> Iterator[str]:
    skipped = name.startswith("f") and expected["status"] == "nonexistent"
    # A reading that no clock showed has neither name nor daylight saving.
    return (field for field in expected if not (skipped and field in ("dst_s", "abbrev")))


def _luck(expected: Row, given: Row) -> Iterator[Verdict]:
    for field in LUCK:
        yield Verdict(field, given.get(field) == expected[field])
    for variant, want in expected["variants"].items():
        have = given.get("variants", {}).get(variant, {})
        if variant == NOT_OURS:
            continue
        if variant == EXACT:
            yield Verdict(variant, near(have.get("start_at"), want["start_at"], EXACT_TOLERANCE_S))
        else:
            fields = ("age", "start_at", "first_decade_year", "first_decade_age")
            right = all(have.get(field) == want[field] for field in fields)
            yield Verdict(variant, right, want["stable"] is not False)


def _true_solar(expected: Row, given: Row, tolerance_s: float) -> Iterator[Verdict]:
    clock, equation = given.get("apparent_solar"), given.get("equation_of_time_s")
    yield Verdict("apparent_solar", near(clock, expected["apparent_solar"], tolerance_s))
    apart = abs((equation if equation is not None else 1e9) - expected["equation_of_time_s"])
    yield Verdict("equation_of_time_s", apart <= tolerance_s)
    if "pillars_true_solar" in expected:
        right = given.get("pillars_true_solar") == expected["pillars_true_solar"]
        yield Verdict("pillars_true_solar", right)


def _windows(want: list[list[str]], have: list[list[str]] | None) -> bool:
    """The same windows, each end within the doubt in ΔT of its time."""
    if have is None or len(have) != len(want):
        return False
    pairs = [
        ends for window, found in zip(want, have, strict=True) for ends in zip(window, found, strict=True)
    ]
    return all(near(found, end, _doubt_s(int(end[:4]))) for end, found in pairs)


def _doubt_s(year: int) -> int:
    return 4 if year <= 2026 else 60 if year <= 2050 else 130


def near(have: str | None, want: str, tolerance_s: float) -> bool:
    """Whether two clock readings are at most this far apart."""
    if not have:
        return False
    apart = datetime.fromisoformat(have) - datetime.fromisoformat(want)
    return abs(apart.total_seconds()) <= tolerance_s


def wrong(name: str, asked: Iterable[Row], answers: dict[str, Row]) -> list[str]:
    """`id field` of every scored verdict that is not right."""
    return [
        f"{row['id']} {verdict.field}"
        for row in asked
        for verdict in verdicts(name, row, answers.get(row["id"], {}).get("answer"))
        if verdict.scored and not verdict.right
    ]


def unscored(name: str, asked: Iterable[Row], answers: dict[str, Row]) -> dict[str, tuple[int, int]]:
    """Field → (right, all) of the verdicts that do not count."""
    found: dict[str, tuple[int, int]] = {}
    for row in asked:
        for verdict in verdicts(name, row, answers.get(row["id"], {}).get("answer")):
            if not verdict.scored:
                right, whole = found.get(verdict.field, (0, 0))
                found[verdict.field] = right + verdict.right, whole + 1
    return found
