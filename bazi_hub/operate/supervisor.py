"""The process above the workers: it computes nothing, so whatever they are at, it hears signals and sees who is frozen.

A worker gives a sign of life a second from its event loop. One that gave none for long is asked for its stack, killed and
replaced, and so is one that died; whoever comes next is told whose calls to release. A loop that stands still cannot see to
that by itself: nothing in its process runs while a pattern or an extension holds the interpreter.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, NoReturn, Protocol

from bazi_hub.ports import StoreError
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.fault_log import place
from bazi_hub.words.system import SystemIds

STOPPING = (signal.SIGTERM, signal.SIGINT)
SIGN, SIGN_EVERY_S = b"\n", 1.0
LOOK_S = 1.0
CANNOT_START = 3
# Whoever lived for so long is replaced at once; who dies sooner again and again, after 1, 2, 4 … 30 seconds.
STEADY_S, LONGEST_PAUSE_S = 60.0, 30.0
# So long the stack of a frozen worker is waited for, and so much of it is told.
STACK_S, QUIET_S, MOST_STACKS, MOST_FRAMES = 1.0, 0.1, 8, 20
MOST_BYTES = 1 << 17


class WorkerOrders(NamedTuple):
    """The orders of a worker: its name in the ledger, whose calls it inherits, whether it is the very first, and how many
    were replaced before it."""

    name: str
    dead: tuple[str, ...]
    first: bool
    replaced: int = 0


class WriteLog(Protocol):
    def __call__(self, event: str, level: str = "info", **members: Any) -> None: ...


# --- in the worker ------------------------------------------------------------------------------------------------------


class WorkerPipe:
    """The way from a worker to its supervisor: signs of life, why it cannot start, and its stack if that is asked for."""

    def __init__(self, to: Connection) -> None:
        self._to = to
        os.set_blocking(to.fileno(), False)
        # Written by the handler of the signal itself: needs no interpreter, which somebody may hold.
        faulthandler.register(signal.SIGUSR1, to.fileno(), all_threads=True, chain=False)

    async def signs(self) -> None:
        """Gives a sign a second for as long as the event loop turns."""
        while True:
            self._write(SIGN)
            await asyncio.sleep(SIGN_EVERY_S)

    def refuse(self, error: ConfigurationError | StoreError) -> NoReturn:
        """Ends a worker that cannot start."""
        self._write(json.dumps([type(error).__name__, str(error)]).encode() + SIGN)
        raise SystemExit(CANNOT_START)

    def _write(self, told: bytes) -> None:
        # A supervisor that was killed, or is stopped for hours, is no reason to fail.
        with suppress(OSError):
            os.write(self._to.fileno(), told)


# --- in the supervisor --------------------------------------------------------------------------------------------------


class WorkerProcess:
    """A process, and what was heard of it. `silent_s` is None until its first sign: a start may migrate a large database."""

    def __init__(self, process: SpawnProcess, line: Connection, birth: WorkerOrders) -> None:
        self.process, self.line, self.birth = process, line, birth
        self.silent_s: float | None = None
        self.since_s = time.monotonic()
        self.said = b""
        os.set_blocking(line.fileno(), False)

    def listen(self, passed_s: float) -> None:
        """Takes in what it said meanwhile."""
        heard = self._read()
        if heard:
            self.said = (self.said + heard).lstrip(SIGN)[-MOST_BYTES:]
        if heard.startswith(SIGN):
            self.silent_s = 0.0
        elif self.silent_s is not None:
            self.silent_s += passed_s

    def stack(self) -> list[list[str]]:
        """The stack of each of its threads, the one that took the signal first; empty where it writes none."""
        assert self.process.pid is not None
        said = b""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGUSR1)
        # The current thread is the last that is told.
        while multiprocessing.connection.wait([self.line], QUIET_S if b"Current thread" in said else STACK_S):
            heard = self._read()
            said += heard
            if not heard or len(said) > MOST_BYTES:
                break
        return stacks_of(said.decode("utf-8", "replace"))

    def refusal(self) -> list[str]:
        """Why it could not start: the kind of error, and its words."""
        with suppress(ValueError):
            kind, text = json.loads(self.said.splitlines()[0] if self.said else b"")
            return [kind, text]
        return ["ConfigurationError", f"a worker could not start: exit status {self.process.exitcode}"]

    def _read(self) -> bytes:
        try:
            return os.read(self.line.fileno(), MOST_BYTES)
        except OSError:
            return b""


def stacks_of(dump: str) -> list[list[str]]:
    """The stacks that `faulthandler` wrote, each from the outermost to the innermost frame.

    >>> stacks_of('Current thread 0x1:\\n  File "a.py", line 2 in f\\n  File "a.py", line 9 in g\\n')
    [['a.py:9 g', 'a.py:2 f']]
    """
    stacks: list[list[str]] = []
    for line in dump.splitlines():
        file, sign, rest = line.strip().removeprefix('File "').partition('", line ')
        if "thread 0x" in line.lower():
            # The current one comes last, and is told first.
            stacks.insert(0 if line.startswith("Current") else len(stacks), [])
            current = stacks[0] if line.startswith("Current") else stacks[-1]
        elif sign and stacks:
            number, _, function = rest.partition(" in ")
            current.insert(0, place(file, int(number), function))
    return [frames[-MOST_FRAMES:] for frames in stacks[:MOST_STACKS]]


class Workers:
    """Processes that serve one socket. `target` is called in each with its line, its birth and the arguments."""

    def __init__(
        self, count: int, target: Callable[..., None], arguments: tuple[Any, ...], *, watchdog_s: float, log: WriteLog
    ) -> None:  # fmt: skip
        self._context = multiprocessing.get_context("spawn")
        self._target, self._arguments, self._watchdog_s, self._log = target, arguments, watchdog_s, log
        self._ids = SystemIds()
        self._running: list[WorkerProcess] = []
        self._due = [0.0] * count
        self._dead: list[str] = []
        # Whether any has served: what is configured is right then.
        self._served = False
        self._in_a_row = self._replaced = 0
        self._stopping = False
        self._refusal: list[str] | None = None
        self._looked_s = time.monotonic()

    def run(self) -> None:
        """Watches over them until a signal comes, and until the last has ended."""
        for each in STOPPING:
            signal.signal(each, self.stop)
        self._start_due()
        while self._running or self._due:
            multiprocessing.connection.wait([each.process.sentinel for each in self._running], LOOK_S)
            self._look()
            self._start_due()
        if self._refusal is not None:
            kind, text = self._refusal
            raise StoreError(text) if kind != "ConfigurationError" else ConfigurationError(text)

    def stop(self, *_: object) -> None:
        """Asks all to end; asked again, they end at once."""
        self._stopping = True
        for worker in list(self._running):
            worker.process.terminate()

    def _start_due(self) -> None:
        now_s = time.monotonic()
        for due_s in [each for each in self._due if each <= now_s or self._stopping]:
            self._due.remove(due_s)
            if not self._stopping:
                self._start(first=due_s == 0.0 and not self._running)

    def _start(self, first: bool) -> None:
        birth = WorkerOrders(self._ids.uuid(), tuple(self._dead), first, self._replaced)
        read, write = self._context.Pipe(duplex=False)
        process = self._context.Process(target=self._target, args=(write, birth, *self._arguments))
        with _not_interrupted():
            process.start()
        write.close()
        self._running.append(WorkerProcess(process, read, birth))
        if self._stopping:
            # The signal came while it was started.
            process.terminate()

    def _look(self) -> None:
        now_s = time.monotonic()
        # Who watches may have been stopped itself, and they with it: only what it saw of their silence counts.
        passed_s, self._looked_s = min(now_s - self._looked_s, 2 * LOOK_S), now_s
        for worker in list(self._running):
            worker.listen(passed_s)
            if not worker.process.is_alive():
                self._ended(worker)
            elif worker.silent_s is None:
                continue
            elif worker.silent_s >= self._watchdog_s:
                self._kill(worker)
            elif worker.silent_s == 0.0:
                self._serves(worker)

    def _serves(self, worker: WorkerProcess) -> None:
        self._served = True
        # It has released what they held before its first sign.
        self._dead = [each for each in self._dead if each not in worker.birth.dead]

    def _kill(self, worker: WorkerProcess) -> None:
        stacks = worker.stack()
        worker.process.kill()
        worker.process.join()
        self._ended(worker, silent_s=round(worker.silent_s or 0.0, 1), stacks=stacks)

    def _ended(self, worker: WorkerProcess, **frozen: Any) -> None:
        worker.listen(0.0)
        code = worker.process.exitcode
        self._running.remove(worker)
        self._dead.append(worker.birth.name)
        pid = worker.process.pid
        told: dict[str, Any] = {"worker": worker.birth.name, "pid": pid, **frozen}
        told["reason"] = "frozen" if frozen else _ending(code)
        if code == CANNOT_START:
            told["detail"] = worker.refusal()[1]
        worker.line.close()
        if self._stopping:
            if frozen:
                self._log("worker_killed", "error", **told)
            return
        if not (self._served or worker.silent_s is not None):
            self._refusal = worker.refusal() if code == CANNOT_START else None
            self._refusal = self._refusal or [
                "ConfigurationError",
                f"a worker could not start: {_ending(code)}",
            ]
            self.stop()
            return
        pause_s = self._pause_s(worker)
        self._due.append(time.monotonic() + pause_s)
        self._replaced += 1
        self._log("worker_replaced", "error", **told, pause_s=pause_s)

    def _pause_s(self, worker: WorkerProcess) -> float:
        """The pause before a worker that ended is replaced, in seconds."""
        if time.monotonic() - worker.since_s >= STEADY_S:
            self._in_a_row = 0
        self._in_a_row += 1
        least_s = LOOK_S if worker.process.exitcode == CANNOT_START else 0.0
        again = self._in_a_row - 2
        return max(least_s, min(2.0**again, LONGEST_PAUSE_S) if again >= 0 else 0.0)


def _ending(code: int | None) -> str:
    """The end of a process, in words.

    >>> _ending(-9), _ending(1)
    ('signal 9', 'exit status 1')
    """
    return f"signal {-code}" if code is not None and code < 0 else f"exit status {code}"


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Lets what is started pass over Ctrl-C, which the terminal sends to all: the supervisor says how often it came."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
