"""t1–t4: chart, pattern, year, reading.

`check` computes all that is deterministic, so that whatever is wrong is said before anything is held or paid; `run` writes
the object, and for t2 and t4 lets the reader tell it. Objects that come in are made again, never believed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from bazi_core.face import Chart
from bazi_core.facts import canonical_json
from bazi_core.pattern.result import PatternResult
from bazi_core.readings import final
from bazi_core.readings.wish import Wish
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES
from bazi_core.tables.words import LANGUAGES
from bazi_core.warnings import BaziWarning
from bazi_core.year.result import YearResult
from bazi_hub.tools import births, rehydrate
from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.compact import compacted
from bazi_hub.tools.context import Context, MeteredResult
from bazi_hub.words.waiting import within

MOST_QUESTION = 500

_OBJECT = {"anyOf": [{"type": "object"}, {"type": "string"}]}
LANGUAGE: dict[str, Any] = {"type": "string", "enum": list(LANGUAGES), "default": "zh-Hans"}
BASE = {**_OBJECT, "description": "Handle or base_context of bazi_basic_analysis, or its whole result."}
PATTERN = {
    **_OBJECT,
    "description": "Handle or pattern_result of bazi_pattern_analysis, or its whole result.",
}
YEAR = {
    **_OBJECT,
    "description": "Handle or year_analysis_result of bigluck_year_analysis, or its whole result.",
}
QUESTION: dict[str, Any] = {
    "type": "string",
    "maxLength": MOST_QUESTION,
    "description": "What the reading should answer.",
}
TONE: dict[str, Any] = {"type": "string", "enum": list(TONES), "default": "neutral"}
DETAIL: dict[str, Any] = {
    "type": "string",
    "enum": ["full", "compact"],
    "description": "compact: few words, with a handle for the next step; the default beside handles, else full.",
}

BASIC: dict[str, Any] = {
    "type": "object",
    "properties": {**births.BIRTH, "language": LANGUAGE, "detail": DETAIL},
    "required": births.REQUIRED,
    "additionalProperties": False,
}
PATTERN_ANALYSIS: dict[str, Any] = {
    "type": "object",
    "description": "Either the birth arguments, all that are required of bazi_basic_analysis, or base_context.",
    "properties": {
        **births.BIRTH,
        "base_context": BASE,
        "question": QUESTION,
        "language": LANGUAGE,
        "tone": TONE,
        "length": {"type": "string", "enum": list(SENTENCES), "default": "short"},
        "detail": DETAIL,
    },
    "additionalProperties": False,
}
YEAR_ANALYSIS: dict[str, Any] = {
    "type": "object",
    "description": "Either base_context and pattern_result, or birth.",
    "properties": {
        "base_context": BASE,
        "pattern_result": PATTERN,
        "birth": {
            "type": "object",
            "description": (
                "In place of both: the arguments of bazi_basic_analysis. That tool and bazi_pattern_analysis are called "
                "first, each at its price; handles name what they made."
            ),
            "properties": births.BIRTH,
            "required": births.REQUIRED,
            "additionalProperties": False,
        },
        "target_year": {
            "type": "integer",
            "minimum": births.YEARS[0],
            "maximum": births.YEARS[1],
            "description": "Not before the birth.",
        },
        "language": LANGUAGE,
        "detail": DETAIL,
    },
    "required": ["target_year"],
    "additionalProperties": False,
}
FORTUNE_EVAL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "year_analysis_result": YEAR,
        "pattern_result": PATTERN,
        "question": QUESTION,
        "language": LANGUAGE,
        "tone": TONE,
        "length": {"type": "string", "enum": list(SENTENCES), "default": "standard"},
        "detail": DETAIL,
    },
    "required": ["year_analysis_result", "pattern_result"],
    "additionalProperties": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeteredJob:
    """A metered call that was found right: what tells it from others, and its objects. `asks` says whether the reader
    would be asked at all; `limited`: nobody pays for it, so there are no more of these a day than of failed readings;
    `compact`: the result is wished in few words; `birth` stands in place of objects that have to be made first."""

    fingerprint: dict[str, Any]
    subject: Any
    wish: Wish = field(default_factory=Wish)
    own_warnings: tuple[BaziWarning, ...] = ()
    asks: bool = False
    limited: bool = False
    compact: bool = False
    birth: dict[str, Any] | None = None


# What is called first where a birth is given, in order, with the argument that it makes.
PARENTS = {"base_context": "bazi_basic_analysis", "pattern_result": "bazi_pattern_analysis"}


def basic(given: ArgumentReader) -> MeteredJob:
    """The chart of t1."""
    chart = births.chart(given)
    return MeteredJob(given.settled(), chart, _told_in(given), compact=given["detail"] == "compact")


async def basic_analysis(job: MeteredJob, context: Context) -> MeteredResult:
    return MeteredResult(await context.compute(lambda: _written("base_context", job, context)))


def pattern(given: ArgumentReader) -> MeteredJob:
    """The pattern of t2, from birth arguments, a `base_context`, or both of the same chart."""
    born = base = None
    # Beside a chart an hour that is null is left out, not unknown.
    if "base_context" not in given or any(given[name] is not None for name in births.BIRTH):
        given.require(births.REQUIRED, births.BIRTH)
        born = births.chart(given)
    if "base_context" in given:
        base = given.find(rehydrate.base, given["base_context"])
    if born is not None and base is not None:
        given.find(rehydrate.same_chart, born, base, "base_context")
    result = given.find(_pattern, born or base)
    arguments = given.settled()
    wish = _wished(arguments, "short")
    return MeteredJob(
        rehydrate.sources(arguments),
        result,
        wish,
        asks=not (wish.is_declined or wish.is_set_aside),
        limited=wish.is_set_aside,
        compact=given["detail"] == "compact",
    )


def _wished(arguments: dict[str, Any], length: str) -> Wish:
    """The wish of these arguments; `length` where none is named."""
    return Wish(
        question=arguments.get("question"),
        language=arguments.get("language", "zh-Hans"),
        tone=arguments.get("tone", "neutral"),
        length=arguments.get("length", length),
    ).checked()


def _pattern(chart: Chart) -> PatternResult:
    return replace(chart.pattern(), own_warnings=rehydrate.recomputed(chart))


async def pattern_analysis(job: MeteredJob, context: Context) -> MeteredResult:
    result: PatternResult = job.subject
    wish = job.wish
    port = context.hub.reader_for(context.caller.account_id) if job.asks else None
    if port is None:
        options = wish._asdict() | {"as_of": _today(context)}
        told = await context.compute(lambda: final.read_pattern(result, **options))
    else:
        context.tell("reading")
        told = await final.aread_pattern(
            result, port=port, wait=within,
            **_options(context, wish, "bazi_pattern_analysis") | {"as_of": _today(context)},
        )  # fmt: skip
    text = await context.compute(lambda: _pattern_text(final.told(result, told), job, context))
    return _charged(text, wish, told.provenance.fallback_used)


def _charged(text: str, wish: Wish, fallback: bool) -> MeteredResult:
    """A reading as it is charged: one that the rules wrote in place of the reader, and one that answers no question that was
    asked, cost nothing.
    """
    free = fallback or wish.is_declined or wish.is_set_aside
    return MeteredResult(text, free=free, uncharged=fallback or wish.is_set_aside)


def _pattern_text(result: PatternResult, job: MeteredJob, context: Context) -> str:
    whole = result.to_dict(not job.compact, job.wish.language)
    if job.compact:
        return compacted("pattern_result", whole, context.call_id)
    return _wrapped("pattern_result", canonical_json(whole))


def year(given: ArgumentReader) -> MeteredJob:
    """The year of t3; from a birth only what is asked for, since its parents have to be made first."""
    if "birth" in given:
        if PARENTS.keys() & given.arguments.keys():
            given.refuse("birth", "Expected birth, or base_context and pattern_result: not both")
        chart = given.find(births.chart_within, "birth", given["birth"])
        result = given.find(Chart.year, chart, given["target_year"])
        arguments = given.settled()
        return MeteredJob(arguments, result, _told_in(given), birth=arguments["birth"])
    for member, tool in PARENTS.items():
        if member not in given:
            given.refuse(
                member, f"Required: use what {tool} answered, or its handle; or give birth in place of both"
            )
    chart = given.find(rehydrate.base, given["base_context"])
    other = given.find(rehydrate.pattern, given["pattern_result"])
    given.find(
        lambda chart, other: rehydrate.same_chart(chart, other.made.chart, "pattern_result"), chart, other
    )
    result = given.find(Chart.year, chart, given["target_year"])
    arguments = given.settled()
    warnings = (*rehydrate.recomputed(chart), *other.own_warnings)
    result = replace(result, own_warnings=warnings)
    in_few = given["detail"] == "compact"
    return MeteredJob(rehydrate.sources(arguments), result, _told_in(given), compact=in_few)


async def year_analysis(job: MeteredJob, context: Context) -> MeteredResult:
    return MeteredResult(await context.compute(lambda: _written("year_analysis_result", job, context)))


def evaluation(given: ArgumentReader) -> MeteredJob:
    """The year and the wish of t4."""
    analysis = given.find(rehydrate.year, given["year_analysis_result"])
    other = given.find(rehydrate.pattern, given["pattern_result"])
    given.find(
        lambda one, other: rehydrate.same_chart(one.made.pattern.chart, other.made.chart, "pattern_result"),
        analysis,
        other,
    )
    arguments = given.settled()
    wish = _wished(arguments, "standard")
    # Somebody in distress, or who asks about death or what no chart answers, is told at once, and no model is asked.
    warnings = (*analysis.own_warnings, *other.own_warnings)
    return MeteredJob(
        rehydrate.sources(arguments),
        analysis.made,
        wish,
        warnings,
        asks=not (wish.is_declined or wish.is_set_aside),
        limited=wish.is_set_aside,
        compact=given["detail"] == "compact",
    )


async def fortune_eval(job: MeteredJob, context: Context) -> MeteredResult:
    result: YearResult = job.subject
    wish = job.wish
    port = context.hub.reader_for(context.caller.account_id) if job.asks else None
    if port is None:
        options = wish._asdict()
        read = await context.compute(lambda: final.read(result, warnings=job.own_warnings, **options))
    else:
        context.tell("reading")
        read = await final.aread(
            result, port=port, wait=within, warnings=job.own_warnings,
            **_options(context, wish, "bigluck_year_fortune_eval"),
        )  # fmt: skip
    text = await context.compute(lambda: _final_text(read, job))
    return _charged(text, wish, read.provenance.fallback_used)


def _told_in(given: ArgumentReader) -> Wish:
    """The wish of whoever wants an object alone, with its words in a language."""
    return Wish(language=given["language"] or "zh-Hans")


def _options(context: Context, wish: Wish, tool: str) -> dict[str, Any]:
    """The options of a reading by a model: those that were wished, and the limits of the hub."""
    settings = context.hub.settings
    limits = {
        "on_failure": settings.llm_fallback,
        "timeout_s": settings.deadlines_s[tool],
        "max_cost_per_call": settings.llm_max_cost,
        "clock": context.hub.clock.monotonic,
    }
    return {**wish._asdict(), **limits}


def _today(context: Context) -> date:
    """The day of the call, at which the life of a chart is looked at."""
    return datetime.fromtimestamp(context.hub.clock.now_ms() / 1000, UTC).date()


def _written(name: str, job: MeteredJob, context: Context) -> str:
    """The result with a chart or a year, as JSON."""
    language = job.wish.language
    if job.compact:
        return compacted(name, job.subject.to_dict(False, language), context.call_id)
    return _wrapped(name, job.subject.to_json(lang=language))


def _final_text(read: final.FinalResult, job: MeteredJob) -> str:
    # Nothing follows a reading that would need its handle.
    if job.compact:
        return compacted("final_result", read.to_dict(), None)
    return _wrapped("final_result", canonical_json(read.to_dict()))


def _wrapped(name: str, text: str) -> str:
    return f'{{"{name}":{text}}}'
