"""The members of a record of a cast: the faces of coins and the heaps of stalks, with their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bazi_core.errors import InvalidCast, shown
from bazi_core.tables.sentences import Said

ALGORITHM_VERSION = 1
YANG_FACES = ("bei", "zi")
STALKS, LINES, CHANGES = 49, 6, 3
Triples = tuple[tuple[int, int, int], ...]


MEMBERS = {
    "faces": "faces",
    "yangFace": "yang_face",
    "heaps": "heaps",
    "inputs": "inputs",
    "seedCommit": "seed_commit",
    "serverSeed": "server_seed",
    "clientSeed": "client_seed",
    "castAt": "cast_at",
}


def own(value: Any) -> Any:
    """A deep copy of a member as JSON, so that changing it does not change the record."""
    if isinstance(value, tuple):
        return [list(each) for each in value]
    return dict(value) if isinstance(value, dict) else value


KEYS = ("method", "algorithmVersion", "lines", "values", *MEMBERS)


def value_of_faces(faces: Sequence[int], yang_face: str) -> int:
    """The value of three coins: the yang face counts three, the other two.

    >>> value_of_faces((1, 0, 0), "bei"), value_of_faces((1, 0, 0), "zi")
    (7, 8)
    """
    backs = sum(faces)
    return 6 + (backs if yang_face == "bei" else 3 - backs)


def value_of_heaps(heaps: Sequence[int]) -> int:
    """The value of three changes from forty-nine stalks, given the left heap of each.

    Of either heap the stalks over fours are taken away (four when none is over), and one of the right before.
    """
    left = STALKS
    for heap in heaps:
        if not 1 <= heap <= left - 2:
            raise invalid(Said("cast.heap", heap=heap, left=left))
        left -= 1 + _over(heap) + _over(left - heap - 1)
    return left // 4


def _over(stalks: int) -> int:
    return stalks % 4 or 4


def heaps_of(residue: int, stalks: int) -> range:
    """The left heaps that leave a residue."""
    return range(residue, stalks - 1, 4)


def invalid(reason: str) -> InvalidCast:
    """The error of a record that contradicts itself."""
    return InvalidCast(Said("cast_invalid", why=reason), reason=reason)


def triples(given: Any, name: str, highest: int) -> Triples:
    """Six triples of numbers from 0 to `highest` of a stated record."""
    try:
        parts = tuple(tuple(each) for each in given)
    except TypeError:
        raise invalid(Said("cast.triples", name=name)) from None
    whole = all(type(number) is int and 0 <= number <= highest for part in parts for number in part)
    if len(parts) != LINES or any(len(part) != CHANGES for part in parts) or not whole:
        raise invalid(Said("cast.triples_to", name=name, highest=highest, given=shown(given)[:60]))
    return tuple((part[0], part[1], part[2]) for part in parts)
