"""What MCP clients read beside the tools: the skill of the hub as `skill://` files, and the card that draws a chart.

Skills are served as resources with `skills/list` and `skills/get` (extension io.modelcontextprotocol/skills, SEP-2640); the
card is a page that hosts show beside the result of a tool (io.modelcontextprotocol/ui, SEP-1865). All of it is public, so no
credential is asked for, and nothing of it changes while the process lives.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from bazi_hub.http.wire.about import TITLE

SKILLS_EXTENSION = "io.modelcontextprotocol/skills"
SKILL = "skill://bazi/SKILL.md"
CARD = "ui://bazi/chart.html"
CARD_TYPE = "text/html;profile=mcp-app"
# The tool whose result the card draws.
CARD_TOOL = "bazi_basic_analysis"
_ROOT = Path(__file__).parents[2] / "skills"
_CARD_FILE = Path(__file__).with_name("chart_card.html")


class Resource(NamedTuple):
    """A text at a URI."""

    uri: str
    name: str
    description: str
    type: str
    text: str

    @property
    def listed(self) -> dict[str, Any]:
        """The entry of `resources/list`."""
        about = {"description": self.description} if self.description else {}
        return {"uri": self.uri, "name": self.name, **about, "mimeType": self.type}

    @property
    def content(self) -> dict[str, Any]:
        """The entry of `resources/read`. The card asks for nothing from anywhere, and for a border."""
        own = {"_meta": {"ui": {"csp": {}, "prefersBorder": True}}} if self.uri == CARD else {}
        return {"uri": self.uri, "mimeType": self.type, "text": self.text, **own}


@cache
def resources() -> dict[str, Resource]:
    """All resources by their URI, the skill first.

    >>> [*resources()][0], [*resources()][-1], resources()["skill://bazi/SKILL.md"].name
    ('skill://bazi/SKILL.md', 'ui://bazi/chart.html', 'bazi')
    """
    found = {}
    for path in sorted(_ROOT.rglob("*.md"), key=lambda each: (each.name != "SKILL.md", each)):
        text = path.read_text("utf-8")
        where = path.relative_to(_ROOT).as_posix()
        head = frontmatter(text) if path.name == "SKILL.md" else {"name": where, "description": ""}
        uri = f"skill://{where}"
        found[uri] = Resource(uri, head["name"], head["description"], "text/markdown", text)
    card = _CARD_FILE.read_text("utf-8")
    about = "Draws the chart of bazi_basic_analysis: pillars, elements and luck cycles."
    return found | {CARD: Resource(CARD, f"{TITLE}: chart", about, CARD_TYPE, card)}


def frontmatter(text: str) -> dict[str, str]:
    """The head of a SKILL.md: lines of a name and a value, which is plain or a JSON string.

    >>> frontmatter('---\\nname: bazi\\ndescription: "八字: charts"\\n---\\n# BaZi')
    {'name': 'bazi', 'description': '八字: charts'}
    """
    lines = text.split("---\n", 2)[1].splitlines()
    pairs = (line.split(": ", 1) for line in lines)
    return {name: json.loads(value) if value.startswith('"') else value for name, value in pairs}


@cache
def skill() -> dict[str, Any]:
    """The entry of `skills/list` and `skills/get`: the head of the skill, and every file of it with its digest."""
    files = [each for uri, each in resources().items() if uri.startswith("skill://")]
    return {
        "uri": SKILL,
        "frontmatter": frontmatter(resources()[SKILL].text),
        "resources": [
            {"uri": each.uri, "digest": f"sha256:{sha256(each.text.encode()).hexdigest()}"} for each in files
        ],
    }


def _content(params: dict[str, Any]) -> dict[str, Any]:
    uri = params.get("uri")
    return {"contents": [resources()[uri if isinstance(uri, str) else ""].content]}


def _entry(params: dict[str, Any]) -> dict[str, Any]:
    if params.get("uri") != SKILL:
        raise LookupError("there is one skill")
    return {"skill": skill()}


# The result of a method by its params; LookupError for a URI that is not known.
READ: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "resources/list": lambda params: {"resources": [each.listed for each in resources().values()]},
    "resources/templates/list": lambda params: {"resourceTemplates": []},
    "resources/read": _content,
    "skills/list": lambda params: {"skills": [skill()]},
    "skills/get": _entry,
}
