"""`bazi --version`: the release, and with `--verbose` its data and their credits."""

from __future__ import annotations

import sys

from bazi_core import __version__

CREDITS = (
    "Solar terms, new moons, equation of time: computed from the planetary ephemeris DE440 of the Jet Propulsion "
    "Laboratory (JPL/Caltech, NAIF); the compact SPK file is a refit of DE440 within 20 m, not a JPL product.",
    "Delta T: Stephenson, Morrison, Hohenkerk and Zawilski, and the IERS, through skyfield 1.55 (MIT). "
    "Leap seconds: IERS.",
    "Time zones: IANA time zone database (public domain) through tzdata (Apache-2.0).",
)


def version_text(verbose: bool) -> str:
    """The text of `--version`."""
    first = f"bazi {__version__}\n"
    return first if not verbose else first + "".join(f"{line}\n" for line in _details())


def _details() -> list[str]:
    from bazi_core.place.gazetteer import attribution
    from bazi_core.render.width import fold

    lines = [f"{name} {value}" for name, value in versions().items()] + [""]
    for credit in (*CREDITS, attribution()):
        lines += fold(credit, 80, "  ")
    return [*lines, "Licence: MIT; NOTICE lists all sources."]


def versions() -> dict[str, str]:
    """The versions of release and data."""
    from bazi_core.astro.data import TABLES_VERSION, tables_hash
    from bazi_core.place.store import manifest
    from bazi_core.place.zones import IANA_VERSION

    places = manifest()
    return {
        "bazi": __version__,
        "python": sys.version.split()[0],
        "tzdata": IANA_VERSION,
        "tables": f"{TABLES_VERSION} {tables_hash()}",
        "places": f"{places['version']} {places['sha256'][:12]}",
    }
