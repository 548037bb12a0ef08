"""Census of the relations: how often each stands where, over all pillar sets that a moment can have.

    python -m tests.census.relations        # counts all, on all cores, and writes data/census/relations.json

Which relations there are is counted by the arithmetic over numpy arrays (`by_arrays`) and chart by chart
(`of_year`); what becomes of them beside the others (status, 合化) chart by chart only.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pillars import POSITIONS, FourPillars, five_rats, five_tigers
from bazi_core.school import School
from bazi_core.views import relations as rel
from tests.census.stars import CHARTS, all_pillars

FILE = Path(__file__).parents[2] / "data" / "census" / "relations.json"
SCHOOL = School()
Counts = dict[str, int]


def by_arrays() -> dict[str, Any]:
    """`<type>.<positions>` → which charts have it, as arrays with axes year, month, day and hour that broadcast."""
    pillars = all_pillars()
    stems, branches = [each % 10 for each in pillars], [each % 12 for each in pillars]
    found: dict[str, Any] = {}
    types = (*rel.STEM_TYPES, *rel.BRANCH_TYPES)
    for (i, j), mask in rel.pair_masks(stems, branches).items():
        found |= _bits(types, mask, (i, j))
        found |= _bits(rel.PILLAR_PAIR_TYPES, rel.pillar_pair_mask(pillars[i], pillars[j]), (i, j))
    for place, pillar in enumerate(pillars):
        found |= _bits(rel.PILLAR_TYPES, rel.pillar_table()(pillar), (place,))
    for three, group in rel.triple_masks(branches).items():
        for name in rel.TRIPLES:
            members = [at for at, (kind, _) in enumerate(rel.groups(), 1) if kind == name]
            found[_key(name, three)] = np.isin(group, members)
    return found


def _bits(types: tuple[str, ...], mask: Any, where: tuple[int, ...]) -> dict[str, Any]:
    return {_key(name, where): (mask >> bit & 1).astype(bool) for bit, name in enumerate(types)}


def _key(name: str, where: tuple[int, ...]) -> str:
    return f"{name}.{'-'.join(POSITIONS[at] for at in where)}"


def counts() -> Counts:
    """How many charts have each relation at each place."""
    found = {key: int(np.count_nonzero(each)) * (CHARTS // each.size) for key, each in by_arrays().items()}
    return {key: count for key, count in sorted(found.items()) if count}


@cache
def number(key: str) -> int:
    """Sixty-four bits for a relation at a place; charts with the same ones have the same XOR of their numbers."""
    return int.from_bytes(sha256(key.encode()).digest()[:8])


def fingerprints() -> Any:
    """For every chart the XOR of the numbers of its relations, by array arithmetic: shape (60, 12, 60, 12)."""
    made = np.zeros((60, 12, 60, 12), np.uint64)
    for key, marks in by_arrays().items():
        made ^= np.where(marks, np.uint64(number(key)), np.uint64(0))
    return made


def of_year(year: int) -> tuple[Any, Counts]:
    """Chart by chart, for a year pillar: the fingerprints (12, 60, 12), and `<type>.<status or 合化>` → relations."""
    outcome: Counter[tuple[str, str | None]] = Counter()
    own = PILLARS[year]
    prints = np.empty((12, 60, 12), np.uint64)
    for m, branch in enumerate(BRANCHES):
        month = five_tigers(own.stem, branch)
        for day in PILLARS:
            for h, hour in enumerate(BRANCHES):
                made = 0
                for each in rel.relations(FourPillars(own, month, day, five_rats(day.stem, hour)), SCHOOL):
                    made ^= number(f"{each.type}.{'-'.join([position for position, _ in each.members])}")
                    outcome[each.type, each.status] += 1
                    outcome[each.type, each.hua_status] += 1
                prints[m, day.index, h] = made
    return prints, {f"{name}.{word}": count for (name, word), count in outcome.items() if word}


def summed(counted: list[Counts]) -> Counts:
    total: Counter[str] = Counter()
    for each in counted:
        total.update(each)
    return dict(sorted(total.items()))


def one_by_one() -> tuple[Any, Counts]:
    """`of_year` of all sixty years, on all cores: fingerprints of all charts, sums of outcomes."""
    with ProcessPoolExecutor() as pool:
        parts = list(pool.map(of_year, range(60), chunksize=5))
    return np.stack([prints for prints, _ in parts]), summed([outcome for _, outcome in parts])


def main() -> None:
    _, outcomes = one_by_one()
    whole = {"charts": CHARTS, "places": counts(), "outcomes": outcomes}
    FILE.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
