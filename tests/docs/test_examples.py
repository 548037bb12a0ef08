"""Every example in the documentation is run, and every link leads somewhere."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.examples import DOCS, ENVIRONMENT, blocks, commands, pages, printed, text_of
from tests.tables import holds_for_all

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", pages())
def test_python_examples_print_what_they_show(page: str) -> None:
    names: dict[str, Any] = {"__name__": "docs"}
    for line, block in blocks(page, "python"):
        run_block(page, line, block, names)


def run_block(page: str, line: int, block: str, names: dict[str, Any]) -> None:
    """Run a session, or a script without prompts; blocks of a page share their names."""
    if ">>>" not in block:
        exec(compile(block, f"{page}:{line}", "exec"), names)
        return
    session = doctest.DocTestParser().get_doctest(block, names, page, page, line - 1)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    names.update(session.globs)
    assert not report, "".join(report)


# The commands of a page in Chinese are those of the English one, told in the other language.
TOLD = [
    pytest.param(page, marks=[pytest.mark.exhaustive] if page.startswith("zh/") else []) for page in pages()
]


@pytest.mark.parametrize("page", TOLD)
def test_commands_print_what_they_show(page: str, tmp_path: Path) -> None:
    for line, command, expected in commands(page):
        assert printed(command, tmp_path) == expected, f"{page}:{line}: {command}"


@holds_for_all("page", pages())
def test_links_lead_to_pages_that_exist(page: str) -> None:
    targets = [found for found in LINK.findall(text_of(page)) if "://" not in found]
    missing = [each for each in targets if not (DOCS / page).parent.joinpath(each).exists()]
    assert not missing


# A question, which ends with a status of its own.
ASKED = {"bazi place 朝阳": 3}


@pytest.mark.exhaustive
def test_the_commands_of_readme_run_in_an_empty_folder(tmp_path: Path) -> None:
    """One after the other, those that serve left out."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("BAZI_", "LC_"))}
    bazi = f'bazi() {{ "{sys.executable}" -m bazi_cli "$@"; }}\n'
    lines = [line for _, block in blocks("../README.md", "sh") for line in block.splitlines()]
    lines = [line.partition("  # ")[0].strip() for line in lines if line.startswith(("bazi ", "printf "))]
    ran = [line for line in lines if not line.startswith(("bazi serve", "bazi mcp"))]
    assert len(ran) > 14
    for line in ran:
        done = subprocess.run(
            ["sh", "-c", bazi + line], cwd=tmp_path, env=own | ENVIRONMENT, capture_output=True, check=False
        )
        assert done.returncode == ASKED.get(line, 0), (line, done.stderr.decode())
    assert "戊辰,庚申,乙巳,壬午,OK" in (tmp_path / "charts.csv").read_text("utf-8")


def test_every_page_is_in_the_index() -> None:
    listed = {Path(target) for target in LINK.findall(text_of("README.md")) if target.endswith(".md")}
    assert {Path(page) for page in pages()} - {Path("README.md")} == listed


def test_a_wrong_example_is_noticed() -> None:
    with pytest.raises(AssertionError):
        run_block("page", 1, ">>> 1 + 1\n3\n", {})
