"""Clients that run on node: the official TypeScript client, its conformance suite, the inspector, and the usual bridge.

They run where they are installed: `npm install --no-package-lock --prefix tests/hub/clients/node`.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.client import rpc, tool_call
from tests.hub.clients.chain import went_the_chain
from tests.hub.clients.conversation import CHAIN, Script
from tests.hub.live import Live, live

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent / "node"
PROGRAMS = HERE / "node_modules" / ".bin"
EXPECTED_FAILURES = json.loads((HERE / "expected_failures.json").read_text("utf-8"))

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not (PROGRAMS / "node").exists(), reason="the clients on node are not installed"),
]

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
SCENARIOS = [
    (HANDSHAKE, "server-initialize"),
    (HANDSHAKE, "ping"),
    (HANDSHAKE, "tools-list"),
    (HANDSHAKE, "dns-rebinding-protection"),
    (MODERN, "server-stateless"),
    (MODERN, "http-header-validation"),
    (MODERN, "caching"),
    (MODERN, "tools-list"),
]


def node(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """A program on the node that was installed beside it."""
    return subprocess.run(
        [PROGRAMS / "node", *arguments], capture_output=True, text=True, cwd=HERE, timeout=120, **options
    )


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
def test_the_official_client_survives_errors_and_goes_the_chain(server: Live, mode: str) -> None:
    chain = os.environ | {"CHAIN": json.dumps(CHAIN)}
    done = node("client.mjs", server.mcp, server.keys.personal, mode, env=chain)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["tools"] == 12
    assert told["balance"] > 0
    assert (told["error"]["shown"], told["error"]["code"]) == (True, "INVALID_INPUT")
    assert told["error"]["issues"] > 3
    assert told["day"] == "庚辰"
    went_the_chain(told["chain"])
    assert len(told["chain"]["words"]) > 1000


@pytest.fixture(scope="module")
def keyless() -> Iterator[Live]:
    with live(keyless=True) as found:
        yield found


@pytest.mark.parametrize(("revision", "scenario"), SCENARIOS)
def test_conformance_fails_where_it_is_expected_to(
    keyless: Live, tmp_path: Path, revision: str, scenario: str
) -> None:
    node(
        PROGRAMS / "conformance", "server", "--url", keyless.mcp, "--scenario", scenario,
        "--spec-version", revision, "-o", tmp_path,
    )  # fmt: skip
    (found,) = tmp_path.glob("*/checks.json")
    checks = json.loads(found.read_text("utf-8"))
    assert any(check["status"] == "SUCCESS" for check in checks)
    failed = sorted(check["id"] for check in checks if check["status"] == "FAILURE")
    assert failed == EXPECTED_FAILURES.get(scenario, [])


def test_no_more_than_eight_failures_are_expected() -> None:
    assert sum(map(len, EXPECTED_FAILURES.values())) <= 8


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        (["--method", "tools/list", "--strict"], 0, "bigluck_year_fortune_eval"),
        (["--method", "tools/call", "--tool-name", "get_user_credits"], 0, "balance"),
        (["--method", "tools/call", "--tool-name", "forum_get_post"], 5, "INVALID_INPUT"),
    ],
)
def test_the_inspector_lists_and_calls(server: Live, arguments: list[str], status: int, shown: str) -> None:
    key = f"x-api-key: {server.keys.personal}"
    called = ["--cli", server.mcp, "--transport", "http", "--header", key, *arguments]
    done = node(PROGRAMS / "mcp-inspector", *called)
    assert done.returncode == status, done.stderr
    assert shown in done.stdout + done.stderr
    assert "Warning" not in done.stderr


def test_the_inspector_goes_the_chain_over_handles(server: Live) -> None:
    script = Script()
    step = script.after(None)
    while step.tool:
        arguments = [f"{name}={json.dumps(value)}" for name, value in step.arguments.items()]
        done = node(
            PROGRAMS / "mcp-inspector", "--cli", server.mcp, "--transport", "http",
            "--header", f"x-api-key: {server.keys.personal}", "--method", "tools/call", "--tool-name", step.tool,
            *(["--tool-arg", *arguments] if arguments else []),
        )  # fmt: skip
        step = script.after(json.loads(done.stdout)["content"][0]["text"])
    assert len(step.words) > 1000
    went_the_chain(script.told, unquoted=True)


def test_the_usual_bridge_survives_an_error(server: Live, tmp_path: Path) -> None:
    handshake = {
        "protocolVersion": HANDSHAKE,
        "capabilities": {},
        "clientInfo": {"name": "tester", "version": "1"},
    }
    lines = [rpc("initialize", handshake), tool_call("no_such_tool"), tool_call("get_user_credits")]
    told: list[Any] = []
    with subprocess.Popen(
        [PROGRAMS / "node", PROGRAMS / "mcp-remote", server.mcp, "--header", f"x-api-key:{server.keys.personal}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | {"MCP_REMOTE_CONFIG_DIR": str(tmp_path)},
    ) as bridge:  # fmt: skip
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        for number, line in enumerate(lines):
            bridge.stdin.write(json.dumps(line | {"id": number}) + "\n")
            bridge.stdin.flush()
            told.append(json.loads(bridge.stdout.readline()))
        bridge.stdin.close()
        bridge.terminate()
    assert told[0]["result"]["serverInfo"]["name"] == "bazi-hub"
    assert told[1]["result"]["structuredContent"]["code"] == "UNKNOWN_TOOL"
    assert "balance" in told[2]["result"]["content"][0]["text"]
