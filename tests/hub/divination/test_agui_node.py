"""Stock AG-UI clients on node, against a hub behind a real server.

They run where they are installed: `npm install --no-package-lock --prefix tests/hub/divination/node`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bazi_core.errors import PortTimeout
from bazi_hub.words.system import SystemIds
from tests.hub.divination.runworld import GOLDEN, Model
from tests.hub.live import Live, live

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent / "node"
NEW, OLD = "@ag-ui/client", "ag-ui-client-0.0.45"
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        NODE is None or not (HERE / "node_modules").exists(), reason="the clients on node are not installed"
    ),
]


class Switched(Model):
    """A reader that can be told from another thread what to do."""

    hangs = False

    async def generate(self, request: Any) -> Any:
        if self.hangs:
            self.gate.clear()
        return await super().generate(request)


@pytest.fixture(scope="module")
def hub() -> Iterator[Live]:
    with live(reader=Switched()) as found:
        yield found


def run(hub: Live, package: str, kind: str = "agui") -> dict[str, Any]:
    ids = SystemIds()
    assert NODE is not None
    done = subprocess.run(
        [NODE, "client.mjs", package, hub.url, hub.keys.personal, kind, ids.uuid(), f"run_{ids.uuid()}"],
        capture_output=True, text=True, cwd=HERE, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("package", [NEW, OLD])
def test_the_agui_profile_passes_through_a_stock_client(hub: Live, package: str) -> None:
    told = run(hub, package)
    assert told["thrown"] is None
    assert told["warnings"] == []
    assert told["types"][0] == "RUN_STARTED"
    assert told["types"][-1] == "RUN_FINISHED"
    assert told["custom"]["name"] == "DIVINATION_DERIVED"
    assert told["custom"]["value"]["divination"] == GOLDEN["seedRequest"]
    assert told["state"]["divination"] == GOLDEN["seedRequest"]
    output = told["finished"]["result"]["agent_output"]
    assert told["last"]["role"] == "assistant"
    assert told["last"]["content"] == output["answer"]
    assert told["end"]["metadata"]["agent_output"] == output
    assert told["result"]["result"]["agent_output"] == output
    if package == NEW:
        assert told["last"]["metadata"]["agent_output"] == output


def test_a_newer_client_drops_what_only_the_seed_profile_has(hub: Live) -> None:
    told = run(hub, NEW, "seed")
    assert told["thrown"] is None
    assert any("DIVINATION_DERIVED" in warning for warning in told["warnings"])
    assert "DIVINATION_DERIVED" not in told["types"]
    assert "answer" not in told["end"]
    assert told["last"]["content"]


def test_an_older_client_gives_up_at_the_native_event(hub: Live) -> None:
    told = run(hub, OLD, "seed")
    assert "TEXT_MESSAGE_START" not in told["types"]
    assert told["failed"] or told["thrown"]


@pytest.mark.parametrize("package", [NEW, OLD])
def test_a_run_that_fails_is_told_as_an_error(hub: Live, package: str) -> None:
    reader: Any = hub.hub._reader
    reader.error = PortTimeout("late", timeout_s=90)
    try:
        told = run(hub, package)
    finally:
        reader.error = None
    assert told["thrown"] is None
    assert told["error"]["code"] == "UPSTREAM_TIMEOUT"
    assert told["types"][-1] == "RUN_ERROR"


@pytest.mark.parametrize("package", [NEW, OLD])
def test_a_run_that_is_cancelled_finishes_without_a_result(hub: Live, package: str) -> None:
    reader: Any = hub.hub._reader
    reader.hangs = True
    try:
        told = run(hub, package, "cancel")
    finally:
        reader.hangs = False
        reader.gate.set()
    assert told["thrown"] is None
    assert told["finished"]["outcome"] == {"type": "cancelled"}
    assert "result" not in told["finished"]


@pytest.mark.parametrize("package", [NEW, OLD])
def test_a_request_that_is_refused_throws_with_the_problem(package: str) -> None:
    with live(credits=3) as poor:
        told = run(poor, package)
    assert told["thrown"] is not None
    assert "402" in json.dumps(told["thrown"])
    if package == NEW:
        assert told["thrown"]["status"] == 402
        assert "INSUFFICIENT_CREDITS" in json.dumps(told["thrown"]["payload"])
