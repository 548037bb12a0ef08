"""What the columns of a row must hold, by way of the chart of that one birth."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import bazi_core as bz
from bazi_core.astro import scales
from bazi_core.batch.columns import CERTAINTIES, HIDDEN, STATUS, columns_of, pattern_names, status_codes
from bazi_core.birth import birth as birth_of
from bazi_core.moment import SolarMoment, solar_moment
from bazi_core.pillars import POSITIONS, FourPillars, four_pillars
from bazi_core.tables import rows
from bazi_core.views.columns import Column
from bazi_core.views.strength import EITHER, LEVELS

NAYIN = [row["nayin"] for row in rows("nayin")]
PARTS = ("years", "months", "days", "hours", "minutes")


def status_of(error: bz.BaziError) -> str:
    """The code of an error, or the nearest one above it that a status has."""
    return next(kind.code for kind in type(error).__mro__ if getattr(kind, "code", None) in status_codes())


class Alone(NamedTuple):
    """What a chart begins with."""

    pillars: FourPillars
    moment: SolarMoment


def row_of(groups: tuple[str, ...], school: bz.School, **birth: Any) -> dict[str, Any]:
    """The columns of a birth; only `status` where it has no chart."""
    return _row(partial(bz.chart, school=school), groups, birth)


def moment_of(school: bz.School, **birth: Any) -> dict[str, Any]:
    """Pillars and times of a birth by the functions with which its chart begins, which is twice as quick as the chart."""

    def begun(when: Any, **where: Any) -> Any:
        born = birth_of(when, school=school, **where)
        if born.hour_unknown:
            raise bz.BirthRequired("no hour")
        moment = solar_moment(born, own := born.in_place(school))
        return Alone(four_pillars(moment, own), moment)

    return _row(begun, ("pillars", "time"), birth)


def _row(make: Callable[..., Any], groups: tuple[str, ...], birth: dict[str, Any]) -> dict[str, Any]:
    when = birth.pop("datetime")
    given = {name: value for name, value in birth.items() if value is not None}
    try:
        if when is None:
            raise bz.BirthRequired("no time")
        chart = make(when, **given)
    except bz.BaziError as error:
        return {STATUS.name: status_of(error)}
    return {STATUS.name: "OK"} | columns_of_chart(chart, groups)


def columns_of_chart(chart: bz.Chart, groups: tuple[str, ...]) -> dict[str, Any]:
    """The columns of groups for one chart, as plain numbers and datetimes."""
    found: dict[str, Any] = {}
    for group in groups:
        found |= MAKERS[group](chart)
    return found


def _pillars(chart: bz.Chart) -> dict[str, Any]:
    return {name: pillar.index for name, pillar in chart.pillars.items()}


def _time(chart: bz.Chart) -> dict[str, Any]:
    moment = chart.moment
    return {
        "utc": scales.datetime_of(moment.utc_ms),
        "local": scales.datetime_of(moment.local_ms),
        "utc_offset_s": moment.utc_offset_s,
    }


def _of_columns(group: str, chart: bz.Chart) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in chart.columns:
        found |= _cells(group, each)
    return found


# Charts share their columns, of which there are some thousands.
@cache
def _cells(group: str, column: Column) -> dict[str, Any]:
    """The cells of a group that one pillar gives."""
    name = column.position
    if group == "ten_gods":
        return {f"ten_god_{name}": column.ten_god.index} if column.ten_god else {}
    if group == "nayin":
        return {f"nayin_{name}": NAYIN.index(column.nayin)}
    if group == "stages":
        return {f"stage_{name}": column.stage_day_master.index, f"stage_self_{name}": column.stage_self.index}
    found = {}
    for rank in range(HIDDEN):
        known = rank < len(column.hidden)
        found[f"hidden_{name}_{rank + 1}"] = column.hidden[rank].stem.index if known else -1
        found[f"hidden_god_{name}_{rank + 1}"] = column.hidden_gods[rank].index if known else -1
    return found


def _voids(chart: bz.Chart) -> dict[str, Any]:
    return {"void": sum(each.void << POSITIONS.index(each.position) for each in chart.columns)}


def _luck(chart: bz.Chart) -> dict[str, Any]:
    luck = chart.luck
    names = ("luck_forward", *(f"luck_{part}" for part in PARTS))
    if luck is None:
        return dict.fromkeys(names, -1) | {"luck_start_at": None}
    start = luck.start.astimezone(UTC).replace(tzinfo=None)
    ages = dict(zip(names[1:], luck.start_age, strict=True))
    return {"luck_forward": int(luck.direction == "forward"), **ages, "luck_start_at": start}


def _bits(group: str, chart: bz.Chart, held: dict[str, set[str]]) -> dict[str, Any]:
    found = {}
    for name, short, bits in _bits_of(group, chart.school):
        here = held.get(short)
        found[name] = sum(bits.get(word, 0) for word in here) if here else 0
    return found


@lru_cache(maxsize=64)
def _bits_of(group: str, school: bz.School) -> list[tuple[str, str, dict[str, int]]]:
    """The columns of a group: name, name without its number, and the bit of each word."""
    return [
        (
            column.name,
            column.name.rstrip("_0123456789"),
            {word: 1 << bit for bit, word in enumerate(column.words)},
        )
        for column in columns_of(group, school)
    ]


def _relations(chart: bz.Chart) -> dict[str, Any]:
    held: dict[str, set[str]] = {}
    for each in chart.relations:
        name = "rel_" + "_".join(position for position, _ in each.members)
        word = each.type
        if len(each.members) == 3:
            word += (
                each.element.value if each.element else _members(frozenset(char for _, char in each.members))
            )
        held.setdefault(name, set()).add(word)
    return _bits("relations", chart, held)


@cache
def _members(chars: frozenset[str]) -> str:
    """A group of characters as the table of relations writes it."""
    return next(row["members"] for row in rows("relations") if set(row["members"]) == chars)


def _stars(chart: bz.Chart) -> dict[str, Any]:
    held: dict[str, set[str]] = {}
    for star in chart.stars:
        for position in star.positions:
            held.setdefault(f"stars_{position}", set()).add(star.name)
    return _bits("stars", chart, held)


def _strength(chart: bz.Chart) -> dict[str, Any]:
    found = chart.strength
    if found is None:
        return dict.fromkeys(("strength", "strength_level", "strength_certainty", "support_share"), -1)
    levels = [*(name for _, name in LEVELS), EITHER]
    return {
        "strength": int(found.verdict == "身强"),
        "strength_level": levels.index(found.level),
        "strength_certainty": CERTAINTIES.index(found.certainty),
        "support_share": round(found.support_share * 10_000),
    }


def _pattern(chart: bz.Chart) -> dict[str, Any]:
    name = chart.pattern().name
    return {"pattern": pattern_names().index(name) if name in pattern_names() else -1}


MAKERS = {
    "pillars": _pillars,
    "time": _time,
    "ten_gods": partial(_of_columns, "ten_gods"),
    "hidden_stems": partial(_of_columns, "hidden_stems"),
    "nayin": partial(_of_columns, "nayin"),
    "stages": partial(_of_columns, "stages"),
    "voids": _voids,
    "luck": _luck,
    "relations": _relations,
    "stars": _stars,
    "strength": _strength,
    "pattern": _pattern,
}
