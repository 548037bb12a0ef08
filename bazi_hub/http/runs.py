"""The routes of divination runs. Every error is a problem document; a stream is fetched from the log as fast as it is read.

The order of the steps of a request is the order in which it can fail: method, credential, body, and then the
checks of `divination.service`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.routing import BaseRoute, Route

from bazi_hub.calls.gate import DAY_S
from bazi_hub.calls.hub import Hub
from bazi_hub.divination.answers import AnswerModel, Price, RunAccepted, RunCancelled, RunError, RunStatus
from bazi_hub.divination.cast import cast_of
from bazi_hub.divination.days import iso
from bazi_hub.divination.execution import RunOrigin
from bazi_hub.divination.fields import held
from bazi_hub.divination.problems import PROBLEMS, RunProblem, problem_of, unexpected
from bazi_hub.divination.request import DivinationPayload, HistoryQuery
from bazi_hub.divination.service import RunService, RunSubmission, Submitted, Unstored, no_thread
from bazi_hub.http.callers import Authenticator, Callers
from bazi_hub.http.exchange import API, ClientGone, Endpoint, Exchange, Pace, Routed, TooSlow
from bazi_hub.http.guards import Guards
from bazi_hub.http.run_queries import (
    expired,
    message_text,
    named,
    profile_of,
    resumed_behind,
)
from bazi_hub.http.sse import EventStream
from bazi_hub.http.wire import agui
from bazi_hub.http.wire.agui import Profile
from bazi_hub.http.wire.answer import Answer, Headers, limit_headers
from bazi_hub.http.wire.json import dumps, parse
from bazi_hub.http.wire.problem import PROBLEM_PATH, PROBLEMS_PATH, page, registry
from bazi_hub.http.wire.problem import answer as problem_answer
from bazi_hub.ports.runs import TOOL, Event, Run
from bazi_hub.words.call import Caller
from bazi_hub.words.errors import HubError
from bazi_hub.words.fault_log import log_fault

STREAM_HEADERS = (("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"))
# A reader that lags behind the log by more events is let go, and resumes.
MOST_BEHIND = 256
# The status of a body in which something is wrong.
WRONG = 422


def run_routes(hub: Hub, identity: Authenticator, *, pace: Pace | None = None) -> list[BaseRoute]:
    """The routes, for `create_app(routes=…)`."""
    served = Runs(hub, identity, pace or Pace())
    rows: list[tuple[str, dict[str, Endpoint]]] = [
        (agui.RUNS, {"POST": served.submit}),
        (agui.EVENTS_OF_RUN, {"GET": served.events}),
        (agui.RUN, {"GET": served.status, "DELETE": served.cancel}),
        (agui.HISTORY, {"GET": served.history}),
        (agui.AGUI, {"POST": served.submit_and_stream}),
        (agui.DERIVE, {"POST": served.derive}),
        (agui.PRICE, {"GET": served.price}),
        (PROBLEMS_PATH, {"GET": served.problems, "HEAD": served.problems}),
        (PROBLEM_PATH, {"GET": served.problem, "HEAD": served.problem}),
    ]
    return [Route(path, Routed(RunEndpoint(served, methods))) for path, methods in rows]


class RunEndpoint:
    """The endpoint of a path: its methods, and what any of them may raise."""

    def __init__(self, runs: Runs, methods: dict[str, Endpoint]) -> None:
        self._runs, self._methods = runs, methods

    async def __call__(self, exchange: Exchange) -> None:
        if not exchange.path.startswith(API):
            exchange.extra += (("X-Request-Id", exchange.id), ("Cache-Control", "no-store"))
        try:
            endpoint = self._methods.get(exchange.method)
            if endpoint is None:
                allowed = ", ".join(self._methods)
                raise RunProblem("METHOD_NOT_ALLOWED", f"Use {allowed}", allow=allowed)
            await endpoint(exchange)
        except ClientGone:
            raise
        except Exception as error:
            problem = self._problem(exchange, error)
            if not exchange.started:
                await exchange.answer(problem_answer(problem, exchange.id))

    def _problem(self, exchange: Exchange, error: Exception) -> RunProblem:
        if isinstance(error, TooSlow):
            exchange.closing = True
            return RunProblem("REQUEST_TIMEOUT", "The body did not arrive in time")
        problem = problem_of(error)
        if problem is not None:
            return problem
        log_fault(self._runs.hub.telemetry, error, request_id=exchange.id, tool=TOOL)
        return unexpected()


class Runs:
    """The endpoints."""

    def __init__(self, hub: Hub, identity: Authenticator, pace: Pace) -> None:
        self.hub, self.pace = hub, pace
        self.callers = Callers(hub, identity, Guards(hub.settings))
        self.service = RunService(hub)

    # --- in ---

    async def _body(self, exchange: Exchange, caller: Caller) -> Any:
        settings = self.hub.settings
        body = await exchange.body(settings.body_limit, self.pace.body_s)
        try:
            value = await self.callers.parsed(
                body, lambda body: parse(body, settings.body_limit, settings.json_depth)
            )
            if not isinstance(value, dict):
                raise RunProblem("INVALID_BODY", "The body must be a JSON object")
        except (HubError, RunProblem):
            self.callers.refused(exchange, caller)
            raise
        return value

    async def _caller(self, exchange: Exchange) -> Caller:
        return await self.callers.let_in(exchange, writes=exchange.method in ("POST", "DELETE"))

    # --- submit, cancel, status ---

    async def submit(self, exchange: Exchange) -> None:
        """`POST /api/v1/agent/runs`."""
        caller = await self._caller(exchange)
        body = await self._body(exchange, caller)
        submitted = await self._submitted(exchange, caller, body, "runs")
        run = submitted.run
        if submitted.unstored is not None:
            raise unstored(self.hub, submitted.unstored)
        url = f"{exchange.root}{agui.RUNS}/{run.thread_id}/events?runId={run.run_id}"
        state = "accepted" if submitted.fresh else run.status
        made = RunAccepted.of(run, status=state, events_url=url, credits_held=run.held)
        status = 202 if submitted.fresh else 200
        await exchange.answer(_json(made, status, (("Location", url),)))

    async def _submitted(self, exchange: Exchange, caller: Caller, body: Any, transport: str) -> Submitted:
        """The run; whatever is answered says what is left of the window."""
        language = exchange.headers.get("accept-language")
        asked = RunOrigin(caller, transport, exchange.id, self.hub.clock.monotonic())
        submission = RunSubmission(self.service, asked, language)
        try:
            submitted = await submission.submitted(body)
        except RunProblem as problem:
            if problem.status == WRONG:
                self.callers.refused(exchange, caller)
            raise
        finally:
            exchange.extra += limit_headers(submission.window)
        if not submitted.fresh:
            exchange.extra += (("Idempotent-Replayed", "true"),)
        return submitted

    async def status(self, exchange: Exchange) -> None:
        """`GET /api/v1/agent/runs/{threadId}`."""
        run = await self._run(exchange, await self._caller(exchange))
        made = RunStatus.of(
            run,
            created_at=iso(run.created_ms),
            finished_at=None if run.finished_ms is None else iso(run.finished_ms),
            credits_deducted=run.deducted,
            error=None if run.error is None else RunError(code=run.error[0], message=run.error[1]),
        )
        await exchange.answer(_json(made))

    async def cancel(self, exchange: Exchange) -> None:
        """`DELETE /api/v1/agent/runs/{threadId}`."""
        caller = await self._caller(exchange)
        thread_id, run_id = named(exchange)
        run = await self.service.cancel(caller, thread_id, run_id)
        await exchange.answer(_json(RunCancelled.of(run)))

    async def _run(self, exchange: Exchange, caller: Caller) -> Run:
        return await self.service.run(caller, *named(exchange))

    # --- free ---

    async def derive(self, exchange: Exchange) -> None:
        """`POST /api/v1/divination/derive`."""
        caller = await self._caller(exchange)
        body = await self._body(exchange, caller)
        try:
            payload = held(DivinationPayload, body)
        except RunProblem:
            self.callers.refused(exchange, caller)
            raise
        cast = await self.hub.compute(lambda: cast_of(payload))
        derived = cast.derivation
        made = f'{{"divination":{derived.divination},"analysis":{derived.analysis}}}'
        await exchange.answer(Answer(200, made.encode()))

    async def price(self, exchange: Exchange) -> None:
        """`GET /api/v1/divination/price`."""
        caller = await self._caller(exchange)
        price = await self.service.price()
        account = await self.hub.storage.ledger.account(caller.account_id)
        posted, reserved = (account.posted, account.held) if account else (0, 0)
        funds = {"balance": posted, "held": reserved, "available": posted - reserved}
        await exchange.answer(_json(Price.of(price, tool_name=TOOL, **funds)))

    # --- streams ---

    async def events(self, exchange: Exchange) -> None:
        """`GET /api/v1/agent/runs/{threadId}/events`."""
        caller = await self._caller(exchange)
        run = await self._run(exchange, caller)
        profile = profile_of(exchange, "seed", agui.PROFILES)
        after = resumed_behind(exchange, run)
        async with self.service.feed.stream(caller.account_id, exchange.id):
            await self._stream(exchange, run, after, profile)

    async def submit_and_stream(self, exchange: Exchange) -> None:
        """`POST /api/v1/agent/agui`."""
        caller = await self._caller(exchange)
        body = await self._body(exchange, caller)
        profile = profile_of(exchange, "agui", ("agui",))
        async with self.service.feed.stream(caller.account_id, exchange.id):
            submitted = await self._submitted(exchange, caller, body, "agui")
            if submitted.unstored is not None:
                run, told = submitted.run, submitted.unstored
                log = agui.RunContext(run.thread_id, run.run_id, run.state, told.derivation)
                pieces = b"".join(piece for _, piece in agui.frames(log, told.events, profile))
                made = Answer(200, agui.RETRY + pieces, STREAM_HEADERS, agui.EVENT_STREAM)
                await exchange.answer(made)
                return
            await self._stream(exchange, submitted.run, None, profile)

    async def _stream(self, exchange: Exchange, run: Run, after: int | None, profile: Profile) -> None:
        """The log behind a number, and what comes; from the beginning of the newest attempt without one."""
        start = run.attempt_seq - 1 if after is None else after
        log, events = await self._opened(run, start, after is not None)
        pieces = [(seq, piece) for seq, piece in agui.frames(log, events, profile) if seq > start]
        ended = bool(events) and events[-1].ends
        if ended and not pieces:
            await exchange.answer(Answer(204, body_type=None))
            return
        stream = EventStream(exchange, STREAM_HEADERS, self.pace.sign_s, body_type=agui.EVENT_STREAM)
        async with exchange.watched() as gone:
            await stream.send(agui.RETRY + b"".join(piece for _, piece in pieces))
            if not ended:
                last = events[-1].seq if events else start
                del pieces, events
                gone.add_done_callback(stream.wake)
                await self._follow(stream, run, log, last, profile, gone)
            await stream.send(b"", more=False)

    async def _opened(self, run: Run, start: int, named: bool) -> tuple[agui.RunContext, list[Event]]:
        """What stands in the log, from the beginning of an attempt on: how it ended repeats its text."""
        if run.purged:
            raise expired(run)
        store = self.hub.storage.runs
        events = await store.events(run.id, 0 if named else start)
        if named and events and events[0].seq > start + 1:
            raise expired(run)
        return agui.RunContext(run.thread_id, run.run_id, run.state, await store.derivation(run.id)), events

    async def _follow(
        self,
        stream: EventStream,
        run: Run,
        log: agui.RunContext,
        last: int,
        profile: Profile,
        gone: asyncio.Task[None],
    ) -> None:
        """Sends what is new until the newest attempt has ended, the client leaves or lags behind, or the hub shuts down."""

        async def step() -> bool:
            nonlocal last
            events = await self.hub.storage.runs.events(run.id, last)
            if len(events) > MOST_BEHIND:
                return True
            if events:
                last = events[-1].seq
                await stream.send(b"".join(piece for _, piece in agui.frames(log, events, profile)))
            ended = bool(events) and events[-1].ends
            return ended or stream.lost or gone.done() or self.hub.draining

        with self.service.feed.watched(run.id, last, stream.wake):
            await stream.follow(step)

    # --- history ---

    async def history(self, exchange: Exchange) -> None:
        """`GET /api/v1/agent/history`."""
        caller = await self._caller(exchange)
        asked = held(HistoryQuery, exchange.query)
        log, account_id = self.hub.storage.runs, caller.account_id
        thread = None
        if asked.thread_id is not None:
            thread = await log.thread(account_id, asked.thread_id)
            if thread is None:
                raise no_thread()
        since_ms, until_ms = asked.span(thread.timezone if thread else None)
        found = await log.messages(account_id, asked.thread_id, since_ms, until_ms, asked.before, asked.limit)
        head = {"scope": "history_day", "threadId": asked.thread_id, "day": asked.day, "hasMore": found.more}
        listed = ",".join(message_text(message) for message in found.messages)
        await exchange.answer(Answer(200, f'{dumps(head)[:-1]},"messages":[{listed}]}}'.encode()))

    # --- problems ---

    async def problems(self, exchange: Exchange) -> None:
        """`GET /problems`."""
        await self._shown(exchange, list(PROBLEMS), Answer(200, dumps(registry()).encode()))

    async def problem(self, exchange: Exchange) -> None:
        """`GET /problems/{slug}`."""
        found = next(
            (row for row in PROBLEMS.values() if row.slug == exchange.scope["path_params"]["slug"]), None
        )
        if found is not None:
            await self._shown(exchange, [found.code], Answer(200, found.model_dump_json().encode()))
        else:
            missing = RunProblem("PROBLEM_NOT_FOUND", "The table has no such row")
            await self._shown(exchange, [missing.code], problem_answer(missing, exchange.id))

    async def _shown(self, exchange: Exchange, codes: list[str], told: Answer) -> None:
        """Sends rows of the table, as a page to clients that accept one, else as JSON."""
        if "text/html" in exchange.headers.get("accept", ""):
            text = page([PROBLEMS[code] for code in codes], exchange.root)
            told = Answer(told.status, text.encode(), body_type="text/html; charset=utf-8")
        headers = (("Vary", "Accept"), ("X-Content-Type-Options", "nosniff"))
        await exchange.answer(told._replace(headers=headers))


def unstored(hub: Hub, told: Unstored) -> RunProblem:
    """The answer to a question in distress, where there is no run to fetch it from."""
    most, now_s = hub.settings.free_answers, hub.clock.now_ms() // 1000
    return RunProblem(
        "RATE_LIMITED",
        told.answer,
        limit_type="free_answers",
        limit=most,
        retry_after=DAY_S - now_s % DAY_S,
    )


def _json(value: AnswerModel, status: int = 200, headers: Headers = ()) -> Answer:
    return Answer(status, value.json_text().encode(), headers)
