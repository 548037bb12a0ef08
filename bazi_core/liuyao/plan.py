"""What a reading says of the lines of a cast: the 用神, 世, what moves, what helps and what harms.

Every sentence is planned with the facts from which it follows; how it is worded is in `narration`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Branch, Pillar
from bazi_core.liuyao.narration import Bare, Part, Planned, Term
from bazi_core.liuyao.yongshen import SHI, YING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.yongshen import Candidate

SEATS = {SHI: "世爻", YING: "应爻"}
# Terms that many sentences name, by the name of their place in the catalogue.
_NAMED = {
    "role": "用神", "shi": "世爻", "ying": "应爻", "timing": "应期", "ben": "本卦", "zhi": "之卦", "day_word": "日辰",
    "month_word": "月建", "moving": "发动", "trine": "三合",
}  # fmt: skip
GOOD_CHANGES, BAD_CHANGES = ("回头生", "进神"), ("回头克", "退神", "化空", "化破", "化墓", "化绝")
MOST_MOVES = 3


class Plan:
    """The sentences on the lines of a cast."""

    def __init__(self, found: Analysis) -> None:
        self.found, self.chart, self.facts = found, found.chart, found.facts
        self.subject, self.own = found.subject, found.subject_id
        self.month, self.day = found.chart.month_branch, found.chart.day.branch
        self.rel = Term(SEATS.get(self.subject.target, self.subject.target))
        self.who = Part("who.open" if found.yongshen.undecided else "who.role", self._words(rel=self.rel))
        self.seat = _seat(self.subject)

    def _words(self, **values: Any) -> dict[str, Any]:
        """Values of a sentence with the words that many need."""
        return {name: Term(each) for name, each in _NAMED.items()} | {
            "month": Bare(self.month.value),
            **values,
        }

    def _plan(self, key: str, *evidence: str, **values: Any) -> Planned:
        for name in evidence:
            self.facts[name]
        return Planned(key, evidence, self._words(**values))

    def _part(self, key: str, *evidence: str, **values: Any) -> tuple[Part, tuple[str, ...]]:
        return Part(key, self._words(**values)), evidence

    def _use(self) -> Planned:
        """What the 用神 is and where it is found."""
        subject, asked = self.subject, self.found.yongshen
        # What is undecided is judged by 世, a candidate or none.
        key = f"use.{subject.source}"
        if asked.undecided:
            key = "open.line" if asked.candidates else "open.self"
        values = {"rel": self.rel, "pillar": sign_of(subject), "place": subject.position}
        return self._plan(key, self.own, self.seat, **values)

    def _marks_of_subject(self) -> Iterator[Planned]:
        subject = self.subject
        if subject.source != "line" or subject.line is None:
            return
        at, line = f"ly.line.{subject.position}", subject.line
        values = {"place": line.position, "pillar": line.pillar}
        if line.state.void:
            kind = f"{line.void_kind}空" if line.void_kind else "旬空"
            yield self._plan("void", at, f"{at}.void", mark=Term(kind), **values)
        if line.state.month_broken:
            yield self._plan("broken", at, f"{at}.yuepo", mark=Term("月破"), **values)
        if line.day_broken:
            yield self._plan("broken", at, f"{at}.ripo", mark=Term("日破"), **values)
        if line.an_dong:
            yield self._plan("moved", at, f"{at}.andong", mark=Term("暗动"), **values)

    def _self(self) -> Planned:
        line = self.found.lines[self.chart.primary.shi - 1]
        at = f"ly.line.{line.position}"
        if line.state.void:
            kind = Term(f"{line.void_kind}空" if line.void_kind else "旬空")
            return self._plan("self.void", at, f"{at}.void", place=line.position, void=kind)
        return self._seated("self", line)

    def _seated(self, key: str, line: Line) -> Planned:
        at = f"ly.line.{line.position}"
        return self._plan(
            key, at, f"{at}.state", rel=Term(line.relation), pillar=line.pillar, place=line.position,
            spirit=Term(line.spirit), state=Term(line.state.month_state),
        )  # fmt: skip

    def _moves(self) -> Iterator[Planned]:
        moving = [line for line in self.found.lines if line.moving]
        if not moving:
            yield self._plan("still", *(f"ly.line.{n}" for n in range(1, 7)))
        if len(moving) > MOST_MOVES:
            ids = [f"ly.line.{line.position}" for line in moving]
            yield self._plan("many", *ids, places=[line.position for line in moving])
            return
        for line in moving:
            yield from self._moves_to(line)

    def _moves_to(self, line: Line) -> Iterator[Planned]:
        turned, at = line.turned, f"ly.line.{line.position}"
        assert turned is not None
        yield self._plan(
            "move", at, f"ly.target.{line.position}", place=line.position, rel=Term(line.relation), pillar=line.pillar,
            rel2=Term(turned.relation), pillar2=turned.pillar,
        )  # fmt: skip
        for kind, wanted in (
            ("good", GOOD_CHANGES),
            ("bad", BAD_CHANGES),
            ("plain", ("伏吟", "回头冲", "化合")),
        ):
            met = [each for each in turned.changes if each in wanted]
            if met:
                mark = met[0]
                yield self._plan(
                    f"change.{kind}", at, f"{at}.change.{mark}", place=line.position, mark=Term(mark)
                )
                return

    def _roles(self) -> Iterator[Planned]:
        for name in ("原神", "忌神"):
            role = self.found.yongshen.roles.get(name)
            if role is not None:
                places = [line.position for line in role.lines]
                yield self._plan(
                    f"role.{name}" if places else "role.none", f"ly.role.{name}", role=Term(name),
                    element=Term(role.element.value), places=places,
                )  # fmt: skip


def _seat(subject: Candidate) -> str:
    """The fact of the place in which the subject was found."""
    if subject.source == "hidden":
        return f"ly.hidden.{subject.position}"
    if subject.source == "changed":
        return f"ly.target.{subject.position}"
    return {"month": "ly.yuejian", "day": "ly.richen"}.get(subject.source, f"ly.line.{subject.position}")


def sign_of(subject: Candidate) -> Pillar | Branch:
    return Pillar(subject.text) if len(subject.text) == 2 else Branch(subject.text)
