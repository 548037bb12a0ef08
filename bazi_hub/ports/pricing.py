"""Prices of tools."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Price(NamedTuple):
    """The price of a tool, one version of it. `free_quota` calls of every new account cost nothing."""

    tool: str
    credit_cost: int
    min_balance: int
    free_quota: int
    enabled: bool
    version: int = 1

    @property
    def least(self) -> int:
        """The balance that has to be available before a call."""
        return max(self.credit_cost, self.min_balance)


class Pricing(Protocol):
    async def all(self) -> dict[str, Price]:
        """The newest version of every price."""

    async def set(self, price: Price, actor: str) -> Price:
        """Adds a version; `price.version` is ignored, and a higher `free_quota` does not reach accounts that exist."""
