"""Checks of a table when its rows are read: an unknown name or a duplicate row is a defect."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable


def names_known(table: str, kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise `ValueError` for the first unknown name.

    >>> names_known("diagnosis", "cure", ("制", "冶"), "制泄生护")
    Traceback (most recent call last):
    ValueError: diagnosis: 冶 is no cure
    """
    for name in names:
        if name not in known:
            raise ValueError(f"{table}: {name or 'nothing'} is no {kind}")


def rows_once(table: str, keys: Iterable[Hashable]) -> None:
    """Raise `ValueError` for the first duplicate key.

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
