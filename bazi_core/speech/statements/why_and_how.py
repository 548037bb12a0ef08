"""Why a side of life goes as it goes, and what one can do about it.

Why: what the chart has against it, by a dynamic that stands or by the star that stands for it (`causes.csv`). How: what the
useful god says as conduct. A class of ten gods stands for a way of acting and for people (《渊海子平》论正官, 论正财,
论食神, 论印绶, 论劫财), an element for a season and a quarter (《三命通会·论五行》). That is advice about manners
and company; it names no treatment, no law suit and no investment.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import ELEMENTS
from bazi_core.facts import Fact
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.speech.catalogue import Phrase, Term
from bazi_core.speech.plan import AGAINST, COUNTER, LEANING, OPEN
from bazi_core.speech.statements.asked import SCORES, domain_of
from bazi_core.speech.statements.nouns import HEAVY, LIGHT, element, pillars_read, seats, share, share_ids
from bazi_core.speech.statements.views import sense_of
from bazi_core.structures.classes import CLASSES
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once
from bazi_core.views.strength import class_of

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

# Domain of a question -> the side of life for which a cause and a conduct are worded; of any other the whole life.
SIDES_OF_LIFE = {
    "career": "work", "path": "work", "trade": "work", "wealth": "money", "partnership": "money",
    "relationship": "bond", "marriage": "bond", "parents": "parents", "children": "children", "study": "study",
}  # fmt: skip
WHOLE_LIFE = "whole"
# Sides of life to which a field of work belongs.
_OF_TRADE = ("work", "money")
_ROLES = {"wanted": WANTED, "adverse": ADVERSE}
_SENSES = ("little", "much", "wrong")


class ChartCause(NamedTuple):
    """A row of the table: what is asked of the star, and how the sentence goes on."""

    id: str
    role: str
    share: str
    over: str
    strength: str
    sense: str
    source: str


@cache
def causes() -> tuple[ChartCause, ...]:
    """The rows of the table.

    >>> [each.id for each in causes() if each.sense == "much"]
    ['excess', 'burden']
    """
    found = tuple(ChartCause(**row) for row in rows("causes"))
    rows_once("causes", (each.id for each in found))
    names_known("causes", "role", (each.role for each in found), ("", *_ROLES))
    names_known("causes", "share", (each.share for each in found), ("", "none", "light", "heavy"))
    names_known("causes", "share of what controls it", (each.over for each in found), ("", "heavy"))
    names_known("causes", "strength", (each.strength for each in found), ("", "strong", "weak", "special"))
    names_known("causes", "sense", (each.sense for each in found), _SENSES)
    return found


def why(
    draft: Draft,
    result: PatternResult,
    domain: str,
    star: Element | None,
    has_other: bool = False,
    is_second: bool = False,
    told: str = "",
    of: Phrase | None = None,
) -> None:
    """The cause in the chart: a dynamic that stands against this side of life, and how its star stands.

    Where the chart has nothing against it, that is said, unless there is another cause (`has_other`); that one is led in
    by the statement `told`, where it is told next. `is_second`: what lies in a year was told before it.
    """
    side = SIDES_OF_LIFE.get(domain, WHOLE_LIFE)
    score = SCORES.get(domain)
    harm = next(
        (
            dynamic
            for dynamic in result.dynamics
            if dynamic.state == STANDS
            and dynamic.polarity == "凶"
            and not dynamic.barred
            and score in dynamic.domains
        ),
        None,
    )
    if harm is not None:
        sense, ids = sense_of(result, harm.name)
        draft.add(
            f"answer.why.dynamic{'.too' if is_second else ''}", harm.fact_id, *ids, weight=1, required=True,
            certainty=LEANING, side=AGAINST, name=Term(harm.name, "dynamic"), sense=sense,
        )  # fmt: skip
    if star is None:
        return
    cause = _cause(result, star)
    role, over = result.useful.role(star), _controls(star)
    values: dict[str, Any] = {"element": element(star), "of": of or domain_of(domain)}
    more: dict[str, Any] = {"role": Term(role, "role"), "share": share(result, star)}
    ids = (ROLE_FACTS[role], "p.day.stem", *share_ids(star))
    if cause is not None:
        more |= {
            "chart": pillars_read(result.pillars),
            "over": element(over),
            "over_share": share(result, over),
        }
        draft.add(
            f"answer.why.star{'.too' if harm or is_second else ''}", *ids, *share_ids(over), *_of_strength(result), weight=1,
            required=True, certainty=LEANING, side=AGAINST, **values, state=Phrase(f"cause.{cause.id}", more),
            so=Phrase(f"cause.{side}.{cause.sense}", {}),
        )  # fmt: skip
    elif harm is None and (told or not has_other):
        draft.add(
            told or "answer.why.none", *ids, weight=1, required=True, certainty=LEANING, **values, **more
        )


def _of_strength(result: PatternResult) -> tuple[str, ...]:
    return () if result.special is not None else ("str.verdict",)


def _cause(result: PatternResult, star: Element) -> ChartCause | None:
    """The first row that fits the star."""
    held = {
        "role": next((name for name, roles in _ROLES.items() if result.useful.role(star) in roles), ""),
        "share": _weight(result, star),
        "over": _weight(result, _controls(star)),
        "strength": "special"
        if result.special is not None
        else "strong"
        if result.strength is not None and result.strength.is_strong
        else "weak",
    }
    return next(
        (
            cause
            for cause in causes()
            if all(getattr(cause, name) in ("", value) for name, value in held.items())
        ),
        None,
    )


def _weight(result: PatternResult, found: Element) -> str:
    inside = seats(result.pillars, found)
    percent = result.elements.seasonal[found.index]
    if inside.key == "absent" and result.pillars.day.stem.element is not found:
        return "none"
    return "light" if percent < LIGHT else "heavy" if percent >= HEAVY else ""


def _controls(found: Element) -> Element:
    return next(each for each in ELEMENTS if each.controls is found)


def how(draft: Draft, result: PatternResult, domain: str, is_short: bool = False) -> bool:
    """What one can do: the conduct of the useful god, that of the favourable one, what goes with them, what to keep in hand.

    In `short` only the first, behind a cause. Where two readings of the strength want different elements, the conduct of
    either, and what decides between them. Whether anything was told.
    """
    if not result.useful.order:
        return False
    draft.learn(_classes(result))
    side = SIDES_OF_LIFE.get(domain, WHOLE_LIFE)
    use, joy, shun = result.useful.order[0], result.useful.order[1], result.useful.order[4]
    ids = ("yong.primary", "p.day.stem")
    key = "then" if is_short else "kin" if draft.says("answer.kin.none.how") else "first"
    draft.add(
        f"answer.how.{key}", *ids, f"class.{use}", weight=1, required=True, certainty=LEANING,
        **_conduct(result, side, use),
    )  # fmt: skip
    if _of_other_reading(draft, result, side) or is_short:
        return True
    draft.add(
        "answer.how.second", "yong.secondary", "p.day.stem", f"class.{joy}", weight=1, certainty=LEANING,
        **_conduct(result, side, joy),
    )  # fmt: skip
    trade: dict[str, Any] = {"trade": Phrase(f"trade.{use}", {})} if side in _OF_TRADE else {}
    draft.add(
        f"answer.how.goes_with{'.trade' if trade else ''}", *ids, weight=1, certainty=LEANING, use=element(use),
        season=Phrase(f"season_of.{use}", {}), quarter=Phrase(f"quarter.{use}", {}),
        people=Phrase(f"people.{CLASSES[class_of(result.pillars.day.stem, use)]}", {}), **trade,
    )  # fmt: skip
    draft.add(
        "answer.how.mind", ROLE_FACTS[result.useful.role(shun)], "p.day.stem", weight=1, certainty=LEANING,
        element=element(shun), overdone=Phrase(f"overdone.{CLASSES[class_of(result.pillars.day.stem, shun)]}", {}),
    )  # fmt: skip
    return True


def _classes(result: PatternResult) -> list[Fact]:
    """Which class of ten gods each element is to the day master."""
    day = result.pillars.day.stem
    return [
        Fact(
            f"class.{each}", "ten_god", each.value, "class", CLASSES[class_of(day, each)], "class.of",
            (day.value, each.value, CLASSES[class_of(day, each)]), None, ("p.day.stem",), "R-TG", "YHZP.论十神",
        )
        for each in ELEMENTS
    ]  # fmt: skip


def _conduct(result: PatternResult, side: str, found: Element) -> dict[str, Any]:
    name = CLASSES[class_of(result.pillars.day.stem, found)]
    return {
        "element": element(found),
        "class": Term(name, "ten_god_class"),
        "conduct": Phrase(f"conduct.{side}.{name}", {}),
    }


def differing(result: PatternResult) -> PatternResult | None:
    """The other reading of an open strength, where it wants another element first."""
    own = result.useful.order[0]
    return next(
        (
            each
            for each in result.alternatives
            if each.useful.order[0] is not own and each.strength is not None
        ),
        None,
    )


def readings_told(result: PatternResult, other: PatternResult) -> dict[str, Any]:
    """Two readings of an open strength as values of a sentence, by their verdicts."""
    assert result.strength is not None
    assert other.strength is not None
    return {
        "verdict": Term(result.strength.verdict, "strength"), "other": Term(other.strength.verdict, "strength"),
    }  # fmt: skip


def _of_other_reading(draft: Draft, result: PatternResult, side: str) -> bool:
    """Whether another reading of the strength wants another element; then its conduct is told."""
    other = differing(result)
    if other is None or other.strength is None:
        return False
    draft.add(
        "answer.how.other", "alt.str.verdict", "alt.yong.primary", "p.day.stem", f"class.{other.useful.order[0]}", weight=1,
        required=True, relation=COUNTER, certainty=OPEN, verdict=Term(other.strength.verdict, "strength"),
        **_conduct(other, side, other.useful.order[0]),
    )  # fmt: skip
    decides(draft, result)
    return True


def decides(draft: Draft, result: PatternResult, is_required: bool = True) -> None:
    """What tells which of two readings of the strength is one's own: the seasons and years of either element."""
    other = differing(result)
    if other is not None:
        one, two = result.useful.order[0], other.useful.order[0]
        draft.add(
            "answer.decides", "yong.primary", "alt.yong.primary", "str.verdict", "alt.str.verdict", weight=1,
            required=is_required, certainty=OPEN, one=Phrase(f"times_of.{one}", {}), two=Phrase(f"times_of.{two}", {}),
            **readings_told(result, other),
        )  # fmt: skip
