"""The documentation as a site: every page of both languages is on the way through it."""

from __future__ import annotations

import importlib.util
from typing import Any

from tests.docs.examples import DOCS


def site_module() -> Any:
    spec = importlib.util.spec_from_file_location("make_site", DOCS / "make_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_on_the_way_of_its_language():
    module = site_module()
    here = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"README.md"}
    english, chinese = ({path for _, path in module.navigation(language)} for language in ("en", "zh"))
    assert english - {"index.md"} == {path for path in here if "/" not in path}
    assert chinese - {"zh/index.md"} == {path for path in here if path.startswith("zh/")}


def test_what_pages_link_to_in_the_project_comes_along_and_leads_nowhere_else(tmp_path):
    pages = tmp_path / "pages"
    site_module().assemble(pages)
    assert (pages / "project" / "benchmarks" / "RESULTS.md").is_file()
    assert (pages / "project" / "examples" / "divination" / "index.md").is_file()
    outside = [path for path in pages.rglob("*.md") if "](../../data" in path.read_text("utf-8")]
    assert outside == []
    assert "](astronomy.md)" in (pages / "index.md").read_text("utf-8")
    assert "](../astronomy.md)" in (pages / "zh" / "index.md").read_text("utf-8")
