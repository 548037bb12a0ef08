"""Work, means, close relationships and balance, as far as the pillars speak of them: tendencies, never outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.pattern.classes import OFFICER, OUTPUT, RESOURCE, WEALTH, element_of
from bazi_core.pattern.relatives import ABSENT, SHOWN
from bazi_core.pattern.useful import ROLES
from bazi_core.readings.narrator.catalogue import At, Phrase, Term, sign
from bazi_core.readings.narrator.nouns import ROLE_IDS, element
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.readings.narrator.story import Story
    from bazi_core.views.elements import Elements

# Shares in percent below which an element is light and from which it is heavy.
_LIGHT, _HEAVY = 12, 30
_STATES = {SHOWN: "shown", "藏": "hidden", ABSENT: "absent"}
_STEMS_OF_CLIMATE = 2


def work(story: Story, result: PatternResult) -> None:
    """How the pattern tends to work, and what the officer and the learning of the chart add."""
    name = result.special.special_class if result.special else result.name
    story.add(f"work.{name}", "pat.main", hedge=True, pattern=Term(result.name, "pattern"))
    for key, k in (("post", OFFICER), ("craft", OUTPUT), ("learning", RESOURCE)):
        ids, values = _share(result, k)
        story.add(f"{key}.{_weight(values['share'])}", *ids, weight=3, hedge=True, **values)


def means(story: Story, result: PatternResult) -> None:
    """Wealth by its share and by who has to carry it, and its role in the chart."""
    assert result.strength is not None
    ids, values = _share(result, WEALTH)
    if result.special is not None:
        story.add("wealth.follow" if values["share"] else "wealth.follow.none", *ids, hedge=True, **values)
    else:
        side = "strong" if result.strength.is_strong else "weak"
        key = f"wealth.{side}.{_weight(values['share'])}"
        story.add(
            key, *ids, "str.verdict", hedge=True, verdict=Term(result.strength.verdict, "strength"), **values
        )
    own = element_of(result.pillars.day.stem, WEALTH)
    place = result.useful.order.index(own)
    story.add(
        f"wealth.role.{ROLES[place]}", ROLE_IDS[place], weight=2.5, hedge=True, element=element(own),
        role=Term(ROLES[place], "role"),
    )  # fmt: skip


def partner(story: Story, result: PatternResult) -> None:
    """The day branch, and the star that tradition takes for the partner."""
    branch = result.pillars.day.branch
    stem = hidden_stems(branch)[0].stem
    god = story.value(f"tg.day.{stem}")
    story.add(
        "partner", f"hs.day.{stem}", f"tg.day.{stem}", hedge=True, place=At("day.branch", sign(branch)), stem=sign(stem),
        god=Term(god, "ten_god"), sense=Phrase(f"partner.{god}", {}),
    )  # fmt: skip
    for found in result.relatives:
        if found.relative == "spouse":
            part = "stem" if found.state == SHOWN else "branch"
            places = [At(f"{where}.{part}") for where in found.positions]
            story.add(
                f"spouse.{_STATES[found.state]}", "kin.spouse", weight=2.5, hedge=True, star=Term(found.star, "ten_god"),
                places=places,
            )  # fmt: skip


def balance(story: Story, result: PatternResult) -> None:
    """What the chart has most and least of, warm and cold, and what evens it out."""
    distribution(story, result.elements, "elements")
    if result.climate is not None:
        stems = [sign(stem, plain=True) for stem in result.climate.required[:_STEMS_OF_CLIMATE]]
        story.add(f"climate.{result.climate.satisfied}", "clim.table", "clim.state", stems=stems)
    most = result.elements.dominant
    story.add(f"care.{most}", weight=2.5, kind="advice", most=element(most))


def distribution(story: Story, found: Elements, key: str) -> None:
    """The largest element with its share, and what is missing on the surface."""
    most = found.dominant
    ids = [f"wx.dominant.{most}", f"wx.seasonal.{most}", *(f"wx.missing.{each}" for each in found.missing)]
    story.add(
        f"{key}.missing" if found.missing else key, *ids, kind="fact", most=element(most),
        share=found.seasonal[most.index], missing=[element(each) for each in found.missing],
    )  # fmt: skip


def _share(result: PatternResult, k: int) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The element of a class with its share, and the facts that tell it."""
    day = result.pillars.day.stem
    own = element_of(day, k)
    share = result.elements.seasonal[own.index]
    return ("p.day.stem", f"wx.seasonal.{own}"), {"day": sign(day), "element": element(own), "share": share}


def _weight(share: int) -> str:
    return "none" if not share else "light" if share < _LIGHT else "heavy" if share >= _HEAVY else "fair"
