"""The stars as facts: one for each star and pillar, resting on the readings that give it and on the pillar it marks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.views.stars import StarHit


# By whether the star is one of the year, and whether a single school has it.
_KEYS = {
    (False, False): "star",
    (False, True): "star.single",
    (True, False): "star.year",
    (True, True): "star.year_single",
}


def star_facts(
    hits: Iterable[StarHit], prefix: str = "star", of_year: bool = False, rests_on: tuple[str, ...] = ()
) -> Iterator[Fact]:
    """`star.<name>.<position>`; for a flow year, for instance, `ln.2026.star.<name>.<position>`, worded as of the year.

    `rests_on` are facts on which all of them rest beside their own leaves, such as the pillar of the year.
    """
    for hit in hits:
        key = _KEYS[of_year, hit.second_source_needed]
        for position, leaves in zip(hit.positions, hit.grounds, strict=True):
            yield Fact(
                f"{prefix}.{hit.name}.{position}", "star", hit.name, "stands", position,
                key, (hit.name, position), position, (*rests_on, *leaves), "R-STAR",
                citation(hit.name),
            )  # fmt: skip


def citation(star: str) -> str:
    """The short key of the book to which a star is attributed.

    >>> citation("驿马")
    'SMTH'
    """
    return _citations()[star]


@cache
def _citations() -> dict[str, str]:
    return {row["name"]: row["cite"] for row in rows("stars")}
