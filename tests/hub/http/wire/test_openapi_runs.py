"""What the document says of the routes of runs: every status and code of it is provoked, and nothing else comes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from bazi_hub.divination.feed import MOST_STREAMS
from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.http.addresses import Addresses
from bazi_hub.http.exchange import Pace
from bazi_hub.http.openapi import runs as openapi_runs
from bazi_hub.http.runs import run_routes
from bazi_hub.ports import StoreError
from tests.hub.divination.runworld import (
    AGUI,
    DERIVE,
    HISTORY,
    OTHER_THREAD,
    PAYLOAD,
    PRICE,
    RUN,
    RUNS,
    THREAD,
    Model,
    Web,
    body,
    in_web,
    plays,
)
from tests.hub.http.wire.openapi_answers import Described

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.hub.client import Response

    Tour = Callable[["Visitor"], Awaitable[None]]

STATUS, EVENTS, SLUG = f"{RUNS}/{{threadId}}", f"{RUNS}/{{threadId}}/events", "/problems/{slug}"
THIS_RUN = f"runId={RUN}"


class Visitor:
    """Asks one operation, holds each answer against the document, and keeps what it has heard."""

    def __init__(self, web: Web, described: Described, method: str, path: str) -> None:
        self.web, self.described, self.method, self.path = web, described, method, path
        self.heard: set[tuple[int, str]] = set()

    async def ask(
        self, value: Any = None, query: str = "", thread: str = THREAD, who: str | None = "me", **headers: str
    ) -> tuple[int, str]:
        path = self.path.replace("{threadId}", thread).replace("{slug}", thread)
        return self.hear(await self.web.ask(self.method, f"{path}?{query}", value, who, **headers))

    def hear(self, response: Response) -> tuple[int, str]:
        told = self.described.check(self.method, self.path, response)
        self.heard.add(told)
        return told


# --- what any route may say --------------------------------------------------------------------------------------------


async def before_the_route(visitor: Visitor) -> None:
    """Foreign hosts, bodies that never come, no credential, and faults while it is looked at."""
    web, sends = visitor.web, visitor.method == "POST"
    given = {} if sends else None
    assert await visitor.ask(given, host="foreign.example") == (403, "text/plain")
    assert await visitor.ask(given, who=None) == (401, "UNAUTHORIZED")
    opened = web.hub.start
    for fault, code in ((StoreError("down"), "AUTH_BACKEND_ERROR"), (RuntimeError("bug"), "INTERNAL_ERROR")):
        web.hub.start = _raising(fault)  # type: ignore[method-assign]
        assert await visitor.ask(given) == (500, code)
    web.hub.start = opened  # type: ignore[method-assign]
    most, web.hub.refused.most = web.hub.refused.most, 0
    assert await visitor.ask(given) == (429, "RATE_LIMITED")
    web.hub.refused.most = most
    await from_a_full_address(visitor)
    if sends:
        connection = web.connection("POST", visitor.path, {})
        connection.never = True
        assert visitor.hear(await connection.run()) == (408, "REQUEST_TIMEOUT")


async def from_a_full_address(visitor: Visitor) -> None:
    """It has no room for one request more."""
    app: Any = visitor.web.app
    roomy, app._addresses = app._addresses, Addresses(visitor.web.clock, a_minute=0, at_once=0)
    assert await visitor.ask() == (429, "text/plain")
    app._addresses = roomy


def _raising(fault: Exception) -> Any:
    async def broken(*arguments: Any, **named: Any) -> Any:
        raise fault

    return broken


# --- submissions -------------------------------------------------------------------------------------------------------

UNREADABLE = [(b"{", "PARSE_ERROR", 400), ([], "INVALID_BODY", 400)]
WRONG_CASTS = [
    ({"question": " "}, "INVALID_PAYLOAD"),
    ({"yaoLines": PAYLOAD["yaoLines"][:5]}, "YAO_LINES_LENGTH"),
    ({"yaoLines": ["阳"] * 6}, "YAO_LINE_VALUE"),
    ({"divinationTimeIso": "2026-04-03T20:30:00"}, "TIME_NEEDS_OFFSET"),
    ({"divinationTimeIso": "0001-01-01T00:00:00+00:00"}, "TIME_OUT_OF_RANGE"),
    ({"mood": "calm"}, "EXTRA_FIELD_FORBIDDEN"),
]
NOWHERE = {
    "device_timezone": "Nowhere/At_All",
    "client_now_iso": "2026-04-03T20:30:00+08:00",
    "client_epoch_ms": 0,
}
WRONG_PROPS: list[tuple[dict[str, Any], str]] = [
    ({"runtime_mode": "batch"}, "INVALID_RUNTIME_MODE"),
    ({"client_time": NOWHERE}, "INVALID_TIMEZONE"),
    ({"payload": None}, "DERIVATION_REQUIRED"),
]


async def submissions(visitor: Visitor) -> None:
    web, taken = (
        visitor.web,
        (200, "text/event-stream") if visitor.path == AGUI else (202, "application/json"),
    )
    reader: Any = web.hub._reader
    for value, code, status in UNREADABLE:
        assert await visitor.ask(value) == (status, code)
    for change, code in WRONG_CASTS:
        assert await visitor.ask(body(payload=PAYLOAD | change)) == (422, code)
    for props, code in WRONG_PROPS:
        assert await visitor.ask(body(**props)) == (422, code)
    assert await visitor.ask(body()) == taken
    await web.settled()
    assert (await visitor.ask(body()))[0] == 200
    assert await visitor.ask(body(said="别的？")) == (409, "RUN_CONFLICT")
    other = body(run="r2", payload=PAYLOAD | {"question": "别的？"})
    assert await visitor.ask(other) == (409, "THREAD_HAS_DERIVATION")
    reader.gate.clear()
    await web.submit(body(run="r3"))
    assert await visitor.ask(body(run="r4")) == (409, "THREAD_BUSY")
    reader.gate.set()
    await web.settled(run="r3")
    await refused_admissions(visitor)


async def refused_admissions(visitor: Visitor) -> None:
    """What the operator, the reader, the minute and the account have against a run."""
    web, new = visitor.web, body(run="r5")
    for _ in range(10):
        await web.limits.take(f"fortune_call:{web.keys['agent'][4:12]}", 10)
    assert await visitor.ask(new, who="agent") == (429, "RATE_LIMITED")
    room, pricing = web.hub.slots.room, web.storage.pricing
    web.hub.slots.room = lambda account_id: False  # type: ignore[method-assign]
    assert await visitor.ask(new) == (502, "UPSTREAM_ERROR")
    web.hub.slots.room = room  # type: ignore[method-assign]
    price = (await pricing.all())["divination_run"]
    await pricing.set(price._replace(credit_cost=5000), "test")
    assert await visitor.ask(new) == (402, "INSUFFICIENT_CREDITS")
    await pricing.set(price._replace(enabled=False), "test")
    assert await visitor.ask(new) == (403, "TOOL_DISABLED")
    pricing.all = _nothing
    assert await visitor.ask(new) == (500, "CONFIG_ERROR")


async def _nothing() -> dict[str, Any]:
    return {}


async def submissions_that_stream(visitor: Visitor) -> None:
    assert await visitor.ask(body(), "profile=seed") == (400, "INVALID_PROFILE")
    await visitor.web.submit()
    await visitor.web.settled()
    await _forget_logs(visitor.web)
    assert await visitor.ask(body()) == (410, "EVENTS_EXPIRED")


async def _forget_logs(web: Web) -> None:
    web.clock.advance(8 * 86_400)
    await web.storage.runs.purge(web.clock.now_ms() - web.hub.settings.run_log_ttl_s * 1000)


# --- what is asked about runs ------------------------------------------------------------------------------------------


async def names_of_nothing(visitor: Visitor) -> None:
    assert await visitor.ask() == (422, "INVALID_PAYLOAD")
    assert await visitor.ask(query=THIS_RUN, thread=OTHER_THREAD) == (404, "THREAD_NOT_FOUND")
    assert await visitor.ask(query="runId=other") == (404, "RUN_NOT_FOUND")


async def a_status(visitor: Visitor) -> None:
    await visitor.web.submit()
    await names_of_nothing(visitor)
    assert await visitor.ask(query=THIS_RUN) == (200, "application/json")
    await visitor.web.settled()
    assert await visitor.ask(query=THIS_RUN) == (200, "application/json")


async def a_cancellation(visitor: Visitor) -> None:
    web = visitor.web
    reader: Any = web.hub._reader
    reader.gate.clear()
    await web.submit()
    await names_of_nothing(visitor)
    cancel, web.storage.runs.cancel = web.storage.runs.cancel, _raising(StoreError("full", read_only=True))
    assert await visitor.ask(query=THIS_RUN) == (500, "CONFIG_ERROR")
    web.storage.runs.cancel = cancel
    assert await visitor.ask(query=THIS_RUN) == (200, "application/json")
    reader.gate.set()
    await web.submit(body(run="r2"))
    await web.settled(run="r2")
    assert await visitor.ask(query="runId=r2") == (409, "RUN_FINISHED_ALREADY")


async def a_stream(visitor: Visitor) -> None:
    web = visitor.web
    await web.submit()
    last = (await web.settled())["lastSeq"]
    await names_of_nothing(visitor)
    for profile in ("seed", "agui"):
        assert await visitor.ask(query=f"{THIS_RUN}&profile={profile}") == (200, "text/event-stream")
    assert await visitor.ask(query=THIS_RUN, last_event_id=f"{RUN}:{last}") == (204, "")
    assert await visitor.ask(query=f"{THIS_RUN}&after={last + 1}") == (400, "INVALID_EVENT_ID")
    assert await visitor.ask(query=f"{THIS_RUN}&profile=none") == (400, "INVALID_PROFILE")
    bucket = f"event_stream:{web.accounts['me']}"
    for place in range(MOST_STREAMS):
        await web.limits.acquire(bucket, str(place), MOST_STREAMS, 30)
    assert await visitor.ask(query=THIS_RUN) == (429, "RATE_LIMITED")
    for place in range(MOST_STREAMS):
        await web.limits.release(bucket, str(place))
    await _forget_logs(web)
    assert await visitor.ask(query=THIS_RUN) == (410, "EVENTS_EXPIRED")


async def a_history(visitor: Visitor) -> None:
    await visitor.web.submit()
    await visitor.web.settled()
    assert await visitor.ask() == (200, "application/json")
    for query, code in (
        ("day=2026-02-30", "INVALID_DAY"),
        ("tz=Nowhere", "INVALID_TIMEZONE"),
        ("before=x", "INVALID_PAYLOAD"),
    ):
        assert await visitor.ask(query=query) == (422, code)
    assert await visitor.ask(query=f"threadId={OTHER_THREAD}") == (404, "THREAD_NOT_FOUND")


# --- what is free ------------------------------------------------------------------------------------------------------


async def a_derivation(visitor: Visitor) -> None:
    for value, code, status in UNREADABLE:
        assert await visitor.ask(value) == (status, code)
    for change, code in WRONG_CASTS:
        assert await visitor.ask(PAYLOAD | change) == (422, code)
    assert await visitor.ask(PAYLOAD) == (200, "application/json")


async def a_price(visitor: Visitor) -> None:
    assert await visitor.ask() == (200, "application/json")
    visitor.web.storage.pricing.all = _nothing
    assert await visitor.ask() == (500, "CONFIG_ERROR")


async def the_table(visitor: Visitor) -> None:
    """Whoever accepts a page gets one, whatever it says."""
    assert await visitor.ask(host="foreign.example") == (403, "text/plain")
    await from_a_full_address(visitor)
    for slug in ("thread-busy", "nothing") if visitor.path == SLUG else ("",):
        await visitor.ask(thread=slug, who=None)
        assert (await visitor.ask(thread=slug, who=None, accept="text/html"))[1] == "text/html"


TOURS: dict[tuple[str, str], list[Tour]] = {
    ("POST", RUNS): [before_the_route, submissions],
    ("GET", STATUS): [before_the_route, a_status],
    ("DELETE", STATUS): [before_the_route, a_cancellation],
    ("GET", EVENTS): [before_the_route, a_stream],
    ("GET", HISTORY): [before_the_route, a_history],
    ("POST", AGUI): [before_the_route, submissions_that_stream, submissions],
    ("POST", DERIVE): [before_the_route, a_derivation],
    ("GET", PRICE): [before_the_route, a_price],
    ("GET", "/problems"): [the_table],
    ("GET", SLUG): [the_table],
}


async def described(web: Web) -> Described:
    return Described((await web.ask("GET", "/openapi.json", who=None)).json)


@pytest.mark.parametrize(("operation", "tours"), TOURS.items(), ids=map(" ".join, TOURS))
def test_a_route_answers_with_all_that_is_documented_and_with_nothing_else(
    operation: tuple[str, str], tours: list[Tour]
) -> None:
    heard: set[tuple[int, str]] = set()
    documented: set[tuple[int, str]] = set()

    def told(tour: Tour) -> Callable[[Web], Awaitable[None]]:
        async def story(web: Web) -> None:
            visitor = Visitor(web, await described(web), *operation)
            documented.update(visitor.described.codes(*operation))
            await tour(visitor)
            heard.update(visitor.heard)

        return story

    for tour in tours:
        plays(told(tour), reader=Model(), pace=Pace(body_s=0.01))
    assert heard == documented


@in_web
async def test_every_route_of_runs_is_described_and_toured(web: Web) -> None:
    served = {route.path for route in run_routes(web.hub, web.identity) if isinstance(route, Route)}
    assert served == set(openapi_runs.paths())
    listed = {each for each in (await described(web)).operations() if each[1] in served}
    assert listed == set(TOURS)


def test_every_code_that_has_a_status_is_said_somewhere() -> None:
    """Another method is no operation of the document; it says so once, for all paths."""
    text = json.dumps(openapi_runs.paths())
    missing = {code for code, row in PROBLEMS.items() if row.status and f'"{code}"' not in text}
    assert missing == {"METHOD_NOT_ALLOWED"}


@in_web
async def test_the_example_is_accepted_and_its_links_lead_to_the_run(web: Web) -> None:
    document = await described(web)
    accepted = await web.submit(openapi_runs.EXAMPLE)
    assert accepted.status == 202, accepted.body
    operations = {
        item["operationId"]: (method, path)
        for path, methods in document.document["paths"].items()
        for method, item in methods.items()
    }
    links = document.responses("POST", RUNS)["202"]["links"]
    await web.settled(openapi_runs.EXAMPLE["threadId"], openapi_runs.EXAMPLE["runId"])
    for link in links.values():
        method, path = operations[link["operationId"]]
        names = {
            name: accepted.json[pointer.removeprefix("$response.body#/")]
            for name, pointer in link["parameters"].items()
        }
        found = await web.ask(method.upper(), f"{path.format(**names)}?runId={names['runId']}")
        assert found.status in (200, 409)
        document.check(method.upper(), path, found)


def test_a_page_that_asks_by_cookie_finds_it_among_the_credentials() -> None:
    from bazi_hub.people.identity import COOKIE, CSRF_HEADER

    async def story(web: Web) -> None:
        components = (await described(web)).document["components"]
        assert components["securitySchemes"]["session"]["name"] == COOKIE
        assert CSRF_HEADER in {each["name"].lower() for each in components["parameters"].values()}
        session, cookie = await web.identity.begin(web.accounts["me"])
        sent = {"cookie": f"{COOKIE}={cookie}", "origin": "http://localhost", "x_csrf_token": session.csrf}
        accepted = await web.ask("POST", RUNS, body(), None, content_type="application/json", **sent)
        assert accepted.status == 202
        await web.settled()

    plays(story)


def test_a_body_that_does_not_arrive_is_a_problem_and_the_end_of_its_connection() -> None:
    async def story(web: Web) -> None:
        late = web.connection("POST", RUNS, {})
        late.never = True
        found = await late.run()
        assert (found.status, found.headers["content-type"]) == (408, "application/problem+json")
        assert found.headers["connection"] == "close"
        assert found.json["code"] == "REQUEST_TIMEOUT"
        assert (await web.ask("GET", found.json["type"], who=None)).json["status"] == 408

    plays(story, pace=Pace(body_s=0.01))


@in_web
async def test_an_unknown_problem_is_a_problem(web: Web) -> None:
    found = await web.ask("GET", "/problems/nothing", who=None)
    assert (found.status, found.headers["content-type"]) == (404, "application/problem+json")
    assert (found.json["code"], found.json["type"]) == ("PROBLEM_NOT_FOUND", "/problems/problem-not-found")
    page = await web.ask("GET", "/problems/nothing", who=None, accept="text/html")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "PROBLEM_NOT_FOUND" in page.body.decode()
    told = await web.ask("GET", found.json["type"], who=None)
    assert (told.status, told.json["code"]) == (200, "PROBLEM_NOT_FOUND")
