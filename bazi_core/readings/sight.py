"""The question to an object, and the years needed to answer it.

A question names years, or asks when something comes. For a chart these are the years of the current decade and of
the next one, from the year of the question, which is an argument.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.errors import BaziError
from bazi_core.questions.intent import of_owner
from bazi_core.questions.marks import (
    AGE_GAP,
    CAUTIONS,
    MORE,
    NEXT_DECADE,
    OF_STAR,
    OPERATION,
    STOPS_TREATMENT,
    TWO_CHARTS,
    WHERE,
    ZODIAC,
)
from bazi_core.questions.persons import owner_of
from bazi_core.speech.statements.asked import (
    BEYOND,
    BLAME,
    BULLIED,
    CHARACTER,
    CHILDS_NAME,
    DAYS,
    DEBT,
    DECADE,
    FEARED,
    HOME,
    HOW,
    LATELY,
    LEFT_OUT,
    LOST,
    LOTTERY,
    MONTHS,
    NAMED,
    NAMING,
    OF_DEBT,
    OF_MATES,
    OF_PURCHASE,
    OTHER,
    OWN_WAYS,
    PARTNERSHIP,
    PATH,
    PET,
    PRIVATE,
    SCORES,
    SET_ASIDE,
    TAI_SUI,
    TERM,
    TRADE,
    WHEN,
    WHETHER,
    WHY,
    WORRY,
    Asked,
)
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.topic_filter import OF_AGE
from bazi_core.year.rules import OVERALL
from bazi_core.year.span import side_by_side

if TYPE_CHECKING:
    from bazi_core.luck.running import Running
    from bazi_core.luck.years import Age
    from bazi_core.pattern.result import PatternResult
    from bazi_core.questions.intent import Intent
    from bazi_core.questions.question import Question
    from bazi_core.year.result import YearResult
    from bazi_core.year.span import YearsResult

# Whose thoughts and doings one's own chart does not hold.
_OTHERS = ("somebody", "former_partner", "boss", "colleague", "friend")
# Topic with statements of its own -> the domains to which a question about it may be assigned.
_IN_OWN_WAY = {
    PARTNERSHIP: ("career", "wealth", "relationship", "marriage", "parents", "general", "self"),
    TAI_SUI: ("general", "self", "timing"),
    TRADE: ("career", "study", "self", "general", "wealth"),
    TERM: (*SCORES, *BEYOND),
    PATH: ("career", "wealth", "study", "self", "general", "timing"),
    **dict.fromkeys(CHARACTER, ("self", "general")),
    **dict.fromkeys(OF_MATES, ("marriage", "relationship", "self", "general", "career", "wealth")),
}
# A question about having a child is for a doctor; the statements on children are added.
BEGETTING = "begetting"
# Relatives who stand elsewhere in a chart than parents, or nowhere: also where they are named beside the asker.
_KIN_BESIDE = ("parents_in_law", "sibling", "relative", "acquaintance")
# How to deal with them is answered as with parents.
_ELDERS_BESIDE = ("grandparent",)
_OF_KIN = ("parents", "marriage", "relationship", "general", "self")
_PARENTS = ("father", "mother")
# Whom a parent means who asks for a child.
_CHILDREN = ("child", "somebody")
# What a question about an animal may be taken for, and sides of life that are weighed against having a child.
_OF_PETS = ("general", "wealth", "health", "self", "travel_move")
_WITH_CHILDREN = ("career", "study", "wealth", "travel_move")
_OF_MONEY = ("wealth", "career")
_OF_PARTNERS = ("relationship", "marriage", *OF_MATES)
_AT_LAW = ("career", "wealth", "marriage", "relationship")
# Forms of a question for yes or no that ask what to do.
_DEBATED = ("may", "fit")
_OF_LOST = (WHETHER, WHEN, HOW, "which", "describe")
_OF_LUCK = ("wealth", "general", "timing", "direction")
TREATMENT = "treatment"
# The most years examined for one answer, those of a question about the near future, and from an age on.
MOST, SOON, FROM_AGE = 20, 3, 10
# The calendar month from which less than a third of a year is left.
LATE_FROM = 10
# The month from which half of a year, which begins in February, lies before a birthday.
BY_BIRTHDAY = 8


def asked_of(
    question: Question,
    this_year: int = 0,
    about: tuple[str, str] | None = None,
    assumed: bool = False,
    age: Age | None = None,
    given: int = 0,
    born: date | None = None,
) -> Asked:
    """The question as data, relative years counted from `this_year`. `about` are domain and kind as a model understands
    it. Without a known day `this_year` is 0 or `assumed`. `age` is that of the owner in that year: of a child somebody else
    asks. `given` is the year that is read, `born` the day of birth."""
    if question.is_set_aside:
        return Asked(SET_ASIDE)
    case = _Case.of(question, this_year, about, age, given)
    intent, kind = case.intent, case.kind
    for aside in _ASIDES:
        if (found := aside(case)) is not None:
            return found._replace(marks=intent.marks.intersection(CAUTIONS))
    domain = _domain(case)
    also = tuple(
        each for each in intent.others if _is_further(each, domain) and SCORES[each] not in question.left_out
    )
    if _is_doubly(case) and "children" not in also:
        also = (*also, "children")
    ahead = intent.ahead if assumed or not this_year else ()
    near = _near(case, domain)
    if near == LATELY and not this_year:
        ahead = (0,)
    until = _until(intent, born) if kind in (WHETHER, WHEN, WHY, "which") else 0
    years = _years(case, domain, this_year, born, until)
    if until and this_year and kind == WHETHER:
        kind = WHEN
    horizon = _horizon(intent, kind, years, until, near)
    is_of_doctor = _is_begetting(case) or _is_doubly(case)
    why = "medical" if is_of_doctor else case.why if _are_years_compared(case) else ""
    return Asked(
        domain, kind, years, intent.months, horizon, _whose(case, domain), also, ahead, why, mate=intent.mate,
        form=intent.form, matter=intent.matter, extreme=intent.extreme, until=until, asks_when=intent.asks_when,
        asks_whether=intent.asks_whether, beside=intent.subject if intent.subject in _PARENTS else "",
        owner=case.owner, by_month=intent.by_month, paths=intent.paths, trades=intent.trades, terms=intent.terms,
        this_year=0 if assumed else this_year, claims=intent.claims, marks=_marks(case, domain),
    )  # fmt: skip


def _near(case: _Case, domain: str) -> str:
    """How near in time a question looks; what one fears at work is near."""
    intent = case.intent
    is_feared = domain == "career" and case.kind == WHETHER and intent.form == FEARED
    return LATELY if is_feared and intent.horizon == "life" and not intent.by_age else intent.horizon


def _years(case: _Case, domain: str, this_year: int, born: date | None, until: int) -> tuple[int, ...]:
    """The years by which a question is answered: those that it names, or ten from an age on.

    A choice is none between years that are only told of, whoever asks when asks of what is to come, and of a child that a
    doctor is to help with no year is told.
    """
    intent, kind = case.intent, case.kind
    is_past = bool(this_year) and all(year < this_year for year in case.years)
    is_only_told = (kind == "compare" and len(case.years) > 1) or (kind != WHY and is_past)
    is_of_star = OF_STAR in intent.marks and case.own_way in (BEGETTING, TREATMENT) and domain == "children"
    if case.years and not (is_of_star or (until and this_year) or (intent.are_told and is_only_told)):
        return case.years
    if until or not intent.from_age or born is None or not this_year:
        return ()
    first = max(born.year + intent.from_age, this_year + 1)
    return tuple(range(first, first + FROM_AGE))


def _horizon(intent: Intent, kind: str, years: tuple[int, ...], until: int, near: str) -> str:
    """The horizon of an answer: months where work is looked for, the best or the worst years where these are wanted."""
    if intent.matter == "job_search" and kind == WHEN and intent.horizon == "life" and not until:
        return MONTHS
    is_of_years = kind in (WHEN, "which") and intent.horizon != MONTHS
    is_of_decades = intent.horizon == DECADE and not years
    return intent.extreme if is_of_years and intent.extreme and not is_of_decades else near


# What no chart of one person has of partners.
_OF_TWO = frozenset((AGE_GAP, TWO_CHARTS, ZODIAC))


def _marks(case: _Case, domain: str) -> frozenset[str]:
    """What is told besides what is asked of a domain. What is named side by side with it and left out is more that has no
    place in a chart."""
    question, intent = case.question, case.intent
    found = set(intent.marks)
    if domain in BEYOND:
        found.discard(WHERE)
    if domain not in _OF_PARTNERS:
        found -= _OF_TWO
    if question.has_more or any(SCORES[each] in question.left_out for each in intent.others):
        found.add(MORE)
    return frozenset(found)


class _Case(NamedTuple):
    """A question with its domain, kind and years as they are understood, and whether the chart is that of a child."""

    question: Question
    intent: Intent
    domain: str
    kind: str
    years: tuple[int, ...]
    is_child: bool
    owner: str
    is_past: bool

    @classmethod
    def of(
        cls, question: Question, this_year: int, about: tuple[str, str] | None, age: Age | None, given: int
    ) -> _Case:
        """The case of a question."""
        is_child = age is not None and age.nominal < OF_AGE
        given_intent = question.intent
        if is_child:
            owner = "child" if "child" in (given_intent.whose, given_intent.subject) else ""
        else:
            owner = (age and owner_of(question.text, age.full)) or ""
            owner = "" if owner == "child" else owner
        intent = of_owner(question.text, owner or "child") if is_child or owner else given_intent
        if given and intent.is_of_given:
            intent = intent._replace(ahead=(), horizon=intent.horizon if intent.horizon == MONTHS else "life")
        domain, kind = about or (intent.domain, intent.kind)
        years = intent.years_from(this_year) if this_year else intent.years
        if intent.months == (1,):
            # January belongs to the 流年 that began the February before.
            years = tuple(year - 1 for year in years)
        is_past = bool(this_year and years) and max(years) < this_year
        return cls(question, intent, domain, kind, years, is_child, owner, is_past)

    @property
    def own_way(self) -> str:
        """What is told in a way of its own, where it is one's own matter."""
        return self.intent.about if self.intent.whose == "self" else ""

    @property
    def why(self) -> str:
        """The class for which something is left to others."""
        return next(iter(self.referrals), self.question.category)

    @property
    def referrals(self) -> tuple[str, ...]:
        """The classes of what is asked for which somebody else is named; those of what is only told, where that is all."""
        found = self.question.referrals
        return tuple(each for each in found if each not in self.intent.beside) or found

    @property
    def is_of_money(self) -> bool:
        return self.referrals == ("financial",)

    @property
    def is_of_worry(self) -> bool:
        return self.own_way == WORRY and self.kind == HOW

    @property
    def is_of_relatives_body(self) -> bool:
        return self.domain == "health" and self.intent.whose in KIN

    @property
    def is_left_out(self) -> bool:
        """Whether a class of the question leaves out what it asks."""
        question, beside = self.question, self.intent.beside
        if beside and {*question.classes} <= {*beside, "minor", "normal"}:
            return False
        # A child who is named beside one's own matter keeps nothing of it back.
        if question.classes == ("minor",) and not self.is_child and self.intent.whose == "self":
            return False
        return not question.asked or SCORES.get(self.domain) in question.left_out


# --- what is left to others, and what of that is answered all the same --------------------------------------------------


def _is_about_child(case: _Case) -> bool:
    is_of_star = case.own_way == TREATMENT and OF_STAR in case.intent.marks
    return (case.own_way == BEGETTING or is_of_star) and case.question.referrals in ((), ("medical",))


def _is_begetting(case: _Case) -> bool:
    """Having a child is for a doctor; what the chart has of children is added."""
    return _is_about_child(case) and case.domain == "children"


def _is_doubly(case: _Case) -> bool:
    """Having a child is weighed against another side of life."""
    return _is_about_child(case) and case.domain in _WITH_CHILDREN and case.kind == "compare"


def _is_of_home(case: _Case) -> bool:
    """Whether to buy a home is answered, with a word on whose decision it is."""
    return case.intent.matter == HOME and case.kind in OF_PURCHASE and case.is_of_money


def _is_of_debt(case: _Case) -> bool:
    """How and when a debt is cleared is answered."""
    is_asked = case.kind in OF_DEBT or (case.kind == WHETHER and case.intent.form not in _DEBATED)
    return case.intent.matter == DEBT and is_asked and case.is_of_money and case.domain in _OF_MONEY


def _are_years_compared(case: _Case) -> bool:
    """Years are compared by their score of money or work."""
    return case.kind == "compare" and len(case.years) > 1 and case.is_of_money and case.domain in _OF_MONEY


def _is_of_own_work(case: _Case) -> bool:
    """Whether to work for oneself is asked of the chart, whatever shop it is to be."""
    return case.own_way == PATH and case.is_of_money


def _is_of_past(case: _Case) -> bool:
    """What befell somebody is told by the year, and decides nothing about money or law."""
    is_asked = (
        case.is_past and case.kind in (WHY, WHETHER, "describe") and case.domain in (*_AT_LAW, "general")
    )
    return is_asked and {*case.referrals} <= {"financial", "legal"}


_ANSWERED = (
    _is_of_past,
    _is_begetting,
    _is_doubly,
    _is_of_home,
    _is_of_debt,
    _are_years_compared,
    _is_of_own_work,
)


def _pet(case: _Case) -> Asked | None:
    is_of_pet = case.intent.subject == PET and case.domain in _OF_PETS
    return Asked(PET, case.kind, case.years) if is_of_pet and case.question.category != "medical" else None


def _body_of_child(case: _Case) -> Asked | None:
    is_asked = case.question.intent.subject in _CHILDREN and case.domain == "health"
    return Asked(LEFT_OUT, case.kind, case.years, why="minor") if case.is_child and is_asked else None


def _private(case: _Case) -> Asked | None:
    is_of_others = not case.question.asked and not case.question.referrals
    side = "marriage" if case.intent.subject == "spouse" else "relationship"
    return Asked(PRIVATE, case.kind, also=(side,)) if case.is_left_out and is_of_others else None


def _left_to_others(case: _Case) -> Asked | None:
    is_aside = case.is_left_out or case.is_of_relatives_body
    if not is_aside or any(answered(case) for answered in _ANSWERED):
        return None
    is_by_topic = case.own_way == PARTNERSHIP or case.is_of_worry
    whose = case.intent.whose if case.intent.whose in KIN else "self"
    # Beside a law suit one's own side of life is asked about.
    is_beside_law = (
        case.why == "legal" and case.kind == "compare" and whose == "self" and case.domain in _AT_LAW
    )
    return Asked(
        LEFT_OUT, case.kind, case.years, subject=case.own_way if is_by_topic else whose,
        also=(case.domain if case.domain in SCORES else "career",) if is_beside_law else (),
        why="medical" if case.is_of_relatives_body else case.why,
        matter=BEGETTING if case.own_way in (BEGETTING, TREATMENT) else "",
    )  # fmt: skip


def _lottery(case: _Case) -> Asked | None:
    return Asked(LOTTERY, case.kind) if case.intent.matter == LOTTERY and case.domain in _OF_LUCK else None


def _lost(case: _Case) -> Asked | None:
    return Asked(LOST, case.kind) if case.intent.matter == LOST and case.kind in _OF_LOST else None


def _named(case: _Case) -> Asked | None:
    return Asked(NAMED, case.kind) if case.intent.matter == NAMED else None


def _naming(case: _Case) -> Asked | None:
    """A name for a child goes by the chart of the child, one for oneself by one's own useful god."""
    if case.intent.matter != NAMING:
        return None
    is_of_child = not case.is_child and "child" in (case.intent.subject, case.intent.whose)
    return Asked(CHILDS_NAME, case.kind) if is_of_child else Asked("direction", case.kind, matter=NAMING)


# What a day of an operation may be taken for.
_OF_BODY = ("health", "timing", "general", "self", "children")


def _treated(case: _Case) -> Asked | None:
    """When a treatment is to take place is for a doctor, whatever it is called."""
    if case.own_way == TREATMENT and case.domain == "timing":
        return Asked(LEFT_OUT, case.kind, why="medical", matter=BEGETTING)
    is_of_day = case.kind in (WHEN, "which", "compare") and case.intent.horizon in (DAYS, MONTHS)
    marks = case.intent.marks
    is_left = (OPERATION in marks and is_of_day and case.domain in _OF_BODY) or STOPS_TREATMENT in marks
    return Asked(LEFT_OUT, case.kind, why="medical", matter=OPERATION) if is_left else None


def _blamed(case: _Case) -> Asked | None:
    return Asked(BLAME, case.kind) if case.intent.matter == BLAME else None


def _bullied(case: _Case) -> Asked | None:
    is_of_child = case.is_child or "child" in (case.question.intent.subject, case.question.intent.whose)
    return Asked(BULLIED, case.kind) if case.question.intent.matter == BULLIED and is_of_child else None


_ASIDES = (
    _blamed, _named, _naming, _pet, _lottery, _lost, _bullied, _treated, _body_of_child, _private, _left_to_others,
)  # fmt: skip


# --- of what, of whom, until when ---------------------------------------------------------------------------------------


def _domain(case: _Case) -> str:
    """The domain by which a question is answered."""
    if _is_of_debt(case):
        return "wealth"
    is_of_years_at_work = case.own_way == PATH and bool(case.years) and case.kind != "compare"
    if case.domain in _IN_OWN_WAY.get(case.own_way, ()) and not is_of_years_at_work:
        return case.own_way
    return "general" if case.is_of_worry and case.domain == "health" else case.domain


def _whose(case: _Case, domain: str) -> str:
    """Of whom it is asked: oneself, a relative, or somebody who is none."""
    whose, subject = case.intent.whose, case.intent.subject
    if domain in OWN_WAYS:
        return "self"
    if whose == "self" and subject in _OTHERS and not (case.owner and subject == "somebody"):
        return OTHER
    if whose == "self" and domain in _OF_KIN:
        beside_one = _KIN_BESIDE if case.kind == HOW else (*_KIN_BESIDE, *_ELDERS_BESIDE)
        return subject if subject in beside_one else whose
    return whose


def _until(intent: Intent, born: date | None) -> int:
    """The last year in which something is to come, 0 where none is named. The year of a birthday is left out where less
    than half of it comes before the day."""
    if intent.by_year or not intent.by_age or born is None:
        return intent.by_year
    return born.year + intent.by_age - (born.month < BY_BIRTHDAY)


def _is_further(domain: str, first: str) -> bool:
    """Whether a domain has a score of its own, beside the first."""
    return domain in SCORES and SCORES[domain] not in (OVERALL, SCORES.get(first))


def beside(year: YearResult, asked: Asked | None) -> YearsResult | None:
    """The span of the years asked about, with this one if near; None for this one alone, and for years too far apart."""
    years, own = asked.years if asked else (), year.target_year
    if years in ((), (own,)) or max(*years, own) - min(*years, own) >= MOST:
        return None
    return _span(year.pattern, min(years), max(years))


def in_sight(result: PatternResult, asked: Asked | None, running: Running | None) -> YearsResult | None:
    """The years that answer a question to a chart: those it names, or, if it asks when, those in sight."""
    if asked is None or not result.useful.order:
        return None
    if running is not None and asked.is_of_plan:
        soon = running.year + (is_late(running) and asked.horizon != LATELY)
        return _span(result, soon, soon + SOON)
    if running is not None and asked.is_of_late(running.year):
        return _span(result, running.year, running.year + SOON)
    if asked.years:
        return _span(result, min(asked.years), max(asked.years))
    if running is None or asked.is_of_days:
        return None
    if asked.is_of_side_in_decade:
        return _of_decade(result, asked, running)
    if asked.horizon == MONTHS and asked.is_timed:
        return _span(result, running.year, running.year + 1)
    # Of a year that is nearly over nobody asks when something comes.
    first = running.year + is_late(running)
    if asked.until:
        return _span(result, first, min(asked.until, first + MOST - 1)) if asked.until > first else None
    if (
        asked.kind == WHEN
        or (asked.asks_when and asked.kind == WHETHER)
        or (asked.why == "financial" and asked.is_timed and asked.kind != "compare")
        or (asked.domain == "timing" and asked.is_timed)
    ):
        return _span(result, first, min(_end_of_sight(result, running), first + MOST - 1))
    return None


def _of_decade(result: PatternResult, asked: Asked, running: Running) -> YearsResult | None:
    """The years of the decade that runs, as far as they are to come, or of the one after it."""
    luck = result.chart.luck
    at = (running.cycle.index if running.cycle else 0) + (NEXT_DECADE in asked.marks)
    cycle = next(iter(luck.cycles[at : at + 1]), None) if luck else None
    if cycle is None or cycle.start_year is None or cycle.end_year is None:
        return None
    first = max(cycle.start_year, running.year + is_late(running))
    return _span(result, first, cycle.end_year) if first < cycle.end_year else None


def is_late(running: Running) -> bool:
    """Whether less than a third is left of the year that runs, which begins in February."""
    return running.on >= date(running.year, LATE_FROM, 1)


def _end_of_sight(result: PatternResult, running: Running) -> int:
    """The last year of the next decade; ten years from now if its dates are unknown."""
    luck = result.chart.luck
    at = running.cycle.index + 1 if running.cycle else 0
    ends = [cycle.end_year for cycle in luck.cycles[at : at + 1] if cycle.end_year] if luck else []
    return max(ends[0] if ends else 0, running.year + MOST // 2 - 1)


def _span(result: PatternResult, first: int, last: int) -> YearsResult | None:
    """Years side by side; None if impossible: before the birth, of a chart without dates, or too many."""
    if last - first >= MOST:
        return None
    with suppress(BaziError):
        return side_by_side(result, first, last)
    return None
