"""Where programs disagree on four pillars at UTC+08:00, and how near to an edge those births are.

Answers are compared with the golden charts (`data/golden/charts`, rows whose authorities can decide) and, on
births drawn at random to the second, with ours. The day begins at 23:00 in both.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from bazi_core.astro import scales, terms
from bazi_core.face import cast
from bazi_core.pillars import pillars_of_instant
from bazi_core.school import School
from benchmarks.births import CITIES, births

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CHARTS = Path(__file__).parents[1] / "data" / "golden" / "charts"
CHINA = timezone(timedelta(hours=8))
COLUMNS = ("year", "month", "day", "hour")
Answers = dict[str, str]


def golden(name: str, contested: bool = False) -> Answers:
    """Reading → pillars of the rows of a golden file, without those that are contested, or of those alone."""
    with open(CHARTS / f"{name}.jsonl", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        row["inputs"]["local"]: " ".join(row["expected"]["sect1"])
        for row in rows
        if (row["grade"] == "contested") == contested
    }


def ours(readings: Iterable[datetime]) -> Answers:
    """Reading → pillars by this project."""
    school = School()
    return {at.isoformat(): str(pillars_of_instant(at.replace(tzinfo=CHINA), school)) for at in readings}


def left_to_the_caller(count: int) -> str:
    """How many charts of births in the cities change when zone, daylight saving and the Sun are taken into account."""
    found = Difference()
    for born in births(count):
        (by_clock,) = ours([born.civil]).values()
        found.add(born.civil, str(cast(born).pillars), by_clock)
    parts = ", ".join(f"{name} {found.columns[name] / count:.1%}" for name in COLUMNS)
    return (
        f"Of {count:,} births in {len(CITIES)} cities of the world, {found.charts / count:.0%} have other pillars by "
        f"their zone, its daylight saving and true solar time than by the clock read as UTC+08:00 ({parts})."
    )


@dataclass(slots=True)
class Difference:
    """How many charts differ, in which columns, and for which reasons; births the program refused apart."""

    asked: int = 0
    charts: int = 0
    refused: int = 0
    columns: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, at: datetime, right: str, answer: str) -> None:
        self.asked += 1
        columns = _columns(right, answer)
        if columns is None:
            self.refused += 1
        elif columns:
            self.charts += 1
            self.columns.update(columns)
            self.reasons[reason(at, columns)] += 1

    def row(self) -> list[str]:
        columns = [str(self.columns[name]) for name in COLUMNS]
        reasons = [f"{count} × {reason}" for reason, count in self.reasons.most_common()]
        refused = [f"{self.refused} × refused"] if self.refused else []
        return [f"{self.charts} of {self.asked}", *columns, "; ".join(refused + reasons) or "–"]


HEAD = ["charts that differ", *COLUMNS, "born"]


def difference(expected: Answers, given: Iterable[str]) -> Difference:
    """The answers of a program against the expected ones, in the same order."""
    found = Difference()
    for (reading, right), answer in zip(expected.items(), given, strict=True):
        found.add(datetime.fromisoformat(reading), right, answer)
    return found


def _columns(right: str, answer: str) -> list[str] | None:
    """The columns that differ; None when the answer is no set of pillars."""
    pairs = list(zip(right.split(), answer.split(), strict=False))
    if len(answer.split()) != 4 or len(answer) != 11:
        return None
    return [name for name, (a, b) in zip(COLUMNS, pairs, strict=True) if a != b]


def reason(at: datetime, columns: list[str]) -> str:
    """The first of `REASONS` that fits a birth and the columns in which it differs."""
    jie = nearest_jie(at)
    return next(text for text, fits in REASONS if fits(at, jie, columns))


def nearest_jie(at: datetime) -> datetime:
    """The 节 nearest to a clock reading at UTC+08:00, on the same clock."""
    utc_ms = scales.ms_of(at - timedelta(hours=8))
    before = terms.position(utc_ms + scales.tt_minus_utc_ms(utc_ms)) & ~1
    near = (scales.utc_from_tt(terms.instant(position)) for position in (before, before + 2))
    return scales.datetime_of(min(near, key=lambda ms: abs(ms - utc_ms))) + timedelta(hours=8)


def _only(columns: list[str], *names: str) -> bool:
    return set(columns) <= set(names)


def _of_term(columns: list[str]) -> bool:
    return _only(columns, "year", "month")


def _within(seconds: float) -> Callable[[datetime, datetime, list[str]], bool]:
    return lambda at, jie, columns: _of_term(columns) and abs((at - jie).total_seconds()) <= seconds


# What can be told from the birth alone; the row that fits first counts.
REASONS: tuple[tuple[str, Callable[[datetime, datetime, list[str]], bool]], ...] = (
    ("between 23:00 and 24:00", lambda at, jie, columns: at.hour == 23 and _only(columns, "day", "hour")),
    ("within 5 s of a 节", _within(5)),
    ("in the minute of a 节", lambda at, jie, columns: _of_term(columns) and _minute(at) == _minute(jie)),
    ("within 60 s of a 节", _within(60)),
    ("within 10 min of a 节", _within(600)),
    ("on the day of a 节", lambda at, jie, columns: _of_term(columns) and at.date() == jie.date()),
    ("within a day of a 节", _within(86_400)),
    ("elsewhere", lambda at, jie, columns: True),
)


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)
