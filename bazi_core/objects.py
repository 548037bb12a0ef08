"""Objects by value or as JSON: `pattern_of`, `year_of`, and the readings of what comes in either form.

A content hash is no signature, so an object that comes in as JSON is made again from its `input`, `school` and
`target_year` and only then compared (`readings.parents`). Objects of this process are frozen and taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.chart import Chart, recast
from bazi_core.errors import InvalidInput
from bazi_core.pattern.result import PatternResult
from bazi_core.readings import final
from bazi_core.readings.parents import compared, of_one_chart, opened
from bazi_core.school import School
from bazi_core.year.result import YearResult, analyse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from bazi_core.doubts import Doubt
    from bazi_core.readings.drivers import Wait
    from bazi_core.readings.final import FinalResult, Options
    from bazi_core.readings.port import AsyncReadingPort, ReadingPort


class Parents(NamedTuple):
    """A year and its pattern, with a warning for each that came from another engine."""

    year: YearResult
    pattern: PatternResult
    doubts: tuple[Doubt, ...] = ()


def pattern_of(given: PatternResult | Mapping[str, Any]) -> tuple[PatternResult, tuple[Doubt, ...]]:
    """A pattern result, made again if it comes as JSON.

    >>> import bazi_core as bz
    >>> pattern = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    >>> again, doubts = pattern_of(pattern.to_dict(facts=False))
    >>> again == pattern, doubts
    (True, ())
    """
    if isinstance(given, PatternResult):
        return given, ()
    data = opened(given, "pattern_result")
    made = _chart(data, "pattern_result").pattern()
    return made, compared(data, "pattern_result", made.chart.head()["engine_version"], made.digest)


def year_of(given: YearResult | Mapping[str, Any]) -> tuple[YearResult, tuple[Doubt, ...]]:
    """A year, made again if it comes as JSON; errors as those of a chart and of a year."""
    if isinstance(given, YearResult):
        return given, ()
    data = opened(given, "year_analysis_result")
    made = analyse(_chart(data, "year_analysis_result").pattern(), data.get("target_year"))  # type: ignore[arg-type]
    return made, compared(data, "year_analysis_result", made.head()["engine_version"], made.digest)


def parents(
    year: YearResult | Mapping[str, Any], pattern: PatternResult | Mapping[str, Any] | None = None
) -> Parents:
    """Both parents of a final result; `DIGEST_MISMATCH` when they are of different input or School."""
    made, doubts = year_of(year)
    if pattern is None:
        return Parents(made, made.pattern, doubts)
    other, more = pattern_of(pattern)
    of_one_chart(made.pattern.chart.head(), other.chart.head(), "pattern_result")
    return Parents(made, other, (*doubts, *more))


def read(
    year: YearResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = None,
    *,
    port: ReadingPort | None = None,
    **options: Unpack[Options],
) -> FinalResult:
    """The reading of a year: `final_result`. Without a port the rules write it; options are the fields of `Wish`.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> result = read(chart.year(2026), chart.pattern(), question="今年适合换工作吗？", length="short")
    >>> result.score == result.year.scores.overall, result.safety["action"]
    (True, 'none')
    """
    found = parents(year, pattern)
    return final.read(found.year, port=port, doubts=found.doubts, **options)


async def aread(
    year: YearResult | Mapping[str, Any],
    pattern: PatternResult | Mapping[str, Any] | None = None,
    *,
    port: AsyncReadingPort | None = None,
    wait: Wait | None = None,
    **options: Unpack[Options],
) -> FinalResult:
    """The same through an asynchronous port; `wait(awaitable, seconds)` ends what takes too long."""
    found = parents(year, pattern)
    return await final.aread(found.year, port=port, wait=wait, doubts=found.doubts, **options)


def _chart(data: Mapping[str, Any], name: str) -> Chart:
    if not isinstance(data.get("input"), dict):
        raise InvalidInput(f"{name} has no input", path=f"{name}.input")
    return recast(data["input"], School.from_dict(data.get("school", {})))
