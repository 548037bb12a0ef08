"""The context of a tool that runs: stores, settings, reader, caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Protocol

from bazi_core.model.port import AsyncReadingPort
from bazi_hub.ports import Clock, Ids, Moderation, NewCall, Storage
from bazi_hub.tools.tool import ListedTool, Tool
from bazi_hub.words.call import Caller
from bazi_hub.words.settings import Settings


class Services(Protocol):
    """The part of a hub that tools use."""

    settings: Settings
    storage: Storage
    moderation: Moderation
    clock: Clock
    ids: Ids
    catalog: Mapping[str, Tool]

    @property
    def remote(self) -> bool:
        """Whether a model takes part in readings."""

    async def listed(self) -> list[ListedTool]: ...

    async def compute(self, work: Callable[[], Any]) -> Any:
        """The result of a computation that takes milliseconds."""

    def reader_for(self, account_id: str) -> AsyncReadingPort | None:
        """The model that writes readings, as this account gets at it; None for the rule narrator."""


class Context(NamedTuple):
    """One execution. `receipt` is there when a result is to be kept under an idempotency key; `call_id` where it is kept
    anyway, and names it."""

    hub: Services
    caller: Caller
    request_id: str
    receipt: NewCall | None = None
    progress: Callable[[str], None] | None = None
    call_id: str | None = None

    def tell(self, phase: str) -> None:
        """Tells the listener which phase begins."""
        if self.progress is not None:
            self.progress(phase)

    def compute(self, work: Callable[[], Any]) -> Awaitable[Any]:
        return self.hub.compute(work)


class MeteredResult(NamedTuple):
    """The result of a metered tool as JSON text. `free`: nobody pays for it; `uncharged`: a model was asked in vain."""

    text: str
    free: bool = False
    uncharged: bool = False


class JsonResult(NamedTuple):
    """The result of a free tool that wrote its JSON itself; `replayed`: it was done before, under the same key."""

    text: str
    replayed: bool = False
