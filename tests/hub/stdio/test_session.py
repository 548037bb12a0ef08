"""MCP over standard input and output."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bazi_hub.stdio import serve_stdio
from bazi_hub.words.call import Caller, Outcome
from tests.hub.client import rpc, tool_call
from tests.hub.fake_hub import CALL_ID, FakeHub, fault
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[3]
CALLER = Caller("local", "personal")


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


def answers(hub: FakeHub, *lines: Any) -> list[Any]:
    raw = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
        for line in lines
    )
    out = io.BytesIO()
    asyncio.run(serve_stdio(hub, CALLER, out, io.BytesIO(raw)))  # type: ignore[arg-type]
    return [json.loads(line) for line in out.getvalue().splitlines()]


def by_id(found: list[Any]) -> dict[Any, Any]:
    return {frame["id"]: frame for frame in found}


def test_a_session_of_the_handshake_revisions(hub: FakeHub) -> None:
    found = by_id(
        answers(
            hub,
            rpc("initialize", {"protocolVersion": "2025-06-18"}, 1),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            rpc("tools/list", request_id=2),
            tool_call() | {"id": 3},
            rpc("ping", request_id="四"),
        )
    )
    assert set(found) == {1, 2, 3, "四"}
    assert found[1]["result"]["protocolVersion"] == "2025-06-18"
    assert len(found[2]["result"]["tools"]) == 12
    assert found[3]["result"]["content"][0]["text"] == hub.outcome.result
    assert hub.calls[0].caller == CALLER
    assert hub.calls[0].transport == "stdio"


def test_faults_of_the_protocol_are_told_as_to_an_sdk(hub: FakeHub) -> None:
    found = answers(hub, b"{", [rpc("ping")], rpc("prompts/list"), {"jsonrpc": "2.0", "method": "tools/call"})
    assert sorted(frame["error"]["code"] for frame in found) == [-32700, -32601, -32600, -32600]


def test_a_line_that_is_too_long_does_not_spoil_the_next(hub: FakeHub) -> None:
    found = answers(hub, b"x" * 600_000, rpc("ping"))
    assert [frame.get("error", {}).get("code") for frame in found] == [-32700, None]


def test_blank_lines_and_a_missing_last_newline_do_no_harm(hub: FakeHub) -> None:
    out = io.BytesIO()
    source = io.BytesIO(b"\n  \r\n" + json.dumps(rpc("ping")).encode())
    asyncio.run(serve_stdio(hub, CALLER, out, source))  # type: ignore[arg-type]
    assert json.loads(out.getvalue())["result"] == {}


def test_calls_run_side_by_side_and_are_finished_after_the_end_of_input(hub: FakeHub) -> None:
    order: list[Any] = []

    async def call(call: Any) -> Outcome:
        if call.arguments["n"] == 1:
            await eventually(lambda: len(order) >= 1)
        order.append(call.arguments["n"])
        return Outcome("{}")

    hub.call = call  # type: ignore[method-assign]
    first, second = (tool_call(arguments={"n": n}) | {"id": n} for n in (1, 2))
    assert set(by_id(answers(hub, first, second))) == {1, 2}
    assert order == [2, 1]


def test_progress_comes_before_the_answer(hub: FakeHub) -> None:
    hub.phases = ("computing", "reading")
    found = answers(hub, tool_call("bazi_pattern_analysis", _meta={"progressToken": 7}))
    assert [frame.get("params", {}).get("message") for frame in found] == ["computing", "reading", None]
    assert [frame["params"]["progress"] for frame in found[:-1]] == [1, 2]


def test_an_answer_that_was_written_is_delivered(hub: FakeHub) -> None:
    hub.outcome = Outcome("{}", call_id=CALL_ID, undelivered=CALL_ID)
    answers(hub, tool_call("bazi_basic_analysis"))
    assert hub.seen == [CALL_ID]


def test_an_answer_that_nobody_reads_is_not_delivered_and_ends_quietly(hub: FakeHub) -> None:
    class Closed(io.BytesIO):
        def write(self, data: Any) -> int:
            raise BrokenPipeError

    hub.outcome = Outcome("{}", call_id=CALL_ID, undelivered=CALL_ID)
    source = io.BytesIO(json.dumps(tool_call("bazi_basic_analysis")).encode() + b"\n")
    asyncio.run(serve_stdio(hub, CALLER, Closed(), source))  # type: ignore[arg-type]
    assert hub.seen == []


def test_a_fault_is_told_with_the_id_of_its_log_line(hub: FakeHub) -> None:
    hub.fault = RuntimeError("bug")
    (found,) = answers(hub, tool_call())
    told = found["result"]["structuredContent"]
    assert (told["code"], told["request_id"]) == ("INTERNAL_ERROR", hub.telemetry.lines[0][1]["request_id"])
    hub.fault = None
    hub.outcome = fault("NOT_FOUND", "Post not found", resource="post", id="x")
    assert answers(hub, tool_call())[0]["result"]["structuredContent"]["code"] == "NOT_FOUND"


PROGRAM = """
from bazi_hub.stdio import claim_stdout
out = claim_stdout()
print("printed at import")
import asyncio, os, sys
from bazi_hub.stdio import serve_stdio
from bazi_hub.words.call import Caller
from tests.hub.fake_hub import FakeHub
hub = FakeHub()
async def call(call):
    print("printed by a tool")
    os.write(1, b"written to descriptor 1\\n")
    return hub.outcome
hub.call = call
asyncio.run(serve_stdio(hub, Caller("local", "personal"), out))
print("printed at the end")
"""


def test_whatever_is_printed_standard_output_carries_frames_alone() -> None:
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in (rpc("ping"), tool_call() | {"id": 2}))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=lines,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
        timeout=60,
    )
    assert set(by_id([json.loads(line) for line in done.stdout.splitlines()])) == {1, 2}
    for printed in (
        b"printed at import", b"printed by a tool", b"written to descriptor 1", b"printed at the end",
    ):  # fmt: skip
        assert printed in done.stderr


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Somebody who has the file."""
    from bazi_hub.store.sqlite.database import SqliteDatabase
    from bazi_hub.words.system import SystemClock, SystemIds

    database = SqliteDatabase(path, SystemClock(), SystemIds(), prices=())
    database.open()
    try:
        yield
    finally:
        asyncio.run(database.close())


def junk(path: Path) -> AbstractContextManager[None]:
    path.write_bytes(b"junk" * 1000)
    return nullcontext()


def missing(path: Path) -> AbstractContextManager[None]:
    path.parent.rmdir()
    return nullcontext()


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (junk, "not a database"),
        pytest.param(held, "another process", marks=pytest.mark.process),
        pytest.param(missing, "No such file", marks=pytest.mark.process),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, file: Callable[[Path], AbstractContextManager[None]], why: str
) -> None:
    path = tmp_path / "of_the_hub" / "hub.sqlite3"
    path.parent.mkdir()
    with file(path):
        ended = subprocess.run(
            [sys.executable, "-m", "bazi_cli", "mcp", "--db", str(path)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path)},
            timeout=60,
        )
    assert (ended.returncode, ended.stdout) == (4, "")
    assert "REFUSED" in ended.stderr
    assert why in ended.stderr
