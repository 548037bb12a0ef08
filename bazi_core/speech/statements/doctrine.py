"""What a question asks of the judgement by its name, as practitioners do: whether a pattern, ten gods at work on each other,
a tie, a useful god stand in this chart; its roots, warm and cold, its illness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Element
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.evidence import detail_of
from bazi_core.pattern.useful import ROLE_FACTS
from bazi_core.pattern.walk import walk, walk_facts
from bazi_core.pillars import WHOLE
from bazi_core.questions import doctrine as named_in
from bazi_core.speech.catalogue import At, Clauses, Phrase, Sign, Term, sign
from bazi_core.speech.plan import DOUBT, LEANING
from bazi_core.speech.statements.day_master import other_reading
from bazi_core.speech.statements.decades import brings
from bazi_core.speech.statements.life import climate
from bazi_core.speech.statements.nouns import element, pillars_read, roles, share, share_ids
from bazi_core.speech.statements.remedy import method_names, why_useful
from bazi_core.speech.statements.structure import standing, why_pattern
from bazi_core.speech.statements.ties import FATES, bond, grounds, sense, turns
from bazi_core.speech.statements.views import at, barred, diagnosis, sense_of
from bazi_core.structures.classes import PATTERN_OF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

# Verb of a tie -> the relations that it may be.
_TIES = {
    "冲": ("六冲", "干冲"), "合": ("六合", "干合", "三合", "半合", "拱合", "暗合"), "会": ("三会",), "刑": ("刑", "三刑"),
    "害": ("六害",), "穿": ("六害",), "破": ("六破",), "克": ("干克",),
}  # fmt: skip
# The patterns that the month gives, by their names and fine names; the others have conditions of their own.
_REGULAR = {*PATTERN_OF.values(), *(f"{god}格" for god in PATTERN_OF), "阳刃格", "建禄格", "月劫格"}


def of_doctrine(draft: Draft, result: PatternResult, named: Sequence[tuple[str, str]]) -> None:
    """Whether what is named, each by its kind and name, stands in the chart, and why."""
    patterns = [name for kind, name in named if kind == named_in.PATTERN]
    if patterns:
        _patterns(draft, result, patterns)
    pillars = [name for kind, name in named if kind == named_in.LUCK]
    if pillars:
        _luck(draft, result, pillars)
    for kind, name in named:
        if kind in _WAYS:
            _WAYS[kind](draft, result, name)
    if named:
        draft.require()


def corrected(draft: Draft, result: PatternResult, told: tuple[str, ...]) -> None:
    """What a question takes for given and the chart does not hold."""
    for each in told:
        kind, _, name = each.partition(":")
        if kind in _PREMISES and not _PREMISES[kind].holds(result, name):
            _PREMISES[kind].deny(draft, result, name)


def _add(draft: Draft, key: str, *evidence: str, **values: Any) -> None:
    draft.add(f"answer.doctrine.{key}", *evidence, weight=1, kind="fact", required=True, **values)


def _is_pattern(result: PatternResult, name: str) -> bool:
    """Whether the chart is called so: by its pattern, the fine name of that, a companion, or the class of a special one."""
    if result.special is not None:
        return name in (result.special.name, result.special.special_class)
    regular = result.regular
    return regular is not None and name in (result.name, detail_of(result), *regular.co_patterns)


def _patterns(draft: Draft, result: PatternResult, names: list[str]) -> None:
    """Which of the patterns the chart forms, and what the others lack."""
    if any(_is_pattern(result, name) for name in names):
        _add(draft, "pattern.is", "pat.main", pattern=Term(result.name, "pattern"))
    if others := [name for name in names if not _is_pattern(result, name)]:
        _no_patterns(draft, result, *others)
        if result.school.special_structures != "ignored":
            _missed(draft, result, [name for name in others if name not in _REGULAR])
    why_pattern(draft, result)
    if not others and result.standing is not None:
        standing(draft, result, result.standing)


def _no_patterns(draft: Draft, result: PatternResult, *names: str) -> None:
    # Of two fine names of one pattern it is told which one the chart has.
    fine = any(PATTERN_OF.get(name[:-1], name) != name for name in names) and "pat.detail" in draft.facts
    is_fine = fine and result.special is None
    own = draft.value("pat.detail") if is_fine else result.name
    _add(
        draft, "pattern.not", "pat.main", *(["pat.detail"] if is_fine else []), named=[_named(each) for each in names],
        pattern=Term(own, "pattern"),
    )  # fmt: skip


_CLASSES = ("从格", "化格", "专旺")


def _named(pattern: str) -> Term:
    return Term(pattern, "pattern_class" if pattern in _CLASSES else "pattern")


def _missed(draft: Draft, result: PatternResult, names: list[str]) -> None:
    """Which condition of a special structure is not met, or that more than one is not."""
    near = {each.name: each for each in result.close if {*names} & {each.name, each.special_class}}
    for special in near.values():
        named = Term(special.name, "pattern")
        failing = [number for number, each in enumerate(special.conditions, 1) if not each.holds]
        if failing:
            _add(
                draft, "pattern.short", f"sp.{special.name}", *(f"sp.{special.name}.{number}" for number in failing),
                named=named, condition=Clauses(tuple(special.conditions[number - 1].ground for number in failing)),
            )  # fmt: skip
        else:
            _add(
                draft, "pattern.outranked", f"sp.{special.name}", "pat.main", named=named,
                pattern=Term(result.name, "pattern"),
            )  # fmt: skip
    if far := [
        name for name in names if all(name not in (each.name, each.special_class) for each in near.values())
    ]:
        _add(draft, "pattern.far", "pat.main", named=[_named(each) for each in far])


def _dynamic(draft: Draft, result: PatternResult, name: str) -> None:
    found = next((each for each in result.dynamics if each.name == name), None)
    term = Term(name, "dynamic")
    if found is None:
        _add(draft, "dynamic.absent", WHOLE, name=term, chart=pillars_read(result.pillars))
        return
    places = [at(member) for member in found.members]
    if found.state == STANDS:
        said, ids = sense_of(result, name)
        key = "dynamic.stands" if places else "dynamic.bare"
        _add(draft, key, found.fact_id, *ids, name=term, places=places, sense=said)
        if found.barred:
            barred(draft, result, found)
    elif found.undoing:
        _add(draft, "dynamic.undone", found.fact_id, "p.day.stem", name=term, why=Clauses(found.undoing))


def _tie(draft: Draft, result: PatternResult, name: str) -> None:
    verb, signs = name[0], name[1:]
    found = [
        each for each in result.chart.relations
        if each.type in _TIES[verb] and {*signs} <= {char for _, char in each.members}
    ]  # fmt: skip
    if not found:
        _add(
            draft,
            "tie.absent",
            WHOLE,
            chart=pillars_read(result.pillars),
            signs=[Sign(each) for each in signs],
        )
        return
    by_id = {each.id: each for each in result.chart.relations}
    each = max(found, key=lambda one: one.strength)
    said, ids = sense(each, result.useful)
    others = [by_id[other] for other in each.resolved_by[:1]]
    _add(
        draft, f"tie.{FATES[each.status]}", *grounds(each, *others), *ids, bond=bond(each), sense=said,
        others=[bond(other) for other in others],
    )  # fmt: skip
    turns(draft, found)


def _root(draft: Draft, result: PatternResult, name: str) -> None:
    """The roots of the day master, or of the stems that are named, as far as they show."""
    stems = [
        each
        for each in result.chart.roots
        if each.stem.value == name or (not name and each.subject == "day_master")
    ]
    if not stems:
        _add(draft, "root.unseen", WHOLE, named=Sign(name), chart=pillars_read(result.pillars))
    by_id = {each.id: each for each in result.chart.relations}
    for own in stems:
        place = own.subject if own.subject != "day_master" else "day"
        stem = At(f"{place}.stem", sign(own.stem))
        kept = {root.position: At(f"{root.position}.branch", sign(root.branch)) for root in own.roots}
        ids = (f"p.{place}.stem", *map(own.fact_id, own.roots))
        broken = [by_id[each] for root in own.roots for each in root.broken_by if each in by_id][:1]
        key = "broken" if broken else "stem" if kept else "none"
        _add(
            draft, f"root.{key}", *ids, *grounds(*broken), stem=stem, places=list(kept.values()),
            by=[bond(each) for each in broken],
        )  # fmt: skip


def _luck(draft: Draft, result: PatternResult, pillars: list[str]) -> None:
    """The luck pillars that are named, with the roles of stem and branch; of several the one that brings more of what is
    wanted (用神 and 忌神 before 喜神 and 仇神: 《子平真诠·论行运》)."""
    decades = walk(result)
    draft.learn(walk_facts(decades, None))
    found = {each.cycle.pillar.value: each for each in decades if each.cycle.start_year is not None}
    for name in pillars:
        if name not in found:
            _add(draft, "luck.absent", WHOLE, named=Sign(name))
            continue
        decade, cycle = found[name], found[name].cycle
        values = {"pillar": sign(cycle.pillar), "first": cycle.start_year, "last": cycle.end_year}
        stem, branch = decade.roles
        _add(
            draft, "luck", decade.fact_id, f"{decade.fact_id}.age", *decade.role_ids, tone=Phrase(f"tone.{decade.tone}", {}),
            stem=sign(cycle.pillar.stem), branch=sign(cycle.pillar.branch), stem_role=Term(stem, "role"),
            branch_role=Term(branch, "role"), **values,
        )  # fmt: skip
    named = [found[name] for name in pillars if name in found]
    if len(named) > 1:
        best = sorted(named, key=brings, reverse=True)
        is_alike = brings(best[0]) == brings(best[1])
        ids = [name for each in named for name in (each.fact_id, *each.role_ids)]
        values = {} if is_alike else {"pillar": sign(best[0].cycle.pillar)}
        _add(draft, "luck.alike" if is_alike else "luck.better", *ids, **values)


def _animal(draft: Draft, result: PatternResult) -> None:
    branch = result.pillars.year.branch
    animal = Term(branch.zodiac.value, "zodiac")
    _add(draft, "animal", "p.year.branch", branch=sign(branch, plain=True), animal=animal)


def _is_useful(result: PatternResult, name: str) -> bool:
    return result.useful.order[0] is Element(name)


def _use(draft: Draft, result: PatternResult, name: str) -> None:
    named = Element(name)
    _role_of(draft, result, name)
    votes = [vote.method for vote in result.useful.votes if vote.element is named]
    if votes and result.special is None and not _is_useful(result, name):
        draft.add(
            "answer.doctrine.use.voted", *(f"yong.method.{each}" for each in votes), certainty=LEANING,
            relation=DOUBT, named=element(named), methods=method_names(result, votes),
        )  # fmt: skip
    why_useful(draft, result)
    other_reading(draft, result)


def _role_of(draft: Draft, result: PatternResult, name: str) -> None:
    named = Element(name)
    role = result.useful.role(named)
    key = "is" if _is_useful(result, name) else "joy" if named is result.useful.order[1] else "not"
    _add(
        draft, f"use.{key}", "yong.primary", ROLE_FACTS[role], *share_ids(named), named=element(named),
        role=Term(role, "role"), share=share(result, named), **roles(result, "use", "joy"),
    )  # fmt: skip


_WAYS: dict[str, Callable[[Draft, PatternResult, str], None]] = {
    named_in.DYNAMIC: _dynamic,
    named_in.TIE: _tie,
    named_in.USE: _use,
    named_in.ROOT: _root,
    named_in.CLIMATE: lambda draft, result, _: climate(draft, result),
    named_in.ILLNESS: lambda draft, result, _: diagnosis(draft, result),
    named_in.ANIMAL: lambda draft, result, _: _animal(draft, result),
}


class _Premise(NamedTuple):
    """Whether something that a question takes for given holds in a chart, and how it is told that it does not."""

    holds: Callable[[PatternResult, str], bool]
    deny: Callable[[Draft, PatternResult, str], None]


_PREMISES = {
    named_in.PATTERN: _Premise(_is_pattern, _no_patterns),
    named_in.DYNAMIC: _Premise(
        lambda result, name: any(each.name == name and each.state == STANDS for each in result.dynamics),
        _dynamic,
    ),
    named_in.USE: _Premise(_is_useful, _role_of),
}
