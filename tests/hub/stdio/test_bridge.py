"""The bridge from a pipe to a hub elsewhere."""

import asyncio
import io
import json
from typing import Any

import httpx
import pytest

from bazi_hub.http.wire import mcp
from bazi_hub.stdio.bridge import bridge, endpoint
from bazi_hub.words.settings import Settings
from tests.hub.client import rpc, tool_call


def forwarded(answer: Any, *lines: Any) -> tuple[list[Any], list[httpx.Request]]:
    """What the bridge writes and posts, with `answer` at the other end."""
    posted: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        posted.append(request)
        made: httpx.Response = answer(request)
        return made

    out = io.BytesIO()
    source = io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    asyncio.run(bridge("http://localhost:8000", "bzp_key", out, source, httpx.MockTransport(handle)))
    return [json.loads(line) for line in out.getvalue().splitlines()], posted


def test_a_line_is_posted_with_the_key_and_its_answer_written() -> None:
    reply = {"jsonrpc": "2.0", "id": 1, "result": {}}
    found, posted = forwarded(lambda request: httpx.Response(200, json=reply), rpc("ping"))
    assert found == [reply]
    (request,) = posted
    assert str(request.url) == "http://localhost:8000/api/mcp"
    assert request.headers["x-api-key"] == "bzp_key"
    assert "text/event-stream" in request.headers["accept"]
    assert request.headers["mcp-protocol-version"] == "2025-11-25"


def test_the_revision_that_was_agreed_on_goes_with_every_later_line() -> None:
    reply = {"jsonrpc": "2.0", "id": 1, "result": {}}
    handshake = rpc("initialize", {"protocolVersion": "2025-03-26"})
    _, posted = forwarded(lambda request: httpx.Response(200, json=reply), handshake, rpc("ping"))
    assert {request.headers["mcp-protocol-version"] for request in posted} == {"2025-03-26"}


def test_a_modern_request_is_routed_by_headers_that_agree_with_it() -> None:
    meta = {mcp.VERSION_KEY: "2026-07-28", mcp.CAPABILITIES_KEY: {}}
    line = tool_call("七", _meta=meta)
    _, posted = forwarded(lambda request: httpx.Response(202), line)
    read = mcp.read(posted[0].content, mcp.peer(posted[0].headers), Settings())
    assert isinstance(read, mcp.Request)
    assert read.peer.modern


def test_events_become_lines() -> None:
    stream = (
        b": ping\n\n" + mcp.event(mcp.progress("t", 1, "reading")) + mcp.event(b'{"jsonrpc":"2.0","id":1}')
    )
    found, _ = forwarded(
        lambda request: httpx.Response(200, content=stream, headers={"content-type": "text/event-stream"}),
        rpc("ping"),
    )
    assert [frame.get("method") for frame in found] == ["notifications/progress", None]


def test_no_answer_is_an_error_for_whom_waits() -> None:
    def refused(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    found, _ = forwarded(refused, rpc("ping"), notification)
    (error,) = (frame["error"] for frame in found)
    assert (error["message"], error["data"]["reason"]) == ("UPSTREAM_ERROR", "UNAVAILABLE")
    assert error["data"]["request_id"]
    found, _ = forwarded(lambda request: httpx.Response(403, text="no"), rpc("ping"))
    assert "403" in found[0]["error"]["data"]["detail"]
    found, _ = forwarded(refused, tool_call())
    assert found[0]["result"]["structuredContent"]["code"] == "UPSTREAM_ERROR"


@pytest.mark.parametrize("url", ["http://hub.example", "ftp://localhost", "localhost", "https://"])
def test_the_key_goes_over_https_or_not_far(url: str) -> None:
    with pytest.raises(ValueError):
        endpoint(url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000", "http://[::1]:8000/", "https://hub.example/api/mcp"]
)
def test_a_hub_is_found_by_its_address(url: str) -> None:
    assert endpoint(url).endswith("/api/mcp")
