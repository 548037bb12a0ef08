"""Options of a reading and limits of its call, all checked before a model is called."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import InvalidInput, UnknownOption, shown
from bazi_core.model.bounds import bounded_options
from bazi_core.model.port import Price
from bazi_core.questions.question import question as question_of
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES
from bazi_core.tables.sentences import Listed, Said
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from typing import TypedDict

    from bazi_core.luck.running import AsOf
    from bazi_core.questions.question import Question

    class CallOptions(TypedDict, total=False):
        """The keyword arguments of every reading; see `Wish`."""

        question: str | Question | None
        language: str
        plain: bool
        on_failure: str
        timeout_s: float | None
        max_output_tokens: int | None
        seed: int | None
        max_cost_per_call: float | None
        price: Price | None
        clock: Callable[[], float]
        cache: MutableMapping[str, str] | None

    class ReadingOptions(CallOptions, total=False):
        """The keyword arguments of readings of a chart and of a year."""

        tone: str
        length: str
        as_of: AsOf | None

    class CastOptions(CallOptions, total=False):
        """The keyword arguments of readings of a cast; `follow_up` is a later question about the same cast."""

        follow_up: str | Question | None


ON_FAILURE = ("narrator", "error")


class Wish(NamedTuple):
    """The options of a reading and the limits of its call.

    `plain` explains each term in a clause where it is named first. `as_of` is the date from which the life of a chart is
    seen; without one the reading has no past or future.
    `on_failure`: narrator (the rules stand in) or error. `timeout_s`: 60 for a pattern, 90 for a year. `cache` maps keys to
    accepted replies; a cached reply is checked like any other.
    """

    question: str | Question | None = None
    language: str = "zh-Hans"
    tone: str = "neutral"
    length: str = "standard"
    plain: bool = True
    as_of: AsOf | None = None
    on_failure: str = "narrator"
    timeout_s: float | None = None
    max_output_tokens: int | None = None
    seed: int | None = None
    max_cost_per_call: float | None = None
    price: Price | None = None
    clock: Callable[[], float] = time.monotonic
    cache: MutableMapping[str, str] | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any], further: tuple[str, ...] = ()) -> Wish:
        """The wish of these keyword arguments, checked; a `TypeError` for one that does not exist names those that do, the
        `further` ones of the call included.

        >>> try: Wish.of({"lang": "en"})
        ... except TypeError as error: print(str(error)[:58])
        there is no option 'lang'; options: as_of, cache, clock, l
        """
        for name in options.keys() - {*cls._fields}:
            allowed = ", ".join(sorted((*cls._fields, *further)))
            raise TypeError(f"there is no option {name!r}; options: {allowed}")
        return cls(**options).checked()

    def checked(self) -> Wish:
        """The wish with its question read; `UNKNOWN_OPTION`, `INVALID_INPUT`, `OUT_OF_RANGE` or `QUESTION_TOO_LONG`."""
        check_style(self.language, self.tone, self.length)
        if self.on_failure not in ON_FAILURE:
            raise UnknownOption(
                Said("option_value", value=shown(self.on_failure), allowed=Listed(ON_FAILURE, ' or '), name='on_failure'),
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
            ("price", self.price is None or _is_price(self.price), Said("a_price")),
            ("plain", isinstance(self.plain, bool), Said("true_or_false")),
            ("clock", callable(self.clock), Said("a_clock")),
            ("cache", self.cache is None or hasattr(self.cache, "get"), Said("a_mapping")),
        ):
            if not fits:
                given = shown(getattr(self, name))
                raise InvalidInput(
                    Said("must_be", name=name, wanted=wanted, given=given), path=name, given=given
                )

    @property
    def asked(self) -> Question | None:
        assert not isinstance(self.question, str)
        return self.question

    @property
    def is_set_aside(self) -> bool:
        """Whether no chart can answer the question: the reading says so and ignores it."""
        return self.asked is not None and self.asked.is_set_aside

    @property
    def is_declined(self) -> bool:
        """Whether the answer is support instead of a divination, and no model is called."""
        return self.asked is not None and self.asked.is_declined


def _is_price(given: object) -> bool:
    return isinstance(given, Price) and None not in given


def check_style(language: str, tone: str, length: str) -> None:
    """Raise `UNKNOWN_OPTION` for a language, tone or length that does not exist."""
    for name, value, allowed in (
        ("language", language, LANGUAGES), ("tone", tone, TONES), ("length", length, tuple(SENTENCES)),
    ):  # fmt: skip
        if not isinstance(value, str) or value not in allowed:
            raise UnknownOption(
                Said("option_value", name=name, value=shown(value), allowed=Listed(allowed, ' or ')),
                name=name, value=shown(value), allowed=list(allowed),
            )  # fmt: skip
