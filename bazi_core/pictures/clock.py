"""The way from the clock on the wall to the clock that decides: a dot for each reading, double hours behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import BRANCHES
from bazi_core.astro import scales
from bazi_core.errors import BirthRequired
from bazi_core.moment import DAY_MS, HALF_DAY_MS, HOUR_MS, SolarMoment
from bazi_core.pictures.kit import LEAST, WIDTH, Picture, length, sentences
from bazi_core.render import sheet
from bazi_core.render.phrases import joined, sign_text
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.chart import ChartValue

_TOP, _ROW, _DOUBLE = 26.0, 40.0, 2 * HOUR_MS
# So much of a double hour is seen on either side of the readings, whatever else is.
_BESIDE = 20 * 60_000
_LEAST_SPAN = 90 * 60_000


class DrawnClock(NamedTuple):
    """A clock: its name, its reading as local milliseconds and as text, what moved it from the one before."""

    name: str
    ms: int
    shown: str
    moved: str


def drawing(chart: ChartValue, lang: str = "zh-Hans", theme: str = "light") -> str:
    """The picture of a chart's clocks; `BIRTH_REQUIRED` where the moment is not known.

    >>> import bazi_core as bz
    >>> drawing(bz.chart("1990-05-15 13:30", city="北京")).count("<circle")
    4
    """
    moment = chart.moment
    if moment is None:
        raise BirthRequired(Said("no_moment"), hint=Said("no_moment_hint"), missing=["moment"])
    picture, clocks = Picture(lang, theme), readings(moment, lang)
    names = 164.0 if lang == "en" else 130.0
    first, last = _span(clocks)
    scale = (WIDTH - names - 8) / (last - first)
    bottom = _TOP + _ROW * len(clocks)

    def at(ms: float) -> float:
        return names + 4 + (ms - first) * scale

    _double_hours(picture, moment, names, at, first, last, bottom)
    before: DrawnClock | None = None
    for number, each in enumerate(clocks):
        y, used = _TOP + _ROW * number + 16, each.name == moment.used
        picture.text(0, y + 4, label(each.name, lang), "ink" if used else "soft", bold=used)
        picture.text(names - 8, y + 4, each.shown[11:], "seal" if used else "ink", anchor="end", bold=True)
        if each.moved:
            picture.text(0, y + 19, each.moved, "soft", size=LEAST)
        if before is not None:
            picture.path(f"M{at(before.ms):.1f} {y - _ROW:g}V{y:g}H{at(each.ms):.1f}")
        before = each
    for number, each in enumerate(clocks):
        used = each.name == moment.used
        y = _TOP + _ROW * number + 16
        picture.circle(round(at(each.ms), 1), y, 5 if used else 4, "seal" if used else "ink")
    picture.height = bottom + 20
    return picture.svg(label("picture.clock", lang), description(clocks, moment, lang))


def description(clocks: list[DrawnClock], moment: SolarMoment, lang: str) -> str:
    """In words what the picture shows: every clock with its reading and what moved it."""
    rows = [[label(each.name, lang), each.shown, each.moved] for each in clocks]
    return sentences(
        [*(joined([part for part in row if part], lang) for row in rows), _decided(moment, lang)], lang
    )


def readings(moment: SolarMoment, lang: str) -> list[DrawnClock]:
    """The clocks on which the birth is read, in the order of the way; UTC, which nobody there had, is left out."""
    found = []
    for step, row in zip(moment.steps(), sheet.clock_rows(moment, lang), strict=True):
        if step["name"] == "utc":
            continue
        moved = row[2].split("  ")[0] if step["name"] != "civil" else ""
        found.append(DrawnClock(step["name"], _ms(moment, step["name"]), row[1], moved))
    return found


def _ms(moment: SolarMoment, name: str) -> int:
    own = {
        "civil": moment.civil_ms,
        "dst": moment.civil_ms - moment.dst_s * 1000,
        "mean_solar": moment.mean_solar_ms,
        "true_solar": moment.true_solar_ms,
    }[name]
    assert own is not None
    return own


def _span(clocks: list[DrawnClock]) -> tuple[float, float]:
    """The time that is seen: all readings with room on either side."""
    least, most = min(each.ms for each in clocks) - _BESIDE, max(each.ms for each in clocks) + _BESIDE
    spare = max(0, _LEAST_SPAN - (most - least)) / 2
    return least - spare, most + spare


def _start(ms: float) -> int:
    """The beginning of the double hour of a reading."""
    return int((ms + HOUR_MS) // _DOUBLE) * _DOUBLE - HOUR_MS


def _decided(moment: SolarMoment, lang: str) -> str:
    hour = _name(_start(moment.local_ms), lang)
    return label("picture.clock_hour", lang, clock=label(moment.used, lang), hour=hour)


def _name(start: int, lang: str) -> str:
    # Readings count from noon; the middle of a double hour tells its branch.
    branch = BRANCHES[(start + HOUR_MS + HALF_DAY_MS) % DAY_MS // _DOUBLE]
    return label("picture.double_hour", lang, name=sign_text(branch, lang))


def _double_hours(
    picture: Picture,
    moment: SolarMoment,
    left: float,
    at: Callable[[float], float],
    first: float,
    last: float,
    bottom: float,
) -> None:
    """The double hours that are seen: the one of the birth shaded, each with its name, an edge between them."""
    lang, start = picture.lang, _start(first)
    while start < last:
        begins, ends = max(at(start), left + 4), min(at(start + _DOUBLE), WIDTH - 4)
        if start <= moment.local_ms < start + _DOUBLE:
            picture.rect(round(begins, 1), 2, round(ends - begins, 1), bottom - 2, "wash")
        name = _name(start, lang)
        if length(name) <= ends - begins:
            picture.text(round((begins + ends) / 2, 1), 18, name, anchor="middle", serif=True, bold=True)
        if start > first:
            picture.path(f"M{at(start):.1f} 4V{bottom:g}", "seal", thick=1)
            clock = scales.iso_local(start)[11:16]
            x = min(max(at(start), left + 16), WIDTH - 16)
            picture.text(round(x, 1), bottom + 14, clock, "seal", size=LEAST, anchor="middle")
        start += _DOUBLE
