"""One document for all routes: what it says of tools and of MCP, and that it lists what is served and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bazi_hub.divination import schemas
from bazi_hub.http.app import create_app
from bazi_hub.http.openapi import document as openapi
from bazi_hub.http.openapi import runs as openapi_runs
from bazi_hub.http.runs import run_routes
from bazi_hub.http.wire import rest
from bazi_hub.ports import StoreError
from bazi_hub.tools.catalog import CATALOG, errors_of
from bazi_hub.tools.tool import ListedTool, Tool
from bazi_hub.words.call import Outcome
from bazi_hub.words.errors import CODES, HubError
from tests.hub.client import KEY, SDK, Connection, ask, rpc, tool_call
from tests.hub.fake_hub import FakeHub, FakeIdentity
from tests.hub.http.wire.openapi_answers import Described
from tests.hub.live import composed
from tests.hub.stories import in_loop
from tests.hub.vectors import EVERY_CODE, REST_ONLY

LISTED = [ListedTool(tool, 97 if tool.metered else 0, True) for tool in CATALOG.values()]
BASE = "https://hub.example.org/bazi"
RUN_PATHS = set(openapi_runs.paths())
DOCUMENTS = ["/.well-known/mcp.json", "/.well-known/agent-card.json", "/openapi.json", "/llms.txt"]


def document(mounted: Any = ()) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(openapi.document(LISTED, BASE, mounted))
    return found


def app(hub: FakeHub, *routes: Any) -> Any:
    return create_app(hub, FakeIdentity(), routes=routes)  # type: ignore[arg-type]


# --- tools -------------------------------------------------------------------------------------------------------------


def test_every_tool_is_a_path_with_its_schema() -> None:
    paths = document()["paths"]
    for tool in CATALOG.values():
        operation = paths[tool.path]["post"]
        assert operation["operationId"] == tool.name
        assert operation["requestBody"]["content"]["application/json"]["schema"] == tool.schema


@pytest.mark.parametrize("tool", CATALOG.values(), ids=list(CATALOG))
def test_every_status_that_a_tool_can_have_is_there_with_its_codes(tool: Tool) -> None:
    described = Described(document())
    coded = {(CODES[code].status, code) for code in (*errors_of(tool), *openapi.TRANSPORT_ERRORS)}
    before = {(403, "text/plain"), (408, "text/plain")}
    assert described.codes("POST", tool.path) == {(200, "application/json")} | coded | before


@pytest.mark.parametrize("tool", CATALOG.values(), ids=list(CATALOG))
def test_every_error_of_a_tool_is_as_the_document_says(tool: Tool) -> None:
    hub, described = FakeHub(), Described(document())
    for code in {*errors_of(tool), *openapi.TRANSPORT_ERRORS}:
        members = dict(EVERY_CODE[code])
        hub.outcome = Outcome(error=HubError(code, members.pop("detail"), **members))
        answer = ask(app(hub), tool.path, headers=KEY)
        assert described.check("POST", tool.path, answer) == (CODES[code].status, code)


@in_loop
async def test_a_hub_that_shuts_down_says_what_is_documented_of_every_tool() -> None:
    served, keys, hub = await composed()
    hub.draining = True
    described = Described(document())
    for tool in CATALOG.values():
        connection = Connection(served, tool.path, b"{}", headers={"x-api-key": keys.personal})
        told = described.check("POST", tool.path, await connection.run())
        assert told == (502, "UPSTREAM_ERROR")
    await hub.close(0)


def test_the_cookie_of_a_browser_is_a_credential_where_a_tool_takes_it() -> None:
    paths = document()["paths"]
    for tool in CATALOG.values():
        operation = paths[tool.path]["post"]
        assert ({"session": []} in operation["security"]) == ("cookie" in tool.auth)
        named = {each["$ref"].rpartition("/")[2] for each in operation["parameters"]}
        assert ("X-CSRF-Token" in named) == (tool.name in WRITING)
        assert ("Idempotency-Key" in named) == (tool.metered or tool.stores)


WRITING = {"forum_create_post", "forum_create_comment", "forum_like_post"}


def test_the_envelopes_of_a_result_and_of_an_error_follow_their_schemas() -> None:
    described = Described(document())
    for outcome in (Outcome("{}", credits_deducted=4), Outcome("[]", from_free_quota=True)):
        described.validate({"$ref": "#/components/schemas/Success"}, json.loads(rest.outcome(outcome).body))
    for error in (HubError("UNAUTHORIZED", "Unauthorized"), HubError("NOT_FOUND", "x", id="y")):
        described.validate({"$ref": "#/components/schemas/Failure"}, json.loads(rest.failure(error).body))


# --- MCP ---------------------------------------------------------------------------------------------------------------

FRAMES: list[Any] = [
    rpc("initialize", {"protocolVersion": "2025-11-25"}),
    rpc("ping"),
    rpc("tools/list"),
    rpc("prompts/list"),
    rpc("ping", []),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    json.dumps([rpc("ping")]).encode(),
    b"{",
    tool_call(),
    tool_call("bazi_pattern_analysis"),
]
MODERN = {**KEY, "mcp-protocol-version": "2026-07-28"}


@pytest.mark.parametrize("headers", [KEY, SDK, MODERN, {}], ids=["plain", "sdk", "modern", "nobody"])
def test_every_frame_is_answered_as_the_document_says(headers: dict[str, str]) -> None:
    described = Described(document())
    for frame in FRAMES:
        described.check("POST", "/api/mcp", ask(app(FakeHub()), body=frame, headers=headers))


@pytest.mark.parametrize("headers", [KEY, SDK], ids=["plain", "sdk"])
@pytest.mark.parametrize("code", sorted(set(EVERY_CODE) - REST_ONLY - {"GONE_DEPRECATED"}))
def test_every_error_over_mcp_is_as_the_document_says(code: str, headers: dict[str, str]) -> None:
    members = dict(EVERY_CODE[code])
    hub = FakeHub(outcome=Outcome(error=HubError(code, members.pop("detail"), **members)))
    Described(document()).check("POST", "/api/mcp", ask(app(hub), body=tool_call(), headers=headers))


def test_an_answer_that_comes_as_events_is_as_the_document_says() -> None:
    hub = FakeHub()
    hub.phases = ("reading",)
    call = tool_call("bazi_pattern_analysis", _meta={"progressToken": 1})
    answer = ask(app(hub), body=call, headers=SDK)
    assert Described(document()).check("POST", "/api/mcp", answer) == (200, "text/event-stream")
    assert [each.get("method", "answer") for each in answer.events] == ["notifications/progress", "answer"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_retired_path_is_described_as_gone(method: str) -> None:
    described = Described(document())
    answer = ask(app(FakeHub()), "/api/mcp/sse", tool_call(), method=method)
    described.check(method, "/api/mcp/sse", answer)
    assert answer.status == 410
    assert described.document["paths"]["/api/mcp/sse"][method.lower()]["deprecated"]


# --- what is listed ----------------------------------------------------------------------------------------------------


def served(*routes: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask(app(FakeHub(), *routes), "/openapi.json", method="GET").json
    return found


def routes_of_runs() -> list[Any]:
    hub: Any = FakeHub()
    hub.on_drain = hub.on_watch = []
    return run_routes(hub, FakeIdentity())  # type: ignore[arg-type]


def test_a_hub_without_runs_lists_none_of_their_routes_and_shapes() -> None:
    found = served()
    assert not RUN_PATHS & set(found["paths"])
    assert not set(schemas.components()) & set(found["components"]["schemas"])
    assert openapi_runs.TAG not in {tag["name"] for tag in found["tags"]}


def test_a_hub_with_runs_lists_their_routes_beside_all_others() -> None:
    without, found = served(), served(*routes_of_runs())
    assert set(found["paths"]) == set(without["paths"]) | RUN_PATHS
    assert found["components"]["schemas"].keys() > without["components"]["schemas"].keys()
    assert openapi_runs.TAG in {tag["name"] for tag in found["tags"]}


def test_of_the_routes_of_runs_those_are_listed_that_are_there() -> None:
    routes = [route for route in routes_of_runs() if route.path.endswith("/price")]
    assert RUN_PATHS & set(served(*routes)["paths"]) == {"/api/v1/divination/price"}


def test_shapes_of_runs_and_those_of_all_others_have_names_of_their_own() -> None:
    assert not set(schemas.components()) & set(document()["components"]["schemas"])


@pytest.mark.parametrize("mounted", [(), RUN_PATHS], ids=["without runs", "with runs"])
def test_every_reference_leads_somewhere_and_every_schema_is_one(mounted: Any) -> None:
    text, found = openapi.document(LISTED, BASE, mounted).decode(), document(mounted)
    for pointer in re.findall(r'"\$ref":"#/([^"]+)"', text):
        part: Any = found
        for key in pointer.split("/"):
            part = part[key]
    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_operations_have_names_of_their_own_and_tags_that_are_listed() -> None:
    found = document(RUN_PATHS)
    operations = [item for path in found["paths"].values() for item in path.values()]
    names = [item["operationId"] for item in operations]
    assert len(names) == len(set(names))
    assert {tag for item in operations for tag in item.get("tags", ())} == {
        tag["name"] for tag in found["tags"]
    }


def test_the_parameters_of_a_path_are_those_in_its_name() -> None:
    for path, item in document(RUN_PATHS)["paths"].items():
        for operation in item.values():
            named = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))


# --- what is public ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_that_cannot_be_made_now_says_so(path: str) -> None:
    hub, described = FakeHub(), Described(document())
    assert described.check("GET", path, ask(app(hub), path, method="GET"))[0] == 200
    hub.start_fault = StoreError("down")
    assert described.check("GET", path, ask(app(hub), path, method="GET")) == (503, "text/plain")
    foreign = ask(app(hub), path, method="GET", headers={"host": "foreign.example"})
    assert described.check("GET", path, foreign) == (403, "text/plain")


@pytest.mark.parametrize("path", [DOCUMENTS[0], DOCUMENTS[-1]])
def test_the_other_documents_say_where_this_one_is(path: str) -> None:
    found = ask(app(FakeHub()), path, method="GET", root_path="/bazi")
    assert "http://localhost/bazi/openapi.json" in found.body.decode()
