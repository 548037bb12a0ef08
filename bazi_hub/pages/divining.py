"""Having a cast read: submitted as any run is, followed by whoever looks on, and found again by whoever left."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from starlette.responses import Response

from bazi_hub.divination.execution import RunOrigin
from bazi_hub.divination.problems import RunProblem
from bazi_hub.divination.service import RunSubmission, Submitted
from bazi_hub.pages import events
from bazi_hub.pages.cast_page import Told, cast_page, told
from bazi_hub.pages.cast_view import title_of
from bazi_hub.pages.casts import PageCast, asked, chosen
from bazi_hub.pages.charts import owned
from bazi_hub.pages.refusal import Refusal, of_problem, of_trouble
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.ports import Saved
from bazi_hub.ports.runs import DERIVE, INTERPRET, Event, Run
from bazi_hub.words.errors import HubError
from bazi_hub.words.waiting import within

# A run that another process executes is looked at so often.
LOOK_EVERY_S = 1.0
TRANSPORT = "web"


async def buy(request: PageRequest) -> Response:
    """Has a cast read, once however often the button is pressed. Without a script the page of the cast tells how far."""
    saved = await _cast_of(request)
    now = await told(request.site.runs, saved)
    if now.run is not None and now.run.status == "succeeded":
        return request.go(f"/c/{saved.id}")
    cast = now.cast
    if now.thread is None:
        cast = chosen(cast, request.form.get("type", cast.kind), request.form.get("question", ""))
    wrong = await _wrong(request, cast)
    if wrong is not None:
        request.require_room()
        request.count_refused()
        return await cast_page(request, saved, refusal=wrong, typed=request.form)
    request.require_room()
    try:
        submitted = await _submitted(request, saved, now, cast)
    except HubError as error:
        return await cast_page(request, saved, refusal=request.refusal(error), typed=request.form)
    except RunProblem as problem:
        refused = of_problem(problem, request.language, request.exchange.id)
        return await cast_page(request, saved, refusal=refused, typed=request.form)
    if submitted.unstored is not None:
        return await cast_page(request, saved, supported=submitted.unstored.answer)
    return await _followed(request, saved, submitted.run, cast)


async def follow(request: PageRequest) -> Response:
    """The rest of a run for a script; to a browser the page of the cast."""
    saved = await _cast_of(request)
    now = await told(request.site.runs, saved)
    if now.run is None:
        return request.go(f"/c/{saved.id}")
    return await _followed(request, saved, now.run, now.cast)


async def _cast_of(request: PageRequest) -> Saved:
    saved = await owned(request)
    if saved.kind != "cast":
        raise Trouble(404)
    return saved


async def _wrong(request: PageRequest, cast: PageCast) -> Refusal | None:
    """What keeps a cast from being read before anybody is asked."""
    if not cast.question:
        return of_trouble(400, "cast_question", None, request.language, None)
    understood = await request.compute(lambda: asked(cast))
    return of_trouble(400, "cast_outside", None, request.language, None) if understood.outside else None


async def _submitted(request: PageRequest, saved: Saved, now: Told, cast: PageCast) -> Submitted:
    """The run of a cast, by the one way in which runs are submitted."""
    hub = request.site.hub
    origin = RunOrigin(request.caller, TRANSPORT, request.exchange.id, hub.clock.monotonic())
    submission = RunSubmission(request.site.runs, origin, request.exchange.headers.get("accept-language"))
    payload: dict[str, Any] = await request.compute(cast.payload)
    return await submission.submitted(
        {
            "threadId": saved.id,
            "runId": now.next_run,
            "state": {},
            "messages": [{"id": "1", "role": "user", "content": cast.question}],
            "tools": [],
            "context": [],
            "forwardedProps": {"runtime_mode": "chat", "divinationPayload": payload},
        }
    )


async def _followed(request: PageRequest, saved: Saved, run: Run, cast: PageCast) -> Response:
    """The way to the page of the cast: for a script when the run has ended, and every step is told before."""
    page = request.go(f"/c/{saved.id}")
    if not events.wanted(request.exchange):
        return page
    request.tell("phase", request.say("liuyao.phase.thrown"))
    board = await request.compute(lambda: title_of(cast.analysis(), request.language))
    try:
        async with request.site.runs.feed.stream(saved.account_id, request.exchange.id):
            await _told_to_the_end(request, run, board)
    except RunProblem as many:
        raise Trouble(429, "streams", many.params["retry_after"]) from None
    return page


async def _told_to_the_end(request: PageRequest, run: Run, board: str) -> None:
    """Tells the events of a run until it has ended."""
    hub, last, news = request.site.hub, run.attempt_seq - 1, asyncio.Event()
    with request.site.runs.feed.watched(run.id, last, news.set):
        while True:
            for event in await hub.storage.runs.events(run.id, last):
                last = event.seq
                _tell(request, event, board)
                if event.ends:
                    return
            if hub.draining:
                raise Trouble(503, retry_after=1)
            await _news(news)


async def _news(news: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await within(news.wait(), LOOK_EVERY_S)
    news.clear()


def _tell(request: PageRequest, event: Event, board: str) -> None:
    """Says what an event of the log means to somebody who waits."""
    step = event.data.get("step")
    if event.kind == "step_finished" and step == DERIVE:
        request.tell("phase", request.say("liuyao.phase.derived", board=board))
    elif event.kind == "step_started" and step == INTERPRET:
        request.tell("phase", request.say("liuyao.phase.interpret"))
    elif event.kind == "text_ended":
        request.tell("phase", request.say("liuyao.phase.written"))
