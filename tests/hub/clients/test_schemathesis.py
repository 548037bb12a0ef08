"""The published OpenAPI document against the hub: nothing answers with what the document does not say.

Requests are drawn from the document, right and wrong ones; RATE_LIMITED is among the documented answers. The rules tell a
run at once, so that its stream ends by itself, and every event of it is held against the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bazi_hub.http.openapi import mcp as openapi_mcp
from bazi_hub.http.openapi import runs as openapi_runs
from bazi_hub.tools.catalog import CATALOG
from tests.sizes import sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hub.live import Live

    Change = Callable[[Any], None]

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip


def operations(paths: dict[str, Any]) -> list[tuple[str, str]]:
    return [(method.upper(), path) for path, item in paths.items() for method in item]


TOOLS = [("POST", tool.path) for tool in CATALOG.values()]
MCP = operations(openapi_mcp.paths(()))
RUNS = operations(openapi_runs.paths())
PUBLIC = [
    ("GET", path)
    for path in (
        "/.well-known/mcp.json", "/.well-known/agent-card.json", "/openapi.json", "/llms.txt", "/healthz",
        "/readyz",
    )
]  # fmt: skip
RETIRED = [(method, path) for method, path in MCP if path != "/api/mcp"]
PROBLEMS = [(method, path) for method, path in RUNS if path.startswith("/problems")]
# They take whatever comes, so nothing wrong can be drawn.
NEVER_WRONG = [*PUBLIC, *RETIRED, *PROBLEMS]
ASKED = [
    pytest.param(method, path, mode, marks=[] if mode is GenerationMode.POSITIVE else pytest.mark.exhaustive)
    for method, path in (*TOOLS, *MCP, *RUNS, *PUBLIC)
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or (method, path) not in NEVER_WRONG
]
OF_A_RUN = [(method, path) for method, path in RUNS if "{threadId}" in path]
SUBMIT, BOTH = "/api/v1/agent/runs", "/api/v1/agent/agui"
FOLLOW = f"{SUBMIT}/{{threadId}}/events"
# The body of a run that no drawn request can belong to.
OWN_RUN = {**openapi_runs.EXAMPLE, "threadId": "3c9f2f0e-5a0b-4e55-8d57-1f6c2c6d9a01"}


@pytest.fixture(scope="module")
def document(server: Live) -> dict[str, Any]:
    """What is published, but for the events of a stream, which are told where this tool looks for them."""
    found: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()
    for method, path in operations(found["paths"]):
        for response in found["paths"][path][method.lower()]["responses"].values():
            for media in response.get("content", {}).values():
                media["schema"] = media.pop("x-bazi-item-schema", media["schema"])
    return found


def loaded(document: dict[str, Any], server: Live) -> Any:
    """No stream of a run has so many events that some would be passed over."""
    found = schemathesis.openapi.from_dict(document)
    found.config.update(base_url=server.url)
    found.config.max_stream_events = 1000
    return found


@pytest.fixture(scope="module")
def api(server: Live, document: dict[str, Any]) -> Any:
    return loaded(document, server)


def validated(case: Any, key: str) -> Any:
    return case.call_and_validate(checks=CHECKS, headers={"x-api-key": key})


def check(
    operation: Any, mode: GenerationMode, key: str, cases: int, change: Change = lambda case: None
) -> set[int]:
    """So many cases of one operation, each answered as the document says; gives the statuses that came."""
    seen: set[int] = set()

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=cases, deadline=None, suppress_health_check=list(HealthCheck))
    def answered(case: Any) -> None:
        change(case)
        seen.add(validated(case, key).status_code)

    answered()
    return seen


@pytest.mark.parametrize(("method", "path", "mode"), ASKED)
@sizes(2, 20)
def test_every_answer_is_documented(
    api: Any, server: Live, method: str, path: str, mode: GenerationMode, count: int
) -> None:
    assert check(api[path][method], mode, server.keys.personal, count) != {429}


@pytest.mark.parametrize(("method", "path"), [*TOOLS, *RUNS])
def test_every_refusal_of_a_caller_is_documented(api: Any, method: str, path: str) -> None:
    seen = check(api[path][method], GenerationMode.POSITIVE, "bzp_nobody", 2)
    assert seen == {401} or (method, path) in PROBLEMS


@pytest.mark.parametrize(("method", "path"), PUBLIC)
def test_public_documents_are_as_documented(api: Any, method: str, path: str) -> None:
    assert check(api[path][method], GenerationMode.POSITIVE, "", 1) == {200}


# --- runs that are there -----------------------------------------------------------------------------------------------


def submission(api: Any, path: str, body: dict[str, Any]) -> Any:
    return api[path]["POST"].Case(body=body, media_type="application/json")


@pytest.fixture(scope="module")
def run(api: Any, server: Live) -> dict[str, str]:
    """The names of a run that has ended: somebody has followed it."""
    accepted = validated(submission(api, SUBMIT, OWN_RUN), server.keys.personal)
    assert accepted.status_code == 202
    names = {"threadId": OWN_RUN["threadId"], "runId": OWN_RUN["runId"]}
    assert "RUN_FINISHED" in validated(following(api, names), server.keys.personal).text
    return names


def following(api: Any, run: dict[str, str], **query: str) -> Any:
    about = {"path_parameters": {"threadId": run["threadId"]}, "query": {"runId": run["runId"], **query}}
    return api[FOLLOW]["GET"].Case(**about)


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), OF_A_RUN)
@sizes(3, 20)
def test_every_answer_about_a_run_is_documented(
    api: Any, server: Live, run: dict[str, str], method: str, path: str, mode: GenerationMode, count: int
) -> None:
    def about_it(case: Any) -> None:
        case.path_parameters = {"threadId": run["threadId"]}
        case.query = {**case.query, "runId": run["runId"]}

    seen = check(api[path][method], mode, server.keys.personal, count, about_it)
    assert not seen & {401, 404}


@pytest.mark.parametrize("query", [{"profile": "seed"}, {"profile": "agui"}, {"after": "5"}])
def test_every_event_of_a_stream_is_documented(
    api: Any, server: Live, run: dict[str, str], query: dict[str, str]
) -> None:
    assert "RUN_FINISHED" in validated(following(api, run, **query), server.keys.personal).text


def test_every_event_of_a_run_that_is_followed_at_once_is_documented(
    api: Any, server: Live, run: dict[str, str]
) -> None:
    body = {**OWN_RUN, "runId": "followed_at_once"}
    assert "RUN_FINISHED" in validated(submission(api, BOTH, body), server.keys.personal).text


def test_an_event_that_the_document_does_not_know_is_noticed(
    server: Live, run: dict[str, str], document: dict[str, Any]
) -> None:
    """The check of a stream goes to its last event."""
    components = document["components"]
    schemas = {**components["schemas"], "SeedRunFinishedEvent": False, "AguiRunFinishedEvent": False}
    other = loaded({**document, "components": {**components, "schemas": schemas}}, server)
    with pytest.raises(FailureGroup):
        validated(following(other, run), server.keys.personal)


def test_the_document_is_valid_openapi(api: Any) -> None:
    api.validate()
    described = {each.ok().label for each in api.get_all_operations()}
    assert described == {f"{method} {path}" for method, path in (*TOOLS, *MCP, *RUNS, *PUBLIC)}
