"""How often strength, structure, useful god and pattern are those of the books, by author, beside two trivial rules.

    python -m benchmarks.doctrine [--peer] [--write]

With --peer also bazi-chart from the package index, in a throw-away environment (`doctrine_peer.py`). The charts, and
what their labels are worth: `data/golden/classics/README.md`, `data/golden/classics_later/README.md`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bazi_core as bz
from bazi_core.structures.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH, element_of
from benchmarks.compare import PROGRAMS, environment
from benchmarks.report import publish
from tests.golden import classics, classics_later
from tests.golden.answer import answer, given
from tests.golden.classics import Count

COLUMNS = {
    "strength": "strength",
    "special_recall": "special recall",
    "special_false_positive": "special false positives",
    "useful_god_top1": "用神 top-1",
    "useful_god_top2": "top-2",
    "ge_ju": "格局",
}
# What a reader who only asks for strength would take, best first.
STRONG, WEAK = (OUTPUT, WEALTH, OFFICER, PEER, RESOURCE), (RESOURCE, PEER, OUTPUT, WEALTH, OFFICER)


def trivial(method: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Strength by one plain rule; the useful god drains the strong and feeds the weak."""

    def engine(inputs: dict[str, Any]) -> dict[str, Any]:
        chart = given(inputs, strength_method=method)
        assert chart.strength is not None
        classes = STRONG if chart.strength.is_strong else WEAK
        return {
            "strength": chart.strength.verdict,
            "special": None,
            "useful_gods": [element_of(chart.day_master, k).value for k in classes],
        }

    return engine


def ours(**options: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def engine(inputs: dict[str, Any]) -> dict[str, Any]:
        found = given(inputs, **options).pattern()
        assert found.strength
        assert found.regular
        return {
            "strength": found.strength.verdict,
            "special": found.special and found.special.special_class,
            "useful_gods": [element.value for element in found.useful.order],
            "ge_ju": found.regular.name,
        }

    return engine


ENGINES = {
    "month command only": trivial("month_command"),
    "plain count, month twice": trivial("plain_count_month2"),
    f"bazi_core {bz.__version__}": lambda inputs: answer("classics", {"inputs": inputs}),
    "the same, strength by majority_3": ours(strength_method="majority_3"),
    "the same, ge_hidden_main=take_transparent": ours(ge_hidden_main="take_transparent"),
}


Answers = dict[str, dict[str, Any]]
Gates = dict[str, tuple[int, int]]


def questions() -> list[dict[str, Any]]:
    return [*classics.questions(), *classics_later.questions()]


def peer() -> tuple[str, Answers] | None:
    """Name and answers of bazi-chart; None where it cannot be installed."""
    program = next(each for each in PROGRAMS if each.name == "bazi-chart")
    with tempfile.TemporaryDirectory() as folder:
        found = environment(program, Path(folder))
        if found.failure:
            return None
        script = str(Path(__file__).with_name("doctrine_peer.py"))
        lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in questions())
        done = subprocess.run(
            [found.python, "-I", script],
            input=lines,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    answers = {each["id"]: each["answer"] or {} for each in map(json.loads, done.stdout.splitlines())}
    return f"bazi-chart {found.version}", answers


def tables(with_peer: bool = False) -> str:
    """A table for 任铁樵 and 沈孝瞻, one for the later authors together, one for each of them; one line an engine."""
    told = [
        (name, {each["id"]: engine(each["inputs"]) or {} for each in questions()})
        for name, engine in ENGINES.items()
    ]
    other = peer() if with_peer else None
    engines = [*told, *([other] if other else [])]
    parts = [("任铁樵; 格局: 沈孝瞻", classics.measure, classics.GATES)]
    parts.append(("韦千里, 徐乐吾, 张楠", classics_later.measure, classics_later.GATES))
    parts += [(author, _of(author), {}) for author in classics_later.AUTHORS]
    return "\n\n".join(_table(title, measure, gates, engines) for title, measure, gates in parts)


def _of(author: str) -> Callable[[Answers], dict[str, Count]]:
    return lambda answers: classics_later.measure(answers, author)


def _table(
    title: str,
    measure: Callable[[Answers], dict[str, Count]],
    gates: Gates,
    engines: list[tuple[str, Answers]],
) -> str:
    lines = [f"| {title} | {' | '.join(COLUMNS.values())} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, answers in engines:
        found = measure(answers)
        lines.append(f"| {name} | {' | '.join(_cell(found.get(column), answers) for column in COLUMNS)} |")
    if gates:
        lines.append(f"| gate | {' | '.join(_gate(gates, column) for column in COLUMNS)} |")
    return "\n".join(lines)


def _cell(count: Count | None, answers: Answers) -> str:
    """An engine that claims no structure at all is not praised for claiming none by mistake."""
    silent = not any(answer.get("special") for answer in answers.values())
    if count is None or (silent and not count.hits):
        return "–"
    return f"{count.share:.3f} ({count.hits}/{count.of})"


def _gate(gates: Gates, column: str) -> str:
    if column not in gates:
        return ""
    of, hits = gates[column]
    return f"{'≤' if column == 'special_false_positive' else '≥'} {hits}/{of}"


if __name__ == "__main__":
    publish("doctrine", tables("--peer" in sys.argv), "--write" in sys.argv)
