"""What ten gods, stages, roots, numbers and states of relations are said of.

Every binder takes the words of a text and the place of one of them, and looks for its partner, mostly before it in
the clause: the domain of a score, the year of an event, the stem of a ten god, whoever has a root.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.readings.glue import glue

if TYPE_CHECKING:
    from collections.abc import Collection

    from bazi_core.readings.vocabulary import Token

_STOPS = frozenset("。；;.")
_FAR_HAN, _FAR_LATIN = 5, 24  # a state of a relation follows it closely
_LUCK = re.compile("大[运運]|luck")
_PASSIVE = re.compile(r"[被由受让讓]|\bby\b")


class Bound(NamedTuple):
    """A claim of two words with its first and last token; `used` are tokens that claim nothing else."""

    category: str
    term: str
    first: int
    last: int
    used: tuple[int, ...] = ()
    denied: bool = False


Binder = Callable[["list[Token]", str, int], list[Bound]]


def nearest(
    found: list[Token], number: int, wanted: Collection[str], stops: Collection[str] = ()
) -> int | None:
    """The last token of a category before another in its sentence, unless one of the stops stands between."""
    for at in range(number - 1, -1, -1):
        each = found[at]
        if each.category in wanted:
            return at
        if each.term in _STOPS or each.category in stops:
            return None
    return None


_PARTNERS = {
    **dict.fromkeys(("score", "gain", "loss"), ("domain", "strength_test", "month_index")),
    "percent": ("element",),
}


def _number(found: list[Token], read: str, number: int) -> list[Bound]:
    """A number with what it is of in the same clause: the domain, the element, the pillar."""
    own = found[number]
    wanted = _PARTNERS.get(own.category, ("pillar",))
    before = _same_clause(found, number, -1, wanted)
    after = _same_clause(found, number, 1, wanted)
    if own.category.endswith("_index"):
        choice = after[:1] or before[:1]
    else:
        choice = before[:1] or after[:1]
    return [
        Bound(f"{own.category}_of", f"{found[n].term}:{own.term}", min(n, number), max(n, number))
        for n in choice
    ]


def _event(found: list[Token], read: str, number: int) -> list[Bound]:
    """When an event is: the year in its clause before it, and the month in its sentence (2017–2026 is neither)."""
    own = found[number]
    years = [n for n in _same_clause(found, number, -1, ("year",)) if len(found[n].surface) < 9]
    month = nearest(found, number, ("month_index",), ("year",))
    made = [Bound("event_of", f"{found[n].term}:{own.term}", n, number) for n in years[:1]]
    return made + (
        [] if month is None else [Bound("event_in", f"{found[month].term}:{own.term}", month, number)]
    )


def _same_clause(found: list[Token], number: int, step: int, wanted: Collection[str]) -> list[int]:
    members = []
    at = number + step
    while 0 <= at < len(found) and found[at].category != "break":
        if found[at].category in wanted:
            members.append(at)
        at += step
    return members


def _age(found: list[Token], read: str, number: int) -> list[Bound]:
    """小运 has a pillar for every age; elsewhere an age and a pillar may stand together without being one."""
    minor = any(each.category == "position" and each.term.startswith("xiaoyun") for each in found)
    return [each._replace(category="age_of") for each in _number(found, read, number)] if minor else []


def _bearer(found: list[Token], read: str, number: int) -> list[Bound]:
    """The stem or branch that a ten god is said of (辛为劫财), or the stem at a stage, before it in the text."""
    own = found[number]
    god = own.category == "ten_god"
    if relative := _relative(found, read, number):
        return relative
    if god and (not number or not glue("copula").search(read[found[number - 1].end : own.start])):
        return []
    commas = 0
    for at in range(number - 1, -1, -1):
        each = found[at]
        if each.category == "stem" or (god and each.category == "branch"):
            return [Bound(f"{own.category}_of", f"{each.term}:{own.term}", at, number)]
        commas += each.category == "break"
        if each.term in _STOPS or commas > 2 * god:
            break
        behind = each.category == "position" and glue("back").search(
            read[max(0, each.start - 20) : each.start]
        )
        if god and not behind and each.category not in ("break", "negator", "revealed"):
            break
    return []


def _relative(found: list[Token], read: str, number: int) -> list[Bound]:
    """父星为偏财, 配偶星正财: whose star a ten god is."""
    if not number or found[number - 1].category != "relative":
        return []
    own, before = found[number], found[number - 1]
    gap = read[before.end : own.start]
    said = Bound(f"{own.category}_of", f"{before.term}:{own.term}", number - 1, number)
    return [said] if not gap or glue("copula").search(gap) else []


def _root(found: list[Token], read: str, number: int) -> list[Bound]:
    """Who has a root: the last place of a stem before the word (日主…通根), or a stem in its clause; 印有根 says neither."""
    own, clause = found[number], True
    for at in range(number - 1, -1, -1):
        each = found[at]
        place, part, _ = each.term.split("|") if each.category == "position" else ("", "", "")
        if part == "stem" or (each.category == "stem" and clause):
            who = "day" if place == "self" else place or each.term
            return [Bound("root_of", f"{who}:{own.term}", at, number)]
        if each.term in _STOPS or each.category in ("ten_god", "ten_god_class", "root", "stem"):
            break
        clause = clause and each.category != "break"
    return []


def _revealed(found: list[Token], read: str, number: int) -> list[Bound]:
    """What is revealed, right before the word: 丙火透出, 七杀透干."""
    own = found[number]
    at = number - 1
    while at >= 0 and found[at].category == "negator":
        at -= 1
    if at < 0 or found[at].category not in ("stem", "ten_god", "ten_god_class", "element"):
        return []
    return [Bound("revealed_of", found[at].term, at, number, (), own.term == "不透")]


def _vote(found: list[Token], read: str, number: int) -> list[Bound]:
    """What one way of weighing says (加权法论为身强) is not yet the verdict."""
    at = nearest(found, number, ("method",), ("strength", "position"))
    return (
        [] if at is None else [Bound("vote", f"{found[at].term}:{found[number].term}", at, number, (number,))]
    )


def _status(found: list[Token], read: str, number: int) -> list[Bound]:
    """Which relation holds or is resolved: the last one before the word; what resolves it stands after 被."""
    own = found[number]
    at = nearest(found, number, ("relation",), ("relation_status",))
    if at is not None and own.term == "化解":
        clause = next((found[n].end for n in range(at, -1, -1) if found[n].category == "break"), 0)
        if _PASSIVE.search(read[clause : found[at].start]):
            at = nearest(found, at, ("relation",))
            return [] if at is None else [Bound("status_of", f"{found[at].term}:{own.term}", at, number)]
        if number + 1 < len(found) and found[number + 1].category in ("relation", "branch", "position"):
            return []
    if at is None or len(read[found[at].end : own.start]) > (
        _FAR_LATIN if own.surface.isascii() else _FAR_HAN
    ):
        return []
    return [Bound("status_of", f"{found[at].term}:{own.term}", at, number)]


def _order(found: list[Token], read: str, number: int) -> list[Bound]:
    """由丙申换到乙未, said of luck: the pillars follow one another."""
    one, other = found[number - 1], found[number]
    if not number or one.category != "pillar" or not glue("change").match(read[one.end : other.start]):
        return []
    return [Bound("order", f"{one.term}>{other.term}", number - 1, number)] if _LUCK.search(read) else []


def _use_state(found: list[Token], read: str, number: int) -> list[Bound]:
    """用神水在这一年得力: how the useful god fares; 忌神在这一年受制 is an event."""
    at, gap = number - 1, read[found[number - 1].end : found[number].start] if number else ""
    while at >= 0 and (found[at].category in ("negator", "element", "use_state") or found[at].term in "，,"):
        gap = (read[found[at - 1].end : found[at].start] if at else "") + gap
        at -= 1
    if at < 0 or found[at].term not in ("用神", "忌神") or not glue("use_state").match(gap):
        return []
    said = found[at].term + found[number].term
    return [Bound("event" if said == "忌神受制" else "fares", said, at, number)]


def _qi(found: list[Token], read: str, number: int) -> list[Bound]:
    """本气丙火, 丙为月支本气: the stem right after the word, else the last one before it."""
    own = found[number]
    at: int | None = number + 1
    if (
        number + 1 == len(found)
        or found[number + 1].category != "stem"
        or not _near(read, own, found[number + 1])
    ):
        at = nearest(found, number, ("stem",), ("qi",))
    return (
        []
        if at is None
        else [Bound("qi_of", f"{found[at].term}:{own.term}", min(at, number), max(at, number))]
    )


def _near(read: str, one: Token, other: Token) -> bool:
    return bool(
        glue("adjacent").match(read[one.end : other.start])
        or glue("copula").match(read[one.end : other.start])
    )


def _void(found: list[Token], read: str, number: int) -> list[Bound]:
    """旬空申、酉, 申酉为空亡; without branches 空亡 is the star."""
    own = found[number]
    if own.category == "star" and own.term != "空亡":
        return []
    members = _void_after(found, read, number) or _void_before(found, read, number)
    if not members:
        return [Bound("", "", number, number, (number,))] if own.category == "void" else []
    return [Bound("void", found[n].term, n, n, (n, number)) for n in members]


def _void_after(found: list[Token], read: str, number: int) -> list[int]:
    members: list[int] = []
    end = found[number].end
    for at in range(number + 1, len(found)):
        between = read[end : found[at].start].strip(" ：:（(「」)）为為是在of")
        if found[at].category != "branch" or between not in ("", "、", "和", "与", "與", "and", "are", ","):
            break
        members.append(at)
        end = found[at].end
    return members


def _void_before(found: list[Token], read: str, number: int) -> list[int]:
    members: list[int] = []
    start, name = found[number].start, "void"
    for at in range(number - 1, -1, -1):
        if found[at].category != "branch" or not glue(name).match(read[found[at].end : start]):
            break
        members.insert(0, at)
        start, name = found[at].start, "list"
    return members


BINDERS: dict[str, Binder] = {
    **dict.fromkeys(("score", "gain", "loss", "percent", "luck_index", "month_index", "span"), _number),
    **dict.fromkeys(("age", "nominal_age", "full_age"), _age),
    **dict.fromkeys(("ten_god", "stage"), _bearer),
    **dict.fromkeys(("void", "star"), _void),
    "ten_god_class": _relative,
    "event": _event,
    "root": _root,
    "revealed": _revealed,
    "strength": _vote,
    "relation_status": _status,
    "qi": _qi,
    "pillar": _order,
    "use_state": _use_state,
}
