"""What the page of a chart shows, in the order in which it is read; the words are the core's wherever it has them.

Doubts come first, then the picture, strength with every reading that is open, the elements, luck with the place on it where
one is now, the clocks, the chart that it might be instead, and the evidence that the page refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from bazi_core.alphabet import ELEMENTS, PILLARS, Element, Pillar
from bazi_core.astro import scales
from bazi_core.birth import Birth
from bazi_core.errors import BaziError
from bazi_core.face import Chart, cast, cast_pillars
from bazi_core.luck.decades import marks_of
from bazi_core.luck.running import Running
from bazi_core.moment import HOUR_MS
from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.useful import ROLES
from bazi_core.pictures import chart as four_pillars
from bazi_core.pictures import clock
from bazi_core.pictures.kit import PAGE, sentences
from bazi_core.place.display import name_shown
from bazi_core.render import grids, luck_sheet, sheet
from bazi_core.render.meaning import conclusions
from bazi_core.render.notes import clock_span, notes, sentence
from bazi_core.render.phrases import joined, pillar_name
from bazi_core.school import School
from bazi_core.structures.classes import CLASSES
from bazi_core.tables.words import glossed, label, term
from bazi_core.unknown_hour import Candidate
from bazi_core.views.certainty import observed
from bazi_core.views.strength import Strength
from bazi_hub.pages.address import Fields, OpenChart, address, query_text
from bazi_hub.pages.birth import shown_longitude
from bazi_hub.pages.texts import text
from bazi_hub.tools.births import YEARS

CLASS_OF = {"木": "wood", "火": "fire", "土": "earth", "金": "metal", "水": "water"}
_METHODS = ("weighted_v1", "plain_count_month2", "root_units", "month_command")
# A birth that is so near to the edge of its double hour has the chart of the next one beside it.
NEAR_EDGE_MS = 15 * 60_000
_FULL = 40  # percent that fill a bar, unless one has more


class ElementMark(NamedTuple):
    """An element: its word, its number, the class of its colour."""

    word: str
    number: int
    kind: str


class Vote(NamedTuple):
    verdict: str
    method: str
    taken: bool


class Reading(NamedTuple):
    """What a chart means under one verdict on its strength."""

    head: str
    taken: bool
    pattern: str
    roles: list[tuple[str, ElementMark]]
    fact: str


class Judged(NamedTuple):
    """Strength by four methods, with the readings that it leaves open."""

    certainty: str
    votes: list[Vote]
    told: str
    of_books: str
    readings: list[Reading]
    common: str


class ElementRow(NamedTuple):
    mark: ElementMark
    share: int
    wide: int
    state: str
    own: str


class YearCell(NamedTuple):
    year: int
    pillar: str
    god: str
    age: int | None
    now: bool


class Decade(NamedTuple):
    """A 大运 and its ten years. `marks` are the elements of its stem and branch."""

    pillar: str
    name: str
    marks: list[ElementMark]
    god: str
    gods: str
    stage: str
    year: int | None
    age: int | None
    span: str
    roles: str
    now: bool
    fact: str
    years: list[YearCell]


class LuckView(NamedTuple):
    """`picked` is the decade that stands open, the running one or the first."""

    lines: list[str]
    decades: list[Decade]
    picked: int


class Other(NamedTuple):
    """The chart that it would be by the clock, or in the next double hour: picture, what is else, its address."""

    kind: str
    picture: Markup
    told: str
    query: str


class Piece(NamedTuple):
    """A piece of a day whose hour is unknown; what differs from most of the others is marked."""

    span: str
    day: str
    hour: str
    strength: str
    strength_differs: bool
    pattern: str
    pattern_differs: bool
    useful: ElementMark | None
    query: str


class Evidence(NamedTuple):
    """A fact with its rule and source, and what it rests on: words, and the id of those that are here too."""

    id: str
    told: str
    basis: str
    grounds: list[tuple[str, str]]


class ChartPage(NamedTuple):
    pillars: str
    names: str
    facts: list[str]
    doubts: list[list[str]]
    picture: Markup
    table: list[list[str]]
    legend: str
    judged: Judged | None
    elements: list[ElementRow]
    season: str
    luck: LuckView | None
    no_luck: str
    clocks: Markup | None
    other: Other | None
    day: list[Piece]
    day_told: list[str]
    further: list[tuple[str, str]]
    evidence: dict[str, Evidence]


def chart_page(
    chart: Chart, lang: str, now_ms: int, query: Fields | None, open_chart: OpenChart | None = None
) -> ChartPage:
    """All that is shown of a chart; `query` is its address, `open_chart` what is known of one without its birth."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    result, running = chart.pattern(), chart.running(now)
    judged = _judged(result, lang)
    pieces = _pieces(chart, lang)
    luck = _luck(chart, result, running, now, lang, open_chart)
    return ChartPage(
        pillars=_signs(chart),
        names=sheet.title(chart, lang),
        facts=_facts(chart, running, lang),
        doubts=_doubts(chart, result, lang),
        picture=Markup(four_pillars.drawing(chart, lang, PAGE, doubts_too=False)),
        table=grids.pillar_rows(chart, lang),
        legend=", ".join(grids.legend(chart, lang)),
        judged=judged,
        elements=_elements(chart, lang),
        season=_season(chart, lang),
        luck=luck,
        no_luck=sheet.luck_line(chart, lang, keys=False),
        clocks=Markup(clock.drawing(chart, lang, PAGE)) if chart.moment else None,
        other=_other(chart, query, lang),
        day=pieces,
        day_told=_most(pieces, lang),
        further=sheet.palaces(chart, lang),
        evidence=_evidence(result, running, lang),
    )


@lru_cache(maxsize=8)
def example(lang: str) -> Markup:
    """The pillars of the example beside the form."""
    return Markup(four_pillars.signs_alone(cast_pillars("庚午 辛巳 庚辰 壬午"), lang, PAGE))


# --- head


def _signs(chart: Chart) -> str:
    """The four pillars in signs; blanks for an unknown hour."""
    return " ".join(pillar.value if pillar else "＿＿" for pillar in chart.pillars)


def title_of(chart: Chart, lang: str) -> str:
    """The title of a chart until its owner names it: when and where."""
    born = chart.birth
    if born is None:
        return _signs(chart)
    when = f"{born.civil:%Y-%m-%d}" if born.hour_unknown else f"{born.civil:%Y-%m-%d %H:%M}"
    place = name_shown(born.place.ref, born.place.name, lang) if born.place else ""
    return f"{when} {place}".strip()


def _facts(chart: Chart, running: Running, lang: str) -> list[str]:
    rows = dict(sheet.head(chart, lang, keys=False))
    born = chart.birth
    parts = [label(chart.gender or "gender_unknown", lang)]
    if born is not None:
        parts.append(str(born.civil.date()) if chart.day else born.civil.isoformat(" ", "minutes"))
        if chart.day:
            parts.append(label("hour_unknown", lang))
        lunar = rows.get(label("lunar", lang))
        parts += [text("chart.lunar", lang, date=lunar)] if lunar else []
        if born.place is not None:
            name = name_shown(born.place.ref, born.place.name, lang)
            parts.append(
                f"{name} {shown_longitude(born.place.longitude)}"
                if born.place.longitude is not None
                else name
            )
    parts.append(text("chart.zodiac", lang, animal=rows[label("zodiac", lang)]))
    if running.ages is not None:
        parts.append(text("chart.age", lang, age=running.ages.nominal))
    if chart.school.profile != "ziping":
        parts.append(label(f"word.{chart.school.profile}", lang))
    return parts


def _doubts(chart: Chart, result: PatternResult, lang: str) -> list[list[str]]:
    return [*notes(chart, lang), *([sentence(doubt, lang)] for doubt in result.warnings)]


# --- strength, elements


def element_mark(element: Element, lang: str) -> ElementMark:
    """An element as the pages mark it."""
    return ElementMark(term(element.value, lang), element.index, CLASS_OF[element.value])


def _judged(result: PatternResult, lang: str) -> Judged | None:
    strength = result.strength
    if strength is None:
        return None
    votes = [
        Vote(
            _short(strength.method_votes[name], lang), label(f"method.{name}", lang), name == strength.method
        )
        for name in _METHODS
    ]
    readings = [_reading(each, lang, bool(result.alternatives)) for each in (result, *result.alternatives)]
    return Judged(
        strength.certainty, votes, sentences([conclusions(result, lang)[0]], lang), _of_books(strength, lang), readings,
        _common(result, lang),
    )  # fmt: skip


def _short(verdict: str, lang: str) -> str:
    """`强`, `strong`: what a vote says, where everything else says of what."""
    told = term(verdict, lang)
    return told.split()[0] if lang == "en" else told.removeprefix("身")


def _of_books(strength: Strength, lang: str) -> str:
    """How often books that print such charts say what is taken here."""
    found = observed(f"strength.{strength.agreement}")
    return text("chart.of_books", lang, hits=found.hits, of=found.of)


def _reading(result: PatternResult, lang: str, several: bool) -> Reading:
    strength = result.strength
    assert strength is not None
    head = label(f"if.{strength.verdict}", lang) if several else term(strength.verdict, lang)
    standing = [term(result.standing.status, lang)] if result.standing else []
    roles = [
        (term(role, lang), element_mark(element, lang))
        for role, element in zip(ROLES, result.useful.order, strict=True)
    ]
    named = joined([glossed(result.name, lang), *standing], lang)
    fact = "yong.primary" if strength.taken else "alt.yong.primary"
    return Reading(head, strength.taken, named, roles, fact)


def _common(result: PatternResult, lang: str) -> str:
    """What both readings share."""
    if not result.alternatives:
        return ""
    [other] = result.alternatives
    shared = [_named(element, role, lang) for role, element, there in
              zip(ROLES, result.useful.order, other.useful.order, strict=True) if element is there]  # fmt: skip
    if result.name == other.name:
        shared.insert(0, glossed(result.name, lang))
    return joined(shared, lang)


def _named(element: Element, role: str, lang: str) -> str:
    gap = " " if lang == "en" else ""
    return f"{term(role, lang)}{gap}{term(element.value, lang)}"


def _elements(chart: Chart, lang: str) -> list[ElementRow]:
    found, day = chart.elements, chart.day_master.index // 2
    full = max(_FULL, *found.seasonal)
    return [
        ElementRow(
            element_mark(element, lang),
            found.seasonal[element.index],
            round(100 * found.seasonal[element.index] / full),
            term(found.state[element.index], lang, "season_state"),
            term(CLASSES[(element.index - day) % 5], lang),
        )
        for element in ELEMENTS
    ]


def _season(chart: Chart, lang: str) -> str:
    month = chart.pillars.month
    told = [
        label("picture.season", lang, month=pillar_name(month, lang) if lang == "en" else month.branch.value)
    ]
    missing = [term(each.value, lang) for each in chart.elements.missing]
    if missing:
        told.append(label("picture.absent", lang, elements=(", " if lang == "en" else "、").join(missing)))
    return sentences(told, lang)


# --- luck


def _luck(
    chart: Chart, result: PatternResult, running: Running, now: datetime, lang: str, known: OpenChart | None
) -> LuckView | None:
    luck = chart.luck
    if luck is None:
        return None
    since = known.since if known else None
    born = known.born if known else chart.birth.civil.year if chart.birth else None
    roles = [_roles(each, lang) for each in (result, *result.alternatives)]
    here = running.cycle.index if running.cycle else None
    if since is not None:
        passed = (now.year - since[0]) * 12 + now.month - since[1]
        here = passed // 120 if 0 <= passed < 1200 else None
    decades = []
    for cycle in luck.cycles:
        first, age = cycle.start_year, cycle.start_age_full
        if since is not None and born is not None:
            first = since[0] + 10 * cycle.index
            age = first - born
        ten = () if first is None or born is None else range(first, min(first + 10, YEARS[1] + 1))
        years = [_year(chart, year, year - born + 1, running.year, lang) for year in ten if born is not None]
        marks = cycle.marks
        gods = [term(god.value, lang) for god in (marks.ten_god_stem, marks.ten_god_branch)]
        stage = [term(marks.stage.value, lang), *([label("void", lang)] if marks.void else [])]
        decades.append(
            Decade(
                cycle.pillar.value,
                pillar_name(cycle.pillar, lang),
                [element_mark(sign.element, lang) for sign in (cycle.pillar.stem, cycle.pillar.branch)],
                gods[0],
                joined(gods, lang),
                joined(stage, lang),
                first,
                age,
                _span(luck.starts, cycle.index),
                _roles_of(cycle.pillar, roles, lang),
                cycle.index == here,
                f"dy.{cycle.index + 1}",
                years,
            )
        )
    return LuckView(_luck_lines(chart, running, lang, known), decades, here or 0)


def _luck_lines(chart: Chart, running: Running, lang: str, known: OpenChart | None) -> list[str]:
    if known is not None:
        assert chart.luck is not None
        line = [label(chart.luck.direction, lang)]
        if known.since is not None:
            line.append(text("chart.luck.since", lang, month="{}-{:02}".format(*known.since)))
        return [joined(line, lang)]
    return [sheet.luck_line(chart, lang, keys=False), luck_sheet.running_line(chart, running, lang)]


def _year(chart: Chart, year: int, age: int, this_year: int, lang: str) -> YearCell:
    pillar = PILLARS[(year - 4) % 60]
    god = marks_of(pillar, chart.pillars, chart.school).ten_god_stem
    return YearCell(year, pillar.value, term(god.value, lang), age, year == this_year)


def _span(starts: Sequence[datetime], at: int) -> str:
    return f"{starts[at].date()} – {starts[at + 1].date()}" if starts else ""


def _roles(result: PatternResult, lang: str) -> tuple[str, dict[Element, str]]:
    """The verdict, if there are two, and the role of each element under it."""
    if result.strength is None:
        return "", {}
    head = label(f"if.{result.strength.verdict}", lang) if result.is_open else ""
    return head, {element: term(role, lang) for role, element in zip(ROLES, result.useful.order, strict=True)}


def _roles_of(pillar: Pillar, readings: Iterable[tuple[str, dict[Element, str]]], lang: str) -> str:
    """What stem and branch of a luck pillar are to the chart, under every verdict."""
    told = []
    for head, roles in readings:
        if roles:
            parts = {
                part: f"{term(sign.element.value, lang)}{' ' if lang == 'en' else ''}{roles[sign.element]}"
                for part, sign in (("stem", pillar.stem), ("branch", pillar.branch))
            }
            told.append(text("chart.luck.if" if head else "chart.luck.roles", lang, head=head, **parts))
    return (". " if lang == "en" else "；").join(told)


# --- the other chart


def _other(chart: Chart, query: Fields | None, lang: str) -> Other | None:
    """By the clock, or of one by the clock by the Sun, where that gives other pillars; else in the double hour whose edge
    is near."""
    moment, born = chart.moment, chart.birth
    if moment is None or born is None or query is None or born.hour_branch is not None:
        return None
    kind, basis = ("sun", "true_solar") if moment.used == "civil" else ("clock", "civil")
    other = (
        cast(born, chart.school.with_options(time_basis=basis), warned=False)
        if moment.true_solar_ms is not None
        else chart
    )
    if other.pillars == chart.pillars:
        since = (moment.local_ms + HOUR_MS) % (2 * HOUR_MS)
        # The clock has whole minutes: the next double hour begins with the one that is not over.
        minutes = -(since // 60_000 + 1) if since < HOUR_MS else (2 * HOUR_MS - since) // 60_000 + 1
        if abs(minutes) * 60_000 > NEAR_EDGE_MS:
            return None
        kind = "edge"
        try:
            there = born._replace(civil=born.civil + timedelta(minutes=minutes), fold=None)
            other = cast(there, chart.school, warned=False)
        except BaziError:
            return None
        if other.pillars == chart.pillars:
            return None
    query_there = address(other)
    if query_there is None:
        return None
    changed = [
        text("chart.other.pillar", lang, where=label(name, lang), pillar=pillar_name(now, lang))
        for name, before, now in zip(
            ("year", "month", "day", "hour"), chart.pillars, other.pillars, strict=True
        )
        if before != now and now is not None
    ]
    told = sentences([joined([*changed, *conclusions(other.pattern(), lang)], lang)], lang)
    return Other(kind, Markup(four_pillars.signs_alone(other, lang, PAGE)), told, query_text(query_there))


# --- an unknown hour


def _pieces(chart: Chart, lang: str) -> list[Piece]:
    if chart.day is None or chart.birth is None:
        return []
    found = [
        (each, one, one.pattern())
        for each in chart.day.candidates
        for one in (_within(chart.birth, chart.school, each),)
    ]
    strengths, patterns = (
        Counter(part(result) for _, _, result in found).most_common(1)[0][0] for part in (_verdict, _pattern)
    )
    return [
        Piece(
            clock_span(scales.iso_local(each.start.civil_ms), scales.iso_local(each.end.civil_ms)).replace(
                "-", "–"
            ),
            each.pillars.day.value,
            each.pillars.hour.value if each.pillars.hour else "",
            term(_verdict(result), lang) if result.strength else "",
            _verdict(result) != strengths,
            glossed(result.name, lang) if result.name else "",
            _pattern(result) != patterns,
            element_mark(result.useful.order[0], lang) if result.strength else None,
            query_text(address(one) or {}),
        )
        for each, one, result in found
    ]


def _within(born: Birth, school: School, piece: Candidate) -> Chart:
    """The chart of a minute in the middle of a piece of the day; of its beginning where it is shorter than that."""
    middle = piece.start.then((piece.start.utc_ms + piece.end.utc_ms) // 2).replace(tzinfo=None)
    minute = middle.replace(second=0, microsecond=0)
    known = born._replace(hour_unknown=False, precision_s=60)
    for civil in (minute, minute + timedelta(minutes=1), scales.datetime_of(piece.start.civil_ms)):
        # Which of two equal readings lies in the piece is seen by its pillars.
        for fold in (None, 0, 1):
            with suppress(BaziError):
                one = cast(known._replace(civil=civil, fold=fold), school, warned=False)
                if one.pillars == piece.pillars:
                    return one
    return cast_pillars([pillar.value for pillar in piece.pillars if pillar], born.gender, school)


def _verdict(result: PatternResult) -> str:
    return result.strength.verdict if result.strength else ""


def _pattern(result: PatternResult) -> str:
    return result.name or ""


def _most(pieces: list[Piece], lang: str) -> list[str]:
    """On what most pieces of the day agree."""
    told = []
    parts: tuple[tuple[str, Callable[[Piece], str]], ...] = (
        ("strength", lambda each: each.strength),
        ("pattern", lambda each: each.pattern),
        ("useful", lambda each: each.useful.word if each.useful else ""),
    )
    for name, part in parts:
        counted = Counter(part(each) for each in pieces if part(each)).most_common(1)
        told += [text(f"day.{name}", lang, count=count, of=len(pieces), most=most) for most, count in counted]
    return told


# --- evidence

_SHOWN = ("str.verdict", "str.deling", "str.dedi", "str.deshi", "alt.str.verdict", "pat.main", "pat.status",
          "pat.diagnosis", "yong.primary", "yong.secondary", "alt.yong.primary", "dy.start")  # fmt: skip
_BEGINNINGS = ("wx.dominant.", "wx.missing.", "rel.")
_STRENGTH = ("str.deling", "str.dedi", "str.deshi", *(f"str.method.{method}" for method in _METHODS))
_MOST_GROUNDS = 10


def _evidence(result: PatternResult, running: Running, lang: str) -> dict[str, Evidence]:
    """The facts on which the page rests, by their ids."""
    facts, day = result.all_facts, result.chart.day_master.element.value
    names = [*_SHOWN, f"wx.state.{day}", *([f"dy.{running.cycle.index + 1}"] if running.cycle else [])]
    names += [name for name in facts if name.startswith(_BEGINNINGS)]
    shown = [name for name in names if name in facts]
    found = {}
    for name in shown:
        fact: Any = facts[name]
        # The verdict rests on one method; the reader wants all four, and what each has weighed.
        rests_on = _STRENGTH if name == "str.verdict" else fact.derives_from
        below = [each for each in rests_on if each in facts][:_MOST_GROUNDS]
        grounds = [(facts[each].text(lang), each if each in shown else "") for each in below]
        basis = " · ".join(filter(None, (fact.rule, fact.source)))
        found[name] = Evidence(name, fact.text(lang), basis, grounds)
    return found


__all__ = ["ChartPage", "chart_page", "example", "title_of"]
