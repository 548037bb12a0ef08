"""The verdict on a cast in the words of the question, its grounds, and the marks that the points of the sign leave out.

The points look at the 用神 alone. Books judge the whole board as well: what the hexagrams turn into (《增删卜易·六冲章》
《六合章》), 反吟 and 伏吟 (《反伏章》), 世 and 应 (《卜筮正宗·世应论》), 忌神 on 世 (《黄金策·千金赋》), the store
(《增删卜易·入墓章》), helpers that cannot help, harmers that cannot harm, and what lines do that act together
(《元神忌神衰旺章》). Each that holds moves the verdict a step, what 应 does to 世 by two (`bonds.csv`), never beyond "open"
(P), and is said; where somebody stands opposite, what 应 does to 世 is said first, for its strength may be strength against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Element
from bazi_core.liuyao.force import (
    ACTS,
    BAD_CHANGES,
    FAINT,
    GOOD_CHANGES,
    READY,
    able,
    acting,
    change_hindrance,
    is_empty,
    is_nothing,
    is_whole,
    numbered,
    undone,
)
from bazi_core.liuyao.hexagrams import CLASHING, COMBINING
from bazi_core.liuyao.matters import (
    ACCUSED,
    ALIVE,
    EVENT,
    HEALTH,
    LAW,
    SETTLE,
    SUM,
    THIRD,
    illness_marks,
    names,
    standing_of,
)
from bazi_core.liuyao.yongshen import YING
from bazi_core.speech.catalogue import Clauses, LinePlace, Najia, Phrase, Sign
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.speech.statements.cast_aspects import tell_aspects, tell_beside, tell_course, tell_staying
from bazi_core.speech.statements.cast_law import of_law, tell_settlement
from bazi_core.speech.statements.cast_lean import condition, lean_of
from bazi_core.speech.statements.cast_lines import chain_parts, weakness
from bazi_core.speech.statements.cast_place import tell_side
from bazi_core.speech.statements.cast_seconds import of_seconds
from bazi_core.speech.statements.cast_terms import tell_terms
from bazi_core.speech.statements.cast_turns import of_turns
from bazi_core.speech.statements.cast_words import (
    OPEN,
    CastDraft,
    Condition,
    Lean,
    Omen,
    bond,
    bonds,
    branch_sign,
    line_of,
    part,
    spent_of,
    store_of,
    void_of,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.sign import LinePoints

# What of a day counts first, as in the points of the sign.
WEIGHED = ("临", "生", "扶", "合", "克")
_ACTING = ("cast.by.helper", "cast.by.harmer")
_VOID = ("应空", "应空.law", "俱空")
# Topics of two people.
_OF_TWO = ("love", "partner")
# So many marks stand in one sentence.
IN_ONE = 2
_OTHER = {FOR: AGAINST, AGAINST: FOR}


def lean(cast: CastDraft) -> tuple[Lean, Condition | None]:
    """To which side the cast leans, and the one thing that would have to change; what is asked for these days, a treatment
    and a settlement wait for nothing."""
    omens = list(_omens(cast))
    found = lean_of(cast, omens)
    is_free = found.name == "yes" or cast.is_soon or cast.treats or cast.matter.name == SETTLE
    return found, None if is_free else condition(cast, omens)


def tell_verdict(cast: CastDraft, dated: bool = False) -> None:
    """The answer to what is asked, first of all, and the one thing that would have to change."""
    if cast.is_unjudged:
        cast.say(cast.unjudged, cast.own, cast.seat, weight=1)
        if cast.treats:
            cast.say(cast.healer, cast.own, cast.seat, weight=1)
        return
    _tell_first(cast)
    tell_terms(cast)
    tell_course(cast)
    omens = list(_omens(cast))
    found = cast.lean
    is_ill = cast.matter.topic == HEALTH or cast.treats
    kind = "should" if cast.matter.is_advised else "verdict.health" if is_ill else "verdict"
    yes, no = cast.answer("yes"), cast.answer("no")
    is_yes = found.stance >= OPEN
    # Who wins is for the court: of that a cast says no yes and no no.
    is_plain = cast.matter.form == EVENT and cast.matter.topic != LAW
    plain = ("yes", "no") if is_plain else ("good", "bad")
    cast.say(
        f"{kind}.{found.name}", "ly.sign", cast.own, cast.seat, *(name for omen in omens for name in omen.evidence),
        answer=yes if is_yes else no, word=Phrase(f"cast.word.{plain[not is_yes]}", {}), yes=yes, no=no, weight=1,
    )  # fmt: skip
    tell_staying(cast)
    if cast.treats:
        cast.say(cast.healer, cast.own, cast.seat, weight=1)
    if cast.matter.topic == LAW:
        cast.say("court", cast.own, cast.seat, weight=1)
    tell_settlement(cast)
    cast.times.tell_limit(dated)
    if dated:
        tell_beside(cast)
    if cast.held is not None:
        wait = cast.times.wait(dated)
        what, facts = cast.held.told(cast.who, wait)
        tail = "firm" if found.name == "rather" else "open" if found.name == "open" else "turn"
        since = cast.times.facts_of_wait if wait is not None and wait.key == "cast.wait.dated" else ()
        cast.say(f"condition.{tail}", *facts, *since, what=what, weight=1)
    tell_aspects(cast)


def _tell_first(cast: CastDraft) -> None:
    """What comes before the answer: what of the question no cast says, and where a thing is if that is asked."""
    told = {
        "alive": cast.is_lost and names(cast.asked, ALIVE),
        "accused": cast.is_lost and names(cast.asked, ACCUSED),
        "third": cast.matter.topic in _OF_TWO and names(cast.asked, THIRD),
        "at_risk": cast.is_at_risk,
        "sum": names(cast.asked, SUM, where_it_asks=True),
    }
    for key, holds in told.items():
        if holds:
            cast.say(key, cast.own, cast.seat, weight=1)
    tell_side(cast)


def tell_why(cast: CastDraft, brief: bool = False) -> None:
    """The weightiest ground of the verdict, the weightiest that speaks against it, and the marks beside them; in brief of
    these those alone that speak against what is asked."""
    if cast.is_unjudged:
        return
    if cast.matter.name == SETTLE:
        return  # what the two sides are to each other was told with the verdict
    side, omens = cast.lean.side, list(_omens(cast))
    first = [each for each in omens if each.key.partition(".")[0] in bonds() and each.key not in _VOID]
    for omen in first:
        _beside(cast, [omen], "alone")
    omens = [each for each in omens if each not in first]
    chosen = {"ground": _of_side(cast, side)[:1], "counter": _of_side(cast, _OTHER[side])[:1]}
    parts = {name: _clause(cast, ground.rule) for name, grounds in chosen.items() for ground in grounds}
    # A row that speaks against the verdict follows the marks that the verdict rests on, where no row speaks for it.
    late = parts if "ground" not in parts and any(each.side == side for each in omens) else {}
    if late:
        parts = {}
    if not parts and not late and not omens and not first:
        _because(cast, "even", {"even": _clause(cast, cast.sign.contributions[0].rule)})
    # What another line does is a sentence of its own: nothing after it is to be read as said of that line.
    elif len(parts) == 2 and not any(each[0].key in _ACTING for each in parts.values()):
        _because(cast, "both", parts)
    else:
        for name, each in parts.items():
            _because(cast, name, {name: each}, chosen[name][0].side)
    # After a ground on its own side a mark is one more; after one on the other side the connective says what it is.
    is_last_own = "counter" not in parts or not any(each[0].key in _ACTING for each in parts.values())
    for at_side in (AGAINST,) if brief and parts else (side, _OTHER[side]):
        those = [each for each in omens if each.side == at_side][: IN_ONE if brief else None]
        for at in range(0, len(those), IN_ONE):
            _beside(
                cast,
                those[at : at + IN_ONE],
                "besides" if (parts or first) and at_side == side and is_last_own and not at else "alone",
            )
        for name, each in late.items() if at_side == side else ():
            _because(cast, name, {name: each}, chosen[name][0].side)


def _of_side(cast: CastDraft, side: str) -> list[LinePoints]:
    """The rows of the sign that stand on a side, the weightiest first."""
    those = [
        row for row in cast.sign.contributions
        if row.side == side and not (side == FOR and cast.opposes)
    ]  # fmt: skip
    line = cast.subject.line if cast.subject.source == "line" else None
    # Of changes alike in weight that comes first which takes the force of the line.
    taken = undone(line) if line is not None else ""
    return sorted(
        those, key=lambda each: (-abs(each.points), each.rule in BAD_CHANGES and each.rule != taken)
    )


def _beside(cast: CastDraft, those: list[Omen], key: str) -> None:
    cast.in_vain.update(
        each.values["place"].position for each in those if each.key in ("原神无力", "忌神无力")
    )
    told = Clauses(tuple(Phrase(f"cast.omen.{each.key}", words(**each.values)) for each in those))
    evidence = dict.fromkeys(fact for each in those for fact in each.evidence)
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
        verb = "itself" if subject.source == "day" else next(each for each in WEIGHED if each in own.day)
        return part(f"by.day.{verb}", "ly.richen", day=Najia(cast.day.value))
    if rule == "月破":
        return part("by.mark", "ly.yuejian", "ly.yuepo", mark=word(rule))
    if rule == "日破":
        return part("by.mark", f"{at}.ripo", mark=word(rule))
    if rule == "暗动":
        return part("by.mark", f"{at}.andong", mark=word(rule))
    if rule in ("真空", "旬空"):
        fact = f"{at}.void" if subject.source == "line" else "ly.void.day"
        line = subject.line if subject.source == "line" else None
        if line is not None and not is_empty(own):
            # What stands in its season is not empty (《增删卜易·旬空章》: 旺不为空).
            return part("by.void.full", fact, f"{at}.state", mark=void_of(line))
        return part("by.void", fact, mark=word(rule))
    if rule in ("原神动", "忌神动"):
        return _acting(cast, rule)
    if rule == "伏藏":
        return part("by.hidden", f"ly.hidden.{subject.position}", place=line_of(subject))
    met = next(
        change for change in subject.changes
        if change == rule or (rule == "回头生或进神" and change in GOOD_CHANGES)
    )  # fmt: skip
    return part("by.change", f"{at}.change.{met}", mark=word(met))


def _acting(cast: CastDraft, rule: str) -> tuple[Phrase, tuple[str, ...]]:
    """The line that a row of the sign counts as acting on the subject, in words."""
    row = next(each for each in cast.sign.contributions if each.rule == rule)
    line = cast.found.lines[int(row.evidence[-1][-1]) - 1]
    name = f"ly.line.{line.position}"
    facts = (name,) if line.moving else (name, f"{name}.andong")
    return part(
        "by.helper" if rule == "原神动" else "by.harmer", *facts, place=LinePlace(line.position),
        pillar=Najia(line.pillar.value), moving=word("发动" if line.moving else "暗动"),
    )  # fmt: skip


def _omens(cast: CastDraft) -> Iterator[Omen]:
    yield from _of_bond(cast)
    yield from of_turns(cast)
    yield from _of_subject(cast)
    yield from _of_lines(cast)
    yield from _of_trines(cast)
    yield from _of_self(cast)
    yield from _of_illness(cast)
    yield from of_seconds(cast)
    yield from of_law(cast)


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
        its = {"place": LinePlace(stored.position), "pillar": Najia(stored.pillar.value)}
        yield Omen("动墓", AGAINST, (cast.own, f"ly.line.{stored.position}"), {"who": cast.who, **its})
    own, line = cast.subject.state, cast.subject.line
    if cast.subject.source != "line" or line is None:
        return
    at = f"ly.line.{line.position}"
    if line.moving and "合" in own.day:
        yield Omen(
            "合绊",
            AGAINST,
            (at, f"{at}.day", "ly.richen"),
            {"who": cast.who, "day": Najia(cast.day.value)},
            0,
        )
    if is_nothing(own, line.moving):
        yield Omen(
            "空破.health" if cast.is_of_health else "空破",
            AGAINST,
            (at, f"{at}.void", f"{at}.yuepo"),
            {"who": cast.who, "void": word("旬空")},
        )
    reason = change_hindrance(line)
    for mark, side in (("回头生", AGAINST), ("进神", AGAINST), ("回头克", FOR)):
        if mark in line.changes and reason:
            why, facts = _of_reason(cast, line, reason)
            told: dict[str, Any] = {"who": cast.who, "mark": word(mark), "why": why}
            yield Omen(
                f"{'受' if side == FOR else '得'}而不实", side, (at, f"{at}.change.{mark}", *facts), told
            )


def _of_reason(cast: CastDraft, line: Line, reason: str) -> tuple[Phrase, tuple[str, ...]]:
    """What keeps a changed branch from working back, with its facts."""
    if reason == "日合":
        return weakness(cast, "bound"), ("ly.richen",)
    key = "void" if reason == "化空" else "broken"
    return weakness(cast, key), (f"ly.line.{line.position}.change.{reason}", "ly.void.day")


def _of_lines(cast: CastDraft) -> Iterator[Omen]:
    """What lines do that act together, and lines that act on the subject in vain."""
    if cast.chain is not None:
        facts, values = chain_parts(cast)
        yield Omen(
            cast.chain.name, cast.chain.side, (*facts, cast.own, cast.seat), values | {"who": cast.who}
        )
    for role, key, side in (("helper", "原神无力", AGAINST), ("harmer", "忌神无力", FOR)):
        those = acting(cast.found.lines, cast.subject, role)
        spent = spent_of(cast, those[0]) if those and not able(those, cast.found.standings) else None
        if those and role == "harmer" and those[0] is cast.shi and cast.harms_from_self:
            continue  # which 忌神 on 世 tells
        if spent and not cast.found.yongshen.undecided and (cast.chain is None or cast.chain.side != side):
            seen: dict[str, Any] = {
                "place": LinePlace(those[0].position),
                "pillar": Najia(those[0].pillar.value),
                "why": spent[0],
            }
            yield Omen(key, side, (f"ly.line.{those[0].position}", *spent[1]), seen)


def _of_trines(cast: CastDraft) -> Iterator[Omen]:
    """三合 that is complete acts as one element (《增删卜易·三合章》)."""
    told = set()
    for name, each in numbered(cast.found.trines):
        key, side = cast.bearing(Element(each.element))
        if not is_whole(each) or key not in ("helper", "harmer", "alike") or each.element in told:
            continue
        told.add(each.element)
        values = {"three": Sign(each.branches, plain=True), "element": word(each.element), "who": cast.who}
        yield Omen(f"三合.{side}", side, (name, cast.own, cast.seat), values)


def _of_self(cast: CastDraft) -> Iterator[Omen]:
    """世 where it is not itself what is judged."""
    shi = cast.shi
    at = f"ly.line.{shi.position}"
    if cast.is_subject(shi):
        return
    if "回头克" in shi.changes and not change_hindrance(shi):
        values: dict[str, Any] = {"place": LinePlace(shi.position), "mark": word("回头克")}
        yield Omen("世回头克", AGAINST, (at, f"{at}.change.回头克"), values)
    if undone(shi) == "化墓":
        values = {"place": LinePlace(shi.position), "mark": word("化墓")}
        yield Omen("世化墓", AGAINST, (at, f"{at}.change.化墓"), values)
    if cast.harms_from_self:
        # Where 忌神 holds 世 it presses as far as that line can.
        kind = cast.standing(shi).kind
        tail = {ACTS: "", FAINT: ""}.get(kind, ".ready" if kind == READY else ".idle")
        facts = (at, f"{at}.state", *cast.standing(shi).facts, "ly.role.忌神")
        held: dict[str, Any] = {"rel": word(shi.relation)}
        spent = spent_of(cast, shi) if tail == ".idle" else None
        if spent is not None:
            tail, facts, held["why"] = ".spent", (*facts, *spent[1]), spent[0]
        yield Omen(f"忌神持世{tail}", AGAINST, facts, held)


def _of_bond(cast: CastDraft) -> Iterator[Omen]:
    """What 应 is to 世 where somebody stands opposite; 应 that is strong presses or helps the more."""
    if not cast.matter.party:
        return
    shi, ying = cast.shi, cast.ying
    # A void 用神 is counted already.
    name = bond(shi, ying, void=cast.subject.target != YING)
    if name == "俱空" and cast.is_subject(shi):
        name = "应空"
    row = bonds()[name]
    is_law = cast.matter.topic == LAW
    side = row["law"] if is_law else row["side"]
    if side == NEITHER:
        return
    names = [f"ly.line.{shi.position}", f"ly.line.{ying.position}"]
    if name in ("应空", "俱空"):
        names.append(f"ly.line.{ying.position}.void")
    key = f"{name}.law" if is_law and row["law"] != row["side"] else name
    values: dict[str, Any] = {"party": cast.party}
    if name == "应克世" and not cast.presses:
        return
    if name in ("应生世", "应克世"):
        names.append(f"ly.line.{ying.position}.state")
        values["stands"] = cast.stands(ying.state)
        values["month"] = branch_sign(cast.month)
        yields = name == "应生世" and cast.matter.party == "opponent"
        key += ".yields" if yields else ".strong" if ying.state.is_prosperous else ".weak"
        names.append("ly.yuejian")
    yield Omen(key, side, tuple(names), values, int(row["steps"]))


def _of_illness(cast: CastDraft) -> Iterator[Omen]:
    """Marks that are read by how long an illness has lasted, where the question says it."""
    standing = standing_of(cast.asked) if cast.matter.topic == HEALTH else ""
    if standing == "near" and COMBINING in cast.chart.primary.tags:
        yield Omen("病合.near", AGAINST, (f"ly.gua.tag.{COMBINING}",), {"tag": word(COMBINING)})
    if standing:
        signs = [*illness_signs(cast)]
        if signs:
            facts = [name for _, each in signs for name in each]
            side = FOR if standing == "near" else AGAINST
            yield Omen(f"病.{standing}", side, (*facts, cast.seat), {"marks": [mark for mark, _ in signs]})


def illness_signs(cast: CastDraft) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The marks of `illness.csv` that hold, each as a word with its facts."""
    subject, wanted = cast.subject, illness_marks()
    at = f"ly.line.{subject.position}"
    if "旬空" in wanted and subject.state.void:
        line = subject.line if subject.source == "line" else None
        yield (void_of(line), (f"{at}.void",)) if line else (word("旬空"), ("ly.void.day",))
    if "日冲" in wanted and subject.source == "line" and subject.state.day_clashed:
        yield word("日冲"), (f"{at}.richong",)
    if "六冲" in wanted and CLASHING in cast.chart.primary.tags:
        yield word(CLASHING), (f"ly.gua.tag.{CLASHING}",)
    elif "六冲" in wanted and cast.chart.moving and CLASHING in cast.chart.target.tags:
        yield Phrase("cast.mark.clashing", {}), ("ly.gua.target",)
