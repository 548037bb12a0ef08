"""A reading: title, summary and sections made of sentences, each with the ids of the facts that it rests on.

The same value comes from a model and from the rules. Its JSON form is closed, and `schema()` describes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidInput
from bazi_core.readings.validation import Problem, problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEYS = ("overview", "pattern", "career", "wealth", "relationship", "health_balance", "months", "advice")
KINDS = ("fact", "inference", "advice", "transition", "disclaimer")
CITING = ("fact", "inference")
# The most sentences of a reading by its length; the disclaimer and a referral count.
SENTENCES = {"short": 10, "standard": 30, "long": 60}
LONGEST_SENTENCE = 400
FACT_ID = r"^[a-z]+(\.[0-9A-Za-z_一-鿿-]+)+$"
# The other forms of line end count as blank too.
_BLANK = re.compile(r"\s*\Z")


class Sentence(NamedTuple):
    """One sentence. `kind` says what it is; a fact or an inference cites its evidence; a hedge is a tendency."""

    text: str
    evidence: tuple[str, ...] = ()
    kind: str = "fact"
    hedge: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "evidence": list(self.evidence), "kind": self.kind, "hedge": self.hedge}


class Section(NamedTuple):
    """The sentences on one subject."""

    key: str
    sentences: tuple[Sentence, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"key": self.key, "sentences": [each.to_dict() for each in self.sentences]}


class Reading(NamedTuple):
    """A whole reading.

    >>> said = Sentence("日主庚身弱。", ("str.verdict",))
    >>> reading = Reading("命局解读", (said,), (Section("overview", (said,)),), ("身弱",))
    >>> Reading.from_dict(reading.to_dict()) == reading
    True
    """

    title: str
    summary: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    keywords: tuple[str, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences in the order in which they are read."""
        return (*self.summary, *(each for section in self.sections for each in section.sentences))

    def narrative(self, language: str = "zh-Hans") -> str:
        """The sentences as one text: a paragraph for the summary and each section, the disclaimer by itself."""
        glue = " " if language == "en" else ""
        body = [[each.text for each in part if each.kind != "disclaimer"] for part in self._paragraphs()]
        last = [each.text for each in self.sentences if each.kind == "disclaimer"]
        return "\n\n".join(glue.join(texts) for texts in (*body, last) if texts)

    def _paragraphs(self) -> Iterator[Sequence[Sentence]]:
        yield self.summary
        yield from (section.sentences for section in self.sections)

    def ended(self, *last: Sentence) -> Reading:
        """The reading with these sentences at its end, in place of any disclaimers that it had."""
        kept = [Section(key, _without_disclaimers(each)) for key, each in self.sections]
        kept = [each for each in kept if each.sentences] or [Section("advice", ())]
        kept[-1] = Section(kept[-1].key, kept[-1].sentences + last)
        return self._replace(summary=_without_disclaimers(self.summary), sections=tuple(kept))

    def shortened(self, most: int) -> Reading:
        """The reading with at most so many sentences: what claims nothing goes first, from the end."""
        reading = self
        while len(reading.sentences) > max(most, len(self.summary)):
            at = max(
                range(len(reading.sections)), key=lambda n: (_is_free(reading.sections[n].sentences[-1]), n)
            )
            rest = Section(reading.sections[at].key, reading.sections[at].sentences[:-1])
            kept = (*reading.sections[:at], rest, *reading.sections[at + 1 :])
            reading = reading._replace(sections=tuple(each for each in kept if each.sentences))
        return reading

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "summary": [each.to_dict() for each in self.summary],
            "sections": [each.to_dict() for each in self.sections],
            "keywords": list(self.keywords),
        }

    @classmethod
    def from_dict(cls, value: Any) -> Reading:
        """The reading of a JSON object; raises `INVALID_INPUT` with all its problems."""
        found = [*problems_of(value, schema())]
        if found:
            first = found[0]
            raise InvalidInput(
                f"not a reading: {first.path or 'it'} {first.detail}",
                problems=[each.to_dict() for each in found[:20]],
            )
        return made(value)


def _is_free(sentence: Sentence) -> bool:
    return sentence.kind not in CITING


def _without_disclaimers(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    return tuple(each for each in sentences if each.kind != "disclaimer")


def problems_of(value: Any, wanted: dict[str, Any], most: int = SENTENCES["long"]) -> Iterator[Problem]:
    """Everything that keeps a value from being a reading: the schema first, then what a schema cannot say."""
    found = [*problems(value, wanted)]
    yield from found or _rules(value, most)


def _rules(value: dict[str, Any], most: int) -> Iterator[Problem]:
    keys = [section["key"] for section in value["sections"]]
    for number, key in enumerate(keys):
        if key in keys[:number]:
            yield Problem(2, f"sections[{number}].key", "REPEATED", f"there are two sections {key}")
    total = 0
    for path, sentence in paths(value):
        total += 1
        if sentence["kind"] in CITING and not sentence["evidence"]:
            yield Problem(
                2, f"{path}.evidence", "MISSING", f"a sentence of the kind {sentence['kind']} cites facts"
            )
    if total > most:
        yield Problem(2, "", "TOO_LONG", f"must have at most {most} sentences, has {total}")


def paths(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sentences of a reading in its JSON form, each with its path."""
    for number, each in enumerate(value["summary"]):
        yield f"summary[{number}]", each
    for place, section in enumerate(value["sections"]):
        for number, each in enumerate(section["sentences"]):
            yield f"sections[{place}].sentences[{number}]", each


def made(value: dict[str, Any]) -> Reading:
    """The reading of a JSON object that has no problems."""
    return Reading(
        value["title"],
        tuple(_sentence(each) for each in value["summary"]),
        tuple(Section(each["key"], tuple(map(_sentence, each["sentences"]))) for each in value["sections"]),
        tuple(value["keywords"]),
    )


def _sentence(value: dict[str, Any]) -> Sentence:
    return Sentence(value["text"], tuple(value["evidence"]), value["kind"], value["hedge"])


def schema(
    keys: Sequence[str] = KEYS, kinds: Sequence[str] = KINDS, most: int = SENTENCES["long"]
) -> dict[str, Any]:
    """The JSON Schema of a reading; a request may allow fewer sections, kinds and sentences.

    >>> schema(keys=("overview", "advice"))["properties"]["sections"]["items"]["properties"]["key"]["enum"]
    ['overview', 'advice']
    """
    sentence = _object(
        "A sentence.",
        text=_text("The sentence.", LONGEST_SENTENCE),
        evidence={
            "description": "Ids of the facts from which the sentence follows; a fact or an inference has some.",
            "type": "array",
            "items": {"type": "string", "pattern": FACT_ID, "maxLength": 120},
            "maxItems": 16,
            "uniqueItems": True,
        },
        kind={"description": "What the sentence is.", "type": "string", "enum": list(kinds)},
        hedge={"description": "Whether it states a tendency.", "type": "boolean"},
    )
    section = _object(
        "A section.",
        key={"description": "Its subject; each occurs once.", "type": "string", "enum": list(keys)},
        sentences=_list("Its sentences.", sentence, 1, most),
    )
    reading = _object(
        "A reading of a chart, every sentence with its facts.",
        title=_text("A title without promises.", 80),
        summary=_list("The most important in a few sentences.", sentence, 1, 5),
        sections=_list("The sections in the order in which they are read.", section, 1, len(keys)),
        keywords={**_list("Words to find it by.", _text("", 40), 1, 8), "uniqueItems": True},
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:bazi-core:reading:1",
        "title": "reading",
        **reading,
    }


def _object(description: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def _list(description: str, item: dict[str, Any], least: int, most: int) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": item, "minItems": least, "maxItems": most}


def _text(description: str, longest: int) -> dict[str, Any]:
    said = {"description": description} if description else {}
    return {**said, "type": "string", "minLength": 1, "maxLength": longest, "pattern": r"\S"}
