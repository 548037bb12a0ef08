"""How many mutants of each class the checker catches, by language, and which slip through."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from bazi_core.readings.grounding import check
from bazi_core.readings.safety import disclaimer
from bazi_core.tables.words import LANGUAGES
from tests.core.readings.mutants import GATES, GENERATORS, Mutant

DISCLAIMERS = {language: (disclaimer(language),) for language in LANGUAGES}


class Tally(NamedTuple):
    """Of a class: how many mutants, how many caught, and those that slipped through."""

    made: int = 0
    caught: int = 0
    slipped: tuple[Mutant, ...] = ()

    @property
    def share(self) -> float:
        return self.caught / self.made if self.made else 1.0

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(self.made + other.made, self.caught + other.caught, self.slipped + other.slipped)


class Found(NamedTuple):
    """Tallies by class and language; readings tried, and the sentences of those that were rejected unchanged."""

    tallies: Mapping[tuple[str, str], Tally]
    readings: int
    rejected: tuple[str, ...]

    def of(self, name: str) -> Tally:
        """The tally of a class over all languages."""
        return sum((each for (one, _), each in self.tallies.items() if one == name), Tally())

    @property
    def made(self) -> int:
        return sum(each.made for each in self.tallies.values())


def accepted(reading: Any, sample: Any) -> bool:
    """Whether the checker lets a reading pass with the facts of a sample."""
    language = sample.language
    return check(reading, sample.facts, language=language, disclaimers=DISCLAIMERS[language]).passed


def tally(samples: Iterable[Any], seed: int = 1, each: int = 6) -> Found:
    """Mutants of all classes from samples (reading, facts, language), at most `each` of a class from one reading."""
    rng = random.Random(seed)
    found: dict[tuple[str, str], Tally] = defaultdict(Tally)
    readings, rejected = 0, list[str]()
    for sample in samples:
        readings += 1
        if not accepted(sample.reading, sample):
            report = check(sample.reading, sample.facts, language=sample.language)
            rejected += [each.sentence for each in report.contradicted] or [sample.reading.title]
        for name, generator in GENERATORS.items():
            made = list(generator(sample.reading, sample.facts, sample.language, rng))
            for mutant in rng.sample(made, min(each, len(made))):
                slipped = (mutant,) if accepted(mutant.reading, sample) else ()
                found[name, sample.language] += Tally(1, 1 - len(slipped), slipped)
    return Found(dict(found), readings, tuple(rejected))


def report(found: Found, examples: int = 3) -> str:
    """The tallies as text, with examples of what slipped through."""
    return "\n".join(_lines(found, examples))


def _lines(found: Found, examples: int) -> Iterator[str]:
    yield f"{found.readings} readings, {len(found.rejected)} false rejections, {found.made} mutants"
    yield f"{'class':12} {'mutants':>8} {'caught':>8} {'share':>7} {'gate':>5}  " + "  ".join(LANGUAGES)
    for name, gate in GATES.items():
        one = found.of(name)
        shares = [found.tallies.get((name, language), Tally()) for language in LANGUAGES]
        by_language = "  ".join(f"{each.caught}/{each.made}" for each in shares)
        yield f"{name:12} {one.made:8} {one.caught:8} {one.share:7.4f} {gate:5.2f}  {by_language}"
        for each in one.slipped[:examples]:
            yield f"    {each.before}  ->  {each.after}  {' '.join(each.evidence)}"
    yield from (f"rejected: {sentence}" for sentence in found.rejected[:examples])


def main(arguments: Sequence[str]) -> None:
    """Print the report of so many readings of the corpus and as many of the narrator."""
    from tests.core.readings.corpus import samples
    from tests.core.readings.narrated import narrated

    count = int(arguments[0]) if arguments else 120
    print(report(tally(chain(samples(count), narrated(count))), examples=8))
