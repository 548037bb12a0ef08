"""The almanac: a month on one sheet, a day with the reasons of its 宜 and 忌, and the choice of days, each at a place.

Everything is free, stands at an address of its own and is kept nowhere. Persons are given as pillars, so that no address
holds a birth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from datetime import date as civil_date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.responses import Response

import bazi_core as bz
from bazi_core.almanac.doctrine import BOTH, JI_ONLY, YI_ONLY
from bazi_core.almanac.facts import hou_names
from bazi_core.almanac.month import (
    ALL_FORBIDDEN,
    NO_GRADE,
    chosen,
    grade_shown,
    lunar_shown,
    officer_shown,
    place_shown,
    term_of,
    waits_for_no_day,
)
from bazi_core.almanac.month_sheet import weekdays
from bazi_core.almanac.purposes import Purpose, purposes
from bazi_core.almanac.text import customs, rule_shown
from bazi_core.errors import BaziError, InvalidInput, PlaceAmbiguous, PurposeUnknown, RangeTooLong, shown
from bazi_core.place.display import name_shown
from bazi_core.questions.question import question as question_of
from bazi_core.questions.safety import supporting
from bazi_core.render.phrases import pillar_name
from bazi_core.tables.almanac_words import said
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import glossed, label
from bazi_core.wording import phrased
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.texts import text

if TYPE_CHECKING:
    from bazi_core.almanac.day import AlmanacDay
    from bazi_core.almanac.month import AlmanacMonth
    from bazi_core.almanac.search import ChosenDay, DaySearch
    from bazi_core.almanac.xieji import Reason

USUAL_ZONE = "Asia/Shanghai"
# A search looks at so many days, and one network may search so often a minute: a year takes half a second of a processor.
MOST_SEARCHED, SEARCHES, MINUTE_S = 400, 12, 60
USUAL_SPAN = 60
MOST_PERSONS = 4
LISTED = 12
LONGEST = 100
# The longest name of a place, of a purpose, and the longest question that are looked at.
LONGEST_QUESTION = 300
IN_A_CELL = 3
# The items that an almanac of the people rules on (卷11).
ITEMS = "minyong37"
YELLOW = "黄道"
# The years of which pages are linked: those whose lunar dates exist.
FIRST, LAST = 1646, 2199
LONGEST_MONTH = 7
# Months that are remembered, each of half a megabyte.
REMEMBERED = 24


class Asked(NamedTuple):
    """What the address of a page of the almanac asks: a place, persons by their pillars, and what is the page's own."""

    place: str
    who: str
    own: dict[str, str]

    @classmethod
    def of(cls, query: dict[str, str], *own: str) -> Asked:
        return cls(
            query.get("place", "").strip()[:LONGEST],
            query.get("who", "").strip()[:LONGEST],
            {name: query.get(name, "").strip()[:LONGEST_QUESTION] for name in own},
        )

    @property
    def where(self) -> dict[str, Any]:
        """The place as the library takes it; its usual zone is said to be assumed."""
        return {"city": self.place} if self.place else {}

    @property
    def charts(self) -> list[bz.Chart]:
        """The charts of the persons."""
        pillars = [each.strip() for each in self.who.replace("，", ",").split(",") if each.strip()]
        return [bz.chart(pillars=each.replace("-", " ")) for each in pillars[:MOST_PERSONS]]

    def link(self, path: str, **own: object) -> str:
        """The address of another page at the same place for the same persons."""
        members = {"place": self.place, "who": self.who, **own}
        query = urlencode({name: value for name, value in members.items() if value})
        return f"{path}?{query}" if query else path


class Wrong(NamedTuple):
    """What cannot be answered: why, what to do, and the places that may be meant with their addresses."""

    why: str
    advice: str
    places: list[tuple[str, str]]


async def month(request: PageRequest) -> Response:
    """A month as a sheet of weeks."""
    asked, now = Asked.of(request.query, "m"), _now(request)

    def made() -> dict[str, Any]:
        today = _today(asked, now)
        year, number = _month_of(asked.own["m"], today)
        found = _month(year, number, asked.place)
        lang = request.language
        weeks = [[day and _cell(day, lang, asked, today) for day in week] for week in found.weeks]
        before, after = _beside(year, number)
        return {
            "year": year,
            "number": number,
            "named": text("almanac.month", lang, year=year, name=label(f"month.{number}", lang)),
            "doctor": [note.text(lang) for note in waits_for_no_day(found.days)],
            "names": [label(f"month.{at}", lang) for at in ((number - 2) % 12 + 1, number % 12 + 1)],
            "place": found.place_name(lang),
            "assumed": found.days[0].assumed,
            "weekdays": weekdays(lang),
            "weeks": weeks,
            "terms": [
                (glossed(each.name.value, lang), each.local[:16].replace("T", " ")) for each in found.terms
            ],
            "before": asked.link("/almanac", m=before) if before else None,
            "after": asked.link("/almanac", m=after) if after else None,
            "days": asked.link("/almanac/days"),
            "today": asked.link("/almanac/day"),
        }

    return await _page(request, "almanac_month.html", asked, made)


async def day(request: PageRequest) -> Response:
    """A day: what it is, what it favours and forbids and why, its hours."""
    asked, now = Asked.of(request.query, "d", "q"), _now(request)

    def made() -> dict[str, Any]:
        date = asked.own["d"] or str(_today(asked, now))
        question = asked.own["q"] or None
        found = bz.almanac(date, charts=asked.charts, question=question, **asked.where)
        return _day(found, request.language, asked)

    return await _page(request, "almanac_day.html", asked, made)


async def search(request: PageRequest) -> Response:
    """The days of a span for a purpose; none is an answer. Without a purpose the form alone."""
    asked, now = Asked.of(request.query, "p", "a", "b"), _now(request)
    own = asked.own
    if own["p"]:
        taken = await request.site.limits.take(f"almanac:{request.customer}", SEARCHES, MINUTE_S)
        if not taken.allowed:
            raise Trouble(429, "searches", taken.reset_s)

    def made() -> dict[str, Any]:
        today = _today(asked, now)
        first = own["a"] or str(today)
        last = own["b"] or str(today + timedelta(days=USUAL_SPAN))
        names = [_purpose(each, request.language) for each in purposes()]
        form = {"first": first, "last": last, "purpose": own["p"], "purposes": names}
        if not own["p"]:
            return {**form, "found": None}
        _require_short(first, last)
        found = bz.days(own["p"], first, last, charts=asked.charts, limit=LISTED, **asked.where)
        return {**form, "found": _search(found, request.language, asked)}

    return await _page(request, "almanac_days.html", asked, made)


# --- the parts of a page


async def _page(
    request: PageRequest, template: str, asked: Asked, make: Callable[[], dict[str, Any]]
) -> Response:
    """A page of the almanac, or the same page with what is wrong with its address."""
    request.require_room()
    values: dict[str, Any] = {
        "asked": asked,
        "wrong": None,
        "longest": LONGEST,
        "longest_question": LONGEST_QUESTION,
    }
    try:
        made = await request.compute(make)
    except BaziError as error:
        request.count_refused()
        wrong = _wrong(request, asked, error)
        response = request.page("almanac_wrong.html", 400, **{**values, "wrong": wrong})
    else:
        response = request.page(template, **values, **made)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _wrong(request: PageRequest, asked: Asked, error: BaziError) -> Wrong:
    lang = request.language
    wanted = question_of(asked.own.get("p"))
    if isinstance(error, PurposeUnknown) and wanted is not None and wanted.is_declined:
        first, *rest = supporting(wanted.action, lang)
        return Wrong(first, ("" if lang != "en" else " ").join(rest), [])
    places = []
    if isinstance(error, PlaceAmbiguous):
        for each in error.data["candidates"]:
            query = {**request.query, "place": each["ref"]}
            where = (name_shown(each["ref"], each["name"], lang), each["admin"], each["country"])
            places.append((" · ".join(filter(None, where)), f"?{urlencode(query)}"))
    return Wrong(error.text(lang), error.advice(lang) or "", places)


@lru_cache(REMEMBERED)
def _month(year: int, number: int, place: str) -> AlmanacMonth:
    """A month at a place, whose days remember their verdicts: thirty of them take most of the time of the page, and most
    readers want the same one."""
    where: dict[str, Any] = {"city": place} if place else {}
    return bz.almanac_month(year, number, **where)


def _now(request: PageRequest) -> datetime:
    return datetime.fromtimestamp(request.site.hub.clock.now_ms() / 1000, UTC)


def _today(asked: Asked, now: datetime) -> civil_date:
    """The date at the place."""
    zone = bz.place(asked.place).timezone_id if asked.place else None
    return now.astimezone(ZoneInfo(zone or USUAL_ZONE)).date()


def _month_of(text: str, today: civil_date) -> tuple[int, int]:
    """The year and month of `2026-10`; the present month for what is none."""
    year, _, number = text.partition("-")
    if year.isdecimal() and number.isdecimal() and len(text) <= LONGEST_MONTH and text.isascii():
        return int(year), int(number)
    return today.year, today.month


def _beside(year: int, number: int) -> tuple[str | None, str | None]:
    """The months before and after, as addresses name them, while they are those of the almanac."""
    months = [divmod(12 * year + number - 1 + step, 12) for step in (-1, 1)]
    before, after = (f"{at:04}-{month + 1:02}" if FIRST <= at <= LAST else None for at, month in months)
    return before, after


def _require_short(first: str, last: str) -> None:
    """Nothing, if a page searches so many days; both dates are written as on the form."""
    try:
        span = (civil_date.fromisoformat(last) - civil_date.fromisoformat(first)).days + 1
    except ValueError:
        raise InvalidInput(Said("find_range", first=shown(first), last=shown(last)), field="start") from None
    if span > MOST_SEARCHED:
        raise RangeTooLong(
            Said("range_too_long", days=span, most=MOST_SEARCHED), days=span, most=MOST_SEARCHED
        )


def _cell(day: AlmanacDay, lang: str, asked: Asked, today: civil_date) -> dict[str, Any]:
    """A day on the sheet of a month."""
    term = term_of(day)
    favoured = chosen(day, "yi", ITEMS)
    return {
        "number": day.date.day,
        "date": day.date.isoformat(),
        "lunar": lunar_shown(day, lang),
        "term": _short(term.name.value, lang) if term else "",
        "pillar": day.calendar.day_pillar.value,
        "officer": _short(day.day.jianchu, lang),
        "yellow": day.day.huangdao == YELLOW,
        "yi": [_short(item, lang) for item in favoured[:IN_A_CELL]],
        "none": day.verdict is not None and day.verdict.policy == ALL_FORBIDDEN,
        "href": asked.link("/almanac/day", d=day.date.isoformat()),
        "here": day.date == today,
    }


def _short(word: str, lang: str) -> str:
    """A word of the almanac for a narrow cell: in English without the hanzi that gloss it, which the day's page has."""
    return said(word, lang).partition(" (")[0] if lang == "en" else said(word, lang)


def _day(day: AlmanacDay, lang: str, asked: Asked) -> dict[str, Any]:
    """The parts of a day's page."""
    joined = _comma(lang)
    return {
        **_of_calendar(day, lang),
        **_ways(day, asked),
        **_told(day, lang),
        **_verdict(day, lang),
        "datums": [*_datums(day, lang), *_customs(day, lang)],
        "hours": [
            {
                "pillar": hour.pillar.value,
                "clock": f"{hour.begins}–{hour.ends}",
                "god": said(hour.tianshen, lang),
                "yellow": hour.huangdao,
                "marks": joined.join(said(each, lang) for each in hour.gods),
            }
            for hour in day.hours
        ],
        "persons": [
            (person.pillars, joined.join(label(f"almanac_reason.{code}", lang) for code in person.reasons))
            for person in day.persons
        ],
        "notes": [note.text(lang) for note in day.notes],
    }


def _comma(lang: str) -> str:
    return ", " if lang == "en" else "、"


def _of_calendar(day: AlmanacDay, lang: str) -> dict[str, Any]:
    """The day by the calendars, and of which place it is."""
    calendar = day.calendar
    pillars = (calendar.year_pillar, calendar.month_pillar, calendar.day_pillar)
    term = glossed(calendar.term.name.value, lang)
    return {
        "date": day.date,
        "weekday": _weekday(day.date, lang),
        "pillar": calendar.day_pillar.value,
        "pillars": [pillar_name(each, lang) for each in pillars],
        "lunar": day.lunar.text(lang),
        "term": label("almanac_day_of_term", lang, term=term, n=calendar.term_day + 1),
        "hou": said(hou_names()[day.day.hou], lang),
        "place": place_shown(day.place, day.tz, lang),
        "assumed": day.assumed,
    }


def _ways(day: AlmanacDay, asked: Asked) -> dict[str, str]:
    """The addresses that a day leads to."""
    before, after = (day.date + timedelta(days=step) for step in (-1, 1))
    return {
        "before": asked.link("/almanac/day", d=before.isoformat()),
        "after": asked.link("/almanac/day", d=after.isoformat()),
        "month": asked.link("/almanac", m=f"{day.date:%Y-%m}"),
        "days": asked.link("/almanac/days"),
    }


def _told(day: AlmanacDay, lang: str) -> dict[str, Any]:
    """The day in sentences; alone those that stand in place of an answer to what no almanac answers."""
    told = day.read(lang).reading
    declined = day.question is not None and day.question.is_declined
    return {
        "declined": [each.text for each in told.sentences] if declined else [],
        "lede": told.summary[0].text,
        "more": [each.text for each in told.summary[1:]],
        "told": [[each.text for each in section.sentences] for section in told.sections],
    }


def _verdict(day: AlmanacDay, lang: str) -> dict[str, Any]:
    """What is favoured and what forbidden, with the reasons."""
    verdict = day.verdict
    assert verdict is not None
    items = {name: chosen(day, name, ITEMS) for name in ("yi", "ji")}
    return {
        **{name: [said(item, lang) for item in found] for name, found in items.items()},
        "nothing": said(ALL_FORBIDDEN, lang) if verdict.policy == ALL_FORBIDDEN else "",
        "why": [
            _reason(item, name, verdict.why[item], lang) for name, found in items.items() for item in found
        ],
    }


def _datums(day: AlmanacDay, lang: str) -> Iterator[tuple[str, str]]:
    """What an almanac prints of a day, each under its name."""
    verdict, facts, own, joined = day.verdict, day.day, day.day.of_pillar, _comma(lang)
    assert verdict is not None
    standing = [grade_shown(day, lang)]
    if verdict.grade != NO_GRADE or verdict.policy in (YI_ONLY, BOTH, JI_ONLY, ALL_FORBIDDEN):
        standing.append(said(verdict.policy, lang))
    sha = f"{label('almanac_sha', lang)} {said(own.sha, lang)}"
    rows = (
        ("officer", officer_shown(day, lang)),
        ("grade", joined.join(standing)),
        ("gods", joined.join(said(god, lang) for god in verdict.gods) or "—"),
        ("clash", f"{own.clash_pillar} {said(own.clash_zodiac, lang)} · {sha}"),
        ("mansion", f"{said(f'{facts.xiu}宿', lang)} · {said(facts.zheng + facts.qin, lang)}"),
        ("nayin", glossed(own.nayin, lang)),
        ("marks", joined.join(said(each, lang) for each in (*facts.marks, *facts.folk))),
    )
    return ((label(f"almanac_{name}", lang), value) for name, value in rows if value)


def _weekday(date: civil_date, lang: str) -> str:
    """The day of the week as a word of its own."""
    return phrased(f"almanac_day.{date.isoweekday()}", (), lang)


def _customs(day: AlmanacDay, lang: str) -> Iterator[tuple[str, str]]:
    """Directions of the day and what custom has of it, each with its name."""
    ways = ((name, (way,)) for name, way in day.day.of_pillar.directions.items())
    joined = ", " if lang == "en" else "、"
    for name, told in (*ways, *customs(day, lang)):
        yield phrased(f"datum.{name}", (), lang), joined.join(said(each, lang) for each in told)


def _reason(item: str, name: str, reason: Reason, lang: str) -> dict[str, str]:
    """A row of the table of reasons: the item, its verdict, the gods for and against it, where the book has them."""
    joined = ", " if lang == "en" else "、"
    rows = (*reason.yi, *reason.ji)
    return {
        "item": said(item, lang),
        "verdict": label(f"almanac_{name}", lang),
        "yi": joined.join(dict.fromkeys(said(row.god, lang) for row in reason.yi)),
        "ji": joined.join(dict.fromkeys(said(row.god, lang) for row in reason.ji)),
        "rule": rule_shown(reason, lang),
        "source": joined.join(sorted({volume for row in rows for volume in row.witnesses.split("+")})),
    }


def _search(found: DaySearch, lang: str, asked: Asked) -> dict[str, Any]:
    """What a search found, and why the other days are not taken."""
    reading = found.read(lang, length="short").reading
    return {
        "purpose": said(found.purpose.name, lang),
        "lede": [each.text for each in reading.summary],
        "place": place_shown(found.where.place, found.tz, lang),
        "days": [_chosen(each, lang, asked) for each in found.days],
        "excluded": [
            (label(f"almanac_reason.{reason}", lang), number) for reason, number in found.excluded.items()
        ],
        "near": [_chosen(each, lang, asked) for each in found.near_misses],
        "notes": [note.text(lang) for note in found.notes],
    }


def _month_and_day(day: AlmanacDay, lang: str) -> str:
    """The lunar date without its year."""
    lunar = day.lunar
    if lang == "en":
        return f"{'leap ' if lunar.leap else ''}{lunar.month}-{lunar.day}"
    return lunar.text(lang).partition("年")[2]


def _purpose(purpose: Purpose, lang: str) -> str:
    """The name of a purpose, as the form takes it."""
    return purpose.english if lang == "en" else said(purpose.name, lang)


def _chosen(found: ChosenDay, lang: str, asked: Asked) -> dict[str, Any]:
    """A day of a search."""
    day, joined = found.day, ", " if lang == "en" else "、"
    verdict = day.verdict
    assert verdict is not None
    gods = dict.fromkeys(row.god for item in found.items for row in verdict.why[item].yi)
    reasons = dict.fromkeys((*found.against, *(code for person in found.persons for code in person.reasons)))
    return {
        "date": found.date.isoformat(),
        "weekday": weekdays(lang)[found.date.weekday()] if lang == "en" else _weekday(found.date, lang),
        "href": asked.link("/almanac/day", d=found.date.isoformat()),
        "lunar": _month_and_day(day, lang),
        "pillar": day.calendar.day_pillar.value,
        "officer": officer_shown(day, lang),
        "yellow": day.day.huangdao == YELLOW,
        "grade": grade_shown(day, lang),
        "gods": joined.join(said(god, lang) for god in gods),
        "hours": [f"{hour.begins}–{hour.ends}" for hour in found.hours],
        "reasons": joined.join(label(f"almanac_reason.{code}", lang) for code in reasons),
    }
