"""What a question tells besides its subject, each by a name: a death, a complaint, a deceit, the decade to come.

Most are heard wherever they stand; what is asked of a whole life, of a place, of a star, of two charts or of animals of the
twelve years only in the clauses that ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.questions.slots import slot_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.questions.heard import Heard

BEREAVED, COMPLAINS, FORMER, NEXT_DECADE, OPERATION = _TOLD = (
    "bereaved", "complains", "former", "next_decade", "operation",
)  # fmt: skip
# What is warned of, whatever is asked.
FRAUD, SURE_GAIN, REMEDY_SALE, STOPS_TREATMENT = CAUTIONS = (
    "fraud", "sure_gain", "remedy_sale", "stops_treatment",
)  # fmt: skip
AGE_GAP, OF_STAR, TIES, TWO_CHARTS, WHERE, WHOLE_LIFE, ZODIAC = _IN_ASKING = (
    "age_gap", "of_star", "ties", "two_charts", "where", "whole_life", "zodiac",
)  # fmt: skip
# That something is asked besides which has no place in a chart: told by the parts of a question, and by no words.
MORE = "more"
MARKS = (
    *_TOLD, *CAUTIONS, *_IN_ASKING, MORE,
)  # fmt: skip


def marks_in(whole: Heard, asking: Sequence[Heard]) -> frozenset[str]:
    """The marks of a text, by the clauses of it that ask.

    >>> from bazi_core.questions.heard import heard
    >>> text = heard("6月我爹走了，今年咋这么不顺")
    >>> sorted(marks_in(text, [text]))
    ['bereaved', 'complains']
    """
    return frozenset(
        name
        for name, _, words in slot_rows("mark")
        if any(words.fits(text) for text in (asking if name in _IN_ASKING else [whole]))
    )


def is_marked(name: str, text: Heard) -> bool:
    """Whether a text has a mark, whatever it asks."""
    return any(words.fits(text) for value, _, words in slot_rows("mark") if value == name)
