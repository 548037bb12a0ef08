"""Life, readiness, metrics, the life cycle of the application."""

import io
import json
from typing import Any

import pytest

from bazi_hub.server import Metrics, Monitor, create_app
from bazi_hub.server.telemetry import HELD, METRICS
from bazi_hub.testing import TelemetryContract
from bazi_hub.testing.small import COUNTED, OBSERVED
from tests.hub.client import Response, ask
from tests.hub.fake_hub import FakeHub, FakeIdentity


def test_health_asks_nobody(app: Any, hub: FakeHub) -> None:
    hub.storage.broken = True
    response = ask(app, "/healthz", method="GET")
    assert (response.status, response.json) == (200, {"status": "ok"})
    assert hub.starts == 0


def test_readiness_names_what_fails(hub: FakeHub) -> None:
    async def unset() -> None:
        raise LookupError

    async def fine() -> None: ...

    monitor = Monitor(checks={"reader": unset, "pepper": fine})
    app = create_app(hub, FakeIdentity(), monitor=monitor)  # type: ignore[arg-type]
    response = ask(app, "/readyz", method="GET")
    assert (response.status, response.json) == (503, {"status": "unready", "failing": ["reader"]})
    hub.storage.broken = True
    assert ask(app, "/readyz", method="GET").json["failing"] == ["storage", "reader"]
    hub.storage.old = True
    assert ask(app, "/readyz", method="GET").json["failing"] == ["storage", "migrations", "reader"]
    hub.draining = True
    assert ask(app, "/readyz", method="GET").json["failing"] == ["draining"]


def test_a_hub_that_has_everything_is_ready(app: Any) -> None:
    assert ask(app, "/readyz", method="GET").json == {"status": "ready"}


def metrics(token: str | None = None, **options: Any) -> Response:
    found = Metrics(io.StringIO())
    found.count("calls_total", tool="get_skill_info", transport="mcp", code="OK")
    monitor = Monitor(found.exposition, token)
    app = create_app(FakeHub(), FakeIdentity(), monitor=monitor)  # type: ignore[arg-type]
    return ask(app, "/metrics", method="GET", **options)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_metrics_are_for_this_machine(address: str) -> None:
    response = metrics(client=(address, 1))
    assert response.status == 200
    assert b'bazi_hub_calls_total{code="OK",tool="get_skill_info",transport="mcp"} 1.0' in response.body


@pytest.mark.parametrize("header", ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip", "via"])
def test_a_proxy_on_this_machine_is_not_the_operator(header: str) -> None:
    assert metrics(headers={header: "x"}).status == 403


@pytest.mark.parametrize("client", [("10.0.0.1", 1), None])
def test_metrics_are_for_nobody_else_without_the_token(client: Any) -> None:
    assert metrics(client=client).status == 403
    assert metrics("secret", client=client).status == 403
    assert metrics("secret", client=client, headers={"authorization": "Bearer wrong"}).status == 403
    assert metrics("secret", client=client, headers={"authorization": "Bearer secret"}).status == 200


class TestMetrics(TelemetryContract):
    def make(self) -> Metrics:
        return Metrics(io.StringIO(), level="debug")


def test_the_metrics_are_those_that_every_telemetry_may_be_told() -> None:
    told = {**COUNTED, **OBSERVED}
    assert {row.name: row.labels for row in METRICS} | {HELD: ()} == told
    assert {row.name for row in METRICS if row.buckets is None} == set(COUNTED)


WHOLE_HUB = ("calls_total", "call_seconds", "replays_total", "reaped_total", "late_capture_total")
READER_AND_STORE = ("reader_seconds", "commit_seconds", "commit_batch", "held_credits")
REFUSALS = ("rate_limited_total", "auth_failures_total")


def test_every_metric_is_there_from_the_beginning() -> None:
    names = {line.split()[2] for line in metrics().body.decode().splitlines() if line.startswith("# TYPE")}
    for name in (*WHOLE_HUB, *READER_AND_STORE, *REFUSALS):
        assert f"bazi_hub_{name}" in names


def test_the_class_of_a_limit_is_a_label() -> None:
    found = Metrics(io.StringIO())
    found.count("rate_limited_total", **{"class": "fortune_call"})
    found.observe("held_credits", 7)
    assert b'bazi_hub_rate_limited_total{class="fortune_call"} 1.0' in found.exposition()
    assert b"bazi_hub_held_credits 7.0" in found.exposition()


def test_a_log_line_is_one_json_object() -> None:
    stream = io.StringIO()
    found = Metrics(stream, now_ms=lambda: 1_772_368_450_005)
    found.log("call", request_id="r", call_id=None, code="OK")
    found.log("detail", "debug")
    assert json.loads(stream.getvalue()) == {
        "ts": "2026-03-01T12:34:10.005Z",
        "level": "info",
        "event": "call",
        "request_id": "r",
        "code": "OK",
    }


def test_the_life_cycle_starts_and_closes_the_hub(app: Any, hub: FakeHub) -> None:
    from starlette.testclient import TestClient

    with TestClient(app, base_url="http://localhost") as client:
        assert hub.starts == 1
        assert client.get("/healthz").status_code == 200
    assert hub.closed


def test_two_applications_share_nothing() -> None:
    first, second = Metrics(io.StringIO()), Metrics(io.StringIO())
    first.count("reaped_total")
    assert b"bazi_hub_reaped_total 0.0" in second.exposition()


class Full(io.StringIO):
    """A disk without room, or a pipe that nobody reads."""

    def __init__(self, fault: Exception) -> None:
        super().__init__()
        self.fault = fault

    def write(self, text: str) -> int:
        raise self.fault


@pytest.mark.parametrize("fault", [BrokenPipeError(), OSError(28, "no space"), ValueError("closed file")])
def test_a_line_that_cannot_be_written_fails_no_call(fault: Exception) -> None:
    found = Metrics(Full(fault))
    found.log("call", code="OK")
    found.count("reaped_total")
    assert b"bazi_hub_reaped_total 1.0" in found.exposition()
