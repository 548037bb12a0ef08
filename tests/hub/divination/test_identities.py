"""Every route that shows or changes something of an account, for every kind of stranger."""

from __future__ import annotations

import pytest

from tests.hub.divination.runworld import HISTORY, RUN, RUNS, THREAD, Model, Web, in_web

STRANGERS = ("personal", "agent", "session")
OWNED = [
    ("GET", f"{RUNS}/{THREAD}?runId={RUN}"),
    ("GET", f"{RUNS}/{THREAD}/events?runId={RUN}"),
    ("GET", f"{RUNS}/{THREAD}/events?runId={RUN}&profile=agui&after=1"),
    ("DELETE", f"{RUNS}/{THREAD}?runId={RUN}"),
    ("GET", f"{HISTORY}?threadId={THREAD}"),
    ("GET", f"{HISTORY}?threadId={THREAD}&day=2026-03-01&tz=UTC"),
]


async def credentials(web: Web, kind: str) -> dict[str, str]:
    """The headers by which somebody else comes."""
    if kind == "session":
        session, cookie = await web.identity.begin(web.accounts["you"])
        page = {
            "origin": "http://localhost",
            "x_csrf_token": session.csrf,
            "content_type": "application/json",
        }
        return {"cookie": f"bazi_session={cookie}", **page}
    text, _ = await web.identity.issue(web.accounts["you"], kind, "test")  # type: ignore[arg-type]
    return {"x_api_key": text}


@pytest.mark.parametrize("kind", STRANGERS)
@pytest.mark.parametrize(("method", "path"), OWNED)
@in_web(reader=Model)
async def test_a_stranger_finds_a_run_of_mine_as_missing_as_one_that_never_was(
    web: Web, method: str, path: str, kind: str
) -> None:
    headers = await credentials(web, kind)
    missing = await web.ask(method, path, None, None, **headers)
    await web.held_up()
    foreign = await web.ask(method, path, None, None, **headers)
    web.reader.gate.set()
    assert (await web.settled())["status"] == "succeeded"
    ended = await web.ask(method, path, None, None, **headers)
    for found in (missing, foreign, ended):
        assert found.status == 404
        assert found.json | {"instance": ""} == missing.json | {"instance": ""}


@pytest.mark.parametrize("kind", STRANGERS)
@in_web
async def test_the_whole_history_of_a_stranger_holds_nothing_of_mine(web: Web, kind: str) -> None:
    await web.submit()
    await web.settled()
    for query in ("", "?day=2026-03-01", "?before=1000&limit=100"):
        found = await web.ask("GET", HISTORY + query, None, None, **await credentials(web, kind))
        assert found.json["messages"] == []


@pytest.mark.parametrize("kind", ["agent", "session"])
@in_web
async def test_every_credential_of_the_account_reads_what_another_one_began(web: Web, kind: str) -> None:
    await web.submit()
    await web.settled()
    web.accounts["you"] = web.accounts["me"]
    headers = await credentials(web, kind)
    for _, path in OWNED[:3]:
        assert (await web.ask("GET", path, None, None, **headers)).status == 200
