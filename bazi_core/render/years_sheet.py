"""Years side by side as labelled rows: conclusion, a row for each year, events, highest and lowest years with reasons.

`years_text` lays out the rows; `pictures.years` draws the scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.render.clocks import on_local_clock
from bazi_core.render.luck_sheet import met_words, stacked
from bazi_core.render.meaning import other_reading
from bazi_core.render.phrases import bracketed, joined, pillar_name, pillars_text, plain, titled
from bazi_core.render.year_sheet import (
    capital,
    carrier_name,
    domain,
    dynamic_name,
    event_name,
    event_points,
    luck_span,
    members_text,
    roles_text,
)
from bazi_core.tables.words import label, term
from bazi_core.views.strength import EITHER
from bazi_core.year.reasons import CARRIER, DYNAMIC, EVENT, Reason, about
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_object import dynamics, strongest_events
from bazi_core.year.span_value import SCORES, Band, Cause, YearRank

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.render.phrases import Paint
    from bazi_core.year.comparison import Comparison
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult
    from bazi_core.year.segments import Segment
    from bazi_core.year.span import YearsResult

    Rows = list[list[str]]


def title(span: YearsResult, lang: str) -> str:
    """The years, the gender, and the four pillars."""
    own = label("years_title", lang, years=runs((span.first, span.last), all_between=True))
    whose = f"{own}  {label(span.chart.gender or '', lang)}"
    # In English the pillars are too long for a heading.
    return whose if lang == "en" else f"{whose}  {span.chart.pillars}"


def runs(years: Sequence[int], all_between: bool = False) -> str:
    """The text of years, consecutive ones as ranges.

    >>> runs((2026, 2028, 2029, 2030)), runs((2026, 2035), all_between=True), runs((2026, 2026), all_between=True)
    ('2026, 2028–2030', '2026–2035', '2026')
    """
    groups: list[list[int]] = []
    for year in sorted({*years}):
        if groups and (all_between or year == groups[-1][-1] + 1):
            groups[-1].append(year)
        else:
            groups.append([year])
    return ", ".join(str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}" for group in groups)


def _years(years: Sequence[int], lang: str) -> str:
    return runs(years) if lang == "en" else runs(years).replace(", ", "、")


def _listed(parts: list[str], lang: str) -> str:
    """Parts that may hold a comma themselves."""
    return "; ".join(parts) if lang == "en" else joined(parts, lang)


def conclusion(span: YearsResult, lang: str) -> list[tuple[str, str]]:
    """(label, value) of the highest and lowest years, also under the other reading of an open strength, roles and luck."""
    ends = _ends(span.places(OVERALL), lang)
    rows = [
        (
            capital(label("overall", lang)),
            joined([term(EITHER, lang), ends], lang) if span.alternatives else ends,
        )
    ]
    for other in span.alternatives:
        assert other.pattern.strength is not None
        rows.append((label(f"if.{other.pattern.strength.verdict}", lang), _ends(other.places(OVERALL), lang)))
    if lang == "en":
        rows.insert(0, (capital(label("four_pillars", lang)), pillars_text(span.chart.pillars, lang)))
    if span.pattern.useful.order:
        rows.append((label("roles", lang), roles_text(span.pattern, lang)))
        rows += other_reading(span.pattern, lang)
    return rows + [
        (label("xiaoyun" if band.kind == "xiaoyun" else "luck", lang), _band(span, band, lang))
        for band in span.bands
    ]


def _ends(places: Sequence[YearRank], lang: str) -> str:
    """`最高 2032（66），最低 2030（29）`."""
    if len(places) == 1:
        return label("years_even", lang, score=places[0].score)
    high, low = (_place(each, lang) for each in (places[0], places[-1]))
    return label("years_ends", lang, high=high, low=low)


def _place(place: YearRank, lang: str) -> str:
    """`2026、2027（53）`: years that share a score are listed one by one."""
    *others, last = map(str, place.years)
    years = (
        " and ".join(filter(None, [", ".join(others), last])) if lang == "en" else "、".join([*others, last])
    )
    return label("years_of", lang, years=years, score=place.score)


_NO_LUCK = {
    "before": "luck_before",
    "uncertain": "luck_open",
    "beyond": "luck_none",
    "xiaoyun": "luck_before",
}


def band_name(band: Band, lang: str) -> str:
    """The luck of a band: its pillar, or the reason why there is none."""
    return pillar_name(band.cycle.pillar, lang) if band.cycle else label(_NO_LUCK[band.kind], lang)


def _band(span: YearsResult, band: Band, lang: str) -> str:
    start, end = (on_local_clock(span.chart, at)[:10] for at in luck_span(span.chart, band))
    heading = f"{band_name(band, lang)}  {label('span_of', lang, start=start, end=end)}"
    return _listed([heading, *(event_name(dynamic, lang) for dynamic in band.dynamics)], lang)


def year_rows(span: YearsResult, lang: str, paint: Paint = plain) -> Rows:
    """A row for each year, the head first: pillar, ages, luck, scores, state of the 用神."""
    other = span.alternatives[0] if span.alternatives else None
    judged = bool(span.pattern.useful.order)
    names = [label(name, lang) for name in ("flow_year", "pillar", "age_nominal", "age_full", "luck_short")]
    names.append(capital(label("overall", lang)))
    if other is not None and other.pattern.strength is not None:
        names.append(label(f"if.{other.pattern.strength.verdict}", lang))
    names += [label("state", lang)] * judged
    names += [capital(domain(name, lang)) for name in SCORES[1:]]
    rows = [[capital(name).replace(" ", "\n") for name in names]]
    for at, year in enumerate(span.years):
        cells = [
            str(year.target_year),
            stacked(year.pillar, lang, paint),
            *map(str, year.age),
            "\n".join(_luck(part, lang) for part in year.segments),
        ]
        cells.append(str(year.scores.overall))
        cells += [] if other is None else [str(other.years[at].scores.overall)]
        cells += [label(f"state.{year.useful_state.state}", lang).replace(" ", "\n")] * judged
        rows.append([*cells, *(str(year.scores.of(name)) for name in SCORES[1:])])
    return rows


def _luck(part: Segment, lang: str) -> str:
    if part.pillar is None:
        return "–"
    return part.pillar.value if part.minor is None else f"{term(part.word, lang).split()[0]} {part.pillar}"


def event_rows(span: YearsResult, lang: str) -> Rows:
    """The strongest events of each year and all dynamics: year, polarity, and in one line name, points, who meets whom and
    what it is about; then all ties of the year with the chart."""
    rows = []
    for year in span.years:
        own = [
            [label(f"mark.{event.polarity}", lang), "  ".join(filter(None, _told(year, event, lang)))]
            for event in (*strongest_events(year), *dynamics(year))
        ]
        met = met_words(year.chart, year.pillar, lang)
        own += [["", titled(label("relations", lang), met, lang)]] if met else []
        rows += [["" if at else _year_name(year), *row] for at, row in enumerate(own)]
    return rows


def _told(year: YearResult, event: YearEvent, lang: str) -> tuple[str, str, str]:
    return event_name(event, lang), event_points(event, lang), _about(year, event, lang)


def event_names(span: YearsResult, lang: str) -> list[tuple[str, list[str]]]:
    """Each year with the names of its strongest events and of all dynamics."""
    return [
        (
            _year_name(year),
            [
                f"{label(f'mark.{each.polarity}', lang)} {event_name(each, lang, term)}"
                for each in (*strongest_events(year), *dynamics(year))
            ]
            or [label("no_events", lang)],
        )
        for year in span.years
    ]


def _year_name(year: YearResult) -> str:
    return f"{year.target_year} {year.pillar}"


def _about(year: YearResult, event: YearEvent, lang: str) -> str:
    """`日辰 流年戌 六冲（夫妻宫、偏印）`."""
    subjects = about(year, event)
    words = [label(f"palace.{palace}", lang) for palace in subjects.palaces]
    words += [term(god, lang) for god in subjects.ten_gods]
    remark = (", " if lang == "en" else "、").join(words)
    who = members_text(year, event, lang)
    return bracketed(who, remark, lang) if remark else who


def ranking_rows(span: YearsResult, lang: str, domains: Iterable[str] = SCORES, why: bool = True) -> Rows:
    """Each score with its highest and lowest years, and the events that raise and lower it most over all years."""
    rows = []
    for name in domains:
        ranking = span.ranking(name)
        rows.append([capital(domain(name, lang)), "", _ends(ranking.places, lang)])
        for which, causes, besides in (
            ("raises", ranking.raises, ranking.raises_besides),
            ("lowers", ranking.lowers, ranking.lowers_besides),
        ):
            if why and causes:
                told = [_cause(cause, lang) for cause in causes]
                told += [label("causes_besides", lang, **besides._asdict())] if besides.causes else []
                rows.append(["", label(which, lang), _listed(told, lang)])
    return rows if why else [[name, ends] for name, _, ends in rows]


def _cause(cause: Cause, lang: str) -> str:
    """`用神得根 共+20（2028、2031–2033）`."""
    key = "causes" if len(cause.years) > 1 else "cause"
    text = label(key, lang, reason=reason_name(cause.reason, lang), points=cause.points)
    return bracketed(text, _years([year for year, _ in cause.years], lang), lang)


def reason_name(reason: Reason, lang: str) -> str:
    """A reason by its name: `流年干丙`, `冲夫妻宫`, `食神制杀受破`, `流年七杀`."""
    if reason.kind == CARRIER:
        return carrier_name(reason.place, reason.part, reason.name, lang)
    if reason.kind == DYNAMIC:
        return dynamic_name(term(reason.name, lang, "dynamic"), reason.change, lang)
    if reason.kind == EVENT:
        return term(reason.name, lang, "event")
    return label("reason_theme", lang, god=term(reason.name, lang))


def comparison_title(comparison: Comparison, lang: str) -> str:
    """`比较  财运`."""
    return f"{label('comparison', lang)}  {domain(comparison.domain, lang)}"


def comparison_rows(comparison: Comparison, lang: str) -> Rows:
    """The compared years, the head first: rank, score, score under the other reading, reasons that differ."""
    has_other = comparison.agrees is not None
    names = ["rank", "flow_year", "score", *(["other_score"] if has_other else []), "reasons_apart"]
    rows = [[label(name, lang).replace(" ", "\n") for name in names]]
    for each in comparison.ranked:
        other = [str(each.other_score)] if has_other else []
        reasons = _listed([_reason(reason, comparison.domain, lang) for reason in each.reasons], lang)
        rows.append([str(each.rank), str(each.year), str(each.score), *other, reasons])
    return rows


def comparison_notes(comparison: Comparison, lang: str) -> list[str]:
    """Lines on the reasons shared by the years, and on whether both readings rank the same year first."""
    shared = _listed([_reason(each, comparison.domain, lang) for each in comparison.shared], lang)
    lines = [f"{capital(label('reasons_shared', lang))}  {shared}"] if shared else []
    return (
        lines if comparison.agrees is None else [*lines, capital(label(f"agrees.{comparison.agrees}", lang))]
    )


def _reason(reason: Reason, name: str, lang: str) -> str:
    return f"{reason_name(reason, lang)} {reason.of(name):+d}"
