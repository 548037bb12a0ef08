"""Work, means, close relationships and balance, as far as the pillars speak of them: tendencies, never outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.relatives import ABSENT, SHOWN
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, ROLES, WANTED
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.nouns import (
    ROLE_IDS,
    element,
    lacks,
    pillars_read,
    share_ids,
    share_of,
    weight,
)
from bazi_core.speech.statements.ties import grounds
from bazi_core.structures.classes import OFFICER, OUTPUT, RESOURCE, WEALTH, element_of
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.resolution import HOLDS

if TYPE_CHECKING:
    from bazi_core.pattern.relatives import Relative
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pillars import FourPillars
    from bazi_core.speech.plan import Draft
    from bazi_core.views.elements import Elements
    from bazi_core.views.resolution import Relation

# The class of ten gods that makes a pattern; 禄 and 刃 speak of the day master's own strength, wanted or not.
_STAR_OF = {
    "正官格": OFFICER, "七杀格": OFFICER, "财格": WEALTH, "印格": RESOURCE, "食神格": OUTPUT, "伤官格": OUTPUT,
}  # fmt: skip
_OTHER = {"正财": "偏财", "正官": "七杀"}
_STATES = {SHOWN: "shown", "藏": "hidden", ABSENT: "absent"}


def work(draft: Draft, result: PatternResult, past_trades: bool = False) -> None:
    """How the pattern tends to work, and what the officer and the learning of the chart add; nobody `past_trades` is told
    to choose one."""
    name = result.special.special_class if result.special else result.name
    made_by = _STAR_OF.get(name)
    own = element_of(result.pillars.day.stem, made_by) if made_by is not None else None
    role = result.useful.role(own) if own is not None else ""
    use = result.useful.order[0]
    if past_trades:
        draft.add(
            "work.turning", "yong.primary", certainty=LEANING, use=element(use), use_word=Term("用神", "role")
        )
    elif own is not None and role in ADVERSE:
        # A pattern is not praised for a star that the chart does not want.
        draft.add(
            "work.unwanted", "pat.main", "p.day.stem", ROLE_FACTS[role], "yong.primary", certainty=LEANING,
            pattern=Term(result.name, "pattern"), element=element(own), role=Term(role, "role"), use=element(use),
            use_word=Term("用神", "role"), trade=Phrase(f"trade.{use}", {}),
        )  # fmt: skip
    else:
        draft.add(f"work.{name}", "pat.main", certainty=LEANING, pattern=Term(result.name, "pattern"))
    for key, k in (("post", OFFICER), ("craft", OUTPUT), ("learning", RESOURCE)):
        ids, values, told = _share(result, k)
        role = result.useful.role(element_of(result.pillars.day.stem, k))
        if role in ADVERSE and told in ("fair", "heavy"):
            told, ids = "unwanted", (*ids, ROLE_FACTS[role])
        draft.add(f"{key}.{told}", *ids, weight=3, certainty=LEANING, role=Term(role, "role"), **values)


def means(draft: Draft, result: PatternResult) -> None:
    """Wealth by its share and by who has to carry it, and its role in the chart."""
    assert result.strength is not None
    ids, values, told = _share(result, WEALTH)
    own = element_of(result.pillars.day.stem, WEALTH)
    role = result.useful.role(own)
    if role in ADVERSE and told in ("fair", "heavy", "light" if result.special else ""):
        draft.add(
            "wealth.unwanted", *ids, ROLE_FACTS[role], certainty=LEANING, role=Term(role, "role"), **values
        )
        return
    if result.special is not None:
        key = (
            ("wealth.follow" if role in WANTED else "wealth.follow.idle")
            if told != "none"
            else "wealth.follow.none"
        )
        draft.add(key, *ids, ROLE_FACTS[role], certainty=LEANING, role=Term(role, "role"), **values)
        return
    side = "strong" if result.strength.is_strong else "weak"
    key = f"wealth.{side}.{told}"
    draft.add(
        key,
        *ids,
        "str.verdict",
        certainty=LEANING,
        verdict=Term(result.strength.verdict, "strength"),
        **values,
    )
    draft.add(
        f"wealth.role.{role}", ROLE_FACTS[role], weight=2.5, certainty=LEANING, element=element(own),
        role=Term(role, "role"),
    )  # fmt: skip


def partner(draft: Draft, result: PatternResult) -> None:
    """The day branch, and the star that tradition takes for the partner."""
    branch = result.pillars.day.branch
    stem = hidden_stems(branch)[0].stem
    god = draft.value(f"tg.day.{stem}")
    ids: tuple[str, ...] = (f"hs.day.{stem}", f"tg.day.{stem}")
    values: dict[str, Any] = {
        "place": At("day.branch", sign(branch)), "stem": sign(stem), "god": Term(god, "ten_god"),
        "sense": Phrase(f"partner.{god}", {}),
    }  # fmt: skip
    # What an answer has told of this palace is not undone here.
    told = next((key for tie, key in _OF_TIE.items() if _has_told(draft, tie)), None)
    if told is not None:
        values["sense"] = Phrase(f"partner.{told}", {"sense": values["sense"]})
    elif (clash := _clash_of_palace(result)) is not None:
        values["sense"] = Phrase("partner.clashed", {"sense": values["sense"]})
        ids = (*ids, *grounds(clash))
    star = next((relative for relative in result.relatives if relative.relative == "spouse"), None)
    if star is None:
        draft.add("partner", *ids, certainty=LEANING, **values)
        return
    spouse, more = _spouse(draft, result, star)
    draft.add("partner.star", *ids, "kin.spouse", *more, certainty=LEANING, spouse=spouse, **values)


def _clash_of_palace(result: PatternResult) -> Relation | None:
    """The 六冲 that shakes the day branch, the palace of the partner, and holds."""
    held = (each for each in result.chart.relations if each.type == "六冲" and each.status == HOLDS)
    return next((each for each in held if any(where == "day" for where, _ in each.members)), None)


_OF_TIE = {"chafe": "chafed", "break": "stirred"}


def _has_told(draft: Draft, kind: str) -> bool:
    """Whether a tie of the day branch was told that grates on the palace or stirs it."""
    found = draft.cited(f"answer.bearing.palace.{kind}")
    return any("day" in name.rpartition(".")[2].split("-") for name in found if name.startswith("rel."))


def _spouse(draft: Draft, result: PatternResult, star: Relative) -> tuple[Phrase, tuple[str, ...]]:
    """Where the star of the partner stands; where it is nowhere, the other ten god of its class (偏财, 七杀)."""
    named = Term(star.star, "ten_god")
    part = "stem" if star.state == SHOWN else "branch"
    if star.state == ABSENT:
        other = _OTHER[star.star]
        shown = [f"tg.{where}.stem" for where, _ in result.pillars.items() if where != "day"]
        inside = [
            f"tg.{w}.{stem.stem}"
            for w, pillar in result.pillars.items()
            for stem in hidden_stems(pillar.branch)
        ]
        for key, part, ids in (("other", "stem", shown), ("other.hidden", "branch", inside)):
            found = tuple(name for name in ids if draft.value(name) == other)
            if found:
                places = [At(f"{name.split('.')[1]}.{part}") for name in found]
                values = {
                    "chart": pillars_read(result.pillars),
                    "star": named,
                    "other": Term(other, "ten_god"),
                    "places": places,
                }
                return Phrase(f"spouse.absent.{key}", values), found
    places = [At(f"{where}.{part}") for where in star.positions]
    values = {"star": named, "places": places, "chart": pillars_read(result.pillars)}
    return Phrase(f"spouse.{_STATES[star.state]}", values), ()


def balance(draft: Draft, result: PatternResult) -> None:
    """What the chart has most and least of, warm and cold, and what evens it out."""
    distribution(draft, result.elements, "elements", result.pillars, result)
    climate(draft, result)
    most = result.elements.dominant
    draft.add(f"care.{most}", f"wx.dominant.{most}", weight=2.5, kind="advice", most=element(most))


def climate(draft: Draft, result: PatternResult) -> None:
    """What the climate asks for first, and whether the chart wants that element at all."""
    if result.climate is None:
        return
    wanted, state = result.climate.required[0], result.climate.satisfied
    first, key, ids = sign(wanted, plain=True), f"climate.{state}", ("clim.table", "clim.state")
    if not result.useful.order or result.useful.role(wanted.element) in ROLES[:2]:
        draft.add(key, *ids, first=first)
        return
    role = result.useful.role(wanted.element)
    draft.add(
        f"{key}.unwanted", *ids, ROLE_IDS[ROLES.index(role)], first=first, element=element(wanted.element),
        role=Term(role, "role"),
    )  # fmt: skip


def distribution(
    draft: Draft, found: Elements, key: str, pillars: FourPillars, result: PatternResult | None = None
) -> None:
    """The largest element with its share, what is missing on the surface, and in a judged chart whether that is wanted."""
    most = found.dominant
    ids = [f"wx.dominant.{most}", f"wx.seasonal.{most}", *(f"wx.missing.{each}" for each in found.missing)]
    values: dict[str, Any] = {
        "missing": [element(each) for each in found.missing],
        "lacks": lacks(pillars, found.missing),
    }
    order = result.useful.order if result is not None else ()
    if not found.missing:
        lowest = min(found.seasonal)
        least = [each for each in ELEMENTS if found.seasonal[each.index] == lowest]
        values["least"] = [element(each) for each in least]
        ids += share_ids(*least)
    if found.missing:
        key = f"{key}.missing"
        if order:
            wanted = [each for each in order[:2] if each in found.missing]
            ids += [ROLE_IDS[order.index(each)] for each in found.missing]
            key = f"{key}.{'wanted' if wanted else 'unwanted'}"
            values["wanted"] = [element(each) for each in wanted]
    draft.add(
        key,
        *ids,
        kind="fact",
        most=element(most),
        share=share_of(found.seasonal[most.index], most, "behind"),
        **values,
    )


def _share(result: PatternResult, k: int) -> tuple[tuple[str, ...], dict[str, Any], str]:
    """The element of a class with its share, the facts that tell it, and whether that is none, light, fair or heavy."""
    day = result.pillars.day.stem
    own = element_of(day, k)
    percent = result.elements.seasonal[own.index]
    values = {"day": sign(day), "element": element(own), "share": share_of(percent, own, "aside")}
    return ("p.day.stem", f"wx.seasonal.{own}"), values, weight(percent) if percent else "none"
