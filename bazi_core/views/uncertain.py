"""Warnings of the views: strength near balance, methods that differ, stars of a single tradition, thresholds that were
set for other weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.warnings import BaziWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.school import School
    from bazi_core.views.stars import StarHit
    from bazi_core.views.strength import Strength

MAJORITY = 3


def view_warnings(
    school: School, strength: Strength | None, stars: tuple[StarHit, ...]
) -> Iterator[BaziWarning]:
    """The warnings of the views, in a fixed order."""
    if strength is not None:
        votes = dict(strength.method_votes)
        if strength.balanced:
            yield BaziWarning("BALANCED_STRENGTH", {"verdict": strength.verdict, "votes": votes})
        if strength.agreement < MAJORITY:
            data = {"verdict": strength.verdict, "method": strength.method, "votes": votes}
            yield BaziWarning("METHODS_DISAGREE", {**data, "agreement": strength.agreement})
        if school.hidden_weights != "60_30_10":
            yield BaziWarning("THRESHOLDS_NOT_CALIBRATED", {"hidden_weights": school.hidden_weights})
    single = [star.name for star in stars if star.second_source_needed]
    if single:
        yield BaziWarning("STAR_SECOND_SOURCE", {"stars": single, "names": "、".join(single)})
