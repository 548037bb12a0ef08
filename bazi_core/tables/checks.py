"""What a table may say, asked when its rows are read: a name that nobody knows or a row that stands twice is a defect."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable


def names_known(table: str, kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """`ValueError` for the first name that is none of its kind.

    >>> names_known("diagnosis", "cure", ("制", "冶"), "制泄生护")
    Traceback (most recent call last):
    ValueError: diagnosis: 冶 is no cure
    """
    for name in names:
        if name not in known:
            raise ValueError(f"{table}: {name or 'nothing'} is no {kind}")


def rows_once(table: str, keys: Iterable[Hashable]) -> None:
    """`ValueError` for the first key that stands twice.

    >>> rows_once("merits", ("旺相", "发动", "旺相"))
    Traceback (most recent call last):
    ValueError: merits: 旺相 stands twice
    """
    seen = set()
    for key in keys:
        if key in seen:
            told = " ".join(map(str, key)) if isinstance(key, tuple) else key
            raise ValueError(f"{table}: {told} stands twice")
        seen.add(key)
