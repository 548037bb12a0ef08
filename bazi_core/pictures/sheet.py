"""A chart as one page of A4 to hand over, as PDF: typst (extra `pdf`) sets the same pictures and words as the web page.

Fonts for hanzi are looked for by name among those that typst finds; where there is none, nothing is written. What would
make a second page is first drawn smaller, then left out: what each 大运 meets, or stages, 纳音 and 神煞, or both, then what
is read from the chart.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import elements, luck
from bazi_core.pictures.kit import PRINT, fonts
from bazi_core.pictures.press import Press
from bazi_core.place.display import name_shown
from bazi_core.render import luck_sheet, sheet
from bazi_core.render.meaning import meaning
from bazi_core.render.notes import notes, sentence
from bazi_core.render.phrases import pillars_text, printable
from bazi_core.tables.words import label
from bazi_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import AsOf
    from bazi_core.pattern.result import PatternResult

MOST_DOUBTS, MOST_READ, _LONGEST = 6, 9, 160


class PageParts(NamedTuple):
    """The parts that stand on the page: what each 大运 meets, the lower rows of the pillars, what is read from the chart;
    and how wide the pillars and the luck under them are drawn, in mm."""

    wide: int
    met: bool
    rows: bool
    read: bool


# The first that makes one page is taken.
_PAGES = (
    PageParts(96, met=True, rows=True, read=True),
    PageParts(80, met=True, rows=True, read=True),
    PageParts(96, met=False, rows=True, read=True),
    PageParts(80, met=False, rows=True, read=True),
    PageParts(96, met=True, rows=False, read=True),
    PageParts(96, met=False, rows=False, read=True),
    PageParts(96, met=False, rows=False, read=False),
)


def chart_pdf(
    result: PatternResult,
    lang: str = "zh-Hans",
    as_of: AsOf | None = None,
    name: str = "",
    font_paths: Sequence[str] = (),
) -> bytes:
    """The page as the bytes of a PDF. `font_paths` are folders with fonts beside those of the system.

    `LIBRARY_MISSING` without typst, `FONT_MISSING` where no font has hanzi, `UNKNOWN_OPTION` for another language.
    """
    with open(os.path.join(os.path.dirname(__file__), "sheet.typ"), "rb") as file:
        press = Press(file.read(), lang, font_paths)
    for parts in _PAGES:
        given = _words(result, lang, as_of, name, parts)
        given |= _pictures(result, lang, as_of, press.serif, press.sans, parts)
        if press.pages(given) == 1:
            break
    return press.pdf(given)


def _pictures(
    result: PatternResult,
    lang: str,
    as_of: AsOf | None,
    serif: Sequence[str],
    sans: Sequence[str],
    shown: PageParts,
) -> dict[str, Any]:
    """The pictures on white, in the fonts that are there, each with its name."""
    chart = result.chart
    made = {
        "pillars": (
            four_pillars.title(chart, lang),
            four_pillars.drawing(chart, lang, PRINT, not shown.rows, doubts_too=False),
        ),
        "judged": (label("page.judged", lang), elements.judged(result, lang, PRINT, doubts_too=False)),
        "elements": (label("page.elements", lang), elements.drawing(chart, lang, PRINT)),
    }
    if chart.luck is not None:
        made["luck"] = (label("page.luck", lang), luck.of_chart(chart, lang, PRINT, as_of, lines_too=False))
    families = {fonts(lang, True): ",".join(serif), fonts(lang): ",".join(sans)}
    pictures = {}
    for each, (_, text) in made.items():
        for usual, there in families.items():
            text = text.replace(f'font-family="{usual}"', f'font-family="{there}"')
        pictures[each] = text
    return {"pictures": pictures, "alts": {each: name for each, (name, _) in made.items()}}


def _words(
    result: PatternResult, lang: str, as_of: AsOf | None, name: str, shown: PageParts
) -> dict[str, Any]:
    chart = result.chart
    pillars = pillars_text(chart.pillars, lang)
    rows = dict(sheet.head(chart, lang))
    parts = [label(chart.gender or "gender_unknown", lang)]
    parts += [rows[label(each, lang)] for each in ("lunar", "zodiac") if label(each, lang) in rows]
    if chart.birth is not None:
        civil = chart.birth.civil
        parts.insert(1, str(civil.date()) if chart.day else civil.isoformat(" ", "minutes"))
        if chart.birth.place is not None:
            parts.append(name_shown(chart.birth.place.ref, chart.birth.place.name, lang))
    told = [*notes(chart, lang), *([sentence(doubt, lang)] for doubt in result.warnings)]
    doubts = [cut("  ".join(each)) for each in told[:MOST_DOUBTS]]
    if len(told) > MOST_DOUBTS:
        doubts.append(label("picture.more", lang, count=len(told) - MOST_DOUBTS))
    running = [] if as_of is None else [luck_sheet.running_line(chart, chart.running(as_of), lang)]
    has_luck = chart.luck is not None
    lines = [sheet.luck_line(chart, lang), *running] if has_luck else []
    met = luck_sheet.met_rows(chart, lang) if has_luck and shown.met else []
    read = meaning(result, lang) if shown.read else []
    made = label("page.made_by", lang, version=__version__, digest=chart.digest)
    return {
        "title": printable(four_pillars.title(chart, lang, name)),
        "heading": cut(name, 40) if name else pillars if lang != "en" else str(chart.pillars),
        "side": pillars if name else label("title", lang),
        "sub": printable(" · ".join(filter(None, parts))),
        "doubts": doubts,
        "doubts-heading": label("picture.doubts", lang),
        "luck": [cut(line) for line in lines],
        "luck-heading": label("page.luck", lang),
        "met": [(row[0], cut(row[1])) for row in met],
        "met-heading": label("met", lang),
        "read": [(word, cut(value, 2 * _LONGEST)) for word, value in read[:MOST_READ]],
        "footer": f"{rows[label('school', lang)]} · {made}",
        "wide": shown.wide,
    }


def cut(told: str, longest: int = _LONGEST) -> str:
    """Text that leaves the page one page: without control characters, and with an ellipsis where it is too long."""
    told = printable(told)
    return told if len(told) <= longest else told[: longest - 1] + "…"
