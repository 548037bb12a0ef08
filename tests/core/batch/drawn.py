"""Births drawn at random as rows of a table, and what a row of the result has that it should not have."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import bazi_core as bz
from bazi_core.astro import scales
from bazi_core.batch.columns import STATUS
from bazi_core.batch.zones import by_reading
from bazi_core.place import zones

ZONES = random.Random(16).sample(sorted(zones.keys()), 60)
CITIES = (
    "北京", "上海", "乌鲁木齐", "New York", "São Paulo", "Springfield", "Nowhere-xyz", "香港", "首尔",
    "Apia",
)  # fmt: skip
WRITTEN = (
    None, "x", "1990-05-15", "1990-05-15 午时", "农历1990年闰五月初一 午时", "1990-02-30 12:00", "1500-01-01 12:00",
    "1582-10-10 12:00", "2700-01-01 00:00", "05/06/1990 12:00", "1551-01-01 00:00", "2648-12-31 23:59",
    "1990-05-15 24:00", "0001-01-01 00:00", "9999-12-31 23:59:59", "民國七十九年5月15日 13:30",
)  # fmt: skip


def some_time(random: random.Random) -> Any:
    """A time as a table may hold one; a part near the changes of some clock, a part in words or out of range."""
    if random.random() < 0.1:
        return random.choice(WRITTEN)
    first, last = (scales.ms_of(datetime(year, 1, 1)) for year in (1850, 2100))
    if random.random() < 0.2:
        first, last = scales.FIRST_UTC_MS, scales.END_UTC_MS
    ms = random.randrange(first, last)
    if random.random() < 0.3:
        ms = (
            random.choice(by_reading(random.choice(ZONES)).starts.tolist())
            + random.randrange(-7200, 7200) * 1000
        )
    when = scales.datetime_of(ms // 1000 * 1000)
    offset = random.choice(["Z", "+08:00", "-03:30", "+15:59"]) if random.random() < 0.1 else ""
    if random.random() < 0.7:
        return when.isoformat(random.choice(" T"), random.choice(["auto", "minutes"])) + offset
    return when.replace(microsecond=random.randrange(10**6))


def some_birth(random: random.Random) -> dict[str, Any]:
    """A row of a table, sometimes with what contradicts itself."""

    def maybe(share: float, *values: Any) -> Any:
        return random.choice(values) if random.random() < share else None

    where: dict[str, Any] = {"tz": maybe(0.5, *ZONES)}
    if where["tz"] is None:
        where["city"] = maybe(0.7, *CITIES)
    return where | {
        "datetime": some_time(random),
        "utc_offset": maybe(0.1, 8, "+08:00", "-5", 480, 5.5),
        "longitude": maybe(0.3, random.uniform(-180, 180), random.uniform(-180, 180), 200.0),
        "latitude": maybe(0.2, random.uniform(-90, 90)),
        "fold": maybe(0.1, 0, 1),
        "calendar": maybe(0.3, "gregorian", "gregorian", "julian"),
        "gender": maybe(0.9, *["male", "female", "男", "F"] * 9, "zzz"),
    }


def as_table(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def listed(charts: bz.Charts) -> tuple[list[str], dict[str, list[Any]]]:
    """The status of every row, and the other columns as plain numbers and datetimes."""
    columns = {name: charts[name].tolist() for name in charts if name != STATUS.name}
    return charts.decode(STATUS.name), columns


def differences(
    statuses: list[str], columns: dict[str, list[Any]], row: int, wanted: dict[str, Any]
) -> dict[str, Any]:
    """The columns of a row that are not as wanted, and every column of a row without a chart that is not null."""
    wrong = {} if statuses[row] == wanted[STATUS.name] else {"status": (statuses[row], wanted[STATUS.name])}
    if wanted[STATUS.name] != "OK":
        found = {name: values[row] for name, values in columns.items()}
        return wrong | {name: value for name, value in found.items() if value not in (-1, None)}
    return wrong | {
        name: (columns[name][row], value)
        for name, value in wanted.items()
        if name in columns and columns[name][row] != value
    }
