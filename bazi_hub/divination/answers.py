"""What a run is answered with, as models: answers, the history, and the events of both profiles. The published schemas and
types are made from them.

Shapes only ever grow: a reader must pass over what it does not know, but in events and the objects of the cast.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, Union

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model
from pydantic.alias_generators import to_camel

from bazi_core.readings.divination import LEVELS
from bazi_hub.divination.fields import Instant, RunName, ThreadId
from bazi_hub.divination.output import LONGEST_DELTA
from bazi_hub.divination.problems import ABSENT, PROBLEMS
from bazi_hub.ports.runs import PROTOCOL_VERSION, TOOL, Status

Level = Literal[LEVELS]  # type: ignore[valid-type]
AnyObject = dict[str, Any]
Texts = list[str]
Moment = Annotated[Instant, Field(description="RFC 3339 UTC, seconds, +00:00.")]


class AnswerModel(BaseModel):
    """An object of this protocol: made with the names of its fields, written with those of the wire."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    @classmethod
    def of(cls, row: object, **members: Any) -> Self:
        """The object of a row: what the row has under the names of the fields, and these members."""
        named = {name: getattr(row, name) for name in cls.model_fields if hasattr(row, name)}
        return cls(**named | members)

    def json_text(self) -> str:
        """Its JSON, without the members that were not given."""
        return self.model_dump_json(by_alias=True, exclude_unset=True)


class Divination(RootModel[AnyObject]):
    """The core's strict object of a cast."""


class Analysis(RootModel[AnyObject]):
    """The core's analysis of a cast."""


class CastObjects(AnswerModel):
    """The cast."""

    divination: Divination
    analysis: Analysis


class OfRun(AnswerModel):
    """The names of a run."""

    thread_id: ThreadId
    run_id: RunName


class RunAccepted(OfRun):
    """202 for a run that begins, 200 for one that was submitted before."""

    status: Literal["accepted", Status]
    attempt: int
    events_url: str
    credits_held: int = Field(alias="credits_held")


class RunError(AnswerModel):
    """How a run failed."""

    code: str
    message: str


class RunStatus(OfRun):
    """GET /api/v1/agent/runs/{threadId}"""

    status: Status
    attempt: int
    created_at: Moment
    finished_at: Moment | None
    credits_deducted: int = Field(alias="credits_deducted")
    last_seq: int
    error: RunError | None


class RunCancelled(OfRun):
    """DELETE /api/v1/agent/runs/{threadId}"""

    status: Literal["cancelled"]


class Derived(CastObjects):
    """POST /api/v1/divination/derive"""


class Price(AnswerModel):
    """GET /api/v1/divination/price"""

    model_config = ConfigDict(alias_generator=None)

    tool_name: Literal[TOOL]  # type: ignore[valid-type]
    credit_cost: int
    min_balance: int
    enabled: bool
    balance: int
    held: int
    available: int


# --- the history ----------------------------------------------------------------------------------------------------------


class Evidence(AnswerModel):
    """The ids of the facts from which each item follows, item by item."""

    model_config = ConfigDict(alias_generator=None)

    conclusion: list[Texts]
    focus_points: list[Texts]
    advice: list[Texts]
    answer: list[Texts]


class AnswerText(AnswerModel):
    """An answer in its lists and its text."""

    model_config = ConfigDict(alias_generator=None)

    conclusion: Texts
    focus_points: Texts
    advice: Texts
    keywords: Texts
    answer: str
    sign_level: Level = ABSENT


class AgentOutput(AnswerText):
    """What an assistant's message holds. No sign_level and empty lists unless status is success."""

    status: Literal["success", "declined", "error", "cancelled"]
    divination_derived: Divination
    divination_analysis: Analysis
    interpreter: Literal["llm", "rules"] = ABSENT
    language: str = ABSENT
    sentences: Texts = Field(
        default=ABSENT,
        description="The sentences of `answer`, to each of which `evidence.answer` has the facts.",
    )
    evidence: Evidence = ABSENT
    safety: AnyObject = ABSENT
    provenance: AnyObject = ABSENT
    grounding: AnyObject = ABSENT
    error: RunError = ABSENT


class Attachment(AnswerModel):
    """Not sent while the hub has no upload."""

    mime_type: str
    url: str


class HistoryMessage(AnswerModel):
    """A line of the history."""

    id: ThreadId
    seq: int
    role: Literal["user", "assistant"]
    content: str
    timestamp: Moment
    thread_id: ThreadId
    run_id: RunName
    agent_output: AgentOutput = Field(default=ABSENT, alias="agent_output")
    attachments: list[Attachment] = ABSENT


class History(AnswerModel):
    """GET /api/v1/agent/history"""

    scope: Literal["history_day"]
    thread_id: ThreadId | None
    day: Annotated[str, Field(json_schema_extra={"format": "date"})] | None
    has_more: bool
    messages: list[HistoryMessage]


# --- events ---------------------------------------------------------------------------------------------------------------


class Usage(AnswerModel):
    """Tokens of a model, where its port tells them."""

    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    total_tokens: int


class OutputMember(AnswerModel):
    """The whole output."""

    agent_output: AgentOutput = Field(alias="agent_output")


class WithResult(AnswerModel):
    """The output once more, for clients that wait for one value."""

    result: OutputMember = ABSENT


class RunOutcome(AnswerModel):
    """How the run ended."""

    type: Literal["success", "cancelled"]


class Finished(OfRun):
    """The end of a run, and what it used."""

    outcome: RunOutcome
    usage: list[Usage] = ABSENT


class OfText(AnswerModel):
    """The message that a text becomes."""

    message_id: ThreadId


class WireEvent(AnswerModel):
    """What every event has beside its `type`."""

    model_config = ConfigDict(extra="forbid")

    timestamp: int


def _event(
    kind: str, description: str, *parts: type[BaseModel], profile: str = "", **members: Any
) -> type[BaseModel]:
    """The model of a type of events: of the parts that it shares, and its own. `profile`: where each has its form."""
    name = profile.title() + "".join(part.title() for part in kind.split("_")) + "Event"
    own: Any = {member: (shape, ...) for member, shape in {"type": Literal[kind], **members}.items()}
    made: type[BaseModel] = create_model(name, __base__=(WireEvent, *parts), __doc__=description, **own)
    return made


DERIVED = "DIVINATION_DERIVED"
_DELTA = Annotated[str, Field(min_length=1, max_length=LONGEST_DELTA)]
_IN_LOG: Any = Literal[tuple(code for code, row in PROBLEMS.items() if row.in_log)]
_IN_BOTH = (
    _event("RUN_STARTED", "First of an attempt.", OfRun, protocol_version=Literal[PROTOCOL_VERSION]),
    _event("STEP_STARTED", "derive or interpret begins.", step_name=str),
    _event("STEP_FINISHED", "derive or interpret is over.", step_name=str),
    _event("TEXT_MESSAGE_START", "The answer begins.", OfText, role=Literal["assistant"]),
    _event("TEXT_MESSAGE_CONTENT", "A piece of the answer; together they are it.", OfText, delta=_DELTA),
    _event("RUN_ERROR", "The attempt failed.", message=str, code=_IN_LOG),
)
_SEED = (
    *_IN_BOTH,
    _event(DERIVED, "The cast; seed profile only.", CastObjects),
    _event("TEXT_MESSAGE_END", "The six fields; seed profile.", OfText, AnswerText, profile="seed"),
    _event("RUN_FINISHED", "Success or cancellation; seed profile.", Finished, profile="seed"),
)
_AGUI = (
    *_IN_BOTH,
    _event("CUSTOM", "The cast; agui profile only.", name=Literal[DERIVED], value=CastObjects),
    _event("STATE_SNAPSHOT", "The client's state with the cast; agui profile only.", snapshot=CastObjects),
    _event("TEXT_MESSAGE_END", "The whole output; agui profile.", OfText, profile="agui", metadata=OutputMember),
    _event("RUN_FINISHED", "Success or cancellation; agui profile.", Finished, WithResult, profile="agui"),
)  # fmt: skip


def _union(profile: str, events: Any) -> type[BaseModel]:
    """The model of any event of a profile."""
    any_event: Any = RootModel[Annotated[Union[events], Field(discriminator="type")]]  # noqa: UP007
    made: type[BaseModel] = create_model(
        f"{profile}Event", __base__=any_event, __doc__=f"An event of the {profile.lower()} profile."
    )
    return made


PROFILES = (_union("Seed", _SEED), _union("Agui", _AGUI))
