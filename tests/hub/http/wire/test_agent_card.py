"""The A2A card: what registries ask for, and the truth about how the hub is spoken to."""

from __future__ import annotations

import json

from bazi_hub.http.wire.discovery import CARD_PATH, agent_card
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool

LISTED = [ListedTool(tool, 1, True) for tool in CATALOG.values()]
# The required members of an AgentCard in A2A 1.0.
REQUIRED = (
    "name", "description", "version", "supportedInterfaces", "capabilities", "defaultInputModes", "defaultOutputModes",
    "skills",
)  # fmt: skip


def card() -> dict[str, object]:
    found: dict[str, object] = json.loads(agent_card(LISTED, "https://hub.example"))
    return found


def test_every_required_member_is_there_and_its_one_interface_is_mcp() -> None:
    found = card()
    assert all(found[name] for name in REQUIRED)
    assert found["supportedInterfaces"] == [
        {
            "url": "https://hub.example/api/mcp",
            "protocolBinding": "https://modelcontextprotocol.io",
            "protocolVersion": "2025-11-25",
        }
    ]
    assert CARD_PATH == "/.well-known/agent-card.json"


def test_every_tool_is_a_skill_with_what_it_is_for() -> None:
    skills = card()["skills"]
    assert isinstance(skills, list)
    assert [skill["id"] for skill in skills] == list(CATALOG)
    assert all(skill["name"] and skill["description"] and skill["tags"] for skill in skills)
