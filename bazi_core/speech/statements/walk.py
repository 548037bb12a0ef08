"""The walk through 大运: what is past in a clause each, the decade that runs and the next in full, the rest in brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.pattern.walk import (
    BOTH,
    BREAKS,
    COMING,
    GOOD,
    HARD,
    ILLNESS,
    MIXED,
    NOW,
    PAST,
    REMEDY,
    meets,
    tie_facts,
    tie_id,
)
from bazi_core.speech.catalogue import At, Clauses, Nth, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, CONSEQUENCE, FOR, GROUND, LEANING, NEITHER
from bazi_core.speech.statements.hours import UNSETTLED
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.ties import bond, sense
from bazi_core.speech.statements.timing import day, start
from bazi_core.speech.topic_filter import is_child
from bazi_core.views.resolution import TURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Element
    from bazi_core.luck.decades import LuckCycle
    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation

MOST_TIES = 2
LONG_LIFE = 85  # the age (周岁) from which no decade is looked forward to
_WHICH = {"first": "next"}
_SIDES = {REMEDY: FOR, ILLNESS: AGAINST, BOTH: NEITHER}
_OTHERWISE = {REMEDY: (MIXED, HARD), ILLNESS: (MIXED, GOOD)}


def life(draft: Draft, result: PatternResult, decades: Sequence[Decade], running: Running | None) -> None:
    """All decades; without a date to stand on, the ten of them in brief."""
    luck = result.chart.luck
    if luck is None:
        return
    start(draft, luck)
    by_time: dict[str | None, list[Decade]] = {}
    for decade in decades:
        by_time.setdefault(decade.time(running), []).append(decade)
    if running is None or None in by_time:
        unsettled = draft.says(*UNSETTLED)
        _brief(draft, "walk.all.open" if unsettled else "walk.all", decades, 1, result.useful.order[:1])
        return
    _brief(draft, "walk.past", by_time.get(PAST, []), 2.5)
    coming = by_time.get(COMING, [])
    for each in by_time.get(NOW, []):
        _full(draft, result, each, "now", 1, running)
    if running.state == "before":
        first = decades[0].cycle
        draft.add(
            "walk.before",
            "dy.1",
            weight=1,
            kind="fact",
            pillar=sign(first.pillar),
            year=first.start_year,
        )
    # What the answer names is described, however far it is; else the next one, within the span of a life.
    answered = draft.cited("answer.decade", "answer.decade.mixed")
    later = [each for each in coming[1:] if each.fact_id in answered]
    for each in coming[:1]:
        is_named = each.fact_id in answered
        if is_named or (each.cycle.start_age_full or 0) < LONG_LIFE:
            when = "first" if running.state == "before" else "next"
            _full(draft, result, each, when, 1 if is_named else 1.5, running)
    for each in later:
        _full(draft, result, each, "named", 1, running)
    ahead = [
        each for each in coming[1:] if each not in later and (each.cycle.start_age_full or 0) < LONG_LIFE
    ]
    _brief(draft, "walk.later", ahead, 2.5)
    if running.state == "beyond":
        draft.add("walk.beyond", "dy.10", weight=1, kind="fact", pillar=sign(decades[-1].cycle.pillar))


def _brief(
    draft: Draft, key: str, decades: Sequence[Decade], weight: float, use: Sequence[Element] = ()
) -> None:
    """Decades in a clause each; without a settled useful god by which they are so."""
    if decades:
        ids = [name for decade in decades for name in (decade.fact_id, *decade.role_ids)]
        ids += ["yong.primary"] if use else []
        draft.add(
            key, *ids, weight=weight, certainty=LEANING, required=key.startswith("walk.all"),
            decades=Clauses(tuple(map(clause, decades))), use=[element(each) for each in use],
        )  # fmt: skip


def clause(decade: Decade) -> Phrase:
    """A decade with its years and its tone."""
    number, cycle = decade.cycle.index + 1, decade.cycle
    values = {
        "n": number,
        "nth": Nth(number),
        "pillar": sign(cycle.pillar),
        "tone": Phrase(f"tone.{decade.tone}", {}),
    }
    if cycle.start_year is None:
        return Phrase("walk.one.undated", values)
    return Phrase("walk.one", values | {"first": cycle.start_year, "last": cycle.end_year})


def _full(
    draft: Draft, result: PatternResult, decade: Decade, when: str, weight: float, running: Running
) -> None:
    """A decade with its ten gods, what it does to the diagnosis and what it meets in the chart."""
    cycle, own = decade.cycle, decade.fact_id
    dated = cycle.start_year is not None
    # An answer that names the decade has told its dates.
    told = draft.cites(f"{own}.age") and when in ("now", "next")
    ids = [
        own,
        f"{own}.tg.stem",
        f"{own}.tg.branch",
        *decade.role_ids,
        *([f"{own}.age", "dy.start"] if dated else []),
    ]
    ids += ["dy.now"] if when == "now" else []
    draft.add(
        f"walk.{when}{'.told' if told else '' if dated else '.undated'}", *ids, weight=weight, kind="fact",
        required=when == "now" or weight == 1, n=cycle.index + 1,
        nth=Nth(cycle.index + 1), pillar=sign(cycle.pillar), **entry(cycle),
        nominal=cycle.start_age_nominal, full=cycle.start_age_full, carriers=carriers(decade),
    )  # fmt: skip
    _concluded(draft, result, decade, when, weight, running)
    _meets(draft, result, decade, when, weight)


def _concluded(
    draft: Draft, result: PatternResult, decade: Decade, when: str, weight: float, running: Running
) -> None:
    """Whether a decade is good, mixed or hard on the whole, by what it does to the diagnosis, else by its roles; of the
    running one in every length."""
    own, found = decade.fact_id, result.diagnosis
    which = Phrase(f"which.{_WHICH.get(when, when)}", {"pillar": sign(decade.cycle.pillar)})
    values: dict[str, Any] = {"which": Phrase(f"which.whole.{decade.tone}", {"which": which})}
    if found is not None and found.illness and found.remedy and decade.brings is not None:
        # The half that is not of the diagnosis may be of the other side.
        mixed = ".mixed" if decade.tone in _OTHERWISE.get(decade.brings, ()) else ""
        young = ".young" if not mixed and decade.brings == ILLNESS and is_child(running) else ""
        if mixed and decade.brings == REMEDY:
            values |= _other_half(decade, found.remedy)
        draft.add(
            f"walk.brings.{decade.brings}{mixed}{young}", own, "pat.diagnosis", *decade.role_ids, weight=weight,
            required=when == "now", relation=CONSEQUENCE, certainty=LEANING, side=_SIDES[decade.brings],
            illness=element(found.illness), remedy=element(found.remedy), **values,
        )  # fmt: skip
    elif decade.roles:
        young = ".young" if decade.tone == HARD and is_child(running) else ""
        draft.add(
            f"walk.tone.{decade.tone}{young}", own, *decade.role_ids, weight=weight, required=when == "now",
            relation=CONSEQUENCE, certainty=LEANING, **values,
        )  # fmt: skip


def _other_half(decade: Decade, remedy: Element) -> dict[str, Any]:
    """What a decade brings beside the remedy that is not wanted, with its role."""
    pillar = decade.cycle.pillar
    gathers, leans = decade.gathers, decade.leans
    formed = gathers.element if gathers and gathers.element else pillar.branch.element
    brought = [(pillar.stem.element, decade.roles[0]), (formed, decade.gathered or decade.roles[1])]
    brought += [(leans.element, decade.leaning)] if leans and leans.element else []
    other, role = next(each for each in brought if each[1] in ADVERSE and each[0] is not remedy)
    return {"other": element(other), "role": Term(role, "role")}


def entry(cycle: LuckCycle) -> dict[str, Any]:
    """The day on which a decade begins and the year in which it ends, as values of a sentence."""
    if cycle.start_at is None or cycle.end_year is None:
        return {}
    return {"since": day(cycle.start_at), "until": cycle.end_year + 1}


def _meets(draft: Draft, result: PatternResult, decade: Decade, when: str, weight: float) -> None:
    """What a decade joins and what it breaks in the chart, each told; then a clash or punishment that a joining resolves."""
    found, own = meets(result, decade), decade.fact_id
    # The group with which the branch goes is told with its role.
    group = decade.gathers if decade.roles else None
    found = found._replace(
        held=tuple(
            each
            for each in found.held
            if group is None or (each.type, each.element) != (group.type, group.element)
        )
    )
    joins = [each for each in found.held if each.type not in BREAKS]
    breaks = [each for each in found.held if each.type in BREAKS]
    ties = sorted((*joins[:1], *breaks[:1]), key=lambda each: -each.strength)
    ties += [each for each in found.held if each not in ties][: MOST_TIES - len(ties)]
    eased = found.eased[:1]
    by_id = {each.id: each for each in found.every}
    resolving = {each.id: [by_id[name] for name in each.resolved_by[:1]] for each in eased}
    told = dict.fromkeys((*ties, *eased, *(each for by in resolving.values() for each in by)))
    draft.learn(tie_facts(decade, told))
    which = Phrase(f"which.{_WHICH.get(when, when)}", {"pillar": sign(decade.cycle.pillar)})
    weight = 1.5 if when == "now" else 2.5
    # What takes from the stem comes first, next to what the decade is on the whole.
    kinds = sorted(_by_type(ties), key=lambda same: not _bound(decade, same))
    for number, same in enumerate(kinds):
        first = kinds[0][0]
        against = number > 0 and not _bound(decade, kinds[0])
        against = against and (same[0].type in BREAKS) is not (first.type in BREAKS)
        said, ids = sense(same[0], result.useful)
        bound = _bound(decade, same)
        if bound:
            ids += decade.role_ids
        draft.add(
            f"walk.meets{bound or '.against' * against}", own, *(tie_id(decade, each) for each in same), *ids,
            weight=weight, relation=GROUND, certainty=LEANING, which=which, bond=Clauses(tuple(map(bond, same))),
            sense=said,
        )  # fmt: skip
    for each in eased:
        others = resolving[each.id]
        draft.add(
            f"walk.meets.{each.status}", own, *(tie_id(decade, tie) for tie in (each, *others)), weight=weight,
            certainty=LEANING, bond=bond(each), others=Clauses(tuple(map(bond, others))),
        )  # fmt: skip


def _bound(decade: Decade, same: Sequence[Relation]) -> str:
    """Whether the stem of a decade, which is wanted or not, is tied up by the chart and brings but a part."""
    if same[0].type != "干合" or same[0].hua_status == TURNED or not decade.roles:
        return ""
    if any(where == "day" for where, _ in same[0].members):
        return ""
    return ".bound" if decade.roles[0] in WANTED else ".bound.eased" if decade.roles[0] in ADVERSE else ""


def _by_type(found: Sequence[Relation]) -> list[list[Relation]]:
    """Ties in the order in which their types come first: what is of one type has one sense, which is said once."""
    types = dict.fromkeys(each.type for each in found)
    return [[each for each in found if each.type == name] for name in types]


def carriers(decade: Decade) -> Clauses:
    """The ten gods of stem and branch with their roles, and the group or 半合 that the branch makes with the role of its
    element."""
    made = []
    for at, (part, char, god) in enumerate(decade.carriers):
        values = {"where": At(f"luck.{part}", sign(char, plain=True)), "god": Term(god, "ten_god")}
        if decade.roles:
            made.append(Phrase("carrier.of", values | {"role": Term(decade.roles[at], "role")}))
        else:
            made.append(Phrase("carrier.god", values))
    group = decade.gathers
    if group is not None and group.element is not None and decade.roles:
        values = {"relation": Term(group.type, "relation"), "element": element(group.element)}
        made.append(Phrase("carrier.gathers", values | {"role": Term(decade.gathered, "role")}))
    half = decade.leans
    if half is not None and half.element is not None:
        leaning: dict[str, Any] = {
            "relation": Term(half.type, "relation"),
            "places": [At(f"{where}.branch", sign(char)) for where, char in half.members if where != "luck"],
            "element": element(half.element),
        }
        made.append(Phrase("carrier.leans", leaning | {"role": Term(decade.leaning, "role")}))
    return Clauses(tuple(made))
