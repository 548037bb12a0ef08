"""What anybody may read: discovery, OpenAPI, the guide for agents."""

import json
import re
from typing import Any

from jsonschema import Draft202012Validator

from bazi_hub.catalog import CATALOG, errors_of
from bazi_hub.errors import CODES
from bazi_hub.tools.tool import ListedTool
from bazi_hub.wire import discovery, openapi

LISTED = [ListedTool(tool, 97 if tool.metered else 0, True) for tool in CATALOG.values()]
BASE = "https://hub.example.org/bazi"


def test_the_discovery_document_has_its_members() -> None:
    found = json.loads(discovery.document(LISTED, BASE))
    assert list(found) == [
        "schema_version",
        "name",
        "title",
        "version",
        "description",
        "protocol_versions",
        "endpoints",
        "auth",
        "tool_count",
        "tools",
        "fortune_pricing",
        "limits",
        "client_requirements",
        "disclaimer",
    ]
    assert len(found["protocol_versions"]) == 5
    assert found["endpoints"] == {
        "mcp": f"{BASE}/api/mcp",
        "rest": f"{BASE}/api/universal/{{category}}/{{name}}",
    }
    assert found["auth"]["flavors"] == ["personal", "agent"]
    assert set(found["auth"]) == {"type", "header", "alt_header", "flavors", "signup_url"}
    assert found["tool_count"] == len(found["tools"]) == 12
    assert set(found["tools"][0]) == {"id", "name", "category", "description", "cost_class", "llm"}
    assert [tool["id"] for tool in found["tools"] if tool["cost_class"] == "metered"] == [
        "t1",
        "t2",
        "t3",
        "t4",
    ]
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
    assert "97" not in text
    assert not re.search(r"bazi_(hub|core|cli)|\.py\b|test_|JOB_NOT_FOUND|credit_cost", text)


def described() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(openapi.document(LISTED, BASE))
    return found


def test_every_tool_is_a_path_with_its_schema() -> None:
    paths = described()["paths"]
    for tool in CATALOG.values():
        operation = paths[tool.path]["post"]
        assert operation["operationId"] == tool.name
        assert operation["requestBody"]["content"]["application/json"]["schema"] == tool.schema


def test_every_status_that_a_tool_can_have_is_there_with_its_codes() -> None:
    paths = described()["paths"]
    for tool in CATALOG.values():
        responses = paths[tool.path]["post"]["responses"]
        told = {
            code
            for status, response in responses.items()
            if status != "200"
            for code in response["content"]["application/json"]["schema"]["allOf"][1]["properties"]["error"][
                "properties"
            ]["code"]["enum"]
        }
        assert told == {*errors_of(tool), *openapi.TRANSPORT_ERRORS}
        assert set(responses) == {"200"} | {str(CODES[code].status) for code in told}


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    document = described()
    for pointer in re.findall(r'"\$ref":"#/([^"]+)"', openapi.document(LISTED, BASE).decode()):
        part: Any = document
        for key in pointer.split("/"):
            part = part[key]
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_the_envelopes_of_a_result_and_of_an_error_follow_their_schemas() -> None:
    from bazi_hub.call import Outcome
    from bazi_hub.errors import HubError
    from bazi_hub.wire import rest

    schemas = described()["components"]["schemas"]
    for outcome in (Outcome("{}", credits_deducted=4), Outcome("[]", from_free_quota=True)):
        Draft202012Validator(schemas["Success"]).validate(json.loads(rest.outcome(outcome).body))
    for error in (HubError("UNAUTHORIZED", "Unauthorized"), HubError("NOT_FOUND", "x", id="y")):
        Draft202012Validator(schemas["Failure"]).validate(json.loads(rest.failure(error).body))
