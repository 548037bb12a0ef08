"""To which side a cast leans, and the one thing that would have to change.

The points of the sign look at the 用神 alone; the marks of the whole board are added. It is open only where nothing leans
(P).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.force import (
    GOOD_CHANGES,
    able,
    acting,
    change_hindrance,
    is_broken,
    is_nothing,
    undone,
)
from bazi_core.liuyao.matters import SETTLE
from bazi_core.speech.catalogue import LinePlace, Najia
from bazi_core.speech.plan import AGAINST, FOR
from bazi_core.speech.statements.cast_law import settles
from bazi_core.speech.statements.cast_words import OPEN, Condition, Lean, spent_of, store_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.speech.statements.cast_words import CastDraft, Omen

# Marks of what comes to nothing, and so counts nothing.
_IN_VAIN = ("得而不实", "受而不实", "原神无力", "忌神无力")
_STEP, _MOST_STEPS = 1, 3
# What has to change -> the rule of 应期 that says when it does.
_WHEN = {
    "void": "旬空填冲", "broken": "月破填合", "stored": "入墓冲开", "bound": "合住冲开", "harmer": "受克待制",
    "fed": "衰绝逢生旺", "weak": "衰绝逢生旺", "retreats": "退神", "shut": "入墓冲开",
}  # fmt: skip
# Of every line: its own branch.
_OWN = ("静值", "动值")
# Those whose wait is told by the changed branch or by the line that helps.
_RELEASED = ("turned", "emptied", "shattered", "ended", "backed", "helper")
# What a change that takes the force of the line has to be freed of.
_TURNED = {
    "回头克": "turned", "化空": "emptied", "化破": "shattered", "化绝": "ended", "退神": "retreats", "化墓": "shut",
}  # fmt: skip


def lean_of(cast: CastDraft, omens: Sequence[Omen]) -> Lean:
    """To which side a cast leans with these marks of its board."""
    if cast.matter.name == SETTLE:
        return Lean(OPEN + 1, FOR) if settles(cast) else Lean(OPEN - 1, AGAINST)
    counted = [omen for omen in omens if omen.key not in _IN_VAIN]
    steps = sum(omen.steps if omen.side == FOR else -omen.steps for omen in counted)
    total = _points(cast) + _STEP * max(-_MOST_STEPS, min(_MOST_STEPS, steps))
    if not total:
        # What is asked goes as its own line stands (用神为主).
        total = _own(cast)
    stance = 4 if total >= 4 else 3 if total > 0 else OPEN if not total else 1 if total > -3 else 0
    return Lean(stance, FOR if stance > OPEN else AGAINST if stance < OPEN else cast.sign.side)


def _points(cast: CastDraft) -> int:
    """The points of the sign; of 应 that presses on 世 its strength is strength against whoever asks."""
    return sum(
        -abs(row.points) if cast.opposes and row.rule not in ("原神动", "忌神动") else row.points
        for row in cast.sign.contributions
    )


def _able(cast: CastDraft, role: str) -> tuple[Any, ...]:
    return able(acting(cast.found.lines, cast.subject, role), cast.found.standings)


def _own(cast: CastDraft) -> int:
    if cast.subject.source != "line" or cast.subject.line is None:
        return 0
    stands = cast.standing(cast.subject.line)
    return -1 if stands.cause else 1 if stands.kind in ("acts", "ready") else 0


def condition(cast: CastDraft, omens: Sequence[Omen]) -> Condition | None:
    """The one thing that would have to change; None where none is plain, and of what is void to the end nothing is waited
    for."""
    found = _first_hindrance(cast, omens)
    if found is None:
        return None
    kind, facts, values = found
    rule, rule_id = _rule(cast, kind, values)
    if kind == "weak" and rule is None:
        # The day feeds it already: what is left to wait for is its own day.
        kind, (rule, rule_id) = "own", _rule(cast, "own", values)
        if cast.subject.state.branch in (cast.day, cast.month):
            return None
    return Condition(kind, rule, rule_id, facts, values)


def _first_hindrance(
    cast: CastDraft, omens: Sequence[Omen]
) -> tuple[str, tuple[str, ...], dict[str, Any]] | None:
    subject, line = cast.subject, cast.subject.line if cast.subject.source == "line" else None
    facts = (cast.own, cast.seat)
    if is_nothing(subject.state, subject.moving):
        return None
    if subject.state.void and not subject.state.day_clashed and not _is_full(cast):
        return "void", ("ly.void.day", *facts), {}
    if is_broken(subject.state):
        return "broken", ("ly.yuepo", *facts), {}
    if store_of(cast) is not None and not subject.state.is_prosperous:
        return "stored", facts, {}
    stands = cast.standing(line) if line is not None else None
    if stands is not None and stands.cause is not None and stands.cause.rule == "合住":
        return "bound", (*facts, *stands.facts), {}
    if line is not None and line.turned is not None:
        target = {"target": Najia(line.turned.pillar.value)}
        at = (*facts, f"ly.target.{line.position}")
        if undone(line):
            return _TURNED[undone(line)], at, target
        if any(each in line.changes for each in GOOD_CHANGES) and change_hindrance(line):
            return "backed", at, target
    pressing = [] if _able(cast, "helper") else [*_able(cast, "harmer")]
    if pressing:
        # What is weak beside it waits for what feeds it: busy with feeding that, the harmer forgets to press.
        place = {"place": LinePlace(pressing[0].position)}
        is_fed = not _has_rule(cast, _WHEN["harmer"]) and _has_rule(cast, _WHEN["fed"])
        return "fed" if is_fed else "harmer", (*facts, f"ly.line.{pressing[0].position}"), place
    if any(omen.key.startswith("应克世") for omen in omens):
        return "pressed", (*facts, f"ly.line.{cast.ying.position}"), {"party": cast.party}
    for other in acting(cast.found.lines, subject, "helper"):
        spent = spent_of(cast, other)
        if spent is not None and not _able(cast, "helper"):
            place = {"place": LinePlace(other.position)}
            return "helper", (*facts, f"ly.line.{other.position}", *spent[1]), place
    return ("weak", (*facts, "ly.yuejian"), {}) if not subject.state.is_prosperous else None


def _is_full(cast: CastDraft) -> bool:
    """Whether the subject moves in its season, which no void empties (《增删卜易·旬空章》)."""
    return cast.subject.moving and cast.subject.state.is_prosperous


def _has_rule(cast: CastDraft, trigger: str) -> bool:
    return any(rule.trigger == trigger and rule.rests_on == (cast.own,) for rule in cast.found.timing)


def _rule(cast: CastDraft, kind: str, values: dict[str, Any]) -> tuple[TimingTrigger | None, str]:
    """The rule of 应期 that says when a hindrance ends, with its fact."""
    if kind in _RELEASED:
        at = values["place"].position if kind == "helper" else cast.subject.position
        for number, release in enumerate(cast.found.releases, len(cast.found.timing) + 1):
            if release.position == at:
                return release.when, f"ly.timing.{number}"
        return None, ""
    wanted = _OWN if kind == "own" else (_WHEN.get(kind),)
    for number, rule in enumerate(cast.found.timing, 1):
        if rule.trigger in wanted and rule.rests_on == (cast.own,):
            return rule, f"ly.timing.{number}"
    return None, ""
