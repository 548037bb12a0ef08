"""Tables of births: rows a second of the columns beside loops of single charts and of peers, and of `bazi batch`.

`python -m benchmarks.batch [--rounds N] [--rows N] [--file-rows N] [--write]`. Births are drawn from one seed, 1900 to 2099,
to the second, gaps and folds of the clocks among them. Everything takes turns within a round; the quickest round counts.
Beside the time on the clock stands that of the processor, which other work disturbs less. Peers are loops over single
births, in throw-away environments; none of them takes tables. Files are read and written by the command; its memory is the
peak of all its processes together.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bazi_core as bz
from benchmarks import report
from benchmarks.births import SEED, readings
from benchmarks.compare import PROGRAMS, Worker, environment

if TYPE_CHECKING:
    from collections.abc import Iterator

DERIVED = ("ten_gods", "hidden_stems", "stages", "nayin", "luck")
ZONES = (
    "Asia/Shanghai", "America/New_York", "Europe/London", "Asia/Tokyo", "Asia/Seoul", "Asia/Hong_Kong",
    "America/Sao_Paulo", "Australia/Sydney",
)  # fmt: skip
PEERS = ("lunar-python", "sxtwl")
PEER_BIRTHS = 200
WITHOUT_PATTERN = ("pillars", *DERIVED, "time", "voids", "relations", "stars")


class Case(NamedTuple):
    """Columns of a table under fixed arguments, and the rows a second that are asked of them."""

    name: str
    columns: tuple[str, ...]
    where: dict[str, Any]
    zones: bool = False
    budget: float | None = None


CASES = (
    Case("pillars, one offset", ("pillars",), {"utc_offset": 8}, budget=20e6),
    Case("pillars, one zone (Asia/Shanghai)", ("pillars",), {"tz": "Asia/Shanghai"}, budget=20e6),
    Case(
        "pillars, one zone with summer time now (America/New_York)", ("pillars",), {"tz": "America/New_York"}
    ),
    Case("pillars, a column of eight zones", ("pillars",), {}, True),
    Case("pillars by true solar time (北京)", ("pillars",), {"city": "北京"}),
    Case(
        "with ten gods, hidden stems, stages, 纳音, luck",
        DERIVED,
        {"tz": "Asia/Shanghai", "gender": "male"},
        budget=3e6,
    ),
    Case("all but strength and pattern", WITHOUT_PATTERN, {"tz": "Asia/Shanghai", "gender": "male"}),
)


def drawn(count: int) -> dict[str, Any]:
    """Times and zones of births."""
    draw = np.random.default_rng(SEED)
    first, last = (np.datetime64(year, "s").astype(np.int64) for year in ("1900", "2100"))
    return {
        "datetime": draw.integers(first, last, count).astype("datetime64[s]"),
        "tz": np.array(ZONES)[draw.integers(0, len(ZONES), count)],
    }


def table_of(case: Case, births: dict[str, Any]) -> dict[str, Any]:
    return births if case.zones else {"datetime": births["datetime"]}


def took(case: Case, births: dict[str, Any]) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    bz.charts(table_of(case, births), case.columns, **case.where)
    return time.perf_counter() - clock, time.process_time() - processor


def single(births: dict[str, Any]) -> tuple[float, float]:
    """Seconds a row of single charts, on the clock and of the processor: the pillars of a wall clock in a zone."""
    times = births["datetime"][:1000].tolist()
    clock, processor = time.perf_counter(), time.process_time()
    for each in times:
        bz.chart(each, tz="Asia/Shanghai", fold=0).pillars  # noqa: B018
    return (time.perf_counter() - clock) / len(times), (time.process_time() - processor) / len(times)


def rows(rounds: int, count: int) -> Iterator[list[str]]:
    """One row for each case, for single charts and for each peer."""
    births = drawn(count)
    some = [at.isoformat() for at in readings(rounds * PEER_BIRTHS)]
    ours: list[list[tuple[float, float]]] = [[] for _ in CASES]
    alone: list[tuple[float, float]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = [environment(program, folder) for program in PROGRAMS if program.name in PEERS]
        workers = {env: stack.enter_context(Worker(env, some)) for env in found if env.python}
        others: dict[str, list[tuple[float, float]]] = {env.program.name: [] for env in workers}
        for worker in workers.values():
            worker.ask("warm")
        for case in CASES:
            took(case, {name: values[:1000] for name, values in births.items()})
        for number in range(rounds):
            for times, case in zip(ours, CASES, strict=True):
                times.append(took(case, births))
            alone.append(single(births))
            for env, worker in workers.items():
                part = [number * PEER_BIRTHS, (number + 1) * PEER_BIRTHS]
                both = [worker.ask(kind, part=part) / 1e6 for kind in ("pillars", "processor")]
                others[env.program.name].append((both[0], both[1]))
    for times, case in zip(ours, CASES, strict=True):
        clock, processor = (count / min(each[kind] for each in times) for kind in (0, 1))
        charts = bz.charts(
            {name: v[:10] for name, v in table_of(case, births).items()}, case.columns, **case.where
        )
        kept = "" if case.budget is None else "kept" if processor >= case.budget else "missed"
        asked = "" if case.budget is None else f"{case.budget / 1e6:.0f} M"
        yield [case.name, f"{clock:,.0f}", f"{processor:,.0f}", str(charts.bytes_per_row), asked, kept]
    yield ["single charts, pillars alone", *_rates(alone), "", "", ""]
    for env in found:
        name = f"{env.program.name} {env.version}, a loop, pillars alone"
        yield [name, *(_rates(others[env.program.name]) if env.python else (env.failure, "")), "", "", ""]


def _rates(times: list[tuple[float, float]]) -> tuple[str, str]:
    """Rows a second on the clock and of the processor, the quickest of the rounds."""
    clock, processor = (min(each[kind] for each in times) for kind in (0, 1))
    return f"{1 / clock:,.0f}", f"{1 / processor:,.0f}"


def file_rows(count: int) -> Iterator[list[str]]:
    """One row for each run of the command on a file of so many births."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = written(folder / "births.csv", count)
        for jobs in (1, 2):
            output = folder / f"{jobs}.csv"
            yield [f"CSV → CSV, pillars, --jobs {jobs}", *run(count, source, output, "--jobs", str(jobs))]
        same = (folder / "1.csv").read_bytes() == (folder / "2.csv").read_bytes()
        yield [f"the bytes of both outputs are {'the same' if same else 'DIFFERENT'}", "", "", ""]
        parquet = folder / "births.parquet"
        yield ["CSV → Parquet, pillars", *run(count, source, parquet)]
        more = ("--columns", "ten_gods,luck,relations", "--keep", "id")
        yield [
            "Parquet → Parquet, with ten gods, luck, relations",
            *run(count, parquet, folder / "x.parquet", *more),
        ]


def written(path: Path, count: int) -> Path:
    """A file of births: id, datetime, tz, gender."""
    block = 500_000
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,datetime,tz,gender\n")
        births = drawn(count)
        for start in range(0, count, block):
            times = np.datetime_as_string(births["datetime"][start : start + block]).tolist()
            zones = births["tz"][start : start + block].tolist()
            for row, (at, zone) in enumerate(zip(times, zones, strict=True), start):
                file.write(f"{row},{at.replace('T', ' ')},{zone},{'female' if row % 2 else 'male'}\n")
    return path


def run(count: int, source: Path, output: Path, *more: str) -> list[str]:
    """Rows a second on the clock and of a processor, and the most memory of all processes together in MB."""
    command = [sys.executable, "-m", "bazi_cli", "batch", str(source), "-o", str(output), *more]
    start, before = time.perf_counter(), _children_s()
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    most = 0
    while running.poll() is None:
        most = max(most, sum(_resident_kb(each) for each in _family(running.pid)))
        time.sleep(0.05)
    assert running.returncode == 0, command
    seconds = time.perf_counter() - start
    return [f"{count / seconds:,.0f}", f"{count / (_children_s() - before):,.0f}", f"{most / 1024:,.0f}"]


def _children_s() -> float:
    """Seconds of processor of the processes that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _family(pid: int) -> list[int]:
    """A process and those that it started."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(each for child in children for each in _family(child))]


def _resident_kb(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)


HEAD = ["columns", "rows a second", "rows a second of processor", "bytes a row", "asked", ""]
FILE_HEAD = ["`bazi batch`", "rows a second", "rows a second of processor", "peak memory, MB"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--file-rows", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    parts = [f"{report.stamp()}; {asked.rounds} rounds of {asked.rows:,} rows, files of {asked.file_rows:,}."]
    parts += [report.table(HEAD, rows(asked.rounds, asked.rows))]
    parts += [report.table(FILE_HEAD, file_rows(asked.file_rows))]
    report.publish("batch", "\n\n".join(parts), asked.write)


if __name__ == "__main__":
    main()
