"""The answer to what is asked of a day: how the purpose stands, on what ground, and what speaks the other way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.almanac.asked import THE_DAY, UNHEARD, UNKNOWN, WHICH, WITHOUT, AskedOfDay
from bazi_core.almanac.day_draft import DEATH, DayDraft, ToldDay, doctor, word, words
from bazi_core.almanac.doctrine import JI_ONLY, YI_ONLY
from bazi_core.almanac.evidence import purpose_facts
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
from bazi_core.speech.plan import ADVICE, AGAINST, COUNTER, FOR, NEITHER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bazi_core.almanac.persons import Person
    from bazi_core.almanac.xieji import Verdict
    from bazi_core.speech.catalogue import Term

# So many gods are named as the ground of a verdict.
_GROUNDS = 4


def answer(day: DayDraft, told: ToldDay, asked: AskedOfDay) -> bool:
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
        _answer_for(day, found, wanted, standings[wanted])
        clashes = standings[wanted] == FAVOURED and any(
            each.excluding or each.warned for each in told.persons
        )
        for person in told.persons if clashes else ():
            clashes_told(day, person, weight=1, relation=COUNTER, side=AGAINST)
    if any(DOCTOR in wanted.items for wanted in asked.purposes):
        doctor(day)
    elif asked.wants_dates or FAVOURED not in standings.values():
        day.add("answer.search", kind="advice", relation=ADVICE)
    return clashes


def _which(day: DayDraft, standings: Mapping[Purpose, str]) -> None:
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


def _answer_for(day: DayDraft, found: Verdict, wanted: Purpose, standing: str) -> None:
    """The standing of one purpose, its ground, and the gods that speak the other way."""
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
    day: DayDraft,
    found: Verdict,
    wanted: Purpose,
    items: tuple[str, ...],
    standing: str,
    common: dict[str, Any],
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
    return words([name for name in dict.fromkeys(names) if DEATH not in name][:_GROUNDS])


def clashes_told(day: DayDraft, person: Person, **given: Any) -> None:
    for code in (*person.excluding, *person.warned):
        day.add(
            f"person.{code}", f"person.{person.number}.{code}", required=True, number=person.number,
            pillars=person.pillars, **given,
        )  # fmt: skip
