"""The questions of a text: whoever asks two things is answered twice.

A part is a clause that asks, with what is told before it. What asks whether, when or how much of the same thing stays with
the question before it; who asks why or how besides, or which of two, asks another question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.questions.chains import named_again
from bazi_core.questions.heard import heard, without_greeting
from bazi_core.questions.intent import intent
from bazi_core.questions.marks import WHERE, is_marked
from bazi_core.questions.slots import clauses_of, first, taken_out

if TYPE_CHECKING:
    from bazi_core.questions.slots import Clause

# So many questions of one text are answered, and so many clauses looked at: who writes more asks one thing many times.
MOST_PARTS, MOST_CLAUSES = 4, 12
_VAGUE = ("general", "self", "timing")
# Persons with whom something is of its own.
_BESIDE = ("parents_in_law", "parents", "father", "mother", "sibling", "boss", "colleague", "friend")
# Years that are counted from the present one, as they are said in hanzi and in English.
_LATER = {1: ("明年", "next year"), 2: ("后年", "the year after next")}
# What a clause says only because it asks, and what it says besides.
_OF_ASKING = ("speech", "kind", "asks", "form", "year")
_LONG_WORD = re.compile(r"(?<![a-z])(?!they|them|that|this|there)[a-z]{4,}")
_HANZI = re.compile(r"[^\W\da-z_]")
# Kinds that one answer holds together, and those that are told with their cause.
_ONE_ANSWER = (frozenset(("whether", "when", "which", "describe")), frozenset(("why", "how", "describe")))


class Part(NamedTuple):
    """A question of a text. Where it leans on what was asked before, `kind` is what its last clause asks, and `domain` the
    side of life that was asked about; else these are "". `has_more` says that something of its own is asked in it besides,
    which is answered with the rest."""

    text: str
    kind: str = ""
    domain: str = ""
    has_more: bool = False


def parted(text: str) -> tuple[Part, ...]:
    """The questions of a text in their order; the text itself where it asks one thing.

    >>> [part.text for part in parted("老公要同我離婚，我離唔離好？個仔跟唔跟到我？")]
    ['老公要同我離婚,我離唔離好?', '個仔跟唔跟到我?']
    >>> parted("我跟婆婆合不合？怎么处才好？")[1]
    Part(text='我跟婆婆合不合?,怎么处才好?', kind='how', domain='', has_more=False)
    >>> len(parted("我能升职吗？什么时候？")), len(parted("今年事业和感情怎么样？"))
    (1, 1)
    """
    clauses = clauses_of(named_again(without_greeting(heard(text).plain)))
    heard_, told = _Parting(), list[str]()
    for clause in clauses[:MOST_CLAUSES]:
        told.append(clause.text)
        if clause.asks:
            heard_.hear(clause, _written(told))
            told = []
    parts = heard_.parts
    if len(parts) < 2:
        return (Part(text, has_more=any(part.has_more for part in parts)),)
    rest = [clause.text for clause in clauses[MOST_CLAUSES:]]
    return (*parts[:-1], parts[-1]._replace(text=_written([parts[-1].text, *told, *rest])))


class _Parting:
    """The parts that were heard, and what the last of them asks about."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._about = _NOTHING

    def hear(self, clause: Clause, part: str) -> None:
        """A clause that asks, with what is told before it: a part, or more of the part before it."""
        own, is_vague = _about(part), _about(clause.text) == _NOTHING
        if not self.parts or (self._may_part(clause) and not is_vague and _is_apart(self._about, own)):
            self.parts.append(Part(part))
            self._about = own
            return
        last, kind = self.parts[-1], first("kind", [clause.heard]) or "describe"
        if (
            self._may_part(clause)
            and first("retried", [clause.heard])
            and (later := _year_after(last.text, part))
        ):
            self.parts.append(Part(later, domain=self._about.domain))
            return
        joined = _written([last.text, part])
        if self._may_part(clause) and is_vague and _leaves(last, self._about, clause, kind, own):
            self.parts.append(Part(part, domain=self._about.domain if self._about.way != "tai_sui" else ""))
        elif (
            self._may_part(clause) and not (is_vague and _lists_times(clause)) and self._is_more(kind, joined)
        ):
            self.parts.append(Part(joined if own == _NOTHING else part, kind))
        else:
            is_own = kind == "whether" == intent(last.text).kind and _has_content(clause)
            is_own = (is_own and not _is_choice(clause)) or is_marked(WHERE, clause.heard)
            self.parts[-1] = last._replace(text=joined, has_more=last.has_more or is_own)
            self._about = own if self._about == _NOTHING else self._about

    def _may_part(self, clause: Clause) -> bool:
        """Whether there is room, and the clause is no other choice in what was asked."""
        is_choice = _is_choice(clause) and not _is_another(clause, self._about)
        return len(self.parts) < MOST_PARTS and not is_choice

    def _is_more(self, kind: str, joined: str) -> bool:
        """Whether a clause asks in another kind, or for what is told in a way of its own; the choices of which one is to be
        taken are named behind it."""
        if self._about == _NOTHING and kind == "compare" == intent(self.parts[-1].text).kind:
            return False
        return _asks_anew(self.parts[-1], kind) or _about(joined).way not in ("", self._about.way)


def _year_after(before: str, part: str) -> str:
    """What is tried again, put to the year after the one that was asked about; "" where none was named."""
    asked, own = intent(before), intent(part)
    if own.years or own.ahead:
        return ""
    if asked.years:
        year = asked.years[-1] + 1
        return f"{year}年,{part}" if not part.isascii() else f"in {year}, {part}"
    named = _LATER.get(asked.ahead[-1] + 1) if asked.ahead else None
    return f"{named[part.isascii()]},{part}" if named else ""


def _is_choice(clause: Clause) -> bool:
    return first("instead", [clause.heard]) is not None


def _has_content(clause: Clause) -> bool:
    """Whether a clause says more than that it asks: three hanzi, or two words that are no pronouns."""
    left = clause.heard
    for slot in _OF_ASKING:
        left = taken_out(slot, left)
    if clause.text.isascii():
        return len(_LONG_WORD.findall(left.plain)) >= 2
    return len(_HANZI.findall(left.signs)) >= 3


def _lists_times(clause: Clause) -> bool:
    """Whether a clause lists months or years among which it asks."""
    asked = intent(clause.text)
    return asked.kind == "compare" and len(asked.months or asked.years) > 1


def _is_another(clause: Clause, about: _About) -> bool:
    """Whether a choice is one of another matter in a year of its own."""
    asked = intent(clause.text)
    return bool(asked.years or asked.ahead) and asked.matter not in ("", about.matter)


def _written(texts: list[str]) -> str:
    """Clauses as one text; what is told in one is none of another's business, so they stay apart."""
    made = texts[0]
    for text in texts[1:]:
        made += ("," if not text.isascii() else " " if made.endswith("?") else ". ") + text
    return made


def _asks_anew(part: Part, kind: str) -> bool:
    """Whether a kind of question is none that is answered with a part that was asked before."""
    both = {part.kind or intent(part.text).kind, kind}
    return len(both) > 1 and not any(both <= each for each in _ONE_ANSWER)


def _leaves(part: Part, about: _About, clause: Clause, kind: str, own: _About) -> bool:
    """Whether a clause that names nothing leaves what was asked before: it looks past a year that is named, or does not ask
    about 太岁."""
    is_later = first("later", [clause.heard]) is not None and bool(intent(part.text).years)
    return is_later or (about.way == "tai_sui" and (kind in ("whether", "when") or own != _NOTHING))


class _About(NamedTuple):
    """What is asked about: the side of life, the matter, the way of its own, the person, what is left to others, and who
    is named beside the asker."""

    domain: str = ""
    matter: str = ""
    way: str = ""
    whose: str = "self"
    left: frozenset[str] = frozenset()
    beside: str = ""


# What a clause is about that asks only when, whether or how of something that was named before.
_NOTHING = _About()


def _about(text: str) -> _About:
    """What a text asks about; `_NOTHING` where it names no matter, person or side of life."""
    asked = intent(text)
    if asked.domain in _VAGUE and not asked.matter and not asked.about and asked.whose == "self":
        return _NOTHING
    domain = "relationship" if asked.domain == "marriage" else asked.domain
    beside = asked.subject if asked.subject in _BESIDE else ""
    return _About(
        domain,
        asked.matter,
        asked.about,
        asked.whose,
        frozenset({*asked.classes} - {*asked.beside, "normal", "minor"}),
        beside,
    )


def _is_apart(one: _About, two: _About) -> bool:
    """Whether a question is about something else than the one before it; a matter that is not named anew is the same."""
    if _NOTHING in (one, two):
        return False
    # What goes with an element is asked for piece by piece.
    is_named = bool(one.matter and two.matter) or one.domain == "direction"
    is_other_matter = is_named and one.matter != two.matter
    is_other_way = bool(two.way) and one.way != two.way
    is_other_person = one.whose != two.whose or two.beside not in ("", one.beside)
    return (
        one.domain != two.domain or is_other_person or is_other_matter or is_other_way or one.left != two.left
    )
