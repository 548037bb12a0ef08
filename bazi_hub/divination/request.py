"""What is asked of a run: the input of an AG-UI client, held to its rules, with every defect found at once.

Field by field, as rows where that goes. Unknown members are passed over, as consumers of AG-UI must; `divinationPayload` and
`client_time` are closed. Types are exact. Lengths count Unicode code points after NFC.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import BaziError
from bazi_core.facts import digest
from bazi_core.liuyao.calendar import moment_of
from bazi_core.school import School
from bazi_hub.divination.days import instant_ms, zone
from bazi_hub.divination.problems import Defect, RunProblem, refusal
from bazi_hub.ports import UUID_FORM
from bazi_hub.words.call import compact
from bazi_hub.words.errors import MOST_TOLD, short
from bazi_hub.words.text_rules import too_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Check = Callable[[str, Any], Iterator[Defect]]

METHODS = ("手动起卦", "自动起卦")
LINES = ("少阳", "少阴", "老阳", "老阴")
LINE_COUNT = 6
RUNTIME_MODES = ("chat",)
LONGEST_KIND, LONGEST_QUESTION, LONGEST_MESSAGE, LONGEST_ID, LONGEST_TAG = 32, 500, 4000, 128, 35
MOST_MESSAGES = 100
MOST_STATE_BYTES = 32_768
MOST_DRIFT_MS = 1000

UUID = re.compile(UUID_FORM)
RUN_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
# RFC 3339 with seconds and offset, as the published schema has it; the core says what is wrong with any other text.
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII,
)

INVALID, EXTRA = "INVALID_PAYLOAD", "EXTRA_FIELD_FORBIDDEN"
REQUIRED = "required"
# Members that do not tell one request from another.
_OBJECTS_OF_THE_CAST = ("divination", "analysis")
_KNOWN = (
    "threadId",
    "runId",
    "state",
    "messages",
    "tools",
    "context",
    "forwardedProps",
    "parentRunId",
    "resume",
)
_KNOWN_PROPS = ("runtime_mode", "ai_language", "divinationPayload")


class Payload(NamedTuple):
    """A cast as the client sends it; `text` is its JSON, members in order, by which two are compared."""

    method: str
    kind: str
    question: str
    at: str
    lines: tuple[str, ...]
    text: str


class Submission(NamedTuple):
    """A request that is in order. `first` and `last` are the user's first and last message, `state` is JSON text."""

    thread_id: str
    run_id: str
    fingerprint: str
    state: str
    payload: Payload | None
    first: str
    last: str
    language: str | None
    timezone: str | None


def submission_of(body: Any) -> Submission:
    """The request of a body; `RunProblem` INVALID_BODY, or 422 with all that is wrong."""
    if not isinstance(body, dict):
        raise RunProblem("INVALID_BODY", "The body must be a JSON object")
    defects = [*_body(body)]
    if defects:
        raise refusal(defects)
    props = body.get("forwardedProps", {})
    given = props.get("divinationPayload")
    messages = body["messages"]
    return Submission(
        thread_id=body["threadId"].lower(),
        run_id=body["runId"],
        fingerprint=_fingerprint(body),
        state=compact(_rest_of_state(body["state"])),
        payload=None if given is None else payload_of(given),
        first=messages[0]["content"],
        last=messages[-1]["content"],
        language=props.get("ai_language"),
        timezone=props.get("client_time", {}).get("device_timezone"),
    )


def payload_of(given: dict[str, Any]) -> Payload:
    """The payload of an object without defects."""
    return Payload(
        given["divinationMethod"], given["questionType"], given["question"], given["divinationTimeIso"],
        tuple(given["yaoLines"]), compact(dict(sorted(given.items()))),
    )  # fmt: skip


def checked_payload(given: Any) -> Payload:
    """The payload that is a whole body, of a derivation without a run."""
    if not isinstance(given, dict):
        raise RunProblem("INVALID_BODY", "The body must be a JSON object")
    defects = [*payload_defects("", given)]
    if defects:
        raise refusal(defects)
    return payload_of(given)


def _rest_of_state(state: dict[str, Any]) -> dict[str, Any]:
    """The client's own part: stock clients send back the snapshot that they were given."""
    return {name: value for name, value in state.items() if name not in _OBJECTS_OF_THE_CAST}


def _fingerprint(body: dict[str, Any]) -> str:
    kept = {name: body[name] for name in _KNOWN if name in body}
    kept["threadId"] = kept["threadId"].lower()
    kept["state"] = _rest_of_state(kept["state"])
    props = kept.get("forwardedProps", {})
    kept["forwardedProps"] = {name: props[name] for name in _KNOWN_PROPS if name in props}
    return digest(kept)


# --- one defect ---------------------------------------------------------------------------------------------------------


def pointer(*parts: str | int) -> str:
    """A JSON pointer.

    >>> pointer("a/b", 0, "c~d")
    '/a~1b/0/c~0d'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _wrong(at: str, message: str, code: str = INVALID, **beside: Any) -> Iterator[Defect]:
    yield Defect(at, code, message, tuple(beside.items()))


def _text(most: int, blank: bool = True, pattern: re.Pattern[str] | None = None, form: str = "") -> Check:
    """A check of a string."""

    def check(at: str, value: Any) -> Iterator[Defect]:
        if not isinstance(value, str):
            yield from _wrong(at, "must be a string")
        elif not blank and not re.search(r"\S", value):
            yield from _wrong(at, "must not be blank")
        elif too_long(value, most):
            yield from _wrong(at, f"must have at most {most} characters")
        elif pattern is not None and not pattern.fullmatch(value):
            yield from _wrong(at, f"must be {form}")

    return check


def _read_by(read: Callable[[str], object], message: str, code: str = INVALID) -> Check:
    """A check of a string of which a function raises `ValueError` where it cannot read it."""

    def check(at: str, value: Any) -> Iterator[Defect]:
        if not isinstance(value, str):
            yield from _wrong(at, "must be a string")
            return
        try:
            read(value)
        except ValueError:
            yield from _wrong(at, message, code)

    return check


def _one_of(allowed: tuple[str, ...], code: str = INVALID) -> Check:
    def check(at: str, value: Any) -> Iterator[Defect]:
        if not isinstance(value, str) or value not in allowed:
            beside = {"allowed": list(allowed)} if code == "INVALID_RUNTIME_MODE" else {}
            yield from _wrong(at, f"must be {' or '.join(allowed)}", code, **beside)

    return check


def _array(at: str, value: Any) -> Iterator[Defect]:
    if not isinstance(value, list):
        yield from _wrong(at, "must be an array")


def _members(
    at: str, value: Any, rows: dict[str, Check], optional: tuple[str, ...] = (), closed: bool = False
) -> Iterator[Defect]:
    """The members of an object, by their rows."""
    if not isinstance(value, dict):
        yield from _wrong(at, "must be an object")
        return
    for name, check in rows.items():
        if name in value:
            yield from check(f"{at}{pointer(name)}", value[name])
        elif name not in optional:
            yield from _wrong(f"{at}{pointer(name)}", REQUIRED)
    if closed:
        unknown = [name for name in value if name not in rows]
        for name in unknown[:MOST_TOLD]:
            yield from _wrong(f"{at}{pointer(short(name))}", "is not known here", EXTRA)
        if len(unknown) > MOST_TOLD:
            yield from _wrong(at, f"{len(unknown) - MOST_TOLD} more are not known here", EXTRA)


# --- the input ----------------------------------------------------------------------------------------------------------


def _state(at: str, value: Any) -> Iterator[Defect]:
    if not isinstance(value, dict):
        yield from _wrong(at, "must be an object")
    elif len(compact(_rest_of_state(value)).encode()) > MOST_STATE_BYTES:
        yield from _wrong(at, f"must have at most {MOST_STATE_BYTES} bytes as JSON")


def _messages(at: str, value: Any) -> Iterator[Defect]:
    if not isinstance(value, list):
        yield from _wrong(at, "must be an array")
    elif not 1 <= len(value) <= MOST_MESSAGES:
        yield from _wrong(at, f"must have 1 to {MOST_MESSAGES} items")
    else:
        for place, message in enumerate(value):
            yield from _message(at, place, message, place in (0, len(value) - 1), place == len(value) - 1)


def _message(at: str, place: int, message: Any, of_user: bool, last: bool) -> Iterator[Defect]:
    here = f"{at}{pointer(place)}"
    rows = {
        "id": _text(LONGEST_ID, pattern=_NOT_EMPTY, form="a string of 1 to 128 characters"),
        "role": _text(64),
    }
    yield from _members(here, message, rows)
    if not isinstance(message, dict):
        return
    if of_user and isinstance(message.get("role"), str) and message["role"] != "user":
        yield from _wrong(f"{here}/role", "must be user")
    if of_user or message.get("role") == "user":
        content = _text(LONGEST_QUESTION if last else LONGEST_MESSAGE, True, _STORABLE, "without U+0000")
        yield from _members(here, message, {"content": content})


_NOT_EMPTY = re.compile(".+", re.DOTALL)
# No keyboard types it, and no column of PostgreSQL takes it.
_STORABLE = re.compile(r"[^\x00]*")


def _resume(at: str, value: Any) -> Iterator[Defect]:
    if value not in (None, [], {}):
        yield from _wrong(at, "must be empty: runs are not interrupted")


def _client_time(at: str, value: Any) -> Iterator[Defect]:
    found = [*_members(at, value, _CLIENT_TIME, closed=True)]
    yield from found
    if not found and abs(instant_ms(value["client_now_iso"]) - value["client_epoch_ms"]) > MOST_DRIFT_MS:
        yield from _wrong(f"{at}/client_epoch_ms", f"must be within {MOST_DRIFT_MS} ms of client_now_iso")


def _epoch(at: str, value: Any) -> Iterator[Defect]:
    if type(value) is not int:
        yield from _wrong(at, "must be an integer")


_CLIENT_TIME: dict[str, Check] = {
    "device_timezone": _read_by(zone, "must be an IANA time zone or ±HH:MM", "INVALID_TIMEZONE"),
    "client_now_iso": _read_by(instant_ms, "must be a time by RFC 3339 with its offset"),
    "client_epoch_ms": _epoch,
}


# --- the payload --------------------------------------------------------------------------------------------------------


def _time(at: str, value: Any) -> Iterator[Defect]:
    if not isinstance(value, str):
        yield from _wrong(at, "must be a string")
        return
    try:
        moment_of(value, _SCHOOL)
    except BaziError as error:
        yield of_core(at, error)
        return
    if not TIME.fullmatch(value):
        yield from _wrong(at, "must have seconds, as 2026-04-03T20:30:00+08:00")


_SCHOOL = School()
# Codes of the core that have a problem of their own.
_OF_CORE = {"TIME_NEEDS_OFFSET": "TIME_NEEDS_OFFSET", "OUT_OF_RANGE": "TIME_OUT_OF_RANGE"}


def of_core(at: str, error: BaziError) -> Defect:
    """The refusal of a value by the core, as a defect at a pointer."""
    beside = tuple((name, error.data[name]) for name in ("first", "last") if name in error.data)
    return Defect(at, _OF_CORE.get(error.code, INVALID), str(error), beside)


def _lines(at: str, value: Any) -> Iterator[Defect]:
    if not isinstance(value, list):
        yield from _wrong(at, "must be an array")
        return
    if len(value) != LINE_COUNT:
        yield from _wrong(at, f"expected {LINE_COUNT} items, got {len(value)}", "YAO_LINES_LENGTH")
    for place, line in enumerate(value[:LINE_COUNT]):
        if not isinstance(line, str) or line not in LINES:
            yield from _wrong(f"{at}{pointer(place)}", f"must be one of {' '.join(LINES)}", "YAO_LINE_VALUE")


_PAYLOAD: dict[str, Check] = {
    "divinationMethod": _one_of(METHODS),
    "questionType": _text(LONGEST_KIND, blank=False),
    "question": _text(LONGEST_QUESTION, blank=False),
    "divinationTimeIso": _time,
    "yaoLines": _lines,
}


def payload_defects(at: str, value: Any) -> Iterator[Defect]:
    yield from _members(at, value, _PAYLOAD, closed=True)


_PROPS: dict[str, Check] = {
    "runtime_mode": _one_of(RUNTIME_MODES, "INVALID_RUNTIME_MODE"),
    "client_time": _client_time,
    "ai_language": _text(LONGEST_TAG, pattern=TAG, form="a BCP 47 tag"),
    "divinationPayload": payload_defects,
}


def _props(at: str, value: Any) -> Iterator[Defect]:
    yield from _members(at, value, _PROPS, optional=tuple(_PROPS))


_BODY: dict[str, Check] = {
    "threadId": _text(36, pattern=UUID, form="a UUID"),
    "runId": _text(128, pattern=RUN_ID, form="1 to 128 letters, digits, dots, hyphens or underscores"),
    "state": _state,
    "messages": _messages,
    "tools": _array,
    "context": _array,
    "forwardedProps": _props,
    "resume": _resume,
}


def _body(value: dict[str, Any]) -> Iterator[Defect]:
    yield from _members("", value, _BODY, optional=("forwardedProps", "resume"))
