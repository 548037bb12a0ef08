"""A day of the almanac at a place: calendar, facts, hours, and the verdict of 《协纪辨方书》, with every note."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as civil_date
from datetime import datetime, tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bazi_core.almanac.calendar import (
    DayCalendar,
    calendar_of,
    check_day,
    here_and_china,
    months_about,
    terms_near_midnight,
)
from bazi_core.almanac.evidence import (
    change_facts,
    date_facts,
    facts_of,
    note_facts,
    person_facts,
    verdict_facts,
)
from bazi_core.almanac.facts import MEDICINE, DayFacts, day_facts, hou_names, jianchu, tianshen
from bazi_core.almanac.gods import HANZI, Circumstances, circumstances
from bazi_core.almanac.hours import Hour, hours_of
from bazi_core.almanac.longitudes import instant_of_longitude, local_ms
from bazi_core.almanac.notes import DOCTOR, SEE_A_DOCTOR, Note
from bazi_core.almanac.persons import Person, met_by
from bazi_core.almanac.school import DEFAULT, AlmanacSchool
from bazi_core.almanac.xieji import Verdict, verdict
from bazi_core.astro import scales
from bazi_core.astro.civil import format_offset
from bazi_core.astro.lunar import LunarDate, lunar_date
from bazi_core.birth import Birth, birth
from bazi_core.errors import shown, unknown_option
from bazi_core.facts import Fact, collect, json_text, signature, signed_json
from bazi_core.place.display import name_shown
from bazi_core.questions.question import Question
from bazi_core.questions.question import question as question_of
from bazi_core.school import School
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.almanac.calendar import TermOnClock
    from bazi_core.alphabet import Zodiac
    from bazi_core.face import Chart
    from bazi_core.place.gazetteer import Place
    from bazi_core.readings.result import NarratedReading

ASSUMED_ZONE = "Asia/Shanghai"
# The list of items of which a reading tells.
POPULAR = "minyong37"
_DIGEST = "facts_digest"
# A lunar date is one of China's calendar, wherever the place is.
_CHINESE = School(lunar_calendar="chinese")


@dataclass(frozen=True, eq=False, repr=False)
class AlmanacDay:
    """A civil day at a place; equal and hashable by what it was asked with, and immutable.

    `verdict` is None without a doctrine. `facts` has every datum with its rule, source and option.
    """

    where: Birth
    school: AlmanacSchool
    calendar: DayCalendar
    lunar: LunarDate
    charts: tuple[Chart, ...] = ()
    question: Question | None = None

    def _key(self) -> tuple[Any, ...]:
        return self.calendar.ordinal, self.where, self.school, self.charts, self.question

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, AlmanacDay) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<AlmanacDay {self.date.isoformat()} {self.calendar.day_pillar.value} {self.tz}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return day_at, self._key()

    @property
    def date(self) -> civil_date:
        return civil_date.fromordinal(self.calendar.ordinal)

    @property
    def tz(self) -> str:
        """The zone of the clock that decides the date."""
        from bazi_core.civil_clock import zone_of

        return zone_of(self.where, self.school.of_charts) or ASSUMED_ZONE

    @property
    def place(self) -> Place | None:
        return self.where.place

    @property
    def assumed(self) -> bool:
        """Whether no place was given."""
        return self.where.given == _ASSUMED

    @cached_property
    def asked(self) -> Circumstances:
        """What the gods are looked up by."""
        return circumstances(self.calendar, self.lunar, self.school)

    @cached_property
    def day(self) -> DayFacts:
        """建除, 黄黑道, mansion, directions … of the day."""
        return day_facts(self.calendar, self.asked, self.school)

    @cached_property
    def verdict(self) -> Verdict | None:
        """宜 and 忌 by the doctrine of the school; None where it has none."""
        return verdict(self.asked, self.school) if self.school.doctrine == "xieji" else None

    @cached_property
    def verdict_before(self) -> Verdict | None:
        """The verdict of the hours before the 节 of the day, by the month that ends; only with `month_at="instant"`."""
        if self.school.month_at != "instant" or self.calendar.jie_today is None or self.verdict is None:
            return None
        before = self.calendar._replace(month_position=self.calendar.jie_today.position - 2)
        return verdict(circumstances(before, self.lunar, self.school), self.school)

    @cached_property
    def persons(self) -> tuple[Person, ...]:
        """The day as it meets the person of each chart."""
        pillar = self.calendar.day_pillar
        return tuple(met_by(number, chart, pillar) for number, chart in enumerate(self.charts, 1))

    @property
    def hours(self) -> tuple[Hour, ...]:
        """The twelve hours and the late 子 hour."""
        return hours_of(self.calendar.day_pillar, self.school, self.calendar.after_winter)

    @property
    def zodiac(self) -> str:
        """生肖 of the year, from 立春 or from the lunar new year."""
        by_new_year = self.school.year_at == "lunar_new_year"
        zodiac: Zodiac = self.lunar.zodiac if by_new_year else self.calendar.year_pillar.branch.zodiac
        return str(zodiac.value)

    @cached_property
    def month_change(self) -> dict[str, Any] | None:
        """The 节 that falls on the day, with month, 建除 and 值神 before and after it; None on other days."""
        change = self.calendar.month_change
        if change is None:
            return None
        branch = self.calendar.day_pillar.branch.index
        sides = {
            name: {
                "month_pillar": HANZI[month],
                "jianchu": jianchu(month.branch.index, branch),
                "tianshen": tianshen(month.branch.index, branch),
            }
            for name, month in (("before", change.before), ("after", change.after))
        }
        return {"jie": HANZI[change.jie.name], "utc": change.jie.utc, "local": change.jie.local, **sides}

    @cached_property
    def china(self) -> dict[str, Any] | None:
        """Month pillar and 建除 of the same date by the calendar of China where the day differs from it, else None."""
        here, there = here_and_china(self.calendar, self.where, self.school)
        if there.month_pillar == here.month_pillar:
            return None
        branch = self.calendar.day_pillar.branch.index
        return {
            "month_pillar": HANZI[there.month_pillar],
            "jianchu": jianchu(there.month_pillar.branch.index, branch),
            "year_pillar": HANZI[there.year_pillar],
            "here": {
                "month_pillar": HANZI[here.month_pillar],
                "jianchu": jianchu(here.month_pillar.branch.index, branch),
                "year_pillar": HANZI[here.year_pillar],
            },
        }

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the day, in a fixed order of codes."""
        return tuple(_notes(self))

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every datum by its id: `almanac.day.*`, `mark`, `god`, `item`, `special`, `closing`, `note`, `hour`, `person`."""
        return self._data | collect(
            (
                *date_facts(
                    self.date.isoformat(),
                    self.date.isoweekday(),
                    self.calendar,
                    self.lunar,
                    (self._place_named, self.tz),
                ),
                *(verdict_facts(self.verdict, POPULAR) if self.verdict else ()),
                *change_facts(self.month_change, self.china),
                *note_facts(
                    (note.code, note.counted, tuple(map(note.text, LANGUAGES))) for note in self.notes
                ),
                *person_facts(self.persons, HANZI[self.calendar.day_pillar]),
            )
        )

    @cached_property
    def _data(self) -> dict[str, Fact]:
        """The facts of the day itself; what the other facts say stands in the members of the JSON form."""
        return collect(facts_of(self.calendar, self.lunar, self.day, self.zodiac, self.verdict, self.school))

    @property
    def _place_named(self) -> tuple[str, ...]:
        """The name of the place in the three languages; that of the zone where there is none."""
        place = self.where.place
        return tuple(name_shown(place.ref, place.name, lang) if place else self.tz for lang in LANGUAGES)

    def read(
        self, lang: str = "zh-Hans", *, question: str | Question | None = None, plain: bool = True,
        length: str = "standard",
    ) -> NarratedReading:  # fmt: skip
        """The day told in words, the answer first where something is asked here or was asked with the day.

        `plain` explains a term where it is named first; `length` is short, standard or long. Raises `UNKNOWN_OPTION`,
        `INVALID_INPUT` and `QUESTION_TOO_LONG` as every reading.

        >>> told = almanac("2026-10-03", tz="Asia/Shanghai", question="今天适合结婚吗？").read()
        >>> told.reading.summary[0].statement, told.reading.summary[0].evidence[0]
        ('almanac.answer.closed', 'almanac.purpose.嫁娶')
        """
        from bazi_core.almanac.reading import read_day

        return read_day(
            self, self.question if question is None else question, lang, plain=plain, length=length
        )

    def to_dict(self, items: str = "minyong37", lang: str = "zh-Hans") -> dict[str, Any]:
        """The JSON form `almanac_day`; `items` names the list of items that are shown."""
        members = self._members(items)
        return {**members, **self._beside(lang), _DIGEST: signature(members, self._data)}

    def to_json(self, items: str = "minyong37", indent: int | None = None, lang: str = "zh-Hans") -> str:
        """The JSON text of `to_dict`."""
        if indent is not None:
            return json_text(self.to_dict(items, lang), indent)
        return signed_json(
            self._members(items), self._data, self._beside(lang), with_facts=False, name=_DIGEST
        )

    def _beside(self, lang: str) -> dict[str, Any]:
        """The members outside the digest."""
        return {"notes": [note.to_dict(lang) for note in self.notes]}

    def _members(self, items: str) -> dict[str, Any]:
        day = self.calendar
        place = self.where.place
        own: dict[str, Any] = {
            "kind": "almanac_day",
            "date": self.date.isoformat(),
            "place": {"tz": self.tz, "name": place.name if place else None, "assumed": self.assumed},
            "school": self.school.to_dict(),
            "pillars": {
                "year": HANZI[day.year_pillar], "month": HANZI[day.month_pillar], "day": HANZI[day.day_pillar],
                "zodiac": self.zodiac,
            },
            "lunar": {
                "year": self.lunar.year, "month": self.lunar.month, "leap": self.lunar.leap, "day": self.lunar.day,
                "month_days": self.lunar.month_days, "grade": self.lunar.grade,
            },
            "month_change": self.month_change,
            "china": self.china,
            "term": {
                "name": HANZI[day.term.name], "day": day.term_day, "at": day.term.local,
                "next": HANZI[day.next_term.name], "next_at": day.next_term.local,
            },
            "hou": {"index": self.day.hou, "name": hou_names()[self.day.hou], "at": self.hou_at},
            "day": self.day.to_dict(),
            "xieji": self.verdict.to_dict(items) if self.verdict else None,
            "folk": list(self.day.folk),
            "hours": [hour.to_dict() for hour in self.hours],
            "persons": [person.to_dict() for person in self.persons],
        }  # fmt: skip
        if self.verdict_before is not None:
            own["month_change"] = {**own["month_change"], "xieji_before": self.verdict_before.to_dict(items)}
        return own

    @property
    def hou_at(self) -> str:
        """The instant of the 候 by 5° of longitude, on the clock of the place, to the minute."""
        clock = self.calendar.clock
        tt_ms = instant_of_longitude(self.calendar.term.position, 5 * (self.day.hou % 3))
        at = local_ms(tt_ms, clock)
        offset_s = clock.offset_s(scales.utc_from_tt(tt_ms, clock.future_utc))
        return scales.iso_local(at)[:16] + format_offset(offset_s)


# Stands in the place of what was written where no place was given.
_ASSUMED = "almanac, no place"


def almanac(
    date: str | civil_date | datetime,
    *,
    place: Place | str | None = None,
    city: str | None = None,
    tz: str | tzinfo | None = None,
    school: AlmanacSchool | None = None,
    charts: Sequence[Chart] = (),
    question: str | Question | None = None,
) -> AlmanacDay:
    """The almanac of a civil date at a place; its reading answers the `question` first.

    The date is one of the clock of the place, midnight to midnight; a lunar date is written out, as `农历2026年八月初三`.
    Raises what places and dates raise, `OUT_OF_RANGE` outside the lunar years 1645–2199, and `NONEXISTENT_LOCAL_TIME` for a
    day that the clocks of the place skipped.

    >>> day = almanac("2026-02-04", tz="Asia/Shanghai")
    >>> day.calendar.day_pillar.value, day.day.jianchu, day.month_change["before"]["jianchu"]
    ('己酉', '危', '成')
    """
    where = place_and_date(date, place, city, tz)
    chosen = school_of(school)
    check_day(where, chosen)
    return day_at(where.civil.toordinal(), where, chosen, tuple(charts), question_of(question))


def school_of(given: AlmanacSchool | None) -> AlmanacSchool:
    """The school of an argument: the default one for None; anything but an `AlmanacSchool` is refused."""
    if given is None:
        return DEFAULT
    if not isinstance(given, AlmanacSchool):
        raise unknown_option("school", shown(given), ("AlmanacSchool",))
    return given


def place_and_date(
    date: str | civil_date | datetime, place: Place | str | None, city: str | None, tz: str | tzinfo | None
) -> Birth:
    """The date at midnight with its place, each checked as for a birth."""
    assumed = place is None and city is None and tz is None
    zone = ASSUMED_ZONE if assumed else tz
    found = birth(date, city=city, place=place, tz=zone, hour_unknown=True, school=_CHINESE)
    return found._replace(given=_ASSUMED if assumed else "", calendar="gregorian")


def day_at(
    ordinal: int,
    where: Birth,
    school: AlmanacSchool,
    charts: tuple[Chart, ...] = (),
    question: Question | None = None,
) -> AlmanacDay:
    """The almanac of a day given as ordinal, at a place that has been checked."""
    lunar = lunar_date(civil_date.fromordinal(ordinal), future_utc=school.future_utc)
    return AlmanacDay(where, school, calendar_of(ordinal, where, school), lunar, charts, question)


def _notes(day: AlmanacDay) -> Iterator[Note]:
    """The notes of a day, in the order of `notes.csv`."""
    if day.assumed:
        yield Note("PLACE_ASSUMED", {"tz": day.tz})
    change = day.month_change
    if change:
        before, after = change["before"], change["after"]
        yield Note(
            "MONTH_CHANGES_TODAY",
            {
                "jie": change["jie"], "local": change["local"], "before": before["month_pillar"],
                "after": after["month_pillar"], "before_jianchu": before["jianchu"], "after_jianchu": after["jianchu"],
            },
        )  # fmt: skip
    if day.china:
        here = day.china["here"]
        yield Note(
            "DIFFERS_FROM_CHINA",
            {
                "month_pillar": here["month_pillar"], "jianchu": here["jianchu"],
                "china_month_pillar": day.china["month_pillar"], "china_jianchu": day.china["jianchu"],
            },
        )  # fmt: skip
    for term, seconds in terms_near_midnight(day.calendar, day.school.boundary_window_s):
        yield _near_midnight(term, seconds, day)
    for note in day.lunar.notes:
        if note.event:
            data = {"event": note.event, "at": note.at, "seconds": note.seconds}
            yield Note("LUNAR_NEAR_MIDNIGHT", data)
    if scales.after_leap_list(day.calendar.term.utc_ms):
        yield Note("FUTURE_UTC_POLICY", {"policy": day.school.future_utc})
    found = day.verdict
    if found:
        if day.asked.month.value == "未" and "德合赦愿会" in found.special:
            yield Note(
                "EMENDED_ROW", {"special": "德合赦愿会", "month": "未", "printed": "甲子", "read": "甲午"}
            )
        alone = sorted(
            {row.id for reason in found.why.values() for row in (*reason.yi, *reason.ji) if row.alone}
        )
        if alone:
            yield Note("ONE_WITNESS_ROW", {"rows": alone})
    if day.asked.phase and day.school.phases == "lunar_day" and day.lunar.day != 1:
        yield Note("PHASE_APPROXIMATE", {"lunar_day": day.lunar.day})
    of_medicine = any(line.startswith(MEDICINE) for line in day.day.of_pillar.pengzu)
    if of_medicine or (found and (found.all_forbidden or SEE_A_DOCTOR in (*found.yi, *found.ji))):
        yield DOCTOR


def _near_midnight(term: TermOnClock, seconds: float, day: AlmanacDay) -> Note:
    """The note of a term near midnight: the date on which it falls and the one on the other side, for a 节 with what month
    and 建除 of the day are by either."""
    own = civil_date.fromordinal(term.day)
    other = civil_date.fromordinal(term.day + (-1 if seconds >= 0 else 1))
    data: dict[str, Any] = {
        "term": HANZI[term.name], "local": term.local, "seconds": seconds,
        "day": own.isoformat(), "other_day": other.isoformat(),
    }  # fmt: skip
    if term.name.is_jie:
        calendar = day.calendar
        months = months_about(term, seconds, calendar.ordinal, day.school.month_at)
        branch = calendar.day_pillar.branch.index
        data["reading"], data["other_reading"] = (
            {"month_pillar": HANZI[month], "jianchu": jianchu(month.branch.index, branch)} for month in months
        )
    return Note("TERM_NEAR_MIDNIGHT", data)
