"""To which side a cast leans, and the one thing that would have to change.

The points of the sign count raw marks of the 用神; here they are counted by how each line stands: what is undone adds
nothing, what is void and clashed by the day is filled, lines that act count by what they do together. The marks of the
whole board are added. It is open only where nothing leans (P).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.force import able, acting, change_hindrance, is_broken, undone, works_back
from bazi_core.speech.catalogue import LinePlace, Najia, Phrase
from bazi_core.speech.plan import AGAINST, FOR
from bazi_core.speech.statements.cast_words import OPEN, Lean, branch_sign, spent_of, store_of, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.sign import LinePoints
    from bazi_core.speech.statements.cast_words import CastDraft, Omen

# Marks that tell what the points count here already.
_COUNTED = ("得而不实", "受而不实", "原神无力", "忌神无力", "原神有力", "忌神有力")
_LINE, _STEP, _MOST_STEPS = 2, 1, 3
# What has to change -> the rule of 应期 that says when it does.
_WHEN = {
    "void": "旬空填冲", "broken": "月破填合", "stored": "入墓冲开", "bound": "合住冲开", "harmer": "受克待制",
    "weak": "衰绝逢生旺",
}  # fmt: skip


def lean_of(cast: CastDraft, omens: Sequence[Omen]) -> Lean:
    """To which side a cast leans with these marks of its board."""
    counted = [omen for omen in omens if omen.key not in _COUNTED]
    steps = sum(omen.steps if omen.side == FOR else -omen.steps for omen in counted)
    total = _points(cast) + _STEP * max(-_MOST_STEPS, min(_MOST_STEPS, steps))
    if not total:
        # What is asked goes as its own line stands (用神为主).
        total = _own(cast)
    stance = 4 if total >= 4 else 3 if total > 0 else OPEN if not total else 1 if total > -3 else 0
    return Lean(stance, FOR if stance > OPEN else AGAINST if stance < OPEN else cast.sign.side)


def _points(cast: CastDraft) -> int:
    """The points of the sign by how the lines stand."""
    those = [
        row for row in cast.sign.contributions if row.rule not in ("原神动", "忌神动") and holds(cast, row)
    ]
    total = sum(-abs(row.points) if cast.opposes else row.points for row in those)
    helps, harms = (bool(_able(cast, role)) for role in ("helper", "harmer"))
    return total + (_LINE if helps else -_LINE if harms else 0)


def holds(cast: CastDraft, row: LinePoints) -> bool:
    """Whether a row of the sign stands once the whole line is looked at: a change is not undone, what moves is not held by
    the day that combines with it, what is void is not filled by the clash of the day."""
    subject, line = cast.subject, cast.subject.line
    if row.rule in ("回头生或进神", "回头克") and line is not None:
        return not change_hindrance(line)
    if row.rule == "化墓" and line is not None:
        return works_back(line, row.rule)
    if row.rule in ("日破", "旬空", "真空"):
        return not cast.is_filled
    return not (row.rule == "日辰扶或合" and "合" in subject.state.day and subject.moving)


def _able(cast: CastDraft, role: str) -> tuple[Any, ...]:
    return able(acting(cast.found.lines, cast.subject, role), cast.found.standings)


def _own(cast: CastDraft) -> int:
    if cast.subject.source != "line" or cast.subject.line is None:
        return 0
    stands = cast.standing(cast.subject.line)
    return -1 if stands.cause else 1 if stands.kind in ("acts", "ready") else 0


def condition(cast: CastDraft, omens: Sequence[Omen]) -> tuple[Phrase, tuple[str, ...]] | None:
    """The one thing that would have to change, as a clause with its facts; None where none is plain."""
    subject, line = cast.subject, cast.subject.line if cast.subject.source == "line" else None
    facts = (cast.own, cast.seat)
    if subject.state.void and not subject.state.day_clashed:
        return _clause(cast, "void", "ly.void.day", *facts)
    if is_broken(subject.state):
        return _clause(cast, "broken", "ly.yuepo", *facts)
    if store_of(cast) is not None and not subject.state.is_prosperous:
        return _clause(cast, "stored", *facts)
    stands = cast.standing(line) if line is not None else None
    if stands is not None and stands.cause is not None and stands.cause.rule == "合住":
        return _clause(cast, "bound", *facts, *stands.facts)
    if line is not None and undone(line):
        assert line.turned is not None
        target = Najia(line.turned.pillar.value)
        return _clause(cast, "turned", *facts, f"ly.target.{line.position}", target=target)
    pressing = [] if _able(cast, "helper") else [*_able(cast, "harmer")]
    if pressing:
        return _clause(
            cast, "harmer", *facts, f"ly.line.{pressing[0].position}", place=LinePlace(pressing[0].position)
        )
    if any(omen.key.startswith("应克世") for omen in omens):
        return _clause(cast, "pressed", *facts, f"ly.line.{cast.ying.position}", party=cast.party)
    for other in acting(cast.found.lines, subject, "helper"):
        spent = spent_of(cast, other)
        if spent is not None and not _able(cast, "helper"):
            place = LinePlace(other.position)
            return _clause(cast, "helper", *facts, f"ly.line.{other.position}", *spent[1], place=place)
    if not subject.state.is_prosperous:
        return _clause(cast, "weak", *facts, "ly.yuejian")
    return None


def _clause(cast: CastDraft, key: str, *facts: str, **values: Any) -> tuple[Phrase, tuple[str, ...]]:
    """The clause, with the branch that brings the change first where 应期 knows one."""
    for number, rule in enumerate(cast.found.timing, 1):
        if rule.trigger == _WHEN.get(key):
            branch = branch_sign(rule.branches[0])
            return Phrase(f"cast.if.{key}.by", words(who=cast.who, branch=branch, **values)), (
                *facts,
                f"ly.timing.{number}",
            )
    return Phrase(f"cast.if.{key}", words(who=cast.who, **values)), facts
