"""What is wished of a reading, and what the call may take: every option checked before anything is asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.errors import InvalidInput, UnknownOption, shown
from bazi_core.readings.bounds import bounded_options
from bazi_core.readings.port import Price
from bazi_core.readings.question import question as question_of
from bazi_core.readings.requests import check_style

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from bazi_core.readings.question import Question

CRISIS = "crisis_message"
ON_FAILURE = ("narrator", "error")


class Wish(NamedTuple):
    """What is wished of a reading, and what it may take.

    `on_failure`: narrator (the rules stand in) or error. `timeout_s`: 60 for a pattern, 90 for a year. `cache` maps keys to
    replies that passed; what is found in it is checked again.
    """

    question: str | Question | None = None
    language: str = "zh-Hans"
    tone: str = "neutral"
    length: str = "standard"
    on_failure: str = "narrator"
    timeout_s: float | None = None
    max_output_tokens: int | None = None
    seed: int | None = None
    max_cost_per_call: float | None = None
    price: Price | None = None
    clock: Callable[[], float] = time.monotonic
    cache: MutableMapping[str, str] | None = None

    def checked(self) -> Wish:
        """The same with its question read; `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE` or `QUESTION_TOO_LONG`."""
        check_style(self.language, self.tone, self.length)
        if self.on_failure not in ON_FAILURE:
            raise UnknownOption(
                f"on_failure={shown(self.on_failure)!r}: choose {' or '.join(ON_FAILURE)}",
                name="on_failure", value=shown(self.on_failure), allowed=list(ON_FAILURE),
            )  # fmt: skip
        bounded_options(
            timeout_s=self.timeout_s, max_output_tokens=self.max_output_tokens, seed=self.seed,
            max_cost_per_call=self.max_cost_per_call,
        )  # fmt: skip
        self._check_kinds()
        return self._replace(question=question_of(self.question))

    def _check_kinds(self) -> None:
        if isinstance(self.price, Price):
            bounded_options(**self.price._asdict())
        for name, fits, wanted in (
            ("price", self.price is None or _is_price(self.price), "a Price of two numbers"),
            ("clock", callable(self.clock), "a function that gives seconds"),
            ("cache", self.cache is None or hasattr(self.cache, "get"), "a mapping"),
        ):
            if not fits:
                given = shown(getattr(self, name))
                raise InvalidInput(f"{name} is {wanted}, not {given}", path=name, given=given)

    @property
    def asked(self) -> Question | None:
        assert not isinstance(self.question, str)
        return self.question

    @property
    def in_distress(self) -> bool:
        return self.asked is not None and self.asked.action == CRISIS


def _is_price(given: object) -> bool:
    return isinstance(given, Price) and None not in given
