"""What moves in a cast, what it is to the line that is judged, what it turns into, and the 三合 that form.

A line is told by what its element is to the subject: 原神 feeds it, 忌神 controls it, 仇神 feeds 忌神
(《增删卜易·元神忌神章》); of several that act together the chain is told first (《元神忌神衰旺章》). A 三合局
acts as one element (《三合章》); it is told once, however many ways it forms, and while a member is missing it acts on
nothing yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Element
from bazi_core.liuyao.force import (
    ACTS,
    BAD_CHANGES,
    FAINT,
    GOOD_CHANGES,
    IDLE,
    READY,
    SPENT,
    change_hindrance,
    is_whole,
    undone,
    works_back,
)
from bazi_core.liuyao.hexagrams import HANZI
from bazi_core.liuyao.yongshen import SHI
from bazi_core.speech.catalogue import Clauses, LinePlace, Najia, Phrase, Sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import (
    ALL_LINES,
    kind_of,
    placed,
    spent_of,
    void_of,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.marks import Trine
    from bazi_core.speech.statements.cast_words import CastDraft

# What a line that acts no longer does; and the statements that give the reasons of a verdict.
_SIDELESS = (".spent", ".spent.told", ".feeds", ".again")
_REASONS = ("cast.why.both", "cast.why.ground", "cast.why.counter")
_PLAIN_CHANGES = ("伏吟", "回头冲", "化合")
# Of many lines that move so many are told, those that bear most on the subject.
_BEARS_MOST = ("own", "harmer", "helper", "self", "alike", "rival", "drain")
# Of several changes of a line one is told, the first of these.
_TOLD_CHANGES = GOOD_CHANGES + BAD_CHANGES + _PLAIN_CHANGES
MOST_MOVES = 3
# What a line is to the subject where it acts on it; and the changes that a whole changed branch is needed for.
_ACTS_ON = ("helper", "harmer", "rival", "alike")
_HELD_BACK = ("回头生", "回头克", "进神")
# Of the ways in which one 三合 forms the first of these is told; one that waits for a member only where no other does.
_WHOLE = ("三爻动", "两动一静", "内卦初三爻动变", "外卦四六爻动变", "虚一待用")


def tell_lines(cast: CastDraft) -> None:
    """How many lines move, and what those do that do not stand against the subject."""
    moving = [line for line in cast.found.lines if line.moving]
    # Of lines that the day stirs those that are told of.
    told = ("own", "self", "helper", "harmer")
    stirred = [line for line in cast.found.lines if line.an_dong and _bearing(cast, line)[0] in told]
    if not moving and stirred:
        facts = (f"ly.line.{each.position}.andong" for each in stirred)
        cast.say("still.secret", *ALL_LINES, *facts, places=[LinePlace(each.position) for each in stirred])
    elif not moving:
        cast.say("still.lost" if cast.is_lost else "still", *ALL_LINES)
    elif len(moving) > MOST_MOVES:
        cast.say("many", *(f"ly.line.{each.position}" for each in moving))
    _chained(cast, FOR)
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] != AGAINST], opposed=False)
    _stirred(cast, "helper", FOR)
    _trines(cast, (FOR, NEITHER))
    _role(cast, "原神")
    if not _harms(cast):
        _role(cast, "忌神")


def tell_opposed(cast: CastDraft) -> None:
    """What stands against the subject: lines that move and changes for the worse, 三合局, and 忌神."""
    _chained(cast, AGAINST)
    _worsening(cast)
    _turning(cast, [each for each in _told(cast) if _bearing(cast, each)[1] == AGAINST], opposed=True)
    _stirred(cast, "harmer", AGAINST)
    _trines(cast, (AGAINST,))
    if _harms(cast):
        _role(cast, "忌神")


def _chained(cast: CastDraft, side: str) -> None:
    """What the lines that act do together, where that stands on this side."""
    chain = cast.chain
    if chain is None or chain.side != side or cast.verdict_told:
        return  # the running text told it with the verdict
    facts, values = chain_parts(cast)
    cast.say(f"chain.{chain.name}", *facts, cast.own, cast.seat, side=side, who=cast.who, **values)


def chain_parts(cast: CastDraft) -> tuple[list[str], dict[str, Any]]:
    """The facts of the lines of a chain, and their places by role."""
    assert cast.chain is not None
    facts, values = [], {}
    for role, lines in cast.chain.lines.items():
        values[f"{role}s"] = [LinePlace(line.position) for line in lines]
        for line in lines:
            facts += [
                f"ly.line.{line.position}",
                *([f"ly.line.{line.position}.andong"] if line.an_dong else []),
            ]
    return facts, values


def _feeds_on(cast: CastDraft) -> bool:
    """Whether 忌神 feeds 原神 instead of pressing."""
    return cast.chain is not None and cast.chain.side == FOR


def _harms(cast: CastDraft) -> bool:
    """Whether 忌神 is on the board, or in month, day or the change of the 用神 where no line is of it."""
    role = cast.found.yongshen.roles.get("忌神")
    return role is not None and (bool(role.lines) or _elsewhere(cast, "忌神", role.element) != ("none", ()))


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
    key, side = cast.bearing(line.state.element)
    return key, NEITHER if key in ("harmer", "rival") and _feeds_on(cast) else side


def _turning(cast: CastDraft, lines: Sequence[Line], opposed: bool) -> None:
    drained = False
    for line in lines:
        turned, at = line.turned, f"ly.line.{line.position}"
        assert turned is not None
        key, side = _bearing(cast, line)
        spent = spent_of(cast, line) if key in _ACTS_ON else None
        is_in_vain = cast.verdict_told and line.position in cast.in_vain
        how = ".feeds" if key in ("harmer", "rival") and _feeds_on(cast) else ""
        if spent:
            how = ".spent.told" if is_in_vain and key in ("helper", "harmer") else ".spent"
        if not how and key in ("helper", "harmer") and cast.verdict_told and _is_cited(cast, line):
            how = ".told"
        if key == "drain":
            how, drained = ".again" if drained else "", True
        facts = (at, f"ly.target.{line.position}", *(spent[1] if spent else ()), cast.own, cast.seat)
        values: dict[str, Any] = {"why": spent[0]} if spent and how == ".spent" else {}
        cast.say(
            f"move.{key}{how}", *facts, side=NEITHER if key == "self" or how in _SIDELESS else side,
            rel=word(line.relation), who=cast.who, rel2=word(turned.relation), pillar2=Najia(turned.pillar.value),
            **values, **placed(line),
        )  # fmt: skip
        _changing(cast, line, "worse" if opposed else "good", "plain", "weak")
        _shaken(cast, key, line)


def _is_cited(cast: CastDraft, line: Line) -> bool:
    """Whether the verdict told what a line does to the subject."""
    in_chain = cast.chain is not None and any(line in those for those in cast.chain.lines.values())
    return in_chain or f"ly.line.{line.position}" in cast.draft.cited(*_REASONS)


def _shaken(cast: CastDraft, key: str, line: Line) -> None:
    """What day and void are to a line that moves in its season: not its loss (《增删卜易·旬空章》《动散章》)."""
    own, at = line.state, f"ly.line.{line.position}"
    if key == "own" or not own.is_prosperous or cast.standing(line).cause:
        return
    if own.void:
        cast.say(
            "shaken.void", at, f"{at}.void", f"{at}.state", mark=void_of(line), place=LinePlace(line.position)
        )
    elif own.day_clashed:
        cast.say(
            "shaken.clash", at, f"{at}.richong", f"{at}.state", "ly.richen", mark=word("日冲"), day=Najia(cast.day.value),
            place=LinePlace(line.position),
        )  # fmt: skip


def _worsening(cast: CastDraft) -> None:
    """What changes for the worse where it should hold: it stands among what is against the subject."""
    for line in _told(cast):
        if _bearing(cast, line)[1] != AGAINST:
            _changing(cast, line, "bad")


def _changing(cast: CastDraft, line: Line, *tones: str) -> None:
    """The changes of a line that are told in these tones."""
    at, (key, side) = f"ly.line.{line.position}", _bearing(cast, line)
    is_spent = key in _ACTS_ON and cast.standing(line).cause is not None
    # What strengthens 世 strengthens 忌神 as well, where 世 is of it: that is on neither side.
    presses = key == "self" and cast.bearing(line.state.element)[0] == "harmer"
    marks = [] if is_spent else [each for each in _marks(key, line) if not (presses and each in GOOD_CHANGES)]
    for mark in marks:
        tone, at_side = _change(key, side, mark)
        reason = change_hindrance(line) if mark in _HELD_BACK else ""
        if reason:
            if key == "own" and cast.draft.cites(f"{at}.change.{mark}"):
                continue  # the verdict told it
            tone, at_side = f"weak.{mark}", NEITHER
        elif mark == "化墓" and len(marks) > 1 and marks[0] in GOOD_CHANGES:
            tone += ".yet"
        if tone.partition(".")[0] in tones:
            whose = Phrase(
                f"cast.line.{key if key in ('own', 'self') else 'other'}",
                words(place=LinePlace(line.position), who=cast.who),
            )
            cast.say(
                f"change.{tone}", at, f"{at}.change.{mark}", *_weak_facts(line, reason), cast.own, cast.seat,
                side=at_side, line=whose,
                place=LinePlace(line.position), mark=word(mark), **_why_weak(cast, line, reason),
            )  # fmt: skip


def _weak_facts(line: Line, reason: str) -> tuple[str, ...]:
    """The facts of what keeps the changed branch from working back."""
    if not reason:
        return ()
    return ("ly.richen",) if reason == "日合" else (f"ly.line.{line.position}.change.{reason}",)


def _why_weak(cast: CastDraft, line: Line, reason: str) -> dict[str, Any]:
    if not reason:
        return {}
    assert line.turned is not None
    key = {"日合": "bound", "化空": "void", "化破": "broken"}[reason]
    return {"why": weakness(cast, key)}


def weakness(cast: CastDraft, key: str) -> Phrase:
    """Why a changed branch does not work back, as a clause."""
    return Phrase(f"cast.weak.{key}", words(day=Najia(cast.day.value), void=word("旬空")))


def _marks(key: str, line: Line) -> list[str]:
    """The changes of a line that are told: the first of them, of the subject also what holds or stores it; of what
    drains the subject none that helps or harms it."""
    held = [change for change in _TOLD_CHANGES if change in _HELD_BACK or works_back(line, change)]
    found = [change for change in held if change in line.changes]
    # What takes its force from a line is told as that wherever the line is told of.
    found.sort(key=lambda each: each != undone(line))
    told = found[:1] + [each for each in found[1:] if key == "own" and each in ("化合", "化墓")]
    return [each for each in told if key != "drain" or each in _PLAIN_CHANGES]


def _stirred(cast: CastDraft, bearing: str, side: str) -> None:
    """Still lines that the day stirs and that help or harm the subject."""
    for line in cast.found.lines:
        if line.an_dong and not cast.is_subject(line) and cast.bearing(line.state.element)[0] == bearing:
            at, spent = f"ly.line.{line.position}", spent_of(cast, line)
            feeds = bearing == "harmer" and _feeds_on(cast)
            how = ".spent" if spent else ".feeds" if feeds else ""
            values: dict[str, Any] = {"why": spent[0]} if spent else {}
            cast.say(
                f"move.secret.{bearing}{how}", at, f"{at}.andong", *(spent[1] if spent else ()), cast.own, cast.seat,
                side=NEITHER if how else side, rel=word(line.relation), mark=word("暗动"), who=cast.who,
                **values, **placed(line),
            )  # fmt: skip


def _change(key: str, stands: str, mark: str) -> tuple[str, str]:
    """How a change is told, and its side: what strengthens a line that harms the subject speaks against it."""
    if key == "own":
        stands = FOR  # what is asked goes as its own line goes
    if mark in _PLAIN_CHANGES:
        return f"plain.{mark}", NEITHER
    if stands == FOR:
        return (f"good.{mark}", FOR) if mark in GOOD_CHANGES else (f"bad.{mark}", AGAINST)
    return ("worse", AGAINST) if mark in GOOD_CHANGES else ("", NEITHER)


def _role(cast: CastDraft, name: str) -> None:
    role = cast.found.yongshen.roles.get(name)
    told = _told(cast)
    if role is None or (role.lines and all(line in told or line.an_dong for line in role.lines)):
        return
    untold = [line for line in role.lines if not (line in told or line.an_dong)]
    if name == "忌神" and cast.harms_from_self:
        untold = [line for line in untold if line.mark != SHI]  # which the verdict told
    if name == "忌神" and _feeds_on(cast):
        return
    if not role.lines:
        _off_lines(cast, name, role.element)
        return
    if not untold:
        return
    groups, evidence = _groups(cast, name, untold)
    cast.say(
        f"role.{name}" if len(untold) == len(role.lines) else f"role.more.{name}", f"ly.role.{name}", *evidence,
        role=word(name), element=word(role.element.value), groups=Clauses(tuple(groups)), who=cast.who,
    )  # fmt: skip
    if all(cast.standing(line).kind in (READY, IDLE) for line in untold):
        _felt(cast, name, role.element)


def _off_lines(cast: CastDraft, name: str, element: Element) -> None:
    """A role that is on no line, by where else it is found."""
    where, facts = _elsewhere(cast, name, element)
    values: dict[str, Any] = {}
    if where == "none":
        # A changed branch acts on its own line alone (《增删卜易·动变章》), and what is hidden does not act.
        becoming = [line for line in cast.found.lines if line.turned and line.turned.state.element is element]
        if becoming:
            where, values = "becomes", {"places": [LinePlace(line.position) for line in becoming]}
            facts = tuple(f"ly.target.{line.position}" for line in becoming)
        else:
            # The hexagram of a palace has all elements, so what is on no line lies hidden beneath one.
            under = next(each for each in cast.found.hidden if each.pillar.branch.element is element)
            where, values = "hidden", {"place": LinePlace(under.position)}
            facts = (f"ly.hidden.{under.position}",)
    cast.say(
        f"role.{where}.{name}", f"ly.role.{name}", *facts, role=word(name), element=word(element.value),
        who=cast.who, day=Najia(cast.day.value), month=Najia(cast.month.value), **values,
    )  # fmt: skip


def _felt(cast: CastDraft, name: str, element: Element) -> None:
    """Where lines of a role are still and day, month or the subject's own change are of its element: those act."""
    mark, line = ("回头生" if name == "原神" else "回头克"), cast.subject.line
    found: list[tuple[str, str]] = []
    if cast.subject.source == "line" and line is not None and works_back(line, mark):
        found.append(("turned", f"ly.line.{line.position}.change.{mark}"))
    if cast.day.element is element:
        found.append(("day", "ly.richen"))
    if cast.month.element is element:
        found.append(("month", "ly.yuejian"))
    if found:
        named = words(day=Najia(cast.day.value), month=Najia(cast.month.value), who=cast.who)
        by = [Phrase(f"cast.felt.{key}", named) for key, _ in found]
        facts = (fact for _, fact in found)
        cast.say(
            f"role.felt.{name}", f"ly.role.{name}", *facts, by=by, element=word(element.value), who=cast.who
        )


def _groups(cast: CastDraft, name: str, lines: Sequence[Line]) -> tuple[list[Phrase], list[str]]:
    """The lines of a role by how they stand, each as a clause, with their facts."""
    groups, evidence = [], []
    for kind in (ACTS, FAINT, SPENT, READY, IDLE, f"{IDLE}.joined"):
        same = [line for line in lines if kind_of(cast.standing(line)) == kind]
        places = [LinePlace(line.position) for line in same]
        if places:
            groups.append(Phrase(f"cast.role.is.{kind}.{name}", words(places=places)))
        for line in same:
            evidence += [f"ly.line.{line.position}.state", *cast.standing(line).facts]
    return groups, evidence


def _elsewhere(cast: CastDraft, name: str, element: Element) -> tuple[str, tuple[str, ...]]:
    """Where 原神 or 忌神 works that is on no line: its change, the day, the month or a 三合局, or `none`."""
    mark = "回头生" if name == "原神" else "回头克"
    if mark in cast.subject.changes:
        return "turned", (f"ly.line.{cast.subject.position}.change.{mark}",)
    if cast.day.element is element:
        return "day", ("ly.richen",)
    if cast.month.element is element:
        return "month", ("ly.yuejian",)
    formed = [trine for trine in cast.found.trines if trine.element == element.value and is_whole(trine)]
    return ("trine", (f"ly.sanhe.{element.value}.1",)) if formed else ("none", ())


def _trines(cast: CastDraft, sides: Sequence[str]) -> None:
    """Each 三合 once, by the most whole of the ways in which it forms, with what it does to the subject."""
    by_element: dict[str, list[Trine]] = {}
    for each in cast.found.trines:
        by_element.setdefault(each.element, []).append(each)
    for element, same in by_element.items():
        told = min(same, key=lambda each: (not is_whole(each), bool(each.missing), _WHOLE.index(each.kind)))
        waits = not is_whole(told)
        key, side = cast.bearing(Element(element))
        if (
            key != "alike"
            and HANZI[cast.subject.state.branch] in told.branches
            and cast.subject.source == "line"
        ):
            key, side = "own", NEITHER
        side = NEITHER if waits else side
        if side in sides:
            lacks = bool(told.missing) and not told.filled_by
            state = "waits" if lacks else "held" if waits else "filled" if told.missing else "whole"
            _trine(cast, told, len(same), "trine.pending" if state == "held" else f"trine.{key}", state, side)


def _held_members(told: Trine) -> Clauses:
    """What each member of a 三合 waits for, the first of its reasons alone."""
    first = dict(reversed(told.waits))
    return Clauses(
        tuple(
            Phrase(f"cast.trine.held.{why}", {"branch": Sign(char, plain=True)})
            for char, why in first.items()
        )
    )


def _trine(cast: CastDraft, told: Trine, ways: int, key: str, state: str, side: str) -> None:
    named: dict[str, Any] = {
        "three": Sign(told.branches, plain=True), "element": word(told.element), "how": word(told.kind),
        "missing": Sign(told.missing, plain=True), "held": _held_members(told),
        "filler": [word(each) for each in told.filled_by],
    }  # fmt: skip
    forms = Phrase(f"cast.trine.{state}", words(**named))
    facts = [f"ly.sanhe.{told.element}.{number}" for number in range(1, ways + 1)]
    bears = Phrase(f"cast.trine.would.{cast.bearing(Element(told.element))[0]}", words(who=cast.who))
    cast.say(
        key, *facts, cast.own, cast.seat, side=side, forms=forms, who=cast.who, pillar=Najia(cast.subject.text),
        element=named["element"], bears=bears,
    )  # fmt: skip
    wait = cast.times.wait()
    if state == "waits" and wait is not None and wait.values["branch"].hanzi == told.missing:
        branch = cast.held_facts
        if key in ("trine.harmer", "trine.rival", "trine.drain"):
            cast.say("trine.same", *facts, *branch, cast.own, who=cast.who, missing=named["missing"])
