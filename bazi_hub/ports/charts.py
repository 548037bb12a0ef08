"""Charts and readings that an account keeps, and the links that share them."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Saved(NamedTuple):
    """A chart or reading that its owner keeps: kind is chart or reading, `body` the object as JSON text."""

    id: str
    account_id: str
    kind: str
    title: str
    body: str
    created_ms: int


class ChartStore(Protocol):
    async def add(self, saved: Saved) -> None: ...

    async def get(self, saved_id: str, account_id: str) -> Saved | None:
        """None too for a chart of somebody else."""

    async def of(self, account_id: str) -> list[Saved]: ...

    async def delete(self, saved_id: str, account_id: str) -> bool: ...

    async def share(self, saved_id: str, account_id: str, token_hash: str, now_ms: int) -> bool:
        """Opens it to whoever has the link; False for somebody else's."""

    async def unshare(self, saved_id: str, account_id: str) -> bool: ...

    async def shared(self, token_hash: str) -> Saved | None: ...
