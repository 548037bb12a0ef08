"""sign_v1: one of the four levels of a sign, by points on the 用神, and the side of each of its grounds.

A convention of this library so that the rules can choose a level; it claims no authority of the books, and says so. What
comes to nothing (a line that stirs and cannot act, a change that does not work back) counts nothing (`force.py`). Sides
are those of the question: points above zero speak for it, points below zero against it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.liuyao.force import GOOD_CHANGES, Standing, able, acting, works_back
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.yongshen import YongshenCandidate

LEVELS = ((4, "上上签"), (1, "中上签"), (-2, "中下签"), (-99, "下下签"))
# On which side a level stands.
SIDES = {"上上签": "for", "中上签": "for", "中下签": "against", "下下签": "against"}
NOTE = "等级由本库自定的计分得出，不是古法。"
_BAD_CHANGES = ("化空", "化破", "化墓", "化绝")


class LinePoints(NamedTuple):
    """A row of the table of points that applied, and the facts of the line on which it rests."""

    rule: str
    points: int
    evidence: tuple[str, ...]

    @property
    def side(self) -> str:
        """The side of the points: `for` or `against` the question, or `neither`."""
        return "for" if self.points > 0 else "against" if self.points < 0 else "neither"

    def relation(self, side: str) -> str:
        """The relation of the points to a verdict on a side: `ground`, `counter-ground`, or `neither`.

        >>> [LinePoints("月破", -2, ()).relation(side) for side in ("for", "against")]
        ['counter-ground', 'ground']
        """
        if self.side == "neither":
            return "neither"
        return "ground" if self.side == side else "counter-ground"


class SignLevel(NamedTuple):
    """Level and score; the score is the sum of the contributions."""

    level: str
    score: int
    contributions: tuple[LinePoints, ...]

    @property
    def side(self) -> str:
        """The side of the level: the upper two levels are `for` the question, the lower two `against` it."""
        return SIDES[self.level]

    @property
    def grounds(self) -> tuple[LinePoints, ...]:
        """The contributions on the side of the level, the weightiest first."""
        return self._of("ground")

    @property
    def counter_grounds(self) -> tuple[LinePoints, ...]:
        """The contributions that speak against the level, the weightiest first."""
        return self._of("counter-ground")

    def _of(self, relation: str) -> tuple[LinePoints, ...]:
        own = [
            contribution
            for contribution in self.contributions
            if contribution.relation(self.side) == relation
        ]
        return tuple(sorted(own, key=lambda each: -abs(each.points)))

    def to_dict(self) -> dict[str, Any]:
        side = self.side
        return {
            "level": self.level,
            "score": self.score,
            "side": side,
            "contributions": [
                {
                    "rule": contribution.rule,
                    "points": contribution.points,
                    "side": contribution.side,
                    "relation": contribution.relation(side),
                    "evidence": list(contribution.evidence),
                }
                for contribution in self.contributions
            ],
            "note": NOTE,
        }


@cache
def points() -> dict[str, int]:
    """Rule → points."""
    return {row["rule"]: int(row["points"]) for row in rows("liuyao/sign")}


def ground_word(rule: str, lang: str = "zh-Hans") -> str:
    """The printed name of a rule.

    >>> ground_word("月令死", "en"), ground_word("日辰克", "zh-Hant")
    ('dead in the month', '日辰剋')
    """
    row = next(row for row in rows("liuyao/sign") if row["rule"] == rule)
    return row[{"zh-Hans": "rule", "zh-Hant": "rule_hant", "en": "rule_en"}[lang]]


def sign(
    board: Sequence[Line], subject: YongshenCandidate, subject_id: str, stands: Sequence[Standing]
) -> SignLevel:
    """The sign of a subject; `subject_id` is the fact that it is, `stands` says how each line stands."""
    table = points()
    contributions = [
        LinePoints(rule, table[rule], (subject_id, *evidence))
        for rule, evidence in _rules(board, subject, stands)
    ]
    score = sum([contribution.points for contribution in contributions])
    return SignLevel(next(level for least, level in LEVELS if score >= least), score, tuple(contributions))


def _rules(
    board: Sequence[Line], subject: YongshenCandidate, stands: Sequence[Standing]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    own, line = subject.state, subject.line if subject.source == "line" else None
    at = f"ly.line.{line.position}" if line else ""
    # What is void and clashed by the day is filled, neither void nor broken (《增删卜易·日辰章》).
    filled = line is not None and own.void and own.day_clashed
    yield f"月令{own.month_state}", _ids(at, "state")
    if "临" in own.day or "生" in own.day:
        yield "日辰临或生", _ids(at, "day")
    elif "扶" in own.day or "合" in own.day:
        # What moves is held by a combination, not helped (《增删卜易·六合章》).
        if "合" not in own.day or not subject.moving:
            yield "日辰扶或合", _ids(at, "day")
    elif "克" in own.day:
        yield "日辰克", _ids(at, "day")
    if own.month_broken and "临" not in own.day:
        yield "月破", _ids(at, "yuepo")
    if line is not None and line.day_broken and not filled:
        yield "日破", _ids(at, "ripo")
    if line is not None and line.an_dong:
        yield "暗动", _ids(at, "andong")
    if own.void and not filled:
        kind = line.void_kind if line else ""
        yield "真空" if kind == "真" else "旬空", _ids(at, "void")
    if subject.changes and line is not None:
        yield from _changes(line, at)
    yield from _others(board, subject, stands)
    if subject.source == "hidden":
        yield "伏藏", ()


def _changes(line: Line, at: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The changes of the subject that work back on it."""
    good = [mark for mark in GOOD_CHANGES if works_back(line, mark)]
    if good:
        yield "回头生或进神", _ids(at, *(f"change.{mark}" for mark in good))
    for mark in ("回头克", "退神"):
        if works_back(line, mark):
            yield mark, _ids(at, f"change.{mark}")
    for mark in [mark for mark in _BAD_CHANGES if works_back(line, mark)][:2]:
        yield mark, _ids(at, f"change.{mark}")


def _others(
    board: Sequence[Line], subject: YongshenCandidate, stands: Sequence[Standing]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A line that acts and generates the subject; else one that acts and controls it."""
    for role, rule in (("helper", "原神动"), ("harmer", "忌神动")):
        those = able(acting(board, subject, role), stands)
        if those:
            yield rule, (f"ly.line.{those[0].position}",)
            return


def _ids(at: str, *tails: str) -> tuple[str, ...]:
    return tuple([f"{at}.{tail}" for tail in tails]) if at else ()
