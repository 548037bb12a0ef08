"""The text of luck beside its table: luck at a date, the stars and relations met by each 大运, the 流年 under it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from bazi_core.alphabet import Branch, Pillar
from bazi_core.luck.running import UNDATED, Running
from bazi_core.render.phrases import joined, marked, pillar_name, plain, sign_name, titled
from bazi_core.render.width import fold, pack, width
from bazi_core.tables import rows
from bazi_core.tables.words import label, term
from bazi_core.views.relations import STEM_TYPES, TRIPLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.chart import ChartValue
    from bazi_core.luck.years import LuckYear
    from bazi_core.render.grids import Rows
    from bazi_core.render.phrases import Paint
    from bazi_core.views.resolution import Relation
    from bazi_core.views.stars import StarHit

_LEAST_ROOM, _VOID = 10, "空亡"
# Two pillars that oppose or repeat each other say this of stem and branch at once.
_OPPOSED = ("反吟", "天克地冲")


def running_line(chart: ChartValue, running: Running, lang: str) -> str:
    """The 大运, 流年, 小运 and ages of a date, in one line.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> running_line(chart, chart.running("2026-02-05"), "zh-Hans")
    '2026-02-05：大运甲申（至2027-08-16），流年丙午，小运己未，虚岁37，周岁35'
    """
    parts = [] if running.state == UNDATED else [_luck_part(chart, running, lang)]
    parts.append(label("running_year", lang, pillar=pillar_name(running.flow.pillar, lang)))
    if running.minor is not None:
        parts.append(label("running_minor", lang, pillar=pillar_name(running.minor, lang)))
    if running.ages is not None:
        parts.append(label("ages_both", lang, **running.ages._asdict()))
    return titled(running.on.isoformat(), joined(parts, lang), lang)


def _luck_part(chart: ChartValue, running: Running, lang: str) -> str:
    if running.cycle is None or chart.luck is None:
        return label(f"running_{running.state}", lang)
    pillar = pillar_name(running.cycle.pillar, lang)
    if chart.luck.start is None:
        return label("running_open", lang, pillar=pillar)
    return label("running_decade", lang, pillar=pillar, end=chart.luck.starts[running.cycle.index + 1].date())


def met_rows(chart: ChartValue, lang: str) -> Rows:
    """[pillar, relations and 神煞] for each 大运 that meets any in the chart."""
    met = (
        (cycle.pillar, meetings(chart, cycle.pillar, lang))
        for cycle in (chart.luck.cycles if chart.luck else ())
    )
    return [[pillar_name(pillar, lang), words] for pillar, words in met if words]


def meetings(chart: ChartValue, flow: Pillar, lang: str) -> str:
    """The relations of a flow pillar with the chart and the 神煞 that it meets, in one line."""
    between = "; " if lang == "en" else "；"
    parts = (met_words(chart, flow, lang), _stars(chart.stars_met(flow), lang))
    return between.join(part for part in parts if part)


def met_words(chart: ChartValue, flow: Pillar, lang: str) -> str:
    """The relations of a flow pillar with the chart, in one line.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> met_words(chart, bz.Pillar("丙午"), "zh-Hans")
    '与年、时支自刑，合月干，冲时干'
    """
    return joined(list(relation_words(chart.relations_met(flow), lang)), lang)


def relation_words(relations: Iterable[Relation], lang: str) -> Iterator[str]:
    """The relations of a flow pillar in words: `冲年支`, `刑年、时支`, `申子辰三合水局`.

    Left out are rarely named ones (干克 暗合 盖头 截脚), and those implied by 反吟.
    """
    relations = tuple(relations)
    opposed = {relation.members[0][0] for relation in relations if relation.type in _OPPOSED}
    places: dict[str, list[str]] = {}
    for relation in relations:
        where, kind = relation.members[0][0], _kind(relation)
        if kind in _SAID and not (where in opposed and kind in ("六冲", "干冲")):
            places.setdefault(kind, []).append(label(where, lang).lower().replace("柱", ""))
    for kind, named in places.items():
        pillars = (" and " if lang == "en" else "、").join(named)
        part = "stem" if kind in STEM_TYPES else "pillar" if kind in (*_OPPOSED, "伏吟") else "branch"
        yield label(f"meets.{kind}", lang, where=label(f"at.{part}", lang, pillar=pillars))
    yield from dict.fromkeys(_triple(relation, lang) for relation in relations if relation.type in TRIPLES)


_SAID = (
    "干合", "干冲", "六合", "六冲", "刑", "自刑", "六害", "六破", "半合", "拱合", "伏吟", "反吟", "天克地冲",
)  # fmt: skip


def _kind(relation: Relation) -> str:
    (_, one), (_, other) = relation.members[:2] if len(relation.members) > 1 else (("", ""), ("", " "))
    return "自刑" if relation.type == "刑" and one == other else relation.type


def _triple(relation: Relation, lang: str) -> str:
    signs = frozenset(sign for _, sign in relation.members)
    order = next(row["members"] for row in rows("relations") if frozenset(row["members"]) == signs)
    element = term(relation.element.value, lang) if relation.element else ""
    if lang == "en":
        order = f"{order} {'-'.join(sign_name(Branch(sign)) for sign in order)}"
    return label(f"meets.{relation.type}", lang, members=order, element=element)


def year_words(each: LuckYear, lang: str) -> str:
    """小运 and 神煞 of a 流年, in one line.

    >>> import bazi_core as bz
    >>> chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    >>> year_words(chart.luck_years([2026])[0], "zh-Hans")
    '小运己未；将星'
    """
    minor = label("running_minor", lang, pillar=pillar_name(each.minor, lang)) if each.minor else ""
    return ("; " if lang == "en" else "；").join(part for part in (minor, _stars(each.stars, lang)) if part)


def _stars(hits: Iterable[StarHit], lang: str) -> str:
    """The 神煞 that are met; 空亡 is marked where the pillar stands."""
    names = [term(hit.name, lang, "star") for hit in hits if hit.name != _VOID]
    return (", " if lang == "en" else "、").join(names)


def met_legend(chart: ChartValue, lang: str) -> list[str]:
    """The canonical form of the 神煞 that the ten 大运 meet; empty but in English."""
    if lang != "en" or chart.luck is None:
        return []
    names = dict.fromkeys(hit.name for cycle in chart.luck.cycles for hit in chart.stars_met(cycle.pillar))
    glosses = [f"{term(name, lang, 'star')} {name}" for name in names if name != _VOID]
    return [titled(label("in_chinese", lang), glosses[0], lang), *glosses[1:]] if glosses else []


def chosen(chart: ChartValue, years: bool | Iterable[int]) -> tuple[LuckYear, ...]:
    """The 流年 of a span of years, or with True of the whole life."""
    return chart.luck_years(None if isinstance(years, bool) else years)


def years_by_cycle(
    chart: ChartValue, years: Iterable[LuckYear], lang: str
) -> Iterator[tuple[str, list[LuckYear]]]:
    """The 流年 under each 大运, with its heading."""
    cycles = chart.luck.cycles if chart.luck else ()
    for number, group in groupby(years, key=lambda each: each.cycle):
        own = list(group)
        span = label("span_of", lang, start=own[0].year, end=own[-1].year)
        if number is None:
            yield f"{label('liunian' if own[0].ages is None else 'xiaoyun', lang)}  {span}", own
            continue
        cycle = cycles[number]
        gods = (term(god.value, lang) for god in (cycle.marks.ten_god_stem, cycle.marks.ten_god_branch))
        parts = [pillar_name(cycle.pillar, lang), span, (", " if lang == "en" else " ").join(gods)]
        yield f"{label('luck', lang)}  {'  '.join(parts)}", own


def year_rows(
    years: Iterable[LuckYear], lang: str, columns: int, paint: Paint = plain, runs: int | None = None
) -> Rows:
    """流年 one below the other, the head first: ages, pillar, ten gods, 小运, 神煞 met. `runs` is the current year."""
    all_years = list(years)
    names = _ENGLISH if lang == "en" else _CHINESE
    head = [label(name, lang).replace(" ", "\n") for name in names]
    table = [head, *(_year(year, lang, paint, year.year == runs) for year in all_years)]
    widest = (max(width(line) for row in table for line in row[at].split("\n")) for at in range(len(head)))
    room = max(_LEAST_ROOM, columns - sum(widest) - 3 * len(head) - 4)
    stars = ["\n".join(_star_lines(year, lang, room)) for year in all_years]
    return [[*row, last] for row, last in zip(table, [label("stars", lang), *stars], strict=True)]


_CHINESE = ("flow_year", "age_full", "age_nominal", "pillar", "ten_god", "stage_day", "xiaoyun_short")
# Words are long: both ages stand below the year, the stage is left to the chart.
_ENGLISH = ("flow_liunian", "pillar", "ten_god", "xiaoyun_short")


def _year(each: LuckYear, lang: str, paint: Paint, runs: bool) -> list[str]:
    marks, pillar = each.flow.marks, stacked(each.flow.pillar, lang, paint)
    gods = [term(god.value, lang) for god in (marks.ten_god_stem, marks.ten_god_branch)]
    void = label("void", lang) if marks.void else ""
    minor = stacked(each.minor, lang, plain) if each.minor else ""
    ages = [str(each.ages.full), str(each.ages.nominal)] if each.ages else ["", ""]
    if lang == "en":
        year = "\n".join(filter(None, [str(each.year), " / ".join(filter(None, ages))]))
        return [marked(year, runs, lang), f"{pillar}\n{void.lower()}".rstrip(), "\n".join(gods), minor]
    stage = f"{term(marks.stage.value, lang)} {void}".rstrip()
    return [marked(str(each.year), runs, lang), *ages, pillar, " ".join(gods), stage, minor]


def stacked(pillar: Pillar, lang: str, paint: Paint = plain) -> str:
    """A pillar; in English its name stands below its signs."""
    if lang != "en":
        return pillar_name(pillar, lang, paint)
    signs = pillar_name(pillar, "zh-Hans", paint)
    return f"{signs}\n{term(pillar.stem.element.value, lang)} {sign_name(pillar.branch)}"


def _star_lines(each: LuckYear, lang: str, room: int) -> list[str]:
    names = [term(star.name, lang, "star") for star in each.stars if star.name != _VOID]
    if lang == "en":
        return [line for name in names for line in fold(name, room, " ")]
    return pack(names, room, " ")
