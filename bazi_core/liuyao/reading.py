"""The reading of a cast: by the rules, or by a port whose text passed the check.

The level of the sign is that of the analysis, never a model's. A question is data: it is read after the facts are made,
decides what is pointed elsewhere, and may end the divination. With a port a model writes and the check decides; without one,
or when it fails, the rules write. The disclaimer is the last sentence of every answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidInput, shown
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.liuyao.analysis import Analysis
from bazi_core.liuyao.outline import is_published, narrated, referral_of
from bazi_core.readings.divination import exchange
from bazi_core.readings.divination.answer import DivinationReading, Item
from bazi_core.readings.divination.check import check
from bazi_core.readings.drivers import Limits, adrive, describe, drive, price_of, steps
from bazi_core.readings.question import question as question_of
from bazi_core.readings.safety import crisis_sentences, disclaimer, fixed, referral
from bazi_core.readings.telling import Provenance, of_call
from bazi_core.readings.wish import CRISIS, Wish

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from typing import TypedDict, Unpack

    from bazi_core.errors import PortError
    from bazi_core.readings.drivers import Outcome, Steps, Wait
    from bazi_core.readings.grounding import GroundingReport
    from bazi_core.readings.port import AsyncReadingPort, Price, ReadingPort
    from bazi_core.readings.question import Question

    class Options(TypedDict, total=False):
        """The keyword arguments of `read` and `aread`; see `readings.wish.Wish`."""

        question: str | Question | None
        follow_up: str | Question | None
        language: str
        on_failure: str
        timeout_s: float | None
        max_output_tokens: int | None
        seed: int | None
        max_cost_per_call: float | None
        price: Price | None
        clock: Callable[[], float]
        cache: MutableMapping[str, str] | None


class _Wish(NamedTuple):
    """What is wished, with all that is in the asker's own words; `kind` is a kind of question that is not published."""

    base: Wish
    follow_up: Question | None
    kind: Question | None

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions, in the order in which they were asked."""
        return tuple(each for each in (self.base.asked, self.follow_up) if each is not None)

    @property
    def classified(self) -> tuple[Question, ...]:
        return self.asked if self.kind is None else (*self.asked, self.kind)

    @property
    def in_distress(self) -> bool:
        return any(each.action == CRISIS for each in self.classified)


def _wished(found: Analysis, options: Any) -> _Wish:
    """The options, checked before anything is asked."""
    follow_up = question_of(options.pop("follow_up", None))
    kind = None if is_published(found.question_type) else question_of(found.question_type)
    return _Wish(Wish(**options).checked(), follow_up, kind)


@dataclass(frozen=True)
class DivinationResult:
    """The reading of a cast with where it comes from; `status` is success, or declined where there is no divination.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业")
    >>> result = read(found, question="我最近换工作是否合适？")
    >>> result.status, result.sign_level == found.sign.level, result.provenance.narrator, result.text[-5:]
    ('success', True, 'rule', '专业意见。')
    """

    reading: DivinationReading
    status: str
    safety: dict[str, str]
    provenance: Provenance
    grounding: GroundingReport
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
    found: Analysis, question: str | Question | None = None, language: str = "zh-Hans"
) -> DivinationReading:
    """The answer of the rules, with the disclaimer; the same cast and question always read the same.

    >>> from bazi_core import liuyao as ly
    >>> narrate(ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("事业"), language="en").conclusion[0].text[:28]
    'The cast gives 下下签 (unfavour'
    """
    return read(found, question=question, language=language).reading


def read(found: Analysis, *, port: ReadingPort | None = None, **options: Unpack[Options]) -> DivinationResult:
    """The reading of a cast and its question.

    Options: question, follow_up (what is asked later about the same cast), language, on_failure, and what the call may
    take. Errors: `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE`, `QUESTION_TOO_LONG`; those of a port only with
    `on_failure="error"`.
    """
    wish = _wished(_analysis(found), dict(options))
    if port is None or wish.in_distress:
        return _without_port(found, wish)
    return _told(found, wish, drive(_steps(found, port, wish), port), port)


async def aread(
    found: Analysis,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[Options],
) -> DivinationResult:
    """The same through an asynchronous port; `wait(awaitable, seconds)` ends what takes too long."""
    wish = _wished(_analysis(found), dict(options))
    if port is None or wish.in_distress:
        return _without_port(found, wish)
    return _told(found, wish, await adrive(_steps(found, port, wish), port, wait), port)


def _analysis(found: Any) -> Analysis:
    """What is read is an analysis, which knows the question; a chart alone does not."""
    if not isinstance(found, Analysis):
        raise InvalidInput(
            f"an Analysis is needed, not {shown(found)[:40]}", hint="chart.analyze(kind of question)",
            given=shown(found)[:40],
        )  # fmt: skip
    return found


def _without_port(found: Analysis, wish: _Wish) -> DivinationResult:
    return _declined(wish) if wish.in_distress else _by_rule(found, wish)


def _steps(found: Analysis, port: object, wish: _Wish) -> Steps:
    request = exchange.build_request(
        found.facts,
        wish.asked,
        language=wish.base.language,
        timeout_s=wish.base.timeout_s,
        max_output_tokens=wish.base.max_output_tokens,
        seed=wish.base.seed,
        model=" ".join(describe(port)),
    )
    price = wish.base.price or price_of(port)
    limits = Limits(request.timeout_s, wish.base.max_cost_per_call, price, wish.base.clock, wish.base.cache)
    return steps(request, found.facts, (), limits, exchange.check_reply)


def _told(found: Analysis, wish: _Wish, outcome: Outcome, port: object) -> DivinationResult:
    name, model = describe(port)
    outcome = outcome._replace(model=outcome.model or model)
    if outcome.error is None:
        assert outcome.report is not None
        reading = outcome.reading.ended(*_closing(found, wish))
        return DivinationResult(reading, "success", _safety(wish), of_call(outcome, name), outcome.report)
    if wish.base.on_failure == "error":
        raise outcome.error
    return _by_rule(found, wish, outcome, name)


def _by_rule(found: Analysis, wish: _Wish, spent: Outcome | None = None, port: str = "") -> DivinationResult:
    """The narrator's reading; `spent` is the call in whose place it stands."""
    last = _closing(found, wish)
    text = "\n".join(each.text for each in wish.asked)
    reading = narrated(found, wish.base.language, text).ended(*last)
    report = check(reading, found.facts, fixed=[each.text for each in last])
    if spent is None:
        return DivinationResult(reading, "success", _safety(wish), Provenance(), report)
    provenance = of_call(spent, port)._replace(
        narrator="rule", fallback_used=True, failure=spent.error.code if spent.error else None
    )
    report = report._replace(verdict="fallback")
    return DivinationResult(reading, "success", _safety(wish), provenance, report, spent.error)


def _declined(wish: _Wish) -> DivinationResult:
    """The answer to somebody in distress: support and where to find help, no divination."""
    said = tuple(
        Item(text) for text in (*crisis_sentences(wish.base.language), disclaimer(wish.base.language))
    )
    keyword = fixed("crisis.keyword", wish.base.language)
    reading = DivinationReading(None, (), (), (), said, (keyword,), wish.base.language)
    report = check(reading, {}, fixed=[each.text for each in said])
    return DivinationResult(reading, "declined", _safety(wish), Provenance(), report)


def _closing(found: Analysis, wish: _Wish) -> tuple[Item, ...]:
    """How an answer ends: whom to ask instead, where the question or its kind calls for it, and the disclaimer."""
    classes = [name for each in wish.classified for name in each.referrals]
    classes += [name for name in (referral_of(found.question_type),) if name]
    instead = [Item(referral(name, wish.base.language)) for name in dict.fromkeys(classes)]
    return (*instead, Item(disclaimer(wish.base.language)))


def _safety(wish: _Wish) -> dict[str, str]:
    """The class of what was asked and how the reading answers; of two questions that of the more serious one."""
    asked = sorted(wish.classified, key=lambda each: (each.action != CRISIS, each.action == "none"))
    if not asked:
        return {"category": "normal", "action": "none"}
    return {"category": asked[0].category, "action": asked[0].action}
