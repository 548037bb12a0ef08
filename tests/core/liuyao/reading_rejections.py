"""Random casts, read by the narrator in every language and held against check, schema and safety lexicon.

`python -m tests.core.liuyao.reading_rejections 10000` reads so many casts and prints what was rejected and which
sentences were never said.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from bazi_core.liuyao import narration
from bazi_core.liuyao.outline import narrated
from bazi_core.liuyao.reading import read
from bazi_core.readings.divination.answer import problems_of, schema
from bazi_core.readings.divination.exchange import masked
from bazi_core.readings.safety import disclaimer, unsafe
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.reading_mutants import Sample, random_analysis, rejected


def samples(count: int, seed: int = 7) -> Iterator[Sample]:
    """Readings of so many random casts in every language."""
    rng = random.Random(seed)
    for _ in range(count):
        found = random_analysis(rng)
        yield from (Sample(found, narrated(found, language)) for language in LANGUAGES)


def problems(sample: Sample) -> list[str]:
    """Everything that is wrong with a reading, in words."""
    found = rejected(sample)
    found += [f"{each.path} {each.code}" for each in problems_of(sample.reading.to_dict(), schema())]
    for _, item in sample.reading.items:
        found += [] if item.evidence else [f"cites nothing: {item.text}"]
        found += [f"unsafe {each.found}: {item.text}" for each in unsafe(masked(item.text))]
    return [f"{sample.reading.language}: {each}" for each in found]


def ended(sample: Sample) -> list[str]:
    """What is wrong with the reading as it is handed out."""
    result = read(sample.found, language=sample.reading.language)
    last = result.reading.answer[-1].text
    found = [] if result.grounding.verdict == "pass" else [f"verdict {result.grounding.verdict}"]
    found += [] if last == disclaimer(sample.reading.language) else ["does not end with the disclaimer"]
    return found + [f"{each.path} {each.code}" for each in problems_of(result.reading.to_dict(), schema())]


def main(count: int) -> int:
    readings, found, said = 0, Counter[str](), Counter[str]()
    say = narration.Teller._say

    def counted(self: narration.Teller, key: str, values: dict[str, object]) -> str:
        said[key] += 1
        return say(self, key, values)

    narration.Teller._say = counted  # type: ignore[method-assign]
    for sample in samples(count):
        readings += 1
        found.update(problems(sample))
    print(f"{count} casts, {readings} readings, {found.total()} rejections")
    for text, times in found.most_common(20):
        print(f"  {times} {text}")
    unsaid = sorted(set(narration.catalogue()) - set(said))
    print(
        f"{len(narration.catalogue()) - len(unsaid)} of {len(narration.catalogue())} keys said; not: {' '.join(unsaid)}"
    )
    return min(found.total(), 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
