"""How many sentences of a reading stand word for word in another: `python -m benchmarks.recurrence [COUNT]`.

COUNT births at any time of 1930 to 2015 are read as charts and as years, in each language; a sentence recurs if another
reading of the same kind and language holds it too. The disclaimer, which is the same in every reading, is not counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import bazi_core as bz
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COUNT, SEED, AS_OF = 100, 15, "2026-11-22"
GOALS = {"chart": 0.20, "year": 0.30}


class Recurrence(NamedTuple):
    """Sentences of readings and how many of them recur; the keys of statements that recur most."""

    kind: str
    language: str
    sentences: int
    recurring: int
    most: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        return self.recurring / self.sentences


def readings(kind: str, language: str, count: int) -> Iterator[Any]:
    """Readings of random births, the same for every language."""
    draw = Random(SEED)
    for _ in range(count):
        day = f"{draw.randint(1930, 2015)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        clock = f"{day} {draw.randint(0, 23):02}:{draw.randint(0, 59):02}"
        chart = bz.chart(clock, city="北京", gender=draw.choice(("male", "female")))
        year = draw.randint(2020, 2035)
        if kind == "chart":
            yield bz.read(chart, language=language, as_of=AS_OF)
        else:
            yield bz.read(chart.year(year), language=language)


def recurrence(kind: str, language: str, count: int = COUNT) -> Recurrence:
    """The share of sentences that recur verbatim."""
    told = [
        [(each.text, each.statement) for each in found.reading.sentences if each.statement]
        for found in readings(kind, language, count)
    ]
    times = Counter(text for reading in told for text in {text for text, _ in reading})
    keys = Counter(statement for reading in told for text, statement in reading if times[text] > 1)
    return Recurrence(kind, language, sum(map(len, told)), sum(keys.values()), tuple(keys.most_common(12)))


def table(found: Sequence[Recurrence]) -> str:
    """The shares as a Markdown table."""
    lines = ["| readings | language | sentences | recurring | share | goal |", "|---|---|--:|--:|--:|--:|"]
    lines += [
        f"| {each.kind} | {each.language} | {each.sentences} | {each.recurring} | {each.share:.0%} "
        f"| {GOALS[each.kind]:.0%} |"
        for each in found
    ]
    return "\n".join(lines)


def main(count: int = COUNT, verbose: bool = False) -> None:
    """Print the table, and with `-v` which statements recur most."""
    found = [recurrence(kind, language, count) for kind in GOALS for language in LANGUAGES]
    print(table(found))
    for each in found if verbose else ():
        print(each.kind, each.language, " ".join(f"{key}:{number}" for key, number in each.most))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(numbers[0] if numbers else COUNT, "-v" in sys.argv)
