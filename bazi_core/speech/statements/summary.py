"""The chart in a few sentences: pillars, time, strength, elements, luck; only what the chart itself holds."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import Draft
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.life import distribution
from bazi_core.speech.statements.timing import start

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.speech.plan import Plan


def chart_summary(chart: ChartValue, language: str = "zh-Hans") -> str:
    """`human_readable_summary`: what the chart holds, in a few sentences.

    The digest of the object covers no summary, so the pillars choose among variants.

    >>> import bazi_core as bz
    >>> chart_summary(bz.chart(pillars="庚午 辛巳 庚辰 壬午")).partition("。")[0]
    '四柱为年柱庚午、月柱辛巳、日柱庚辰、时柱壬午，日主庚金，生于巳月'
    """
    plan = summary_plan(chart)
    return Speaker(language, plan.digest).reading(plan).narrative(language)


def summary_plan(chart: ChartValue) -> Plan:
    """What the summary of a chart says."""
    draft = Draft(chart.facts, f"{crc32(str(chart.pillars).encode()):08x}")
    _pillars(draft, chart)
    _time(draft, chart)
    _strength(draft, chart)
    distribution(draft, chart.elements, "summary.elements", chart.pillars)
    if chart.luck is not None:
        start(draft, chart.luck)
    return draft.plan()


def _pillars(draft: Draft, chart: ChartValue) -> None:
    pillars = chart.pillars
    told = [At(f"{where}.pillar", sign(pillar)) for where, pillar in pillars.items()]
    draft.add(
        "summary.pillars" if pillars.hour else "summary.three", *pillars.leaf_ids, kind="fact", pillars=told,
        day=sign(chart.day_master), month=sign(pillars.month.branch),
    )  # fmt: skip


def _time(draft: Draft, chart: ChartValue) -> None:
    if chart.moment is not None:
        clock = chart.moment.local.replace("T", " ")[:19]
        draft.add(
            f"summary.time.{chart.moment.used}", f"p.time.{chart.moment.used}", kind="fact", clock=clock
        )
    elif chart.day is None:
        draft.add("summary.dateless", kind="transition")


def _strength(draft: Draft, chart: ChartValue) -> None:
    found = chart.strength
    if found is not None:
        votes = (f"str.method.{name}" for name in found.method_votes)
        key = "summary.strength.open" if found.is_open else "summary.strength"
        draft.add(
            key, "str.verdict", "str.level", *votes, verdict=Term(found.verdict, "strength"),
            level=Term(found.level, "strength"), count=Phrase(f"number.{found.agreement}", {}),
        )  # fmt: skip
