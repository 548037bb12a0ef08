"""The application: guards in front, the hub's own paths straight on ASGI, everything else through Starlette.

A call passes no middleware and no router: its path is looked up, its guards are asked, and its endpoint runs. Pages and
other routes that are handed in stand behind the same guards.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from bazi_hub.calls.hub import Hub
from bazi_hub.http.addresses import PRESENTED, Addresses, address_of
from bazi_hub.http.callers import Authenticator, Callers
from bazi_hub.http.calls import Calls
from bazi_hub.http.exchange import (
    EXCHANGE,
    Endpoint,
    Exchange,
    Pace,
    Receive,
    Routed,
    Scope,
    Send,
    plain,
    served,
)
from bazi_hub.http.guards import EXEMPT, Guards
from bazi_hub.http.operations import Monitor, Operations
from bazi_hub.http.public import Public
from bazi_hub.http.wire import rest
from bazi_hub.http.wire.rest import SUCCESSORS, TOOLS
from bazi_hub.words.errors import HubError

READING = frozenset({"GET", "HEAD"})


def create_app(
    hub: Hub,
    identity: Authenticator,
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
    """The ASGI application of a hub."""

    def __init__(
        self, hub: Hub, identity: Authenticator, routes: Sequence[BaseRoute], monitor: Monitor, pace: Pace
    ) -> None:
        self.hub = hub
        self.guards = Guards(hub.settings)
        settings = hub.settings
        self._addresses = Addresses(hub.clock, settings.anonymous_per_minute, settings.requests_per_address)
        self._calls = calls = Calls(hub, Callers(hub, identity, self.guards), pace)
        mounted = frozenset(route.path for route in routes if isinstance(route, Route))
        public, operations = Public(hub, mounted), Operations(hub, monitor)
        self._endpoints: dict[str, Endpoint] = {
            "/api/mcp": calls.over_mcp,
            **dict.fromkeys(SUCCESSORS, calls.retired),
            "/.well-known/mcp.json": _reading(public.discovery),
            "/.well-known/agent-card.json": _reading(public.agent_card),
            "/openapi.json": _reading(public.openapi),
            "/llms.txt": _reading(public.guide),
            "/healthz": _reading(operations.health),
            "/readyz": _reading(operations.ready),
            "/metrics": _reading(operations.metrics),
        }
        others = Route("/api/{path:path}", Routed(calls.over_rest))
        self._others = Starlette(routes=[*routes, others], lifespan=self._lifespan)
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
        elif exchange.path in EXEMPT:
            await self._answered(exchange)
        else:
            await self._counted(exchange)

    async def _counted(self, exchange: Exchange) -> None:
        """The answer, if the address of the client has room for the request."""
        address = address_of(exchange.scope)
        if not address:
            await self._answered(exchange)
            return
        presented = self._addresses.admit(address, exchange.headers)
        if presented.wait_s:
            limit = self.hub.settings.anonymous_per_minute
            await self._too_many(exchange, "anonymous", limit, presented.wait_s)
            return
        exchange.scope[PRESENTED] = presented
        with self._addresses.one_more(address) as room:
            if room:
                await self._answered(exchange)
        if not room:
            await self._too_many(exchange, "open_requests", self.hub.settings.requests_per_address, 1)

    async def _too_many(self, exchange: Exchange, limit_type: str, limit: int, wait_s: int) -> None:
        self.hub.telemetry.count("rate_limited_total", 1, **{"class": limit_type})
        exchange.closing = True
        told = f"{limit_type} limit of {limit} for this address reached"
        error = HubError("RATE_LIMITED", told, limit_type=limit_type, limit=limit, retry_after=wait_s)
        if exchange.path.startswith(TOOLS):
            await exchange.answer(rest.failure(error))
        else:
            await exchange.answer(plain(429, f"{error}\n", ("Retry-After", str(wait_s))))

    async def _answered(self, exchange: Exchange) -> None:
        endpoint = self._endpoints.get(exchange.path)
        if endpoint is None and exchange.path.startswith(TOOLS):
            endpoint = self._calls.over_rest
        if endpoint is not None:
            await served(endpoint, exchange)
        else:
            exchange.scope[EXCHANGE] = exchange
            await exchange.leave_to(self._others)


def _reading(endpoint: Endpoint) -> Endpoint:
    """The same, for GET and HEAD only."""

    async def read(exchange: Exchange) -> None:
        if exchange.method in READING:
            await endpoint(exchange)
        else:
            await exchange.answer(plain(405, "Use GET.\n", ("Allow", "GET, HEAD")))

    return read
