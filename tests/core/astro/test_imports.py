"""What the table modules cost: nothing but the standard library, and no file before the first question."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "skyfield", "jplephem", "pydantic", "importlib.resources", "argparse")

LOOK_UP = """
import sys
from bazi_core.astro import data, eot, moons, scales, terms
terms.position(0), moons.position(0), eot.equation_of_time_s(0), scales.tt_minus_utc_ms(0), data.tables_hash()
terms.solar_terms(2026), moons.new_moons(2026), terms.longitude(0), scales.ut1_minus_utc_ms(0)
print(*[name for name in {heavy!r} if name in sys.modules])
"""

LAZY = """
import os, sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(str(args[0])))
from bazi_core.astro import data, eot, moons, scales, terms
before = [path for path in opened if path.startswith(data.DIRECTORY + os.sep)]
terms.position(0)
after = [path for path in opened if path.startswith(data.DIRECTORY + os.sep)]
print(len(before), len(after))
"""


def printed_by(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_look_ups_import_neither_numpy_nor_skyfield():
    assert printed_by(LOOK_UP.format(heavy=HEAVY)) == ""


def test_tables_are_read_on_first_use_and_not_at_import():
    assert printed_by(LAZY) == "0 1"
