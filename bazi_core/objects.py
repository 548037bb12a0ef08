"""Objects by value or as JSON: `pattern_of`, `year_of`, `years`, and the readings of charts, of years and of casts.

A content hash is no signature, so an object given as JSON is recomputed from its `input`, `school` and
`target_year` and then compared (`readings.parents`). Objects of this process are frozen and taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, overload

from bazi_core.errors import BirthRequired, InvalidInput, shown
from bazi_core.face import Chart, recast
from bazi_core.pattern.result import PatternResult
from bazi_core.readings import final
from bazi_core.readings.parents import compared, of_one_chart, opened
from bazi_core.school import School
from bazi_core.tables.sentences import Said
from bazi_core.year.result import YearResult, analyse
from bazi_core.year.span import YearsResult, side_by_side

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from bazi_core.model.call_loop import Wait
    from bazi_core.model.port import AsyncReadingPort, ReadingPort
    from bazi_core.readings.final import FinalResult
    from bazi_core.readings.result import NarratedReading
    from bazi_core.readings.wish import ReadingOptions
    from bazi_core.warnings import BaziWarning


class Parents(NamedTuple):
    """A year and its pattern, with a warning for each computed by another engine."""

    year: YearResult
    pattern: PatternResult
    own_warnings: tuple[BaziWarning, ...] = ()


def pattern_of(given: PatternResult | Mapping[str, Any]) -> tuple[PatternResult, tuple[BaziWarning, ...]]:
    """A pattern result, recomputed if it is JSON.

    >>> import bazi_core as bz
    >>> pattern = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> again, warnings = pattern_of(pattern.to_dict(facts=False))
    >>> again == pattern, warnings
    (True, ())
    """
    if isinstance(given, PatternResult):
        return given, ()
    data = opened(given, "pattern_result")
    result = _chart(data, "pattern_result").pattern()
    return result, compared(data, "pattern_result", result.chart.head()["engine_version"], result.digest)


def year_of(given: YearResult | Mapping[str, Any]) -> tuple[YearResult, tuple[BaziWarning, ...]]:
    """A year, recomputed if it is JSON; errors as those of a chart and of a year."""
    if isinstance(given, YearResult):
        return given, ()
    data = opened(given, "year_analysis_result")
    result = analyse(_chart(data, "year_analysis_result").pattern(), data.get("target_year"))  # type: ignore[arg-type]
    return result, compared(data, "year_analysis_result", result.head()["engine_version"], result.digest)


def years(of: Chart | PatternResult, first: int, last: int) -> YearsResult:
    """The years from the first to the last of a chart side by side; errors as those of `Chart.years`.

    >>> import bazi_core as bz
    >>> span = years(bz.chart("1990-05-15 13:30", city="北京", gender="male"), 2026, 2035)
    >>> [(band.cycle.pillar.value, band.start.date().isoformat()) for band in span.bands]
    [('甲申', '2026-02-03'), ('乙酉', '2027-08-16')]
    """
    if not isinstance(of, (Chart, PatternResult)):
        raise InvalidInput(Said("years_of", given=shown(of)), path="chart")
    return side_by_side(of if isinstance(of, PatternResult) else of.pattern(), first, last)


def parents(
    year: YearResult | Mapping[str, Any], pattern: PatternResult | Mapping[str, Any] | None = None
) -> Parents:
    """Both parents of a final result; `DIGEST_MISMATCH` when they are of different input or School."""
    analysed, warnings = year_of(year)
    if pattern is None:
        return Parents(analysed, analysed.pattern, warnings)
    other, more = pattern_of(pattern)
    of_one_chart(analysed.pattern.chart.head(), other.chart.head(), "pattern_result")
    return Parents(analysed, other, (*warnings, *more))


@overload
def read(
    of: Chart | PatternResult | YearsResult,
    *,
    port: ReadingPort | None = ...,
    **options: Unpack[ReadingOptions],
) -> NarratedReading: ...
@overload
def read(
    of: YearResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = ...,
    *,
    port: ReadingPort | None = ...,
    **options: Unpack[ReadingOptions],
) -> FinalResult: ...
def read(
    of: Chart | PatternResult | YearResult | YearsResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = None,
    *,
    port: ReadingPort | None = None,
    **options: Unpack[ReadingOptions],
) -> NarratedReading | FinalResult:
    """The reading of a chart, of years side by side, or of a year, which is a `final_result`.

    Without a port the rules write it; options are the fields of `Wish`.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> read(chart, question="我适合什么行业？", length="short").provenance.narrator
    'rule'
    >>> result = read(chart.year(2026), chart.pattern(), question="今年适合换工作吗？", length="short")
    >>> result.score == result.year.scores.overall, result.safety["action"]
    (True, 'none')
    """
    if isinstance(of, YearsResult):
        return final.read_years(_alone(of, pattern), port=port, **options)
    natal = _natal(of, pattern)
    if natal is not None:
        return final.read_pattern(natal, port=port, **options)
    both = parents(_readable(of), pattern)
    return final.read(both.year, port=port, warnings=both.own_warnings, **options)


@overload
async def aread(
    of: Chart | PatternResult | YearsResult,
    *,
    port: AsyncReadingPort | None = ...,
    wait: Wait | None = ...,
    **options: Unpack[ReadingOptions],
) -> NarratedReading: ...
@overload
async def aread(
    of: YearResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = ...,
    *,
    port: AsyncReadingPort | None = ...,
    wait: Wait | None = ...,
    **options: Unpack[ReadingOptions],
) -> FinalResult: ...
async def aread(
    of: Chart | PatternResult | YearResult | YearsResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = None,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[ReadingOptions],
) -> NarratedReading | FinalResult:
    """`read` through an asynchronous port; `wait(awaitable, seconds)` enforces the timeout."""
    if isinstance(of, YearsResult):
        return await final.aread_years(_alone(of, pattern), port=port, wait=wait, **options)
    natal = _natal(of, pattern)
    if natal is not None:
        return await final.aread_pattern(natal, port=port, wait=wait, **options)
    both = parents(_readable(of), pattern)
    return await final.aread(both.year, port=port, wait=wait, warnings=both.own_warnings, **options)


def _alone(of: YearsResult, pattern: object) -> YearsResult:
    """The years, which have their pattern with them."""
    if pattern is not None:
        raise InvalidInput(Said("read_pattern_beside"))
    return of


def _natal(of: object, pattern: object) -> PatternResult | None:
    """The pattern of a chart that is to be read itself; None for a year."""
    if not isinstance(of, (Chart, PatternResult)):
        return None
    if pattern is not None:
        raise InvalidInput(Said("read_pattern_beside"))
    result = of.pattern() if isinstance(of, Chart) else of
    if result.gender is None:
        raise BirthRequired(Said("reading_gender"), hint=Said("year_needs_gender"), missing=["gender"])
    return result


def _readable(of: Any) -> YearResult | Mapping[str, Any]:
    """A year by value or as JSON; `INVALID_INPUT`, which lists readable values, for anything else."""
    if isinstance(of, (YearResult, dict)):
        return of
    raise InvalidInput(
        Said("read_nothing", given=shown(of)), hint=Said("read_what"), path="year_analysis_result"
    )


def _chart(data: Mapping[str, Any], name: str) -> Chart:
    if not isinstance(data.get("input"), dict):
        raise InvalidInput(Said("named_no_input", name=name), path=f"{name}.input")
    return recast(data["input"], School.from_dict(data.get("school", {})))
