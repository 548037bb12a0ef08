"""Random charts, read by the narrator in every language, tone and length, and held against the checker.

Births over two centuries and the whole clock; among them charts without an hour or a gender, given pillars, and
other schools. `python -m tests.core.readings.rejections 10000` reads so many charts and prints what was rejected.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import bazi_core as bz
from bazi_core.facts import Fact
from bazi_core.readings.grounding import Requirement, check
from bazi_core.readings.narrator import pattern_story, year_story
from bazi_core.readings.reading import Reading, Sentence, problems_of, schema
from bazi_core.readings.requirements import pattern_requirements, year_requirements
from bazi_core.readings.safety import disclaimer, unsafe
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES

TONES = ("neutral", "warm", "direct")
LENGTHS = ("short", "standard", "long")
SCHOOLS = tuple(
    School(**options)
    for options in (
        *({},) * 12,
        {"judgement": "facts"},
        {"star_set": "full"},
        {"yin_ren": "yes", "ge_hidden_main": "take_transparent"},
        {"strength_method": "majority_3", "twelve_stages": "yin_yang_tong_sheng"},
        {"strength_method": "month_command", "void_anchor": "both"},
        {"liunian_boundary": "lunar_new_year", "liuyue_detail": "full"},
        {"xiaoyun": "none", "luck_direction": "male_forward", "hidden_weights": "8pt"},
    )
)
NOT_SPOKEN_OF = (frozenset(), frozenset(), frozenset(("relationship", "health_balance")))


class Told(NamedTuple):
    """A reading with what it is checked against and the catalogue keys that it used."""

    reading: Reading
    facts: Mapping[str, Fact]
    language: str
    length: str
    required: tuple[Requirement, ...]
    keys: tuple[str, ...]


def told(count: int, seed: int = 1, every_language: bool = True) -> Iterator[Told]:
    """The readings of random charts: the pattern, and a year where the birth is known."""
    rng = random.Random(seed)
    for number in range(count):
        result = random_chart(rng).pattern()
        year = random_year(result.chart, rng)
        for language in LANGUAGES if every_language else (LANGUAGES[number % 3],):
            yield of_pattern(result, language, rng.choice(TONES), rng.choice(LENGTHS))
            if year is not None:
                yield of_year(
                    year, language, rng.choice(TONES), rng.choice(LENGTHS), rng.choice(NOT_SPOKEN_OF)
                )


def of_pattern(result: Any, language: str, tone: str = "neutral", length: str = "long") -> Told:
    """The reading of a pattern, with what it used."""
    story = pattern_story.pattern_story(result, language, tone, length)
    reading = story.reading(pattern_story.title(story, result), pattern_story.keywords(story, result))
    return Told(
        _ended(reading, language),
        result.all_facts,
        language,
        length,
        pattern_requirements(result),
        tuple(story.keys),
    )


def of_year(
    year: Any,
    language: str,
    tone: str = "neutral",
    length: str = "long",
    leave_out: frozenset[str] = frozenset(),
) -> Told:
    """The reading of a year, with what it used."""
    story = year_story.year_story(year, language, tone, length, leave_out)
    reading = story.reading(year_story.title(story, year), year_story.keywords(story, year))
    return Told(
        _ended(reading, language),
        year.all_facts,
        language,
        length,
        year_requirements(year, leave_out),
        tuple(story.keys),
    )


def _ended(reading: Reading, language: str) -> Reading:
    return reading.ended(Sentence(disclaimer(language), (), "disclaimer"))


def random_chart(rng: random.Random) -> Any:
    """A chart of a random birth; one in eight lacks its hour, its gender, or its moment."""
    when = datetime(1900, 1, 1) + timedelta(minutes=rng.randrange(150 * 365 * 1440))
    where = {"utc_offset": rng.randrange(-11, 13), "longitude": rng.uniform(-170, 170)}
    gender, school = rng.choice(("male", "female")), rng.choice(SCHOOLS)
    match rng.randrange(24):
        case 0:
            return bz.chart(when.date().isoformat(), hour_unknown=True, gender=gender, school=school, **where)
        case 1:
            return bz.chart(when, school=school, **where)
        case 2:
            pillars = str(bz.chart(when, **where).pillars)
            return bz.chart(pillars=pillars, gender=rng.choice((None, gender)), school=school)
    return bz.chart(when, gender=gender, school=school, **where)


def random_year(chart: Any, rng: random.Random) -> Any:
    """A year of a life of a hundred and ten years at most; None where no year can be read."""
    if chart.birth is None or chart.gender is None:
        return None
    born = chart.birth.civil.year
    return chart.year(rng.randrange(born + 1, min(born + 110, 2199)))


def rejected(one: Told) -> list[str]:
    """Everything that is wrong with a reading, in words."""
    report = check(
        one.reading,
        one.facts,
        language=one.language,
        required=one.required,
        disclaimers=(disclaimer(one.language),),
    )
    found = [f"{each.category} {each.term} {each.reason}: {each.sentence}" for each in report.contradicted]
    found += [f"not named: {name}" for name in report.coverage.missing]
    found += [f"unknown: {name}" for name in report.unknown_ids] + [
        f"uncited: {text}" for text in report.uncited
    ]
    found += [f"{each.path} {each.code}" for each in problems_of(one.reading.to_dict(), schema())]
    for sentence in one.reading.sentences:
        found += [f"unsafe {each.found}: {sentence.text}" for each in unsafe(sentence.text, one.language)]
    return [f"{one.language}: {each}" for each in found]


def main(count: int) -> int:
    """Read so many charts, print what was rejected and which sentences were never said."""
    from bazi_core.readings.narrator.catalogue import catalogue

    readings, problems, keys = 0, Counter[str](), Counter[str]()
    for one in told(count):
        readings += 1
        problems.update(rejected(one))
        keys.update(one.keys)
    unsaid = sorted(set(catalogue()) - set(keys))
    print(f"{count} charts, {readings} readings, {problems.total()} rejections")
    for text, times in problems.most_common(20):
        print(f"  {times} {text}")
    print(f"{len(catalogue()) - len(unsaid)} of {len(catalogue())} sentences said; not: {' '.join(unsaid)}")
    return min(problems.total(), 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
