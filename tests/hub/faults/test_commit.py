"""The connection is lost while PostgreSQL commits: what was paid is answered, and nothing is paid twice or for nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bazi_hub.ports import Admitted, StoreError
from bazi_hub.store.postgres import writer as postgres_writer
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.testing import FakeClock, FakeIds, World
from tests.hub.worlds import Voices

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

pytestmark = pytest.mark.postgres
COMMIT, DONE, ASKED_AFTER = b"COMMIT\0", b"COMMIT\0", b"FOR UPDATE"


class Network:
    """What lies between a hub and its database, and cuts the next COMMIT where it is told to.

    `before` the server hears it; `after` the server answered, which nobody hears; `late`: the client is cut off, and the
    server hears it only when somebody asks what became of it. `away`: from then on nobody gets through.
    """

    def __init__(self, server: str) -> None:
        self._server, self.way, self.away = server, "", False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        self._held: tuple[socket.socket, bytes] | None = None
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.away and self.cuts:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._open += [client, server]
                for pump in (self._to_server, self._to_client):
                    thread = threading.Thread(target=pump, args=(client, server))
                    self._threads.append(thread)
                    thread.start()

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while told := client.recv(65536):
                if self.way and not self.cuts and COMMIT in told:
                    self.cuts += 1
                    self._cut(client, server, told)
                    return
                server.sendall(told)
                if self._held is not None and ASKED_AFTER in told:
                    (late, commit), self._held = self._held, None
                    late.sendall(commit)
        _end(server)

    def _to_client(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while told := server.recv(65536):
                if self.way == "after" and self.cuts and DONE in told:
                    break
                client.sendall(told)
        _end(client)

    def _cut(self, client: socket.socket, server: socket.socket, told: bytes) -> None:
        if self.way == "before":
            _end(server)
        elif self.way == "late":
            self._held = (server, told)
        else:
            # The answer is what the other pump waits for.
            server.sendall(told)
            return
        _end(client)

    def leave(self) -> None:
        """From now on nobody gets through, in the middle of nothing."""
        self.cuts, self.away = 1, True
        for each in self._open:
            _end(each)

    def close(self) -> None:
        for each in (self._listener, *self._open):
            _end(each)
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._open):
            each.close()


def _end(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


@contextmanager
def network(url: str) -> Iterator[tuple[str, Network]]:
    """The address of a database behind a network."""
    told = psycopg.conninfo.conninfo_to_dict(url)
    made = Network(f"{told['host']}/.s.PGSQL.{told.get('port', 5432)}")
    try:
        yield f"postgresql://{told['user']}@127.0.0.1:{made.port}/{told['dbname']}?sslmode=disable", made
    finally:
        made.close()


@asynccontextmanager
async def behind(url: str, voices: Voices) -> AsyncIterator[tuple[World, Network]]:
    clock, ids = FakeClock(), FakeIds()
    with network(url) as (address, line):
        storage = PostgresStorage(address, clock, ids, telemetry=voices)
        await storage.open()
        try:
            yield World(storage, clock, ids), line
        finally:
            await storage.close()


def plays(url: str, story: Callable[[World, Network, Voices], Any]) -> None:
    async def play() -> None:
        voices = Voices()
        async with behind(url, voices) as (world, line):
            await story(world, line, voices)
            assert await world.storage.ledger.verify() == []

    asyncio.run(play())


def resolved(voices: Voices) -> list[bool]:
    return [line["stands"] for line in voices.logged if line["event"] == "commit_resolved"]


STANDS = {"before": False, "after": True, "late": True}


@pytest.mark.parametrize("way", STANDS)
def test_a_charge_whose_commit_is_not_answered_is_paid_once_and_answered(
    new_url: Callable[[], str], way: str
) -> None:
    async def story(world: World, line: Network, voices: Voices) -> None:
        account_id = await world.account(100)
        line.way = way
        calls = [world.call(account_id) for _ in range(5)]
        paid = await asyncio.gather(*(world.storage.ledger.charge(call, "{}") for call in calls))
        assert line.cuts == 1
        assert all(isinstance(each, Admitted) and each.cost == 4 for each in paid)
        assert await world.balance(account_id) == (80, 0)
        assert {(await world.storage.ledger.state(call.id)) for call in calls} == {("captured", None)}
        assert resolved(voices) == [STANDS[way]]

    plays(new_url(), story)


@pytest.mark.parametrize("way", STANDS)
def test_a_hold_its_capture_and_its_release_are_done_once_each(new_url: Callable[[], str], way: str) -> None:
    async def story(world: World, line: Network, voices: Voices) -> None:
        account_id = await world.account(100)
        ledger = world.storage.ledger
        first, second = world.call(account_id), world.call(account_id)

        async def cut(work: Any) -> Any:
            line.cuts, line.way = 0, way
            return await work

        assert isinstance(await cut(ledger.hold(first)), Admitted)
        assert isinstance(await cut(ledger.hold(second)), Admitted)
        assert await world.balance(account_id) == (100, 8)
        assert await cut(ledger.capture(first.id, "{}")) == Admitted(first.id, 4, False)
        assert await cut(ledger.release(second.id, "UPSTREAM_ERROR")) is True
        assert await world.balance(account_id) == (96, 0)
        assert resolved(voices) == [STANDS[way]] * 4

    plays(new_url(), story)


@pytest.mark.parametrize("way", STANDS)
def test_who_is_refused_in_a_commit_that_is_not_answered_stays_refused(
    new_url: Callable[[], str], way: str
) -> None:
    """Some of a transaction move money and some do not; each has the outcome that it would have had."""

    async def story(world: World, line: Network, voices: Voices) -> None:
        rich, poor = await world.account(100), await world.account(3)
        line.way = way
        calls = [world.call(account_id) for account_id in (rich, poor, rich)]
        told = await asyncio.gather(*(world.storage.ledger.charge(call, "{}") for call in calls))
        assert [type(each).__name__ for each in told] == ["Admitted", "Refused", "Admitted"]
        assert (await world.balance(rich), await world.balance(poor)) == ((92, 0), (3, 0))

    plays(new_url(), story)


# --- the database is away for longer than anybody waits -----------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a database that is away."""
    monkeypatch.setattr(postgres_writer, "PAUSES_S", (0.0,) * 3)


async def given_up(line: Network, way: str, work: Any) -> None:
    """Work whose commit is cut, and of which nobody hears for longer than it is asked after; then the network is whole."""
    line.cuts, line.way, line.away = 0, way, True
    with pytest.raises(StoreError):
        await work
    line.way, line.away = "", False


def forsaken(voices: Voices) -> list[list[str]]:
    """The calls of each commit that was given up."""
    return [line["calls"] for line in voices.logged if line["event"] == "commit_unknown"]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("way", STANDS)
def test_a_charge_that_was_given_up_stands_or_not_and_whoever_asks_again_pays_once(
    new_url: Callable[[], str], way: str
) -> None:
    async def story(world: World, line: Network, voices: Voices) -> None:
        account_id = await world.account(100)
        call = world.call(account_id)
        await given_up(line, way, world.storage.ledger.charge(call, "{}"))
        assert (forsaken(voices), resolved(voices)) == ([[call.id]], [])
        again = await world.storage.ledger.charge(call._replace(id=world.ids.uuid()), "{}")
        assert (type(again).__name__, await world.balance(account_id)) == (
            "Captured" if STANDS[way] else "Admitted",
            (96, 0),
        )
        assert resolved(voices) == [STANDS[way]]

    plays(new_url(), story)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("way", STANDS)
def test_a_hold_that_was_given_up_goes_back_before_the_same_is_asked_for_again(
    new_url: Callable[[], str], way: str
) -> None:
    async def story(world: World, line: Network, voices: Voices) -> None:
        account_id = await world.account(100)
        ledger, call = world.storage.ledger, world.call(account_id)
        await given_up(line, way, ledger.hold(call))
        again = await ledger.hold(call._replace(id=world.ids.uuid()))
        assert (type(again).__name__, await world.balance(account_id)) == ("Admitted", (100, 4))
        assert await ledger.state(call.id) == (("released", "INTERNAL_ERROR") if STANDS[way] else None)
        assert resolved(voices) == [STANDS[way]]

    plays(new_url(), story)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("way", STANDS)
def test_the_end_of_a_call_that_was_given_up_is_one_as_soon_as_the_database_is_back(
    new_url: Callable[[], str], way: str
) -> None:
    """A capture that did not happen is none: its caller was told of an error, so nothing is held for him or paid."""

    async def story(world: World, line: Network, voices: Voices) -> None:
        ledger, account_id = world.storage.ledger, await world.account(100)
        read = await world.admitted(account_id)
        await given_up(line, way, ledger.capture(read.id, "{}"))
        # Nobody asks for anything: the round that ends calls of dead processes sees to it.
        await ledger.reap()
        assert await world.balance(account_id) == ((96, 0) if STANDS[way] else (100, 0))
        ended = ("captured", None) if STANDS[way] else ("released", "INTERNAL_ERROR")
        assert (await ledger.state(read.id), resolved(voices)) == (ended, [STANDS[way]])
        failed = await world.admitted(account_id)
        await given_up(line, way, ledger.release(failed.id, "UPSTREAM_ERROR"))
        await ledger.reap()
        assert await ledger.state(failed.id) == ("released", "UPSTREAM_ERROR")
        assert (await world.balance(account_id))[1] == 0
        assert resolved(voices) == [STANDS[way]] * 2

    plays(new_url(), story)


@pytest.mark.parametrize("end", ["capture", "release"])
def test_the_end_of_a_call_that_the_database_never_heard_of_is_made_as_soon_as_it_is_back(
    new_url: Callable[[], str], end: str
) -> None:
    """Nothing was sent to be committed, so nobody need be asked; until then what it holds would wait for its lease."""

    async def story(world: World, line: Network, voices: Voices) -> None:
        ledger, account_id = world.storage.ledger, await world.account(100)
        call, other = await world.admitted(account_id), await world.admitted(account_id)
        line.leave()
        for _ in range(2):
            with pytest.raises(StoreError):
                await (
                    ledger.capture(call.id, "{}")
                    if end == "capture"
                    else ledger.release(call.id, "REST_ERROR")
                )
        with pytest.raises(StoreError):
            await ledger.charge(world.call(account_id), "{}")
        line.away = False
        await ledger.reap()
        error = "INTERNAL_ERROR" if end == "capture" else "REST_ERROR"
        assert await ledger.state(call.id) == ("released", error)
        assert (await ledger.state(other.id), await world.balance(account_id)) == (
            ("running", None),
            (100, 4),
        )
        told = [line["calls"] for line in voices.logged if line["event"] == "end_given_up"]
        assert told == [[call.id], [call.id]]
        freed = [line["released"] for line in voices.logged if line["event"] == "commit_resolved"]
        assert sorted(freed) == [[], [call.id]]

    plays(new_url(), story)


@pytest.mark.usefixtures("impatient")
def test_what_was_given_up_is_kept_in_mind_until_somebody_answers(new_url: Callable[[], str]) -> None:
    async def story(world: World, line: Network, voices: Voices) -> None:
        ledger, account_id = world.storage.ledger, await world.account(100)
        call = world.call(account_id)
        await given_up(line, "after", ledger.hold(call))
        line.away = True
        for _ in range(3):
            with pytest.raises(StoreError):
                await ledger.peek(call)
        assert resolved(voices) == []
        line.away = False
        await ledger.reap()
        assert (await world.balance(account_id), resolved(voices)) == ((100, 0), [True])
        await ledger.reap()
        assert resolved(voices) == [True]

    plays(new_url(), story)
