"""Documents that anybody may read, from any origin, and keep for five minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_hub.errors import SENT_CODES
from bazi_hub.ports import StoreError
from bazi_hub.server.exchange import plain
from bazi_hub.wire import discovery, openapi
from bazi_hub.wire.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bazi_hub.hub import Hub
    from bazi_hub.server.exchange import Exchange
    from bazi_hub.tools.tool import ListedTool

KEPT = (("Cache-Control", "public, max-age=300"),)
GUIDE_TYPE = "text/plain; charset=utf-8"


class Public:
    """The endpoints. `mounted`: the paths of the routes that are served beside the tools."""

    def __init__(self, hub: Hub, mounted: Collection[str]) -> None:
        self.hub, self.mounted = hub, mounted

    async def discovery(self, exchange: Exchange) -> None:
        """`/.well-known/mcp.json`."""
        await self._document(exchange, discovery.document, "application/json")

    async def openapi(self, exchange: Exchange) -> None:
        """`/openapi.json`."""
        await self._document(
            exchange, lambda listed, base: openapi.document(listed, base, self.mounted), "application/json"
        )

    async def guide(self, exchange: Exchange) -> None:
        """`/llms.txt`."""
        codes = list(SENT_CODES.values())
        await self._document(exchange, lambda listed, base: discovery.guide(listed, codes, base), GUIDE_TYPE)

    async def _document(
        self, exchange: Exchange, make: Callable[[list[ListedTool], str], bytes], body_type: str
    ) -> None:
        try:
            await self.hub.start()
            listed = await self.hub.listed()
        except StoreError:
            await exchange.answer(plain(503, "The prices cannot be read now.\n"))
            return
        await exchange.answer(Answer(200, make(listed, self._base(exchange)), KEPT, body_type))

    def _base(self, exchange: Exchange) -> str:
        """Where the hub is: as the operator says, else as the request found it."""
        if self.hub.settings.public_url:
            return self.hub.settings.public_url.rstrip("/")
        host = exchange.headers.get("host", "localhost")
        return f"{exchange.scope['scheme']}://{host}{exchange.root.rstrip('/')}"
