"""What is asked of a run, as models: the body of an AG-UI client, a cast alone, and queries. The published schemas and types
are made from them.

Unknown members are passed over, as consumers of AG-UI must; `divinationPayload` and `client_time` are closed. Types are
exact. Lengths count Unicode code points after NFC. Everything that is wrong is told at once.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    PrivateAttr,
    Strict,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from bazi_core.errors import BaziError
from bazi_core.facts import digest
from bazi_core.liuyao.calendar import moment_of
from bazi_core.school import School
from bazi_hub.divination.days import BadDay, bounds, day_of, instant_ms, zone
from bazi_hub.divination.fields import (
    TAG,
    ClosedRequestModel,
    Instant,
    RequestModel,
    RunName,
    TextBounds,
    ThreadId,
    not_blank,
    readable,
)
from bazi_hub.divination.problems import ABSENT, Place, located, of_core, refusal, wrong
from bazi_hub.words.call import compact

Method = Literal["手动起卦", "自动起卦"]
METHODS: tuple[str, ...] = get_args(Method)
LINES = ("少阳", "少阴", "老阳", "老阴")
LINE_COUNT = 6
LONGEST_KIND, LONGEST_QUESTION, LONGEST_MESSAGE, LONGEST_ID, LONGEST_TAG = 32, 500, 4000, 128, 35
MOST_MESSAGES = 100
MOST_STATE_BYTES = 32_768
MOST_DRIFT_MS = 1000
DEFAULT_LIMIT, MOST_LIMIT = 50, 100
LARGEST_NUMBER = 10**15 - 1
_BAD_DAY = "must be a day as 2026-04-05"
_BAD_ZONE = "must be an IANA time zone or ±HH:MM"

# RFC 3339 with seconds and offset, as the published schema has it; the core says what is wrong with any other text.
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII,
)
# No keyboard types U+0000, and no column of PostgreSQL takes it.
STORABLE = re.compile(r"[^\x00]*")
_NOT_EMPTY = re.compile(".+", re.DOTALL)
_INTEGER = re.compile("-?[0-9]{1,15}")
# Members of a client's state that stock clients send back as they were given them.
_OBJECTS_OF_THE_CAST = ("divination", "analysis")
_SCHOOL = School()
MessageId = Annotated[
    str,
    TextBounds(LONGEST_ID, _NOT_EMPTY, "a string of 1 to 128 characters"),
    Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_ID}),
]


# --- the cast -------------------------------------------------------------------------------------------------------------


def _moment(value: str) -> str:
    try:
        moment_of(value, _SCHOOL)
    except BaziError as error:
        raise of_core(error) from None
    if not TIME.fullmatch(value):
        raise wrong("must have seconds, as 2026-04-03T20:30:00+08:00")
    return value


_NO_LINE = wrong(f"must be one of {' '.join(LINES)}", "YAO_LINE_VALUE")


def _lines(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise wrong("must be an array")
    found: list[tuple[Place, PydanticCustomError]] = []
    if len(value) != LINE_COUNT:
        found.append(((), wrong(f"expected {LINE_COUNT} items, got {len(value)}", "YAO_LINES_LENGTH")))
    found += [((place,), _NO_LINE) for place, line in enumerate(value[:LINE_COUNT]) if line not in LINES]
    if found:
        raise located(*found)
    return tuple(value)


class DivinationPayload(ClosedRequestModel):
    """A cast. What is published is the core's schema of it, which says the same."""

    method: Method = Field(alias="divinationMethod")
    kind: Annotated[str, AfterValidator(not_blank), TextBounds(LONGEST_KIND)] = Field(alias="questionType")
    question: Annotated[str, AfterValidator(not_blank), TextBounds(LONGEST_QUESTION)]
    at: Annotated[str, AfterValidator(_moment)] = Field(alias="divinationTimeIso")
    lines: Annotated[tuple[str, ...], PlainValidator(_lines)] = Field(alias="yaoLines")

    @cached_property
    def text(self) -> str:
        """Its JSON, members in order, by which two are compared."""
        return compact(dict(sorted(self.model_dump(by_alias=True).items())))


# --- the input of a run ---------------------------------------------------------------------------------------------------


class ClientTime(ClosedRequestModel):
    """What the client's clock says; never used to derive."""

    device_timezone: Annotated[str, readable(zone, _BAD_ZONE, "INVALID_TIMEZONE")]
    client_now_iso: Annotated[Instant, readable(instant_ms, "must be a time by RFC 3339 with its offset")]
    client_epoch_ms: Annotated[int, Strict()]

    @field_validator("client_epoch_ms")
    @classmethod
    def _near(cls, epoch_ms: int, before: ValidationInfo) -> int:
        """Both clocks say the same, where the other members can be read."""
        if (
            len(before.data) == 2
            and abs(instant_ms(before.data["client_now_iso"]) - epoch_ms) > MOST_DRIFT_MS
        ):
            raise wrong(f"must be within {MOST_DRIFT_MS} ms of client_now_iso")
        return epoch_ms


def _runtime_mode(value: Any) -> Any:
    if value != "chat":
        raise wrong("must be chat", "INVALID_RUNTIME_MODE", allowed=["chat"])
    return value


class ForwardedProps(RequestModel):
    """What this protocol adds to AG-UI."""

    runtime_mode: Annotated[Literal["chat"], BeforeValidator(_runtime_mode)] = ABSENT
    client_time: ClientTime = ABSENT
    ai_language: Annotated[
        str, TextBounds(LONGEST_TAG, TAG, "a BCP 47 tag"), Field(json_schema_extra={"maxLength": LONGEST_TAG})
    ] = ABSENT
    payload: DivinationPayload = Field(default=ABSENT, alias="divinationPayload")


class UserMessage(RequestModel):
    """A message; those of other roles are passed over."""

    id: MessageId
    role: Annotated[str, TextBounds(64)]
    content: Any = Field(
        ABSENT,
        description=f"A user's text, or parts of the type text, without U+0000: at most {LONGEST_MESSAGE} characters, "
        f"the last {LONGEST_QUESTION}. Attachments are refused.",
    )


def _text_of(content: Any) -> Any:
    """The text of a message that comes in parts; whatever is no text is refused, since it would not be read."""
    if not isinstance(content, list):
        return content
    texts = [
        part["text"]
        for part in content
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
    ]
    if not texts or len(texts) < len(content):
        raise wrong("must be text, or a list of parts of the type text: attachments are not read")
    return "\n".join(texts)


class _Said(UserMessage):
    """A message of a user."""

    role: Literal["user"]
    content: Annotated[
        str, TextBounds(LONGEST_MESSAGE, STORABLE, "without U+0000"), BeforeValidator(_text_of)
    ]


class _LastSaid(_Said):
    """The message that a run answers."""

    content: Annotated[
        str, TextBounds(LONGEST_QUESTION, STORABLE, "without U+0000"), BeforeValidator(_text_of)
    ]


def _models(value: Any) -> Any:
    """Messages, each with the model that it has to fit: the first and the last are the user's."""
    if not isinstance(value, list):
        return value
    if not 1 <= len(value) <= MOST_MESSAGES:
        raise wrong(f"must have 1 to {MOST_MESSAGES} items")
    last = len(value) - 1
    asked = (
        place in (0, last) or (isinstance(each, dict) and each.get("role") == "user")
        for place, each in enumerate(value)
    )
    models = (
        _LastSaid if place == last else _Said if said else UserMessage for place, said in enumerate(asked)
    )
    return [*zip(models, value, strict=True)]


def _message(value: Any) -> UserMessage:
    model, message = value
    return model.model_validate(message)  # type: ignore[no-any-return]


def _rest_of_state(state: dict[str, Any]) -> dict[str, Any]:
    """The client's own part: stock clients send back the snapshot that they were given."""
    rest = {name: value for name, value in state.items() if name not in _OBJECTS_OF_THE_CAST}
    if len(compact(rest).encode()) > MOST_STATE_BYTES:
        raise wrong(f"must have at most {MOST_STATE_BYTES} bytes as JSON")
    return rest


def _empty(value: Any) -> Any:
    if value not in (None, [], {}):
        raise wrong("must be empty: runs are not interrupted")
    return value


class RunAgentInput(RequestModel):
    """The body of POST /api/v1/agent/runs and /api/v1/agent/agui."""

    model_config = ConfigDict(alias_generator=to_camel)

    thread_id: ThreadId
    run_id: RunName
    state: Annotated[dict[str, Any], AfterValidator(_rest_of_state)]
    messages: Annotated[
        list[Annotated[UserMessage, PlainValidator(_message, json_schema_input_type=UserMessage)]],
        Field(min_length=1, max_length=MOST_MESSAGES),
        BeforeValidator(_models),
    ]
    tools: list[Any]
    context: list[Any]
    forwarded_props: ForwardedProps = ForwardedProps.model_construct()
    protocol_version: Any = ABSENT
    parent_run_id: Any = ABSENT
    resume: Annotated[Any, AfterValidator(_empty)] = ABSENT

    _fingerprint: str = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def _named(cls, body: Any, check: ModelWrapValidatorHandler[RunAgentInput]) -> RunAgentInput:
        """The request with its fingerprint, which is that of the body as it came."""
        submission = check(body)
        submission._fingerprint = _fingerprint(body, submission)
        return submission

    @property
    def fingerprint(self) -> str:
        """What tells this request from another."""
        return self._fingerprint

    @property
    def payload(self) -> DivinationPayload | None:
        """The cast, if one is sent."""
        return self.forwarded_props.payload

    @property
    def first(self) -> str:
        """The user's first message."""
        return self.messages[0].content  # type: ignore[no-any-return]

    @property
    def last(self) -> str:
        """The user's last message."""
        return self.messages[-1].content  # type: ignore[no-any-return]

    @property
    def timezone(self) -> str | None:
        """That of the client's clock, if it says."""
        told = self.forwarded_props.client_time
        return told.device_timezone if told else None


# Members that make a request another one.
_KNOWN = tuple(each.alias for name, each in RunAgentInput.model_fields.items() if name != "protocol_version")
_KNOWN_PROPS = tuple(
    each.alias or name for name, each in ForwardedProps.model_fields.items() if name != "client_time"
)


def _fingerprint(body: dict[str, Any], submission: RunAgentInput) -> str:
    props = body.get("forwardedProps", {})
    return digest(
        {name: body[name] for name in _KNOWN if name in body}
        | {"threadId": submission.thread_id, "state": submission.state}
        | {"forwardedProps": {name: props[name] for name in _KNOWN_PROPS if name in props}}
    )


# --- queries --------------------------------------------------------------------------------------------------------------


def _number(value: str) -> int:
    if not _INTEGER.fullmatch(value):
        raise wrong("must be an integer")
    return int(value)


def _plus(value: str) -> str:
    """A plus sign in a query is a space."""
    return "+" + value[1:] if value.startswith(" ") else value


class RunQuery(RequestModel):
    """Which run of the thread in the path."""

    run_id: RunName = Field(alias="runId", description="The run.")


class HistoryQuery(RequestModel):
    """What of the history is wanted."""

    thread_id: Annotated[ThreadId, Field(description="Of this thread only.")] = Field(
        ABSENT, alias="threadId"
    )
    day: Annotated[
        str,
        readable(day_of, _BAD_DAY, "INVALID_DAY"),
        Field(description="Of this civil day only.", json_schema_extra={"format": "date"}),
    ] = ABSENT
    tz: Annotated[
        str,
        BeforeValidator(_plus),
        readable(zone, _BAD_ZONE, "INVALID_TIMEZONE"),
        Field(description="The time zone of the day: an IANA name or ±HH:MM; else that of the thread."),
    ] = ABSENT
    before: Annotated[
        int,
        PlainValidator(_number, json_schema_input_type=int),
        Field(
            description="Only messages with a smaller `seq`: the next page begins at the smallest of this one.",
            json_schema_extra={"minimum": 0, "maximum": LARGEST_NUMBER},
        ),
    ] = ABSENT
    limit: Annotated[
        int,
        PlainValidator(_number, json_schema_input_type=int),
        AfterValidator(lambda limit: max(1, min(MOST_LIMIT, limit))),
        Field(
            description="Messages on a page; a number outside is taken as the nearest.",
            json_schema_extra={"minimum": 1, "maximum": MOST_LIMIT, "default": DEFAULT_LIMIT},
        ),
    ] = DEFAULT_LIMIT

    def span(self, timezone: str | None) -> tuple[int | None, int | None]:
        """The milliseconds of the day, in the zone that is asked for, else that of the thread's client, else UTC."""
        if self.day is None:
            return None, None
        try:
            return bounds(day_of(self.day), zone(self.tz or timezone or "UTC"))
        except BadDay:
            raise refusal(located((("day",), wrong(_BAD_DAY, "INVALID_DAY")))) from None
