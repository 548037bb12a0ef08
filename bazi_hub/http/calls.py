"""MCP and REST over HTTP: an exchange is read, its caller found, the call made, and its outcome handed over.

The order of these steps is the order in which a request can fail: a body is parsed for those only whose credential holds.
MCP has to repeat the id that stands in the body, and its lists are open to everybody; so of a stranger's body so much is
parsed as a list needs. A call runs to its end whoever still listens; only an
answer whose reader was there until its last byte counts as delivered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count

from bazi_hub.calls.hub import Hub
from bazi_hub.http.callers import Callers, presents_credential
from bazi_hub.http.delivery import Watch, delivered, still_there
from bazi_hub.http.exchange import ClientGone, Exchange, Pace, TooSlow
from bazi_hub.http.sse import PING, EventStream
from bazi_hub.http.wire import mcp, rest
from bazi_hub.http.wire.answer import Answer, limit_headers
from bazi_hub.words.call import Call, Caller, Outcome, RateWindow
from bazi_hub.words.errors import HubError
from bazi_hub.words.fault_log import log_fault

# Bytes. What anybody may ask is a list of the tools.
MOST_OF_STRANGERS = 16_384
STREAM_HEADERS = (("Cache-Control", "no-cache, no-transform"), ("X-Accel-Buffering", "no"))


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
        peer = mcp.peer(exchange.headers, self.hub.settings.tool_errors)
        request: mcp.Request | None = None

        def failed(error: HubError) -> Answer:
            return mcp.business(None, peer, error) if request is None else mcp.failure(request, error)

        try:
            known = await self._caller_or_error(exchange) if presents_credential(exchange.headers) else None
            body = await self._body(exchange)
            if known is None and MOST_OF_STRANGERS < len(body) <= self.hub.settings.body_limit:
                known = await self._caller_or_error(exchange)
            if isinstance(known, HubError) and len(body) > MOST_OF_STRANGERS:
                raise known
            caller = known if isinstance(known, Caller) else None
            if caller is None:
                self.callers.require_room(exchange)
            read = await self.callers.parsed(body, lambda body: mcp.read(body, peer, self.hub.settings))
            if isinstance(read, Answer):
                self.callers.refused(exchange, caller)
                if isinstance(known, HubError):
                    raise known
                await exchange.answer(read)
                return
            request = read
            await self._request(exchange, request, known)
        except HubError as error:
            await exchange.answer(failed(error.traced(exchange.id)))
        except (ClientGone, TooSlow):
            raise
        except Exception as error:
            await self._fault(exchange, error, failed)

    async def _caller_or_error(self, exchange: Exchange) -> Caller | HubError:
        """The caller, or the error of the credential; the method decides whether that matters."""
        try:
            return await self.callers.of(exchange, writes=False)
        except HubError as error:
            return error

    async def _request(
        self, exchange: Exchange, request: mcp.Request, known: Caller | HubError | None
    ) -> None:
        caller: Caller | None = None
        if request.needs_credential(self.hub.settings):
            caller = await self._entitled(exchange, request.params.get("name"), known)
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
            await self._streamed(exchange, request, caller)
        else:
            await self._carry(exchange, call, encode)

    async def _streamed(self, exchange: Exchange, request: mcp.Request, caller: Caller) -> None:
        """Makes a long call. Its answer is plain JSON if that comes soon; else, or behind the first phase that the client
        asked to hear of, it ends an event stream."""
        token, steps, loop = request.progress_token, count(1), asyncio.get_running_loop()

        def progress(phase: str | None = None) -> bytes:
            return b"" if token is None else mcp.event(mcp.progress(token, next(steps), phase))

        def tell(phase: str) -> None:
            """From any thread."""
            loop.call_soon_threadsafe(lambda: stream.tell(progress(phase)))

        def counted(window: RateWindow) -> None:
            stream.headers = (*STREAM_HEADERS, *limit_headers(window))

        stream = EventStream(exchange, STREAM_HEADERS, self.pace.sign_s, lambda: PING + progress())
        told = None if token is None else tell
        call = mcp.call(request, caller, exchange.id, tell=told, counted=counted)
        async with exchange.watched() as gone:
            outcome = await stream.accompany(asyncio.ensure_future(self.hub.call(call)))
            answer = mcp.outcome(request, outcome)
            seen = await still_there(gone)
            if exchange.started:
                await stream.send(mcp.event(answer.body), more=False)
            else:
                await exchange.answer(answer)
        if seen and not stream.lost:
            await delivered(self.hub, outcome)

    async def _entitled(self, exchange: Exchange, name: object, known: Caller | HubError | None) -> Caller:
        """The caller, who may do what this tool does."""
        if isinstance(known, HubError):
            raise known
        if known is None or (known.kind == "session" and self._writes(name)):
            return await self.callers.of(exchange, self._writes(name))
        return known

    # --- REST ---

    async def over_rest(self, exchange: Exchange) -> None:
        """`POST /api/universal/{category}/{name}`, and whatever else is asked for under /api."""
        if exchange.method != "POST":
            await exchange.answer(rest.failure(rest.wrong_verb()))
            return
        try:
            target = rest.target(exchange.path)
            caller = await self.callers.let_in(exchange, self._writes(target.name))
            body = await self._body(exchange)
            try:
                arguments = await self.callers.parsed(body, lambda body: rest.read(body, self.hub.settings))
            except HubError:
                self.callers.refused(exchange, caller)
                raise
            call = rest.call(target, arguments, exchange.headers, caller, exchange.id)
            await self._carry(exchange, call, rest.outcome)
        except HubError as error:
            await exchange.answer(rest.failure(error.traced(exchange.id)))
        except (ClientGone, TooSlow):
            raise
        except Exception as error:
            await self._fault(exchange, error, rest.failure)

    async def retired(self, exchange: Exchange) -> None:
        """The answer of a retired path, for every verb and caller."""
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

    def _writes(self, name: object) -> bool:
        tool = self.hub.catalog.get(name) if isinstance(name, str) else None
        return tool is not None and tool.category == "forum" and not tool.read_only

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
        """Logs an unexpected error; the answer carries the id of the line."""
        log_fault(self.hub.telemetry, error, request_id=exchange.id)
        if not exchange.started:
            told = HubError("INTERNAL_ERROR", "Unexpected fault").traced(exchange.id)
            await exchange.answer(encode(told))
