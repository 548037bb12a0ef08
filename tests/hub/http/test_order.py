"""The order in which a request can fail: of two things that are wrong, the earlier decides.

Host and Origin, retired path, verb, credential, body, tool. What comes after is the hub's.
"""

import asyncio
import itertools
from typing import Any

import pytest

from bazi_hub.words.errors import HubError
from tests.hub.client import Connection, Response, ask
from tests.hub.fake_hub import FakeHub, fault

TOOL = "/api/universal/meta/get_skill_info"

# In their order: what to change about a good request to fail a step, and how that shows.
REST_STEPS: dict[str, tuple[dict[str, Any], tuple[int, str]]] = {
    "host": ({"host": "evil.example"}, (403, "")),
    "verb": ({"method": "PUT"}, (405, "METHOD_NOT_ALLOWED")),
    "credential": ({"key": "bad"}, (401, "UNAUTHORIZED")),
    "body": ({"body": b"[]"}, (400, "INVALID_BODY")),
    "tool": ({"path": TOOL + "/"}, (404, "UNKNOWN_TOOL")),
    "hub": ({"outcome": fault("TOOL_DISABLED", tool_name="x")}, (403, "TOOL_DISABLED")),
}
MCP_STEPS: dict[str, tuple[dict[str, Any], tuple[int, str]]] = {
    "origin": ({"origin": "https://evil.example"}, (403, "")),
    "verb": ({"method": "GET"}, (405, "")),
    "credential": ({"key": "bad"}, (401, "UNAUTHORIZED")),
    "body": ({"body": b"{"}, (400, "PARSE_ERROR")),
    "tool": (
        {"body": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":3}}'},
        (404, "UNKNOWN_TOOL"),
    ),
    "hub": ({"outcome": fault("TOOL_DISABLED", tool_name="x")}, (403, "TOOL_DISABLED")),
}
GOOD_MCP = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_skill_info"}}'


def told(response: Response) -> tuple[int, str]:
    if not response.body.startswith(b"{"):
        return response.status, ""
    error = response.json["error"]
    return response.status, error["message"] if "jsonrpc" in response.json else error["code"]


def asked(app: Any, hub: FakeHub, good: dict[str, Any], changes: list[dict[str, Any]]) -> Response:
    asked = dict(good)
    for change in changes:
        asked |= change
    hub.outcome = asked.pop("outcome", hub.outcome)
    headers = {"x-api-key": asked.pop("key"), "host": asked.pop("host"), "origin": asked.pop("origin")}
    return ask(app, headers=headers, **asked)


GOOD = {"key": "personal", "host": "localhost", "origin": "", "method": "POST"}
REST_GOOD = GOOD | {"path": TOOL, "body": b"{}"}
MCP_GOOD = GOOD | {"path": "/api/mcp", "body": GOOD_MCP}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(REST_STEPS, 2)))
def test_over_rest_the_earlier_failure_decides(app: Any, hub: FakeHub, first: str, second: str) -> None:
    response = asked(app, hub, REST_GOOD, [REST_STEPS[second][0], REST_STEPS[first][0]])
    assert told(response) == REST_STEPS[first][1]


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(MCP_STEPS, 2)))
def test_over_mcp_the_earlier_failure_decides(app: Any, hub: FakeHub, first: str, second: str) -> None:
    response = asked(app, hub, MCP_GOOD, [MCP_STEPS[second][0], MCP_STEPS[first][0]])
    assert told(response) == MCP_STEPS[first][1]


def test_the_body_of_somebody_without_a_credential_is_not_read(app: Any) -> None:
    response, left = unread(app, {"content-length": "2"})
    assert (told(response), left) == ((401, "UNAUTHORIZED"), [b"{}"])
    assert "connection" not in response.headers


@pytest.mark.parametrize("size", [{"content-length": "99999999"}, {"transfer-encoding": "chunked"}])
def test_a_connection_ends_that_would_bring_a_long_body_nobody_reads(app: Any, size: dict[str, str]) -> None:
    response, _ = unread(app, size)
    assert (response.status, response.headers["connection"]) == (401, "close")


def unread(app: Any, size: dict[str, str]) -> tuple[Response, list[bytes]]:
    """The answer to a bad key, and what is left of its body."""
    connection = Connection(app, TOOL, b"{}", headers={"x-api-key": "bad", **size})
    return asyncio.run(connection.run()), connection._chunks


@pytest.mark.parametrize("key", ["bad", None])
def test_of_the_body_of_a_stranger_no_more_is_parsed_than_a_list_needs(
    app: Any, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    def parse(body: bytes, *limits: int) -> Any:
        raise AssertionError("parsed")

    monkeypatch.setattr("bazi_hub.http.wire.mcp.parse", parse)
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * 20_000 + b'"}}'
    response = ask(app, body=body, headers={} if key is None else {"x-api-key": key})
    assert (told(response), response.json["id"]) == ((401, "UNAUTHORIZED"), None)


def test_a_stranger_with_a_short_body_is_refused_in_the_frame_of_the_request(app: Any) -> None:
    response = ask(app, body=GOOD_MCP, headers={"x-api-key": "bad"})
    assert (told(response), response.json["id"]) == ((401, "UNAUTHORIZED"), 1)


def test_a_list_stays_open_to_whoever_brings_a_bad_key(app: Any) -> None:
    assert (
        ask(app, body=b'{"jsonrpc":"2.0","id":1,"method":"ping"}', headers={"x-api-key": "bad"}).status == 200
    )


@pytest.mark.parametrize("step", REST_STEPS)
def test_each_step_fails_alone(app: Any, hub: FakeHub, step: str) -> None:
    assert told(asked(app, hub, REST_GOOD, [REST_STEPS[step][0]])) == REST_STEPS[step][1]


def test_a_good_request_passes_every_step(app: Any, hub: FakeHub) -> None:
    assert asked(app, hub, REST_GOOD, []).status == 200
    assert asked(app, hub, MCP_GOOD, []).status == 200
    assert len(hub.calls) == 2


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT", "HEAD"])
def test_a_retired_path_is_gone_for_any_verb_and_without_a_credential(app: Any, method: str) -> None:
    response = ask(app, "/api/mcp/sse", b"{", method=method)
    assert response.status == 410
    assert response.headers["link"] == '</api/mcp>; rel="successor-version"'


def test_a_retired_path_answers_json_rpc_in_its_frame(app: Any) -> None:
    framed = ask(app, "/api/mcp/sse", {"jsonrpc": "2.0", "id": "x", "method": "tools/list"})
    assert (framed.json["id"], framed.json["error"]["message"]) == ("x", "GONE_DEPRECATED")
    assert framed.json["error"]["data"]["successor"] == "/api/mcp"
    assert ask(app, "/api/mcp/sse", b"{").json["id"] is None
    enveloped = ask(app, "/api/mcp/sse", method="GET").json
    assert enveloped["error"]["details"] == {"successor": "/api/mcp"}
    mounted = ask(app, "/hub/api/mcp/sse", method="GET", root_path="/hub")
    assert mounted.headers["link"].startswith("</hub/api/mcp>")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
def test_mcp_takes_nothing_but_post(app: Any, method: str) -> None:
    response = ask(app, "/api/mcp", method=method)
    assert (response.status, response.body, response.headers["allow"]) == (405, b"", "POST")


def test_rest_takes_nothing_but_post(app: Any) -> None:
    response = ask(app, TOOL, method="GET")
    assert (response.status, response.headers["allow"]) == (405, "POST")
    assert response.json["error"]["details"] == {"allow": "POST"}


def test_lists_are_open_unless_the_operator_wants_a_key() -> None:
    from bazi_hub.http.app import create_app
    from bazi_hub.words.settings import Settings
    from tests.hub.client import rpc
    from tests.hub.fake_hub import FakeIdentity

    for setting, status in (("open", 200), ("required", 401)):
        hub = FakeHub(Settings(mcp_list_auth=setting))  # type: ignore[arg-type]
        app = create_app(hub, FakeIdentity())  # type: ignore[arg-type]
        for method in ("initialize", "ping", "tools/list"):
            assert ask(app, body=rpc(method)).status == status
            assert ask(app, body=rpc(method), headers={"x-api-key": "agent"}).status == 200
        assert ask(app, body=rpc("tools/call", {"name": "get_skill_info"})).status == 401


def test_a_store_that_does_not_open_leaves_the_credential_unverified(app: Any, hub: FakeHub) -> None:
    from bazi_hub.ports import StoreError

    hub.start_fault = StoreError("no disk")
    response = ask(app, TOOL, headers={"x-api-key": "personal"})
    assert told(response) == (500, "AUTH_BACKEND_ERROR")


def test_a_bad_name_is_not_looked_at_before_the_credential(app: Any, identity: Any) -> None:
    identity.fault = HubError("AUTH_BACKEND_ERROR", "The credential could not be verified")
    response = ask(app, "/api/mcp", b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}')
    assert told(response) == (500, "AUTH_BACKEND_ERROR")


# --- cookies ---

COOKIE = {"cookie": "bazi_session=s", "content-type": "application/json; charset=utf-8"}


def test_a_cookie_has_to_send_json(app: Any) -> None:
    assert ask(app, TOOL, b"{}", headers=COOKIE).status == 200
    for content_type in ("", "text/plain", "application/x-www-form-urlencoded"):
        response = ask(app, TOOL, b"{}", headers=COOKIE | {"content-type": content_type})
        assert response.json["error"] == {
            "code": "UNAUTHORIZED",
            "message": "Unauthorized",
            "details": {"reason": "csrf"},
        }


def test_a_key_may_send_any_content_type(app: Any) -> None:
    for content_type in ("", "text/plain"):
        assert (
            ask(app, TOOL, b"{}", headers={"x-api-key": "agent", "content-type": content_type}).status == 200
        )


def test_who_writes_to_the_forum_is_told_to_the_door(app: Any, identity: Any) -> None:
    ask(
        app, "/api/universal/forum/forum_list_posts", headers={"x-api-key": "agent", "host": "localhost:8000"}
    )
    ask(app, "/api/universal/forum/forum_like_post", headers={"x-api-key": "agent"})
    params = {"name": "forum_create_post", "arguments": {}}
    ask(app, body={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, scheme="https")
    assert identity.asked == [
        ("http://localhost:8000", False),
        ("http://localhost", True),
        ("https://localhost", True),
    ]
