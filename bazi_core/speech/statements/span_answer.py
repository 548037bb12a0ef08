"""Years side by side as the answer to a question: which comes first, by how much, why, and how sure that is.

What ranks them is the score of the side of life that is asked about; a reason that they share tells nothing and is not
told. The year in which a thing happens is no part of a chart, and that is said where it is asked for.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bazi_core.questions.marks import COMPLAINS
from bazi_core.speech.catalogue import Phrase
from bazi_core.speech.plan import AGAINST, CLAIM, DOUBT, FOR, GROUND, LEANING, OPEN, SETTLED
from bazi_core.speech.statements.accounts import is_spared, moves, told_rows
from bazi_core.speech.statements.asked import (
    BAD,
    GOOD,
    HIGH,
    SCORES,
    SIDES,
    WHY,
    WORST,
    beyond_reach,
    named,
    verdict,
)
from bazi_core.speech.statements.kin import RELATIVES_OF, star_for
from bazi_core.speech.statements.months import ahead, easiest
from bazi_core.speech.statements.timing import count
from bazi_core.speech.statements.why_and_how import why
from bazi_core.speech.topic_filter import OF_AGE, PARTNERS
from bazi_core.year.dates import reading_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.comparison import Compared, Comparison
    from bazi_core.year.span import YearsResult

# A year so far ahead is not near: what comes before it is told first.
LATER, SOON = 3, 5
# Two years whose scores lie nearer to each other cannot be told apart by them.
APART = 4
ROWS = 2
MOST_NAMED = 3


def learn(draft: Draft, span: YearsResult) -> None:
    """What may be cited of years side by side, the dates of their months among it."""
    draft.learn(span.all_facts.values())
    draft.learn(fact for year in span.years for fact in reading_facts(year))


def years_of_age(span: YearsResult, domain: str) -> tuple[int, ...]:
    """The years of a span that a domain is told of: of partners only those from coming of age on."""
    return tuple(year.target_year for year in span.years if domain != PARTNERS or year.age.nominal >= OF_AGE)


def span_answer(
    draft: Draft,
    span: YearsResult,
    asked: Asked,
    years: Sequence[int],
    *,
    open_end: bool = False,
    brief: bool = False,
) -> None:
    """Two years or more compared by the score of what is asked; with `open_end` it is asked when something comes, and the
    years are those in sight: the nearest that leans one's way comes first. A `brief` answer has three statements, since
    others stand before it. Whoever asks why is told first what the chart has against it.
    """
    domain = SCORES[asked.domain]
    if asked.kind == WHY and asked.subject == "self" and span.pattern.useful.order:
        why(
            draft,
            span.pattern,
            asked.domain,
            star_for(span.pattern, asked.domain, RELATIVES_OF.get(asked.domain)),
        )
    found = span.compare(domain, years)
    first, last = found.ranked[0], found.ranked[-1]
    ready = _ready(found) if open_end and not found.is_tie and verdict(first.score) != BAD else []
    _ranked(draft, span, found, ready, asked)
    # Where the first is hardly ahead, nothing puts it there.
    is_apart = first.score - last.score >= (APART if len(found.ranked) == 2 else 1)
    if is_apart:
        _reason(draft, span, found, ready[0] if ready else first, "carries" if ready else "ground")
    if is_apart and not (open_end or brief):
        _reason(draft, span, found, last, "drag")
    for other in asked.also:
        _second(draft, span, other, years)
    _sure(draft, span, found)
    if (
        not beyond_reach(draft, asked)
        and is_apart
        and not (open_end or brief)
        and asked.subject == "self"
        and first.year >= asked.this_year
    ):
        best = span.year(first.year)
        easiest(draft, ahead([(best, month) for month in best.months], asked.after), "answer.years.months")


def _ready(found: Comparison) -> list[Compared]:
    """The years that lean one's way, the nearest first; where none does, those that stand as high as the highest, or hardly
    lower."""
    highest = found.ranked[0].score
    least = HIGH if highest >= HIGH else highest - APART + 1
    return sorted((each for each in found.ranked if each.score >= least), key=lambda each: each.year)


def _second(draft: Draft, span: YearsResult, domain: str, years: Sequence[int]) -> None:
    """A further side of life that the question names: which of the years comes first in it, and which last."""
    told = [each for each in years_of_age(span, SCORES[domain]) if each in years]
    if len(told) < 2:
        return
    found = span.compare(SCORES[domain], told)
    apart = found.ranked[0].score - found.ranked[-1].score
    key = f"answer.second.years{'.tie' if found.is_tie else '.near' if apart < APART else ''}"
    ids = tuple(name for each in found.ranked for name in each.evidence[:1])
    draft.add(key, *ids, weight=1, required=True, certainty=LEANING, **_ends(found))


def _ends(found: Comparison) -> dict[str, Any]:
    """The years that come first and last, with their scores."""
    last = found.ranked[-1]
    return {
        "domain": named(found.domain),
        "score": count("points", found.ranked[0].score), "low": count("points", last.score),
        "best": [str(each) for each in found.best[:MOST_NAMED]],
        "worst": [str(each.year) for each in found.ranked if each.rank == last.rank][:MOST_NAMED],
    }  # fmt: skip


def _ranked(draft: Draft, span: YearsResult, found: Comparison, ready: list[Compared], asked: Asked) -> None:
    """Which comes first, and which last; where it is asked when something comes, the nearest of those that are `ready`."""
    first, last = found.ranked[0], found.ranked[-1]
    years = sorted(each.year for each in found.ranked)
    told = verdict(first.score)
    is_over = years[-1] < asked.this_year
    values: dict[str, Any] = {"asked": _listed(years), **_ends(found)}
    if found.is_tie:
        key = "answer.years.tie"
    elif len(years) == 2:
        key = f"answer.years.{'near' if first.score - last.score < APART else f'pair.{told}'}"
    elif ready:
        # Of a child who is there nobody asks when it comes.
        near, is_of_child = ready[0], asked.domain == "children" and asked.subject != "child"
        is_later = told == GOOD and not is_of_child and near.year - years[0] >= LATER
        key = f"answer.years.when.{'child.' if is_of_child else ''}{'later' if is_later else told}"
        is_best = near.year in found.best
        age = span.year(near.year).age
        values |= {
            "near": near.year, "near_score": count("points", near.score),
            "aged": Phrase("years.aged", {"nominal": age.nominal, "full": age.nominal - 1}),
            "before": _before(found, min(near.year, years[0] + SOON)) if is_later else (),
            "then": Phrase("years.then", {"years": [str(each.year) for each in ready[1:3]]}) if ready[1:] else (),
            "least": _least(last, values, is_of_child),
            "top": () if is_best else Phrase("years.top", {name: values[name] for name in ("best", "score")}),
        }  # fmt: skip
    elif is_over and (asked.horizon == WORST or asked.kind == WHY or COMPLAINS in asked.marks):
        key = "answer.years.worst.past"
    elif asked.horizon == WORST:
        key = f"answer.years.worst{'' if verdict(last.score) == BAD else '.even'}"
    else:
        key = f"answer.years.first.{told}"
    ids = [name for each in found.ranked for name in each.evidence[:1]]
    ids += [f"ln.{values['near']}.age"] if ready and "near" in values else []
    draft.add(key, *ids, weight=1, required=True, certainty=LEANING, side=SIDES[told], **values)


def _before(found: Comparison, year: int) -> Phrase:
    """What the near years before `year` are worth: the best of them where it is even, else that all are hard going."""
    nearer = [each for each in found.ranked if each.year < year]
    score = max(each.score for each in nearer)
    if verdict(score) == BAD:
        return Phrase("years.before.none", {})
    best = sorted(each.year for each in nearer if each.score == score)[:MOST_NAMED]
    return Phrase("years.before", {"years": [str(each) for each in best], "score": count("points", score)})


def _least(last: Compared, values: dict[str, Any], is_of_child: bool) -> Phrase:
    """The year that stands lowest; only a low score asks for care."""
    told = {name: values[name] for name in ("worst", "low")}
    if verdict(last.score) != BAD:
        return Phrase("years.least.even", told)
    return Phrase(f"years.least.{'child' if is_of_child else 'bad'}", told)


def _listed(years: list[int]) -> Any:
    """Years one by one; more than a few that follow each other by the first and the last."""
    if len(years) > MOST_NAMED and years[-1] - years[0] == len(years) - 1:
        return Phrase("years.between", {"first": years[0], "last": years[-1]})
    return [str(year) for year in years]


def _reason(draft: Draft, span: YearsResult, found: Comparison, which: Compared, key: str) -> None:
    """What the first year has, or the last lacks, that most of the others do not share."""
    shared = Counter(reason.key for each in found.ranked for reason in each.reasons)
    own = {
        name
        for reason in which.reasons
        if 2 * shared[reason.key] <= len(found.ranked)
        for name in reason.evidence
    }
    year = span.year(which.year)
    rows = [
        move
        for move in moves(year, found.domain)
        if move.fact in own and (move.points > 0) is (key != "drag") and not is_spared(year, move, draft.left_out)
    ]  # fmt: skip
    clauses, ids = told_rows(year, rows[:ROWS])
    if clauses.members:
        with_verdict = (verdict(found.ranked[0].score) == BAD) is (key == "drag")
        draft.add(
            f"answer.years.{key}", *ids, f"yr.{which.year}.score.{found.domain}", weight=1, kind="fact",
            relation=GROUND if with_verdict else CLAIM, side=AGAINST if key == "drag" else FOR, year=which.year,
            rows=clauses,
        )  # fmt: skip


def _sure(draft: Draft, span: YearsResult, found: Comparison) -> None:
    """How sure the order is: by the methods of strength, or where that is open by what the other reading puts first."""
    strength = span.pattern.strength
    if strength is None or span.pattern.special is not None:
        return
    if strength.certainty != OPEN or found.agrees is None:
        if strength.certainty == SETTLED or span.pattern.pillars.hour is None:
            return
        draft.add(
            f"answer.sure.{strength.certainty}",
            "str.certainty",
            weight=1,
            relation=DOUBT,
            certainty=LEANING,
        )
        return
    ids = [name for each in found.ranked for name in each.evidence]
    other = [str(each.year) for each in found.ranked if each.other_rank == 1][:MOST_NAMED]
    draft.add(
        f"answer.years.{'agrees' if found.agrees else 'differs'}", "str.certainty", *ids, weight=1, relation=DOUBT,
        certainty=OPEN, required=True, other=other,
    )  # fmt: skip
