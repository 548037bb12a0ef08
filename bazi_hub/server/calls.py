"""MCP and REST over HTTP: an exchange is read, its caller found, the call made, and its outcome handed over.

The order of these steps is the order in which a request can fail. A call runs to its end whoever still listens; only an
answer whose reader was there until its last byte counts as delivered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_hub.call import Outcome
from bazi_hub.errors import HubError
from bazi_hub.server.delivery import Watch, delivered
from bazi_hub.server.stream import Stream
from bazi_hub.wire import mcp, rest
from bazi_hub.wire.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.call import Call, Caller
    from bazi_hub.hub import Hub
    from bazi_hub.server.callers import Callers
    from bazi_hub.server.exchange import Exchange, Pace


class Calls:
    """The endpoints of both protocols."""

    def __init__(self, hub: Hub, callers: Callers, pace: Pace) -> None:
        self.hub, self.callers, self.pace = hub, callers, pace

    # --- MCP ---

    async def over_mcp(self, exchange: Exchange) -> None:
        """`POST /api/mcp`."""
        if exchange.method != "POST":
            await exchange.answer(Answer(405, headers=(("Allow", "POST"),), body_type=None))
            return
        peer = mcp.peer(exchange.headers)
        request = mcp.read(await self._body(exchange), peer, self.hub.settings)
        if isinstance(request, Answer):
            await exchange.answer(request)
            return
        try:
            await self._request(exchange, request)
        except Exception as error:
            await self._fault(exchange, error, lambda told: mcp.business(request.id, peer, told))

    async def _request(self, exchange: Exchange, request: mcp.Request) -> None:
        caller: Caller | None = None
        if request.needs_credential(self.hub.settings):
            try:
                caller = await self._caller(exchange, request.params.get("name"))
            except HubError as error:
                await exchange.answer(mcp.business(request.id, request.peer, error.traced(exchange.id)))
                return
        answer = mcp.immediate(request)
        if answer is not None:
            await exchange.answer(answer)
        elif caller is None or request.method == "tools/list":
            await self.hub.start()
            await exchange.answer(mcp.listing(request, await self.hub.listed(), self.hub.remote))
        else:
            await self._tool(exchange, request, caller)

    async def _tool(self, exchange: Exchange, request: mcp.Request, caller: Caller) -> None:
        def encode(outcome: Outcome) -> Answer:
            return mcp.outcome(request, outcome)

        try:
            call = mcp.call(request, caller, exchange.id)
        except HubError as error:
            await exchange.answer(encode(Outcome(error=error)))
            return
        tool = self.hub.catalog.get(call.tool)
        if tool is not None and tool.reads and request.peer.streams:
            await Stream(self.hub, exchange, request, self.pace.sign_s).carry(caller)
        else:
            await self._carry(exchange, call, encode)

    # --- REST ---

    async def over_rest(self, exchange: Exchange) -> None:
        """`POST /api/universal/{category}/{name}`, and whatever else is asked for under /api."""
        if exchange.method != "POST":
            await exchange.answer(rest.failure(rest.wrong_verb()))
            return
        body = await self._body(exchange)
        try:
            arguments = rest.read(body, self.hub.settings)
            target = rest.target(exchange.path)
            caller = await self._caller(exchange, target.name)
            call = rest.call(target, arguments, exchange.headers, caller, exchange.id)
            await self._carry(exchange, call, rest.outcome)
        except HubError as error:
            await exchange.answer(rest.failure(error.traced(exchange.id)))
        except Exception as error:
            await self._fault(exchange, error, rest.failure)

    async def retired(self, exchange: Exchange) -> None:
        """A path that was given up: whatever the verb, and whoever asks."""
        successor = exchange.root + rest.SUCCESSORS[exchange.path]
        error = HubError("GONE_DEPRECATED", "This path was retired", successor=successor)
        if exchange.method != "POST":
            await exchange.answer(rest.failure(error))
            return
        request_id = mcp.id_of(await self._body(exchange), self.hub.settings)
        await exchange.answer(mcp.business(request_id, mcp.PLAIN, error))

    # --- both ---

    async def _body(self, exchange: Exchange) -> bytes:
        return await exchange.body(self.hub.settings.body_limit, self.pace.body_s)

    async def _caller(self, exchange: Exchange, name: object) -> Caller:
        tool = self.hub.catalog.get(name) if isinstance(name, str) else None
        writes = tool is not None and tool.category == "forum" and not tool.read_only
        return await self.callers.of(exchange, writes)

    async def _carry(self, exchange: Exchange, call: Call, encode: Callable[[Outcome], Answer]) -> None:
        """Makes the call and hands its outcome over."""
        tool = self.hub.catalog.get(call.tool)
        if tool is None or not tool.metered:
            # Nothing is kept of it that an answer nobody saw would have to be repeated from.
            await exchange.answer(encode(await self.hub.call(call)))
            return
        watch = Watch(exchange)
        try:
            outcome = await self.hub.call(call)
            answer = encode(outcome)
            seen = await watch.still_there()
            await exchange.answer(answer)
        finally:
            watch.end()
        if seen:
            await delivered(self.hub, outcome)

    async def _fault(
        self, exchange: Exchange, error: Exception, encode: Callable[[HubError], Answer]
    ) -> None:
        """What nobody expected: told to the operator in the log, to the client by the id of its line."""
        self.hub.telemetry.log("fault", "error", request_id=exchange.id, error=type(error).__name__)
        if not exchange.started:
            told = HubError("INTERNAL_ERROR", "Unexpected fault").traced(exchange.id)
            await exchange.answer(encode(told))
