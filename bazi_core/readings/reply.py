"""What came back, checked: nothing of a reply is believed before this.

Steps 1–3 (JSON, schema, ids) stop at the first that fails; then every problem is collected: vocabulary, polarity and
place (4–6, `grounding`), safety (7), language (8), coverage (9). A reply that passes becomes a `Reading`.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.readings import grounding
from bazi_core.readings.reading import made, paths, problems_of
from bazi_core.readings.safety import unsafe
from bazi_core.readings.validation import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bazi_core.facts import Fact
    from bazi_core.readings.grounding import GroundingReport, Requirement
    from bazi_core.readings.port import ReadingReply, ReadingRequest

LONGEST = 200_000
LONGEST_DETAIL = 160
# The step of the check to which a finding of the grounding checker belongs, by its category or reason.
_STEPS = {"language": 8, "disclaimer": 2, "elsewhere": 6, "opposite": 5}
REASONS = {
    "unsupported": "does not follow from the facts that the sentence cites",
    "opposite": "says the opposite of the facts",
    "elsewhere": "stands at another place",
    "number": "is a number that the cited facts do not state",
}


class Checked(NamedTuple):
    """A reading that passed (of charts and years a `Reading`), and what was found on the way."""

    reading: Any
    report: GroundingReport


def check_reply(
    request: ReadingRequest,
    reply: ReadingReply,
    facts: Mapping[str, Fact],
    required: Iterable[Requirement] = (),
) -> Checked | tuple[Problem, ...]:
    """The reading of a reply, or everything that is wrong with it.

    `facts` are those of the result; a reply may cite those that the request shows.
    """
    value = parsed(reply)
    if isinstance(value, Problem):
        return (value,)
    found = tuple(problems_of(value, request.json_schema, request.max_sentences))
    found = found or tuple(_unknown_ids(value, request.fact_ids & facts.keys()))
    if found:
        return found
    reading = made(value)
    shown = {name: facts[name] for name in sorted(request.fact_ids) if name in facts}
    report = grounding.check(reading, shown, language=request.language, required=required)
    found = (*_ungrounded(value, report), *_unsafe(value))
    return found or Checked(reading, report)


def parsed(reply: ReadingReply) -> Any:
    """The value of a reply in NFC, or the problem that keeps it from being JSON."""
    text = reply.text
    if reply.parsed is not None:
        try:
            text = json.dumps(reply.parsed, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            return Problem(1, "", "JSON", "the parsed value is no JSON value")
    if len(text) > LONGEST:
        return Problem(1, "", "TOO_LONG", f"must have at most {LONGEST} characters, has {len(text)}")
    try:
        return json.loads(
            unicodedata.normalize("NFC", text), object_pairs_hook=_object, parse_constant=_refused
        )
    except (ValueError, RecursionError) as error:
        cut = reply.finish_reason == "length"
        said = "the reply was cut off: write fewer or shorter sentences" if cut else "must be one JSON object"
        return Problem(1, "", "CUT_OFF" if cut else "JSON", f"{said} ({_where(error)})")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a member occurs twice")
    return made


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)[:60]


def _unknown_ids(value: dict[str, Any], known: frozenset[str]) -> Iterator[Problem]:
    for path, sentence in paths(value):
        for number, name in enumerate(sentence["evidence"]):
            if name not in known:
                yield Problem(
                    3, f"{path}.evidence[{number}]", "UNKNOWN_ID", f"{name[:60]} is not among the facts"
                )


def _ungrounded(value: dict[str, Any], report: GroundingReport) -> Iterator[Problem]:
    """The findings of the grounding checker as problems with a path."""
    where: dict[str, str] = {}
    for path, text in texts(value):
        where.setdefault(text, path)
    for each in report.contradicted:
        step = _STEPS.get(each.category) or _STEPS.get(each.reason, 4)
        code = {8: "LANGUAGE", 6: "ATTRIBUTION", 5: "POLARITY", 2: "DISCLAIMER"}.get(step, "VOCABULARY")
        detail = each.reason if step == 8 else f"“{each.term}” {REASONS.get(each.reason, each.reason)}"
        yield Problem(step, where.get(each.sentence, ""), code, detail[:LONGEST_DETAIL])
    for name in report.coverage.missing:
        yield Problem(9, "", "COVERAGE", f"must name {name}"[:LONGEST_DETAIL])


def _unsafe(value: dict[str, Any]) -> Iterator[Problem]:
    for path, text in texts(value):
        for each in unsafe(text):
            yield Problem(7, path, "UNSAFE", f"must not say “{each.found[:40]}” ({each.category})")


def texts(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of a reading in its JSON form, with its path."""
    yield "title", value["title"]
    yield from ((path, sentence["text"]) for path, sentence in paths(value))
    yield from ((f"keywords[{number}]", word) for number, word in enumerate(value["keywords"]))
