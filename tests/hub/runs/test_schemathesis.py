"""Requests drawn from the published shapes, right and wrong ones: no 500, and no answer that is not documented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis")

from schemathesis import GenerationMode  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bazi_hub.wire.openapi_runs import document  # noqa: E402
from tests.hub.live import Live, live  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OPERATIONS = [(path, method) for path, methods in document()["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def hub() -> Iterator[Live]:
    with live() as found:
        yield found


@pytest.fixture(scope="module")
def api(hub: Live) -> Any:
    found = schemathesis.openapi.from_dict(document())
    found.config.update(base_url=hub.url)
    return found


def test_the_document_is_openapi(api: Any) -> None:
    api.validate()


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_answer_is_documented(
    api: Any, hub: Live, path: str, method: str, mode: GenerationMode
) -> None:
    @given(api[path][method.upper()].as_strategy(generation_mode=mode))
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    def answered(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, headers={"x-api-key": hub.keys.personal})

    answered()
