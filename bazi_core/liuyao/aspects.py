"""What a question asks besides of the same matter, by rows of data (`aspects.csv`).

One cast answers one matter (一事一占), and a matter has many lines: pay and price are read from 妻财, papers from 父母,
whoever stands opposite from 应.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from bazi_core.liuyao.asked import taken
from bazi_core.liuyao.pets import in_plain_words
from bazi_core.liuyao.yongshen import label_of, topic_of
from bazi_core.questions.heard import Wording, heard, wording
from bazi_core.questions.intent import asking
from bazi_core.tables import rows

SMOOTH = "smooth"
# So many of them are told, and so many parts of a question looked at.
MOST_ASPECTS, _MOST_PARTS = 2, 12
_PARTS = re.compile(r"[，,。.？?；;！!、]|还有|還有|以及|顺便|順便|\band\b")


class Aspect(NamedTuple):
    """Something asked besides: its name, the line that answers it (nothing where the verdict does), and how that is read."""

    name: str
    line: str
    reads: str


@lru_cache(maxsize=512)
def aspects(question: str | None, question_type: str | None) -> tuple[Aspect, ...]:
    """The aspects of the same matter that are asked besides, after what is asked first.

    >>> [each.name for each in aspects("能不能面上，工资能有多少", "求职")]
    ['pay']
    >>> [each.line for each in aspects("Should I sign the lease, and will the landlord be fair?", "房产")]
    ['应']
    >>> aspects("Will I get the job, and how is my love life?", "求职")
    ()
    """
    topic, texts, found = _topic(question_type), _besides(question, question_type), dict[str, Aspect]()
    for row, topics, words in _rows():
        if topic in topics and any(words.fits(heard(text)) for text in texts):
            found.setdefault(row.line or row.name, row)
    return tuple(found.values())[:MOST_ASPECTS]


@lru_cache(maxsize=512)
def kinds_answered(question: str | None, question_type: str | None) -> tuple[str, ...]:
    """The kinds of questions that the parts would be that a line of the same matter answers.

    >>> kinds_answered("Will the trip go well and will the client sign?", "出行")
    ('生意',)
    """
    told, topic = aspects(question, question_type), _topic(question_type)
    rows_ = [words for row, topics, words in _rows() if row in told and topic in topics]
    texts = _besides(question, question_type)
    kinds = (taken(text) for text in texts if any(words.fits(heard(text)) for words in rows_))
    return tuple(kind.label for kind in kinds if kind is not None)


def _topic(question_type: str | None) -> str:
    label = label_of(question_type)
    return topic_of(label) if label else ""


def _besides(question: str | None, question_type: str | None) -> list[str]:
    """The parts of what is asked that are asked besides: all but the first, which the verdict answers unless the kind of
    question was taken from a later one."""
    if not question:
        return []
    asks = asking(in_plain_words(question))
    parts = [part for each in asks for part in _PARTS.split(each) if part.strip()][:_MOST_PARTS]
    first = taken(parts[0]) if len(parts) > 1 else None
    is_later = len(parts) > 1 and (first is None or first.label != label_of(question_type))
    return parts if is_later else parts[1:]


@cache
def _rows() -> tuple[tuple[Aspect, frozenset[str], Wording], ...]:
    return tuple(
        (
            Aspect(row["aspect"], row["line"], row["reads"]),
            frozenset(row["topics"].split()),
            wording(row["zh"], row["en"]),
        )
        for row in rows("liuyao/aspects")
    )
