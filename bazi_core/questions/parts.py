"""The questions of a text: whoever asks two things is answered twice.

A part is a clause that asks, with what is told before it. What it asks by itself (whether and when, a "how about it?") stays
with the question before it.
"""

from __future__ import annotations

from typing import NamedTuple

from bazi_core.questions.heard import heard
from bazi_core.questions.intent import intent
from bazi_core.questions.slots import clauses_of

# So many questions of one text are answered, and so many clauses looked at: who writes more asks one thing many times.
MOST_PARTS, MOST_CLAUSES = 4, 12
_VAGUE = ("general", "self", "timing")


def parted(text: str) -> tuple[str, ...]:
    """The questions of a text in their order; the text itself where it asks one thing.

    >>> parted("老公要同我離婚，我離唔離好？個仔跟唔跟到我？")
    ('老公要同我離婚,我離唔離好?', '個仔跟唔跟到我?')
    >>> parted("我能升职吗？什么时候？"), parted("今年事业和感情怎么样？")
    (('我能升职吗？什么时候？',), ('今年事业和感情怎么样？',))
    """
    parts, told, about = list[str](), list[str](), _NOTHING
    clauses = clauses_of(heard(text).plain)
    for clause in clauses[:MOST_CLAUSES]:
        told.append(clause.text)
        if not clause.asks:
            continue
        part = ",".join(told)
        own, by_itself = _about(part), _about(clause.text)
        if parts and (by_itself == _NOTHING or len(parts) == MOST_PARTS or not _is_apart(about, own)):
            parts[-1] = f"{parts[-1]},{part}"
            about = own if about == _NOTHING else about
        else:
            parts.append(part)
            about = own
        told = []
    rest = ",".join(clause.text for clause in clauses[MOST_CLAUSES:])
    return (*parts[:-1], ",".join(filter(None, (parts[-1], rest)))) if len(parts) > 1 else (text,)


class _About(NamedTuple):
    """What is asked about: the side of life, the matter, the way of its own, the person."""

    domain: str = ""
    matter: str = ""
    way: str = ""
    whose: str = "self"


# What a clause is about that asks only when, whether or how of something that was named before.
_NOTHING = _About()


def _about(text: str) -> _About:
    """What a text asks about; `_NOTHING` where it names no matter, person or side of life."""
    asked = intent(text)
    if asked.domain in _VAGUE and not asked.matter and not asked.about and asked.whose == "self":
        return _NOTHING
    domain = "relationship" if asked.domain == "marriage" else asked.domain
    return _About(domain, asked.matter, asked.about, asked.whose)


def _is_apart(one: _About, two: _About) -> bool:
    """Whether a question is about something else than the one before it; a matter that is not named anew is the same."""
    if one == _NOTHING:
        return False
    is_other_matter = bool(one.matter and two.matter) and one.matter != two.matter
    is_other_way = bool(two.way) and one.way != two.way
    return one.domain != two.domain or one.whose != two.whose or is_other_matter or is_other_way
