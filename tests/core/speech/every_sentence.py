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
from typing import TYPE_CHECKING, Any, NamedTuple

import bazi_core as bz
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
        when, `?when` what is asked beside the kind, and whether somebody `complains`. Of a year
        only months that end after `as_of` are answered."""
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
            asks_when="?when" in rest,
            asks_whether="?whether" in rest,
            complains="complains" in rest,
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
            speaker.reading(plan.shortened(self.length))
        return {*speaker.keys}


FIRST = (
    Case("1990-05-15", "male"),
    Case("1990-05-15T13:30", ""),
    Case("庚午 辛巳 庚辰 壬午", "male"),
    Case("辛卯 壬辰 丁亥 乙巳", "male"),
    Case("辛未 丁酉 乙酉 乙酉", "male"),
    Case("1990-05-15T13:30", "female", "judgement=facts"),
    Case("1990-05-15T13:30", "female", "judgement=facts", year="2026"),
    Case("1990-05-15T13:30", "female", "time_basis=mean_solar"),
    Case("1990-05-15T13:30", "female", "time_basis=civil"),
    Case("1990-05-15T13:30", "female", "xiaoyun=none", year="1992"),
    Case("1990-05-15T13:30", "female", "judgement=facts", asked="career when", as_of="2026-06-01"),
    Case("1990-05-15T13:30", "female", asked="wealth which 2027", year="2026"),
    Case("1990-05-15T13:30", "female", asked="wealth which 2026 2027", year="2026"),
    Case("1990-05-15T13:30", "female", asked="timing which days", year="2026"),
    Case("1986-08-13T19:10", "male", asked="wealth compare 2026 2027", year="2026"),
    Case("1972-09-02T06:52", "female", asked="marriage compare 2026 2027", year="2026"),
    Case("1992-02-14T01:08", "male", asked="general compare 2027 2028 2030", year="2026-2031"),
    Case("1988-01-09T07:35", "female", asked="children when", as_of="2026-06-01"),
    Case("1965-10-18T04:30", "male", year="2021-2022"),
    Case("1990-05-15T13:30", "female", asked="wealth how_much", year="2026"),
    Case("1990-05-15T13:30", "female", asked="relationship whether other", year="2026"),
    Case("1990-05-15T13:30", "female", asked="wealth which 2040", year="2026-2027"),
    Case("1990-05-15T13:30", "female", asked="left_out whether", year="2026"),
    Case("1990-05-15T13:30", "female", asked="left_out whether partnership !medical", year="2026"),
    Case("1990-05-15T13:30", "female", asked="left_out whether !legal", year="2026"),
    Case("1990-05-15T13:30", "female", asked="left_out whether !minor", year="2026"),
    Case("1990-05-15T13:30", "female", asked="career whether @0", year="2026"),
    Case("1990-05-15T13:30", "female", asked="career whether 2027 @1", year="2026"),
    Case("1990-05-15T13:30", "female", asked="career compare 2026 2027 @0 @1", year="2026"),
    Case("1990-05-15T13:30", "female", asked="career whether @1"),
    Case("1990-05-15T13:30", "female", asked="career whether 2066", year="2026"),
    Case("1992-02-14T01:08", "male", asked="travel_move which", year="2026-2031"),
    Case("1992-02-14T01:08", "male", asked="career when worst", year="2026-2031"),
    Case("1989-10-12T08:10", "male", asked="self describe"),
    Case("1968-03-28T21:10", "male", asked="trade which"),
    Case("1960-06-17T14:10", "male", asked="tai_sui whether", year="2026"),
    Case("1965-06-18T19:10", "male", asked="trade which"),
    Case("1976-12-12T22:10", "male", asked="left_out whether !financial", year="2026"),
    Case("1976-12-12T22:10", "male", asked="health describe", year="2026"),
    Case("1976-12-12T22:10", "male", asked="travel_move whether", year="2026"),
    Case("1993-01-27T14:10", "male", asked="career whether +wealth", year="2026"),
    Case("1993-01-27T14:10", "male", asked="health describe", year="2026"),
    Case("1993-01-27T14:10", "male", asked="career compare 2026 2027 +study", year="2026"),
    Case("1993-01-27T14:10", "male", asked="marriage whether ~husband"),
    Case("1993-01-27T14:10", "female", asked="marriage whether ~wife"),
    Case("1993-01-27T14:10", "male", asked="left_out whether !medical mother"),
    Case("1993-01-27T14:10", "male", asked="children whether !medical"),
    Case("1978-03-03T02:20", "female", asked="general why lately", as_of="2026-06-01"),
    Case("1965-03-10T04:49", "male", asked="general why lately", as_of="2070-06-01"),
    Case("1963-08-18", "male", asked="livelihood which"),
    Case("1918-05-11", "female", asked="general why lately", as_of="1958-06-01"),
    Case("1973-10-30T04:42", "male", asked="general why lately", as_of="1975-06-01"),
    Case("1942-05-09T05:24", "male", asked="general why lately", as_of="1945-06-01"),
    Case("1912-05-23", "male", asked="traits describe"),
    Case("2016-04-13T01:34", "male", asked="livelihood which"),
    Case("1967-01-05T08:23", "female", asked="livelihood which"),
    Case("2009-06-24T07:45", "female", asked="calling which"),
    Case("1950-01-05T19:14", "male", asked="calling which"),
    Case("1950-05-14T02:17", "male", asked="calling which"),
    Case("1923-07-02T14:06", "female", asked="general why lately", as_of="1938-06-01"),
    Case("2017-03-03T16:02", "female", asked="faults describe"),
    Case("1942-05-29", "female", asked="general why lately", as_of="1945-06-01"),
    Case("2004-07-13T21:20", "male", asked="faults describe"),
    *(
        Case(f"{when}T23:40", "female", school)
        for when in ("2001-05-15", "1980-03-02", "1991-08-11", "1975-12-20")
        for school in ("", "day_boundary=00:00")
    ),
    *(Case("1990-05-15T13:30", "female", asked=f"{each} how") for each in ("trade", "wealth")),
    Case("1990-05-15T13:30", "female", asked="general how parents_in_law"),
    Case("1990-05-15T13:30", "female", asked="general whether acquaintance"),
    Case("2048-11-17T16:43", "female", "ge_ju=0 tiao_hou_table=0 tong_guan=0 bing_yao=0 presence=0"),
    Case("1955-01-01T15:05", "female"),
    Case("2011-12-04T04:58", "male", "ge_ju=0 tiao_hou_table=0 tong_guan=0 bing_yao=0 presence=0"),
    Case("2011-01-02T15:37", "male", "fu_yi=0", asked="study why"),
    Case("2011-01-02T15:37", "male", "fu_yi=0", asked="parents why"),
    Case("1989-01-28T16:57", "female", asked="wealth why"),
    Case("1989-01-28T16:57", "female", asked="parents why"),
    Case("1989-01-28T16:57", "female", asked="study why"),
    Case("1964-02-01T08:47", "male", asked="children why"),
    Case("1964-02-01T08:47", "male", asked="study why"),
    Case("1953-10-01T23:36", "male", asked="wealth why"),
    Case("1953-10-01T23:36", "male", asked="children why"),
    Case("2007-02-27T00:11", "male", asked="relationship why"),
    Case("1972-08-14T15:31", "male", asked="career why"),
    Case("1972-08-14T15:31", "male", asked="children why"),
    Case("2023-11-28T21:16", "female", asked="relationship why"),
    Case("2004-02-19T08:17", "female", asked="wealth why"),
    Case("1939-10-09T12:55", "male"),
    Case("1985-02-12T17:30", "female", asked="career how"),
    *(
        Case(f"19{year}-0{month}-10T23:45", "male", "day_boundary=00:00")
        for year in range(50, 62)
        for month in (2, 5, 8)
    ),
    Case("1983-06-10T18:20", "female", year="2015", asked="wealth why"),
    Case("1961-10-11T16:40", "male", year="2009", asked="marriage whether ~wife"),
    Case("1944-06-11T18:43", "female", year="1979", asked="marriage whether ~husband"),
    Case("1978-08-01T14:31", "male", year="2016", asked="marriage whether ~wife"),
    *(
        Case("1930-10-27T21:29", "female", year="1966", asked=f"career whether{form}")
        for form in ("", " =fit", " =may", " =will")
    ),
    *(
        Case("1970-07-14T21:16", "female", year="1997", asked=f"career whether{form}")
        for form in ("", " =may")
    ),
    Case("1989-01-28T16:57", "female", year="2017", asked="general whether"),
    Case("1947-09-05T09:42", "male", year="1994", asked="general whether"),
    Case("1978-05-12T14:15", "male", year="2020", asked="general whether"),
    Case("2005-05-02T23:03", "male", year="2049", asked="general whether"),
    Case("1955-11-28T23:09", "female", year="1975", asked="general whether"),
    Case("1986-03-02T13:11", "female", year="2029", asked="general whether"),
    Case("1989-05-24T11:50", "male", year="2029", asked="career whether"),
    Case("1990-05-15T13:30", "female", year="2026", asked="relationship whether =feared"),
    Case("1990-05-15T13:30", "female", year="2026", asked="career whether =feared"),
    Case("1930-10-27T21:29", "female", year="1966", asked="career whether =feared"),
    Case("1970-07-14T21:16", "female", year="1997", asked="career whether =feared"),
    Case("1982-01-29T05:13", "female", year="2033", asked="relationship whether =feared"),
    Case("1982-12-10T01:18", "male", year="2031", asked="career when", as_of="2031-10-20"),
    Case("1948-11-28T10:00", "female", year="1976", asked="career when", as_of="1976-10-20"),
    *(Case(f"19{year}-02-10T00:20", "male", "day_boundary=00:00", longitude="110") for year in range(50, 62)),
    Case("2009-07-06T00:13", "female", asked="timing which decade ^best", as_of="2039-06-01"),
    Case("1961-02-07T18:12", "male", asked="timing which decade ^best", as_of="1991-06-01"),
    Case("1998-07-19T08:47", "male", asked="timing which decade ^best", as_of="2028-06-01"),
    Case("2009-07-06T00:13", "female", asked="timing which decade ^worst", as_of="2039-06-01"),
    Case("1930-06-02T12:30", "male", asked="timing which decade ^worst", as_of="1960-06-01"),
    Case("1965-09-09T15:28", "female", asked="timing which decade ^worst", as_of="1995-06-01"),
    Case("1988-01-02T12:30", "male", asked="mate describe"),
    Case("1988-01-03T12:30", "male", asked="mate describe"),
    Case("1988-01-04T12:30", "male", asked="mate describe"),
    Case("1988-01-08T12:30", "male", asked="mate describe"),
    Case("1988-01-12T12:30", "male", asked="mate describe"),
    Case("1988-01-28T12:30", "male", asked="mate describe"),
    Case("1990-05-15T13:30", "", asked="mate describe"),
    Case("1964-10-18T04:11", "male", asked="marriage why"),
    Case("1964-10-18T04:11", "female", asked="marriage why"),
    Case("丁卯 丁未 癸卯 戊午", "male"),
    Case("戊辰 庚申 乙酉 丙戌", "male"),
    Case("1990-02-15T12:58", "female"),
    Case("1990-02-15T12:58", "female", "time_basis=civil"),
    Case("1990-01-26T23:58", "female", "time_basis=civil year_boundary=lunar_new_year"),
    Case("1990-01-26T00:10", "female", "year_boundary=lunar_new_year"),
    Case("1990-01-27T00:10", "female", "year_boundary=lunar_new_year"),
    Case("2001-05-15T22:58", "female", "time_basis=civil"),
    Case("1981-07-13T15:05", "female", asked="children when", as_of="2026-11-27"),
    Case("1987-10-18T18:30", "female", asked="career when >2034", as_of="2026-11-27"),
    *(
        Case("1992-07-27T17:30", "female", year=str(year), asked="career compare :stay_or_go")
        for year in range(2024, 2032)
    ),
    *(
        Case(f"200{n}-03-30T11:05", "male", asked="travel_move compare :stay_or_go", as_of="2026-11-27")
        for n in range(1, 6)
    ),
    Case("1987-10-18T18:30", "female", asked="travel_move compare :places", as_of="2026-11-27"),
    *(Case(f"1990-0{n}-15T13:30", "female", asked="direction which :colour") for n in range(1, 10)),
    *(
        Case("1979-10-03T22:45", "male", year=str(year), asked="career whether =feared")
        for year in range(2024, 2034)
    ),
    *(
        Case("2009-03-14T09:05", "male", year=str(year), asked="study whether :exam m6")
        for year in range(2025, 2035)
    ),
    Case("1979-10-06T15:05", "male", year="2026", asked="wealth why"),
    Case("1978-02-11T10:00", "female", asked="general why complains", as_of="2026-11-27"),
    Case("1978-02-11T10:00", "female", asked="general why lately complains", as_of="2026-11-27"),
    Case("1983-08-27T22:45", "male", asked="wealth when :debt", as_of="2026-11-27"),
    Case("1983-08-27T22:45", "male", asked="left_out whether !medical :begetting"),
    Case("1983-08-27T22:45", "male", asked="left_out whether !medical :begetting spouse"),
    Case("1983-08-27T22:45", "male", asked="pet whether"),
    *(
        Case(f"19{year}-10-18T18:30", "female", asked="study compare +career", as_of="2026-11-27")
        for year in range(80, 99)
    ),
    Case("1984-07-07T17:45", "male", year="2027-2032", asked="career when"),
    Case("1972-01-25T21:30", "female", asked="career whether child", as_of="2026-11-27"),
    Case("1938-10-12T06:20", "female", year="2027", asked="travel_move whether =fit :journey"),
    *(
        Case(f"1990-0{n}-15T{hour}:30", "male", asked="travel_move compare :stay_or_go", as_of="2026-11-27")
        for n in range(1, 10)
        for hour in ("05", "11", "17", "21")
    ),
    *(
        Case(f"19{year}-10-03T22:45", "male", year="2026", asked="career whether =feared", as_of="2027-01-20")
        for year in range(70, 90)
    ),
    Case("1987-10-18T18:30", "female", asked="direction which :colour"),
    Case("1974-09-16T12:40", "male", asked="wealth why"),
    Case("1979-10-06T15:05", "male", year="2026", asked="wealth when", as_of="2026-11-27"),
)
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
    "income",
    "debt",
    "begetting",
)
FURTHER = ("career", "wealth", "relationship", "children", "study", "health")
DOMAINS = (*SCORES, *BEYOND, *UNANSWERED)
KINDS = ("whether", "which", "when", "how", "why", "compare", "describe")


def of_charts() -> set[str]:
    """The keys that are said of charts and years; those of casts and of the almanac are said of these."""
    return {key for key in catalogue() if not key.startswith(("cast.", "counter", "almanac."))}


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


def _more(rng: random.Random, year: str) -> str:
    """Perhaps another year, months, a horizon, a further domain, why it is left out, a relative."""
    more = f" {int(year) + rng.randrange(5)}" if year and rng.random() < 0.4 else ""
    more += f" {rng.choice((MONTHS, DAYS, LATELY, DECADE))}" if rng.random() < 0.3 else ""
    more += f" m{rng.randrange(1, 13)}" * (rng.random() < 0.3) + f" m{rng.randrange(1, 13)}" * (
        rng.random() < 0.2
    )
    more += f" +{rng.choice(FURTHER)}" * (rng.random() < 0.3)
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
