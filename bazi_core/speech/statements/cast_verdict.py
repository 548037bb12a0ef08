"""The verdict on a cast in the words of the question, its grounds, and the marks that the points of the sign leave out.

The points look at the 用神 alone. Books judge the whole board as well: what the hexagrams turn into (《增删卜易·六冲章》
《六合章》), 反吟 and 伏吟 (《反伏章》), 世 and 应 (《卜筮正宗·世应论》), 忌神 on 世 (《黄金策·千金赋》), the store
(《增删卜易·入墓章》), helpers that cannot help and harmers that cannot harm (《元神忌神衰旺章》). Each that holds moves the
verdict a step, never beyond "open" (P), and is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.liuyao import marks
from bazi_core.liuyao.hexagrams import CLASHING
from bazi_core.liuyao.matters import EVENT, LAW
from bazi_core.liuyao.yongshen import YING
from bazi_core.speech.catalogue import Clauses, LinePlace, Najia, Phrase
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_words import (
    GOOD_CHANGES,
    CastDraft,
    bond,
    branch_sign,
    line_of,
    part,
    store_of,
    undone,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.sign import LinePoints

# From a verdict against what is asked to one for it.
STANCES = ("no", "hardly", "open", "rather", "yes")
_OPEN = STANCES.index("open")
# What of a day counts first, as in the points of the sign.
WEIGHED = ("临", "生", "扶", "合", "克")
_ACTING = ("cast.by.helper", "cast.by.harmer")
_TURNED = {"六合变六冲": "合变冲", "六冲变六冲": "冲变冲", "六冲变六合": "冲变合", "六合变六合": "合变合"}
# What 世 and 应 are to each other and on which side that stands; the rest of it tells on neither.
BOND_SIDES = {
    "应生世": FOR,
    "世应合": FOR,
    "应克世": AGAINST,
    "世应冲": AGAINST,
    "应空": AGAINST,
    "俱空": AGAINST,
}
# So many marks stand in one sentence.
IN_ONE = 2
_OTHER = {FOR: AGAINST, AGAINST: FOR}


class Omen(NamedTuple):
    """A mark of the board that speaks for or against what is asked: its row, its side, its values and its facts."""

    key: str
    side: str
    evidence: tuple[str, ...]
    values: dict[str, Any]


def turn_side(cast: CastDraft, changed: str) -> str:
    """On which side a change from hexagram to hexagram stands: what clashes scatters, which suits a dispute."""
    scatters = changed.endswith(CLASHING)
    return FOR if scatters is (cast.matter.topic == LAW) else AGAINST


def tell_verdict(cast: CastDraft) -> None:
    """The answer to what is asked, first of all."""
    omens = list(_omens(cast))
    at = _stance(cast, omens)
    stance, kind = STANCES[at], "should" if cast.matter.is_advised else "verdict"
    yes, no = cast.answer("yes"), cast.answer("no")
    is_yes = at >= _OPEN
    plain = ("yes", "no") if cast.matter.form == EVENT else ("good", "bad")
    cast.say(
        f"{kind}.{stance}", "ly.sign", cast.own, cast.seat, *(name for each in omens for name in each.evidence),
        answer=yes if is_yes else no, word=Phrase(f"cast.word.{plain[not is_yes]}", {}), yes=yes, no=no, weight=1,
    )  # fmt: skip


def _stance(cast: CastDraft, omens: list[Omen]) -> int:
    """The verdict by the score, moved by the marks beside it; on whichever side the sign stands it does not cross over."""
    score = cast.sign.score
    own = 4 if score >= 4 else 3 if score > 0 else _OPEN if score == 0 else 1 if score > -3 else 0
    steps = sum(1 if each.side == FOR else -1 for each in omens)
    moved = own + max(-2, min(2, steps))
    return max(_OPEN, min(4, moved)) if cast.sign.side == FOR else max(0, min(_OPEN, moved))


def tell_why(cast: CastDraft, brief: bool = False) -> None:
    """The weightiest ground of the verdict, the weightiest that speaks against it, and the marks beside them; in brief of
    these those alone that speak against what is asked."""
    sign = cast.sign
    chosen = {"ground": sign.grounds[:1], "counter": sign.counter_grounds[:1]}
    parts = {name: _clause(cast, each.rule) for name, grounds in chosen.items() for each in grounds}
    if not parts:
        _because(cast, "even", {"even": _clause(cast, sign.contributions[0].rule)})
    # What another line does is a sentence of its own: nothing after it is to be read as said of that line.
    elif len(parts) == 2 and not any(each[0].key in _ACTING for each in parts.values()):
        _because(cast, "both", parts)
    else:
        for name, each in parts.items():
            _because(cast, name, {name: each}, chosen[name][0].side)
    # After a ground on its own side a mark is one more; after one on the other side the connective says what it is.
    is_last_own = "counter" not in parts or not any(each[0].key in _ACTING for each in parts.values())
    omens = list(_omens(cast))
    for side in (AGAINST,) if brief else (sign.side, _OTHER[sign.side]):
        those = [each for each in omens if each.side == side][: IN_ONE if brief else None]
        for at in range(0, len(those), IN_ONE):
            _beside(
                cast,
                those[at : at + IN_ONE],
                "besides" if side == sign.side and is_last_own and not at else "alone",
            )


def _beside(cast: CastDraft, those: list[Omen], key: str) -> None:
    told = Clauses(tuple(Phrase(f"cast.omen.{each.key}", words(**each.values)) for each in those))
    evidence = (fact for each in those for fact in each.evidence)
    cast.say(f"omens.{key}", *evidence, side=those[0].side, omens=told, weight=1)


def _because(
    cast: CastDraft, key: str, parts: dict[str, tuple[Phrase, tuple[str, ...]]], side: str = NEITHER
) -> None:
    evidence = [name for each in parts.values() for name in each[1]]
    clauses: dict[str, Any] = {name: each[0] for name, each in parts.items()}
    cast.say(f"why.{key}", cast.own, cast.seat, *evidence, who=cast.who, side=side, weight=1, **clauses)


def _clause(cast: CastDraft, rule: str) -> tuple[Phrase, tuple[str, ...]]:
    """A row of the sign in words, with the facts beside the subject that it rests on."""
    own, subject = cast.subject.state, cast.subject
    at = f"ly.line.{subject.position}"
    if rule.startswith("月令"):
        key = "by.season.broken" if cast.is_broken_in_season else "by.season"
        named = {"state": word(own.month_state), "stands": cast.stands(own)}
        return part(key, "ly.yuejian", *cast.states, month=branch_sign(cast.month), **named)
    if rule.startswith("日辰"):
        verb = next(each for each in WEIGHED if each in own.day)
        return part(f"by.day.{verb}", "ly.richen", day=Najia(cast.day.value))
    if rule == "月破":
        return part("by.mark", "ly.yuejian", "ly.yuepo", mark=word(rule))
    if rule == "日破":
        return part("by.mark", f"{at}.ripo", mark=word(rule))
    if rule == "暗动":
        return part("by.mark", f"{at}.andong", mark=word(rule))
    if rule in ("真空", "旬空"):
        fact = f"{at}.void" if subject.source == "line" else "ly.void.day"
        return part("by.void", fact, mark=word(rule))
    if rule in ("原神动", "忌神动"):
        return _acting(cast, rule)
    if rule == "伏藏":
        return part("by.hidden", f"ly.hidden.{subject.position}", place=line_of(subject))
    met = next(
        each for each in subject.changes
        if each == rule or (rule == "回头生或进神" and each in GOOD_CHANGES)
    )  # fmt: skip
    return part("by.change", f"{at}.change.{met}", mark=word(met))


def _row(cast: CastDraft, rule: str) -> LinePoints | None:
    return next((each for each in cast.sign.contributions if each.rule == rule), None)


def _counted(cast: CastDraft, rule: str) -> Line | None:
    """The line that a row of the sign counts as acting on the subject: of several one that its change does not undo."""
    row = _row(cast, rule)
    if row is None:
        return None
    first = cast.found.lines[int(row.evidence[-1][-1]) - 1]
    same = [
        line for line in cast.found.lines
        if line.active and line.state.element is first.state.element and line is not cast.subject.line
        and not (line.state.void or line.state.month_broken)
    ]  # fmt: skip
    return next((line for line in same if not undone(line)), first)


def _acting(cast: CastDraft, rule: str) -> tuple[Phrase, tuple[str, ...]]:
    line = _counted(cast, rule)
    assert line is not None
    name = f"ly.line.{line.position}"
    facts = (name,) if line.moving else (name, f"{name}.andong")
    return part(
        "by.helper" if rule == "原神动" else "by.harmer", *facts, place=LinePlace(line.position),
        pillar=Najia(line.pillar.value), moving=word("发动" if line.moving else "暗动"),
    )  # fmt: skip


def _omens(cast: CastDraft) -> Iterator[Omen]:
    yield from _of_hexagrams(cast)
    yield from _of_subject(cast)
    yield from _of_seats(cast)


def _of_hexagrams(cast: CastDraft) -> Iterator[Omen]:
    chart = cast.chart
    changed = marks.transition(chart.primary, chart.target)
    if changed:
        tail = ".law" if cast.matter.topic == LAW else ""
        values = {"mark": word(changed)}
        yield Omen(_TURNED[changed] + tail, turn_side(cast, changed), ("ly.gua.transition",), values)
    for half, kind in marks.fan_fu(chart.primary, chart.target).items():
        if (
            kind
            and cast.subject.source == "line"
            and (line_of(cast.subject).position <= 3) is (half == "inner")
        ):
            name = f"ly.gua.{'fanyin' if kind == '反吟' else 'fuyin'}.{half}"
            where = word("内卦" if half == "inner" else "外卦")
            yield Omen(kind, AGAINST, (name, cast.seat), {"who": cast.who, "part": where, "mark": word(kind)})


def _of_subject(cast: CastDraft) -> Iterator[Omen]:
    """The store, and lines that act on the subject without being able to."""
    stored = store_of(cast)
    if stored == "day" and not cast.subject.state.is_prosperous:
        yield Omen(
            "入墓",
            AGAINST,
            (cast.own, cast.seat, "ly.richen"),
            {"who": cast.who, "day": branch_sign(cast.day)},
        )
    elif stored is not None and stored != "day" and not cast.subject.state.is_prosperous:
        assert not isinstance(stored, str)
        at = {"place": LinePlace(stored.position), "pillar": Najia(stored.pillar.value)}
        yield Omen("动墓", AGAINST, (cast.own, f"ly.line.{stored.position}"), {"who": cast.who, **at})
    for rule, key, side in (("原神动", "原神无力", AGAINST), ("忌神动", "忌神无力", FOR)):
        line = _counted(cast, rule)
        mark = undone(line) if line else ""
        if line is not None and mark:
            seen: dict[str, Any] = {
                "place": LinePlace(line.position),
                "pillar": Najia(line.pillar.value),
                "mark": word(mark),
            }
            yield Omen(
                key, side, (f"ly.line.{line.position}", f"ly.line.{line.position}.change.{mark}"), seen
            )


def _of_seats(cast: CastDraft) -> Iterator[Omen]:
    """世 where it is not itself what is judged, and what 应 is to it where somebody stands opposite."""
    shi, ying = cast.shi, cast.ying
    at = f"ly.line.{shi.position}"
    if not cast.is_subject(shi):
        if "回头克" in shi.changes:
            values: dict[str, Any] = {"place": LinePlace(shi.position), "mark": word("回头克")}
            yield Omen("世回头克", AGAINST, (at, f"{at}.change.回头克"), values)
        if cast.harms_from_self:
            yield Omen("忌神持世", AGAINST, (at, "ly.role.忌神"), {"rel": word(shi.relation)})
    if cast.matter.party:
        # A void 用神 is counted already.
        key = bond(shi, ying, void=cast.subject.target != YING)
        if key == "俱空" and cast.is_subject(shi):
            key = "应空"
        side, evidence = BOND_SIDES.get(key, NEITHER), [at, f"ly.line.{ying.position}"]
        if key in ("应空", "俱空"):
            evidence.append(f"ly.line.{ying.position}.void")
            if key == "应空" and cast.matter.topic == LAW:
                key, side = "应空.law", FOR
        if side != NEITHER:
            yield Omen(key, side, tuple(evidence), {"party": cast.party})
