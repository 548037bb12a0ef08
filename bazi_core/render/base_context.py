"""`base_context`: the JSON object of a chart, as the schema `base_context.schema.json` describes it.

Deterministic: no clock, no locale, decimals rounded where they leave the engine. The digest covers the whole
object but for itself, the warnings and the summary, so leaving the facts out of a reply does not change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import TEN_GODS
from bazi_core.facts import SCHEMA_VERSION, digest, signed_json
from bazi_core.views.cycles import void_branches

if TYPE_CHECKING:
    from bazi_core.chart import Chart
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.views.columns import Column

POSITIONS = ("year", "month", "day", "hour")


def base_context(chart: Chart, facts: bool, lang: str, summary: str) -> dict[str, Any]:
    """The object of a chart; `facts=False` leaves the facts out, `lang` is that of the warnings."""
    whole = {**members(chart), "digest": chart.digest, **_beside(chart, lang, summary)}
    if facts:
        whole["facts"] = {name: fact.to_dict() for name, fact in sorted(chart.facts.items())}
    return whole


def base_context_json(chart: Chart, facts: bool, lang: str, summary: str) -> str:
    """The same as canonical JSON."""
    return signed_json(members(chart), chart.facts, _beside(chart, lang, summary), facts)


def _beside(chart: Chart, lang: str, summary: str) -> dict[str, Any]:
    """What no digest covers."""
    return {"warnings": [doubt.to_dict(lang) for doubt in chart.warnings], "human_readable_summary": summary}


def head(chart: Chart) -> dict[str, Any]:
    """How every object opens: versions, what was asked, by which School."""
    stated = input_of(chart)
    school = chart.school.to_dict()
    resolved = {name: value for name, value in stated.items() if name != "given"}
    return {
        "schema_version": SCHEMA_VERSION,
        "engine_version": engine_version(),
        "input": stated,
        "school": school,
        "input_digest": digest({"input": resolved, "school": school["options"]}),
    }


def members(chart: Chart) -> dict[str, Any]:
    """All that the digest covers but the facts."""
    columns = {column.position: column for column in chart.columns}
    return {
        **head(chart),
        "time_trace": time_trace(chart),
        "four_pillars": chart.pillars.to_dict(),
        "lunar": chart.lunar.to_dict() if chart.lunar else None,
        "zodiac": {rule: animal.value if animal else None for rule, animal in chart.zodiac.items()},
        "pillars": {name: _column(columns.get(name), chart) for name in POSITIONS},
        "day_master": {
            "stem": chart.day_master.value,
            "element": chart.day_master.element.value,
            "polarity": chart.day_master.polarity.value,
        },
        "bazi_structure": {"day_master": chart.day_master.value},
        "siling": _siling(chart),
        "five_elements": chart.elements.to_dict(),
        "ten_gods": _ten_gods(chart),
        "transparency": [each.to_dict() for each in chart.transparency],
        "roots": [each.to_dict() for each in chart.roots],
        "relations": [each.to_dict() for each in chart.relations],
        "void": {
            "day": [branch.value for branch in void_branches(chart.pillars.day)],
            "year": [branch.value for branch in void_branches(chart.pillars.year)],
        },
        "tai_yuan": chart.tai_yuan.value,
        "tai_xi": chart.tai_xi.value,
        "ming_gong": chart.ming_gong.value if chart.ming_gong else None,
        "shen_gong": chart.shen_gong.value if chart.shen_gong else None,
        "stars": [each.to_dict() for each in chart.stars],
        "day_master_strength": chart.strength.to_dict() if chart.strength else None,
        "major_luck": major_luck(chart.luck) if chart.luck else None,
    }


def input_of(chart: Chart) -> dict[str, Any]:
    """What the chart was made from, enough to make it again."""
    if chart.birth is not None:
        return {**chart.birth.to_dict(), "pillars": None}
    return {"given": str(chart.pillars), "pillars": list(str(chart.pillars).split()), "gender": chart.gender}


def engine_version() -> dict[str, str]:
    """Release and data on which every number rests."""
    from bazi_core import __version__
    from bazi_core.moment import backend_trace

    trace = backend_trace("")
    names = ("backend", "tables_version", "tables_hash", "tzdata_version")
    return {"release": __version__, **{name: trace[name] for name in names}}


def time_trace(chart: Chart) -> dict[str, Any] | None:
    """The moment on all its clocks, with what rests on pillars; None for given pillars."""
    from bazi_core.doubts import boundaries
    from bazi_core.moment import backend_trace

    school = chart.school
    if chart.day is not None:
        trace, near = chart.day.trace(), []
    elif chart.moment is not None:
        trace, near = chart.moment.to_dict(), boundaries(chart.moment, school)
    else:
        return None
    return {
        **trace,
        "clock": school.clock,
        "boundary_flags": [boundary.to_dict() for boundary in near],
        **backend_trace(school.future_utc),
    }


def _column(column: Column | None, chart: Chart) -> dict[str, Any] | None:
    if column is None:
        return None
    commander = chart.siling.stem if chart.siling and column.position == "month" else None
    pillar = column.pillar
    return {
        "ganzhi": pillar.value,
        "stem": pillar.stem.value,
        "branch": pillar.branch.value,
        "stem_element": pillar.stem.element.value,
        "branch_element": pillar.branch.element.value,
        "stem_ten_god": column.ten_god.value if column.ten_god else None,
        "hidden": [
            {
                "stem": hidden.stem.value,
                "rank": hidden.rank,
                "qi": hidden.qi,
                "weight": hidden.weight,
                "ten_god": god.value,
                "is_siling": hidden.stem is commander,
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


def _siling(chart: Chart) -> dict[str, Any] | None:
    if chart.siling is None:
        return None
    return {
        "stem": chart.siling.stem.value,
        "day_in_month": chart.siling.day_in_month,
        "table": chart.siling.table,
    }


def _ten_gods(chart: Chart) -> dict[str, Any]:
    visible = [(c.position, c.pillar.stem.value, c.ten_god.value) for c in chart.columns if c.ten_god]
    hidden = [
        (c.position, h.stem.value, god.value)
        for c in chart.columns
        for h, god in zip(c.hidden, c.hidden_gods, strict=True)
    ]
    found = [god for _, _, god in [*visible, *hidden]]
    counts = {god.value: found.count(god.value) for god in TEN_GODS}
    names = ("position", "stem", "ten_god")
    return {
        "visible": [dict(zip(names, row, strict=True)) for row in visible],
        "hidden": [dict(zip(names, row, strict=True)) for row in hidden],
        "counts": counts,
    }


def major_luck(luck: Luck) -> dict[str, Any]:
    """The luck as JSON."""
    from bazi_core.render.transition import transition

    earliest, latest = luck.start_range or (None, None)
    made: dict[str, Any] = {
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
        made["start_range"] = {"earliest": earliest.isoformat(), "latest": latest.isoformat()}
    return made


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
