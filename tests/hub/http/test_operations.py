"""Life, readiness, metrics, the life cycle of the application."""

import io
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bazi_core import __version__
from bazi_hub.http.app import create_app
from bazi_hub.http.operations import BELIEVED_S, Monitor
from bazi_hub.http.telemetry import BUILD, METRICS, PREFIX, PROCESS, TOLD, Metrics, counted_together
from tests.hub.client import Response, ask
from tests.hub.fake_hub import FakeHub, FakeIdentity
from tests.hub.promises.small import COUNTED, OBSERVED, TelemetryContract


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
    hub.clock.advance(BELIEVED_S)
    assert ask(app, "/readyz", method="GET").json["failing"] == ["storage", "reader"]
    hub.storage.old = True
    assert ask(app, "/readyz", method="GET").json["failing"] == ["storage", "migrations", "reader"]
    hub.draining = True
    assert ask(app, "/readyz", method="GET").json["failing"] == ["draining"]


def test_a_hub_that_has_everything_is_ready(app: Any) -> None:
    assert ask(app, "/readyz", method="GET").json == {"status": "ready"}


def test_who_asks_for_readiness_all_the_time_has_little_written(app: Any, hub: FakeHub) -> None:
    for _ in range(20):
        assert ask(app, "/readyz", method="GET").status == 200
    assert hub.storage.probes == 1
    hub.clock.advance(BELIEVED_S)
    assert ask(app, "/readyz", method="GET").status == 200
    assert hub.storage.probes == 2


def test_a_store_that_fails_is_asked_each_time_until_it_works_again(app: Any, hub: FakeHub) -> None:
    hub.storage.broken = True
    assert [ask(app, "/readyz", method="GET").status for _ in range(3)] == [503] * 3
    hub.storage.broken = False
    assert ask(app, "/readyz", method="GET").status == 200


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
    assert {row.name: row.labels for row in METRICS} | {row.name: () for row in TOLD} == told
    assert {row.name for row in METRICS if row.buckets is None} == set(COUNTED)


WHOLE_HUB = ("calls_total", "call_seconds", "replays_total", "reaped_total", "late_capture_total")
OF_PROCESSES = (BUILD.name, *(row.name for row in PROCESS))
READER_AND_STORE = ("reader_seconds", "commit_seconds", "commit_batch", "held_credits")
REFUSALS = ("rate_limited_total", "auth_failures_total")


def test_every_metric_is_there_from_the_beginning() -> None:
    names = {line.split()[2] for line in metrics().body.decode().splitlines() if line.startswith("# TYPE")}
    for name in (*WHOLE_HUB, *READER_AND_STORE, *REFUSALS, *OF_PROCESSES):
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


# --- what the processes are ---------------------------------------------------------------------------------------------


def shown(exposition: bytes, name: str) -> dict[str, float]:
    """The samples of a metric: labels as they are written, and the value."""
    found = re.findall(rf"^{PREFIX}{name}(?:{{(.*)}})? (\S+)$", exposition.decode(), re.MULTILINE)
    return {labels: float(value) for labels, value in found}


def test_what_runs_is_told_with_its_version() -> None:
    told = f'python="{platform.python_version()}",version="{__version__}"'
    assert shown(Metrics(io.StringIO()).exposition(), BUILD.name) == {told: 1.0}


def test_what_a_process_uses_is_read_off_when_it_is_asked_for() -> None:
    found = Metrics(io.StringIO())
    before = shown(found.exposition(), "process_open_fds")['worker="0"']
    with Path(os.devnull).open(), Path(os.devnull).open():
        assert shown(found.exposition(), "process_open_fds") == {'worker="0"': before + 2}
    for row in PROCESS:
        assert shown(found.exposition(), row.name)['worker="0"'] > 0


# A worker: it counts what it is told line by line, and tells what it would answer.
WORKER = """
import io, sys
from bazi_hub.http.telemetry import Metrics
metrics = Metrics(io.StringIO())
for line in sys.stdin:
    metrics.count("replays_total", int(line), kind="unseen")
    metrics.observe("call_seconds", 0.3, tool="t")
    metrics.observe("held_credits", 7)
    sys.stdout.write(metrics.exposition().decode() + "\\0")
    sys.stdout.flush()
"""


class Worker:
    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, "-c", WORKER], stdin=pipe, stdout=pipe)

    def count(self, amount: int) -> bytes:
        """Counts, and gives what a scrape of this worker would find."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{amount}\n".encode())
        self.process.stdin.flush()
        said = b""
        while not said.endswith(b"\0"):
            more = self.process.stdout.read1()
            assert more, "the worker has died"
            said += more
        return said[:-1]

    def kill(self) -> None:
        with self.process:
            self.process.kill()


@pytest.mark.process
def test_whichever_worker_is_asked_tells_what_all_counted() -> None:
    with counted_together():
        first, second = Worker(), Worker()
        first.count(2)
        told = second.count(3)
        assert shown(told, "replays_total") == {'kind="unseen"': 5}
        assert shown(told, "call_seconds_count") == {'tool="t"': 2}
        # Both tell what the one database holds.
        assert shown(told, "held_credits") == {"": 7}
        assert sum(shown(told, BUILD.name).values()) == 1
        assert {*shown(told, "process_open_fds")} == {'worker="0"', 'worker="1"'}
        assert shown(first.count(1), "replays_total") == {'kind="unseen"': 6}
        first.kill()
        second.kill()


@pytest.mark.process
def test_a_file_that_a_worker_has_just_made_is_passed_over() -> None:
    with counted_together():
        Path(os.environ["PROMETHEUS_MULTIPROC_DIR"], "counter_9.db").touch()
        worker = Worker()
        assert shown(worker.count(2), "replays_total") == {'kind="unseen"': 2}
        worker.kill()


@pytest.mark.process
def test_a_worker_in_place_of_one_that_died_counts_on_in_its_files() -> None:
    with counted_together():
        folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        first, second = Worker(), Worker()
        first.count(2)
        second.count(3)
        files = {*folder.iterdir()}
        for _ in range(3):
            first.kill()
            first = Worker()
            told = first.count(1)
        assert shown(told, "replays_total") == {'kind="unseen"': 8}
        assert {*shown(told, "process_start_time_seconds")} == {'worker="0"', 'worker="1"'}
        assert {*folder.iterdir()} == files
        first.kill()
        second.kill()
    assert not folder.exists()


def test_a_directory_that_the_operator_named_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    with counted_together():
        assert os.environ["PROMETHEUS_MULTIPROC_DIR"] == str(tmp_path)
    assert tmp_path.exists()
    assert os.environ["PROMETHEUS_MULTIPROC_DIR"] == str(tmp_path)
