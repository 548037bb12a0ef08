"""Every picture that is kept as a reference, by its name; `python -m tests.core.pictures.gallery` writes them anew."""

from __future__ import annotations

import os
from collections.abc import Callable

import bazi_core as bz
from bazi_core.liuyao import derive
from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import clock, elements, luck
from tests.core.pictures.drawn import chart

FOLDER = os.path.join(os.path.dirname(__file__), "references")
DOCUMENTED = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "docs", "pictures", "chart.svg")
DAY, AT = "2026-11-23", "2026-04-03T20:30:00+08:00"


# The pictures: every kind once, the three languages and both themes among them; each is drawn when it is asked for.
PICTURES: dict[str, Callable[[], str]] = {
    "chart": lambda: chart().svg(),
    "chart-no-hour-en-dark": lambda: chart("no hour").svg("en", "dark"),
    "chart-fold-hant": lambda: chart("fold").svg("zh-Hant"),
    "chart-pillars-compact-en": lambda: four_pillars.drawing(
        chart("pillars"), "en", "light", True, "Ada Lovelace"
    ),
    "luck-dark": lambda: luck.of_chart(chart(), "zh-Hans", "dark", DAY) or "",
    "luck-en": lambda: luck.of_chart(chart(), "en", "light", DAY) or "",
    "luck-no-hour-hant": lambda: luck.of_chart(chart("no hour"), "zh-Hant", "light", DAY) or "",
    "grid": lambda: luck.grid(chart(), "zh-Hans", "light", DAY),
    "clock": lambda: clock.drawing(chart()),
    "clock-en-dark": lambda: clock.drawing(chart(), "en", "dark"),
    "signs-alone-hant": lambda: four_pillars.signs_alone(chart("no hour"), "zh-Hant"),
    "signs-alone-en": lambda: four_pillars.signs_alone(chart(), "en"),
    "elements": lambda: elements.drawing(chart()),
    "elements-en-dark": lambda: elements.drawing(chart(), "en", "dark"),
    "judged": lambda: elements.judged(chart().pattern()),
    "judged-en": lambda: elements.judged(chart().pattern(), "en"),
    "year": lambda: chart().year(2026).svg(as_of=DAY),
    "year-en-dark": lambda: chart().year(2026).svg("en", "dark", DAY),
    "year-no-hour-hant": lambda: chart("no hour").year(2013).svg("zh-Hant"),
    "years": lambda: chart().years(2024, 2033).svg(here=2026),
    "years-en-dark": lambda: chart().years(2024, 2033).svg("en", "dark", here=2026),
    "years-of-a-life": lambda: chart().years(1990, 2109).svg(here=2026),
    "cast": lambda: derive("789876", AT).svg(),
    "cast-en-dark": lambda: derive("697798", AT).svg("en", "dark"),
    "cast-still-hant": lambda: derive("777777", AT).svg("zh-Hant"),
}


def gallery() -> dict[str, str]:
    """All of them, drawn."""
    return {name: draw() for name, draw in PICTURES.items()}


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
