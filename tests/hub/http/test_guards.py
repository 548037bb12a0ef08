"""Host, Origin, CORS, proxies, and bodies that are too large or too slow."""

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bazi_hub.http.app import create_app
from bazi_hub.http.exchange import Pace
from bazi_hub.http.guards import (
    MOST_HOPS,
    MOST_KNOWN,
    Guards,
    Origin,
    _host_name,
    _origin,
    _written,
    missing_setting,
)
from bazi_hub.words.settings import Settings
from tests.hub.client import KEY, SDK, Connection, Response, ask, rpc, tool_call
from tests.hub.fake_hub import FakeHub, FakeIdentity
from tests.tables import holds_for_all

PAGE = "https://pages.example"


def app_of(**settings: Any) -> Any:
    return create_app(FakeHub(Settings(**settings)), FakeIdentity())  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000"])
def test_local_names_are_served(app: Any, host: str) -> None:
    assert ask(app, body=rpc("ping"), headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "a@localhost", "localhost, x", "::1"]
)
def test_other_names_are_refused(app: Any, host: str) -> None:
    response = ask(app, body=rpc("ping"), headers={"host": host})
    assert (response.status, response.headers["content-type"]) == (403, "text/plain; charset=utf-8")


def test_the_public_url_and_listed_hosts_are_served() -> None:
    app = app_of(public_url="https://hub.example/bazi", allowed_hosts=("Inner.example:9000",))
    for host, status in (("hub.example", 200), ("inner.example", 200), ("hub.example.org", 403)):
        assert ask(app, body=rpc("ping"), headers={"host": host}).status == status


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_are_answered_under_any_name(app: Any, path: str) -> None:
    assert ask(app, path, method="GET", headers={"host": "10.0.0.7"}).status == 200


@holds_for_all(
    "origin, status",
    [
        ("", 200),
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("https://hub.example", 200),
        ("https://listed.example:8443", 200),
        ("https://listed.example", 403),
        ("https://cors.example", 200),
        ("null", 403),
        ("https://evil.example", 403),
        ("https://hub.example.evil.example", 403),
        ("https://hub.example:99999", 403),
    ],
)
def test_origins_are_local_own_or_listed(origin: str, status: int) -> None:
    app = app_of(
        public_url="https://hub.example",
        allowed_origins=("https://listed.example:8443",),
        cors_origins=("https://cors.example/",),
    )
    assert ask(app, body=rpc("ping"), headers={"origin": origin}).status == status


def test_a_page_of_a_listed_host_may_post_to_it() -> None:
    app = app_of(allowed_hosts=("inner.example",))
    headers = {"host": "inner.example:8000", "origin": "http://inner.example:8000"}
    assert ask(app, body=rpc("ping"), headers=headers).status == 200
    assert ask(app, body=rpc("ping"), headers=headers | {"origin": "http://inner.example"}).status == 403


# --- CORS ---


def test_without_listed_origins_there_is_no_cors(app: Any) -> None:
    headers = {"origin": "http://localhost:3000", "access-control-request-method": "POST"}
    response = ask(app, body=rpc("ping"), headers=headers)
    assert not any(name.startswith("access-control") for name in response.headers)
    assert ask(app, method="OPTIONS", headers=headers).status == 405


def test_a_listed_origin_may_ask_and_read_and_never_with_credentials() -> None:
    app = app_of(cors_origins=(PAGE,))
    preflight = ask(app, method="OPTIONS", headers={"origin": PAGE, "access-control-request-method": "POST"})
    assert (preflight.status, preflight.headers["access-control-allow-origin"]) == (204, PAGE)
    allowed = preflight.headers["access-control-allow-headers"].lower()
    for header in ("x-api-key", "authorization", "idempotency-key", "mcp-protocol-version", "last-event-id"):
        assert header in allowed
    response = ask(app, body=rpc("ping"), headers={"origin": PAGE})
    assert response.headers["access-control-allow-origin"] == PAGE
    assert response.headers["vary"] == "Origin"
    assert "access-control-allow-credentials" not in preflight.headers | response.headers
    local = ask(app, body=rpc("ping"), headers={"origin": "http://localhost"})
    assert "access-control-allow-origin" not in local.headers


def test_cors_reaches_the_routes_of_others() -> None:
    async def page(request: Any) -> PlainTextResponse:
        return PlainTextResponse("hello")

    hub = FakeHub(Settings(cors_origins=(PAGE,)))
    app = create_app(hub, FakeIdentity(), routes=[Route("/api/v1/x", page)])  # type: ignore[arg-type]
    response = ask(app, "/api/v1/x", method="GET", headers={"origin": PAGE})
    assert (response.body, response.headers["access-control-allow-origin"]) == (b"hello", PAGE)
    assert ask(app, "/api/v1/x", method="GET", headers={"host": "evil.example"}).status == 403
    assert ask(app, "/api/v1/x/", headers=KEY).status == 404


@pytest.mark.parametrize(
    "path", ["/.well-known/mcp.json", "/.well-known/agent-card.json", "/openapi.json", "/llms.txt"]
)
def test_public_documents_are_readable_from_anywhere(app: Any, path: str) -> None:
    response = ask(app, path, method="GET", headers={"origin": "https://evil.example"})
    assert (response.status, response.headers["access-control-allow-origin"]) == (200, "*")
    assert response.headers["cache-control"] == "public, max-age=300"
    assert ask(app, path, method="GET", headers={"host": "evil.example"}).status == 403
    assert ask(app, path, method="POST").status == 405


# --- proxies ---


def seen(client: str, headers: dict[str, str], *proxies: str) -> tuple[Any, str]:
    guards = Guards(Settings(trusted_proxies=proxies))
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = guards.seen_through({"client": (client, 1), "scheme": "http", "headers": raw})
    return scope["client"][0], scope["scheme"]


def test_a_trusted_proxy_is_believed_about_client_and_scheme() -> None:
    told = {"x-forwarded-for": "203.0.113.9, 10.0.0.2", "x-forwarded-proto": "https"}
    assert seen("10.0.0.1", told, "10.0.0.0/8") == ("203.0.113.9", "https")
    assert seen("10.0.0.1", told) == ("10.0.0.1", "http")
    assert seen("192.0.2.1", told, "10.0.0.0/8") == ("192.0.2.1", "http")


def test_only_the_nearest_stranger_counts() -> None:
    told = {"x-forwarded-for": "1.1.1.1, 203.0.113.9, 10.0.0.2"}
    assert seen("10.0.0.1", told, "10.0.0.0/8")[0] == "203.0.113.9"


@holds_for_all(
    "told, client",
    [
        ("unknown", "10.0.0.1"),
        ("whatever I like, 10.0.0.2", "10.0.0.2"),
        ("1.1.1.1, _hidden, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:DB8::1]:443", "2001:db8::1"),
        ("fe80::1%made-up-7", "fe80::1"),
        ("203.0.113.9, ", "203.0.113.9"),
        ("999.1.1.1", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_what_is_no_address_names_no_client(told: str, client: str) -> None:
    assert seen("10.0.0.1", {"x-forwarded-for": told}, "10.0.0.0/8")[0] == client


def test_who_is_told_of_before_the_longest_row_of_proxies_is_not_looked_for() -> None:
    row = [f"10.0.1.{number}" for number in range(MOST_HOPS)]
    told = ", ".join(["203.0.113.9", *row])
    assert seen("10.0.0.1", {"x-forwarded-for": told}, "10.0.0.0/8")[0] == "10.0.1.0"
    nearer = ", ".join(["203.0.113.9", *row[1:]])
    assert seen("10.0.0.1", {"x-forwarded-for": nearer}, "10.0.0.0/8")[0] == "203.0.113.9"


def test_a_forwarded_host_is_never_believed() -> None:
    app = app_of(trusted_proxies=("127.0.0.1",))
    headers = {"host": "evil.example", "x-forwarded-host": "localhost"}
    assert ask(app, body=rpc("ping"), headers=headers).status == 403


def test_a_listener_that_nobody_can_name_says_which_setting_is_missing() -> None:
    assert missing_setting("127.0.0.1", Settings()) is None
    assert missing_setting("0.0.0.0", Settings(public_url="https://hub.example")) is None
    assert "BAZI_HUB_PUBLIC_URL" in str(missing_setting("0.0.0.0", Settings()))


# --- bodies ---


def test_a_body_of_exactly_the_limit_is_read(app: Any) -> None:
    frame = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert ask(app, body=frame + b" " * (262_144 - len(frame)), headers=KEY).status == 200


@pytest.mark.parametrize("chunks", [[b"x" * 262_145], [b"x" * 100_000] * 10, [b"x" * 300_000] * 40])
def test_a_body_beyond_the_limit_is_a_parse_error(app: Any, chunks: list[bytes]) -> None:
    response = ask(app, body=chunks)
    assert response.status == 400
    assert response.json["error"]["data"]["reason"] == "BODY_TOO_LARGE"
    assert ask(app, body=list(chunks), headers=SDK).json["error"]["code"] == -32700
    enveloped = ask(app, "/api/universal/meta/get_skill_info", list(chunks), headers=KEY)
    assert enveloped.json["error"]["details"] == {"reason": "BODY_TOO_LARGE"}


def test_a_sender_without_an_end_is_cut_off(app: Any) -> None:
    response = ask(app, body=[b"x" * 1_000_000] * 8)
    assert response.headers["connection"] == "close"


def test_a_body_that_does_not_come_in_time_closes_the_connection(hub: FakeHub) -> None:
    app = create_app(hub, FakeIdentity(), pace=Pace(body_s=0.01))  # type: ignore[arg-type]

    async def run() -> Response:
        connection = Connection(app, body=[b"{"])
        connection.never = True
        return await connection.run()

    response = asyncio.run(run())
    assert (response.status, response.headers["connection"]) == (408, "close")
    assert hub.calls == []


def test_a_client_that_leaves_before_its_request_is_whole_gets_nothing(app: Any, hub: FakeHub) -> None:
    async def run() -> Response:
        connection = Connection(app, body=[b"{"])
        connection.never = True
        connection.gone.set()
        return await connection.run()

    assert asyncio.run(run()).status == 0
    assert hub.calls == []


def test_blanks_around_a_header_are_none_of_it(app: Any) -> None:
    headers = {"host": " localhost\t", "x-api-key": "personal ", "mcp-protocol-version": " 2025-06-18 "}
    assert ask(app, body=tool_call(), headers=headers).status == 200


def test_a_header_that_comes_twice_equals_nothing_that_came_once(app: Any) -> None:
    async def run() -> Response:
        connection = Connection(app, body=b"{}", headers={"host": "localhost"})
        connection.scope["headers"].append((b"host", b"localhost"))
        return await connection.run()

    assert asyncio.run(run()).status == 403


# --- mounting ---


def test_mounted_below_a_root_the_hub_is_found_and_says_where_it_is(app: Any) -> None:
    assert ask(app, "/hub/api/mcp", tool_call(), headers=KEY, root_path="/hub").status == 200
    found = ask(app, "/hub/.well-known/mcp.json", method="GET", root_path="/hub", scheme="https")
    assert found.json["endpoints"]["mcp"] == "https://localhost/hub/api/mcp"
    public = app_of(public_url="https://hub.example/x/")
    assert ask(public, "/openapi.json", method="GET").json["servers"] == [{"url": "https://hub.example/x"}]


# --- names that are no names ---


@pytest.mark.parametrize(("header", "kept"), [("host", _host_name), ("origin", _origin)])
def test_a_name_longer_than_any_is_refused_and_not_kept(app: Any, header: str, kept: Any) -> None:
    ask(app, body=rpc("ping"))
    before = kept.cache_info().currsize
    for number in range(3):
        name = f"{number}{'x' * 60_000}"
        long = name if header == "host" else f"https://{name}"
        assert ask(app, body=rpc("ping"), headers={header: long}).status == 403
    assert kept.cache_info().currsize == before


@pytest.mark.parametrize("kept", [_host_name, _origin, _written])
def test_of_the_names_that_anybody_makes_up_few_are_kept(kept: Any) -> None:
    for number in range(MOST_KNOWN + 3):
        name = f"x{number}.example"
        kept(Origin("https", name, 443) if kept is _written else name)
    assert kept.cache_info().currsize == MOST_KNOWN


def test_a_name_of_the_longest_is_served() -> None:
    longest = ".".join(["x" * 63] * 4)
    app = app_of(allowed_hosts=(longest,))
    assert ask(app, body=rpc("ping"), headers={"host": longest}).status == 200
    assert ask(app, body=rpc("ping"), headers={"origin": f"https://{longest}:65535"}).status == 403


# --- documents ---


@pytest.mark.parametrize(
    "path", ["/.well-known/mcp.json", "/.well-known/agent-card.json", "/openapi.json", "/llms.txt"]
)
def test_a_public_document_is_made_once_and_names_the_address_that_was_asked(
    app: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ask(app, path, method="GET", headers={"host": "localhost:1"})

    def again(*given: Any) -> bytes:
        raise AssertionError("made anew")

    monkeypatch.setattr("bazi_hub.http.openapi.document.document", again)
    monkeypatch.setattr("bazi_hub.http.wire.discovery.document", again)
    monkeypatch.setattr("bazi_hub.http.wire.discovery.guide", again)
    second = ask(app, path, method="GET", headers={"host": "localhost:2"})
    assert b"http://localhost:1" in first.body
    assert second.body == first.body.replace(b"localhost:1", b"localhost:2")
    assert b"hub.invalid" not in second.body
