"""Years side by side: one score as bars from 50, under the 大运 that runs.

The reading that is taken is drawn as bars, the other reading of an open strength as open circles on a dashed line: the
farther they are apart, the less can be said. The numbers stand below, where there is room, and all in the description.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.errors import known
from bazi_core.pictures.kit import LEAST, WIDTH, Picture, length, sentences
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.phrases import titled
from bazi_core.render.year_sheet import capital, domain
from bazi_core.render.years_sheet import band_name, title
from bazi_core.tables.words import label, term
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_value import SCORES, Band

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from bazi_core.year.span import YearsResult

RIGHT, TALL = float(WIDTH), 130.0
NEUTRAL, _GRID = 50, (10, 30, 50, 70, 90)
# So many years have their numbers below them; of more, every fifth or tenth has its name.
_NUMBERED, _APART = 10, 36.0


def drawing(
    span: YearsResult,
    lang: str = "zh-Hans",
    theme: str = "light",
    domain: str = OVERALL,
    here: int | None = None,
    *,
    lines_too: bool = True,
) -> str:
    """The picture of a score over the years; `here` is a year to point out.

    Without `lines_too` title and doubts are only in the description, for a page that tells them before.

    >>> import bazi_core as bz
    >>> span = bz.chart("1990-05-15 13:30", city="北京", gender="male").years(2026, 2035)
    >>> drawing(span).count("<circle")
    10
    """
    known("domain", domain, SCORES)
    return _Drawing(span, lang, theme, domain, here).svg(lines_too)


class _Drawing:
    def __init__(self, span: YearsResult, lang: str, theme: str, domain: str, here: int | None) -> None:
        self.span, self.lang, self.domain, self.here = span, lang, domain, here
        self.picture = Picture(lang, theme)
        readings = (span, *span.alternatives)
        self.scores = [[year.scores.of(domain) for year in reading.years] for reading in readings]
        self.verdicts = [reading.pattern.strength.verdict for reading in readings if reading.pattern.strength]
        every = [score for scores in self.scores for score in scores]
        self.low, self.high = min(25, *every), max(75, *every)
        self.left = 46.0 if lang == "en" else 30.0
        self.step = (RIGHT - self.left) / len(span.years)
        self.top = 0.0

    def svg(self, lines_too: bool) -> str:
        picture, lang = self.picture, self.lang
        name = titled(capital(domain(self.domain, lang)), title(self.span, lang), lang)
        if lines_too:
            picture.heading(name)
        picture.height += 6
        if lines_too:
            picture.note(label("picture.doubts", lang), list(self.doubts()))
        self.bands(picture.height)
        self.top = picture.height + 32
        foot = self.top + TALL
        self.point_out(foot)
        self.grid()
        self.bars(self.scores[0])
        for scores in self.scores[1:]:
            self.circles(scores)
        picture.height = self.names(foot)
        picture.legend(label("score_note", lang))
        return picture.svg(name, sentences([*self.doubts(), *self.told()], lang))

    def doubts(self) -> Iterator[str]:
        """Which reading is which, where strength is open."""
        if self.span.alternatives:
            taken, other = (label(f"if.{verdict}", self.lang) for verdict in self.verdicts[:2])
            if self.lang == "en":
                taken, other = taken.lower(), other.lower()
            told = label("years.bars", self.lang, taken=taken, other=other)
            yield titled(capital(term("两可", self.lang)), told, self.lang)

    def told(self) -> Iterator[str]:
        """Every luck, and every year with its scores."""
        for number, band in enumerate(self.span.bands):
            yield next(self.labels(band, number))
        words = []
        for at, year in enumerate(self.span.years):
            score = " / ".join(str(scores[at]) for scores in self.scores)
            words.append(label("years_point", self.lang, year=year.target_year, score=score))
        yield (", " if self.lang == "en" else "，").join(words)

    def x(self, at: float) -> float:
        """The middle of a year by its place."""
        return self.left + (at + 0.5) * self.step

    def y(self, score: float) -> float:
        return self.top + TALL - (score - self.low) / (self.high - self.low) * TALL

    def at(self, instant: datetime) -> float:
        """Where an instant stands."""
        for place, year in enumerate(self.span.years):
            if instant < year.flow.end:
                part = (instant - year.flow.start) / (year.flow.end - year.flow.start)
                return self.left + (place + part) * self.step
        return RIGHT

    def bands(self, y: float) -> None:
        """The 大运 as strips with the day on which each begins."""
        for number, band in enumerate(self.span.bands):
            left, right = self.at(band.start), self.at(band.end)
            self.picture.rect(left, y, max(right - left - 1, 0.5), 20)
            told = next((each for each in self.labels(band, number) if length(each) < right - left - 4), "")
            if told:
                self.picture.text((left + right) / 2, y + 14, told, anchor="middle", serif=True, bold=True)

    def labels(self, band: Band, number: int) -> Iterator[str]:
        """The texts that may stand in a band, the longest first."""
        name = band_name(band, self.lang)
        name = label("band", self.lang, name=name) if band.cycle else name
        if number:
            date = on_local_clock(self.span.chart, band.start)[:10]
            yield label("band_from", self.lang, name=name, date=date)
        yield name
        if band.cycle:
            yield band.cycle.pillar.value

    def point_out(self, foot: float) -> None:
        for at, year in enumerate(self.span.years):
            if year.target_year == self.here:
                bottom = foot + (20 + 18 * len(self.scores) + 18 if self.numbered else 20)
                self.picture.rect(
                    self.x(at) - self.step / 2, self.top - 8, self.step, bottom - self.top + 8, radius=2
                )

    @property
    def numbered(self) -> bool:
        return len(self.span.years) <= _NUMBERED

    def grid(self) -> None:
        for score in _GRID:
            if self.low <= score <= self.high:
                y, neutral = self.y(score), score == NEUTRAL
                self.picture.path(f"M{self.left:g} {y:g}H{RIGHT:g}", "edge" if neutral else "line", thick=1)
                self.picture.text(self.left - 6, y + 4, str(score), "soft", size=LEAST, anchor="end")

    def bars(self, scores: Sequence[int]) -> None:
        """Above 50 dark, below it pale; that they hang says the same."""
        wide, base = min(18.0, self.step * 0.55), self.y(NEUTRAL)
        for at, (score, year) in enumerate(zip(scores, self.span.years, strict=True)):
            y = self.y(score)
            color = "seal" if year.target_year == self.here else "ink" if score >= NEUTRAL else "edge"
            self.picture.rect(self.x(at) - wide / 2, min(y, base), wide, max(abs(y - base), 1), color)

    def circles(self, scores: Sequence[int]) -> None:
        points = [(self.x(at), self.y(score)) for at, score in enumerate(scores)]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.picture.path(f"M{way}", "edge", dashed=True)
        for x, y in points:
            self.picture.circle(x, y, 4 if self.step > 12 else 1.6, "paper", "ink")

    def names(self, foot: float) -> float:
        """Below each year its pillar, its number and its scores; of many years the number of some."""
        if not self.numbered:
            self.every(foot, next(step for step in (2, 5, 10, 20) if step * self.step > _APART))
            return foot + 22
        picture = self.picture
        for at, year in enumerate(self.span.years):
            x, here = self.x(at), year.target_year == self.here
            picture.text(x, foot + 16, year.pillar.value, size=13, anchor="middle", serif=True, bold=True)
            picture.text(
                x,
                foot + 31,
                str(year.target_year),
                "seal" if here else "soft",
                size=LEAST,
                anchor="middle",
                bold=here,
            )
            for row, scores in enumerate(self.scores):
                color = "soft" if row else "ink"
                picture.text(x, foot + 50 + 18 * row, str(scores[at]), color, anchor="middle", bold=not row)
        for row, verdict in enumerate(self.verdicts if len(self.scores) > 1 else ()):
            word = label(f"years.short.{verdict}", self.lang)
            picture.text(
                0, foot + 50 + 18 * row, word[:6], "soft" if row else "ink", size=LEAST, bold=not row
            )
        return foot + 38 + 18 * len(self.scores)

    def every(self, foot: float, step: int) -> None:
        """The number of every so many years, and of the one that is pointed out, away from the others."""
        numbers = [year.target_year for year in self.span.years]
        far = [
            number for number in numbers if self.here is None or abs(number - self.here) * self.step > _APART
        ]
        shown = [each for each in far if each % step == 0]
        for each in [*shown, *([self.here] if self.here in numbers else [])]:
            assert each is not None
            here = each == self.here
            x = min(max(self.x(numbers.index(each)), self.left), RIGHT - 14)
            self.picture.text(
                x, foot + 16, str(each), "seal" if here else "soft", size=LEAST, anchor="middle", bold=here
            )
