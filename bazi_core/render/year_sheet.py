"""A year as labelled rows: conclusion, luck and year side by side, events, scores, months.

`year_text` lays out the rows. In English the canonical names stand beside the English ones
where there is room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import Element, Pillar
from bazi_core.luck.decades import marks_of
from bazi_core.pattern.useful import ROLES
from bazi_core.render.clocks import clock_and_offset, on_local_clock
from bazi_core.render.luck_sheet import met_words
from bazi_core.render.meaning import other_reading
from bazi_core.render.phrases import bracketed, char_text, elements, joined, pillar_name, pillars_text, plain
from bazi_core.render.width import fold, pack, taken, width
from bazi_core.tables.words import glossed, label, term
from bazi_core.views.cycles import nayin
from bazi_core.views.strength import EITHER
from bazi_core.year.events import EQUAL, YearEvent
from bazi_core.year.rules import DOMAIN_ZH, DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bazi_core.chart import ChartValue
    from bazi_core.pattern.result import PatternResult
    from bazi_core.render.phrases import Paint
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult
    from bazi_core.year.segments import Segment
    from bazi_core.year.span_value import Band

    Rows = list[list[str]]

_NARROWEST_EVENTS = 16


def title(year: YearResult, lang: str) -> str:
    """The year, the gender, and the four pillars."""
    own = label("year_title", lang, year=year.target_year, pillar=pillar_name(year.pillar, lang))
    whose = f"{own}  {label(year.chart.gender or '', lang)}"
    # In English the pillars are too long for a heading.
    return whose if lang == "en" else f"{whose}  {year.chart.pillars}"


def conclusion(year: YearResult, lang: str) -> list[tuple[str, str]]:
    """Score, state of the 用神, ages, and the luck of the year with its dates."""
    score = label("points", lang, score=year.scores.overall)
    verdict = "  ".join((score, term(year.level, lang, "level"), label(f"sign.{year.sign}", lang)))
    others = [score_if(other, lang) for other in year.alternatives]
    # With open strength the score is open too, so the words for that come first.
    verdict = joined([term(EITHER, lang), verdict, *others], lang) if others else verdict
    rows = [(capital(label("overall", lang)), verdict)]
    if lang == "en":
        rows.insert(0, (capital(label("four_pillars", lang)), pillars_text(year.chart.pillars, lang)))
    if year.pattern.useful.order:
        state = label(f"state.{year.useful_state.state}", lang)
        rows.append((label("state", lang), bracketed(state, roles_text(year.pattern, lang), lang)))
        rows += other_reading(year.pattern, lang)
    rows.append((label("ages", lang), label("ages_both", lang, **year.age._asdict())))
    return rows + [(_luck_name(part, lang), _segment(year, part, lang)) for part in year.segments]


def score_if(other: YearResult, lang: str) -> str:
    """The score under a verdict on strength: `若身弱44分`."""
    assert other.pattern.strength is not None
    score = label("points", lang, score=other.scores.overall)
    return label(f"score_if.{other.pattern.strength.verdict}", lang, score=score)


def roles_text(pattern: PatternResult, lang: str) -> str:
    """The elements by their roles: `用神水  喜神火 …`."""
    gap = " " if lang == "en" else ""
    order = zip(ROLES, pattern.useful.order, strict=True)
    return "  ".join(f"{term(role, lang)}{gap}{term(element.value, lang)}" for role, element in order)


def _luck_name(part: Segment, lang: str) -> str:
    return label("xiaoyun" if part.minor else "luck", lang)


def _segment(year: YearResult, part: Segment, lang: str) -> str:
    start, end = (on_local_clock(year.chart, at)[:10] for at in luck_span(year.chart, part))
    if part.pillar is not None:
        luck = pillar_name(part.pillar, lang)
    else:
        luck = label("luck_none" if part.beyond else "luck_open" if part.uncertain else "luck_before", lang)
    return f"{luck}  {label('span_of', lang, start=start, end=end)}"


def luck_span(chart: ChartValue, part: Segment | Band) -> tuple[datetime, datetime]:
    """The dates of the luck: the ten years of a 大运, else its part of the year or of the years."""
    if part.cycle is None or chart.luck is None:
        return part.start, part.end
    earliest, latest = chart.luck.edges
    return latest[part.cycle.index], earliest[part.cycle.index + 1]


def context_rows(year: YearResult, lang: str, paint: Paint = plain) -> Rows:
    """Luck and year side by side, the head first."""
    part = year.main
    columns = [] if part.pillar is None else [(_luck_name(part, lang), part.pillar)]
    columns.append((label("liunian", lang), year.pillar))
    rows = [["", *(name for name, _ in columns)]]
    for key, cell in _CELLS.items():
        rows.append([label(key, lang), *(cell(year, pillar, lang, paint) for _, pillar in columns)])
    return [row for row in rows if any(row[1:])]


def _gods(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    gods = marks_of(pillar, year.chart.pillars, year.chart.school).ten_gods.values()
    if lang == "en":
        return "\n".join(glossed(god, lang) for god in gods)
    return " ".join(term(god, lang) for god in gods)


def _roles(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    if not year.pattern.useful.order:
        return ""
    roles = [term(year.natal.role(sign.element), lang) for sign in (pillar.stem, pillar.branch)]
    return ("\n" if lang == "en" else " ").join(roles)


def _void(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    void = marks_of(pillar, year.chart.pillars, year.chart.school).void
    return label("void", lang) if void else ""


def _met(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    """The 神煞 that a pillar meets; 空亡 has its own row."""
    names = [term(star.name, lang, "star") for star in year.chart.stars_met(pillar) if star.name != "空亡"]
    return "\n".join(names if lang == "en" else pack(names, _MET_ROOM, " "))


def _tied(year: YearResult, pillar: Pillar, lang: str) -> str:
    """The relations of a pillar with the chart, those of every pillar and every type that is named."""
    return "\n".join(fold(met_words(year.chart, pillar, lang), _MET_ROOM))


_MET_ROOM = 24
_CELLS = {
    "pillar": lambda year, pillar, lang, paint: pillar_name(pillar, lang, paint),
    "elements": lambda year, pillar, lang, paint: elements(pillar, lang, paint),
    "ten_god": _gods,
    "roles": _roles,
    "nayin": lambda year, pillar, lang, paint: glossed(nayin(pillar), lang),
    "stage_day": lambda year, pillar, lang, paint: glossed(
        marks_of(pillar, year.chart.pillars, year.chart.school).stage.value, lang
    ),
    "void": _void,
    "relations": lambda year, pillar, lang, paint: _tied(year, pillar, lang),
    "stars": _met,
}


def event_rows(year: YearResult, lang: str) -> Rows:
    """The events, the strongest first: polarity, name, points, members."""
    return [
        [
            label(f"mark.{event.polarity}", lang),
            event_name(event, lang),
            event_points(event, lang),
            members_text(year, event, lang),
        ]
        for event in year.strongest(len(year.events))
    ]


def event_name(event: YearEvent, lang: str, named: Callable[[str, str, str], str] = glossed) -> str:
    """The name of an event, as `named` words it; of a dynamic with its change."""
    if event.is_dynamic:
        return dynamic_name(named(event.name, lang, "dynamic"), event.ties[0], lang)
    return named(event.name, lang, "event")


def dynamic_name(name: str, change: str, lang: str) -> str:
    """The name of a dynamic with its change: `食神生财受破`."""
    change_word = label(f"change.{change}", lang)
    return joined([name, change_word], lang) if lang == "en" else name + change_word


def event_points(event: YearEvent, lang: str) -> str:
    """The points of an event by score: `总评+3`."""
    gap = " " if lang == "en" else ""
    return joined([f"{domain(name, lang)}{gap}{each:+d}" for name, each in event.points if each], lang)


def members_text(year: YearResult, event: YearEvent, lang: str) -> str:
    """The members of an event and their tie: `日子 流年午 六冲`."""
    members = [_member(year, position, char, lang) for position, char in event.members]
    if event.is_dynamic:
        return (", " if lang == "en" else " ").join(members)
    ties = [_tie(tie, event.sign, lang) for tie in event.ties]
    if lang == "en":
        return ", ".join((*members, *ties))
    return f"{' '.join(members)} {'、'.join(ties)}"


def _member(year: YearResult, position: str, char: str, lang: str) -> str:
    place = year.main.place if position == "luck" else position
    name = term(_FLOWS[place], lang) if place in _FLOWS else label(position, lang).replace("柱", "")
    return f"{name} {char_text(char, lang)}" if lang == "en" else f"{name}{char}"


def _tie(relation: str, sign: str, lang: str) -> str:
    """The tie of the members: a relation, 相同, or a property of the flow pillar (藏丁 属火 克金)."""
    if relation == EQUAL:
        return label("same", lang)
    if sign:
        said = term(sign, lang) if sign in Element.__members__ else char_text(sign, lang)
        return label(_VERBS[relation], lang, sign=said)
    return term(relation, lang, "relation")


_FLOWS = {"luck": "大运", "minor": "小运", "liunian": "流年", "liuyue": "流月"}
_VERBS = {"藏": "hides", "属": "is_of", "克": "controls"}


def domain(name: str, lang: str) -> str:
    """A domain in words.

    >>> domain("health_balance", "zh-Hans"), domain("overall", "en")
    ('身心平衡', 'overall')
    """
    return label("overall", lang) if name == OVERALL else term(DOMAIN_ZH[name], lang, "domain")


def score_rows(year: YearResult, lang: str) -> Rows:
    """[domain, score, points that make it up] for every score."""
    return [
        [domain(name, lang), str(year.scores.of(name)), _made_of(year, name, lang)]
        for name in (OVERALL, *DOMAINS)
    ]


def _made_of(year: YearResult, name: str, lang: str) -> str:
    parts = [
        f"{_row(year, contribution.rule, lang)} {contribution.points:+d}"
        for contribution in year.scores.contributions
        if contribution.domain == name
    ]
    return joined(parts, lang)


def _row(year: YearResult, rule: str, lang: str) -> str:
    """The name of a row of points: `流年干丙`, `冲夫妻宫`, `七杀`."""
    for carrier in year.carriers:
        if carrier.name == rule:
            return carrier_name(carrier.place, carrier.part, str(carrier.sign), lang)
    for event in year.events:
        if event.key == rule:
            return event_name(event, lang, term)
    marks = year.flow.marks
    god = marks.ten_god_stem if rule == "theme-stem" else marks.ten_god_branch
    return term(god.value, lang)


def carrier_name(place: str, part: str, sign: str, lang: str) -> str:
    """A sign of luck or year: `流年干丙`."""
    return label(f"row.{part}", lang, word=term(_FLOWS[place], lang), sign=char_text(sign, lang))


def month_rows(year: YearResult, lang: str, columns: int, paint: Paint = plain) -> Rows:
    """The twelve months, the head first; the events take the rest of `columns`."""
    names = ("number", "pillar", "ten_god", "from", "score")
    head = [label(name, lang) for name in names]
    offsets = [clock_and_offset(year.chart, month.start)[1] for month in year.months]
    if len(set(offsets)) == 1:
        head[names.index("from")] += _below(offsets[0])
        offsets = [""] * len(offsets)
    months = zip(year.months, offsets, strict=True)
    rows = [head, *(_month(year, month, offset, lang, paint) for month, offset in months)]
    room = columns - taken(rows, len(names)) - 4
    if room < _NARROWEST_EVENTS:
        # The events stand in a table of their own, beside the numbers of the months.
        room = max(_NARROWEST_EVENTS, columns - max(width(row[0]) for row in rows) - 7)
    column = [label("events", lang), *("\n".join(_events_of(each, lang, room)) for each in year.months)]
    return [[*row, events] for row, events in zip(rows, column, strict=True)]


def _below(offset: str) -> str:
    return f"\n{offset}" if offset else ""


def _month(year: YearResult, month: Month, offset: str, lang: str, paint: Paint) -> list[str]:
    gods = month.marks.ten_gods.values()
    shown = ("\n" if lang == "en" else " ").join(term(god, lang) for god in gods)
    at = f"{on_local_clock(year.chart, month.start)[5:16]}{_below(offset)}"
    if lang == "en":
        # The name of the term does not fit beside the month's events; its date identifies it.
        sign, _, name = pillar_name(month.pillar, lang, paint).partition(" ")
        return [str(month.number), f"{sign}\n{name}", shown, at.replace(" ", "\n", 1), str(month.score)]
    start = f"{term(month.jie.value, lang)} {at}"
    return [str(month.number), pillar_name(month.pillar, lang, paint), shown, start, str(month.score)]


def _events_of(month: Month, lang: str, room: int) -> list[str]:
    items = [
        f"{label(f'mark.{event.polarity}', lang)} {term(event.name, lang, 'event')}" for event in month.shown
    ]
    if lang == "en":
        return [line for item in items for line in fold(item, room, "  ")]
    return pack(items, room, "  ")


def timing_rows(year: YearResult, lang: str) -> list[tuple[str, str]]:
    """[name, dates] of the events that fire on two levels."""
    rows = []
    for each in year.timing:
        parts = [label("timing_luck", lang)] if "luck" in each.levels else []
        if each.months:
            listed = (", " if lang == "en" else "、").join(map(str, each.months))
            parts.append(label("timing_months", lang, months=listed))
        rows.append((term(each.name, lang, "event"), joined(parts, lang)))
    return rows


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]
