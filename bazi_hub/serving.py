"""The bundled server: uvicorn with the hub's own way of stopping, one process or several.

uvicorn closes its sockets when a signal comes and raises it again at the end; the hub wants to answer what it has begun. So
the signal is taken here: readiness goes, event streams are closed, running calls finish or are released, and only then is
uvicorn asked to stop.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import multiprocessing.connection
import multiprocessing.context
import signal
import socket
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from bazi_hub.app import (
    application,
    compose,
    database_of,
    dev_secrets,
    kept_secrets,
    secrets_of,
    with_database,
)
from bazi_hub.config import ConfigurationError, configured
from bazi_hub.control import Control, require_short, socket_path
from bazi_hub.ports import StoreError
from bazi_hub.server.connections import Connection
from bazi_hub.server.guards import missing_setting
from bazi_hub.server.telemetry import heard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.synchronize import Event

    from bazi_hub.app import Composition
    from bazi_hub.config import Config
    from bazi_hub.identity import Secrets

DEV_CREDITS = 10_000
DEV_NAME = "dev"
STOPPING = (signal.SIGTERM, signal.SIGINT)
WATCH_S = 1.0
CANNOT_START = 3
SWITCH_S = 0.0001


class Server(uvicorn.Server):
    """Stops when everything that was begun has been answered."""

    def __init__(self, config: uvicorn.Config, composed: Composition) -> None:
        super().__init__(config)
        self.composed = composed
        self._stopping: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.composed.telemetry.log("serving", detail=address(self.config.host, self.config.port))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes the signals for the loop, and raises none of them again: an orderly end is status 0."""
        loop = asyncio.get_running_loop()
        for each in STOPPING:
            loop.add_signal_handler(each, self._stop)
        parent = multiprocessing.parent_process()
        if parent is not None:
            # A worker whose parent was killed would hold its socket for ever, and nobody could stop it.
            loop.add_reader(parent.sentinel, self._orphaned, parent.sentinel)
        try:
            yield
        finally:
            for each in STOPPING:
                loop.remove_signal_handler(each)
            if parent is not None:
                loop.remove_reader(parent.sentinel)

    def _orphaned(self, sentinel: int) -> None:
        asyncio.get_running_loop().remove_reader(sentinel)
        self._stop()

    def _stop(self) -> None:
        if self._stopping is None:
            self._stopping = asyncio.get_running_loop().create_task(self._drained())
        else:
            # Asked twice: at once.
            self.force_exit = True
            self.should_exit = True

    async def _drained(self) -> None:
        await self.composed.hub.drain()
        self.should_exit = True


def warm() -> None:
    """Loads every table that a reading needs, so that the first caller does not wait for them.

    They stay, so the collector is told to leave them alone: it would stop everybody for 50 ms each time it went through. And
    the writer's thread, which never needs the interpreter for long, need not wait 5 ms for it while a chart is computed.
    """
    from bazi_core.objects import read
    from bazi_hub.catalog import CATALOG
    from bazi_hub.tools.births import chart_of

    chart = chart_of(CATALOG["bazi_basic_analysis"].example)
    read(chart.year(2026), question="今年适合换工作吗？")
    chart.to_json()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_S)


async def serve(
    composed: Composition, host: str, port: int, sockets: list[socket.socket] | None = None
) -> None:
    """Serves until a signal comes; administrative commands reach the process over the socket beside its database."""
    database = database_of(composed.config)
    control = None
    if isinstance(database, Path):
        control = Control(socket_path(database), composed.desk, composed.telemetry)
    config = uvicorn.Config(
        application(composed), host=host, port=port, log_config=None, access_log=False, server_header=False,
        proxy_headers=False, lifespan="on", timeout_graceful_shutdown=5, date_header=True, loop="none",
        http=Connection, ws="none",
    )  # fmt: skip
    heard(composed.telemetry)
    await composed.hub.start()
    warm()
    if control is not None:
        await control.open()
    server = Server(config, composed)
    try:
        await server.serve(sockets)
    finally:
        if control is not None:
            await control.close()
        # Who asks twice waits for no reading: what runs is released.
        await composed.close(0 if server.force_exit else None)
        composed.telemetry.log("stopped")


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds the hub.

    >>> address("0.0.0.0", 8000), address("2001:db8::7", 8000)
    ('http://localhost:8000', 'http://[2001:db8::7]:8000')
    """
    if host in ("127.0.0.1", "0.0.0.0", "::", "::1"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(host: str, port: int, *, db: str | None = None, dev: bool = False) -> None:
    """`bazi serve` in one process. `ConfigurationError` for what is missing, `StoreError` for a database in use."""
    composed = _composed(db, dev)
    _warn(composed, host)
    database = database_of(composed.config)
    if isinstance(database, Path):
        require_short(socket_path(database))
    # The address comes first: the key of the first account is shown once.
    with _listening(host, port) as bound, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        port = bound.getsockname()[1]
        if dev:
            runner.run(_welcome(composed, host, port))
        runner.run(serve(composed, host, port, [bound]))


def run_workers(host: str, port: int, workers: int, *, db: str | None = None, dev: bool = False) -> None:
    """`bazi serve` in several processes on one socket; whichever dies is replaced, and all stop together."""
    config = with_database(configured(), db)
    if isinstance(database_of(config), Path):
        raise ConfigurationError("several workers need PostgreSQL: SQLite has one writing process")
    _secrets(config, dev)
    bound = _listening(host, port)
    Workers(workers, (bound, host, bound.getsockname()[1], db, dev)).run()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that says it is TCP: only then does asyncio switch off the delay of small answers."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(1024)
    except OSError as error:
        bound.close()
        raise ConfigurationError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    return bound


class Workers:
    """Processes that serve one socket."""

    def __init__(self, count: int, arguments: tuple[object, ...]) -> None:
        self._context = multiprocessing.get_context("spawn")
        # Set by the first that has opened the database: what is configured is right.
        self._opened = self._context.Event()
        self._arguments, self._stopping = arguments, False
        self._processes: list[multiprocessing.context.SpawnProcess] = []
        for _ in range(count):
            self._start()

    def run(self) -> None:
        """Watches over them until a signal comes."""
        for each in STOPPING:
            signal.signal(each, self._stop)
        while not self._stopping:
            multiprocessing.connection.wait([process.sentinel for process in self._processes], WATCH_S)
            for process in [process for process in self._processes if not process.is_alive()]:
                self._replace(process)
        for process in self._processes:
            process.join()

    def _start(self) -> None:
        process = self._context.Process(target=_worker, args=(self._opened, *self._arguments))
        process.start()
        self._processes.append(process)
        if self._stopping:
            # The signal came while it was started.
            process.terminate()

    def _replace(self, process: multiprocessing.context.SpawnProcess) -> None:
        if process.exitcode == CANNOT_START:
            if not self._opened.is_set():
                self._stop()
                raise ConfigurationError("a worker could not start; its reason stands above")
            # The database is away, and comes back.
            time.sleep(WATCH_S)
        if not self._stopping:
            self._processes.remove(process)
            self._start()

    def _stop(self, *_: object) -> None:
        self._stopping = True
        for process in self._processes:
            if process.is_alive():
                process.terminate()


def _worker(opened: Event, bound: socket.socket, host: str, port: int, db: str | None, dev: bool) -> None:
    try:
        composed = _composed(db, dev)
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(composed.hub.start())
            opened.set()
            runner.run(serve(composed, host, port, [bound]))
    except (ConfigurationError, StoreError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(CANNOT_START)


def _composed(db: str | None, dev: bool) -> Composition:
    config = with_database(configured(), db)
    return compose(config, secrets=_secrets(config, dev))


def _secrets(config: Config, dev: bool) -> Secrets:
    from bazi_hub.memory import SystemIds

    if dev:
        return dev_secrets(config, SystemIds())
    if isinstance(database_of(config), Path) and config.key_pepper is None and kept_secrets(config):
        raise ConfigurationError(
            "this database was made with --dev: give --dev again, or set BAZI_HUB_KEY_PEPPER"
        )
    return secrets_of(config)


async def _welcome(composed: Composition, host: str, port: int) -> None:
    """Makes the first account of a hub that is tried out, and prints its key; afterwards nothing."""
    from bazi_hub.admin import act

    await composed.hub.start()
    desk = composed.desk("dev")
    shown = address(host, port)
    told = [f"bazi hub {shown}  (--dev: secrets beside the database, not for the public)"]
    if not await composed.hub.storage.accounts.listed():
        account = await act(desk, "account_create", {"name": DEV_NAME, "credits": DEV_CREDITS})
        issued = await act(desk, "keys_issue", {"account": account["id"]})
        told += [f"personal key, shown this once:  {issued['key']}", "try:"]
        told += [
            f"  curl -s {shown}/api/universal/meta/get_user_credits -H 'x-api-key: {issued['key']}' -d '{{}}'"
        ]
    sys.stderr.write("\n".join(told) + "\n")


def _warn(composed: Composition, host: str) -> None:
    missing = missing_setting(host, composed.hub.settings)
    if missing is not None:
        composed.telemetry.log("not_reachable", "warning", detail=missing)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
