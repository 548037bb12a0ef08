"""The very thing that a question asks of a cast, so that its answer names it, by rows of data (`matters.csv`).

A kind of question says which line stands for it; what is asked within the kind (whether somebody calls, whether a house is
sold, whether to say yes) decides how the answer is worded, and who stands opposite as 应.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from bazi_core.liuyao.yongshen import label_of, topic_of
from bazi_core.questions.heard import Heard, Wording, heard, wording
from bazi_core.tables import rows

# How a matter is answered: it comes about or not; whether to do it; the 用神 is what one would leave, or fears to lose, and
# stays; how it goes.
EVENT, SHOULD, KEEP, KEEP_EVENT, EVEN = "event", "should", "keep", "keep_event", "even"
_ADVISED = (SHOULD, KEEP)
# Rows of words that say how a question asks and of whom, and are no matter themselves.
_ASK, _SHE, _HE, _SOON, _WHEN = "ask", "she", "he", "soon", "when"
LAW, HEALTH, LOST = "law", "health", "lost"
NEAR, LONG = "near", "long"
YEAR_END, IN_HOUSE = "year_end", "in_house"
# A question has 500 characters; at most this many of its clauses are looked at.
_MOST_PARTS = 12


class Matter(NamedTuple):
    """What is asked: its name, its form, who 应 is in it (nothing where nobody stands opposite), its topic, of whom, and
    whether it is over in these days."""

    name: str
    form: str
    party: str
    topic: str
    whose: str
    soon: bool = False

    @property
    def is_advised(self) -> bool:
        """Whether it is asked what to do."""
        return self.form in _ADVISED


class _MatterRow(NamedTuple):
    name: str
    labels: tuple[str, ...]
    topics: tuple[str, ...]
    form: str
    party: str
    words: Wording | None

    def holds(self, label: str | None, topic: str, text: Heard | None, advised: bool) -> bool:
        if self.labels != ("*",) and label not in self.labels and topic not in self.topics:
            return False
        if self.form in _ADVISED and not advised:
            return False
        return self.words is None or (text is not None and self.words.fits(text))


@lru_cache(maxsize=512)
def matter_of(question: str | None, question_type: str | None) -> Matter:
    """The matter of a question of a kind; of a kind alone, how it goes.

    >>> matter_of("他还爱我吗", "感情")
    Matter(name='heart', form='event', party='other', topic='love', whose='he', soon=False)
    >>> [matter_of(*each).name for each in (("我该不该离职", "事业"), ("签证会过吗", "文书"), (None, "财运"), (None, None))]
    ['quit', 'visa', 'money', 'any']
    """
    label = label_of(question_type)
    topic = topic_of(label) if label else ""
    text = heard(question) if question else None
    table = _rows()
    is_said = {name: text is not None and _fits(table, name, text) for name in (_ASK, _SHE, _HE)}
    # Of what is lost "where should I look" asks for the place.
    is_advised = is_said[_ASK] and topic != LOST
    found = next(row for row in table if row.form and row.holds(label, topic, text, is_advised))
    whose = next((name for name in (_SHE, _HE) if is_said[name]), "they")
    is_soon = any(row.holds(label, topic, text, True) for row in table if row.name == _SOON)
    return Matter(found.name, found.form, found.party, topic, whose, is_soon)


def _fits(table: tuple[_MatterRow, ...], name: str, text: Heard) -> bool:
    return any(row.words.fits(text) for row in table if row.name == name and row.words)


@cache
def _rows() -> tuple[_MatterRow, ...]:
    return tuple(
        _MatterRow(
            row["matter"], tuple(row["labels"].split()), tuple(row["topics"].split()), row["form"], row["party"],
            wording(row["zh"], row["en"]) if row["zh"] or row["en"] else None,
        )
        for row in rows("liuyao/matters")
    )  # fmt: skip


# Matters of two persons that have one line: where two are asked in two clauses, the answer to one is that to the other.
_TWINS = ("contact", "heart", "back", "wed", "lasting", "meet")
_PARTS = re.compile(r"[，,。？?；;！!]|还有|還有|以及|\band\b")


@lru_cache(maxsize=512)
def beside(question: str | None, question_type: str | None) -> str:
    """The matter of another clause that the same line answers; nothing where there is none.

    >>> beside("他还想我吗，我们能复合吗", "感情"), beside("我们能复合吗", "感情")
    ('back', '')
    """
    first = matter_of(question, question_type).name
    if question is None or first not in _TWINS:
        return ""
    label = label_of(question_type)
    topic, parts = (
        topic_of(label) if label else "",
        [heard(each) for each in _PARTS.split(question) if each.strip()],
    )
    for part in parts[1:_MOST_PARTS]:
        held = next((row for row in _rows() if row.form and row.holds(label, topic, part, False)), None)
        if held is not None and held.words is not None and held.name in _TWINS and held.name != first:
            return held.name
    return ""


@lru_cache(maxsize=512)
def names(question: str | None, what: str) -> bool:
    """Whether a question names a limit or a place: `year_end`, `in_house`.

    >>> names("年底前会还吗", "year_end"), names("I lost it somewhere in the house", "in_house"), names(None, "in_house")
    (True, True, False)
    """
    return question is not None and _fits(_rows(), what, heard(question))


@lru_cache(maxsize=512)
def asks_when(question: str | None) -> bool:
    """Whether a question asks for a time, alone or beside what else it asks.

    >>> [asks_when(each) for each in ("会还吗？什么时候还", "Will they pay, and when?", "Will they pay?", None)]
    [True, True, False, False]
    """
    return question is not None and _fits(_rows(), _WHEN, heard(question))


@lru_cache(maxsize=512)
def standing_of(question: str | None) -> str:
    """Whether a question says that an illness is recent (`near`) or of long standing (`long`); nothing for neither.

    >>> [standing_of(each) for each in ("我的感冒什么时候好", "媽媽的老毛病會好嗎", "Will my mother get well soon?")]
    ['near', 'long', '']
    """
    text = heard(question) if question else None
    if text is None:
        return ""
    return next((name for name in (LONG, NEAR) if _standings()[name].fits(text)), "")


@cache
def _standings() -> dict[str, Wording]:
    return {row["mark"]: wording(row["zh"], row["en"]) for row in rows("liuyao/illness") if row["zh"]}


@cache
def illness_marks() -> tuple[str, ...]:
    """The marks that say of an illness how it goes by how long it has lasted.

    >>> illness_marks()
    ('旬空', '日冲', '六冲')
    """
    return tuple(row["mark"] for row in rows("liuyao/illness") if not row["zh"])
