"""Charts that together are told every sentence of the catalogue, kept in `every_sentence.csv`.

Most sentences are said of any handful of charts, some of one in thousands. `python -m tests.core.speech.every_sentence`
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
from bazi_core.school import School
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES, Speaker
from bazi_core.speech.statements.answer import BEYOND, SCORES, SET_ASIDE, Asked
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.summary import summary_plan
from bazi_core.speech.statements.year import year_plan

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
# year: that of a year reading; else the reading of the pattern and the summary of the chart. asked: domain, kind and years
# of a question; as_of: where in its luck the chart stands. Written by every_sentence.py.
"""


class Case(NamedTuple):
    """A chart and how it is told."""

    when: str
    gender: str
    school: str = ""
    tone: str = "neutral"
    length: str = "long"
    year: str = ""
    asked: str = ""
    as_of: str = ""

    @property
    def chart(self) -> Any:
        gender, school = self.gender or None, _school(self.school)
        if self.when[0] not in "12":
            return bz.chart(pillars=self.when, gender=gender, school=school)
        hourless = len(self.when) == len("1990-05-15")
        return bz.chart(
            self.when, utc_offset=8, longitude=120, gender=gender, school=school, hour_unknown=hourless
        )

    @property
    def question(self) -> Asked | None:
        """Domain, kind and perhaps years."""
        if not self.asked:
            return None
        domain, _, rest = self.asked.partition(" ")
        kind, *years = rest.split()
        return Asked(domain, kind, tuple(map(int, years)))

    def keys(self) -> set[str]:
        """The keys of the catalogue that are used."""
        asked, chart = self.question, self.chart
        if self.year:
            plans = [year_plan(chart.year(int(self.year)), frozenset(), asked)]
        else:
            running = chart.running(self.as_of) if self.as_of else None
            plans = [pattern_plan(chart.pattern(), frozenset(), running, asked), summary_plan(chart)]
        speaker = Speaker("en", plans[0].digest, self.tone)
        for plan in plans:
            speaker.word(plan.title)
            speaker.reading(plan.shortened(self.length))
        return {*speaker.keys}


FIRST = (
    Case("1990-05-15", "male"),
    Case("1990-05-15T13:30", ""),
    Case("庚午 辛巳 庚辰 壬午", "male"),
    Case("1990-05-15T13:30", "female", "judgement=facts"),
    Case("1990-05-15T13:30", "female", "judgement=facts", year="2026"),
    Case("1990-05-15T13:30", "female", "time_basis=mean_solar"),
    Case("1990-05-15T13:30", "female", "time_basis=civil"),
    Case("1990-05-15T13:30", "female", "xiaoyun=none", year="1992"),
    Case("1990-05-15", "male", asked="career when", as_of="2026-06-01"),
    Case("1990-05-15T13:30", "female", "judgement=facts", asked="career when", as_of="2026-06-01"),
    Case("1990-05-15T13:30", "female", asked="wealth which 2027", year="2026"),
    Case("1990-05-15T13:30", "female", asked="wealth which 2026 2027", year="2026"),
    Case("1990-05-15T13:30", "female", asked="timing which", year="2026"),
    Case("1990-05-15T13:30", "female", asked="left_out whether", year="2026"),
)
SCHOOLS = (
    *("",) * 6,
    "fu_yi=0",
    "strength_method=majority_3",
    "strength_method=month_command",
    "ge_ju=0 tiao_hou_table=0 tong_guan=0 bing_yao=0 presence=0",
    "star_set=full",
)


DOMAINS = (*SCORES, *BEYOND, SET_ASIDE)
KINDS = ("whether", "which", "when", "how", "why", "compare", "describe")


def of_charts() -> set[str]:
    """The keys that are said of charts and years; those of casts are said of casts."""
    return {key for key in catalogue() if not key.startswith("cast.") and key != "counter"}


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
    year = str(when.year + rng.randrange(1, 40)) if rng.random() < 0.3 else ""
    asked = f"{rng.choice(DOMAINS)} {rng.choice(KINDS)}" if rng.random() < 0.5 else ""
    asked += f" {int(year) + rng.randrange(2)}" if asked and year else ""
    as_of = f"{when.year + rng.randrange(1, 110)}-06-01" if rng.random() < 0.5 else ""
    tone, length = rng.choice(TONES), rng.choice((*SENTENCES, "long", "long"))
    return Case(
        when.isoformat()[:16],
        rng.choice(("male", "female")),
        rng.choice(SCHOOLS),
        tone,
        length,
        year,
        asked,
        min(as_of, "2090-06-01") if as_of else "",
    )


def main(most: int) -> int:
    """Draw so many births at most; write those that add a sentence, those that the file has already first."""
    wanted, kept, rng = set(of_charts()), list[Case](), random.Random(77)
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
