"""What the page of a chart shows, in the order in which it is read; the words are the core's wherever it has them.

Doubts come first, then the picture, strength with every reading that is open, the elements, luck with the place on it where
one is now, the clocks, the chart that it might be instead, and the evidence that the page refers to.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from bazi_core.face import Chart, cast_pillars
from bazi_core.luck.running import Running
from bazi_core.pattern.result import PatternResult
from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import clock
from bazi_core.pictures.kit import PAGE
from bazi_core.place.display import name_shown
from bazi_core.render import grids, sheet
from bazi_core.render.notes import notes, sentence
from bazi_core.tables.words import label
from bazi_hub.pages.address import Fields, OpenChart
from bazi_hub.pages.birth import shown_longitude
from bazi_hub.pages.chart_hours import Other, Piece, most_agreed, other_chart, pieces_of_day
from bazi_hub.pages.chart_luck import LuckView, luck_view
from bazi_hub.pages.chart_strength import METHODS, ElementRow, Judged, elements, judged, season
from bazi_hub.pages.texts import text


class Evidence(NamedTuple):
    """A fact with its rule and source, and what it rests on: words, and the id of those that are here too."""

    id: str
    told: str
    basis: str
    grounds: list[tuple[str, str]]


class ChartPage(NamedTuple):
    pillars: str
    names: str
    facts: list[str]
    doubts: list[list[str]]
    picture: Markup
    table: list[list[str]]
    legend: str
    judged: Judged | None
    elements: list[ElementRow]
    season: str
    luck: LuckView | None
    no_luck: str
    clocks: Markup | None
    other: Other | None
    day: list[Piece]
    day_told: list[str]
    further: list[tuple[str, str]]
    evidence: dict[str, Evidence]


def chart_page(
    chart: Chart, lang: str, now_ms: int, query: Fields | None, open_chart: OpenChart | None = None
) -> ChartPage:
    """All that is shown of a chart; `query` is its address, `open_chart` what is known of one without its birth."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    result, running = chart.pattern(), chart.running(now)
    pieces = pieces_of_day(chart, lang)
    return ChartPage(
        pillars=_signs(chart),
        names=sheet.title(chart, lang),
        facts=_facts(chart, running, lang),
        doubts=_doubts(chart, result, lang),
        picture=Markup(four_pillars.drawing(chart, lang, PAGE, doubts_too=False)),
        table=grids.pillar_rows(chart, lang),
        legend=", ".join(grids.legend(chart, lang)),
        judged=judged(result, lang),
        elements=elements(chart, lang),
        season=season(chart, lang),
        luck=luck_view(chart, result, running, now, lang, open_chart),
        no_luck=sheet.luck_line(chart, lang, keys=False),
        clocks=Markup(clock.drawing(chart, lang, PAGE)) if chart.moment else None,
        other=other_chart(chart, query, lang),
        day=pieces,
        day_told=most_agreed(pieces, lang),
        further=sheet.palaces(chart, lang),
        evidence=_evidence(result, running, lang),
    )


@lru_cache(maxsize=8)
def example(lang: str) -> Markup:
    """The pillars of the example beside the form."""
    return Markup(four_pillars.signs_alone(cast_pillars("庚午 辛巳 庚辰 壬午"), lang, PAGE))


# --- head


def _signs(chart: Chart) -> str:
    """The four pillars in signs; blanks for an unknown hour."""
    return " ".join(pillar.value if pillar else "＿＿" for pillar in chart.pillars)


def title_of(chart: Chart, lang: str) -> str:
    """The title of a chart until its owner names it: when and where."""
    born = chart.birth
    if born is None:
        return _signs(chart)
    when = f"{born.civil:%Y-%m-%d}" if born.hour_unknown else f"{born.civil:%Y-%m-%d %H:%M}"
    place = name_shown(born.place.ref, born.place.name, lang) if born.place else ""
    return f"{when} {place}".strip()


def _facts(chart: Chart, running: Running, lang: str) -> list[str]:
    born = chart.birth
    parts = [label(chart.gender or "gender_unknown", lang)]
    if born is not None:
        parts.append(str(born.civil.date()) if chart.day else born.civil.isoformat(" ", "minutes"))
        if chart.day:
            parts.append(label("hour_unknown", lang))
        if chart.lunar is not None:
            parts.append(text("chart.lunar", lang, date=sheet.lunar(chart.lunar, lang)))
        if born.place is not None:
            name = name_shown(born.place.ref, born.place.name, lang)
            parts.append(
                f"{name} {shown_longitude(born.place.longitude)}"
                if born.place.longitude is not None
                else name
            )
    parts.append(text("chart.zodiac", lang, animal=sheet.zodiac(chart, lang)))
    if running.ages is not None:
        parts.append(text("chart.age", lang, age=running.ages.nominal))
    if chart.school.profile != "ziping":
        parts.append(label(f"word.{chart.school.profile}", lang))
    return parts


def _doubts(chart: Chart, result: PatternResult, lang: str) -> list[list[str]]:
    return [*notes(chart, lang), *([sentence(doubt, lang)] for doubt in result.warnings)]


# --- evidence

_SHOWN = ("str.verdict", "str.deling", "str.dedi", "str.deshi", "alt.str.verdict", "pat.main", "pat.status",
          "pat.diagnosis", "yong.primary", "yong.secondary", "alt.yong.primary", "dy.start")  # fmt: skip
_BEGINNINGS = ("wx.dominant.", "wx.missing.", "rel.")
_STRENGTH = ("str.deling", "str.dedi", "str.deshi", *(f"str.method.{method}" for method in METHODS))
_MOST_GROUNDS = 10


def _evidence(result: PatternResult, running: Running, lang: str) -> dict[str, Evidence]:
    """The facts on which the page rests, by their ids."""
    facts, day = result.all_facts, result.chart.day_master.element.value
    names = [*_SHOWN, f"wx.state.{day}", *([f"dy.{running.cycle.index + 1}"] if running.cycle else [])]
    names += [name for name in facts if name.startswith(_BEGINNINGS)]
    shown = [name for name in names if name in facts]
    found = {}
    for name in shown:
        fact: Any = facts[name]
        # The verdict rests on one method; the reader wants all four, and what each has weighed.
        rests_on = _STRENGTH if name == "str.verdict" else fact.derives_from
        below = [each for each in rests_on if each in facts][:_MOST_GROUNDS]
        grounds = [(facts[each].text(lang), each if each in shown else "") for each in below]
        basis = " · ".join(filter(None, (fact.rule, fact.source)))
        found[name] = Evidence(name, fact.text(lang), basis, grounds)
    return found


__all__ = ["ChartPage", "chart_page", "example", "title_of"]
