"""A chart as one HTML page: doubts first, pictures, the same as tables, what is read from it, the evidence folded below.

The page is one file: no script, no font, image or style from outside. Everything that a caller chose is escaped.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from bazi_core.errors import known
from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import elements, luck
from bazi_core.pictures.kit import PAGE, THEMES, colors, fonts, safe, style
from bazi_core.place.display import name_shown
from bazi_core.render import grids, luck_sheet, sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes, sentence
from bazi_core.render.phrases import joined, pillars_text
from bazi_core.tables.words import LANGUAGES, label
from bazi_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.chart import ChartValue
    from bazi_core.facts import Fact
    from bazi_core.luck.running import AsOf
    from bazi_core.pattern.result import PatternResult


def chart_page(
    result: PatternResult,
    lang: str = "zh-Hans",
    theme: str = "auto",
    as_of: AsOf | None = None,
    name: str = "",
) -> str:
    """The page of a chart. `as_of` marks what runs at that time, `name` says whose chart it is.

    >>> import bazi_core as bz
    >>> chart_page(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern(), "en").splitlines()[0]
    '<!doctype html>'
    """
    known("lang", lang, LANGUAGES)
    known("theme", theme, THEMES)
    chart = result.chart
    body = [
        _opening(chart, lang, name),
        _doubts(result, lang),
        '<div class="two"><div>',
        _section(label("page.chart", lang), _pillars(chart, lang)),
        "</div><div>",
        _section(label("page.judged", lang), _figure(elements.judged(result, lang, PAGE, doubts_too=False))),
        _section(label("page.elements", lang), _figure(elements.drawing(chart, lang, PAGE))),
        "</div></div>",
        _section(label("page.luck", lang), _luck(chart, lang, as_of)) if chart.luck else "",
        _section(label("page.meaning", lang), _pairs(meaning(result, lang))),
        _section(label("page.clocks", lang), _clocks(chart, lang)) if chart.moment else "",
        _section(label("page.about", lang), _pairs([*sheet.head(chart, lang), *sheet.palaces(chart, lang)])),
        _section(label("page.evidence", lang), _evidence(result, lang), "evidence"),
    ]
    return whole_page(four_pillars.title(chart, lang, name), lang, theme, body, _footer(chart, lang))


def whole_page(title: str, lang: str, theme: str, body: Iterable[str], footer: str) -> str:
    variables = style(":root") if theme == "auto" else f":root{{{_fixed(theme)}}}"
    families = f":root{{--serif:{fonts(lang, True)};--sans:{fonts(lang)}}}"
    scheme = "light dark" if theme == "auto" else theme
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{lang}">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="color-scheme" content="{scheme}"><title>{safe(title)}</title>',
            f"<style>{variables}{families}\n{_css()}@media print{{:root{{{_fixed('light')};--paper:#fff}}}}</style>",
            "</head>",
            "<body><main>",
            *filter(None, body),
            f"</main><footer>{footer}</footer></body></html>",
            "",
        ]
    )


def _fixed(theme: str) -> str:
    return ";".join(f"--{name}:{color}" for name, color in colors(theme).items())


@cache
def _css() -> str:
    with open(os.path.join(os.path.dirname(__file__), "page.css"), encoding="utf-8") as file:
        return file.read()


def _opening(chart: ChartValue, lang: str, name: str) -> str:
    parts = [label(chart.gender or "gender_unknown", lang)]
    if chart.birth is not None:
        civil = chart.birth.civil
        parts.append(str(civil.date()) if chart.day else civil.isoformat(" ", "minutes"))
    rows = dict(sheet.head(chart, lang))
    parts += [rows[label(each, lang)] for each in ("lunar", "zodiac") if label(each, lang) in rows]
    if chart.birth is not None and chart.birth.place is not None:
        parts.append(name_shown(chart.birth.place.ref, chart.birth.place.name, lang))
    pillars = pillars_text(chart.pillars, lang)
    heading = f"{safe(name)}<br><small>{safe(pillars)}</small>" if name else safe(pillars)
    return f'<h1>{heading}</h1><p class="sub">{safe(" · ".join(filter(None, parts)))}</p>'


def _doubts(result: PatternResult, lang: str) -> str:
    found = [*notes(result.chart, lang), *([sentence(doubt, lang)] for doubt in result.warnings)]
    if not found:
        return f'<p class="sub">{safe(label("page.none", lang))}</p>'
    items = []
    for first, *others in found:
        more = f"<ul>{''.join(f'<li>{safe(each)}</li>' for each in others)}</ul>" if others else ""
        items.append(f"<li>{safe(first)}{more}</li>")
    return f'<div class="note" role="note"><h2>{safe(label("picture.doubts", lang))}</h2><ul>{"".join(items)}</ul></div>'


def _section(heading: str, inside: str, kind: str = "part") -> str:
    return f'<section class="{kind}"><h2>{safe(heading)}</h2>{inside}</section>'


def _figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def _pillars(chart: ChartValue, lang: str) -> str:
    rows = grids.pillar_rows(chart, lang)
    legend = grids.legend(chart, lang)
    below = f"<p><small>{safe(', '.join(legend))}</small></p>" if legend else ""
    table = _folded(label("page.as_table", lang), _table(rows, label("page.chart", lang)) + below)
    return _figure(four_pillars.drawing(chart, lang, PAGE, doubts_too=False)) + table


def _luck(chart: ChartValue, lang: str, as_of: AsOf | None) -> str:
    now = None if as_of is None else chart.running(as_of)
    runs = "" if now is None else f"<p>{safe(luck_sheet.running_line(chart, now, lang))}</p>"
    pictures = _figure(luck.of_chart(chart, lang, PAGE, as_of, lines_too=False))
    if chart.luck is not None and chart.luck.start is not None:
        pictures = f'<div class="two">{pictures}{_figure(luck.grid(chart, lang, PAGE, as_of))}</div>'
    rows = grids.luck_rows(chart, lang, runs=now.cycle if now else None)
    met = luck_sheet.met_rows(chart, lang)
    folded = _folded(label("page.as_table", lang), _table(rows, label("page.luck", lang)))
    folded += _folded(label("met", lang), _pairs([(row[0], row[1]) for row in met])) if met else ""
    return f"<p>{safe(sheet.luck_line(chart, lang))}</p>{runs}{pictures}{folded}"


def _clocks(chart: ChartValue, lang: str) -> str:
    rows = [["", label("time", lang), ""], *sheet.time_rows(chart, lang)]
    return _table(rows, label("page.clocks", lang))


def _evidence(result: PatternResult, lang: str) -> str:
    facts = result.all_facts
    items = "".join(_fact(fact, facts, lang) for _, fact in sorted(facts.items()))
    return _folded(label("page.evidence_of", lang, count=len(facts)), f'<ul class="facts">{items}</ul>')


def _fact(fact: Fact, facts: dict[str, Fact], lang: str) -> str:
    below = [
        f'<a href="#{safe(name)}">{safe(facts[name].text(lang))}</a>'
        for name in fact.derives_from
        if name in facts
    ]
    rest = f'<p class="basis">{safe(label("page.rests_on", lang))} {joined(below, lang)}</p>' if below else ""
    source = " · ".join(filter(None, (fact.rule, fact.source)))
    own, name = safe(fact.text(lang)), safe(fact.id)
    return f'<li id="{name}">{own} <small><code>{name}</code> {safe(source)}</small>{rest}</li>'


def _footer(chart: ChartValue, lang: str) -> str:
    name, value = sheet.head(chart, lang)[-1]
    made = label("page.made_by", lang, version=__version__, digest=chart.digest)
    return f"<p>{safe(name)} {safe(value)}<br>{safe(made)}</p>"


def _folded(summary: str, inside: str) -> str:
    return f"<details><summary>{safe(summary)}</summary>{inside}</details>"


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    return (
        "<dl>"
        + "".join(f"<div><dt>{safe(name)}</dt><dd>{safe(value)}</dd></div>" for name, value in rows)
        + "</dl>"
    )


def _table(rows: Sequence[Sequence[str]], name: str) -> str:
    """Rows as a table, the first its head, the first cell of each its name; it scrolls inside itself."""
    head = "".join(f'<th scope="col">{_cell(each)}</th>' if each else "<td></td>" for each in rows[0])
    body = "".join(
        f'<tr><th scope="row">{_cell(first)}</th>{"".join(f"<td>{_cell(each)}</td>" for each in rest)}</tr>'
        for first, *rest in rows[1:]
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(name)}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(told: str) -> str:
    return "<br>".join(safe(line) for line in told.split("\n"))
