"""神煞: the stars of each pillar.

Stars are facts of weight 0: strength, pattern and useful god do not use them (《子平真诠·论星辰无关格局》). The School
chooses the set, the anchors and the variants; doctrine is in the tables (stars, star_stems, star_branches, star_rules,
star_variants), its interpretation in `star_rules`. `star_masks` is the arithmetic, for one chart or
arrays of charts; `stars` answers for one chart from look-ups made once per School out of the same tables.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from bazi_core.tables import rows
from bazi_core.views.star_form import StarRule, reading, readings
from bazi_core.views.star_hits import Finder, Star, StarHit, star_hit
from bazi_core.views.star_rules import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch, Pillar
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School

__all__ = ["StarHit", "chosen", "flow_stars", "star_masks", "stars", "stars_met"]

GENDERS = {"male": 0, "female": 1}
YEAR_CYCLE = "岁前十二神"
TRINE_CYCLE = "十二神煞"


def stars(pillars: FourPillars, gender: str | None, school: School) -> tuple[StarHit, ...]:
    """The stars of a chart that are in the School's set, in the order of the table.

    Without a gender the stars that ask for it are left out, without an hour those of its pillar.

    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = stars(FourPillars.parse("庚午 辛巳 庚辰 壬午"), "male", School())
    >>> [(star.name, star.positions, star.anchor) for star in found][:2]
    [('天德贵人', ('month',), 'month_branch'), ('月德贵人', ('year', 'day'), 'month_branch')]
    """
    finder = _finder(*_choices(school), 3 if pillars.hour is None else 4, gender is not None)
    return finder.find(pillars, 0 if gender is None else GENDERS[gender])


def star_masks(pillars: Sequence[Any], gender: Any, school: School) -> dict[str, Any]:
    """For every star of the set the pillars that bear it, as bits (year 1, month 2, day 4, hour 8).

    `pillars` are three or four indices of the sixty, `gender` is 0 (male), 1 (female) or None; both may be numpy
    arrays, which broadcast.
    """
    vector = readings(pillars, gender)
    masks: dict[str, Any] = {}
    for star in chosen(school):
        mask: Any = 0
        for rule in star.rules:
            if rule.askable(len(pillars), gender is not None):
                at = [vector[index] for index in rule.reads]
                for position in rule.bearers(len(pillars)):
                    mask = mask | (rule.table(*at, vector[reading(position, rule.own)]) << position)
        masks[star.name] = mask
    return masks


def flow_stars(natal: FourPillars, flow: Branch, school: School) -> tuple[StarHit, ...]:
    """岁前十二神 of a flow year: of the twelve, counted from its branch, those met by natal pillars.

    They do not depend on the set; only `star_set="none"` leaves them out.

    >>> from bazi_core.alphabet import Branch
    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = flow_stars(FourPillars.parse("庚午 辛巳 庚辰 壬午"), Branch("午"), School())
    >>> [(star.name, star.positions) for star in found]
    [('太岁', ('year', 'hour')), ('吊客', ('day',)), ('病符', ('month',))]
    """
    if school.star_set == "none":
        return ()
    hits = []
    for star in _year_cycle():
        bears = star.rules[0].table
        met = tuple(name for name, pillar in natal.items() if bears(flow.index, pillar.branch.index))
        if met:
            grounds = tuple((f"p.{name}.branch",) for name in met)
            hits.append(star_hit(star, met, "flow_branch", grounds))
    return tuple(hits)


def stars_met(
    natal: FourPillars, flow: Pillar, gender: str | None, school: School, position: str = "liunian"
) -> tuple[StarHit, ...]:
    """The stars of the School's set that a pillar of luck or of a year bears, counted from the natal pillars.

    Left out are stars that only certain natal pillars can bear (魁罡 is of the day), those of a pillar by itself, and
    the 岁前十二神, which are counted from the year itself (`flow_stars`).

    >>> from bazi_core.alphabet import Pillar
    >>> from bazi_core.pillars import FourPillars
    >>> from bazi_core.school import School
    >>> found = stars_met(FourPillars.parse("庚午 辛巳 庚辰 壬午"), Pillar("甲申"), "male", School())
    >>> [(star.name, star.anchor) for star in found]
    [('禄神', 'day_stem'), ('驿马', 'year_branch'), ('孤辰', 'year_branch'), ('空亡', 'day_pillar')]
    """
    known = tuple([pillar.index for pillar in natal if pillar is not None])
    own = readings([flow.index], None)
    hits = []
    for star, rules_of in _rows_of(known, gender, _choices(school)):
        met = [rule for rule, row, at in rules_of if row[own[at]]]
        if met:
            anchors = ",".join(dict.fromkeys(rule.anchor for rule in met if rule.anchor))
            grounds = tuple(dict.fromkeys(leaf for rule in met for leaf in rule.leaves(None)))
            hits.append(star_hit(star, (position,), anchors, (grounds,)))
    return tuple(hits)


# A walk of luck meets a hundred years, and every year its months, with the same natal pillars.
@lru_cache(maxsize=64)
def _rows_of(
    known: tuple[int, ...], gender: str | None, choices: tuple[Any, ...]
) -> tuple[tuple[Star, tuple[tuple[StarRule, tuple[int, ...], int], ...]], ...]:
    """The stars that a flow pillar can meet, each with (rule, row of its table for this chart, index of the reading)."""
    vector = readings(known, None if gender is None else GENDERS[gender])
    return tuple(
        (
            star,
            tuple(
                (rule, rule.table.row(*(vector[at] for at in rule.reads)), reading(0, rule.own))
                for rule in rules_of
            ),
        )
        for star, rules_of in _meetable(*choices, len(known), gender is not None)
    )


@cache
def _meetable(*options: Any) -> tuple[tuple[Star, tuple[StarRule, ...]], ...]:
    """The stars of a School with the rules that a flow pillar can meet, for charts of this many pillars."""
    *choices, known, gender = options
    cycle = {star.name for star in _year_cycle()}
    candidates = (
        (star, tuple(rule for rule in star.rules if rule.open and rule.askable(known, gender)))
        for star in _chosen(*choices)
        if star.name not in cycle
    )
    return tuple((star, open_rules) for star, open_rules in candidates if open_rules)


def chosen(school: School) -> tuple[Star, ...]:
    """The stars of a School's set, each as the School reads it."""
    return _chosen(*_choices(school))


def _choices(school: School) -> tuple[str, str, str, Any, str]:
    """The options of a School that concern stars."""
    return (
        school.star_set,
        school.star_anchor,
        school.cycle_anchor,
        school.star_variants,
        school.void_anchor,
    )


@cache
def _chosen(
    star_set: str, star_anchor: str, cycle_anchor: str, star_variants: Any, void_anchor: str
) -> tuple[Star, ...]:
    variants = dict(star_variants)
    if void_anchor != "day":
        variants.setdefault("空亡", void_anchor)
    return tuple(
        _read(row, variants.get(row["name"]), star_anchor == "day_only", _only(row, cycle_anchor))
        for row in rows("stars")
        if star_set in row["sets"].split()
    )


@cache
def _year_cycle() -> tuple[Star, ...]:
    return tuple(_read(row, None, False) for row in rows("stars") if row["cycle"].startswith(YEAR_CYCLE))


def _only(row: dict[str, str], cycle_anchor: str) -> str:
    """The one anchor of a star of 十二神煞, where they are counted as a cycle."""
    in_cycle = row["cycle"].startswith(TRINE_CYCLE) and cycle_anchor != "per_star"
    return f"{cycle_anchor}_branch" if in_cycle else ""


def _read(row: dict[str, str], variant: str | None, day_only: bool, only: str = "") -> Star:
    name, agreement = row["name"], row["agreement"]
    if variant is not None:
        own = (each for each in rows("star_variants") if (each["star"], each["variant"]) == (name, variant))
        agreement = next(own)["agreement"]
    return Star(
        name, row["nature"], variant, int(agreement), rules(name, variant or "default", day_only, only)
    )


@cache
def _finder(
    star_set: str,
    star_anchor: str,
    cycle_anchor: str,
    star_variants: Any,
    void_anchor: str,
    known: int,
    gender: bool,
) -> Finder:
    return Finder(_chosen(star_set, star_anchor, cycle_anchor, star_variants, void_anchor), known, gender)
