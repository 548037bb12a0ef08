"""The application: guards in front, the hub's own paths straight on ASGI, everything else through Starlette.

A call passes no middleware and no router: its path is looked up, its guards are asked, and its endpoint runs. Pages and
other routes that are handed in stand behind the same guards.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from bazi_hub.server.callers import Callers
from bazi_hub.server.calls import Calls
from bazi_hub.server.exchange import ClientGone, Exchange, Pace, TooSlow, plain
from bazi_hub.server.guards import Guards
from bazi_hub.server.operations import Monitor, Operations
from bazi_hub.server.public import Public
from bazi_hub.wire.rest import SUCCESSORS, TOOLS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from starlette.routing import BaseRoute

    from bazi_hub.hub import Hub
    from bazi_hub.server.callers import Identity
    from bazi_hub.server.exchange import Receive, Scope, Send

    Endpoint = Callable[[Exchange], Awaitable[None]]

READING = frozenset({"GET", "HEAD"})


def create_app(
    hub: Hub,
    identity: Identity,
    *,
    routes: Sequence[BaseRoute] = (),
    monitor: Monitor | None = None,
    pace: Pace | None = None,
) -> Application:
    """The hub as an ASGI application; `routes` are pages and protocols of others, behind the same guards.

    Life cycle events start and close the hub. Mounted somewhere that sends none, it starts with the first request.
    """
    return Application(hub, identity, routes, monitor or Monitor(), pace or Pace())


class Application:
    """What `create_app` makes."""

    def __init__(
        self, hub: Hub, identity: Identity, routes: Sequence[BaseRoute], monitor: Monitor, pace: Pace
    ) -> None:
        self.hub = hub
        self.guards = Guards(hub.settings)
        self._calls = calls = Calls(hub, Callers(hub, identity, self.guards), pace)
        mounted = frozenset(route.path for route in routes if isinstance(route, Route))
        public, operations = Public(hub, mounted), Operations(hub, monitor)
        self._endpoints: dict[str, Endpoint] = {
            "/api/mcp": calls.over_mcp,
            **dict.fromkeys(SUCCESSORS, calls.retired),
            "/.well-known/mcp.json": _reading(public.discovery),
            "/openapi.json": _reading(public.openapi),
            "/llms.txt": _reading(public.guide),
            "/healthz": _reading(operations.health),
            "/readyz": _reading(operations.ready),
            "/metrics": _reading(operations.metrics),
        }
        rest = Route("/api/{path:path}", _Endpoint(self, calls.over_rest))
        self._others = Starlette(routes=[*routes, rest], lifespan=self._lifespan)
        self._others.router.redirect_slashes = False

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self.hub.start()
        yield
        await self.hub.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        exchange = Exchange(self.guards.seen_through(scope), receive, send, self.hub.ids.uuid())
        exchange.extra = self.guards.cors_headers(exchange)
        refused = self.guards.refusal(exchange) or self.guards.preflight(exchange)
        if refused is not None:
            await exchange.answer(refused)
            return
        endpoint = self._endpoints.get(exchange.path)
        if endpoint is None and exchange.path.startswith(TOOLS):
            endpoint = self._calls.over_rest
        if endpoint is not None:
            await _served(endpoint, exchange)
        else:
            await self._others(exchange.scope, receive, exchange.send_with_extra)


async def _served(endpoint: Endpoint, exchange: Exchange) -> None:
    try:
        await endpoint(exchange)
    except ClientGone:
        return
    except TooSlow:
        exchange.closing = True
        await exchange.answer(plain(408, "The request did not arrive in time.\n"))


def _reading(endpoint: Endpoint) -> Endpoint:
    """The same, for GET and HEAD only."""

    async def read(exchange: Exchange) -> None:
        if exchange.method in READING:
            await endpoint(exchange)
        else:
            await exchange.answer(plain(405, "Use GET.\n", ("Allow", "GET, HEAD")))

    return read


class _Endpoint:
    """An endpoint as Starlette routes to it."""

    def __init__(self, application: Application, endpoint: Endpoint) -> None:
        self._application, self._endpoint = application, endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = Exchange(scope, receive, send, self._application.hub.ids.uuid())
        await _served(self._endpoint, exchange)
