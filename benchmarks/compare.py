"""This project and its peers, each in an environment of its own, on the same births in the same minutes.

`python -m benchmarks.compare [--rounds N] [--write]`. Environments are made in a temporary folder (packages by
name from the configured index, this project from its checkout) and thrown away. In every round each program in
turn gets the same hundred births; ratios are taken within the round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from benchmarks import agreement, processes, report
from benchmarks.births import SEED, readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("engines.py")
BIRTHS_A_ROUND = 100
DRAWN_TO_THE_SECOND = 5000
BIRTHS_IN_CITIES = 5000


@dataclass(frozen=True, slots=True)
class Program:
    """One program: its name in `engines`, what pip is told, how it is imported, its first chart, its command, and
    packages that it imports without naming them."""

    name: str
    requirement: str
    imported: str
    first_chart: str
    command: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


AT = "1990, 5, 15, 13, 30"
PROGRAMS = (
    Program("ours", str(ROOT), "bazi_core", processes.ONE_CHART, ("bazi", *processes.BORN)),
    Program(
        "lunar-python", "lunar-python==1.4.8", "lunar_python",
        f"from lunar_python import Solar; Solar.fromYmdHms({AT}, 0).getLunar().getEightChar().getYun(1).getDaYun()",
    ),
    Program(
        "tyme4py", "tyme4py==1.5.0", "tyme4py",
        "from tyme4py.solar import SolarTime; from tyme4py.eightchar import ChildLimit; "
        f"from tyme4py.enums import Gender; ChildLimit(SolarTime.from_ymd_hms({AT}, 0), Gender.MAN)",
    ),
    Program("sxtwl", "sxtwl==2.0.7", "sxtwl", "import sxtwl; sxtwl.fromSolar(1990, 5, 15).getYearGZ()"),
    Program(
        "bazi", "bazi==2.3.0", "bazi",
        "from datetime import datetime; from bazi.bazi import Bazi; from bazi.bazi_chart import BaziChart; "
        f"BaziChart(Bazi.create(datetime({AT}), 'male')).dayun_start_moment",
    ),
    Program(
        "bazi-chart", "bazi-chart==1.2.0", "bazi", f"from bazi import BaziChart; BaziChart({AT})",
        ("bazi", "chart", "1990-05-15", "13:30", "-g", "男", "--city", "北京"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Environment:
    """A program with the interpreter that has it, or the reason why none has."""

    program: Program
    python: str = ""
    version: str = ""
    failure: str = ""


def environment(program: Program, folder: Path) -> Environment:
    """A fresh virtual environment with one program in it."""
    home = folder / program.name
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = str(home / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install += [program.requirement, *program.extra]
    done = subprocess.run(install, capture_output=True, check=False, cwd=folder)
    if done.returncode:
        return Environment(program, failure="could not be installed")
    name = "bazi-core" if program.name == "ours" else program.requirement.partition("==")[0]
    asked = [python, "-c", f"from importlib.metadata import version; print(version({name!r}))"]
    version = subprocess.run(asked, capture_output=True, check=True, text=True, cwd=folder).stdout.strip()
    return Environment(program, python, version)


class Worker:
    """A program in a process of its own, answering requests."""

    def __init__(self, env: Environment, given: Sequence[object], worker: Path = WORKER, *more: str) -> None:
        self.process = subprocess.Popen(
            [env.python, "-I", str(worker), env.program.name, *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        self._write(given)

    def ask(self, do: str, **arguments: Any) -> Any:
        self._write({"do": do, **arguments})
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def _write(self, value: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()


OPERATIONS = ("bisect", "pillars", "chart")
Times = dict[str, dict[str, list[float]]]


def speed(environments: Sequence[Environment], rounds: int) -> Times:
    """Program → operation → µs a call, one figure a round."""
    births = [at.isoformat() for at in readings(rounds * BIRTHS_A_ROUND)]
    times: Times = {env.program.name: {operation: [] for operation in OPERATIONS} for env in environments}
    with ExitStack() as stack:
        workers = {env.program.name: stack.enter_context(Worker(env, births)) for env in environments}
        for worker in workers.values():
            worker.ask("warm")
        for start in range(0, len(births), BIRTHS_A_ROUND):
            for name, operation in product(workers, OPERATIONS):
                taken = workers[name].ask(operation, part=[start, start + BIRTHS_A_ROUND])
                if taken is not None:
                    times[name][operation].append(taken)
    return times


def speed_rows(environments: Sequence[Environment], times: Times) -> Iterator[list[str]]:
    """One row a program: each operation in bisects and in multiples of ours, medians over the rounds."""
    for env in environments:
        own = times.get(env.program.name)
        cells = [_cells(own, times["ours"], operation) for operation in OPERATIONS[1:]] if own else []
        flat = [cell for pair in cells for cell in pair] or [env.failure, "", "", ""]
        yield [env.program.name, env.version or env.program.requirement.partition("==")[2], *flat]


def _cells(own: dict[str, list[float]], ours: dict[str, list[float]], operation: str) -> tuple[str, str]:
    taken = own[operation]
    if not taken:
        return "no such operation", ""
    bisects = statistics.median(a / b for a, b in zip(taken, own["bisect"], strict=True))
    times_ours = statistics.median(a / b for a, b in zip(taken, ours[operation], strict=True))
    return f"{bisects:,.0f}", f"{times_ours:,.1f}"


SPEED_HEAD = ["program", "version", "four pillars, bisects", "× ours", "chart, bisects", "× ours"]
PROCESS_HEAD = ["program", "import, × bare", "first chart, × bare", "command, × bare", "peak memory, MiB"]


def process_rows(environments: Sequence[Environment], rounds: int, folder: str) -> Iterator[list[str]]:
    """One row a program: whole processes as multiples of the same interpreter doing nothing."""
    present = [env for env in environments if not env.failure]
    commands = [command for env in present for command in _commands(env)]
    ran = processes.interleaved(commands, rounds, folder)
    by_name = {command.name: each for command, each in zip(commands, ran, strict=True)}
    for env in present:
        name = env.program.name
        bare = by_name[f"{name} bare"].ms
        mib = processes.peak_mib(env.python, env.program.first_chart, folder)
        cells = [_times_bare(by_name.get(f"{name} {what}"), bare) for what in ("import", "first", "command")]
        yield [name, *cells, "–" if mib is None else f"{mib:.0f}"]


def _commands(env: Environment) -> Iterator[processes.Command]:
    name, python = env.program.name, env.python
    yield processes.Command(f"{name} bare", (python, "-c", "pass"))
    yield processes.Command(f"{name} import", (python, "-c", f"import {env.program.imported}"))
    yield processes.Command(f"{name} first", (python, "-c", env.program.first_chart))
    if env.program.command:
        script, *arguments = env.program.command
        yield processes.Command(f"{name} command", (str(Path(python).with_name(script)), *arguments))


def _times_bare(ran: processes.Ran | None, bare: Sequence[float]) -> str:
    if ran is None:
        return "has none"
    return ran.failure or f"{statistics.median(a / b for a, b in zip(ran.ms, bare, strict=True)):.2f}"


def agreement_rows(environments: Sequence[Environment]) -> Iterator[list[str]]:
    """Rows of programs and settings against the golden files and against ours."""
    births = {
        "golden": agreement.golden("a_pillars"),
        "golden, at edges": agreement.golden("b_boundary"),
        "golden, contested": agreement.golden("b_boundary", contested=True),
        "random": agreement.ours(readings(DRAWN_TO_THE_SECOND, SEED + 1, 1)),
    }
    for env in environments:
        with Worker(env, []) as worker:
            for (do, setting), (label, expected) in product(SETTINGS.items(), births.items()):
                given = worker.ask(do, readings=list(expected))
                found = agreement.difference(expected, given).row()
                yield [env.program.name, setting, label, *found]


SETTINGS = {"answers": "same rules", "as_it_comes": "as it comes"}
AGREEMENT_HEAD = ["program", "setting", "births", *agreement.HEAD]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = [environment(program, Path(folder)) for program in PROGRAMS]
        present = [env for env in made if not env.failure]
        times = speed(present, asked.rounds)
        whole = report.table(PROCESS_HEAD, process_rows(made, asked.rounds, folder))
        agreed = report.table(AGREEMENT_HEAD, agreement_rows(present))
    _print_medians(times)
    yardstick = statistics.median(times["ours"]["bisect"])
    stamp = f"{report.stamp()}; {asked.rounds} rounds of {BIRTHS_A_ROUND} births; one bisect took {yardstick:.2f} µs."
    fast = report.table(SPEED_HEAD, speed_rows(made, times))
    report.publish("compare", "\n\n".join([stamp, fast, whole]), asked.write)
    caller = agreement.left_to_the_caller(BIRTHS_IN_CITIES)
    report.publish("agreement", f"{stamp.partition(';')[0]}.\n\n{agreed}\n\n{caller}", asked.write)


def _print_medians(times: Times) -> None:
    for name, taken in times.items():
        medians = (f"{operation} {statistics.median(us):,.2f} µs" for operation, us in taken.items() if us)
        print(f"{name}: {', '.join(medians)}")


if __name__ == "__main__":
    main()
