"""What a question asks besides of the same matter, by rows of data (`aspects.csv`).

One cast answers one matter (一事一占), and a matter has many lines: pay and price are read from 妻财, papers from 父母,
whoever stands opposite from 应.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

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
    """What is asked besides of the same matter, after what is asked first.

    >>> [each.name for each in aspects("能不能面上，工资能有多少", "求职")]
    ['pay']
    >>> [each.line for each in aspects("Should I sign the lease, and will the landlord be fair?", "房产")]
    ['应']
    >>> aspects("Will I get the job, and how is my love life?", "求职")
    ()
    """
    label = label_of(question_type)
    if not question or label is None:
        return ()
    parts = [part for each in asking(in_plain_words(question)) for part in _PARTS.split(each) if part.strip()]
    texts = [heard(part) for part in parts[1:_MOST_PARTS]]
    topic, found = topic_of(label), dict[str, Aspect]()
    for row, topics, words in _rows():
        if topic in topics and any(words.fits(text) for text in texts):
            found.setdefault(row.line or row.name, row)
    return tuple(found.values())[:MOST_ASPECTS]


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
