"""What is asked besides of the same matter, from the same board (`aspects.csv`), and which of two courses the cast is for.

One cast answers one matter (一事一占): whoever weighs two courses is told that this cast is for the first; where one of them
is to leave things as they are, what the board says of the other answers both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.aspects import SMOOTH, aspects, kinds_answered
from bazi_core.liuyao.force import ACTS, FAINT, IDLE, READY, SPENT
from bazi_core.liuyao.matters import (
    FALLBACK,
    HEALTH,
    KEEP,
    LOST,
    STAY,
    SUM,
    TWO,
    beside,
    courses,
    names,
    option,
    second,
)
from bazi_core.liuyao.yongshen import YING, question_types
from bazi_core.speech.catalogue import LinePlace, Phrase, catalogue
from bazi_core.speech.statements.cast_words import OPEN, bond, fares, spent_of, word, words

if TYPE_CHECKING:
    from bazi_core.liuyao.aspects import Aspect
    from bazi_core.liuyao.board import Line
    from bazi_core.speech.statements.cast_words import CastDraft

ASPECTS = "cast.aspect"
COURSES = ("cast.asked.first", *(f"cast.asked.stay.{key}" for key in ("go", "go.yet", "stay", "stay.yet")))
_ORDER = (ACTS, FAINT, READY, SPENT, IDLE)
# How a line reads that stands so: in full, in part or not.
_READS = {ACTS: "much", READY: "much", FAINT: "some", SPENT: "little", IDLE: "little"}
# How whoever stands opposite deals with the asker, by what 应 is to 世.
_DEALS = {
    "应生世": "fair", "世应合": "fair", "世应和": "even", "世克应": "yields", "世生应": "takes", "应克世": "hard",
    "世应冲": "odds", "应空": "void", "俱空": "void",
}  # fmt: skip


def tell_aspects(cast: CastDraft) -> None:
    """What is asked besides, each by its own line; nothing of an illness or of what is lost."""
    for each in _told(cast):
        if each.name == SMOOTH:
            cast.say(f"aspect.smooth.{cast.lean.name}", cast.own, cast.seat, "ly.sign", weight=1)
        elif each.line == YING:
            _opposite(cast, each)
        else:
            _by_line(cast, each)


def beside_left(cast: CastDraft) -> tuple[str, ...]:
    """The kinds of questions beside the first that no line of the same matter answers, so that each wants its own cast."""
    taken = cast.found.taken
    told = _told(cast)
    lines = {each.line for each in told if each.line}
    answered = kinds_answered(cast.asked, cast.found.question_type) if told else ()
    return tuple(
        label for label in (taken.beside if taken else ())
        if label not in answered and not lines & {*question_types()[label]["target"].split()}
    )  # fmt: skip


def tell_beside(cast: CastDraft) -> None:
    """What else is asked of the same line: whether it comes about, and what to do."""
    stance = cast.lean.stance
    which, tail = "yes" if stance >= OPEN else "no", ".open" if stance == OPEN else ""
    asked, facts = (cast.asked, cast.found.question_type), ("ly.sign", cast.own, cast.seat)
    if twin := beside(*asked):
        cast.say(f"verdict.beside{tail}", *facts, also=cast.answer(which, twin), who=cast.who, weight=1)
    todo = second(*asked)
    if todo == FALLBACK:
        cast.say("second.fallback", *facts, weight=1)
    elif todo and not beside_left(cast):
        cast.say(f"second.do{tail}", *facts, answer=cast.answer(which, todo), weight=1)


def tell_course(cast: CastDraft) -> None:
    """Which of two courses this cast is for."""
    if _weighed(cast) == TWO:
        cast.say("asked.first", cast.own, cast.seat, weight=1)


def tell_staying(cast: CastDraft) -> None:
    """What the verdict says of leaving things as they are, where that is the other course."""
    if _weighed(cast) != STAY or cast.lean.stance == OPEN:
        return
    at = f"ly.line.{cast.shi.position}"
    stirred = (f"{at}.andong",) if cast.shi.an_dong else ()
    place = words(place=LinePlace(cast.shi.position))
    self_ = Phrase(f"cast.course.{'moves' if cast.shi.active else 'still'}", place)
    goes = cast.lean.stance > OPEN
    key = ("go" if goes else "stay") + ("" if goes is cast.shi.active else ".yet")
    cast.say(f"asked.stay.{key}", "ly.sign", cast.own, cast.seat, at, *stirred, weight=1, self_=self_)


def _weighed(cast: CastDraft) -> str:
    """What is weighed against what; nothing where another rule tells it, or what is asked is itself what one would leave."""
    other = option(cast.asked, cast.found.question_type)
    is_told = cast.matter.form == KEEP or f"cast.option.{other}" in catalogue()
    if cast.matter.topic in (HEALTH, LOST) or cast.treats or is_told:
        return ""
    return courses(cast.asked)


def _told(cast: CastDraft) -> tuple[Aspect, ...]:
    """What is asked besides that the board answers apart from the verdict; of the 用神 itself how much alone."""
    if cast.is_unjudged or cast.treats or cast.matter.topic in (HEALTH, LOST):
        return ()
    asks_sum = names(cast.asked, SUM)
    return tuple(
        each for each in aspects(cast.asked, cast.found.question_type)
        if each.line != cast.subject.target or (asks_sum and each.reads == "sum")
    )  # fmt: skip


def _by_line(cast: CastDraft, asked: Aspect) -> None:
    """Pay, price, papers and the like, by how their line stands, or that it is hidden."""
    lines = [line for line in cast.found.lines if line.relation == asked.line]
    what, rel = Phrase(f"cast.aspect.of.{asked.name}", {}), word(asked.line)
    if not lines:
        under = next(each for each in cast.found.hidden if each.relation == asked.line)
        so = Phrase(f"cast.aspect.so.{asked.reads}.little", {})
        where = Phrase("cast.fares.hidden", {"place": LinePlace(under.position)})
        cast.say("aspect", f"ly.hidden.{under.position}", weight=1, what=what, rel=rel, fares=where, so=so)
        return
    line = min(lines, key=lambda each: _ORDER.index(cast.standing(each).kind))
    stands, at = cast.standing(line), f"ly.line.{line.position}"
    cast.say(
        "aspect", at, f"{at}.state", *stands.facts, weight=1, what=what, rel=rel,
        fares=fares(stands, line),
        so=Phrase(f"cast.aspect.so.{asked.reads}.{_READS[stands.kind]}", {}),
    )  # fmt: skip


def _opposite(cast: CastDraft, asked: Aspect) -> None:
    """Whoever stands opposite, by what 应 is to 世; what presses without reaching is no hard dealing."""
    key = bond(cast.shi, cast.ying, void=True)
    deals = "even" if key == "应克世" and not cast.presses else _DEALS[key]
    lines: tuple[Line, ...] = (cast.shi, cast.ying)
    values: dict[str, Any] = {
        "place": LinePlace(cast.ying.position),
        "party": Phrase(f"cast.party.{asked.name}", {}),
    }
    facts = [f"ly.line.{line.position}" for line in lines]
    voids = [f"{at}.void" for at, line in zip(facts, lines, strict=True) if line.state.void]
    why = spent_of(cast, cast.ying) if deals == "fair" else None
    if why is not None:
        deals, values = "fair.weak", values | {"why": why[0]}
    cast.say(f"aspect.party.{deals}", *facts, *voids, *(why[1] if why else ()), weight=1, **values)
