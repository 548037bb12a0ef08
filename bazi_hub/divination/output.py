"""What is told of a cast: the members of `agent_output`, the events that carry the text, and the pieces that it comes in."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bazi_core.readings.cast import DivinationResult
from bazi_core.readings.result import Provenance
from bazi_hub.ports.runs import INTERPRET, LISTS, Event, RunAnswer
from bazi_hub.words.call import compact

LONGEST_DELTA = 200
# A sentence with the quotes and spaces behind it; a dot ends one only before a space.
_SENTENCE = re.compile(r".+?(?:[。！？!?；;…]+[”’」』）)\"']*|\.[”’)\"']*(?=\s|\Z)|\Z)\s*", re.DOTALL)
_BREAK = re.compile(r"[，、：,:\s]")


def deltas(answer: str) -> list[str]:
    """An answer in pieces of at most 200 characters, cut where sentences end; together they are the answer.

    >>> deltas("世爻旺相。宜守。It holds 3.5 parts. Wait!")
    ['世爻旺相。', '宜守。', 'It holds 3.5 parts. ', 'Wait!']
    """
    return [piece for found in _SENTENCE.finditer(answer) for piece in _short(found[0])]


def _short(sentence: str) -> list[str]:
    """A sentence, in pieces where it is too long."""
    pieces = []
    while len(sentence) > LONGEST_DELTA:
        breaks = [found.end() for found in _BREAK.finditer(sentence, 0, LONGEST_DELTA)]
        cut = breaks[-1] if breaks else LONGEST_DELTA
        pieces.append(sentence[:cut])
        sentence = sentence[cut:]
    return [*pieces, sentence] if sentence else pieces


class Interpretation(NamedTuple):
    """An interpretation as it is stored and charged. `free`: nobody pays; `uncharged`: a model was asked in vain."""

    answer: RunAnswer
    events: list[Event]
    free: bool
    uncharged: bool


def output_of(result: DivinationResult) -> dict[str, Any]:
    """The members of `agent_output`, without the objects of the cast."""
    flat = result.reading.flat()
    declined = result.status == "declined"
    if declined:
        # Somebody who needs help is given nothing to collect.
        flat["keywords"] = []
    return {
        "status": result.status,
        **({} if result.sign_level is None else {"sign_level": result.sign_level}),
        **{name: flat[name] for name in LISTS},
        "answer": flat["answer"],
        "sentences": [item.text for item in result.reading.answer],
        "interpreter": "llm" if result.provenance.narrator == "llm" else "rules",
        "language": result.language,
        "evidence": flat["evidence"],
        "safety": dict(result.safety),
        "provenance": result.provenance.to_dict(),
        "grounding": result.grounding.to_dict(),
    }


def told(result: DivinationResult, message_id: str, now_ms: int) -> Interpretation:
    """A result as it goes into log and history."""
    output = output_of(result)
    fallback = result.provenance.fallback_used
    events = text_events(output, message_id, now_ms, usage_of(result.provenance))
    answer = RunAnswer(message_id, output["answer"], compact(output))
    return Interpretation(answer, events, free=fallback or result.status == "declined", uncharged=fallback)


def text_events(
    output: dict[str, Any], message_id: str, now_ms: int, usage: dict[str, Any] | None
) -> list[Event]:
    """From the first piece of the text to the end of the run."""
    pieces = [Event("text", now_ms, {"id": message_id, "delta": delta}) for delta in deltas(output["answer"])]
    return [
        Event("text_started", now_ms, {"id": message_id}),
        *pieces,
        Event("text_ended", now_ms, {"id": message_id, "output": output}),
        Event("step_finished", now_ms, {"step": INTERPRET}),
        Event("finished", now_ms, {"outcome": "success", **({"usage": [usage]} if usage else {})}),
    ]


def usage_of(provenance: Provenance) -> dict[str, Any] | None:
    """Tokens of the model, where the port told them."""
    used = provenance.usage
    if not (used.input_tokens or used.output_tokens):
        return None
    return {
        "provider": provenance.port or "",
        "model": provenance.model or "",
        "inputTokens": used.input_tokens,
        "outputTokens": used.output_tokens,
        "totalTokens": used.input_tokens + used.output_tokens,
    }
