"""The caller of a request, for every route that wants a credential."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from bazi_hub.calls.hub import Hub
from bazi_hub.http.addresses import proved
from bazi_hub.http.exchange import Exchange
from bazi_hub.http.guards import Guards
from bazi_hub.ports import StoreClosed, StoreError
from bazi_hub.words.call import Caller
from bazi_hub.words.errors import HubError, shutting_down, unauthorized

T = TypeVar("T")

# Bytes of a body that is parsed without waiting for the others, and turns of the event loop that the others have else.
MOST_AT_ONCE, TURNS = 16_384, 3


class Authenticator(Protocol):
    """Finds the caller by the headers of a request."""

    async def identify(self, headers: Mapping[str, str], *, site: str | None, writes: bool) -> Caller:
        """The caller; `HubError` UNAUTHORIZED or AUTH_BACKEND_ERROR. `site` is the hub's own origin."""


class Callers:
    """A browser's cookie says less than a key: what it changes has to come from a page of the hub."""

    def __init__(self, hub: Hub, identity: Authenticator, guards: Guards) -> None:
        self.hub, self.identity, self.guards = hub, identity, guards
        self._turn = asyncio.Lock()

    async def of(self, exchange: Exchange, writes: bool) -> Caller:
        """The caller; `HubError` as `Authenticator` raises it. `writes`: the request changes what others see or pay for."""
        try:
            await self.hub.start()
        except StoreClosed:
            raise shutting_down() from None
        except StoreError:
            raise HubError("AUTH_BACKEND_ERROR", "The credential could not be verified") from None
        site = self.guards.site(exchange)
        try:
            caller = await self.identity.identify(exchange.headers, site=site, writes=writes)
        except HubError as error:
            if error.name == "UNAUTHORIZED" and error.members.get("reason") != "csrf":
                proved(exchange.scope, False)
            raise
        proved(exchange.scope, True)
        if caller.kind == "session" and exchange.method == "POST" and not _says_json(exchange):
            raise unauthorized("csrf")
        self.hub.refused.require_room(caller.account_id)
        return caller

    async def let_in(self, exchange: Exchange, writes: bool) -> Caller:
        """The caller; without one the body is not read."""
        try:
            return await self.of(exchange, writes)
        except HubError:
            exchange.leave_body(self.hub.settings.body_limit)
            raise

    async def parsed(self, body: bytes, parse: Callable[[bytes], T]) -> T:
        """The value of a parsed body. Other requests are answered before and after a long one is parsed.

        Between two pieces of work the loop turns so often that a small request is read, answered and sent. Bodies come one
        at a time, each until whoever goes on with it looks at it, so that of what was parsed little is alive at once: the
        collector would pass over all of it.
        """
        if len(body) <= MOST_AT_ONCE:
            return parse(body)
        async with self._turn:
            await _others()
            made = parse(body)
            await _others()
            return made

    def require_room(self, exchange: Exchange) -> None:
        """Returns if an unknown caller at this address may be refused once more; else `RATE_LIMITED`."""
        self.hub.refused.require_room(_address(exchange))

    def refused(self, exchange: Exchange, caller: Caller | None = None) -> None:
        """Counts a body that could not be used, for the caller or for the address of an unknown one."""
        self.hub.refused.count(caller.account_id if caller else _address(exchange))


async def _others() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


def _address(exchange: Exchange) -> str:
    client = exchange.scope.get("client")
    return f"address {client[0] if client else ''}"


def presents_credential(headers: Mapping[str, str]) -> bool:
    """Whether a request says who it speaks for, rightly or not."""
    return not headers.keys().isdisjoint(("x-api-key", "authorization", "cookie"))


def _says_json(exchange: Exchange) -> bool:
    """Whether the body is declared as JSON, which no form of a foreign page can do."""
    declared = exchange.headers.get("content-type", "")
    return declared.partition(";")[0].strip().lower() == "application/json"
