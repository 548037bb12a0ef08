"""A chart that is kept."""

from __future__ import annotations

from bazi_core.face import Chart
from bazi_hub.ports import Saved


def saved_chart(saved: Saved) -> Chart:
    """A saved chart, computed again."""
    return Chart.from_json(saved.body)
