"""What words cost beside the facts they stand on: `python -m benchmarks.narration [--rounds N] [--write]`.

Facts are made before; a call plans and speaks, or checks what a model wrote. Ratios are to the reading of a chart, one run.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from time import process_time_ns
from typing import TYPE_CHECKING, Any

from bazi_core.model.port import ReadingReply
from bazi_core.questions.intent import intent
from bazi_core.readings.cast import narrate
from bazi_core.readings.final import read, read_pattern
from bazi_core.readings.free_line import fault
from bazi_core.readings.offer import PATTERN, Offer, offer
from bazi_core.readings.reply import chosen
from bazi_core.readings.wish import Wish
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.tables import rows as rows_of
from benchmarks import report
from benchmarks.births import births
from benchmarks.liuyao import asked
from benchmarks.operations import SCHOOL, Operation, bisect, cast
from benchmarks.timing import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

COUNT, AS_OF = 50, "2026-11-23"
LINES = ("慢慢来，不急。", "听得出来，你这阵子走得辛苦。", "接下来，我们看看工作。")
REFUSED = ("你身强，用神为水。", "以上并不准。", "你会在后年升职。")


@cache
def _patterns() -> list[Any]:
    found = [cast(born, SCHOOL).pattern() for born in births(COUNT)]
    for each in found:
        read_pattern(each)
    return found


@cache
def _years() -> list[Any]:
    found = [each.chart.year(each.chart.birth.civil.year + 30) for each in _patterns()]
    for each in found:
        read(each)
    return found


def _one_each(name: str, call: Callable[..., object], found: Sequence[Any]) -> Operation:
    return Operation(name, call, [(each,) for each in found])


def questions() -> Operation:
    """What every fortieth example that is none of need asks: more of them than are kept once they were heard."""
    asked = [row["text"] for row in rows_of("need_examples") if row["class"] == "normal"]
    return _one_each("what a question asks", intent, asked[::40])


def chart_plan() -> Operation:
    return _one_each("plan of a chart", pattern_plan, _patterns())


def words() -> Operation:
    return _one_each("words of that plan", _words, [pattern_plan(each) for each in _patterns()])


def _words(plan: Any) -> object:
    return Speaker(digest=plan.digest, plain=True).reading(plan.shortened("standard"))


def chart() -> Operation:
    return _one_each("reading of a chart", read_pattern, _patterns())


def chart_in_english() -> Operation:
    return _one_each("reading of a chart in English, its decade known", _read_in_english, _patterns())


def _read_in_english(result: Any) -> object:
    return read_pattern(result, language="en", as_of=AS_OF)


def year() -> Operation:
    return _one_each("reading of a year", read, _years())


def of_cast() -> Operation:
    return _one_each("reading of a cast", narrate, asked()[:COUNT])


def reply() -> Operation:
    """What can be used of a model's reply about a chart: fifteen statements, three lines of its own."""
    parts: list[dict[str, object]] = [{"say": f"s{number}", "variant": 0} for number in range(1, 16)]
    text = json.dumps(
        {"parts": [*parts, *({"free": line} for line in LINES)], "keywords": ["s1"]}, ensure_ascii=False
    )
    return Operation(
        "check of a model's reply", chosen, [(_offered(each), ReadingReply(text)) for each in _patterns()]
    )


def _offered(result: Any) -> Offer:
    return offer(pattern_plan(result), Wish(), PATTERN, 29)


def free_line() -> Operation:
    """A line of a model's own, half of them to be left out."""
    return Operation("check of a free line", fault, [(line, "zh-Hans") for line in (*LINES, *REFUSED)])


ALL = (bisect, chart, questions, chart_plan, words, chart_in_english, year, of_cast, reply, free_line)
HEAD = ["operation", "least, µs", "median, µs", "in bisects", "× reading of a chart"]


def rows(rounds: int) -> Iterator[list[str]]:
    """One row an operation."""
    made = [make() for make in ALL]
    taken = interleaved(made, rounds, process_time_ns)
    for operation, times in zip(made, taken, strict=True):
        figures = (times.least, times.median, times.over(taken[0]))
        yield [operation.name, *(f"{each:,.1f}" for each in figures), f"{times.over(taken[1]):.3f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    given = parser.parse_args()
    head = f"{report.stamp()}, {COUNT} births, {given.rounds} rounds, processor time."
    text = f"{head}\n\n{report.table(HEAD, rows(given.rounds))}"
    report.publish("narration", text, given.write)


if __name__ == "__main__":
    main()
