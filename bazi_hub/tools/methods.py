"""The tools beside the twelve: casts, days of the almanac, places, windows of pillars, years side by side.

All is computed while the arguments are checked, so that whatever is wrong is said before anything is paid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bazi_core import liuren
from bazi_core import liuyao as ly
from bazi_core.almanac.day import almanac
from bazi_core.almanac.purposes import Purpose, purpose_of
from bazi_core.almanac.search import ORDERS, days
from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_core.objects import years
from bazi_core.place.gazetteer import look_up
from bazi_core.questions.safety import disclaimer, referral, supporting
from bazi_core.readings.wish import Wish
from bazi_core.reverse.search import find
from bazi_core.views.ten_gods import ten_god
from bazi_core.year.rules import DOMAINS, OVERALL
from bazi_hub.tools import births, rehydrate
from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.context import Context, MeteredResult
from bazi_hub.tools.fortune import BASE, LANGUAGE, MOST_QUESTION, MeteredJob
from bazi_hub.tools.refusals import BadArguments, path_of
from bazi_hub.words.call import compact
from bazi_hub.words.errors import Issue

MOST_COMPARED, MOST_DAYS_TOLD = 20, 30

_DATE = {"type": "string", "minLength": 1, "maxLength": 40}
DATE: dict[str, Any] = {**_DATE, "description": "A day as 2026-10-01, or a lunar one as 农历2026年八月初三."}
TIME: dict[str, Any] = {
    **_DATE,
    "description": "The moment asked about, with its offset: 2026-04-03T20:30:00+08:00.",
}
QUESTION: dict[str, Any] = {
    "type": "string",
    "maxLength": MOST_QUESTION,
    "description": "What is asked, in words.",
}
# A day needs a clock, not a longitude.
LOCATION: dict[str, Any] = {
    "type": "object",
    "description": "Where the day is: a city or a zone; without it the clock of China, which the result says.",
    "properties": {name: births.LOCATION["properties"][name] for name in ("city_name", "timezone_id")},
    "additionalProperties": False,
}


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


LIUYAO = _schema(
    ["time", "question"],
    time=TIME,
    question=QUESTION,
    yao_lines={
        "type": "array",
        "items": {"type": "string", "enum": ["少阳", "少阴", "老阳", "老阴"]},
        "minItems": 6,
        "maxItems": 6,
        "description": "Lines that were thrown, from the bottom up. Leave out to have three coins thrown here; never guess.",
    },
    language=LANGUAGE,
)
LIUREN = _schema(["time"], time=TIME, language=LANGUAGE)
QUESTION_DIVINATION = _schema(["question", "time"], question=QUESTION, time=TIME, language=LANGUAGE)
DAILY = _schema(["base_context", "date"], base_context=BASE, date=DATE, location=LOCATION, language=LANGUAGE)
DAY = _schema(["date"], date=DATE, location=LOCATION, language=LANGUAGE)
ALMANAC_DAY = _schema(["date"], date=DATE, location=LOCATION, base_context=BASE, language=LANGUAGE)
ALMANAC_DAYS = _schema(
    ["purpose", "start", "end"],
    purpose={
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "Such as 嫁娶, 搬家 or wedding.",
    },
    start=DATE,
    end={**_DATE, "description": "The last day, at most 1,100 days on."},
    location=LOCATION,
    base_context={**BASE, "description": f"{BASE['description']} Days that clash with it are left out."},
    limit={"type": "integer", "minimum": 1, "maximum": MOST_DAYS_TOLD, "default": 10},
    order={"type": "string", "enum": list(ORDERS), "default": "book"},
)
PLACE = _schema(["city_name"], city_name=births.LOCATION["properties"]["city_name"])
PILLARS = _schema(
    ["pillars", "first_year", "last_year"],
    pillars={
        "type": "string", "minLength": 1, "maxLength": 60,
        "description": "Year, month, day and hour: 庚午 辛巳 庚辰 壬午; ? for what is not known.",
    },
    first_year={"type": "integer", "minimum": births.YEARS[0], "maximum": births.YEARS[1]},
    last_year={"type": "integer", "minimum": births.YEARS[0], "maximum": births.YEARS[1]},
    location=LOCATION,
)  # fmt: skip
YEARS = _schema(
    ["base_context", "first_year", "last_year"],
    base_context=BASE,
    first_year={"type": "integer", "minimum": births.YEARS[0], "maximum": births.YEARS[1]},
    last_year={
        "type": "integer", "minimum": births.YEARS[0], "maximum": births.YEARS[1],
        "description": f"At most {MOST_COMPARED} years in all.",
    },
    domain={"type": "string", "enum": [OVERALL, *DOMAINS], "default": OVERALL},
)  # fmt: skip


async def told(job: MeteredJob, context: Context) -> MeteredResult:
    """The result, which the check has made already; support in place of a divination costs nothing."""
    return MeteredResult(job.subject, free=job.wish.is_declined)


def liuyao_divine(given: ArgumentReader) -> MeteredJob:
    """The cast with its lines, analysis and answer; coins are thrown where no lines are given."""
    lines = given["yao_lines"]
    wish = given.find(_wish, given["question"], given["language"] or "zh-Hans")
    chart = _at(
        given,
        "time",
        lambda time: ly.derive(ly.cast.coins() if lines is None else lines, time),
        given["time"],
    )
    found = given.find(lambda chart, wish: _cast(chart, lines is None, wish), chart, wish)
    return _job(given, "liuyao", found, wish)


def _cast(chart: ly.LiuyaoChart, thrown: bool, wish: Wish) -> dict[str, Any]:
    analysis = chart.analyze(question=wish.question)
    reading = ly.read(analysis, question=wish.question, language=wish.language).to_dict()
    if wish.is_declined:
        return {"reading": reading}
    question = wish.asked.text if wish.asked else ""
    cast = chart.to_divination(
        question, analysis.question_type or "其他", "自动起卦" if thrown else "手动起卦"
    )
    return {
        "divination": cast,
        "analysis": analysis.to_dict(facts=False, lang=wish.language),
        "reading": reading,
    }


def liuren_quick(given: ArgumentReader) -> MeteredJob:
    """The palms of 小六壬 at a time."""
    language = given["language"] or "zh-Hans"
    return _job(
        given, "liuren", _at(given, "time", lambda at: liuren.cast(at).to_dict(language), given["time"])
    )


def question_divination(given: ArgumentReader) -> MeteredJob:
    """The answer of 小六壬 to a question at a time; support alone for somebody in distress or a question of death."""
    wish = given.find(_wish, given["question"], given["language"] or "zh-Hans")
    palms = _at(given, "time", liuren.cast, given["time"])
    return _job(given, "question_divination", given.find(_answer, palms, wish), wish)


def _answer(palms: liuren.Palms, wish: Wish) -> dict[str, Any]:
    language, asked = wish.language, wish.asked
    if asked is not None and asked.is_declined:
        support = [*supporting(asked.action, language), disclaimer(language)]
        return {"status": "declined", "liuren": None, "answer": " ".join(support)}
    besides = [referral(name, language, of_cast=True) for name in (asked.referrals if asked else ())]
    said = [liuren.meaning(palms.result, language), *besides, disclaimer(language)]
    return {
        "status": "success",
        "liuren": palms.to_dict(language),
        "answer": ("" if language != "en" else " ").join(said),
    }


def daily_fortune(given: ArgumentReader) -> MeteredJob:
    """The day before a chart: the ten god of its stem, what it is to the person, with the facts that say so."""
    chart = given.find(rehydrate.base, given["base_context"])
    return _job(given, "daily_fortune", _day(given, _for_person, [chart]))


def _for_person(day: Any, language: str, charts: list[Chart]) -> dict[str, Any]:
    whole, master = day.to_dict(lang=language), charts[0].pillars.day.stem
    own = {"day_master": master.value, "ten_god": ten_god(master, day.calendar.day_pillar.stem).value}
    return {
        **own,
        **{
            name: whole[name]
            for name in ("date", "place", "pillars", "lunar", "day", "persons", "hours", "notes")
        },
    }


def calendar_day(given: ArgumentReader) -> MeteredJob:
    """The day in the calendar: pillars, lunar date, terms and what else is fact, without 宜忌."""
    return _job(given, "calendar_day", _day(given, _facts_alone, []))


def _facts_alone(day: Any, language: str, charts: list[Chart]) -> dict[str, Any]:
    whole: dict[str, Any] = day.to_dict(lang=language)
    return {
        name: value
        for name, value in whole.items()
        if name not in ("kind", "xieji", "folk", "hours", "persons")
    }


def almanac_day(given: ArgumentReader) -> MeteredJob:
    """The almanac of a day, with 宜忌 of 《协纪辨方书》; what it is to a person where a chart is given."""
    charts = [given.find(rehydrate.base, given["base_context"])] if "base_context" in given else []
    return _job(
        given, "almanac_day", _day(given, lambda day, language, _: day.to_dict(lang=language), charts)
    )


def _day(given: ArgumentReader, tell: Callable[..., dict[str, Any]], charts: list[Chart]) -> dict[str, Any]:
    where, language = _where(given), given["language"] or "zh-Hans"

    def made(date: str, *charts: Chart) -> dict[str, Any]:
        return tell(almanac(date, charts=charts, **where), language, charts)

    found: dict[str, Any] = _at(given, "date", made, given["date"], *charts)
    return found


def almanac_find_days(given: ArgumentReader) -> MeteredJob:
    """The best days for a purpose in a span."""
    charts = [given.find(rehydrate.base, given["base_context"])] if "base_context" in given else []
    where, limit, order = _where(given), given["limit"] or 10, given["order"] or "book"
    purpose = _at(given, "purpose", purpose_of, given["purpose"])

    def made(
        purpose: Purpose, start: str, end: str, limit: int, order: str, *charts: Chart
    ) -> dict[str, Any]:
        return days(purpose.name, start, end, charts=charts, limit=limit, order=order, **where).to_dict()

    found = _at(given, "start", made, purpose, given["start"], given["end"], limit, order, *charts)
    return _job(given, "almanac_days", found)


def place_find(given: ArgumentReader) -> MeteredJob:
    """The place of a name, and the others that bear it."""
    found = _at(given, "city_name", look_up, given["city_name"], always=True)
    return _job(given, "place", given.find(_place, found))


def _place(found: Any) -> dict[str, Any]:
    return {**found.to_dict(), "others": [other.to_dict() for other in found.passed_over]}


def find_dates(given: ArgumentReader) -> MeteredJob:
    """The windows of time that have these pillars."""
    where = _where(given)

    def made(pillars: str, first: int, last: int) -> dict[str, Any]:
        return find(pillars, first, last, **where).to_dict()

    return _job(
        given, "found", _at(given, "pillars", made, given["pillars"], given["first_year"], given["last_year"])
    )


def years_compare(given: ArgumentReader) -> MeteredJob:
    """Years of a chart in order, with what sets them apart."""
    chart = given.find(rehydrate.base, given["base_context"])

    def made(chart: Chart, first: int, last: int, domain: str) -> dict[str, Any]:
        if last - first >= MOST_COMPARED:
            raise BadArguments(Issue("last_year", f"At most {MOST_COMPARED} years in all"))
        return years(chart, first, last).compare(domain).to_dict()

    domain = given["domain"] or OVERALL
    found = _at(given, "last_year", made, chart, given["first_year"], given["last_year"], domain)
    return _job(given, "comparison", found)


def _wish(question: str, language: str) -> Wish:
    return Wish(question=question, language=language).checked()


def _where(given: ArgumentReader) -> dict[str, Any]:
    """The place as the core takes it."""
    parts = {"city": given.member("location", "city_name"), "tz": given.member("location", "timezone_id")}
    return {name: value for name, value in parts.items() if isinstance(value, str)}


def _at(
    given: ArgumentReader, name: str, make: Callable[..., Any], *arguments: Any, always: bool = False
) -> Any:
    """What is made of arguments; an error about none of those of this tool is one of `name`."""

    def made(*arguments: Any) -> Any:
        try:
            return make(*arguments)
        except BaziError as error:
            about = path_of(error).partition(".")[0]
            if always or about not in (*given.arguments, "location"):
                error.data["path"] = name
            raise

    return given.find(made, *arguments)


def _job(given: ArgumentReader, name: str, found: Any, wish: Wish = Wish()) -> MeteredJob:  # noqa: B008
    arguments = given.settled()
    return MeteredJob(rehydrate.sources(arguments), compact({name: found}), wish)
