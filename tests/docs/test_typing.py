"""The Python of README passes a strict type checker as it stands, which also objects to what cannot be right."""

import subprocess
import sys
from doctest import DocTestParser

import pytest

from tests.docs.examples import DOCS, FENCE, blocks, pages

# What a strict checker knows of a chart, and what it objects to, line by line.
SESSION = """\
import bazi_core as bz

def told() -> None:
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    chart.moment.true_solar, chart.luck.cycles[0].pillar, chart.lunar.text()
    bz.chart("1990-05-15 13:30", city="北京").moment.utc
    bz.moment("1990-05-15 13:30", longitude=116.4, tz="Asia/Shanghai").utc
    bz.candidates("1990-05-15", city="北京").varies
    bz.read(chart).narrative, bz.read(chart.year(2026)).score

def refused() -> None:
    bz.chart("1990-05-15 13:30", city="北京").luck.cycles
    bz.chart("1990-05-15", city="北京", gender="male", hour_unknown=True).moment.utc
    bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").moment.utc
    bz.chart("1990-05-15 13:30", cty="北京")
    bz.moment("1990-05-15 13:30", lon=116.4)
    bz.candidates("1990-05-15", city=5)
    bz.Pillar("庚辰") == "庚辰"
    bz.Stem("庚") == "庚"
"""


@pytest.mark.exhaustive
def test_the_python_of_readme_passes_mypy_strict_and_mistakes_do_not(tmp_path):
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    blocks = [found[2] for found in FENCE.finditer(readme) if found[1] == "python"]
    assert blocks
    (tmp_path / "readme.py").write_text("\n".join(blocks), "utf-8")
    (tmp_path / "session.py").write_text(SESSION, "utf-8")
    told = _checked(tmp_path, "--strict")
    wrong = {tuple(line.split(":")[:2]) for line in told.splitlines() if ": error:" in line}
    first = SESSION.splitlines().index("def refused() -> None:") + 2
    expected = {("session.py", str(line)) for line in range(first, len(SESSION.splitlines()) + 1)}
    assert wrong == expected, told


# What a session at a prompt may do beside: use a name again for another thing, and look at what a chart has only where the
# School judges or its moment is known. Django has no types.
AT_A_PROMPT = (
    "--strict", "--allow-redefinition",
    *("--disable-error-code=" + code for code in ("union-attr", "import-untyped")),
)  # fmt: skip


@pytest.mark.exhaustive
def test_the_python_of_every_page_names_what_there_is_and_passes_what_is_taken(tmp_path):
    pages_with_python = [page for page in pages() if any(blocks(page, "python"))]
    assert len(pages_with_python) > 20
    for page in pages_with_python:
        sources = [_source(block) for _, block in blocks(page, "python")]
        name = page.removesuffix(".md").replace("/", "_").replace("-", "_")
        (tmp_path / f"{name}.py").write_text("\n".join(sources), "utf-8")
    assert _checked(tmp_path, *AT_A_PROMPT).startswith("Success")
    (tmp_path / "luck.py").write_text("import bazi_core as bz\nbz.chart('now').no_such_thing\n", "utf-8")
    assert "no_such_thing" in _checked(tmp_path, *AT_A_PROMPT)


def _source(block):
    """The statements of a block, which may be a session with its answers."""
    if ">>>" not in block:
        return block
    return "".join(example.source for example in DocTestParser().get_examples(block))


def _checked(folder, *options):
    """What the type checker says of the files of a folder."""
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--python-version", "3.11", "--follow-imports", "silent",
         "--config-file", "", "--cache-dir", str(folder / "cache"), *sorted(path.name for path in folder.glob("*.py"))],
        cwd=folder,
        env={"MYPYPATH": str(DOCS.parent), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    return run.stdout + run.stderr
