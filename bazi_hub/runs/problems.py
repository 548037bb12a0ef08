"""Everything that can go wrong with a run, one table: problem documents, `/problems`, the docs and tests are read from it.

The form is RFC 9457: `type` is `/problems/<slug>` and can be looked up, `code` is what a program branches on. A code has one
status. Codes without a status occur only inside a log, as the end of a run that failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.errors import HubError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Problem(NamedTuple):
    """A row: code, status (None: only as RUN_ERROR), title, when it occurs, its params; `in_log`: also as RUN_ERROR."""

    code: str
    status: int | None
    title: str
    when: str
    params: tuple[str, ...] = ()
    in_log: bool = False

    @property
    def slug(self) -> str:
        """The code as it stands in a URL.

        >>> PROBLEMS["YAO_LINES_LENGTH"].slug
        'yao-lines-length'
        """
        return self.code.lower().replace("_", "-")

    @property
    def type(self) -> str:
        return f"/problems/{self.slug}"


_BALANCE = ("balance", "held", "available", "credit_cost", "min_balance", "reason", "topup_url")
_TRACED = ("request_id",)

PROBLEMS = {
    problem.code: problem
    for problem in (
        Problem("PARSE_ERROR", 400, "The body is not JSON", "The body cannot be used as JSON.", ("reason",)),
        Problem("INVALID_BODY", 400, "The body is not an object", "The body is JSON, but not an object."),
        Problem("INVALID_EVENT_ID", 400, "The event id cannot be resumed from", "The id to resume from is malformed, of another run, or beyond the last event."),
        Problem("INVALID_PROFILE", 400, "Unknown profile", "The profile is neither seed nor agui, or seed where only agui is served.", ("allowed",)),
        Problem("UNAUTHORIZED", 401, "Unauthorized", "The credential is missing, unknown, or not good for this.", ("reason",)),
        Problem("INSUFFICIENT_CREDITS", 402, "Not enough credits", "The available balance is below the price of a run.", ("tool_name", *_BALANCE)),
        Problem("TOOL_DISABLED", 403, "Runs are switched off", "The operator switched divination runs off.", ("tool_name",)),
        Problem("THREAD_NOT_FOUND", 404, "No such thread", "The thread does not exist, or belongs to another account."),
        Problem("RUN_NOT_FOUND", 404, "No such run", "The thread has no such run."),
        Problem("METHOD_NOT_ALLOWED", 405, "Another method is needed", "The path is there, but not for this method.", ("allow",)),
        Problem("RUN_CONFLICT", 409, "The run id belongs to another request", "The same runId was submitted before with another body."),
        Problem("THREAD_BUSY", 409, "Another run of the thread is running", "A thread has one running run at a time.", ("runId",)),
        Problem("THREAD_HAS_DERIVATION", 409, "The thread has another cast", "The thread was derived from another divinationPayload."),
        Problem("RUN_FINISHED_ALREADY", 409, "The run has ended", "A run that has succeeded or failed cannot be cancelled.", ("status",)),
        Problem("EVENTS_EXPIRED", 410, "The log is gone", "The events were deleted after their time; the history remains.", ("history",)),
        Problem("INVALID_PAYLOAD", 422, "A field is wrong or missing", "A field is missing, has the wrong type or a wrong value.", ("errors",)),
        Problem("YAO_LINES_LENGTH", 422, "yaoLines must have six items", "There are not exactly six lines.", ("errors",)),
        Problem("YAO_LINE_VALUE", 422, "Unknown kind of line", "A line is none of 少阳 少阴 老阳 老阴.", ("errors",)),
        Problem("TIME_NEEDS_OFFSET", 422, "The time needs its offset", "A time says no offset from UTC, or -00:00.", ("errors",)),
        Problem("TIME_OUT_OF_RANGE", 422, "The time is out of range", "The instant is outside what can be computed.", ("errors", "first", "last")),
        Problem("EXTRA_FIELD_FORBIDDEN", 422, "A field too many", "A closed object has a field that it does not know.", ("errors",)),
        Problem("INVALID_RUNTIME_MODE", 422, "Unknown runtime_mode", "runtime_mode is something else than chat.", ("errors", "allowed")),
        Problem("DERIVATION_REQUIRED", 422, "There is no cast yet", "Neither the request nor the thread has a cast.", ("errors",)),
        Problem("INVALID_DAY", 422, "Not a day", "A day is not written YYYY-MM-DD, or does not exist.", ("errors",)),
        Problem("INVALID_TIMEZONE", 422, "Not a time zone", "A time zone is neither an IANA name nor an offset.", ("errors",)),
        Problem("RATE_LIMITED", 429, "Too many requests", "A window of fortune_call, the day's uncharged_readings, or the number of open event streams is used up.", ("limit_type", "limit", "retry_after")),
        Problem("AUTH_BACKEND_ERROR", 500, "The credential could not be verified", "What verifies credentials does not answer.", _TRACED),
        Problem("CONFIG_ERROR", 500, "The hub is not configured for this", "Something is missing in the hub's configuration.", _TRACED, True),
        Problem("INTERNAL_ERROR", 500, "Unexpected fault", "Something happened that nobody expected.", _TRACED, True),
        Problem("UPSTREAM_ERROR", 502, "No reading can be had now", "At submission: the hub shuts down, or too many readings wait. In a log: the reader gave no usable answer.", ("reason", "request_id"), True),
        Problem("UPSTREAM_TIMEOUT", None, "The reader was too slow", "The interpretation did not come in time.", (), True),
        Problem("REST_ERROR", None, "The reader answered with an error", "The reader's endpoint answered with an error status.", (), True),
        Problem("RUN_INTERRUPTED", None, "The run was interrupted", "The process that executed the run is gone; submit it again.", (), True),
    )
}  # fmt: skip


class RunProblem(Exception):
    """An answer that is a problem.

    >>> RunProblem("THREAD_BUSY", "run r1 is running", runId="r1").params
    {'runId': 'r1'}
    """

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.row = PROBLEMS[code]
        self.detail, self.params = detail, params

    @property
    def code(self) -> str:
        return self.row.code

    @property
    def status(self) -> int:
        assert self.row.status is not None
        return self.row.status


class Defect(NamedTuple):
    """One thing wrong with a request, at a JSON pointer (RFC 6901). `beside` are params that go with its code."""

    pointer: str
    code: str
    message: str
    beside: tuple[tuple[str, Any], ...] = ()


def refusal(defects: Sequence[Defect]) -> RunProblem:
    """Everything that is wrong with a request, under one code where they agree."""
    codes = {defect.code for defect in defects}
    code = codes.pop() if len(codes) == 1 else "INVALID_PAYLOAD"
    listed = [{"pointer": each.pointer, "code": each.code, "message": each.message} for each in defects]
    beside = {name: value for each in defects for name, value in each.beside if name in PROBLEMS[code].params}
    first = defects[0]
    more = f", and {len(defects) - 1} more" if len(defects) > 1 else ""
    detail = f"{first.pointer.rpartition('/')[2] or 'the body'}: {first.message}{more}"
    return RunProblem(code, detail, errors=listed, **beside)


def problem_of(error: HubError) -> RunProblem:
    """What the hub says of any call, as a problem."""
    code = error.name if error.name in PROBLEMS and PROBLEMS[error.name].status else "INTERNAL_ERROR"
    return RunProblem(code, error.detail, **error.members)


def traced(problem: RunProblem, request_id: str) -> RunProblem:
    """The same with the id by which an operator finds it, where the code is a fault."""
    if problem.status < 500 or "request_id" in problem.params:
        return problem
    return RunProblem(problem.code, problem.detail, **problem.params, request_id=request_id)
