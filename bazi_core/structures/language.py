"""The grammar of conditions in the tables of rules: a condition is a verb and its arguments.

`透 财`, `轻 印`, `比劫 > 财`, `月 冲`; `!` before it negates it, `&` joins conditions. The grammar lists the kinds of
arguments of every verb; any other row is a defect, reported when its table is read. The verbs are evaluated on a chart
in the modules that judge by them: `conditions` and `dynamics` for ten gods, `book_rules` for classes, `vocation` for
roles.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, TEN_GODS
from bazi_core.structures.classes import CLASSES

HARMS = "冲刑害破"
FIRST, SECOND = "首", "次"
GOD, ELEMENT, HARM, MONTHS, MONTH, NAMES = "god", "element", "harm", "months", "month", "names"
GRAMMAR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("露", "透", "活", "合", "根", "有", "支", "令", "轻", "重", "半"), (GOD,)),
    **dict.fromkeys(("局外有", "露根", "透根"), (GOD,)),
    **dict.fromkeys((">", "邻", "先"), (GOD, GOD)),
    **dict.fromkeys(("身强", "身弱", "阳日", "一方", "多合", "刃", "变格"), ()),
    **dict.fromkeys(("格", "变", "成", "害"), (NAMES,)),
    **dict.fromkeys(("喜", "忌"), (GOD,)),
    "日": (ELEMENT,),
    "月": (MONTH,),
    "解": (HARM,),
}


class WrittenCondition(NamedTuple):
    """A condition as it is written.

    >>> said("!月 冲"), said("比劫 > 财").names
    (WrittenCondition(verb='月', names=('冲',), denied=True), ('比劫', '财'))
    """

    verb: str
    names: tuple[str, ...]
    denied: bool

    @property
    def text(self) -> str:
        """The condition without its `!`."""
        return (
            f"{self.names[0]} > {self.names[1]}" if self.verb == ">" else " ".join((self.verb, *self.names))
        )


def conditions(cell: str) -> tuple[WrittenCondition, ...]:
    """The conditions of a row, all of which must hold.

    >>> [each.text for each in conditions("透 财 & !月 冲 & 比劫 > 财")]
    ['透 财', '月 冲', '比劫 > 财']
    >>> conditions("透 才")
    Traceback (most recent call last):
    ValueError: 透 才: 才 is no god
    """
    return tuple(said(part.strip()) for part in cell.split("&"))


def said(text: str) -> WrittenCondition:
    """One condition."""
    words = text.removeprefix("!").split()
    verb, *names = (
        [words[1], words[0], words[2]] if words[1:2] == [">"] and len(words) == 3 else words or [""]
    )
    if verb not in GRAMMAR:
        raise ValueError(f"{text}: no rule speaks of {verb or 'nothing'}")
    kinds = GRAMMAR[verb]
    if kinds != (NAMES,) and len(names) != len(kinds):
        raise ValueError(f"{text}: {verb} asks about {len(kinds)}, not {len(names)}")
    for kind, name in zip(kinds, names, strict=False):
        if not _is(kind, name):
            raise ValueError(f"{text}: {name} is no {kind}")
    return WrittenCondition(verb, tuple(names), text.startswith("!"))


def _is(kind: str, name: str) -> bool:
    if kind == MONTH:
        return _is(HARM, name) or _is(MONTHS, name)
    if kind in (HARM, MONTHS):
        return set(name) <= _known()[kind] and (kind == MONTHS or len(name) == 1)
    return kind == NAMES or name in _known()[kind]


@cache
def _known() -> dict[str, frozenset[str]]:
    """The permitted names of each kind."""
    return {
        GOD: frozenset((*CLASSES, *(god.value for god in TEN_GODS), FIRST, SECOND)),
        ELEMENT: frozenset(element.value for element in ELEMENTS),
        HARM: frozenset(HARMS),
        MONTHS: frozenset(branch.value for branch in BRANCHES),
    }
