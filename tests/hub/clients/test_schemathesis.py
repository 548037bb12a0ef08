"""The published OpenAPI document against the hub: nothing answers with what the document does not say.

Arguments are drawn from the schema of each tool, right and wrong ones; RATE_LIMITED is among the documented answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis")

from schemathesis import GenerationMode  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bazi_hub.catalog import CATALOG  # noqa: E402

if TYPE_CHECKING:
    from bazi_hub.tools.tool import Tool
    from tests.hub.live import Live

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


PUBLIC = ("/.well-known/mcp.json", "/openapi.json", "/llms.txt", "/healthz", "/readyz")


@pytest.fixture(scope="module")
def api(server: Live) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


def check(operation: Any, mode: GenerationMode, key: str, cases: int) -> None:
    """So many cases of one operation, each answered as the document says."""

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=cases, suppress_health_check=list(HealthCheck))
    def answered(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, headers={"x-api-key": key})

    answered()


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("tool", CATALOG.values(), ids=list(CATALOG))
def test_every_answer_of_a_tool_is_documented(
    api: Any, server: Live, tool: Tool, mode: GenerationMode
) -> None:
    check(api[tool.path]["POST"], mode, server.keys.personal, 20)


@pytest.mark.parametrize("tool", CATALOG.values(), ids=list(CATALOG))
def test_every_refusal_of_a_caller_is_documented(api: Any, tool: Tool) -> None:
    check(api[tool.path]["POST"], GenerationMode.POSITIVE, "bzp_nobody", 2)


@pytest.mark.parametrize("path", PUBLIC)
def test_public_documents_are_as_documented(api: Any, path: str) -> None:
    check(api[path]["GET"], GenerationMode.POSITIVE, "", 1)


def test_the_document_is_valid_openapi(api: Any) -> None:
    api.validate()
    described = {each.ok().label for each in api.get_all_operations()}
    assert {f"POST {tool.path}" for tool in CATALOG.values()} <= described
