"""A reading: title, summary and sections made of sentences, each with the ids of the facts that it rests on.

The same value comes out of every plan, whoever chose its statements: the rules or a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TOPICS = (
    "overview", "pattern", "doubts", "luck", "career", "wealth", "relationship", "family", "study",
    "health_balance", "months", "advice",
)  # fmt: skip
KINDS = ("fact", "inference", "advice", "transition", "disclaimer")
# The most sentences of a reading by its length; the disclaimer and a referral count.
SENTENCES = {"short": 10, "standard": 30, "long": 60}
# Columns from which a paragraph is long, a Chinese sign taking two; and the statements with which another thought begins.
LONG = 960
JOINTS = (
    "edge.", "opening", "diagnosis.", "image.", "strength.", "season.", "ties.first", "ties.beside", "stars.", "reason.",
    "methods.", "avoid", "walk.", "answer.natal.", "answer.move.", "answer.kin.", "answer.bearing.palace.",
    "answer.decade", "answer.how.", "answer.decides", "year.", "month.", "event.",
)  # fmt: skip


class Sentence(NamedTuple):
    """One sentence. `kind` says what it is; a fact or an inference cites its evidence; a hedge is a tendency.

    `statement` is the id of the statement that it renders; nothing for a line of a model's own and for fixed texts.
    """

    text: str
    evidence: tuple[str, ...] = ()
    kind: str = "fact"
    hedge: bool = False
    statement: str | None = None

    def to_dict(self) -> dict[str, Any]:
        made: dict[str, Any] = {
            "text": self.text, "evidence": list(self.evidence), "kind": self.kind, "hedge": self.hedge,
        }  # fmt: skip
        return made if self.statement is None else made | {"statement": self.statement}


class Section(NamedTuple):
    """The sentences on one subject."""

    key: str
    sentences: tuple[Sentence, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"key": self.key, "sentences": [sentence.to_dict() for sentence in self.sentences]}


def _but_disclaimer(sentences: Sequence[Sentence]) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.kind != "disclaimer"]


def _width(sentences: Iterable[Sentence]) -> int:
    """Columns of a text; a Chinese sign takes two."""
    return sum(len(each.text) + sum(sign > "\u2e80" for sign in each.text) for each in sentences)


def _parted(sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    """A paragraph; a long one in parts of some length, each but the first beginning with another thought."""
    left = _width(sentences)
    part: list[Sentence] = []
    for each in sentences:
        is_long = _width(part) + left > LONG and _width(part) >= LONG // 2 and left >= LONG // 4
        if is_long and str(each.statement).startswith(JOINTS):
            yield part
            part = []
        part.append(each)
        left -= _width((each,))
    yield part


class Reading(NamedTuple):
    """A whole reading.

    >>> said = Sentence("日主庚身弱。", ("str.verdict",))
    >>> Reading("命局解读", (said,), (Section("overview", (said,)),), ("身弱",)).narrative()
    '日主庚身弱。\\n\\n日主庚身弱。'
    """

    title: str
    summary: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    keywords: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Reading {shown(self.title)}: {len(self.sentences)} sentences>"

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences in the order in which they are read."""
        return (*self.summary, *(sentence for section in self.sections for sentence in section.sentences))

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the facts that the sentences cite, each once, in order."""
        return tuple(dict.fromkeys(name for sentence in self.sentences for name in sentence.evidence))

    def narrative(self, language: str = "zh-Hans") -> str:
        """The sentences as one text: a paragraph for the summary and each section, a long one parted where another thought
        begins, sections of a single sentence together, the disclaimer by itself."""
        glue = " " if language == "en" else ""
        body = [[each.text for each in part] for whole in self._paragraphs() for part in _parted(whole)]
        last = [sentence.text for sentence in self.sentences if sentence.kind == "disclaimer"]
        return "\n\n".join(glue.join(texts) for texts in (*body, last) if texts)

    def _paragraphs(self) -> Iterator[Sequence[Sentence]]:
        yield _but_disclaimer(self.summary)
        short: list[Sentence] = []
        for section in self.sections:
            sentences = _but_disclaimer(section.sentences)
            if len(sentences) == 1:
                short += sentences
                continue
            yield short
            yield sentences
            short = []
        yield short

    def ended(self, *last: Sentence) -> Reading:
        """The reading with these sentences at the end of its last section."""
        *sections, final = self.sections or (Section("advice", ()),)
        return self._replace(sections=(*sections, Section(final.key, final.sentences + last)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "summary": [each.to_dict() for each in self.summary],
            "sections": [section.to_dict() for section in self.sections],
            "keywords": list(self.keywords),
        }
