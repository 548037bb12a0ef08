"""The statements of a day of the almanac: the answer to a question, the day, its verdict, what the place changes, the
persons, the hours, and what custom alone says.

A day is told from its facts by the catalogue of all readings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.almanac.answer import answer, clashes_told
from bazi_core.almanac.day_draft import (
    DEATH,
    DayDraft,
    ToldDay,
    doctor,
    listed_hours,
    lunar_date,
    on,
    way,
    word,
    words,
)
from bazi_core.almanac.doctrine import ALL_FORBIDDEN as NOTHING
from bazi_core.almanac.doctrine import BOTH, JI_ONLY, UNGRADED, YI_ONLY
from bazi_core.almanac.evidence import hour_name
from bazi_core.almanac.facts import MEDICINE, WARNED
from bazi_core.almanac.gods import gods
from bazi_core.almanac.hours import Hour, lucky_hours
from bazi_core.almanac.purposes import DOCTOR
from bazi_core.facts import sha256
from bazi_core.speech.catalogue import Phrase, Sign, Term
from bazi_core.speech.plan import DOUBT, OPEN, Draft, Plan
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from bazi_core.almanac.asked import AskedOfDay
    from bazi_core.almanac.persons import Person
    from bazi_core.almanac.xieji import Verdict

VERDICT, PLACE, PERSONS, HOURS, FOLK = "verdict", "place", "persons", "hours", "folk"
_MATCH = {
    "match": "almanac.match.match", "neutral": "almanac.match.neither", "against": "almanac.match.against",
}  # fmt: skip
# How deep a reading goes that has the lists, and the lines of 彭祖百忌.
_LISTS, _LINES = 1.5, 2.5
# What becomes of the other items on a closing day, by its name.
_CLOSES = {"上朔": "forbid", "四离": "forbid", "四绝": "forbid", "分至": "some"}


def day_plan(told: ToldDay, asked: AskedOfDay | None) -> Plan:
    """The plan of a day: the answer where something is asked, the day and its verdict, then everything else."""
    iso = told.date.isoformat()
    draft = Draft(told.facts, sha256(f"{iso} {told.tz}"))
    day = DayDraft(draft)
    clashes = answer(day, told, asked) if asked else False
    _the_day(day)
    found = told.verdict
    if found is None:
        day.add("verdict.none", "day.day_pillar", required=True)
    else:
        _verdict(day, found)
        draft.topic(VERDICT)
        _lists(day, found)
        _policy(day, found, told.school.ungraded)
    draft.topic(VERDICT)
    _remarks(day, told)
    draft.topic(PLACE)
    _place(day, told.school.month_at)
    draft.topic(PERSONS)
    for person in told.persons:
        _person(day, person, clashes)
    if found is None or not found.all_forbidden:
        draft.topic(HOURS)
        born = [chart.pillars.year.branch for chart in told.charts]
        _hours(day, lucky_hours(told.hours, born))
    draft.topic(FOLK)
    _custom(day, told)
    return draft.plan(Phrase("almanac.title", {"date": on(iso)}))


# ---------------------------------------------------------------------------------- the day and its verdict


def _the_day(day: DayDraft) -> None:
    """The date in both calendars, pillars, term, officer, spirit and path."""
    date, term = day.slots("day.date"), day.slots("day.term_day")
    pillars = {name: Sign(day.value(f"day.{name}_pillar")) for name in ("year", "month", "day")}
    day.add(
        "day", "day.date", "day.lunar_date", "day.year_pillar", "day.month_pillar", "day.day_pillar", weight=1,
        required=True, kind="fact", date=FactPhrase("almanac.date", tuple(date.values())),
        lunar=lunar_date(day), **pillars,
    )  # fmt: skip
    day.add(
        f"officer.{'lucky' if day.value('day.huangdao') == '黄道' else 'unlucky'}", "day.term_day", "day.jianchu",
        "day.tianshen", "day.huangdao", weight=1, kind="fact", term=Term(term["term"], "solar_term"), count=term["count"],
        officer=word(day.value("day.jianchu")), spirit=word(day.value("day.tianshen")),
        path=word(day.value("day.huangdao")),
    )  # fmt: skip


def _verdict(day: DayDraft, found: Verdict) -> None:
    """The judgement of the book on the day as a whole."""
    if found.policy == NOTHING and found.special:
        facts = [f"special.{name}" for name in found.special]
        day.add(
            "verdict.nothing.special",
            "day.policy",
            *facts,
            weight=1,
            required=True,
            special=words(found.special),
        )
        doctor(day)
        return
    if found.policy == NOTHING:
        day.add(
            "verdict.nothing", "day.policy", "day.grade", weight=1, required=True, grade=word(found.grade)
        )
        doctor(day)
        return
    yi, ji = day.value("day.yi"), day.value("day.ji")
    key = "count.yi" if yi and not ji else "count.ji" if ji and not yi else "count"
    counts = {name: count for name, count in (("yi", yi), ("ji", ji)) if count or key == "count"}
    day.add(f"verdict.{key}", "day.yi", "day.ji", weight=1, required=True, **counts)
    for name in () if day.draft.says("almanac.answer.closed") else found.restrict:
        closes = _CLOSES.get(name, "silent")
        day.add(f"closing.{closes}", f"closing.{name}", weight=1, required=True, closing=word(name))


def _lists(day: DayDraft, found: Verdict) -> None:
    """The items favoured, those forbidden, and the word on a doctor where that is among them."""
    if found.policy == NOTHING:
        return
    for name in ("yi", "ji"):
        listed = day.slots(f"day.{name}")["items"]
        if listed:
            day.add(name, f"day.{name}", weight=_LISTS, required=True, items=words(listed))
        if DOCTOR in listed:
            doctor(day, _LISTS)


def _policy(day: DayDraft, found: Verdict, ungraded: str) -> None:
    """Grade and rule of the day in plain words, and the gods from whom all follows."""
    facts = ("day.grade", "day.policy")
    if found.policy in (YI_ONLY, BOTH, JI_ONLY):
        graded = found.grade != "无"
        values = {"policy": word(found.policy)} | ({"grade": word(found.grade)} if graded else {})
        day.add(f"policy.{'graded' if graded else 'forced'}", *facts, **values)
    elif found.policy == UNGRADED:
        day.add(f"policy.ungraded{'.silent' if ungraded == 'silent' else ''}", *facts)
    for kind, key in (("吉", "good"), ("凶", "bad")):
        named = [name for name in found.gods if gods()[name].kind == kind and DEATH not in name]
        if named:
            day.add(f"gods.{key}", *(f"god.{name}" for name in named), weight=2.5, gods=words(named))
    if "德合赦愿会" in found.special:
        day.add("free", "special.德合赦愿会", special=word("德合赦愿会"))


def _remarks(day: DayDraft, told: ToldDay) -> None:
    """Marks of the calendar, the clash of the day, and rows that stand in one place only."""
    named = (*told.verdict.restrict, *told.verdict.gods) if told.verdict else ()
    marks = [name for name in told.day.marks if name not in named]
    if marks:
        day.add("marks", *(f"mark.{name}" for name in marks), kind="fact", marks=words(marks))
    own = told.day.of_pillar
    day.add(
        "clash", "day.clash", "day.clash_zodiac", "day.sha", weight=2, kind="fact", pillar=Sign(own.clash_pillar),
        zodiac=word(own.clash_zodiac), sha=way(own.sha),
    )  # fmt: skip
    if day.has("note.EMENDED_ROW") and day.has("special.德合赦愿会"):
        note = day.value("note.EMENDED_ROW")
        day.add(
            "emended",
            "note.EMENDED_ROW",
            relation=DOUBT,
            printed=Sign(note["printed"]),
            read=Sign(note["read"]),
        )
    if day.has("note.ONE_WITNESS_ROW"):
        count = day.value("note.ONE_WITNESS_ROW")["count"]
        day.add(
            f"one_witness{'' if count > 1 else '.single'}",
            "note.ONE_WITNESS_ROW",
            weight=3,
            relation=DOUBT,
            count=count,
        )
    if day.has("note.PHASE_APPROXIMATE"):
        day.add("phase", "note.PHASE_APPROXIMATE", weight=2.5, relation=DOUBT)


# ----------------------------------------------------------------------------------------------- the place


def _place(day: DayDraft, month_at: str) -> None:
    """The effects of the place of the clock: the change of the month, the calendar of China, terms near midnight."""
    clock_told(day)
    if day.has("day.month_change"):
        at = day.slots("day.month_change")
        key = f"month_change{'.instant' if month_at == 'instant' else ''}"
        day.add(
            key, "day.month_change", "day.month_pillar", weight=1.5, required=True, kind="fact",
            jie=Term(at["jie"], "solar_term"), at=FactPhrase("almanac.at", (at["at"],)), before=Sign(at["before"]),
            after=Sign(at["after"]), was=word(at["was"]), officer=word(at["is"]), month=Sign(day.value("day.month_pillar")),
        )  # fmt: skip
    if day.has("day.china"):
        at = day.slots("day.china")
        day.add(
            "china", "day.china", "day.place", weight=1.5, required=True, kind="fact",
            month=Sign(at["month"]), officer=word(at["officer"]), there=Sign(at["there"]), other=word(at["other"]),
        )  # fmt: skip
    for name in ("note.TERM_NEAR_MIDNIGHT", "note.TERM_NEAR_MIDNIGHT.2"):
        if day.has(name):
            note = day.value(name)
            day.add(
                "near_midnight", name, weight=1.5, required=True, relation=DOUBT, certainty=OPEN,
                term=Term(note["term"], "solar_term"), at=FactPhrase("almanac.at", (note["local"],)),
                day=on(note["day"]), other=on(note["other_day"]),
            )  # fmt: skip
    if day.has("note.LUNAR_NEAR_MIDNIGHT"):
        day.add("lunar_near_midnight", "note.LUNAR_NEAR_MIDNIGHT", relation=DOUBT, certainty=OPEN)
    if day.has("note.FUTURE_UTC_POLICY"):
        day.add("future", "note.FUTURE_UTC_POLICY", weight=3, relation=DOUBT)


def clock_told(day: DayDraft) -> None:
    """By which clock the date and every time are told."""
    zone, names = day.value("day.place"), day.slots("day.place")["name"]
    if day.has("note.PLACE_ASSUMED"):
        day.add("place.assumed", "note.PLACE_ASSUMED", "day.place", relation=DOUBT, required=True, zone=zone)
    elif zone in names:
        day.add("clock.zone", "day.place", weight=_LISTS, required=True, kind="fact", zone=zone)
    else:
        place = FactPhrase("almanac.place", (names, zone))
        day.add("clock", "day.place", weight=_LISTS, required=True, kind="fact", place=place)


# ------------------------------------------------------------------------- persons, hours and custom


def _person(day: DayDraft, person: Person, clashes: bool = False) -> None:
    """The day beside a person; `clashes` are told already where the answer named them."""
    own = {"number": person.number, "pillars": person.pillars}
    if not clashes:
        clashes_told(day, person)
    for code in person.told:
        day.add(f"person.{code}", f"person.{person.number}.{code}", **own)
    if not person.reasons:
        day.add("person.free", f"person.{person.number}", "day.day_pillar", **own)
    useful, useful_of = person.useful_gods, day.slots(f"person.{person.number}.useful")
    day.add(
        "person.useful", f"person.{person.number}.useful", "day.day_pillar", **own,
        stem=Sign(useful_of["day_stem"]), branch=Sign(useful_of["day_branch"]),
        of_stem=Phrase(_MATCH[useful.stem], {}), of_branch=Phrase(_MATCH[useful.branch], {}),
    )  # fmt: skip


def _hours(day: DayDraft, hours: tuple[Hour, ...]) -> None:
    """The hours that are good, with their clock times."""
    if not hours:
        day.add("hours.none", "day.day_pillar")
        return
    day.add("hours", *map(hour_name, hours), hours=listed_hours(hours))


def _custom(day: DayDraft, told: ToldDay) -> None:
    """The sayings of custom alone, without weight in the verdict."""
    if told.day.folk:
        day.add("folk", *(f"mark.{name}" for name in told.day.folk), marks=words(told.day.folk))
    own = told.day.of_pillar
    lines = [line[:WARNED] for line in own.pengzu]
    day.add("pengzu", "day.pengzu", weight=_LINES, lines=words(lines))
    if MEDICINE in lines:
        doctor(day, _LINES)
    day.add(
        "directions", "day.xishen", "day.fushen", weight=2.5, kind="fact", joy=way(own.directions["xishen"]),
        fortune=way(own.directions["fushen"]),
    )  # fmt: skip
