"""Where the terms of a text are said to stand.

A place word governs the terms that follow it in its clause: 月干辛为劫财. After 在 or "in the" it governs those
before it instead: 天乙贵人在时柱. Places in a row (年柱、月柱) govern together. A place has one stem and one branch,
so a second one in the clause stands elsewhere; a chart as a whole (命局) sets the place free.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.readings.glue import glue

if TYPE_CHECKING:
    from bazi_core.readings.vocabulary import Token

# Categories that stand somewhere: with the part of the pillar, or at the pillar as a whole.
AT_PART = frozenset(("stem", "ten_god", "ten_god_class"))
AT_PILLAR = frozenset(("pillar", "branch", "star", "stage", "nayin", "relation", "root", "void"))
_STANDING = AT_PART | AT_PILLAR
_ONE_SEAT = frozenset(("pillar", "branch", "stem"))
_INDEXED = {"luck_index": ("luck", ""), "month_index": ("liuyue", "")}
_Place = tuple[str, str]


@cache
def place_of(term: str) -> tuple[str, str, bool]:
    """(place, part, whether the word alone claims that the facts speak of it) of a position token."""
    place, part, named = term.split("|")
    return place, part, named == "1"


def places(found: list[Token], read: str) -> dict[int, str]:
    """The place of every term that has one, by number of the token: `month.stem`, `year|day`, `year&month`.

    >>> from bazi_core.readings.vocabulary import tokens
    >>> found, read = tokens("天乙贵人在时柱")
    >>> {found[number].term: place for number, place in places(found, read).items()}
    {'天乙贵人': 'hour'}
    """
    if not any(each.category == "position" or each.category in _INDEXED for each in found):
        return {}
    walk = _Walk(found, read)
    for number, token in enumerate(found):
        walk.step(number, token)
    return walk.where


class _Walk:
    """One pass over the tokens of a text."""

    def __init__(self, found: list[Token], read: str) -> None:
        self.where: dict[int, str] = {}
        self._found, self._read = found, read
        self._last_end, self._last_place, self._placed = 0, -1, 0
        self._behind: list[int] = []
        self._adjacent_only = False
        self._free()

    def _free(self) -> None:
        self._places: list[_Place] = []
        self._waiting: list[int] = []
        self._seats: set[tuple[str, _Place]] = set()

    def step(self, number: int, token: Token) -> None:
        start, end, category, term, _ = token
        gap = self._read[self._last_end : start]
        if category == "break":
            if not glue("apposed").match(self._read, start):
                self._free()
        else:
            if len(gap) > 1 and glue("reset").search(gap):
                self._free()
            place = place_of(term)[:2] if category == "position" else _INDEXED.get(category)
            if place is not None:
                self._govern(number, token, place, gap)
            elif category in _STANDING:
                self._seat(number, token, gap)
        if category != "revealed":  # 透于 reads on into the place
            self._last_end = end

    def _govern(self, number: int, token: Token, place: _Place, gap: str) -> None:
        grouped = self._last_place == number - 1 and bool(self._places) and glue("group").match(gap)
        if not grouped:
            back = self._waiting and glue("back").search(gap) and not glue("not_back").search(gap)
            self._adjacent_only, self._behind = bool(back), self._waiting if back else []
            if number and self._found[number - 1].category == "root":
                # 壬通根于日支: the root is there, the stem is not.
                self._behind = [one for one in self._behind if self._found[one].category == "root"]
            self._waiting = []
        self._places = [*self._places, place] if grouped else [place]
        for one in self._behind:
            self.where[one] = _said(self._found[one], self._places, joint=True)
        self._last_place, self._placed = number, token.end

    def _seat(self, number: int, token: Token, gap: str) -> None:
        if not self._places:
            self._waiting.append(number)
            return
        near = self._last_place == number - 1 and bool(glue("adjacent").match(gap))
        if self._places[0][0] == "self":
            near = near or (self._last_place == number - 1 and bool(glue("identity").match(gap)))
            # Of the day master itself only its stem is said; ten gods and stages next to it stand elsewhere.
            if near and token.category in ("stem", "pillar"):
                self.where[number] = "day.stem" if token.category == "stem" else "day"
        elif near or not self._adjacent_only:
            self._take(number, token, near)
        else:
            self._waiting.append(number)

    def _take(self, number: int, token: Token, near: bool) -> None:
        first = self._places[0]
        hidden = token.category == "stem" and first[1] == "branch"
        if token.category in _ONE_SEAT and not hidden:
            if (token.category, first) in self._seats:
                return
            self._seats.add((token.category, first))
        between = self._read[self._placed : token.start]
        joint = len(self._places) > 1 and (token.category == "relation" or bool(glue("each").search(between)))
        self.where[number] = _said(token, self._places, near, joint)


def _said(token: Token, places: list[_Place], near: bool = False, joint: bool = False) -> str:
    """The place in words of a claim; of several one will do (|), unless the text says each of them (&)."""
    made = []
    for place, part in places:
        keeps = token.category in AT_PART or (token.category == "branch" and part == "stem" and near)
        made.append(f"{place}.{part}" if part and keeps else place)
    return ("&" if joint else "|").join(dict.fromkeys(made))
