"""A day and a search as text, in simplified and traditional Chinese and in English; as lines or as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.almanac.doctrine import UNGRADED, items_of
from bazi_core.almanac.facts import WARNED, hou_names
from bazi_core.almanac.month import ALL_FORBIDDEN, NO_GRADE, grade_shown, place_shown
from bazi_core.render.phrases import pillar_name
from bazi_core.tables.almanac_words import said
from bazi_core.tables.words import glossed, label
from bazi_core.wording import phrased

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.almanac.day import AlmanacDay
    from bazi_core.almanac.search import ChosenDay, DaySearch
    from bazi_core.almanac.xieji import Reason

# Notes on single rows of the tables, told where the rows are.
_OF_ROWS = ("ONE_WITNESS_ROW",)


def _joined(words: Iterable[str], lang: str) -> str:
    joiner = ", " if lang == "en" else "、"
    return joiner.join(said(word, lang) for word in words) or "—"


def day_text(
    day: AlmanacDay, lang: str, items: str = "minyong37", *, hours: bool = False, explain: bool = False,
    markdown: bool = False,
) -> str:  # fmt: skip
    """The sheet of a day; `hours` adds the hours, `explain` the rows behind each verdict."""
    bullet = "* " if markdown else ""
    lines = [f"## {day.date.isoformat()}\n" if markdown else day.date.isoformat()]

    def put(name: str, value: str) -> None:
        lines.append(f"{bullet}{label(f'almanac_{name}', lang)}{': ' if lang == 'en' else '：'}{value}")

    calendar, facts = day.calendar, day.day
    own = facts.of_pillar
    put("place", place_shown(day.place, day.tz, lang))
    put("lunar", day.lunar.text(lang).removeprefix(label("lunar", lang)))
    pillars = (calendar.year_pillar, calendar.month_pillar, calendar.day_pillar)
    put("pillars", ("  " if lang != "en" else ", ").join(pillar_name(each, lang) for each in pillars))
    term = label(
        "almanac_day_of_term", lang, term=glossed(calendar.term.name.value, lang), n=calendar.term_day + 1
    )
    put("term", f"{term}  {said(hou_names()[facts.hou], lang)}")
    put(
        "officer", f"{said(facts.jianchu, lang)}  {said(facts.tianshen, lang)} ({said(facts.huangdao, lang)})"
    )
    put("mansion", f"{said(f'{facts.xiu}宿', lang)}  {said(facts.zheng + facts.qin, lang)}")
    put("nayin", glossed(own.nayin, lang))
    put(
        "clash",
        f"{own.clash_pillar} {said(own.clash_zodiac, lang)}  {label('almanac_sha', lang)} {said(own.sha, lang)}",
    )
    for name, direction in own.directions.items():
        lines.append(f"{bullet}{phrased('almanac.datum', (name, (direction,)), lang)}")
    lines += [f"{bullet}{phrased('almanac.datum', (name, told), lang)}" for name, told in customs(day, lang)]
    if facts.marks or facts.folk:
        put("marks", _joined((*facts.marks, *facts.folk), lang))
    lines += _verdict_lines(day, lang, items, explain, bullet)
    if hours:
        lines += [
            f"{bullet}{hour.begins}–{hour.ends} {hour.pillar.value} {said(hour.tianshen, lang)}"
            f" ({said('黄道' if hour.huangdao else '黑道', lang)}) {said(hour.star, lang)} {_joined(hour.gods, lang)}"
            for hour in day.hours
        ]
    lines += [f"{bullet}{note.text(lang)}" for note in day.notes if explain or note.code not in _OF_ROWS]
    lines.append(f"\n{label('almanac_study', lang)}")
    return "\n".join(lines) + "\n"


def customs(day: AlmanacDay, lang: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The customs of a day beside its directions: the place of the foetal spirit, and the lines of Pengzu."""
    own = day.day.of_pillar
    parts = (said(each, lang) for each in (own.taishen_place, own.taishen_direction))
    return (
        ("taishen", (("; " if lang == "en" else "").join(parts),)),
        ("pengzu", tuple(line[:WARNED] for line in own.pengzu)),
    )


def rule_shown(reason: Reason, lang: str) -> str:
    """By what an item is favoured, forbidden or passed over: its gods alone, the grade, an article, or a day that closes."""
    rule = reason.rule
    if rule == "grade" and not (reason.yi and reason.ji):
        return label("almanac_rule.gods", lang)
    if rule in ("grade", "ungraded", "S"):
        return label(f"almanac_rule.{rule}", lang)
    return label("almanac_rule.article", lang) if rule[0].isdigit() else said(rule, lang)


def _verdict_lines(day: AlmanacDay, lang: str, items: str, explain: bool, bullet: str) -> list[str]:
    found = day.verdict
    if found is None:
        return []
    colon = ": " if lang == "en" else "："
    standing = [grade_shown(day, lang)]
    if found.grade != NO_GRADE or found.policy != UNGRADED:
        standing.append(said(found.policy, lang))
    lines = [
        f"{bullet}{label('almanac_grade', lang)}{colon}{'  '.join(standing)}",
        f"{bullet}{label('almanac_gods', lang)}{colon}{_joined(found.gods, lang)}",
    ]
    shown = items_of(items)
    for name, states in (("yi", found.yi), ("ji", found.ji)):
        chosen = [item for item in states if item in shown]
        told = [found.policy] if name == "ji" and found.policy == ALL_FORBIDDEN else chosen
        lines.append(f"{bullet}{label(f'almanac_{name}', lang)}{colon}{_joined(told, lang)}")
        if explain:
            for item in chosen:
                reason = found.why[item]
                cited = " ".join(dict.fromkeys(row.id for row in (*reason.yi, *reason.ji)))
                lines.append(f"  {bullet}{said(item, lang)} [{rule_shown(reason, lang)}] {cited}")
    return lines


def days_text(search: DaySearch, lang: str, *, explain: bool = False, markdown: bool = False) -> str:
    """The days of a search, best first, and how many were left out for which reason."""
    bullet = "* " if markdown else ""
    where = place_shown(search.where.place, search.tz, lang)
    head = f"{said(search.purpose.name, lang)}  {search.first} – {search.last}  {where}"
    lines = [f"## {head}\n" if markdown else head]
    for chosen in search.days:
        lines += _chosen_lines(chosen, lang, explain, bullet)
    counted = label("almanac_counted", lang, found=search.found, considered=search.considered)
    lines.append(counted)
    lines += [
        f"{bullet}{label(f'almanac_reason.{reason}', lang)}{': ' if lang == 'en' else '：'}{count}"
        for reason, count in search.excluded.items()
    ]
    lines += [note.text(lang) for note in search.notes]
    lines.append(f"\n{label('almanac_study', lang)}")
    return "\n".join(lines) + "\n"


def _chosen_lines(chosen: ChosenDay, lang: str, explain: bool, bullet: str) -> list[str]:
    day = chosen.day
    found = day.verdict
    assert found is not None
    lines = [
        f"{bullet}{chosen.date.isoformat()}  {day.lunar.text(lang)}  {day.calendar.day_pillar.value}"
        f"  {said(day.day.jianchu, lang)} {said(day.day.tianshen, lang)}  {grade_shown(day, lang)}"
    ]
    if chosen.hours:
        spans = (f"{hour.begins}–{hour.ends} {hour.pillar.value}" for hour in chosen.hours)
        lines.append("  " + "  ".join(spans))
    lines += [
        f"  {person.number}. {person.pillars}{': ' if lang == 'en' else '：'}"
        + (", " if lang == "en" else "、").join(
            label(f"almanac_reason.{code}", lang) for code in person.reasons
        )
        for person in chosen.persons
        if person.reasons
    ]
    if explain:
        for item in chosen.items:
            lines.append(f"  {said(item, lang)} " + " ".join(row.id for row in found.why[item].yi))
    return lines
