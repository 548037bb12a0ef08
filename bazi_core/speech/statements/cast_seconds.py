"""What a matter looks at beside its 用神 (`seconds.csv`).

Of an illness 官鬼 is the illness (《黄金策·疾病》) and 子孙 the medicine (《医药》); where money is sought, as by partners,
妻财 is the gain and 兄弟 who shares it (《求财》). Each is told by how its lines stand, and tips the verdict
only while it acts. Of love and marriage both stars are told where nothing says who asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.liuyao.force import ACTS, FAINT, IDLE, READY, SPENT
from bazi_core.liuyao.yongshen import SHI, YING, question_types
from bazi_core.speech.catalogue import LinePlace, Phrase
from bazi_core.speech.plan import NEITHER
from bazi_core.speech.statements.cast_words import Omen, fares, word
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.board import Line
    from bazi_core.speech.statements.cast_words import CastDraft

_ORDER = (ACTS, FAINT, READY, SPENT, IDLE)


def of_seconds(cast: CastDraft) -> Iterator[Omen]:
    """The lines beside the 用神 that act with force for or against what is asked."""
    for row, line in _seconds(cast):
        if line is not None and cast.standing(line).kind == ACTS:
            values = {"rel": word(row["relative"]), "place": LinePlace(line.position)}
            stirred = (f"ly.line.{line.position}.andong",) if line.an_dong else ()
            facts = (f"ly.line.{line.position}", f"ly.line.{line.position}.state", *stirred)
            yield Omen(f"second.{row['key']}", row["side"], facts, values)


def tell_seconds(cast: CastDraft) -> None:
    """How what stands beside the 用神 fares, where it does not act with force; that is told with the verdict."""
    for row, line in _seconds(cast):
        if line is None:
            # What is on no line is hidden under one (《卜筮正宗·飞伏》).
            under = next(each for each in cast.found.hidden if each.relation == row["relative"])
            cast.say(
                f"second.{row['key']}.none", f"ly.hidden.{under.position}", rel=word(row["relative"]),
                place=LinePlace(under.position),
            )  # fmt: skip
        elif cast.standing(line).kind != ACTS:
            stands = cast.standing(line)
            name = f"ly.line.{line.position}"
            cast.say(
                f"second.{row['key']}.{stands.kind}", name, f"{name}.state", *stands.facts, side=NEITHER,
                rel=word(row["relative"]), place=LinePlace(line.position),
            )  # fmt: skip


def tell_either(cast: CastDraft) -> None:
    """The line of a wife and that of a husband where love or marriage is asked about and nothing says who asks: of a man's
    question the first stands for the partner, of a woman's the second (《增删卜易·用神章》)."""
    found, row = cast.found, question_types().get(cast.found.question_type or "")
    if (
        row is None
        or not row["man"]
        or found.asker
        or found.kinship
        or cast.subject.target not in (SHI, YING)
    ):
        return
    named: dict[str, Any] = {"man": word(row["man"]), "woman": word(row["woman"])}
    facts: list[str] = []
    for name, relative in (("his", row["man"]), ("hers", row["woman"])):
        named[name], those = _fares(cast, relative)
        facts += those
    cast.say("asked.either", *facts, **named)


def _fares(cast: CastDraft, relative: str) -> tuple[Phrase, tuple[str, ...]]:
    """Where a relative stands and how, with its facts: the line that stands best, or the one that it is hidden under."""
    those = [line for line in cast.found.lines if line.relation == relative]
    if not those:
        under = next(each for each in cast.found.hidden if each.relation == relative)
        return Phrase("cast.fares.hidden", {"place": LinePlace(under.position)}), (
            f"ly.hidden.{under.position}",
        )
    line = min(those, key=lambda each: _ORDER.index(cast.standing(each).kind))
    stands, name = cast.standing(line), f"ly.line.{line.position}"
    facts = (name, f"{name}.state", *stands.facts)
    return fares(stands, line), facts


def _seconds(cast: CastDraft) -> Iterator[tuple[dict[str, str], Line | None]]:
    """Each row of the kind of question with the line of its relative that stands best; the 用神 itself is none of them."""
    if cast.found.yongshen.undecided:
        return
    for row in rows("liuyao/seconds"):
        if cast.found.question_type not in row["kinds"].split() or row["relative"] == cast.subject.target:
            continue
        role = cast.bearing(cast.element_of(row["relative"]))[1]
        if role not in (NEITHER, row["side"]):
            continue  # 原神 is no illness, and what presses on the 用神 no medicine: its role comes first
        those = [
            line
            for line in cast.found.lines
            if line.relation == row["relative"] and not cast.is_subject(line)
        ]
        if not those and cast.subject.line is not None and cast.subject.line.relation == row["relative"]:
            continue
        yield row, min(those, key=lambda line: _ORDER.index(cast.standing(line).kind), default=None)
