"""Arguments on their way to what will be done with them, and everything that is wrong with them.

A check finds values step by step. A step that rests on something wrong is left out, and what it would have given is `WRONG`
as well; every other step is made, so that all that can be known to be wrong is told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from bazi_core.errors import BaziError
from bazi_hub.tools.arguments import required
from bazi_hub.tools.refusals import FAULTS, BadArguments, issue_of
from bazi_hub.words.errors import Issue

T = TypeVar("T")


class _Wrong:
    def __repr__(self) -> str:
        return "WRONG"


# In place of a value that cannot be had.
WRONG: Any = _Wrong()


class ArgumentReader:
    """The arguments of one call.

    >>> from bazi_core.when import gregorian
    >>> given = ArgumentReader({"month": 2, "day": 30, "year": 1990.5}, [Issue("year", "Expected integer, got number")])
    >>> given["day"], given["year"], given["hour"], given.find(gregorian, given["year"], given["month"], given["day"])
    (30, WRONG, None, WRONG)
    >>> given.find(gregorian, 1990, given["month"], given["day"]), [issue.path for issue in given.issues]
    (WRONG, ['year', 'birth_day'])
    """

    __slots__ = ("_first", "_wrong", "arguments", "issues")

    def __init__(self, arguments: dict[str, Any], issues: Sequence[Issue] = ()) -> None:
        self.arguments = arguments
        self.issues: list[Issue] = []
        # Arguments in which something is wrong, and `name.member`; `name.` where it is the argument itself.
        self._wrong: set[str] = set()
        self._first: BaziError | None = None
        if issues:
            self._note(issues)

    def __contains__(self, name: str) -> bool:
        return name in self.arguments

    def __getitem__(self, name: str) -> Any:
        """An argument; None for one that is left out."""
        return WRONG if name in self._wrong else self.arguments.get(name)

    def member(self, name: str, member: str) -> Any:
        """A member of an argument that is an object."""
        if self._wrong and not self._wrong.isdisjoint((f"{name}.", f"{name}.{member}")):
            return WRONG
        value: dict[str, Any] = self.arguments.get(name, {})
        return value.get(member)

    def require(self, names: Iterable[str], members: dict[str, dict[str, Any]]) -> None:
        """Says of each of these members of a schema that it is missing, where it is."""
        self._note([Issue(name, required(members[name])) for name in names if name not in self.arguments])

    def refuse(self, name: str, message: str) -> None:
        """Says of an argument that it cannot stand as it is."""
        self._note([Issue(name, message)])

    def find(self, make: Callable[..., T], *arguments: Any) -> T:
        """`make(*arguments)`, or `WRONG`; a refusal of the core is an issue of the arguments from then on."""
        nothing: T = WRONG
        if WRONG in arguments:
            return nothing
        try:
            return make(*arguments)
        except BadArguments as error:
            self._note(error.issues)
        except BaziError as error:
            if error.code in FAULTS:
                raise
            self._note([issue_of(error)])
            self._first = self._first or _alone(error)
        return nothing

    def settled(self) -> dict[str, Any]:
        """The arguments, nothing of which is wrong; else `BadArguments`."""
        if self.issues:
            raise BadArguments(*self.issues, error=self._first)
        return self.arguments

    def _note(self, issues: Sequence[Issue]) -> None:
        self.issues += issues
        for issue in issues:
            name, _, within = issue.path.partition(".")
            self._wrong.update((name, f"{name}.{within.partition('.')[0]}"))


def _alone(error: BaziError) -> BaziError:
    """An error to be kept: without the frames that it went through, which hold the arguments and whoever keeps it. What
    holds itself stays until the collector comes by, and then everybody waits for as long as it is large."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)
