"""A relative's own matter in the asker's chart: it is for the relative's chart to answer, and that is said first.

What the asker's chart has of a relative is a palace and a star (《子平真诠·论宫分用神配六亲》); of other kin it has a palace
alone, or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import Element
from bazi_core.pattern.relatives import ABSENT, SHOWN
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.asked import HOW, SCORES, SIDE_OF, SIDES
from bazi_core.speech.statements.nouns import element, pillars_read
from bazi_core.structures.classes import CLASSES, OFFICER, OUTPUT, PEER, RESOURCE, WEALTH, element_of

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked


class Kin(NamedTuple):
    """Where a relative is seen: the star by its name in the 六亲, the pillar of the palace, the domain of a question; and
    by how many years such a relative is commonly older than who asks (0: of any age)."""

    star: str | None
    palace: str | None
    domain: str
    older: int = 0


KIN = {
    "child": Kin("children", "hour", "children"),
    "spouse": Kin("spouse", "day", "marriage"),
    "partner": Kin("spouse", "day", "relationship"),
    "parents": Kin("mother", "month", "parents", 25),
    "father": Kin("father", "month", "parents", 25),
    "mother": Kin("mother", "month", "parents", 25),
    "sibling": Kin("siblings", None, "parents"),
    "grandparent": Kin(None, "year", "parents", 50),
    "parents_in_law": Kin(None, None, "parents", 25),
    "relative": Kin(None, None, "parents"),
    "acquaintance": Kin(None, None, "relationship"),
}
# The class of the star of a relative.
_CLASS = {
    "正财": WEALTH, "偏财": WEALTH, "正官": OFFICER, "官杀": OFFICER, "食伤": OUTPUT, "正印": RESOURCE, "比劫": PEER,
}  # fmt: skip
IN_LAW = "parents_in_law"
# Scores of what lies between oneself and a relative.
OF_TIES = ("relationship", "family")
# Stars that are a class of two ten gods.
CLASSES_OF_KIN = ("官杀", "食伤", "比劫")


def who(subject: str) -> Phrase:
    """A relative by the name of a subject, as a value of a sentence."""
    return Phrase(f"who.{subject}", {})


def star_of(result: PatternResult, relative: str | None) -> Element | None:
    """The element of the star of a relative; None for one that has no star."""
    found = next((each.star for each in result.relatives if each.relative == relative), None)
    return None if found is None else element_of(result.pillars.day.stem, _CLASS[found])


# Side of life -> the class of ten gods that stands for it in a chart; of partners and children the star of the relative;
# what is in neither is asked of the diagnosis.
CLASSES_OF = {"career": OFFICER, "wealth": WEALTH, "study": RESOURCE}
RELATIVES_OF = {"relationship": "spouse", "marriage": "spouse", "children": "children", "parents": "mother"}


def star_for(result: PatternResult, domain: str, relative: str | None) -> Element | None:
    """The element that stands for a domain: of a class of ten gods, or of the star of a relative."""
    k = CLASSES_OF.get(SIDE_OF.get(domain, domain))
    return star_of(result, relative) if k is None else element_of(result.pillars.day.stem, k)


def relied_on(draft: Draft, result: PatternResult) -> bool:
    """Of whoever asks whether a partner is to be relied on: what the star and the palace of the partner are to the chart
    (《子平真诠·论妻子》); what the partner is like is not in it. Whether it was told."""
    star = star_of(result, "spouse")
    if star is None or not result.useful.order:
        return False
    branch = result.pillars.day.branch
    roles = [result.useful.role(star), result.useful.role(branch.element)]
    points = [(role in WANTED) - (role in ADVERSE) for role in roles]
    told = (
        "mixed" if min(points) < 0 < max(points) or not any(points) else "good" if sum(points) > 0 else "bad"
    )
    draft.add(
        f"answer.relied_on.{told}", "kin.spouse", "p.day.stem", "p.day.branch", *(ROLE_FACTS[role] for role in roles),
        weight=1, required=True, certainty=LEANING, side=SIDES[told], element=element(star), role=Term(roles[0], "role"),
        branch=At("day.branch", sign(branch)), seat_role=Term(roles[1], "role"),
    )  # fmt: skip
    return True


def kin(draft: Draft, result: PatternResult, asked: Asked) -> bool:
    """That a matter is the relative's own, and where in this chart the relative is seen at all; whether anywhere.

    Who asks how to deal with somebody asks about oneself, and of kin without a place is told only that.
    """
    subject, is_how = asked.subject, asked.kind == HOW
    own = KIN[subject]
    ids: list[str] = []
    is_absent = False
    one = Phrase("who.child.one", {}) if subject == "child" else who(subject)
    values: dict[str, Any] = {"who": one, "whose": Phrase(f"whose.{subject}", {})}
    values["chart"] = pillars_read(result.pillars)
    pillar = getattr(result.pillars, own.palace) if own.palace else None
    if pillar is not None:
        values["palace"] = Phrase(
            f"palace.{own.palace}", {"at": At(f"{own.palace}.branch", sign(pillar.branch))}
        )
        ids.append(f"p.{own.palace}.branch")
    found = next((relative for relative in result.relatives if relative.relative == own.star), None)
    if found is not None:
        part = "stem" if found.state == SHOWN else "branch"
        places = [At(f"{where}.{part}") for where in found.positions]
        star = Term(found.star, "ten_god_class" if found.star in CLASSES_OF_KIN else "ten_god")
        state = "shown" if found.state == SHOWN else "hidden"
        is_absent = found.state == ABSENT
        values["star"] = star if is_absent else Phrase(f"kin.star.{state}", {"star": star, "places": places})
        ids.append(f"kin.{found.relative}")
    if pillar is not None:
        key = "palace" if found is None else "absent" if is_absent else "both"
    else:
        key = ("none.how" if is_how else "none") if found is None or is_absent else "star"
    is_of_tie = subject == IN_LAW and SCORES.get(asked.domain) in OF_TIES
    if is_of_tie and result.useful.order and star_of(result, "spouse") is not None:
        _in_law(draft, result)
        return False
    draft.add(
        f"answer.kin.{key}", *ids, weight=1, kind="fact" if ids else "transition", required=True, **values
    )
    return not key.startswith("none")


def _in_law(draft: Draft, result: PatternResult) -> None:
    """How one stands with the parents of a partner. The books give them no star of their own; as 印, which bears, is the
    mother (《子平真诠·论宫分用神配六亲》), what bears the star of the partner is the partner's."""
    spouse = next(each for each in result.relatives if each.relative == "spouse")
    k = _CLASS[spouse.star] - 1
    own = element_of(result.pillars.day.stem, k)
    role = result.useful.role(own)
    told = "good" if role in WANTED else "bad" if role in ADVERSE else "mixed"
    draft.add(
        f"answer.in_law.{told}", "kin.spouse", "p.day.stem", ROLE_FACTS[role], weight=1, required=True, certainty=LEANING,
        side=SIDES[told], spouse=Term(spouse.star, "ten_god"), star=Term(CLASSES[k], "ten_god_class"), element=element(own),
        role=Term(role, "role"),
    )  # fmt: skip


# The word for a partner -> the gender of the chart in which tradition looks for such a partner, and the class of the star.
_MATES = {"husband": ("female", OFFICER), "wife": ("male", WEALTH)}


def star_taken(draft: Draft, result: PatternResult, mate: str) -> None:
    """By which star the partner was read, where the word of the question goes with the other gender of the asker."""
    gender, other = _MATES[mate]
    if result.chart.gender in (None, gender):
        return
    day = result.pillars.day.stem
    taken, named = (element_of(day, k) for k in (WEALTH if other == OFFICER else OFFICER, other))
    role = result.useful.role(named)
    star = next(relative.star for relative in result.relatives if relative.relative == "spouse")
    draft.add(
        "answer.star_taken", "kin.spouse", "p.day.stem", ROLE_FACTS[role], weight=1, kind="fact",
        required=True, star=Term(star, "ten_god"), taken=element(taken), other=element(named), role=Term(role, "role"),
    )  # fmt: skip
