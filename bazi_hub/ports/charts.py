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


class SavedItem(NamedTuple):
    """A chart or reading in the list of its owner. `shared_ms`: since when a link opens it; None while none does."""

    id: str
    kind: str
    title: str
    created_ms: int
    shared_ms: int | None

    @property
    def position(self) -> Position:
        """The place in the list: time and id."""
        return self.created_ms, self.id


# When something was kept, and its id: what stands below a position stays there whatever is kept or deleted above it.
Position = tuple[int, str]
USUAL_LISTED = 50


class ChartStore(Protocol):
    async def add(self, saved: Saved) -> None: ...

    async def get(self, saved_id: str, account_id: str) -> Saved | None:
        """The chart; None also for one of another account."""

    async def of(
        self, account_id: str, most: int = USUAL_LISTED, below: Position | None = None
    ) -> list[SavedItem]:
        """Newest first, from the top of the list or from below a position."""

    async def delete(self, saved_id: str, account_id: str) -> bool: ...

    async def share(self, saved_id: str, account_id: str, token_hash: str, now_ms: int) -> bool:
        """Opens it to anyone with the link; False for one of another account."""

    async def unshare(self, saved_id: str, account_id: str) -> bool: ...

    async def shared_ms(self, saved_id: str, account_id: str) -> int | None:
        """Since when a link opens it; None while none does, and for one of another account."""

    async def shared(self, token_hash: str) -> Saved | None: ...
