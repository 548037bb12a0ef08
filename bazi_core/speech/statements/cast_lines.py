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
from bazi_core.speech.catalogue import LinePlace, Najia, Phrase, Sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import (
    ALL_LINES,
    BAD_CHANGES,
    GOOD_CHANGES,
    placed,
    undone,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.marks import Trine
    from bazi_core.speech.statements.cast_words import CastDraft

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
    # Of lines that the day stirs those that are told of.
    told = ("own", "helper", "harmer")
    stirred = [line for line in cast.found.lines if line.an_dong and _bearing(cast, line)[0] in told]
    if not moving and stirred:
        facts = (f"ly.line.{each.position}.andong" for each in stirred)
        cast.say("still.secret", *ALL_LINES, *facts, places=[LinePlace(each.position) for each in stirred])
    elif not moving:
        cast.say("still", *ALL_LINES)
    elif len(moving) > MOST_MOVES:
        cast.say("many", *(f"ly.line.{each.position}" for each in moving))
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] != AGAINST], opposed=False)
    _stirred(cast, "helper", FOR)
    _trines(cast, (FOR, NEITHER))
    _role(cast, "原神")
    if not _harms(cast):
        _role(cast, "忌神")


def tell_opposed(cast: CastDraft) -> None:
    """What stands against the subject: lines that move and changes for the worse, 三合局, and 忌神."""
    _worsening(cast)
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] == AGAINST], opposed=True)
    _stirred(cast, "harmer", AGAINST)
    _trines(cast, (AGAINST,))
    if _harms(cast):
        _role(cast, "忌神")


def _harms(cast: CastDraft) -> bool:
    """Whether 忌神 is on the board."""
    role = cast.found.yongshen.roles.get("忌神")
    return role is not None and bool(role.lines)


def _told(cast: CastDraft) -> list[Line]:
    """The lines that move, from below; of many those that bear most on the subject."""
    moving = [line for line in cast.found.lines if line.moving]
    first = sorted(moving, key=lambda each: _BEARS_MOST.index(_bearing(cast, each)[0]))[:MOST_MOVES]
    return [line for line in moving if line in first]


def _bearing(cast: CastDraft, line: Line) -> tuple[str, str]:
    """What a line is to the subject, and its side; 世 is whoever asks, whatever its element."""
    if cast.subject.source == "line" and line.position == cast.subject.position:
        return "own", NEITHER
    if line.mark == SHI:
        return "self", FOR
    return cast.bearing(line.state.element)


def _turning(cast: CastDraft, lines: Sequence[Line], opposed: bool) -> None:
    for line in lines:
        turned, at = line.turned, f"ly.line.{line.position}"
        assert turned is not None
        key, side = _bearing(cast, line)
        spent = _spent(key, line)
        facts = (
            at,
            f"ly.target.{line.position}",
            *((f"{at}.change.{spent}",) if spent else ()),
            cast.own,
            cast.seat,
        )
        values: dict[str, Any] = {"mark": word(spent)} if spent else {}
        cast.say(
            f"move.{key}.spent" if spent else f"move.{key}", *facts, side=NEITHER if key == "self" or spent else side,
            rel=word(line.relation), who=cast.who, rel2=word(turned.relation), pillar2=Najia(turned.pillar.value),
            **values, **placed(line),
        )  # fmt: skip
        _changing(cast, line, "worse" if opposed else "good", "plain")


def _spent(key: str, line: Line) -> str:
    """The change that takes from a line that helps or harms the subject what it would do (《增删卜易·元神忌神衰旺章》)."""
    return undone(line) if key in ("helper", "harmer", "rival") else ""


def _worsening(cast: CastDraft) -> None:
    """What changes for the worse where it should hold: it stands among what is against the subject."""
    for line in _told(cast):
        if _bearing(cast, line)[1] != AGAINST:
            _changing(cast, line, "bad")


def _changing(cast: CastDraft, line: Line, *tones: str) -> None:
    """The changes of a line that are told in these tones."""
    at, (key, side) = f"ly.line.{line.position}", _bearing(cast, line)
    for mark in [] if _spent(key, line) else _marks(key, line):
        tone, at_side = _change(key, side, mark)
        if tone.partition(".")[0] in tones:
            whose = Phrase(
                f"cast.line.{key if key in ('own', 'self') else 'other'}",
                words(place=LinePlace(line.position), who=cast.who),
            )
            cast.say(
                f"change.{tone}", at, f"{at}.change.{mark}", cast.own, cast.seat, side=at_side, line=whose,
                place=LinePlace(line.position), mark=word(mark),
            )  # fmt: skip


def _marks(key: str, line: Line) -> list[str]:
    """The changes of a line that are told: the first of them, of the subject also what holds or stores it; of what
    drains the subject none that helps or harms it."""
    found = [each for each in _TOLD_CHANGES if each in line.changes]
    told = found[:1] + [each for each in found[1:] if key == "own" and each in ("化合", "化墓")]
    return [each for each in told if key != "drain" or each in _PLAIN_CHANGES]


def _stirred(cast: CastDraft, bearing: str, side: str) -> None:
    """Still lines that the day stirs and that help or harm the subject."""
    for line in cast.found.lines:
        if line.an_dong and not cast.is_subject(line) and cast.bearing(line.state.element)[0] == bearing:
            at = f"ly.line.{line.position}"
            cast.say(
                f"move.secret.{bearing}", at, f"{at}.andong", cast.own, cast.seat, side=side, rel=word(line.relation),
                mark=word("暗动"), who=cast.who, **placed(line),
            )  # fmt: skip


def _change(key: str, stands: str, mark: str) -> tuple[str, str]:
    """How a change is told, and its side: what strengthens a line that harms the subject speaks against it."""
    if key == "own":
        stands = FOR  # what is asked goes as its own line goes
    if mark in _PLAIN_CHANGES:
        return f"plain.{mark}", NEITHER
    if stands == FOR:
        return (f"good.{mark}", FOR) if mark in GOOD_CHANGES else (f"bad.{mark}", AGAINST)
    return "worse", AGAINST


def _role(cast: CastDraft, name: str) -> None:
    role = cast.found.yongshen.roles.get(name)
    told = _told(cast)
    if role is not None and not (role.lines and all(line in told or line.an_dong for line in role.lines)):
        places = [LinePlace(line.position) for line in role.lines]
        key = "role.none" if not places else "role" if any(map(_has_strength, role.lines)) else "role.weak"
        states = (f"ly.line.{line.position}.state" for line in role.lines)
        cast.say(
            f"{key}.{name}", f"ly.role.{name}", *states, role=word(name), element=word(role.element.value), places=places,
        )  # fmt: skip


def _has_strength(line: Line) -> bool:
    """Whether 原神 or 忌神 can act: in season, stirred, or held by the day, and neither void nor broken, nor undone by its
    change (《增删卜易·元神忌神衰旺章》)."""
    own = line.state
    if own.void or own.month_broken or line.day_broken or undone(line):
        return False
    return own.is_prosperous or line.active or bool({"临", "扶", "生"} & {*own.day})


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
