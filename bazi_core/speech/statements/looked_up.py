"""What a question looks up in a chart by its name: where a star or a ten god stands, and who stands in one's way.

A 神煞 colours and decides nothing (《子平真诠·论星辰无关格局》); a ten god is told with the role of its element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import TEN_GODS
from bazi_core.pattern.relatives import places_of_gods
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS
from bazi_core.pillars import WHOLE
from bazi_core.questions.terms import FOES, STAR, TEN_GOD
from bazi_core.speech.catalogue import At, Term
from bazi_core.speech.plan import LEANING
from bazi_core.speech.statements.doctrine import of_doctrine
from bazi_core.speech.statements.nouns import element, pillars_read, share, share_ids
from bazi_core.speech.statements.timing import star_at
from bazi_core.structures.classes import OFFICER, PEER, element_of

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft


def looked_up(draft: Draft, result: PatternResult, terms: tuple[str, ...]) -> None:
    """Where each name stands in the chart, or that it does not."""
    names = [(kind, name) for kind, _, name in (each.partition(":") for each in terms)]
    _stars(draft, result, [name for kind, name in names if kind == STAR])
    of_doctrine(draft, result, [each for each in names if each[0] not in (STAR, TEN_GOD, FOES)])
    for kind, name in names:
        if kind == FOES:
            _foes(draft, result)
        elif kind == TEN_GOD:
            _ten_god(draft, result, name)


def _stars(draft: Draft, result: PatternResult, names: list[str]) -> None:
    hits = [hit for hit in result.chart.stars if hit.name in names]
    absent = [name for name in names if name not in [hit.name for hit in hits]]
    if hits:
        ids = [f"star.{hit.name}.{where}" for hit in hits for where in hit.positions]
        draft.add(
            "answer.term.star",
            *ids,
            weight=1,
            kind="fact",
            required=True,
            stars=[star_at(hit) for hit in hits],
        )
    if absent:
        draft.add(
            "answer.term.star.absent", WHOLE, weight=1, kind="fact", required=True,
            stars=[Term(name, "star") for name in absent], chart=pillars_read(result.pillars),
        )  # fmt: skip
    if names:
        draft.add("answer.term.star.note", weight=1, kind="transition")


def _ten_god(draft: Draft, result: PatternResult, name: str) -> None:
    """A ten god where it shows, else where it is hidden, else that it is nowhere."""
    index = next(god.index for god in TEN_GODS if god.value == name)
    own = element_of(result.pillars.day.stem, index // 2)
    role = result.useful.role(own)
    shown, hidden = ([each for each in all_ if each[1] == index] for all_ in places_of_gods(result.pillars))
    state, part = ("shown", "stem") if shown else ("hidden", "branch") if hidden else ("absent", "")
    values: dict[str, Any] = {
        "god": Term(name, "ten_god"),
        "element": element(own),
        "role": Term(role, "role"),
    }
    if part:
        values["share"] = share(result, own)
        values["places"] = [At(f"{at}.{part}") for at in dict.fromkeys(at for at, _, _ in shown or hidden)]
    else:
        values["chart"] = pillars_read(result.pillars)
    ids = [own_ for _, _, own_ in shown or hidden] or [WHOLE]
    ids += share_ids(own) if part else ()
    draft.add(
        f"answer.term.god.{state}",
        *ids,
        ROLE_FACTS[role],
        "p.day.stem",
        weight=1,
        kind="fact",
        required=True,
        **values,
    )


def _foes(draft: Draft, result: PatternResult) -> None:
    """Who stands in one's way: 比劫, who take one's share (《子平真诠·论用神成败救应》), and 官杀, who press from above
    (《滴天髓·官杀》), as far as the chart does not want them."""
    day = result.pillars.day.stem
    peer, officer = element_of(day, PEER), element_of(day, OFFICER)
    roles = result.useful.role(peer), result.useful.role(officer)
    key = "peers" if roles[0] in ADVERSE else "officers" if roles[1] in ADVERSE else "none"
    draft.add(
        f"answer.foes.{key}", "p.day.stem", *(ROLE_FACTS[role] for role in dict.fromkeys(roles)), weight=1, required=True,
        certainty=LEANING, peer=element(peer), officer=element(officer), peer_role=Term(roles[0], "role"),
        officer_role=Term(roles[1], "role"),
    )  # fmt: skip
