"""What paths, queries and headers of the run routes say, and what is wrong with them; a line of the history as JSON text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bazi_hub.divination.days import BadDay, BadTimezone, bounds, day_of, iso, zone
from bazi_hub.divination.problems import Defect, RunProblem, refusal
from bazi_hub.divination.request import RUN_ID, UUID
from bazi_hub.divination.service import no_thread
from bazi_hub.http.wire import agui
from bazi_hub.http.wire.json import dumps

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.http.exchange import Exchange
    from bazi_hub.http.wire.agui import Profile
    from bazi_hub.ports.runs import Message, Run

HISTORY = "/api/v1/agent/history"
DEFAULT_LIMIT, MOST_LIMIT = 50, 100


class RunRequest(NamedTuple):
    """One request: its exchange, its query, and the names in its path."""

    exchange: Exchange
    query: dict[str, str]
    names: dict[str, str]


def named(request: RunRequest) -> tuple[str, str]:
    """The thread and the run of a path and its query."""
    thread_id, run_id = request.names["threadId"], request.query.get("runId")
    if run_id is None:
        raise refusal([Defect("/runId", "INVALID_PAYLOAD", "required")])
    if not RUN_ID.fullmatch(run_id):
        raise refusal(
            [
                Defect(
                    "/runId",
                    "INVALID_PAYLOAD",
                    "must be 1 to 128 letters, digits, dots, hyphens or underscores",
                )
            ]
        )
    if not UUID.fullmatch(thread_id):
        raise no_thread()
    return thread_id.lower(), run_id


def profile_of(request: RunRequest, default: Profile, allowed: tuple[Profile, ...]) -> Profile:
    asked = request.query.get("profile", default)
    found = next((profile for profile in allowed if profile == asked), None)
    if found is None:
        raise RunProblem("INVALID_PROFILE", f"The profile is {' or '.join(allowed)}", allowed=list(allowed))
    return found


def resumed_behind(request: RunRequest, run: Run) -> int | None:
    """The number to resume behind; the header of a reconnecting EventSource before the query."""
    header, query = request.exchange.headers.get("last-event-id"), request.query.get("after")
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
    history = f"{HISTORY}?threadId={run.thread_id}"
    return RunProblem("EVENTS_EXPIRED", "The events were deleted; the history remains", history=history)


class HistoryQuery(NamedTuple):
    """What of the history is wanted."""

    thread_id: str | None
    day: str | None
    tz: str | None
    before: int | None
    limit: int

    def span(self, timezone: str | None) -> tuple[int | None, int | None]:
        """The milliseconds of the day, in the zone that is asked for, else that of the thread's client, else UTC."""
        if self.day is None:
            return None, None
        try:
            return bounds(day_of(self.day), zone(self.tz or timezone or "UTC"))
        except BadDay:
            raise refusal([_BAD_DAY]) from None


_BAD_DAY = Defect("/day", "INVALID_DAY", "must be a day as 2026-04-05")
_BAD_ZONE = Defect("/tz", "INVALID_TIMEZONE", "must be an IANA time zone or ±HH:MM")


def history_asked(query: dict[str, str]) -> HistoryQuery:
    """The parameters, or everything that is wrong with them."""
    defects: list[Defect] = []
    thread_id, day, tz = query.get("threadId"), query.get("day"), query.get("tz")
    if thread_id is not None and not UUID.fullmatch(thread_id):
        defects.append(Defect("/threadId", "INVALID_PAYLOAD", "must be a UUID"))
    if day is not None:
        defects += _refused(partial(day_of, day), _BAD_DAY)
    if tz is not None:
        # A plus sign in a query is a space.
        tz = "+" + tz[1:] if tz.startswith(" ") else tz
        defects += _refused(partial(zone, tz), _BAD_ZONE)
    before = _number(query, "before", defects)
    limit = _number(query, "limit", defects)
    if defects:
        raise refusal(defects)
    clamped = DEFAULT_LIMIT if limit is None else max(1, min(MOST_LIMIT, limit))
    return HistoryQuery(thread_id.lower() if thread_id else None, day, tz, before, clamped)


def _refused(read: Callable[[], object], defect: Defect) -> list[Defect]:
    try:
        read()
    except (BadDay, BadTimezone):
        return [defect]
    return []


def _number(query: dict[str, str], name: str, defects: list[Defect]) -> int | None:
    given = query.get(name)
    if given is None:
        return None
    digits = given.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        defects.append(Defect(f"/{name}", "INVALID_PAYLOAD", "must be an integer"))
        return None
    return int(given)


def message_text(message: Message) -> str:
    """A message of the history as JSON text; the objects of the cast are put in as they are kept."""
    head = {
        "id": message.id,
        "seq": message.seq,
        "role": message.role,
        "content": message.content,
        "timestamp": iso(message.ts_ms),
        "threadId": message.thread_id,
        "runId": message.run_id,
    }
    if message.output is None or message.derivation is None:
        return dumps(head)
    objects = f'"divination_derived":{message.derivation.divination},"divination_analysis":{message.derivation.analysis}'
    return f'{dumps(head)[:-1]},"agent_output":{message.output[:-1]},{objects}}}}}'
