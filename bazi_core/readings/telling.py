"""A reading with its provenance: who told it, from which prompt, at what price, and how it was checked.

`by_rule` asks the narrator, `by_model` takes what passed the check, `in_distress` answers without divination. Every reading
ends with the disclaimer; before it stand the referrals that the question calls for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.readings import grounding
from bazi_core.readings.port import Usage
from bazi_core.readings.reading import SENTENCES, Section, Sentence
from bazi_core.readings.requests import required_of, task_of
from bazi_core.readings.safety import crisis_sentences, disclaimer, fixed, referral

if TYPE_CHECKING:
    from bazi_core.errors import PortError
    from bazi_core.readings.drivers import Outcome
    from bazi_core.readings.grounding import GroundingReport
    from bazi_core.readings.question import Question
    from bazi_core.readings.reading import Reading


class Provenance(NamedTuple):
    """Where a reading comes from. `narrator` is rule or llm; a fallback has the code of what failed."""

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


class Told(NamedTuple):
    """A reading in a language, where it comes from, and how it was checked; `error` is what a fallback stands in for."""

    reading: Reading
    language: str
    provenance: Provenance
    grounding: GroundingReport
    error: PortError | None = None

    @property
    def narrative(self) -> str:
        """The sentences as one text, the disclaimer last."""
        return self.reading.narrative(self.language)

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the facts that the reading cites."""
        return self.grounding.cited_ids

    def to_dict(self) -> dict[str, Any]:
        """`reading`, `narrative` and `provenance`, as a pattern result holds them."""
        return {
            "reading": self.reading.to_dict(),
            "narrative": self.narrative,
            "provenance": {**self.provenance.to_dict(), "grounding": self.grounding.to_dict()},
        }


def teller(result: Any, language: str) -> dict[str, Any]:
    """How a pattern result is told when nobody asked for anything else: by the rules, in few words."""
    return by_rule(result, None, language, length="short").to_dict()


def by_rule(
    result: Any,
    question: Question | None = None,
    language: str = "zh-Hans",
    tone: str = "neutral",
    length: str = "standard",
    spent: tuple[Outcome, str] | None = None,
) -> Told:
    """The reading of the narrator; `spent` is the call in whose place it stands, with the name of the port."""
    from bazi_core.readings import narrator

    tone = "neutral" if question and question.is_general else tone
    left_out: frozenset[str] = question.left_out if question else frozenset()
    tell = narrator.pattern_reading if task_of(result) == "pattern" else narrator.year_reading
    reading = tell(result, language, tone, length, left_out)
    last = closing(question, language)
    reading = reading.ended().shortened(SENTENCES[length] - len(last)).ended(*last)
    report = grounding.check(
        reading,
        result.all_facts,
        language=language,
        required=required_of(result, left_out),
        disclaimers=(disclaimer(language),),
    )
    if spent is None:
        return Told(reading, language, Provenance(), report)
    outcome, port = spent
    provenance = of_call(outcome, port)._replace(
        narrator="rule", fallback_used=True, failure=outcome.error.code if outcome.error else None
    )
    return Told(reading, language, provenance, report._replace(verdict="fallback"), outcome.error)


def by_model(outcome: Outcome, port: str, question: Question | None, language: str) -> Told:
    """The reading of a model that passed the check."""
    assert outcome.reading is not None
    assert outcome.report is not None
    reading = outcome.reading.ended(*closing(question, language))
    return Told(reading, language, of_call(outcome, port), outcome.report)


def of_call(outcome: Outcome, port: str) -> Provenance:
    """Where a reading comes from that a port was asked for."""
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


def in_distress(language: str) -> Told:
    """The answer to somebody in distress: support and where to find help, no divination."""
    from bazi_core.readings.reading import Reading

    said = [Sentence(text, (), "advice") for text in crisis_sentences(language)]
    last = Sentence(disclaimer(language), (), "disclaimer")
    title, keyword = fixed("crisis.title", language), fixed("crisis.keyword", language)
    reading = Reading(title, tuple(said[:3]), (Section("advice", (*said[3:], last)),), (keyword,))
    report = grounding.check(reading, {}, language=language, disclaimers=(last.text,))
    return Told(reading, language, Provenance(), report)


def closing(question: Question | None, language: str) -> tuple[Sentence, ...]:
    """How a reading ends: whom to ask instead, where the question calls for it, and the disclaimer."""
    instead = [
        Sentence(referral(name, language), (), "advice") for name in (question.referrals if question else ())
    ]
    return (*instead, Sentence(disclaimer(language), (), "disclaimer"))
