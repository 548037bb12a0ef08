"""The answer to a cast: level of the sign, conclusion, what to look at, advice, the text, and words to find it by.

The same value comes from a model and from the rules. Every item of the lists cites the facts from which it follows.
Its JSON form is closed, and `schema()` describes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidInput
from bazi_core.readings.reading import FACT_ID
from bazi_core.readings.validation import Problem, problems
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = ("上上签", "中上签", "中下签", "下下签")
# Parts of an answer, with the least and most items that each holds.
PARTS = {"conclusion": (1, 5), "focus_points": (0, 6), "advice": (0, 6), "answer": (1, 40)}
LONGEST_ITEM, LONGEST_ANSWER, LONGEST_KEYWORD = 200, 4000, 16


class Item(NamedTuple):
    """A sentence, or a few, with the ids of the facts from which it follows."""

    text: str
    evidence: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "evidence": list(self.evidence)}


class DivinationReading(NamedTuple):
    """An answer; `sign_level` is None and the lists are empty where there is no divination.

    >>> said = Item("签等为中上签。", ("ly.sign",))
    >>> reading = DivinationReading("中上签", (said,), (), (), (said,), ("中上签",), "zh-Hans")
    >>> DivinationReading.from_dict(reading.to_dict()) == reading, reading.text
    (True, '签等为中上签。')
    """

    sign_level: str | None
    conclusion: tuple[Item, ...]
    focus_points: tuple[Item, ...]
    advice: tuple[Item, ...]
    answer: tuple[Item, ...]
    keywords: tuple[str, ...]
    language: str

    @property
    def items(self) -> tuple[tuple[str, Item], ...]:
        """Every item with the part it belongs to."""
        return tuple((part, item) for part in PARTS for item in getattr(self, part))

    @property
    def text(self) -> str:
        """The sentences of the answer as one text."""
        return (" " if self.language == "en" else "").join(item.text for item in self.answer)

    def ended(self, *last: Item) -> DivinationReading:
        """The answer with these sentences at its end."""
        return self._replace(answer=(*self.answer, *last))

    def flat(self) -> dict[str, Any]:
        """Lists of texts, the answer as one text, and the evidence beside them, item by item."""
        parts = [part for part in PARTS if part != "answer"]
        made: dict[str, Any] = {} if self.sign_level is None else {"sign_level": self.sign_level}
        made |= {part: [item.text for item in getattr(self, part)] for part in parts}
        made |= {"keywords": list(self.keywords), "answer": self.text, "language": self.language}
        evidence = {part: [list(item.evidence) for item in getattr(self, part)] for part in PARTS}
        return made | {"evidence": evidence}

    def to_dict(self) -> dict[str, Any]:
        made: dict[str, Any] = {} if self.sign_level is None else {"sign_level": self.sign_level}
        made |= {part: [item.to_dict() for item in getattr(self, part)] for part in PARTS}
        return made | {"keywords": list(self.keywords), "language": self.language}

    @classmethod
    def from_dict(cls, value: Any) -> DivinationReading:
        """The answer of a JSON object; raises `INVALID_INPUT` with all its problems."""
        declined = isinstance(value, dict) and "sign_level" not in value
        found = [*problems_of(value, schema(declined=declined))]
        if found:
            raise InvalidInput(
                f"not an answer: {found[0].path or 'it'} {found[0].detail}",
                problems=[each.to_dict() for each in found[:20]],
            )
        return made(value)


def made(value: dict[str, Any]) -> DivinationReading:
    """The answer of a JSON object that has no problems."""
    parts = [tuple(Item(each["text"], tuple(each["evidence"])) for each in value[part]) for part in PARTS]
    return DivinationReading(
        value.get("sign_level"),
        parts[0],
        parts[1],
        parts[2],
        parts[3],
        tuple(value["keywords"]),
        value["language"],
    )


def problems_of(value: Any, wanted: dict[str, Any]) -> Iterator[Problem]:
    """Everything that keeps a value from being an answer: the schema first, then what a schema cannot say."""
    found = [*problems(value, wanted)]
    yield from found or _rules(value)


def _rules(value: dict[str, Any]) -> Iterator[Problem]:
    gaps = max(0, len(value["answer"]) - 1)
    length = sum(len(item["text"]) for item in value["answer"]) + gaps
    if length > LONGEST_ANSWER:
        yield Problem(2, "answer", "TOO_LONG", f"must have at most {LONGEST_ANSWER} characters, has {length}")
    if "sign_level" not in value:
        return
    for part in ("conclusion", "focus_points"):
        for number, item in enumerate(value[part]):
            if not item["evidence"]:
                yield Problem(
                    2, f"{part}[{number}].evidence", "MISSING", "cites the facts from which it follows"
                )
    if not any(item["evidence"] for item in value["answer"]):
        yield Problem(2, "answer", "MISSING", "must cite facts")


def texts(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of an answer in its JSON form, with its path."""
    for part in PARTS:
        yield from ((f"{part}[{number}]", item["text"]) for number, item in enumerate(value[part]))
    yield from ((f"keywords[{number}]", word) for number, word in enumerate(value["keywords"]))


def schema(
    languages: tuple[str, ...] = LANGUAGES, reserved: int = 0, declined: bool = False
) -> dict[str, Any]:
    """The JSON Schema of an answer; `reserved` sentences are kept free at its end, `declined` is one without divination.

    >>> schema()["properties"]["sign_level"]["enum"]
    ['上上签', '中上签', '中下签', '下下签']
    """
    item = {
        "description": "A sentence with the ids of the facts from which all of it follows.",
        "type": "object",
        "additionalProperties": False,
        "required": ["text", "evidence"],
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": LONGEST_ITEM, "pattern": r"\S"},
            "evidence": {
                "type": "array",
                "items": {"type": "string", "pattern": FACT_ID, "maxLength": 120},
                "maxItems": 24,
                "uniqueItems": True,
            },
        },
    }
    members: dict[str, Any] = {}
    if not declined:
        members["sign_level"] = {
            "description": "The level that the facts state.",
            "type": "string",
            "enum": list(LEVELS),
        }
    for part, (least, most) in PARTS.items():
        most = most - reserved if part == "answer" else most
        own = (0, 0) if declined and part != "answer" else (least, most)
        members[part] = {"type": "array", "items": item, "minItems": own[0], "maxItems": own[1]}
    members["keywords"] = {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEYWORD, "pattern": r"\S"},
        "minItems": 0 if declined else 1,
        "maxItems": 8,
        "uniqueItems": True,
    }
    members["language"] = {"type": "string", "enum": list(languages)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:bazi-core:divination-reading:1",
        "title": "divination_reading",
        "description": "The answer to a cast of six lines, every sentence with its facts.",
        "type": "object",
        "additionalProperties": False,
        "required": list(members),
        "properties": members,
    }
