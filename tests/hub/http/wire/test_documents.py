"""What anybody may read: discovery, and the guide for agents."""

import json
import re

from bazi_hub.http.wire import discovery
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.errors import CODES

LISTED = [ListedTool(tool, 97 if tool.metered else 0, True) for tool in CATALOG.values()]
BASE = "https://hub.example.org/bazi"


def test_the_discovery_document_has_its_members() -> None:
    found = json.loads(discovery.document(LISTED, BASE))
    assert list(found) == [
        "schema_version", "name", "title", "version", "description", "protocol_versions", "endpoints",
        "auth", "tool_count", "tools", "fortune_pricing", "limits", "client_requirements", "disclaimer",
    ]  # fmt: skip
    assert len(found["protocol_versions"]) == 5
    assert found["endpoints"] == {
        "mcp": f"{BASE}/api/mcp",
        "rest": f"{BASE}/api/universal/{{category}}/{{name}}",
        "openapi": f"{BASE}/openapi.json",
    }
    assert found["auth"]["flavors"] == ["personal", "agent"]
    assert set(found["auth"]) == {"type", "header", "alt_header", "flavors", "signup_url"}
    assert found["tool_count"] == len(found["tools"]) == 12
    assert set(found["tools"][0]) == {"id", "name", "category", "description", "cost_class", "llm"}
    assert [tool["id"] for tool in found["tools"] if tool["cost_class"] == "metered"] == [
        "t1", "t2", "t3", "t4",
    ]  # fmt: skip
    assert [tool["id"] for tool in found["tools"] if tool["llm"]] == ["t2", "t4"]
    assert found["fortune_pricing"][0] == {"tool_name": "bazi_basic_analysis", "credit_cost": 97}
    assert [(limit["type"], limit["per_minute"]) for limit in found["limits"]] == [
        ("meta_call", 60),
        ("fortune_call", 10),
        ("post", 1),
        ("comment", 5),
    ]
    assert found["client_requirements"] == {"tool_call_timeout_seconds_min": 120}


def test_the_guide_names_tools_and_codes_and_neither_prices_nor_sources() -> None:
    codes = [code for code in CODES.values() if code.name != "JOB_NOT_FOUND"]
    text = discovery.guide(LISTED, codes, BASE).decode()
    for name in (*CATALOG, *(code.name for code in codes)):
        assert name in text
    assert f"{BASE}/openapi.json" in text
    assert "97" not in text
    assert not re.search(r"bazi_(hub|core|cli)|\.py\b|test_|JOB_NOT_FOUND|credit_cost", text)
