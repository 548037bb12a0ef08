"""Sentences as a language model would write them, true and false, with the facts of the charts that they speak of.

`python -m tests.core.readings.free_text` prints how many true ones are accepted and how many false ones are caught; with the
word `evasions` the same for the sentences of that table.
"""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import bazi_core as bz
from bazi_core.facts import Fact, collect
from bazi_core.readings.grounding import check
from tests.core.readings.corpus import Reading, Section, Sentence

_CHARTS = {
    "a": ("1990-05-15 13:30", "北京", "male"),
    "b": ("1985-11-20 04:10", "上海", "female"),
}
_OF_YEAR = {"c": ("a", 2026)}  # with the facts of a year as they are computed
# Facts of 2026 in the form in which the year layer states them: id, kind, subject, predicate, value, text, position.
_YEAR: dict[str, tuple[tuple[str, str, str, str, str | int, str, str | None], ...]] = {
    "a": (
        ("ln.2026", "flow", "2026", "pillar", "丙午", "2026年流年丙午", "liunian"),
        ("ln.2026.age", "age", "2026", "nominal", 37, "2026年虚岁37、周岁36", "liunian"),
        ("ln.2026.tg.stem", "ten_god", "liunian", "ten_god", "七杀", "流年天干丙为七杀", "liunian"),
        ("ln.2026.tg.branch", "ten_god", "liunian", "ten_god", "正官", "流年地支午为正官", "liunian"),
        ("ln.2026.role.stem", "role", "火", "喜神", "火", "流年天干丙属火，为喜神", "liunian"),
        ("ln.2026.role.branch", "role", "火", "喜神", "火", "流年地支午属火，为喜神", "liunian"),
        ("ln.2026.rel.干合.丙辛.liunian-month", "relation", "丙辛", "干合", "成立",
         "流年干丙与月干辛干合水，成立", "liunian-month"),
        ("dy.3.tg.stem", "ten_god", "luck", "ten_god", "偏财", "大运天干甲为偏财", "luck"),
        ("dy.3.tg.branch", "ten_god", "luck", "ten_god", "比肩", "大运地支申为比肩", "luck"),
        ("dy.3.role.stem", "role", "木", "闲神", "木", "大运天干甲属木，为闲神", "luck"),
        ("dy.3.role.branch", "role", "金", "忌神", "金", "大运地支申属金，为忌神", "luck"),
        ("yr.2026.E-04", "event", "2026", "值太岁", "平", "2026年流年支午与年支午相同，值太岁", None),
        ("yr.2026.E-23", "event", "2026", "忌神受制", "吉", "2026年流年天干丙克金，忌神受制", None),
        ("yr.2026.score.overall", "score", "2026", "overall", 57, "2026年总评57分", None),
        ("yr.2026.score.career", "score", "2026", "career", 62, "2026年事业62分", None),
        ("yr.2026.score.wealth", "score", "2026", "wealth", 48, "2026年财运48分", None),
        ("yr.2026.level", "level", "2026", "level", "中平", "2026年等级为中平", None),
        ("lm.2026.05", "flow", "2026-05", "pillar", "甲午", "2026年第5个流月甲午，自芒种起", "liuyue"),
        ("lm.2026.08", "flow", "2026-08", "pillar", "丁酉", "2026年第8个流月丁酉，自白露起", "liuyue"),
    ),
    "b": (
        ("ln.2026", "flow", "2026", "pillar", "丙午", "2026年流年丙午", "liunian"),
        ("ln.2026.age", "age", "2026", "nominal", 42, "2026年虚岁42、周岁41", "liunian"),
        ("ln.2026.tg.stem", "ten_god", "liunian", "ten_god", "正财", "流年天干丙为正财", "liunian"),
        ("ln.2026.tg.branch", "ten_god", "liunian", "ten_god", "偏财", "流年地支午为偏财", "liunian"),
        ("ln.2026.role.stem", "role", "火", "仇神", "火", "流年天干丙属火，为仇神", "liunian"),
        ("ln.2026.role.branch", "role", "火", "仇神", "火", "流年地支午属火，为仇神", "liunian"),
        ("ln.2026.rel.半合.午寅.liunian-hour", "relation", "午寅", "半合", "成立",
         "流年支午与时支寅半合火，成立", "liunian-hour"),
        ("ln.2026.rel.干合.辛丙.luck-liunian", "relation", "辛丙", "干合", "成立",
         "大运干辛与流年干丙干合水，成立", "luck-liunian"),
        ("dy.4.tg.stem", "ten_god", "luck", "ten_god", "偏印", "大运天干辛为偏印", "luck"),
        ("dy.4.tg.branch", "ten_god", "luck", "ten_god", "食神", "大运地支卯为食神", "luck"),
        ("dy.4.role.stem", "role", "金", "用神", "金", "大运天干辛属金，为用神", "luck"),
        ("dy.4.role.branch", "role", "木", "闲神", "木", "大运地支卯属木，为闲神", "luck"),
        ("yr.2026.E-08", "event", "2026", "害太岁", "凶", "2026年流年支午与年支丑六害，害太岁", None),
        ("yr.2026.E-19", "event", "2026", "用神透出", "吉", "2026年大运天干辛属金，用神透出", None),
        ("yr.2026.score.overall", "score", "2026", "overall", 46, "2026年总评46分", None),
        ("yr.2026.score.relationship", "score", "2026", "relationship", 41, "2026年感情41分", None),
        ("yr.2026.score.wealth", "score", "2026", "wealth", 44, "2026年财运44分", None),
        ("yr.2026.score.study", "score", "2026", "study", 55, "2026年学业55分", None),
        ("yr.2026.level", "level", "2026", "level", "中平", "2026年等级为中平", None),
        ("lm.2026.08", "flow", "2026-08", "pillar", "丁酉", "2026年第8个流月丁酉，自白露起", "liuyue"),
    ),
}  # fmt: skip


class Free(NamedTuple):
    """A sentence with the chart it speaks of; `flaw` is empty when it is true."""

    part: str
    chart: str
    language: str
    flaw: str
    evidence: tuple[str, ...]
    text: str

    @property
    def reading(self) -> Reading:
        sentence = Sentence(self.text, self.evidence, "inference", True)
        return Reading("", (sentence,), (Section("overview", ()),), ())


class Score(NamedTuple):
    """Of a part and language: true sentences and those accepted, false sentences and those caught."""

    true: int
    accepted: int
    false: int
    caught: int


@cache
def facts_of(name: str) -> dict[str, Fact]:
    """The facts of a chart and of its year 2026."""
    if name in _OF_YEAR:
        of, year = _OF_YEAR[name]
        when, city, gender = _CHARTS[of]
        return dict(bz.chart(when, city=city, gender=gender).year(year).all_facts)
    when, city, gender = _CHARTS[name]
    own = bz.chart(when, city=city, gender=gender).pattern().all_facts
    return {**own, **collect(Fact(*row) for row in _YEAR[name])}


@cache
def sentences(table: str = "free_text") -> tuple[Free, ...]:
    """The sentences of a table: `free_text` as a model writes them, or `evasions` as somebody who tries to get past."""
    with open(Path(__file__).with_name(f"{table}.csv"), encoding="utf-8", newline="") as file:
        found = csv.DictReader(line for line in file if not line.startswith("#"))
        return tuple(_free(**row) for row in found)


def _free(evidence: str, **row: str) -> Free:
    return Free(evidence=tuple(evidence.split()), **row)


def passes(one: Free) -> bool:
    """Whether the checker accepts a sentence as the only one of a reading."""
    return check(one.reading, facts_of(one.chart), language=one.language).passed


def scores(table: str = "free_text") -> dict[tuple[str, str], Score]:
    """How the checker does, by part and language."""
    found: dict[tuple[str, str], Score] = {}
    for one in sentences(table):
        old = found.get((one.part, one.language), Score(0, 0, 0, 0))
        good = passes(one)
        step = Score(0, 0, 1, not good) if one.flaw else Score(1, good, 0, 0)
        found[one.part, one.language] = Score(*(a + b for a, b in zip(old, step, strict=True)))
    return found


def report(wrong: bool = True, table: str = "free_text") -> str:
    """The scores as text, with the sentences that are judged wrongly."""
    lines = [
        f"{part:7} {language:8} true accepted {one.accepted}/{one.true}  false caught {one.caught}/{one.false}"
        for (part, language), one in scores(table).items()
    ]
    for one in sentences(table) if wrong else ():
        if passes(one) == bool(one.flaw):
            made = check(one.reading, facts_of(one.chart), language=one.language)
            why = ", ".join(f"{each.term} {each.category} {each.reason}" for each in made.contradicted)
            lines.append(
                f"{one.part} {one.language} {one.flaw or 'true'}: {one.text}  {' '.join(one.evidence)}  {why}"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(table=(sys.argv[1:] or ["free_text"])[0]))
