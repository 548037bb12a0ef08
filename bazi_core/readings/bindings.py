"""Claims of two words: a role and its element, a share and what it is of, a ten god and its bearer.

Each is written `用神:火`, `木:12`, `辛:劫财`, so that two true facts in one sentence cannot change partners. Here are
the roles and states of the elements; what ten gods, numbers and relations are bound to is in `bearers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.alphabet import Branch, Element, Stem
from bazi_core.readings.bearers import BINDERS, Bound, nearest
from bazi_core.readings.glue import glue
from bazi_core.readings.sayings import SAYINGS

if TYPE_CHECKING:
    from bazi_core.readings.bearers import Binder
    from bazi_core.readings.vocabulary import Token


# Words that say much or little of an element, and the small words that may stand before them.
_AMOUNTS = dict.fromkeys(("ample", "scarce", "least", "present"), "amount")

_SELF = ("self|stem|0",)  # 水对命主不利


def bindings(found: list[Token], read: str) -> list[Bound]:
    """The bound claims of a text.

    >>> from bazi_core.readings.vocabulary import tokens
    >>> [(each.category, each.term) for each in bindings(*tokens("用神为火，木占12%"))]
    [('role', '用神:火'), ('percent_of', '木:12')]
    """
    made: list[Bound] = []
    for number, each in enumerate(found):
        if binder := _BINDERS.get(each.category):
            made += binder(found, read, number)
    return made


def _role(found: list[Token], read: str, number: int) -> list[Bound]:
    """用神为火、木; 火为用神; a role without an element still names the role, a soft word (喜, favours) nothing."""
    own = found[number]
    members = (
        _after(found, read, number) or _before(found, read, number, "backward") or _sign(found, read, number)
    )
    way = nearest(found, number, ("way",)) if own.category == "soft_role" else None
    if way is not None and _speaks_on(found, read, way, number):
        return [
            Bound("taken", f"{found[way].term}:{_element(found[n])}", min(way, n), max(number, n))
            for n in members
        ]
    if not members:
        return [Bound("role_word", own.term, number, number, (number,))] if own.category == "role" else []
    return [
        Bound(
            "role",
            f"{own.term}:{_any_element(found[n])}",
            min(number, n),
            max(number, n),
            (number, *_plain(found, n)),
        )
        for n in members
    ]


def _speaks_on(found: list[Token], read: str, way: int, number: int) -> bool:
    """Whether a word is still part of what a method says: in its clause, or after its colon."""
    between = read[found[way].end : found[number].start]
    return (
        "：" in between or ":" in between or not any(each.category == "break" for each in found[way:number])
    )


def _sign(found: list[Token], read: str, number: int) -> list[int]:
    """甲为忌神: a single sign that is said to play a role (but not 亥为用神所在)."""
    if not number or found[number - 1].category not in ("stem", "branch") or found[number].category != "role":
        return []
    own, before = found[number], found[number - 1]
    is_said = glue("copula").search(read[before.end : own.start]) and read[own.end : own.end + 1] != "所"
    return [number - 1] if is_said else []


def _state(found: list[Token], read: str, number: int) -> list[Bound]:
    """火旺, 木在辰月为囚; 木不见; 火最多: what stands before the word."""
    own = found[number]
    members = _before(found, read, number, _AMOUNTS.get(own.category, own.category))[-1:]
    if not members and own.category in _AMOUNTS and number + 1 < len(found) and _element(found[number + 1]):
        members = [number + 1] if read[own.end : found[number + 1].start] in ("", " ") else []
    kind = "missing" if own.category in ("absent", "present") else own.category
    bound = [
        Bound(kind, f"{_element(found[n])}:{own.term}" if kind == "state" else f"{_element(found[n])}",
              min(n, number), max(n, number), _plain(found, n), own.category == "present")
        for n in members
    ]  # fmt: skip
    return bound or (_god_absent(found, read, number) if own.category == "absent" else [])


def _god_absent(found: list[Token], read: str, number: int) -> list[Bound]:
    """正印不见."""
    at = number - 1
    while at >= 0 and found[at].term == "，":
        at -= 1
    if at < 0 or found[at].category not in ("ten_god", "ten_god_class"):
        return []
    god = found[at]
    near = glue("absent").match(read[god.end : found[number].start])
    return [Bound("absent_god", god.term, at, number)] if near else []


def _way(found: list[Token], read: str, number: int) -> list[Bound]:
    """What one method takes for useful: 调候取水; of several in a row each takes it."""
    own, at = found[number], number + 1
    while at < len(found) and found[at].category in ("way", "break") and _listed(found, read, at):
        at += 1
    if at == len(found) or found[at].category != "element":
        return []
    takes = glue("takes").match(read[found[at - 1].end : found[at].start])
    return [Bound("taken", f"{own.term}:{found[at].term}", number, at)] if takes else []


def _listed(found: list[Token], read: str, at: int) -> bool:
    between = read[found[at - 1].end : found[at].start]
    return found[at].term == "," or bool(glue("list").match(between))


def _mismatch(found: list[Token], read: str, number: int) -> list[Bound]:
    """壬火 is nothing: a single sign is followed by its own element or by none (寅午火局 is of two signs)."""
    own, sign = found[number], found[number - 1]
    if (
        not number
        or sign.end != own.start
        or sign.category not in ("stem", "branch")
        or len(sign.surface) > 1
    ):
        return []
    before = found[number - 2] if number > 1 else None
    if before is not None and before.end == sign.start and before.category in ("stem", "branch"):
        return []
    right = (Stem(sign.term) if sign.category == "stem" else Branch(sign.term)).element.value
    return [] if right == own.term else [Bound("cycle", sign.term + own.term, number - 1, number)]


def _cycle(found: list[Token], read: str, number: int) -> list[Bound]:
    """水生木 holds for everybody and claims nothing; the wrong way round nothing supports it."""
    at = number + 1
    while at < len(found) and found[at].category == "position":
        at += 1
    if not number or at == len(found):
        return []
    one, other = found[number - 1], found[at]
    first, then = _any_element(one), _any_element(other)
    if first is None or then is None:
        return []
    holds = (first.generates if found[number].term == "生" else first.controls) is then
    bare = tuple(n for n in (number - 1, at) if found[n].category == "element")
    return [Bound("" if holds else "cycle", read[one.start : other.end], number - 1, at, bare)]


def _any_element(token: Token) -> Element | None:
    match token.category:
        case "element":
            return Element(token.term)
        case "stem":
            return Stem(token.term).element
        case "branch":
            return Branch(token.term).element
    return None


def _plain(found: list[Token], number: int) -> tuple[int, ...]:
    """An element is used up by its role; a stem (丁火) goes on to claim itself."""
    return (number,) if found[number].category == "element" else ()


def _element(token: Token) -> str | None:
    if token.category == "element":
        return token.term
    if token.category in ("stem", "branch") and len(token.surface) > 1:
        sign = Stem(token.term) if token.category == "stem" else Branch(token.term)
        return str(sign.element.value)
    return None


def _after(found: list[Token], read: str, number: int) -> list[int]:
    """The elements after a role: one after 为 or "is", then those listed with it."""
    members: list[int] = []
    end, pattern = found[number].end, glue("forward")
    for at in range(number + 1, len(found)):
        each = found[at]
        fits = pattern.match(read[end : each.start])
        if (each.category == "negator" and fits and not members) or _apposed(found, number, at):
            end = each.end
        elif _element(each) is not None and fits and not (members and _belongs_on(found, read, at)):
            members.append(at)
            end, pattern = each.end, glue("list")
        else:
            break
    return members


def _apposed(found: list[Token], number: int, at: int) -> bool:
    """The comma in "the useful god, Water, is strong"."""
    if at != number + 1 or found[at].term != "," or at + 2 >= len(found):
        return False
    return _element(found[at + 1]) is not None and found[at + 2].term in (",", ".", ";")


def _belongs_on(found: list[Token], read: str, at: int) -> bool:
    """Whether the role of an element follows it: 用神为火、木为喜神."""
    if at + 1 == len(found) or found[at + 1].category not in ("role", "soft_role"):
        return False
    gap = read[found[at].end : found[at + 1].start]
    return bool(glue("backward").match(gap)) and not glue("list").match(gap)


def _is_taken(found: list[Token], read: str, at: int) -> bool:
    """Whether an element has its role before it: 用神为火、木为喜神."""
    if not at or found[at - 1].category not in ("role", "soft_role"):
        return False
    return bool(glue("forward").match(read[found[at - 1].end : found[at].start]))


def _before(found: list[Token], read: str, number: int, name: str) -> list[int]:
    """The elements before a word: 火、木为喜神; negators and, for a state, the month may stand between."""
    passed = {"negator", "branch"} if name == "state" else {"negator"}
    at = number - 1
    while at >= 0 and (
        (found[at].category in passed and _element(found[at]) is None)
        or (name == "backward" and found[at].term in ("，", ",", *_SELF))
    ):
        at -= 1
    if at < 0 or _element(found[at]) is None:
        return []
    gap = read[found[at].end : found[number].start]
    for each in found[at + 1 : number]:
        passed_over = each.category == "negator" or each.term in _SELF
        gap = gap.replace(each.surface, "", 1).replace("  ", " ") if passed_over else gap
    if not glue(name).match(gap):
        return []
    members = [at]
    while at > 0 and _element(found[at - 1]) is not None:
        between = read[found[at - 1].end : found[at].start]
        if (
            not between
            or not glue("list").match(between)
            or (name == "backward" and _is_taken(found, read, at - 1))
        ):
            break
        at -= 1
        members.insert(0, at)
    return members


_BINDERS: dict[str, Binder] = {
    **BINDERS,
    **SAYINGS,
    **dict.fromkeys(_AMOUNTS, _state),
    "role": _role,
    "soft_role": _role,
    "state": _state,
    "absent": _state,
    "dominant": _state,
    "way": _way,
    "element": _mismatch,
    "cycle_verb": _cycle,
}
