"""Census of the stars: how often each stands at each pillar, over all pillar sets that a moment can have.

    python -m tests.census.stars > data/census/stars.json

Sixty year pillars, twelve months (stems by 五虎遁), sixty day pillars and twelve double hours (stems by 五鼠遁 from that
day) make 518,400 charts; each is counted for both genders with `star_set="full"` and every other option as it is by
default. The numbers come from the arithmetic over numpy arrays that span only what a rule reads.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from bazi_core.pillars import POSITIONS
from bazi_core.school import School
from bazi_core.views.stars import star_masks

CHARTS = 60 * 12 * 60 * 12
FULL = School(star_set="full")


def all_pillars() -> list[Any]:
    """Indices of the four pillars of all charts, as arrays with axes year, month, day and hour that broadcast."""
    year, month, day, hour = np.ogrid[:60, :12, :60, :12]
    return [year, _pillar(2 * year + 2 + (month - 2) % 12, month), day, _pillar(2 * day + hour, hour)]


def _pillar(stem: Any, branch: Any) -> Any:
    return (6 * (stem % 10) - 5 * branch) % 60


def masks(gender: Any, school: School = FULL) -> dict[str, Any]:
    """For every star the bits of the pillars that bear it in all charts."""
    return star_masks(all_pillars(), gender, school)


def counts() -> dict[str, dict[str, dict[str, int]]]:
    """Star → gender → position (and `charts`, those that have the star anywhere) → number of charts."""
    by_gender = {name: masks(gender) for gender, name in enumerate(("male", "female"))}
    return {
        star: {name: _counted(found[star]) for name, found in by_gender.items()} for star in by_gender["male"]
    }


def _counted(mask: Any) -> dict[str, int]:
    alike = CHARTS // mask.size
    by_position = {name: mask >> place & 1 for place, name in enumerate(POSITIONS)}
    return {
        name: int(np.count_nonzero(each)) * alike for name, each in {**by_position, "charts": mask}.items()
    }


def text() -> str:
    """The file: a line for each star."""
    lines = (
        f"{json.dumps(star, ensure_ascii=False)}: {json.dumps(found)}" for star, found in counts().items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    print(text(), end="")
