"""The pillars of a query: each whole, half known, or unknown.

Impossible combinations are refused: a stem and a branch of different polarity, a month that its year cannot have (五虎遁),
an hour that its day cannot have (五鼠遁). The stems possible for a 子 hour depend on the School.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import PILLARS, Branch, Pillar, Stem
from bazi_core.errors import InvalidPillars, shown
from bazi_core.pillars import POSITIONS, five_rats, five_tigers, impossible_set
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from typing import Any

    from bazi_core.school import School

# Texts for an unknown stem, branch or pillar; the first is the one printed.
UNKNOWN = "?？*＊_＿-－—□○"
_MOST_PARTS = 8


class AskedPillar(NamedTuple):
    """The known stem and branch of one pillar."""

    stem: Stem | None
    branch: Branch | None

    def __str__(self) -> str:
        if self.stem is None and self.branch is None:
            return UNKNOWN[0]
        return "".join(part.value if part else UNKNOWN[0] for part in self)

    @property
    def indices(self) -> tuple[int, ...]:
        """The indices (0–59) of the pillars that match."""
        return _indices(self)

    def fits(self, pillar: Pillar) -> bool:
        return self.stem in (None, pillar.stem) and self.branch in (None, pillar.branch)

    @property
    def whole(self) -> Pillar | None:
        return _whole(self)

    @property
    def free(self) -> bool:
        return self.stem is None and self.branch is None


@cache
def _indices(part: AskedPillar) -> tuple[int, ...]:
    return tuple(pillar.index for pillar in PILLARS if part.fits(pillar))


@cache
def _whole(part: AskedPillar) -> Pillar | None:
    return Pillar.of(part.stem, part.branch) if part.stem and part.branch else None


class AskedPillars(NamedTuple):
    """The known parts of four pillars.

    >>> asked = AskedPillars.parse("庚午 ? 庚? ?午")
    >>> str(asked), asked.day.indices
    ('庚午 ? 庚? ?午', (6, 16, 26, 36, 46, 56))
    >>> AskedPillars.parse({"day": "庚辰"}) == AskedPillars.parse([None, None, "庚辰", None])
    True
    """

    year: AskedPillar
    month: AskedPillar
    day: AskedPillar
    hour: AskedPillar

    def __str__(self) -> str:
        return " ".join(str(part) for part in self)

    def items(self) -> Iterator[tuple[str, AskedPillar]]:
        return zip(POSITIONS, self, strict=True)

    def to_dict(self) -> dict[str, str]:
        return {name: str(part) for name, part in self.items()}

    @classmethod
    def parse(cls, given: Any) -> AskedPillars:
        """The pillars of a text, of a sequence of three or four, or of a map from year, month, day and hour.

        In a text `?` stands for what is not known: a pillar `?`, a stem `?午`, a branch `庚?`.
        Three are year, month and day.
        """
        made = cls(*map(_asked_pillar, _parts(given)))
        if not any(map(any, made)):
            raise _invalid(Said("find_nothing"), shown(given), "nothing")
        return made


def check_possible(asked: AskedPillars, school: School) -> None:
    """Raise an error for pillars that no moment can have under a School."""
    month, hour = asked.month.whole, asked.hour.whole
    year_stem, day_stem = asked.year.stem, asked.day.stem
    if month and year_stem:
        possible = _months(year_stem, month.branch, school)
        if month not in possible:
            raise _impossible("month", year_stem, month, possible, asked)
    if hour and day_stem:
        possible = _hours(day_stem, hour.branch, school)
        if hour not in possible:
            raise _impossible("hour", day_stem, hour, possible, asked)


def _months(year: Stem, month: Branch, school: School) -> list[Pillar]:
    """The months possible in a year (五虎遁). Where the year begins at the lunar new year, the last month before 立春 may
    stand in the new year, the first after it in the old."""
    pillars = [five_tigers(year, month)]
    if school.year_boundary == "lunar_new_year" and month.value in "丑寅":
        pillars.append(five_tigers(_next(year, -1 if month.value == "丑" else 1), month))
    return pillars


def _hours(day: Stem, hour: Branch, school: School) -> list[Pillar]:
    """The hours possible in a day (五鼠遁); where the day turns at 00:00, the hour before may have the next day's stem."""
    pillars = [five_rats(day, hour)]
    if hour.index == 0 and (school.day_boundary, school.late_zi_hour_stem) == ("00:00", "next_day"):
        pillars.append(five_rats(_next(day, 1), hour))
    return pillars


def _next(stem: Stem, step: int) -> Stem:
    return PILLARS[(stem.index + step) % 10].stem


def _impossible(
    position: str, stem: Stem, given: Pillar, possible: list[Pillar], asked: AskedPillars
) -> InvalidPillars:
    right = Listed((pillar.value for pillar in possible), " or ")
    said = Said(f"pillars_{position}", stem=stem, branch=given.branch, right=right, given=given)
    of_next_day = position == "hour" and given == five_rats(_next(stem, 1), given.branch)
    late = given.branch.index == 0 and of_next_day
    return impossible_set(said, str(asked), Said("find_late_zi_hint" if late else "find_impossible_hint"))


def _parts(given: Any) -> Sequence[Any]:
    if isinstance(given, str):
        parts: list[Any] = given.split()
        if len(parts) == 1 and len(parts[0]) in (6, 8):
            parts = [parts[0][i : i + 2] for i in range(0, len(parts[0]), 2)]
    elif isinstance(given, Mapping):
        unknown = [name for name in given if name not in POSITIONS]
        if unknown:
            raise _invalid(Said("find_position", name=shown(unknown[0])), shown(given), "position")
        parts = [given.get(name) for name in POSITIONS]
    elif isinstance(given, Sequence) and not isinstance(given, bytes):
        parts = list(given[:_MOST_PARTS])
    else:
        raise _invalid(Said("pillars_text", given=shown(given)), shown(given), "form")
    if len(parts) == 3:
        parts.append(None)
    if len(parts) != 4:
        raise _invalid(Said("pillars_count", count=len(parts)), shown(given), "count")
    return parts


def _asked_pillar(part: Any) -> AskedPillar:
    if part is None:
        return _NOTHING
    if isinstance(part, str):
        return _written(part if len(part) <= 2 else shown(part, 20))
    if isinstance(part, (AskedPillar, Pillar)):
        return AskedPillar(part.stem, part.branch)
    if isinstance(part, Stem):
        return AskedPillar(part, None)
    if isinstance(part, Branch):
        return AskedPillar(None, part)
    raise _invalid(Said("pillars_text", given=shown(part)), shown(part), "form")


@lru_cache(maxsize=1024)
def _written(text: str) -> AskedPillar:
    if len(text) == 1:
        text = f"{UNKNOWN[0]}{text}" if text in Branch.__members__ else f"{text}{UNKNOWN[0]}"
    stem, branch = text[:1], text[1:]
    if stem in UNKNOWN and (branch in UNKNOWN or branch in Branch.__members__):
        return AskedPillar(None, Branch.__members__.get(branch))
    if branch in UNKNOWN and stem in Stem.__members__:
        return AskedPillar(Stem(stem), None)
    whole = Pillar(text)
    return AskedPillar(whole.stem, whole.branch)


_NOTHING = AskedPillar(None, None)


def _invalid(message: Said, given: str, rule: str) -> InvalidPillars:
    return InvalidPillars(message, hint=Said("find_hint"), given=given, reason=message, rule=rule)
