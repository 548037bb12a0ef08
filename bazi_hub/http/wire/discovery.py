"""The public documents: discovery, and a short guide for agents. Made from the catalogue and live prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bazi_core.questions.safety import disclaimer
from bazi_hub.http.wire.about import CLIENT_TIMEOUT_S, DESCRIPTION, INSTRUCTIONS, NAME, TITLE, VERSION
from bazi_hub.http.wire.json import dumps
from bazi_hub.http.wire.mcp import HANDSHAKE_REVISIONS, REVISIONS
from bazi_hub.tools.meta import fortune_pricing
from bazi_hub.tools.tool import LIMITS, ListedTool
from bazi_hub.words.errors import Code

SCHEMA_VERSION = "1"
MCP_PATH = "/api/mcp"
MCP = "https://modelcontextprotocol.io"
CARD_PATH = "/.well-known/agent-card.json"
REST_PATH = "/api/universal/{category}/{name}"
OPENAPI_PATH = "/openapi.json"


def document(listed: Sequence[ListedTool], base: str) -> bytes:
    """`/.well-known/mcp.json`. `base` is the address of the hub, without a slash at its end."""
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "name": NAME,
        "title": TITLE,
        "version": VERSION,
        "description": DESCRIPTION,
        "protocol_versions": list(REVISIONS),
        "endpoints": {"mcp": base + MCP_PATH, "rest": base + REST_PATH, "openapi": base + OPENAPI_PATH},
        "auth": {
            "type": "api_key",
            "header": "x-api-key",
            "alt_header": "Authorization: Bearer",
            "flavors": ["personal", "agent"],
            "signup_url": base + "/signup",
        },
        "tool_count": len(listed),
        "tools": [_tool(each) for each in listed],
        "fortune_pricing": fortune_pricing(list(listed)),
        "limits": [_limit(name, listed) for name in LIMITS],
        "client_requirements": {"tool_call_timeout_seconds_min": CLIENT_TIMEOUT_S},
        "disclaimer": disclaimer("en"),
    }
    return dumps(found).encode()


def agent_card(listed: Sequence[ListedTool], base: str) -> bytes:
    """`/.well-known/agent-card.json`: the hub in the words of A2A 1.0, by which registries find agents. It is spoken to over
    MCP: the one interface says so."""
    card = {
        "name": TITLE,
        "description": DESCRIPTION,
        "version": VERSION,
        "supportedInterfaces": [
            {"url": base + MCP_PATH, "protocolBinding": MCP, "protocolVersion": HANDSHAKE_REVISIONS[-1]}
        ],
        "capabilities": {"streaming": True, "pushNotifications": False},
        "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "x-api-key"}}},
        "securityRequirements": [{"schemes": {"key": {"list": []}}}],
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["application/json"],
        "skills": [
            {
                "id": each.tool.name,
                "name": each.tool.title,
                "description": each.tool.description,
                "tags": ["bazi", each.tool.category],
            }
            for each in listed
        ],
        "documentationUrl": base + "/docs/api",
    }
    return dumps(card).encode()


def _tool(listed: ListedTool) -> dict[str, Any]:
    tool = listed.tool
    return {
        "id": tool.id,
        "name": tool.name,
        "category": tool.category,
        "description": tool.description,
        "cost_class": "metered" if tool.metered else "free",
        "llm": int(tool.reads),
    }


def _limit(name: str, listed: Sequence[ListedTool]) -> dict[str, Any]:
    limit = LIMITS[name]
    return {
        "type": limit.type,
        "per_minute": limit.per_minute,
        "applies_to": "agent keys" if limit.agents_only else "every credential",
        "tools": [each.tool.name for each in listed if each.tool.limit == limit],
    }


def guide(listed: Sequence[ListedTool], codes: Sequence[Code], base: str) -> bytes:
    """`/llms.txt`: what an agent has to know, without prices, for those change."""
    lines = [
        f"# {TITLE}",
        "",
        f"> {DESCRIPTION}",
        "",
        INSTRUCTIONS,
        "",
        "## Where",
        "",
        f"- MCP (JSON-RPC over HTTP POST): {base}{MCP_PATH}",
        f"- REST (POST, the body is the arguments object): {base}{REST_PATH}",
        f"- [OpenAPI]({base}{OPENAPI_PATH}): every route under /api with its arguments, answers and errors",
        f"- [Discovery]({base}/.well-known/mcp.json): tools, limits, protocol revisions",
        "",
        "## Tools",
        "",
        *(
            f"- {each.tool.id} `{each.tool.name}` ({each.tool.category}): {each.tool.description}"
            for each in listed
        ),
        "",
        "## Errors",
        "",
        "An error never costs a credit. MCP: error.message is the code, error.data the rest; from 2025-03-26 on a result "
        "with isError, whose structuredContent has both. REST: error.code.",
        "",
        *(f"- {code.name} (HTTP {code.status}): {code.meaning} Retry: {code.retry}." for code in codes),
        "",
        "## Note",
        "",
        disclaimer("en"),
        "",
    ]
    return "\n".join(lines).encode()
