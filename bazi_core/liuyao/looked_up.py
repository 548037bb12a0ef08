"""What a question looks up on a board in the words of the craft, by rows of data (`looked_up.csv`), and of which line.

A claim ("用神月破，…") is looked up like a question: what the board has is told, whatever was said of it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from bazi_core.liuyao.yongshen import SHI, YING
from bazi_core.questions.heard import Wording, heard, wording
from bazi_core.tables import rows

# As many terms of one question are told; a question has 500 characters, and as many of its clauses are looked at.
MOST_TERMS, _MOST_PARTS = 3, 12
_CLAUSES = re.compile(r"[，,。.？?；;！!：:\n]+")
# The line of which something is looked up, the most telling name first; a number counts from below.
SUBJECT, HELPER, HARMER = "用神", "原神", "忌神"
_LINES = (
    *((str(at), f"{sign}爻|第{number}爻", f"line {at}|{nth} line") for at, sign, number, nth in (
        (1, "初", "[一1]", "first"), (2, "二", "[二2]", "second"), (3, "三", "[三3]", "third"),
        (4, "四", "[四4]", "fourth"), (5, "五", "[五5]", "fifth"), (6, "[上六]", "[六6]", "sixth"),
    )),
    (SUBJECT, "用神|用爻", "useful (?:line|god|spirit)|yong ?shen"),
    (HELPER, "[原元]神", "helping line|original spirit|yuan ?shen"),
    (HARMER, "忌神", "harming line|ji ?shen"),
    (SHI, "世爻|持世|世(?![界上间应])", "self line|shi(?: line)?"),
    (YING, "应爻|应(?![该当期])", "other line|response line|ying(?: line)?"),
    ("妻财", "妻财|财爻|财(?=[落旺空伏月暗入化动])", "wealth(?: line)?|wife[- ]wealth"),
    ("官鬼", "官鬼|[官鬼]爻|[官鬼](?=[落旺空伏月暗入化动])", "offic(?:er|ial)(?:[- ]ghost)?(?: line)?|guan ?gui"),
    ("父母", "父母|父爻", "parents?(?: line)?"),
    ("子孙", "子孙|[子福]爻", "offspring(?: line)?|descendants?(?: line)?"),
    ("兄弟", "兄弟|兄爻", "siblings?(?: line)?|brothers?(?: line)?"),
)  # fmt: skip


class LookedUp(NamedTuple):
    """A term that a question looks up, and the line that it names with it: a position, 世, 应, 用神, 原神, 忌神 or a
    relative; 用神 where it names none."""

    term: str
    line: str


@lru_cache(maxsize=512)
def looked_up(question: str | None) -> tuple[LookedUp, ...]:
    """The terms that a question looks up, in its order.

    >>> looked_up("妻财伏神得不得出，世爻月破吗")
    (LookedUp(term='hidden', line='妻财'), LookedUp(term='broken', line='世'))
    >>> looked_up("这卦是不是反吟"), looked_up("六合彩中不中"), looked_up(None)
    ((LookedUp(term='turns', line='用神'),), (), ())
    """
    found: dict[str, LookedUp] = {}
    for clause in _CLAUSES.split(question or "")[:_MOST_PARTS]:
        text = heard(clause)
        for term, words in _terms():
            if term not in found and words.fits(text):
                line = next((name for name, names in _named() if names.fits(text)), SUBJECT)
                found[term] = LookedUp(term, line)
    return tuple(found.values())[:MOST_TERMS]


@cache
def _terms() -> tuple[tuple[str, Wording], ...]:
    return tuple((row["term"], wording(row["zh"], row["en"])) for row in rows("liuyao/looked_up"))


@cache
def _named() -> tuple[tuple[str, Wording], ...]:
    return tuple((name, wording(zh, en)) for name, zh, en in _LINES)
