"""How a score comes about: what raised it and what lowered it, in words.

A score is 50 and the sum of its rows, so the rows are the explanation; here the largest of them are told. A fact may
state several rows of one score, as a ten god of stem and branch does, and is then told once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.relatives import ABSENT
from bazi_core.pattern.useful import ADVERSE, NEUTRAL, ROLE_FACTS, WANTED
from bazi_core.pattern.walk import HARD, walk
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, sign
from bazi_core.speech.statements.happenings import a_event
from bazi_core.speech.statements.timing import count
from bazi_core.speech.topic_filter import OF_PARTNER, sides_told, spares_partners
from bazi_core.views.resolution import HOLDS, TURNED
from bazi_core.year.rules import DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation
    from bazi_core.year.context import Completed
    from bazi_core.year.points import Carrier
    from bazi_core.year.result import YearResult

ROWS = 2
# So far a total must stand from the nearest side of life to be explained; the halves that are rounded carry no further.
APART, FAR, _EVEN = 3, 6, 50


def made(draft: Draft, year: YearResult) -> None:
    """What the signs of the year and of the luck are to the chart; at length how the overall score adds up and, where it
    stands above or below every side of life, why. Without roles only events add."""
    judged = bool(year.pattern.useful.order)
    seats = (("year", "made.year"), ("luck", f"made.{'minor' if year.main.minor else 'luck'}"))
    for seat_of, key in seats if judged else (("year", "carriers.gods"),):
        told = [_carried(year, carrier) for carrier in year.carriers if carrier.seat == seat_of]
        if told:
            ids = (name for _, names in told for name in names)
            draft.add(key, *ids, kind="fact", rows=Clauses(tuple(said for said, _ in told)))
    found = moves(year, OVERALL, dynamics=True)
    if found:
        rows = [_made_row(year, row, draft.left_out) for row in _in_order(found)]
        draft.add(
            "made.total", f"yr.{year.target_year}.score.overall", *(row.fact for row in found), weight=3, kind="fact",
            score=count("points", year.scores.overall), rows=rows,
        )  # fmt: skip
    _apart(draft, year, found)


def _in_order(found: Sequence[Move]) -> list[Move]:
    """What the signs of year and luck add, then the events."""
    return sorted(found, key=lambda each: each.is_event)


def _apart(draft: Draft, year: YearResult, found: Sequence[Move]) -> None:
    """Why the overall score stands above or below all sides of life that are told: what moves it more than it moves them."""
    told = [each for each in DOMAINS if each not in draft.left_out and each in sides_told(year.age.nominal)]
    scores, whole = [year.scores.of(each) for each in told], year.scores.overall
    way = 1 if whole - max(scores) >= APART else -1 if min(scores) - whole >= APART else 0
    of_sides = [{each.fact: each.points for each in moves(year, side, dynamics=True)} for side in told]
    # What moves one side as far is no reason.
    more = {
        each: min(way * (each.points - side.get(each.fact, 0)) for side in of_sides)
        for each in found
        if not is_spared(year, each, draft.left_out)
    }
    causes = sorted((each for each in more if more[each] > 0), key=lambda each: -more[each])[:ROWS]
    if not way or not causes:
        return
    carriers = {carrier.name: carrier for carrier in year.carriers}
    roles = [carriers[each.rule].role_id for each in causes if each.rule in carriers]
    ids = (f"yr.{year.target_year}.score.{each}" for each in (OVERALL, *told))
    low, high = (count("points", each) for each in (min(scores), max(scores)))
    # Whoever sees a total on the other side of even, or far from all sides of life, asks why.
    nearest = max(scores) if way > 0 else min(scores)
    draft.add(
        f"made.{'above' if way > 0 else 'below'}", *ids, *(each.fact for each in causes), *roles,
        weight=2 if abs(whole - nearest) >= FAR or (whole - _EVEN) * (nearest - _EVEN) < 0 else 3, kind="fact",
        sides=low if low == high else Phrase("made.sides", {"low": min(scores), "high": max(scores)}),
        causes=[_cause(year, each, carriers.get(each.rule)) for each in causes],
    )  # fmt: skip


def _cause(year: YearResult, found: Move, carrier: Carrier | None) -> Any:
    """What moves a score by its name alone: a place of luck or year, an event, or what the year does to ten gods."""
    if carrier is not None:
        return seat(carrier)
    event = next(each for each in year.events if each.id == found.fact)
    return Term(event.name, "dynamic") if event.is_dynamic else a_event(event.name)


def _carried(year: YearResult, carrier: Carrier) -> tuple[Phrase, list[str]]:
    """A carrier with its ten god in the year, its role, and what takes from either; and its facts."""
    values: dict[str, Any] = {"where": seat(carrier)}
    ids = []
    if carrier.seat == "year":
        god = getattr(year.flow.marks, f"ten_god_{carrier.part}").value
        values["god"] = Term(god, "ten_god")
        ids.append(f"ln.{year.target_year}.tg.{carrier.part}")
    if year.pattern.useful.order:
        ids.append(carrier.role_id)
        values["role"] = Term(carrier.role, "role")
    named = (each for each in ("god", "role") if each in values)
    said, more = _qualified(year, carrier, Phrase(".".join(("made", *named)), values))
    return said, [*ids, *more]


def _qualified(year: YearResult, carrier: Carrier, what: Phrase) -> tuple[Phrase, list[str]]:
    """What a carrier brings with what takes it away: a group that draws the branch over, or a stem of the chart that binds
    the stem (贪合忘克); and the facts of that."""
    if group := gathered(year, carrier):
        assert group.element is not None
        role = year.natal.role(group.element)
        into = Phrase(f"brought.{role}", {"element": Term(group.element.value, "element")})
        told = Phrase("brought.gathered", {"what": what, "group": Term(group.type, "relation"), "into": into})
        return told, [*group.evidence, ROLE_FACTS[role]]
    if bond := binding(year, carrier):
        by = {"luck": ".luck", "liunian": ".year"}.get(_partner(carrier, bond), "")
        return Phrase(f"brought.bound{by}", {"what": what}), [f"ln.{year.target_year}.{bond.id}"]
    return what, []


_POSITIONS = {"year": "liunian", "luck": "luck"}


def _partner(carrier: Carrier, bond: Relation) -> str:
    """Where the stem stands that ties up a carrier."""
    return next(where for where, _ in bond.members if where != _POSITIONS[carrier.seat])


def binding(year: YearResult, carrier: Carrier) -> Relation | None:
    """The 干合 by which a stem of the chart, of the luck or of the year ties up the stem of year or luck without turning
    into another element; that with the day master takes nothing away (本身之合: 《子平真诠·论十干合而不合》)."""
    if carrier.part != "stem" or carrier.place not in _POSITIONS.values():
        return None
    own = (_POSITIONS[carrier.seat], carrier.sign.value)
    return next(
        (
            each
            for each in year.relations
            if each.type == "干合" and own in each.members and each.hua_status != TURNED and each.status == HOLDS
            and "day" not in dict(each.members)
        ),
        None,
    )  # fmt: skip


def _points(points: int) -> Phrase:
    """What something adds, in words."""
    return Phrase("plus" if points > 0 else "minus", {"points": count("points", abs(points))})


def _made_row(year: YearResult, found: Move, left_out: frozenset[str]) -> Phrase:
    """What a sign or an event adds to the overall score; of what ten gods do to each other with what becomes of it, of an
    event that is not told of without its name."""
    move = {"move": _points(found.points)}
    if not found.is_event:
        carrier = next(each for each in year.carriers if each.name == found.rule)
        return Phrase("made.carrier", move | {"where": seat(carrier)})
    if is_spared(year, found, left_out):
        return Phrase("made.unnamed", move)
    event = next(each for each in year.events if each.id == found.fact)
    if event.is_dynamic:
        return Phrase(f"made.event.{event.ties[0]}", move | {"event": Term(event.name, "dynamic")})
    return Phrase("made.event", move | {"event": Term(event.name, "event")})


class Move(NamedTuple):
    """What one fact adds to one score: a ten god of stem and branch, or an event, may do so in several rows."""

    points: int
    rule: str
    fact: str
    parts: tuple[str, ...]

    @property
    def is_event(self) -> bool:
        return self.rule.startswith("E-")

    @property
    def is_own(self) -> bool:
        """Whether it is of one side of life, unlike the role of a carrier."""
        return self.is_event or self.rule.startswith("theme-")


def moves(year: YearResult, domain: str, dynamics: bool = False) -> list[Move]:
    """What moved a score, the largest first; `dynamics`, which have sentences of their own, only on demand."""
    found: dict[str, Move] = {}
    dynamic = {event.id for event in year.events if event.is_dynamic and not dynamics}
    for each in year.scores.contributions:
        if each.domain == domain and not dynamic.intersection(each.evidence):
            fact, part = each.evidence[0], each.rule.removeprefix("theme-")
            old = found.get(fact, Move(0, each.rule, fact, ()))
            found[fact] = old._replace(points=old.points + each.points, parts=(*old.parts, part))
    return sorted((each for each in found.values() if each.points), key=lambda each: -abs(each.points))


def is_hard_luck(year: YearResult) -> bool:
    """Whether the decade brings nothing that is wanted and something that is not, as the walk through the decades has it."""
    cycle = year.main.cycle
    return cycle is not None and walk(year.pattern)[cycle.index].tone == HARD


def is_spared(year: YearResult, found: Move, left_out: frozenset[str]) -> bool:
    """Whether a move is an event that is not told."""
    names = (event.name for event in year.events if event.id == found.fact)
    return spares_partners(year, left_out) and any(OF_PARTNER in name for name in names)


def told_rows(year: YearResult, found: Sequence[Move]) -> tuple[Clauses, tuple[str, ...]]:
    """What moves a score as an answer tells it, in plain clauses, and its facts: the events, then what the year brings and
    what the decade brings, by ten gods and by elements and what they are to oneself. The signs are named below it; what one
    sign of the year is by its ten god and by its role is one reason."""
    carriers = {carrier.name: carrier for carrier in year.carriers}
    # What a group draws away is a reason only where there is no other.
    found = [each for each in found if not _is_drawn(year, carriers.get(each.rule))] or found
    borne = [carriers[each.rule] for each in found if each.rule in carriers]
    gods = {
        part: _god(year, each) for each in found if each.is_own and not each.is_event for part in each.parts
    }
    brought: dict[str, list[Phrase | Term]] = {"liunian": []}
    grouped: list[str] = []
    for carrier in borne:
        what = Phrase(f"brought.{carrier.role}", {"element": Term(carrier.sign.element.value, "element")})
        if carrier.place == "liunian" and carrier.part in gods:
            what = Phrase("brought.god", {"god": gods.pop(carrier.part), "what": what})
        if carrier.is_clashed and carrier.role in WANTED:
            what = Phrase("brought.clashed", {"what": what})
        else:
            what, more = _qualified(year, carrier, what)
            grouped += more
        told = brought.setdefault(carrier.place, [])
        told += [] if what in told else [what]
    for god in gods.values():
        brought["liunian"] += [] if god in brought["liunian"] else [god]
    events = [a_event(_event(year, each).hanzi) for each in found if each.is_event]
    clauses = _brought(events, {place: what for place, what in brought.items() if what})
    facts = [each.fact for each in found]
    facts += [name for each in borne for name in (each.role_id, ROLE_FACTS[each.role])]
    facts += grouped
    facts += [carriers["year-branch"].role_id] * any(each.is_clashed for each in borne)
    return Clauses(tuple(clauses)), tuple(facts)


def _brought(events: list[Phrase], brought: dict[str, list[Phrase | Term]]) -> list[Phrase]:
    """What year and decade bring, in clauses; what both bring is said once."""
    year, luck = brought.get("liunian"), brought.get("luck")
    if year is not None and year == luck:
        first = [Phrase("brings.events", {"events": events})] if events else []
        return [*first, Phrase("brings.both", {"what": year})]
    if not events:
        return [Phrase(f"brings.{place}", {"what": what}) for place, what in brought.items()]
    key = "brings.events.and" if year else "brings.events"
    own = Phrase(key, {"events": events, "what": year} if year else {"events": events})
    rest = [
        Phrase(f"brings.{place}", {"what": what}) for place, what in brought.items() if place != "liunian"
    ]
    return [own, *rest]


def _is_drawn(year: YearResult, carrier: Carrier | None) -> bool:
    """Whether a carrier is wanted and a group draws it away."""
    return carrier is not None and carrier.role in WANTED and gathered(year, carrier) is not None


def gathered(year: YearResult, carrier: Carrier) -> Completed | None:
    """The 三合 or 三会 of this year that draws a branch of luck or year away from its side (《子平真诠·论行运》)."""
    if not carrier.role:
        return None
    position = "liunian" if carrier.seat == "year" else carrier.seat
    sides = (WANTED, ADVERSE, (NEUTRAL,))
    own = next(each for each in sides if carrier.role in each)
    return next(
        (
            each
            for each in year.completed
            if each.element is not None
            and (position, carrier.sign.value) in each.members
            and year.natal.role(each.element) not in own
        ),
        None,
    )


def told_events(year: YearResult, found: Sequence[Move]) -> tuple[Clauses, tuple[str, ...]]:
    """Events that move a score as clauses, with their points, and their facts."""
    said = (
        Phrase("row.event", {"event": _event(year, each), "move": _points(each.points)}) for each in found
    )
    return Clauses(tuple(said)), tuple(each.fact for each in found)


def _event(year: YearResult, found: Move) -> Term:
    return Term(next(event.name for event in year.events if event.id == found.fact), "event")


def _god(year: YearResult, found: Move) -> Phrase | Term:
    """The ten god that a theme of the year brings, said to be the star of a partner where it acts as that."""
    god = Term(getattr(year.flow.marks, f"ten_god_{found.parts[0]}").value, "ten_god")
    themes = {theme.fact_id(f"yr.{year.target_year}"): theme.key for theme in year.themes}
    is_star = themes.get(found.fact) in _OF_SPOUSE and not beside_star(year, god.hanzi)
    return Phrase("brought.star", {"god": god}) if is_star else god


def beside_star(year: YearResult, god: str) -> bool:
    """Whether a ten god is the twin of the star of the partner, which stands in the chart itself: 偏财 beside a 正财."""
    star = next((each for each in year.pattern.relatives if each.relative == "spouse"), None)
    return star is not None and star.state != ABSENT and god != star.star


# Themes that a ten god brings as the star of the spouse.
_OF_SPOUSE = ("closeness", "distance")


def seat(carrier: Carrier) -> At:
    """The place of a carrier, with what stands there."""
    where = "xiaoyun" if carrier.place == "minor" else carrier.place
    return At(f"{where}.{carrier.part}", sign(carrier.sign, plain=True))
