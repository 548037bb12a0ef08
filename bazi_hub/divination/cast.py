"""From a payload to its two objects. Pure: the same payload gives the same text, nothing is stored."""

from __future__ import annotations

from typing import NamedTuple

from bazi_core import liuyao
from bazi_core.errors import BaziError
from bazi_core.liuyao.analysis import Analysis
from bazi_core.questions.question import question as question_of
from bazi_hub.divination.problems import Place, located, of_core, refusal
from bazi_hub.divination.request import DivinationPayload
from bazi_hub.ports.runs import Derivation
from bazi_hub.words.call import compact


class Cast(NamedTuple):
    """What follows from a payload: the analysis to read from, and both objects as text."""

    payload: DivinationPayload
    found: Analysis
    derivation: Derivation

    def in_distress(self, follow_up: str | None) -> bool:
        """Whether the question shows distress or is about life and death; no reader is asked then."""
        if self.found.withheld:
            return True
        asked = (question_of(text) for text in (self.payload.question, self.payload.kind, follow_up))
        return any(each is not None and each.is_declined for each in asked)


def cast_of(payload: DivinationPayload, at: Place = ()) -> Cast:
    """The cast of a payload; `RunProblem` for what the core refuses. `at` is the place of the payload in the request."""
    try:
        chart = liuyao.derive([*payload.lines], payload.at)
        found = chart.analyze(payload.kind, question=payload.question)
        divination = compact(chart.to_divination(payload.question, payload.kind, payload.method))
        analysis = compact(found.to_dict())
    except BaziError as error:
        raise refusal(located(((*at, "divinationTimeIso"), of_core(error)))) from None
    return Cast(payload, found, Derivation(payload.text, divination, analysis))
