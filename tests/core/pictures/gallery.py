"""Every picture that is kept as a reference, by its name; `python -m tests.core.pictures.gallery` writes them anew."""

from __future__ import annotations

import os
from functools import cache

import bazi_core as bz
from bazi_core.liuyao import derive
from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import elements, luck
from tests.core.pictures.drawn import chart

FOLDER = os.path.join(os.path.dirname(__file__), "references")
DOCUMENTED = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "docs", "pictures", "chart.svg")
DAY, AT = "2026-11-23", "2026-04-03T20:30:00+08:00"


@cache
def gallery() -> dict[str, str]:
    """The pictures: every kind once, the three languages and both themes among them."""
    own = chart()
    return {
        "chart": own.svg(),
        "chart-no-hour-en-dark": chart("no hour").svg("en", "dark"),
        "chart-fold-hant": chart("fold").svg("zh-Hant"),
        "chart-pillars-compact-en": four_pillars.drawing(
            chart("pillars"), "en", "light", True, "Ada Lovelace"
        ),
        "luck-dark": luck.of_chart(own, "zh-Hans", "dark", DAY) or "",
        "luck-en": luck.of_chart(own, "en", "light", DAY) or "",
        "luck-no-hour-hant": luck.of_chart(chart("no hour"), "zh-Hant", "light", DAY) or "",
        "grid": luck.grid(own, "zh-Hans", "light", DAY),
        "elements": elements.drawing(own),
        "elements-en-dark": elements.drawing(own, "en", "dark"),
        "judged": elements.judged(own.pattern()),
        "judged-en": elements.judged(own.pattern(), "en"),
        "year": own.year(2026).svg(as_of=DAY),
        "year-en-dark": own.year(2026).svg("en", "dark", DAY),
        "year-no-hour-hant": chart("no hour").year(2013).svg("zh-Hant"),
        "years": own.years(2024, 2033).svg(here=2026),
        "years-en-dark": own.years(2024, 2033).svg("en", "dark", here=2026),
        "years-of-a-life": own.years(1990, 2109).svg(here=2026),
        "cast": derive("789876", AT).svg(),
        "cast-en-dark": derive("697798", AT).svg("en", "dark"),
        "cast-still-hant": derive("777777", AT).svg("zh-Hant"),
    }


def documented() -> str:
    """The picture of README: the chart that it computes, in the colours of the reader's system."""
    return bz.chart("1988-08-18 13:30", city="北京", gender="male").svg(theme="auto")


def kept(name: str) -> str:
    with open(os.path.join(FOLDER, f"{name}.svg"), encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for old in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, old))
    with open(DOCUMENTED, "w", encoding="utf-8") as file:
        file.write(documented() + "\n")
    for name, text in gallery().items():
        with open(os.path.join(FOLDER, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(text)
