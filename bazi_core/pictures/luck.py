"""The ten 大运 as a strip with what runs now, and as a grid with the 流年 under each."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.errors import BirthRequired
from bazi_core.luck.running import UNDATED
from bazi_core.luck.transition import transition
from bazi_core.pictures.kit import LEAST, WIDTH, Picture, lines, sentences
from bazi_core.render.luck_sheet import running_line
from bazi_core.render.phrases import joined, pillar_name, titled
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label, term

if TYPE_CHECKING:
    from bazi_core.chart import ChartValue
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.luck.running import AsOf, Running
    from bazi_core.luck.years import LuckYear

_BESIDE, _HIGH = 5, 64.0


class Now(NamedTuple):
    """Which 大运 runs, by its place (None: none does), and how much of its ten years has passed, 0 to 1."""

    cycle: int | None
    part: float
    told: str = ""
    year: int | None = None


def now_of(chart: ChartValue, as_of: AsOf | None) -> Now:
    """The luck that runs in a chart at a moment; nothing without one."""
    if as_of is None:
        return Now(None, 0)
    found = chart.running(as_of)
    return Now(found.cycle.index if found.cycle else None, _passed(chart.luck, found), "", found.year)


def _passed(luck: Luck | None, found: Running) -> float:
    if luck is None or found.cycle is None or found.state == UNDATED or not luck.starts:
        return 0.0
    start, end = luck.starts[found.cycle.index : found.cycle.index + 2]
    return (found.at.replace(tzinfo=UTC) - start) / (end - start)


def drawing(
    luck: Luck, lang: str = "zh-Hans", theme: str = "light", now: Now | None = None, *, lines_too: bool = True
) -> str:
    """The strip of a luck, five 大运 in a row: pillar, elements, ten gods, first year and age; what runs is marked.

    Without `lines_too` what stands above the strip is only in the description, for a page that tells it before.

    >>> import bazi_core as bz
    >>> drawing(bz.chart("1990-05-15 13:30", city="北京", gender="male").luck).count("1997")
    2
    """
    now = now or Now(None, 0)
    picture = Picture(lang, theme)
    line = joined([label(luck.direction, lang), transition(luck, lang)], lang)
    if luck.uncertain and lines_too:
        picture.note(label("picture.doubts", lang), [line])
    elif lines_too:
        told = lines(line, WIDTH - 4, LEAST)
        picture.height = picture.block(2, LEAST, told, "soft", size=LEAST) - 4
    if now.told and lines_too:
        picture.height = (
            picture.block(2, picture.height + 8, lines(now.told, WIDTH - 4, LEAST), size=LEAST) - 4
        )
    top, wide = picture.height + 2, WIDTH / _BESIDE
    high = _HIGH + (46 if lang == "en" else 0) + (30 if luck.start else 0)
    for at, cycle in enumerate(luck.cycles):
        row, column = divmod(at, _BESIDE)
        _cell(picture, cycle, column * wide, top + row * high, wide, high, now)
    picture.height = top + high * -(-len(luck.cycles) // _BESIDE)
    return picture.svg(
        label("picture.luck", lang),
        sentences([line, now.told, *(_told(each, now, lang) for each in luck.cycles)], lang),
    )


def _cell(picture: Picture, cycle: LuckCycle, x: float, y: float, wide: float, high: float, now: Now) -> None:
    runs, lang, middle = cycle.index == now.cycle, picture.lang, x + wide / 2
    picture.rect(x + 0.5, y + 0.5, wide, high, "wash" if runs else "card", edge="line")
    if runs:
        picture.rect(x + 0.5, y + 0.5, wide, 16, "seal")
        picture.text(
            middle, y + 12.5, label("picture.now", lang), "on-seal", size=LEAST, anchor="middle", bold=True
        )
        picture.rect(x + 0.5, y + high - 3, wide * now.part, 3.5, "seal")
    picture.text(middle - 6, y + 37, cycle.pillar.value, size=19, anchor="middle", serif=True, bold=True)
    for sign, shift in ((cycle.pillar.stem, 25.0), (cycle.pillar.branch, 36.0)):
        picture.mark(sign.element, middle + 22, y + shift, 8)
    gods = [term(god, lang) for god in cycle.marks.ten_gods.values()]
    here = y + 54
    for god, color in zip(gods if lang == "en" else [" ".join(gods)], ("ink", "soft"), strict=False):
        here = picture.block(middle, here, lines(god, wide - 4, LEAST), color, size=LEAST, anchor="middle")
    if cycle.start_year is not None and cycle.start_age_full is not None:
        age = label("picture.age", lang, age=cycle.start_age_full)
        picture.text(middle, y + high - 22, str(cycle.start_year), size=LEAST, anchor="middle")
        picture.text(middle, y + high - 8, age, "soft", size=LEAST, anchor="middle")


def _told(cycle: LuckCycle, now: Now, lang: str) -> str:
    parts = [pillar_name(cycle.pillar, lang)]
    parts += [term(god, lang) for god in cycle.marks.ten_gods.values()]
    parts += [str(cycle.start_year)] if cycle.start_year is not None else []
    parts += [label("picture.now", lang)] if cycle.index == now.cycle else []
    return joined(parts, lang)


def of_chart(
    chart: ChartValue,
    lang: str = "zh-Hans",
    theme: str = "light",
    as_of: AsOf | None = None,
    *,
    lines_too: bool = True,
) -> str:
    """The strip of a chart's luck with what runs at `as_of`; `BIRTH_REQUIRED` for a chart without a gender."""
    if chart.luck is None:
        raise BirthRequired(Said("luck_gender"), hint=Said("year_needs_gender"), missing=["gender"])
    now = now_of(chart, as_of)
    if as_of is not None:
        now = now._replace(told=running_line(chart, chart.running(as_of), lang))
    return drawing(chart.luck, lang, theme, now, lines_too=lines_too)


def grid(chart: ChartValue, lang: str = "zh-Hans", theme: str = "light", as_of: AsOf | None = None) -> str:
    """大运 × 流年: a column for each 大运, its ten years below it; `BIRTH_REQUIRED` for luck without dates.

    >>> import bazi_core as bz
    >>> "丙午" in grid(bz.chart("1990-05-15 13:30", city="北京", gender="male"))
    True
    """
    now = now_of(chart, as_of)
    years = [year for year in chart.luck_years() if year.cycle is not None]
    assert chart.luck is not None
    picture = Picture(lang, theme)
    wide, head, high = WIDTH / len(chart.luck.cycles), 46.0, 33.0
    for cycle in chart.luck.cycles:
        runs, x = cycle.index == now.cycle, cycle.index * wide
        picture.rect(x + 0.5, 0.5, wide, head, "seal" if runs else "wash", edge="line")
        ink = "on-seal" if runs else "ink"
        picture.text(
            x + wide / 2, 18, cycle.pillar.value, ink, size=15, anchor="middle", serif=True, bold=True
        )
        picture.text(x + wide / 2, 36, str(cycle.start_age_full), ink, size=LEAST, anchor="middle")
    # The year that runs comes last: its edge lies over those of its neighbours.
    for each in sorted(years, key=lambda each: each.year == now.year):
        _year(picture, each, chart, wide, head, high, each.year == now.year)
    picture.height = head + 10 * high + 2
    legend = label("picture.grid_legend", lang)
    picture.legend(legend)
    told = [
        titled(
            pillar_name(cycle.pillar, lang),
            joined([f"{year.year} {year.flow.pillar}" for year in years if year.cycle == cycle.index], lang), lang,
        )
        for cycle in chart.luck.cycles
    ]  # fmt: skip
    return picture.svg(label("picture.grid", lang), sentences(told, lang))


def _year(
    picture: Picture, each: LuckYear, chart: ChartValue, wide: float, head: float, high: float, runs: bool
) -> None:
    assert chart.luck is not None
    assert each.cycle is not None
    first = chart.luck.cycles[each.cycle].start_year
    assert first is not None
    x, y = each.cycle * wide, head + (each.year - first) * high
    picture.rect(
        x + 0.5, y + 0.5, wide, high, "seal-wash" if runs else "card", edge="seal" if runs else "line"
    )
    middle, pillar = x + wide / 2, each.flow.pillar
    picture.text(middle, y + 15, pillar.value, size=13, anchor="middle", serif=True, bold=runs)
    picture.text(
        middle, y + 28, str(each.year), "seal" if runs else "soft", size=LEAST, anchor="middle", bold=runs
    )
