"""The parts of `base_context`, the JSON object of a chart, as the schema `base_context.schema.json` describes it.

Deterministic: no clock, no locale, decimals rounded where they leave the engine. The digest covers the whole
object but for itself, the warnings and the summary, so leaving the facts out of a reply does not change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import TEN_GODS
from bazi_core.facts import SCHEMA_VERSION, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.birth import Birth
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.moment import SolarMoment
    from bazi_core.pillars import FourPillars
    from bazi_core.school import School
    from bazi_core.unknown_hour import UnknownHour
    from bazi_core.views.columns import Column
    from bazi_core.views.hidden import Siling


def head(stated: dict[str, Any], options: School) -> dict[str, Any]:
    """The first members of every object: versions, input, School and their digest."""
    school = options.to_dict()
    resolved = {name: value for name, value in stated.items() if name != "given"}
    return {
        "schema_version": SCHEMA_VERSION,
        "engine_version": engine_version(),
        "input": stated,
        "school": school,
        "input_digest": digest({"input": resolved, "school": school["options"]}),
    }


def input_of(birth: Birth | None, pillars: FourPillars, gender: str | None) -> dict[str, Any]:
    """The input of a chart, from which it can be recomputed."""
    if birth is not None:
        return {**birth.to_dict(), "pillars": None}
    return {"given": str(pillars), "pillars": list(str(pillars).split()), "gender": gender}


def engine_version() -> dict[str, str]:
    """Versions of the release and the data."""
    from bazi_core.moment import backend_trace
    from bazi_core.version import __version__

    trace = backend_trace("")
    names = ("backend", "tables_version", "tables_hash", "tzdata_version")
    return {"release": __version__, **{name: trace[name] for name in names}}


def time_trace(moment: SolarMoment | None, day: UnknownHour | None, school: School) -> dict[str, Any] | None:
    """The moment on all its clocks, with the edges near it; None for given pillars."""
    from bazi_core.boundaries import boundaries
    from bazi_core.moment import backend_trace

    if day is not None:
        trace, near = day.trace(), []
    elif moment is not None:
        trace, near = moment.to_dict(), boundaries(moment, school)
    else:
        return None
    return {
        **trace,
        "clock": school.clock,
        "boundary_flags": [boundary.to_dict() for boundary in near],
        **backend_trace(school.future_utc),
    }


def pillar(column: Column | None, siling: Siling | None) -> dict[str, Any] | None:
    """A pillar with the values of its column."""
    if column is None:
        return None
    commands = siling.stem if siling and column.position == "month" else None
    own = column.pillar
    return {
        "ganzhi": own.value,
        "stem": own.stem.value,
        "branch": own.branch.value,
        "stem_element": own.stem.element.value,
        "branch_element": own.branch.element.value,
        "stem_ten_god": column.ten_god.value if column.ten_god else None,
        "hidden": [
            {
                "stem": hidden.stem.value,
                "rank": hidden.rank,
                "qi": hidden.qi,
                "weight": hidden.weight,
                "ten_god": god.value,
                "is_siling": hidden.stem is commands,
            }
            for hidden, god in zip(column.hidden, column.hidden_gods, strict=True)
        ],
        "nayin": column.nayin,
        "xun": column.xun.value,
        "void": column.void,
        "stage_day_master": column.stage_day_master.value,
        "stage_self": column.stage_self.value,
        "evidence_id": f"p.{column.position}.stem",
    }


def commander(siling: Siling | None) -> dict[str, Any] | None:
    """The commanding stem (司令) at birth."""
    if siling is None:
        return None
    return {"stem": siling.stem.value, "day_in_month": siling.day_in_month, "table": siling.table}


def ten_gods(columns: Iterable[Column]) -> dict[str, Any]:
    """The ten gods of a chart, visible and hidden, and the count of each."""
    visible = [(c.position, c.pillar.stem.value, c.ten_god.value) for c in columns if c.ten_god]
    hidden = [
        (c.position, h.stem.value, god.value)
        for c in columns
        for h, god in zip(c.hidden, c.hidden_gods, strict=True)
    ]
    gods = [god for _, _, god in [*visible, *hidden]]
    counts = {god.value: gods.count(god.value) for god in TEN_GODS}
    names = ("position", "stem", "ten_god")
    return {
        "visible": [dict(zip(names, row, strict=True)) for row in visible],
        "hidden": [dict(zip(names, row, strict=True)) for row in hidden],
        "counts": counts,
    }


def major_luck(luck: Luck) -> dict[str, Any]:
    """The luck as JSON."""
    from bazi_core.luck.transition import transition

    earliest, latest = luck.start_range or (None, None)
    members: dict[str, Any] = {
        "direction": luck.direction,
        "method": luck.method,
        "start_age": luck.start_age._asdict() if luck.start_age else None,
        "start_at": luck.start.isoformat() if luck.start else None,
        "uncertain": luck.uncertain,
        "transition": transition(luck, "zh-Hans"),
        "xiaoyun": [
            {"age_nominal": each.age_nominal, "year": each.year, "ganzhi": each.pillar.value}
            for each in luck.xiaoyun
        ],
        "cycles": [_cycle(cycle) for cycle in luck.cycles],
    }
    if earliest and latest:
        members["start_range"] = {"earliest": earliest.isoformat(), "latest": latest.isoformat()}
    return members


def _cycle(cycle: LuckCycle) -> dict[str, Any]:
    return {
        "index": cycle.index,
        "ganzhi": cycle.pillar.value,
        "ten_god_stem": cycle.marks.ten_god_stem.value,
        "ten_god_branch": cycle.marks.ten_god_branch.value,
        "start_at": cycle.start_at.isoformat() if cycle.start_at else None,
        "start_year": cycle.start_year,
        "end_year": cycle.end_year,
        "start_age_nominal": cycle.start_age_nominal,
        "start_age_full": cycle.start_age_full,
        "stage": cycle.marks.stage.value,
        "void": cycle.marks.void,
        "evidence_id": f"dy.{cycle.index + 1}",
    }
