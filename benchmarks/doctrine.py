"""How often strength, structure, useful god and pattern are those of the classics, beside two trivial rules.

    python -m benchmarks.doctrine [--peer] [--write]

With --peer also bazi-chart from the package index, in a throw-away environment (`doctrine_peer.py`). The charts, and
what their labels are worth: `data/golden/classics/README.md`.
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
from bazi_core.pattern.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH, element_of
from benchmarks.compare import PROGRAMS, environment
from benchmarks.report import publish
from tests.golden.answer import answer, given
from tests.golden.classics import GATES, Count, measure, questions

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


def table(with_peer: bool = False) -> list[str]:
    """One line an engine, as Markdown."""
    asked = questions()
    lines = [f"| engine | {' | '.join(COLUMNS.values())} |", "|---" * (len(COLUMNS) + 1) + "|"]
    told = [
        (name, {each["id"]: engine(each["inputs"]) or {} for each in asked})
        for name, engine in ENGINES.items()
    ]
    other = peer() if with_peer else None
    for name, answers in (*told, *([other] if other else [])):
        found = measure(answers)
        lines.append(f"| {name} | {' | '.join(_cell(found[column]) for column in COLUMNS)} |")
    gates = " | ".join(_gate(column) for column in COLUMNS)
    return [*lines, f"| gate | {gates} |"]


def _cell(count: Count) -> str:
    return f"{count.share:.3f} ({count.hits}/{count.of})" if count.hits else "–"


def _gate(column: str) -> str:
    if column not in GATES:
        return ""
    of, hits = GATES[column]
    return f"{'≤' if column == 'special_false_positive' else '≥'} {hits}/{of}"


if __name__ == "__main__":
    publish("doctrine", "\n".join(table("--peer" in sys.argv)), "--write" in sys.argv)
