"""The money rules as SQL: their conditions with columns in the place of numbers, and what their moves set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import case, literal_column
from sqlalchemy.dialects import postgresql

from bazi_hub.money.rules import LedgerMove

DIALECT: Any = postgresql.dialect()  # type: ignore[no-untyped-call]
BALANCE, QUOTA = ("posted", "held"), ("used", "reserved")


class Columns:
    """The columns of a table under its alias, as the rules take them.

    >>> sql(Columns("a").posted >= Columns("met").held + 1)
    'a.posted >= met.held + 1'
    """

    def __init__(self, alias: str) -> None:
        self._alias = alias

    def __getattr__(self, name: str) -> Any:
        return literal_column(f"{self._alias}.{name}")


def parameter(name: str) -> Any:
    """A value that a statement is told."""
    return literal_column(f":{name}")


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """The choice of `rules.terms`."""
    return case((condition, yes), else_=no)


def sql(condition: Any) -> str:
    """The text of what a rule gave for columns; of a value, that value.

    >>> sql(False), sql(choose(Columns("q").used > 0, 0, Columns("p").credit_cost))
    ('FALSE', 'CASE WHEN (q.used > 0) THEN 0 ELSE p.credit_cost END')
    """
    if isinstance(condition, bool | int):
        return str(condition).upper()
    return str(condition.compile(dialect=DIALECT, compile_kwargs={"literal_binds": True}))


def assigned(move: LedgerMove, names: Sequence[str], amount: str, alias: str = "") -> str:
    """The `SET` clause of a move: of the balance, with its next entry's number where it posts, or of the quota.

    >>> from bazi_hub.money.rules import CAPTURE
    >>> assigned(CAPTURE, BALANCE, ":cost")
    'posted = posted - :cost, held = held - :cost, seq = seq + 1'
    >>> assigned(CAPTURE, QUOTA, "1", "q.")
    'used = q.used + 1, reserved = q.reserved - 1'
    """
    signs = [(name, getattr(move, name)) for name in names]
    parts = [f"{name} = {alias}{name} {'+' if sign > 0 else '-'} {amount}" for name, sign in signs if sign]
    if "posted" in names and move.posted:
        parts.append(f"seq = {alias}seq + 1")
    return ", ".join(parts)
