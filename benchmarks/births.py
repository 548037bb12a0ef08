"""Births to measure with: drawn at random from one seed, so that no cache sees the same birth twice in a row.

A single fixed birth would measure caches and branch prediction. Every run draws the same ones.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from bazi_core.birth import Birth, birth
from bazi_core.errors import AmbiguousLocalTime, NonexistentLocalTime
from bazi_core.moment import solar_moment

SEED = 20_260_204
FIRST, LAST = datetime(1903, 1, 1), datetime(2098, 1, 1)  # covered by every program compared
CITIES = (
    "北京", "上海", "广州", "成都", "哈尔滨", "乌鲁木齐", "西安", "昆明", "拉萨", "沈阳",
    "台北", "香港", "澳门", "Singapore", "Kuala Lumpur", "Tokyo", "Seoul", "Hanoi", "Bangkok", "Jakarta",
    "London", "Paris", "Berlin", "Moscow", "New York", "San Francisco", "Toronto", "São Paulo", "Sydney",
    "Auckland", "Nairobi", "Mumbai",
)  # fmt: skip
GENDERS = ("male", "female")


def readings(count: int, seed: int = SEED, resolution_s: int = 60) -> list[datetime]:
    """Clock readings spread evenly over the years, to the minute unless told otherwise.

    >>> [reading.isoformat() for reading in readings(2)]
    ['2069-02-12T16:46:00', '1940-04-04T10:47:00']
    """
    draw = random.Random(seed)
    steps = int((LAST - FIRST).total_seconds()) // resolution_s
    return [FIRST + timedelta(seconds=draw.randrange(steps) * resolution_s) for _ in range(count)]


def texts(count: int, seed: int = SEED) -> list[tuple[str, str, str]]:
    """(time, city, gender) as a caller writes them; readings that a clock skipped or showed twice are left out.

    >>> texts(1)
    [('2069-02-12 16:46', '北京', 'male')]
    """
    drawn = (
        (f"{reading:%Y-%m-%d %H:%M}", CITIES[i % len(CITIES)], GENDERS[i % 2])
        for i, reading in enumerate(readings(count + count // 20 + 20, seed))
    )
    return [each for each in drawn if _exists(*each)][:count]


def births(count: int, seed: int = SEED) -> list[Birth]:
    """The same births, read and resolved."""
    return [birth(when, city=city, gender=gender) for when, city, gender in texts(count, seed)]


def _exists(when: str, city: str, gender: str) -> bool:
    try:
        solar_moment(birth(when, city=city, gender=gender))
    except (AmbiguousLocalTime, NonexistentLocalTime):
        return False
    return True
