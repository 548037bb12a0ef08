"""Why a side of life goes as it goes in a year: what the year makes or breaks of the chart, and what the chart has against
it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.speech.catalogue import Term
from bazi_core.speech.plan import AGAINST, COUNTER, LEANING
from bazi_core.speech.statements.asked import SCORES
from bazi_core.speech.statements.happenings import a_event, heaviest
from bazi_core.speech.statements.kin import RELATIVES_OF, star_for
from bazi_core.speech.statements.views import sense_of
from bazi_core.speech.statements.why_and_how import how, why
from bazi_core.speech.topic_filter import events_told, spares_partners
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult

# As many events are told that weigh on a year of which it is asked why.
STRAINS = 3


def caused_by_year(draft: Draft, year: YearResult, domain: str) -> bool:
    """Whether the year makes a dynamic that weighs on a side of life, or breaks one that carries it; the first is told."""
    for event in year.events:
        if event.is_dynamic and event.polarity == "凶" and domain in event.domains:
            sense, ids = sense_of(year.pattern, event.name)
            draft.add(
                f"answer.why.year.{event.ties[0]}", event.id, f"ln.{year.target_year}", *ids, weight=1, required=True,
                certainty=LEANING, side=AGAINST, year=year.target_year, said=heaviest(event.said),
                name=Term(event.name, "dynamic"), sense=sense,
            )  # fmt: skip
            return True
    return False


def marked(draft: Draft, year: YearResult, domain: str) -> bool:
    """Whether the year has events that weigh, beside those of a side of life, which are its grounds; they are told."""
    found = [
        event
        for event in events_told(year, len(year.events), spares_partners(year, draft.left_out))
        if event.polarity == "凶" and (domain == OVERALL or domain not in event.domains)
    ][:STRAINS]
    if found:
        draft.add(
            "answer.year.marked", f"ln.{year.target_year}", *(event.id for event in found), weight=1, kind="fact",
            required=True, relation=COUNTER, side=AGAINST, year=year.target_year,
            events=[a_event(name) for name in dict.fromkeys(event.name for event in found)],
        )  # fmt: skip
    return bool(found)


def caused(draft: Draft, year: YearResult, asked: Asked) -> bool:
    """Whether the year or the chart holds a cause for how a side of life goes: that of the year is told, then that of the
    chart, then what helps."""
    if not year.pattern.useful.order:
        return False
    is_of_year = caused_by_year(draft, year, SCORES[asked.domain])
    of_chart(draft, year, asked)
    if not is_of_year and not draft.says("answer.why.dynamic", "answer.why.star"):
        return False
    how(draft, year.pattern, asked.domain, is_short=True)
    return True


def of_chart(draft: Draft, year: YearResult, asked: Asked, is_second: bool = False) -> None:
    """The cause in the chart, if there is one; `is_second` after what lies in the year."""
    if year.pattern.useful.order:
        star = star_for(year.pattern, asked.domain, RELATIVES_OF.get(asked.domain))
        why(draft, year.pattern, asked.domain, star, has_other=True, is_second=is_second)
