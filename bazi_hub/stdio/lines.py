"""Lines in and out: read by a thread, answered many at a time, written one after the other."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import BinaryIO

Write = Callable[[bytes], Awaitable[None]]

STDOUT, STDERR = 1, 2
# Lines that may be in work at once; further ones wait in the pipe.
MOST_RUNNING = 64


def claim_stdout() -> BinaryIO:
    """Standard output for the protocol alone; what is printed from now on goes to standard error. To be called first."""
    sys.stdout.flush()
    channel = os.fdopen(os.dup(STDOUT), "wb", buffering=0)
    os.dup2(STDERR, STDOUT)
    return channel


def claim_stdin() -> BinaryIO:
    """Standard input with a buffer of its own: that of `sys.stdin` is closed when the interpreter ends, which is fatal while
    the thread waits in it."""
    return open(sys.stdin.fileno(), "rb", closefd=False)


async def serve_lines(
    answer: Callable[[bytes, Write], Awaitable[None]], out: BinaryIO, source: BinaryIO, limit: int
) -> None:
    """Gives every line to `answer`, many at a time, and what it writes, line by line, to `out`."""
    pen = asyncio.Lock()
    room = asyncio.Semaphore(MOST_RUNNING)
    running: set[asyncio.Task[None]] = set()

    async def write(frame: bytes) -> None:
        async with pen:
            await asyncio.to_thread(_write, out, frame + b"\n")

    async def one(line: bytes) -> None:
        try:
            await answer(line, write)
        except OSError:
            # Nobody reads any more. The input will end too.
            pass
        finally:
            room.release()

    async for line in _lines(source, limit):
        await room.acquire()
        task = asyncio.create_task(one(line))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)


def _write(out: BinaryIO, data: bytes) -> None:
    """All of it, however little a pipe takes at once."""
    left = memoryview(data)
    while left:
        left = left[out.write(left) or 0 :]


async def _lines(source: BinaryIO, limit: int) -> AsyncIterator[bytes]:
    """The lines of a blocking file, read by a thread that does not keep the process alive. Of a line that is longer than
    the limit comes just so much that this shows."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes | None](maxsize=1)

    def read() -> None:
        while line := source.readline(limit + 2):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(limit)
            asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
        asyncio.run_coroutine_threadsafe(lines.put(None), loop).result()

    threading.Thread(target=read, name="bazi-stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        if stripped := line.strip(b" \t\r\n"):
            yield stripped
