"""世 and 应: who asks and who stands opposite, by month and day, and what one is to the other (《卜筮正宗·世应论》).

应 is told where somebody stands opposite in what is asked; else it is the surroundings, of which nothing follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.asked import PERSON
from bazi_core.liuyao.force import is_empty
from bazi_core.liuyao.hexagrams import clash, combination
from bazi_core.liuyao.matters import SETTLE
from bazi_core.liuyao.yongshen import SHI, YING
from bazi_core.speech.catalogue import Najia, Phrase
from bazi_core.speech.plan import FOR, NEITHER
from bazi_core.speech.statements.cast_law import tell_sides
from bazi_core.speech.statements.cast_verdict import WEIGHED
from bazi_core.speech.statements.cast_words import (
    OPEN,
    bond,
    bonds,
    branch_sign,
    placed,
    spent_of,
    void_of,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.board import Line
    from bazi_core.speech.catalogue import Term
    from bazi_core.speech.statements.cast_words import CastDraft

# What is in nobody's hands.
WEATHER = "weather"
# What another person feels or does.
_OF_OTHERS = ("heart", "contact", "trusted", "homecoming", "absent")
# What the 用神 is to 世, by how far the element of 世 lies after its own.
_REACHES = ("和", "生", "克", "受克", "受生")


def tell_self(cast: CastDraft) -> None:
    """世: the same line as what is judged, or where it stands."""
    line = cast.shi
    if cast.matter.topic == WEATHER:
        return
    if cast.is_subject(line):
        if _is_pressed(cast):
            return  # whoever stands opposite has the upper hand
        key = f"self.same{_of_self(cast, line)}"
        cast.say(key, cast.own, f"ly.line.{line.position}", who=cast.who, person=cast.person)
        return
    _seated(cast, "self", line)
    is_of_others = cast.is_lost or cast.treats or (cast.is_of_health and cast.is_of_kin)
    if is_empty(line.state) and not is_of_others:
        at = f"ly.line.{line.position}"
        cast.say("self.void", at, f"{at}.void")


def _of_self(cast: CastDraft, line: Line) -> str:
    """How it is told that the subject holds 世: nobody holds the heart of another, nor moves what cannot act."""
    if cast.is_lost:
        return ".lost"
    if cast.is_of_kin:
        return ".kin"
    if cast.matter.name in _OF_OTHERS:
        return ".heart"
    is_idle = cast.standing(line).cause is not None
    return ".held" if is_idle else ""


def _is_pressed(cast: CastDraft) -> bool:
    """Whether somebody stands opposite who presses on whoever asks."""
    key = bond(cast.shi, cast.ying, void=cast.subject.target != YING)
    return bool(cast.matter.party) and key == "应克世" and cast.presses


def tell_other(cast: CastDraft) -> None:
    """应, and what it and the 用神 are to 世."""
    line = cast.ying
    if cast.is_subject(line):
        if cast.subject.target != YING and cast.matter.party:
            cast.say("other.same", cast.own, f"ly.line.{line.position}", who=cast.who)
    elif cast.matter.party:
        _seated(cast, "other", line)
    if cast.matter.party and cast.matter.name != SETTLE:
        _bound(cast)
    tell_sides(cast)
    if (
        cast.matter.topic != WEATHER
        and not cast.is_subject(cast.shi)
        and cast.subject.target not in (SHI, YING)
    ):
        _reaching(cast)


def _seated(cast: CastDraft, key: str, line: Line) -> None:
    at, own = f"ly.line.{line.position}", line.state
    marks = list(_marks(line))
    verb = "冲" if own.day_clashed else next((each for each in WEIGHED if each in own.day), own.day[-1])
    values: dict[str, Any] = {"marks": [each for _, each in marks]} if marks else {}
    cast.say(
        f"{key}.marked" if marks else key, at, f"{at}.state", "ly.richen",
        *(f"{at}.{tail}" for tails, _ in marks for tail in tails.split()),
        rel=word(line.relation), state=word(own.month_state), stands=cast.stands(own), month=branch_sign(cast.month),
        day=Najia(cast.day.value), verb=Phrase(f"cast.verb.{verb}", {}), party=cast.party, **values, **placed(line),
    )  # fmt: skip


def _marks(line: Line) -> Iterator[tuple[str, Term]]:
    """What ails or stirs a line, each by the ends of its facts."""
    filled = line.state.void and line.day_broken
    if filled:
        # What is void and clashed by the day is filled by that, not broken (《增删卜易·旬空章》).
        yield "void richong", word("冲空")
    elif line.state.void:
        yield "void", void_of(line)
    if line.state.month_broken and "临" not in line.state.day:
        yield "yuepo", word("月破")
    if line.day_broken and not filled:
        yield "ripo", word("日破")
    if line.an_dong:
        yield "andong", word("暗动")


def _bound(cast: CastDraft) -> None:
    """What 应 and 世 are to each other; what of it stands on a side was told with the verdict."""
    key = bond(cast.shi, cast.ying, void=cast.subject.target != YING)
    if key == "应克世" and not cast.presses:
        cast.say(
            "bond.still", *(f"ly.line.{each.position}" for each in (cast.shi, cast.ying)), party=cast.party
        )
    elif key == "世克应" and cast.standing(cast.shi).cause is not None:
        why = spent_of(cast, cast.shi)
        assert why is not None
        facts = (f"ly.line.{each.position}" for each in (cast.shi, cast.ying))
        cast.say("bond.世克应.spent", *facts, *why[1], why=why[0], party=cast.party)
    elif bonds()[key]["side"] == NEITHER:
        cast.say(
            f"bond.{key}", *(f"ly.line.{each.position}" for each in (cast.shi, cast.ying)), party=cast.party
        )


def _reaching(cast: CastDraft) -> None:
    own, shi = cast.subject.state, cast.shi
    if combination(own.branch) is shi.state.branch:
        key = "合"
    elif clash(own.branch) is shi.state.branch:
        key = "冲"
    else:
        key = _REACHES[(shi.state.element.index - own.element.index) % 5]
    if cast.is_lost:
        # Near or far, moved or not, was told with its place.
        is_moved = cast.subject.moving or own.day_clashed
        if (key == "和" and cast.is_within("outer")) or (key == "冲" and not is_moved):
            return
    # A thing that comes at 世 comes to hand (《卜筮正宗·失物》).
    side = FOR if key in ("生", "合") or (key == "克" and cast.is_lost) else NEITHER
    tail = ".lost" if cast.is_lost else ".kin" if cast.is_of_kin else _force_of(cast, key)
    if key == "克" and cast.matter.topic == PERSON:
        # Of whoever is away it says a speedy return (《增删卜易·行人章》).
        tail, side = ".person", FOR
    facts = (cast.own, cast.seat, f"ly.line.{shi.position}")
    cast.say(f"reach.{key}{tail}", *facts, side=side, who=cast.who, person=cast.person)


def _force_of(cast: CastDraft, key: str) -> str:
    """How what controls is told: what is still controls nothing that moves (静不克动), and what is out of sight, void,
    broken or held, or speaks against what is asked, does not come in haste."""
    subject, line = cast.subject, cast.subject.line if cast.subject.source == "line" else None
    if key == "受克":
        return ".still" if subject.moving and not cast.shi.active else ""
    if key != "克":
        return ""
    is_able = line is not None and cast.standing(line).cause is None
    return "" if is_able and cast.lean.stance >= OPEN else ".weighs"
