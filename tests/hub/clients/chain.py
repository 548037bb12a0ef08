"""What every client has to have done that went the chain of `conversation.py`."""

from __future__ import annotations

from typing import Any

from tests.hub.clients.conversation import CHAIN

MOST = 6 * 1024
# The three mistakes: two values of a birth, a number in quotes, a name.
MENDED = ["birth_month", "gender", "target_year", "pattern_result", "pattern"]


def went_the_chain(told: dict[str, Any], unquoted: bool = False) -> None:
    """Every tool was called in order, once more where something was wrong, with few bytes and to the end. A client that
    writes numbers `unquoted` whatever it is given makes one mistake less."""
    assert told["corrected"] == [each for each in MENDED if not (unquoted and each == "target_year")]
    assert [each for at, each in enumerate(told["calls"]) if at == 0 or told["calls"][at - 1] != each] == [
        tool for tool, _ in CHAIN
    ]
    assert len(told["calls"]) == len(CHAIN) + (2 if unquoted else 3)
    assert told["asked"] <= MOST
    assert told["most_read"] <= MOST, told["most_read"]
