"""Named tuples whose making costs little.

A class of `typing.NamedTuple` takes a tenth of a millisecond to make: every annotation is compiled, and so is a function
`__new__`, whether a process ever makes such a tuple or not. Eighty of them stand on the way to a chart. These are the same
to whoever uses them; annotations stay the text that they are, and `__new__` is compiled when the first tuple is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from operator import itemgetter
    from types import MappingProxyType

    try:
        from _collections import _tuplegetter as _member
    except ImportError:

        def _member(place, doc):
            return property(itemgetter(place), doc=doc)

    class _Record(tuple):
        """What all named tuples can do, as `collections.namedtuple` has it."""

        __slots__ = ()
        _fields = ()
        _field_defaults = MappingProxyType({})

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changed):
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"Got unexpected field names: {list(changed)!r}")
            return made

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(map("{}={!r}".format, self._fields, self))
            return f"{self.__class__.__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    class _Kind(type):
        """Makes plain classes: what is written below `NamedTuple` is a tuple, whose type is `type`."""

        def __new__(cls, name, bases, body):
            fields = tuple(body["__annotations__"])
            defaults = {each: body[each] for each in fields if each in body}
            late = fields[len(fields) - len(defaults) :]
            if tuple(defaults) != late:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            for place, each in enumerate(fields):
                body[each] = _member(place, f"Alias for field number {place}")
            body.update(_fields=fields, _field_defaults=defaults, __match_args__=fields, __slots__=())
            body.setdefault("__doc__", f"{name}({', '.join(fields)})")

            def first(cls, /, *given, **named):
                # The first tuple: from now on the class has a function of its own.
                members = "".join(f"{each}, " for each in fields)
                source = f"lambda _cls, {members}: _new(_cls, ({members}))"
                made = eval(source, {"_new": tuple.__new__, "__name__": f"record_{name}"})
                made.__name__, made.__qualname__ = "__new__", f"{name}.__new__"
                made.__defaults__ = tuple(defaults.values())
                kind.__new__ = staticmethod(made)
                return made(cls, *given, **named)

            body["__new__"] = first
            kind = type.__new__(type, name, (_Record,), body)
            return kind

    class _Named:
        def __mro_entries__(self, bases):
            return (_BASE,)

    _BASE = type.__new__(_Kind, "NamedTuple", (), {})
    NamedTuple = _Named()
