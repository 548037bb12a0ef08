"""The answer of a chart to a question: what stands for a side of life in it, what bears on that, and when; where years or
months are asked about, these first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.pattern.walk import NOW
from bazi_core.speech.catalogue import Phrase
from bazi_core.speech.plan import LEANING, SUMMARY
from bazi_core.speech.statements.ages import by_age, if_living
from bazi_core.speech.statements.answer import compares, unanswered, year_answer
from bazi_core.speech.statements.asked import (
    BEST,
    BEYOND,
    CHARACTER,
    HOW,
    INCOME,
    LEFT_OUT,
    MONTHS,
    OF_MATES,
    OF_USE,
    OWN_WAYS,
    PATH,
    PRIVATE,
    SCORES,
    SIDES,
    TAI_SUI,
    TERM,
    TRADE,
    UNANSWERED,
    WHEN,
    WHETHER,
    WHY,
    WORST,
    Asked,
    beyond_reach,
    unchosen,
)
from bazi_core.speech.statements.beyond_scores import (
    begetting,
    moving_ahead,
    moving_in_chart,
    moving_in_years,
    of_purchase,
    of_useful,
    tai_sui,
)
from bazi_core.speech.statements.decades import change, is_of_decades, of_decades, of_one_decade
from bazi_core.speech.statements.doctrine import corrected
from bazi_core.speech.statements.hours import hour_unknown
from bazi_core.speech.statements.kin import KIN, kin, star_taken
from bazi_core.speech.statements.lately import of_late, of_plan
from bazi_core.speech.statements.months import of_asked_months
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.own_ways import own_way, weighed
from bazi_core.speech.statements.prefaces import besides, owned, prefaced
from bazi_core.speech.statements.side_of_life import (
    WHOLE,
    decade_ahead,
    of_oneself,
    of_side,
    sure_of_chart,
)
from bazi_core.speech.statements.span_answer import span_answer, years_of_age
from bazi_core.speech.statements.why_and_how import how
from bazi_core.speech.topic_filter import PARTNERS, is_child
from bazi_core.year.dates import begins
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.year.span import YearsResult

A_YEAR = 12
# The age from which one can look back on years to tell two readings apart.
LOOKS_BACK = 25


class _Case(NamedTuple):
    """A question to a chart, with what answers it: the decades, the moment, and the years asked about or in sight."""

    draft: Draft
    result: PatternResult
    asked: Asked
    decades: Sequence[Decade]
    running: Running | None
    span: YearsResult | None

    @property
    def is_of_kin(self) -> bool:
        return self.asked.subject in KIN

    @property
    def luck(self) -> Decade | None:
        """The decade that runs."""
        return next((each for each in self.decades if each.time(self.running) == NOW), None)

    @property
    def is_too_early(self) -> bool:
        """Whether a partner, marriage or children of one's own are asked about in the chart of a child."""
        asked = self.asked
        is_of_partner = SCORES.get(asked.domain) == PARTNERS and not self.is_of_kin
        is_of_family = asked.domain == "children" or asked.subject in ("child", "spouse")
        return is_child(self.running) and (is_of_partner or is_of_family)

    def note(self, key: str) -> None:
        """Adds a sentence that has no values."""
        self.draft.add(key, weight=1, kind="transition", required=True)


def chart_answer(
    draft: Draft,
    result: PatternResult,
    asked: Asked,
    decades: Sequence[Decade],
    running: Running | None,
    span: YearsResult | None = None,
) -> None:
    """The answer of a chart to a question, in few statements, which are the summary of the reading.

    `span` holds the years that are asked about, or those in sight where it is asked when something comes.
    """
    draft.topic(SUMMARY)
    case = _Case(draft, result, asked, decades, running, span)
    is_judged = asked.domain not in UNANSWERED and bool(result.useful.order)
    if is_judged:
        begetting(draft, asked)
    next(way for way in _WAYS if way(case))
    if is_judged:
        unchosen(draft, asked)
    if running is not None and running.ages is not None and running.ages.full < LOOKS_BACK:
        draft.take_back("answer.decides")
    hour_unknown(draft, result, is_answer=True)
    if running is not None and result.useful.order:
        by_age(draft, asked, running)
        if_living(draft, asked, running)
    # How sure it is stands with the doubts, unless the answer may come out otherwise.
    draft.put_off(f"answer.sure.{LEANING}", "doubts", f"answer.chart.{LEANING}")
    if case.is_of_kin and draft.says(*(f"answer.kin.chart.{side}" for side in SIDES)):
        draft.add("answer.kin.rest", weight=1, kind="transition")
    if asked.mate and SCORES.get(asked.domain) == PARTNERS and result.useful.order:
        star_taken(draft, result, asked.mate)
    if is_judged:
        of_purchase(draft, asked)
        weighed(draft, asked, result)
        besides(draft, asked)
    if asked.ahead and is_judged:
        case.note("answer.undated")
    if is_judged:
        corrected(draft, result, asked.told)
    owned(draft, asked)
    prefaced(draft, asked, result.pillars)


def _unanswered(case: _Case) -> bool:
    """What is no question to a chart, or left to others; of money what the years say on the whole."""
    draft, asked, span = case.draft, case.asked, case.span
    if asked.domain not in UNANSWERED:
        return False
    unanswered(
        draft, asked, case.result, span.year(asked.years[0]) if span and len(asked.years) == 1 else None
    )
    if (
        asked.domain == PRIVATE
        and asked.kind != HOW
        and case.result.useful.order
        and not is_child(case.running)
    ):
        _of_side(case._replace(asked=Asked(next(iter(asked.also), "relationship"))))
    if asked.domain == LEFT_OUT and asked.also and case.result.useful.order and not is_child(case.running):
        _of_side(case._replace(asked=Asked(asked.also[0])))
    if asked.domain == LEFT_OUT and asked.why == "financial" and len(asked.years) != 1:
        if span is not None:
            _in_sight(draft, span, asked._replace(domain="general"), case.running)
        elif case.result.useful.order and not is_child(case.running):
            _of_side(case._replace(asked=Asked("wealth")))
    return True


def _unjudged(case: _Case) -> bool:
    """A school that weighs no useful god judges nothing."""
    if case.result.useful.order:
        return False
    case.note("answer.unjudged")
    return True


def _of_present(case: _Case) -> bool:
    """How things go of late."""
    if case.span is None or case.running is None or case.is_of_kin:
        return False
    if not case.asked.is_of_late(case.running.year):
        return False
    of_late(case.draft, case.asked, case.decades, case.running, case.span)
    if case.asked.kind == HOW:
        how(case.draft, case.result, case.asked.domain)
    return True


def _of_decades(case: _Case) -> bool:
    """The decades themselves."""
    if case.running is None or not is_of_decades(case.asked):
        return False
    if not of_decades(case.draft, case.asked, case.decades, case.running):
        return False
    sure_of_chart(case.draft, case.result)
    return True


def _of_side_in_decade(case: _Case) -> bool:
    """A side of life in a decade: the decade, and its years side by side."""
    draft, asked, span = case.draft, case.asked, case.span
    if case.running is None or not asked.is_of_side_in_decade or case.is_too_early:
        return False
    if not of_one_decade(draft, asked, case.decades, case.running):
        return False
    years = years_of_age(span, SCORES[asked.domain]) if span is not None else ()
    if span is not None and len(years) > 1:
        span_answer(draft, span, asked, years, brief=True)
    else:
        of_side(draft, case.result, asked, False)
        sure_of_chart(draft, case.result)
    return True


def _of_one_year(case: _Case) -> bool:
    """One year that is named."""
    if case.span is None or len(case.asked.years) != 1:
        return False
    if case.asked.domain == "self":
        of_oneself(case.draft, case.result)
    year_answer(case.draft, case.span.year(case.asked.years[0]), case.asked)
    return True


def _of_age(case: _Case) -> bool:
    """A child is told nothing of what belongs to grown people."""
    if not case.is_too_early:
        return False
    case.note("answer.of_age")
    return True


def _of_relative(case: _Case) -> bool:
    """What one's own chart holds of a relative whose own matter is asked about."""
    draft, result, subject = case.draft, case.result, case.asked.subject
    if not case.is_of_kin:
        return False
    is_how = case.asked.kind == HOW
    if not kin(draft, result, case.asked):
        if is_how:
            how(draft, result, KIN[subject].domain)
        elif draft.says_any("answer.in_law."):
            sure_of_chart(draft, result)
        return True
    # The months are one's own, and say nothing of a relative's matter.
    of_bond = case.asked._replace(domain=KIN[subject].domain, also=(), months=(), horizon="life")
    case = case._replace(asked=of_bond)
    return _of_years(case) or _of_side(case)


def _of_plan(case: _Case) -> bool:
    """Whether it is the time for what is planned; then what the chart has of it."""
    draft, result, asked = case.draft, case.result, case.asked
    if case.span is None or case.running is None or not asked.is_of_plan or case.is_too_early:
        return False
    of_plan(draft, asked, case.running, case.span)
    beyond_reach(draft, asked)
    if asked.domain == "travel_move":
        moving_in_chart(draft, result, luck=case.luck)
        moving_in_years(draft, case.span.years)
    elif asked.domain not in WHOLE:
        of_side(draft, result, asked, True)
    return True


def _beyond_chart(case: _Case) -> bool:
    """What a chart has of moving and of directions, else that it cannot say; and the years in sight on the whole."""
    draft, result, asked, span = case.draft, case.result, case.asked, case.span
    if asked.domain not in BEYOND and not asked.is_of_days:
        return False
    if asked.domain == "travel_move":
        if span is None:
            matter = asked.matter if asked.kind in (WHETHER, "compare", "which") else ""
            moving_in_chart(draft, result, matter, case.luck)
            if case.running is not None:
                moving_ahead(draft, result, case.running)
    elif asked.domain == "direction":
        of_useful(draft, result, asked.matter if asked.matter in OF_USE else "direction")
    else:
        draft.add(
            "answer.chart.scope", "yong.primary", weight=1, required=True, topic=Phrase(f"topic.{asked.domain}", {}),
            use=element(result.useful.order[0]),
        )  # fmt: skip
    # On the whole is all that a year knows of what has no score.
    if span is not None and not asked.is_of_days:
        if asked.domain == "travel_move" and asked.horizon != MONTHS:
            moving_in_years(draft, [span.year(year) for year in asked.years] or span.years)
        _in_sight(draft, span, asked._replace(domain="general", also=()), case.running)
    elif asked.domain == "travel_move":
        decade_ahead(draft, case.decades, case.running, OVERALL)
        sure_of_chart(draft, result)
    return True


def _of_years(case: _Case) -> bool:
    """Years that are compared."""
    if case.span is None or not case.asked.years or _is_of_path_in_time(case):
        return False
    if case.asked.domain == TAI_SUI:
        for year in case.asked.years:
            tai_sui(case.draft, case.span.year(year))
        if case.asked.kind == HOW:
            how(case.draft, case.result, case.asked.domain)
        return True
    is_told = compares(case.draft, case.span, case.asked)
    if is_told and case.asked.domain in OWN_WAYS:
        own_way(case.draft, case.result, case.asked)
    return is_told


def _is_of_path_in_time(case: _Case) -> bool:
    """Whether it is asked when one's own work comes: who asks when is told that first."""
    return case.asked.domain == PATH and case.asked.kind == WHEN and case.span is not None


def _of_side(case: _Case) -> bool:
    """A side of life, by what stands for it in the chart; the years in sight first where it is asked when."""
    draft, result, asked, span, running = case.draft, case.result, case.asked, case.span, case.running
    is_later = _is_of_path_in_time(case)
    if asked.domain in OWN_WAYS and not is_later:
        own_way(draft, result, asked)
    if asked.matter == INCOME and not case.is_of_kin:
        of_useful(draft, result, "trade")
    if asked.domain == TRADE and is_child(running):
        return True
    # Who asks why, and whether it is better before an age, is told that first.
    of_time = asked._replace(kind=WHEN) if asked.kind == WHY and asked.until else asked
    in_sight = span is not None and not asked.years and _in_sight(draft, span, of_time, running)
    if span is not None and in_sight and asked.until and asked.horizon != MONTHS and not case.is_of_kin:
        draft.add("answer.until", f"ln.{span.last}", weight=1, kind="fact", required=True, year=span.last)
    is_of_turn = asked.kind == WHEN and asked.horizon != MONTHS and not asked.until
    if in_sight and running is not None and is_of_turn:
        change(draft, case.decades, running)
    if is_later:
        own_way(draft, result, asked)
    of_side(draft, result, asked, in_sight)
    if asked.domain in CHARACTER:
        return True
    has_decade = asked.kind != HOW and asked.domain not in ("health", TERM, TRADE, *OF_MATES)
    if not (in_sight or case.is_of_kin or beyond_reach(draft, asked)) and has_decade:
        decade_ahead(draft, case.decades, running, SCORES.get(asked.domain, OVERALL))
    if asked.domain != TERM:
        sure_of_chart(draft, result, in_sight)
    return True


# The ways to answer, in their order; the first that can does.
_WAYS = (
    _unanswered, _unjudged, _of_plan, _of_present, _of_decades, _of_side_in_decade, _of_one_year, _of_age, _of_relative,
    _beyond_chart, _of_years, _of_side,
)  # fmt: skip


def _in_sight(draft: Draft, span: YearsResult, asked: Asked, running: Running | None) -> bool:
    """The months ahead, or the years in sight, where it is asked when; whether there are any."""
    if asked.horizon == MONTHS and running is not None:
        ahead = [(year, month) for year in span.years for month in year.months if month.end > running.at]
        if asked.by_month:
            limit = f"{running.on.year + (running.on.month >= asked.by_month)}-{asked.by_month:02}"
            ahead = [each for each in ahead if begins(*each) < limit]
        of_name = [each for each in ahead if int(begins(*each)[5:7]) in asked.months]
        first = [*{begins(*each)[5:7]: each for each in reversed(of_name)}.values()][::-1]
        of_asked_months(draft, first or ahead[:A_YEAR], asked, bool(first))
        return True
    years = [
        each for each in years_of_age(span, SCORES[asked.domain]) if not asked.years or each in asked.years
    ]
    if len(years) < 2:
        return False
    span_answer(draft, span, asked, years, open_end=not asked.years and asked.horizon not in (BEST, WORST))
    return True
