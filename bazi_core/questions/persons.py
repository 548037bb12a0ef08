"""Of whom a question asks, and whose matter it is; who is only company, cause or memory is none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.questions.chains import named_again
from bazi_core.questions.domains import NOTHING, OF_WHOLE, VAGUE, domain_in
from bazi_core.questions.heard import Heard, heard
from bazi_core.questions.marks import ZODIAC, is_marked
from bazi_core.questions.slots import clauses_of, first, slot_rows
from bazi_core.questions.times import ages_of

if TYPE_CHECKING:
    from bazi_core.questions.heard import Wording
    from bazi_core.questions.slots import Clause

_WITH = ("with my ", "with our ", "with ", "跟", "和", "与", "跟我", "和我", "与我")


# With whom of the family one gets on or not.
OF_FAMILY = ("parents_in_law", "grandparent", "parents", "father", "mother", "sibling", "relative")


# What is asked of a relative and yet is the asker's own: it stands in the palace and the star of that relative.
_BOND = (None, "general", "self", "relationship", "marriage", "children", "timing")


_OWN: dict[str, tuple[str | None, ...]] = {
    "spouse": _BOND, "partner": _BOND, "child": (None, "children"),
}  # fmt: skip


# How many children and when: so one asks of one's own chart.
_OF_CHILDREN, _CHILDREN = ("when", "how_much"), (None, "general", "self", "children", "timing")


_ELDERS = ("parents_in_law", "grandparent", "parents", "father", "mother")


RELATIVES = (
    *_OWN,
    "parents_in_law",
    "grandparent",
    "parents",
    "father",
    "mother",
    "sibling",
    "relative",
    "acquaintance",
)


def owner_of(text: str, age: int) -> str | None:
    """The relative whose chart it is, by what the question says of it, or of the age of an elder, beside the `age` of the
    owner in full years; None where it is the asker's.

    >>> owner_of("這是我媽的八字，她要不要搬", 71), owner_of("我妈今年五十三，要不要手术", 53)
    ('mother', 'mother')
    >>> owner_of("我妈今年七十三，要不要手术", 48), owner_of("Dad's 85 and lives alone. Should he sell?", 85)
    (None, 'father')
    """
    whole = heard(named_again(heard(text).plain))
    found = [
        (value, words) for value, _, words in slot_rows("subject") if value in RELATIVES and words.fits(whole)
    ]
    if found and first("chart_of", [whole]) is not None:
        return found[0][0]
    # Of an age are one's own partner and brothers too: only an elder is known by it.
    clauses = clauses_of(whole.plain)
    for relative, words in found:
        told = (clause.text for clause in clauses if relative in _ELDERS and words.fits(clause.heard))
        if any(low - 1 <= age <= high + 1 for text in told for low, high in ages_of(text)):
            return relative
    return None


def persons_in(whole: Heard, asking: list[Heard]) -> tuple[str | None, str | None]:
    """Who is asked about, and who of them is named where it is asked: an animal of the twelve years is none, nor one that is
    only told of; in a quarrel it is the other side."""
    named = first("subject", asking)
    subject = (
        named if named not in (None, "somebody") else first("subject", [without_company(whole, "after")])
    )
    if named is None and first("quarrel", [whole]) is not None:
        subject = _opposite(whole) or subject
    if subject == "pet" and (is_marked(ZODIAC, whole) or first("of_pet", asking) is None):
        return None, None
    return subject, named


def _opposite(whole: Heard) -> str | None:
    """With whom one is at odds, by the "with" before the name."""
    for value, _, words in slot_rows("subject"):
        if any(before.endswith(_WITH) for before, _ in words.around(whole)):
            return value
    return None


def whose(whole: Heard, clauses: list[Clause], asking: list[Heard], kind: str) -> str:
    """The relative whose own matter is asked about: named where it is asked, or before, when nobody else is named there and
    no plan or money of one's own is told of that is asked about."""
    last = max((at for at, clause in enumerate(clauses) if clause.asks), default=len(clauses))
    asked = domain_in(NOTHING, asking)
    is_planned = asked not in OF_WHOLE and any(_plans(clause, asked) for clause in clauses)
    # What a couple may do is asked by one of them.
    is_joint = first("form", asking) == "may" and first("pronoun", asking) is None
    for texts in (asking, [] if is_planned else [clause.heard for clause in clauses[: last + 1]]):
        for value, _, words in slot_rows("subject"):
            met = [text for text in texts if words.fits(text)] if value in RELATIVES else []
            if met and is_joint and texts is not asking and value in _COUPLE:
                return "self"
            if met:
                rest = [each.without(words) for each in asking]
                matter = domain_in(whole.without(words), rest)
                if matter in VAGUE:
                    # What befell somebody before is what is asked of.
                    told = (
                        domain_in(each, [each])
                        for each in (clause.heard.without(words) for clause in clauses)
                    )
                    matter = next((each for each in told if each not in VAGUE), matter)
                own = _OWN.get(value, ())
                if value == "child" and kind in _OF_CHILDREN:
                    is_there = first("has_child", [whole]) and first("about", [whole]) != "begetting"
                    own = () if first("ailing", rest) or (kind == "when" and is_there) else _CHILDREN
                # What a child does of its own will is none of one's own chart.
                own = () if value == "child" and first("own_doing", rest) else own
                return "self" if matter in own or all(_is_beside(words, each) for each in met) else value
        if first("oneself", asking) or _is_apart(clauses, asking):
            return "self"
    return "self"


_COUPLE = ("spouse", "partner")


def _plans(clause: Clause, asked: str | None) -> bool:
    """Whether a clause tells of a plan or of money of one's own, on the side of life that is asked about."""
    if clause.asks or first("own_plan", [clause.heard]) is None:
        return False
    side = domain_in(NOTHING, [clause.heard])
    return side == asked or (side is None and asked == "wealth")


def _is_apart(clauses: list[Clause], asking: list[Heard]) -> bool:
    """Whether another side of life is asked about than the one on which somebody is told of before."""
    asked = _bond(domain_in(NOTHING, asking))
    told = {clause.heard for clause in clauses} - {*asking}
    persons = [words for value, _, words in slot_rows("subject") if value in RELATIVES]
    of_told = {_bond(domain_in(each, [each])) for each in {bare(each, persons) for each in told}}
    return asked not in (*OF_WHOLE, "children") and bool(of_told - {*VAGUE}) and asked not in of_told


def _bond(domain: str | None) -> str | None:
    """Marriage and love are one side of life."""
    return "relationship" if domain == "marriage" else domain


def bare(text: Heard, persons: list[Wording]) -> Heard:
    for words in persons:
        text = text.without(words)
    return text


def _is_beside(words: Wording, text: Heard, *sides: str) -> bool:
    """Whether somebody is named as company, cause or memory, and not as the one who is asked about; told by what stands
    before or after the name, or on these `sides` alone."""
    return any(
        near.fits(Heard((before,), before) if value == "before" else Heard((after,), after))
        for before, after in words.around(text)
        for value, _, near in slot_rows("beside")
        if value in (sides or ("before", "after"))
    )


def without_company(whole: Heard, *sides: str) -> Heard:
    """A text without the relatives who are company, cause or memory in it, by what stands before or after them: they do
    not tell what it is about."""
    for value, _, words in slot_rows("subject"):
        if value in RELATIVES and words.fits(whole) and _is_beside(words, whole, *sides):
            whole = whole.without(words)
    return whole


def without_background(clauses: list[Clause]) -> list[Clause]:
    """The clauses of a question without those that tell of relatives, where others tell what it is about; none where these
    do, or where somebody is meant by a pronoun."""
    asking = [clause.heard for clause in clauses if clause.asks]
    persons = [words for value, _, words in slot_rows("subject") if value in RELATIVES]
    if not asking or first("subject", asking) is not None:
        return []
    named = [each for each in clauses if any(words.fits(each.heard) for words in persons)]
    # Whose birth or age is told is no background.
    if any(each.tells for each in named):
        return []
    kept = [each for each in clauses if each.asks or each not in named]
    told = [each.heard for each in kept if not each.asks]
    about = [domain_in(each, [each]) for each in told]
    return kept if len(kept) < len(clauses) and any(each not in OF_WHOLE for each in about) else []
