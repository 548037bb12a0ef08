"""The page that draws charts in a browser, run on node: Python compiled to WebAssembly draws what Python here draws.

Runs where pyodide is installed: `npm install --no-package-lock --prefix tests/docs/offline/node`.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bazi_core as bz

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "try"
NODE_FOLDER = Path(__file__).parent / "node"
PYODIDE = NODE_FOLDER / "node_modules" / "pyodide"
NODE = shutil.which("node")
ASKED = [
    {"when": "1990-05-15 13:30", "city": "北京", "gender": "male"},
    {"when": "1988-08-18 13:30", "city": "成都", "gender": "female", "lang": "en", "theme": "dark"},
    {"when": "农历1990年闰五月初一 午时", "city": "上海", "lang": "zh-Hant"},
    {"when": "2026-02-04 05:00", "city": "New York", "gender": "male"},
    {"when": "1990-05-15 25:00", "city": "北京", "lang": "en"},
    {"when": "1990-05-15 13:30", "city": "nowhere at all"},
]


def make_module() -> Any:
    spec = importlib.util.spec_from_file_location("make", PAGE / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn_here(asked: dict[str, str]) -> dict[str, str]:
    given = dict(asked)
    when, lang, theme = given.pop("when"), given.pop("lang", "zh-Hans"), given.pop("theme", "light")
    try:
        chart = bz.chart(when, **given)
    except bz.BaziError as error:
        return {"code": error.code, "error": error.text(lang), "hint": error.advice(lang)}
    parts = ("pillars", "elements", "luck") if chart.luck else ("pillars", "elements")
    pictures = {part: chart.svg(lang, theme, part=part) for part in parts}
    return {"pillars": str(chart.pillars), "pictures": pictures, "text": chart.to_text(lang)}


@pytest.mark.process
@pytest.mark.skipif(NODE is None or not PYODIDE.exists(), reason="pyodide on node is not installed")
def test_the_page_draws_the_charts_that_the_library_draws_here(tmp_path):
    site = make_module().make(PYODIDE, tmp_path / "site")
    done = subprocess.run(
        [str(NODE), str(NODE_FOLDER / "draw.mjs"), str(site)],
        input=json.dumps(ASKED),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    made = json.loads(done.stdout)["made"]
    assert [{name: each[name] for name in each if name not in ("ms", "cpu_ms")} for each in made] == [
        drawn_here(asked) for asked in ASKED
    ]


def test_the_page_asks_for_nothing_from_elsewhere():
    for path in sorted(PAGE.iterdir()):
        if path.is_file():
            assert not re.search(r"(?:https?:)?//[\w-]+\.", path.read_text("utf-8")), path


@pytest.mark.exhaustive
def test_the_folder_holds_what_the_page_names(tmp_path):
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    module = make_module()
    for name in module.PYODIDE:
        (pyodide / name).write_text(name)
    site = module.make(pyodide, tmp_path / "site")
    page = (site / "index.html").read_text("utf-8") + (site / "chart.mjs").read_text("utf-8")
    named = re.findall(r'"\./([\w./]+\.\w+)"', page)
    assert set(named) == {"style.css", "chart.mjs", "pyodide/pyodide.mjs", "bazi.zip"}
    assert all((site / name).is_file() for name in named)
    listed = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(site / "bazi.zip")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "bazi_core/place/data/places.sqlite" in listed
    assert "tzdata/zoneinfo/Asia/Shanghai" in listed
    assert ".bsp" not in listed
