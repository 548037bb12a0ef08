"""Casting of the six lines. This is the only module with randomness; derivation is pure.

Three coins and yarrow stalks with their true odds, 梅花易数 by time and by numbers, and an automatic cast by commit and
reveal: the hash of a server seed is published before the client's seed is known, so that neither side can choose the
lines and anyone can recompute them. Nothing touches the global state of `random`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime
from hashlib import sha256
from itertools import product
from typing import Any, NamedTuple, Protocol

from bazi_core.alphabet import BRANCHES, Branch
from bazi_core.astro import lunar
from bazi_core.errors import BaziError, InvalidCast, InvalidInput, known, shown
from bazi_core.facts import canonical_json
from bazi_core.liuyao import lines as line_values
from bazi_core.liuyao.calendar import effective_date, moment_of
from bazi_core.liuyao.hexagrams import branch_of, trigrams
from bazi_core.liuyao.lines import names
from bazi_core.liuyao.record import (
    ALGORITHM_VERSION,
    CHANGES,
    KEYS,
    LINES,
    MEMBERS,
    STALKS,
    YANG_FACES,
    Triples,
    heaps_of,
    invalid,
    own,
    triples,
    value_of_faces,
    value_of_heaps,
)
from bazi_core.pillars import hour_index
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Said

TAG = b"bazi.liuyao.cast/1"
LONGEST_SEED = 128
LEAPS = ("same", "next")
AUTO = ("coins", "yarrow")


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
        members: dict[str, Any] = {
            "method": self.method,
            "algorithmVersion": ALGORITHM_VERSION,
            "lines": list(self.lines),
            "values": list(self.values),
        }
        for key, name in MEMBERS.items():
            value = getattr(self, name)
            if value is not None:
                members[key] = own(value)
        return members

    @classmethod
    def from_dict(cls, given: Any) -> CastRecord:
        """The record of a JSON form, recomputed; `INVALID_CAST` names the members that contradict each other."""
        return verified(given)


def stated(record: CastRecord) -> dict[str, Any]:
    """The JSON form of a record that may have been written by hand; `INVALID_CAST` if it has none."""
    try:
        return record.to_dict()
    except (KeyError, TypeError, ValueError) as error:
        raise invalid(Said("cast.members", error=shown(error)[:60])) from None


class Rng(Protocol):
    """A source of bits, such as `random.Random`."""

    def getrandbits(self, k: int, /) -> int: ...


def _system(rng: Rng | None) -> Rng:
    if rng is not None:
        if not callable(getattr(rng, "getrandbits", None)):
            raise InvalidInput(Said("rng_kind", given=shown(rng)[:20]), hint=Said("rng_hint"), field="rng")
        return rng
    from random import SystemRandom

    return SystemRandom()


def lines(*given: Any) -> CastRecord:
    """The record of given lines: names, numbers 6 to 9, or text.

    >>> lines("776867").lines[2]
    '老阴'
    """
    return CastRecord("lines", line_values.values_of(given[0] if len(given) == 1 else list(given)))


def coins(rng: Rng | None = None, yang_face: str = "bei") -> CastRecord:
    """Three fair coins for each line."""
    source = _system(rng)
    drawn = [source.getrandbits(CHANGES) for _ in range(LINES)]
    return from_faces([[bits >> k & 1 for k in range(CHANGES)] for bits in drawn], yang_face)


def from_faces(faces: Sequence[Any], yang_face: str = "bei") -> CastRecord:
    """The record of thrown coins: three faces a line, 1 for 背, as numbers or text; or the number of 背 in each line.

    >>> from_faces([1, 2, 3, 0, 1, 2]).lines[:4]
    ('少阳', '少阴', '老阳', '老阴')
    """
    known("yang_face", yang_face, YANG_FACES)
    if not isinstance(faces, (list, tuple)):
        raise invalid(Said("cast.faces"))
    triple_values = triples([_three(face) for face in faces], "faces", 1)
    return CastRecord(
        "coins", tuple(value_of_faces(value, yang_face) for value in triple_values), triple_values, yang_face
    )


def _three(given: Any) -> Any:
    if type(given) is int and 0 <= given <= CHANGES:
        return [1] * given + [0] * (CHANGES - given)
    if not isinstance(given, str):
        return given
    return [int(char) if char in "01" else char for char in given[: CHANGES + 1]]


def yarrow(rng: Rng | None = None) -> CastRecord:
    """Yarrow stalks: three changes a line from forty-nine, every residue of the left heap equally likely."""
    source = _system(rng)
    return _yarrow(
        [_heaps(lambda _: source.getrandbits(2), lambda _: source.getrandbits(32)) for _ in range(LINES)]
    )


def _yarrow(heaps: Sequence[Sequence[int]]) -> CastRecord:
    left_heaps = triples(heaps, "heaps", STALKS)
    return CastRecord("yarrow", tuple(map(value_of_heaps, left_heaps)), heaps=left_heaps)


def _heaps(residue: Callable[[int], int], size: Callable[[int], int]) -> list[int]:
    """The left heaps of the three changes of a line: a residue of two fair bits, then any heap that leaves it."""
    stalks, left_heaps = STALKS, []
    for change in range(CHANGES):
        admissible = heaps_of(residue(change) or 4, stalks)
        left_heaps.append(admissible[size(change) % len(admissible)])
        rest = stalks - left_heaps[-1] - 1
        stalks -= 1 + (left_heaps[-1] % 4 or 4) + (rest % 4 or 4)
    return left_heaps


# 梅花易数.


def time(at: str | datetime, *, school: School | None = None, leap: str = "same") -> CastRecord:
    """年月日时起卦: lunar year branch, month and day give the upper trigram, with the hour the lower and the line.

    `leap="next"` counts days from the 16th of a leap month as the next month.

    >>> time("2026-04-03T20:30:00+08:00").inputs
    {'yearBranch': '午', 'lunarMonth': 2, 'lunarDay': 16, 'hourBranch': '戌'}
    """
    numbers_of_time, hour, _ = lunar_of(at, school_of(school), leap)
    inputs = {
        "yearBranch": numbers_of_time[0].value,
        "lunarMonth": numbers_of_time[1],
        "lunarDay": numbers_of_time[2],
        "hourBranch": hour.value,
    }
    stated = at if isinstance(at, str) else at.isoformat()
    # An offset with seconds, as of local mean time, has no form in RFC 3339.
    return _by_time(inputs, stated if _may_be_at(stated, inputs) else None)


def lunar_of(at: str | datetime, school: School, leap: str) -> tuple[tuple[Branch, int, int], Branch, bool]:
    """(lunar year branch, month, day), hour branch, whether the month is a leap month, of the effective date."""
    known("leap", leap, LEAPS)
    moment = moment_of(at, school)
    day: date = effective_date(moment, school)
    found = lunar.lunar_date(day, future_utc=school.future_utc)
    month = found.month % 12 + 1 if leap == "next" and found.leap and found.day > 15 else found.month
    hour = BRANCHES[hour_index(moment.local_ms, 0) % 12]
    return (BRANCHES[(found.year - 4) % 12], month, found.day), hour, found.leap


def _by_time(inputs: dict[str, Any], cast_at: str | None) -> CastRecord:
    year, hour = (branch_of(inputs[name], name).index + 1 for name in ("yearBranch", "hourBranch"))
    upper = year + inputs["lunarMonth"] + inputs["lunarDay"]
    return CastRecord("time", _lines_of(upper, upper + hour, upper + hour), inputs=inputs, cast_at=cast_at)


def numbers(a: int, b: int, c: int | None = None, hour: str | None = None) -> CastRecord:
    """数字起卦: the first number gives the upper trigram, the second the lower; the third, or their sum with the hour,
    the moving line.

    >>> numbers(1, 5, hour="酉").lines[3]
    '老阳'
    """
    inputs: dict[str, Any] = {"upper": a, "lower": b}
    inputs |= {} if c is None else {"moving": c}
    inputs |= {} if hour is None else {"hourBranch": hour}
    return _by_numbers(inputs)


def _by_numbers(inputs: dict[str, Any]) -> CastRecord:
    upper: Any = inputs.get("upper")
    lower: Any = inputs.get("lower")
    moving: Any = inputs.get("moving")
    for name, value in (("upper", upper), ("lower", lower), ("moving", 1 if moving is None else moving)):
        if type(value) is not int or not 1 <= value <= 10**9:
            raise InvalidInput(
                Said("number_from_1", name=name, value=shown(value)[:20]), field=name, value=shown(value)[:20]
            )
    hour = branch_of(inputs["hourBranch"], "hour").index + 1 if "hourBranch" in inputs else 0
    line = upper + lower + hour if moving is None else moving
    return CastRecord("numbers", _lines_of(upper, lower, line), inputs=inputs)


def _lines_of(upper: int, lower: int, moving: int) -> tuple[int, ...]:
    """The lines of trigrams by number and one moving line; multiples of eight and six are eight and six."""
    by_number = {trigram.number: trigram.bits for trigram in trigrams().values()}
    code = by_number[upper % 8 or 8] << 3 | by_number[lower % 8 or 8]
    at = (moving % 6 or 6) - 1
    return tuple(
        (9 if code >> k & 1 else 6) if k == at else (7 if code >> k & 1 else 8) for k in range(LINES)
    )


# Commit and reveal.


class Commitment(NamedTuple):
    """A secret server seed and its published hash."""

    server_seed: bytes

    def __repr__(self) -> str:
        return f"<Commitment {self.seed_commit}>"

    @property
    def seed_commit(self) -> str:
        """`sha256:` and the hash of the seed; publish it before the client's seed is known."""
        return "sha256:" + sha256(self.server_seed).hexdigest()

    def reveal(self, client_seed: str, method: str = "coins") -> CastRecord:
        """The cast from both seeds, with the server's seed revealed.

        >>> Commitment(bytes(range(32))).reveal("run_20260403_xxx").values
        (7, 7, 6, 8, 6, 7)
        """
        known("method", method, AUTO)
        client = _seed_bytes(client_seed)
        drawn = [_digest(self.server_seed, client, n) for n in range(1, LINES + 1)]
        if method == "coins":
            record = from_faces([[each[0] >> k & 1 for k in range(CHANGES)] for each in drawn])
        else:
            record = _yarrow([_of_digest(each) for each in drawn])
        return record._replace(
            method="auto", inputs={"method": method}, seed_commit=self.seed_commit, server_seed=self.server_seed.hex(),
            client_seed=client_seed,
        )  # fmt: skip


def commit(server_seed: bytes | None = None) -> Commitment:
    """A new commitment to 32 random bytes; `server_seed` only to repeat a known one."""
    from secrets import token_bytes

    seed = token_bytes(32) if server_seed is None else server_seed
    if not isinstance(seed, bytes) or len(seed) != 32:
        raise invalid(Said("cast.seed"))
    return Commitment(seed)


def _seed_bytes(client_seed: Any) -> bytes:
    encoded = b""
    if isinstance(client_seed, str):
        with suppress(UnicodeEncodeError):
            encoded = client_seed.encode("utf-8")
    if not 0 < len(encoded) <= LONGEST_SEED:
        raise InvalidInput(Said("seed_text", longest=LONGEST_SEED), field="client_seed")
    return encoded


def _digest(server: bytes, client: bytes, line: int) -> bytes:
    from hmac import digest

    return digest(server, TAG + b"\0" + client + b"\0" + bytes([line]), "sha256")


def _of_digest(drawn: bytes) -> list[int]:
    return _heaps(lambda change: drawn[0] >> 2 * change & 3, lambda change: drawn[1 + change])


# Verifying.


def verify(record: CastRecord | dict[str, Any]) -> CastRecord:
    """Recompute a record from its own evidence; raise `INVALID_CAST` if any member differs."""
    return verified(stated(record) if isinstance(record, CastRecord) else record)


def verified(given: Any) -> CastRecord:
    """The record of a JSON form, recomputed and compared."""
    if not isinstance(given, dict):
        raise invalid(Said("cast.object"))
    unknown = [name for name in given if name not in KEYS]
    if unknown:
        raise invalid(Said("cast.member", name=shown(unknown[0])[:40]))
    if given.get("algorithmVersion") != ALGORITHM_VERSION or type(given.get("algorithmVersion")) is not int:
        raise invalid(Said("cast.version", version=shown(given.get("algorithmVersion"))[:20]))
    method = given.get("method")
    if not isinstance(method, str) or method not in _MAKERS:
        raise invalid(Said("cast.method", name=shown(method)[:20]))
    try:
        recomputed = _MAKERS[method](given)
    except InvalidCast:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise invalid(error.message if isinstance(error, BaziError) else shown(error)[:120]) from None
    again = recomputed.to_dict()
    for name in KEYS:
        if (name in again) != (name in given) or again.get(name) != given.get(name):
            raise invalid(Said("cast.differs", name=name))
    # 7.0 and true equal 7 and 1, but a record has whole numbers.
    if canonical_json(again) != canonical_json(given):
        raise invalid(Said("cast.numbers"))
    return recomputed


def _again_auto(given: dict[str, Any]) -> CastRecord:
    seed = bytes.fromhex(given["serverSeed"])
    if given["serverSeed"] != seed.hex():
        raise invalid(Said("cast.hex"))
    inputs = given["inputs"]
    if not isinstance(inputs, dict) or [*inputs] != ["method"]:
        raise invalid(Said("cast.inputs"))
    return commit(seed).reveal(given["clientSeed"], inputs["method"])


def _again_time(given: dict[str, Any]) -> CastRecord:
    inputs = dict(given["inputs"])
    if set(inputs) != {"yearBranch", "lunarMonth", "lunarDay", "hourBranch"}:
        raise invalid(Said("cast.time_inputs"))
    month, day = inputs["lunarMonth"], inputs["lunarDay"]
    if type(month) is not int or type(day) is not int or not 1 <= month <= 12 or not 1 <= day <= 30:
        raise invalid(Said("cast.lunar"))
    at = given.get("castAt")
    if at is not None and not _may_be_at(at, inputs):
        raise invalid(Said("cast.at"))
    return _by_time(inputs, at)


def _may_be_at(at: Any, inputs: dict[str, Any]) -> bool:
    """Whether some School gives these numbers for a time; a record does not name its School."""
    wanted = tuple(inputs[name] for name in ("yearBranch", "lunarMonth", "lunarDay", "hourBranch"))
    for boundary, leap, future in product(("23:00", "00:00"), LEAPS, ("utc_frozen", "ut1_model")):
        try:
            (year, month, day), hour, _ = lunar_of(at, School(day_boundary=boundary, future_utc=future), leap)
        except BaziError:
            return False
        if (year.value, month, day, hour.value) == wanted:
            return True
    return False


def _again_numbers(given: dict[str, Any]) -> CastRecord:
    inputs = dict(given["inputs"])
    if not {"upper", "lower"} <= set(inputs) <= {"upper", "lower", "moving", "hourBranch"}:
        raise invalid(Said("cast.number_inputs"))
    return _by_numbers(inputs)


_MAKERS: dict[str, Callable[[dict[str, Any]], CastRecord]] = {
    "lines": lambda given: lines(given["lines"]),
    "coins": lambda given: from_faces(given["faces"], given["yangFace"]),
    "yarrow": lambda given: _yarrow(given["heaps"]),
    "time": _again_time,
    "numbers": _again_numbers,
    "auto": _again_auto,
}
