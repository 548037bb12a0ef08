"""What a text claims: terms with the place at which they are said to stand, bound to one another, affirmed or denied."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.readings.bindings import bindings
from bazi_core.readings.denial import denied
from bazi_core.readings.places import place_of, places
from bazi_core.readings.vocabulary import tokens

if TYPE_CHECKING:
    from bazi_core.readings.vocabulary import Token

NUMBERS = frozenset((
    "year", "month", "day", "month_day", "year_month", "clock", "span", "age", "nominal_age", "full_age", "score",
    "gain", "loss", "percent", "luck_index", "month_index", "rank", "grade", "years", "months", "days", "hours", "oclock",
    "number",
))  # fmt: skip
# Words that claim nothing by themselves; some of them do when they are bound.
_SILENT = frozenset((
    "negator", "break", "position", "domain", "soft_role", "absent", "dominant", "state", "void", "method",
    "way", "qi", "relative", "cycle_verb", "use_state", "commander", "now", "ample", "scarce", "least", "present",
    "highest", "lowest", "share",
))  # fmt: skip
# What the denial of a term affirms.
_OPPOSITES = {
    ("root", "通根"): "无根",
    ("root", "无根"): "通根",
    ("revealed", "透干"): "不透",
    ("revealed", "不透"): "透干",
}


class Claim(NamedTuple):
    """One thing that a text says: a term of a category, where it stands, and whether this is denied.

    `position` is `month`, `month.stem`, or None; several are joined by `|` when one of them will do and by `&`
    when each is meant. Terms that are bound to one another are written `用神:火`.
    """

    category: str
    term: str
    position: str | None = None
    negated: bool = False


class Mention(NamedTuple):
    """A claim and where in the text it is made."""

    claim: Claim
    start: int
    end: int
    surface: str


def mentions(text: str) -> tuple[Mention, ...]:
    """The claims of a text, in the order in which it makes them.

    >>> [tuple(each.claim) for each in mentions("月干辛透")]
    [('position', 'month', None, False), ('stem', '辛', 'month.stem', False)]
    >>> [each.claim.term for each in mentions("用神为火、木，忌水")]
    ['用神:火', '用神:木', '忌:水']
    """
    return _understood(text)[0]


def without_terms(text: str) -> str:
    """A text without the words of the vocabulary and their glosses.

    >>> without_terms("用神 (useful god) 为水")
    ' 为'
    """
    kept, at = [], 0
    for start, end in _understood(text)[1]:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))


@lru_cache(maxsize=1 << 13)
def _understood(text: str) -> tuple[tuple[Mention, ...], tuple[tuple[int, int], ...]]:
    """The claims of a text, and where its terms stand."""
    found, read = tokens(text)
    spans = tuple((each.start, each.end) for each in found if each.category not in ("break", "negator"))
    return tuple(_mentions(found, read)) if found else (), spans


def _mentions(found: list[Token], read: str) -> list[Mention]:
    where, bound, turned = places(found, read), bindings(found, read), denied(found, read)
    used = {number for each in bound for number in each.used}
    made = []
    for number, (start, end, category, term, surface) in enumerate(found):
        if category not in _SILENT:
            if number not in used:
                claim = _claim(category, term, where.get(number), turned.get(number))
                made.append(Mention(claim, start, end, surface))
        elif category == "position" and place_of(term)[2]:
            made.append(Mention(Claim("position", place_of(term)[0]), start, end, surface))
    for one in bound:
        if one.category:
            spoken = one.denied or any(
                turned.get(n, "presence") != "presence" for n in range(one.first, one.last + 1)
            )
            start, end = found[one.first].start, found[one.last].end
            made.append(Mention(Claim(one.category, one.term, None, spoken), start, end, read[start:end]))
    if bound:
        made.sort(key=_start)
    return made


def _claim(category: str, term: str, position: str | None, sense: str | None) -> Claim:
    """无水 and "no Water" claim a missing element; 无根 is the denial of 通根."""
    if sense is None:
        return Claim(category, term, position)
    if category == "element" and sense in ("absence", "presence"):
        return Claim("missing", term, None, sense == "presence")
    if sense == "presence" or category == "element":
        return Claim(category, term, position)
    if sense == "absence" and category in ("ten_god", "ten_god_class"):
        return Claim("absent_god", term, position)
    opposite = _OPPOSITES.get((category, term))
    return Claim(category, opposite, position) if opposite else Claim(category, term, position, True)


def _start(mention: Mention) -> int:
    return mention.start
