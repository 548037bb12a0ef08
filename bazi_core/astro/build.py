"""Builds the astronomical tables, checks them, and refits compact ephemerides.

    python -m bazi_core.astro.build                     tables of the package from DE440 (extra [ephemeris])
    python -m bazi_core.astro.build --check             recompute and compare, one JSON line a table
    python -m bazi_core.astro.build --compact OUT.bsp   refit Sun and Earth (with --moon also the Moon)

Works offline. Two builds with the same versions give the same bytes, the date in the manifest apart.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.astro import check, data, live, rotation, scales, search, spk, terms
from bazi_core.astro.manifest import OVERRIDES, SUN, manifest_of
from bazi_core.astro.series import SERIES, Series, new_year_jd
from bazi_core.errors import BaziError, EphemerisMissing, OutOfRange
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.astro.live import Ephemeris
    from bazi_core.astro.search import Floats

ALL_YEARS = (terms.FIRST_YEAR, terms.LAST_YEAR)
COMPACT_YEARS = (1600, 2199)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 when a check fails, that of the error when one is raised."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except BaziError as error:
        _say(f"{error.code}: {error.message}" + (f" ({error.hint})" if error.hint else ""))
        return error.exit_status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bazi_core.astro.build", description=__doc__.split("\n")[0]
    )
    add = parser.add_argument
    add("--ephemeris", metavar="PATH|naif|compact", help="default: naif when installed, else compact")
    add("--from", dest="first", type=int, metavar="YEAR", help="first Gregorian year")
    add("--to", dest="last", type=int, metavar="YEAR", help="last Gregorian year")
    add("--check", action="store_true", help="write nothing; compare the tables of --out with the ephemeris")
    add("--compact", metavar="OUT.bsp", help="refit the ephemeris into this file instead")
    add("--moon", action="store_true", help="with --compact: the Moon too")
    add("--out", metavar="DIR", default=data.DIRECTORY, help="directory of the tables, default: the package")
    return parser


def _run(options: argparse.Namespace) -> int:
    path = _path_of(options.ephemeris)
    if options.compact:
        return _compact(path, options)
    with live.Ephemeris(path) as ephemeris:
        years = _covered(ephemeris, options.first or ALL_YEARS[0], options.last or ALL_YEARS[1])
        if options.check:
            return _check(ephemeris, years, options.out)
        return build(ephemeris, years, options.out)


def _path_of(choice: str | None) -> str:
    path = {"naif": live.naif_path(), "compact": live.COMPACT, None: live.naif_path() or live.COMPACT}.get(
        choice, choice
    )
    if path and os.path.exists(path):
        return path
    raise EphemerisMissing(
        Said("ephemeris_none", choice=choice),
        hint=Said("ephemeris_install_naif"),
        wanted=choice,
        tried=[os.path.basename(path or str(choice))],
    )


def _covered(ephemeris: Ephemeris, first: int, last: int) -> tuple[int, int]:
    """The first and last year of a span that the ephemeris covers; a notice on stderr if years are left out."""
    years = [
        year for year in range(max(first, ALL_YEARS[0]), min(last, ALL_YEARS[1]) + 1) if _has(ephemeris, year)
    ]
    if not years:
        raise OutOfRange(
            Said("ephemeris_years", first=first, last=last),
            quantity="year",
            first=scales.iso_local(int(ephemeris.first_ms)),
            last=scales.iso_local(int(ephemeris.last_ms)),
            given=first,
        )
    if (years[0], years[-1]) != (first, last):
        _say(f"cut to {years[0]}–{years[-1]}, which is what ephemeris and tables cover")
    return years[0], years[-1]


def _has(ephemeris: Ephemeris, year: int) -> bool:
    """Whether the ephemeris covers a year and the 16 days after it that the samples of the equation of time need."""
    start, end = (search.tt_ms_of(new_year_jd(y), days) for y, days in ((year, 0), (year + 1, 16)))
    return bool(ephemeris.first_ms <= start and end <= ephemeris.last_ms)


def _compact(path: str, options: argparse.Namespace) -> int:
    first, last = options.first or COMPACT_YEARS[0], options.last or COMPACT_YEARS[1]
    span = {"first": new_year_jd(first) - 40, "last": new_year_jd(last + 1) + 60}
    worst = spk.refit(path, options.compact, moon=options.moon, **span)
    _say(f"{options.compact}: {os.path.getsize(options.compact)} bytes, within {worst:.1f} m")
    return 0


def _check(ephemeris: Ephemeris, years: tuple[int, int], directory: str) -> int:
    if not ephemeris.has_moon:
        _say("newmoons.bin is not checked: this ephemeris has no Moon")
    failed = 0
    for verdict in check.verdicts(ephemeris, years, directory=directory, compute=_computed):
        print(json.dumps(verdict.to_dict(), ensure_ascii=False), flush=True)
        failed |= not verdict.ok
    return int(failed)


def build(ephemeris: Ephemeris, years: tuple[int, int], out: str) -> int:
    """Write all tables and the manifest; only a whole build from DE440 may replace those of the package."""
    whole = ephemeris.is_full and years == ALL_YEARS
    if not whole and os.path.realpath(out) == os.path.realpath(data.DIRECTORY):
        _say("a part of the years, or another ephemeris than DE440, needs --out")
        return 2
    os.makedirs(out, exist_ok=True)
    for series in SERIES:
        if ephemeris.has_moon or not series.needs_moon:
            _write_series(series, _computed(series, ephemeris, series.positions(*years)), out)
    _write_json("delta_t.json", rotation.delta_t_table(), out)
    _write_json("leap.json", rotation.leap_table(), out)
    _keep(OVERRIDES, out)
    if ephemeris.is_full:
        spk.refit(ephemeris.path, os.path.join(out, SUN))
    facts = json.dumps(manifest_of(out, ephemeris), ensure_ascii=False, indent=1)
    _write_text(data.MANIFEST, facts + "\n", out)
    return 0


def _computed(series: Series, ephemeris: Ephemeris, positions: range) -> Floats:
    """The values of a series, with a bar on stderr when that is a terminal."""
    parts = []
    for start in range(0, len(positions), search.CHUNK):
        parts.append(series.values(ephemeris, positions[start : start + search.CHUNK]))
        _draw(series.file, min(start + search.CHUNK, len(positions)) / len(positions))
    return np.concatenate(parts)


def _draw(label: str, share: float) -> None:
    if sys.stderr.isatty():
        full = round(30 * share)
        end = "\n" if share == 1 else ""
        sys.stderr.write(f"\r{label:14}[{'#' * full}{'.' * (30 - full)}] {share:4.0%}{end}")
        sys.stderr.flush()


def _write_series(series: Series, values: Floats, out: str) -> None:
    stored = np.rint(values / series.unit_ms).astype(np.dtype(series.typecode).newbyteorder("<"))
    with open(os.path.join(out, series.file), "wb") as file:
        file.write(stored.tobytes())


def _write_json(name: str, content: dict[str, Any], out: str) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    _write_text(name, "{\n" + ",\n".join(lines) + "\n}\n", out)


def _write_text(name: str, text: str, out: str) -> None:
    with open(os.path.join(out, name), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _keep(name: str, out: str) -> None:
    """Copy a table that is not computed, the lunar overrides of printed calendars."""
    source, target = os.path.join(data.DIRECTORY, name), os.path.join(out, name)
    if os.path.realpath(source) != os.path.realpath(target):
        shutil.copyfile(source, target)


def _say(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
