"""Comparison of the shipped tables with an ephemeris: one verdict a table, computed without reading the others."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.astro import data, rotation
from bazi_core.astro.series import SERIES, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bazi_core.astro.live import Ephemeris
    from bazi_core.astro.search import Floats

    Compute = Callable[[Series, Ephemeris, range], Floats]


@dataclass(frozen=True, slots=True)
class TableCheck:
    """Largest and rms difference in ms between a table's `n` values and recomputed ones; `problem` is any other defect."""

    table: str
    n: int
    max_ms: float
    rms_ms: float
    limit_ms: float
    problem: str = ""

    @property
    def ok(self) -> bool:
        return not self.problem and self.max_ms <= self.limit_ms

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, with `problem` only when there is one."""
        row = {
            "table": self.table,
            "n": self.n,
            "max_ms": round(self.max_ms, 3),
            "rms_ms": round(self.rms_ms, 3),
            "limit_ms": self.limit_ms,
            "ok": self.ok,
        }
        return row | ({"problem": self.problem} if self.problem else {})


def verdict(table: str, difference_ms: Floats, limit_ms: float) -> TableCheck:
    """The verdict on an array of differences in ms."""
    worst, mean_square = float(np.abs(difference_ms).max()), float((difference_ms**2).mean())
    return TableCheck(table, len(difference_ms), worst, mean_square**0.5, limit_ms)


def compute(series: Series, ephemeris: Ephemeris, positions: range) -> Floats:
    """The values of a series at positions, all in one go."""
    return series.values(ephemeris, positions)


def verdicts(
    ephemeris: Ephemeris,
    years: tuple[int, int],
    *,
    directory: str = data.DIRECTORY,
    compute: Compute = compute,
) -> Iterator[TableCheck]:
    """A verdict on every table of a directory that the ephemeris can recompute over these years."""
    for series in SERIES:
        if ephemeris.has_moon or not series.needs_moon:
            positions = series.positions(*years)
            shipped = series.shipped(directory)[positions.start : positions.stop]
            difference = shipped - compute(series, ephemeris, positions)
            yield verdict(series.file, difference, series.limit_for(ephemeris))
    yield delta_t_verdict(directory)
    yield leap_verdict(directory)
    yield manifest_verdict(directory)


def delta_t_verdict(directory: str = data.DIRECTORY) -> TableCheck:
    """ΔT at its knots against skyfield."""
    table = data.read_json("delta_t.json", directory)
    values = np.array(table["values_ms"], dtype=np.float64)
    knots = table["first_year"] + table["step_years"] * np.arange(len(values))
    return verdict("delta_t.json", values - 1000 * rotation.delta_t_s(knots), 1.0)


def leap_verdict(directory: str = data.DIRECTORY) -> TableCheck:
    """The leap-second list against the one of the tzdata wheel: dates and values equal."""
    shipped = data.read_json("leap.json", directory)["leap_seconds"]
    published = rotation.leap_table()["leap_seconds"]
    problem = "" if shipped == published else "the list differs from that of tzdata"
    return TableCheck("leap.json", len(shipped), 0.0, 0.0, 0.0, problem)


def manifest_verdict(directory: str = data.DIRECTORY) -> TableCheck:
    """Sizes and hashes of all files against the manifest."""
    tables = [name for name in os.listdir(directory) if name != data.MANIFEST]
    return TableCheck(data.MANIFEST, len(tables), 0.0, 0.0, 0.0, "; ".join(data.verify(directory)))
