"""Sayings of several words: where a relative stands, which years a luck pillar governs, what outweighs what.

Binders like those of `bearers`. Some of what they make is settled by comparing figures, which is for `weighing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.bearers import BINDERS, Bound
from bazi_core.readings.glue import glue

if TYPE_CHECKING:
    from bazi_core.readings.bearers import Binder
    from bazi_core.readings.vocabulary import Token

_KIN = ("shown", "hidden", "absent", "strong")
_SHORT = 18  # a clause that says no more than when: 2027年起, "from 2027 on"


def _clause(found: list[Token], number: int) -> range:
    """The numbers of the tokens in the clause of one of them."""
    first = last = number
    while first and found[first - 1].category != "break":
        first -= 1
    while last + 1 < len(found) and found[last + 1].category != "break":
        last += 1
    return range(first, last + 1)


def _kin(found: list[Token], read: str, number: int) -> list[Bound]:
    """父星透于年干, 配偶星为正财，藏于日支: whether the star of a relative shows, and where."""
    own, last = found[number], number
    while last + 1 < len(found) and found[last + 1].category != "relative":
        if found[last + 1].category == "break" and not glue("kin_on").match(read, found[last + 1].start):
            break
        last += 1
    end = found[last + 1].start if last + 1 < len(found) else len(read)
    states = [state for state in _KIN if glue(f"kin_{state}").search(read, own.end, end)]
    made = [Bound("kin", f"{own.term}:{state}", number, number) for state in states]
    if "shown" in states or "hidden" in states:
        made += [
            Bound("kin_at", f"{own.term}:{found[n].term.partition('|')[0]}", number, n)
            for n in range(number + 1, last + 1)
            if found[n].category == "position"
        ]
    return made


def _luck_pillars(found: list[Token], read: str, members: range) -> list[int]:
    """The luck pillars among some tokens: after 大运 as the last place named, or before 运."""
    made, luck = [], False
    for n in members:
        each = found[n]
        if each.category == "position":
            luck = each.term.startswith("luck|")
        luck = luck or each.category == "luck_index"
        if each.category == "pillar" and (
            luck or read.startswith(("大运", "大運", "运", "運", " luck"), each.end)
        ):
            made.append(n)
    return made


def _year(found: list[Token], read: str, number: int) -> list[Bound]:
    """2027年交入乙酉大运, "Jia Shen ends in 2026": how a year lies to a luck pillar."""
    own = found[number]
    if len(own.surface) > 8 or glue("year_apart").match(read, own.end):
        return []  # a span says both ends itself; after a year is not in it
    members = _clause(found, number)
    pillars = _luck_pillars(found, read, members)
    start, end = found[members[0]].start, found[members[-1]].end
    if not pillars and len(members) == 1 and end - start < _SHORT and members[-1] + 2 < len(found):
        members = _clause(found, members[-1] + 2)
        pillars = _luck_pillars(found, read, members)
        end = found[members[-1]].end
    end = next((each.start for each in found[members[-1] + 1 :]), len(read))
    kind = _side(read, own, start, end)
    return [
        Bound(f"luck_{kind}", f"{found[n].term}:{own.term}", min(n, number), max(n, number))
        for n in pillars[:1]
    ]


def _side(read: str, year: Token, start: int, end: int) -> str:
    """Whether a year begins or ends what is said, or lies in it."""
    before = read[: year.start]
    if glue("year_to").search(before) or glue("year_stop").match(read, year.end):
        return "ends"
    if glue("year_from").search(before) or glue("year_on").match(read, year.end):
        return "begins"
    if glue("luck_ends").search(read, start, end):
        return "ends"
    return "begins" if glue("luck_begins").search(read, start, end) else "in"


def _now(found: list[Token], read: str, number: int) -> list[Bound]:
    """目前走乙酉大运."""
    pillars = _luck_pillars(found, read, _clause(found, number))
    return [Bound("luck_now", found[n].term, min(n, number), max(n, number)) for n in pillars[:1]]


def _age(found: list[Token], read: str, number: int) -> list[Bound]:
    """2026年虚岁37; 三十七岁交甲申大运, of which no fact speaks."""
    own, members = found[number], _clause(found, number)
    years = [n for n in members if found[n].category == "year" and len(found[n].surface) < 9]
    made = [Bound("age_in", f"{found[n].term}:{own.term}", min(n, number), max(n, number)) for n in years[:1]]
    begins = glue("luck_begins").search(read, found[members[0]].start, found[members[-1]].end)
    for n in _luck_pillars(found, read, members)[:1] if begins else ():
        made.append(Bound("luck_at_age", f"{found[n].term}:{own.term}", min(n, number), max(n, number)))
    return made


def _test(found: list[Token], read: str, number: int) -> list[Bound]:
    """日主得令 says that the test is passed, 得令10分 how far."""
    after = _clause(found, number)
    if any(n > number and found[n].category == "score" for n in after):
        return []
    return [Bound("holds_test", found[number].term, number, number)]


def _born_side(found: list[Token], read: str, number: int) -> list[Bound]:
    """生于立夏之后, "born after Start of Summer"."""
    own = found[number]
    before, after = read[max(0, own.start - 24) : own.start], read[own.end : own.end + 3]
    if not glue("born").search(before):
        return []
    if "后" in after or "後" in after or "after" in before:
        return [Bound("born_side", f"{own.term}:后", number, number)]
    if "前" in after or "before" in before:
        return [Bound("born_side", f"{own.term}:前", number, number)]
    return []


def _commander(found: list[Token], read: str, number: int) -> list[Bound]:
    """丙火司令."""
    for n in (number - 1, number + 1):
        if 0 <= n < len(found) and found[n].category == "stem":
            return [Bound("commands", found[n].term, min(n, number), max(n, number))]
    return []


def _pattern(found: list[Token], read: str, number: int) -> list[Bound]:
    """格取正财, 正财之格, "the pattern is Direct Wealth": a ten god by whose name a pattern goes."""
    own = found[number]
    if not (glue("names_pattern").search(read[: own.start]) or glue("pattern_after").match(read, own.end)):
        return []
    return [Bound("pattern", f"{own.term}格", number, number, (number,))]


def _domain(found: list[Token], read: str, number: int) -> list[Bound]:
    """总评比事业高, "wealth beats study"."""
    if number + 1 == len(found) or found[number + 1].category != "domain":
        return []
    one, other = found[number], found[number + 1]
    gap = read[one.end : other.start]
    if glue("than").match(gap):
        more = bool(glue("than_more").match(read, other.end))
        if not more and not glue("than_less").match(read, other.end):
            return []
    elif not (more := bool(glue("more").match(gap))) and not glue("less").match(gap):
        return []
    first, second = (one, other) if more else (other, one)
    return [Bound("above", f"{first.term}>{second.term}", number, number + 1)]


def _extreme(found: list[Token], read: str, number: int) -> list[Bound]:
    """财运最高, "the best domain is wealth"."""
    own = found[number]
    members = [n for n in _clause(found, number) if found[n].category == "domain"]
    before = [n for n in members if n < number]
    return [
        Bound(own.category, found[n].term, min(n, number), max(n, number))
        for n in (before[-1:] or members[:1])
    ]


def _share(found: list[Token], read: str, number: int) -> list[Bound]:
    """火占三成, "half of the chart is Fire"."""
    members = [n for n in _clause(found, number) if found[n].category == "element"]
    before = [n for n in members if n < number]
    return [
        Bound("share_of", f"{found[n].term}:{found[number].term}", min(n, number), max(n, number))
        for n in (before[-1:] or members[:1])
    ]


def _both(one: Binder, other: Binder) -> Binder:
    return lambda found, read, number: one(found, read, number) + other(found, read, number)


def _god(found: list[Token], read: str, number: int) -> list[Bound]:
    return _pattern(found, read, number) or BINDERS["ten_god"](found, read, number)


SAYINGS: dict[str, Binder] = {
    **{name: _both(BINDERS[name], _age) for name in ("age", "nominal_age", "full_age")},
    "relative": _kin,
    "year": _year,
    "now": _now,
    "strength_test": _test,
    "solar_term": _born_side,
    "commander": _commander,
    "ten_god": _god,
    "domain": _domain,
    "highest": _extreme,
    "lowest": _extreme,
    "share": _share,
}
