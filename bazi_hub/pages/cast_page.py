"""The page of a cast that is kept, for its owner and behind a link: the board, what was said of it, or what that costs.

What is said of a cast is a run of its thread, which bears the id of the cast: there is one hold and one charge, whatever is
pressed twice, and whoever asks the API for the thread finds the same.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from starlette.responses import Response

from bazi_hub.divination.service import RunService, stored_payload
from bazi_hub.pages.billing import prices
from bazi_hub.pages.cast_view import AnswerView, answer_view, cast_view, kind_choices
from bazi_hub.pages.casts import PageCast, asked, chosen, of_body
from bazi_hub.pages.refusal import Refusal, of_failed_run
from bazi_hub.pages.request import PageRequest
from bazi_hub.ports import Saved
from bazi_hub.ports.runs import TOOL, Message, Run, Thread

MOST_MESSAGES = 50
# Runs of a thread that its owner cancelled by the API; the next one has the next number.
MOST_RUNS = 20
SAID = ("success", "declined")


class Told(NamedTuple):
    """How far a cast is: the cast as it was asked, its run, the message of that, and the name of the next run."""

    cast: PageCast
    thread: Thread | None
    run: Run | None
    message: Message | None
    next_run: str


async def told(service: RunService, saved: Saved) -> Told:
    """How far a cast is. What is asked of it is settled by its first run."""
    runs, cast = service.hub.storage.runs, of_body(saved.body)
    thread, run, name = None, None, ""
    for number in range(1, MOST_RUNS + 1):
        name = f"reading-{number}"
        met = await runs.meet(saved.account_id, saved.id, name)
        thread, run = met.thread, met.run
        if run is None or run.status != "cancelled":
            break
    if thread is not None:
        payload = stored_payload(thread)
        of_words = cast._replace(question=payload.question)
        # What its words were understood as stays what they say.
        understood = await service.hub.compute(lambda: asked(of_words))
        cast = of_words if understood.label == payload.kind else of_words._replace(kind=payload.kind)
    message = None
    if run is not None and run.status == "succeeded":
        message = await _message(service, saved, name)
    return Told(cast, thread, run, message, name)


async def _message(service: RunService, saved: Saved, name: str) -> Message | None:
    page = await service.hub.storage.runs.messages(
        saved.account_id, saved.id, None, None, None, MOST_MESSAGES
    )
    return next((m for m in page.messages if m.role == "assistant" and m.run_id == name), None)


async def cast_page(
    request: PageRequest,
    saved: Saved,
    *,
    open: bool = False,
    refusal: Refusal | None = None,
    supported: str = "",
    typed: dict[str, str] | None = None,
    **values: Any,
) -> Response:
    """A cast with what was said of it. `supported`: an answer to somebody in distress that is kept nowhere; `typed`: the
    form as it came with what was refused."""
    hub = request.site.hub
    now = await told(request.site.runs, saved)
    cast = now.cast
    if not open and now.thread is None:
        values_of_form = typed or request.query
        cast = chosen(cast, values_of_form.get("type", cast.kind), values_of_form.get("question", ""))
    view = await request.compute(lambda: cast_view(cast, request.language))
    answer = None if now.message is None else await _answer(request, now.message, cast)
    offer = None
    if not open and answer is None and (now.run is None or now.run.status == "failed"):
        money = await request.ask("get_user_credits", {})
        [price] = [each for each in await prices(request, money) if each["tool"] == TOOL]
        offer = {
            "money": money,
            **price,
            "waits": round(hub.settings.deadlines_s[TOOL]) if hub.remote else None,
        }
    failed = None
    if now.run is not None and now.run.status == "failed" and now.run.error is not None and not open:
        failed = of_failed_run(now.run.error[0], request.language, now.run.call_id)
    return request.page(
        "cast.html",
        refusal=refusal,
        saved=saved,
        cast=cast,
        view=view,
        answer=answer,
        supported=supported,
        run=now.run,
        settled=now.thread is not None,
        offer=offer,
        failed=failed,
        kinds=kind_choices(request.language),
        topup_url=request.site.settings.topup_url,
        **{"open": open, "link": None, "shared": None, "closed": False, **values},
    )


async def _answer(request: PageRequest, message: Message, cast: PageCast) -> AnswerView | None:
    output: dict[str, Any] = json.loads(message.output or "{}")
    if output.get("status") not in SAID:
        return None
    analysis = json.loads(message.derivation.analysis) if message.derivation else {}
    view: AnswerView = await request.compute(lambda: answer_view(cast, output, analysis, request.language))
    return view
