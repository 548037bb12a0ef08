"""Years side by side as SVG: the line of one score over the years, under the 大运 that runs.

The reading that is taken is a solid line with filled marks, the other reading of an open strength a dashed one with open
marks. The numbers stand below, where there is room for them, and all of them in the description.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bazi_core.errors import known
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.phrases import titled
from bazi_core.render.svg import FONTS, THEMES, text
from bazi_core.render.width import width
from bazi_core.render.year_sheet import capital, domain
from bazi_core.render.years_sheet import band_name, title
from bazi_core.tables.words import LANGUAGES, label
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_value import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from bazi_core.year.span import YearsResult
    from bazi_core.year.span_value import Band

WIDTH, LEFT, RIGHT = 820, 64, 796
BANDS, TOP, BOTTOM = 84, 124, 324
_GRID = (10, 30, 50, 70, 90)
# So many years have their numbers below them; of more, every fifth or tenth has its name.
_NUMBERED, _MANY = 12, 60
_HALF_COLUMN = 7.2  # units of half a hanzi at the size of the bands, with some room


def drawing(
    span: YearsResult,
    lang: str = "zh-Hans",
    theme: str = "light",
    domain: str = OVERALL,
    here: int | None = None,
) -> str:
    """The drawing of a score over the years, 820 units wide; `here` is a year to point out.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> drawing(span).count("<circle")
    20
    """
    known("lang", lang, LANGUAGES)
    known("theme", theme, tuple(THEMES))
    known("domain", domain, SCORES)
    return "\n".join(_Drawing(span, lang, theme, domain, here).lines())


class _Drawing:
    def __init__(self, span: YearsResult, lang: str, theme: str, domain: str, here: int | None) -> None:
        self.span, self.lang, self.domain, self.here = span, lang, domain, here
        self.ground, self.ink, self.faint, self.accent = THEMES[theme]
        readings = (span, *span.alternatives)
        self.scores = [[year.scores.of(domain) for year in each.years] for each in readings]
        every = [score for scores in self.scores for score in scores]
        self.low, self.high = min(25, *every), max(75, *every)
        self.step = (RIGHT - LEFT) / len(span.years)
        self.rows = 2 + len(readings) if len(span.years) <= _NUMBERED else 1
        self.height = BOTTOM + 22 + 22 * self.rows + 34

    def lines(self) -> Iterator[str]:
        name = titled(capital(domain(self.domain, self.lang)), title(self.span, self.lang), self.lang)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" role="img"'
            f' aria-label="{escape(name)}" font-family="{FONTS}" font-size="16" fill="{self.ink}">'
        )
        yield f"<title>{escape(name)}</title>"
        yield f"<desc>{escape(self.told())}</desc>"
        yield f'<rect width="{WIDTH}" height="{self.height}" fill="{self.ground}"/>'
        yield text(24, 36, name, size=20)
        yield text(24, 64, label("years_line", self.lang), self.faint, 14)
        yield from self.bands()
        yield from self.grid()
        yield from self.line(self.scores[0], self.ink, False)
        for scores in self.scores[1:]:
            yield from self.line(scores, self.faint, True)
        yield from self.names()
        yield text(24, self.height - 16, self.legend(), self.faint, 14)
        yield "</svg>"

    def told(self) -> str:
        """Every year with its scores."""
        words = []
        for at, year in enumerate(self.span.years):
            score = " / ".join(str(scores[at]) for scores in self.scores)
            words.append(label("years_point", self.lang, year=year.target_year, score=score))
        return (", " if self.lang == "en" else "，").join(words)

    def x(self, at: float) -> float:
        """The middle of a year by its place."""
        return round(LEFT + (at + 0.5) * self.step, 1)

    def y(self, score: float) -> float:
        return round(BOTTOM - (score - self.low) / (self.high - self.low) * (BOTTOM - TOP), 1)

    def at(self, instant: datetime) -> float:
        """Where an instant stands."""
        for place, year in enumerate(self.span.years):
            if instant < year.flow.end:
                part = (instant - year.flow.start) / (year.flow.end - year.flow.start)
                return LEFT + (place + part) * self.step
        return RIGHT

    def bands(self) -> Iterator[str]:
        """The 大运, shaded by turns, with the day on which each begins."""
        for number, band in enumerate(self.span.bands):
            left, right = round(self.at(band.start), 1), round(self.at(band.end), 1)
            opacity = "0.14" if number % 2 else "0.07"
            yield (
                f'<rect x="{left:g}" y="{BANDS}" width="{right - left:g}" height="{BOTTOM - BANDS}"'
                f' fill="{self.ink}" fill-opacity="{opacity}"/>'
            )
            told = next((each for each in self.labels(band, number) if _fits(each, right - left)), "")
            if told:
                yield text((left + right) / 2, BANDS + 20, told, size=14, anchor="middle")

    def labels(self, band: Band, number: int) -> Iterator[str]:
        """What may stand in a band, the longest first."""
        name = band_name(band, self.lang)
        name = label("band", self.lang, name=name) if band.cycle else name
        if number:
            date = on_local_clock(self.span.chart, band.start)[:10]
            yield label("band_from", self.lang, name=name, date=date)
        yield name
        if band.cycle:
            yield band.cycle.pillar.value

    def grid(self) -> Iterator[str]:
        for score in _GRID:
            if self.low <= score <= self.high:
                y, colour = self.y(score), self.ink if score == 50 else self.faint
                thick = "1" if score == 50 else "0.5"
                yield f'<path d="M{LEFT} {y:g}H{RIGHT}" stroke="{colour}" stroke-width="{thick}"/>'
                yield text(LEFT - 10, y + 5, str(score), self.faint, 14, "end")

    def line(self, scores: Sequence[int], colour: str, is_other: bool) -> Iterator[str]:
        points = [(self.x(at), self.y(score)) for at, score in enumerate(scores)]
        path = "L".join(f"{x:g} {y:g}" for x, y in points)
        dashes = ' stroke-dasharray="6 4"' if is_other else ""
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{1.5 if is_other else 2.5}"{dashes}/>'
        size = 4.5 if self.step > 12 else 2
        for (x, y), year in zip(points, self.span.years, strict=True):
            shown = self.accent if year.target_year == self.here and not is_other else colour
            fill = self.ground if is_other else shown
            yield f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{fill}" stroke="{shown}" stroke-width="1.5"/>'

    def names(self) -> Iterator[str]:
        """Below each year its pillar, its number and its scores; of many years the number of some."""
        count = len(self.span.years)
        every = 1 if count <= _NUMBERED else 5 if count <= _MANY else 10
        for at, year in enumerate(self.span.years):
            number, x = year.target_year, self.x(at)
            colour = self.accent if number == self.here else ""
            if every > 1:
                if number % every == 0 or number == self.here:
                    yield text(x, BOTTOM + 22, str(number), colour or self.faint, 14, "middle")
                continue
            yield text(x, BOTTOM + 22, year.pillar.value, colour, 16, "middle")
            yield text(x, BOTTOM + 44, str(number), colour or self.faint, 14, "middle")
            for row, scores in enumerate(self.scores):
                yield text(
                    x, BOTTOM + 68 + 22 * row, str(scores[at]), self.faint if row else colour, 16, "middle"
                )

    def legend(self) -> str:
        """Which reading is which, and that scores foretell nothing."""
        note = label("score_note", self.lang)
        if not self.span.alternatives:
            return note
        taken, other = (
            label(f"if.{each.pattern.strength.verdict}", self.lang)
            for each in (self.span, *self.span.alternatives)
            if each.pattern.strength is not None
        )
        told = label("years_readings", self.lang, taken=taken.lower(), other=other.lower())
        return f"{told} {note}" if self.lang == "en" else told + note


def _fits(told: str, room: float) -> bool:
    return width(told) * _HALF_COLUMN < room - 4
