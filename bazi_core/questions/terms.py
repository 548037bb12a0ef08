"""What a question looks up in a chart by the name it has in the books: a star, a ten god, who stands in one's way."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.questions.heard import Heard, Wording, wording
from bazi_core.questions.slots import first, slot_rows
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

# Kinds of names: a 神煞, a ten god; and those who stand in one's way, for whom there is none.
STAR, TEN_GOD, FOES = "star", "ten_god", "foes"
# Stars by whose names love, help and travel are called in everyday speech: looked up only where a chart or a star is named.
_EVERYDAY = ("桃花", "驿马", "红鸾", "文昌贵人", "华盖", "太岁")
# As many names are looked up.
MOST_TERMS = 4


def terms_in(text: Heard) -> tuple[str, ...]:
    """The names that a text looks up, each as its kind and its name, in the order of the tables.

    >>> from bazi_core.questions.heard import heard
    >>> terms_in(heard("我命里有没有驿马？")), terms_in(heard("Am I a direct wealth or indirect wealth person?"))
    (('star:驿马',), ('ten_god:偏财', 'ten_god:正财'))
    >>> terms_in(heard("今年有桃花吗")), terms_in(heard("七杀运怎么过"))
    ((), ())
    """
    has_chart = first("of_chart", [text]) is not None
    found = (
        f"{kind}:{name}"
        for kind, name, words in names()
        if (has_chart or name not in _EVERYDAY)
        and any(_is_looked_up(*around) for around in words.around(text))
    )
    foes = (FOES,) if first("foes", [text]) is not None else ()
    return tuple(dict.fromkeys((*found, *foes)))[:MOST_TERMS]


def _is_looked_up(before: str, after: str) -> bool:
    """Whether it is asked if something is there, or where or what it is, by what stands on both sides of its name."""
    near, behind = Heard((before[-40:],), before[-40:]), Heard((after[:40],), after[:40])
    # The luck of a ten god is a side of life, and no name that is looked up.
    if after.startswith("运"):
        return False
    return any(words.fits(near if side == "before" else behind) for side, _, words in slot_rows("looked_up"))


@cache
def names() -> tuple[tuple[str, str, Wording], ...]:
    """Every name that can be looked up: its kind, the name, its words."""
    return tuple(_named())


def _named() -> Iterator[tuple[str, str, Wording]]:
    more = {value: words for value, _, words in slot_rows("term")}
    aliases = {row["name"]: row["aliases"].split() for row in rows("stars")}
    for row in rows("terms"):
        if row["kind"] in (STAR, TEN_GOD):
            name = row["zh-Hans"]
            signs = "|".join((name, *aliases.get(name, ())))
            other = more.get(name)
            english = row["en"].lower() + (f"|{other.words.pattern}" if other and other.words else "")
            hanzi = signs + (f"|{other.signs.pattern}" if other and other.signs else "")
            yield row["kind"], name, wording(hanzi, english)
