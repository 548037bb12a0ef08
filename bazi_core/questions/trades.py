"""The fields of work that a question weighs, by `trades.csv`: their words, and the element that tradition gives each."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bazi_core.alphabet import Element
from bazi_core.questions.heard import Heard, wording
from bazi_core.questions.slots import slot_rows
from bazi_core.tables import rows
from bazi_core.tables.checks import rows_once

if TYPE_CHECKING:
    from bazi_core.questions.heard import Wording

# As many fields are weighed.
MOST_TRADES = 4


@cache
def trades() -> dict[str, tuple[Element, Wording]]:
    """The fields of work by their ids: the element and the words of each.

    >>> trades()["law"][0].value
    '金'
    """
    given = rows("trades")
    rows_once("trades", (row["id"] for row in given))
    return {row["id"]: (Element(row["element"]), wording(row["zh"], row["en"])) for row in given}


def trades_in(text: Heard, is_compared: bool) -> tuple[str, ...]:
    """The fields of work that a text weighs: two or more that it holds against each other, or one of which it is asked
    whether it suits or is to be taken up. Of two that are one field here it stands twice.

    >>> from bazi_core.questions.heard import heard
    >>> trades_in(heard("Should I study nursing or go into tech?"), True), trades_in(heard("我适合当老师吗"), False)
    (('care', 'computing'), ('teaching',))
    >>> trades_in(heard("我老公是老师，他今年升职吗"), False)
    ()
    """
    named = [name for name, (_, words) in trades().items() if words.fits(text)]
    if is_compared and len(named) == 1 and len(trades()[named[0]][1].found(text)) > 1:
        return (named[0], named[0])
    if is_compared and len(named) > 1:
        return tuple(named[:MOST_TRADES])
    return tuple(name for name in named[:MOST_TRADES] if _is_weighed(trades()[name][1], text))


def _is_weighed(words: Wording, text: Heard) -> bool:
    """Whether it is asked of a field if it suits or is to be taken up, by what stands on either side of its name."""
    return any(
        near.fits(Heard((said,), said))
        for around in words.around(text)
        for side, _, near in slot_rows("taken_up")
        for said in (around[0][-40:] if side == "before" else around[1][:40],)
    )
