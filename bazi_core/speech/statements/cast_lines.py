"""What moves in a cast, what it is to the line that is judged, what it turns into, and the 三合 that form.

A line is told by what its element is to the subject: 原神 feeds it, 忌神 controls it, 仇神 feeds 忌神
(《增删卜易·元神忌神章》). A 三合局 acts as one element (《三合章》); it is told once, however many ways it forms, and
while a member is missing it acts on nothing yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Element
from bazi_core.liuyao.hexagrams import HANZI
from bazi_core.liuyao.yongshen import SHI
from bazi_core.speech.catalogue import Line, Najia, Phrase, Sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import ALL_LINES, placed, word, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.board import Line as BoardLine
    from bazi_core.liuyao.marks import Trine
    from bazi_core.speech.statements.cast_words import CastDraft

GOOD_CHANGES, BAD_CHANGES = ("回头生", "进神"), ("回头克", "退神", "化空", "化破", "化墓", "化绝")
_PLAIN_CHANGES = ("伏吟", "回头冲", "化合")
# Of many lines that move so many are told, those that bear most on the subject.
_BEARS_MOST = ("own", "harmer", "helper", "self", "alike", "rival", "drain")
# Of several changes of a line one is told, the first of these.
_TOLD_CHANGES = GOOD_CHANGES + BAD_CHANGES + _PLAIN_CHANGES
MOST_MOVES = 3
# Of the ways in which one 三合 forms the first of these is told; one that waits for a member only where no other does.
_WHOLE = ("三爻动", "两动一静", "内卦初三爻动变", "外卦四六爻动变", "虚一待用")


def tell_lines(cast: CastDraft) -> None:
    """How many lines move, and what those do that do not stand against the subject."""
    moving = [line for line in cast.found.lines if line.moving]
    if not moving:
        cast.say("still", *ALL_LINES)
    elif len(moving) > MOST_MOVES:
        cast.say(
            "many",
            *(f"ly.line.{each.position}" for each in moving),
            places=[Line(each.position) for each in moving],
        )
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] != AGAINST])
    _trines(cast, (FOR, NEITHER))
    _role(cast, "原神")
    if not _harms(cast):
        _role(cast, "忌神")


def tell_opposed(cast: CastDraft) -> None:
    """What stands against the subject: lines that move, 三合局, and 忌神."""
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] == AGAINST])
    _trines(cast, (AGAINST,))
    if _harms(cast):
        _role(cast, "忌神")


def _harms(cast: CastDraft) -> bool:
    """Whether 忌神 is on the board."""
    role = cast.found.yongshen.roles.get("忌神")
    return role is not None and bool(role.lines)


def _told(cast: CastDraft) -> list[BoardLine]:
    """The lines that move, from below; of many those that bear most on the subject."""
    moving = [line for line in cast.found.lines if line.moving]
    first = sorted(moving, key=lambda each: _BEARS_MOST.index(_bearing(cast, each)[0]))[:MOST_MOVES]
    return [line for line in moving if line in first]


def _bearing(cast: CastDraft, line: BoardLine) -> tuple[str, str]:
    """What a line is to the subject, and its side; 世 is whoever asks, whatever its element."""
    if cast.subject.source == "line" and line.position == cast.subject.position:
        return "own", NEITHER
    if line.mark == SHI:
        return "self", FOR
    return cast.bearing(line.state.element)


def _turning(cast: CastDraft, lines: Sequence[BoardLine]) -> None:
    for line in lines:
        turned, at = line.turned, f"ly.line.{line.position}"
        assert turned is not None
        key, side = _bearing(cast, line)
        cast.say(
            f"move.{key}", at, f"ly.target.{line.position}", cast.own, cast.seat, side=NEITHER if key == "self" else side,
            rel=word(line.relation), who=cast.who, rel2=word(turned.relation), pillar2=Najia(turned.pillar.value),
            **placed(line),
        )  # fmt: skip
        mark = next((each for each in _TOLD_CHANGES if each in turned.changes), None)
        if mark is not None and (key != "drain" or mark in _PLAIN_CHANGES):
            tone, at_side = _change(key, side, mark)
            values: dict[str, Any] = {"place": Line(line.position), "mark": word(mark)}
            cast.say(f"change.{tone}", at, f"{at}.change.{mark}", side=at_side, **values)


def _change(key: str, stands: str, mark: str) -> tuple[str, str]:
    """How a change is told, and its side: what strengthens a line that harms the subject speaks against it."""
    if key == "own":
        stands = FOR  # what is asked goes as its own line goes
    if mark in _PLAIN_CHANGES:
        return f"plain.{mark}", NEITHER
    if stands == FOR:
        return ("good", FOR) if mark in GOOD_CHANGES else ("bad", AGAINST)
    return ("worse", AGAINST) if mark in GOOD_CHANGES else ("better", FOR)


def _role(cast: CastDraft, name: str) -> None:
    role = cast.found.yongshen.roles.get(name)
    if role is not None:
        places = [Line(line.position) for line in role.lines]
        cast.say(
            f"role.{name}" if places else f"role.none.{name}", f"ly.role.{name}", role=word(name),
            element=word(role.element.value), places=places,
        )  # fmt: skip


def _trines(cast: CastDraft, sides: Sequence[str]) -> None:
    """Each 三合 once, by the most whole of the ways in which it forms, with what it does to the subject."""
    by_element: dict[str, list[Trine]] = {}
    for each in cast.found.trines:
        by_element.setdefault(each.element, []).append(each)
    for element, same in by_element.items():
        told = min(
            same, key=lambda each: (bool(each.missing) and not each.filled_by, _WHOLE.index(each.kind))
        )
        waits = bool(told.missing) and not told.filled_by
        key, side = cast.bearing(Element(element))
        if (
            key != "alike"
            and HANZI[cast.subject.state.branch] in told.branches
            and cast.subject.source == "line"
        ):
            key, side = "own", NEITHER
        side = NEITHER if waits else side
        if side in sides:
            state = "waits" if waits else "filled" if told.missing else "whole"
            _trine(cast, told, len(same), f"trine.{key}", state, side)


def _trine(cast: CastDraft, told: Trine, ways: int, key: str, state: str, side: str) -> None:
    named: dict[str, Any] = {
        "three": Sign(told.branches, plain=True), "element": word(told.element), "how": word(told.kind),
        "missing": Sign(told.missing, plain=True), "filler": [word(each) for each in told.filled_by],
    }  # fmt: skip
    forms = Phrase(f"cast.trine.{state}", words(**named))
    facts = [f"ly.sanhe.{told.element}.{number}" for number in range(1, ways + 1)]
    cast.say(
        key, *facts, cast.own, cast.seat, side=side, forms=forms, who=cast.who, pillar=Najia(cast.subject.text),
        element=named["element"],
    )  # fmt: skip
