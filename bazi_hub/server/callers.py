"""Who asks, for every route that wants a credential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bazi_hub.errors import HubError, shutting_down, unauthorized
from bazi_hub.ports import StoreClosed, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazi_hub.call import Caller
    from bazi_hub.hub import Hub
    from bazi_hub.server.exchange import Exchange
    from bazi_hub.server.guards import Guards


class Identity(Protocol):
    """Who a request speaks for, by its headers."""

    async def identify(self, headers: Mapping[str, str], *, site: str | None, writes: bool) -> Caller:
        """The caller; `HubError` UNAUTHORIZED or AUTH_BACKEND_ERROR. `site` is the hub's own origin."""


class Callers:
    """A browser's cookie says less than a key: what it changes has to come from a page of the hub."""

    def __init__(self, hub: Hub, identity: Identity, guards: Guards) -> None:
        self.hub, self.identity, self.guards = hub, identity, guards

    async def of(self, exchange: Exchange, writes: bool) -> Caller:
        """The caller; `HubError` as `Identity` raises it. `writes`: the request changes what others see or pay for."""
        try:
            await self.hub.start()
        except StoreClosed:
            raise shutting_down() from None
        except StoreError:
            raise HubError("AUTH_BACKEND_ERROR", "The credential could not be verified") from None
        site = self.guards.site(exchange)
        caller = await self.identity.identify(exchange.headers, site=site, writes=writes)
        if caller.kind == "session" and exchange.method == "POST" and not _says_json(exchange):
            raise unauthorized("csrf")
        return caller


def _says_json(exchange: Exchange) -> bool:
    """Whether the body is declared as JSON, which no form of a foreign page can do."""
    declared = exchange.headers.get("content-type", "")
    return declared.partition(";")[0].strip().lower() == "application/json"
