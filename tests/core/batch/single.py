"""What the columns of a row must hold, by way of the chart of that one birth."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import bazi_core as bz
from bazi_core.alphabet import STAGES, STEMS, TEN_GODS
from bazi_core.astro import scales
from bazi_core.batch.columns import CERTAINTIES, HIDDEN, STATUS, columns_of, pattern_names, status_codes
from bazi_core.pillars import POSITIONS
from bazi_core.tables import rows
from bazi_core.views.strength import EITHER, LEVELS

NAYIN = [row["nayin"] for row in rows("nayin")]
PARTS = ("years", "months", "days", "hours", "minutes")


def status_of(error: bz.BaziError) -> str:
    """The code of an error, or the nearest one above it that a status has."""
    return next(kind.code for kind in type(error).__mro__ if getattr(kind, "code", None) in status_codes())


def row_of(groups: tuple[str, ...], school: bz.School, **birth: Any) -> dict[str, Any]:
    """The columns of a birth; only `status` where it has no chart."""
    when = birth.pop("datetime")
    given = {name: value for name, value in birth.items() if value is not None}
    try:
        if when is None:
            raise bz.BirthRequired("no time")
        chart = bz.chart(when, school=school, **given)
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


def _ten_gods(chart: bz.Chart) -> dict[str, Any]:
    return {
        f"ten_god_{each.position}": TEN_GODS.index(each.ten_god) for each in chart.columns if each.ten_god
    }


def _hidden(chart: bz.Chart) -> dict[str, Any]:
    found = {}
    for each in chart.columns:
        for rank in range(HIDDEN):
            known = rank < len(each.hidden)
            name = f"{each.position}_{rank + 1}"
            found[f"hidden_{name}"] = STEMS.index(each.hidden[rank].stem) if known else -1
            found[f"hidden_god_{name}"] = TEN_GODS.index(each.hidden_gods[rank]) if known else -1
    return found


def _stages(chart: bz.Chart) -> dict[str, Any]:
    found = {}
    for each in chart.columns:
        found[f"stage_{each.position}"] = STAGES.index(each.stage_day_master)
        found[f"stage_self_{each.position}"] = STAGES.index(each.stage_self)
    return found


def _nayin(chart: bz.Chart) -> dict[str, Any]:
    return {f"nayin_{each.position}": NAYIN.index(each.nayin) for each in chart.columns}


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
    for column in columns_of(group, chart.school):
        here = held.get(column.name.rstrip("_0123456789"), set())
        found[column.name] = sum((word in here) << bit for bit, word in enumerate(column.words))
    return found


def _relations(chart: bz.Chart) -> dict[str, Any]:
    held: dict[str, set[str]] = {}
    for each in chart.relations:
        name = "rel_" + "_".join(position for position, _ in each.members)
        word = each.type
        if len(each.members) == 3:
            chars = {char for _, char in each.members}
            members = next(row["members"] for row in rows("relations") if set(row["members"]) == chars)
            word += each.element.value if each.element else members
        held.setdefault(name, set()).add(word)
    return _bits("relations", chart, held)


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
    "ten_gods": _ten_gods,
    "hidden_stems": _hidden,
    "nayin": _nayin,
    "stages": _stages,
    "voids": _voids,
    "luck": _luck,
    "relations": _relations,
    "stars": _stars,
    "strength": _strength,
    "pattern": _pattern,
}
