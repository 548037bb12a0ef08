"""How often every pattern, its status, strength and 用神 occur among all 518,400 sets of four pillars.

    python -m tests.census.patterns        # counts all, on all cores, and writes data/census/patterns.json

The file is kept by day pillar, so that a test can count a few of the sixty parts anew, and beside them stands the part of
one day and two hours for who counts in a hurry. A changed count is a changed rule: the diff shows what it does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar
from bazi_core.face import Chart
from bazi_core.pattern.evidence import detail_of
from bazi_core.pattern.result import PatternResult
from bazi_core.pillars import FourPillars, five_rats, five_tigers
from bazi_core.school import School

FILE = Path(__file__).parents[2] / "data" / "census" / "patterns.json"
SCHOOL = School().with_basis("true_solar")


# The day and the hours of the part that stands beside the sixty.
SMALL = ("甲子", "子午")


def charts_of(day: Pillar, hours: str) -> Iterator[Chart]:
    """The charts of a day pillar at these double hours: 720 for each, of sixty years and twelve months."""
    for year in PILLARS:
        for month in BRANCHES:
            for hour in map(Branch, hours):
                four = FourPillars(year, five_tigers(year.stem, month), day, five_rats(day.stem, hour))
                yield Chart(four, SCHOOL)


def count(day: str, hours: str = "".join(branch.value for branch in BRANCHES)) -> dict[str, int]:
    """The counts of a day pillar, by `<what>.<name>`."""
    found: Counter[str] = Counter()
    for chart in charts_of(Pillar(day), hours):
        result = chart.pattern()
        assert result.strength is not None
        found[f"pattern.{result.name}"] += 1
        found[f"status.{result.standing.status if result.standing else '变格'}"] += 1
        found[f"strength.{result.strength.verdict}"] += 1
        found[f"level.{result.strength.level}"] += 1
        found[f"yong.{result.useful_gods[0].value}"] += 1
        found[f"climate.{result.climate.satisfied if result.climate else ''}"] += 1
        found[f"apparent.{apparent(result)}"] += 1
    return dict(sorted(found.items()))


def apparent(result: PatternResult) -> str:
    """The kind of pattern of which a chart says 假, 无 when it does not."""
    status = result.standing.status if result.standing else ""
    said = "假" in f"{result.name}{status}{detail_of(result)}"
    return (result.special.special_class if result.special else "正格") if said else "无"


def recounted() -> dict[str, dict[str, int]]:
    """The counts of all sixty day pillars, on all cores."""
    days = [day.value for day in PILLARS]
    with ProcessPoolExecutor() as pool:
        return dict(zip(days, pool.map(count, days), strict=True))


def main() -> None:
    counts = recounted()
    total = Counter[str]()
    for each in counts.values():
        total.update(each)
    ordered = dict(sorted(total.items()))
    whole = {"charts": 518_400, "total": ordered, "small": count(*SMALL), "by_day": counts}
    FILE.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
