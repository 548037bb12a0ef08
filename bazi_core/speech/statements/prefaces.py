"""What stands beside an answer before anything of it is weighed: whose chart it is, sympathy, and a premise set right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import STEMS, Branch
from bazi_core.questions.marks import (
    AGE_GAP,
    BEREAVED,
    FRAUD,
    MORE,
    REMEDY_SALE,
    STOPS_TREATMENT,
    SURE_GAIN,
    TWO_CHARTS,
    WHERE,
    ZODIAC,
)
from bazi_core.speech.catalogue import Phrase, Term, sign
from bazi_core.speech.statements.asked import LEFT_OUT, UNANSWERED

if TYPE_CHECKING:
    from bazi_core.pillars import FourPillars
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked

_STEMS = [stem.value for stem in STEMS]
# What is told coldly to whoever complains of a good time.
_COLD = (
    "answer.lately.good.contrary",
    "answer.also.good.contrary",
    "answer.year.unseen",
    "answer.past.unseen",
)


def owned(draft: Draft, asked: Asked) -> None:
    """Whom "you" means in a reading of the chart of a relative."""
    if asked.owner and asked.domain not in UNANSWERED and not draft.says("answer.owner", "answer.of_age"):
        who = Phrase("who.child.one" if asked.owner == "child" else f"who.{asked.owner}", {})
        draft.add("answer.owner", weight=1, kind="transition", required=True, who=who)


# What is told of -> the caution that stands first.
_CAUTIONS = {
    REMEDY_SALE: "answer.caution.remedy",
    SURE_GAIN: "answer.caution.promised",
    FRAUD: "answer.caution.fraud",
    STOPS_TREATMENT: "answer.caution.treatment",
}
# What is asked besides -> the sentence on it.
_BESIDES = {
    TWO_CHARTS: "answer.two_charts",
    ZODIAC: "answer.zodiac",
    AGE_GAP: "answer.age_gap",
    WHERE: "answer.where",
    MORE: "answer.more",
}


def besides(draft: Draft, asked: Asked) -> None:
    """What is asked besides and has no place in a single chart; each is said once, and where a place is asked for that is
    all that is asked besides."""
    for name, key in _BESIDES.items():
        is_told = draft.says(key) or (key == "answer.more" and draft.says("answer.where", "answer.ties"))
        if name in asked.marks and not is_told:
            draft.add(key, weight=1, kind="transition", required=True)


def prefaced(draft: Draft, asked: Asked, pillars: FourPillars) -> None:
    """What stands before an answer: a word of sympathy where a death is told, and where the question takes another day
    master or animal for its own, the right one."""
    for name, key in _CAUTIONS.items():
        if name in asked.marks and not draft.says(key):
            draft.add(key, weight=1, kind="transition", required=True)
            draft.move_up(key, 0)
    if asked.domain in UNANSWERED and asked.domain != LEFT_OUT:
        return
    if BEREAVED in asked.marks and not draft.says("answer.bereaved"):
        for key in _COLD:
            draft.take_back(key)
        draft.add("answer.bereaved", weight=1, kind="transition", required=True)
        draft.move_up("answer.bereaved", 0)
    for claim in asked.claims:
        _corrected(draft, claim, pillars)


def _corrected(draft: Draft, claim: str, pillars: FourPillars) -> None:
    """The day master or the animal of the year of birth, where the question names another one."""
    day, branch = pillars.day.stem, pillars.year.branch
    values: dict[str, Any]
    if claim in _STEMS:
        key, own, fact = "answer.premise.stem", day.value, "p.day.stem"
        values = {"own": sign(day), "told": sign(claim)}
    else:
        key, own, fact = "answer.premise.animal", branch.value, "p.year.branch"
        animals = (Term(each.zodiac.value, "zodiac") for each in (branch, Branch(claim)))
        values = dict(zip(("own", "told"), animals, strict=True))
    if own != claim and not draft.says(key):
        draft.add(key, fact, weight=1, kind="fact", required=True, **values)
        draft.move_up(key, 0)
