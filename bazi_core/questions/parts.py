"""The questions of a text: whoever asks two things is answered twice.

A part is a clause that asks, with what is told before it. What it asks by itself (whether and when, a "how about it?") stays
with the question before it.
"""

from __future__ import annotations

from bazi_core.questions.heard import heard
from bazi_core.questions.intent import Intent, clauses_of, intent

# So many questions of one text are answered.
MOST_PARTS = 4
_VAGUE = ("general", "self", "timing")


def parted(text: str) -> tuple[str, ...]:
    """The questions of a text in their order; the text itself where it asks one thing.

    >>> parted("老公要同我離婚，我離唔離好？個仔跟唔跟到我？")
    ('老公要同我離婚,我離唔離好?', '個仔跟唔跟到我?')
    >>> parted("我能升职吗？什么时候？"), parted("今年事业和感情怎么样？")
    (('我能升职吗？什么时候？',), ('今年事业和感情怎么样？',))
    """
    parts, told = list[str](), list[str]()
    for clause in clauses_of(heard(text).plain):
        told.append(clause.text)
        if not clause.asks:
            continue
        if parts and not _is_apart(parts[-1], ",".join(told), clause.text):
            parts[-1] = ",".join((parts[-1], *told))
        elif len(parts) < MOST_PARTS:
            parts.append(",".join(told))
        told = []
    return tuple(parts) if len(parts) > 1 else (text,)


def _is_apart(before: str, part: str, asking: str) -> bool:
    """Whether a question is about something else than the one before it."""
    one, two, alone = intent(before), intent(part), intent(asking)
    if alone.domain in _VAGUE and not alone.matter and alone.whose == "self":
        return False
    return _subject_matter(one) != _subject_matter(two)


def _subject_matter(asked: Intent) -> tuple[str, str, str]:
    return asked.domain, asked.matter, asked.whose
