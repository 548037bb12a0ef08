"""Streams: the same bytes to everybody, from any event on, however many read and whenever they leave."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bazi_core.errors import PortTimeout
from bazi_hub.divination.feed import MOST_STREAMS
from bazi_hub.http.exchange import Pace
from bazi_hub.http.runs import MOST_BEHIND
from bazi_hub.http.wire.agui import RunContext, frames
from bazi_hub.ports.runs import Event, read, written
from tests.hub.divination.grammar import check_stream
from tests.hub.divination.runworld import (
    AGUI,
    OTHER_THREAD,
    RUN,
    RUNS,
    THREAD,
    Model,
    Web,
    body,
    in_web,
    plays,
)
from tests.waiting import eventually

EVENTS = f"{RUNS}/{THREAD}/events?runId={RUN}"


def pieces(stream: bytes) -> list[bytes]:
    """A stream cut at its blank lines, without the retry at its head."""
    head, *rest = stream.split(b"\n\n")
    assert head == b"retry: 2000"
    assert rest.pop() == b""
    return [piece for piece in rest if piece != b": ping"]


@in_web
async def test_a_stream_has_the_headers_and_the_form_of_server_sent_events(web: Web) -> None:
    await web.submit()
    await web.settled()
    found = await web.stream()
    assert found.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert found.headers["cache-control"] == "no-store"
    assert found.headers["x-accel-buffering"] == "no"
    for seq, piece in enumerate(pieces(found.body), 1):
        first, second = piece.decode().split("\n")
        assert first == f"id: {RUN}:{seq}"
        assert second.startswith('data: {"type":"')
    assert "本卦".encode() in found.body
    assert b"\\u" not in found.body
    assert b"event:" not in found.body


@in_web
async def test_of_two_wire_events_the_last_carries_the_id(web: Web) -> None:
    await web.submit()
    await web.settled()
    found = pieces((await web.stream(query="&profile=agui")).body)
    assert found[2].startswith(b'data: {"type":"CUSTOM"')
    assert found[3].startswith(f'id: {RUN}:3\ndata: {{"type":"STATE_SNAPSHOT"'.encode())
    resumed = pieces((await web.stream(query="&profile=agui&after=2")).body)
    assert resumed[:2] == found[2:4]


@pytest.mark.parametrize("profile", ["seed", "agui"])
@in_web
async def test_from_every_event_a_resume_gives_exactly_the_rest(web: Web, profile: str) -> None:
    await web.submit()
    last = (await web.settled())["lastSeq"]
    whole = pieces((await web.stream(query=f"&profile={profile}")).body)
    ids = [int(one.split(b"\n")[0].split(b":")[-1]) if one.startswith(b"id") else 0 for one in whole]
    for after in range(last):
        rest = pieces((await web.stream(query=f"&profile={profile}&after={after}")).body)
        start = ids.index(after) + 1 if after else 0
        assert rest == whole[start:]
        header = {"last_event_id": f"{RUN}:{after}"}
        again = await web.stream(query=f"&profile={profile}&after=1", **header)
        assert pieces(again.body) == rest, "the header wins"
    done = await web.stream(query=f"&profile={profile}&after={last}")
    assert (done.status, done.body) == (204, b"")


@pytest.mark.parametrize(
    ("header", "query"),
    [
        ("", ""), ("7", ""), (f"{RUN}:", ""), (f"{RUN}:x", ""), (f"{RUN}:-1", ""), (f"{RUN}:01", ""), ("other:1", ""),
        (f"{RUN}:999", ""), (f"{RUN}:٣", ""), (None, "&after="), (None, "&after=x"), (None, "&after=-1"),
        (None, "&after=999"), (None, "&after=1.0"), (None, f"&after={'9' * 30}"), (None, "&after=%2B1"),
    ],
)  # fmt: skip
@in_web
async def test_an_id_that_no_event_has_is_refused(web: Web, header: str | None, query: str) -> None:
    await web.submit()
    await web.settled()
    connection = web.connection("GET", EVENTS + query)
    if header is not None:
        connection.scope["headers"].append((b"last-event-id", header.encode()))
    refused = await connection.run()
    assert (refused.status, refused.json["code"]) == (400, "INVALID_EVENT_ID")


@in_web(reader=Model)
async def test_fifty_readers_get_the_same_bytes_while_a_run_is_running(web: Web) -> None:
    await web.held_up()
    streams = [asyncio.ensure_future(web.stream()) for _ in range(MOST_STREAMS)]
    running = (await _run(web)).id
    await eventually(lambda: len(web.service.feed._waiting.get(running, ())) == MOST_STREAMS)
    web.reader.gate.set()
    found = [one.body for one in await asyncio.gather(*streams)]
    for _ in range(50 - MOST_STREAMS):
        found.append((await web.stream()).body)
    assert len(set(found)) == 1
    check_stream((await web.stream()).events, "seed")


async def _purged(web: Web) -> bool:
    return bool((await _run(web)).purged)


async def _run(web: Web) -> Any:
    met = await web.storage.runs.meet(web.accounts["me"], THREAD, RUN)
    assert met.run is not None
    return met.run


@in_web(reader=Model)
async def test_a_reader_that_leaves_changes_nothing(web: Web) -> None:
    await web.held_up()
    leaving = web.connection("GET", EVENTS)
    task = asyncio.ensure_future(leaving.run())
    await eventually(lambda: leaving.response.parts)
    leaving.gone.set()
    await task
    assert not web.service.feed._streams
    web.reader.gate.set()
    assert (await web.settled())["status"] == "succeeded"
    assert not web.service.feed._waiting


@in_web
async def test_wherever_a_reader_leaves_it_finds_the_rest(web: Web) -> None:
    await web.submit()
    last = (await web.settled())["lastSeq"]
    whole = pieces((await web.stream()).body)
    for seen in range(1, last):
        # The connection broke somewhere behind this event; what came of the next one is thrown away.
        broken = b"\n\n".join(whole[:seen]) + b"\n\n" + whole[seen][: len(whole[seen]) // 2]
        kept = broken.split(b"\n\n")[:-1]
        event_id = kept[-1].split(b"\n")[0].removeprefix(b"id: ").decode()
        rest = pieces((await web.stream(last_event_id=event_id)).body)
        assert kept + rest == whole


@in_web(reader=Model)
async def test_a_reader_that_leaves_an_agui_request_does_not_cancel_the_run(web: Web) -> None:
    web.reader.gate.clear()
    leaving = web.connection("POST", AGUI, body())
    task = asyncio.ensure_future(leaving.run())
    await web.begun()
    leaving.gone.set()
    await task
    web.reader.gate.set()
    assert (await web.settled())["status"] == "succeeded"


def test_a_silent_stream_shows_signs_of_life() -> None:
    async def story(web: Web) -> None:
        web.reader.gate.clear()
        await web.submit()
        connection = web.connection("GET", EVENTS)
        task = asyncio.ensure_future(connection.run())
        await eventually(lambda: connection.response.parts.count(b": ping\n\n") >= 3)
        web.reader.gate.set()
        found = await task
        assert pieces(found.body) == pieces((await web.stream()).body)

    plays(story, reader=Model(), pace=Pace(sign_s=0.005))


@in_web(reader=Model)
async def test_streams_that_stay_open_keep_their_places(web: Web) -> None:
    await web.held_up()
    streams = [asyncio.ensure_future(web.stream()) for _ in range(MOST_STREAMS)]
    await eventually(lambda: len(web.service.feed._streams) >= MOST_STREAMS)
    for _ in range(6):
        web.clock.advance(10)
        for asked in web.hub.on_watch:
            await asked()
    assert (await web.ask("GET", EVENTS)).status == 429
    web.reader.gate.set()
    await asyncio.gather(*streams)
    assert (await web.stream()).status == 200


@in_web(reader=Model)
async def test_an_account_has_sixteen_streams(web: Web) -> None:
    web.reader.gate.clear()
    await web.submit()
    await web.submit(body(thread=OTHER_THREAD), "you")
    streams = [asyncio.ensure_future(web.stream()) for _ in range(MOST_STREAMS)]
    await eventually(lambda: len(web.service.feed._streams) >= MOST_STREAMS)
    refused = await web.ask("GET", EVENTS)
    assert (refused.status, refused.headers["retry-after"]) == (429, "5")
    assert refused.json["code"] == "RATE_LIMITED"
    assert refused.json["params"] == {"limit_type": "event_stream", "limit": 16, "retry_after": 5}
    posted = await web.ask("POST", AGUI, body(thread=OTHER_THREAD, run="r2"))
    assert posted.status == 429
    assert await web.money() == (1000, 4), "what cannot be shown is not begun"
    other = asyncio.ensure_future(web.stream(OTHER_THREAD, RUN, "you"))
    web.reader.gate.set()
    assert (await other).status == 200
    await asyncio.gather(*streams)
    assert (await web.stream()).status == 200


@in_web(reader=Model)
async def test_two_attempts_are_one_log_and_a_new_reader_sees_the_newest(web: Web) -> None:
    web.reader.error = PortTimeout("no", timeout_s=90)
    await web.submit()
    assert (await web.settled())["lastSeq"] == 7
    first = await web.stream()
    assert [one["type"] for one in first.events][-2:] == ["STEP_FINISHED", "RUN_ERROR"]
    assert (await web.stream(query="&after=7")).status == 204
    web.reader.error = None
    again = await web.submit()
    assert (again.status, again.json["attempt"], again.json["status"]) == (202, 2, "accepted")
    await web.settled()
    newest = await web.stream()
    assert newest.events[0]["type"] == "RUN_STARTED"
    assert newest.body.startswith(f"retry: 2000\n\nid: {RUN}:8\n".encode())
    both = await web.stream(query="&after=2")
    assert pieces(both.body) == pieces(first.body)[2:] + pieces(newest.body)
    assert pieces((await web.stream(query="&after=7")).body) == pieces(newest.body)


@in_web
async def test_a_log_that_was_purged_points_to_the_history(web: Web) -> None:
    await web.submit()
    await web.settled()
    web.clock.advance(8 * 86400)
    assert await web.storage.runs.purge(web.clock.now_ms() - web.hub.settings.run_log_ttl_s * 1000) == 1
    for query in ("", "&after=3", "&profile=agui"):
        gone = await web.ask("GET", EVENTS + query)
        assert (gone.status, gone.json["code"]) == (410, "EVENTS_EXPIRED")
        assert (await web.ask("GET", gone.json["params"]["history"])).status == 200
    assert (await web.ask("GET", f"{RUNS}/{THREAD}?runId={RUN}")).json["status"] == "succeeded"
    posted = await web.ask("POST", AGUI, body())
    assert posted.status == 410


def test_the_hub_forgets_logs_when_their_time_is_over() -> None:
    async def story(web: Web) -> None:
        from bazi_hub.calls import state

        await web.submit()
        await web.settled()
        web.clock.advance(7 * 86400 + 1)
        watch = asyncio.ensure_future(web.hub._watch())
        await eventually(lambda: _purged(web))
        watch.cancel()
        assert state.REAP_EVERY_S

    import bazi_hub.calls.state

    before, bazi_hub.calls.state.REAP_EVERY_S = bazi_hub.calls.state.REAP_EVERY_S, 0.001
    try:
        plays(story)
    finally:
        bazi_hub.calls.state.REAP_EVERY_S = before


@in_web(reader=Model)
async def test_streams_end_when_the_hub_shuts_down_and_runs_go_on(web: Web) -> None:
    await web.held_up()
    stream = asyncio.ensure_future(web.ask("GET", EVENTS))
    await eventually(lambda: web.service.feed._waiting)
    draining = asyncio.ensure_future(web.hub.drain(60))
    cut = await stream
    assert [one["type"] for one in cut.events][-1] == "STEP_STARTED"
    refused = await web.submit(body(run="r2"))
    assert (refused.status, refused.json["code"], refused.json["params"]["reason"]) == (
        502, "UPSTREAM_ERROR", "DRAINING",
    )  # fmt: skip
    web.reader.gate.set()
    await draining
    assert (await web.settled())["status"] == "succeeded"


@in_web(reader=Model)
async def test_what_does_not_end_in_time_is_given_back_when_the_hub_shuts_down(web: Web) -> None:
    await web.held_up()
    await web.hub.drain(0)
    ended = await web.settled()
    assert (ended["status"], ended["error"]["code"]) == ("failed", "UPSTREAM_ERROR")
    assert await web.money() == (1000, 0)


@in_web(reader=Model)
async def test_a_reader_that_lags_too_far_behind_is_let_go_and_resumes(web: Web) -> None:
    await web.held_up()
    run = await _run(web)
    connection = web.connection("GET", EVENTS)
    let_through = asyncio.Event()
    send = connection._send

    async def slow(message: dict[str, Any]) -> None:
        await let_through.wait()
        await send(message)

    connection._send = slow  # type: ignore[method-assign]
    task = asyncio.ensure_future(connection.run())
    await asyncio.sleep(0)
    web.reader.gate.set()
    await web.settled()
    # So much has come since that no queue would hold it.
    log = web.storage.tables.runs.events[run.id]
    more = [Event("text", 0, {"id": "x", "delta": "…"}, seq) for seq in range(6, 6 + MOST_BEHIND + 1)]
    kept, log[5:] = log[5:], more
    let_through.set()
    cut = await task
    log[5:] = kept
    assert [one["type"] for one in cut.events][-1] == "STEP_STARTED"
    rest = await web.stream(query="&after=5")
    assert cut.body + rest.body.removeprefix(b"retry: 2000\n\n") == (await web.stream()).body


@in_web
async def test_a_profile_that_is_not_served_is_refused(web: Web) -> None:
    await web.submit()
    await web.settled()
    for path, allowed in (
        (f"{EVENTS}&profile=x", ["seed", "agui"]),
        (f"{EVENTS}&profile=", ["seed", "agui"]),
    ):
        refused = await web.ask("GET", path)
        assert (refused.status, refused.json["code"]) == (400, "INVALID_PROFILE")
        assert refused.json["params"] == {"allowed": allowed}
    for profile in ("seed", "x"):
        refused = await web.ask("POST", f"{AGUI}?profile={profile}", body(run="r2"))
        assert (refused.status, refused.json["params"]) == (400, {"allowed": ["agui"]})
    assert (await web.ask("POST", f"{AGUI}?profile=agui", body())).status == 200


@in_web(reader=Model)
async def test_a_repeated_agui_request_attaches_to_the_run(web: Web) -> None:
    web.reader.gate.clear()
    first = asyncio.ensure_future(web.ask("POST", AGUI, body()))
    await web.begun()
    second = asyncio.ensure_future(web.ask("POST", AGUI, body()))
    await asyncio.sleep(0.01)
    web.reader.gate.set()
    one, two = await asyncio.gather(first, second)
    three = await web.ask("POST", AGUI, body())
    assert one.body == two.body == three.body == (await web.stream(query="&profile=agui")).body
    assert "idempotent-replayed" not in one.headers
    assert two.headers["idempotent-replayed"] == three.headers["idempotent-replayed"] == "true"
    assert await web.money() == (996, 0)
    assert len(web.reader.asked) == 1


@in_web(credits=3)
async def test_an_error_before_the_first_event_of_agui_is_a_problem_with_its_status(web: Web) -> None:
    poor = await web.ask("POST", AGUI, body())
    assert (poor.status, poor.json["code"]) == (402, "INSUFFICIENT_CREDITS")
    assert poor.json["params"] == {
        "reason": "BALANCE", "tool_name": "divination_run", "balance": 3, "held": 0, "available": 3, "credit_cost": 4,
        "min_balance": 4,
    }  # fmt: skip
    assert poor.headers["content-type"] == "application/problem+json"
    assert not web.service.feed._streams


@in_web
async def test_profiles_are_functions_of_the_log(web: Web) -> None:
    await web.submit()
    await web.settled()
    run = await _run(web)
    events = await web.storage.runs.events(run.id, 0)
    kept = read(written(events), 1)
    log = RunContext(THREAD, RUN, run.state, await web.storage.runs.derivation(run.id))
    for profile in ("seed", "agui"):
        made = b"".join(piece for _, piece in frames(log, kept, profile))  # type: ignore[arg-type]
        assert b"retry: 2000\n\n" + made == (await web.stream(query=f"&profile={profile}")).body
