"""Charts that together are told every sentence of the catalogue, kept in `every_sentence.csv`.

Most sentences are said of any handful of charts, some of one in thousands. `python -m tests.core.speech.every_sentence`
looks for them among random births, and among other births of the cases that the file has, and writes the file anew; it takes
some minutes and is needed when a rule changes whom a sentence is said of.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bazi_core as bz
from bazi_core.questions.marks import MARKS
from bazi_core.questions.paths import PAIRS
from bazi_core.questions.terms import names
from bazi_core.readings.sight import beside, in_sight
from bazi_core.school import School
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES, Speaker
from bazi_core.speech.statements.asked import (
    BEYOND,
    DAYS,
    DECADE,
    LATELY,
    MONTHS,
    OTHER,
    PARTNERSHIP,
    SCORES,
    UNANSWERED,
    WORST,
    Asked,
)
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.statements.summary import summary_plan
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.statements.years import years_plan

if TYPE_CHECKING:
    from bazi_core.speech.plan import Plan

FILE = Path(__file__).with_name("every_sentence.csv")
WEIGHTS = (
    "fu_yi", "ge_ju", "tiao_hou_cold", "tiao_hou_hot", "tiao_hou_table", "tong_guan", "presence",
    "bing_yao",
)  # fmt: skip
HEAD = """\
# Charts that together are told every sentence of the catalogue, each for the sake of a few that are seldom said. Births at
# UTC+8 and the longitude; a date alone has no hour, pillars have no birth. school: options and weights that are set.
# year: that of a year reading, or the first and last of years side by side; else the reading of the pattern and the summary
# of the chart. asked: domain and kind of a question, with its years, months (m6), horizon and relative; as_of: where in its
# luck the chart stands. Written by every_sentence.py.
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
    longitude: str = "120"

    @property
    def chart(self) -> Any:
        gender, school = self.gender or None, _school(self.school)
        if self.when[0] not in "12":
            return bz.chart(pillars=self.when, gender=gender, school=school)
        hourless = len(self.when) == len("1990-05-15")
        return bz.chart(
            self.when, utc_offset=8, longitude=float(self.longitude), gender=gender, school=school,
            hour_unknown=hourless,
        )  # fmt: skip

    @property
    def question(self) -> Asked | None:
        """Domain, kind, and more in any order: `+study` beside it, `@1` next year, `!legal` why it is left out, `~wife` the
        word for a partner, `=may` how it asks for yes or no, `:home` what is planned, `^best` which is wanted, `>2030` by
        when, `<5` before which month, `%mother` whose chart it is, `&own/post` two ways of working, `/care/law` fields of
        work, `*star:驿马` what is looked up, `#2027` the year in which it is asked, `?when` what is asked beside the kind,
        the marks of a question, and `$甲` the stem or branch that the asker claims.
        Of a year only months that end after `as_of` are answered."""
        if not self.asked:
            return None
        domain, kind, *rest = self.asked.split()
        years = tuple(sorted({int(each) for each in rest if each.isdigit()}))
        months = tuple(int(each[1:]) for each in rest if each[1:].isdigit() and each[0] == "m")
        horizon = next((each for each in rest if each in (MONTHS, DAYS, LATELY, DECADE, WORST)), "life")
        subject = next((each for each in rest if each in (*KIN, OTHER, PARTNERSHIP)), "self")
        also = tuple(each[1:] for each in rest if each[0] == "+")
        ahead = tuple(int(each[1:]) for each in rest if each[0] == "@")
        why = next((each[1:] for each in rest if each[0] == "!"), "")
        mate = next((each[1:] for each in rest if each[0] == "~"), "")
        form = next((each[1:] for each in rest if each[0] == "="), "")
        matter = next((each[1:] for each in rest if each[0] == ":"), "")
        extreme = next((each[1:] for each in rest if each[0] == "^"), "")
        until = next((int(each[1:]) for each in rest if each[0] == ">"), 0)
        by_month = next((int(each[1:]) for each in rest if each[0] == "<"), 0)
        paths = next((tuple(each[1:].split("/")) for each in rest if each[0] == "&"), ())
        terms = tuple(each[1:] for each in rest if each[0] == "*")
        trades = next((tuple(each[1:].split("/")) for each in rest if each[0] == "/"), ())
        this_year = next((int(each[1:]) for each in rest if each[0] == "#"), 0)
        owner = next((each[1:] for each in rest if each[0] == "%"), "")
        return Asked(
            domain,
            kind,
            years,
            months,
            horizon,
            subject,
            also,
            ahead,
            why,
            mate=mate,
            form=form,
            matter=matter,
            extreme=extreme,
            until=until,
            by_month=by_month,
            owner=owner,
            paths=paths,
            trades=trades,
            terms=terms,
            this_year=this_year,
            asks_when="?when" in rest,
            asks_whether="?whether" in rest,
            marks=frozenset(rest).intersection(MARKS),
            claims=tuple(each[1:] for each in rest if each[0] == "$"),
            after=self.after,
        )

    @property
    def after(self) -> datetime | None:
        """The instant after which months of a year are told of."""
        return datetime.fromisoformat(self.as_of) if self.as_of and self.year else None

    @property
    def plans(self) -> list[Plan]:
        """What is said: of years, of a year, or of the chart and in its summary."""
        asked, chart = self.question, self.chart
        if "-" in self.year:
            return [years_plan(chart.years(*map(int, self.year.split("-"))), frozenset(), asked)]
        if self.year:
            year = chart.year(int(self.year))
            return [year_plan(year, frozenset(), asked, beside(year, asked), self.after)]
        running = chart.running(self.as_of) if self.as_of else None
        result = chart.pattern()
        told = pattern_plan(result, frozenset(), running, asked, in_sight(result, asked, running))
        return [told, summary_plan(chart)]

    def keys(self) -> set[str]:
        """The keys of the catalogue that are used."""
        plans = self.plans
        speaker = Speaker("en", plans[0].digest, self.tone)
        for plan in plans:
            speaker.word(plan.title)
            for plain in (False, True):
                speaker.reading(plan.shortened(self.length, plain=plain))
        return {*speaker.keys}


SCHOOLS = (
    *("",) * 6,
    "fu_yi=0",
    "strength_method=majority_3",
    "strength_method=month_command",
    "ge_ju=0 tiao_hou_table=0 tong_guan=0 bing_yao=0 presence=0",
    "star_set=full",
)


FORMS = ("fit", "may", "will", "feared")
MATTERS = (
    *(key.removeprefix("matter.") for key in catalogue() if key.startswith("matter.")),
    "stay_or_go",
    "places",
    "colour",
    "naming",
    "income",
    "debt",
    "begetting",
)
LOOKED_UP = ("foes", *(f"{kind}:{name}" for kind, name, _ in names()))
FURTHER = ("career", "wealth", "relationship", "children", "study", "health")
DOMAINS = (*SCORES, *BEYOND, *UNANSWERED)
KINDS = ("whether", "which", "when", "how", "why", "compare", "describe")


def of_charts() -> set[str]:
    """The keys that are said of charts and years; those of casts and of the almanac are said of these."""
    return {
        key
        for key in catalogue()
        if not key.startswith(("cast.", "counter", "further", "answer.same", "almanac."))
    }


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
    year = (
        str(when.year + rng.choice((rng.randrange(1, 40), rng.randrange(1, 90))))
        if rng.random() < 0.4
        else ""
    )
    asked = f"{rng.choice(DOMAINS)} {rng.choice(KINDS)}" if rng.random() < 0.6 else ""
    asked += f" {int(year) + rng.randrange(2)}" if asked and year and rng.random() < 0.7 else ""
    asked += _more(rng, year) if asked else ""
    year += f"-{int(year) + rng.randrange(1, 6)}" if year and rng.random() < 0.4 else ""
    as_of = f"{when.year + rng.randrange(1, 110)}-06-01" if rng.random() < 0.5 else ""
    if year and "-" not in year and rng.random() < 0.3:
        as_of = f"{year}-{rng.choice(('06-20', '10-20'))}"
    tone, length = rng.choice(TONES), rng.choice((*SENTENCES, "long", "long"))
    return Case(
        when.isoformat()[: 10 if rng.random() < 0.1 else 16],
        rng.choice(("male", "female")),
        rng.choice(SCHOOLS),
        tone,
        length,
        year,
        asked,
        min(as_of, "2090-06-01") if as_of else "",
    )


def _again(rng: random.Random, case: Case) -> Case:
    """A case of another birth of its year: what is drawn asks no question that must be put in a way of its own."""
    if case.when[0] not in "12":
        return case
    when = datetime(int(case.when[:4]), 1, 1) + timedelta(minutes=rng.randrange(365 * 1440))
    return case._replace(when=when.isoformat()[: len(case.when)])


def _more(rng: random.Random, year: str) -> str:
    """Perhaps another year, months, a horizon, a further domain, why it is left out, a relative."""
    more = f" {int(year) + rng.randrange(5)}" if year and rng.random() < 0.4 else ""
    more += f" {rng.choice((MONTHS, DAYS, LATELY, DECADE))}" if rng.random() < 0.3 else ""
    more += f" m{rng.randrange(1, 13)}" * (rng.random() < 0.3) + f" m{rng.randrange(1, 13)}" * (
        rng.random() < 0.2
    )
    more += f" +{rng.choice(FURTHER)}" * (rng.random() < 0.3)
    more += f" #{int(year) + rng.randrange(2)}" if year else ""
    more += f" &{'/'.join(rng.choice(PAIRS))}" + f" *{rng.choice(LOOKED_UP)}" * 2
    more += " !financial" * (rng.random() < 0.3)
    more += " complains" * (rng.random() < 0.2) + " !medical" * (rng.random() < 0.1)
    more += f" ={rng.choice(FORMS)}" * (rng.random() < 0.7) + f" :{rng.choice(MATTERS)}" * (
        rng.random() < 0.5
    )
    return more + (f" {rng.choice([*KIN])}" if rng.random() < 0.3 else "")


def main(most: int) -> int:
    """Draw so many births at most; write those that add a sentence, those that the file has already first."""
    wanted, kept, rng = set(of_charts()), list[Case](), random.Random(77)
    known = cases() if FILE.exists() else ()
    drawn = (_again(rng, rng.choice(known)) if known and n % 2 else _drawn(rng) for n in range(most))
    for case in (*known, *drawn):
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
