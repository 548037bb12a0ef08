"""Named tuples of the core are to their users what those of `typing` are."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from typing import NamedTuple as Typed

import pytest

from bazi_core.record import NamedTuple


class Ours(NamedTuple):
    """Three members."""

    first: int
    second: str = "two"
    third: tuple[int, ...] = ()

    @property
    def double(self) -> int:
        return self.first * 2


class Theirs(Typed):
    """Three members."""

    first: int
    second: str = "two"
    third: tuple[int, ...] = ()

    @property
    def double(self) -> int:
        return self.first * 2


def outcome(call: Any) -> Any:
    """What a call gives, an error by its kind; the names of the classes left out."""
    try:
        return repr(call()).replace("Theirs", "Ours")
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


CALLS = {
    "made": lambda kind: kind(1),
    "made by name": lambda kind: kind(third=(3,), first=1),
    "too few": lambda kind: kind(),
    "too many": lambda kind: kind(1, 2, 3, 4),
    "unknown": lambda kind: kind(1, fourth=4),
    "of values": lambda kind: kind._make([1, 2, 3]),
    "of too few values": lambda kind: kind._make([1, 2]),
    "replaced": lambda kind: kind(1)._replace(second="b"),
    "replaced unknown": lambda kind: kind(1)._replace(fourth=4),
    "as map": lambda kind: kind(1)._asdict(),
    "members": lambda kind: (kind(1).first, kind(1).second, kind(1).double, kind(1)[0]),
    "assigned": lambda kind: setattr(kind(1), "first", 2),
    "another member": lambda kind: setattr(kind(1), "fourth", 2),
    "equal": lambda kind: (kind(1) == (1, "two", ()), hash(kind(1)) == hash((1, "two", ()))),
    "fields": lambda kind: (kind._fields, dict(kind._field_defaults), kind.__match_args__, kind.__doc__),
    "annotations": lambda kind: list(kind.__annotations__),
    "pickled": lambda kind: pickle.loads(pickle.dumps(kind(1, "b"))),
    "copied": lambda kind: copy.deepcopy(kind(1, "b", (3,))),
    "kind": lambda kind: (type(kind), kind.__module__, type(kind(1)) is kind),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_named_tuple_does_what_one_of_typing_does(call):
    assert outcome(lambda: call(Ours)) == outcome(lambda: call(Theirs))


def test_a_class_that_came_from_another_has_its_own_tuples():
    class More(Ours):
        @property
        def triple(self) -> int:
            return self.first * 3

    assert (type(More(2)), More(2).triple, type(Ours(2))) == (More, 6, Ours)


def test_a_field_without_a_default_does_not_follow_one_that_has_one():
    with pytest.raises(TypeError, match="without a default"):

        class Wrong(NamedTuple):
            first: int = 1
            second: str  # type: ignore[misc]
