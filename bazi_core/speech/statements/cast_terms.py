"""What a question looks up on the board by a term of the craft (`looked_up.csv`): the fact, before the verdict.

Each term has its chapter; what a question claims is told as the board has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import Fact
from bazi_core.liuyao import marks
from bazi_core.liuyao.emergence import emergence
from bazi_core.liuyao.force import acting, is_broken, is_held, is_whole, numbered, works_back
from bazi_core.liuyao.hexagrams import CLASHING, COMBINING
from bazi_core.liuyao.looked_up import HARMER, HELPER, SUBJECT, looked_up
from bazi_core.liuyao.matters import HEALTH, standing_of
from bazi_core.liuyao.yongshen import SHI, YING
from bazi_core.speech.catalogue import Clauses, LinePlace, Najia, Phrase, Sign
from bazi_core.speech.plan import FOR
from bazi_core.speech.statements.cast_words import (
    ALL_LINES,
    bond,
    branch_sign,
    placed,
    spent_of,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.liuyao.board import HiddenLine, Line, State
    from bazi_core.liuyao.looked_up import LookedUp
    from bazi_core.speech.statements.cast_words import CastDraft

LOOKED_UP = "cast.term."
BODY = "ly.gua.body"
_WEIGHED = ("临", "冲", "生", "扶", "合", "克")
# Changes of a line that are told, in their order.
_CHANGES = (
    "进神", "退神", "回头生", "回头克", "回头冲", "化合", "伏吟", "化空", "化破", "化长生", "化帝旺", "化墓", "化绝", "化泄",
    "化耗", "化比",
)  # fmt: skip
_MOST_CHANGES = 3
_TAGS = {CLASHING: "clash", COMBINING: "join"}


class Looked(NamedTuple):
    """The line of which something is looked up: as words, its state, the line itself where it is on the board, its facts."""

    name: Phrase
    state: State
    line: Line | None
    facts: tuple[str, ...]


def tell_terms(cast: CastDraft) -> None:
    """Whatever the question looks up, each in a sentence or two."""
    for each in looked_up(cast.asked):
        _TELL[each.term](cast, each)


def _looked(cast: CastDraft, name: str) -> Looked | None:
    """The line of that name; None where 原神 or 忌神 is on no line."""
    lines = cast.found.lines
    if name == SUBJECT and cast.subject.source != "line":
        return _of_subject(cast)
    if name.isdigit():
        return _on_board(lines[int(name) - 1])
    if name in (SHI, YING):
        return _on_board(cast.shi if name == SHI else cast.ying)
    if name == SUBJECT:
        assert cast.subject.line is not None
        return _on_board(cast.subject.line)
    if name in (HELPER, HARMER):
        role = cast.found.yongshen.roles.get(name)
        return _on_board(_first_of(role.lines)) if role is not None and role.lines else None
    those = [line for line in lines if line.relation == name]
    if those:
        is_own = cast.subject.source == "line" and cast.subject.line in those
        return _on_board(cast.subject.line if is_own and cast.subject.line else _first_of(those))
    return _beneath(next(each for each in cast.found.hidden if each.relation == name))


def _first_of(lines: Sequence[Line]) -> Line:
    """The line that acts, else the first."""
    return next((line for line in lines if line.active), lines[0])


def _on_board(line: Line) -> Looked:
    name = Phrase("cast.term.line", {"rel": word(line.relation), **placed(line)})
    return Looked(name, line.state, line, (f"ly.line.{line.position}", f"ly.line.{line.position}.state"))


def _beneath(hidden: HiddenLine) -> Looked:
    values = {
        "rel": word(hidden.relation), "place": LinePlace(hidden.position), "pillar": Najia(hidden.pillar.value),
    }  # fmt: skip
    return Looked(Phrase("cast.term.beneath", values), hidden.state, None, (f"ly.hidden.{hidden.position}",))


def _of_subject(cast: CastDraft) -> Looked:
    """The 用神 where it stands on no line: beneath one, in the month, the day or a change."""
    under = next((each for each in cast.found.hidden if each.position == cast.subject.position), None)
    if cast.subject.source == "hidden" and under is not None:
        return _beneath(under)
    values = {"rel": cast.rel, "pillar": Najia(cast.subject.text)}
    return Looked(Phrase("cast.term.off", values), cast.subject.state, None, (cast.own, cast.seat))


def _tell_line(cast: CastDraft, key: str, looked: Looked, *facts: str, **values: Any) -> None:
    cast.say(f"term.{key}", *looked.facts, *facts, weight=1, line=looked.name, **values)


def _hidden(cast: CastDraft, asked: LookedUp) -> None:
    """Whether what is hidden comes out; of what is not hidden, where it stands."""
    looked = _looked(cast, asked.line)
    hidden = [each for each in cast.found.hidden if looked and looked.state is each.state]
    if looked is not None and looked.line is not None and asked.line == SUBJECT and cast.found.hidden:
        # Whoever asks of a hidden line while the 用神 is on the board means another one.
        _tell_line(cast, "hidden.open", looked)
        hidden = [*cast.found.hidden]
    if not hidden:
        if looked is not None and looked.line is not None and cast.found.hidden:
            _tell_line(cast, "hidden.open", looked)
        elif not cast.found.hidden:
            cast.say("term.hidden.none", *ALL_LINES, weight=1)
        return
    for each in hidden:
        _emerges(cast, each)


def _emerges(cast: CastDraft, hidden: HiddenLine) -> None:
    found = emergence(hidden, cast.found.lines, cast.found.standings)
    values = words(
        over=Najia(hidden.flying.value), day=Najia(cast.day.value), month=Najia(cast.month.value),
    )  # fmt: skip
    out, kept = (
        Clauses(tuple(Phrase(f"cast.term.emerges.{mark}", values) for mark in those))
        for those in (found.lets_out[:2], found.keeps_in[:2])
    )
    key = f"hidden.{'out' if found.comes_out else 'shut'}"
    yet = found.keeps_in if found.comes_out else found.lets_out
    looked, over = _beneath(hidden), f"ly.line.{hidden.position}"
    _tell_line(
        cast, f"{key}.yet" if yet else key, looked, over, f"{over}.state", "ly.richen", "ly.yuejian", "ly.void.day",
        out=out, kept=kept, over=Najia(hidden.flying.value),
    )  # fmt: skip


def _turns(cast: CastDraft, asked: LookedUp) -> None:
    """反吟 and 伏吟 of both trigrams."""
    primary, target = cast.chart.primary, cast.chart.target
    if not cast.chart.moving:
        cast.say("term.turns.still", *ALL_LINES, weight=1)
        return
    if marks.gua_fan_yin(primary, target):
        cast.say(
            "term.turns.whole", "ly.gua.primary", "ly.gua.target", weight=1, primary=word(primary.full_name),
            target=word(target.full_name),
        )  # fmt: skip
    halves = [(half, kind) for half, kind in marks.fan_fu(primary, target).items() if kind]
    for half, kind in halves:
        fact = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{half}"
        part = word("内卦" if half == "inner" else "外卦")
        cast.say("term.turns", fact, weight=1, part=part, mark=word(kind or ""))
    if not halves and not marks.gua_fan_yin(primary, target):
        cast.say(
            "term.turns.none", "ly.gua.primary", "ly.gua.target", weight=1, primary=word(primary.full_name),
            target=word(target.full_name),
        )  # fmt: skip


def _clashes(cast: CastDraft, asked: LookedUp) -> None:
    """六冲 and 六合 of both hexagrams, and of an illness what six clashes say by how long it has lasted."""
    chart, clauses, facts, clashing = cast.chart, [], list[str](), False
    for name, each in (("primary", chart.primary), ("target", chart.target))[: 2 if chart.moving else 1]:
        tag = next((tag for tag in each.tags if tag in _TAGS), "")
        key = f"cast.term.clashes.{name}.{_TAGS.get(tag, 'none')}"
        clauses.append(Phrase(key, words(gua=word(each.full_name))))
        facts.append(f"ly.gua.{name}")
        clashing = clashing or tag == CLASHING
    if marks.transition(chart.primary, chart.target):
        facts.append("ly.gua.transition")
    cast.say("term.clashes", *facts, weight=1, told=Clauses(tuple(clauses)))
    standing = standing_of(cast.asked)
    if clashing and standing and cast.matter.topic == HEALTH:
        cast.say(f"term.clashes.{standing}", *facts, weight=1)


def _forgets(cast: CastDraft, asked: LookedUp) -> None:
    """Whether 忌神 forgets to press: it feeds 原神 that moves, or is held by a combination."""
    chain = cast.chain
    if chain is not None and chain.side == FOR:
        first = {name: those[0] for name, those in chain.lines.items()}
        facts = [f"ly.line.{line.position}" for line in first.values()]
        cast.say(
            "term.forgets", *facts, weight=1, one=LinePlace(first["harmer"].position),
            two=LinePlace(first["helper"].position),
        )  # fmt: skip
        return
    harmers = acting(cast.found.lines, cast.subject, "harmer")
    held = [line for line in harmers if (cause := cast.standing(line).cause) and cause.rule == "合住"]
    if held:
        why = spent_of(cast, held[0])
        assert why is not None
        cast.say(
            "term.forgets.held", f"ly.line.{held[0].position}", *why[1], weight=1, why=why[0],
            one=LinePlace(held[0].position),
        )  # fmt: skip
        return
    cast.say(f"term.forgets.{'alone' if harmers else 'none'}", *ALL_LINES, cast.own, weight=1)


def _trine(cast: CastDraft, asked: LookedUp) -> None:
    """Whether a 三合局 forms."""
    if not cast.found.trines:
        cast.say("term.trine.none", *ALL_LINES, weight=1)
    best = sorted(numbered(cast.found.trines), key=lambda each: not is_whole(each[1]))
    for name, trine in best[:1]:
        key = "whole" if is_whole(trine) else "lacks" if trine.missing and not trine.filled_by else "held"
        held = dict(reversed(trine.waits))
        waits = Clauses(
            tuple(
                Phrase(f"cast.trine.held.{why}", {"branch": Sign(char, plain=True)})
                for char, why in held.items()
            )
        )
        values: dict[str, Any] = {"waits": waits} if key == "held" else {}
        if key == "lacks":
            values["missing"] = Sign(trine.missing, plain=True)
        cast.say(
            f"term.trine.{key}", name, "ly.void.day", "ly.yuepo", weight=1,
            three=Sign(trine.branches, plain=True), element=word(trine.element), **values,
        )  # fmt: skip


def _seats(cast: CastDraft, asked: LookedUp) -> None:
    """What 世 and 应 are to each other."""
    lines = {"mine": cast.shi, "theirs": cast.ying}
    values: dict[str, Any] = {name: Phrase("cast.term.seat", placed(line)) for name, line in lines.items()}
    facts = [f"ly.line.{line.position}" for line in lines.values()]
    bond_ = Phrase(f"cast.term.bond.{bond(cast.shi, cast.ying, void=False)}", words())
    cast.say("term.seats", *facts, weight=1, bond=bond_, **values)


def _body(cast: CastDraft, asked: LookedUp) -> None:
    """卦身: its branch, and the lines on which it stands."""
    primary = cast.chart.primary
    branch, places = primary.gua_shen, primary.gua_shen_lines
    said = ("cast.body", (branch.value,), None, ("ly.gua.primary",), "ZZ.gua_shen", "ZZ")
    cast.draft.learn([Fact(BODY, "hexagram", "hexagram", "body", branch.value, *said)])
    values: dict[str, Any] = {"places": [LinePlace(each) for each in places]} if places else {}
    facts = [f"ly.line.{each}" for each in places]
    cast.say(
        f"term.body.{'on' if places else 'off'}", BODY, *facts, weight=1, branch=branch_sign(branch), **values
    )


def _broken(cast: CastDraft, asked: LookedUp) -> None:
    """月破, and whether it ends with the month (《增删卜易·月破章》)."""
    looked = _looked(cast, asked.line)
    if looked is None:
        return
    own, key = looked.state, "none"
    if own.month_broken:
        helped = is_held(own) or "合" in own.day or any(
            cast.standing(line).is_able and line.state.element.generates is own.element
            for line in cast.found.lines
        )  # fmt: skip
        is_moving = looked.line is not None and looked.line.moving
        key = "held" if not is_broken(own) else "passes" if is_moving or helped else "still"
    _tell_line(
        cast, f"broken.{key}", looked, "ly.yuepo", "ly.yuejian", "ly.richen", month=branch_sign(cast.month),
        broken=branch_sign(cast.chart.month_broken), day=Najia(cast.day.value),
    )  # fmt: skip


def _moved(cast: CastDraft, asked: LookedUp) -> None:
    """暗动 and 日破, and which lines the day stirs."""
    looked = _looked(cast, asked.line)
    if looked is None:
        return
    line, own = looked.line, looked.state
    key = "none"
    if line is not None and line.moving:
        key = "moving.clashed" if own.day_clashed else "moving"
    elif own.day_clashed:
        key = "filled" if own.void else "dark" if line is not None and line.an_dong else "broken"
    _tell_line(
        cast, f"moved.{key}", looked, "ly.richen", "ly.yuejian", day=Najia(cast.day.value),
        stands=cast.stands(own), month=branch_sign(cast.month),
    )  # fmt: skip
    stirred = [each for each in cast.found.lines if each.an_dong and each is not line]
    if stirred:
        facts = [f"ly.line.{each.position}.andong" for each in stirred]
        cast.say("term.moved.others", *facts, weight=1, places=[LinePlace(each.position) for each in stirred])


def _void(cast: CastDraft, asked: LookedUp) -> None:
    """Whether a line is void, and whether to the end (《增删卜易·旬空章》)."""
    looked = _looked(cast, asked.line)
    if looked is None:
        return
    own, line = looked.state, looked.line
    key = "none"
    if own.void:
        is_true = line is not None and line.void_kind == "真"
        key = (
            "filled" if own.day_clashed else "full" if own.is_prosperous else "moving" if line and line.moving
            else "fed" if is_held(own) or "合" in own.day else "true" if is_true else "weak"
        )  # fmt: skip
    _tell_line(
        cast, f"void.{key}", looked, "ly.void.day", "ly.richen", "ly.yuejian", day=Najia(cast.day.value),
        month=branch_sign(cast.month), void=[branch_sign(each) for each in cast.chart.void],
    )  # fmt: skip


def _store(cast: CastDraft, asked: LookedUp) -> None:
    """Whether a line enters its store: of the day, of a line that acts, or by its own change (《增删卜易·入墓章》)."""
    looked = _looked(cast, asked.line)
    if looked is None:
        return
    own, line, store = looked.state, looked.line, marks.tomb(looked.state.element)
    able = [each for each in cast.found.lines if each is not line and cast.standing(each).is_able]
    acts = next((each for each in able if each.state.branch is store), None)
    key, values = "none", dict[str, Any]()
    facts: tuple[str, ...] = ("ly.richen",)
    if own.day_stage == "墓":
        key = "day.held" if own.is_prosperous or is_held(own) else "day"
    elif line is not None and works_back(line, "化墓"):
        key, facts = "change", ("ly.richen", f"ly.line.{line.position}.change.化墓")
    elif acts is not None:
        key, values = "line", {"place": LinePlace(acts.position)}
        facts = ("ly.richen", f"ly.line.{acts.position}")
    _tell_line(cast, f"store.{key}", looked, *facts, day=Najia(cast.day.value), **values)


def _holds(cast: CastDraft, asked: LookedUp) -> None:
    """What holds 世."""
    looked = _on_board(cast.shi)
    _tell_line(cast, "holds", looked)


def _change(cast: CastDraft, asked: LookedUp) -> None:
    """What a line turns into; where none is named that moves, the lines that move."""
    looked = _looked(cast, asked.line)
    if looked is None:
        _nowhere(cast, asked.line)
    own = looked.line if looked is not None else None
    if own is not None and own.moving:
        _turned(cast, own)
        return
    if looked is not None and (asked.line != SUBJECT or not cast.chart.moving):
        _tell_line(cast, "change.still", looked)
        return
    for line in [each for each in cast.found.lines if each.moving][:_MOST_CHANGES]:
        _turned(cast, line)


def _turned(cast: CastDraft, line: Line) -> None:
    assert line.turned is not None
    looked, at = _on_board(line), f"ly.line.{line.position}"
    told = [each for each in _CHANGES if each in line.changes][:2]
    _tell_line(
        cast, "change", looked, f"ly.target.{line.position}", *(f"{at}.change.{each}" for each in told),
        target=Najia(line.turned.pillar.value), other=word(line.turned.relation), marks=[word(each) for each in told],
    )  # fmt: skip


def _alone(cast: CastDraft, asked: LookedUp) -> None:
    """Which lines move."""
    moving = cast.chart.moving
    count = {0: "none", 1: "one", 5: "five", 6: "all"}.get(len(moving), "some")
    still = [n for n in range(1, 7) if n not in moving]
    shown = still if count == "five" else moving
    values: dict[str, Any] = {"places": [LinePlace(n) for n in shown]} if shown and count != "all" else {}
    cast.say(f"term.alone.{count}", *ALL_LINES, weight=1, **values)


def _strength(cast: CastDraft, asked: LookedUp) -> None:
    """How a line stands by month and day."""
    looked = _looked(cast, asked.line)
    if looked is None:
        _nowhere(cast, asked.line)
        return
    own = looked.state
    verb = next((each for each in _WEIGHED if each in own.day), own.day[-1])
    pressed = bool({"克", "冲"} & {*own.day})
    if is_broken(own):
        key = "broken"
    elif own.is_prosperous:
        key = "pressed" if pressed and "临" not in own.day else "strong"
    else:
        key = "fed" if is_held(own) else "weak"
    _tell_line(
        cast, "strength", looked, "ly.yuejian", "ly.richen", stands=cast.stands(own), month=branch_sign(cast.month),
        day=Najia(cast.day.value), verb=Phrase(f"cast.verb.{verb}", {}), so=Phrase(f"cast.term.strength.{key}", {}),
    )  # fmt: skip


def _nowhere(cast: CastDraft, name: str) -> None:
    """That 原神 or 忌神 is on no line."""
    role = cast.found.yongshen.roles.get(name)
    if role is not None:
        element = word(role.element.value)
        cast.say("term.strength.none", f"ly.role.{name}", weight=1, role=word(name), element=element)


_TELL: dict[str, Callable[[CastDraft, LookedUp], None]] = {
    "hidden": _hidden, "turns": _turns, "clashes": _clashes, "forgets": _forgets, "trine": _trine, "seats": _seats,
    "body": _body, "broken": _broken, "moved": _moved, "void": _void, "store": _store, "change": _change, "alone": _alone,
    "strength": _strength, "holds": _holds,
}  # fmt: skip
