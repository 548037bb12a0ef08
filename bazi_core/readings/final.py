"""`final_result`: the reading of a year, with its score and where it comes from; and the reading of a pattern.

The score is that of the year, never a model's. A question chooses what is left out and may end the divination; it
changes no fact. With a port a model writes and the checker decides; without one, or when it fails, the rules write.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.errors import DigestMismatch
from bazi_core.facts import SCHEMA_VERSION, closure
from bazi_core.facts import digest as digest_of
from bazi_core.readings.drivers import Limits, adrive, describe, drive, price_of, steps
from bazi_core.readings.requests import TIMEOUTS_S, build_request, facts_of, required_of, task_of
from bazi_core.readings.safety import disclaimer
from bazi_core.readings.telling import Told, by_model, by_rule, in_distress
from bazi_core.readings.wish import CRISIS, Wish

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from typing import TypedDict, Unpack

    from bazi_core.doubts import Doubt
    from bazi_core.facts import Fact
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.drivers import Outcome, Steps, Wait
    from bazi_core.readings.grounding import GroundingReport
    from bazi_core.readings.port import AsyncReadingPort, Price, ReadingPort
    from bazi_core.readings.question import Question
    from bazi_core.readings.reading import Reading
    from bazi_core.readings.telling import Provenance
    from bazi_core.year.result import YearResult

    class Options(TypedDict, total=False):
        """The keyword arguments of `read` and its kin; see `Wish`."""

        question: str | Question | None
        language: str
        tone: str
        length: str
        on_failure: str
        timeout_s: float | None
        max_output_tokens: int | None
        seed: int | None
        max_cost_per_call: float | None
        price: Price | None
        clock: Callable[[], float]
        cache: MutableMapping[str, str] | None


@dataclass(frozen=True)
class FinalResult:
    """The reading of a year.

    >>> import bazi_core as bz
    >>> result = read(bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026))
    >>> result.score == result.year.scores.overall, result.provenance.narrator, result.narrative[-5:]
    (True, 'rule', '专业意见。')
    """

    year: YearResult = field(repr=False)
    question: Question | None = field(repr=False)
    language: str
    tone: str
    length: str
    told: Told = field(repr=False)
    doubts: tuple[Doubt, ...] = ()

    @property
    def pattern(self) -> PatternResult:
        return self.year.pattern

    @property
    def score(self) -> int:
        """The overall score of the year, 0 to 100."""
        return self.year.scores.overall

    @property
    def level(self) -> str | None:
        """上上 中上 中平 中下 下下; None where there is no divination."""
        return None if self.safety["action"] == CRISIS else self.year.level

    @property
    def sign(self) -> str | None:
        """上上签 中上签 中下签 下下签; None where there is no divination."""
        return None if self.safety["action"] == CRISIS else self.year.sign

    @property
    def narrative(self) -> str:
        """The reading as one text, the disclaimer last."""
        return self.told.narrative

    @property
    def reading(self) -> Reading:
        return self.told.reading

    @property
    def provenance(self) -> Provenance:
        return self.told.provenance

    @property
    def grounding(self) -> GroundingReport:
        return self.told.grounding

    @property
    def safety(self) -> dict[str, str]:
        """The class of the question and how it was answered."""
        if self.question is None:
            return {"category": "normal", "action": "none"}
        return {"category": self.question.category, "action": self.question.action}

    @property
    def warnings(self) -> tuple[Doubt, ...]:
        return (*self.doubts, *self.year.warnings)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts that the reading cites, with all that they rest on."""
        return closure(self.told.cited, self.year.all_facts)

    @cached_property
    def digest(self) -> str:
        return digest_of(self._content())

    def to_dict(self, facts: bool = True) -> dict[str, Any]:
        """`final_result`, JSON-ready; without `facts` the digest is still that of the whole object."""
        whole = self._content()
        whole["digest"] = self.digest
        whole["warnings"] = [doubt.to_dict(self.language) for doubt in self.warnings]
        if not facts:
            del whole["facts"]
        return whole

    def to_json(self, facts: bool = True, indent: int | None = None) -> str:
        """`final_result` as JSON text."""
        import json

        return json.dumps(self.to_dict(facts), ensure_ascii=False, indent=indent)

    def _content(self) -> dict[str, Any]:
        told = self.told.to_dict()
        return {
            "schema_version": SCHEMA_VERSION,
            **self.year.head(),
            "year_digest": self.year.digest,
            "pattern_digest": self.pattern.digest,
            "target_year": self.year.target_year,
            "language": self.language,
            "tone": self.tone,
            "length": self.length,
            "score": self.score,
            "level": self.level,
            "sign": self.sign,
            "narrative": told["narrative"],
            "reading": told["reading"],
            "disclaimer": disclaimer(self.language),
            "safety": self.safety,
            "provenance": told["provenance"],
            "grounding": self.grounding.to_dict(),
            "facts": {name: fact.to_dict() for name, fact in self.facts.items()},
        }


def read(
    year: YearResult,
    pattern: PatternResult | None = None,
    *,
    port: ReadingPort | None = None,
    doubts: tuple[Doubt, ...] = (),
    **options: Unpack[Options],
) -> FinalResult:
    """The reading of a year: by the rules, or by a port whose text passed the check.

    Options are the fields of `Wish`. Errors: `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE`, `QUESTION_TOO_LONG`,
    `DIGEST_MISMATCH` for a pattern of another chart; those of a port only with `on_failure="error"`.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> read(year, question="今年适合换工作吗？", length="short").safety
    {'category': 'normal', 'action': 'none'}
    """
    _same_chart(year, pattern)
    wish = Wish(**options).checked()
    return _final(year, wish, _tell(year, port, wish), doubts)


async def aread(
    year: YearResult,
    pattern: PatternResult | None = None,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    doubts: tuple[Doubt, ...] = (),
    **options: Unpack[Options],
) -> FinalResult:
    """The same through an asynchronous port; `wait(awaitable, seconds)` ends what takes too long."""
    _same_chart(year, pattern)
    wish = Wish(**options).checked()
    return _final(year, wish, await _atell(year, port, wish, wait), doubts)


def read_pattern(
    result: PatternResult, *, port: ReadingPort | None = None, **options: Unpack[Options]
) -> Told:
    """The reading of a pattern; `told(result, …).to_dict()` puts it into the object.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> read_pattern(result, language="en", length="short").provenance.narrator
    'rule'
    """
    return _tell(result, port, Wish(**options).checked())


async def aread_pattern(
    result: PatternResult,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[Options],
) -> Told:
    """The same through an asynchronous port."""
    return await _atell(result, port, Wish(**options).checked(), wait)


def told(result: PatternResult, reading: Told) -> PatternResult:
    """The pattern result that holds this reading in place of the narrator's."""
    from dataclasses import replace
    from functools import partial

    return replace(result, teller=partial(_retold, reading))


def _retold(reading: Told, result: PatternResult, language: str) -> dict[str, Any]:
    return reading.to_dict()


def _tell(result: Any, port: ReadingPort | None, wish: Wish) -> Told:
    if port is None or wish.in_distress:
        return _without_port(result, wish)
    return _told(result, wish, drive(_steps(result, port, wish), port), port)


async def _atell(result: Any, port: AsyncReadingPort | None, wish: Wish, wait: Wait | None) -> Told:
    if port is None or wish.in_distress:
        return _without_port(result, wish)
    return _told(result, wish, await adrive(_steps(result, port, wish), port, wait), port)


def _without_port(result: Any, wish: Wish) -> Told:
    if wish.in_distress:
        return in_distress(wish.language)
    return by_rule(result, wish.asked, wish.language, wish.tone, wish.length)


def _steps(result: Any, port: object, wish: Wish) -> Steps:
    request = build_request(
        result,
        question=wish.asked,
        language=wish.language,
        tone=wish.tone,
        length=wish.length,
        timeout_s=wish.timeout_s,
        max_output_tokens=wish.max_output_tokens,
        seed=wish.seed,
        model=" ".join(describe(port)),
    )
    price = wish.price or price_of(port)
    timeout_s = TIMEOUTS_S[task_of(result)] if wish.timeout_s is None else wish.timeout_s
    limits = Limits(timeout_s, wish.max_cost_per_call, price, wish.clock, wish.cache)
    left_out = wish.asked.left_out if wish.asked else frozenset[str]()
    return steps(request, facts_of(result, left_out), required_of(result, left_out), limits)


def _told(result: Any, wish: Wish, outcome: Outcome, port: object) -> Told:
    name, model = describe(port)
    outcome = outcome._replace(model=outcome.model or model)
    if outcome.error is None:
        return by_model(outcome, name, wish.asked, wish.language)
    if wish.on_failure == "error":
        raise outcome.error
    return by_rule(result, wish.asked, wish.language, wish.tone, wish.length, (outcome, name))


def _final(year: YearResult, wish: Wish, reading: Told, doubts: tuple[Doubt, ...]) -> FinalResult:
    return FinalResult(year, wish.asked, wish.language, wish.tone, wish.length, reading, doubts)


def _same_chart(year: YearResult, pattern: PatternResult | None) -> None:
    if pattern is None or pattern is year.pattern or pattern == year.pattern:
        return
    raise DigestMismatch(
        "the pattern is of another chart than the year",
        path="pattern_digest",
        expected=year.pattern.digest,
        found=pattern.digest,
    )
