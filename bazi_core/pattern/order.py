"""正格: the pattern that the month gives, by the rules of 《子平真诠》 (论用神, 论杂气, 论用神变化).

The month branch decides; its main qi gives the pattern unless the month is 禄, 刃 or 杂气, or a complete group of
branches changes it. `RULES` is the order in which the rules are asked; the first that answers names the
pattern, and its id stays in the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import ELEMENTS, Branch, Element, Stem
from bazi_core.structures.classes import PATTERN_OF
from bazi_core.views.groups import groups_through, half_groups
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

STORES = "辰戌丑未"


class Regular(NamedTuple):
    """A regular pattern: its name, the stem that gives it (None for 禄, 刃 and 劫), the rule, and what it was
    before a group of branches changed it. `co_patterns` are further patterns of a mixed month."""

    name: str
    stem: Stem | None
    basis: str
    co_patterns: tuple[str, ...] = ()
    changed_from: str | None = None


class _Month(NamedTuple):
    """The month as the rules look at it."""

    day: Stem
    branch: Branch
    hidden: tuple[Stem, ...]
    shown: tuple[Stem, ...]
    branches: tuple[int, ...]
    is_mixed: bool  # 杂气, or a month whose main qi is 比劫 and gives no pattern
    school: School

    @property
    def main(self) -> Stem:
        return self.hidden[0]

    @property
    def groups(self) -> list[Element]:
        """Elements of the complete groups of the month branch but for the day master's own."""
        found = groups_through(self.branch.index, self.branches)
        return [ELEMENTS[element] for _, element in found if element != self.day.element.index]

    def gathers(self, stem: Stem) -> bool:
        """Whether the month branch with others makes a group of a stem's element, or half of its 三合."""
        near = [index for index in self.branches if index % 4 == self.branch.index % 4]
        return stem.element in self.groups or ("半合", stem.element.index) in half_groups(near)

    def pattern(self, stem: Stem) -> str | None:
        return PATTERN_OF.get(ten_god(self.day, stem).value)

    def shows(self, stem: Stem) -> bool:
        return stem in self.shown


def regular(pillars: FourPillars, school: School) -> Regular:
    """The regular pattern of four pillars.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> regular(FourPillars.parse("庚午 辛巳 庚辰 壬午"), School())
    Regular(name='七杀格', stem=Stem('丙'), basis='R-GE-02', co_patterns=(), changed_from=None)
    """
    month = _month(pillars, school)
    return next(found for rule in RULES if (found := rule(month)))


def _month(pillars: FourPillars, school: School) -> _Month:
    branch, day = pillars.month.branch, pillars.day.stem
    hidden = tuple([stem.stem for stem in hidden_stems(branch)])
    return _Month(
        day=day,
        branch=branch,
        hidden=hidden,
        shown=tuple([pillar.stem for pillar in (pillars.year, pillars.month, pillars.hour) if pillar]),
        branches=tuple([pillar.branch.index for pillar in pillars if pillar]),
        is_mixed=branch.value in STORES or ten_god(day, hidden[0]).value not in PATTERN_OF,
        school=school,
    )


def _blade(month: _Month) -> Regular | None:
    """刃: 帝旺 of the day stem; of yin stems only when the School says so."""
    yang = month.day.index % 2 == 0
    at_peak = stage(month.day, month.branch).value == "帝旺"
    return (
        Regular("阳刃格", None, "R-GE-01a") if at_peak and (yang or month.school.yin_ren == "yes") else None
    )


def _office(month: _Month) -> Regular | None:
    """禄: 临官 of the day stem."""
    return Regular("建禄格", None, "R-GE-01b") if stage(month.day, month.branch).value == "临官" else None


def _mixed_transparent(month: _Month) -> Regular | None:
    """杂气: what shows is taken, before others what the branches gather as well (透而又会), then the strongest."""
    if not month.is_mixed:
        return None
    found = [(month.pattern(stem), stem) for stem in month.hidden if month.shows(stem)]
    named = sorted(
        ((name, stem) for name, stem in found if name), key=lambda each: not month.gathers(each[1])
    )
    if not named:
        return None
    (name, stem), *others = named
    return Regular(name, stem, "R-GE-03", tuple(other for other, _ in others if other != name))


def _mixed_group(month: _Month) -> Regular | None:
    if not month.is_mixed:
        return None
    return _by_group(month, "R-GE-04a", month.groups)


def _mixed_main(month: _Month) -> Regular | None:
    return _of_stem(month, month.main, "R-GE-03b") if month.is_mixed else None


def _mixed_element(month: _Month) -> Regular | None:
    """A stem that shows, of the same element as a hidden one, though of the other polarity: what shows comes before a main
    qi that does not (透干, 论杂气如何取用)."""
    if not month.is_mixed:
        return None
    elements = {stem.element for stem in month.hidden}
    shown = (stem for stem in month.shown if stem.element in elements and month.pattern(stem))
    found = next(shown, None)
    return _of_stem(month, found, "R-GE-03c") if found else None


def _mixed_hidden(month: _Month) -> Regular | None:
    if month.branch.value not in STORES:
        return None
    found = next((stem for stem in month.hidden if month.pattern(stem)), None)
    return _of_stem(month, found, "R-GE-03d") if found else None


def _robbed(month: _Month) -> Regular | None:
    return Regular("月劫格", None, "R-GE-01c") if month.is_mixed else None


def _plain_group(month: _Month) -> Regular | None:
    """A group turns the month, unless its main qi shows."""
    if month.shows(month.main):
        return None
    return _by_group(month, "R-GE-04b", [e for e in month.groups if e is not month.main.element])


def _plain_main(month: _Month) -> Regular | None:
    if month.school.ge_hidden_main == "take_transparent" and not month.shows(month.main):
        shown = (stem for stem in month.hidden if month.shows(stem) and month.pattern(stem))
        found = next(shown, month.main)
        return _of_stem(month, found, "R-GE-02")
    return _of_stem(month, month.main, "R-GE-02")


def _by_group(month: _Month, basis: str, elements: list[Element]) -> Regular | None:
    shown = (stem for element in elements for stem in month.shown if stem.element is element)
    stem = next(shown, None)
    if stem is None:
        return None
    before = month.pattern(month.main) or "月劫格"
    name = month.pattern(stem)
    return Regular(name, stem, basis, (), before if before != name else None) if name else None


def _of_stem(month: _Month, stem: Stem, basis: str) -> Regular | None:
    name = month.pattern(stem)
    return Regular(name, stem, basis) if name else None


RULES: tuple[Callable[[_Month], Regular | None], ...] = (
    _blade,
    _office,
    _mixed_transparent,
    _mixed_group,
    _mixed_element,
    _mixed_main,
    _mixed_hidden,
    _robbed,
    _plain_group,
    _plain_main,
)
