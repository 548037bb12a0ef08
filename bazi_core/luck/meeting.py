"""The 神煞 of natal pillars that a pillar of luck or of a year meets, as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.facts import Fact
from bazi_core.views.star_evidence import citation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.views.stars import StarHit

RULE = "R-STAR-MET"


def meeting_id(own: str, star: str) -> str:
    """The id of the fact that a flow pillar meets a star.

    >>> meeting_id("dy.3", "驿马")
    'dy.3.met.驿马'
    """
    return f"{own}.met.{star}"


def meeting_facts(hits: Iterable[StarHit], own: str, place: str, pillar: str) -> Iterator[Fact]:
    """`<own>.met.<star>`: the pillar named by the fact `own`, in a place (`luck` `minor` `liunian`), meets a star.

    >>> import bazi_core as bz
    >>> from bazi_core.views.stars import stars_met
    >>> chart = bz.chart(pillars="庚午 辛巳 庚辰 壬午")
    >>> fact = next(meeting_facts(stars_met(chart.pillars, bz.Pillar("甲申"), None, chart.school), "dy.3", "luck", "甲申"))
    >>> fact.id, fact.text_zh, fact.derives_from
    ('dy.3.met.禄神', '大运甲申遇禄神', ('dy.3', 'p.day.stem'))
    """
    for hit in hits:
        key = "star.met_single" if hit.second_source_needed else "star.met"
        yield Fact(
            meeting_id(own, hit.name), "star", hit.name, "meets", place, key, (place, pillar, hit.name),
            None, (own, *hit.grounds[0]), RULE, citation(hit.name),
        )  # fmt: skip


def meeting_dict(hit: StarHit, own: str) -> dict[str, Any]:
    """A star that is met, JSON-ready, with the rule and the leaf facts on which it rests."""
    return {
        "name": hit.name,
        "nature": hit.nature,
        "anchor": hit.anchor,
        "variant": hit.variant,
        "agreement": hit.agreement,
        "second_source_needed": hit.second_source_needed,
        "rule": RULE,
        "source": citation(hit.name),
        "evidence_id": meeting_id(own, hit.name),
        "derives_from": [own, *hit.grounds[0]],
    }
