"""Exceptions in the log: class, places in the program, causes; never a message or a value.

`log_fault` is the one way in which an exception gets into the log.
"""

from __future__ import annotations

import sys
from traceback import walk_tb
from types import TracebackType
from typing import Any, Protocol

# The innermost of each exception: where it is deeper, it went round in a circle.
MOST_FRAMES = 20
# Of an exception with those behind it and within it.
MOST_TOLD = 8


class EventLog(Protocol):
    """The part of `ports.Telemetry` that is written to here."""

    def log(self, event: str, level: str = "info", **members: Any) -> None: ...


def log_fault(
    telemetry: EventLog, error: BaseException, event: str = "fault", level: str = "error", **members: Any
) -> None:
    """Tells the operator of an exception: its class, where it came from, and those behind it; never what any says."""
    telemetry.log(event, level, **members, **traced(error))


def traced(error: BaseException) -> dict[str, Any]:
    """An exception as a log may hold it: classes, files, lines and names of functions. Messages, values of variables and
    lines of source stay out, since any of them may hold what somebody sent.

    >>> try:
    ...     int("1990-05-15")
    ... except ValueError as error:
    ...     told = traced(error)
    >>> told["error"], "1990" in str(told), sorted(told)
    ('ValueError', False, ['error', 'frames'])
    """
    first, *others = _those_of(error)
    told = _members_of(first)
    return told | {"behind": [_members_of(each) for each in others]} if others else told


def _those_of(error: BaseException) -> list[BaseException]:
    """An exception, those that a group holds, and those that each came from, as Python would print them."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < MOST_TOLD:
        each = waiting.pop(0)
        if all(each is not known for known in found):
            found.append(each)
            waiting += _next_to(each)
    return found


def _next_to(error: BaseException) -> list[BaseException]:
    within = list(error.exceptions) if isinstance(error, BaseExceptionGroup) else []
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return [*within, before] if before is not None else within


def _members_of(error: BaseException) -> dict[str, Any]:
    return {"error": type(error).__name__, "frames": _frames(error.__traceback__)}


def _frames(traceback: TracebackType | None) -> list[str]:
    places = [(frame.f_code, line) for frame, line in walk_tb(traceback)]
    return [place(code.co_filename, line, code.co_qualname) for code, line in places[-MOST_FRAMES:]]


def place(file: str, line: int, function: str) -> str:
    """A line of the program; its file as it is imported, wherever the program is installed.

    >>> place(__file__, 12, "Hub.call")
    'bazi_hub/words/fault_log.py:12 Hub.call'
    """
    roots = [root for root in sys.path if root and file.startswith(root.rstrip("/") + "/")]
    inside = file[len(max(roots, key=len).rstrip("/")) + 1 :] if roots else file
    return f"{inside}:{line} {function}"
