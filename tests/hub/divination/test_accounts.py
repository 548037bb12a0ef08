"""Every route, for everybody: what belongs to somebody else is not there."""

from __future__ import annotations

from typing import Any

import pytest

from bazi_hub.operate.admin import AdminContext, act
from tests.hub.divination.runworld import (
    AGUI,
    DERIVE,
    HISTORY,
    PAYLOAD,
    PRICE,
    RUN,
    RUNS,
    THREAD,
    Model,
    Web,
    body,
    in_web,
)

ROUTES: list[tuple[str, str, Any]] = [
    ("POST", RUNS, body()), ("POST", AGUI, body()), ("GET", f"{RUNS}/{THREAD}/events?runId={RUN}", None),
    ("GET", f"{RUNS}/{THREAD}?runId={RUN}", None), ("DELETE", f"{RUNS}/{THREAD}?runId={RUN}", None), ("GET", HISTORY, None),
    ("GET", f"{HISTORY}?threadId={THREAD}", None), ("POST", DERIVE, PAYLOAD), ("GET", PRICE, None),
]  # fmt: skip
OWNED = [route for route in ROUTES if route[0] != "POST" and THREAD in route[1]]


@pytest.mark.parametrize(("method", "path", "value"), ROUTES)
@pytest.mark.parametrize("who", [None, "unknown", "revoked"])
@in_web
async def test_nobody_without_a_credential_gets_anything(
    web: Web, method: str, path: str, value: Any, who: str | None
) -> None:
    web.keys["unknown"] = web.keys["me"][:-1] + ("0" if web.keys["me"][-1] != "0" else "1")
    web.keys["revoked"], key = await web.identity.issue(web.accounts["me"], "personal", "test")
    await web.identity.revoke(key.id, "test")
    refused = await web.ask(method, path, value, who)
    assert (refused.status, refused.json["code"]) == (401, "UNAUTHORIZED")
    assert refused.headers["www-authenticate"] == 'Bearer realm="bazi-hub"'
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json["instance"] == f"urn:uuid:{refused.headers['x-request-id']}"
    assert await web.money() == (1000, 0)


@pytest.mark.parametrize(("method", "path", "value"), OWNED)
@pytest.mark.parametrize("state", ["running", "succeeded"])
@in_web(reader=Model)
async def test_what_is_foreign_is_missing(web: Web, method: str, path: str, value: Any, state: str) -> None:
    missing = await web.ask(method, path, value, "you")
    await web.held_up()
    if state == "succeeded":
        web.reader.gate.set()
        await web.settled()
    foreign = await web.ask(method, path, value, "you")
    assert foreign.status == missing.status == 404
    told, expected = foreign.json, missing.json
    assert told.pop("instance") != expected.pop("instance")
    assert told == expected
    assert told["code"] == "THREAD_NOT_FOUND"
    assert (await web.ask("GET", f"{RUNS}/{THREAD}?runId={RUN}")).json["status"] == state
    assert (await web.history(who="you"))["messages"] == []
    web.reader.gate.set()
    await web.settled()


@in_web
async def test_two_accounts_may_use_the_same_names(web: Web) -> None:
    await web.submit()
    other = PAYLOAD | {"question": "明天出行可以吗？"}
    assert (await web.submit(body(payload=other), "you")).status == 202
    await web.settled()
    await web.settled(who="you")
    assert (await web.money(), await web.money("you")) == ((996, 0), (996, 0))
    mine, yours = await web.history(), await web.history(who="you")
    assert [one["seq"] for one in mine["messages"]] == [one["seq"] for one in yours["messages"]] == [2, 1]
    asked = [one["messages"][0]["agent_output"]["divination_derived"]["question"] for one in (mine, yours)]
    assert asked == [PAYLOAD["question"], other["question"]]


@in_web
async def test_a_run_that_a_thread_of_mine_does_not_have_is_missing(web: Web) -> None:
    await web.submit()
    await web.settled()
    for method, path in (("GET", "/events"), ("GET", ""), ("DELETE", "")):
        refused = await web.ask(method, f"{RUNS}/{THREAD}{path}?runId=other")
        assert (refused.status, refused.json["code"]) == (404, "RUN_NOT_FOUND")
        for query in ("", "?runId=", "?runId=a%20b"):
            refused = await web.ask(method, f"{RUNS}/{THREAD}{path}{query}")
            assert (refused.status, refused.json["code"]) == (422, "INVALID_PAYLOAD")
        refused = await web.ask(method, f"{RUNS}/nothing{path}?runId=other")
        assert (refused.status, refused.json["code"]) == (404, "THREAD_NOT_FOUND")


async def _cookie(web: Web) -> tuple[dict[str, str], str]:
    session, cookie = await web.identity.begin(web.accounts["me"])
    return {"cookie": f"bazi_session={cookie}"}, session.csrf


@in_web
async def test_a_browser_may_run_from_a_page_of_the_hub(web: Web) -> None:
    cookie, csrf = await _cookie(web)
    page = {"origin": "http://localhost", "x_csrf_token": csrf, "content_type": "application/json"}
    for missing in page:
        some = {name: value for name, value in page.items() if name != missing}
        refused = await web.ask("POST", RUNS, body(), None, **cookie, **some)
        assert (refused.status, refused.json["params"]) == (401, {"reason": "csrf"}), missing
    foreign = page | {"origin": "http://127.0.0.1:9999"}
    assert (await web.ask("POST", RUNS, body(), None, **cookie, **foreign)).status == 401
    assert (await web.ask("POST", RUNS, body(), None, **cookie, **page)).status == 202
    await web.settled()
    stopping = {name: page[name] for name in ("origin", "x_csrf_token")}
    for some in ({}, {"origin": page["origin"]}, {"x_csrf_token": csrf}):
        refused = await web.ask("DELETE", f"{RUNS}/{THREAD}?runId={RUN}", None, None, **cookie, **some)
        assert refused.status == 401
    ended = await web.ask("DELETE", f"{RUNS}/{THREAD}?runId={RUN}", None, None, **cookie, **stopping)
    assert ended.status == 409
    for path in (f"{RUNS}/{THREAD}?runId={RUN}", f"{RUNS}/{THREAD}/events?runId={RUN}", HISTORY, PRICE):
        assert (await web.ask("GET", path, None, None, **cookie)).status == 200
        assert (
            await web.ask("GET", path, None, None, **cookie, origin="http://127.0.0.1:9999")
        ).status == 401


@in_web
async def test_a_foreign_page_or_name_is_turned_away_as_everywhere(web: Web) -> None:
    for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
        refused = await web.ask("POST", RUNS, body(), "me", **headers)
        assert (refused.status, refused.headers["content-type"]) == (403, "text/plain; charset=utf-8")


@in_web
async def test_bearer_keys_are_as_good(web: Web) -> None:
    found = await web.ask("GET", PRICE, None, None, authorization=f"Bearer {web.keys['agent']}")
    assert found.status == 200


def left(web: Web) -> list[Any]:
    """Whatever the tables of runs hold."""
    rows = web.storage.tables.runs
    kept = (rows.threads, rows.runs, rows.events, rows.messages, rows.derivations, rows.names)
    return [row for rows in kept for row in rows]


@in_web
async def test_an_erased_account_leaves_nothing(web: Web) -> None:
    await web.submit()
    await web.settled()
    await web.storage.accounts.erase(web.accounts["me"], "test")
    assert left(web) == []


@in_web(reader=Model)
async def test_an_account_is_erased_when_its_run_has_ended(web: Web) -> None:
    await web.held_up()

    async def sleep(seconds: float) -> None:
        refused = await web.submit(body(run="r2"))
        assert (refused.status, await web.money()) == (401, (1000, 4))
        web.reader.gate.set()
        await web.idle()

    context = AdminContext(
        web.storage, web.identity, None, web.hub.settings, web.clock, web.ids, "operator", sleep
    )  # type: ignore[arg-type]
    erased = await act(context, "account_erase", {"account": web.accounts["me"]})
    assert erased["status"] == "erased"
    assert (left(web), await web.money()) == ([], (996, 0))


@in_web
async def test_a_mounted_hub_says_where_its_events_are(web: Web) -> None:
    connection = web.connection("POST", f"/hub{RUNS}", body())
    connection.scope["root_path"] = "/hub"
    accepted = await connection.run()
    assert accepted.status == 202, accepted.body
    assert accepted.json["eventsUrl"] == f"/hub{RUNS}/{THREAD}/events?runId={RUN}"
    await web.settled()
