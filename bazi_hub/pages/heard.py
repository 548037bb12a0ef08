"""What a question is understood as, in words, before anything is bought: by the same rows of data that answer it."""

from __future__ import annotations

from typing import NamedTuple

from bazi_core.questions.intent import GIBBERISH
from bazi_core.questions.question import LONGEST, Question, question
from bazi_hub.pages.texts import known, text

# A question that asks for nothing of a chart is read without it; one that is not a chart's to answer is answered so; and for
# somebody in distress, or where death is asked about, there is help in place of a reading. Neither of these two is charged.
NOT_UNDERSTOOD, SET_ASIDE, CARE = "gibberish", "set_aside", "care"
_FREE = (SET_ASIDE, CARE)


class Heard(NamedTuple):
    """How a question will be answered: what it is understood as, and what else is said of it. `way` is empty for a question
    that is answered as it is understood.
    """

    way: str
    understood: str
    notes: list[str]

    @property
    def free(self) -> bool:
        return self.way in _FREE


def heard(asked: str, kind: str, this_year: int, lang: str) -> Heard | None:
    """A question as it is understood for a reading of this kind; None for none, and for one too long to be read.

    >>> heard("2027年适合换工作吗？", "life", 2026, "zh-Hans").understood
    '事业 · 合不合适 · 2027 年'
    >>> heard("Should I change jobs? Will I marry him in 2027?", "life", 2026, "en").understood
    'career · whether it suits; marriage · whether it suits · 2027'
    >>> heard("asdf", "life", 2026, "en").way
    'gibberish'
    """
    found = question(asked) if len(asked) <= LONGEST else None
    if found is None:
        return None
    if found.is_declined:
        return Heard(CARE, "", [text("heard.care", lang)])
    if found.category == GIBBERISH:
        return Heard(NOT_UNDERSTOOD, "", [text(f"heard.gibberish.{kind}", lang)])
    if found.is_set_aside:
        return Heard(SET_ASIDE, "", [text("heard.set_aside", lang)])
    return Heard("", _understood(found, this_year, lang), _notes(found, lang))


def answerable(asked: str) -> str:
    """The question as the reading is asked it: none where nothing of it is understood."""
    found = question(asked) if len(asked) <= LONGEST else None
    return "" if found is not None and found.category == GIBBERISH else asked


def year_of(asked: str, this_year: int) -> int | None:
    """The first year that a question names."""
    found = question(asked) if len(asked) <= LONGEST else None
    return next(iter(found.intent.years_from(this_year)), None) if found is not None else None


def only_year_of(asked: str, this_year: int) -> int | None:
    """The year that a question names; None where it names none or several.

    >>> only_year_of("2028年能结婚吗？", 2026), only_year_of("今年财运如何？", 2026)
    (2028, 2026)
    >>> only_year_of("2027年还是2028年换工作好？", 2026)
    """
    found = question(asked) if len(asked) <= LONGEST else None
    years = list(found.intent.years_from(this_year)) if found is not None else []
    return years[0] if len(years) == 1 else None


def _understood(found: Question, this_year: int, lang: str) -> str:
    """What each part of a question is understood as, in their order."""
    gap, between = (", ", "; ") if lang == "en" else ("、", "；")
    return between.join(_part(part, this_year, lang, gap) for part in found.parts)


def _part(found: Question, this_year: int, lang: str, gap: str) -> str:
    intent = found.intent
    parts = [text(f"heard.domain.{intent.domain}", lang), text(f"heard.kind.{intent.kind}", lang)]
    if years := intent.years_from(this_year):
        parts.append(text("heard.years", lang, years=gap.join(map(str, years))))
    return " · ".join(parts)


def _notes(found: Question, lang: str) -> list[str]:
    """What the reading leaves out, and whose chart it is that speaks."""
    notes = [
        text(f"heard.left_out.{name}", lang) for name in found.referrals if known(f"heard.left_out.{name}")
    ]
    if found.is_general:
        notes.append(text("heard.general", lang))
    elif found.intent.whose != "self":
        notes.append(text("heard.other", lang))
    return notes
