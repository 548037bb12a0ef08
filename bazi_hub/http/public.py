"""Documents that anybody may read, from any origin, and keep for five minutes.

They are made once for a state of the prices; whoever asks gets the same bytes with the address by which the hub was found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from bazi_hub.calls.hub import Hub
from bazi_hub.http.exchange import Exchange, plain
from bazi_hub.http.openapi import document as openapi
from bazi_hub.http.wire import discovery
from bazi_hub.http.wire.answer import Answer
from bazi_hub.http.wire.json import dumps
from bazi_hub.ports import StoreError
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.errors import SENT_CODES

KEPT = (("Cache-Control", "public, max-age=300"),)
GUIDE_TYPE = "text/plain; charset=utf-8"
# Stands in a document that is kept, where the address of the hub belongs; no name ends in it (RFC 2606).
SOMEWHERE = "https://hub.invalid"
# States of the prices.
MOST_KEPT = 4


class Public:
    """The endpoints. `mounted`: the paths of the routes that are served beside the tools."""

    def __init__(self, hub: Hub, mounted: Collection[str]) -> None:
        self.hub = hub
        codes = list(SENT_CODES.values())

        @lru_cache(MOST_KEPT)
        def described(listed: tuple[ListedTool, ...]) -> bytes:
            return openapi.document(listed, SOMEWHERE, mounted)

        @lru_cache(MOST_KEPT)
        def guided(listed: tuple[ListedTool, ...]) -> bytes:
            return discovery.guide(listed, codes, SOMEWHERE)

        @lru_cache(MOST_KEPT)
        def discovered(listed: tuple[ListedTool, ...]) -> bytes:
            return discovery.document(listed, SOMEWHERE)

        @lru_cache(MOST_KEPT)
        def carded(listed: tuple[ListedTool, ...]) -> bytes:
            return discovery.agent_card(listed, SOMEWHERE)

        self._described, self._guided = described, guided
        self._discovered, self._carded = discovered, carded

    async def discovery(self, exchange: Exchange) -> None:
        """`/.well-known/mcp.json`."""
        await self._document(exchange, self._discovered, "application/json")

    async def agent_card(self, exchange: Exchange) -> None:
        """`/.well-known/agent-card.json`."""
        await self._document(exchange, self._carded, "application/json")

    async def openapi(self, exchange: Exchange) -> None:
        """`/openapi.json`."""
        await self._document(exchange, self._described, "application/json")

    async def guide(self, exchange: Exchange) -> None:
        """`/llms.txt`."""
        await self._document(exchange, self._guided, GUIDE_TYPE)

    async def _document(
        self, exchange: Exchange, make: Callable[[tuple[ListedTool, ...]], bytes], body_type: str
    ) -> None:
        try:
            await self.hub.start()
            listed = tuple(await self.hub.listed())
        except StoreError:
            await exchange.answer(plain(503, "The prices cannot be read now.\n"))
            return
        base = self._base(exchange)
        here = base if body_type == GUIDE_TYPE else dumps(base)[1:-1]
        body = make(listed).replace(SOMEWHERE.encode(), here.encode())
        await exchange.answer(Answer(200, body, KEPT, body_type))

    def _base(self, exchange: Exchange) -> str:
        """The address of the hub: as the operator says, else as the request found it."""
        if self.hub.settings.public_url:
            return self.hub.settings.public_url.rstrip("/")
        host = exchange.headers.get("host", "localhost")
        return f"{exchange.scope['scheme']}://{host}{exchange.root.rstrip('/')}"
