"""The page that draws charts in a browser, on node: until Python is ready, the first chart, later charts.

`python -m benchmarks.offline [--rounds N] [--write]`, after `npm install --prefix tests/docs/offline/node`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import report
from benchmarks.births import texts

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
NODE = ROOT / "tests" / "docs" / "offline" / "node"
COUNT = 30


def run(site: Path) -> dict[str, Any]:
    """Milliseconds of one process: until it is ready, and of every chart with its picture and text."""
    asked = [{"when": when, "city": city, "gender": gender} for when, city, gender in texts(COUNT)]
    line = ["node", str(NODE / "draw.mjs"), str(site)]
    done = subprocess.run(line, input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _later(run: dict[str, Any], unit: str) -> float:
    return statistics.median(each[unit] for each in run["made"][1:])


def _least(runs: list[dict[str, Any]], of: Callable[[dict[str, Any], str], float]) -> list[str]:
    """The least of the processes, by the clock and in processor time."""
    return [f"{min(of(each, unit) for each in runs):.0f}" for unit in ("ms", "cpu_ms")]


HEAD = ["on node, with picture and text", "ms", "of processor time, ms", "budget"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    spec = importlib.util.spec_from_file_location("make", ROOT / "docs" / "try" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as folder:
        site = module.make(NODE / "node_modules" / "pyodide", Path(folder))
        runs = [run(site) for _ in range(asked.rounds)]
        archive = (site / "bazi.zip").stat().st_size
    rows = [["until Python is ready", *_least(runs, lambda each, unit: each[f"ready_{unit}"]), ""]]
    rows.append(["first chart", *_least(runs, lambda each, unit: each["made"][0][unit]), "≤ 3000 ms"])
    rows.append(["later charts, median", *_least(runs, _later), "≤ 100 ms"])
    load, size = os.getloadavg()[0], archive / 1e6
    text = f"{report.stamp()}, load {load:.1f}, {asked.rounds} processes of {COUNT} charts; archive {size:.1f} MB."
    report.publish("offline", f"{text}\n\n{report.table(HEAD, rows)}", asked.write)


if __name__ == "__main__":
    main()
