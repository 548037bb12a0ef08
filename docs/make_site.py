"""Build the documentation as a site, in English and Chinese: `python docs/make_site.py [FOLDER]` (needs the extra `docs`).

The pages are the Markdown of this folder, and the way through them is the table of README.md. Files of the project that
they link to come along below `project/`. Every link is checked: one that leads nowhere ends the build. `--try` adds the
page that draws charts without a server, `--shots` the folder of pictures that `docs/shots.py` took of the pages of a hub.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
HOMES = {"en": ("Overview", "index.md"), "zh": ("总览", "zh/index.md")}
COLUMN = {"en": 1, "zh": 2}
_PAGE = re.compile(r"\[(.+?)\]\(([\w/-]+\.md)\)")
# Out of the folder of the documents, as a page of docs or of docs/zh writes it.
_OUTSIDE = re.compile(
    r"\]\((?P<up>(?:\.\./)+)(?P<path>(?:bazi_\w+|benchmarks|data|examples)/[^)#\s]+)(?P<anchor>#[^)\s]*)?\)"
)
_CONFIG = """[project]
site_name = "bazi"
docs_dir = "pages"
site_dir = "site-{language}"
use_directory_urls = false
nav = [{nav}]

[project.theme]
language = "{language}"
font = false
features = ["navigation.top", "content.code.copy", "toc.follow"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"

[project.extra]
generator = false
{alternate}
[project.markdown_extensions.toc]
permalink = true
slugify = {{object = "pymdownx.slugs.slugify", kwds = {{case = "lower"}}}}

[project.markdown_extensions.admonition]
[project.markdown_extensions.tables]
[project.markdown_extensions.pymdownx.highlight]
[project.markdown_extensions.pymdownx.superfences]
custom_fences = [{{name = "mermaid", class = "mermaid", format = "pymdownx.superfences.fence_code_format"}}]
"""
_ALTERNATE = """
[[project.extra.alternate]]
name = "{name}"
link = "{link}"
lang = "{lang}"
"""
LANGUAGES = (("English", "index.html", "en"), ("中文", "zh/index.html", "zh"))


def contents() -> list[list[str]]:
    """The rows of the table in README.md: topic, English page, Chinese page."""
    lines = (DOCS / "README.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in rows if row[0]]


def navigation(language: str) -> list[tuple[str, str]]:
    """The title and the path of every page of a language, in the order of the table."""
    found = (_PAGE.search(row[COLUMN[language]]) for row in contents())
    return [HOMES[language], *((page[1], page[2]) for page in found if page)]


def assemble(pages: Path) -> None:
    """The folder `pages`: the documents, and what they link to in the project."""
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("*.py", "try", "__pycache__"))
    (pages / "README.md").rename(pages / "index.md")
    (pages / "zh" / "index.md").write_text(_chinese_home(), "utf-8")
    wanted: set[str] = set()
    for page in pages.rglob("*.md"):
        text = (
            page.read_text("utf-8")
            .replace("](README.md", "](index.md")
            .replace("](../README.md", "](../index.md")
        )
        up = "../" * len(page.relative_to(pages).parent.parts)
        wanted |= {found["path"] for found in _OUTSIDE.finditer(text)}
        page.write_text(_OUTSIDE.sub(lambda found, up=up: f"]({up}project/{_copied(found)})", text), "utf-8")
    for path in sorted(wanted):
        _copy(PROJECT / path, pages / "project" / path)


def _copied(found: re.Match[str]) -> str:
    path = found["path"].rstrip("/")
    return (f"{path}/index.md" if (PROJECT / path).is_dir() else path) + (found["anchor"] or "")


def _copy(source: Path, target: Path) -> None:
    """A file, or a folder with a page that lists it; of Markdown the links lead no further."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        files = sorted(each.relative_to(target).as_posix() for each in target.rglob("*") if each.is_file())
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    for page in target.rglob("*.md") if source.is_dir() else [target] if source.suffix == ".md" else []:
        text = page.read_text("utf-8")
        page.write_text(re.sub(r"(?<!!)\[([^]]+)\]\((?![a-z]+://|#)[^)]*\)", r"\1", text), "utf-8")
    if source.is_dir():
        listed = [f"* [{each}]({each})" for each in files]
        (target / "index.md").write_text("\n".join([f"# {source.name}", "", *listed, ""]), "utf-8")


def _chinese_home() -> str:
    """The first page in Chinese: the table's Chinese pages, and the English ones of what has no Chinese page."""
    rows = [(row[COLUMN["zh"]] or row[COLUMN["en"]]) for row in contents()]
    links = [
        f"* {row.replace('](zh/', '](') if '](zh/' in row else row.replace('](', '](../')}" for row in rows
    ]
    return "\n".join(
        ["# bazi 文档", "", *(each for each in links if "](" in each and "try/" not in each), ""]
    )


def build(site: Path, tried: Path | None = None, shots: Path | None = None) -> Path:
    """The site in the folder `site`, which it replaces. `tried` is the folder that docs/try/make.py made, `shots` one of
    pictures.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        assemble(work / "pages")
        more = _shown(work / "pages", shots) if shots else {}
        for language in COLUMN:
            nav = [*navigation(language), *more.get(language, [])]
            config = work / f"{language}.toml"
            told = ", ".join(f'{{"{title}" = "{path}"}}' for title, path in nav)
            alternate = "".join(
                _ALTERNATE.format(name=name, link=link, lang=lang) for name, link, lang in LANGUAGES
            )
            config.write_text(_CONFIG.format(language=language, nav=told, alternate=alternate), "utf-8")
            command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(config)]
            subprocess.run(command, cwd=work, check=True)
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(work / "site-en", site)
        shutil.copytree(work / "site-zh" / "zh", site / "zh", dirs_exist_ok=True)
        if tried:
            shutil.copytree(tried, site / "try", dirs_exist_ok=True)
    return site


def _shown(pages: Path, shots: Path) -> dict[str, list[tuple[str, str]]]:
    """A page for each language that shows the pictures, named `NN-what-…-LANGUAGE.png` in their order."""
    shutil.copytree(shots, pages / "pictures" / "shots")
    heads = {"en": ("The pages of a hub", "", "en"), "zh": ("网页一览", "zh/", "zh")}
    for title, folder, suffix in heads.values():
        found = sorted(each.name for each in shots.glob(f"*-{suffix}.png"))
        up = "../" if folder else ""
        shown = [f"![{name.removesuffix('.png')}]({up}pictures/shots/{name})\n" for name in found]
        (pages / folder / "pages.md").write_text("\n".join([f"# {title}", "", *shown]), "utf-8")
    return {language: [(title, f"{folder}pages.md")] for language, (title, folder, _) in heads.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "site", type=Path, nargs="?", default=PROJECT / "site", help="the folder to write (site)"
    )
    parser.add_argument("--try", dest="tried", type=Path, help="the folder that docs/try/make.py made")
    parser.add_argument("--shots", type=Path, help="a folder of pictures of the pages")
    asked = parser.parse_args()
    print(build(asked.site, asked.tried, asked.shots))


if __name__ == "__main__":
    main()
