"""When luck begins and which of its pillars carry the useful god or its opposite; the stars as colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.speech.catalogue import At, Phrase, Term
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.luck.decades import Luck
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft
    from bazi_core.views.stars import StarHit

_STARS = {"吉": 3, "平": 2, "凶": 2}
_WEIGHTS = {"吉": 2.5, "平": 3, "凶": 3}
_ORDER = ("one", "two", "three")


def start(draft: Draft, found: Luck) -> None:
    """When luck begins, as exactly as the birth allows."""
    direction = Term("顺行" if found.direction == "forward" else "逆行", "direction")
    if found.start is None or found.start_age is None:
        key = "luck.hourless" if found.start_range else "luck.dateless"
        draft.add(key, "dy.direction", kind="fact", direction=direction)
        return
    age = found.start_age
    parts = [
        count(name, number)
        for name, number in (("years", age.years), ("months", age.months), ("days", age.days))
        if number and (age.years or age.months)
    ]
    span: dict[str, Any] = (
        {"span": Phrase(f"span.{len(parts)}", dict(zip(_ORDER, parts, strict=False)))} if parts else {}
    )
    draft.add(
        "luck.start.age" if parts else "luck.start", "dy.direction", "dy.start", kind="fact", direction=direction,
        start=day(found.start), **span,
    )  # fmt: skip


def day(at: datetime) -> FactPhrase:
    """The day of an instant, by the clock that it is told in."""
    return FactPhrase("day.one", ((at.date().isoformat(),),))


def count(name: str, number: int) -> Phrase:
    """A number with what it counts: years, months or points."""
    return Phrase(f"count.{name}.one" if number == 1 else f"count.{name}", {"n": number})


def stars(draft: Draft, result: PatternResult) -> None:
    """Well attested stars by their nature: they colour a sentence and weigh nothing."""
    for nature, most in _STARS.items():
        hits = [hit for hit in result.chart.stars if hit.nature == nature and not hit.second_source_needed]
        hits = sorted(hits, key=lambda hit: -hit.agreement)[:most]
        if hits:
            ids = [f"star.{hit.name}.{where}" for hit in hits for where in hit.positions]
            told = [star_at(hit) for hit in hits]
            draft.add(f"stars.{nature}", *ids, weight=_WEIGHTS[nature], kind="fact", stars=told)


def star_at(hit: StarHit) -> Phrase:
    """A star with the pillars in which it stands."""
    return Phrase(
        "star.at",
        {"star": Term(hit.name, "star"), "where": [At(f"{where}.pillar") for where in hit.positions]},
    )
