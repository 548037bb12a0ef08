"""Chart: a birth, its moment, its four pillars, and what is read from them.

The views are computed when first asked for and kept; they are pure functions of the values above them, so
a chart can be shared between threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import PILLARS
from bazi_core.birth import Birth, birth, gender_of
from bazi_core.doubts import Doubt, doubts_of, doubts_of_day, lunar_of
from bazi_core.errors import BirthRequired, InvalidInput, SchemaVersion, shown
from bazi_core.facts import SCHEMA_VERSION, Fact, basis_of, collect, signature
from bazi_core.moment import SolarMoment, solar_moment
from bazi_core.pillars import FourPillars, four_pillars, year_index
from bazi_core.school import School, school_of
from bazi_core.unknown_hour import UnknownHour, ends_of_day, unknown_hour
from bazi_core.views import palaces
from bazi_core.views.columns import Column, columns
from bazi_core.views.hidden import Siling, siling

if TYPE_CHECKING:
    from datetime import date

    from bazi_core.alphabet import Pillar, Stem, Zodiac
    from bazi_core.astro.lunar import LunarDate
    from bazi_core.luck.decades import Luck
    from bazi_core.luck.flows import Flow
    from bazi_core.pattern.result import PatternResult
    from bazi_core.views.elements import Elements
    from bazi_core.views.relations import Relation
    from bazi_core.views.roots import Roots, Transparent
    from bazi_core.views.stars import StarHit
    from bazi_core.views.strength import Strength
    from bazi_core.year.result import YearResult


@dataclass(frozen=True)
class Chart:
    """A chart. `moment` is None for given pillars and unknown hours; the latter have `day` instead.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> str(chart.pillars), chart.day_master, chart.ming_gong
    ('庚午 辛巳 庚辰 壬午', Stem('庚'), Pillar('壬午'))
    >>> Chart.from_json(chart.to_json()) == chart
    True
    """

    pillars: FourPillars
    school: School
    gender: str | None = None
    birth: Birth | None = None
    moment: SolarMoment | None = None
    day: UnknownHour | None = None
    doubts: tuple[Doubt, ...] = field(default=(), compare=False, repr=False)

    @property
    def day_master(self) -> Stem:
        """日主: the stem of the day pillar."""
        return self.pillars.day.stem

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The pillars with ten gods, hidden stems, 纳音, voids and stages."""
        return columns(self.pillars, self.school)

    @cached_property
    def siling(self) -> Siling | None:
        """司令 at the moment of birth."""
        return None if self.moment is None else siling(self.moment, self.school.siling_table)

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """合冲刑害破会 between the pillars, with what resolves what."""
        from bazi_core.views.relations import relations

        found = relations(self.pillars, self.school)
        bound = [
            each for each in found if each.type == "干合" and each.adjacent and "day" in dict(each.members)
        ]
        if not bound or self.school.judgement == "facts":
            return found
        # Whether the day stem turns is for 化格 to say.
        from bazi_core.pattern.special import transformed

        into = transformed(self.pillars, self.school, self.elements)
        return tuple(
            each._replace(hua_status="合化") if each in bound and each.element is into else each
            for each in found
        )

    @cached_property
    def stars(self) -> tuple[StarHit, ...]:
        """神煞 of the School's star set; facts without weight."""
        from bazi_core.views.stars import stars

        return stars(self.pillars, self.gender, self.school)

    @cached_property
    def elements(self) -> Elements:
        """五行 in three distributions, and their state in the month."""
        from bazi_core.views.elements import elements

        return elements(self.pillars, self.school, self.moment)

    @cached_property
    def transparency(self) -> tuple[Transparent, ...]:
        """透干: hidden stems that show."""
        from bazi_core.views.roots import transparency

        return transparency(self.pillars)

    @cached_property
    def roots(self) -> tuple[Roots, ...]:
        """通根 of the visible stems, the day master first."""
        from bazi_core.views.roots import roots

        return roots(self.pillars, self.relations)

    @cached_property
    def strength(self) -> Strength | None:
        """旺衰 of the day master; None when the School makes no judgement."""
        from bazi_core.views.strength import strength

        if self.school.judgement == "facts":
            return None
        return strength(self.pillars, self.school, self.elements, self.roots, self.siling)

    @property
    def tai_yuan(self) -> Pillar:
        return palaces.tai_yuan(self.pillars.month)

    @property
    def tai_xi(self) -> Pillar:
        return palaces.tai_xi(self.pillars.day)

    @property
    def ming_gong(self) -> Pillar | None:
        if self.pillars.hour is None:
            return None
        number = palaces.month_number(self.pillars.month.branch, self.moment, self.school.ming_month)
        return palaces.ming_gong(self.pillars.year, number, self.pillars.hour.branch)

    @property
    def shen_gong(self) -> Pillar | None:
        if self.pillars.hour is None:
            return None
        return palaces.shen_gong(self.pillars.year, self.pillars.month.branch, self.pillars.hour.branch)

    @cached_property
    def lunar(self) -> LunarDate | None:
        """Lunar date of the civil date of birth."""
        return None if self.birth is None else lunar_of(self._civil_date(self.birth), self.school)

    @property
    def zodiac(self) -> dict[str, Zodiac | None]:
        """生肖 by both rules: of the year pillar (`lichun`) and of the lunar year (`lunar`)."""
        return {
            "lichun": self._year_by_lichun.branch.zodiac,
            "lunar": self.lunar.zodiac if self.lunar else None,
        }

    @property
    def _year_by_lichun(self) -> Pillar:
        if self.school.year_boundary == "lichun" or (self.moment is None and self.day is None):
            return self.pillars.year
        if self.moment is not None:
            index: int = year_index(self.moment.term)
            return PILLARS[index]
        assert self.day is not None
        return self.day.year_by_lichun

    @cached_property
    def luck(self) -> Luck | None:
        """大运 and 小运; None without a gender."""
        from bazi_core.luck.decades import luck, luck_of_day

        if self.gender is None:
            return None
        if self.day is not None:
            return luck_of_day(self.pillars, self.gender, self.school, *ends_of_day(self.day))
        return luck(self.pillars, self.gender, self.school, self.moment)

    def flow_year(self, year: int) -> Flow:
        """流年 of a Gregorian year."""
        from bazi_core.luck.flows import flow_year

        return flow_year(self.pillars, self.school, year)

    def flow_months(self, year: int) -> tuple[Flow, ...]:
        """The twelve 流月 of a year, from its 立春 to the next."""
        from bazi_core.luck.flows import flow_months

        return flow_months(self.pillars, self.school, year)

    def flow_days(self, first: date, count: int = 1) -> tuple[Flow, ...]:
        """流日 from a date on."""
        from bazi_core.luck.flows import flow_days

        return flow_days(self.pillars, self.school, first, count)

    def flow_hours(self, day: date) -> tuple[Flow, ...]:
        """The 流时 of a date."""
        from bazi_core.luck.flows import flow_hours

        return flow_hours(self.pillars, self.school, day)

    def pattern(self) -> PatternResult:
        """格局, strength and useful gods.

        >>> import bazi_core as bz
        >>> bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern().name
        '七杀格'
        """
        return self._pattern

    @cached_property
    def _pattern(self) -> PatternResult:
        from bazi_core.pattern.result import pattern

        return pattern(self, _told)

    def year(self, target_year: int) -> YearResult:
        """A 流年 before this chart: events, scores, months. Gender and moment of birth must be known.

        >>> import bazi_core as bz
        >>> year = bz.chart("1990-05-15 13:30", city="北京", gender="male").year(2026)
        >>> year.pillar, year.luck, [event.name for event in year.events][:2]
        (Pillar('丙午'), Pillar('甲申'), ['值太岁', '刑太岁'])
        """
        from bazi_core.year.result import analyse

        return analyse(self.pattern(), target_year)

    @cached_property
    def by_hour(self) -> tuple[Chart, ...]:
        """The charts of a day whose hour is unknown, one for each piece of it; empty when the hour is known.

        >>> import bazi_core as bz
        >>> day = bz.chart("1990-05-15", city="北京", hour_unknown=True)
        >>> [(str(chart.pillars), chart.pattern().name) for chart in day.by_hour][:2]
        [('庚午 辛巳 己卯 乙亥', '印格'), ('庚午 辛巳 庚辰 丙子', '七杀格')]
        """
        if self.day is None:
            return ()
        return tuple(
            Chart(each.pillars, self.school, self.gender, self.birth, each.start)
            for each in self.day.candidates
        )

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every fact by its evidence id."""
        from bazi_core.luck.evidence import luck_facts
        from bazi_core.views.evidence import view_facts
        from bazi_core.views.relation_evidence import relation_facts
        from bazi_core.views.star_evidence import star_facts
        from bazi_core.views.strength_evidence import (
            element_facts,
            root_facts,
            strength_facts,
            transparency_facts,
        )

        luck, strength = self.luck, self.strength
        return collect(
            (
                *view_facts(self.pillars, self.school, self.moment, self.gender),
                *transparency_facts(self.transparency),
                *relation_facts(self.relations),
                *root_facts(self.roots),
                *element_facts(self.pillars, self.elements),
                *star_facts(self.stars),
                *(strength_facts(self.day_master.value, strength) if strength else ()),
                *(luck_facts(luck) if luck else ()),
            )
        )

    @cached_property
    def warnings(self) -> tuple[Doubt, ...]:
        """Every way in which the chart, or what is read from it, could have come out otherwise."""
        from bazi_core.views.uncertain import view_doubts

        return (*self.doubts, *view_doubts(self.school, self.strength, self.stars))

    def head(self) -> dict[str, Any]:
        """How every object made from this chart opens: versions, input and School with their digest."""
        from bazi_core.render.base_context import head

        return head(self)

    @cached_property
    def digest(self) -> str:
        """sha256 over `base_context` but for its summary and warnings."""
        from bazi_core.render.base_context import members

        return signature(members(self), self.facts)

    def basis(self, fact_id: str) -> list[Fact]:
        """A fact and all that it rests on, nearest first.

        >>> import bazi_core as bz
        >>> chart = bz.chart(pillars="庚午 辛巳 庚辰 壬午")
        >>> [fact.id for fact in chart.basis("tg.hour.stem")]
        ['tg.hour.stem', 'p.day.stem', 'p.hour.stem']
        """
        return basis_of(fact_id, self.facts)

    def explain(self, fact_id: str) -> str:
        """A fact in words, with the rule, the source and all that it rests on."""
        from bazi_core.render.explain import explain

        return explain(self, fact_id)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """`base_context`, JSON-ready; without `facts` the digest is still that of the whole object."""
        from bazi_core.readings.narrator import chart_summary
        from bazi_core.render.base_context import base_context

        return base_context(self, facts, lang, chart_summary(self, lang))

    def to_json(self, facts: bool = True, lang: str = "zh-Hans", indent: int | None = None) -> str:
        """`base_context` as JSON text; without `indent` the canonical one."""
        if indent is not None:
            import json

            return json.dumps(self.to_dict(facts, lang), ensure_ascii=False, indent=indent)
        from bazi_core.readings.narrator import chart_summary
        from bazi_core.render.base_context import base_context_json

        return base_context_json(self, facts, lang, chart_summary(self, lang))

    def to_text(self, lang: str = "zh-Hans", color: bool = False) -> str:
        """The chart as a practitioner prints it, columns aligned."""
        from bazi_core.render.text import chart_text

        return chart_text(self, lang, color)

    def to_markdown(self, lang: str = "zh-Hans") -> str:
        """The chart as Markdown tables."""
        from bazi_core.render.markdown import chart_markdown

        return chart_markdown(self, lang)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.to_text(), "text/markdown": self.to_markdown()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Chart:
        """The chart of a `base_context`: made again from its `input` and `school`, then compared.

        `SCHEMA_VERSION` for another major version; `DIGEST_MISMATCH` when the same engine gives another object.
        """
        from bazi_core.readings.parents import compared

        if not isinstance(data, dict):
            raise InvalidInput(f"a chart is an object, not {shown(data)}", path="")
        found = shown(data.get("schema_version"))
        if found.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
            raise SchemaVersion(
                f"schema version {found} cannot be read",
                path="schema_version",
                expected=SCHEMA_VERSION,
                found=found,
            )
        made = recast(data.get("input"), School.from_dict(data.get("school", {})))
        doubts = compared(data, "base_context", made.head()["engine_version"], made.digest)
        return replace(made, doubts=(*made.doubts, *doubts)) if doubts else made

    @classmethod
    def from_json(cls, text: str) -> Chart:
        import json

        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"this is not the JSON of a chart: {shown(error)}", path="") from None
        return cls.from_dict(data)

    def _civil_date(self, born: Birth) -> date:
        if self.moment is None:
            return born.civil.date()
        from bazi_core.astro.scales import datetime_of

        return datetime_of(self.moment.civil_ms).date()


def cast(born: Birth, school: School | None = None) -> Chart:
    """The chart of a birth."""
    school = school_of(school)
    if born.hour_unknown:
        day = unknown_hour(born, school)
        doubts = [*doubts_of_day(day, school), *_without_gender(born.gender)]
        return Chart(day.pillars, school.with_basis(day.used), born.gender, born, None, day, tuple(doubts))
    moment = solar_moment(born, school)
    pillars = four_pillars(moment, school)
    doubts = [*doubts_of(moment, school, pillars), *_without_gender(born.gender)]
    return Chart(pillars, school.with_basis(moment.used), born.gender, born, moment, None, tuple(doubts))


def cast_pillars(text: str | list[str], gender: str | None = None, school: School | None = None) -> Chart:
    """The chart of pillars that are given: no moment, luck without dates."""
    school = school_of(school)
    pillars = FourPillars.parse(text, strict=school.validate == "strict")
    reason = pillars.impossible()
    doubts = [] if pillars.hour else [Doubt("HOUR_UNKNOWN", {"varies": {}})]
    if reason:
        doubts.append(Doubt("INVALID_PILLARS", {"given": str(pillars), "reason": reason}))
    return Chart(pillars, school.with_basis("true_solar"), gender, doubts=(*doubts, *_without_gender(gender)))


def chart(
    when: Any = None,
    *,
    pillars: str | list[str] | None = None,
    gender: str | None = None,
    school: School | None = None,
    **where: Any,
) -> Chart:
    """The chart of a birth, or of given pillars.

    `when` is text, a datetime or a `Birth`; the other arguments are those of `birth`: `city` or `place`,
    `longitude`, `latitude`, `tz`, `utc_offset`, `fold`, `calendar`, `precision_s`, `hour_unknown`.

    >>> import bazi_core as bz
    >>> str(bz.chart("1990-05-15 13:30", city="北京", gender="male").pillars)
    '庚午 辛巳 庚辰 壬午'
    """
    school = school_of(school)
    if pillars is not None:
        if when is not None or where:
            raise InvalidInput(
                "a birth and pillars= at once: the pillars follow from the birth", given="both"
            )
        return cast_pillars(pillars, gender_of(gender), school)
    if when is None:
        raise BirthRequired("a birth time or pillars= is needed", missing=["moment"])
    return cast(birth(when, gender=gender, future_utc=school.future_utc, **where), school)


def _told(result: PatternResult, lang: str) -> dict[str, Any]:
    """How a pattern is told in its object, unless somebody else tells it: by the rules."""
    from bazi_core.readings.telling import teller

    return teller(result, lang)


def _without_gender(gender: str | None) -> list[Doubt]:
    return [] if gender else [Doubt("GENDER_UNKNOWN", {})]


def recast(given: Any, school: School) -> Chart:
    """The chart of the `input` of an object."""
    if not isinstance(given, dict):
        raise InvalidInput("the object has no input", path="input")
    if given.get("pillars") is not None:
        return cast_pillars(given["pillars"], gender_of(given.get("gender")), school)
    return cast(Birth.from_dict(given), school)
