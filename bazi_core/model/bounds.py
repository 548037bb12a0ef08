"""Checks of the numeric options of a reading: kind and bounds, in the unit that the name ends in.

A wrong kind is `INVALID_INPUT`, a number beyond the bounds `OUT_OF_RANGE`; nothing else is ever raised.
"""

from __future__ import annotations

import math
from typing import Any

from bazi_core.errors import InvalidInput, OutOfRange, shown
from bazi_core.tables.sentences import Said

# (kind, least, most) by name. A call takes at most a day; a timeout below a millisecond is of no use.
_BOUNDS: dict[str, tuple[type, float, float]] = {
    "timeout_s": (float, 0.001, 86_400),
    "max_output_tokens": (int, 1, 1_000_000),
    "seed": (int, -(2**63), 2**63 - 1),
    "max_cost_per_call": (float, 0, 1e9),
    "input_per_million": (float, 0, 1e9),
    "output_per_million": (float, 0, 1e9),
}


def bounded_options(**options: Any) -> None:
    """Raise an error unless every option is None or a number within its bounds.

    >>> bounded_options(timeout_s=5, seed=None)
    >>> bounded_options(timeout_s="5")
    Traceback (most recent call last):
    bazi_core.errors.InvalidInput: timeout_s is a number, not 5
    """
    for name, value in options.items():
        if value is not None:
            _check(name, value)


def _check(name: str, value: Any) -> None:
    kind, least, most = _BOUNDS[name]
    kinds = (int,) if kind is int else (int, float)
    if type(value) not in kinds or (type(value) is float and not math.isfinite(value)):
        word = Said("whole_number" if kind is int else "a_number")
        raise InvalidInput(
            Said("must_be", name=name, wanted=word, given=shown(value)), path=name, given=shown(value)
        )
    if not least <= value <= most:
        message = Said("outside_option", name=name, value=shown(value), first=f"{least:,}", last=f"{most:,}")
        raise OutOfRange(message, quantity=name, first=least, last=most, given=shown(value))
