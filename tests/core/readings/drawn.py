"""Patterns and years of births drawn at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import bazi_core as bz

CITIES = ("北京", "上海", "台北", "Tokyo", "London", "New York")


def drawn_results(draw: random.Random, count: int) -> Iterator[Any]:
    """Pattern and year of a chart in turn."""
    for number in range(count):
        born = datetime(1930, 1, 1) + timedelta(minutes=draw.randrange(80 * 365 * 24 * 60))
        chart = bz.chart(
            born.isoformat(timespec="minutes"),
            city=draw.choice(CITIES),
            gender=draw.choice(("male", "female")),
        )
        yield chart.year(born.year + draw.randrange(5, 70)) if number % 2 else chart.pattern()
