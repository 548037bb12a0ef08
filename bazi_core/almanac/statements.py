"""What can be said of a day of the almanac: the answer to a question, the day, its verdict, what the place changes, the
persons, the hours, and what custom alone says.

A day is told from its facts by the catalogue of all readings; `ToldDay` names what is read of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazi_core.almanac.asked import THE_DAY, UNHEARD, UNKNOWN, WHICH, WITHOUT, AskedOfDay
from bazi_core.almanac.doctrine import ALL_FORBIDDEN as NOTHING
from bazi_core.almanac.doctrine import BOTH, JI_ONLY, UNGRADED, YI_ONLY
from bazi_core.almanac.evidence import hour_name, purpose_facts
from bazi_core.almanac.facts import MEDICINE, WARNED
from bazi_core.almanac.gods import HANZI, gods
from bazi_core.almanac.hours import lucky_hours
from bazi_core.almanac.purposes import (
    ALL_FORBIDDEN,
    CLOSED,
    DOCTOR,
    FAVOURED,
    FORBIDDEN,
    SUBSTITUTED,
    Purpose,
    standing_of,
)
from bazi_core.facts import sha256
from bazi_core.speech.catalogue import Phrase, Sign, Term
from bazi_core.speech.plan import ADVICE, AGAINST, COUNTER, DOUBT, FOR, NEITHER, OPEN, Draft, Plan
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date as civil_date

    from bazi_core.almanac.calendar import DayCalendar
    from bazi_core.almanac.facts import DayFacts
    from bazi_core.almanac.hours import Hour
    from bazi_core.almanac.persons import Person
    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.almanac.xieji import Verdict
    from bazi_core.face import Chart
    from bazi_core.facts import Fact

VERDICT, PLACE, PERSONS, HOURS, FOLK = "verdict", "place", "persons", "hours", "folk"
# So many gods are named as the ground of a verdict.
_GROUNDS = 4
# A name that frightens for nothing is left to the tables.
_DEATH = "死"
_MATCH = {
    "match": "almanac.match.match", "neutral": "almanac.match.neither", "against": "almanac.match.against",
}  # fmt: skip
# How deep a reading goes that has the lists, and the lines of 彭祖百忌.
_LISTS, _LINES = 1.5, 2.5
# What becomes of the other items on a closing day, by its name.
_CLOSES = {"上朔": "forbid", "四离": "forbid", "四绝": "forbid", "分至": "some"}


class ToldDay(Protocol):
    """What is read of a day to tell it."""

    @property
    def date(self) -> civil_date: ...
    @property
    def calendar(self) -> DayCalendar: ...
    @property
    def day(self) -> DayFacts: ...
    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def persons(self) -> tuple[Person, ...]: ...
    @property
    def charts(self) -> tuple[Chart, ...]: ...
    @property
    def hours(self) -> tuple[Hour, ...]: ...
    @property
    def school(self) -> AlmanacSchool: ...
    @property
    def tz(self) -> str: ...
    @property
    def facts(self) -> dict[str, Fact]: ...


class Named(NamedTuple):
    """The facts of one day by short names: `day.jianchu` is `almanac.day.jianchu`, or has the date of one day of many."""

    draft: Draft
    head: str = "almanac."

    def has(self, name: str) -> bool:
        return self.head + name in self.draft.facts

    def value(self, name: str) -> Any:
        return self.draft.facts[self.head + name].value

    def slots(self, name: str) -> Mapping[str, Any]:
        return self.draft.facts[self.head + name].slots

    def add(self, key: str, *evidence: str, **values: Any) -> None:
        """A statement on facts that are given by their short names."""
        self.draft.add(f"almanac.{key}", *(self.head + name for name in evidence), **values)


def words(names: Iterable[str]) -> list[Term]:
    """Names of the almanac as values of a sentence."""
    return [Term(name, "almanac") for name in names]


def word(name: str) -> Term:
    return Term(name, "almanac")


def way(direction: str) -> Phrase:
    """A direction as a value of a sentence."""
    return Phrase(f"almanac.way.{direction}", {})


def on(date: str) -> FactPhrase:
    """A date as a value of a sentence."""
    return FactPhrase("almanac.on", (date,))


def day_plan(told: ToldDay, asked: AskedOfDay | None) -> Plan:
    """The plan of a day: the answer where something is asked, the day and its verdict, then everything else.

    >>> from bazi_core.almanac.day import almanac
    >>> plan = day_plan(almanac("2026-10-03", tz="Asia/Shanghai"), None)
    >>> plan.topics, plan.statements[0].evidence[0]
    (('summary', 'verdict', 'place', 'hours', 'folk'), 'almanac.day.date')
    """
    iso = told.date.isoformat()
    draft = Draft(told.facts, sha256(f"{iso} {told.tz}"))
    day = Named(draft)
    clashes = _answer(day, told, asked) if asked else False
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
        person_told(day, person, clashes)
    if found is None or not found.all_forbidden:
        draft.topic(HOURS)
        born = [chart.pillars.year.branch for chart in told.charts]
        hours_told(day, lucky_hours(told.hours, born))
    draft.topic(FOLK)
    _custom(day, told)
    return draft.plan(Phrase("almanac.title", {"date": on(iso)}))


# ------------------------------------------------------------------------------------------- the answer


def _answer(day: Named, told: ToldDay, asked: AskedOfDay) -> bool:
    """The answer to a question; whether it names the persons with whom the day clashes."""
    if asked.kind in (UNKNOWN, UNHEARD):
        day.add(f"answer.{asked.kind}", kind="transition", weight=1, required=True)
    if asked.kind == WITHOUT:
        day.add("answer.without", kind="transition", weight=1, required=True)
    found = told.verdict
    if asked.kind in (THE_DAY, UNHEARD, UNKNOWN, WITHOUT) or found is None:
        return False
    standings = {wanted: standing_of(found, wanted) for wanted in asked.purposes}
    day.draft.learn(purpose_facts(found, ((each.name, each.items, standings[each]) for each in standings)))
    if asked.kind == WHICH:
        _which(day, standings)
        clashes = False
    else:
        (wanted,) = asked.purposes
        answer_for(day, found, wanted, standings[wanted])
        clashes = standings[wanted] == FAVOURED and any(
            each.excluding or each.warned for each in told.persons
        )
        for person in told.persons if clashes else ():
            _clashes(day, person, weight=1, relation=COUNTER, side=AGAINST)
    if any(DOCTOR in wanted.items for wanted in asked.purposes):
        doctor(day)
    elif asked.wants_dates or FAVOURED not in standings.values():
        day.add("answer.search", kind="advice", relation=ADVICE)
    return clashes


def _which(day: Named, standings: Mapping[Purpose, str]) -> None:
    """The question back: which of these purposes is meant, and how each stands."""
    facts = {each: f"purpose.{each.name}" for each in standings}
    day.add(
        "answer.which",
        *facts.values(),
        weight=1,
        required=True,
        purposes=words(each.name for each in standings),
    )
    for key, those in (
        ("yes", [each for each in standings if standings[each] == FAVOURED]),
        ("no", [each for each in standings if standings[each] in (ALL_FORBIDDEN, CLOSED, FORBIDDEN)]),
        ("silent", [each for each in standings if standings[each] == "SILENT"]),
    ):
        if those:
            day.add(
                f"answer.which.{key}", *(facts[each] for each in those), weight=1, required=True,
                purposes=words(each.name for each in those),
            )  # fmt: skip


def answer_for(day: Named, found: Verdict, wanted: Purpose, standing: str) -> None:
    """What the day is for one purpose, on what ground, and what speaks the other way."""
    own = f"purpose.{wanted.name}"
    common: dict[str, Any] = {"weight": 1, "required": True, "purpose": word(wanted.name)}
    if standing == ALL_FORBIDDEN:
        day.add("answer.nothing", own, "day.policy", **common, side=AGAINST)
    elif standing == CLOSED:
        rules = dict.fromkeys(found.why[item].rule for item in wanted.items if item in found.why)
        closing = [name for name in rules if name in found.restrict]
        facts = [f"closing.{name}" for name in closing]
        day.add("answer.closed", own, *facts, **common, side=AGAINST, closing=words(closing))
    else:
        states = {FAVOURED: found.yi, FORBIDDEN: found.ji}.get(standing, found.silent)
        _settled(day, found, wanted, tuple(item for item in wanted.items if item in states), standing, common)
    if wanted.name in SUBSTITUTED:
        day.add("answer.instead", own, purpose=word(wanted.name), items=words(wanted.items))


def _settled(
    day: Named, found: Verdict, wanted: Purpose, items: tuple[str, ...], standing: str, common: dict[str, Any]
) -> None:
    """A purpose that the rows of the book favour, forbid or leave open."""
    own = f"purpose.{wanted.name}"
    if not items:
        day.add("answer.unsaid", own, **common)
        return
    facts = [own, *(f"item.{item}" for item in items)]
    good = _gods(row.god for item in items for row in found.why[item].yi)
    bad = _gods(row.god for item in items for row in found.why[item].ji)
    rule = found.why[items[0]].rule
    if standing == FAVOURED:
        side, against, grounds, others = FOR, AGAINST, good, bad
        turn = "outweighed.ji" if found.policy == YI_ONLY else ""
    elif standing == FORBIDDEN:
        side, against, grounds, others = AGAINST, FOR, bad, good
        turn = _why_forbidden(rule, found.policy)
    else:
        side, against, grounds, others = NEITHER, NEITHER, [], []
        turn = ""
        key, more = (
            ("both", ["day.policy"]) if good and bad and rule in ("grade", "ungraded") else ("article", [])
        )
        given = {"good": good, "bad": bad} if more else {}
        day.add(f"answer.silent.{key}", *facts, *more, **common, **given)
    if side != NEITHER:
        as_item = {} if items == (wanted.name,) else {"items": words(items)}
        key = f"answer.{standing.lower()}{'.as' if as_item else ''}"
        key = key if grounds else "answer.listed"
        given = {"gods": grounds, **as_item} if grounds else {}
        day.add(key, *facts, **common, **given, side=side)
    if others and turn:
        policy = {"policy": word(found.policy)} if turn.startswith("outweighed") else {}
        day.add(
            f"answer.{turn}", *facts, *(["day.policy"] if policy else []), weight=1, relation=COUNTER, side=against,
            gods=others, **policy,
        )  # fmt: skip


def _why_forbidden(rule: str, policy: str) -> str:
    """Why a prohibition stands though other gods favour the item."""
    if rule == "S":
        return "still"
    if rule == "ungraded":
        return "ungraded"
    return "outweighed.yi" if rule == "grade" and policy == JI_ONLY else ""


def _gods(names: Iterable[str]) -> list[Term]:
    return words([name for name in dict.fromkeys(names) if _DEATH not in name][:_GROUNDS])


def doctor(day: Named, weight: float = 1) -> None:
    """That no day delays a doctor, once."""
    if not day.draft.says("almanac.doctor"):
        day.add("doctor", kind="advice", relation=ADVICE, weight=weight, required=True)


# ---------------------------------------------------------------------------------- the day and its verdict


def _the_day(day: Named) -> None:
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


def lunar_date(day: Named) -> FactPhrase:
    """The lunar date as a value of a sentence."""
    return FactPhrase("almanac.lunar_date", (day.slots("day.lunar_date")["day"],))


def _verdict(day: Named, found: Verdict) -> None:
    """What the book makes of the day as a whole."""
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


def _lists(day: Named, found: Verdict) -> None:
    """What is favoured, what is forbidden, and the word on a doctor where that is among them."""
    if found.policy == NOTHING:
        return
    for name in ("yi", "ji"):
        listed = day.slots(f"day.{name}")["items"]
        if listed:
            day.add(name, f"day.{name}", weight=_LISTS, required=True, items=words(listed))
        if DOCTOR in listed:
            doctor(day, _LISTS)


def _policy(day: Named, found: Verdict, ungraded: str) -> None:
    """Grade and rule of the day in plain words, and the gods from whom all follows."""
    facts = ("day.grade", "day.policy")
    if found.policy in (YI_ONLY, BOTH, JI_ONLY):
        graded = found.grade != "无"
        values = {"policy": word(found.policy)} | ({"grade": word(found.grade)} if graded else {})
        day.add(f"policy.{'graded' if graded else 'forced'}", *facts, **values)
    elif found.policy == UNGRADED:
        day.add(f"policy.ungraded{'.silent' if ungraded == 'silent' else ''}", *facts)
    for kind, key in (("吉", "good"), ("凶", "bad")):
        named = [name for name in found.gods if gods()[name].kind == kind and _DEATH not in name]
        if named:
            day.add(f"gods.{key}", *(f"god.{name}" for name in named), weight=2.5, gods=words(named))
    if "德合赦愿会" in found.special:
        day.add("free", "special.德合赦愿会", special=word("德合赦愿会"))


def _remarks(day: Named, told: ToldDay) -> None:
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


def _place(day: Named, month_at: str) -> None:
    """What the place of the clock makes of the day: the change of the month, the calendar of China, terms near midnight."""
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


def clock_told(day: Named) -> None:
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


def person_told(day: Named, person: Person, clashes: bool = False) -> None:
    """What the day is to a person; `clashes` are told already where the answer named them."""
    own = {"number": person.number, "pillars": person.pillars}
    if not clashes:
        _clashes(day, person)
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


def _clashes(day: Named, person: Person, **given: Any) -> None:
    for code in (*person.excluding, *person.warned):
        day.add(
            f"person.{code}", f"person.{person.number}.{code}", required=True, number=person.number,
            pillars=person.pillars, **given,
        )  # fmt: skip


def hours_told(day: Named, hours: tuple[Hour, ...]) -> None:
    """The hours that are good, with their clock times."""
    if not hours:
        day.add("hours.none", "day.day_pillar")
        return
    day.add("hours", *map(hour_name, hours), hours=listed_hours(hours))


def listed_hours(hours: Iterable[Hour]) -> list[Phrase]:
    """Hours as values of a sentence: 寅时03:00–05:00."""
    return [
        Phrase("almanac.hour", {"hour": Sign(HANZI[each.branch]), "begins": each.begins, "ends": each.ends})
        for each in hours
    ]


def _custom(day: Named, told: ToldDay) -> None:
    """What custom alone says, without weight in the verdict."""
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
