"""What the scores of a year say of a side of life: yes or no, the verdict, its grounds, and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.questions.marks import COMPLAINS
from bazi_core.speech.catalogue import Phrase
from bazi_core.speech.plan import (
    AGAINST,
    CLAIM,
    DOUBT,
    FOR,
    GROUND,
    LEANING,
    NEITHER,
    OPEN,
    SETTLED,
)
from bazi_core.speech.statements.accounts import is_hard_luck, is_spared, moves, told_rows
from bazi_core.speech.statements.asked import (
    BAD,
    FEARED,
    GOOD,
    MIXED,
    OTHER,
    OWN_WAYS,
    SCORES,
    SIDES,
    STAY_OR_GO,
    WHETHER,
    WHY,
    form_of,
    named,
    verdict,
)
from bazi_core.speech.statements.kin import KIN, who
from bazi_core.speech.statements.timing import count
from bazi_core.speech.topic_filter import EARLY, OF_AGE, PARTNERS, life_ages
from bazi_core.year.rules import OVERALL, graded

if TYPE_CHECKING:
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.accounts import Move
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult

# Grounds of a verdict that are told.
GROUNDS = 2


def whether(draft: Draft, year: YearResult, asked: Asked, domain: str) -> bool:
    """Yes or no, plainly or rather, to a question that asks for it, by the score of its side of life; whether it was said.

    Of a year as a whole it is said whether it is a good one. Where two readings of an open strength are contrary, that is
    open. Of the body and of having children no year says yes or no, nor of a side of life that has not begun.
    """
    ages = life_ages().get(domain)
    is_early = ages is not None and ages.outside(year.age.nominal) == EARLY
    is_asked = asked.kind == WHETHER or asked.asks_whether or asked.is_of_plan
    is_asked = is_asked and asked.matter != STAY_OR_GO
    if not is_asked or asked.domain in NO_VERDICT or asked.subject not in ("self", OTHER) or is_early:
        return False
    number, score = year.target_year, year.scores.of(domain)
    ids = [f"yr.{number}.score.{domain}"]
    is_contrary = False
    for other in year.alternatives:
        ids.append(f"alt.yr.{number}.{domain}")
        if {verdict(score), verdict(other.scores.of(domain))} == {GOOD, BAD}:
            is_contrary = True
    form, matter = form_of(asked, domain)
    degree = graded("whether", score)
    if is_contrary:
        degree = "either" if form in ("whole", BAD) else "open"
    draft.add(
        f"answer.whether.{form}.{degree}", *ids, weight=1, required=True, certainty=LEANING,
        side=NEITHER if degree in ("open", "either") else SIDES[verdict(score)], year=number, matter=matter,
    )  # fmt: skip
    return True


# What no score answers with yes or no.
NO_VERDICT = ("health", "children", "self", *OWN_WAYS)


STAYS = tuple(f"answer.stay.{each}" for each in (GOOD, MIXED, BAD))


def stay_or_go(draft: Draft, year: YearResult, asked: Asked, domain: str) -> None:
    """To which side a year leans where it is asked whether to stay or to go: a good one is for going."""
    # Nobody is told to leave a partner.
    if asked.matter == STAY_OR_GO and asked.subject not in KIN and domain != PARTNERS:
        told = verdict(year.scores.of(domain))
        draft.add(
            f"answer.stay.{told}", f"yr.{year.target_year}.score.{domain}", weight=1, required=True, certainty=LEANING,
            side=SIDES[told], year=year.target_year,
        )  # fmt: skip


# How a score is told -> domain -> in which words of its own.
_SCORED_AS = {
    "year": {OVERALL: "year.whole", "health_balance": "year.health"},
    "also": {OVERALL: "also.whole"},
}


def scored(draft: Draft, year: YearResult, asked: Asked, domain: str, of: str, turned: str = "") -> None:
    """The score of a side of life: first of all (`year`), behind a yes or no (`score`) or another answer (`also`), of a
    relative (`year.kin`)."""
    number, score = year.target_year, year.scores.of(domain)
    told = verdict(score)
    draft.add(
        f"answer.{_SCORED_AS.get(of, {}).get(domain, of)}.{told}{turned}", f"yr.{number}.score.{domain}", weight=1,
        required=True, certainty=LEANING, side=SIDES[told], year=number, domain=named(domain),
        score=count("points", score), who=who(asked.subject),
    )  # fmt: skip


def second(draft: Draft, year: YearResult, domain: str) -> None:
    """The verdict on a further side of life that the question names, without its grounds."""
    score = SCORES[domain]
    if score == PARTNERS and year.age.nominal < OF_AGE:
        return
    told = verdict(year.scores.of(score))
    draft.add(
        f"answer.second.{told}", f"yr.{year.target_year}.score.{score}", weight=1, required=True, certainty=LEANING,
        year=year.target_year, domain=named(score),
    )  # fmt: skip


def grounds(
    draft: Draft, year: YearResult, domain: str, told: str, sides: int, are_asked: bool = False
) -> None:
    """Two grounds of the verdict, and of two sides the weightiest that stands against it; grounds that are asked for are
    told at any length."""
    found = _weighed(draft, year, domain)
    plus = [each for each in found if each.points > 0]
    minus = [each for each in found if each.points < 0]
    # Of a mixed verdict that comes first which is most of its own.
    is_down = told == BAD or (told == MIXED and bool(found) and found[0].points < 0)
    weighty, lighter = (minus, plus) if is_down else (plus, minus)
    keys = ("answer.cost", "answer.help") if is_down else ("answer.help", "answer.cost")
    # An event of what is asked about is never kept back.
    sides = 2 if domain != OVERALL and lighter and lighter[0].is_event else sides
    both = ((keys[0], weighty, GROUNDS, GROUND), (keys[1], lighter, 1, CLAIM))
    for key, rows, most, relation in both[:sides]:
        clauses, ids = told_rows(year, rows[:most])
        if clauses.members:
            side = FOR if key == "answer.help" else AGAINST
            is_required = are_asked and key == keys[0]
            draft.add(
                key,
                *ids,
                weight=1,
                kind="fact",
                relation=relation,
                side=side,
                required=is_required,
                rows=clauses,
            )


def _weighed(draft: Draft, year: YearResult, domain: str) -> list[Move]:
    """What moves a score, the heaviest first; of one side of life first what is its own, an event of its palace before its
    star, since roles move every side alike."""
    found = [move for move in moves(year, domain) if not is_spared(year, move, draft.left_out)]
    if domain == OVERALL:
        return found
    return sorted(found, key=lambda each: (not each.is_event, not each.is_own))


def sure(draft: Draft, year: YearResult, domain: str) -> None:
    """How sure the answer is, by how many methods of strength agree; where that is open, what the other reading says."""
    strength = year.pattern.strength
    if strength is None or year.pattern.special is not None:
        return
    certainty = strength.certainty
    # What all methods agree on is said where the strength is told.
    if certainty == SETTLED or (year.pattern.pillars.hour is None and certainty != OPEN):
        return
    if certainty == OPEN:
        own = verdict(year.scores.of(domain))
        for other in year.alternatives:
            told = verdict(other.scores.of(domain))
            reads: dict[str, Any] = {} if told == own else {"sense": Phrase(f"reads.{told}", {})}
            draft.add(
                f"answer.sure.open{'' if reads else '.same'}", "str.certainty", f"alt.yr.{year.target_year}.{domain}",
                f"yr.{year.target_year}.score.{domain}", weight=1, relation=DOUBT, certainty=OPEN, required=True,
                year=year.target_year, domain=named(domain), **reads,
            )  # fmt: skip
        return
    draft.add(
        f"answer.sure.{certainty}", "str.certainty", weight=1, relation=DOUBT, certainty=LEANING,
    )  # fmt: skip


def is_over(year: YearResult, asked: Asked) -> bool:
    return year.target_year < asked.this_year


def unseen(draft: Draft, year: YearResult, asked: Asked) -> None:
    """That the chart shows nothing hard in a year, where one asks of its hardship; a hard decade is told as a ground."""
    if is_hard_luck(year):
        return
    over = is_over(year, asked)
    if asked.kind == WHY or COMPLAINS in asked.marks or (over and asked.form in (FEARED, BAD)):
        draft.add(f"answer.{'past' if over else 'year'}.unseen", weight=1, kind="transition", required=over)
