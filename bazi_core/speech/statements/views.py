"""What the chart turns on, what its ten gods do to each other, and how sure all of this is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import TEN_GODS
from bazi_core.pattern.dynamic_rules import PLAIN, dynamic_rules
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.obstacles import AGAINST as ON_ILLNESS
from bazi_core.pattern.roles import AGAINST_WEAK
from bazi_core.pattern.useful import ADVERSE, NEUTRAL, ROLE_FACTS
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, catalogue, sign
from bazi_core.speech.plan import AGAINST, DOUBT, FOR, LEANING, NEITHER, OPEN
from bazi_core.speech.statements.hours import UNSETTLED
from bazi_core.speech.statements.nouns import LIGHT, element, pillars_read, seats, share, share_ids
from bazi_core.structures.classes import CLASSES, element_of
from bazi_core.views.strength import class_of

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.pattern.diagnosis import Diagnosis
    from bazi_core.pattern.dynamic_rules import DynamicRule
    from bazi_core.pattern.dynamics import Dynamic, Seat
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

# Side of life → the topic of a reading that tells it.
TOPICS = {
    "career": "career", "wealth": "wealth", "relationship": "relationship", "family": "family", "study": "study",
    "health_balance": "health_balance",
}  # fmt: skip
BROKEN = "败格"
# Rows of the diagnosis in which it is the useful god that ails, and the illness, the heaviest of what is not wanted, may be
# light, or what the useful god drains.
_OF_HEAVIEST = ("absent", "rootless", "hidden", "season")
_SIDES = {"吉": FOR, "凶": AGAINST}


def diagnosis(draft: Draft, result: PatternResult) -> None:
    """The one thing on which the chart turns: the illness, why it is one, and the remedy with its seat."""
    found = result.diagnosis
    # What few of the possible hours agree on is no ground for what the whole chart turns on.
    if found is None or draft.says(*UNSETTLED):
        return
    use: dict[str, Any] = {"use": element(found.useful), "use_word": Term("用神", "role")}
    if found.illness is None or found.remedy is None:
        broken = result.standing is not None and result.standing.status == BROKEN
        harmed = next(filter(lambda each: _harms(result, each), result.dynamics), None)
        key = (
            "diagnosis.sound.broken" if broken else "diagnosis.sound.harmed" if harmed else "diagnosis.sound"
        )
        if key == "diagnosis.sound" and result.special is not None and not result.special.genuine:
            key = "diagnosis.sound.apparent"
        ids, by = ((harmed.fact_id,), Term(harmed.name, "dynamic")) if harmed and not broken else ((), None)
        draft.add(
            key, "pat.diagnosis", *ids, weight=1, required=True, seat=at(found.pivot.seat), by=by, **use
        )
        return
    ill, inside = found.illness, seats(result.pillars, found.useful)
    if found.key == "season":
        state = result.elements.state[found.useful.index]
        use |= {"month": sign(result.pillars.month.branch), "state": Term(state, "season_state")}
    if found.key == "bound" and found.obstacle is not None:
        _, use["own"], use["partner"] = found.obstacle.values
    kind = _kind(result, found, ill)
    hidden = inside.evidence if found.key == "hidden" else ()
    spent = ("str.verdict",) if kind.isdigit() else ()
    draft.add(
        ".".join(filter(None, ("diagnosis", found.key, kind))), "pat.diagnosis", *share_ids(ill), *hidden, *spent, weight=1,
        required=True,
        certainty=LEANING, chart=pillars_read(result.pillars), illness=_of(result, ill), share=share(result, ill),
        places=inside.branches, **use,
    )  # fmt: skip
    _remedy(draft, result, found, ill, found.remedy)
    if found.roles[1] == NEUTRAL:
        acted_on = ill if found.cure in ON_ILLNESS else found.useful
        draft.add(
            "remedy.idle", "pat.diagnosis", "yong.neutral", weight=1.5, certainty=LEANING, element=element(found.remedy),
            role=Term(NEUTRAL, "role"), how=Phrase(f"remedy.by.{found.cure}", {"element": element(acted_on)}),
        )  # fmt: skip


def _kind(result: PatternResult, found: Diagnosis, illness: Element) -> str:
    """Which words fit an illness: one that the useful god drains is not against it; what stands against it is not told as
    weighty where it is light; what spends a weak day master harms that."""
    if found.key in _OF_HEAVIEST:
        if illness.generates is found.useful:
            return "feeds"
        return "light" if result.elements.seasonal[illness.index] < LIGHT and found.key != "absent" else ""
    if found.key not in ("burden", "heavy") or result.special is not None or result.strength is None:
        return ""
    k = class_of(result.pillars.day.stem, illness)
    if illness.controls is not found.useful and k in AGAINST_WEAK and not result.strength.is_strong:
        return str(k)
    return "feeds" if illness.generates is found.useful else ""


def _harms(result: PatternResult, found: Dynamic) -> bool:
    """Whether a dynamic that stands does harm to the useful god."""
    use = class_of(result.pillars.day.stem, result.useful.order[0])
    return (
        found.state == STANDS
        and found.polarity == "凶"
        and (_rule(found.name).bears_on == use or use in found.barred)
    )


def _remedy(draft: Draft, result: PatternResult, found: Diagnosis, illness: Element, remedy: Element) -> None:
    """What answers the illness and how, and where the chart has it."""
    acted_on = illness if found.cure in ON_ILLNESS else found.useful
    values: dict[str, Any] = {
        "remedy": _of(result, remedy), "how": Phrase(f"remedy.by.{found.cure}", {"element": element(acted_on)}),
    }  # fmt: skip
    if found.rescue:
        own = "remedy.self.season" if found.key == "season" else "remedy.self"
        shares = result.elements.seasonal
        is_light = 2 * shares[remedy.index] < shares[illness.index] and shares[remedy.index] < LIGHT
        here = "remedy.here.light" if is_light else "remedy.here"
        key = own if remedy is found.useful else here
        places = [at(each) for each in found.rescue]
        draft.add(
            key, "pat.diagnosis", *share_ids(remedy), weight=1, certainty=LEANING, side=FOR, places=places,
            remedy_share=share(result, remedy), **values,
        )  # fmt: skip
        return
    taken = [each for each in _all_seats(result, remedy) if each not in found.rescue]
    if taken:
        draft.add(
            "remedy.taken", "pat.diagnosis", *(each.leaf_id for each in taken), weight=1, certainty=LEANING, side=AGAINST,
            places=[at(each) for each in taken], **values,
        )  # fmt: skip
        return
    hidden = seats(result.pillars, remedy)
    if hidden.branches:
        draft.add(
            "remedy.hidden", "pat.diagnosis", *hidden.evidence, weight=1, certainty=LEANING, places=hidden.branches, **values
        )  # fmt: skip
    else:
        draft.add(
            "remedy.luck", "pat.diagnosis", weight=1, certainty=LEANING, side=AGAINST, chart=pillars_read(result.pillars),
            **values,
        )  # fmt: skip


def _all_seats(result: PatternResult, element: Element) -> list[Seat]:
    """The stems of an element and the branches whose main qi it is, bound or drawn off as they may be."""
    assert result.company is not None
    return [seat for seat in (*result.company.stems, *result.company.mains) if seat.stem.element is element]


def _of(result: PatternResult, found: Element) -> Phrase:
    """An element with the class of ten gods that it is to the day master."""
    name = CLASSES[class_of(result.pillars.day.stem, found)]
    return Phrase("diagnosis.of", {"class": Term(name, "ten_god_class"), "element": element(found)})


def at(seat: Seat) -> At:
    return At(f"{seat.position}.{seat.part}", sign(seat.sign))


def dynamics(draft: Draft, result: PatternResult) -> None:
    """What ten gods do to each other, each under the side of life that it speaks of first; those that are one thing by two
    names, as 食神生财 beside 伤官生财, in one sentence."""
    told: dict[object, list[Dynamic]] = {}
    for dynamic in result.dynamics:
        rule = _rule(dynamic.name)
        alike = dynamic.state == STANDS and not dynamic.barred and rule.bears_on is not None
        told.setdefault(
            (rule.bears_on, dynamic.domains[0], dynamic.direction) if alike else dynamic.name, []
        ).append(dynamic)
    for same in told.values():
        draft.topic(TOPICS[same[0].domains[0]])
        _dynamic(draft, result, same)


def _rule(name: str) -> DynamicRule:
    return next(rule for rule in dynamic_rules() if rule.name == name)


def _dynamic(draft: Draft, result: PatternResult, same: list[Dynamic]) -> None:
    """A dynamic, or several alike, as it bears on this chart: no god is praised that the chart does not want."""
    found = same[0]
    members = dict.fromkeys(seat for each in same for seat in each.members)
    names, places = [Term(each.name, "dynamic") for each in same], [at(member) for member in members]
    if found.state == STANDS and found.barred:
        barred(draft, result, found)
    elif found.state == STANDS:
        sense, ids = sense_of(result, found.name)
        draft.add(
            "dyn.stands" if places else "dyn.stands.bare", *(each.fact_id for each in same), *ids, certainty=LEANING,
            side=_SIDES[found.polarity], name=names, places=places, sense=sense,
        )  # fmt: skip
    elif not found.barred:
        key = "dyn.undone.good" if found.direction == "吉" else "dyn.undone.bad"
        why = tuple(
            Phrase("dyn.by.day", {"day": sign(each.values[1])}) if each.key == "pillar.stem" else each
            for each in found.undoing
        )
        if why:
            draft.add(key, found.fact_id, certainty=LEANING, weight=3, name=names[0], why=Clauses(why))


def barred(draft: Draft, result: PatternResult, found: Dynamic) -> None:
    """What the book praises or fears and this chart does not: by the roles of the gods in it."""
    name, places = Term(found.name, "dynamic"), [at(member) for member in found.members]
    told, ids = [], ["p.day.stem"]
    for k in found.barred:
        seats_ = [member for member in found.members if member.god // 2 == k]
        own = element_of(result.pillars.day.stem, k)
        role = result.useful.role(own)
        gods = [Term(each, "ten_god") for each in dict.fromkeys(TEN_GODS[each.god].value for each in seats_)]
        told.append(Phrase("dyn.barred", {"gods": gods, "element": element(own), "role": Term(role, "role")}))
        ids += [ROLE_FACTS[role], *(each.fact_id for each in seats_)]
    key = "against" if found.polarity != PLAIN else "good" if found.direction == "吉" else "bad"
    draft.add(
        f"dyn.barred.{key}", found.fact_id, *ids, certainty=LEANING, weight=2 if key == "against" else 3,
        side=AGAINST if key == "against" else NEITHER, name=name, places=places, barred=Clauses(tuple(told)),
    )  # fmt: skip


def sense_of(result: PatternResult, name: str) -> tuple[Phrase, tuple[str, ...]]:
    """What a dynamic means for a life, and the facts that decide between two senses: a god that is not wanted but turned
    to use is not praised for itself."""
    rule = _rule(name)
    if rule.turns is not None:
        role = result.useful.role(element_of(result.pillars.day.stem, rule.turns))
        if role in ADVERSE:
            return Phrase(f"dyn.sense.{name}.turned", {}), (ROLE_FACTS[role],)
    # Talent is not what others see first where the same element is told to stay inside.
    held, told = result.diagnosis, f"dyn.sense.{name}.hidden"
    own = None if rule.bears_on is None else element_of(result.pillars.day.stem, rule.bears_on)
    if held is not None and held.key == "hidden" and held.useful is own and told in catalogue():
        return Phrase(told, {}), ("pat.diagnosis",)
    return Phrase(f"dyn.sense.{name}", {}), ()


def doubts(draft: Draft, result: PatternResult) -> None:
    """What the two readings of a strength that could be either have in common."""
    for other in result.alternatives:
        shared = [god for god in result.useful_gods if god in other.useful_gods]
        ids = ["alt.yong.primary", "alt.yong.secondary", "yong.primary", "yong.secondary"]
        if shared:
            draft.add(
                "doubt.shared", *ids, weight=1, relation=DOUBT, certainty=OPEN, shared=[element(each) for each in shared]
            )  # fmt: skip
        else:
            draft.add("doubt.apart", *ids, weight=1, relation=DOUBT, certainty=OPEN)
