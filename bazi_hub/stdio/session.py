"""The hub behind a pipe, for one caller. Everything beyond the standard library is imported when the first line comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, BinaryIO

from bazi_hub.stdio.lines import claim_stdin, serve_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.calls.hub import Hub
    from bazi_hub.http.wire.mcp import Request
    from bazi_hub.stdio.lines import Write
    from bazi_hub.words.call import Caller


async def serve_stdio(hub: Hub, caller: Caller, out: BinaryIO, source: BinaryIO | None = None) -> None:
    """Answers every line of the input for this caller, until the input ends. `out` is what `claim_stdout` gave."""
    session = _Session(hub, caller)
    await serve_lines(session.answer, out, source or claim_stdin(), hub.settings.body_limit)


class _Session:
    """The hub behind a pipe, for one caller."""

    def __init__(self, hub: Hub, caller: Caller) -> None:
        self.hub, self.caller = hub, caller
        # What the client has agreed on.
        self.revision: str | None = None

    async def answer(self, line: bytes, write: Write) -> None:
        """Writes what there is to say to a line, which for a notification is nothing."""
        from bazi_hub.http.wire import mcp
        from bazi_hub.http.wire.answer import Answer
        from bazi_hub.words.errors import HubError
        from bazi_hub.words.fault_log import log_fault

        settings = self.hub.settings
        request = mcp.read(line, mcp.piped(settings.tool_errors, self.revision), settings)
        if isinstance(request, Answer):
            await write(request.body)
            return
        if request.method == "initialize":
            self.revision = mcp.agreed(request.params)
        request_id = self.hub.ids.uuid()
        try:
            await self._request(request, request_id, write)
        except Exception as error:
            log_fault(self.hub.telemetry, error, request_id=request_id)
            told = HubError("INTERNAL_ERROR", "Unexpected fault").traced(request_id)
            await write(mcp.failure(request, told).body)

    async def _request(self, request: Request, request_id: str, write: Write) -> None:
        from bazi_hub.http.wire import mcp

        answer = mcp.immediate(request)
        if answer is not None:
            if not request.notified:
                await write(answer.body)
        elif request.method == "tools/list":
            await self.hub.start()
            await write(mcp.listing(request, await self.hub.listed(), self.hub.remote).body)
        else:
            await self._call(request, request_id, write)

    async def _call(self, request: Request, request_id: str, write: Write) -> None:
        from bazi_hub.http.wire import mcp
        from bazi_hub.words.call import Outcome
        from bazi_hub.words.errors import HubError

        async with _Phases(request, write) as tell:
            try:
                outcome = await self.hub.call(mcp.call(request, self.caller, request_id, "stdio", tell))
            except HubError as error:
                outcome = Outcome(error=error)
        await write(mcp.outcome(request, outcome).body)
        if outcome.undelivered is not None:
            await self.hub.delivered(outcome.undelivered)


class _Phases:
    """Progress of one call, written in order before its answer."""

    def __init__(self, request: Request, write: Write) -> None:
        self._request, self._write = request, write
        self._phases: asyncio.Queue[str | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Callable[[str], None] | None:
        if self._request.progress_token is None:
            return None
        loop = asyncio.get_running_loop()
        self._writer = asyncio.create_task(self._report_phases(self._request.progress_token))

        def tell(phase: str) -> None:
            loop.call_soon_threadsafe(self._phases.put_nowait, phase)

        return tell

    async def __aexit__(self, *raised: object) -> None:
        if self._writer is not None:
            asyncio.get_running_loop().call_soon(self._phases.put_nowait, None)
            await self._writer

    async def _report_phases(self, token: str | int) -> None:
        from bazi_hub.http.wire import mcp

        step = 0
        while (phase := await self._phases.get()) is not None:
            step += 1
            await self._write(mcp.progress(token, step, phase))
