"""The months of a year: which come easiest and hardest, what comes again in them, and at length what each of them meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.speech.catalogue import Clauses, Phrase, Sign, Term, sign
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.accounts import is_hard_luck
from bazi_core.speech.statements.asked import EXAM, FEARED, LOW, WORST, verdict
from bazi_core.speech.statements.happenings import a_event, chosen, eased, told_sides
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.timing import count
from bazi_core.speech.topic_filter import OF_PARTNER, spares_partners
from bazi_core.wording import FactPhrase
from bazi_core.year.dates import begins, joints_of
from bazi_core.year.events import EQUAL
from bazi_core.year.meeting import USEFUL
from bazi_core.year.rules import event_rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.months import Month
    from bazi_core.year.result import YearResult

    _Dated = tuple[YearResult, Month]

_EVEN = 50
_MONTHS, _MOST_NAMED = 2, 3
# What names the months that come easiest.
_WHEN = ("answer.when", "answer.when.least", "answer.when.feared")


def of_months(draft: Draft, year: YearResult, after: datetime | None = None, of_partner: bool = True) -> None:
    """The months that come easiest and hardest of those that are not over `after` an instant, what comes again in them, and
    at length every month with events. Nothing comes again `of_partner` where another side of life is asked about."""
    left = [month for _, month in ahead([(year, month) for month in year.months], after)]
    past = ".past" if has_ended(year, after) else ""
    order = sorted(left, key=lambda month: (-month.score, month.number))
    # What is recommended is no month to be careful in, and the reverse.
    praised = draft.cited(*_WHEN, "answer.years.months", "answer.month.good")
    blamed = draft.cited("answer.month.bad")
    # Of months with one score that comes first which nothing speaks against.
    clear = sorted(order, key=lambda month: (is_mixed(year, month), -month.score, month.number))
    free = [month for month in clear if month.fact_id not in blamed]
    best = [month for month in free if not goes_hard(year, month)][:_MONTHS] or free[:_MONTHS]
    hard = [month for month in order if month not in best and month.fact_id not in praised][-_MONTHS:]
    keys = (
        f"month.best{past}" if best[0].score >= _EVEN and not goes_hard(year, best[0]) else "month.least",
        f"month.care{past}" if hard and hard[-1].score < _EVEN else "month.calm",
    )
    # What an answer names already is not said again.
    both = draft.says(*(f"{key}.both" for key in _WHEN))
    # Where none comes easily those that are left are no quieter.
    is_calm = keys[1] == "month.calm" and draft.says("answer.when.least")
    both = both or is_calm
    answered = (both or draft.says(*_WHEN), both)
    for key, found, weight, is_told in zip(keys, (best, hard), (1, 2), answered, strict=True):
        if is_told or not found or (past and not key.endswith(past)):
            continue
        rest: dict[str, Any] = {}
        if key == "month.least":
            rest["rest"] = Phrase(f"month.least.{'rest' if len(left) < len(year.months) else 'all'}", {})
        told = sorted(found, key=lambda month: month.number)
        cited = (name for month in told for name in evidence(year, month))
        draft.add(
            key, *cited, weight=weight, certainty=LEANING, months=[named(year, month, plain=True) for month in told],
            why=because([(year, month) for month in told], ADVERSE if key.startswith("month.care") else WANTED), **rest,
        )  # fmt: skip
    if any(month.shown for month in year.months):
        _scale(draft, year)
    spares = spares_partners(year, draft.left_out)
    _again(draft, year, spares or not of_partner, praised, {month.number for month in left}, past)
    for month in year.months:
        shown = [event for event in month.shown if not (spares and OF_PARTNER in event.name)]
        if shown:
            ids = (*evidence(year, month), *(event.id for event in shown))
            events = [a_event(name) for name in dict.fromkeys(event.name for event in shown)]
            draft.add("month.events", *ids, weight=3, kind="fact", month=named(year, month), events=events)


def has_ended(year: YearResult, after: datetime | None) -> bool:
    """Whether the whole of a year is over at an instant."""
    return after is not None and year.months[-1].end <= after


def _scale(draft: Draft, year: YearResult) -> None:
    """Why all months stand above the year, or all below it: they have half of what it has."""
    whole, scores = year.scores.overall, [month.score for month in year.months]
    key = "above" if min(scores) > whole else "below" if max(scores) < whole else None
    if key is not None:
        own = f"yr.{year.target_year}.score.overall"
        ids = (f"{month.fact_id}.score" for month in year.months)
        draft.add(f"month.scale.{key}", own, *ids, weight=3, kind="fact", score=count("points", whole))


def evidence(year: YearResult, month: Month) -> tuple[str, ...]:
    """The facts of a month that is named with its score, the day on which it begins, its stem and branch, and what it
    completes."""
    own = month.fact_id
    found = joints_of(year, month)
    roles = (
        ROLE_FACTS[year.natal.role(each.element)]
        for each in found
        if each.element and year.pattern.useful.order
    )
    joined = (*(each.fact_id(month) for each in found), *roles)
    return (own, f"{own}.score", f"{own}.begins", f"{own}.tg.stem", f"{own}.tg.branch", *joined)


def easiest(
    draft: Draft,
    found: Sequence[_Dated],
    key: str,
    hard: bool = False,
    is_rest: bool = False,
    is_feared: bool = False,
    required: bool = False,
) -> None:
    """Those of some months that come easiest, under `key`, or where none comes easily under `<key>.least`; with `hard` also
    those to keep clear of, under `<key>.both`. No month is both. They may be the rest of a year (`is_rest`), or the
    safest where something is feared; `required` where it is what was asked."""
    if not found:
        return
    order = sorted(
        found, key=lambda each: (goes_hard(*each), each[1].score < LOW, is_mixed(*each), -each[1].score)
    )
    least = goes_hard(*order[0])
    best = [each for each in order[:_MONTHS] if least or not goes_hard(*each)]
    worst = _hardest(found, best) if hard else []
    key += ".least" if least else ".feared" * is_feared
    told = [sorted(each, key=lambda one: one[1].start) for each in (best, worst)]
    ids = [name for part in told for each in part for name in evidence(*each)]
    good, bad = ([named(*each, plain=True) for each in part] for part in told)
    draft.add(
        f"{key}.both" if bad else key, *ids, weight=1, certainty=LEANING, required=required, months=good, hard=bad,
        none=Phrase(f"months.none.{'rest' if is_rest else 'all'}", {}),
        why=because(told[0], WANTED), hard_why=because(told[1], ADVERSE),
    )  # fmt: skip


def of_asked_months(
    draft: Draft, found: Sequence[_Dated], asked: Asked, are_named: bool = False, is_rest: bool = False
) -> None:
    """Those of these months that come easiest, and where the question is of time those to keep clear of; of months that
    are named the first, or of one how it goes."""
    if not are_named or len(found) > _MOST_NAMED:
        is_feared = asked.form == FEARED or asked.extreme == WORST
        easiest(draft, found, "answer.when", asked.is_timed or is_feared, is_rest, is_feared, asked.is_timed)
        return
    best = max(found, key=lambda each: each[1].score)
    ids = [name for each in found for name in evidence(*each)]
    values: dict[str, Any] = {
        "months": [named(*each, plain=True) for each in found],
        "best": sign(best[1].pillar) if len(found) > 1 else named(*best, plain=True),
    }
    of = ".exam" if asked.matter == EXAM else ""
    key = f"answer.month{'s' if len(found) > 1 else of}.{verdict(best[1].score)}"
    draft.add(key, *ids, weight=1, required=True, certainty=LEANING, **values)


def _hardest(found: Sequence[_Dated], best: Sequence[_Dated]) -> list[_Dated]:
    """Those with the lowest scores below all of the best."""
    least = min(month.score for _, month in best)
    order = sorted(found, key=lambda each: -each[1].score)
    return [each for each in order if each[1].score < least and each not in best][-_MONTHS:]


def is_mixed(year: YearResult, month: Month) -> bool:
    """Whether something of a month speaks against it: its stem, its branch, or what it completes with chart, year and luck
    (《子平真诠·论行运》)."""
    return bool(_clauses([(year, month)], ADVERSE))


def goes_hard(year: YearResult, month: Month) -> bool:
    """Whether a month is not to be recommended: its score is low, things speak against it and nothing for it, or it brings
    or repeats what harms."""
    is_against = is_mixed(year, month) and not _clauses([(year, month)], WANTED)
    return month.score < LOW or is_against or _is_warned(year, month)


def _is_warned(year: YearResult, month: Month) -> bool:
    """Whether a month brings what shakes the chart (a clash that costs, or a tie at the 用神), repeats what costs in the
    year, or stands in a 三刑 that the year completes (应期: 流月引动岁运)."""
    spares = spares_partners(year, frozenset())
    told = [
        each for each in month.events if each.polarity == "凶" and not (spares and OF_PARTNER in each.name)
    ]
    costs = {each.key for each in year.events if each.polarity == "凶"}
    branch = month.pillar.branch
    met = {
        name for each in year.events if each.polarity == "凶" and event_rule(each.rule).form == "branch"
        for name in each.ties
    }  # fmt: skip
    return (
        any(
            _SHAKEN.intersection(each.ties) or event_rule(each.rule).target == USEFUL or each.key in costs
            for each in told
        )
        or (branch is year.pillar.branch and bool(met - {EQUAL}))
        or any(each.type == "三刑" and branch.value in dict(each.members).values() for each in year.completed)
    )


# Ties by which a month shakes what it meets.
_SHAKEN = frozenset(("六冲", "反吟"))


def because(found: Sequence[_Dated], roles: Sequence[str]) -> Any:
    """Why months stand where they do: which signs of their pillars, and which groups that they complete, have one of these
    roles; then what of them is of the other side. Nothing where there is neither."""
    is_hard = roles is ADVERSE
    own, other = _clauses(found, roles), _clauses(found, WANTED if is_hard else ADVERSE)
    if not other:
        return Phrase("month.why", {"clauses": Clauses(tuple(own))}) if own else ()
    values: dict[str, Any] = {"against": Clauses(tuple(other))} | (
        {"clauses": Clauses(tuple(own))} if own else {}
    )
    return Phrase(f"month.why.{'both' if own else 'against'}{'.hard' * is_hard}", values)


def _clauses(found: Sequence[_Dated], roles: Sequence[str]) -> list[Phrase]:
    """What of these months has one of these roles; a punishment is of none and counts as adverse."""
    signs: dict[str, dict[Sign, None]] = {}
    joined: list[Phrase] = []
    for year, month in found:
        if not year.pattern.useful.order:
            continue
        for part in (month.pillar.stem, month.pillar.branch):
            signs.setdefault(year.natal.role(part.element), {})[sign(part, plain=True)] = None
        branch = sign(month.pillar.branch, plain=True)
        for joint in joints_of(year, month):
            values: dict[str, Any] = {"branch": branch, "relation": Term(joint.type, "relation")}
            if joint.element is None:
                told = [Phrase("month.punished", values)] if roles is ADVERSE else []
            else:
                role = year.natal.role(joint.element)
                values |= {"element": element(joint.element), "role": Term(role, "role")}
                told = [Phrase("month.joint", values)] if role in roles else []
            joined += [each for each in told if each not in joined]
    return [
        *(
            Phrase(f"month.sign{'s' * (len(signs[role]) > 1)}", {"signs": [*signs[role]], "role": Term(role, "role")})
            for role in roles
            if role in signs
        ),
        *joined,
    ]  # fmt: skip


def ahead(
    found: Sequence[tuple[YearResult, Month]], after: datetime | None
) -> Sequence[tuple[YearResult, Month]]:
    """Those of these months that have not ended at an instant; all of them where all have, or none is known."""
    left = [each for each in found if after is None or each[1].end > after]
    return left or found


def in_time(draft: Draft, year: YearResult, asked: Asked) -> Sequence[tuple[YearResult, Month]]:
    """The months of a year that have not ended and begin before the month by which something is to come; that it looks no
    further is said."""
    left = ahead([(year, month) for month in year.months], asked.after)
    limit = f"{year.target_year}-{asked.by_month:02}"
    early = [each for each in left if begins(*each) < limit] if asked.by_month else []
    if early:
        draft.add(
            "answer.until.month", f"ln.{year.target_year}", weight=1, kind="fact", required=True, year=year.target_year,
            month=Phrase(f"month_name.{asked.by_month}", {}),
        )  # fmt: skip
    return early or left


def named(year: YearResult, month: Month, plain: bool = False) -> Phrase:
    """A month by its pillar and the day on which it begins, with its score unless `plain`."""
    values = {"pillar": sign(month.pillar), "score": count("points", month.score)}
    day = FactPhrase("day.one", ((begins(year, month),),))
    return Phrase("month.plain" if plain else "month.dated", values | {"begins": day})


def _luck(year: YearResult) -> Sign:
    """The pillar of the luck that runs."""
    assert year.main.pillar is not None
    return sign(year.main.pillar)


def _again(
    draft: Draft, year: YearResult, spares: bool, praised: frozenset[str], left: set[int], past: str
) -> None:
    """Events that fire on two levels; none that costs in a month that is `praised` already, none that helps in a month that
    goes hard, and of a decade that brings what is not wanted no good. What is told as a cost is no help when it comes again,
    and what the luck alone gathers is not of the year."""
    costs, gains = ({event.id for event in year.events if event.polarity == each} for each in "凶吉")
    told = told_sides(year, chosen(year, spares_partners(year, draft.left_out)), draft.left_out)
    contrary = {name for name in costs if told.get(name) == "吉"} | {
        name for name in gains if told.get(name) == "凶"
    }
    of_year = {event.id for event in year.events if any(where == "liunian" for where, _ in event.members)}
    twice = [found for found in year.timing if not (spares and OF_PARTNER in found.name)]
    helps = gains if is_hard_luck(year) else set()
    twice = [found for found in twice if found.evidence[0] not in contrary]
    # What something takes the force from counts for no more because luck brings it too.
    eased_ids = {event.id for event in year.events if eased(year, [(event,)])[1]}
    both = [
        found
        for found in twice
        if "luck" in found.levels
        and found.evidence[0] not in helps | eased_ids
        and found.evidence[0] in of_year
    ][:_MONTHS]
    if both:
        cited = (name for found in both for name in found.evidence[:2])
        events = [a_event(found.name) for found in both]
        draft.add(
            "again.luck", *cited, f"ln.{year.target_year}", *((year.main.fact_id,) if year.main.fact_id else ()), weight=2.5,
            certainty=LEANING, events=events, pillar=sign(year.pillar), luck=_luck(year),
        )  # fmt: skip
    # What stands through the whole decade is no matter of a month.
    seldom = [
        found
        for found in twice
        if 0 < len(found.months) <= _MONTHS and left.issuperset(found.months) and found.evidence[0] in of_year
    ]
    easy = {month.number for month in year.months if month.fact_id in praised and month.score >= LOW}
    hard = {month.number for month in year.months if month.score < LOW}
    seldom = [
        each
        for each in seldom
        if not (each.evidence[0] in costs and easy.intersection(each.months))
        and not (each.evidence[0] in gains and hard.intersection(each.months))
    ]
    for found in seldom[:1]:
        months = [month for month in year.months if month.number in found.months]
        ids = [name for month in months for name in evidence(year, month)]
        is_help = found.evidence[0] in gains
        facts = (found.evidence[0], *ids, *found.evidence[-len(months) :])
        draft.add(
            f"again.months{'.good' * is_help}{past}", *facts, weight=2.5, certainty=LEANING,
            event=Term(found.name, "event"), months=[named(year, month, plain=True) for month in months],
        )  # fmt: skip
