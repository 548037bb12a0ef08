"""CastRecord: how six lines came about, complete enough for anyone to recompute them.

A record whose parts contradict one another cannot be made: `made` derives the lines from the evidence (faces of coins,
heaps of stalks, numbers, seeds), and `verified` refuses a stated record that differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidCast, shown
from bazi_core.liuyao.lines import names

if TYPE_CHECKING:
    from collections.abc import Sequence

ALGORITHM_VERSION = 1
YANG_FACES = ("bei", "zi")
STALKS, LINES, CHANGES = 49, 6, 3
Triples = tuple[tuple[int, int, int], ...]


class CastRecord(NamedTuple):
    """A cast; members that do not belong to its method are None.

    `faces` are three coins a line, 1 for 背; `heaps` the left heaps of the three changes a line.

    >>> from bazi_core import liuyao as ly
    >>> record = ly.cast.from_faces(["100", "110", "111", "000", "100", "110"])
    >>> record.lines
    ('少阳', '少阴', '老阳', '老阴', '少阳', '少阴')
    >>> CastRecord.from_dict(record.to_dict()) == record
    True
    """

    method: str
    values: tuple[int, ...]
    faces: Triples | None = None
    yang_face: str | None = None
    heaps: Triples | None = None
    inputs: dict[str, Any] | None = None
    seed_commit: str | None = None
    server_seed: str | None = None
    client_seed: str | None = None
    cast_at: str | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines by name, from line 1."""
        return tuple(names()[value] for value in self.values)

    def __hash__(self) -> int:
        return hash((self.method, self.values, self.faces, self.heaps, self.seed_commit, self.server_seed))

    def to_dict(self) -> dict[str, Any]:
        made: dict[str, Any] = {
            "method": self.method,
            "algorithmVersion": ALGORITHM_VERSION,
            "lines": list(self.lines),
            "values": list(self.values),
        }
        for key, name in _KEYS.items():
            value = getattr(self, name)
            if value is not None:
                made[key] = _own(value)
        return made

    @classmethod
    def from_dict(cls, given: Any) -> CastRecord:
        """The record of its JSON form, recomputed; `INVALID_CAST` says what contradicts what."""
        from bazi_core.liuyao.cast import verified

        return verified(given)


_KEYS = {
    "faces": "faces",
    "yangFace": "yang_face",
    "heaps": "heaps",
    "inputs": "inputs",
    "seedCommit": "seed_commit",
    "serverSeed": "server_seed",
    "clientSeed": "client_seed",
    "castAt": "cast_at",
}


def _own(value: Any) -> Any:
    """A member as JSON of its own, so that changing it changes no record."""
    if isinstance(value, tuple):
        return [list(each) for each in value]
    return dict(value) if isinstance(value, dict) else value


KEYS = ("method", "algorithmVersion", "lines", "values", *_KEYS)


def stated(record: CastRecord) -> dict[str, Any]:
    """The JSON form of a record that somebody may have made by hand."""
    try:
        return record.to_dict()
    except (KeyError, TypeError, ValueError) as error:
        raise invalid(f"its members are not those of a record: {shown(error)[:60]}") from None


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

    >>> value_of_heaps((9, 34, 4))
    8
    """
    left = STALKS
    for heap in heaps:
        if not 1 <= heap <= left - 2:
            raise invalid(f"a left heap of {heap} from {left} stalks")
        left -= 1 + _over(heap) + _over(left - heap - 1)
    return left // 4


def _over(stalks: int) -> int:
    return stalks % 4 or 4


def heaps_of(residue: int, stalks: int) -> range:
    """The left heaps that leave a residue."""
    return range(residue, stalks - 1, 4)


def invalid(reason: str) -> InvalidCast:
    """The error of a record that contradicts itself."""
    return InvalidCast(f"this is no cast: {reason}", reason=reason)


def triples(given: Any, name: str, highest: int) -> Triples:
    """Six times three small numbers of a stated record."""
    try:
        made = tuple(tuple(each) for each in given)
    except TypeError:
        raise invalid(f"{name} are six times three numbers") from None
    whole = all(type(number) is int and 0 <= number <= highest for each in made for number in each)
    if len(made) != LINES or any(len(each) != CHANGES for each in made) or not whole:
        raise invalid(f"{name} are six times three numbers from 0 to {highest}, not {shown(given)[:60]}")
    return tuple((each[0], each[1], each[2]) for each in made)
