"""PatternValue: what was decided of one chart, with the views of it that cost little.

`PatternResult` adds what is made from these: the decision under the other verdict, facts and objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from bazi_core.pattern.conditions import Scene
from bazi_core.pattern.order import Regular
from bazi_core.pattern.status import PatternStatus, standing
from bazi_core.pattern.useful import TOO_CLOSE, Useful
from bazi_core.structures.classes import element_of
from bazi_core.structures.special import Special
from bazi_core.tables.words import pictured, printed, shown_in_notebook
from bazi_core.views.certainty import observed
from bazi_core.warnings import BaziWarning

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.pattern.climate import Climate
    from bazi_core.pattern.diagnosis import Diagnosis
    from bazi_core.pattern.dynamics import Company, Dynamic
    from bazi_core.pattern.meanings import Meanings
    from bazi_core.pattern.rare import Rare
    from bazi_core.pattern.relatives import Relative
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School
    from bazi_core.views.elements import Elements
    from bazi_core.views.strength import Strength

UNJUDGED = "未论"


class Teller(Protocol):
    """Who puts patterns and years into words. Readings stand above both, so who makes a pattern hands one down."""

    def reading(self, result: Any, lang: str, /) -> dict[str, Any]:
        """The members `reading`, `narrative`, `provenance` and `facts` of a pattern result."""

    def context(self, year: Any, lang: str, /) -> str:
        """A year in few true lines."""


@dataclass(frozen=True)
class PatternValue:
    """Pattern, strength and useful gods of a chart."""

    chart: ChartValue = field(repr=False)
    regular: Regular | None
    special: Special | None
    close: tuple[Special, ...]
    useful: Useful
    teller: Teller | None = field(default=None, compare=False, repr=False)
    own_warnings: tuple[BaziWarning, ...] = field(default=(), compare=False, repr=False)
    """About the objects that it was made from; like all warnings outside the digest."""
    reading: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    """The reading that the object holds in place of the teller's."""

    def __str__(self) -> str:
        return printed(self)

    def __repr__(self) -> str:
        useful = "".join(element.value for element in self.useful_gods)
        return f"<PatternResult {self.name} {self.chart.pillars}{' useful ' if useful else ''}{useful}>"

    def svg(self, lang: str = "zh-Hans", theme: str = "light") -> str:
        """Strength, pattern and useful gods as a picture, both readings where strength is open."""
        return pictured(self, lang, theme)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return shown_in_notebook(self)

    @property
    def name(self) -> str:
        """`pattern_type`: the special structure if one is claimed, else the pattern of the month."""
        if self.special is not None:
            return self.special.name
        return self.regular.name if self.regular else UNJUDGED

    @property
    def category(self) -> str | None:
        return None if self.regular is None else "变格" if self.special else "正格"

    @property
    def confidence(self) -> float:
        """The observed share of patterns of this class that are the book's; a pattern is contested where a structure
        fails by one condition beside it."""
        if self.regular is None:
            return 0.0
        return observed(f"pattern.{'变格' if self.special else 'contested' if self.close else '正格'}").share

    @property
    def is_open(self) -> bool:
        """Whether the decision hangs on a strength that could be either."""
        return self.strength is not None and self.strength.is_open and self.special is None

    @property
    def useful_gods(self) -> tuple[Any, ...]:
        """The elements of 用神 and 喜神."""
        return self.useful.order[:2]

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of every element, by `Element.index`."""
        return self.useful.roles

    @property
    def pillars(self) -> FourPillars:
        return self.chart.pillars

    @property
    def school(self) -> School:
        return self.chart.school

    @property
    def gender(self) -> str | None:
        return self.chart.gender

    @property
    def elements(self) -> Elements:
        return self.chart.elements

    @property
    def strength(self) -> Strength | None:
        return self.chart.strength

    @cached_property
    def climate(self) -> Climate | None:
        """调候; None where the School makes no judgement."""
        from bazi_core.pattern.climate import climate

        return None if self.regular is None else climate(self.pillars)

    @cached_property
    def scene(self) -> Scene | None:
        """The chart as the conditions see it; None where the School makes no judgement."""
        if self.regular is None or self.strength is None:
            return None
        chart, strong = self.chart, self.strength.is_strong
        return Scene(chart.pillars, self.regular, chart.relations, chart.roots, chart.elements.shares, strong)

    @cached_property
    def standing(self) -> PatternStatus | None:
        """成败 of the regular pattern; None where a special structure decides or nothing is judged."""
        if self.regular is None or self.scene is None or self.special is not None:
            return None
        return standing(self.regular.name, self.scene)

    @cached_property
    def company(self) -> Company | None:
        """The ten gods of the chart as the dynamics see them; None where the School makes no judgement."""
        from bazi_core.pattern.dynamics import Company

        if self.scene is None:
            return None
        return Company(self.scene, self.special.special_class if self.special else None)

    @cached_property
    def dynamics(self) -> tuple[Dynamic, ...]:
        """The effects of the ten gods on each other, with what undoes them; none where the School makes no judgement."""
        from bazi_core.pattern.dynamics import dynamics

        if self.company is None:
            return ()
        return dynamics(self.company, lambda k: self.useful.role(element_of(self.chart.day_master, k)))

    @cached_property
    def diagnosis(self) -> Diagnosis | None:
        """病药: the one thing on which the chart turns; None where no useful god is decided."""
        from bazi_core.pattern.diagnosis import diagnosis

        if self.company is None or not self.useful.order:
            return None
        return diagnosis(self.chart, self.company, self.useful, self.standing, self.climate)

    @cached_property
    def meanings(self) -> Meanings | None:
        """格局用神 and 扶抑用神 side by side; None where a special structure decides or nothing is judged."""
        from bazi_core.pattern.meanings import meanings

        return None if self.standing is None else meanings(self.useful, self.standing)

    @cached_property
    def relatives(self) -> tuple[Relative, ...]:
        """六亲 by their stars."""
        from bazi_core.pattern.relatives import relatives

        return relatives(self.pillars, self.gender)

    @cached_property
    def rare(self) -> tuple[Rare, ...]:
        """Forms known by name only; they weigh nothing."""
        from bazi_core.pattern.rare import rare_forms

        return () if self.regular is None else rare_forms(self.pillars)

    @cached_property
    def warnings(self) -> tuple[BaziWarning, ...]:
        close = self.useful.votes and self.special is None and self.useful.margin < TOO_CLOSE
        if not close:
            return self.own_warnings
        first, second = (element.value for element in self.useful_gods)
        return (*self.own_warnings, BaziWarning("USEFUL_GOD_CLOSE", {"first": first, "second": second}))
