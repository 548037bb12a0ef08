"""What the stem and the branch of a year are to the signs of the chart and of the luck, beyond its named events.

《子平真诠·论行运》: 亦有干支相冲相合 — a year whose sign combines with, clashes with, punishes, harms or breaks another is
never called quiet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Branch, Stem
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, sign
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.happenings import Group, place
from bazi_core.speech.statements.nouns import element
from bazi_core.views.resolution import RESOLVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation
    from bazi_core.year.result import YearResult

# Ties of stems and of branches that are told, the strongest first.
_OF_STEMS = ("干合", "干冲")
_OF_BRANCHES = ("六合", "六冲", "半合", "刑", "六害", "六破")
_TOLD = (*_OF_STEMS, *_OF_BRANCHES)
# Those that take from what they meet.
_HOLDING = ("干合", "干冲", "六冲", "刑", "六害", "六破")


class _Tie(NamedTuple):
    """What one part of the year's pillar is to the signs at some positions: what ties them, and what of it is undone."""

    part: str
    holds: tuple[str, ...]
    undone: tuple[str, ...]


def ties_of_year(draft: Draft, year: YearResult, told: Sequence[Group]) -> None:
    """The ties of the year's stem and branch that no event tells; where there are none and no events, that it is quiet.
    What was asked for is not told again."""
    if draft.says("answer.ties", "answer.ties.none"):
        return
    known = {name for group in told for event in group for name in event.evidence}
    found = [each for each in year.relations if each.type in _TOLD and _other(each) is not None]
    # What an event tells of two signs is not told again under a lesser name.
    met = {each.members for each in found if _fact(year, each) in known}
    rest = [each for each in found if each.members not in met]
    grouped = _grouped(year, rest)
    if told:
        # Beside events the strongest that holds is told.
        grouped = dict([(tie, at) for tie, at in grouped.items() if tie.holds][:1])
        named = [other for at in grouped.values() for other in at]
        rest = [each for each in rest if _other(each) in named]
    if grouped:
        use = year.pattern.useful.order[:1]
        clauses = Clauses(tuple(_clause(year, tie, at) for tie, at in grouped.items()))
        is_of_use = any(_is_of_use(year, tie, at) for tie, at in grouped.items())
        ids = [
            *(_fact(year, each) for each in rest),
            *_flows(year, rest),
            *(["yong.primary"] if use and is_of_use else []),
        ]
        draft.add(
            f"year.ties{'' if told else '.only'}", *ids, weight=1 if not told else 2, certainty=LEANING, ties=clauses
        )  # fmt: skip
    elif not told and not found and not year.completed:
        draft.add("events.quiet", weight=1, kind="transition")


def asked_ties(draft: Draft, year: YearResult) -> None:
    """All ties of the year's stem and branch to the signs of chart and luck, where a question asks for them."""
    number = year.target_year
    found = [each for each in year.relations if each.type in _TOLD and _other(each) is not None]
    grouped = _grouped(year, found)
    if not grouped:
        draft.add("answer.ties.none", f"ln.{number}", weight=1, kind="fact", required=True, year=number)
        return
    use = year.pattern.useful.order[:1]
    is_of_use = use and any(_is_of_use(year, tie, at) for tie, at in grouped.items())
    ids = [
        *(_fact(year, each) for each in found),
        *_flows(year, found),
        *(["yong.primary"] if is_of_use else []),
    ]
    draft.add(
        "answer.ties", f"ln.{number}", *ids, weight=1, required=True, certainty=LEANING, year=number,
        ties=Clauses(tuple(_clause(year, tie, at) for tie, at in grouped.items())),
    )  # fmt: skip


def _other(found: Relation) -> tuple[str, str] | None:
    """The one sign of chart or luck to which a relation ties the year; nothing where it is of something else."""
    others = [member for member in found.members if member[0] != "liunian"]
    return others[0] if len(others) == 1 and len(found.members) == 2 else None


def _fact(year: YearResult, found: Relation) -> str:
    return f"ln.{year.target_year}.{found.id}"


def _flows(year: YearResult, found: Iterable[Relation]) -> list[str]:
    """The facts of the pillars of year and luck that take part."""
    names = [f"ln.{year.target_year}"]
    if year.main.fact_id and any(where == "luck" for each in found for where, _ in each.members):
        names.append(year.main.fact_id)
    return names


def _grouped(year: YearResult, found: Sequence[Relation]) -> dict[_Tie, list[tuple[str, str]]]:
    """The signs by how the year is tied to them, ties of stems first, then the strongest."""
    met: dict[tuple[str, str], list[Relation]] = {}
    for each in sorted(found, key=lambda one: _TOLD.index(one.type)):
        other = _other(each)
        assert other is not None
        met.setdefault(other, []).append(each)
    grouped: dict[_Tie, list[tuple[str, str]]] = {}
    for other, relations in met.items():
        part = "stem" if relations[0].type in _OF_STEMS else "branch"
        undone = tuple(each.type for each in relations if each.status == RESOLVED)
        holds = tuple(each.type for each in relations if each.status != RESOLVED)
        grouped.setdefault(_Tie(part, holds, undone), []).append(other)
    return dict(sorted(grouped.items(), key=lambda each: _TOLD.index((each[0].holds or each[0].undone)[0])))


def _clause(year: YearResult, tie: _Tie, at: Sequence[tuple[str, str]]) -> Phrase:
    """Who is tied to whom and what that means; what of it is undone, and whether it meets the useful god."""
    own = year.pillar.stem if tie.part == "stem" else year.pillar.branch
    met: dict[str, Any] = {
        "own": At(f"liunian.{tie.part}", sign(own, plain=True)),
        "others": [At(f"{place(year, where)}.{tie.part}", sign(char, plain=True)) for where, char in at],
        "relation": [Term(name, "relation") for name in tie.holds or tie.undone],
    }
    bond = Phrase("meet.branches", met)
    if not tie.holds:
        return Phrase("year.tie.undone", {"bond": bond})
    sense = Phrase(f"sense.{_sense(year, tie, at)}", {})
    told = Phrase("year.tie", {"bond": bond, "sense": sense})
    if tie.undone:
        undone = [Term(name, "relation") for name in tie.undone]
        told = Phrase("year.tie.part", {"told": told, "undone": undone})
    if _is_of_use(year, tie, at):
        told = Phrase("year.tie.use", {"told": told, "use": element(year.pattern.useful.order[0])})
    return told


def _sense(year: YearResult, tie: _Tie, at: Sequence[tuple[str, str]]) -> str:
    name = tie.holds[0]
    if name == "半合" and _is_whole(year):
        return "半合.whole"
    return f"{name}.own" if name == "干合" and any(where == "day" for where, _ in at) else name


def _is_whole(year: YearResult) -> bool:
    """Whether the branches of the chart hold all of the 三合 to which the year's branch belongs."""
    own = year.pillar.branch
    trine = {branch for branch in Branch if (branch.index - own.index) % 4 == 0}
    return trine <= {pillar.branch for _, pillar in year.pattern.pillars.items()}


def _is_of_use(year: YearResult, tie: _Tie, at: Sequence[tuple[str, str]]) -> bool:
    """Whether a tie that takes from what it meets meets a sign of the chart that is of the useful god."""
    order = year.pattern.useful.order
    signs = [
        (Stem(char) if tie.part == "stem" else Branch(char)).element
        for where, char in at
        if where != "luck" and (where, tie.part) != ("day", "stem")
    ]
    return bool(order) and bool(tie.holds) and tie.holds[0] in _HOLDING and order[0] in signs
