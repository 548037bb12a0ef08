"""The reading of a cast: by the rules, or by a model that chooses among statements.

The level of the sign is that of the analysis, never a model's. A question is data: it is read after the facts are
computed, decides referrals, and may end the divination. Conclusion, focus points and advice are those of the rules; the
running text is theirs or arranged by a model. The disclaimer is its last sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidInput, shown
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.liuyao.analysis import Analysis
from bazi_core.questions.question import DECLINED, LIFE, Question
from bazi_core.questions.question import question as question_of
from bazi_core.questions.safety import disclaimer, fixed, referral, supporting
from bazi_core.readings.divination import CitedSentence, DivinationReading, items, running
from bazi_core.readings.grounding import FALLBACK, Grounding, grounding_of
from bazi_core.readings.offer import Task
from bazi_core.readings.result import Provenance, atell, tell
from bazi_core.readings.wish import Wish
from bazi_core.speech.reading import Section
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import (
    ADVICE,
    ANSWER,
    CONCLUSION,
    FOCUS,
    cast_plan,
    is_published,
    referral_of,
)
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from bazi_core.errors import PortError
    from bazi_core.model.call_loop import Wait
    from bazi_core.model.port import AsyncReadingPort, ReadingPort
    from bazi_core.readings.result import NarratedReading
    from bazi_core.readings.wish import CastOptions
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Reading


CAST = Task("divination", "this cast", 90.0)


class _Request(NamedTuple):
    """A wish with all texts in the asker's own words; `kind` is a kind of question that is not a published one."""

    wish: Wish
    follow_up: Question | None
    kind: Question | None

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions, in the order in which they were asked."""
        return tuple(each for each in (self.wish.asked, self.follow_up) if each is not None)

    @property
    def classified(self) -> tuple[Question, ...]:
        return self.asked if self.kind is None else (*self.asked, self.kind)

    def support(self, analysis: Analysis) -> tuple[str, str] | None:
        """The class and the action by which support stands in place of a divination, the most serious of all that was asked;
        None where the cast is read."""
        found = {each.action: each.category for each in self.classified if each.is_declined}
        if analysis.withheld or any("death" in each.classes for each in self.classified):
            found.setdefault(LIFE, "death")
        return next(((found[action], action) for action in DECLINED if action in found), None)

    @property
    def latest(self) -> Wish:
        """The wish with all questions joined into one, the latest last, as sent to a model.

        Questions that are set aside are not sent."""
        put = [each for each in self.asked if each.asked]
        if len(put) < 2:
            only = put or self.asked
            return self.wish._replace(question=only[0] if only else None)
        return self.wish._replace(question=Question("\n".join(each.text for each in put), put[-1].classes))


@dataclass(frozen=True)
class DivinationResult:
    """The reading of a cast with its provenance; `status` is success, or declined where there is no divination.

    >>> from bazi_core import liuyao as ly
    >>> analysis = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
    >>> result = read(analysis, question="我最近换工作是否合适？")
    >>> result.status, result.sign_level == analysis.sign.level, result.provenance.narrator, result.text[-5:]
    ('success', True, 'rule', '专业意见。')
    """

    reading: DivinationReading
    status: str
    safety: dict[str, str]
    provenance: Provenance
    grounding: Grounding
    error: PortError | None = field(default=None, compare=False)

    @property
    def sign_level(self) -> str | None:
        return self.reading.sign_level

    @property
    def language(self) -> str:
        return self.reading.language

    @property
    def text(self) -> str:
        """The sentences of the answer as one text, the disclaimer last."""
        return self.reading.text

    def to_dict(self) -> dict[str, Any]:
        """The object, JSON-ready."""
        return {
            "schema_version": SCHEMA_VERSION,
            "status": self.status,
            "language": self.language,
            "reading": self.reading.to_dict(),
            "text": self.text,
            "safety": dict(self.safety),
            "provenance": self.provenance.to_dict(),
            "grounding": self.grounding.to_dict(),
        }


def narrate(
    analysis: Analysis, question: str | Question | None = None, language: str = "zh-Hans"
) -> DivinationReading:
    """The answer by the rules, with the disclaimer; deterministic for a cast and a question.

    >>> from bazi_core import liuyao as ly
    >>> analysis = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
    >>> narrate(analysis, language="en").conclusion[0].text[:42]
    'Leaning unfavourable: work hardly moves ju'
    """
    return read(analysis, question=question, language=language).reading


def read(
    analysis: Analysis, *, port: ReadingPort | None = None, **options: Unpack[CastOptions]
) -> DivinationResult:
    """The reading of a cast and its question.

    Options: question, follow_up (what is asked later about the same cast), language, plain, on_failure, and what the call
    may take. Errors: `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE`, `QUESTION_TOO_LONG`; those of a port only with
    `on_failure="error"`.
    """
    request = _requested(analysis, dict(options))
    if (support := request.support(analysis)) is not None:
        return _declined(request, *support)
    plan = _plan(analysis, request)
    narrated = None if port is None else tell(_menu(plan), request.latest, port, CAST)
    return _result(analysis, request, plan, narrated)


async def aread(
    analysis: Analysis,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[CastOptions],
) -> DivinationResult:
    """`read` through an asynchronous port; `wait(awaitable, seconds)` enforces the timeout."""
    request = _requested(analysis, dict(options))
    if port is None or request.support(analysis) is not None:
        return read(analysis, **options)
    plan = _plan(analysis, request)
    return _result(analysis, request, plan, await atell(_menu(plan), request.latest, port, CAST, wait))


def _requested(analysis: Any, options: Any) -> _Request:
    """The request of an analysis and its options; errors for invalid ones."""
    if not isinstance(analysis, Analysis):
        given = shown(analysis)[:40]
        raise InvalidInput(Said("analysis_kind", given=given), hint=Said("analysis_hint"), given=given)
    follow_up = question_of(options.pop("follow_up", None))
    kind = None if is_published(analysis.question_type) else question_of(analysis.question_type)
    return _Request(Wish.of(options, ("follow_up",)), follow_up, kind)


def _plan(analysis: Analysis, request: _Request) -> Plan:
    return cast_plan(analysis, "\n".join(each.text for each in request.asked))


def _menu(plan: Plan) -> Plan:
    """The plan reduced to the menu of a model: each statement once, the conclusion first."""
    offered = [
        statement
        for statement in plan.statements
        if statement.topic in (CONCLUSION, ADVICE) or _is_answer(statement.topic)
    ]
    first = {each.key: each for each in reversed(offered)}
    statements = tuple(statement for statement in plan.statements if first.get(statement.key) is statement)
    return plan._replace(statements=statements, separate=False)


def _result(
    analysis: Analysis, request: _Request, plan: Plan, narrated: NarratedReading | None
) -> DivinationResult:
    """The result: lists by the rules; running text arranged by a model, or by the rules where `narrated` is None."""
    assert analysis.sign is not None
    language = request.wish.language
    rules = Speaker(language, plan.digest, plain=request.wish.plain).reading(plan)
    parts = {section.key: section.sentences for section in rules.sections}
    told_by_rules = [each for each in rules.sections if _is_answer(each.key)]
    answer, provenance, grounding, error = (
        running(told_by_rules),
        Provenance(),
        grounding_of(rules, plan),
        None,
    )
    if narrated is not None:
        provenance, error = narrated.provenance, narrated.error
        if narrated.provenance.fallback_used:
            grounding = grounding._replace(verdict=FALLBACK)
        else:
            answer, grounding = running(_spoken(narrated.reading)), narrated.grounding
    reading = DivinationReading(
        None if analysis.ungraded else analysis.sign.level,
        items(parts[CONCLUSION]), items(parts.get(FOCUS, ())), items(parts[ADVICE]),
        (*answer, *_closing(analysis, request)), rules.keywords, language,
    )  # fmt: skip
    safety = _safety(request, analysis)
    return DivinationResult(reading, "success", safety, provenance, grounding, error)


def _is_answer(topic: str) -> bool:
    """Whether a topic is a paragraph of the running text."""
    return topic.partition(".")[0] == ANSWER


def _spoken(reading: Reading) -> Iterator[Section]:
    """The sections arranged by a model: statements and free lines, without the closing sentences, which are added here."""
    for each in (Section("", reading.summary), *reading.sections):
        sentences = [one for one in each.sentences if one.statement is not None or one.kind == "transition"]
        yield Section(each.key, tuple(sentences))


def _declined(request: _Request, category: str, action: str) -> DivinationResult:
    """The answer without divination, for distress, violence and questions of life and death: support and sources of help."""
    language = request.wish.language
    safety = {"category": category, "action": action}
    said = tuple(CitedSentence(text) for text in (*supporting(action, language), disclaimer(language)))
    reading = DivinationReading(None, (), (), (), said, (fixed("crisis.keyword", language),), language)
    return DivinationResult(reading, "declined", safety, Provenance(), Grounding((), ()))


def _closing(analysis: Analysis, request: _Request) -> tuple[CitedSentence, ...]:
    """The closing sentences of an answer: referrals that the question or its kind calls for, and the disclaimer."""
    language = request.wish.language
    classes = [name for each in request.classified for name in each.referrals]
    classes += [name for name in (referral_of(analysis.question_type),) if name]
    besides = [CitedSentence(referral(name, language, of_cast=True)) for name in dict.fromkeys(classes)]
    first, *more = (*besides, CitedSentence(disclaimer(language)))
    return (first._replace(opens=True), *more)


def _safety(request: _Request, analysis: Analysis) -> dict[str, str]:
    """The class of the question and the action of the reading; of two questions those of the more serious one. If only the
    kind calls for a referral, its class; a question out of scope for a chart that gave a kind is not set aside."""
    asked = sorted(request.classified, key=lambda each: each.action == "none")
    category, action = (asked[0].category, asked[0].action_of_cast) if asked else ("normal", "none")
    referred = referral_of(analysis.question_type)
    if action == "none" and referred:
        return {"category": referred, "action": "referral_added"}
    if action == "question_set_aside" and analysis.taken is not None:
        action = "none"
    return {"category": category, "action": action}
