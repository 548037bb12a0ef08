"""The answer to a cast: level of the sign, conclusion, focus points, advice, the text, and keywords.

The same value comes from a model and from the rules. Every item of the lists cites the facts from which it follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.speech.reading import Section, Sentence

LEVELS = ("上上签", "中上签", "中下签", "下下签")
# Parts of an answer, with the least and most items that each holds.
PARTS = {"conclusion": (1, 5), "focus_points": (0, 6), "advice": (0, 6), "answer": (1, 40)}


class CitedSentence(NamedTuple):
    """A sentence with the ids of the facts from which it follows; one that `opens` begins a paragraph."""

    text: str
    evidence: tuple[str, ...] = ()
    opens: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "evidence": list(self.evidence)}


class DivinationReading(NamedTuple):
    """An answer; `sign_level` is None and the lists are empty where there is no divination.

    >>> said = CitedSentence("签等为中上签。", ("ly.sign",))
    >>> DivinationReading("中上签", (said,), (), (), (said,), ("中上签",), "zh-Hans").text
    '签等为中上签。'
    """

    sign_level: str | None
    conclusion: tuple[CitedSentence, ...]
    focus_points: tuple[CitedSentence, ...]
    advice: tuple[CitedSentence, ...]
    answer: tuple[CitedSentence, ...]
    keywords: tuple[str, ...]
    language: str

    @property
    def text(self) -> str:
        """The sentences of the answer as one text, an empty line between its paragraphs."""
        return "\n\n".join(self.paragraphs)

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraphs of the answer, the disclaimer in the last one."""
        groups: list[list[str]] = []
        for item in self.answer:
            if item.opens or not groups:
                groups.append([])
            groups[-1].append(item.text)
        glue = " " if self.language == "en" else ""
        return tuple(map(glue.join, groups))

    def flat(self) -> dict[str, Any]:
        """Lists of texts, the answer as one text, and the evidence beside them, item by item."""
        parts = [part for part in PARTS if part != "answer"]
        flat: dict[str, Any] = {} if self.sign_level is None else {"sign_level": self.sign_level}
        flat |= {part: [item.text for item in getattr(self, part)] for part in parts}
        flat |= {"keywords": list(self.keywords), "answer": self.text, "language": self.language}
        evidence = {part: [list(item.evidence) for item in getattr(self, part)] for part in PARTS}
        return flat | {"evidence": evidence}

    def to_dict(self) -> dict[str, Any]:
        members: dict[str, Any] = {} if self.sign_level is None else {"sign_level": self.sign_level}
        members |= {part: [item.to_dict() for item in getattr(self, part)] for part in PARTS}
        return members | {"keywords": list(self.keywords), "language": self.language}


def items(sentences: Iterable[Sentence]) -> tuple[CitedSentence, ...]:
    """Sentences as items."""
    return tuple(CitedSentence(sentence.text, sentence.evidence) for sentence in sentences)


def running(sections: Iterable[Section]) -> tuple[CitedSentence, ...]:
    """The sentences of sections as items, each section a paragraph."""
    return tuple(
        CitedSentence(each.text, each.evidence, opens=at == 0)
        for section in sections
        for at, each in enumerate(section.sentences)
    )
