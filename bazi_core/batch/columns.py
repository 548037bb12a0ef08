"""The columns of a table of charts: content, type, and the meaning of codes and bits.

Every column holds signed integers, negative where there is no value: no chart, no gender, no further hidden stem. A code
is an index in an alphabet (stems, ten gods …); in a set of bits, bit k stands for entry k of the alphabet.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import PILLARS, STAGES, STEMS, TEN_GODS
from bazi_core.errors import UnknownOption, shown
from bazi_core.pillars import POSITIONS
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said
from bazi_core.views.relations import BRANCH_TYPES, PILLAR_PAIR_TYPES, PILLAR_TYPES, STEM_TYPES
from bazi_core.views.relations import TRIPLES as TRIPLE_TYPES
from bazi_core.views.strength import EITHER, LEVELS, STRONG, WEAK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.school import School

PAIRS = tuple((i, j) for j in range(4) for i in range(j))
TRIPLES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
HIDDEN = 3
STARS_IN_A_COLUMN = 60
GROUPS = (
    "pillars",
    "time",
    "ten_gods",
    "hidden_stems",
    "nayin",
    "stages",
    "voids",
    "luck",
    "relations",
    "stars",
    "strength",
    "pattern",
)
CERTAINTIES = ("settled", "leaning", "open")


class ColumnType(NamedTuple):
    """A column: its numpy type, the words of its codes or bits (none: a plain number), and whether it is a set of bits."""

    name: str
    dtype: str
    words: tuple[str, ...] = ()
    is_bits: bool = False

    @property
    def is_time(self) -> bool:
        return self.dtype.startswith("datetime64")


@cache
def status_codes() -> tuple[str, ...]:
    """The codes of `status`, by number.

    >>> status_codes()[0], status_codes()[7]
    ('OK', 'NONEXISTENT_LOCAL_TIME')
    """
    return tuple(row["code"] for row in rows("row_codes"))


@cache
def status_numbers() -> dict[str, int]:
    return {code: number for number, code in enumerate(status_codes())}


@cache
def pattern_names() -> tuple[str, ...]:
    """The names of patterns, in the order of their codes."""
    return tuple(row["zh-Hans"] for row in rows("terms") if row["kind"] == "pattern")


def groups_of(chosen: str | Iterable[str]) -> tuple[str, ...]:
    """The requested groups of columns in their order, always with the pillars.

    >>> groups_of("luck"), len(groups_of("all")) == len(GROUPS)
    (('pillars', 'luck'), True)
    """
    names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    if names == ("all",):
        return GROUPS
    for name in names:
        if name not in GROUPS:
            raise UnknownOption(
                Said(
                    "option_value",
                    name="columns",
                    value=shown(name),
                    allowed=Listed((*GROUPS, "all"), " or "),
                ),
                name="columns",
                value=shown(name),
                allowed=[*GROUPS, "all"],
            )
    return tuple(name for name in GROUPS if name in names or name == "pillars")


@lru_cache(maxsize=256)
def columns_of(group: str, school: School) -> tuple[ColumnType, ...]:
    """The columns of a group."""
    return tuple(_MAKERS[group](school))


def _pillars(school: School) -> Iterable[ColumnType]:
    return (ColumnType(name, "int8", _words(PILLARS)) for name in POSITIONS)


def _time(school: School) -> Iterable[ColumnType]:
    """The instant, the reading of the clock that decided, and the offset of the civil clock in seconds."""
    yield ColumnType("utc", "datetime64[ms]")
    yield ColumnType("local", "datetime64[ms]")
    yield ColumnType("utc_offset_s", "int32")


def _ten_gods(school: School) -> Iterable[ColumnType]:
    return (ColumnType(f"ten_god_{name}", "int8", _words(TEN_GODS)) for name in POSITIONS if name != "day")


def _hidden_stems(school: School) -> Iterable[ColumnType]:
    """The stems in a branch, strongest first, and their ten gods."""
    for name in POSITIONS:
        for rank in range(1, HIDDEN + 1):
            yield ColumnType(f"hidden_{name}_{rank}", "int8", _words(STEMS))
            yield ColumnType(f"hidden_god_{name}_{rank}", "int8", _words(TEN_GODS))


def _nayin(school: School) -> Iterable[ColumnType]:
    words = tuple(row["nayin"] for row in rows("nayin"))
    return (ColumnType(f"nayin_{name}", "int8", words) for name in POSITIONS)


def _stages(school: School) -> Iterable[ColumnType]:
    """星运, the day stem on each branch, and 自坐, each stem on its own."""
    for name in POSITIONS:
        yield ColumnType(f"stage_{name}", "int8", _words(STAGES))
        yield ColumnType(f"stage_self_{name}", "int8", _words(STAGES))


def _voids(school: School) -> Iterable[ColumnType]:
    return (ColumnType("void", "int8", POSITIONS, is_bits=True),)


def _luck(school: School) -> Iterable[ColumnType]:
    """Direction, age and instant of the first 大运."""
    yield ColumnType("luck_forward", "int8", ("backward", "forward"))
    for part in ("years", "months", "days", "hours", "minutes"):
        yield ColumnType(f"luck_{part}", "int8")
    yield ColumnType("luck_start_at", "datetime64[s]")


def _relations(school: School) -> Iterable[ColumnType]:
    pairs = (*STEM_TYPES, *BRANCH_TYPES, *PILLAR_PAIR_TYPES)
    for i, j in PAIRS:
        yield ColumnType(f"rel_{POSITIONS[i]}_{POSITIONS[j]}", "int16", pairs, is_bits=True)
    for three in TRIPLES:
        yield ColumnType("rel_" + "_".join(POSITIONS[i] for i in three), "int32", _triples(), is_bits=True)
    for name in POSITIONS:
        yield ColumnType(f"rel_{name}", "int8", PILLAR_TYPES, is_bits=True)


def _triples() -> tuple[str, ...]:
    """三合 and 三会 with their element, 三刑 with its branches, in the order of `relations.groups`."""
    known = (row for row in rows("relations") if row["type"] in TRIPLE_TYPES)
    return tuple(row["type"] + (row["element"] or row["members"]) for row in known)


def _stars(school: School) -> Iterable[ColumnType]:
    from bazi_core.views.stars import chosen

    names = tuple(star.name for star in chosen(school))
    for part, first in enumerate(range(0, len(names), STARS_IN_A_COLUMN)):
        for position in POSITIONS:
            words = names[first : first + STARS_IN_A_COLUMN]
            yield ColumnType(
                f"stars_{position}" + (f"_{part + 1}" if part else ""), "int64", words, is_bits=True
            )


def _strength(school: School) -> Iterable[ColumnType]:
    """The verdict, its level, its certainty, and the share in 1/10000 that supports the day master."""
    yield ColumnType("strength", "int8", (WEAK, STRONG))
    yield ColumnType("strength_level", "int8", (*(name for _, name in LEVELS), EITHER))
    yield ColumnType("strength_certainty", "int8", CERTAINTIES)
    yield ColumnType("support_share", "int16")


def _pattern(school: School) -> Iterable[ColumnType]:
    yield ColumnType("pattern", "int8", pattern_names())


def _words(alphabet: Sequence[Any]) -> tuple[str, ...]:
    return tuple(member.value for member in alphabet)


_MAKERS = {
    "pillars": _pillars,
    "time": _time,
    "ten_gods": _ten_gods,
    "hidden_stems": _hidden_stems,
    "nayin": _nayin,
    "stages": _stages,
    "voids": _voids,
    "luck": _luck,
    "relations": _relations,
    "stars": _stars,
    "strength": _strength,
    "pattern": _pattern,
}
STATUS = ColumnType("status", "int8", status_codes())
