"""The catalogue of sentences and the values that are filled into them.

`statements.csv` holds every sentence in three languages. A value in a sentence is a term, a sign, a place, a nested phrase
or a list of these; what it reads like is the speaker's part.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.alphabet import Branch, Pillar, Stem


class Term(NamedTuple):
    """A canonical term; the kind decides between terms that share a form."""

    hanzi: str
    kind: str | None = None


class Sign(NamedTuple):
    """A stem, branch or pillar; a stem is printed with its element unless `plain`."""

    hanzi: str
    plain: bool = False


class At(NamedTuple):
    """A place in the chart, alone or with what stands there: `月支`, `月支巳`."""

    place: str
    sign: Sign | None = None


class Najia(NamedTuple):
    """The stem and branch of a line of a hexagram, or a branch alone, with the element of the branch."""

    hanzi: str


class LinePlace(NamedTuple):
    """A line of a hexagram by its position, 1 to 6 from below."""

    position: int


class Phrase(NamedTuple):
    """A nested row of the catalogue with its values."""

    key: str
    values: dict[str, Any]


class Nth(NamedTuple):
    """An ordinal in English."""

    number: int


class Clauses(NamedTuple):
    """Phrases that are whole clauses and are joined as such."""

    members: tuple[Any, ...]


@cache
def catalogue() -> dict[str, tuple[dict[str, str], ...]]:
    """The rows of every key.

    >>> [row["en"] for row in catalogue()["at.month.branch"]]
    ['month branch']
    """
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows("statements"):
        found.setdefault(row["key"], []).append(row)
    return {key: tuple(variants) for key, variants in found.items()}


def sign(value: Stem | Branch | Pillar | str, plain: bool = False) -> Sign:
    """A stem, branch or pillar as a value of a sentence."""
    return Sign(str(value), plain)


def clauses(keys: Iterable[str]) -> Clauses:
    """Rows without values as clauses."""
    return Clauses(tuple(Phrase(key, {}) for key in keys))
