"""A plan as a reading, by the rules or by a model, with provenance and grounding.

`tell` and `atell` are the one way from a plan to a reading: without a port the rules choose; with one a model chooses
among the statements, and the rules stand in if it fails. Every reading ends with the disclaimer; before it stand the
referrals that the question calls for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import shown
from bazi_core.facts import closure
from bazi_core.model.call_loop import Limits, adrive, describe, drive, price_of, steps
from bazi_core.model.port import Usage
from bazi_core.questions.safety import SUPPORT, disclaimer, fixed, referral, supporting
from bazi_core.readings.grounding import FALLBACK, Grounding, grounding_of
from bazi_core.readings.offer import offer, room_of, tone_of
from bazi_core.readings.reply import check_reply
from bazi_core.speech.plan import ROOM
from bazi_core.speech.reading import Reading, Section, Sentence
from bazi_core.speech.speaker import Speaker

if TYPE_CHECKING:
    from bazi_core.errors import PortError
    from bazi_core.facts import Fact
    from bazi_core.model.call_loop import CallOutcome, Steps, Wait
    from bazi_core.model.port import AsyncReadingPort, ReadingPort
    from bazi_core.questions.question import Question
    from bazi_core.readings.offer import Replan, Task
    from bazi_core.readings.reply import Written
    from bazi_core.readings.wish import Wish
    from bazi_core.speech.plan import Plan


class Provenance(NamedTuple):
    """Provenance of a reading. `narrator` is rule or llm; a fallback has the code of the failure."""

    narrator: str = "rule"
    model: str | None = None
    port: str | None = None
    prompt_version: str | None = None
    attempts: int = 0
    fallback_used: bool = False
    failure: str | None = None
    usage: Usage = Usage()
    latency_ms: int = 0
    temperature: float | None = None
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "usage": self.usage.to_dict()}


class NarratedReading(NamedTuple):
    """A reading in a language, with provenance and grounding.

    `facts` are those that it cites with all that they rest on, `error` is what a fallback stands in for, `as_of` the date
    at which a life is looked at.
    """

    reading: Reading
    language: str
    provenance: Provenance
    grounding: Grounding
    facts: dict[str, Fact]
    error: PortError | None = None
    as_of: str | None = None

    def __str__(self) -> str:
        return self.narrative

    def __repr__(self) -> str:
        title = shown(self.reading.title)
        return f"<NarratedReading {self.language} {title}: {len(self.reading.sentences)} sentences>"

    @property
    def narrative(self) -> str:
        """The sentences as one text, the disclaimer last."""
        return self.reading.narrative(self.language)

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the facts that the reading cites."""
        return self.grounding.cited_ids

    def to_dict(self) -> dict[str, Any]:
        """`reading`, `narrative`, `provenance` and `facts`, as a pattern result holds them."""
        members = {
            "reading": self.reading.to_dict(),
            "narrative": self.narrative,
            "provenance": {**self.provenance.to_dict(), "grounding": self.grounding.to_dict()},
            "facts": {name: fact.to_dict() for name, fact in self.facts.items()},
        }
        return members if self.as_of is None else members | {"as_of": self.as_of}


def tell(
    plan: Plan, wish: Wish, port: ReadingPort | None, task: Task, replan: Replan | None = None
) -> NarratedReading:
    """The reading of a plan: by the rules without a port, else from statements chosen through the port.

    `replan` gives the plan for another domain and kind, if a model understands the question so.
    """
    if port is None or wish.is_declined:
        return _without_port(plan, wish)
    return _reading_of(plan, wish, drive(_steps(plan, wish, port, task, replan), port), port)


async def atell(
    plan: Plan,
    wish: Wish,
    port: AsyncReadingPort | None,
    task: Task,
    wait: Wait | None = None,
    replan: Replan | None = None,
) -> NarratedReading:
    """`tell` through an asynchronous port; `wait(awaitable, seconds)` enforces the timeout."""
    if port is None or wish.is_declined:
        return _without_port(plan, wish)
    return _reading_of(plan, wish, await adrive(_steps(plan, wish, port, task, replan), port, wait), port)


def by_rule(plan: Plan, wish: Wish, last: tuple[Sentence, ...] = ()) -> NarratedReading:
    """The reading chosen by the rules: the statements of the length, in the order of the plan.

    `last` are the closing sentences, where they are not those of every chart.
    """
    last = last or closing(wish.asked, wish.language)
    most = min(room_of(wish, len(last)), ROOM[wish.length])
    speaker = Speaker(wish.language, plan.digest, tone_of(wish), wish.plain)
    reading = speaker.reading(plan.shortened(wish.length, most, wish.plain))
    reading = reading.ended(*last)
    facts = closure(reading.cited, plan.facts)
    return NarratedReading(reading, wish.language, Provenance(), grounding_of(reading, plan), facts)


def declined(question: Question, language: str) -> NarratedReading:
    """The answer without divination, for distress, violence and questions of death: support and sources of help."""
    key = SUPPORT[question.action]
    said = [Sentence(text, (), "advice") for text in supporting(question.action, language)]
    last = Sentence(disclaimer(language), (), "disclaimer")
    title, keyword = fixed(f"{key}.title", language), fixed(f"{key}.keyword", language)
    half = len(said) // 2 + 1
    reading = Reading(title, tuple(said[:half]), (Section("advice", (*said[half:], last)),), (keyword,))
    return NarratedReading(reading, language, Provenance(), grounding_of(reading), {})


def closing(question: Question | None, language: str) -> tuple[Sentence, ...]:
    """The closing sentences of a reading: referrals that the question calls for, and the disclaimer."""
    instead = [
        Sentence(referral(name, language), (), "advice") for name in (question.referrals if question else ())
    ]
    return (*instead, Sentence(disclaimer(language), (), "disclaimer"))


def _without_port(plan: Plan, wish: Wish) -> NarratedReading:
    if wish.asked is not None and wish.is_declined:
        return declined(wish.asked, wish.language)
    return by_rule(plan, wish)


def _steps(plan: Plan, wish: Wish, port: object, task: Task, replan: Replan | None) -> Steps[Written]:
    room = room_of(wish, len(closing(wish.asked, wish.language)))
    proposal = offer(plan, wish, task, room, " ".join(describe(port)), replan)
    price = wish.price or price_of(port)
    limits = Limits(proposal.request.timeout_s, wish.max_cost_per_call, price, wish.clock, wish.cache)
    return steps(proposal.request, limits, lambda reply: check_reply(proposal, reply))


def _reading_of(plan: Plan, wish: Wish, outcome: CallOutcome[Written], port: object) -> NarratedReading:
    name, model = describe(port)
    provenance = _provenance(outcome._replace(model=outcome.model or model), name)
    if outcome.value is not None:
        reading = outcome.value.reading.ended(*closing(wish.asked, wish.language))
        facts = closure(reading.cited, outcome.value.facts)
        return NarratedReading(reading, wish.language, provenance, outcome.value.grounding, facts)
    assert outcome.error is not None
    if wish.on_failure == "error":
        raise outcome.error
    fallback = by_rule(plan, wish)
    provenance = provenance._replace(narrator="rule", fallback_used=True, failure=outcome.error.code)
    grounding = fallback.grounding._replace(verdict=FALLBACK)
    return fallback._replace(provenance=provenance, grounding=grounding, error=outcome.error)


def _provenance(outcome: CallOutcome[Written], port: str) -> Provenance:
    """Provenance of a reading for which a port was called."""
    request = outcome.request
    return Provenance(
        narrator="llm",
        model=outcome.model or None,
        port=port,
        prompt_version=request.prompt_version,
        attempts=outcome.attempts,
        usage=outcome.usage,
        latency_ms=outcome.latency_ms,
        temperature=request.temperature,
        seed=request.seed,
    )
