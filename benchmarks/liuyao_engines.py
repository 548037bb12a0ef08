"""Programs for 六爻, one adapter each, and the worker that times one of them in its own environment.

Run as `python -I liuyao_engines.py NAME [CHECKOUT]` inside an environment that has the program; it reads one request a
line (JSON) and answers each with one line. This file imports nothing of ours but in our own adapter.

Every adapter offers the nearest it has to: `board(values, pillars)`, six lines on a known day to all that the program
says of the board; `timed(values, at)`, the same from a clock reading at +08:00; `judged`, which only we have, the board
with its analysis. Lines are 6–9, line 1 first.
"""

from __future__ import annotations

import json
import random
import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Values = list[int]

SHORTEST_NS = 20_000_000
SAME = "2026-04-03T20:30:00+08:00"


@dataclass(frozen=True)
class Engine:
    """What one program can be asked."""

    board: Callable[[Values, list[str]], object] | None = None
    timed: Callable[[Values, str], object] | None = None
    judged: Callable[[Values, list[str]], object] | None = None


def ours() -> Engine:
    from bazi_core import liuyao as ly

    clock = "2026年04月03日 20:30"

    def board(values: Values, pillars: list[str]) -> object:
        return ly.derive(values, pillars=pillars).to_divination(
            "占", "其他", "手动起卦", divination_time=clock
        )

    def timed(values: Values, at: str) -> object:
        return ly.derive(values, at).to_divination("占", "其他", "手动起卦")

    def judged(values: Values, pillars: list[str]) -> object:
        chart = ly.derive(values, pillars=pillars)
        strict = chart.to_divination("占", "事业", "手动起卦", divination_time=clock)
        return strict, chart.analyze("事业").to_dict(facts=False)

    return Engine(board, timed, judged)


def najia() -> Engine:
    from najia import Najia

    codes = {7: 1, 8: 2, 9: 3, 6: 4}

    def timed(values: Values, at: str) -> object:
        # Its default constructor fails; a level of verbosity must be stated. Offsets are not understood.
        return (
            Najia(0).compile(params=[codes[value] for value in values], date=at[:16].replace("T", " ")).data
        )

    return Engine(timed=timed)


def ichingshifa() -> Engine:
    from ichingshifa.ichingshifa import Iching

    book = Iching()

    def board(values: Values, pillars: list[str]) -> object:
        lines = "".join(map(str, values))
        return book.decode_two_gua(lines, lines.replace("6", "7").replace("9", "8"), pillars[2])

    def timed(values: Values, at: str) -> object:
        year, month, day, hour, minute = (
            int(at[i:j]) for i, j in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16))
        )
        return board(values, list(book.gangzhi(year, month, day, hour, minute)))

    return Engine(board, timed)


def toastedqu() -> Engine:
    sys.path.insert(0, sys.argv[2])
    from app.chart import build_chart

    return Engine(lambda values, pillars: build_chart(values))


ENGINES: dict[str, Callable[[], Engine]] = {
    "ours": ours,
    "najia": najia,
    "ichingshifa": ichingshifa,
    "toastedqu-liuyao": toastedqu,
}


def bisect_us() -> float:
    """The yardstick: one bisect among 26,400 instants a fortnight apart."""
    instants = array("q", (i * 1_314_900_000 for i in range(26_400)))
    draw = random.Random(1)
    keys = [draw.randrange(instants[-1]) for _ in range(1000)]
    return _us(lambda: [bisect_right(instants, key) for key in keys], 1000)


def _us(work: Callable[[], object], calls: int) -> float:
    """µs a call, the mean of the passes that fit into some milliseconds, which for slow work is one pass."""
    passes, start = 0, perf_counter_ns()
    while perf_counter_ns() - start < SHORTEST_NS:
        work()
        passes += 1
    return (perf_counter_ns() - start) / passes / calls / 1000


def _answer(engine: Engine, do: str, casts: list[Any]) -> float | None:
    """The time of an operation over the casts; None when the program has none such."""
    if do == "bisect":
        return bisect_us()
    call: Any = {"board": engine.board, "judged": engine.judged, "timed": engine.timed, "same": engine.timed}[
        do
    ]
    if call is None:
        return None
    if do in ("timed", "same"):
        return _us(
            lambda: [call(values, SAME if do == "same" else at) for values, _, at in casts], len(casts)
        )
    return _us(lambda: [call(values, pillars) for values, pillars, _ in casts], len(casts))


def serve(name: str) -> None:
    """Answer requests; the first gives the casts to time with."""
    engine = ENGINES[name]()
    given = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        request = json.loads(line)
        casts = given[slice(*request["part"])]
        print(json.dumps(_answer(engine, request["do"], casts)), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
