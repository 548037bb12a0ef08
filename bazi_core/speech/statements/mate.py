"""What a partner is like, by the star and the palace of the partner; and what kind of partner suits the chart.

The star of the partner has the virtue of its element (《渊海子平·论性情》), and the day branch is the partner's seat
(《子平真诠·论宫分用神配六亲》). What the ten god of its main qi says of a partner is common practice, in words of this
library.
A partner who suits brings what the chart needs (《滴天髓·夫妻》, practice).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import TEN_GODS
from bazi_core.pattern.relatives import ABSENT
from bazi_core.pattern.useful import ROLE_FACTS
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING
from bazi_core.speech.statements.bearings import bearings, tell
from bazi_core.speech.statements.character import MUCH
from bazi_core.speech.statements.kin import star_of
from bazi_core.speech.statements.nouns import element, pillars_read, share, share_ids
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.ten_gods import ten_god_table

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

_STAR = "answer.bearing.person"


def mate(draft: Draft, result: PatternResult) -> None:
    """The likeness of a partner in the star, then in the palace with the ties that touch it."""
    own = star_of(result, "spouse")
    draft.add(f"answer.mate{'' if own else '.seat'}", weight=1, kind="transition", required=True)
    if own is not None:
        _star(draft, result)
    branch = result.pillars.day.branch
    main = hidden_stems(branch)[0].stem
    god = TEN_GODS[ten_god_table()(result.pillars.day.stem.index, main.index)].value
    role = result.useful.role(branch.element)
    draft.add(
        "answer.mate.palace", f"tg.day.{main}", "p.day.branch", f"hs.day.{main}", ROLE_FACTS[role], weight=1,
        certainty=LEANING, required=True, branch=At("day.branch", sign(branch)), god=Term(god, "ten_god"),
        likeness=Phrase(f"mate.{god}", {}), element=element(branch.element), role=Term(role, "role"),
    )  # fmt: skip
    told = (_STAR, *(f"answer.bearing.palace.{role}" for role in ("wanted", "unwanted", "even")))
    tell(draft, tuple(each for each in bearings(result, "marriage", "spouse") if each.key not in told))


def _star(draft: Draft, result: PatternResult) -> None:
    found = next(each for each in result.relatives if each.relative == "spouse")
    own = star_of(result, "spouse")
    assert own is not None
    values: dict[str, Any] = {"star": Term(found.star, "ten_god"), "element": element(own)}
    ids = ("kin.spouse", "p.day.stem", *share_ids(own))
    if found.state == ABSENT:
        values["chart"] = pillars_read(result.pillars)
        draft.add("answer.mate.star.absent", *ids, weight=1, certainty=LEANING, required=True, **values)
        return
    values["virtue"] = Phrase(f"virtue.{own}", {})
    draft.add("answer.mate.star", *ids, weight=1, certainty=LEANING, required=True, **values)
    if result.elements.seasonal[own.index] >= MUCH:
        draft.add(
            "answer.mate.star.much", *share_ids(own), weight=1, certainty=LEANING, side=AGAINST, element=element(own),
            share=share(result, own), sense=Phrase(f"excess.{own}", {}),
        )  # fmt: skip


def match(draft: Draft, result: PatternResult) -> None:
    """What suits is what the chart needs most; what asks for care is the element that harms it most."""
    use = result.useful.order[0]
    role = result.useful.role(use)
    draft.add(
        "answer.match", ROLE_FACTS[role], weight=1, certainty=LEANING, required=True, side=FOR, use=element(use),
        role=Term(role, "role"), virtue=Phrase(f"virtue.{use}", {}),
    )  # fmt: skip
    ill = result.useful.order[-1]
    ill_role = result.useful.role(ill)
    draft.add(
        "answer.match.ill", ROLE_FACTS[ill_role], weight=1, certainty=LEANING, side=AGAINST, ill=element(ill),
        ill_role=Term(ill_role, "role"), sense=Phrase(f"excess.{ill}", {}),
    )  # fmt: skip
    draft.add("answer.match.two", weight=1, kind="transition", required=True)
