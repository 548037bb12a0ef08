"""What an operator reads of runs: one line for every submission, of one that begins an attempt when that has ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bazi_core.errors import PortTimeout
from bazi_hub.ports import StoreError
from tests.hub.divination.runworld import AGUI, PAYLOAD, RUN, RUNS, THREAD, Model, Web, body, in_web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.hub.client import Response

STATUS = f"{RUNS}/{THREAD}?runId={RUN}"


def lines(web: Web) -> list[dict[str, Any]]:
    return [line for line in web.voices.logged if line["event"] == "call"]


async def ended(web: Web) -> dict[str, Any]:
    """The one line, once nothing runs any more."""
    await web.idle()
    [line] = lines(web)
    return line


def heard(web: Web, answer: Response) -> dict[str, Any]:
    """The line of a submission, found by what its answer says of it."""
    [line] = [line for line in lines(web) if line["request_id"] == answer.headers["x-request-id"]]
    if answer.status >= 400:
        assert answer.json["instance"] == f"urn:uuid:{line['request_id']}"
        assert line["code"] == answer.json["code"]
    return line


@in_web(reader=Model)
async def test_an_attempt_that_has_ended_is_one_line_under_the_id_of_its_submission(web: Web) -> None:
    web.reader.gate.clear()
    answer = await web.submit(who="agent")
    await web.begun()
    assert lines(web) == []
    web.clock.advance(2.5)
    web.reader.gate.set()
    line = await ended(web)
    met = await web.storage.runs.meet(web.accounts["me"], THREAD, RUN)
    assert met.run is not None
    assert line == {
        "event": "call",
        "level": "info",
        "request_id": answer.headers["x-request-id"],
        "call_id": met.run.call_id,
        "account_id": web.accounts["me"],
        "key_id": web.keys["agent"][4:12],
        "tool": "divination_run",
        "transport": "runs",
        "code": "OK",
        "duration_ms": 2500.0,
    }


async def failed(web: Web) -> None:
    web.reader.error = PortTimeout("late", timeout_s=90)
    web.reader.gate.set()


async def cancelled(web: Web) -> None:
    await web.ask("DELETE", STATUS)


async def shut_down(web: Web) -> None:
    await web.hub.drain(0)


async def overtaken(web: Web) -> None:
    await web.storage.ledger.reap(everything=True)
    web.reader.gate.set()


async def without_a_store(web: Web) -> None:
    async def broken(*arguments: Any) -> Any:
        raise StoreError("gone")

    succeed, fail = web.storage.runs.succeed, web.storage.runs.fail
    web.storage.runs.succeed = web.storage.runs.fail = broken
    web.reader.gate.set()
    await web.idle()
    web.storage.runs.succeed, web.storage.runs.fail = succeed, fail
    await web.storage.ledger.reap(everything=True)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (failed, "UPSTREAM_TIMEOUT"),
        (cancelled, "CANCELLED"),
        (shut_down, "UPSTREAM_ERROR"),
        (overtaken, "RUN_INTERRUPTED"),
        (without_a_store, "INTERNAL_ERROR"),
    ],
)
@in_web(reader=Model)
async def test_the_line_of_an_attempt_says_how_it_ended(
    web: Web, end: Callable[[Web], Awaitable[None]], code: str
) -> None:
    await web.held_up()
    await end(web)
    assert (await ended(web))["code"] == code


@pytest.mark.parametrize("turns", range(8))
@in_web(reader=Model)
async def test_a_run_that_is_cancelled_before_it_began_has_its_line_too(web: Web, turns: int) -> None:
    web.reader.gate.clear()
    answer = await web.submit()
    await web.turns(turns)
    await cancelled(web)
    await web.idle()
    assert heard(web, answer)["code"] == "CANCELLED"


@in_web(reader=Model)
async def test_each_attempt_of_a_run_has_its_own_line(web: Web) -> None:
    await web.held_up()
    await failed(web)
    await web.idle()
    web.reader.error = None
    again = await web.ask("POST", AGUI, body())
    await web.idle()
    first, second = lines(web)
    assert (first["code"], second["code"], second["transport"]) == ("UPSTREAM_TIMEOUT", "OK", "agui")
    assert first["call_id"] != second["call_id"]
    assert second["request_id"] == again.headers["x-request-id"]


@in_web
async def test_a_submission_that_begins_nothing_has_its_line_at_once(web: Web) -> None:
    await web.submit()
    await web.idle()
    replayed = await web.submit()
    assert (replayed.status, heard(web, replayed)["code"]) == (200, "OK")
    for value, code in (
        (body(payload={**PAYLOAD, "yaoLines": []}), "YAO_LINES_LENGTH"),
        (body(said="别的？"), "RUN_CONFLICT"),
        (body(run="r2", payload={**PAYLOAD, "question": "别的？"}), "THREAD_HAS_DERIVATION"),
    ):
        refused = await web.submit(value)
        assert heard(web, refused)["code"] == code
        assert heard(web, refused)["call_id"] is None
    web.storage.runs.meet = None
    broken = await web.submit(body(run="r3"))
    assert (broken.status, heard(web, broken)["code"]) == (500, "INTERNAL_ERROR")
    del web.storage.runs.meet


@in_web(reader=Model)
async def test_no_line_of_a_run_holds_a_word_of_it(web: Web) -> None:
    await web.submit()
    await web.submit(body(said="别的？"))
    await web.submit(body(payload={**PAYLOAD, "questionType": ""}))
    await web.idle()
    told = json.dumps(web.voices.logged, ensure_ascii=False)
    for word in ("工作", "别的", "事业", "2026-04-03", "少阳", web.keys["me"]):
        assert word not in told


@in_web(reader=Model)
async def test_the_metrics_count_what_became_of_a_run(web: Web) -> None:
    counted: list[dict[str, str]] = []
    web.voices.count = lambda name, amount=1, **labels: counted.append(labels)  # type: ignore[method-assign]
    await web.held_up()
    assert counted == []
    await cancelled(web)
    await web.idle()
    assert counted == [{"tool": "divination_run", "transport": "runs", "code": "CANCELLED"}]
