"""Whole processes: what importing costs, what `bazi chart` costs, how much memory one chart takes.

`python -m benchmarks.processes [--rounds N] [--write]`. Every command is run once in every round, in turn, beside
a bare `python -c pass` of the same interpreter; figures are differences from it and multiples of it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks import report

if TYPE_CHECKING:
    from collections.abc import Sequence

BARE = "bare Python"
ONE_CHART = "import bazi_core as bz; bz.chart('1990-05-15 13:30', city='北京', gender='male').luck"
BEIJING = ["chart", "--city", "Beijing"]
BORN = ["chart", "1990-05-15 13:30", "--city", "北京", "--gender", "male"]

# The high-water mark of this process alone: `getrusage` of a child begins with that of its parent.
PEAK = """
import sys
def peak():
    try:
        with open('/proc/self/status') as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM'))
    except OSError:
        import resource
        kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kib // 1024 if sys.platform == 'darwin' else kib
"""
PEAK_OF_COMMAND = """
from bazi_cli.main import main
sys.argv = ['bazi', *{arguments!r}]
try:
    main()
except SystemExit:
    pass
print(peak(), file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line; budgets in ms over bare Python, as a multiple of it, and in ms altogether."""

    name: str
    line: tuple[str, ...]
    budget_over_ms: float | None = None
    budget_times: float | None = None
    budget_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """Milliseconds of every round, or why there are none."""

    ms: tuple[float, ...] = ()
    failure: str = ""


def interleaved(commands: Sequence[Command], rounds: int, folder: str | None = None) -> list[Ran]:
    """Times of all commands over the rounds; a first run of each is not counted and shows whether it works."""
    failures = [_failure(command, folder) for command in commands]
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for taken, command, failure in zip(times, commands, failures, strict=True):
            if not failure:
                taken.append(_ms(command, folder))
    return [Ran(tuple(taken), failure) for taken, failure in zip(times, failures, strict=True)]


def _failure(command: Command, folder: str | None) -> str:
    try:
        done = subprocess.run(command.line, capture_output=True, cwd=folder, check=False, env=_environment())
    except OSError as error:
        return f"not there: {error.strerror}"
    return f"exit {done.returncode}" if done.returncode else ""


def _ms(command: Command, folder: str | None) -> float:
    start = perf_counter()
    subprocess.run(
        command.line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=_environment()
    )
    return (perf_counter() - start) * 1000


def _environment() -> dict[str, str]:
    # Compiled files are kept, as they are for users: without them every start compiles every module.
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONUTF8": "1"}


def peak_mib(python: str, code: str, folder: str | None = None) -> float | None:
    """Peak resident memory of a process that runs this code, in MiB; None when the code fails."""
    if "peak()" not in code:
        code += "\nprint(peak(), file=sys.stderr)"
    done = subprocess.run(
        [python, "-c", PEAK + code],
        capture_output=True,
        text=True,
        cwd=folder,
        env=_environment(),
        check=False,
    )
    last = done.stderr.split()[-1:] if done.returncode == 0 else []
    return int(last[0]) / 1024 if last and last[0].isdigit() else None


def commands(python: str) -> list[Command]:
    """What is measured of this project."""
    script = str(Path(python).with_name("bazi"))
    return [
        Command(BARE, (python, "-c", "pass")),
        Command("import bazi_core", (python, "-c", "import bazi_core"), budget_over_ms=30),
        Command("import, one chart with luck", (python, "-c", ONE_CHART)),
        Command("bazi chart --city Beijing", (script, *BEIJING), budget_times=5, budget_ms=100),
        Command("python -m bazi_cli chart --city Beijing", (python, "-m", "bazi_cli", *BEIJING)),
        Command("bazi chart with time, city, gender", (script, *BORN), budget_times=5, budget_ms=100),
    ]


def row(command: Command, ran: Ran, bare: Ran) -> list[str]:
    """Least and median ms, ms over bare Python, multiple of it, budget and verdict."""
    if ran.failure:
        return [command.name, "–", "–", "–", "–", _budget(command), f"does not run ({ran.failure})"]
    least, floor = min(ran.ms), min(bare.ms)
    kept = (
        least - floor <= (command.budget_over_ms or 1e9)
        and least / floor <= (command.budget_times or 1e9)
        and least <= (command.budget_ms or 1e9)
    )
    verdict = ("kept" if kept else "missed") if _budget(command) else ""
    figures = [least, statistics.median(ran.ms), least - floor]
    return [command.name, *(f"{ms:.1f}" for ms in figures), f"{least / floor:.2f}", _budget(command), verdict]


def _budget(command: Command) -> str:
    parts = (
        (command.budget_over_ms, "≤ {:g} ms over bare"),
        (command.budget_times, "≤ {:g} × bare"),
        (command.budget_ms, "≤ {:g} ms"),
    )
    return ", ".join(text.format(limit) for limit, text in parts if limit is not None)


HEAD = ["process", "least, ms", "median, ms", "over bare, ms", "× bare", "budget", ""]


def memory(python: str) -> list[list[str]]:
    """Peak memory of a bare process, of one chart from Python, and of one from the command line."""
    codes = (
        (BARE, "pass", None),
        ("one chart with luck", ONE_CHART, 30),
        ("bazi chart --city Beijing", PEAK_OF_COMMAND.format(arguments=BEIJING), 30),
        ("bazi chart with time, city, gender", PEAK_OF_COMMAND.format(arguments=BORN), 30),
    )
    rows = []
    for name, code, budget in codes:
        mib = peak_mib(python, code)
        verdict = (
            "does not run" if mib is None else "" if budget is None else "kept" if mib <= budget else "missed"
        )
        shown = "–" if mib is None else f"{mib:.1f}"
        rows.append([name, shown, f"≤ {budget} MB" if budget else "", verdict])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    measured = commands(sys.executable)
    ran = interleaved(measured, asked.rounds)
    times = report.table(
        HEAD, (row(command, each, ran[0]) for command, each in zip(measured, ran, strict=True))
    )
    space = report.table(["process", "peak memory, MiB", "budget", ""], memory(sys.executable))
    text = f"{report.stamp()}, {asked.rounds} rounds.\n\n{times}\n\n{space}"
    report.publish("processes", text, asked.write)


if __name__ == "__main__":
    main()
