"""Objects in few words, for whom a model reads them: `compact.csv` names the members that are kept.

What an object is made again from stays in it, so that a compact one is as good a parent as a whole one. Facts, evidence and
what only a program asks for are left out.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

from bazi_hub.words.call import compact

# The members to keep, each with those to keep of it; all of one that names none.
Kept = dict[str, "Kept"]


def compacted(name: str, whole: dict[str, Any], handle: str | None) -> str:
    """A result with its object in few words, as JSON; `handle` stands for it in later calls."""
    beside = {} if handle is None else {"handle": handle}
    return compact({name: {**beside, **_kept(whole, _members(name))}})


@cache
def _members(name: str) -> Kept:
    """The members to keep of an object.

    >>> list(_members("final_result"))[-3:], list(_members("base_context")["major_luck"]["cycles"])[:2]
    (['language', 'tone', 'length'], ['ganzhi', 'ten_god_stem'])
    """
    kept: Kept = {}
    with (Path(__file__).parent / "compact.csv").open(encoding="utf-8", newline="") as table:
        for object_name, member in list(csv.reader(table))[1:]:
            if object_name in ("*", name):
                within = kept
                for part in member.split("."):
                    within = within.setdefault(part, {})
    return kept


def _kept(value: Any, members: Kept) -> Any:
    if not members:
        return value
    if isinstance(value, list):
        return [_kept(each, members) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: _kept(value[name], inner) for name, inner in members.items() if name in value}
