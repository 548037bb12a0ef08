"""When luck begins and which of its pillars carry the useful god or its opposite; the stars as colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.readings.narrator.catalogue import At, Nth, Phrase, Term, sign
from bazi_core.readings.narrator.nouns import ROLE_IDS, ROLE_KEYS, roles

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.luck.decades import Luck, LuckCycle
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.narrator.story import Story
    from bazi_core.views.stars import StarHit

_CYCLES = 3
_STARS = {"吉": 3, "平": 2, "凶": 2}
_WEIGHTS = {"吉": 2.5, "平": 3, "凶": 3}


def luck(story: Story, result: PatternResult) -> None:
    """The direction and start of luck, and its easier and harder pillars."""
    found = result.chart.luck
    if found is None:
        return
    start(story, found)
    if result.regular is not None:
        _cycles(story, result, found, "luck.useful", "use", 1)
        _cycles(story, result, found, "luck.careful", "shun", 2.5)


def start(story: Story, found: Luck) -> None:
    """When luck begins, as exactly as the birth allows."""
    direction = Term("顺行" if found.direction == "forward" else "逆行", "direction")
    if found.start is None or found.start_age is None:
        key = "luck.hourless" if found.start_range else "luck.dateless"
        story.add(key, "dy.direction", kind="fact", direction=direction)
        return
    years, months = found.start_age.years, found.start_age.months
    parts = ("years",) * (years > 0) + ("months",) * (months > 0)
    story.add(
        ".".join(("luck.start", *parts)), "dy.direction", "dy.start", kind="fact", direction=direction,
        years=count("years", years), months=count("months", months), start=found.start.year,
    )  # fmt: skip


def count(name: str, number: int) -> Phrase:
    """A number with what it counts: years, months or points."""
    return Phrase(f"count.{name}.one" if number == 1 else f"count.{name}", {"n": number})


def _cycles(story: Story, result: PatternResult, found: Luck, key: str, role: str, weight: float) -> None:
    """The luck pillars that carry an element more than its opposite, those first that hold it in stem and branch."""
    place = ROLE_KEYS.index(role)
    order = result.useful.order
    wanted, other = order[place], order[ROLE_KEYS.index("shun" if role == "use" else "use")]
    carried = [(_carries(cycle, wanted) - _carries(cycle, other), cycle) for cycle in found.cycles]
    best = sorted((each for each in carried if each[0] > 0), key=lambda each: (-each[0], each[1].index))[
        :_CYCLES
    ]
    cycles = sorted((cycle for _, cycle in best), key=lambda cycle: cycle.index)
    if cycles:
        ids = [f"dy.{cycle.index + 1}" for cycle in cycles]
        told = [_cycle(each) for each in cycles]
        story.add(key, *ids, ROLE_IDS[place], weight=weight, hedge=True, cycles=told, **roles(result, role))


def _carries(cycle: LuckCycle, wanted: Element) -> int:
    return (cycle.pillar.stem.element is wanted) + (cycle.pillar.branch.element is wanted)


def _cycle(cycle: LuckCycle) -> Phrase:
    number = cycle.index + 1
    values = {"n": number, "nth": Nth(number), "pillar": sign(cycle.pillar)}
    if cycle.start_year is None:
        return Phrase("cycle.plain", values)
    return Phrase("cycle.dated", {**values, "first": cycle.start_year, "last": cycle.end_year})


def stars(story: Story, result: PatternResult) -> None:
    """Well attested stars by their nature: they colour a sentence and weigh nothing."""
    for nature, most in _STARS.items():
        hits = [hit for hit in result.chart.stars if hit.nature == nature and not hit.second_source_needed]
        hits = sorted(hits, key=lambda hit: -hit.agreement)[:most]
        if hits:
            ids = [f"star.{hit.name}.{where}" for hit in hits for where in hit.positions[:1]]
            told = [_star(hit) for hit in hits]
            story.add(f"stars.{nature}", *ids, weight=_WEIGHTS[nature], kind="fact", stars=told)


def _star(hit: StarHit) -> Phrase:
    return Phrase("star.at", {"star": Term(hit.name, "star"), "where": At(f"{hit.positions[0]}.pillar")})
