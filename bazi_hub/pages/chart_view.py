"""A chart that is kept."""

from __future__ import annotations

import json
from dataclasses import replace

from bazi_core.face import Chart, recast
from bazi_core.readings.parents import of_other_engine
from bazi_core.school import School
from bazi_hub.ports import Saved


def saved_chart(saved: Saved) -> Chart:
    """A saved chart, computed again. Its digest is not asked for: nobody but the hub writes what it keeps, and to make the
    whole object only to compare it takes as long as a page."""
    held = json.loads(saved.body)
    chart = recast(held["input"], School.from_dict(held["school"]))
    warnings = of_other_engine(held, "base_context", chart.head()["engine_version"])
    return replace(chart, own_warnings=(*chart.own_warnings, *warnings)) if warnings else chart
