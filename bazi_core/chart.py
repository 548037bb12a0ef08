"""ChartValue: a birth, its moment, its four pillars, and the views computed from them.

The views are computed on first use and cached; they are pure functions of the values above them, so a
chart can be shared between threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import PILLARS, Pillar, Stem, Zodiac
from bazi_core.birth import Birth
from bazi_core.facts import Fact, basis_of, collect, signature
from bazi_core.luck.decades import Luck, luck, luck_of_day
from bazi_core.moment import SolarMoment
from bazi_core.pillars import POSITIONS, FourPillars, year_index
from bazi_core.school import School
from bazi_core.unknown_hour import UnknownHour, ends_of_day
from bazi_core.views import palaces
from bazi_core.views.columns import Column, columns
from bazi_core.views.elements import Elements, elements
from bazi_core.views.hidden import Siling, siling
from bazi_core.views.relations import relations
from bazi_core.views.resolution import Relation, is_own
from bazi_core.views.roots import Roots, Transparent, roots, transparency
from bazi_core.views.stars import StarHit, stars
from bazi_core.views.strength import Strength, strength
from bazi_core.warnings import BaziWarning, lunar_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from bazi_core.astro.lunar import LunarDate
    from bazi_core.luck.flows import Flow
    from bazi_core.luck.running import AsOf, Running
    from bazi_core.luck.years import LuckYear
    from bazi_core.views.bone_weight import BoneWeight
    from bazi_core.views.ming_gua import MingGua


@dataclass(frozen=True)
class ChartValue:
    """The value of a chart. `moment` is None for given pillars and unknown hours; the latter have `day` instead.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> str(chart.pillars), chart.day_master, chart.ming_gong
    ('庚午 辛巳 庚辰 壬午', Stem('庚'), Pillar('壬午'))
    """

    pillars: FourPillars
    school: School
    gender: str | None = None
    birth: Birth | None = None
    moment: SolarMoment | None = None
    day: UnknownHour | None = None
    own_warnings: tuple[BaziWarning, ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        born = self.birth and (self.birth.civil.date() if self.day else self.birth.civil)
        parts = (self.pillars, self.gender, born, self.school.profile)
        return f"<Chart {'  '.join(str(part) for part in parts if part)}>"

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
        """合冲刑害破会 between the pillars, each with its status and the relations that resolve it."""
        all_relations = relations(self.pillars, self.school)
        bound = [
            relation
            for relation in all_relations
            if relation.type == "干合" and relation.adjacent and is_own(relation)
        ]
        if not bound or self.school.judgement == "facts":
            return all_relations
        # Whether the day stem turns is for 化格 to say.
        from bazi_core.structures.special import transformed

        into = transformed(self.pillars, self.school, self.elements)
        return tuple(
            relation._replace(hua_status="合化")
            if relation in bound and relation.element is into
            else relation
            for relation in all_relations
        )

    @cached_property
    def stars(self) -> tuple[StarHit, ...]:
        """神煞 of the School's star set; facts without weight."""
        return stars(self.pillars, self.gender, self.school)

    @cached_property
    def elements(self) -> Elements:
        """五行 in three distributions, and their state in the month."""
        return elements(self.pillars, self.school, self.moment)

    @cached_property
    def transparency(self) -> tuple[Transparent, ...]:
        """透干: hidden stems that show."""
        return transparency(self.pillars)

    @cached_property
    def roots(self) -> tuple[Roots, ...]:
        """通根 of the visible stems, the day master first."""
        return roots(self.pillars, self.relations)

    @cached_property
    def strength(self) -> Strength | None:
        """旺衰 of the day master; None when the School makes no judgement."""
        if self.school.judgement == "facts":
            return None
        return strength(self.pillars, self.school, self.elements, self.roots, self.siling)

    @cached_property
    def otherwise(self) -> Self | None:
        """The chart under the other verdict on strength, where that is open; else None.

        >>> import bazi_core as bz
        >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
        >>> chart.strength.verdict, chart.otherwise.strength.verdict
        ('身强', '身弱')
        """
        if self.strength is None or not self.strength.is_open:
            return None
        return self.with_strength(self.strength.other)

    def with_strength(self, strength: Strength) -> Self:
        """The chart with another strength; views that do not depend on strength are shared."""
        other = replace(self)
        shared = ("columns", "siling", "relations", "elements", "transparency", "roots", "stars", "luck")
        vars(other).update(
            {name: vars(self)[name] for name in shared if name in vars(self)}, strength=strength
        )
        return other

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

    @property
    def ming_gua(self) -> MingGua | None:
        """命卦 of the Eight Mansions; None without a gender or a year (of given pillars)."""
        from bazi_core.views.ming_gua import ming_gua, year_of

        if self.gender is None or self._born is None:
            return None
        return ming_gua(year_of(self.pillars.year, self._born.year), self.gender)

    @property
    def bone_weight(self) -> BoneWeight | None:
        """称骨: the weight of the lunar date on which the day pillar runs; None without a moment."""
        from bazi_core.views.bone_weight import bone_weight

        if self.moment is None or self.pillars.hour is None:
            return None
        lunar = lunar_of(_date_of_day(self.moment, self.school), self.school)
        return bone_weight(lunar, self.pillars.hour.branch) if lunar else None

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
        if self.gender is None:
            return None
        if self.day is not None:
            return luck_of_day(self.pillars, self.gender, self.school, *ends_of_day(self.day))
        return luck(self.pillars, self.gender, self.school, self.moment)

    def running(self, as_of: AsOf) -> Running:
        """大运, 流年, 小运 and ages at a moment. A date means its noon on the clock of the birth's place.

        >>> import bazi_core as bz
        >>> found = bz.chart("1990-05-15 13:30", city="北京", gender="male").running("2026-02-04")
        >>> found.state, found.cycle.pillar, found.flow.pillar, found.ages
        ('decade', Pillar('甲申'), Pillar('丙午'), Age(nominal=37, full=35))
        """
        from bazi_core.luck.running import instant_of, running

        return running(
            instant_of(as_of, self.clock), self.luck, self.pillars, self.school, self.clock, self._born
        )

    def luck_years(self, years: Iterable[int] | None = None) -> tuple[LuckYear, ...]:
        """The 流年 of a life under its ten 大运, or of some years: pillars, ages, 小运, stars met.

        >>> import bazi_core as bz
        >>> years = bz.chart("1990-05-15 13:30", city="北京", gender="male").luck_years()
        >>> len(years), [(each.year, each.ages, each.cycle) for each in years][27]
        (107, (2017, Age(nominal=28, full=27), 2))
        """
        from bazi_core.luck.years import luck_years, years_of_life

        born = self._born.year if self._born else None
        chosen = years_of_life(self.luck, born) if years is None else years
        return luck_years(chosen, self.luck, self.pillars, self.school, self.gender, born)

    def stars_met(self, flow: Pillar) -> tuple[StarHit, ...]:
        """The 神煞 that a pillar of luck or of a year meets, counted from the natal pillars.

        >>> import bazi_core as bz
        >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
        >>> [star.name for star in chart.stars_met(chart.luck.cycles[0].pillar)]
        ['将星']
        """
        from bazi_core.views.stars import stars_met

        return stars_met(self.pillars, flow, self.gender, self.school, "luck")

    def relations_met(self, flow: Pillar) -> tuple[Relation, ...]:
        """The relations of a pillar of luck with the chart.

        >>> import bazi_core as bz
        >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
        >>> [(each.type, each.members[0]) for each in chart.relations_met(bz.Pillar("甲申"))][:2]
        [('干冲', ('year', '庚')), ('干克', ('month', '辛'))]
        """
        from bazi_core.views.relations import relations_with

        return relations_with(self.pillars, (("luck", flow),), self.school)

    @property
    def _born(self) -> datetime | None:
        """The birth on the civil clock."""
        if self.moment is not None:
            from bazi_core.astro.scales import datetime_of

            return datetime_of(self.moment.civil_ms)
        return None if self.birth is None else datetime.combine(self.birth.civil.date(), time())

    @property
    def clock(self) -> SolarMoment | None:
        """A moment on the clock of the birth."""
        return self.moment or (self.day.candidates[0].start if self.day else None)

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

    @cached_property
    def by_hour(self) -> tuple[Self, ...]:
        """The charts of a day whose hour is unknown, one for each piece of it; empty when the hour is known.

        >>> import bazi_core as bz
        >>> day = bz.chart("1990-05-15", city="北京", hour_unknown=True)
        >>> [(str(chart.pillars), chart.pattern().name) for chart in day.by_hour][:2]
        [('庚午 辛巳 己卯 乙亥', '印格'), ('庚午 辛巳 庚辰 丙子', '七杀格')]
        """
        if self.day is None:
            return ()
        return tuple(
            type(self)(candidate.pillars, self.school, self.gender, self.birth, candidate.start)
            for candidate in self.day.candidates
        )

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every fact by its evidence id."""
        from bazi_core.luck.evidence import luck_facts
        from bazi_core.views.bone_weight import bone_facts
        from bazi_core.views.evidence import view_facts
        from bazi_core.views.ming_gua import gua_facts
        from bazi_core.views.relation_evidence import relation_facts
        from bazi_core.views.star_evidence import star_facts
        from bazi_core.views.strength_evidence import (
            element_facts,
            root_facts,
            strength_facts,
            transparency_facts,
        )

        luck, strength, bone, gua = self.luck, self.strength, self.bone_weight, self.ming_gua
        return collect(
            (
                *view_facts(self.pillars, self.school, self.moment, self.gender),
                *transparency_facts(self.transparency),
                *relation_facts(self.relations),
                *root_facts(self.roots),
                *element_facts(self.pillars, self.elements),
                *star_facts(self.stars),
                *(strength_facts(self.pillars, strength) if strength else ()),
                *(luck_facts(luck) if luck else ()),
                *(bone_facts(bone, self.moment.used) if bone and self.moment else ()),
                *(gua_facts(gua) if gua else ()),
            )
        )

    @cached_property
    def warnings(self) -> tuple[BaziWarning, ...]:
        """The warnings of the chart and its views: every way in which they could have come out otherwise."""
        return (*self.own_warnings, *view_warnings(self.school, self.strength, self.stars))

    def head(self) -> dict[str, Any]:
        """The first members of every object of this chart: versions, input and School with their digest."""
        from bazi_core.base_context import head, input_of

        return head(input_of(self.birth, self.pillars, self.gender), self.school)

    def members(self) -> dict[str, Any]:
        """The members covered by the digest, except the facts."""
        from bazi_core import base_context as parts
        from bazi_core.views.cycles import void_branches

        columns = {column.position: column for column in self.columns}
        return {
            **self.head(),
            "time_trace": parts.time_trace(self.moment, self.day, self.school),
            "four_pillars": self.pillars.to_dict(),
            "lunar": self.lunar.to_dict() if self.lunar else None,
            "zodiac": {rule: animal.value if animal else None for rule, animal in self.zodiac.items()},
            "pillars": {name: parts.pillar(columns.get(name), self.siling) for name in POSITIONS},
            "day_master": {
                "stem": self.day_master.value,
                "element": self.day_master.element.value,
                "polarity": self.day_master.polarity.value,
            },
            "bazi_structure": {"day_master": self.day_master.value},
            "siling": parts.commander(self.siling),
            "five_elements": self.elements.to_dict(),
            "ten_gods": parts.ten_gods(self.columns),
            "transparency": [each.to_dict() for each in self.transparency],
            "roots": [root.to_dict() for root in self.roots],
            "relations": [relation.to_dict() for relation in self.relations],
            "void": {
                "day": [branch.value for branch in void_branches(self.pillars.day)],
                "year": [branch.value for branch in void_branches(self.pillars.year)],
            },
            "tai_yuan": self.tai_yuan.value,
            "tai_xi": self.tai_xi.value,
            "ming_gong": self.ming_gong.value if self.ming_gong else None,
            "shen_gong": self.shen_gong.value if self.shen_gong else None,
            "bone_weight": self.bone_weight.to_dict() if self.bone_weight else None,
            "ming_gua": self.ming_gua.to_dict() if self.ming_gua else None,
            "stars": [star.to_dict() for star in self.stars],
            "day_master_strength": self.strength.to_dict() if self.strength else None,
            "major_luck": parts.major_luck(self.luck) if self.luck else None,
        }

    @cached_property
    def digest(self) -> str:
        """sha256 over `base_context` but for its summary and warnings."""
        return signature(self.members(), self.facts)

    def basis(self, fact_id: str) -> list[Fact]:
        """A fact and its basis, the facts on which it rests, nearest first.

        >>> import bazi_core as bz
        >>> chart = bz.chart(pillars="庚午 辛巳 庚辰 壬午")
        >>> [fact.id for fact in chart.basis("tg.hour.stem")]
        ['tg.hour.stem', 'p.day.stem', 'p.hour.stem']
        """
        return basis_of(fact_id, self.facts)

    def _civil_date(self, born: Birth) -> date:
        if self.moment is None:
            return born.civil.date()
        from bazi_core.astro.scales import datetime_of

        return datetime_of(self.moment.civil_ms).date()


def _date_of_day(moment: SolarMoment, school: School) -> date:
    """The date whose day pillar runs at a moment, by the clock that decides it."""
    from bazi_core.astro.scales import datetime_of

    clock = datetime_of(moment.local_ms)
    return (clock + timedelta(hours=1)).date() if school.day_boundary == "23:00" else clock.date()


MAJORITY = 3


def view_warnings(
    school: School, strength: Strength | None, stars: tuple[StarHit, ...]
) -> Iterator[BaziWarning]:
    """The warnings of the views, in this order: strength near balance, methods that differ, thresholds set for other
    weights, stars of a single tradition."""
    if strength is not None:
        votes = dict(strength.method_votes)
        if strength.balanced:
            yield BaziWarning("BALANCED_STRENGTH", {"verdict": strength.verdict, "votes": votes})
        if strength.agreement < MAJORITY:
            data = {"verdict": strength.verdict, "method": strength.method, "votes": votes}
            yield BaziWarning("METHODS_DISAGREE", {**data, "agreement": strength.agreement})
        if school.hidden_weights != "60_30_10":
            yield BaziWarning("THRESHOLDS_NOT_CALIBRATED", {"hidden_weights": school.hidden_weights})
    single = [star.name for star in stars if star.second_source_needed]
    if single:
        yield BaziWarning("STAR_SECOND_SOURCE", {"stars": single, "names": "、".join(single)})
