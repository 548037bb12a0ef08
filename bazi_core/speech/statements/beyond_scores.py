"""Questions that a score alone does not answer: oneself, the balance of the body, a partner in business, moving, a
direction, a field of work, 太岁, and what is left to an adviser.

Each is told by what tradition looks at: the shares of the elements (the parts of the body that go with them are those of
《黄帝内经·素问·阴阳应象大论》), 比劫 for those who share a business (《子平真诠·论宫分用神配六亲》), 驿马 and clashes for
moving, the quarter and the trades of the useful element for a direction and a field of work.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import ELEMENTS
from bazi_core.errors import BaziError
from bazi_core.luck.meeting import meeting_facts, meeting_id
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.pattern.walk import meets, tie_facts, tie_id, walk, walk_facts
from bazi_core.questions.marks import OPERATION
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import LEANING, OPEN
from bazi_core.speech.statements.asked import (
    ABROAD,
    BAD,
    COLOUR,
    DEBT,
    GOOD,
    HOME,
    MIXED,
    MOVE,
    NUMBERS,
    OF_PURCHASE,
    PLACES,
    SIDES,
    STAKE,
    STAY_OR_GO,
    verdict,
)
from bazi_core.speech.statements.happenings import a_event
from bazi_core.speech.statements.nouns import element, pillars_read, share, share_ids
from bazi_core.speech.statements.timing import count
from bazi_core.speech.statements.why_and_how import decides, differing, readings_told
from bazi_core.structures.classes import PEER, element_of
from bazi_core.views.stars import stars_met
from bazi_core.year.rules import graded
from bazi_core.year.span import side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Branch
    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult

# Events of a year by which one is set in motion: its branch clashes that of the year, of the month, of the luck.
MOVES = ("E-05", "E-12", "E-24")
# Events of a year that are called offending 太岁.
OFFENDS = ("E-04", "E-05", "E-06", "E-07", "E-08")
HORSE = "驿马"
AHEAD = 5  # so many years ahead are looked at for a move


def body(draft: Draft, result: PatternResult) -> None:
    """Which element weighs most and which least, and what goes with them in the body; what it is not."""
    order = sorted(ELEMENTS, key=lambda each: -result.elements.seasonal[each.index])
    most, least = order[0], order[-1]
    draft.add(
        "answer.body", *share_ids(most, least), weight=1, certainty=LEANING, required=True,
        most=element(most), least=element(least), much=share(result, most), little=share(result, least),
        of_most=Phrase(f"body.{most}", {}), of_least=Phrase(f"body.{least}", {}),
    )  # fmt: skip


def partnership(draft: Draft, result: PatternResult) -> None:
    """What 比劫, those who share, are to the chart."""
    if not result.useful.order:
        return
    own = element_of(result.pillars.day.stem, PEER)
    role = result.useful.role(own)
    told = GOOD if role in WANTED else BAD if role in ADVERSE else MIXED
    draft.add(
        f"answer.partnership.{told}", ROLE_FACTS[role], "p.day.stem", weight=1, certainty=LEANING, required=True,
        side=SIDES[told], peers=Term("比劫", "ten_god_class"), element=element(own), role=Term(role, "role"),
    )  # fmt: skip


class _Push(NamedTuple):
    """What in the running decade sets in motion: its words as values of a sentence, and the facts."""

    values: dict[str, Any]
    evidence: tuple[str, ...]


def _push(draft: Draft, result: PatternResult, luck: Decade | None) -> _Push | None:
    """Whether the branch of a decade is 驿马 of the chart or clashes with a branch of it (《三命通会·论驿马》)."""
    if luck is None or luck.cycle.end_year is None:
        return None
    own, pillar, school = luck.fact_id, luck.cycle.pillar, result.school
    gender = result.chart.birth.gender if result.chart.birth else None
    hits = [each for each in stars_met(result.pillars, pillar, gender, school, "luck") if each.name == HORSE]
    clashes = [each for each in meets(result, luck).held if each.type == "六冲"]
    if not hits and not clashes:
        return None
    met = (*walk_facts((luck,)), *meeting_facts(hits, own, "luck", pillar.value), *tie_facts(luck, clashes))
    draft.learn(fact for fact in met if fact.id not in draft.facts)
    places = [At(f"{where}.branch") for each in clashes for where, _ in each.members if where != "luck"]
    key = "both" if hits and clashes else "horse" if hits else "clash"
    why = Phrase(
        f"move.luck.{key}", {"branch": sign(pillar.branch), "star": Term(HORSE, "star"), "places": places}
    )
    ids = (*(meeting_id(own, HORSE) for _ in hits), *(tie_id(luck, each) for each in clashes))
    return _Push(
        {"pillar": sign(pillar), "until": luck.cycle.end_year + 1, "why": why},
        (own, f"{own}.age", f"{own}.tg.branch", *ids),
    )


def moving_in_year(draft: Draft, year: YearResult) -> None:
    """Whether the year sets in motion, or the decade that runs in it, and how it goes on the whole."""
    found = [event for event in year.events if event.rule in MOVES]
    told = verdict(year.scores.overall)
    values: dict[str, Any] = {"events": [a_event(event.name) for event in found]} if found else {}
    cycle = year.main.cycle
    push = None if found or cycle is None else _push(draft, year.pattern, walk(year.pattern)[cycle.index])
    if push is not None:
        values |= push.values
    sense = "fair" if told == GOOD and graded("whether", year.scores.overall) != "yes" else told
    draft.add(
        f"answer.move.{'stirred' if found else 'quiet.luck' if push else 'quiet'}", f"yr.{year.target_year}.score.overall",
        *(event.id for event in found), *(push.evidence if push else ()), weight=1, certainty=LEANING, required=True,
        side=SIDES[told], year=year.target_year, score=count("points", year.scores.overall),
        sense=Phrase(f"move.{sense}", {}), **values,
    )  # fmt: skip


def moving_in_chart(
    draft: Draft, result: PatternResult, matter: str = "", luck: Decade | None = None
) -> None:
    """Whether the chart has 驿马, the star of being on the way, and where, and whether the running decade (`luck`) sets in
    motion; where it is asked whether to stay or to go, to which side that leans, and of two places what can be told."""
    push = _push(draft, result, luck)
    _horse(draft, result, push)
    if matter in (STAY_OR_GO, MOVE, ABROAD):
        lean = "go" if draft.says("answer.move.horse") else "luck" if push else "stay"
        draft.add(
            f"answer.stay.chart.{lean}", "yong.primary", *(push.evidence if push else ()), weight=1, certainty=LEANING,
            required=True,
        )  # fmt: skip
    elif matter == PLACES:
        of_useful(draft, result, PLACES)


def _horse(draft: Draft, result: PatternResult, push: _Push | None) -> None:
    found = next((hit for hit in result.chart.stars if hit.name == HORSE), None)
    if found is None:
        draft.add(
            f"answer.move.settled{'.luck' if push else ''}", "yong.primary", *(push.evidence if push else ()), weight=1,
            certainty=LEANING, required=True, chart=pillars_read(result.pillars), **(push.values if push else {}),
        )  # fmt: skip
        return
    draft.add(
        "answer.move.horse", *(f"star.{HORSE}.{where}" for where in found.positions), weight=1, certainty=LEANING,
        required=True, star=Term(HORSE, "star"), places=[At(f"{where}.pillar") for where in found.positions],
    )  # fmt: skip
    if push is not None:
        draft.add("answer.move.luck", *push.evidence, weight=1, certainty=LEANING, **push.values)


def moving_ahead(draft: Draft, result: PatternResult, running: Running) -> None:
    """Which of the next years set in motion, where their dates are known."""
    with suppress(BaziError):
        span = side_by_side(result, running.year + 1, running.year + AHEAD)
        draft.learn(fact for fact in span.all_facts.values() if fact.id not in draft.facts)
        moving_in_years(draft, span.years)


def moving_in_years(draft: Draft, years: Sequence[YearResult]) -> None:
    """Which of these years set in motion."""
    found = {year: [event for event in year.events if event.rule in MOVES] for year in years}
    stirred = [year for year, events in found.items() if events]
    ids = (event.id for events in found.values() for event in events)
    values: dict[str, Any] = {"years": [str(year.target_year) for year in stirred]} if stirred else {}
    draft.add(
        f"answer.move.years{'' if stirred else '.quiet'}", *(f"ln.{year.target_year}" for year in years), *ids, weight=1,
        certainty=LEANING, required=True, first=years[0].target_year, last=years[-1].target_year, **values,
    )  # fmt: skip


def tai_sui(draft: Draft, year: YearResult) -> None:
    """Whether the branch of the year is that of the birth year or offends it."""
    found = [event for event in year.events if event.rule in OFFENDS]
    values: dict[str, Any] = {"events": [a_event(event.name) for event in found]} if found else {}
    is_own = year.pillar.branch is year.pattern.pillars.year.branch
    draft.add(
        f"answer.tai_sui.{'own' if found and is_own else 'met' if found else 'clear'}", f"ln.{year.target_year}",
        f"ln.{year.target_year}.tg.branch", "p.year.branch",
        *(event.id for event in found), weight=1, kind="fact", required=True, year=year.target_year,
        branch=sign(year.pillar.branch), own=sign(year.pattern.pillars.year.branch),
        animal=_animal(year.pillar.branch), of_birth=_animal(year.pattern.pillars.year.branch), **values,
    )  # fmt: skip


def _animal(branch: Branch) -> Term:
    return Term(branch.zodiac.value, "zodiac")


def of_useful(draft: Draft, result: PatternResult, what: str) -> None:
    """What goes with the useful element: its "direction", a quarter of the sky, its "trade", fields of work and study, its
    "colour", or its "numbers" (河图: 天一生水，地六成之); of two "places" the quarter, of a name the element alone."""
    slot = _OF_USE.get(what)
    if _of_both_readings(draft, result, what, slot):
        return
    use = result.useful.order[0]
    values: dict[str, Any] = {slot: Phrase(f"{slot}.{use}", {})} if slot else {}
    draft.add(
        f"answer.{what}", "yong.primary", weight=1, certainty=LEANING, required=True, use=element(use),
        use_word=Term("用神", "role"), **values,
    )  # fmt: skip


def _of_both_readings(draft: Draft, result: PatternResult, what: str, slot: str | None) -> bool:
    """Whether two readings of the strength want different elements; then what goes with both is told, and what decides."""
    other = differing(result)
    if other is None:
        return False
    own, second = result.useful.order[0], other.useful.order[0]
    values: dict[str, Any] = {
        f"{slot}{end}": Phrase(f"{slot}.{each}", {}) for end, each in (("", own), ("_two", second)) if slot
    }
    draft.add(
        f"answer.{what}.open", "yong.primary", "alt.yong.primary", "str.verdict", "alt.str.verdict", weight=1,
        certainty=OPEN, required=True, use=element(own), second=element(second), **readings_told(result, other), **values,
    )  # fmt: skip
    decides(draft, result)
    return True


# What is asked -> the slot of its sentence and the group of its words.
_OF_USE = {
    "direction": "quarter", "trade": "trade", COLOUR: "colours", NUMBERS: "numbers", PLACES: "quarter",
}  # fmt: skip


def oneself(draft: Draft, result: PatternResult) -> None:
    """The day master with its strength, what the chart needs, and the elements that weigh most and least."""
    order = sorted(ELEMENTS, key=lambda each: -result.elements.seasonal[each.index])
    most, least, strength = order[0], order[-1], result.strength
    level: dict[str, Any] = {}
    if strength is not None and result.special is None:
        level["level"] = Term(strength.level, "strength")
    named_: dict[str, Any] = {} if level else {"name": Term(result.name, "pattern")}
    draft.add(
        f"answer.self{'' if level else '.special'}", "p.day.stem", "yong.primary", "str.level" if level else "pat.main",
        *share_ids(most, least), weight=1, certainty=LEANING, required=True, day=sign(result.pillars.day.stem),
        use=element(result.useful.order[0]), most=element(most), least=element(least), much=share(result, most),
        little=share(result, least), **level, **named_,
    )  # fmt: skip


def left_to_adviser(
    draft: Draft, why: str, year: YearResult | None = None, kin: Phrase | None = None, matter: str = ""
) -> None:
    """That a side of life is left to somebody else, to whom and why; of money how the year goes on the whole. The health of
    somebody of one's `kin` is asked about with a wish. `matter` is the birth or the operation that is asked about."""
    key = f"answer.left_out.{why}" if why in _ADVISED else "answer.left_out"
    if why == "medical":
        key += ".kin" * (kin is not None) + _OF_DOCTOR.get(matter, "")
    who: dict[str, Any] = {} if kin is None or why != "medical" else {"who": kin}
    draft.add(key, weight=1, kind="transition", required=True, **who)
    if year is not None and why == "financial":
        told = verdict(year.scores.overall)
        draft.add(
            f"answer.left_out.whole.{told}", f"yr.{year.target_year}.score.overall", weight=1, certainty=LEANING,
            side=SIDES[told], year=year.target_year,
        )  # fmt: skip


def begetting(draft: Draft, asked: Asked) -> None:
    """That having a child is for a doctor, before what can be told of the side of children."""
    key = "answer.left_out.begetting"
    is_of_child = asked.domain == "children" or "children" in asked.also
    if is_of_child and asked.why == "medical" and not draft.says(key):
        draft.add(key, weight=1, kind="transition", required=True)


def of_purchase(draft: Draft, asked: Asked) -> None:
    """Of a home that is to be bought, of debts and of a loan, after the answer: that the decision is one of money, and who
    is to be asked."""
    is_home = asked.matter == HOME and asked.kind in OF_PURCHASE
    if asked.matter == STAKE and not draft.says("answer.caution.stake"):
        draft.add("answer.caution.stake", weight=1, kind="transition", required=True)
        draft.move_up("answer.caution.stake", 0)
        return
    key = "answer.caution.financial" if is_home else "answer.caution.debt"
    if (is_home or asked.matter == DEBT or asked.why == "financial") and not draft.says(key):
        draft.add(key, weight=1, kind="transition", required=True)


# What a doctor is to decide -> the end of the key of its sentence.
_OF_DOCTOR = {"begetting": ".birth", OPERATION: ".operation"}
_ADVISED = ("financial", "medical", "legal", "minor")
