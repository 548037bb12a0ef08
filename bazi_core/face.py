"""Chart: the value of a chart with its pattern, years, readings, text and objects.

The top layer of the core: nothing below imports more than the value, and each method imports its function when called.
`cast` gives the chart of a `Birth`, `chart` that of a caller's arguments.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from bazi_core.birth import Birth, birth, gender_of
from bazi_core.chart import ChartValue
from bazi_core.errors import BirthRequired, InvalidInput, SchemaVersion, shown
from bazi_core.facts import SCHEMA_VERSION, json_text, signature, signed_json
from bazi_core.moment import SolarMoment, solar_moment
from bazi_core.pillars import FourPillars, four_pillars
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import shown_theme, spoken
from bazi_core.unknown_hour import unknown_hour
from bazi_core.views.hidden import Siling
from bazi_core.warnings import BaziWarning, warnings_of, warnings_of_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal, Unpack

    from bazi_core.alphabet import Pillar
    from bazi_core.astro.lunar import LunarDate
    from bazi_core.birth import Where
    from bazi_core.luck.decades import Luck
    from bazi_core.luck.running import AsOf
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.sensitivity import Sensitivity
    from bazi_core.views.bone_weight import BoneWeight
    from bazi_core.views.ming_gua import MingGua
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult


class Chart(ChartValue):
    """A chart. `moment` is None for given pillars and unknown hours; the latter have `day` instead.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> str(chart.pillars), chart.day_master, chart.ming_gong
    ('庚午 辛巳 庚辰 壬午', Stem('庚'), Pillar('壬午'))
    >>> Chart.from_json(chart.to_json()) == chart
    True
    """

    def __str__(self) -> str:
        return self.to_text(spoken()).rstrip("\n")

    def pattern(self) -> PatternOfChart:
        """格局, strength and useful gods.

        >>> import bazi_core as bz
        >>> bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern().name
        '七杀格'
        """
        own: PatternOfChart = self._pattern
        return own

    @cached_property
    def _pattern(self) -> Any:
        from bazi_core.pattern.result import pattern

        return pattern(self, RuleTeller())

    def year(self, target_year: int) -> YearOfChart:
        """A 流年 before this chart: events, scores, months. Gender and moment of birth must be known.

        >>> import bazi_core as bz
        >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
        >>> year.pillar, year.luck, [event.name for event in year.events][:2]
        (Pillar('丙午'), Pillar('甲申'), ['值太岁', '刑太岁'])
        """
        from bazi_core.year.result import analyse

        own: Any = analyse(self.pattern(), target_year)
        year: YearOfChart = own
        return year

    def years(self, first: int, last: int) -> YearsResult:
        """The 流年 from the first to the last side by side, at most 120: scores, events, rankings with reasons.

        >>> import bazi_core as bz
        >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
        >>> span.ranking("career").highest, span.ranking("career").lowest
        (YearRank(rank=1, score=60, years=(2026,)), YearRank(rank=10, score=37, years=(2028,)))
        """
        from bazi_core.year.span import side_by_side

        return side_by_side(self.pattern(), first, last)

    def sensitivity(self, minutes: int = 15, schools: str | Iterable[str] = "common") -> Sensitivity:
        """The changes of pillars, 司令, strength, pattern and useful gods with `minutes` (0–720) either way and with other
        values of disputed choices (`common`, or names of them: day_boundary, time_basis, strength_method, siling_table,
        special_structures), one at a time.

        >>> import bazi_core as bz
        >>> found = bz.chart("1990-05-15 13:30", city="北京", gender="male").sensitivity(minutes=60)
        >>> [(other.value, other.outcome.of("hour"), other.changes) for other in found.rows[0].others]
        [('1990-05-15T14:10:39', '癸未', ('hour', 'strength', 'useful'))]
        """
        from bazi_core.pattern.sensitivity import sensitivity

        return sensitivity(self, minutes, schools)

    def explain(self, fact_id: str, lang: str = "zh-Hans") -> str:
        """A fact in words, with its rule, its source and its basis.

        Raises `INVALID_INPUT` for an id that is not there and `UNKNOWN_OPTION` for a language that is not.

        >>> import bazi_core as bz
        >>> print(bz.chart(pillars="庚午 辛巳 庚辰 壬午").explain("tg.hour.stem"))
        时干壬为食神  [tg.hour.stem; R-TG; YHZP.论十神]
          日干庚  [p.day.stem; R-PILLAR]
          时干壬  [p.hour.stem; R-PILLAR]
        >>> print(bz.chart(pillars="庚午 辛巳 庚辰 壬午").explain("tg.hour.stem", "en").splitlines()[0])
        The hour stem Yang Water (壬 Ren) is Eating God (食神)  [tg.hour.stem; R-TG; YHZP.论十神]
        """
        from bazi_core.render.explain import fact_text

        return fact_text(fact_id, self.facts, lang)

    def to_context(self, lang: str = "zh-Hans", *, as_of: AsOf | None = None) -> str:
        """The chart and its pattern in at most 1,500 characters, a true statement a line, for a model that writes freely.

        The output of such a model is not checked; `as_of` adds the luck of that date.

        >>> import bazi_core as bz
        >>> bz.chart("1990-05-15 13:30", city="北京", gender="male").to_context("en").splitlines()[0][:42]
        'The chart has the year pillar Metal Horse '
        """
        from bazi_core.readings.context import pattern_context

        return pattern_context(self.pattern(), lang, None if as_of is None else self.running(as_of))

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`base_context`, JSON-ready; without `facts` the digest is still that of the whole object."""
        members = self.members()
        # Members are made once, for the digest and for the object.
        own = self.__dict__.get("digest") or signature(members, self.facts)
        whole = {**members, "digest": own, **self._outside_digest(lang)}
        if facts:
            whole["facts"] = {name: fact.to_dict() for name, fact in sorted(self.facts.items())}
        return whole

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        """`base_context` as JSON text; without `indent` the canonical one."""
        if indent is not None:
            return json_text(self.to_dict(facts, lang), indent)
        return signed_json(self.members(), self.facts, self._outside_digest(lang), facts)

    def _outside_digest(self, lang: str) -> dict[str, Any]:
        """The members that no digest covers: warnings and summary."""
        from bazi_core.speech.statements.summary import chart_summary

        warnings = [doubt.to_dict(lang) for doubt in self.warnings]
        return {"warnings": warnings, "human_readable_summary": chart_summary(self, lang)}

    def to_text(
        self,
        lang: str = "zh-Hans",
        color: bool = False,
        *,
        as_of: AsOf | None = None,
        years: bool | Iterable[int] = False,
    ) -> str:
        """The chart as a practitioner prints it, columns aligned.

        `as_of` marks the 大运 and the 流年 that run at that time, `years` adds the 流年 under each 大运.
        """
        from bazi_core.render.text import chart_text

        return chart_text(self.pattern(), lang, color, as_of=as_of, years=years)

    def to_markdown(
        self, lang: str = "zh-Hans", *, as_of: AsOf | None = None, years: bool | Iterable[int] = False
    ) -> str:
        """The chart as Markdown tables; `as_of` and `years` as in `to_text`."""
        from bazi_core.render.markdown import chart_markdown

        return chart_markdown(self.pattern(), lang, as_of=as_of, years=years)

    def svg(
        self,
        lang: str = "zh-Hans",
        theme: str = "light",
        compact: bool = False,
        *,
        part: str = "pillars",
        as_of: AsOf | None = None,
        name: str = "",
    ) -> str:
        """A picture of the chart.

        `part` is `pillars` (doubts first, signs with their elements, arcs for relations, what pillars hold), `luck` (ten
        大运), `grid` (大运 × 流年), `elements` (with their season) or `clock` (from the wall clock to true solar time).
        `theme` is `light`, `dark` or `auto`, as the reader's system. `compact` is without stages, nayin and 神煞, `name`
        says whose pillars they are; `as_of` marks the luck that runs then. `UNKNOWN_OPTION` for another language, theme or
        part, `BIRTH_REQUIRED` for luck or a moment that is not known.

        >>> import bazi_core as bz
        >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
        >>> chart.svg()[:4], 'role="img"' in chart.svg("en", "dark", part="luck", as_of="2026-11-23")
        ('<svg', True)
        """
        from bazi_core.pictures.values import part_of

        return part_of(self, part, lang, theme, compact, as_of, name)

    def html(
        self, lang: str = "zh-Hans", theme: str = "auto", *, as_of: AsOf | None = None, name: str = ""
    ) -> str:
        """The chart as one HTML page: doubts, pictures and their tables, reading, folded evidence.

        One file, without script or anything from outside, that prints well; `as_of` marks the luck of that time, `name`
        is the person's name. `UNKNOWN_OPTION` for another language or theme.

        >>> import bazi_core as bz
        >>> page = bz.chart("1990-05-15 13:30", city="北京", gender="male").html("en", as_of="2026-11-23")
        >>> page.count("<svg"), "<script" in page
        (5, False)
        """
        from bazi_core.pictures.page import chart_page

        return chart_page(self.pattern(), lang, theme, as_of, name)

    def pdf(
        self,
        lang: str = "zh-Hans",
        *,
        as_of: AsOf | None = None,
        name: str = "",
        font_paths: Sequence[str] = (),
    ) -> bytes:
        """The chart as one page of A4 to hand over: doubts, pillars, strength and useful gods, elements, luck, as a PDF.

        `font_paths` are folders with fonts beside those of the system. `LIBRARY_MISSING` without the extra `pdf`,
        `FONT_MISSING` where no font has hanzi, `UNKNOWN_OPTION` for another language.
        """
        from bazi_core.pictures.sheet import chart_pdf

        return chart_pdf(self.pattern(), lang, as_of, name, font_paths)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": self.svg(spoken(), shown_theme())}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Chart:
        """The chart of a `base_context`, recomputed from its `input` and `school`, then compared.

        `SCHEMA_VERSION` for another major version; `DIGEST_MISMATCH` when the same engine gives another object.
        """
        from bazi_core.readings.parents import compared

        if not isinstance(data, dict):
            raise InvalidInput(Said("chart_object", given=shown(data)), path="")
        found = shown(data.get("schema_version"))
        if found.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
            raise SchemaVersion(
                Said("schema_unreadable", found=found),
                path="schema_version",
                expected=SCHEMA_VERSION,
                found=found,
            )
        recomputed = recast(data.get("input"), School.from_dict(data.get("school", {})))
        warnings = compared(data, "base_context", recomputed.head()["engine_version"], recomputed.digest)
        return (
            replace(recomputed, own_warnings=(*recomputed.own_warnings, *warnings))
            if warnings
            else recomputed
        )

    @classmethod
    def from_json(cls, text: str) -> Chart:
        import json

        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(Said("chart_json", error=shown(error)), path="") from None
        return cls.from_dict(data)


if TYPE_CHECKING:

    class ChartWithMoment(Chart):
        """The type of a chart with known moment for type checkers; at run time it is a `Chart`."""

        moment: SolarMoment

        @cached_property
        def siling(self) -> Siling: ...

        @cached_property
        def lunar(self) -> LunarDate: ...

        @property
        def ming_gong(self) -> Pillar: ...

        @property
        def shen_gong(self) -> Pillar: ...

        @property
        def bone_weight(self) -> BoneWeight: ...

    class ChartWithLuck(ChartWithMoment):
        """The type of a chart with known moment and gender for type checkers; at run time it is a `Chart`."""

        @cached_property
        def luck(self) -> Luck: ...

        @property
        def ming_gua(self) -> MingGua: ...

    class PatternOfChart(PatternResult):
        """The type of a chart's pattern for type checkers; at run time it is a `PatternResult`."""

        chart: Chart

        @cached_property
        def alternatives(self) -> tuple[PatternOfChart, ...]: ...

    class YearOfChart(YearResult):
        """The type of a chart's year for type checkers; at run time it is a `YearResult`."""

        pattern: PatternOfChart

        @property
        def chart(self) -> Chart: ...

        @cached_property
        def alternatives(self) -> tuple[YearOfChart, ...]: ...


def cast(born: Birth, school: School | None = None, *, warned: bool = True) -> Chart:
    """The chart of a birth; without its warnings where it only tells what another would be (not `warned`)."""
    school = born.in_place(school_of(school))
    if born.hour_unknown:
        day = unknown_hour(born, school)
        warnings = [*warnings_of_day(day, school), *_without_gender(born.gender)] if warned else []
        return Chart(day.pillars, school.with_basis(day.used), born.gender, born, None, day, tuple(warnings))
    moment = solar_moment(born, school)
    pillars = four_pillars(moment, school)
    warnings = [*warnings_of(moment, school, pillars), *_without_gender(born.gender)] if warned else []
    return Chart(pillars, school.with_basis(moment.used), born.gender, born, moment, None, tuple(warnings))


def cast_pillars(text: str | list[str], gender: str | None = None, school: School | None = None) -> Chart:
    """The chart of pillars that are given: no moment, luck without dates."""
    school = school_of(school)
    pillars = FourPillars.parse(text, strict=school.validate == "strict")
    reason = pillars.impossible()
    warnings = [] if pillars.hour else [BaziWarning("HOUR_UNKNOWN", {"varies": {}})]
    if reason:
        warnings.append(BaziWarning("INVALID_PILLARS", {"given": str(pillars), "reason": reason}))
    return Chart(
        pillars, school.with_basis("true_solar"), gender, own_warnings=(*warnings, *_without_gender(gender))
    )


@overload
def chart(
    when: str | datetime | date | Birth,
    *,
    gender: str,
    school: School | None = ...,
    hour_unknown: Literal[False] = ...,
    **where: Unpack[Where],
) -> ChartWithLuck: ...
@overload
def chart(
    when: str | datetime | date | Birth,
    *,
    gender: None = ...,
    school: School | None = ...,
    hour_unknown: Literal[False] = ...,
    **where: Unpack[Where],
) -> ChartWithMoment: ...
@overload
def chart(
    when: str | datetime | date | Birth | None = ...,
    *,
    pillars: str | list[str] | None = ...,
    gender: str | None = ...,
    school: School | None = ...,
    hour_unknown: bool = ...,
    **where: Unpack[Where],
) -> Chart: ...
def chart(
    when: str | datetime | date | Birth | None = None,
    *,
    pillars: str | list[str] | None = None,
    gender: str | None = None,
    school: School | None = None,
    hour_unknown: bool = False,
    **where: Unpack[Where],
) -> Chart:
    """The chart of a birth, or of given pillars.

    `when` is text, a datetime or a `Birth`; the other arguments are those of `birth`: `city` or `place`,
    `longitude`, `latitude`, `tz`, `utc_offset`, `fold`, `calendar`, `precision_s`, `hour_unknown`. A type checker knows
    that a chart of a birth with its hour has a `moment`, and with a gender a `luck`.

    >>> import bazi_core as bz
    >>> str(bz.chart("1990-05-15 13:30", city="北京", gender="male").pillars)
    '庚午 辛巳 庚辰 壬午'
    """
    school = school_of(school)
    if pillars is not None:
        if when is not None or where or hour_unknown:
            raise InvalidInput(Said("chart_both"), given="both")
        return cast_pillars(pillars, gender_of(gender), school)
    if when is None:
        raise BirthRequired(Said("chart_nothing"), missing=["moment"])
    born = birth(when, gender=gender, hour_unknown=hour_unknown, school=school, **where)
    return cast(born, school)


class RuleTeller:
    """The default narrator of patterns and years, by the rules."""

    def reading(self, result: PatternResult, lang: str, /) -> dict[str, Any]:
        """The short reading of a pattern, JSON-ready."""
        from bazi_core.readings.final import teller

        return teller(result, lang)

    def context(self, year: YearResult, lang: str, /) -> str:
        """A year as a few lines of statements."""
        from bazi_core.readings.context import year_context

        return year_context(year, lang)


def _without_gender(gender: str | None) -> list[BaziWarning]:
    return [] if gender else [BaziWarning("GENDER_UNKNOWN", {})]


def recast(given: Any, school: School) -> Chart:
    """The chart of the `input` of an object."""
    if not isinstance(given, dict):
        raise InvalidInput(Said("object_no_input"), path="input")
    if given.get("pillars") is not None:
        return cast_pillars(given["pillars"], gender_of(given.get("gender")), school)
    return cast(Birth.from_dict(given), school)
