"""The answer of a chart to a question: what stands for a side of life in it, what bears on that, and when; where years or
months are asked about, these first.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.pattern.walk import BOTH, COMING, ILLNESS, NOW
from bazi_core.speech.catalogue import Clauses, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, CLAIM, DOUBT, FOR, GROUND, LEANING, OPEN, SETTLED, SUMMARY
from bazi_core.speech.statements.ages import by_age, if_living
from bazi_core.speech.statements.answer import GROUNDS, compares, own_way, unanswered, year_answer
from bazi_core.speech.statements.asked import (
    BAD,
    BEST,
    BEYOND,
    CHARACTER,
    COLOUR,
    GOOD,
    HOW,
    INCOME,
    MIXED,
    MONTHS,
    OF_MATES,
    OWN_WAYS,
    PARTNERSHIP,
    PLACES,
    SCORES,
    SIDES,
    TAI_SUI,
    TRADE,
    UNANSWERED,
    UNWEIGHED,
    VOCATIONS,
    WHEN,
    WHETHER,
    WHY,
    WORST,
    beyond_reach,
    domain_of,
    named,
)
from bazi_core.speech.statements.bearings import bearings, tell
from bazi_core.speech.statements.beyond_scores import (
    begetting,
    body,
    moving_in_chart,
    moving_in_years,
    of_purchase,
    of_useful,
    oneself,
)
from bazi_core.speech.statements.decades import change, is_of_decades, of_decades
from bazi_core.speech.statements.hours import hour_unknown
from bazi_core.speech.statements.kin import KIN, RELATIVES_OF, kin, star_for, star_taken, who
from bazi_core.speech.statements.lately import of_late
from bazi_core.speech.statements.months import of_asked_months
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.span_answer import span_answer, years_of_age
from bazi_core.speech.statements.walk import LONG_LIFE, entry
from bazi_core.speech.statements.why_and_how import how, why
from bazi_core.speech.topic_filter import PARTNERS, is_child
from bazi_core.year.dates import begins
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.speech.statements.bearings import AskedBearing
    from bazi_core.year.span import YearsResult

# As many decades, the present one among them, are near enough to wait for.
NEAR = 3
A_YEAR = 12
# The age from which one can look back on years to tell two readings apart.
LOOKS_BACK = 25
# Within how many years a decade has to begin, and of study, parents and children.
LATER, SOON, _SOON_OVER = 10, 5, ("study", "family")
# How sure an answer is that names years.
SURE = ("answer.years.agrees", "answer.years.differs", "answer.sure.leaning")

WHOLE = ("self", "general", "health", "timing", TAI_SUI)


class _Ground(NamedTuple):
    """One reason: +1 or -1, its words, the facts it rests on."""

    points: int
    said: Phrase
    evidence: tuple[str, ...]


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
    _answer(draft, result, asked, decades, running, span)
    if running is not None and running.ages is not None and running.ages.full < LOOKS_BACK:
        draft.take_back("answer.decides")
    hour_unknown(draft, result, is_answer=True)
    if running is not None and result.useful.order:
        by_age(draft, asked, running)
        if_living(draft, asked, running)
    # How sure it is stands with the doubts, unless the answer may come out otherwise.
    draft.put_off(f"answer.sure.{LEANING}", "doubts", f"answer.chart.{LEANING}")
    if asked.subject in KIN and draft.says(*(f"answer.kin.chart.{side}" for side in SIDES)):
        draft.add("answer.kin.rest", weight=1, kind="transition", required=True)
    if asked.mate and SCORES.get(asked.domain) == PARTNERS and result.useful.order:
        star_taken(draft, result, asked.mate)
    if asked.domain not in UNANSWERED and result.useful.order:
        of_purchase(draft, asked)
    if asked.ahead and asked.domain not in UNANSWERED and result.useful.order:
        draft.add("answer.undated", weight=1, kind="transition", required=True)


def _answer(
    draft: Draft,
    result: PatternResult,
    asked: Asked,
    decades: Sequence[Decade],
    running: Running | None,
    span: YearsResult | None,
) -> None:
    if asked.domain in UNANSWERED:
        unanswered(
            draft, asked, result, span.year(asked.years[0]) if span and len(asked.years) == 1 else None
        )
        if span is not None and asked.why == "financial" and len(asked.years) != 1:
            _in_sight(draft, span, asked._replace(domain="general"), running)
        return
    if not result.useful.order:
        draft.add("answer.unjudged", weight=1, kind="transition", required=True)
        return
    begetting(draft, asked)
    if (
        span is not None
        and running is not None
        and asked.subject not in KIN
        and asked.is_of_late(running.year)
    ):
        of_late(draft, asked, decades, running, span)
        if asked.kind == HOW:
            how(draft, result, asked.domain)
        return
    if running is not None and is_of_decades(asked) and of_decades(draft, asked, decades, running):
        _sure_of_chart(draft, result)
        return
    if span is not None and len(asked.years) == 1:
        if asked.domain == "self":
            of_oneself(draft, result)
        year_answer(draft, span.year(asked.years[0]), asked)
        return
    subject = asked.subject
    if is_child(running) and (asked.domain == "children" or subject in ("child", "spouse")):
        draft.add("answer.of_age", weight=1, kind="transition", required=True)
        return
    if subject in KIN:
        is_how = asked.kind == HOW
        if not kin(draft, result, subject, is_how):
            if is_how:
                how(draft, result, KIN[subject].domain)
            return
        asked = asked._replace(domain=KIN[subject].domain, also=())
    if SCORES.get(asked.domain) == PARTNERS and is_child(running):
        draft.add("answer.of_age", weight=1, kind="transition", required=True)
        return
    if asked.domain in BEYOND or asked.is_of_days:
        _beyond_chart(draft, result, asked, decades, running, span)
        return
    # Who asks when is told that first.
    is_later = asked.domain in VOCATIONS and asked.kind == WHEN and span is not None
    if asked.domain in OWN_WAYS and not is_later:
        own_way(draft, result, asked.domain)
    if span is not None and asked.years and compares(draft, span, asked):
        return
    if asked.matter == INCOME:
        of_useful(draft, result, "trade")
    if asked.domain == TRADE and is_child(running):
        return
    in_sight = span is not None and not asked.years and _in_sight(draft, span, asked, running)
    if span is not None and in_sight and asked.until:
        draft.add("answer.until", f"ln.{span.last}", weight=1, kind="fact", required=True, year=span.last)
    if (
        in_sight
        and running is not None
        and asked.kind == WHEN
        and asked.horizon != MONTHS
        and not asked.until
    ):
        change(draft, decades, running)
    if is_later:
        own_way(draft, result, asked.domain)
    _of_chart(draft, result, asked, subject, in_sight)
    if asked.domain in CHARACTER:
        return
    if in_sight or subject in KIN:
        _sure_of_chart(draft, result, in_sight)
        return
    if (
        not beyond_reach(draft, asked)
        and asked.kind != HOW
        and asked.domain not in ("health", TRADE, *OF_MATES)
    ):
        _decade(draft, decades, running, SCORES.get(asked.domain, OVERALL))
    _sure_of_chart(draft, result)


def _beyond_chart(
    draft: Draft,
    result: PatternResult,
    asked: Asked,
    decades: Sequence[Decade],
    running: Running | None,
    span: YearsResult | None,
) -> None:
    """What a chart has of moving and of directions, else that it cannot say; and the years in sight on the whole."""
    if asked.domain == "travel_move":
        if span is None:
            moving_in_chart(
                draft, result, asked.matter if asked.kind in (WHETHER, "compare", "which") else ""
            )
    elif asked.domain == "direction":
        of_useful(draft, result, COLOUR if asked.matter == COLOUR else "direction")
    else:
        draft.add(
            "answer.chart.scope", "yong.primary", weight=1, required=True, topic=Phrase(f"topic.{asked.domain}", {}),
            use=element(result.useful.order[0]),
        )  # fmt: skip
    # On the whole is all that a year knows of what has no score.
    if span is not None and not asked.is_of_days:
        if asked.domain == "travel_move" and asked.horizon != MONTHS:
            moving_in_years(draft, [span.year(year) for year in asked.years] or span.years)
        _in_sight(draft, span, asked._replace(domain="general", also=()), running)
    elif asked.domain == "travel_move":
        _decade(draft, decades, running, OVERALL)
        _sure_of_chart(draft, result)


def _in_sight(draft: Draft, span: YearsResult, asked: Asked, running: Running | None) -> bool:
    """The months ahead, or the years in sight, where it is asked when; whether there are any."""
    if asked.horizon == MONTHS and running is not None:
        ahead = [(year, month) for year in span.years for month in year.months if month.end > running.at]
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


def _of_chart(draft: Draft, result: PatternResult, asked: Asked, subject: str, is_second: bool) -> None:
    """The verdict of the chart on what is asked, with its grounds; it `is_second` where months or years answer first."""
    # Of father and mother each has a star of its own.
    person = subject if subject in KIN else asked.beside if asked.domain == "parents" else ""
    relative = KIN[person].star if person else RELATIVES_OF.get(asked.domain)
    grounds = _chart_grounds(result, asked.domain, relative, subject)
    if asked.domain in (*UNWEIGHED, "health"):
        if asked.domain == "health":
            body(draft, result)
        elif asked.domain == PARTNERSHIP:
            _told_grounds(draft, [ground for ground in grounds if ground.said.key == "ground.dynamic"], MIXED)
        if asked.kind == HOW and asked.domain != "health":
            how(draft, result, asked.domain)
        _seconds_of_chart(draft, result, () if is_second else asked.also)
        return
    if asked.domain == "self" and not is_second:
        if asked.kind == HOW:
            how(draft, result, asked.domain)
        else:
            of_oneself(draft, result)
        return
    borne = bearings(result, asked.domain, subject)
    reasons: list[_Ground | AskedBearing] = [*grounds, *borne]
    told, ids = _total(reasons), tuple(name for reason in reasons for name in reason.evidence)
    is_whole = asked.domain in WHOLE
    is_why = asked.kind == WHY and not is_whole and subject not in KIN
    if is_why:
        against = tuple(each for each in borne if each.points < 0)
        told = "answer.why.other" if against else ""
        of_person = who(person) if person else None
        why(draft, result, asked.domain, star_for(result, asked.domain, relative), told=told, of=of_person)
        if draft.says("answer.why.other"):
            tell(draft, against, led=True)
        else:
            against = ()
        how(draft, result, asked.domain, is_short=True)
        tell(draft, tuple(each for each in borne if each not in against))
        _seconds_of_chart(draft, result, () if is_second else asked.also)
        return
    if asked.kind == HOW and subject not in KIN:
        how(draft, result, asked.domain)
        if is_whole:
            return
    of = (
        "kin.chart"
        if subject in KIN
        else "natal"
        if is_second or asked.kind == HOW or asked.domain == TRADE
        else "whole"
        if is_whole
        else "chart"
    )
    value = who(subject) if subject in KIN else named(OVERALL) if is_whole else domain_of(asked.domain)
    named_: dict[str, Any] = {} if of == "whole" else {"domain": value}
    # Whoever asks why all goes badly is not told coldly that it does not.
    turned = ".contrary" if of == "whole" and told == GOOD and (asked.kind == WHY or asked.complains) else ""
    draft.add(
        f"answer.{of}.{told}{turned}", "yong.primary", *ids, weight=1, required=True, certainty=LEANING,
        side=SIDES[told], **named_,
    )  # fmt: skip
    # A verdict is never followed first by what speaks against it alone: what bears it out in palace and ties leads then.
    sign_ = _SIGNS[told]
    is_led = not sign_ or any(ground.points * sign_ > 0 for ground in grounds)
    leading = () if is_led else tuple(each for each in borne if each.points * sign_ > 0)
    tell(draft, leading)
    if not draft.says("answer.years.ground"):
        _told_grounds(draft, grounds, told)
    tell(draft, tuple(each for each in borne if each not in leading))
    if asked.kind == HOW and subject in KIN:
        how(draft, result, asked.domain)
    _seconds_of_chart(draft, result, () if is_second else asked.also)
    if asked.kind in ("compare", "which") and not is_second and len(asked.also) == 1 and subject not in KIN:
        _choice(draft, result, asked.domain, asked.also[0])
    if asked.matter == PLACES:
        of_useful(draft, result, PLACES)


# Sides of life that are a relative: what is against them is told of the tie and not of the person.
_OF_KIN = ("parents", "children")
_SIGNS = {GOOD: 1, MIXED: 0, BAD: -1}


def of_oneself(draft: Draft, result: PatternResult) -> None:
    """What the chart says of oneself, with what is strong and what is weak in it."""
    if result.useful.order:
        oneself(draft, result)
        _told_grounds(draft, _chart_grounds(result, "self", None), MIXED, ("answer.strong", "answer.weak"))


def _seconds_of_chart(draft: Draft, result: PatternResult, domains: Sequence[str]) -> None:
    """The verdict of the chart on further sides of life that the question names."""
    for domain in domains:
        if domain == "health":
            body(draft, result)
            continue
        grounds = _chart_grounds(result, domain, RELATIVES_OF.get(domain))
        told = _total(grounds)
        draft.add(
            f"answer.second.chart.{told}", "yong.primary", *(name for ground in grounds for name in ground.evidence),
            weight=1, required=True, certainty=LEANING, domain=domain_of(domain),
        )  # fmt: skip


def _choice(draft: Draft, result: PatternResult, one: str, two: str) -> None:
    """Which of two sides of life that are held against each other has more behind it."""
    points = {
        each: sum(ground.points for ground in _chart_grounds(result, each, RELATIVES_OF.get(each))) for each in (one, two)
    }  # fmt: skip
    better = max(points, key=lambda each: points[each])
    key = "even" if points[one] == points[two] else "one"
    draft.add(
        f"answer.choice.{key}",
        "yong.primary",
        weight=1,
        required=True,
        certainty=LEANING,
        better=domain_of(better),
    )


def _total(grounds: Sequence[_Ground | AskedBearing]) -> str:
    total = sum(ground.points for ground in grounds)
    return GOOD if total > 0 else BAD if total < 0 else MIXED


def _told_grounds(
    draft: Draft,
    grounds: Sequence[_Ground],
    told: str,
    keys: tuple[str, str] = ("answer.ground", "answer.drag"),
) -> None:
    """The reasons for and against; those on the side of the verdict are its grounds."""
    for key, sign_ in zip(keys, (1, -1), strict=True):
        found = [ground for ground in grounds if ground.points * sign_ > 0][:GROUNDS]
        if found:
            names = (name for each in found for name in each.evidence)
            draft.add(
                key, *names, weight=1, kind="fact", relation=GROUND if (sign_ > 0) is (told != BAD) else CLAIM,
                side=FOR if sign_ > 0 else AGAINST, rows=Clauses(tuple(each.said for each in found)),
            )  # fmt: skip


def _chart_grounds(
    result: PatternResult, domain: str, relative: str | None, subject: str = "self"
) -> list[_Ground]:
    """The role of what stands for a domain, and the dynamics that bear on it."""
    found = []
    star = star_for(result, domain, relative)
    if star is not None:
        role = result.useful.role(star)
        points = (role in WANTED) - (role in ADVERSE)
        ids = (ROLE_FACTS[role], "p.day.stem")
        if points:
            of = who(subject) if subject in KIN else domain_of(domain)
            key = (
                "ground.role.person"
                if points < 0 and (subject in KIN or domain in _OF_KIN)
                else "ground.role"
            )
            said = Phrase(key, {"element": element(star), "role": Term(role, "role"), "of": of})
            found.append(_Ground(points, said, ids))
    score = SCORES.get(domain, OVERALL)
    for dynamic in result.dynamics:
        if (
            dynamic.state == STANDS
            and dynamic.polarity in _POINTS
            and (score in dynamic.domains or score == OVERALL)
        ):
            said = Phrase("ground.dynamic", {"name": Term(dynamic.name, "dynamic")})
            found.append(_Ground(_POINTS[dynamic.polarity], said, (dynamic.fact_id,)))
    if domain in WHOLE and result.diagnosis is not None:
        sound = result.diagnosis.key == "sound" or bool(result.diagnosis.rescue)
        said = Phrase("ground.remedy" if sound else "ground.no_remedy", {})
        found.append(_Ground(1 if sound else -1, said, ("pat.diagnosis",)))
    return found


_POINTS = {"吉": 1, "凶": -1}


def _decade(draft: Draft, decades: Sequence[Decade], running: Running | None, score: str) -> None:
    """The running decade or the next one, where it helps or half of it is of use, and begins soon enough for what is asked;
    else how the running one goes."""
    year = running.year if running else 0
    horizon = year + (SOON if score in _SOON_OVER else LATER) if running else 9999
    # A decade in its last year is behind already.
    ahead = [
        decade
        for decade in decades
        if decade.time(running) in (NOW, COMING) and (decade.cycle.end_year or year + 1) > year
    ][:NEAR]
    ahead = [each for each in ahead if (each.cycle.start_year or 0) <= horizon]
    ahead = [
        each for each in ahead if each.time(running) == NOW or (each.cycle.start_age_full or 0) < LONG_LIFE
    ]
    good = (each for each in ahead if each.tone == "good" and each.brings not in (ILLNESS, BOTH))
    mixed = (each for each in ahead if each.tone == "mixed" and each.time(running) == COMING)
    best = next(chain(good, mixed), None)
    if best is None or best.cycle.start_year is None:
        now = next((each for each in decades if each.time(running) == NOW), None)
        if now is not None and now.cycle.start_at is not None and now.roles:
            draft.add(
                "answer.decade.running", now.fact_id, f"{now.fact_id}.age", *now.role_ids, "dy.start", "dy.now", weight=1,
                certainty=LEANING, pillar=sign(now.cycle.pillar), tone=Phrase(f"tone.{now.tone}", {}), **entry(now.cycle),
            )  # fmt: skip
        return
    own = best.fact_id
    key = "mixed" if best.tone == "mixed" else "now" if best.time(running) == NOW else ""
    draft.add(
        f"answer.decade.{key}".rstrip("."), own, f"{own}.age", *best.role_ids, "dy.start",
        weight=1, certainty=LEANING, pillar=sign(best.cycle.pillar), **entry(best.cycle),
    )  # fmt: skip


def _sure_of_chart(draft: Draft, result: PatternResult, is_said: bool = False) -> None:
    """How sure the answer is; what the years in sight said of it already `is_said`."""
    if draft.says("answer.decides") or (is_said and any(draft.says(key) for key in SURE)):
        return
    strength = result.strength
    if strength is None or result.special is not None:
        return
    certainty = strength.certainty
    if certainty == SETTLED or (result.pillars.hour is None and certainty != OPEN):
        return
    key = "answer.chart.open" if certainty == OPEN else f"answer.sure.{certainty}"
    draft.add(key, "str.certainty", weight=1, relation=DOUBT, certainty=certainty, required=certainty == OPEN)
