"""A year as labelled rows: conclusion, luck and year side by side, events, scores, months.

How the rows are laid out is for `year_text`. Canonical names stay Chinese; in English each has its gloss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import Element, Stem
from bazi_core.luck.decades import marks_of
from bazi_core.pattern.useful import ROLES
from bazi_core.render import sheet
from bazi_core.render.clocks import on_local_clock
from bazi_core.render.phrases import elements, joined, pillar_name, plain
from bazi_core.render.width import fold, pack, width
from bazi_core.tables.words import glossed, label, term
from bazi_core.views.cycles import nayin
from bazi_core.year.events import EQUAL
from bazi_core.year.rules import DOMAIN_ZH, DOMAINS, OVERALL

if TYPE_CHECKING:
    from bazi_core.alphabet import Pillar
    from bazi_core.render.phrases import Paint
    from bazi_core.year.events import YearEvent
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult
    from bazi_core.year.segments import Segment

    Rows = list[list[str]]

_NARROWEST_EVENTS = 18


def title(year: YearResult, lang: str) -> str:
    """The year, whose, and the four pillars."""
    own = label("year_title", lang, year=year.target_year, pillar=year.pillar)
    return f"{own}  {label(year.chart.gender or '', lang)}  {year.chart.pillars}"


def conclusion(year: YearResult, lang: str) -> list[tuple[str, str]]:
    """Score, how the 用神 fares, ages, and the luck of the year with its dates."""
    score = label("points", lang, score=year.scores.overall)
    verdict = "  ".join((score, term(year.level, lang, "level"), label(f"sign.{year.sign}", lang)))
    rows = [(_capital(label("overall", lang)), verdict)]
    if year.pattern.useful.order:
        rows.append((label("state", lang), _state(year, lang)))
    rows.append((label("ages", lang), label("ages_both", lang, **year.age._asdict())))
    return rows + [(_luck_name(part, lang), _segment(year, part, lang)) for part in year.segments]


def _state(year: YearResult, lang: str) -> str:
    gap = " " if lang == "en" else ""
    order = zip(ROLES, year.pattern.useful.order, strict=True)
    roles = "  ".join(f"{term(role, lang)}{gap}{term(element.value, lang)}" for role, element in order)
    return f"{label(f'state.{year.useful_state.state}', lang)}  ({roles})"


def _luck_name(part: Segment, lang: str) -> str:
    return label("xiaoyun" if part.minor else "luck", lang)


def _segment(year: YearResult, part: Segment, lang: str) -> str:
    start, end = (on_local_clock(year.chart, at)[:10] for at in (part.start, part.end))
    if part.pillar is not None:
        luck = pillar_name(part.pillar, lang)
    else:
        luck = label("luck_none" if part.beyond else "luck_open" if part.uncertain else "luck_before", lang)
    return f"{luck}  {label('span_of', lang, start=start, end=end)}"


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
    marks = marks_of(pillar, year.chart.pillars, year.chart.school)
    gods = (marks.ten_god_stem.value, marks.ten_god_branch.value)
    return (
        "\n".join(glossed(god, lang) for god in gods)
        if lang == "en"
        else " ".join(term(god, lang) for god in gods)
    )


def _roles(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    if not year.pattern.useful.order:
        return ""
    roles = [term(year.natal.role(sign.element), lang) for sign in (pillar.stem, pillar.branch)]
    return ("\n" if lang == "en" else " ").join(roles)


def _stage(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    return glossed(marks_of(pillar, year.chart.pillars, year.chart.school).stage.value, lang)


def _void(year: YearResult, pillar: Pillar, lang: str, paint: Paint) -> str:
    void = marks_of(pillar, year.chart.pillars, year.chart.school).void
    return label("void", lang) if void else ""


_CELLS = {
    "pillar": lambda year, pillar, lang, paint: pillar_name(pillar, lang, paint),
    "elements": lambda year, pillar, lang, paint: elements(pillar, lang, paint),
    "ten_god": _gods,
    "roles": _roles,
    "nayin": lambda year, pillar, lang, paint: glossed(nayin(pillar), lang),
    "stage_day": _stage,
    "void": _void,
}


def event_rows(year: YearResult, lang: str) -> Rows:
    """The events, the strongest first: polarity, name, points, who meets whom."""
    return [
        [
            label(f"mark.{event.polarity}", lang),
            _name(event, lang),
            _points(event, lang),
            _who(year, event, lang),
        ]
        for event in year.strongest(len(year.events))
    ]


def _name(event: YearEvent, lang: str) -> str:
    return event.name if lang == "en" else term(event.name, lang, "event")


def _points(event: YearEvent, lang: str) -> str:
    gap = " " if lang == "en" else ""
    return joined([f"{domain(name, lang)}{gap}{each:+d}" for name, each in event.points if each], lang)


def _who(year: YearResult, event: YearEvent, lang: str) -> str:
    """`日子 流年午 六冲`; in English after the gloss of the event."""
    members = [_member(year, position, char, lang) for position, char in event.members]
    ties = [_tie(each, lang) for each in event.relation.split("、")]
    if lang == "en":
        return f"{term(event.name, lang, 'event')}: {', '.join((*members, *ties))}"
    return f"{' '.join(members)} {'、'.join(ties)}"


def _member(year: YearResult, position: str, char: str, lang: str) -> str:
    flows = {"luck": year.main.word, "liunian": "流年", "liuyue": "流月"}
    name = term(flows[position], lang) if position in flows else label(position, lang).replace("柱", "")
    return f"{name} {char}" if lang == "en" else f"{name}{char}"


def _tie(relation: str, lang: str) -> str:
    """What ties the members: a relation, 相同, or what the flow pillar does by itself (藏丁 属火 克金)."""
    verb, sign = relation[:1], relation[1:]
    if relation == EQUAL:
        return label("same", lang)
    if verb in _VERBS and (sign in Stem.__members__ or sign in Element.__members__):
        return label(_VERBS[verb], lang, sign=term(sign, lang) if sign in Element.__members__ else sign)
    return term(relation, lang, "relation")


_VERBS = {"藏": "hides", "属": "is_of", "克": "controls"}


def domain(name: str, lang: str) -> str:
    """A domain in words.

    >>> domain("health_balance", "zh-Hans"), domain("overall", "en")
    ('身心平衡', 'overall')
    """
    return label("overall", lang) if name == OVERALL else term(DOMAIN_ZH[name], lang, "domain")


def score_rows(year: YearResult, lang: str) -> Rows:
    """Every score with what makes it."""
    return [
        [domain(name, lang), str(year.scores.of(name)), _made_of(year, name, lang)]
        for name in (OVERALL, *DOMAINS)
    ]


def _made_of(year: YearResult, name: str, lang: str) -> str:
    parts = [
        f"{_row(year, each.rule, lang)} {each.points:+d}"
        for each in year.scores.contributions
        if each.domain == name
    ]
    return joined(parts, lang)


def _row(year: YearResult, rule: str, lang: str) -> str:
    """The name of a row of points: `流年干丙`, `冲夫妻宫`, `七杀`."""
    for carrier in year.carriers:
        if carrier.name == rule:
            return label(f"row.{carrier.part}", lang, word=term(carrier.word, lang), sign=carrier.sign)
    for event in year.events:
        if event.key == rule:
            return term(event.name, lang, "event")
    marks = year.flow.marks
    god = marks.ten_god_stem if rule == "theme-stem" else marks.ten_god_branch
    return term(god.value, lang)


def month_rows(year: YearResult, lang: str, columns: int, paint: Paint = plain) -> Rows:
    """The twelve months, the head first; the events take what `columns` leave."""
    names = ("number", "pillar", "ten_god", "from", "score")
    rows = [[label(name, lang) for name in names], *(_month(year, each, lang, paint) for each in year.months)]
    taken = sum(max(width(row[at]) for row in rows) + 3 for at in range(len(names)))
    room = max(_NARROWEST_EVENTS, columns - taken - 4)
    told = [label("events", lang), *("\n".join(_events_of(each, lang, room)) for each in year.months)]
    return [[*row, events] for row, events in zip(rows, told, strict=True)]


def _month(year: YearResult, month: Month, lang: str, paint: Paint) -> list[str]:
    gods = (month.marks.ten_god_stem.value, month.marks.ten_god_branch.value)
    # In English canonical names: glosses stand above, and the table has to fit.
    shown = " ".join(god if lang == "en" else term(god, lang) for god in gods)
    jie = month.jie.value if lang == "en" else term(month.jie.value, lang)
    start = f"{jie} {on_local_clock(year.chart, month.start)[5:16]}"
    return [str(month.number), pillar_name(month.pillar, "zh-Hans", paint), shown, start, str(month.score)]


def _events_of(month: Month, lang: str, room: int) -> list[str]:
    items = [
        f"{label(f'mark.{event.polarity}', lang)} {term(event.name, lang, 'event')}" for event in month.shown
    ]
    if lang == "en":
        return [line for item in items for line in fold(item, room, "  ")]
    return pack(items, room, "  ")


def timing_rows(year: YearResult, lang: str) -> list[tuple[str, str]]:
    """The events that fire on two levels: name, when."""
    rows = []
    for each in year.timing:
        parts = [label("timing_luck", lang)] if "luck" in each.levels else []
        if each.months:
            listed = (", " if lang == "en" else "、").join(map(str, each.months))
            parts.append(label("timing_months", lang, months=listed))
        rows.append((term(each.name, lang, "event"), joined(parts, lang)))
    return rows


def school_line(year: YearResult, lang: str) -> tuple[str, str]:
    """By which School."""
    return next(row for row in reversed(sheet.head(year.chart, lang)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
