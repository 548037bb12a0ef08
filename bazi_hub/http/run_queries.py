"""What paths, queries and headers of the run routes say, and what is wrong with them; a line of the history as JSON text."""

from __future__ import annotations

from bazi_hub.divination.answers import HistoryMessage
from bazi_hub.divination.days import iso
from bazi_hub.divination.fields import UUID, held
from bazi_hub.divination.problems import RunProblem
from bazi_hub.divination.request import RunQuery
from bazi_hub.divination.service import no_thread
from bazi_hub.http.exchange import Exchange
from bazi_hub.http.wire import agui
from bazi_hub.http.wire.agui import Profile
from bazi_hub.ports.runs import Message, Run


def named(exchange: Exchange) -> tuple[str, str]:
    """The thread and the run of a path and its query."""
    thread_id, asked = exchange.scope["path_params"]["threadId"], held(RunQuery, exchange.query)
    if not UUID.fullmatch(thread_id):
        raise no_thread()
    return thread_id.lower(), asked.run_id


def profile_of(exchange: Exchange, default: Profile, allowed: tuple[Profile, ...]) -> Profile:
    asked = exchange.query.get("profile", default)
    found = next((profile for profile in allowed if profile == asked), None)
    if found is None:
        raise RunProblem("INVALID_PROFILE", f"The profile is {' or '.join(allowed)}", allowed=list(allowed))
    return found


def resumed_behind(exchange: Exchange, run: Run) -> int | None:
    """The number to resume behind; the header of a reconnecting EventSource before the query."""
    header, query = exchange.headers.get("last-event-id"), exchange.query.get("after")
    try:
        if header is not None:
            number = agui.resumed(header, run.run_id)
        elif query is not None:
            number = agui.event_number(query)
        else:
            return None
    except agui.BadEventId:
        raise _bad_event_id("It is written <runId>:<number> in the header, <number> in the query") from None
    if number > run.last_seq:
        raise _bad_event_id(f"The last event is {run.last_seq}")
    return number


def _bad_event_id(detail: str) -> RunProblem:
    return RunProblem("INVALID_EVENT_ID", detail)


def expired(run: Run) -> RunProblem:
    history = f"{agui.HISTORY}?threadId={run.thread_id}"
    return RunProblem("EVENTS_EXPIRED", "The events were deleted; the history remains", history=history)


def message_text(message: Message) -> str:
    """A message of the history as JSON text; the objects of the cast are put in as they are kept."""
    head = HistoryMessage.of(message, timestamp=iso(message.ts_ms)).json_text()
    if message.output is None or message.derivation is None:
        return head
    return f'{head[:-1]},"agent_output":{message.output[:-1]},{message.derivation.output_members}}}}}'
