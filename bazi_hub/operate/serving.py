"""The bundled server: uvicorn with the hub's own way of stopping, in workers that a supervisor watches over.

uvicorn closes its sockets when a signal comes and raises it again at the end; the hub wants to answer what it has begun. So
the signal is taken here: readiness goes, event streams are closed, running calls finish or are released, and only then is
uvicorn asked to stop.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import multiprocessing.connection
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import uvicorn

from bazi_hub.http.connections import crowded
from bazi_hub.http.guards import Guards, missing_setting
from bazi_hub.http.telemetry import Lines, capture_library_logs, counted_together
from bazi_hub.operate.admin_socket import Control, require_short, socket_path
from bazi_hub.operate.app import (
    application,
    compose,
    database_of,
    dev_secrets,
    kept_secrets,
    require_extras,
    secrets_of,
    with_database,
)
from bazi_hub.operate.composition import Composition
from bazi_hub.operate.config import Config, configured
from bazi_hub.operate.supervisor import STOPPING, WorkerOrders, WorkerPipe, Workers
from bazi_hub.people.identity import Secrets
from bazi_hub.ports import StoreError
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.private_files import exposed

DEV_CREDITS = 10_000
DEV_NAME = "dev"
SWITCH_S = 0.0001
# So many new things are made before the collector looks at them.
COLLECT_AFTER = 20_000


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
        parent = multiprocessing.parent_process()
        # What a terminal sends to all of them is for the supervisor to tell.
        stop_signals = STOPPING if parent is None else (signal.SIGTERM,)
        for each in stop_signals:
            loop.add_signal_handler(each, self._stop)
        if parent is not None:
            # A worker whose parent was killed would hold its socket for ever, and nobody could stop it.
            loop.add_reader(parent.sentinel, self._orphaned, parent.sentinel)
        try:
            yield
        finally:
            for each in stop_signals:
                loop.remove_signal_handler(each)
            if parent is not None:
                loop.remove_reader(parent.sentinel)

    def _orphaned(self, sentinel: int) -> None:
        asyncio.get_running_loop().remove_reader(sentinel)
        # At once: whoever starts again finds the database and the address free.
        for _ in range(2):
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
    """Loads every table of a reading and every template of the pages, so that the first caller does not wait for them.

    They stay, so the collector is told to leave them alone: it would stop everybody for 50 ms each time it went through. It
    looks at new things less often than usual: a page makes tens of thousands that live until it is sent, and to go through
    them again and again takes a tenth of its time. And the writer's thread, which never needs the interpreter for long, need
    not wait 5 ms for it while a chart is computed.
    """
    from bazi_core.objects import read
    from bazi_core.place.suggestions import suggest
    from bazi_hub.pages.site import TEMPLATES
    from bazi_hub.tools.births import chart_of
    from bazi_hub.tools.catalog import CATALOG

    chart = chart_of(CATALOG["bazi_basic_analysis"].example)
    read(chart.year(2026), question="今年适合换工作吗？")
    chart.to_json()
    # The names that a misspelt one is compared with.
    suggest("beijng")
    TEMPLATES.load()
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    sys.setswitchinterval(SWITCH_S)


async def serve(
    composed: Composition, host: str, port: int, sockets: list[socket.socket] | None = None,
    line: WorkerPipe | None = None,
) -> None:  # fmt: skip
    """Serves until a signal comes; administrative commands reach the process over the socket beside its database.

    `line` is that to the supervisor, which hears from here on that the loop turns.
    """
    database = database_of(composed.config)
    settings, control = composed.hub.settings, None
    if isinstance(database, Path):
        control = Control(socket_path(database), composed.admin_context, composed.telemetry)
    config = uvicorn.Config(
        application(composed), host=host, port=port, log_config=None, access_log=False, server_header=False,
        proxy_headers=False, lifespan="on", timeout_graceful_shutdown=5, date_header=True, loop="none",
        http=crowded(settings.connections_per_address, Guards(settings).trusts), ws="none",
    )  # fmt: skip
    capture_library_logs(composed.telemetry)
    # What this process uses is read off for others to tell.
    composed.hub.on_watch.append(composed.telemetry.looked)
    await composed.hub.start()
    warm()
    if control is not None:
        await control.open()
    server = Server(config, composed)
    signs = None if line is None else asyncio.create_task(line.signs())
    try:
        await server.serve(sockets)
    finally:
        if control is not None:
            await control.close()
        # Who asks twice waits for no reading: what runs is released.
        await composed.close(0 if server.force_exit else None)
        composed.telemetry.log("stopped")
        if signs is not None:
            signs.cancel()


def address(host: str, port: int) -> str:
    """The address of the hub for a browser on this machine.

    >>> address("0.0.0.0", 8000), address("2001:db8::7", 8000)
    ('http://localhost:8000', 'http://[2001:db8::7]:8000')
    """
    if host in ("127.0.0.1", "0.0.0.0", "::", "::1"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(host: str, port: int, *, workers: int = 1, db: str | None = None, dev: bool = False) -> None:
    """`bazi serve`: a process that watches over the workers, and they on one socket; all stop together.

    `ConfigurationError` for what is missing, `StoreError` for a database in use.
    """
    config = with_database(configured(), db)
    database = database_of(config)
    if isinstance(database, Path):
        if workers > 1:
            raise ConfigurationError("several workers need PostgreSQL: SQLite has one writing process")
        require_short(socket_path(database))
    require_extras(config)
    _secrets(config, dev)
    # The address comes first: the key of the first account is shown once.
    with _listening(host, port) as bound, counted_together() if workers > 1 else nullcontext():
        arguments = (bound, host, bound.getsockname()[1], db, dev)
        log = Lines(level=config.log_level).log
        Workers(workers, _worker, arguments, watchdog_s=config.watchdog_seconds, log=log).run()


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


def _worker(
    to: multiprocessing.connection.Connection, birth: WorkerOrders, bound: socket.socket, host: str, port: int,
    db: str | None, dev: bool,
) -> None:  # fmt: skip
    """The life of one worker."""
    # Lines of the log are UTF-8 wherever the process was started.
    cast("TextIOWrapper", sys.stderr).reconfigure(encoding="utf-8", errors="backslashreplace")
    line = WorkerPipe(to)
    try:
        composed = _composed(db, dev)
        composed.hub.worker = birth.name
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_start(composed, birth, host, port, dev))
            runner.run(serve(composed, host, port, [bound], line))
    except (ConfigurationError, StoreError) as error:
        line.refuse(error)


async def _start(composed: Composition, birth: WorkerOrders, host: str, port: int, dev: bool) -> None:
    """Opens the stores, and releases what those held that died before."""
    await composed.hub.start()
    await composed.hub.inherit(birth.dead)
    composed.telemetry.observe("workers_replaced_total", birth.replaced)
    if birth.first:
        _warn(composed, host)
        _warn_of_file(composed)
        if dev:
            await _welcome(composed, host, port)


def _composed(db: str | None, dev: bool) -> Composition:
    config = with_database(configured(), db)
    return compose(config, secrets=_secrets(config, dev))


def _secrets(config: Config, dev: bool) -> Secrets:
    from bazi_hub.words.system import SystemIds

    if dev:
        return dev_secrets(config, SystemIds())
    if isinstance(database_of(config), Path) and config.key_pepper is None and kept_secrets(config):
        raise ConfigurationError(
            "this database was made with --dev: give --dev again, or set BAZI_HUB_KEY_PEPPER"
        )
    return secrets_of(config)


async def _welcome(composed: Composition, host: str, port: int) -> None:
    """Makes the first account of a hub that is tried out, and prints its key; afterwards nothing."""
    from bazi_hub.operate.admin import act

    context = composed.admin_context("dev")
    shown = address(host, port)
    told = [f"bazi hub {shown}  (--dev: secrets beside the database, not for the public)"]
    if not await composed.hub.storage.accounts.listed():
        account = await act(context, "account_create", {"name": DEV_NAME, "credits": DEV_CREDITS})
        issued = await act(context, "keys_issue", {"account": account["id"]})
        told += [f"personal key, shown this once:  {issued['key']}", "try:"]
        told += [
            f"  curl -s {shown}/api/universal/meta/get_user_credits -H 'x-api-key: {issued['key']}' -d '{{}}'"
        ]
    sys.stderr.write("\n".join(told) + "\n")


def _warn(composed: Composition, host: str) -> None:
    missing = missing_setting(host, composed.hub.settings)
    if missing is not None:
        composed.telemetry.log("not_reachable", "warning", detail=missing)


def _warn_of_file(composed: Composition) -> None:
    """A database that others may read is served, since its operator may want that; it is said."""
    database = database_of(composed.config)
    wrong = exposed(database.stat()) if isinstance(database, Path) else None
    if wrong is not None:
        composed.telemetry.log("database_exposed", "warning", detail=f"{database} {wrong}")


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
