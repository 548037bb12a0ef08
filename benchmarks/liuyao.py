"""六爻: its operations against their budgets, and beside other programs on the same casts in the same minutes.

`python -m benchmarks.liuyao [--rounds N] [--write]`. najia and ichingshifa are installed into environments of their own in
a temporary folder. toastedqu/liuyao shows no licence, so nothing of it is fetched: the variable BAZI_BENCH_LIUYAO may name
a checkout of it, which is run where it lies.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.pillars import five_rats, five_tigers
from bazi_core.readings.cast import narrate
from benchmarks import budgets, report
from benchmarks.compare import ROOT, Environment, Program, Worker, environment
from benchmarks.operations import Operation, bisect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SEED = 20_260_403
COUNT = 1000
CASTS_A_ROUND = 50
CHECKOUT = "BAZI_BENCH_LIUYAO"
WORKER = Path(__file__).with_name("liuyao_engines.py")
CLOCK = "2026年04月03日 20:30"
KINDS = ("事业", "财运", "婚姻", "学业", "健康", "失物", "官司", "其他")
Cast = tuple[list[int], list[str], str]


@cache
def casts(count: int = COUNT) -> list[Cast]:
    """(lines, four pillars, time) at random, lines with the odds of coins, times of 1901–2099 at +08:00."""
    draw = random.Random(SEED)
    return [([*ly.cast.coins(draw).values], _four(draw), _at(draw)) for _ in range(count)]


def _four(draw: random.Random) -> list[str]:
    year, day = draw.choice(PILLARS), draw.choice(PILLARS)
    month, hour = draw.choice(BRANCHES), draw.choice(BRANCHES)
    return [each.value for each in (year, five_tigers(year.stem, month), day, five_rats(day.stem, hour))]


def _at(draw: random.Random) -> str:
    at = datetime(1901, 1, 1) + timedelta(minutes=draw.randrange(199 * 365 * 24 * 60))
    return f"{at.isoformat()}+08:00"


# Operations and budgets.


def board() -> Operation:
    """The strict object from given pillars."""
    return Operation(
        "strict object, given pillars", _board, [(lines, four) for lines, four, _ in casts()], 20
    )


def _board(lines: list[int], four: list[str]) -> object:
    return ly.derive(lines, pillars=four).to_divination("占", "其他", "手动起卦", divination_time=CLOCK)


def timed() -> Operation:
    """The strict object from the text of a time."""
    return Operation(
        "text of a time to strict object", _timed, [(lines, at) for lines, _, at in casts()], 100
    )


def _timed(lines: list[int], at: str) -> object:
    return ly.derive(lines, at).to_divination("占", "其他", "手动起卦")


def same() -> Operation:
    """The same with one time for all casts."""
    at = "2026-04-03T20:30:00+08:00"
    return Operation("one time repeated to strict objects", _timed, [(lines, at) for lines, _, _ in casts()])


def judged() -> Operation:
    """The strict object and the analysis without facts, from given pillars."""
    inputs = [(lines, four, KINDS[i % len(KINDS)]) for i, (lines, four, _) in enumerate(casts())]
    return Operation("strict object and analysis, given pillars", _judged, inputs, 100)


def _judged(lines: list[int], four: list[str], kind: str) -> object:
    chart = ly.derive(lines, pillars=four)
    strict = chart.to_divination("占", kind, "手动起卦", divination_time=CLOCK)
    return strict, chart.analyze(kind).to_dict(facts=False)


def with_facts() -> Operation:
    """The analysis with every fact, from the text of a time."""
    inputs = [(lines, at, KINDS[i % len(KINDS)]) for i, (lines, _, at) in enumerate(casts())]
    return Operation("text of a time to analysis with facts", _with_facts, inputs)


def _with_facts(lines: list[int], at: str, kind: str) -> object:
    return ly.derive(lines, at).analyze(kind).to_dict()


def revealed() -> Operation:
    """A cast by commit and reveal, and its verification."""
    seeds = random.Random(SEED)
    return Operation(
        "cast revealed and verified", _revealed, [(seeds.randbytes(32), f"run {n}") for n in range(COUNT)]
    )


def _revealed(server: bytes, client: str) -> object:
    return ly.cast.verify(ly.cast.commit(server).reveal(client).to_dict())


def narrated() -> Operation:
    """The reading of the rules, of analyses whose facts are made."""
    return Operation("reading by the rules", narrate, [(found,) for found in asked()])


@cache
def asked() -> list[ly.Analysis]:
    found = [
        ly.derive(lines, pillars=four).analyze(KINDS[i % len(KINDS)])
        for i, (lines, four, _) in enumerate(casts())
    ]
    # Facts are made here, so that neither operation pays for them.
    return [each for each in found if each.facts]


ALL: tuple[Callable[[], Operation], ...] = (
    bisect, board, timed, same, judged, with_facts, revealed, narrated,
)  # fmt: skip


# Beside other programs.

PROGRAMS = (
    Program("ours", str(ROOT), "bazi_core", ""),
    Program("najia", "najia==2.0.1", "najia", ""),
    Program(
        "ichingshifa", "ichingshifa==3.1.9", "ichingshifa", "", extra=("ephem", "numpy", "sxtwl", "cn2an")
    ),
)
LOCAL = Program("toastedqu-liuyao", "pydantic", "app", "")
OPERATIONS = ("bisect", "board", "timed", "same", "judged")
Times = dict[str, dict[str, list[float]]]


def environments(folder: Path) -> list[Environment]:
    """The programs that install, and the checkout if one is named."""
    made = [environment(program, folder) for program in PROGRAMS]
    checkout = os.environ.get(CHECKOUT)
    if not checkout:
        return [*made, Environment(LOCAL, failure=f"no checkout ({CHECKOUT} is not set)")]
    found = environment(LOCAL, folder)
    return [*made, Environment(LOCAL, found.python, "checkout", found.failure)]


def speed(made: Sequence[Environment], rounds: int) -> Times:
    """Program → operation → µs a call, one figure a round; the programs take turns within every round."""
    given = casts(rounds * CASTS_A_ROUND)
    present = [env for env in made if not env.failure]
    times: Times = {env.program.name: {operation: [] for operation in OPERATIONS} for env in present}
    checkout = os.environ.get(CHECKOUT, "")
    with ExitStack() as stack:
        workers = {
            env.program.name: stack.enter_context(Worker(env, given, WORKER, checkout)) for env in present
        }
        for name, operation in product(workers, OPERATIONS):
            workers[name].ask(operation, part=[0, CASTS_A_ROUND])
        for start in range(0, len(given), CASTS_A_ROUND):
            for name, operation in product(workers, OPERATIONS):
                taken = workers[name].ask(operation, part=[start, start + CASTS_A_ROUND])
                if taken is not None:
                    times[name][operation].append(taken)
    return times


HEAD = [
    "program",
    "version",
    "board, µs",
    "× ours",
    "time to board, µs",
    "× ours",
    "one time repeated, µs",
    "× ours",
]


def peer_rows(made: Sequence[Environment], times: Times) -> Iterator[list[str]]:
    """One row a program: each operation in µs, and in multiples of ours within the same round; medians."""
    for env in made:
        own = times.get(env.program.name)
        version = env.version or env.program.requirement.partition("==")[2] or "–"
        if own is None:
            yield [env.program.name, version, env.failure, *[""] * 5]
            continue
        cells = [
            cell for operation in OPERATIONS[1:4] for cell in _cells(own[operation], times["ours"][operation])
        ]
        yield [env.program.name, version, *cells]


def _cells(own: list[float], ours: list[float]) -> tuple[str, str]:
    if not own:
        return "no such operation", ""
    ratios = [a / b for a, b in zip(own, ours, strict=True)]
    return f"{statistics.median(own):,.1f}", f"{statistics.median(ratios):,.1f}"


def _analysis(times: Times) -> str:
    judged_us = statistics.median(times["ours"]["judged"])
    yardstick = statistics.median(times["ours"]["bisect"])
    bisects = f"{judged_us / yardstick:.0f} bisects; one bisect took {yardstick:.2f} µs"
    return f"Ours with the analysis: {judged_us:.1f} µs, {bisects}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    own = report.table(budgets.HEAD, budgets.rows(asked.rounds, ALL))
    text = f"{report.stamp()}, {COUNT:,} casts, {asked.rounds} rounds.\n\n{own}"
    report.publish("liuyao", text, asked.write)
    with tempfile.TemporaryDirectory() as folder:
        made = environments(Path(folder))
        times: Any = speed(made, asked.rounds)
    peers = report.table(HEAD, peer_rows(made, times))
    stamp = f"{report.stamp()}; {asked.rounds} rounds of {CASTS_A_ROUND} casts."
    report.publish("liuyao-peers", f"{stamp}\n\n{peers}\n\n{_analysis(times)}", asked.write)


if __name__ == "__main__":
    main()
