"""`final_result`: the reading of a year, with its score and provenance; and the reading of a pattern.

The score is that of the year, never a model's. A question selects statements and may end the divination; it changes no
fact. With a port a model chooses among the statements; without one, or if it fails, the rules choose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.errors import DigestMismatch
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.facts import digest as digest_of
from bazi_core.questions.question import DECLINED
from bazi_core.questions.safety import disclaimer
from bazi_core.readings.offer import PATTERN, YEAR, YEARS
from bazi_core.readings.result import atell, by_rule, tell
from bazi_core.readings.sight import asked_of, beside, in_sight
from bazi_core.readings.wish import Wish
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.statements.years import years_plan
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from bazi_core.facts import Fact
    from bazi_core.luck.running import Running
    from bazi_core.luck.years import Age
    from bazi_core.model.call_loop import Wait
    from bazi_core.model.port import AsyncReadingPort, ReadingPort
    from bazi_core.pattern.result import PatternResult
    from bazi_core.questions.question import Question
    from bazi_core.readings.grounding import Grounding
    from bazi_core.readings.offer import Replan
    from bazi_core.readings.result import NarratedReading, Provenance
    from bazi_core.readings.wish import ReadingOptions
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Reading
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.warnings import BaziWarning
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult


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
    told: NarratedReading = field(repr=False)
    own_warnings: tuple[BaziWarning, ...] = ()

    def __str__(self) -> str:
        return self.narrative

    @property
    def pattern(self) -> PatternResult:
        return self.year.pattern

    @property
    def score(self) -> int | None:
        """The overall score of the year, 0 to 100; None where there is no divination."""
        return None if self.safety["action"] in DECLINED else self.year.scores.overall

    @property
    def level(self) -> str | None:
        """上上 中上 中平 中下 下下; None where there is no divination."""
        return None if self.safety["action"] in DECLINED else self.year.level

    @property
    def sign(self) -> str | None:
        """上上签 中上签 中下签 下下签; None where there is no divination."""
        return None if self.safety["action"] in DECLINED else self.year.sign

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
    def grounding(self) -> Grounding:
        return self.told.grounding

    @property
    def safety(self) -> dict[str, str]:
        """The class of the question and how it was answered."""
        if self.question is None:
            return {"category": "normal", "action": "none"}
        return {"category": self.question.category, "action": self.question.action}

    @property
    def warnings(self) -> tuple[BaziWarning, ...]:
        return (*self.own_warnings, *self.year.warnings)

    @property
    def facts(self) -> dict[str, Fact]:
        """The facts that the reading cites, with all that they rest on."""
        return self.told.facts

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
        """`final_result` as JSON text; without `indent` the canonical one."""
        from bazi_core.facts import json_text

        return json_text(self.to_dict(facts), indent)

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
    warnings: tuple[BaziWarning, ...] = (),
    **options: Unpack[ReadingOptions],
) -> FinalResult:
    """The reading of a year: by the rules, or from statements chosen through a port.

    Options are the fields of `Wish`. Errors: `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE`, `QUESTION_TOO_LONG`,
    `DIGEST_MISMATCH` for a pattern of another chart; those of a port only with `on_failure="error"`.

    >>> import bazi_core as bz
    >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
    >>> read(year, question="今年适合换工作吗？", length="short").safety
    {'category': 'normal', 'action': 'none'}
    """
    _same_chart(year, pattern)
    wish = Wish.of(options)
    return _final(
        year, wish, tell(_year_plan(year, wish), wish, port, YEAR, _replan(_year_plan, year, wish)), warnings
    )


async def aread(
    year: YearResult,
    pattern: PatternResult | None = None,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    warnings: tuple[BaziWarning, ...] = (),
    **options: Unpack[ReadingOptions],
) -> FinalResult:
    """`read` through an asynchronous port; `wait(awaitable, seconds)` enforces the timeout."""
    _same_chart(year, pattern)
    wish = Wish.of(options)
    again = _replan(_year_plan, year, wish)
    return _final(year, wish, await atell(_year_plan(year, wish), wish, port, YEAR, wait, again), warnings)


def read_pattern(
    result: PatternResult, *, port: ReadingPort | None = None, **options: Unpack[ReadingOptions]
) -> NarratedReading:
    """The reading of a pattern; `told(result, …).to_dict()` puts it into the object.

    >>> import bazi_core as bz
    >>> result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> read_pattern(result, language="en", length="short").provenance.narrator
    'rule'
    """
    wish = Wish.of(options)
    running = _running(result, wish)
    again = _replan(_pattern_plan, result, wish, running)
    return _dated(tell(_pattern_plan(result, wish, running), wish, port, PATTERN, again), running)


async def aread_pattern(
    result: PatternResult,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[ReadingOptions],
) -> NarratedReading:
    """`read_pattern` through an asynchronous port."""
    wish = Wish.of(options)
    running = _running(result, wish)
    again = _replan(_pattern_plan, result, wish, running)
    reading = await atell(_pattern_plan(result, wish, running), wish, port, PATTERN, wait, again)
    return _dated(reading, running)


def read_years(
    span: YearsResult, *, port: ReadingPort | None = None, **options: Unpack[ReadingOptions]
) -> NarratedReading:
    """The reading of years side by side: their ranking with reasons, and the topic of each year.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> read_years(span, question="2026年还是2027年换工作好？").reading.summary[0].statement
    'answer.years.pair.good'
    """
    wish = Wish.of(options)
    return tell(_years_plan(span, wish), wish, port, YEARS, _replan(_years_plan, span, wish))


async def aread_years(
    span: YearsResult,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[ReadingOptions],
) -> NarratedReading:
    """`read_years` through an asynchronous port."""
    wish = Wish.of(options)
    again = _replan(_years_plan, span, wish)
    return await atell(_years_plan(span, wish), wish, port, YEARS, wait, again)


def teller(result: PatternResult, language: str) -> dict[str, Any]:
    """The default reading of a pattern result, JSON-ready: by the rules, short."""
    return by_rule(pattern_plan(result), Wish(language=language, length="short")).to_dict()


def told(result: PatternResult, reading: NarratedReading) -> PatternResult:
    """The pattern result that holds this reading in place of the narrator's."""
    from dataclasses import replace

    return replace(result, reading=reading.to_dict())


def _running(result: PatternResult, wish: Wish) -> Running | None:
    return None if wish.as_of is None else result.chart.running(wish.as_of)


def _replan(make: Callable[..., Plan], *given: Any) -> Replan:
    """A function that gives the plan for another domain and kind of the question; its class stays the same."""
    return lambda domain, kind: make(*given, (domain, kind))


def _pattern_plan(
    result: PatternResult, wish: Wish, running: Running | None, about: tuple[str, str] | None = None
) -> Plan:
    asked = _asked(wish, result, running, 0, about, None if running is None else running.ages)
    answered = [(each, in_sight(result, each, running)) for each in asked]
    if not answered:
        return pattern_plan(result, _left_out(wish), running)
    return pattern_plan(result, _left_out(wish), running, *answered[0], answered[1:])


def _asked(
    wish: Wish,
    result: PatternResult,
    running: Running | None,
    first: int,
    about: tuple[str, str] | None,
    age: Age | None,
    given: int = 0,
) -> list[Asked]:
    """What the parts of the question ask on the day of `running`, or, without one, as if the present year were `first`;
    `about` is of the first part. Nothing without a question, or for one that is not for a chart to answer."""
    question = wish.asked
    if question is None or question.is_declined:
        return []
    if running is None:
        day: dict[str, Any] = {"this_year": first, "assumed": True, "age": age}
    else:
        day = {"this_year": running.year, "age": running.ages or age}
    after = None if running is None else running.at
    born = result.chart.birth.civil.date() if result.chart.birth else None
    return [
        asked_of(part, about=None if number else about, given=given, born=born, **day)._replace(after=after)
        for number, part in enumerate(question.parts)
    ]


def _year_plan(year: YearResult, wish: Wish, about: tuple[str, str] | None = None) -> Plan:
    running = _running(year.pattern, wish)
    asked = _asked(wish, year.pattern, running, year.target_year, about, year.age, year.target_year)
    answered, after = [(each, beside(year, each)) for each in asked], running.at if running else None
    if not answered:
        return year_plan(year, _left_out(wish), after=after)
    return year_plan(year, _left_out(wish), *answered[0], after, answered[1:])


def _years_plan(span: YearsResult, wish: Wish, about: tuple[str, str] | None = None) -> Plan:
    running = _running(span.pattern, wish)
    asked = _asked(wish, span.pattern, running, span.first, about, span.years[0].age)
    return years_plan(span, _left_out(wish), asked[0] if asked else None)


def _left_out(wish: Wish) -> frozenset[str]:
    return wish.asked.left_out if wish.asked else frozenset()


def _dated(reading: NarratedReading, running: Running | None) -> NarratedReading:
    """The reading with its `as_of` day, on the clock of the birth."""
    return reading if running is None else reading._replace(as_of=running.on.isoformat())


def _final(
    year: YearResult, wish: Wish, reading: NarratedReading, warnings: tuple[BaziWarning, ...]
) -> FinalResult:
    return FinalResult(year, wish.asked, wish.language, wish.tone, wish.length, reading, warnings)


def _same_chart(year: YearResult, pattern: PatternResult | None) -> None:
    if pattern is None or pattern is year.pattern or pattern == year.pattern:
        return
    raise DigestMismatch(
        Said("digest_pattern"),
        path="pattern_digest",
        expected=year.pattern.digest,
        found=pattern.digest,
    )
