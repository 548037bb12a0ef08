"""Readings of the rule narrator over the golden charts, with their facts, to try the checker on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import bazi_core as bz
from bazi_core.pattern.result import PatternResult
from bazi_core.readings.narrator import pattern_reading, year_reading
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.corpus import Sample
from tests.golden.questions import rows

TONES = ("neutral", "warm", "direct")


@cache
def births() -> tuple[tuple[str, str, str], ...]:
    """Clock, offset and gender of the births of `c_derived.jsonl`."""
    asked = [row["inputs"] for row in rows("c_derived")]
    return tuple(
        (each["local"], each["utc_offset"], "male" if each["gender"] == "男" else "female") for each in asked
    )


def patterns(count: int, rng: random.Random) -> Iterator[tuple[int, PatternResult]]:
    """The pattern results of charts drawn from the golden ones, each with the year of the birth."""
    for _ in range(count):
        when, offset, gender = rng.choice(births())
        chart = bz.chart(when, utc_offset=offset, longitude=rng.uniform(90, 130), gender=gender)
        yield int(when[:4]), chart.pattern()


def narrated(count: int, seed: int = 1, length: str = "long") -> Iterator[Sample]:
    """Readings of patterns and of years, in one language and tone after the other."""
    rng = random.Random(seed)
    for number, (born, result) in enumerate(patterns(count, rng)):
        language, tone = LANGUAGES[number % 3], TONES[number // 3 % 3]
        if number // 9 % 2 == 0:
            yield Sample(pattern_reading(result, language, tone, length), result.all_facts, language)
            continue
        year = result.chart.year(min(born + rng.randrange(1, 80), 2099))
        yield Sample(year_reading(year, language, tone, length), year.all_facts, language)


if __name__ == "__main__":
    import sys

    from tests.core.readings.rejections import main

    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
