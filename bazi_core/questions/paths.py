"""Two ways of working that a question holds against each other: one's own business, a post, a craft, the lead of people,
further study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.questions.heard import Heard
from bazi_core.questions.slots import first, slot_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.questions.heard import Wording

# Ways that can be weighed against each other. Who asks about the first of one of these alone means it or the second.
PAIRS = (("own", "post"), ("craft", "lead"), ("study", "post"), ("study", "own"), ("craft", "own"))
# As many pairs of places are looked at: who names more repeats them.
_MOST = 60


def paths_in(text: Heard, is_compared: bool) -> tuple[str, ...]:
    """The two ways that a text holds against each other, in the order of `PAIRS`; none where it does not. Two that only an
    "and" joins are held against each other where the question compares.

    >>> from bazi_core.questions.heard import heard
    >>> paths_in(heard("考研还是考公"), True), paths_in(heard("Should I quit and go freelance?"), False)
    (('study', 'post'), ('own', 'post'))
    >>> paths_in(heard("今年工作和考试怎么样"), False)
    ()
    """
    named = [(value, words) for value, _, words in slot_rows("path")]
    alone = next((value for value, _, words in slot_rows("path_alone") if words.fits(text)), None)
    against = next(_against(text, named, is_compared), None) or _of_all(text, named)
    found = against or (_fitted(text, named) or alone,)
    return next((pair for pair in PAIRS if {*found} <= {*pair}), ()) if found[0] else ()


def _against(text: Heard, named: list[tuple[str, Wording]], is_compared: bool) -> Iterator[tuple[str, str]]:
    """The pairs of ways that stand on both sides of an "or"."""
    joints = [words for value, _, words in slot_rows("versus") if is_compared or value == "or"]
    for said, places in _places(text, named):
        pairs = [(one, two) for one in places for two in places if one[1] <= two[0]]
        for (_, end, one), (start, _, two) in sorted(pairs, key=lambda pair: pair[1][0] - pair[0][1])[:_MOST]:
            between = Heard((said[end:start],), said[end:start])
            if any({one, two} == {*pair} for pair in PAIRS) and any(words.fits(between) for words in joints):
                yield one, two


def _of_all(text: Heard, named: list[tuple[str, Wording]]) -> tuple[str, ...]:
    """The two ways that are told of, where it is asked which to take."""
    if first("path_open", [text]) is None:
        return ()
    told = {value for value, words in named if words.fits(text)}
    return next((pair for pair in PAIRS if told == {*pair}), ())


def _places(
    text: Heard, named: list[tuple[str, Wording]]
) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """Where each way is named: in the hanzi of a text, and in its words."""
    for said, patterns in (
        (text.signs, [(value, words.signs) for value, words in named]),
        (text.plain, [(value, words.words) for value, words in named]),
    ):
        yield (
            said,
            [
                (match.start(), match.end(), value)
                for value, pattern in patterns
                if pattern
                for match in pattern.finditer(said)
            ],
        )


def _is_of_other(before: str, after: str) -> bool:
    """Whether a way is held against something that is none of the ways, by what stands before and after it."""
    told = {"before": Heard((before,), before), "after": Heard((after,), after)}
    return any(words.fits(told[side]) for side, _, words in slot_rows("path_other"))


def _fitted(text: Heard, named: list[tuple[str, Wording]]) -> str | None:
    """The way that it is asked of, whether it suits or is to be taken."""
    for values, _, near in slot_rows("path_fits"):
        for value, words in named:
            sides = words.around(text)
            befores = (before for before, _ in sides)
            is_asked = value in values.split() and any(near.fits(Heard((each,), each)) for each in befores)
            if is_asked and not any(_is_of_other(*side) for side in sides):
                return value
    return None
