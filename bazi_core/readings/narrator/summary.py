"""The chart in a few sentences: pillars, time, strength, elements, luck; only what the chart itself holds."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from bazi_core.readings.narrator.catalogue import At, Phrase, Term, sign
from bazi_core.readings.narrator.life import distribution
from bazi_core.readings.narrator.story import Story
from bazi_core.readings.narrator.timing import start

if TYPE_CHECKING:
    from bazi_core.chart import Chart


def summary_story(chart: Chart, lang: str) -> Story:
    """The story of a chart. The digest of the object covers no summary, so the pillars choose among variants."""
    story = Story(chart.facts, f"{crc32(str(chart.pillars).encode()):08x}", lang)
    _pillars(story, chart)
    _time(story, chart)
    _strength(story, chart)
    distribution(story, chart.elements, "summary.elements")
    if chart.luck is not None:
        start(story, chart.luck)
    return story


def _pillars(story: Story, chart: Chart) -> None:
    pillars = chart.pillars
    ids = (f"p.{where}.{part}" for where, _ in pillars.items() for part in ("stem", "branch"))
    told = [At(f"{where}.pillar", sign(pillar)) for where, pillar in pillars.items()]
    story.add(
        "summary.pillars" if pillars.hour else "summary.three", *ids, kind="fact", pillars=told,
        day=sign(chart.day_master), month=sign(pillars.month.branch),
    )  # fmt: skip


def _time(story: Story, chart: Chart) -> None:
    if chart.moment is not None:
        clock = chart.moment.local.replace("T", " ")[:19]
        story.add(
            f"summary.time.{chart.moment.used}", f"p.time.{chart.moment.used}", kind="fact", clock=clock
        )
    elif chart.day is None:
        story.add("summary.dateless", kind="transition")


def _strength(story: Story, chart: Chart) -> None:
    found = chart.strength
    if found is not None:
        votes = (f"str.method.{name}" for name in found.method_votes)
        story.add(
            "summary.strength", "str.verdict", "str.level", *votes, verdict=Term(found.verdict, "strength"),
            level=Term(found.level, "strength"), count=Phrase(f"number.{found.agreement}", {}),
        )  # fmt: skip
