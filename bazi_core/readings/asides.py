"""What of a question is left to others or has no place in a chart, and what of that is answered all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.questions.intent import of_owner
from bazi_core.questions.marks import (
    OF_STAR,
    OPERATION,
    STOPS_TREATMENT,
)
from bazi_core.questions.persons import owner_of
from bazi_core.speech.statements.asked import (
    BLAME,
    BULLIED,
    CHILDS_NAME,
    DAYS,
    DEBT,
    HOME,
    HOW,
    LEFT_OUT,
    LOST,
    LOTTERY,
    MONTHS,
    NAMED,
    NAMING,
    OF_DEBT,
    OF_PURCHASE,
    PARTNERSHIP,
    PATH,
    PET,
    PRIVATE,
    SCORES,
    WHEN,
    WHETHER,
    WHY,
    WORRY,
    Asked,
)
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.topic_filter import OF_AGE

if TYPE_CHECKING:
    from bazi_core.luck.years import Age
    from bazi_core.questions.intent import Intent
    from bazi_core.questions.question import Question

# A question about having a child is for a doctor; the statements on children are added.
BEGETTING = "begetting"
# Whom a parent means who asks for a child.
_CHILDREN = ("child", "somebody")
# What a question about an animal may be taken for, and sides of life that are weighed against having a child.
_OF_PETS = ("general", "wealth", "health", "self", "travel_move")
_WITH_CHILDREN = ("career", "study", "wealth", "travel_move")
_OF_MONEY = ("wealth", "career")
_AT_LAW = ("career", "wealth", "marriage", "relationship")
# Forms of a question for yes or no that ask what to do.
_DEBATED = ("may", "fit")
_OF_LOST = (WHETHER, WHEN, HOW, "which", "describe")
_OF_LUCK = ("wealth", "general", "timing", "direction")
TREATMENT = "treatment"
# What a day of an operation may be taken for.
_OF_BODY = ("health", "timing", "general", "self", "children")


class Case(NamedTuple):
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
    ) -> Case:
        """The case of a question."""
        is_child = age is not None and age.nominal < OF_AGE
        given_intent = question.intent
        if is_child:
            owner = "child" if "child" in (given_intent.whose, given_intent.subject) else ""
        else:
            owner = (age and owner_of(question.whole or question.text, age.full)) or ""
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


def _is_about_child(case: Case) -> bool:
    is_of_star = case.own_way == TREATMENT and OF_STAR in case.intent.marks
    return (case.own_way == BEGETTING or is_of_star) and case.question.referrals in ((), ("medical",))


def is_begetting(case: Case) -> bool:
    """Having a child is for a doctor; what the chart has of children is added."""
    return _is_about_child(case) and case.domain == "children"


def is_doubly(case: Case) -> bool:
    """Having a child is weighed against another side of life."""
    return _is_about_child(case) and case.domain in _WITH_CHILDREN and case.kind == "compare"


def _is_of_home(case: Case) -> bool:
    """Whether to buy a home is answered, with a word on whose decision it is."""
    return case.intent.matter == HOME and case.kind in OF_PURCHASE and case.is_of_money


def is_of_debt(case: Case) -> bool:
    """How and when a debt is cleared is answered."""
    is_asked = case.kind in OF_DEBT or (case.kind == WHETHER and case.intent.form not in _DEBATED)
    return case.intent.matter == DEBT and is_asked and case.is_of_money and case.domain in _OF_MONEY


def are_years_compared(case: Case) -> bool:
    """Years are compared by their score of money or work."""
    return case.kind == "compare" and len(case.years) > 1 and case.is_of_money and case.domain in _OF_MONEY


def _is_of_own_work(case: Case) -> bool:
    """Whether to work for oneself is asked of the chart, whatever shop it is to be."""
    return case.own_way == PATH and case.is_of_money


def _is_of_past(case: Case) -> bool:
    """What befell somebody is told by the year, and decides nothing about money or law."""
    is_asked = (
        case.is_past and case.kind in (WHY, WHETHER, "describe") and case.domain in (*_AT_LAW, "general")
    )
    return is_asked and {*case.referrals} <= {"financial", "legal"}


_ANSWERED = (
    _is_of_past,
    is_begetting,
    is_doubly,
    _is_of_home,
    is_of_debt,
    are_years_compared,
    _is_of_own_work,
)


def _pet(case: Case) -> Asked | None:
    is_of_pet = case.intent.subject == PET and case.domain in _OF_PETS
    return Asked(PET, case.kind, case.years) if is_of_pet and case.question.category != "medical" else None


def _body_of_child(case: Case) -> Asked | None:
    is_asked = case.question.intent.subject in _CHILDREN and case.domain == "health"
    return Asked(LEFT_OUT, case.kind, case.years, why="minor") if case.is_child and is_asked else None


def _private(case: Case) -> Asked | None:
    is_of_others = not case.question.asked and not case.question.referrals
    side = "marriage" if case.intent.subject == "spouse" else "relationship"
    return Asked(PRIVATE, case.kind, also=(side,)) if case.is_left_out and is_of_others else None


def _left_to_others(case: Case) -> Asked | None:
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
        matter=BEGETTING
        if case.own_way in (BEGETTING, TREATMENT)
        else OPERATION * (OPERATION in case.intent.marks),
    )  # fmt: skip


def _lottery(case: Case) -> Asked | None:
    return Asked(LOTTERY, case.kind) if case.intent.matter == LOTTERY and case.domain in _OF_LUCK else None


def _lost(case: Case) -> Asked | None:
    return Asked(LOST, case.kind) if case.intent.matter == LOST and case.kind in _OF_LOST else None


def _named(case: Case) -> Asked | None:
    return Asked(NAMED, case.kind) if case.intent.matter == NAMED else None


def _naming(case: Case) -> Asked | None:
    """A name for a child goes by the chart of the child, one for oneself by one's own useful god."""
    if case.intent.matter != NAMING:
        return None
    is_of_child = not case.is_child and "child" in (case.intent.subject, case.intent.whose)
    return Asked(CHILDS_NAME, case.kind) if is_of_child else Asked("direction", case.kind, matter=NAMING)


def _treated(case: Case) -> Asked | None:
    """When a treatment is to take place is for a doctor, whatever it is called."""
    if case.own_way == TREATMENT and case.domain == "timing":
        return Asked(LEFT_OUT, case.kind, why="medical", matter=BEGETTING)
    is_of_day = case.kind in (WHEN, "which", "compare") and case.intent.horizon in (DAYS, MONTHS)
    marks = case.intent.marks
    is_left = (OPERATION in marks and is_of_day and case.domain in _OF_BODY) or STOPS_TREATMENT in marks
    return Asked(LEFT_OUT, case.kind, why="medical", matter=OPERATION) if is_left else None


def _blamed(case: Case) -> Asked | None:
    return Asked(BLAME, case.kind) if case.intent.matter == BLAME else None


def _bullied(case: Case) -> Asked | None:
    is_of_child = case.is_child or "child" in (case.question.intent.subject, case.question.intent.whose)
    return Asked(BULLIED, case.kind) if case.question.intent.matter == BULLIED and is_of_child else None


ASIDES = (
    _blamed, _named, _naming, _pet, _lottery, _lost, _bullied, _treated, _body_of_child, _private, _left_to_others,
)  # fmt: skip
