"""用神: the line that stands for the question, and the lines that help and harm it (《增删卜易·用神章》《元神忌神章》).

The label of a question names relatives, or 世 or 应 (`question_types.csv`); an unknown label names nothing and is no
error. All candidate lines are returned with reasons, since the book itself often takes the void or broken
one; the order is that of its old method (`merits.csv`), ties broken by a convention of this library.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import ELEMENTS, Element
from bazi_core.errors import known
from bazi_core.liuyao.board import HiddenLine, Line, State, state
from bazi_core.liuyao.divination import text_of
from bazi_core.liuyao.hexagrams import HANZI, relation
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once
from bazi_core.wording import LINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.liuyao.chart import LiuyaoValue

ASKERS = ("male", "female")
SHI, YING = "世", "应"
# Where a relative is looked for that no primary line has, by policy.
SOURCES = {
    "month_day_changed_hidden": ("month", "day", "changed", "hidden"),
    "month_day_hidden": ("month", "day", "hidden"),
    "changed_hidden": ("changed", "hidden"),
}


class YongshenCandidate(NamedTuple):
    """A candidate for the 用神: a line, or, if no line qualifies, month, day, a changed line or a hidden one."""

    target: str
    rank: int
    source: str
    position: int | None
    text: str
    state: State
    line: Line | None
    reasons: tuple[str, ...]

    @property
    def moving(self) -> bool:
        return self.line is not None and self.source == "line" and self.line.moving

    @property
    def changes(self) -> tuple[str, ...]:
        return self.line.changes if self.line is not None and self.source == "line" else ()

    def to_dict(self) -> dict[str, Any]:
        members: dict[str, Any] = {
            "target": self.target,
            "rank": self.rank,
            "source": self.source,
            "ganZhi": self.text,
        }
        if self.position is not None:
            members["position"] = self.position
        members["reasons"] = [*self.reasons]
        return members


class Role(NamedTuple):
    """原神, 忌神 or 仇神: an element and the lines that have it."""

    element: Element
    lines: tuple[Line, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "element": HANZI[self.element],
            "lines": [{"position": line.position, "moving": line.moving} for line in self.lines],
        }


class YongShen(NamedTuple):
    """The 用神 of a question on a board; `undecided` when neither the label nor the asker settles it."""

    question_type: str | None
    targets: tuple[str, ...]
    candidates: tuple[YongshenCandidate, ...]
    roles: dict[str, Role]
    undecided: bool
    warning: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "questionType": self.question_type,
            "targets": [*self.targets],
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "roles": {name: role.to_dict() for name, role in self.roles.items()},
            "undecided": self.undecided,
        }


@cache
def question_types() -> dict[str, dict[str, str]]:
    """The published labels, simplified and traditional, with their row."""
    table = rows("liuyao/question_types")
    return {row["label"]: row for row in table} | {row["label_hant"]: row for row in table}


_LONGEST_TYPE = 40


@cache
def _english_types() -> dict[str, str]:
    """The published labels by their English names."""
    labels = {}
    for row in rows("liuyao/question_types"):
        for name in (row["en"], *filter(None, row["en_also"].split("|"))):
            labels[name] = row["label"]
    return labels


def type_named(question_type: str | None) -> str | None:
    """The published label of an English name; any other text unchanged.

    >>> type_named("Lost things"), type_named("exam"), type_named("考試"), type_named("cooking")
    ('失物', '考试', '考試', 'cooking')
    """
    if (
        not isinstance(question_type, str)
        or len(question_type) > _LONGEST_TYPE
        or not question_type.isascii()
    ):
        return question_type
    plain = question_type.replace("_", " ").replace("-", " ").casefold()
    return _english_types().get(" ".join(plain.split()), question_type)


def labels() -> tuple[str, ...]:
    """The published labels in their order."""
    return tuple(row["label"] for row in rows("liuyao/question_types"))


def horizon_named(question_type: str | None) -> str | None:
    """The horizon of a kind of question; None for one that is not published."""
    row = question_types().get(question_type or "")
    return row["horizon"] if row else None


def label_of(question_type: str | None) -> str | None:
    """The published label of a kind of question, from either script; None for another kind."""
    row = question_types().get(question_type) if isinstance(question_type, str) else None
    return row["label"] if row else None


def open_to_asker(label: str | None) -> bool:
    """Whether the relative of a kind of question depends on the asker."""
    return label is not None and bool(question_types()[label]["man"])


def topic_of(label: str) -> str:
    """The topic of a published kind of question, as `career`."""
    return question_types()[label]["topic"]


@cache
def kinships() -> dict[str, dict[str, str]]:
    """Kinship → its row, which names the relative."""
    return {row["kinship"]: row for row in rows("liuyao/kinship")}


@cache
def _kin_codes() -> dict[str, str]:
    """Kinship codes by all their names."""
    return {name.casefold(): code for code, row in kinships().items() for name in (code, *_names(row))}


def _names(row: dict[str, str]) -> Iterator[str]:
    yield from (*row["zh-Hans"].split(), *row["zh-Hant"].split(), *row["en"].split("|"))


def kin(name: str) -> dict[str, str]:
    """The row of a kinship, by its code or a name in Chinese or English.

    >>> [kin(name)["kinship"] for name in ("father", "我爸爸", "媽媽", "My Wife")]
    ['father', 'father', 'mother', 'wife']
    """
    said = name
    if isinstance(name, str):
        plain = name.strip().casefold().removeprefix("my ").removeprefix("我的").removeprefix("我")
        said = _kin_codes().get(plain, name)
    known("kinship", said, tuple(kinships()))
    return kinships()[said]


def kin_word(kinship: str, lang: str) -> str:
    """The printed name of a kinship.

    >>> kin_word("father", "zh-Hans"), kin_word("brother_in_law", "en")
    ('父亲', 'brother-in-law')
    """
    names = kinships()[kinship][lang]
    return names.partition("|" if lang == "en" else " ")[0]


def yongshen(
    chart: LiuyaoValue, board: Sequence[Line], hidden: Sequence[HiddenLine], question_type: str | None,
    asker: str | None = None, kinship: str | None = None, named: str | None = None,
) -> YongShen:  # fmt: skip
    """The 用神 of a question; `named` is the one relative of its kind that the words of the question name."""
    targets, warning = _targets(question_type, asker, kinship, named)
    candidates = [candidate for target in targets for candidate in _candidates(chart, board, hidden, target)]
    undecided = warning is not None or not candidates
    roles = {} if undecided else _roles(board, candidates[0].state.element)
    return YongShen(question_type, targets, tuple(candidates), roles, undecided, warning)


def _targets(
    question_type: str | None, asker: str | None, kinship: str | None, named: str | None
) -> tuple[tuple[str, ...], str | None]:
    """The relatives of a question, and a warning where the label or the asker leaves them open."""
    if asker is not None:
        known("asker", asker, ASKERS)
    row = None if question_type is None else question_types().get(text_of("question_type", question_type))
    if kinship is not None:
        row = kin(kinship)
    elif question_type is None:
        return (), None
    if row is None:
        return (), "QUESTION_TYPE_UNKNOWN"
    if row["man"] and asker is not None:
        return (row["man" if asker == "male" else "woman"],), None
    if named is not None and kinship is None:
        return (named,), None
    return tuple(row["target"].split()), "ASKER_UNKNOWN" if row["man"] else None


def _candidates(
    chart: LiuyaoValue, board: Sequence[Line], hidden: Sequence[HiddenLine], target: str
) -> Sequence[YongshenCandidate]:
    if target in (SHI, YING):
        candidates = [board[(chart.primary.shi if target == SHI else chart.primary.ying) - 1]]
    else:
        candidates = [line for line in board if line.relation == target]
    if not candidates:
        return _elsewhere(chart, board, hidden, target)
    # The sort keeps lines of equal merit in their order, the lower first.
    judged = [(_held(line), line) for line in candidates]
    if len(judged) > 1:
        judged.sort(key=itemgetter(0), reverse=True)
    return [
        YongshenCandidate(
            target, rank, "line", line.position, HANZI[line.pillar], line.state, line, _reasons(held)
        )
        for rank, (held, line) in enumerate(judged, 1)
    ]  # fmt: skip


# The merits of `merits.csv`, in the order in which `_held` evaluates them.
_ASKED = ("旺相", "发动", "不逢月破", "不落旬空", "不逢日破", "不化回头克", "持世", "临月日", "持应")


@cache
def merits() -> tuple[str, ...]:
    """The merits that rank candidate lines, the weightiest first."""
    names = tuple(row["merit"] for row in rows("liuyao/merits"))
    names_known("liuyao/merits", "merit", names, _ASKED)
    rows_once("liuyao/merits", names)
    return names


def _held(line: Line) -> int:
    """The merits of a line as bits, the weightiest as the highest bit, so that the greater number ranks first."""
    own, mark = line.state, line.mark
    prosperous, moving, whole, filled, unhurt, unturned, shi, stood_on, ying = _weights()
    return (
        (prosperous if own.is_prosperous else 0)
        | (moving if line.moving else 0)
        | (0 if own.month_broken else whole)
        | (0 if own.void else filled)
        | (0 if line.day_broken else unhurt)
        | (0 if "回头克" in line.changes else unturned)
        | (shi if mark == SHI else ying if mark == YING else 0)
        | (stood_on if "临" in own.day or "临" in own.month else 0)
    )


@cache
def _weights() -> tuple[int, ...]:
    """The bit of each evaluated merit; 0 for one that the table leaves out."""
    order = merits()
    return tuple(1 << len(order) - 1 - order.index(name) if name in order else 0 for name in _ASKED)


@cache
def _reasons(held: int) -> tuple[str, ...]:
    """The merits of these bits in words, the weightiest first."""
    order = merits()
    return tuple(name for at, name in enumerate(order) if held >> len(order) - 1 - at & 1)


def _elsewhere(
    chart: LiuyaoValue, board: Sequence[Line], hidden: Sequence[HiddenLine], target: str
) -> Sequence[YongshenCandidate]:
    """The first source of the policy that has the relative."""
    for source in SOURCES[chart.policy.yong_shen_absent]:
        candidates = list(_from(chart, board, hidden, target, source))
        if candidates:
            return candidates
    return ()


def _from(
    chart: LiuyaoValue, board: Sequence[Line], hidden: Sequence[HiddenLine], target: str, source: str
) -> Iterator[YongshenCandidate]:
    palace = chart.primary.element
    if source in ("month", "day"):
        branch = chart.month_branch if source == "month" else chart.day.branch
        if relation(palace, branch.element) == target:
            own = state(branch, chart.month_branch, chart.day)
            reasons = (f"{'月建' if source == 'month' else '日辰'}为{target}",)
            yield YongshenCandidate(target, 1, source, None, branch.value, own, None, reasons)
    elif source == "changed":
        turned = [(line, line.turned) for line in board if line.turned and line.turned.relation == target]
        # Lines of one relative are of one element, so their season does not tell them apart.
        turned.sort(key=lambda each: (each[1].state.month_broken, each[1].state.void))
        for rank, (line, to) in enumerate(turned, 1):
            at, reasons = line.position, (f"{LINES[line.position - 1]}化出{target}",)
            yield YongshenCandidate(target, rank, source, at, to.pillar.value, to.state, line, reasons)
    else:
        for rank, each in enumerate((each for each in hidden if each.relation == target), 1):
            yield YongshenCandidate(
                target, rank, source, each.position, each.pillar.value, each.state, None,
                (f"伏于{LINES[each.position - 1]}之下", each.flying_relation),
            )  # fmt: skip


# Steps in the cycle of elements from the 用神 to each role.
_ROLES = (("原神", 4), ("忌神", 3), ("仇神", 2))


def _roles(board: Sequence[Line], subject: Element) -> dict[str, Role]:
    """原神 generates the subject, 忌神 controls it, 仇神 controls 原神."""
    apart: list[list[Line]] = [[], [], [], [], []]
    for line in board:
        apart[(line.state.element.index - subject.index) % 5].append(line)
    return {name: Role(ELEMENTS[(subject.index + step) % 5], tuple(apart[step])) for name, step in _ROLES}
