"""Charts that together are told every sentence of the catalogue, kept in `every_sentence.csv`.

Most sentences are said of any handful of charts, some of one in thousands. `python -m tests.core.readings.every_sentence`
looks for them among random births and writes the file anew; it takes some minutes and is needed when a rule changes
whom a sentence is said of.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import bazi_core as bz
from bazi_core.readings.narrator.catalogue import catalogue
from bazi_core.readings.narrator.summary import summary_story
from bazi_core.school import School
from tests.core.readings.rejections import LENGTHS, TONES, of_pattern, of_year

FILE = Path(__file__).with_name("every_sentence.csv")
WEIGHTS = (
    "fu_yi",
    "ge_ju",
    "tiao_hou_cold",
    "tiao_hou_hot",
    "tiao_hou_table",
    "tong_guan",
    "presence",
    "bing_yao",
)
HEAD = """\
# Charts that together are told every sentence of the catalogue, each for the sake of a few that are seldom said. Births at
# 120°E, UTC+8; a date alone has no hour, pillars have no birth. school: options and weights that differ from the defaults.
# year: that of a year reading; else the reading of the pattern and the summary of the chart. Written by every_sentence.py.
"""


class Case(NamedTuple):
    """A chart and how it is told."""

    when: str
    gender: str
    school: str = ""
    tone: str = "neutral"
    length: str = "long"
    year: str = ""

    @property
    def chart(self) -> Any:
        gender, school = self.gender or None, _school(self.school)
        if self.when[0] not in "12":
            return bz.chart(pillars=self.when, gender=gender, school=school)
        hourless = len(self.when) == len("1990-05-15")
        return bz.chart(
            self.when, utc_offset=8, longitude=120, gender=gender, school=school, hour_unknown=hourless
        )

    def keys(self) -> set[str]:
        """The keys of the catalogue that are used."""
        if self.year:
            return set(of_year(self.chart.year(int(self.year)), "en", self.tone, self.length).keys)
        summary = summary_story(self.chart, "en")
        summary.reading("", ())
        return {*of_pattern(self.chart.pattern(), "en", self.tone, self.length).keys, *summary.keys}


FIRST = (
    Case("1990-05-15", "male"),
    Case("1990-05-15T13:30", ""),
    Case("庚午 辛巳 庚辰 壬午", "male"),
    Case("1990-05-15T13:30", "female", "judgement=facts"),
    Case("1990-05-15T13:30", "female", "judgement=facts", year="2026"),
    Case("1990-05-15T13:30", "female", "time_basis=mean_solar"),
    Case("1990-05-15T13:30", "female", "time_basis=civil"),
    Case("1990-05-15T13:30", "female", "xiaoyun=none", year="1992"),
)
SCHOOLS = (
    *("",) * 6,
    "fu_yi=0",
    "strength_method=majority_3",
    "strength_method=month_command",
    "ge_ju=0 tiao_hou_table=0 tong_guan=0 bing_yao=0 presence=0",
    "star_set=full",
)


def _school(text: str) -> School:
    options = dict(pair.split("=") for pair in text.split())
    weights = {name: float(options.pop(name)) for name in WEIGHTS if name in options}
    return School(**options, **({"yong_weights": weights} if weights else {}))  # type: ignore[arg-type]


def cases() -> tuple[Case, ...]:
    """The cases of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(Case(**row) for row in csv.DictReader(line for line in file if not line.startswith("#")))


def _drawn(rng: random.Random) -> Case:
    when = datetime(1900, 1, 1) + timedelta(minutes=rng.randrange(150 * 365 * 1440))
    year = str(when.year + rng.randrange(1, 40)) if rng.random() < 0.2 else ""
    tone, length = rng.choice(TONES), rng.choice((*LENGTHS, "long", "long"))
    return Case(
        when.isoformat()[:16], rng.choice(("male", "female")), rng.choice(SCHOOLS), tone, length, year
    )


def main(most: int) -> int:
    """Draw so many births at most; write those that add a sentence, those that the file has already first."""
    wanted, kept, rng = set(catalogue()), list[Case](), random.Random(77)
    known = cases() if FILE.exists() else ()
    for case in (*FIRST, *known, *(_drawn(rng) for _ in range(most))):
        new = wanted & case.keys()
        if new:
            kept.append(case)
            wanted -= new
        if not wanted:
            break
    with FILE.open("w", encoding="utf-8", newline="") as file:
        file.write(HEAD)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows((Case._fields, *kept))
    print(f"{len(kept)} charts; not said: {' '.join(sorted(wanted)) or 'nothing'}")
    return min(len(wanted), 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000))
